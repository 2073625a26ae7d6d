"""Shapes and views: reshape and its like, sizes as numbers, values that follow from a shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import helper
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, SSAValue

from lastuse.dialect.ir.tensor_types import Poly, element_type, name_of_dtype
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder, plain


def as_scalar(b: OnnxBuilder, value: SSAValue | None, node: GraphNode, step: str) -> SSAValue | None:
    """The value without axes: ONNX lets one element along an axis stand for a scalar."""
    if value is None or not b.rank(value):
        return value
    return b.reshape(value, (), f"{b.names_of(node, 1)[0]}/{step}")


def dtype_attribute(number: int) -> Attribute:
    """The element type that ONNX has a number for; raises ValueError where it is not supported."""
    return element_type(name_of_dtype(helper.tensor_dtype_to_np_dtype(number)))


def _constant_of_shape(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    value = node.attributes.get("value")
    array = np.zeros(1, np.float32) if value is None else np.asarray(value)
    if array.size != 1:
        raise ValueError(f"value has {array.size} elements, it must have one")
    return b.op("constant_of_shape", [], node, {"value": number_attribute(array.reshape(()))}, {"shape": node.input(0)})


def number_attribute(array: np.ndarray) -> Attribute:
    """One element as an attribute of its type."""
    type_: Any = element_type(name_of_dtype(array.dtype))
    return IntegerAttr(int(array), type_) if array.dtype.kind in "biu" else FloatAttr(float(array), type_)


def _range(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    names = ("start", "limit", "delta")
    values = {name: as_scalar(b, node.input(k), node, name) for k, name in enumerate(names)}
    return b.op("range", [], node, {"dtype": element_type(b.dtype(node.input(0)))}, values)


def _reshape(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    attributes = {"allowzero": 1} if node.attributes["allowzero"] else None
    return b.op("reshape", [node.input(0)], node, attributes, {"shape": node.input(1)})


def _squeeze(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    x, axes = node.input(0), node.optional(1)
    if axes is None and any(isinstance(size, Poly) for size in b.shape(x)):
        sizes = b.op("shape", [x], node, step="sizes")
        b.need([sizes], "which axes a Squeeze without axes drops depends on sizes that are not known")
    return b.op("squeeze", [x], node, dynamic={"axes": axes})


def _with_operand(kind: str, name: str) -> Handler:
    """The handler of an op whose second input is the attribute `name`."""

    def handler(b: OnnxBuilder, node: GraphNode) -> SSAValue:
        return b.op(kind, [node.input(0)], node, dynamic={name: node.input(1)})

    return handler


def _eye_like(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    dtype = node.attributes.get("dtype")
    attributes = {"k": node.attributes["k"], "dtype": None if dtype is None else dtype_attribute(dtype)}
    return b.op("eye_like", [node.input(0)], node, attributes)


_CONSTANTS = {"value_float": np.float32, "value_floats": np.float32, "value_int": np.int64, "value_ints": np.int64}


def _constant(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """A Constant in the body of an op; those of a model are weights before it is read."""
    kinds = sorted(node.stated - {"doc_string"})
    if len(kinds) != 1 or kinds[0] not in ("value", *_CONSTANTS):
        raise ValueError(f"a Constant of {', '.join(kinds) or 'nothing'} is not supported")
    return b.constant(np.asarray(node.attributes[kinds[0]], _CONSTANTS.get(kinds[0])), node.outputs[0])


HANDLERS: dict[str, Handler] = {
    "Constant": _constant,
    "ConstantOfShape": _constant_of_shape,
    "Expand": _with_operand("expand", "shape"),
    "EyeLike": _eye_like,
    "Flatten": plain("flatten"),
    "Range": _range,
    "Reshape": _reshape,
    "Shape": plain("shape"),
    "Size": plain("size"),
    "Squeeze": _squeeze,
    "Transpose": plain("transpose"),
    "Unsqueeze": _with_operand("unsqueeze", "axes"),
}
