"""Nodes as `dnn.onnx_op`, for ops of ONNX that have neither a class here nor a body of other ops."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from onnx import AttributeProto, NodeProto
from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from lastuse.dialect.dnn.base import UnknownShapeError
from lastuse.dialect.dnn.onnx_op import OnnxOp, inferred_types
from lastuse.dialect.ir.attribute_values import attribute_of
from lastuse.dialect.ir.tensor_types import TensorInfo, name_of_dtype, tensor_type
from lastuse.dialect.storage import attrs
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder
from lastuse.frontends.onnx.opsets import schema
from lastuse.frontends.onnx.scopes import DEFAULT_DOMAINS

_KINDS = {
    *(AttributeProto.INT, AttributeProto.FLOAT, AttributeProto.STRING, AttributeProto.TENSOR),
    *(AttributeProto.INTS, AttributeProto.FLOATS, AttributeProto.STRINGS),
}
"""Kinds of attributes that `dnn.onnx_op` can have."""
RANDOM = "seed"
"""The attribute of ops whose results differ from run to run."""


def is_standard(node: NodeProto, version: int) -> bool:
    """Whether `onnx.reference` can compute a node on tensors, the same in every run."""
    form = schema(node.op_type, version, "" if node.domain in DEFAULT_DOMAINS else node.domain)
    if form is None or RANDOM in form.attributes or not _has_reference(form.name, form.domain, version):
        return False
    return all(attribute.type in _KINDS for attribute in node.attribute)


def _signal(builder: OnnxBuilder, node: GraphNode, signal: SSAValue) -> SSAValue:
    """The signal of STFT with its last axis. PyTorch exports a real one without it; the reference needs it."""
    rank = builder.rank(signal)
    if rank not in (2, 3):
        raise ValueError(f"the signal has {rank} axes, not 2 or 3")
    return signal if rank == 3 else builder.op("unsqueeze", [signal], node, {"axes": [2]}, step="signal")


def standard_op(proto: NodeProto, version: int) -> Handler:
    """The handler that makes a node `dnn.onnx_op`."""

    def handler(builder: OnnxBuilder, node: GraphNode) -> list[SSAValue]:
        operands = [value for value in node.inputs if value is not None]
        if proto.op_type == "STFT":
            operands[0] = _signal(builder, node, operands[0])
        infos = [builder.sizes[value] for value in operands]
        attributes: dict[str, Attribute] = {"op": StringAttr(proto.op_type), "version": IntegerAttr(version, i64)}
        if proto.domain not in DEFAULT_DOMAINS:
            attributes["domain"] = StringAttr(proto.domain)
        # Defaults are stated: shape inference and the reference may have different ones.
        own = {name: _attribute(value) for name, value in node.attributes.items()}
        if own:
            attributes["attrs"] = DictionaryAttr(own)
        if len(operands) < len(node.inputs):
            attributes["present"] = DenseArrayBase.from_list(i64, [int(v is not None) for v in node.inputs])
        names = builder.names_of(node, len(node.outputs))
        attributes[attrs.NAMES] = ArrayAttr([StringAttr(name) for name in names])
        probe = OnnxOp.create(
            operands=operands, result_types=[tensor_type(TensorInfo((), "f32"))] * len(names), attributes=attributes
        )
        try:
            types = inferred_types(probe.node(infos))
        except UnknownShapeError as error:
            builder.need([v for v in operands if builder.numbers(v) is None], str(error))
        finally:
            probe.drop_all_references()
        op = OnnxOp.create(operands=operands, result_types=[tensor_type(t) for t in types], attributes=attributes)
        return list(builder.add_op(op, names, types))

    return handler


def _attribute(value: Any) -> Attribute:
    if isinstance(value, np.ndarray):
        array = np.require(value, requirements="C")
        type_ = tensor_type(TensorInfo(array.shape, name_of_dtype(array.dtype)))
        return DenseIntOrFPElementsAttr(type_, BytesAttr(array.tobytes()))  # pyright: ignore[reportArgumentType]
    return attribute_of(value)


@cache
def _has_reference(op_type: str, domain: str, version: int) -> bool:
    from onnx.reference.op_run import OpFunction, OpRun
    from onnx.reference.ops import load_op

    try:
        implementation = load_op(domain, op_type, version)
    except (ValueError, RuntimeError, NotImplementedError, AttributeError):
        return False
    return isinstance(implementation, type) and issubclass(implementation, OpRun) and implementation is not OpFunction
