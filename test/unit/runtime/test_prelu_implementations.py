"""Where oneDNN computes `dnn.prelu`: with its fast kernel alone, and with slopes that it computes right."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, TensorType, f32

from lastuse.dialect.dnn.constants import ConstantOp
from lastuse.dialect.dnn.piecewise_activations import PreluOp
from lastuse.runtime import _core

CASES = {
    "alike": ((2, 3, 4), (2, 3, 4), True),
    "a channel each": ((2, 3, 4), (3, 1), True),
    "columns": ((5, 7), (7,), True),
    "one channel": ((1, 1, 33, 16), (1, 1, 1), True),
    "one number": ((1, 16, 1, 33), (1, 1, 1), False),
    "channels last": ((1, 8, 8, 64), (64,), False),
    "a vector": ((6,), (1,), False),
    "none": ((2, 0, 4), (1, 0, 1), True),
}


def prelu(x: Sequence[int], slope: Sequence[int], value: float | None = 0.5) -> PreluOp:
    """The op with a constant slope of one number everywhere; None: with one that is no constant."""
    types = [TensorType(f32, x), TensorType(f32, slope)]
    given = test.TestOp(result_types=types).results
    if value is not None:
        elements = DenseIntOrFPElementsAttr.from_list(types[1], [value])
        given = [given[0], ConstantOp.create(result_types=types[1:], attributes={"value": elements}).y]
    op = PreluOp.create(operands=given, result_types=types[:1])
    op.verify()
    return op


@pytest.mark.parametrize("name", CASES)
def test_the_primitive_is_no_reference(name: str) -> None:
    x, slope, is_fast = CASES[name]
    op = prelu(x, slope)
    assert (op.primitive() is not None) == is_fast
    if 0 in x:
        return
    shapes = x, (*(1,) * (len(x) - len(slope)), *slope), x
    src, slopes, dst = (
        _core.Desc(np.dtype(np.float32), list(shape), [int(np.prod(shape[k + 1 :])) for k in range(len(shape))])
        for shape in shapes
    )
    assert _core.prelu(src, slopes, dst, 1).implementation.startswith("ref") != is_fast


def test_sizes_that_are_not_known_may_be_any() -> None:
    """An op that the runtime's kernel has then may stay there."""
    assert prelu((DYNAMIC_INDEX, 3, 4), (3, 1)).primitive() is not None
    assert prelu((1, DYNAMIC_INDEX, 4), (1, 1)).primitive() is None
    assert prelu((DYNAMIC_INDEX, 4), (DYNAMIC_INDEX, 4), None).primitive() is None


@pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf])
def test_slopes_that_may_not_be_finite_are_for_other_engines(value: float | None) -> None:
    """oneDNN adds the slope times 0 to a positive x, which is NaN then."""
    assert prelu((2, 3), (3,), 0.5).primitive() is not None
    assert prelu((2, 3), (3,), value).primitive() is None
