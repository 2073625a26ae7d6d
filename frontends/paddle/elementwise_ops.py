"""Paddle's ops that work element by element. Defaults of attributes are Paddle's own."""

from __future__ import annotations

from functools import partial

from xdsl.dialects.builtin import BoolAttr, StringAttr
from xdsl.ir import SSAValue

from lastuse.dialect.ir.symbolic_shape import TensorInfo
from lastuse.frontends.paddle.builder import Handler, PaddleBuilder
from lastuse.frontends.paddle.op_attributes import flag, float_attr, integer, number, output, text
from lastuse.frontends.paddle.params import element_type_name
from lastuse.frontends.paddle.proto import PaddleOp


def _unary(kind: str, b: PaddleBuilder, op: PaddleOp) -> None:
    b.bind(op, "Out", b.emit(kind, [b.input(op, "X")], name=output(op)))


def _leaky_relu(b: PaddleBuilder, op: PaddleOp) -> None:
    alpha = float_attr(number(op, "alpha", 0.02))
    b.bind(op, "Out", b.emit("leaky_relu", [b.input(op, "X")], {"alpha": alpha}, name=output(op)))


def _elu(b: PaddleBuilder, op: PaddleOp) -> None:
    alpha = float_attr(number(op, "alpha", 1.0))
    b.bind(op, "Out", b.emit("elu", [b.input(op, "X")], {"alpha": alpha}, name=output(op)))


def _gelu(b: PaddleBuilder, op: PaddleOp) -> None:
    kind = StringAttr("tanh" if flag(op, "approximate", False) else "none")
    b.bind(op, "Out", b.emit("gelu", [b.input(op, "X")], {"approximate": kind}, name=output(op)))


def _swish(b: PaddleBuilder, op: PaddleOp) -> None:
    x, name, beta = b.input(op, "X"), output(op), number(op, "beta", 1.0)
    if beta == 1.0:
        y = b.emit("silu", [x], name=name)
    else:
        inner = b.emit("scale", [x], {"scale": float_attr(beta)}, name=f"{name}/scaled")
        y = b.emit("mul", [x, b.emit("sigmoid", [inner], name=f"{name}/gate")], name=name)
    b.bind(op, "Out", y)


def _clip(b: PaddleBuilder, op: PaddleOp) -> None:
    b.refuse_inputs(op, "Min", "Max")
    if op.type == "relu6":
        low, high = 0.0, number(op, "threshold", 6.0)
    else:
        low, high = number(op, "min", 0.0), number(op, "max", 0.0)
    bounds = {"min": float_attr(low), "max": float_attr(high)}
    b.bind(op, "Out", b.emit("clip", [b.input(op, "X")], bounds, name=output(op)))


def _square(b: PaddleBuilder, op: PaddleOp) -> None:
    x = b.input(op, "X")
    b.bind(op, "Out", b.emit("mul", [x, x], name=output(op)))


def _pow(b: PaddleBuilder, op: PaddleOp) -> None:
    b.refuse_inputs(op, "FactorTensor")
    x, name = b.input(op, "X"), output(op)
    factor = b.splat(number(op, "factor", 1.0), TensorInfo((), b.sizes[x].dtype), f"{name}/factor")
    b.bind(op, "Out", b.emit("pow", [x, factor], name=name))


def _scale(b: PaddleBuilder, op: PaddleOp) -> None:
    b.refuse_inputs(op, "ScaleTensor")
    x, name = b.input(op, "X"), output(op)
    scale, bias = number(op, "scale", 1.0), number(op, "bias", 0.0)
    if scale == 1.0 and bias == 0.0:
        y = b.emit("identity", [x], name=name)
    else:
        after = BoolAttr.from_bool(flag(op, "bias_after_scale", True))
        y = b.emit(
            "scale", [x], {"scale": float_attr(scale), "bias": float_attr(bias), "bias_after_scale": after}, name=name
        )
    b.bind(op, "Out", y)


def _cast(b: PaddleBuilder, op: PaddleOp) -> None:
    x = b.input(op, "X")
    dtype = element_type_name(integer(op, "out_dtype", 5), f"'{output(op)}'", b.location)
    b.bind(op, "Out", b.emit("cast", [x], name=output(op), stated=TensorInfo(b.shape(x), dtype)))


def _dropout(b: PaddleBuilder, op: PaddleOp) -> None:
    """At inference nothing is dropped; the older form scales instead what training did not scale."""
    if not flag(op, "is_test", False):
        raise ValueError("it is in training mode (is_test is false)")
    b.refuse_inputs(op, "Seed")
    x, name = b.input(op, "X"), output(op)
    if text(op, "dropout_implementation", "downgrade_in_infer") == "upscale_in_train":
        y = b.emit("identity", [x], name=name)
    else:
        y = b.emit("scale", [x], {"scale": float_attr(1.0 - number(op, "dropout_prob", 0.5))}, name=name)
    b.bind(op, "Out", y)


def _binary(kind: str, b: PaddleBuilder, op: PaddleOp) -> None:
    x, y, name = b.input(op, "X"), b.input(op, "Y"), output(op)
    y = _aligned(b, x, y, integer(op, "axis", -1), name)
    b.bind(op, "Out", b.emit(kind, [x, y], name=name))


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


def _sum(b: PaddleBuilder, op: PaddleOp) -> None:
    values, name = [b.value(v) for v in op.inputs.get("X", [])], output(op)
    if not values:
        raise ValueError("there is nothing to add")
    b.bind(op, "Out", b.emit("sum", values, name=name))


HANDLERS: dict[str, Handler] = {
    **{kind: partial(_unary, kind) for kind in ("relu", "tanh", "sigmoid", "sqrt", "abs", "exp", "silu")},
    "assign": partial(_unary, "identity"),
    "leaky_relu": _leaky_relu,
    "elu": _elu,
    "gelu": _gelu,
    "swish": _swish,
    "clip": _clip,
    "relu6": _clip,
    "square": _square,
    "pow": _pow,
    "scale": _scale,
    "cast": _cast,
    "dropout": _dropout,
    "elementwise_add": partial(_binary, "add"),
    "elementwise_sub": partial(_binary, "sub"),
    "elementwise_mul": partial(_binary, "mul"),
    "elementwise_div": partial(_binary, "div"),
    "elementwise_max": partial(_binary, "maximum"),
    "elementwise_min": partial(_binary, "minimum"),
    "elementwise_pow": partial(_binary, "pow"),
    "sum": _sum,
}
