"""
GroupQueryAttention of onnxruntime's own domain, as its schema defines it, with the meaning that it has on CPUs.

A cache of keys or values [batch, key heads, capacity, size] gets those of the new tokens: at its start where as many
tokens are given as there are in all, else behind the tokens that each sequence had before. The scatter is in place over
a cache that dies there; a cache that is too short becomes longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from xdsl.ir import SSAValue

from lastuse.frontends.onnx.attention import Scores, Steps, attended, chosen, counted, lowest
from lastuse.frontends.onnx.attention_ops import HeadParts, refuse
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder
from lastuse.frontends.onnx.byte_products import constant
from lastuse.frontends.onnx.declared_ops import REQUIRED, DeclaredOp
from lastuse.frontends.onnx.rotary import angles_at, rotated


class TokenPlaces(NamedTuple):
    """Where the tokens of a run are in their sequences, i64.

    Attributes:
        total: [1], how many tokens the longest sequence has after the run.
        lengths: [batch], how many each has.
        is_prompt: without axes, whether the run has all tokens of the sequences.
        starts: [batch], the first new token.
        rows: [batch, length], each new token.
    """

    total: SSAValue
    lengths: SSAValue
    is_prompt: SSAValue
    starts: SSAValue
    rows: SSAValue


def _places(s: Steps, query: SSAValue, lengths: SSAValue, total: SSAValue) -> TokenPlaces:
    one = s.wide(s.reshape(total, [1]))
    count = s.op("Shape", query, start=1, end=2)
    is_prompt = s.op("Equal", one, count)
    after = s.op("Add", s.wide(s.reshape(lengths, [-1])), s.index(1))
    starts = s.op("Where", is_prompt, s.index(0), s.op("Sub", after, count))
    rows = s.op("Add", s.unsqueeze(starts, 1), s.wide(counted(s, query, 1)))
    return TokenPlaces(one, after, is_prompt, starts, rows)


def _shared_places(s: Steps, query: SSAValue, lengths: SSAValue, total: SSAValue) -> TokenPlaces:
    """`_places`, once for all nodes of the same tokens."""
    key, made = ("places", s.shape(query)[:2], lengths, total), list[TokenPlaces]()

    def part(number: int) -> SSAValue:
        if not made:
            made.append(_places(s, query, lengths, total))
        return made[0][number]

    return TokenPlaces(*(s.b.once((*key, number), lambda number=number: part(number)) for number in range(5)))


def _hidden(s: Steps, like: SSAValue, keys: SSAValue, at: TokenPlaces, window: int, causal: bool) -> SSAValue:
    """[batch, 1, length, keys]: what hides the keys that a token does not see."""
    columns = counted(s, keys, 2)
    if not causal:
        lengths = s.floats(s.unsqueeze(at.lengths, 1, 2, 3))
        return chosen(s, s.op("Less", columns, lengths), like, lowest(s, like))
    rows = s.floats(s.unsqueeze(at.rows, 1, 3))
    visible = s.op("LessOrEqual", columns, rows)
    if window > 0:
        visible = s.op("And", visible, s.op("Greater", columns, s.op("Sub", rows, s.number(window, rows))))
    return chosen(s, visible, like, lowest(s, like))


def _heads(s: Steps) -> HeadParts:
    """Queries, keys and values [batch, length, heads, size], which may be packed in the first input."""
    node, heads, groups = s.node, s.node.attributes["num_heads"], s.node.attributes["kv_num_heads"]
    if heads < 1 or groups < 1 or heads % groups:
        raise ValueError(f"{heads} heads of queries are no multiple of {groups} heads of keys")
    query, key, value = node.input(0), node.optional(1), node.optional(2)
    s.check_rank(query, 3, "the queries")
    width = s.shape(query)[2]
    if (key is None) != (value is None):
        raise ValueError("keys and values are both given or both packed with the queries")
    count = heads if key is not None else heads + 2 * groups
    if not isinstance(width, int):
        raise ValueError("the size of the queries is not known")
    if width % count:
        raise ValueError(f"{width} elements are not {count} heads")
    if key is not None and value is not None:
        return HeadParts(*(s.reshape(x, [0, 0, n, -1]) for x, n in ((query, heads), (key, groups), (value, groups))))
    packed = s.reshape(query, [0, 0, count, -1])
    bounds = (0, heads, heads + groups, count)
    return HeadParts(*(s.slice(packed, 2, start, end) for start, end in pairwise(bounds)))


def _positions(s: Steps, at: TokenPlaces) -> SSAValue:
    """[batch, length]: where tokens are for the angles. Of a prompt only the first position that is given counts."""
    given = s.node.optional(9)
    if given is None:
        return at.rows
    s.check_rank(given, 2, "position_ids")
    first = s.slice(s.slice(given, 0, 0, 1), 1, 0, 1)
    following = s.op("Add", s.wide(first), s.wide(counted(s, s.node.input(0), 1)))
    return s.op("Where", at.is_prompt, following, s.wide(given))


def _present(s: Steps, past: SSAValue | None, new: SSAValue, at: TokenPlaces) -> SSAValue:
    """The cache with new keys or values [batch, groups, length, size]."""
    if past is None:
        return new
    s.check_rank(past, 4, "a cache")
    more = s.op("Max", s.op("Sub", at.total, s.op("Shape", past, start=2, end=3)), s.integers([0]))
    pads = s.concat([s.integers([0] * 6), more, s.integers([0])], 0)
    longer = s.op("Pad", past, pads, s.number(0.0, past), mode="constant")
    return s.op("TensorScatter", longer, new, at.starts, axis=-2, mode="linear")


_UNREAD = {
    12: "a quantised cache",
    13: "a quantised cache",
    14: "a normalisation of queries",
    15: "a normalisation of keys",
    16: "query_seqlens",
}
_UNREAD_ATTRIBUTES = {
    "qk_output": "scores as a result",
    "sliding_window_cache": "a cache that is as long as the window",
    "kv_cache_bit_width": "a quantised cache",
}


def _grouped(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    refuse(node, _UNREAD, _UNREAD_ATTRIBUTES)
    for name in ("k_quant_type", "v_quant_type"):
        if node.attributes[name] != "NONE":
            raise ValueError("a quantised cache is not supported")
    if node.wants(3):
        raise ValueError("scores as a result are not supported")
    past = node.optional(3), node.optional(4)
    if (past[0] is None) != (past[1] is None):
        raise ValueError("past keys and past values are both given or both left out")
    attributes, s = node.attributes, Steps(b, node)
    at = _shared_places(s, node.input(0), node.input(5), node.input(6))
    q, k, v = _heads(s)
    if attributes["do_rotary"]:
        positions = _positions(s, at)
        angles = [angles_at(s, node.input(number), positions, 2) for number in (7, 8)]
        q, k = (rotated(s, x, *angles, interleaved=bool(attributes["rotary_interleaved"])) for x in (q, k))
    q, k, v = (s.transpose(x, 0, 2, 1, 3) for x in (q, k, v))
    present = [_present(s, p, new, at) for p, new in zip(past, (k, v), strict=True)]
    keys, values = present if past[0] is None else (s.slice(x, 2, 0, at.total) for x in present)
    window, causal = attributes["local_window_size"], bool(attributes["causal"])
    if window > 0 and not causal:
        raise ValueError("a window without a causal mask is not supported")
    key = ("hidden", at.rows, past[0] is None, b.dtype(q), window, causal)
    masks = b.once(key, lambda: _hidden(s, q, keys, at, window, causal))
    sink = node.optional(11)
    if sink is None and attributes["smooth_softmax"] > 0:
        sink = constant(b, node, np.zeros(attributes["num_heads"], np.float32), "sink")
    scores = Scores(attributes["scale"], s.both(node.optional(10), masks), attributes["softcap"], sink)
    shared = attributes["num_heads"] // attributes["kv_num_heads"]
    made = s.finish_heads(attended(s, q, keys, values, scores, shared))
    return [made, *present][: len(node.outputs)]


GROUPED_OPS: Mapping[str, DeclaredOp] = {
    "GroupQueryAttention": DeclaredOp(
        _grouped,
        (7, 17),
        {
            "causal": 1,
            "do_rotary": 0,
            "k_norm_epsilon": float,
            "k_quant_type": "NONE",
            "kv_cache_bit_width": 0,
            "kv_num_heads": REQUIRED,
            "local_window_size": -1,
            "num_heads": REQUIRED,
            "q_norm_epsilon": float,
            "qk_norm_epsilon": float,
            "qk_output": 0,
            "rotary_interleaved": 0,
            "scale": 0.0,
            "sliding_window_cache": 0,
            "smooth_softmax": 0,
            "softcap": 0.0,
            "v_quant_type": "NONE",
        },
    )
}
