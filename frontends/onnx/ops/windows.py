"""Convolutions and pools: a window moves over the spatial axes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder
from lastuse.frontends.onnx.channels_last import has_channels_last, is_constant, spatial_op


def _convolution(kind: str) -> Handler:
    """Channels are last where the weights are constant: they are packed for that."""

    def handler(b: OnnxBuilder, node: GraphNode) -> SSAValue:
        x, w, bias = node.input(0), node.input(1), node.optional(2)
        last = b.dtype(x) == "f32" and is_constant(w)
        return spatial_op(b, kind, (x, w, bias), node, node.attributes, last)

    return handler


def _pool(kind: str) -> Handler:
    def handler(b: OnnxBuilder, node: GraphNode) -> SSAValue:
        x = node.input(0)
        return spatial_op(b, kind, (x,), node, node.attributes, has_channels_last(b, x))

    return handler


def _max_pool(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    x = node.input(0)
    if not node.wants(1):
        return [spatial_op(b, "max_pool", (x,), node, node.attributes, has_channels_last(b, x))]
    return b.ops("max_pool", [x], b.names_of(node, 2), node.attributes)


def _max_unpool(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    dynamic = {"output_shape": node.optional(2)}
    return b.op("max_unpool", [node.input(0), node.input(1)], node, node.attributes, dynamic)


HANDLERS: dict[str, Handler] = {
    "AveragePool": _pool("average_pool"),
    "Conv": _convolution("conv"),
    "ConvTranspose": _convolution("conv_transpose"),
    "GlobalAveragePool": _pool("global_average_pool"),
    "GlobalLpPool": _pool("global_lp_pool"),
    "GlobalMaxPool": _pool("global_max_pool"),
    "LpPool": _pool("lp_pool"),
    "MaxPool": _max_pool,
    "MaxUnpool": _max_unpool,
}
