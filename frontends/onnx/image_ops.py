"""GroupNorm, SkipGroupNorm, BiasAdd and BiasSplitGelu of onnxruntime's own domain, as it fuses diffusion models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from lastuse.frontends.onnx.attention import Steps
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder
from lastuse.frontends.onnx.byte_products import apply, finish, with_channels
from lastuse.frontends.onnx.declared_ops import REQUIRED, DeclaredOp


def _normalised(b: OnnxBuilder, node: GraphNode, x: SSAValue) -> SSAValue:
    """The first result: a normalisation of groups of channels, and SiLU of it if the node says so."""
    attributes, last = node.attributes, bool(node.attributes["channels_last"])
    if attributes["activation"] not in (0, 1):
        raise ValueError(f"the activation {attributes['activation']} is not supported")
    second = with_channels(b, node, x, second=True) if last else x
    kind = {"epsilon": attributes["epsilon"], "num_groups": attributes["groups"], "stash_type": 1}
    made = apply(b, node, "GroupNormalization", second, node.input(1), node.input(2), **kind)
    made = with_channels(b, node, made, second=False) if last else made
    if attributes["activation"]:
        return finish(b, node, "Swish", made, alpha=1.0)
    return finish(b, node, "Identity", made)


def _group_norm(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    return _normalised(b, node, node.input(0))


def _skip_group_norm(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    """Of a sum with another value, which may have one element of each channel, and with a bias of the channels."""
    s, skip, last = Steps(b, node), node.input(3), bool(node.attributes["channels_last"])
    rank = b.rank(node.input(0))
    if b.rank(skip) == 2:
        skip = s.unsqueeze(skip, *(range(1, rank - 1) if last else range(2, rank)))
    total = s.op("Add", node.input(0), skip)
    bias = node.optional(4)
    if bias is not None:
        total = s.op("Add", total, bias if last else s.unsqueeze(bias, *range(1, rank - 1)))
    return [_normalised(b, node, total), total][: len(node.outputs)]


def _bias_add(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    return finish(b, node, "Add", apply(b, node, "Add", node.input(0), node.input(1)), node.input(2))


def _bias_split_gelu(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """The first half of the last axis times Gelu of the second one, both with their bias."""
    s = Steps(b, node)
    total = s.op("Add", node.input(0), node.input(1))
    last, width = b.rank(total) - 1, s.shape(total)[-1]
    if not isinstance(width, int) or width % 2:
        raise ValueError(f"{width} elements have no halves")
    left, right = s.slice(total, last, 0, width // 2), s.slice(total, last, width // 2)
    return finish(b, node, "Mul", left, s.op("Gelu", right, approximate="none"))


_NORM = {"activation": REQUIRED, "channels_last": 1, "epsilon": 1e-5, "groups": REQUIRED}
IMAGE_OPS: Mapping[str, DeclaredOp] = {
    "BiasAdd": DeclaredOp(_bias_add, (3, 3), {}),
    "BiasSplitGelu": DeclaredOp(_bias_split_gelu, (2, 2), {}),
    "GroupNorm": DeclaredOp(_group_norm, (3, 3), _NORM),
    "SkipGroupNorm": DeclaredOp(_skip_group_norm, (4, 5), _NORM),
}
