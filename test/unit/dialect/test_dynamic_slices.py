"""Slices at starts that operands hold: where they are clamped to, and what they are if the starts are constants."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from native_kernels import native_kernel
from op_cases import build, empty
from xdsl.dialects import scf, test
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.data_movement import SliceScatterOp
from lastuse.dialect.dnn.dynamic_slices import DynamicSliceOp, DynamicUpdateSliceOp
from lastuse.dialect.dnn.part_views import SliceOp
from lastuse.dialect.storage.index_arithmetic import is_between

STARTS = [-(1 << 62), -1, 0, 1, 2, 3, 1 << 40]


def arrays(op: DnnOp, starts: tuple[int, ...]) -> list[Array]:
    sources = len(op.operands) - len(starts)
    shapes = [op.operand_type(k).shape for k in range(sources)]
    data = [np.arange(100 * k, 100 * k + np.prod(s), dtype=np.float32).reshape(s) for k, s in enumerate(shapes)]  # pyright: ignore
    return [*data, *(np.array(n, np.int64) for n in starts)]


def computed(op: DnnOp, operands: list[Array]) -> Array:
    """The result of the runtime's kernel."""
    results = empty(op)
    native_kernel(op, 1)(operands, results, np.empty(0, np.uint8))
    return results[0]


@pytest.mark.parametrize(
    ("line", "simpler"),
    [
        ("dynamic_slice(4x5xf32, i64, i64) {slice_sizes = array<i64: 2, 4>} -> 2x4xf32", SliceOp),
        ("dynamic_update_slice(4x5xf32, 2x4xf32, i64, i64) -> 4x5xf32", SliceScatterOp),
    ],
)
def test_constant_starts_are_a_box_that_lies_inside(line: str, simpler: type[DnnOp]) -> None:
    op = build(line)
    for starts in itertools.product(STARTS, repeat=2):
        given = arrays(op, starts)
        known = dict(zip(op.operands, given, strict=True))
        made = op.simplified(lambda value, known=known: known[value])
        assert isinstance(made, simpler)
        made.verify_()
        sources = len(made.operands)
        want = op.reference(*given)[0]
        np.testing.assert_array_equal(made.reference(*given[:sources])[0], want)
        np.testing.assert_array_equal(computed(op, given), want)
        first = [min(max(s, 0), n) for s, n in zip(starts, (2, 1), strict=True)]
        box = tuple(slice(at, at + n) for at, n in zip(first, (2, 4), strict=True))
        np.testing.assert_array_equal(
            want if simpler is SliceOp else want[box], given[0][box] if simpler is SliceOp else given[1]
        )


def test_starts_or_sizes_that_are_not_known_stay() -> None:
    op = build("dynamic_slice(4xf32, i64) {slice_sizes = array<i64: 2>} -> 2xf32")
    assert isinstance(op, DynamicSliceOp) and op.simplified(lambda value: None) is None
    op = build("dynamic_update_slice(?xf32, 2xf32, i64) -> ?xf32")
    assert isinstance(op, DynamicUpdateSliceOp) and op.simplified(lambda value: np.array(1)) is None


def test_largest_unsigned_start_is_the_last_one() -> None:
    op = build("dynamic_slice(4xf32, ui64) {slice_sizes = array<i64: 2>} -> 2xf32")
    given = [np.arange(4, dtype=np.float32), np.array((1 << 64) - 1, np.uint64)]
    for made in (op.reference(*given)[0], computed(op, given)):
        np.testing.assert_array_equal(made, [2, 3])


def test_in_place_the_update_writes_its_box_alone() -> None:
    op = build("dynamic_update_slice(4x3xf32, 1x2xf32, i64, i64) -> 4x3xf32")
    x, update, *starts = arrays(op, (9, 1))
    want = x.copy()
    want[3, 1:] = update
    (y,) = empty(op)
    for kernel in (op.kernel, native_kernel(op, 1)):
        np.copyto(y, x)
        kernel([y, update, *starts], [y], np.empty(0, np.uint8))
        np.testing.assert_array_equal(y, want)


def test_indices_between_bounds() -> None:
    """The counter of a loop is; a value of which nothing is known is not."""
    first, end, step = (ConstantOp.from_int_and_width(n, IndexType()) for n in (2, 9, 3))
    loop = scf.ForOp(first, end, step, [], Block([scf.YieldOp()], arg_types=[IndexType()]))
    counter, other = loop.body.block.args[0], test.TestOp(result_types=[IndexType()]).results[0]
    assert is_between(counter, 2, 8) and is_between(counter, 0, 100)
    assert not is_between(counter, 3, 8) and not is_between(counter, 2, 7)
    assert is_between(5, 5, 5) and not is_between(5, 6, 9)
    assert not is_between(other, 0, 1 << 40)
