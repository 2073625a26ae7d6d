"""Ops with spatial axes whose channels are last in memory, between transposes of their operands and results.

oneDNN's kernels are fastest so. A value that such an op makes is known in both orders of its axes: between two of them
nothing is transposed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.ir import Operation, SSAValue

from lastuse.dialect.storage.dependences import data_dependences
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder

FARTHEST = 32
"""Ops that are followed back to one whose result has its channels last."""


def channels_last(b: OnnxBuilder, value: SSAValue, node: GraphNode) -> SSAValue:
    """The value, [N, C, spatial…], as [N, spatial…, C]."""
    if value not in b.channels_last:
        rank = b.rank(value)
        perm = [0, *range(2, rank), 1]
        b.channels_last[value] = b.op("transpose", [value], node, {"perm": perm}, step="channels_last")
    return b.channels_last[value]


def spatial_op(
    b: OnnxBuilder,
    kind: str,
    operands: tuple[SSAValue | None, ...],
    node: GraphNode,
    attributes: Mapping[str, Any],
    last: bool,
) -> SSAValue:
    """Adds `dnn.<kind>` with one result, of operands the first of which has spatial axes.

    Args:
        last: the op itself has channels last.
    """
    x, *rest = operands
    if x is None or not last:
        return b.op(kind, operands, node, attributes)
    turned = b.op(
        kind,
        [channels_last(b, x, node), *rest],
        node,
        {**attributes, "channels_last": True},
        step="channels_last_result",
    )
    return channels_first(b, turned, node)


def channels_first(b: OnnxBuilder, value: SSAValue, node: GraphNode) -> SSAValue:
    """The result of a node, which is there as [N, spatial…, C], as [N, C, spatial…]."""
    rank = b.rank(value)
    y = b.op("transpose", [value], node, {"perm": [0, rank - 1, *range(1, rank - 1)]})
    b.channels_last[y] = value
    return y


def is_constant(value: SSAValue) -> bool:
    """Whether the elements depend on no input."""
    return not any(data_dependences([value]))


def has_channels_last(b: OnnxBuilder, value: SSAValue) -> bool:
    """Whether the value, or one of its shape that it was computed from, comes of an op whose channels are last."""
    for _ in range(FARTHEST):
        if value in b.channels_last:
            return True
        op = value.owner
        if not isinstance(op, Operation):
            return False
        alike = [operand for operand in op.operands if operand.type == value.type]
        if not alike:
            return False
        value = alike[0]
    return False
