"""Normalisations. Those of narrow floating-point numbers are computed in f32: squares of f16 overflow soon."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from lastuse.dialect.ir.tensor_types import dtype_name
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder, plain
from lastuse.frontends.onnx.ops.shapes import dtype_attribute
from lastuse.frontends.onnx.wide_floats import wide_ops


def _filling(b: OnnxBuilder, node: GraphNode, value: SSAValue | None, axis: int, what: str) -> SSAValue | None:
    """What scales or shifts x, with the sizes of the axes from `axis` on: ONNX broadcasts it to these."""
    if value is None:
        return None
    shape = b.shape(node.input(0))[axis:]
    if b.shape(value) == shape:
        return value
    if any(not isinstance(size, int) for size in shape):
        raise ValueError(f"{what} is broadcast to sizes that are not known")
    return b.op("expand", [value], node, {"shape": list(shape)}, step=what)


def _stash(node: GraphNode) -> str:
    return dtype_name(dtype_attribute(node.attributes["stash_type"]))


def _layer_norm(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    x, axis = node.input(0), node.attributes["axis"]
    rows = [_filling(b, node, node.optional(k), axis, what) for k, what in ((1, "scale"), (2, "bias"))]
    count = 3 if node.wants(1) or node.wants(2) else 1
    dtypes = [b.dtype(x), _stash(node), _stash(node)][:count]
    attributes: dict[str, object] = {"axis": axis, "epsilon": node.attributes["epsilon"]}
    return wide_ops(b, "layer_norm", node, [x, *rows], attributes, dtypes)


def _rms_norm(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    x, axis = node.input(0), node.attributes["axis"]
    _stash(node)
    scale = _filling(b, node, node.input(1), axis, "scale")
    attributes: dict[str, object] = {"axis": axis, "epsilon": node.attributes["epsilon"]}
    return wide_ops(b, "rms_norm", node, [x, scale], attributes, [b.dtype(x)])


def _instance_norm(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    operands = [node.input(k) for k in range(3)]
    return wide_ops(b, "instance_norm", node, operands, {"epsilon": node.attributes["epsilon"]}, [b.dtype(operands[0])])


def _group_norm(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    operands = [node.input(k) for k in range(3)]
    _stash(node)
    attributes = {name: node.attributes[name] for name in ("epsilon", "num_groups")}
    return wide_ops(b, "group_norm", node, operands, attributes, [b.dtype(operands[0])])


def _batch_norm(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    """At training the running statistics are results too."""
    operands = [node.input(k) for k in range(5)]
    x, mean = operands[0], operands[3]
    attributes: dict[str, object] = {"epsilon": node.attributes["epsilon"]}
    if not node.attributes["training_mode"]:
        return wide_ops(b, "batch_norm", node, operands, attributes, [b.dtype(x)])
    attributes |= {"momentum": node.attributes["momentum"], "training_mode": True}
    return wide_ops(b, "batch_norm", node, operands, attributes, [b.dtype(x), b.dtype(mean), b.dtype(mean)])


def _own(kind: str) -> Handler:
    """The handler of an op with one operand and attributes that dnn names the same."""

    def handler(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
        x = node.input(0)
        return wide_ops(b, kind, node, [x], dict(node.attributes), [b.dtype(x)])

    return handler


HANDLERS: dict[str, Handler] = {
    "BatchNormalization": _batch_norm,
    "GroupNormalization": _group_norm,
    "Hardmax": plain("hardmax"),
    "InstanceNormalization": _instance_norm,
    "LRN": _own("lrn"),
    "LayerNormalization": _layer_norm,
    "LogSoftmax": plain("log_softmax"),
    "LpNormalization": _own("lp_normalization"),
    "MeanVarianceNormalization": _own("mean_variance_normalization"),
    "RMSNormalization": _rms_norm,
    "Softmax": plain("softmax"),
}
