"""
Attention of ONNX's own domain, where less has to be computed than its body says.

The body multiplies queries and keys with the root of the scale, and repeats each head of keys for the queries that read
it. Here scores are scaled, and queries that share a head of keys are the rows of one product.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from onnx import TensorProto
from xdsl.ir import SSAValue

from lastuse.frontends.onnx.attention import Scores, Steps, attended, causal_bias, chosen, grown
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder
from lastuse.frontends.onnx.byte_products import finish

_PRECISIONS = (None, 0, TensorProto.FLOAT)


def _attention(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue] | None:
    """The results of a node on f32; None for one that needs its body."""
    attributes, s = node.attributes, Steps(b, node)
    windows = [attributes.get(name, -1) for name in ("left_window_size", "right_window_size")]
    if (
        node.wants(3)
        or node.optional(6) is not None
        or attributes.get("softmax_precision") not in _PRECISIONS
        or max(windows) >= 0
        or attributes.get("scale") == 0
        or (attributes.get("is_causal") and node.optional(3) is not None)
        or any(b.dtype(node.input(number)) != "f32" for number in range(3))
    ):
        return None
    parts = _parts(s)
    if parts is None:
        return None
    q, k, v = parts
    (heads, length, size), groups = s.shape(q)[1:], s.shape(k)[1]
    if not isinstance(heads, int) or not isinstance(groups, int) or not isinstance(size, int) or heads % groups:
        return None
    shared = heads // groups
    if s.shape(k)[3] != size or (shared > 1 and s.shape(v)[3] != size) or s.shape(v)[1] != groups:
        return None
    if attributes.get("is_causal") and s.shape(k)[2] != length:
        return None  # the last query does not read the last key
    past = node.optional(4), node.optional(5)
    if (past[0] is None) != (past[1] is None):
        return None
    k, v = (grown(s, p, x) for p, x in zip(past, (k, v), strict=True))
    mask, bias, any_key = node.optional(3), None, None
    if mask is not None:
        if not _fits(s, mask, k, heads):
            return None
        bias, any_key = _mask_bias(s, mask, q)
    if attributes.get("is_causal"):
        bias = causal_bias(s, q, k)
        bias = s.unsqueeze(bias, 0, 1)
    scores = Scores(attributes.get("scale", 0.0), bias, attributes.get("softcap", 0.0))
    made = attended(s, q, k, v, scores, shared)
    if any_key is not None:  # a query that reads no key has a result of zeros
        made = s.op("Where", any_key, made, s.number(0, made))
    if b.rank(node.input(0)) == 3:
        first = s.finish_heads(made)
    else:
        first = finish(b, node, "Identity", made)
    return [first, k, v][: max(len(node.outputs), 1)]


def _parts(s: Steps) -> Sequence[SSAValue] | None:
    """Queries, keys and values in heads; None where they are given otherwise than the schema says."""
    given = [s.node.input(number) for number in range(3)]
    ranks = {s.b.rank(x) for x in given}
    if ranks == {4}:
        return given
    counts = [int(s.node.attributes.get(f"{what}_num_heads") or 0) for what in ("q", "kv", "kv")]
    if ranks != {3} or min(counts) < 1:
        return None
    widths = [s.shape(x)[2] for x in given]
    if any(not isinstance(w, int) or w % n for w, n in zip(widths, counts, strict=True)):
        return None
    return [s.heads(x, count) for x, count in zip(given, counts, strict=True)]


def _fits(s: Steps, mask: SSAValue, keys: SSAValue, heads: int) -> bool:
    """Whether a mask has all keys, and each head or one for all."""
    shape = s.shape(mask)
    return (
        2 <= len(shape) <= 4
        and shape[-1] == s.shape(keys)[2]
        and s.b.dtype(mask) in ("i1", "f32")
        and (len(shape) < 3 or shape[-3] in (1, heads))
    )


def _mask_bias(s: Steps, mask: SSAValue, q: SSAValue) -> tuple[SSAValue, SSAValue]:
    """What a mask adds to scores, with four axes, and for each query whether it leaves a key."""

    def make() -> SSAValue:
        bias = chosen(s, mask, q, -np.inf) if s.b.dtype(mask) == "i1" else mask
        return s.unsqueeze(bias, *range(4 - s.b.rank(bias))) if s.b.rank(bias) < 4 else bias

    def left() -> SSAValue:
        largest = s.op("ReduceMax", bias, s.integers([-1]), keepdims=1, noop_with_empty_axes=0)
        return s.op("Greater", largest, s.number(-np.inf, largest))

    bias = s.b.once(("mask of scores", mask), make)
    return bias, s.b.once(("any key", mask), left)


DIRECT: Mapping[str, Callable[[OnnxBuilder, GraphNode], Sequence[SSAValue] | None]] = {"Attention": _attention}
"""Handlers of ops that have a body: None where a node needs it."""
