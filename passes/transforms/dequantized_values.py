"""Quantised models in f32: constants are dequantised, and values between bounds."""

from __future__ import annotations

import numpy as np
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.integer_forms import RequantizesNumbers
from lastuse.dialect.dnn.widening import Widening, WidensIntegers
from lastuse.dialect.ir.diagnostics import RemarkKind, remark
from lastuse.dialect.ir.tensor_types import numpy_dtype, typed
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.transforms.constant_folding import constant_elements, erase_with_operands, fold_constants


def dequantize(ctx: Context, func: FuncOp) -> None:
    """Puts f32 constants in the place of dequantised ones, and bounds in the place of each quantize_linear with the
    dequantize_linear that undoes it."""
    for op in list(func.walk()):
        if not isinstance(op, DnnOp) or not isinstance(op, WidensIntegers) or attrs.is_decided(op):
            continue
        widening = op.widening()
        before = list(op.operands)
        if fold_constants(op) is not None:
            for value in before:
                if isinstance(value.owner, DnnOp) and value.first_use is None:
                    erase_with_operands(value.owner)
            continue
        bounds = None if widening is None else _bounds(widening)
        if bounds is None:
            continue
        value, low, high = bounds
        builder = GradientBuilder(Builder(InsertPoint.before(op)), op, infer_shapes(func))
        made = builder.emit("clip", value, min=low, max=high)
        made.name_hint = op.results[0].name_hint
        remark(ctx, RemarkKind.DECISION, op, "not rounded: its operand is brought between the bounds of its integers")
        op.results[0].replace_all_uses_with(made)
        erase_with_operands(op)


def _bounds(widening: Widening) -> tuple[SSAValue, float, float] | None:
    """The value that was quantised to integers and is widened from them, and the least and the largest number that
    they stand for; None where scales or zero points differ, or are no constants."""
    quantizing = widening.integers.owner
    result = quantizing.requantization() if isinstance(quantizing, RequantizesNumbers) else None
    if result is None or widening.axis is not None:
        return None
    dtype = numpy_dtype(typed(widening.integers.type).dtype)
    numbers = [constant_elements(v) for v in (widening.scale, result.scale, result.zero_point)]
    zero = np.zeros(1, dtype) if widening.zero_point is None else constant_elements(widening.zero_point)
    if any(number is None or number.size != 1 for number in (*numbers, zero)):
        return None
    scale, other, start, back = (number.reshape(-1)[0] for number in (*numbers, zero) if number is not None)
    if scale != other or start != back or not scale > 0:
        return None
    low, high = ((np.float32(limit) - np.float32(back)) * scale for limit in (np.iinfo(dtype).min, np.iinfo(dtype).max))
    assert isinstance(quantizing, DnnOp)
    return quantizing.operands[0], float(low), float(high)
