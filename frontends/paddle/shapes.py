"""Paddle's ops that change shapes or join values. Defaults of attributes are Paddle's own."""

from __future__ import annotations

from lastuse.dialect.ir.symbolic_shape import Dim, product, quotient
from lastuse.frontends.paddle.builder import Handler, PaddleBuilder
from lastuse.frontends.paddle.op_attributes import axis_of, int_attr, integer, integers, ints_attr, output
from lastuse.frontends.paddle.proto import PaddleOp


def _reshape(b: PaddleBuilder, op: PaddleOp) -> None:
    b.refuse_inputs(op, "Shape", "ShapeTensor")
    x, name, wanted = b.input(op, "X"), output(op), integers(op, "shape")
    have = b.shape(x)
    shape: list[Dim] = []
    for axis, size in enumerate(wanted):
        if size == 0 and axis >= len(have):
            raise ValueError(f"size 0 at axis {axis} copies an axis the input does not have")
        shape.append(have[axis] if size == 0 else size)
    if wanted.count(-1) > 1 or any(size < -1 for size in wanted):
        raise ValueError(f"the shape {wanted} has more than one unknown size")
    if -1 in wanted:
        index = wanted.index(-1)
        rest = quotient(product(have), product(d for axis, d in enumerate(shape) if axis != index))
        if rest is None:
            raise ValueError(f"the unknown size of the shape {wanted} does not follow from the input's shape")
        shape[index] = rest
    b.bind(op, "Out", b.reshape(x, shape, name))


def _flatten(b: PaddleBuilder, op: PaddleOp) -> None:
    """Two axes, cut at `axis`; flatten_contiguous_range joins the axes from `start_axis` to `stop_axis`."""
    x, name = b.input(op, "X"), output(op)
    shape = b.shape(x)
    if op.type == "flatten_contiguous_range":
        start = axis_of(integer(op, "start_axis", 1), len(shape))
        stop = axis_of(integer(op, "stop_axis", 1), len(shape)) + 1
        flat = [*shape[:start], product(shape[start:stop]), *shape[stop:]]
    else:
        axis = integer(op, "axis", 1)
        flat = [product(shape[:axis]), product(shape[axis:])]
    b.bind(op, "Out", b.reshape(x, flat, name))


def _squeeze(b: PaddleBuilder, op: PaddleOp) -> None:
    x, name = b.input(op, "X"), output(op)
    shape = b.shape(x)
    axes = {axis_of(axis, len(shape)) for axis in integers(op, "axes")} or set(range(len(shape)))
    kept = [size for axis, size in enumerate(shape) if axis not in axes or size != 1]
    b.bind(op, "Out", b.reshape(x, kept, name))


def _unsqueeze(b: PaddleBuilder, op: PaddleOp) -> None:
    b.refuse_inputs(op, "AxesTensor", "AxesTensorList")
    x, name = b.input(op, "X"), output(op)
    shape: list[Dim] = list(b.shape(x))
    for axis in integers(op, "axes"):
        shape.insert(axis_of(axis, len(shape) + 1), 1)
    b.bind(op, "Out", b.reshape(x, shape, name))


def _transpose(b: PaddleBuilder, op: PaddleOp) -> None:
    perm = ints_attr(integers(op, "axis"))
    b.bind(op, "Out", b.emit("transpose", [b.input(op, "X")], {"perm": perm}, name=output(op)))


def _concat(b: PaddleBuilder, op: PaddleOp) -> None:
    b.refuse_inputs(op, "AxisTensor")
    values = [b.value(name) for name in op.inputs.get("X", [])]
    b.bind(op, "Out", b.emit("concat", values, {"axis": int_attr(integer(op, "axis", 0))}, name=output(op)))


HANDLERS: dict[str, Handler] = {
    "reshape": _reshape,
    "reshape2": _reshape,
    "flatten": _flatten,
    "flatten2": _flatten,
    "flatten_contiguous_range": _flatten,
    "squeeze": _squeeze,
    "squeeze2": _squeeze,
    "unsqueeze": _unsqueeze,
    "unsqueeze2": _unsqueeze,
    "transpose": _transpose,
    "transpose2": _transpose,
    "concat": _concat,
}
