"""Attention, QAttention and MultiHeadAttention of onnxruntime's own domain, as onnxruntime's schemas define them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import SSAValue

from lastuse.frontends.onnx.attention import (
    MASKED,
    Scores,
    Steps,
    attended,
    causal_bias,
    grown,
    mask_bias,
)
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder
from lastuse.frontends.onnx.byte_products import scaled_product, with_bias
from lastuse.frontends.onnx.declared_ops import REQUIRED, DeclaredOp


class HeadParts(NamedTuple):
    """Queries, keys and values [batch, heads, length, size]."""

    q: SSAValue
    k: SSAValue
    v: SSAValue


def refuse(node: GraphNode, inputs: Mapping[int, str] = {}, attributes: Mapping[str, str] = {}) -> None:
    """Raises ValueError where the node has one of the inputs, by number, or attributes that are not 0, by name; the
    text says what that would be."""
    for number, what in inputs.items():
        if node.optional(number) is not None:
            raise ValueError(f"{what} is not supported")
    for name, what in attributes.items():
        if node.attributes.get(name):
            raise ValueError(f"{what} is not supported")


def _biases(s: Steps, parts: HeadParts, mask: SSAValue | None, bias: SSAValue | None) -> SSAValue | None:
    """What is added to the scores: for the mask, for keys behind the queries, and the node's own."""
    attributes = s.node.attributes
    masks = None
    if mask is not None:
        masks = mask_bias(s, mask, parts.q, parts.k, attributes.get("mask_filter_value", MASKED))
    if attributes["unidirectional"]:
        masks = s.both(masks, causal_bias(s, parts.q, parts.k))
    return s.both(bias, masks)


def _split(s: Steps, packed: SSAValue, sizes: Sequence[int]) -> HeadParts:
    """The parts of [batch, length, sizes beside each other]."""
    heads, made, start = s.node.attributes["num_heads"], list[SSAValue](), 0
    for size in sizes:
        if heads < 1 or size % heads:
            raise ValueError(f"{size} elements are not {heads} heads")
        made.append(s.heads(s.slice(packed, 2, start, start + size), heads))
        start += size
    return HeadParts(*made)


def _of_packed(
    s: Steps, packed: SSAValue, sizes: Sequence[int], inputs: Sequence[SSAValue | None]
) -> Sequence[SSAValue]:
    """The results of a node from its projection; `inputs` are the mask, the past and what is added to scores."""
    parts, (mask, past, bias) = _split(s, packed, sizes), inputs
    if past is not None:
        s.check_rank(past, 5, "the past")
        keys, values = (s.op("Squeeze", s.slice(past, 0, k, k + 1), s.integers([0])) for k in (0, 1))
        parts = HeadParts(parts.q, grown(s, keys, parts.k), grown(s, values, parts.v))
    made = attended(s, *parts, Scores(s.node.attributes.get("scale", 0.0), _biases(s, parts, mask, bias)))
    results = [s.finish_heads(made)]
    if s.node.wants(1):
        results.append(s.concat([s.unsqueeze(part, 0) for part in parts[1:]], 0))
    return results


def _sizes(s: Steps, weights: SSAValue) -> Sequence[int]:
    """The widths of queries, keys and values in a projection [depth, widths beside each other]."""
    s.check_rank(weights, 2, "the weights")
    width = s.shape(weights)[1]
    sizes = s.node.attributes.get("qkv_hidden_sizes")
    if not isinstance(width, int):
        raise ValueError("how many columns the weights have is not known")
    if sizes is None:
        if width % 3:
            raise ValueError(f"{width} columns of the weights are not those of queries, keys and values")
        return [width // 3] * 3
    if len(sizes) != 3 or sum(sizes) != width or min(sizes) < 1:
        raise ValueError(f"qkv_hidden_sizes is {sizes}, for {width} columns of the weights")
    return sizes


_UNSUPPORTED = {
    "do_rotary": "rotary embedding within the node",
    "past_present_share_buffer": "a past that shares its buffer with the present",
}


def _attention(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    refuse(node, {6: "past_sequence_length"}, _UNSUPPORTED)
    s = Steps(b, node)
    s.check_rank(node.input(0), 3, "the input")
    packed = with_bias(b, node, s.op("MatMul", node.input(0), node.input(1)), node.optional(2))
    inputs = [node.optional(k) for k in (3, 4, 5)]
    return _of_packed(s, packed, _sizes(s, node.input(1)), inputs)


def _quantized_attention(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    refuse(node, {}, _UNSUPPORTED)
    s = Steps(b, node)
    s.check_rank(node.input(0), 3, "the input")
    product = [node.input(0), node.input(1), node.optional(6), node.optional(7)]
    packed = with_bias(b, node, scaled_product(b, node, product, [node.input(3), node.input(4)]), node.input(2))
    return _of_packed(s, packed, _sizes(s, node.input(1)), [node.optional(5), node.optional(8), None])


def _multi_head(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    refuse(node, {8: "past_sequence_length", 9: "cache_indirection"})
    if node.wants(3):
        raise ValueError("scores as a result are not supported")
    s = Steps(b, node)
    parts = _given_parts(s)
    past = node.optional(6), node.optional(7)
    parts = HeadParts(parts.q, *(grown(s, p, part) for p, part in zip(past, parts[1:], strict=True)))
    bias = _biases(s, parts, node.optional(4), node.optional(5))
    made = attended(s, *parts, Scores(node.attributes.get("scale", 0.0), bias))
    return [s.finish_heads(made), *parts[1:]][: max(len(node.outputs), 1)]


def _given_parts(s: Steps) -> HeadParts:
    """Queries, keys and values of a MultiHeadAttention, with the bias of their projections."""
    node, heads = s.node, s.node.attributes["num_heads"]
    query, key, value, bias = node.input(0), node.optional(1), node.optional(2), node.optional(3)
    rank = s.b.rank(query)
    if rank == 5 and (key is not None or value is not None):
        raise ValueError("queries that are packed with keys and values have neither beside them")
    packed = [] if key is None else [key] if s.b.rank(key) == 5 else []
    if rank == 5 or packed:
        parts = [] if rank == 5 else [_beside(s, query, bias, 0)]
        source, count = (query, 3) if rank == 5 else (packed[0], 2)
        if value is not None or s.shape(source)[2:4] != (heads, count):
            raise ValueError(f"packed heads have the axes [batch, length, {heads}, {count}, size]")
        if bias is not None and rank == 5:
            raise ValueError("the bias of packed queries, keys and values is not supported")
        if bias is not None:
            raise ValueError("the bias of packed keys and values is not supported")
        for number in range(count):
            part = s.op("Squeeze", s.slice(source, 3, number, number + 1), s.integers([3]))
            parts.append(s.transpose(part, 0, 2, 1, 3))
        return HeadParts(*parts)
    if key is None or value is None:
        raise ValueError("keys and values are missing, and the queries are not packed with them")
    if s.b.rank(key) == 4:  # of another sequence, as the cache has them
        if s.b.rank(value) != 4 or node.optional(6) is not None:
            raise ValueError("keys in heads have values in heads beside them, and no past")
        return HeadParts(_beside(s, query, bias, 0), key, value)
    s.check_rank(query, 3, "a projection")
    width = s.shape(query)[2]
    if not isinstance(width, int):
        raise ValueError("the size of the queries is not known")
    return HeadParts(*(_beside(s, x, bias, k * width) for k, x in enumerate((query, key, value))))


def _beside(s: Steps, x: SSAValue, bias: SSAValue | None, start: int) -> SSAValue:
    """[batch, length, heads * size] plus its part of the bias, in heads."""
    s.check_rank(x, 3, "a projection")
    width = s.shape(x)[2]
    if bias is not None:
        if not isinstance(width, int):
            raise ValueError("the size of the projections is not known")
        x = s.op("Add", x, s.slice(bias, 0, start, start + width))
    return s.heads(x, s.node.attributes["num_heads"])


_ATTRIBUTES = {"mask_filter_value": MASKED, "num_heads": REQUIRED, "scale": 0.0, "unidirectional": 0}
_SHARED = {"do_rotary": 0, "past_present_share_buffer": 0}
ATTENTION_OPS: Mapping[str, DeclaredOp] = {
    "Attention": DeclaredOp(
        _attention, (2, 7), {**_ATTRIBUTES, **_SHARED, "qkv_hidden_sizes": None, "rotary_embedding_dim": 0}
    ),
    "MultiHeadAttention": DeclaredOp(_multi_head, (1, 10), _ATTRIBUTES),
    "QAttention": DeclaredOp(_quantized_attention, (5, 9), {**_ATTRIBUTES, **_SHARED}),
}
