"""Paddle's ops that work element by element. Defaults of attributes are Paddle's own."""

from __future__ import annotations

from functools import partial

from xdsl.dialects.builtin import BoolAttr, StringAttr
from xdsl.ir import SSAValue

from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.frontends.paddle.builder import Handler, PaddleBuilder, unary
from lastuse.frontends.paddle.op_attributes import flag, float_attr, integer, integers, number, text
from lastuse.frontends.paddle.params import ELEMENT_TYPES, element_type_name
from lastuse.frontends.paddle.proto import PaddleOp


def _swish(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    x, beta = b.input(op, "X"), number(op, "beta", 1.0)
    if beta == 1.0:
        return b.emit("silu", [x], name=name)
    inner = b.emit("scale", [x], {"scale": float_attr(beta)}, name=f"{name}/scaled")
    return b.emit("mul", [x, b.emit("sigmoid", [inner], name=f"{name}/gate")], name=name)


def _clip(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    b.refuse_inputs(op, "Min", "Max")
    if op.type == "relu6":
        low, high = 0.0, number(op, "threshold", 6.0)
    else:
        low, high = number(op, "min", 0.0), number(op, "max", 0.0)
    return b.emit("clip", [b.input(op, "X")], {"min": float_attr(low), "max": float_attr(high)}, name=name)


def _pow(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    b.refuse_inputs(op, "FactorTensor")
    x = b.input(op, "X")
    factor = b.splat(number(op, "factor", 1.0), TensorInfo((), b.sizes[x].dtype), f"{name}/factor")
    return b.emit("pow", [x, factor], name=name)


def _scale(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    b.refuse_inputs(op, "ScaleTensor")
    x, scale, bias = b.input(op, "X"), number(op, "scale", 1.0), number(op, "bias", 0.0)
    if scale == 1.0 and bias == 0.0:
        return b.emit("identity", [x], name=name)
    after = BoolAttr.from_bool(flag(op, "bias_after_scale", True))
    attributes = {"scale": float_attr(scale), "bias": float_attr(bias), "bias_after_scale": after}
    return b.emit("scale", [x], attributes, name=name)


def _cast(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    x = b.input(op, "X")
    dtype = element_type_name(integer(op, "out_dtype", 5), f"'{name}'", b.location)
    return b.emit("cast", [x], name=name, stated=TensorInfo(b.shape(x), dtype))


def _dropout(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """At inference nothing is dropped; the older form scales instead what training did not scale."""
    if not flag(op, "is_test", False):
        raise ValueError("it is in training mode (is_test is false)")
    b.refuse_inputs(op, "Seed")
    x = b.input(op, "X")
    if text(op, "dropout_implementation", "downgrade_in_infer") == "upscale_in_train":
        return b.emit("identity", [x], name=name)
    return b.emit("scale", [x], {"scale": float_attr(1.0 - number(op, "dropout_prob", 0.5))}, name=name)


def _binary(kind: str, b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    x, y = b.input(op, "X"), b.input(op, "Y")
    return b.emit(kind, [x, _aligned(b, x, y, integer(op, "axis", -1), name)], name=name)


def _comparison(kind: str, b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    x, y = b.input(op, "X"), b.input(op, "Y")
    return b.compared(kind, x, _aligned(b, x, y, integer(op, "axis", -1), name), name)


def _aligned(b: PaddleBuilder, x: SSAValue, y: SSAValue, axis: int, name: str) -> SSAValue:
    """`y` with axes of size 1 behind, so that its first axis lines up with axis `axis` of `x`."""
    rank, shape = len(b.shape(x)), list(b.shape(y))
    if axis in (-1, rank - len(shape)):
        return y
    while shape and axis + len(shape) > rank and shape[-1] == 1:
        shape.pop()
    if axis < 0 or axis + len(shape) > rank:
        raise ValueError(f"axis {axis} does not line up an input of {len(shape)} axes with one of {rank}")
    return b.reshape(y, [*shape, *[1] * (rank - axis - len(shape))], f"{name}/aligned")


def _sum(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    values = [b.value(variable) for variable in op.inputs.get("X", [])]
    if not values:
        raise ValueError("there is nothing to add")
    return b.emit("sum", values, name=name)


def _fill_constant(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    b.refuse_inputs(op, "ValueTensor", "ShapeTensor", "ShapeTensorList")
    shape, dtype = _filled(b, op, name)
    stated = text(op, "str_value", "")
    try:
        value = float(stated) if stated else number(op, "value", 0.0)
    except ValueError:
        raise ValueError(f"the attribute str_value is '{stated}', a number is expected") from None
    return b.splat(value, TensorInfo(shape, dtype), name)


def _filled(b: PaddleBuilder, op: PaddleOp, name: str) -> tuple[tuple[int, ...], str]:
    """The shape and the element type of a constant."""
    shape = tuple(integers(op, "shape"))
    if any(size < 0 for size in shape):
        raise ValueError(f"the shape {list(shape)} has a negative size")
    return shape, element_type_name(integer(op, "dtype", 5), f"'{name}'", b.location)


def _fill_like(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    x = b.input(op, "X")
    if integer(op, "dtype", -1) not in (-1, *(n for n, kind in ELEMENT_TYPES.items() if kind == b.sizes[x].dtype)):
        raise ValueError("a constant of another element type than the input's is not supported")
    return b.emit("fill", [x], {"value": float_attr(number(op, "value", 0.0))}, name=name)


def _increment(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    x = b.input(op, "X")
    step = b.splat(number(op, "step", 1.0), TensorInfo((), b.sizes[x].dtype), f"{name}/step")
    return b.emit("add", [x, step], name=name)


def _squared_norm(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    total = b.emit("reduce_sum_square", [b.input(op, "X")], name=f"{name}/total")
    return b.reshape(total, (1,), name)


HANDLERS: dict[str, Handler] = {
    "fill_constant": _fill_constant,
    **dict.fromkeys(("fill_any_like", "fill_zeros_like"), _fill_like),
    "increment": _increment,
    "squared_l2_norm": _squared_norm,
    **{kind: unary(kind) for kind in ("relu", "tanh", "sigmoid", "sqrt", "abs", "exp", "silu")},
    "assign": unary("identity"),
    "leaky_relu": unary("leaky_relu", lambda op: {"alpha": float_attr(number(op, "alpha", 0.02))}),
    "elu": unary("elu", lambda op: {"alpha": float_attr(number(op, "alpha", 1.0))}),
    "gelu": unary("gelu", lambda op: {"approximate": StringAttr("tanh" if flag(op, "approximate", False) else "none")}),
    "swish": _swish,
    **dict.fromkeys(("clip", "relu6"), _clip),
    "square": lambda b, op, name: b.emit("mul", [b.input(op, "X")] * 2, name=name),
    "pow": _pow,
    "scale": _scale,
    "cast": _cast,
    "dropout": _dropout,
    **{f"elementwise_{kind}": partial(_binary, kind) for kind in ("add", "sub", "mul", "div", "pow")},
    "elementwise_max": partial(_binary, "maximum"),
    "elementwise_min": partial(_binary, "minimum"),
    "sum": _sum,
    **{f"{kind}_than": partial(_comparison, kind) for kind in ("less", "greater")},
    **{f"{kind}_equal": partial(_comparison, f"{kind}_or_equal") for kind in ("less", "greater")},
    "equal": partial(_comparison, "equal"),
    **{f"logical_{kind}": partial(_binary, kind) for kind in ("and", "or")},
    "logical_not": unary("not"),
}
