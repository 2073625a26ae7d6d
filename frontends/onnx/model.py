"""
Loads ONNX models: from a file or bytes to a graph of the newest opset with its weights beside it.

What comes out has no functions, no Constant nodes of numbers, no data in its initializers, one name for each value, and
only forms of ops that the newest opset has. All that a file says is untrusted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np
from google.protobuf.message import DecodeError
from onnx import IR_VERSION, AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper

from lastuse.dialect.ir.diagnostics import LastuseError, Location, UnsupportedError
from lastuse.frontends.onnx.functions import inline_functions, opset_of
from lastuse.frontends.onnx.node_rules import check_node
from lastuse.frontends.onnx.opsets import NEWEST, OLDEST, OpsetConverter
from lastuse.frontends.onnx.scopes import DEFAULT_DOMAINS, MAX_NODES, Names, Resolver, all_graphs, inner_graphs, is_text
from lastuse.frontends.onnx.weights import TensorReader, map_file
from lastuse.frontends.onnx.wire import take_out

OLDEST_IR = 3
"""The oldest version of the format that is read."""


@dataclass(frozen=True)
class OnnxModel:
    """
    A model, loaded.

    Attributes:
        file: what locations name.
        graph: its graph, of the newest opset. Names of values are unique, those in inner graphs among them.
            `initializer` has the weights that something uses, of all graphs, without their data.
        opsets: version by domain; that of ONNX's own domain, '', is the newest.
        weights: the arrays by name, read-only: initializers and Constants.
        locations: by the name of a value: the node that makes it. The line is the node's number in the file, counted
            from 1; of nodes in inner graphs and of functions it is that of the node of the main graph around them.
        names: all names in use, for new ones.
    """

    file: str
    graph: GraphProto
    opsets: dict[str, int]
    weights: dict[str, np.ndarray]
    locations: dict[str, Location] = field(repr=False)
    names: Names = field(repr=False)

    def location(self, node: NodeProto) -> Location:
        """Where a node is in the file; that of the whole file if it is not of this model."""
        return next((self.locations[name] for name in node.output if name in self.locations), Location(self.file))


def load_model(source: str | Path | bytes, name: str = "<bytes>") -> OnnxModel:
    """
    The model in a file, or that is `source` itself; errors then call it `name`.

    Raises:
        LastuseError: it cannot be read, is no ONNX model, or is wrong; with the number and name of the node.
    """
    if isinstance(source, bytes):
        return _load(memoryview(source), name, None)
    file = Path(source)
    try:
        data = map_file(file)
    except OSError as error:
        raise LastuseError(f"cannot be read: {error.strerror or error}", Location(str(file))) from None
    except ValueError:
        raise LastuseError("no file can have this name", Location(str(file))) from None
    return _load(data, str(file), file.parent)


def _load(data: memoryview, file: str, folder: Path | None) -> OnnxModel:
    shorter, payloads = take_out(data)
    model = _parse(shorter, file)
    opsets = _opsets(model, file)
    lines = inline_functions(model, file)
    resolver = Resolver(file)
    graph = model.graph
    resolver.resolve(graph, lines)
    _check_inputs(graph, file)
    loader = _Loader(file, opsets, resolver, TensorReader(file, data, payloads, folder))
    loader.normalise(graph)
    weights = loader.take_weights(graph)
    return OnnxModel(file, graph, {**opsets, "": NEWEST}, weights, resolver.locations, resolver.names)


def _parse(data: bytes, file: str) -> ModelProto:
    location = Location(file)
    try:
        model = ModelProto.FromString(data)
    except DecodeError:
        raise LastuseError(
            "is no ONNX model, or cut off or nested too deep: it does not parse as a protobuf ModelProto", location
        ) from None
    if not model.HasField("graph"):
        raise LastuseError("is no ONNX model: it has no graph", location)
    if len(model.graph.node) > MAX_NODES:
        raise LastuseError(f"the model has more than {MAX_NODES:,} nodes", location)
    if not OLDEST_IR <= model.ir_version <= IR_VERSION:
        raise LastuseError(
            f"the model has IR version {model.ir_version}; {OLDEST_IR} to {IR_VERSION} are supported", location
        )
    return model


def _opsets(model: ModelProto, file: str) -> dict[str, int]:
    """Versions by domain."""
    opsets: dict[str, int] = {}
    for entry in model.opset_import:
        domain = "" if entry.domain in DEFAULT_DOMAINS else entry.domain
        if not is_text(domain) or opsets.setdefault(domain, entry.version) != entry.version:
            raise LastuseError(f"the opset of domain {entry.domain!r:.60} is there twice", Location(file))
    if "" in opsets:
        _check_opset(opsets[""], Location(file))
    return opsets


def _check_opset(version: int, location: Location) -> None:
    if not OLDEST <= version <= NEWEST:
        raise UnsupportedError(f"opset {version} is not supported; {OLDEST} to {NEWEST} are", location)


def _check_inputs(graph: GraphProto, file: str) -> None:
    """Checks the sizes of inputs, in place: -1 is one that is not known."""
    for value in graph.input:
        for dim in value.type.tensor_type.shape.dim:
            if dim.HasField("dim_value") and dim.dim_value == -1:
                dim.ClearField("dim_value")
            if dim.dim_value < 0 or not is_text(dim.dim_param):
                size = repr(dim.dim_param) if dim.HasField("dim_param") else dim.dim_value
                raise LastuseError(f"input '{value.name}' has a size of {size}", Location(file))


class _Loader:
    """Makes a resolved graph normal: newest opset, weights beside it."""

    def __init__(self, file: str, opsets: dict[str, int], resolver: Resolver, reader: TensorReader) -> None:
        self._file = file
        self._opset = opsets.get("")
        self._resolver = resolver
        self._reader = reader
        self._restored = 0

    def location(self, node: NodeProto) -> Location:
        known = self._resolver.locations
        return next((known[name] for name in node.output if name in known), Location(self._file))

    def _fail(self, node: NodeProto, message: str) -> NoReturn:
        raise LastuseError(message, self.location(node))

    def normalise(self, graph: GraphProto) -> None:
        """Checks all nodes and brings them to the newest opset, in place."""
        same = True
        for inner in all_graphs(graph):
            for node in inner.node:
                if not node.domain:
                    version = self._version(node)
                    same &= version == self._opset
                    check_node(node, version, self.location(node))
                for attribute in node.attribute:
                    self._restore(node, attribute)
        before = dict(self._resolver.locations)
        converter = OpsetConverter(self._version, self.location, self._resolver.names)
        converter.convert(graph, self._opset if same else None)
        self._locate(graph, before)

    def _version(self, node: NodeProto) -> int:
        version = opset_of(node, self._opset or 0)
        if not version:
            self._fail(node, "the model does not say its opset")
        _check_opset(version, self.location(node))
        return version

    def _locate(self, graph: GraphProto, before: dict[str, Location]) -> None:
        """Places values that conversion has added where the result is that they were added for."""
        for inner in all_graphs(graph):
            last = None
            for node in reversed(inner.node):
                last = next((before[name] for name in node.output if name in before), last)
                if last is not None:
                    for name in filter(None, node.output):
                        self._resolver.locations.setdefault(name, last)

    def _restore(self, node: NodeProto, attribute: AttributeProto) -> None:
        """Gives tensors in attributes their elements back, but for constants, which become weights."""
        if node.op_type == "Constant" and not node.domain:
            return
        for tensor in (attribute.t, *attribute.tensors) if attribute.HasField("t") or attribute.tensors else ():
            self._restored += self._reader.restore(tensor)
            if self._restored > self._reader.size:
                self._fail(node, "the tensors in attributes have more bytes than the file")

    def take_weights(self, graph: GraphProto) -> dict[str, np.ndarray]:
        """Takes initializers and Constants out of all graphs; those that something uses are arrays, by name."""
        used = set(_uses(graph))
        weights: dict[str, np.ndarray] = {}
        # Inner graphs first: a list of nodes is a copy of these, with their graphs.
        for inner in reversed(list(all_graphs(graph))):
            for tensor in inner.initializer:
                if tensor.name in used:
                    weights[tensor.name] = self._reader.array(tensor, f"weight '{tensor.name}'")
            for sparse in inner.sparse_initializer:
                if sparse.values.name in used:
                    weights[sparse.values.name] = self._reader.dense_array(sparse, f"weight '{sparse.values.name}'")
            del inner.initializer[:]
            del inner.sparse_initializer[:]
            kept: list[NodeProto] = []
            for node in inner.node:
                constant = self._constant(node) if node.op_type == "Constant" and not node.domain else None
                if constant is None:
                    kept.append(node)
                else:
                    weights[node.output[0]] = constant
            if len(kept) < len(inner.node):
                del inner.node[:]
                inner.node.extend(kept)
        for name, array in weights.items():
            data_type = helper.np_dtype_to_tensor_dtype(array.dtype)
            graph.initializer.append(TensorProto(name=name, dims=array.shape, data_type=data_type))
        return weights

    def _constant(self, node: NodeProto) -> np.ndarray | None:
        """The array of a Constant node of numbers; None for text."""
        what, line = f"constant '{node.output[0]}'", self.location(node).line
        values = [attribute for attribute in node.attribute if attribute.name != "doc_string"]
        if len(values) != 1:
            self._fail(node, f"{what}: a Constant has one value, this one has {len(values)}")
        (value,) = values
        if value.name == "value":
            return self._reader.array(value.t, what, line)
        if value.name == "sparse_value":
            return self._reader.dense_array(value.sparse_tensor, what, line)
        if value.name in ("value_float", "value_floats"):
            return _frozen(np.array(value.f if value.name == "value_float" else list(value.floats), np.float32))
        if value.name in ("value_int", "value_ints"):
            return _frozen(np.array(value.i if value.name == "value_int" else list(value.ints), np.int64))
        return None


def _frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def _uses(graph: GraphProto) -> Iterator[str]:
    """The names that nodes and outputs of the graph and those within it use."""
    yield from (value.name for value in graph.output)
    for node in graph.node:
        yield from node.input
        for inner in inner_graphs(node):
            yield from _uses(inner)
