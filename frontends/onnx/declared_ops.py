"""How ops of onnxruntime's own domain are declared, for which `onnx` has no schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder
from lastuse.frontends.onnx.byte_products import as_node

DOMAIN = "com.microsoft"
REQUIRED = object()
"""The default of an attribute that a node must have."""


class DeclaredOp(NamedTuple):
    """How an op of the domain is read.

    Attributes:
        lower: adds its ops, and returns its result, or its results.
        inputs: least and largest number of inputs.
        attributes: the defaults by name; None, or a type, of one that may be left out and has none.
    """

    lower: Handler
    inputs: tuple[int, int]
    attributes: Mapping[str, Any]


def handler_of(op: DeclaredOp) -> Handler:
    """The handler of an op, which checks the inputs and attributes of a node."""

    def handler(b: OnnxBuilder, node: GraphNode) -> SSAValue | Sequence[SSAValue]:
        low, high = op.inputs
        if not low <= len(node.inputs) <= high:
            raise ValueError(f"it has {low} to {high} inputs, this node {len(node.inputs)}")
        for name, value in node.attributes.items():
            if name not in op.attributes:
                raise ValueError(f"there is no attribute '{name}'")
            _check_attribute(name, value, op.attributes[name])
        missing = [n for n, default in op.attributes.items() if default is REQUIRED and n not in node.attributes]
        if missing:
            raise ValueError(f"the attribute '{missing[0]}' is missing")
        given = {name: value for name, value in op.attributes.items() if _is_default(value)}
        return op.lower(b, as_node(node.op_type, node, node.inputs, {**given, **node.attributes}))

    return handler


def _is_default(value: object) -> bool:
    return value is not None and value is not REQUIRED and not isinstance(value, type)


_LISTS: Mapping[str, type] = {
    **dict.fromkeys(("axes", "dilations", "kernel_shape", "pads", "qkv_hidden_sizes", "strides"), int),
    "activations": str,
    **dict.fromkeys(("activation_alpha", "activation_beta", "activation_params"), float),
}
"""The elements of attributes that are lists, by name."""


def _check_attribute(name: str, value: object, default: object) -> None:
    item = None if isinstance(default, type) else _LISTS.get(name)
    kind = default if isinstance(default, type) else list if item else type(default)
    kind = kind if kind in (float, str, list) else int
    if not isinstance(value, kind) or (
        item and isinstance(value, list) and not all(isinstance(v, item) for v in value)
    ):
        raise ValueError(f"the attribute '{name}' has another type")
