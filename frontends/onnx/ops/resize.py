"""Resizing, and blocks of a plane as channels."""

from __future__ import annotations

from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder, plain


def _resize(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    attributes = node.attributes
    dynamic = {name: _stated(b, node.optional(index)) for index, name in ((2, "scales"), (3, "sizes"))}
    if attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize":
        dynamic["roi"] = _stated(b, node.optional(1))
    return b.op("resize", [node.input(0)], node, attributes, dynamic)


def _stated(b: OnnxBuilder, value: SSAValue | None) -> SSAValue | None:
    """An optional operand; one without elements is left out too."""
    return None if value is None or b.sizes[value].shape == (0,) else value


HANDLERS: dict[str, Handler] = {
    "DepthToSpace": plain("depth_to_space"),
    "Resize": _resize,
    "SpaceToDepth": plain("space_to_depth"),
}
