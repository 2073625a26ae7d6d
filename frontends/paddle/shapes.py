"""Paddle's ops that change shapes or join values. Defaults of attributes are Paddle's own."""

from __future__ import annotations

from xdsl.ir import SSAValue

from lastuse.dialect.ir.tensor_types import Dim, product, quotient
from lastuse.frontends.paddle.builder import Handler, PaddleBuilder, unary
from lastuse.frontends.paddle.op_attributes import axis_of, int_attr, integer, integers, ints_attr
from lastuse.frontends.paddle.proto import PaddleOp


def _reshape(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    b.refuse_inputs(op, "Shape", "ShapeTensor")
    x, stated = b.input(op, "X"), integers(op, "shape")
    have = b.shape(x)
    shape: list[Dim] = []
    for axis, size in enumerate(stated):
        if size == 0 and axis >= len(have):
            raise ValueError(f"size 0 at axis {axis} copies an axis the input does not have")
        shape.append(have[axis] if size == 0 else size)
    if stated.count(-1) > 1 or any(size < -1 for size in stated):
        raise ValueError(f"the shape {stated} has more than one unknown size")
    if -1 in stated:
        index = stated.index(-1)
        rest = quotient(product(have), product(d for axis, d in enumerate(shape) if axis != index))
        if rest is None:
            raise ValueError(f"the unknown size of the shape {stated} does not follow from the input's shape")
        shape[index] = rest
    return b.reshape(x, shape, name)


def _flatten(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """Two axes, cut at `axis`; flatten_contiguous_range joins the axes from `start_axis` to `stop_axis`."""
    x = b.input(op, "X")
    shape = b.shape(x)
    if op.type == "flatten_contiguous_range":
        start = axis_of(integer(op, "start_axis", 1), len(shape))
        stop = axis_of(integer(op, "stop_axis", 1), len(shape)) + 1
        flat = [*shape[:start], product(shape[start:stop]), *shape[stop:]]
    else:
        axis = integer(op, "axis", 1)
        flat = [product(shape[:axis]), product(shape[axis:])]
    return b.reshape(x, flat, name)


def _squeeze(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    x = b.input(op, "X")
    shape = b.shape(x)
    axes = {axis_of(axis, len(shape)) for axis in integers(op, "axes")} or set(range(len(shape)))
    kept = [size for axis, size in enumerate(shape) if axis not in axes or size != 1]
    return b.reshape(x, kept, name)


def _unsqueeze(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    b.refuse_inputs(op, "AxesTensor", "AxesTensorList")
    x = b.input(op, "X")
    shape: list[Dim] = list(b.shape(x))
    for axis in integers(op, "axes"):
        shape.insert(axis_of(axis, len(shape) + 1), 1)
    return b.reshape(x, shape, name)


_transpose = unary("transpose", lambda op: {"perm": ints_attr(integers(op, "axis"))})


def _concat(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    b.refuse_inputs(op, "AxisTensor")
    values = [b.value(variable) for variable in op.inputs.get("X", [])]
    return b.emit("concat", values, {"axis": int_attr(integer(op, "axis", 0))}, name=name)


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(("reshape", "reshape2"), _reshape),
    **dict.fromkeys(("flatten", "flatten2", "flatten_contiguous_range"), _flatten),
    **dict.fromkeys(("squeeze", "squeeze2"), _squeeze),
    **dict.fromkeys(("unsqueeze", "unsqueeze2"), _unsqueeze),
    **dict.fromkeys(("transpose", "transpose2"), _transpose),
    "concat": _concat,
}
