"""Functions of one operand, activations too, element by element."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import FloatAttr, f64
from xdsl.ir import SSAValue

from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder, plain


def _identity(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    return node.input(0)


def _clip(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """Bounds that are known become attributes; others are operands of `maximum` and `minimum`."""
    x, low, high = node.input(0), node.optional(1), node.optional(2)
    bounds = [None if bound is None else b.numbers(bound) for bound in (low, high)]
    known = [bound is None or _fits_attribute(number) for bound, number in zip((low, high), bounds, strict=True)]
    if all(known):
        attributes = {
            name: None if number is None or np.isinf(number.item()) else _bound(number)
            for name, number in zip(("min", "max"), bounds, strict=True)
        }
        return b.op("clip", [x], node, attributes)
    if low is not None:
        x = b.op("maximum", [x, low], node, step="" if high is None else "low")
    return x if high is None else b.op("minimum", [x, high], node)


def _fits_attribute(number: np.ndarray | None) -> bool:
    if number is None or number.size != 1:
        return False
    return number.dtype.kind not in "iu" or number.item() <= np.iinfo(np.int64).max


def _bound(number: np.ndarray) -> object:
    return FloatAttr(number.item(), f64) if number.dtype == np.float64 else number.item()


def _dropout(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    """At inference nothing is dropped, and the mask is true everywhere."""
    x, ratio, training = node.input(0), node.optional(1), node.optional(2)
    if training is not None:
        mode = b.numbers(training)
        share = None if ratio is None else b.numbers(ratio)
        if mode is None or (mode.any() and (share is None or share.any())):
            raise ValueError("training mode, which draws elements at random, is not supported")
    if not node.wants(1):
        return [x]
    name = node.outputs[1]
    truth = b.emit("cast", [x], name=f"{name}/place", stated=TensorInfo(b.shape(x), "i1"))
    return [x, b.ops("fill", [truth], [name], {"value": True})[0]]


_SAME = {
    **{name: name.lower() for name in ("Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Ceil", "Celu")},
    **{name: name.lower() for name in ("Cos", "Cosh", "Elu", "Erf", "Exp", "Floor", "Gelu", "Log", "Mish", "Neg")},
    **{name: name.lower() for name in ("Reciprocal", "Relu", "Round", "Selu", "Shrink", "Sigmoid", "Sign", "Sin")},
    **{name: name.lower() for name in ("Sinh", "Softplus", "Softsign", "Sqrt", "Tan", "Tanh", "Not")},
    "BitwiseNot": "bitwise_not",
    "HardSigmoid": "hard_sigmoid",
    "HardSwish": "hard_swish",
    "IsInf": "is_inf",
    "IsNaN": "is_nan",
    "LeakyRelu": "leaky_relu",
    "PRelu": "prelu",
    "Swish": "silu",
    "ThresholdedRelu": "thresholded_relu",
}

HANDLERS: dict[str, Handler] = {
    **{op_type: plain(kind) for op_type, kind in _SAME.items()},
    "Clip": _clip,
    "Dropout": _dropout,
    "Identity": _identity,
}
