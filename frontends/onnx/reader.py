"""From a loaded ONNX model to a module of dnn ops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

import numpy as np
from onnx import NodeProto, TypeProto, ValueInfoProto, helper
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, Location, UnsupportedError
from lastuse.dialect.ir.tensor_types import name_of_dtype, numpy_dtype
from lastuse.dialect.storage import attrs
from lastuse.frontends.bindings import Bindings, exact_value
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder
from lastuse.frontends.onnx.contrib_ops import CONTRIB_HANDLERS
from lastuse.frontends.onnx.declared_ops import DOMAIN
from lastuse.frontends.onnx.direct_attention import DIRECT
from lastuse.frontends.onnx.direct_sampling import DIRECT_SAMPLING
from lastuse.frontends.onnx.direct_spectra import DIRECT_SPECTRA
from lastuse.frontends.onnx.functions import expand
from lastuse.frontends.onnx.fused_ops import UNNAMED_OPS
from lastuse.frontends.onnx.model import OnnxModel
from lastuse.frontends.onnx.ops import HANDLERS
from lastuse.frontends.onnx.opsets import schema
from lastuse.frontends.onnx.rotary import DIRECT_ROTARY
from lastuse.frontends.onnx.scopes import DEFAULT_DOMAINS, all_graphs
from lastuse.frontends.onnx.standard_ops import RANDOM, is_standard, standard_op
from lastuse.frontends.onnx.weights import dtype_of

_OWN = {**HANDLERS, **UNNAMED_OPS}
"""The handler of each op of ONNX's own domain that has one."""
_DIRECT = {**DIRECT, **DIRECT_ROTARY}
"""Of ops that have a body."""
_INSTEAD = {**DIRECT_SAMPLING, **DIRECT_SPECTRA}
"""Of ops that `onnx.reference` computes where these return None."""


def build_module(model: OnnxModel, bindings: Bindings) -> ModuleOp:
    """
    The module of a model.

    Raises:
        NeedsValuesError: sizes or inputs that decide a rank are not bound.
        LastuseError: ops are not supported, or the model is wrong; with the place in its file.
    """
    reader = _Reader(model)
    reader.refuse_unsupported()
    return reader.module(bindings)


class _Reader:
    """Reads one model."""

    def __init__(self, model: OnnxModel) -> None:
        self._model, self._graph = model, model.graph
        self._builder = OnnxBuilder(
            model.file, model.weights, self._handler, model.location, [output.name for output in self._graph.output]
        )

    def _handler(self, node: NodeProto) -> Handler:
        if node.domain in DEFAULT_DOMAINS:
            if node.op_type in _OWN:
                return _OWN[node.op_type]
            if _has_body(node, self._version(node)):
                return self._expanded(node)
        if node.domain == DOMAIN and node.op_type in CONTRIB_HANDLERS:
            return CONTRIB_HANDLERS[node.op_type]
        if not self._is_supported(node):  # a node of a body
            raise UnsupportedError(f"unsupported op: {node.op_type}", self._builder.location)
        return self._standard(node)

    def _version(self, node: NodeProto) -> int:
        return self._model.opsets.get("" if node.domain in DEFAULT_DOMAINS else node.domain, 0)

    def _standard(self, proto: NodeProto) -> Handler:
        """The handler of an op that has neither a class nor a body."""
        direct = _INSTEAD.get(proto.op_type) if proto.domain in DEFAULT_DOMAINS else None
        otherwise = standard_op(proto, self._version(proto))

        def handler(builder: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
            made = None if direct is None else direct(builder, node)
            return _values(otherwise(builder, node)) if made is None else made

        return handler

    def _expanded(self, proto: NodeProto) -> Handler:
        """The handler that adds the nodes of the body that ONNX's schema has for an op."""

        direct = _DIRECT.get(proto.op_type) if proto.domain in DEFAULT_DOMAINS else None

        def handler(builder: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
            made = None if direct is None else direct(builder, node)
            if made is not None:
                return made
            types = [None if value is None else _type_proto(builder, value) for value in node.inputs]
            location = builder.location
            nodes = expand(proto, self._version(proto), types, self._model.names, location)
            if nodes is None:
                return _values(standard_op(proto, self._version(proto))(builder, node))
            builder.convert(nodes, location)
            return [builder.values[name] if name else node.input(0) for name in proto.output]

        return handler

    # Before anything is built

    def refuse_unsupported(self) -> None:
        """Raises one error that lists all that is not supported: each op with its domain, count and first node."""
        unsupported: dict[str, list[NodeProto]] = {}
        for graph in all_graphs(self._graph):
            for node in graph.node:
                if not self._is_supported(node):
                    domain = "" if node.domain in DEFAULT_DOMAINS else f"{node.domain}."
                    unsupported.setdefault(f"{domain}{node.op_type}", []).append(node)
        if unsupported:
            kinds = [f"{kind} (x{len(nodes)}, '{_shown(nodes[0])}')" for kind, nodes in unsupported.items()]
            first = next(iter(unsupported.values()))[0]
            raise UnsupportedError(f"unsupported ops: {', '.join(kinds)}", self._model.location(first))

    def _is_supported(self, node: NodeProto) -> bool:
        if node.domain in DEFAULT_DOMAINS and (node.op_type in _OWN or _has_body(node, self._version(node))):
            return True
        if node.domain == DOMAIN and node.op_type in CONTRIB_HANDLERS:
            return True
        return is_standard(node, self._version(node))

    # The function

    def module(self, bindings: Bindings) -> ModuleOp:
        """The module, in which the bound sizes and values are numbers."""
        builder = self._builder
        inputs = [value for value in self._graph.input if value.name not in self._model.weights]
        self._check_names(inputs, bindings)
        sizes = dict(bindings.sizes)
        for value in inputs:
            for axis, (dim, size) in enumerate(zip(_dims(value), bindings.shapes.get(value.name, ()), strict=False)):
                name = dim if isinstance(dim, str) else f"{value.name}.{axis}"
                if sizes.setdefault(name, size) != size:
                    self._fail(f"size {name} is {sizes[name]} and, in the shape of {value.name}, {size}")
        arguments = {value.name: self._argument(value, bindings, sizes) for value in inputs}
        for name, array in bindings.values.items():
            self._bind(name, arguments[name], array)
        builder.convert(self._graph.node)
        results = []
        for output in self._graph.output:
            builder.location = Location(self._model.file)
            results.append(builder.value(output.name))
        module = builder.finish(results, [output.name for output in self._graph.output])
        module.attributes[attrs.UNREFINED] = UnitAttr()
        return module

    def _check_names(self, inputs: Sequence[ValueInfoProto], bindings: Bindings) -> None:
        names = {value.name for value in inputs}
        for name in (*bindings.shapes, *bindings.values):
            if name not in names:
                self._fail(f"no input is called '{name}'; there are {', '.join(sorted(names)) or 'none'}")

    def _argument(self, value: ValueInfoProto, bindings: Bindings, sizes: dict[str, int]) -> SSAValue:
        if not value.type.HasField("tensor_type"):
            kind = value.type.WhichOneof("value") or "no type"
            what = f"is no tensor but {kind.removesuffix('_type')}, which is not supported"
            raise UnsupportedError(f"input '{value.name}' {what}", Location(self._model.file))
        try:
            dtype = name_of_dtype(dtype_of(value.type.tensor_type.elem_type))
        except ValueError as error:
            raise UnsupportedError(f"input '{value.name}': {error}", Location(self._model.file)) from None
        stated, shape = _dims(value), bindings.shapes.get(value.name)
        if not value.type.tensor_type.HasField("shape"):
            if shape is None and value.name not in bindings.values:
                self._fail(f"input '{value.name}' has no shape in the model; give one (--shape)")
            stated = [-1] * len(shape if shape is not None else bindings.values[value.name].shape)
        if shape is not None and len(shape) != len(stated):
            self._fail(f"input '{value.name}' has {len(stated)} axes, {len(shape)} are given")
        dims: list[int | str] = []
        several = sum(not isinstance(d, int) or d < 0 for d in stated) > 1
        for axis, dim in enumerate(stated):
            if isinstance(dim, int) and dim >= 0:
                if shape is not None and shape[axis] != dim:
                    self._fail(f"input '{value.name}' has size {dim} on axis {axis}, {shape[axis]} is given")
                dims.append(dim)
                continue
            names = [dim] if isinstance(dim, str) else [value.name if not several else "", f"{value.name}.{axis}"]
            dims.append(next((sizes[name] for name in names if name in sizes), dim))
        argument = self._builder.argument(value.name, dims, dtype)
        self._builder.values[value.name] = argument
        return argument

    def _bind(self, name: str, argument: SSAValue, array: np.ndarray) -> None:
        """Gives an argument its value: what reads it reads a constant, and the program checks that it gets it."""
        builder, info = self._builder, self._builder.sizes[argument]
        array = np.asarray(array)
        if len(array.shape) != len(info.shape) or any(
            isinstance(d, int) and d != size for d, size in zip(info.shape, array.shape, strict=True)
        ):
            self._fail(f"input '{name}' has type {argument.type}, its value has shape {list(array.shape)}")
        exact = exact_value(name, array, info.dtype, Location(self._model.file))
        constant = builder.constant(exact, f"{name}/value")
        builder.annotate(argument, attrs.VALUE, constant.owner.attributes["value"])  # pyright: ignore
        builder.values[name] = constant

    def _fail(self, message: str) -> NoReturn:
        raise LastuseError(message, Location(self._model.file))


def _dims(value: ValueInfoProto) -> list[int | str]:
    """Sizes: numbers, names of unknown ones, -1 for those without a name.

    A name that an input has twice is none, and neither is "?": exporters give them to sizes that differ.
    """
    shape = value.type.tensor_type.shape.dim
    named = Counter(dim.dim_param for dim in shape)
    dims: list[int | str] = []
    for dim in shape:
        if dim.HasField("dim_value") and dim.dim_value >= 0:
            dims.append(dim.dim_value)
        else:
            dims.append(dim.dim_param if named[dim.dim_param] == 1 and dim.dim_param not in ("", "?") else -1)
    return dims


def _type_proto(builder: OnnxBuilder, value: SSAValue) -> TypeProto:
    info = builder.sizes[value]
    element = helper.np_dtype_to_tensor_dtype(numpy_dtype(info.dtype))
    return helper.make_tensor_type_proto(element, [d if isinstance(d, int) else str(d) for d in info.shape])


def _has_body(node: NodeProto, version: int) -> bool:
    """Whether ONNX defines the op by other ops, perhaps for some types of inputs alone, and the same in every run."""
    form = schema(node.op_type, version)
    if form is None or RANDOM in form.attributes:
        return False
    return bool(form.has_function or form.has_context_dependent_function)  # pyright: ignore


def _shown(node: NodeProto) -> str:
    return node.name or next(iter(node.output), "")


def _values(results: SSAValue | Sequence[SSAValue]) -> Sequence[SSAValue]:
    return [results] if isinstance(results, SSAValue) else results
