"""
Brings nodes to the newest opset that the installed `onnx` has, by `onnx.version_converter`.

The nodes whose op has changed since the opset of their model are put, each one once, into one graph without edges
between them; that graph is converted, and what a node became takes its place. No other part of a model passes through
the converter: names and weights stay, and every new node is at the place of the one that it comes from.

Where the converter keeps an op whose meaning has changed, `old_forms` says so to the new op, or refuses the node.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NoReturn

import numpy as np
from onnx import (
    IR_VERSION,
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    TypeProto,
    defs,
    helper,
    numpy_helper,
    version_converter,
)
from onnx.defs import OpSchema, SchemaError

from lastuse.dialect.ir.diagnostics import LastuseError, Location, UnsupportedError
from lastuse.frontends.onnx.old_forms import bridge, refuse, repair
from lastuse.frontends.onnx.scopes import Names, all_graphs, inner_graphs, rename
from lastuse.frontends.onnx.value_types import SMALL, infer_types

OLDEST = 7
"""The oldest opset that is read."""
NEWEST: int = defs.onnx_opset_version()
"""The opset that every model is brought to."""

_TYPED_OPS = {"Softmax", "LogSoftmax", "Hardmax", "Clip", "Pad", "GroupNormalization"}
"""Ops that become something else by the type of an input."""
_WRITTEN_EARLY = {"LayerNormalization"}
"""Ops that onnxruntime's optimizer writes into models of opsets that do not have them yet."""
_Key = tuple[bytes, int, tuple[bytes, ...]]


@cache
def schema(op_type: str, version: int, domain: str = "") -> OpSchema | None:
    """The op of a domain, ONNX's own unless another is named, in an opset; None where the opset has none."""
    try:
        return defs.get_schema(op_type, version, domain)
    except SchemaError:
        return None


class OpsetConverter:
    """
    Converts the nodes of a model.

    Args:
        version: the opset of a node.
        locate: where a node is.
        names: all names in use; those of new values are added.
    """

    def __init__(
        self, version: Callable[[NodeProto], int], locate: Callable[[NodeProto], Location], names: Names
    ) -> None:
        self._version = version
        self._locate = locate
        self._names = names
        self._types: Mapping[str, TypeProto] = {}
        self._small: Mapping[str, TensorProto] = {}

    def convert(self, graph: GraphProto, opset: int | None) -> None:
        """
        Brings all nodes of the graph and those within it to `NEWEST`, in place.

        `opset` is that of all nodes, None if they differ; types of values are only known where they do not.

        Raises:
            LastuseError: a node is of no opset there is, or cannot be brought to the newest.
        """
        graphs = list(all_graphs(graph))
        _drop_masks(graphs)
        changed = [node for inner in graphs for node in inner.node if self._is_changed(node)]
        if any(self._has_scales(node) for node in changed):
            self._small = _small_constants(graphs)
        if opset is not None and any(node.op_type in _TYPED_OPS for node in changed):
            self._types = infer_types(graph, opset)
        templates = self._templates(changed)
        # Inner graphs first: a list of nodes is a copy of these, with their graphs.
        for inner in reversed(graphs) if templates else ():
            nodes = [new for node in inner.node for new in self._converted(node, templates)]
            del inner.node[:]
            inner.node.extend(nodes)

    def converted(self, nodes: Iterable[NodeProto]) -> list[NodeProto]:
        """Some nodes, brought to `NEWEST`. Raises LastuseError as `convert` does."""
        before = list(nodes)
        templates = self._templates([node for node in before if self._is_changed(node)])
        return [new for node in before for new in self._converted(node, templates)]

    def _is_changed(self, node: NodeProto) -> bool:
        """Whether the op is another one in the newest opset."""
        if node.domain:
            return False
        version = self._version(node)
        old, new = schema(node.op_type, version), schema(node.op_type, NEWEST)
        if old is None and new is not None and node.op_type in _WRITTEN_EARLY:
            return False
        if old is None:
            if new is not None or defs.has(node.op_type):
                self._fail(node, f"opset {version} has no {node.op_type}")
            return False
        if new is not None and old.since_version == new.since_version:
            if old.deprecated:
                self._fail(node, f"opset {version} has no {node.op_type} any more")
            return False
        if (reason := refuse(node, version)) is not None:
            raise UnsupportedError(reason, self._locate(node))
        # A form with inner graphs has been the same since opset 9, but for the types of values.
        return node.op_type != "Constant" and not any(True for _ in inner_graphs(node))

    def _key(self, node: NodeProto) -> _Key:
        """What the converted form depends on: the node without names, its opset, and of inputs what matters of them."""
        plain = NodeProto(op_type=node.op_type, attribute=node.attribute)
        plain.input[:] = ["i" if name else "" for name in node.input]
        plain.output[:] = ["o" if name else "" for name in node.output]
        inputs: list[bytes] = []
        if node.op_type in _TYPED_OPS:
            inputs = [_coarse(self._types.get(name)).SerializeToString(deterministic=True) for name in node.input]
        elif self._has_scales(node):
            inputs = [np.array(self._scales(node)).tobytes()]
        return plain.SerializeToString(deterministic=True), self._version(node), tuple(inputs)

    def _has_scales(self, node: NodeProto) -> bool:
        return node.op_type == "Resize" and self._version(node) == 10

    def _scales(self, node: NodeProto) -> list[float]:
        """The constant scales of a Resize of opset 10."""
        tensor = self._small.get(node.input[1])
        try:
            return [] if tensor is None else [float(scale) for scale in numpy_helper.to_array(tensor).reshape(-1)]
        except (ValueError, TypeError, RuntimeError):
            self._fail(node, "the scales cannot be read")

    def _templates(self, nodes: Iterable[NodeProto]) -> dict[_Key, list[NodeProto]]:
        """What nodes become, under the names `i0`, … of their inputs and `o0`, … of their results."""
        first: dict[_Key, NodeProto] = {}
        for node in nodes:
            first.setdefault(self._key(node), node)
        templates: dict[_Key, list[NodeProto]] = {}
        for version in sorted({key[1] for key in first}):
            templates |= self._batch({key: node for key, node in first.items() if key[1] == version}, version)
        return templates

    def _batch(self, nodes: Mapping[_Key, NodeProto], version: int) -> dict[_Key, list[NodeProto]]:
        """The templates of nodes of one opset, by halves where the converter fails: one error names one node."""
        graph = GraphProto(name="nodes")
        for index, node in enumerate(nodes.values()):
            graph.node.append(_plain(node, f"{index}."))
            for place, name in enumerate(node.input):
                if name:
                    type_ = _coarse(self._types.get(name) if node.op_type in _TYPED_OPS else None)
                    graph.input.add(name=f"{index}.i{place}", type=type_)
            graph.output.extend(helper.make_empty_tensor_value_info(name) for name in graph.node[-1].output if name)
        model = ModelProto(graph=graph, ir_version=IR_VERSION, opset_import=[helper.make_opsetid("", version)])
        try:
            result = version_converter.convert_version(model, NEWEST)
        except (version_converter.ConvertError, RuntimeError, ValueError, IndexError) as error:
            items = list(nodes.items())
            if len(items) == 1:
                reason = str(error).strip().splitlines()[-1] if str(error).strip() else "the converter fails"
                op_type = items[0][1].op_type
                message = f"{op_type} of opset {version} cannot be brought to opset {NEWEST}: {reason}"
                raise UnsupportedError(message, self._locate(items[0][1])) from None
            half = len(items) // 2
            return self._batch(dict(items[:half]), version) | self._batch(dict(items[half:]), version)
        return self._split(result.graph, nodes, version)

    def _split(self, graph: GraphProto, nodes: Mapping[_Key, NodeProto], version: int) -> dict[_Key, list[NodeProto]]:
        """The nodes of the converted graph by the node that they come from: no edge joins nodes of two of these."""
        constants = [helper.make_node("Constant", [], [value.name], value=value) for value in graph.initializer]
        after = [*constants, *graph.node]
        owners: dict[str, str] = {}
        for node in reversed(after):
            # A value that a node before makes belongs to the node that reads it.
            names = (*node.output, *node.input)
            owner = next(filter(None, (_owner(name) or owners.get(name, "") for name in names)), "")
            owners.update(dict.fromkeys(names, owner))
        parts: dict[str, list[NodeProto]] = {str(index): [] for index in range(len(nodes))}
        for node in after:
            name = next(filter(None, (*node.output, *node.input)), "")
            parts[_owner(name) or owners[name]].append(node)
        templates: dict[_Key, list[NodeProto]] = {}
        for (key, node), template in zip(nodes.items(), parts.values(), strict=True):
            names = {name for new in template for name in (*new.input, *new.output)}
            rename(template, {name: name.partition(".")[2] for name in names if _owner(name)})
            try:
                template = repair(node, version, template, self._types.get(next(iter(node.input), "")), self._scales)
            except ValueError as error:
                raise UnsupportedError(str(error), self._locate(node)) from None
            self._check(node, version, template)
            templates[key] = template
        return templates

    def _check(self, node: NodeProto, version: int, template: Sequence[NodeProto]) -> None:
        """Refuses a result of the converter that is no form of the newest opset."""
        for new in template:
            form = schema(new.op_type, NEWEST)
            unknown = [a.name for a in new.attribute if form is not None and a.name not in form.attributes]
            if form is None or form.deprecated or unknown:
                what = f": it has no attribute '{unknown[0]}'" if unknown else ""
                self._fail(node, f"{node.op_type} of opset {version} cannot be brought to opset {NEWEST}{what}")

    def _converted(self, node: NodeProto, templates: Mapping[_Key, Sequence[NodeProto]]) -> Sequence[NodeProto]:
        template = templates.get(self._key(node)) if not node.domain and self._is_changed(node) else None
        if template is None:
            return [node]
        names = {f"i{place}": name for place, name in enumerate(node.input) if name}
        names |= {f"o{place}": name for place, name in enumerate(node.output) if name}
        stem = next(filter(None, node.output))
        copies = [NodeProto.FromString(new.SerializeToString()) for new in template]
        for new in copies:
            new.name = node.name
            for name in new.output:
                if name and name not in names:
                    names[name] = self._names.fresh(f"{stem}/{new.op_type.lower()}")
        rename(copies, names)
        return copies

    def _fail(self, node: NodeProto, message: str) -> NoReturn:
        raise LastuseError(message, self._locate(node))


_OUTER = re.compile(r"(\d+)\.[io]\d+")


def _owner(name: str) -> str:
    """The number of the node in the batch that has `name` as an input or a result; empty for names of the converter."""
    match = _OUTER.fullmatch(name)
    return match[1] if match else ""


def _plain(node: NodeProto, prefix: str) -> NodeProto:
    """The node with names of inputs and results by their place."""
    plain = NodeProto(op_type=bridge(node.op_type), attribute=node.attribute)
    plain.input[:] = [f"{prefix}i{place}" if name else "" for place, name in enumerate(node.input)]
    plain.output[:] = [f"{prefix}o{place}" if name else "" for place, name in enumerate(node.output)]
    return plain


def _coarse(type_: TypeProto | None) -> TypeProto:
    """Element type and rank, no sizes."""
    coarse = TypeProto()
    if type_ is not None and type_.HasField("tensor_type"):
        coarse.tensor_type.elem_type = type_.tensor_type.elem_type
        if type_.tensor_type.HasField("shape"):
            coarse.tensor_type.shape.SetInParent()
            for _ in type_.tensor_type.shape.dim:
                coarse.tensor_type.shape.dim.add()
    else:
        coarse.tensor_type.elem_type = TensorProto.UNDEFINED
    return coarse


def _drop_masks(graphs: Sequence[GraphProto]) -> None:
    """Takes off the masks of Dropout that nothing reads: those of old opsets are no booleans."""
    dropouts = [node for graph in graphs for node in graph.node if node.op_type == "Dropout" and len(node.output) > 1]
    if not dropouts:
        return
    read = {name for graph in graphs for node in graph.node for name in node.input}
    read.update(output.name for graph in graphs for output in graph.output)
    for node in dropouts:
        if not read.intersection(node.output[1:]):
            del node.output[1:]


def _small_constants(graphs: Iterable[GraphProto]) -> dict[str, TensorProto]:
    """Initializers and Constants whose elements are in the message."""
    small: dict[str, TensorProto] = {}
    for graph in graphs:
        small |= {tensor.name: tensor for tensor in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant" and not node.domain and node.output:
                small.update((node.output[0], value.t) for value in node.attribute if value.name == "value")
    return {
        name: tensor
        for name, tensor in small.items()
        if tensor.data_type == TensorProto.FLOAT and tensor.ByteSize() < SMALL and not tensor.external_data
    }
