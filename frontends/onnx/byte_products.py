"""Products of bytes in f32, and what handlers of nodes make other nodes with on their way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from onnx import TensorProto
from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder
from lastuse.frontends.onnx.ops import HANDLERS


def stem_of(node: GraphNode) -> str:
    """What the values between the inputs and the results of a node are called after."""
    return next((name for name in node.outputs if name), node.name or node.op_type)


def as_node(
    op_type: str, node: GraphNode, inputs: Sequence[SSAValue | None], attributes: Mapping[str, Any]
) -> GraphNode:
    """A node of another op, with the results of `node`."""
    return GraphNode(op_type, node.name, inputs, attributes, frozenset(attributes), node.outputs)


def apply_all(
    b: OnnxBuilder, node: GraphNode, op_type: str, count: int, *inputs: SSAValue | None, **attributes: Any
) -> Sequence[SSAValue]:
    """The `count` results of an op of ONNX's own domain, on the way to the node's."""
    name = f"{stem_of(node)}/{op_type}"
    outputs = [name] if count == 1 else [f"{name}/{number}" for number in range(count)]
    made = HANDLERS[op_type](b, GraphNode(op_type, node.name, inputs, attributes, frozenset(attributes), outputs))
    return [made] if isinstance(made, SSAValue) else made


def apply(b: OnnxBuilder, node: GraphNode, op_type: str, *inputs: SSAValue | None, **attributes: Any) -> SSAValue:
    """The first result of an op of ONNX's own domain, on the way to the node's."""
    return apply_all(b, node, op_type, 1, *inputs, **attributes)[0]


def finish(b: OnnxBuilder, node: GraphNode, op_type: str, *inputs: SSAValue | None, **attributes: Any) -> SSAValue:
    """The first result of the node itself, by an op of ONNX's own domain."""
    first = replace(node, outputs=node.outputs[:1])
    made = HANDLERS[op_type](b, as_node(op_type, first, inputs, attributes))
    return made if isinstance(made, SSAValue) else made[0]


def constant(b: OnnxBuilder, node: GraphNode, value: np.generic | np.ndarray, what: str) -> SSAValue:
    """A constant on the way to the results of a node, which is called after these."""
    return b.constant(np.asarray(value), f"{stem_of(node)}/{what}")


def scaled_product(
    b: OnnxBuilder, node: GraphNode, product: Sequence[SSAValue | None], scales: Sequence[SSAValue]
) -> SSAValue:
    """The MatMulInteger of operands, in f32, times scales."""
    (sums,) = b.ops("matmul_integer", product, [f"{stem_of(node)}/sums"])
    wide = apply(b, node, "Cast", sums, to=TensorProto.FLOAT)
    return apply(b, node, "Mul", wide, apply(b, node, "Mul", *scales))


def dynamic_product(
    b: OnnxBuilder, node: GraphNode, x: SSAValue, weights: SSAValue, scale: SSAValue, zero: SSAValue | None
) -> SSAValue:
    """x in bytes of a scale and zero point of its own, as DynamicQuantizeLinear chooses them, times weights in bytes.

    Args:
        x: [..., depth], f32.
        weights: [depth, columns], i8 or ui8, which stand for (weights - zero) * scale.
        scale, zero: one number, or one of each column; `zero` is 0 where it is left out.
    """
    names = [f"{stem_of(node)}/{part}" for part in ("bytes", "scale", "zero point")]
    integers, own_scale, own_zero = b.ops("dynamic_quantize_linear", [x], names)
    return scaled_product(b, node, [integers, weights, own_zero, zero], [own_scale, scale])


def with_bias(b: OnnxBuilder, node: GraphNode, value: SSAValue, bias: SSAValue | None) -> SSAValue:
    """The value plus a bias that may be left out."""
    return value if bias is None else apply(b, node, "Add", value, bias)


def with_channels(b: OnnxBuilder, node: GraphNode, value: SSAValue, *, second: bool) -> SSAValue:
    """A value whose channels are the last axis, with them as the second one, or the other way round."""
    rank = b.rank(value)
    if rank < 3:
        raise ValueError(f"channels that are last need 3 axes or more, not {rank}")
    perm = [0, rank - 1, *range(1, rank - 1)] if second else [0, *range(2, rank), 1]
    return apply(b, node, "Transpose", value, perm=perm)
