"""What ONNX's schema of an op allows a node: attributes and their types, numbers of inputs and results."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from onnx import AttributeProto, NodeProto
from onnx.defs import OpSchema

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.frontends.onnx.opsets import schema

_FIELDS = {AttributeProto.TENSOR: "t", AttributeProto.GRAPH: "g", AttributeProto.SPARSE_TENSOR: "sparse_tensor"}
"""The field that an attribute has its value in, where that is a message."""


_FLAGS = {
    *("allowzero", "antialias", "center_point_box", "ceil_mode", "count_include_pad", "detect_negative"),
    *("detect_positive", "exclude_outside", "exclusive", "fmod", "interleaved", "is_causal", "keep_dims", "keepdims"),
    *("largest", "layout", "linear_before_reset", "noop_with_empty_axes", "onesided", "output_sequence", "reverse"),
    *("saturate", "select_last_index", "sorted", "storage_order", "training_mode", "transA", "transB", "upper"),
}
"""Attributes of type INT that say whether. An implementation may take another number for 1 or for 0."""
_ELEMENT_TYPES = {
    "f32": "tensor(float)",
    "f64": "tensor(double)",
    "f16": "tensor(float16)",
    "bf16": "tensor(bfloat16)",
    **{f"i{bits}": f"tensor(int{bits})" for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": f"tensor(uint{bits})" for bits in (8, 16, 32, 64)},
    "i1": "tensor(bool)",
}


class _Rules(NamedTuple):
    attributes: dict[str, int]
    required: frozenset[str]
    inputs: tuple[int, int]
    results: tuple[int, int]
    optional: frozenset[int]
    """Numbers of the inputs that may be left out between others."""


class _Parameter(NamedTuple):
    name: str
    types: frozenset[str]
    variable: str | None
    """The type variable: all inputs of one are of one type."""


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
        elif attribute.type == AttributeProto.INT and attribute.name in _FLAGS and attribute.i not in (0, 1):
            message = f"the attribute '{attribute.name}' is {attribute.i}, not 0 or 1"
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
    for index, name in enumerate(node.input):
        if not name and index not in rules.optional:
            raise LastuseError(f"{node.op_type}: input {index} is left out, and is not optional", location)


def check_types(op_type: str, version: int, dtypes: Sequence[str | None]) -> None:
    """
    Checks the element types of the inputs of a node of ONNX's own domain: `f32`; None is an input that is left out.

    Raises:
        ValueError: the schema of the op does not allow them.
    """
    bound: dict[str, tuple[int, str]] = {}
    for index, (dtype, parameter) in enumerate(zip(dtypes, _parameters(op_type, version, len(dtypes)), strict=False)):
        if dtype is None:
            continue
        if parameter.types and _ELEMENT_TYPES[dtype] not in parameter.types:
            raise ValueError(f"input {index} ({parameter.name}) has element type {dtype}, which the op does not take")
        if parameter.variable is not None:
            first, other = bound.setdefault(parameter.variable, (index, dtype))
            if other != dtype:
                raise ValueError(f"inputs {first} and {index} have element types {other} and {dtype}")


@cache
def _parameters(op_type: str, version: int, count: int) -> list[_Parameter]:
    """A parameter for each of so many inputs; the last one of a variadic op stands for all that follow it."""
    form: Any = schema(op_type, version)
    if form is None or not form.inputs:
        return []
    variables = {constraint.type_param_str: constraint.allowed_type_strs for constraint in form.type_constraints}
    parameters: list[_Parameter] = []
    for index in range(count):
        stated = form.inputs[min(index, len(form.inputs) - 1)]
        types = frozenset(variables.get(stated.type_str, [stated.type_str]))
        is_variable = stated.type_str in variables and stated.is_homogeneous
        parameters.append(_Parameter(stated.name, types, stated.type_str if is_variable else None))
    return parameters


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
        frozenset(
            index for index, item in enumerate(form.inputs) if item.option == OpSchema.FormalParameterOption.Optional
        ),
    )


def _type_name(kind: int) -> str:
    names = AttributeProto.AttributeType.DESCRIPTOR.values_by_number
    return names[kind].name if kind in names else f"number {kind}"
