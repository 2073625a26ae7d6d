"""Builds the module of an ONNX graph: values by name, nodes with their attributes, what contents decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn

import numpy as np
from onnx import AttributeProto, NodeProto, defs, helper, numpy_helper
from xdsl.dialects.builtin import (
    DenseArrayBase,
    i32,
)
from xdsl.ir import SSAValue
from xdsl.irdl import AttrSizedOperandSegments

from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import UnknownShapeError
from lastuse.dialect.dnn.dynamic import static_attributes
from lastuse.dialect.ir.attribute_values import attribute_of
from lastuse.dialect.ir.diagnostics import Location, NeedsValuesError, UnsupportedError
from lastuse.dialect.ir.tensor_types import MAX_CONTENT, Content, Poly, element_type, is_integer
from lastuse.dialect.storage.dependences import data_dependences
from lastuse.frontends.builder import FunctionBuilder
from lastuse.frontends.onnx.node_rules import check_types
from lastuse.frontends.onnx.opsets import NEWEST
from lastuse.frontends.onnx.scopes import DEFAULT_DOMAINS

MAX_REASON = 400
"""Characters of an error that may quote a model's text."""
Handler = Callable[["OnnxBuilder", "GraphNode"], "SSAValue | Sequence[SSAValue]"]
"""Adds the ops of a node; returns a value for each output, in order. Outputs at the end that are not wanted may be left
out. Raises ValueError where the node is not supported as it is."""


@dataclass(frozen=True)
class GraphNode:
    """A node of the graph.

    Attributes:
        inputs: values; None where an optional input is left out. Those at the end may be missing: see `input`.
        attributes: by name, as Python numbers, strings, lists and arrays, with the schema's defaults filled in.
        stated: names of the attributes that the node itself has.
        outputs: names; an empty one is not wanted.
    """

    op_type: str
    name: str
    inputs: Sequence[SSAValue | None]
    attributes: Mapping[str, Any]
    stated: frozenset[str]
    outputs: Sequence[str]

    def optional(self, index: int) -> SSAValue | None:
        """The value of an input, None where it is left out."""
        return self.inputs[index] if index < len(self.inputs) else None

    def input(self, index: int) -> SSAValue:
        """The value of an input; raises ValueError where it is left out."""
        value = self.optional(index)
        if value is None:
            raise ValueError(f"input {index} is missing")
        return value

    def wants(self, index: int) -> bool:
        """Whether an output is used by name."""
        return index < len(self.outputs) and bool(self.outputs[index])


class OnnxBuilder(FunctionBuilder):
    """
    The function of an ONNX graph.

    Attributes:
        values: by name, in the main graph and the graphs within it; names are unique.
        weights: arrays of initializers by name; one becomes a constant at its first use.
        unrolled: nodes that loops have become so far.
    """

    def __init__(
        self,
        file: str,
        weights: Mapping[str, np.ndarray],
        handler_of: Callable[[NodeProto], Handler],
        locate: Callable[[NodeProto], Location],
        outputs: Sequence[str] = (),
    ) -> None:
        super().__init__(file)
        self.values: dict[str, SSAValue] = {}
        self.weights = weights
        self.unrolled = 0
        self._handler_of, self._locate, self._outputs = handler_of, locate, outputs

    # What is known of values

    def dtype(self, value: SSAValue) -> str:
        """The element type: `f32`."""
        return self.sizes[value].dtype

    def rank(self, value: SSAValue) -> int:
        """The number of axes."""
        return len(self.sizes[value].shape)

    def content(self, value: SSAValue) -> Content | None:
        """The elements, numbers or polynomials over sizes, where they are known now."""
        return self.sizes[value].content

    def numbers(self, value: SSAValue) -> np.ndarray | None:
        """The elements as an array of the value's shape, where all are known numbers."""
        return self.sizes[value].numbers

    def value(self, name: str) -> SSAValue:
        """The value of a name; raises LastuseError where nothing before makes it."""
        if name not in self.values:
            if name not in self.weights:
                self.fail(f"'{name}' is read, but nothing before computes it")
            with self.appending_to(self.body):
                self.values[name] = self.constant(self.weights[name], name)
        return self.values[name]

    def array(self, value: SSAValue) -> np.ndarray | None:
        """The elements of a constant, read-only; None for a value that ops compute."""
        return self._arrays.get(value)

    # Ops

    def op(
        self,
        kind: str,
        operands: Sequence[SSAValue | None],
        node: GraphNode,
        attributes: Mapping[str, Any] | None = None,
        dynamic: Mapping[str, SSAValue | None] | None = None,
        step: str = "",
    ) -> SSAValue:
        """Adds `dnn.<kind>` with one result. See `ops`.

        `step`: of several ops that a node becomes, what this one is called after the node's first output.
        """
        name = node.outputs[0] or f"{node.name or node.op_type}/0"
        return self.ops(kind, operands, [f"{name}/{step}" if step else name], attributes, dynamic)[0]

    def ops(
        self,
        kind: str,
        operands: Sequence[SSAValue | None],
        names: Sequence[str],
        attributes: Mapping[str, Any] | None = None,
        dynamic: Mapping[str, SSAValue | None] | None = None,
    ) -> Sequence[SSAValue]:
        """Adds `dnn.<kind>` with a result for each of the names.

        Args:
            operands: None is an optional operand that is left out.
            attributes: Python numbers, strings and lists, or attributes; None is left out.
            dynamic: operands that are attributes of the op; None is left out. Where one is not known the op is in its
                form with operands, `dnn.dynamic`.

        Raises:
            ValueError: the op does not take these.
        """
        chosen = {name: attribute_of(value) for name, value in (attributes or {}).items() if value is not None}
        options = OPERATIONS[f"dnn.{kind}"].get_irdl_definition().options
        if any(isinstance(option, AttrSizedOperandSegments) for option in options):
            present = [int(operand is not None) for operand in operands]
            chosen.setdefault("operandSegmentSizes", DenseArrayBase.from_list(i32, present))
        given = [operand for operand in operands if operand is not None]
        values = {name: value for name, value in (dynamic or {}).items() if value is not None}
        declared = OPERATIONS[f"dnn.{kind}"].get_irdl_definition().attributes
        unknown = [name for name in (*chosen, *values) if name not in declared and name != "operandSegmentSizes"]
        if unknown:
            raise ValueError(f"dnn.{kind} has no attribute {', '.join(unknown)}")
        if values:
            infos = [self.sizes[operand] for operand in given]
            sources = {name: self.sizes[value] for name, value in values.items()}
            known = static_attributes(OPERATIONS[f"dnn.{kind}"], chosen, infos, sources)
            chosen, values = (chosen, values) if known is None else ({**chosen, **known}, {})
        if not values:
            return self.emit_all(kind, given, chosen, names=names)
        try:
            return self.emit_dynamic(kind, given, values, chosen, names=names)
        except UnknownShapeError as error:
            self.need([value for value in values.values() if self.numbers(value) is None], str(error))

    def names_of(self, node: GraphNode, count: int) -> list[str]:
        """A name for each of the first results of a node, wanted or not."""
        stem = next((name for name in node.outputs if name), node.name or node.op_type)
        named = [*node.outputs[:count], *[""] * (count - len(node.outputs))]
        return [name or f"{stem}/{index}" for index, name in enumerate(named)]

    # Graphs

    def convert(self, nodes: Iterable[NodeProto], location: Location | None = None) -> None:
        """Adds the ops of nodes, which are in the file where `location` says.

        Raises:
            LastuseError: a node is not supported or does not fit its inputs; with its place.
        """
        outer = self.location
        for node in nodes:
            self.location = location or self._locate(node)
            self._convert(node)
        self.location = outer

    def _convert(self, proto: NodeProto) -> None:
        handler = self._handler_of(proto)
        try:
            node = self._node(proto)
            if proto.domain in DEFAULT_DOMAINS:
                check_types(proto.op_type, NEWEST, [None if v is None else self.dtype(v) for v in node.inputs])
            results = handler(self, node)
        except ValueError as error:
            words = str(error)
            reason = words if len(words) <= MAX_REASON else f"{words[:MAX_REASON]}…"
            raise UnsupportedError(f"{proto.op_type} ({_shown(proto)}): {reason}", self.location) from error
        values = [results] if isinstance(results, SSAValue) else list(results)
        for index, name in enumerate(proto.output):
            if name and index >= len(values):
                self.fail(f"{proto.op_type} ({_shown(proto)}): output {index} is not supported")
            if name:
                self.values[name] = values[index]

    def _node(self, proto: NodeProto) -> GraphNode:
        stated = {attribute.name: attribute_value(attribute) for attribute in proto.attribute}
        return GraphNode(
            proto.op_type,
            proto.name,
            [self.value(name) if name else None for name in proto.input],
            {**_defaults(proto.op_type, proto.domain), **stated},
            frozenset(stated),
            list(proto.output),
        )

    # Unknown values that are needed

    def need(self, values: Sequence[SSAValue], why: str) -> NoReturn:
        """Raises NeedsValuesError for the sizes and inputs that decide the elements of the values.

        Raises:
            LastuseError: they depend on more than inputs and sizes.
        """
        arguments, sized = data_dependences(values)
        symbols: dict[str, None] = {}
        for value in sized:
            dims = [d for d in self.sizes[value].shape if isinstance(d, Poly)]
            for dim in dims:
                symbols.update(dict.fromkeys(s.name for s in dim.symbols if s.key == 0))
            if any(s.key for dim in dims for s in dim.symbols):  # a size that no shape function tells
                sources = data_dependences([value]).arguments
                polys = [d for source in sources for d in self.sizes[source].shape if isinstance(d, Poly)]
                symbols.update(dict.fromkeys(s.name for d in polys for s in d.symbols))
                arguments += [source for source in sources if is_integer(element_type(self.dtype(source)))]
        inputs = [self.argument_name(a) for a in dict.fromkeys(arguments) if a.block is self.body and self._is_small(a)]
        if not symbols and not inputs:
            large = [self.argument_name(a) for a in arguments if a.block is self.body]
            few = f"the elements of {' and '.join(large)}, of which {MAX_CONTENT} at most can be bound"
            raise UnsupportedError(
                f"{why}; it depends on {few if large else 'data that the program computes'}", self.location
            )
        shown = [f"the size {name}" for name in symbols] + [f"the value of {name}" for name in inputs]
        message = f"{why}; it needs {' and '.join(shown)} (--shape, --value)"
        raise NeedsValuesError(message, self.location, list(symbols), inputs, self.signature(), self._outputs)

    def _is_small(self, value: SSAValue) -> bool:
        """Whether a value is known to have so few elements that they can be bound."""
        elements = self.sizes[value].elements
        return isinstance(elements, int) and elements <= MAX_CONTENT


def attribute_value(attribute: AttributeProto) -> Any:
    """A node's attribute as Python: numbers, strings, lists of these, arrays of tensors, graphs as they are."""
    value = helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if attribute.type == AttributeProto.TENSOR:
        return numpy_helper.to_array(value)
    if attribute.type in (AttributeProto.INTS, AttributeProto.FLOATS):
        return list(value)
    if attribute.type == AttributeProto.STRINGS:
        return [item.decode("utf-8", "replace") for item in value]
    return value


@cache
def _defaults(op_type: str, domain: str) -> Mapping[str, Any]:
    """The defaults of the attributes of an op, in the newest version of it."""
    try:
        attributes = defs.get_schema(op_type, domain).attributes
    except defs.SchemaError:
        return {}
    defaults = {name: attribute.default_value for name, attribute in attributes.items()}
    return {name: attribute_value(value) for name, value in defaults.items() if value.name}


def _shown(proto: NodeProto) -> str:
    return f"'{proto.name}'" if proto.name else f"output '{next(iter(proto.output), '')}'"


def plain(kind: str, **renamed: str) -> Handler:
    """The handler of an op that is `dnn.<kind>` with the same operands and attributes, but for those that are called
    otherwise there: the dnn name by that of ONNX."""

    def handler(builder: OnnxBuilder, node: GraphNode) -> SSAValue:
        attributes = {renamed.get(name, name): value for name, value in node.attributes.items()}
        return builder.op(kind, node.inputs, node, attributes)

    return handler
