"""Polynomials over unknown sizes in small tensors: which ops carry them, and what forms with operands tell of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from op_cases import build, named
from xdsl.dialects.builtin import BoolAttr, DenseArrayBase
from xdsl.ir import Attribute

from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import UnknownShapeError
from lastuse.dialect.dnn.contents import is_equal, is_less, larger, least, smaller
from lastuse.dialect.dnn.dynamic import static_attributes
from lastuse.dialect.ir.tensor_types import Content, Dim, Poly, TensorInfo, symbol

N, M = symbol("n"), symbol("m")


def contents(line: str, *given: Content | None) -> list[Content | None]:
    """What the results of a line's op hold where its operands hold these."""
    op = build(line)
    return list(op.contents([op.operand_type(k)._replace(content=content) for k, content in enumerate(given)]))


@pytest.mark.parametrize(
    ("line", "given", "want"),
    [
        ("reshape(2x2xi64) -> 4xi64", [(N, 1, M, 2)], [(N, 1, M, 2)]),
        ("unsqueeze(i64) {axes = array<i64: 0>} -> 1xi64", [(N,)], [(N,)]),
        ("squeeze(1xi32) -> i32", [(N,)], [(N,)]),
        ("transpose(2x2xi64) -> 2x2xi64", [(N, 1, M, 2)], [(N, M, 1, 2)]),
        ("expand(1xi64) -> 3xi64", [(N,)], [(N, N, N)]),
        ("slice(4xi64) {start = 1 : i64, step = 2 : i64} -> 2xi64", [(N, 1, M, 2)], [(1, 2)]),
        (
            "slice(3xi64) {ends = array<i64: -9>, starts = array<i64: 2>, steps = array<i64: -1>} -> 3xi64",
            [(N, 1, M)],
            [(M, 1, N)],
        ),
        ("select(3xi64) {index = -1 : i64} -> i64", [(N, 1, M)], [(M,)]),
        ("split(3xi64) {split = array<i64: 1, 2>} -> 1xi64, 2xi64", [(N, 1, M)], [(N,), (1, M)]),
        ("unbind(2xi64) -> i64, i64", [(N, 1)], [(N,), (1,)]),
        ("concat(1xi64, 2xi64) -> 3xi64", [(N,), (M, 4)], [(N, M, 4)]),
        ("stack(i64, i64) -> 2xi64", [(N,), (M,)], [(N, M)]),
        ("tile(2xi64) {repeats = array<i64: 2>} -> 4xi64", [(N, 1)], [(N, 1, N, 1)]),
        ("gather(3xi64, 2xi64) -> 2xi64", [(N, 1, M), (-1, 0)], [(M, N)]),
        ("gather(3xi64, 2xi64) -> 2xi64", [(N, 1, M), None], [None]),
        ("gather(3xi64, 2xi64) -> 2xi64", [(N, 1, M), (3, 0)], [None]),
        ("gather(3xi64, 1xi64) -> 1xi64", [(5, 1, 2), (N,)], [None]),
        ("gather_nd(3xi64, 1x1xi64) -> 1xi64", [(N, 1, M), (2,)], [(M,)]),
        ("scatter_nd(3xi64, 1x1xi64, 1xi64) -> 3xi64", [(N, 1, M), (1,), (M,)], [(N, M, M)]),
        ('scatter_nd(3xi64, 1x1xi64, 1xi64) {reduction = "add"} -> 3xi64', [(N, 1, M), (1,), (M,)], [None]),
        ("compress(3xi64) {condition = array<i64: 1, 0, 1>} -> 2xi64", [(N, 1, M)], [(N, M)]),
        ("identity(2xf32) -> 2xf32", [(N, 1)], [None]),
        ("shape(2x3xf32) -> 2xi64", [None], [(2, 3)]),
        ("size(2x3xf32) -> i64", [None], [(6,)]),
        ("reduce_prod(3xi64) -> i64", [(N, 3, M)], [(N * M * 3,)]),
        ("reduce_sum(2x2xi64) {axes = array<i64: 1>} -> 2xi64", [(N, 3, M, N)], [(N + 3, M + N)]),
        ("reduce_max(2xi64) -> i64", [(N, N + 2)], [(N + 2,)]),
        ("reduce_min(2xi64) -> i64", [(N, M)], [None]),
        ("maximum(2xi64, i64) -> 2xi64", [(N, N + 1), (0,)], [(N, N + 1)]),
        ("minimum(i64, i64) -> i64", [(N,), (N + 1,)], [(N,)]),
        ("less(4xi64, 4xi64) -> 4xi1", [(N, N + 3, N, 2), (N + 1, 2, -1, 5)], [(True, False, False, True)]),
        ("less(i64, i64) -> i1", [(N,), (3,)], [None]),
        ("greater_or_equal(2xi64, i64) -> 2xi1", [(N, N * 2), (0,)], [(True, True)]),
        ("greater(i64, i64) -> i1", [(N,), (0,)], [None]),
    ],
)
def test_content_of_results(line: str, given: list[Content | None], want: list[Content | None]) -> None:
    assert contents(line, *given) == want


def test_sizes_are_the_content_of_shape() -> None:
    op = build("shape(?x3x?xf32) {start = 0 : i64} -> 3xi64")
    assert op.contents([TensorInfo((N, 3, N * M), "f32")]) == ((N, 3, N * M),)
    assert build("size(?x3xf32) -> i64").contents([TensorInfo((N, 3), "f32")]) == ((N * 3,),)
    assert op.contents([TensorInfo((N, 3, None), "f32")]) == (None,)


def test_sizes_decide_comparisons() -> None:
    assert least(N * 2 + M + 3) == 3
    assert least(N - M) is None
    assert is_less(N, N + 1) is True
    assert is_less(N + 1, N) is False
    assert is_less(N, M) is None
    assert is_equal(N, -1) is False
    assert is_equal(N, 0) is None
    assert larger(N, M) is None
    assert larger(N + M, M) == N + M
    assert smaller(N + M, M) == M


def attribute(numbers: Sequence[int]) -> Attribute:
    from xdsl.dialects.builtin import i64

    return DenseArrayBase.from_list(i64, numbers)


def values(given: Mapping[str, Content | int]) -> dict[str, TensorInfo]:
    """Operands that stand for attributes: their contents, or for a number how many unknown elements they have."""
    infos: dict[str, TensorInfo] = {}
    for name, content in given.items():
        length = content if isinstance(content, int) else len(content)
        infos[name] = TensorInfo((length,), "i64", None if isinstance(content, int) else content)
    return infos


Sizes = tuple[Dim | None, ...]


@pytest.mark.parametrize(
    ("line", "given", "operand", "want"),
    [
        ("reshape", {"shape": (N, M, 3)}, (N * M, 3), (N, M, 3)),
        ("reshape", {"shape": (0, -1, 2)}, (N, 6, M), (N, M * 3, 2)),
        ("reshape", {"shape": 2}, (N, 6), (None, None)),
        ("reshape", {"shape": (N, -1)}, (N, M + 1, 4), (N, M * 4 + 4)),
        ("expand", {"shape": (M, 1, 4)}, (N, 1), (M, N, 4)),
        ("expand", {"shape": (M,)}, (N,), (None,)),
        ("expand", {"shape": 2}, (N, 3), (None, 3)),
        ("slice", {"starts": (0,), "ends": (N,)}, (N, 4), (N, 4)),
        ("slice", {"starts": (0,), "ends": (M,), "axes": (1,)}, (N, 4), (N, None)),
        ("slice", {"starts": 1, "ends": 1, "axes": 1}, (N, 4), (None, None)),
        ("slice", {"starts": (1,), "ends": (3,), "axes": (-1,)}, (N, 4), (N, 2)),
        ("tile", {"repeats": (M, 2)}, (N, 3), (N * M, 6)),
        ("tile", {"repeats": 2}, (N, 3), (None, None)),
        ("pad", {"pads": (1, M, N, 2)}, (N, 3), (N * 2 + 1, M + 5)),
        ("pad", {"pads": (1, 2), "axes": (-1,)}, (N, 3), (N, 6)),
        ("pad", {"pads": 4}, (N, 3), (None, None)),
        ("split", {"split": (N, 2)}, (N + 2, 3), (N, 3)),
        ("squeeze", {"axes": 1}, (N, 1, M), (None, None)),
        ("unsqueeze", {"axes": 1}, (N, M), (None, None, None)),
        ("constant_of_shape", {"shape": (N, 2)}, None, (N, 2)),
        ("compress", {"condition": 3}, (3, 2), (None,)),
    ],
)
def test_sizes_of_a_form_with_operands(
    line: str, given: Mapping[str, Content | int], operand: Sizes | None, want: Sizes
) -> None:
    operands = [] if operand is None else [TensorInfo(operand, "f32")]
    result = OPERATIONS[f"dnn.{line}"].infer_dynamic({}, operands, values(given))[0]
    assert result == TensorInfo(want, "f32")


@pytest.mark.parametrize(
    ("line", "given", "operand", "want"),
    [
        ("reshape", {"shape": (N, M, 12, 32)}, (N, M, 384), {"shape": (0, 0, 12, 32)}),
        ("reshape", {"shape": (N, M, 384)}, (N, M, 12, 32), {"shape": (0, 0, 384)}),
        ("reshape", {"shape": (N * M, 4)}, (N, M, 4), {"shape": (-1, 4)}),
        ("reshape", {"shape": (N, M, 3)}, (N * M, 3), None),
        ("reshape", {"shape": (M, 4)}, (N, 4), None),
        ("reshape", {"shape": (N, -1)}, (N, M, 4), {"shape": (0, -1)}),
        ("expand", {"shape": (2, N, 4)}, (N, 1), {"shape": (2, 1, 4)}),
        ("expand", {"shape": (N, M)}, (N, 1), None),
        ("slice", {"starts": (0,), "ends": (N,), "axes": (0,)}, (N, 4), {"ends": ((1 << 63) - 1,)}),
        ("slice", {"starts": (0,), "ends": (M,), "axes": (0,)}, (N, 4), None),
        ("slice", {"starts": (M,), "ends": (N,), "axes": (0,)}, (N, 4), None),
        ("tile", {"repeats": (N, 1)}, (N, 4), None),
    ],
)
def test_form_with_operands_is_static_where_sizes_have_another_spelling(
    line: str, given: Mapping[str, Content], operand: Sizes, want: Mapping[str, tuple[int, ...]] | None
) -> None:
    known = static_attributes(OPERATIONS[f"dnn.{line}"], {}, [TensorInfo(operand, "f32")], values(given))
    if want is None:
        assert known is None
        return
    assert known is not None
    assert {name: known[name] for name in want} == {name: attribute(numbers) for name, numbers in want.items()}


def test_zeros_that_allowzero_keeps_are_not_sizes_of_the_operand() -> None:
    literal: dict[str, Attribute] = {"allowzero": BoolAttr.from_bool(True)}

    def known(shape: Content) -> Mapping[str, Attribute] | None:
        return static_attributes(
            OPERATIONS["dnn.reshape"], literal, [TensorInfo((N, 6), "f32")], values({"shape": shape})
        )

    copied = known((N, 3, -1))
    assert copied is not None
    assert copied["shape"] == attribute((0, 3, -1))
    assert copied["allowzero"] == BoolAttr.from_bool(False)
    assert known((N, 0)) is None, "the 0 is a size, so that none can stand for n"


@pytest.mark.parametrize("kind", ["reshape", "expand", "constant_of_shape"])
def test_rank_that_is_not_known_is_an_error(kind: str) -> None:
    shape = {"shape": TensorInfo((N,), "i64")}
    with pytest.raises(UnknownShapeError, match="length of shape"):
        OPERATIONS[f"dnn.{kind}"].infer_dynamic({}, [TensorInfo((2, 3), "f32")], shape)


def test_length_of_a_range_of_sizes() -> None:
    def length(start: Dim, limit: Dim, delta: Dim) -> Dim | None:
        bounds = {"start": start, "limit": limit, "delta": delta}
        infos = {name: TensorInfo((), "i64", (bound,)) for name, bound in bounds.items()}
        (result,) = OPERATIONS["dnn.range"].infer_dynamic({}, [], infos)
        assert result.dtype == "i64"
        return result.shape[0]

    assert length(0, N, 1) == N
    assert length(1, N * 2 + 1, 2) == N
    assert length(N, 0, -1) == N
    assert length(1, N, 1) is None, "n may be 0"
    assert length(0, N, 2) is None, "n may be odd"
    assert length(0, N, M) is None


def test_moved_content_is_what_numbers_would_be() -> None:
    """Each op that moves polynomials moves numbers the same way."""
    for line in (
        "transpose(2x3x2xi64) {perm = array<i64: 2, 0, 1>} -> 2x2x3xi64",
        "concat(2x2xi64, 2x1xi64) {axis = 1 : i64} -> 2x3xi64",
        "gather_elements(3x2xi64, 2x2xi64) -> 2x2xi64",
        "slice(3x4xi64) {ends = array<i64: -9, 3>, starts = array<i64: 2, 0>, steps = array<i64: -2, 1>} -> 2x3xi64",
    ):
        op, sizes = build(line), [symbol(f"s{k}") for k in range(32)]
        infos: list[TensorInfo] = []
        start = 0
        for k in range(len(op.operands)):
            info, moved = op.operand_type(k), named(line) != "gather_elements" or k == 0
            count = int(np.prod([d for d in info.shape if isinstance(d, int)]))
            elements = tuple(sizes[start : start + count]) if moved else tuple(i % 2 for i in range(count))
            infos.append(info._replace(content=elements))
            start += count
        (content,) = op.contents(infos)
        number = {size: k for k, size in enumerate(sizes)}
        plain = [i._replace(content=tuple(number.get(e, e) for e in i.content or ())) for i in infos]  # pyright: ignore
        assert content is not None
        assert all(isinstance(e, Poly) for e in content)
        assert tuple(number[e] for e in content if isinstance(e, Poly)) == op.contents(plain)[0]
