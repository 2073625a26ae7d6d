"""Scatters and gathers whose indices are constants that name a box: ops that move it as a whole."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, StringAttr, TensorType, f32, i64
from xdsl.ir import Attribute

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.data_movement import SliceScatterOp
from lastuse.dialect.dnn.gathers import GatherOp
from lastuse.dialect.dnn.part_views import SliceOp
from lastuse.dialect.dnn.scatters import ScatterNdOp
from lastuse.dialect.dnn.views import ReshapeOp

Shape = Sequence[int]


def scatter(data: Shape, indices: np.ndarray, reduction: str | None = None) -> ScatterNdOp:
    updates = (*indices.shape[:-1], *data[indices.shape[-1] :])
    types = [TensorType(f32, data), TensorType(i64, indices.shape), TensorType(f32, updates)]
    attributes: dict[str, Attribute] = {} if reduction is None else {"reduction": StringAttr(reduction)}
    operands = test.TestOp(result_types=types).results
    return ScatterNdOp.create(operands=operands, result_types=types[:1], attributes=attributes)


def simplified(op: DnnOp, indices: np.ndarray) -> DnnOp | None:
    return op.simplified(lambda value: indices if value is op.operands[1] else None)


def box(first: Sequence[int], shape: Shape) -> np.ndarray:
    return np.moveaxis(np.indices(shape), 0, -1) + np.array(first, np.int64)


@pytest.mark.parametrize("named", [1, 2, 3])
def test_each_box_is_a_slice(named: int) -> None:
    sizes = (3, 2, 4)
    ranges = [[(n, size - n - k) for n in range(size) for k in range(size - n)] for size in sizes[:named]]
    rng = np.random.default_rng(0)
    for cuts in itertools.product(*ranges):
        indices = box([n for n, _ in cuts], [count for _, count in cuts])
        op = scatter(sizes, indices)
        simpler = simplified(op, indices)
        assert isinstance(simpler, SliceScatterOp) and list(simpler.operands) == [op.data, op.updates]
        simpler.verify_()
        data, updates = (rng.standard_normal(v.type.get_shape()).astype(np.float32) for v in simpler.operands)  # pyright: ignore
        np.testing.assert_array_equal(simpler.reference(data, updates)[0], op.reference(data, indices, updates)[0])


OTHERS = {
    "a gap": box([0, 0], [2, 3])[:, [0, 2]],
    "another order": box([0, 0], [2, 3])[:, ::-1],
    "twice": box([0, 0], [2, 3])[[0, 0]],
    "outside": box([2, 0], [2, 2]),
    "from the end": box([-1, 0], [1, 2]),
    "turned": box([0, 0], [2, 2])[..., ::-1],
    "a list of places": box([0, 0], [2, 2]).reshape(4, 2),
    "nothing": box([0, 0], [0, 2]),
}


@pytest.mark.parametrize("indices", OTHERS.values(), ids=OTHERS)
def test_what_is_no_box_stays(indices: np.ndarray) -> None:
    assert simplified(scatter((3, 4), indices), indices) is None


def test_what_is_joined_or_unknown_stays() -> None:
    indices = box([1], [2])
    assert simplified(scatter((4, 3), indices, "none"), indices) is not None
    assert simplified(scatter((4, 3), indices, "add"), indices) is None
    assert simplified(scatter((4, DYNAMIC_INDEX), indices), indices) is None
    assert scatter((4, 3), indices).simplified(lambda value: None) is None


@pytest.mark.parametrize(
    ("indices", "is_whole"),
    [([0, 1, 2], True), ([[0, 1, 2]], True), ([[0], [1], [2]], True), ([0, 1], False), ([0, 2, 1], False), ([], False)],
)
def test_gather_of_a_whole_axis_in_order_is_a_reshape(indices: list[int], is_whole: bool) -> None:
    numbers = np.array(indices, np.int64)
    data = TensorType(f32, (3, 2))
    operands = test.TestOp(result_types=[data, TensorType(i64, numbers.shape)]).results
    op = GatherOp.create(operands=operands, result_types=[TensorType(f32, (*numbers.shape, 2))])
    simpler = simplified(op, numbers)
    assert isinstance(simpler, ReshapeOp) == is_whole
    if simpler is not None:
        x = np.arange(6, dtype=np.float32).reshape(3, 2)
        np.testing.assert_array_equal(simpler.reference(x)[0], op.reference(x, numbers)[0])


def part_of(op: GatherOp, indices: np.ndarray) -> DnnOp | None:
    return op.view_form(lambda value: indices if value is op.indices else None)


def gather(data: Shape, indices: np.ndarray, axis: int) -> GatherOp:
    result = (*data[:axis], *indices.shape, *data[axis + 1 :])
    types = [TensorType(f32, data), TensorType(i64, indices.shape)]
    operands = test.TestOp(result_types=types).results
    attributes: dict[str, Attribute] = {"axis": IntegerAttr(axis, i64)}
    return GatherOp.create(operands=operands, result_types=[TensorType(f32, result)], attributes=attributes)


@pytest.mark.parametrize("data", [(5,), (5, 3), (1, 5, 2), (1, 1, 5)])
def test_consecutive_numbers_along_the_first_long_axis_are_a_view(data: Shape) -> None:
    axis, x = data.index(5), np.arange(np.prod(data), dtype=np.float32).reshape(data)
    for first, last in itertools.combinations(range(6), 2):
        for shape in ((last - first,), (1, last - first), (last - first, 1)):
            indices = np.arange(first, last).reshape(shape)
            op = gather(data, indices, axis)
            view = part_of(op, indices)
            assert isinstance(view, ReshapeOp)
            (part,) = (value.owner for value in view.operands)
            assert isinstance(part, SliceOp) and part.x is op.data
            part.verify_()
            view.verify_()
            (rows,) = part.reference(x)
            np.testing.assert_array_equal(view.reference(rows)[0], op.reference(x, indices)[0])


@pytest.mark.parametrize(
    ("data", "axis", "numbers"),
    [
        pytest.param((2, 5), 1, [1, 2], id="not dense"),
        pytest.param((5, 2), 0, [2, 1], id="another order"),
        pytest.param((5, 2), 0, [1, 3], id="a gap"),
        pytest.param((5, 2), 0, [4, 5], id="outside"),
        pytest.param((5, 2), 0, [-2, -1], id="from the end"),
        pytest.param((5, 2), 0, [], id="none"),
    ],
)
def test_other_numbers_are_no_view(data: Shape, axis: int, numbers: Sequence[int]) -> None:
    indices = np.array(numbers, np.int64)
    assert part_of(gather(data, indices, axis), indices) is None
    assert gather((5, 2), np.arange(2), 0).view_form(lambda value: None) is None
