"""Which layouts oneDNN's generated code of a binary op takes: the rule of lowering against what oneDNN chooses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
import pytest
from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Block

from lastuse.dialect.dnn.arithmetic import AddOp, MulOp
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.dialect.onednn.primitives.base import PlacedValue
from lastuse.dialect.onednn.primitives.binary import is_generated
from lastuse.dialect.onednn.primitives.eltwise import OneDnnEltwiseOp
from lastuse.dialect.storage.layout import Strided
from lastuse.passes.lowering.instruction_selection import separate_steps
from lastuse.runtime import _core

SIZES = (3, 5, 7, 6, 4)


def dense(sizes: Sequence[int], order: Sequence[int]) -> Strided:
    """f32 without gaps, the axes in this order from the outermost on."""
    strides, step = [0] * len(sizes), 4
    for axis in reversed(order):
        strides[axis], step = step, step * sizes[axis]
    return Strided(0, tuple(sizes), tuple(strides), 4)


def described(layout: Strided) -> _core.Desc:
    return _core.Desc(np.dtype(np.float32), layout.sizes, [stride // 4 for stride in layout.strides])


def is_generated_there(first: Strided, second: Strided) -> bool:
    a, b = described(first), described(second)
    return not _core.binary("mul", a, b, a, 1).implementation.startswith("ref")


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
def test_the_rule_never_lets_the_reference_compute(rank: int) -> None:
    for order in permutations(range(rank)):
        for ones, repeated in product(product((False, True), repeat=rank), repeat=2):
            sizes = [1 if one else size for one, size in zip(ones, SIZES[:rank], strict=True)]
            first = dense(sizes, order)
            for lies in {order, tuple(range(rank))}:
                second = dense([1 if one else n for one, n in zip(repeated, sizes, strict=True)], lies)
                if is_generated(first, second, first):
                    assert is_generated_there(first, second), (first, second)


@pytest.mark.parametrize("rank", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("channels_last", [False, True])
def test_the_rule_is_exact_for_usual_orders(rank: int, channels_last: bool) -> None:
    order = [0, *range(2, rank), 1][:rank] if channels_last else range(rank)
    first = dense(SIZES[:rank], order)
    for repeated in product((False, True), repeat=rank):
        second = dense([1 if one else n for one, n in zip(repeated, first.sizes, strict=True)], order)
        assert is_generated(first, second, first) == is_generated_there(first, second), second


def test_operands_with_gaps_are_the_reference() -> None:
    first, row = dense((4, 6), (0, 1)), Strided(0, (1, 6), (96, 8), 4)
    assert not is_generated(first, row, first) and not is_generated_there(first, row)


@pytest.mark.parametrize("kind", [MulOp, AddOp])
@pytest.mark.parametrize("has_gaps", [False, True])
def test_an_operand_read_twice_is_no_eltwise_where_it_has_gaps(kind: type[DnnOp], has_gaps: bool) -> None:
    type_ = TensorType(f32, [4, 6])
    (x,) = Block(arg_types=[type_]).args
    layout = Strided(0, (4, 6), (4 * (12 if has_gaps else 6), 4), 4)
    steps = list(
        separate_steps(kind.create(operands=[x, x], result_types=[type_]), [PlacedValue(layout, "f32", 0, None)] * 3)
    )
    assert isinstance(steps[-1], KernelCallOp if has_gaps else OneDnnEltwiseOp)
    there = _core.eltwise("square", 0, 0, described(layout), described(layout), 1).implementation
    assert there.startswith("ref") == has_gaps
