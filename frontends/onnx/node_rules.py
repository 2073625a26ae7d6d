"""What ONNX's schema of an op allows a node: attributes and their types, numbers of inputs and results."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from onnx import AttributeProto, NodeProto

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.frontends.onnx.opsets import schema

_FIELDS = {AttributeProto.TENSOR: "t", AttributeProto.GRAPH: "g", AttributeProto.SPARSE_TENSOR: "sparse_tensor"}
"""The field that an attribute has its value in, where that is a message."""


class _Rules(NamedTuple):
    attributes: dict[str, int]
    required: frozenset[str]
    inputs: tuple[int, int]
    results: tuple[int, int]


def check_node(node: NodeProto, version: int, location: Location) -> None:
    """
    Checks a node of ONNX's own domain against the schema of its op in an opset, if that has the op.

    Raises:
        LastuseError: an attribute is not one of the op's, twice, missing or of another type, or the op takes or makes
            another number of values.
    """
    rules = _rules(node.op_type, version)
    if rules is None:
        return
    names = [attribute.name for attribute in node.attribute]
    for attribute in node.attribute:
        message = None
        if attribute.ref_attr_name:
            message = f"the attribute '{attribute.name}' stands for one of a function, and the node is in none"
        elif attribute.name not in rules.attributes:
            message = f"there is no attribute '{attribute.name}' in opset {version}"
        elif names.count(attribute.name) > 1:
            message = f"the attribute '{attribute.name}' is there twice"
        elif attribute.type != rules.attributes[attribute.name]:
            have, want = (_type_name(kind) for kind in (attribute.type, rules.attributes[attribute.name]))
            message = f"the attribute '{attribute.name}' is of type {have}, not {want}"
        elif attribute.type in _FIELDS and not attribute.HasField(_FIELDS[attribute.type]):
            message = f"the attribute '{attribute.name}' has no value"
        if message is not None:
            raise LastuseError(f"{node.op_type}: {message}", location)
    if missing := sorted(rules.required - set(names)):
        raise LastuseError(f"{node.op_type}: the attribute '{missing[0]}' is missing", location)
    for what, count, (low, high) in (
        ("inputs", len(node.input), rules.inputs),
        ("results", len(node.output), rules.results),
    ):
        if not low <= count <= high:
            bound = f"{low}" if low == high else f"{low} or more" if high > 1 << 30 else f"{low} to {high}"
            raise LastuseError(f"{node.op_type} has {bound} {what}, this node {count}", location)


@cache
def _rules(op_type: str, version: int) -> _Rules | None:
    form: Any = schema(op_type, version)
    if form is None:
        return None
    return _Rules(
        {name: int(attribute.type.value) for name, attribute in form.attributes.items()},
        frozenset(name for name, attribute in form.attributes.items() if attribute.required),
        (form.min_input, form.max_input),
        (form.min_output, form.max_output),
    )


def _type_name(kind: int) -> str:
    names = AttributeProto.AttributeType.DESCRIPTOR.values_by_number
    return names[kind].name if kind in names else f"number {kind}"
