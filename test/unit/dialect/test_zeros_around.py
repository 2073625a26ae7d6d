"""Convolutions that read zeros around their operand: what they compute from the padded one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import DYNAMIC_INDEX, BoolAttr, DenseArrayBase, IntegerAttr, StringAttr, TensorType, f32, i64

from lastuse.dialect.dnn.padding import PadOp
from lastuse.dialect.dnn.spatial.convolution import ConvOp

Shape = Sequence[int]


def padded_conv(x: Shape, w: Shape, around: Sequence[int], **attributes: Sequence[int] | bool | int | str) -> ConvOp:
    made = {
        name: BoolAttr.from_bool(given)
        if isinstance(given, bool)
        else IntegerAttr(given, i64)
        if isinstance(given, int)
        else StringAttr(given)
        if isinstance(given, str)
        else DenseArrayBase.from_list(i64, list(given))
        for name, given in attributes.items()
    }
    data, weights = test.TestOp(result_types=[TensorType(f32, x), TensorType(f32, w)]).results
    whole = np.pad(np.zeros(x), list(zip(around[: len(x)], around[len(x) :], strict=True))).shape
    pad = PadOp.create(
        operands=[data],
        result_types=[TensorType(f32, whole)],
        attributes={"pads": DenseArrayBase.from_list(i64, list(around))},
    )
    unknown = TensorType(f32, [DYNAMIC_INDEX] * len(x))
    return ConvOp.create(operands=[pad.y, weights], result_types=[unknown], attributes=made)


CASES = {
    "one side": ((2, 3, 6), (4, 3, 3), (0, 0, 2, 0, 0, 0), {}),
    "beside its own": ((1, 2, 5, 4), (3, 2, 3, 3), (0, 0, 1, 0, 0, 0, 0, 1), {"pads": (1, 2, 0, 1)}),
    "strides, dilations": (
        (1, 2, 7, 5),
        (2, 2, 3, 2),
        (0, 0, 3, 1, 0, 0, 4, 0),
        {"strides": (2, 1), "dilations": (2, 1)},
    ),
    "groups, channels last": (
        (1, 5, 6, 4),
        (4, 1, 3, 3),
        (0, 1, 2, 0, 0, 0, 1, 0),
        {"group": 4, "channels_last": True},
    ),
    "smaller than the window": ((1, 1, 1), (1, 1, 4), (0, 0, 3, 0, 0, 0), {}),
    "no rows": ((0, 2, 4), (3, 2, 3), (0, 0, 1, 0, 0, 1), {}),
}


@pytest.mark.parametrize("name", CASES)
def test_sums_are_those_of_the_padded_operand(name: str) -> None:
    shape, weights, pads, attributes = CASES[name]
    op = padded_conv(shape, weights, pads, **attributes)
    simpler = op.simplified(lambda _: None)
    assert isinstance(simpler, ConvOp)
    simpler.verify()
    rng = np.random.default_rng(0)
    x, w = (rng.integers(-9, 10, sizes).astype(np.float32) for sizes in (shape, weights))
    around = list(zip(pads[: len(shape)], pads[len(shape) :], strict=True))
    np.testing.assert_array_equal(simpler.reference(x, w)[0], op.reference(np.pad(x, around), w)[0])


@pytest.mark.parametrize(
    ("pads", "attributes"),
    [((0, 0, 3, 0, 0, 0), {}), ((0, 0, 2, 0, 0, 0), {"pads": (1, 0)}), ((1, 0, 0, 0, 0, 0), {})],
    ids=["as wide as the window", "with its own", "the batch"],
)
def test_zeros_that_stay(pads: Sequence[int], attributes: dict[str, Sequence[int]]) -> None:
    assert padded_conv((2, 3, 6), (4, 3, 3), pads, **attributes).simplified(lambda _: None) is None


def test_a_word_for_pads_leaves_no_room() -> None:
    op = padded_conv((2, 3, 6), (4, 3, 3), (0, 0, 1, 0, 0, 0), auto_pad="SAME_UPPER")
    assert op.simplified(lambda _: None) is None
