"""Functions: those that a model brings along, and the bodies that ONNX defines for ops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, NoReturn

from onnx import AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, TypeProto, defs, helper, inliner

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.frontends.onnx.opsets import NEWEST, OpsetConverter
from lastuse.frontends.onnx.scopes import (
    DEFAULT_DOMAINS,
    MAX_NODES,
    Names,
    all_graphs,
    defined,
    inner_graphs,
    is_text,
    rename,
)

MAX_CALLS = 32
"""Calls within each other at most."""
MAX_BYTES = 64 << 20
"""Bytes of nodes that functions become at most."""
OPSET = "lastuse.opset"
"""The entry of a node's metadata that says its opset, where that is not the model's."""

_OWN_DOMAIN, _MARK = "lastuse", "Mark"
_Function = tuple[str, str, str]
"""Domain, name and overload of a function."""


def inline_functions(model: ModelProto, file: str) -> list[int] | None:
    """
    Replaces all calls of the model's functions by their bodies, in place.

    Returns the numbers in the file of the nodes that the main graph has then, None where nothing has changed. A node of
    a function with another opset than the model's has it in its metadata, as `OPSET`.

    Raises:
        LastuseError: functions call each other in a circle or too deep, or become too large, or a call is wrong.
    """
    for graph in all_graphs(model.graph):
        _clear_metadata(graph.node)
    if not model.functions:
        return None
    functions = _Functions(model, file)
    functions.check()
    marked = [part for number, node in enumerate(model.graph.node, start=1) for part in (_mark(number), node)]
    del model.graph.node[:]
    model.graph.node.extend(marked)
    functions.complete()
    try:
        model.CopyFrom(inliner.inline_local_functions(model))
    except (RuntimeError, ValueError) as error:
        reason = str(error).strip().splitlines()[-1] if str(error).strip() else "a call is wrong"
        raise LastuseError(f"the model's functions cannot be inlined: {reason}", Location(file)) from None
    nodes: list[NodeProto] = []
    lines: list[int] = []
    number = 0
    for node in model.graph.node:
        if node.domain == _OWN_DOMAIN and node.op_type == _MARK:
            number = node.attribute[0].i
        else:
            nodes.append(node)
            lines.append(number)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return lines


def opset_of(node: NodeProto, default: int) -> int:
    """The opset of a node: that in its metadata, else `default`."""
    return next((int(entry.value) for entry in node.metadata_props if entry.key == OPSET), default)


class _Functions:
    """The functions of a model."""

    def __init__(self, model: ModelProto, file: str) -> None:
        self._model = model
        self._file = file
        self._all: dict[_Function, FunctionProto] = {}
        for function in model.functions:
            name = (function.domain, function.name, function.overload)
            for text in (*name, *function.input, *function.output, *function.attribute):
                if not is_text(text):
                    self._fail(f"the name {text!r:.60} is not text")
            if name in self._all:
                self._fail(f"the function '{function.name}' of domain '{function.domain}' is there twice")
            if function.domain in DEFAULT_DOMAINS:
                self._fail(f"the function '{function.name}' is in ONNX's own domain")
            self._all[name] = function
        self._calls = {name: Counter(self._callees(function.node)) for name, function in self._all.items()}

    def _callees(self, nodes: Sequence[NodeProto]) -> list[_Function]:
        return [called for node in _all_nodes(nodes) if (called := _called(node)) in self._all]

    def _fail(self, message: str, line: int = 1) -> NoReturn:
        raise LastuseError(message, Location(self._file, line))

    def check(self) -> None:
        """Refuses what the inliner would not end on: circles, and functions that call each other too often."""
        depth: dict[_Function, int] = {}
        size: dict[_Function, int] = {}
        nbytes: dict[_Function, int] = {}
        try:
            order = list(TopologicalSorter(self._calls).static_order())
        except CycleError as error:
            self._fail(f"the function '{error.args[1][0][1]}' calls itself, or others that do so")
        for name in order:
            calls, function = self._calls[name], self._all[name]
            depth[name] = 1 + max((depth[callee] for callee in calls), default=0)
            size[name] = len(_all_nodes(function.node)) + sum(n * size[c] for c, n in calls.items())
            nbytes[name] = function.ByteSize() + sum(n * nbytes[c] for c, n in calls.items())
        for line, node in enumerate(self._model.graph.node, start=1):
            for called in self._callees([node]):
                if depth[called] > MAX_CALLS:
                    self._fail(f"functions call each other {depth[called]} deep; {MAX_CALLS} are supported", line)
            self._check_calls([node], line)
        for function in self._all.values():
            self._check_calls(function.node, 1)
        calls = Counter(self._callees(self._model.graph.node))
        if sum(n * size[name] for name, n in calls.items()) > MAX_NODES:
            self._fail(f"the model's functions become more than {MAX_NODES:,} nodes")
        if sum(n * nbytes[name] for name, n in calls.items()) > MAX_BYTES:
            self._fail(f"the model's functions become more than {MAX_BYTES:,} bytes")

    def _check_calls(self, nodes: Sequence[NodeProto], line: int) -> None:
        for node in _all_nodes(nodes):
            function = self._all.get(_called(node))
            if function is None:
                continue
            for what, used, own in (
                ("inputs", node.input, function.input),
                ("outputs", node.output, function.output),
            ):
                if len(used) > len(own):
                    self._fail(f"the function '{function.name}' has {len(own)} {what}, a call of it {len(used)}", line)

    def complete(self) -> None:
        """Writes down what the inliner leaves out: values of attributes that calls do not state, opsets of bodies."""
        imports = {entry.domain: entry.version for entry in self._model.opset_import}
        own = next((imports[domain] for domain in DEFAULT_DOMAINS if domain in imports), None)
        for function in self._all.values():
            _clear_metadata(function.node)
            stated = {entry.domain: entry.version for entry in function.opset_import}
            version = next((stated[domain] for domain in DEFAULT_DOMAINS if domain in stated), own)
            if version is not None and version != own:
                for node in _all_nodes(function.node):
                    if node.domain in DEFAULT_DOMAINS:
                        node.metadata_props.add(key=OPSET, value=str(version))
            del function.opset_import[:]
            function.opset_import.extend(self._model.opset_import)
        for nodes in (self._model.graph.node, *(function.node for function in self._all.values())):
            for node in _all_nodes(nodes):
                if (callee := self._all.get(_called(node))) is not None:
                    _state_defaults(node, callee.attribute_proto)


def expand(
    node: NodeProto, version: int, types: Sequence[TypeProto | None], names: Names, location: Location
) -> list[NodeProto] | None:
    """
    The nodes that ONNX defines an op by, all of the newest opset, None where it defines none for these types of inputs.

    `version` is the node's opset. The results keep their names; values between get new ones.

    Raises:
        LastuseError: the body that ONNX has cannot be used.
    """
    form = defs.get_schema(node.op_type, version, node.domain) if defs.has(node.op_type, node.domain) else None
    function = None if form is None else _body(form, node, version, types)
    if form is None or function is None:
        return None
    call = NodeProto()
    call.CopyFrom(node)
    call.domain, call.op_type, call.overload = _OWN_DOMAIN, "body", ""
    function.domain, function.name, function.overload = _OWN_DOMAIN, "body", ""
    _state_defaults(call, [a.default_value for a in form.attributes.values() if a.default_value.name])
    default = NEWEST if node.domain else version
    body_version = next((i.version for i in function.opset_import if i.domain in DEFAULT_DOMAINS), default)
    graph = GraphProto(name="graph", node=[call])
    graph.input.extend(helper.make_empty_tensor_value_info(name) for name in dict.fromkeys(node.input) if name)
    graph.output.extend(helper.make_empty_tensor_value_info(name) for name in node.output if name)
    model = helper.make_model(graph, opset_imports=function.opset_import, functions=[function])
    try:
        body = list(inliner.inline_local_functions(model).graph.node)
    except (RuntimeError, ValueError) as error:
        raise LastuseError(f"{node.op_type} cannot be expanded: {error}", location) from None
    stem = next(filter(None, node.output))
    results = set(node.output)
    rename(body, {name: names.fresh(f"{stem}/{name}") for name in defined(body) if name not in results})
    for inner in body:
        inner.name = node.name
        inner.domain = "" if inner.domain in DEFAULT_DOMAINS else inner.domain
    return OpsetConverter(lambda _: body_version, lambda _: location, names).converted(body)


def _body(form: Any, node: NodeProto, version: int, types: Sequence[TypeProto | None]) -> FunctionProto | None:
    """The function that the op is by definition."""
    function = FunctionProto()
    if form.has_function:
        usable = [v for v in form.function_opset_versions if v <= version]
        if not usable:
            return None
        function.ParseFromString(form.get_function_with_opset_version(max(usable)))
        return function
    if form.has_context_dependent_function:
        usable = [v for v in form.context_dependent_function_opset_versions if v <= version]
        known = [TypeProto() if type_ is None else type_ for type_ in types]
        serialized = [type_.SerializeToString() for type_ in known]
        text = form.get_context_dependent_function_with_opset_version(max(usable), node.SerializeToString(), serialized)
        if text:
            function.ParseFromString(text)
            return function
    return None


def _all_nodes(nodes: Sequence[NodeProto]) -> list[NodeProto]:
    """Nodes and those of the graphs within them."""
    return [n for node in nodes for n in (node, *(m for g in inner_graphs(node) for m in _all_nodes(g.node)))]


def _called(node: NodeProto) -> _Function:
    return (node.domain, node.op_type, node.overload)


def _clear_metadata(nodes: Sequence[NodeProto]) -> None:
    for node in _all_nodes(nodes):
        if node.metadata_props:
            del node.metadata_props[:]


def _mark(number: int) -> NodeProto:
    return helper.make_node(_MARK, [], [], domain=_OWN_DOMAIN, number=number)


def _state_defaults(node: NodeProto, defaults: Sequence[AttributeProto]) -> None:
    stated = {attribute.name for attribute in node.attribute}
    node.attribute.extend(default for default in defaults if default.name not in stated)
