"""`dnn.pad` beyond once around: each mode against `numpy.pad`, on both sides of each axis."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import DenseArrayBase, StringAttr, TensorType, f32, i64

from lastuse.dialect.dnn.padding import PadOp

COUNTS = (0, 1, 2, 5, 11)


def pad(x: np.ndarray, around: list[tuple[int, int]], mode: str) -> np.ndarray:
    pads = [before for before, _ in around] + [after for _, after in around]
    shape = [size + sum(added) for size, added in zip(x.shape, around, strict=True)]
    op = PadOp.create(
        operands=test.TestOp(result_types=[TensorType(f32, x.shape)]).results,
        result_types=[TensorType(f32, shape)],
        attributes={"pads": DenseArrayBase.from_list(i64, pads), "mode": StringAttr(mode)},
    )
    y = np.full(shape, np.nan, np.float32)
    op.kernel((x,), (y,), np.empty(0, np.uint8))
    return y


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_one_axis_is_padded_as_numpy_does(mode: str, size: int) -> None:
    x = np.arange(size, dtype=np.float32) + 1
    for before, after in itertools.product(COUNTS, repeat=2):
        np.testing.assert_array_equal(pad(x, [(before, after)], mode), np.pad(x, (before, after), mode=mode))  # pyright: ignore


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
def test_several_axes_are_padded_as_numpy_does(mode: str) -> None:
    x = np.random.default_rng(0).standard_normal((2, 3, 4)).astype(np.float32)
    for around in ([(1, 0), (0, 0), (5, 9)], [(0, 3), (4, 1), (0, 0)], [(2, 2), (3, 3), (1, 7)]):
        np.testing.assert_array_equal(pad(x, around, mode), np.pad(x, around, mode=mode))  # pyright: ignore


@pytest.mark.parametrize("mode", ["edge", "reflect", "wrap"])
def test_elements_are_taken_off_before_others_are_added(mode: str) -> None:
    x = np.arange(6, dtype=np.float32)
    np.testing.assert_array_equal(pad(x, [(-2, 3)], mode), np.pad(x[2:], (0, 3), mode=mode))  # pyright: ignore
