"""Resizing, and blocks of a plane as channels."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder, plain
from lastuse.frontends.onnx.channels_last import channels_first, channels_last, has_channels_last


def _resize(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """Channels stay last where they are: `axes` says where ONNX's axes then stand."""
    x, attributes = node.input(0), dict(node.attributes)
    dynamic = {name: _stated(b, node.optional(index)) for index, name in ((2, "scales"), (3, "sizes"))}
    if attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize":
        dynamic["roi"] = _stated(b, node.optional(1))
    if not has_channels_last(b, x):
        return b.op("resize", [x], node, attributes, dynamic)
    rank = b.rank(x)
    order = [0, *range(2, rank), 1]
    axes: list[Any] = attributes.get("axes") or list(range(rank))
    attributes["axes"] = [order.index(axis % rank) for axis in axes]
    turned = b.op("resize", [channels_last(b, x, node)], node, attributes, dynamic, step="channels_last_result")
    return channels_first(b, turned, node)


def _stated(b: OnnxBuilder, value: SSAValue | None) -> SSAValue | None:
    """An optional operand; one without elements is left out too."""
    return None if value is None or b.sizes[value].shape == (0,) else value


HANDLERS: dict[str, Handler] = {
    "DepthToSpace": plain("depth_to_space"),
    "Resize": _resize,
    "SpaceToDepth": plain("space_to_depth"),
}
