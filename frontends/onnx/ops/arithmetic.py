"""Functions of several operands, which broadcast: arithmetic, comparisons, logic; and casts."""

from __future__ import annotations

from functools import partial

import numpy as np
from onnx import TensorProto
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.attributes import broadcast_all, is_float
from lastuse.dialect.ir.tensor_types import TensorInfo, numpy_dtype
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder, plain

ELEMENT_TYPES: dict[int, str] = {
    TensorProto.FLOAT: "f32",
    TensorProto.DOUBLE: "f64",
    TensorProto.FLOAT16: "f16",
    TensorProto.BFLOAT16: "bf16",
    TensorProto.INT8: "i8",
    TensorProto.INT16: "i16",
    TensorProto.INT32: "i32",
    TensorProto.INT64: "i64",
    TensorProto.UINT8: "ui8",
    TensorProto.UINT16: "ui16",
    TensorProto.UINT32: "ui32",
    TensorProto.UINT64: "ui64",
    TensorProto.BOOL: "i1",
}
"""Element types by ONNX's numbers of them."""


def _folded(kind: str, b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """The op of two operands, from the left to the right over all inputs."""
    total, *others = [node.input(k) for k in range(len(node.inputs))]
    for number, value in enumerate(others, start=1):
        total = b.op(kind, [total, value], node, step="" if number == len(others) else str(number))
    return total


def _sum(b: OnnxBuilder, node: GraphNode, step: str = "") -> SSAValue:
    inputs = [node.input(k) for k in range(len(node.inputs))]
    if all(b.shape(value) == b.shape(inputs[0]) for value in inputs):
        return b.op("sum", inputs, node, step=step)
    total = inputs[0]
    for number, value in enumerate(inputs[1:], start=1):
        total = b.op("add", [total, value], node, step=step if number + 1 == len(inputs) else f"sum_{number}")
    return total


def _mean(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    total = _sum(b, node, "sum")
    count = np.array(len(node.inputs)).astype(numpy_dtype(b.dtype(total)))
    name = b.names_of(node, 1)[0]
    divisor = b.constant(count, f"{name}/count")
    return b.emit("div", [total, divisor], name=name, stated=b.sizes[total])


def _comparison(kind: str, b: OnnxBuilder, node: GraphNode) -> SSAValue:
    return _stated(kind, b, node, "i1")


def _div(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    return _stated("div", b, node, b.dtype(node.input(0)))


def _stated(kind: str, b: OnnxBuilder, node: GraphNode, dtype: str) -> SSAValue:
    """An op of two operands that takes the element type of its result from the result's type."""
    operands = [node.input(0), node.input(1)]
    if is_float(dtype) and all(b.dtype(operand) == dtype for operand in operands):
        return b.op(kind, operands, node)  # the result can have no other type
    shape = broadcast_all([b.sizes[operand] for operand in operands])
    return b.emit(kind, operands, name=b.names_of(node, 1)[0], stated=TensorInfo(shape, dtype))


def _pow(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """Squares and cubes are products, which oneDNN computes."""
    x, exponent = node.input(0), node.input(1)
    known = b.numbers(exponent)
    products = known is not None and known.size == 1 and known.ndim <= b.rank(x) and b.dtype(x) in ("f32", "f64")
    if not products or known is None or known.item() not in (2, 3):
        return b.op("pow", [x, exponent], node)
    if known.item() == 2:
        return b.op("mul", [x, x], node)
    return b.op("mul", [b.op("mul", [x, x], node, step="square"), x], node)


def _cast(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """`saturate` and `round_mode` are about types of 8 bits and fewer, which are not supported."""
    to = int(node.attributes["to"])
    if to not in ELEMENT_TYPES:
        name = TensorProto.DataType.Name(to) if to in TensorProto.DataType.values() else str(to)
        raise ValueError(f"a cast to {name} is not supported")
    return _cast_to(b, node, ELEMENT_TYPES[to])


def _cast_like(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    return _cast_to(b, node, b.dtype(node.input(1)))


def _cast_to(b: OnnxBuilder, node: GraphNode, dtype: str) -> SSAValue:
    x = node.input(0)
    if b.dtype(x) == dtype:
        return x
    return b.emit("cast", [x], name=b.names_of(node, 1)[0], stated=TensorInfo(b.shape(x), dtype))


_SAME = {
    **{name: name.lower() for name in ("Add", "And", "Mod", "Mul", "Or", "Sub", "Where", "Xor")},
    "BitShift": "bit_shift",
    "BitwiseAnd": "bitwise_and",
    "BitwiseOr": "bitwise_or",
    "BitwiseXor": "bitwise_xor",
}
_COMPARISONS = {
    "Equal": "equal",
    "Greater": "greater",
    "GreaterOrEqual": "greater_or_equal",
    "Less": "less",
    "LessOrEqual": "less_or_equal",
}

HANDLERS: dict[str, Handler] = {
    **{op_type: plain(kind) for op_type, kind in _SAME.items()},
    **{op_type: partial(_comparison, kind) for op_type, kind in _COMPARISONS.items()},
    "Cast": _cast,
    "CastLike": _cast_like,
    "Div": _div,
    "Max": partial(_folded, "maximum"),
    "Mean": _mean,
    "Min": partial(_folded, "minimum"),
    "Pow": _pow,
    "Sum": _sum,
}
