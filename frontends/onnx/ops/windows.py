"""Convolutions and pools: a window moves over the spatial axes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder, plain


def _max_pool(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    return b.ops("max_pool", [node.input(0)], b.names_of(node, 2 if node.wants(1) else 1), node.attributes)


def _max_unpool(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    dynamic = {"output_shape": node.optional(2)}
    return b.op("max_unpool", [node.input(0), node.input(1)], node, node.attributes, dynamic)


HANDLERS: dict[str, Handler] = {
    "AveragePool": plain("average_pool"),
    "Conv": plain("conv"),
    "ConvTranspose": plain("conv_transpose"),
    "GlobalAveragePool": plain("global_average_pool"),
    "GlobalLpPool": plain("global_lp_pool"),
    "GlobalMaxPool": plain("global_max_pool"),
    "LpPool": plain("lp_pool"),
    "MaxPool": _max_pool,
    "MaxUnpool": _max_unpool,
}
