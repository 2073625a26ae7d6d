"""GroupQueryAttention and RotaryEmbedding: results are those of the definition, and of onnxruntime."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from node_models import Array, NodeModel, check

import lastuse
from lastuse.dialect.ir.diagnostics import LastuseError
from support import opt_tool

ort = pytest.importorskip("onnxruntime")
RNG = np.random.default_rng(1)
H = 16


def normal(*shape: int) -> Array:
    return RNG.normal(size=shape).astype(np.float32)


COSINES, SINES = normal(32, H // 2), normal(32, H // 2)


def turned(x: Array, positions: Array, cosines: Array, sines: Array, interleaved: bool = False) -> Array:
    """[batch, length, heads, size], whose first elements are pairs that are turned by the angles of their position."""
    cos, sin = (np.asarray(table)[positions][:, :, None].astype(np.float64) for table in (cosines, sines))
    pairs, made = cos.shape[-1], x.astype(np.float64)
    first, second = (
        (slice(0, 2 * pairs, 2), slice(1, 2 * pairs, 2)) if interleaved else (slice(pairs), slice(pairs, 2 * pairs))
    )
    a, b = made[..., first].copy(), made[..., second].copy()
    made[..., first], made[..., second] = a * cos - b * sin, a * sin + b * cos
    return made


def definition(inputs: Mapping[str, Array | None], attributes: Mapping[str, Any]) -> list[Array]:
    """The output and both caches, of which only the tokens of a sequence are compared."""
    heads, groups = attributes["num_heads"], attributes["kv_num_heads"]
    query, lengths = inputs["q"], inputs["lengths"]
    assert query is not None and lengths is not None
    batch, length = query.shape[:2]
    if inputs["k"] is None:
        q, k, v = np.split(query.reshape(batch, length, -1, H), [heads, heads + groups], 2)
    else:
        q, k, v = (np.asarray(inputs[name]).reshape(batch, length, -1, H) for name in "qkv")
    totals, total = lengths + 1, int(np.asarray(inputs["total"])[0])
    starts = np.where(length == total, 0, totals - length)
    positions = starts[:, None] + np.arange(length)
    if attributes.get("do_rotary"):
        given = inputs.get("positions")
        at = positions if given is None else given[0, 0] + np.arange(length)[None] if length == total else given
        angles = (COSINES, SINES, bool(attributes.get("rotary_interleaved")))
        q, k = (turned(x, at, *angles) for x in (q, k))
    caches: list[Array] = []
    for past, new in ((inputs["pk"], k), (inputs["pv"], v)):
        size = max(total, 0 if past is None else past.shape[2])
        cache = np.zeros((batch, groups, size, H))
        if past is not None:
            cache[:, :, : past.shape[2]] = past
        for row, start in enumerate(starts):
            cache[row, :, start : start + length] = new[row].transpose(1, 0, 2)
        caches.append(cache)
    y = np.zeros((batch, length, heads * H))
    bias, window, sink = inputs.get("bias"), attributes.get("local_window_size", -1), inputs.get("sink")
    if sink is None and attributes.get("smooth_softmax"):
        sink = np.zeros(heads)
    for row in range(batch):
        for head in range(heads):
            keys, values = (cache[row, head * groups // heads] for cache in caches)
            for token in range(length):
                at = positions[row, token]
                last = at + 1 if attributes.get("causal", 1) else totals[row]
                first = max(0, at + 1 - window) if window > 0 else 0
                scores = keys[first:last] @ q[row, token, head] * (attributes.get("scale") or H**-0.5)
                if attributes.get("softcap"):
                    scores = np.tanh(scores / attributes["softcap"]) * attributes["softcap"]
                if bias is not None:
                    scores = scores + bias[row % len(bias), head % bias.shape[1], token, first:last]
                weights = np.exp(scores)
                below = weights.sum() + (0 if sink is None else np.exp(sink[head]))
                y[row, token, head * H : (head + 1) * H] = weights / below @ values[first:last]
    return [y, *caches]


def node_of(
    lengths: Sequence[int], length: int, capacity: int | None, heads: tuple[int, int] = (4, 2), **attributes: Any
) -> tuple[dict[str, Array | None], dict[str, Any]]:
    """A node for sequences that have `lengths` tokens after the run."""
    batch, (count, groups) = len(lengths), heads
    cache = None if capacity is None else (batch, groups, capacity, H)
    rotary = attributes.get("do_rotary")
    inputs: dict[str, Array | None] = {
        "q": normal(batch, length, count * H),
        "k": normal(batch, length, groups * H),
        "v": normal(batch, length, groups * H),
        "pk": None if cache is None else normal(*cache),
        "pv": None if cache is None else normal(*cache),
        "lengths": np.array(lengths, np.int32) - 1,
        "total": np.array([max(lengths)], np.int32),
        "cosines": COSINES if rotary else None,
        "sines": SINES if rotary else None,
        "positions": None,
        "bias": None,
        "sink": None,
    }
    return inputs, {"num_heads": count, "kv_num_heads": groups, **attributes}


def with_inputs(node: tuple[dict[str, Array | None], dict[str, Any]], **inputs: Array | None) -> Any:
    return {**node[0], **inputs}, node[1]


NODES = {
    "prompt": node_of([5], 5, 8, do_rotary=1),
    "interleaved": node_of([5], 5, 8, do_rotary=1, rotary_interleaved=1),
    "token": node_of([5, 3], 1, 8, do_rotary=1),
    "tokens": node_of([7], 3, 8, do_rotary=1),
    "cache grows": node_of([7, 7], 1, 6, do_rotary=1),
    "no cache": node_of([5, 5], 5, None, (4, 4)),
    "window": node_of([7], 7, 8, local_window_size=3),
    "window of a token": node_of([9], 1, 16, local_window_size=3),
    "cap": node_of([7], 7, 8, softcap=2.0, scale=0.7),
    "smooth": node_of([7], 7, 8, smooth_softmax=1),
    "not causal": node_of([4], 4, 8, causal=0),
    "packed": with_inputs(node_of([7], 7, 8, (4, 1), do_rotary=1), q=normal(1, 7, 6 * H), k=None, v=None),
    "bias": with_inputs(node_of([7, 4], 1, 8, softcap=1.5), bias=normal(2, 4, 1, 7)),
    "one bias": with_inputs(node_of([4], 4, 8), bias=normal(1, 1, 4, 4)),
    "sink": with_inputs(node_of([4], 4, 8), sink=normal(4)),
    "position": with_inputs(node_of([4], 1, 8, do_rotary=1), positions=np.array([[9]])),
    "positions": with_inputs(node_of([3], 3, 8, do_rotary=1), positions=np.array([[2, 9, 1]])),
}


@pytest.mark.parametrize("name", NODES)
def test_grouped_attention(name: str) -> None:
    inputs, attributes = NODES[name]
    wanted = dict(zip(("y", "keys", "values"), definition(inputs, attributes), strict=True))
    model = NodeModel("GroupQueryAttention", inputs, attributes, list(wanted))
    got, naive, theirs = model.results(), model.results(inplace=False, plan=False), model.results_of_onnxruntime()
    for output, want in wanted.items():
        np.testing.assert_array_equal(got[output], naive[output])
        for other in (want, theirs[output]):
            assert got[output].shape == other.shape
            for row, last in enumerate(np.asarray(inputs["lengths"]) + 1):
                kept = (row,) if output == "y" else (row, slice(None), slice(last))
                np.testing.assert_allclose(got[output][kept], other[kept], rtol=1e-5, atol=2e-6, err_msg=output)


def test_one_program_decodes_step_by_step() -> None:
    """How many tokens there are is not known when the model is read; a step reads the cache that the last one made."""
    inputs, attributes = node_of([4], 4, 12, do_rotary=1)
    model = NodeModel("GroupQueryAttention", inputs, attributes, ["y", "keys", "values"])
    program = lastuse.compile(model.serialized({"q": (1,), "k": (1,), "v": (1,)}), threads=1)
    given = model.given()
    for total, length in ((4, 4), (5, 1), (6, 1), (9, 3)):
        given |= {"lengths": np.array([total - 1], np.int32), "total": np.array([total], np.int32)}
        given |= {name: normal(1, length, given[name].shape[2]) for name in "qkv"}
        got = program.run(given)
        wanted = definition({**inputs, **given}, attributes)
        for output, want in zip(("y", "keys", "values"), wanted, strict=True):
            np.testing.assert_allclose(got[output], want, rtol=1e-5, atol=2e-6)
        given |= {"pk": got["keys"], "pv": got["values"]}


@pytest.mark.parametrize(
    ("inputs", "attributes", "said"),
    [
        ({}, {"num_heads": 3}, "3 heads of queries are no multiple of 2 heads of keys"),
        ({"k": None}, {}, "keys and values are both given or both packed"),
        ({"pk": None}, {}, "past keys and past values are both given or both left out"),
        ({}, {"num_heads": 6}, "64 elements are not 6 heads"),
        ({}, {"qk_output": 1}, "scores as a result is not supported"),
        ({}, {"sliding_window_cache": 1}, "a cache that is as long as the window is not supported"),
        ({}, {"k_quant_type": "PER_TENSOR"}, "a quantised cache is not supported"),
        ({}, {"causal": 0, "local_window_size": 3}, "a window without a causal mask"),
        ({"sink": normal(3)}, {}, "the sink of each head has 3 elements, not 4"),
    ],
    ids=lambda part: part[:30] if isinstance(part, str) else "",
)
def test_what_is_not_read_is_one_error(inputs: Mapping[str, Any], attributes: Mapping[str, Any], said: str) -> None:
    given, own = node_of([5], 5, 8)
    with pytest.raises(LastuseError, match=said) as caught:
        lastuse.compile(NodeModel("GroupQueryAttention", {**given, **inputs}, {**own, **attributes}).serialized())
    assert str(caught.value).startswith("<bytes>:1:1: error: ")


@pytest.mark.parametrize(
    ("width", "attributes", "said"),
    [
        (0, {}, "the table of cosines columns whose number is known"),
        (H, {"is_packed_batching": 1}, "ragged batches are not supported"),
        (H, {"rotary_embedding_dim": H}, "rotary_embedding_dim needs num_heads"),
        (H, {"num_heads": 4, "rotary_embedding_dim": 8}, "the table has angles for 16 elements"),
        (3 * H, {}, "64 elements are not heads that the angles are for"),
    ],
)
def test_rotary_embeddings_that_are_not_read(width: int, attributes: Mapping[str, Any], said: str) -> None:
    inputs = {"x": normal(2, 3, 4 * H), "at": np.array([5]), "c": normal(9, width // 2), "s": normal(9, width // 2)}
    with pytest.raises(LastuseError, match=said):
        lastuse.compile(NodeModel("RotaryEmbedding", inputs, attributes).serialized())


POSITIONS = np.array([[3, 1, 4], [9, 2, 6]])
ROTARY = {
    "in heads": (normal(2, 4, 3, H), POSITIONS, H, {}),
    "beside each other": (normal(2, 3, 4 * H), POSITIONS, H, {}),
    "offset": (normal(2, 3, 4 * H), np.array([5]), H, {}),
    "interleaved": (normal(2, 3, 4 * H), POSITIONS, H, {"interleaved": 1}),
    "part": (normal(2, 3, 4 * H), POSITIONS, H // 2, {"num_heads": 4, "rotary_embedding_dim": H // 2}),
    "interleaved part": (
        normal(2, 3, 4 * H),
        POSITIONS,
        H // 2,
        {"num_heads": 4, "rotary_embedding_dim": H // 2, "interleaved": 1},
    ),
}


@pytest.mark.parametrize("name", ROTARY)
def test_rotary_embedding(name: str) -> None:
    x, positions, width, attributes = ROTARY[name]
    cosines, sines = COSINES[:, : width // 2].copy(), SINES[:, : width // 2].copy()
    heads = x.transpose(0, 2, 1, 3) if x.ndim == 4 else x.reshape(2, 3, 4, H)
    at = positions if positions.ndim == 2 else positions + np.arange(3)[None]
    wanted = turned(heads, at, cosines, sines, bool(attributes.get("interleaved")))
    wanted = wanted.transpose(0, 2, 1, 3) if x.ndim == 4 else wanted.reshape(x.shape)
    model = NodeModel("RotaryEmbedding", {"x": x, "at": positions, "cosines": cosines, "sines": sines}, attributes)
    check(model, {"y": wanted}, model.results_of_onnxruntime())


def test_one_size_decodes_all_tokens(tmp_path: Path) -> None:
    """Where the total is that of the buffer, only lengths change; a cache that may be written is written in place."""
    inputs, attributes = node_of([12], 1, 12)
    model = NodeModel("GroupQueryAttention", inputs, attributes, ["y", "keys", "values"], ("total",))
    program = lastuse.compile(model.serialized(), threads=1)
    given = model.given()
    for total in (1, 5, 12):
        given |= {"lengths": np.array([total - 1], np.int32)}
        got = program.run(given)
        wanted = definition({**inputs, **given}, attributes)
        for output, want in zip(("y", "keys", "values"), wanted, strict=True):
            np.testing.assert_allclose(got[output], want, rtol=1e-5, atol=2e-6)
        given |= {"pk": got["keys"], "pv": got["values"]}
    (tmp_path / "node.onnx").write_bytes(model.serialized())
    text = opt_tool("--refine-pass", str(tmp_path / "node.onnx")).out
    caches = re.sub(r"(%p[kv]: tensor<1x2x12x16xf32> \{)", r"\1dnn.donated, ", text)
    (tmp_path / "node.mlir").write_text(caches)
    decided = opt_tool("--inplace-pass", str(tmp_path / "node.mlir")).out
    assert len(re.findall(r'"dnn.tensor_scatter"[^\n]*dnn.inplace = array<i32: 0>', decided)) == 2
