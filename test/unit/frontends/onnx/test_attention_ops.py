"""Attention, MultiHeadAttention and QAttention: results are those of the definition, and of onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from node_models import Array, Arrays, NodeModel, check

import lastuse
from lastuse.dialect.ir.diagnostics import LastuseError

ort = pytest.importorskip("onnxruntime")
RNG = np.random.default_rng(0)
B, S, N, H = 2, 5, 3, 4
D = N * H


def normal(*shape: int) -> Array:
    return RNG.normal(size=shape).astype(np.float32)


def split(x: Array, heads: int = N) -> Array:
    """[batch, length, heads * size] in heads."""
    return x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)


def hidden(mask: Array, batch: int, length: int, keys: int) -> Array:
    """[batch, length, keys], where the mask hides a key."""
    if mask.ndim == 3:
        return mask == 0
    columns = np.arange(keys)
    if mask.ndim == 2:
        visible = mask > 0
    elif len(mask) == batch:
        visible = columns < mask[:, None]
    else:
        visible = (columns < mask[:batch, None]) & (columns >= mask[batch:, None])
    return np.broadcast_to(~visible[:, None], (batch, length, keys))


def attention(
    q: Array, k: Array, v: Array, mask: Array | None, bias: Array | None, attributes: Mapping[str, Any]
) -> Array:
    """The definition, in f64, of parts in heads; the heads of the result are beside each other."""
    batch, _, length, size = q.shape
    keys = k.shape[2]
    scores = q.astype(np.float64) @ k.transpose(0, 1, 3, 2) * (attributes.get("scale") or size**-0.5)
    if bias is not None:
        scores += bias
    if mask is not None:
        scores += np.where(hidden(mask, batch, length, keys), attributes.get("mask_filter_value", -10000.0), 0)[:, None]
    if attributes.get("unidirectional"):
        later = np.arange(keys) > np.arange(length)[:, None] + keys - length
        scores = np.where(later, scores + np.finfo(np.float32).min, scores)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    made = weights / weights.sum(-1, keepdims=True) @ v
    return made.transpose(0, 2, 1, 3).reshape(batch, length, -1)


X, W, BIAS = normal(B, S, D), normal(D, 3 * D), normal(3 * D)
PAST = normal(2, B, N, 3, H)
MASKS = {
    "raw": np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]], np.int32),
    "ends": np.array([5, 3], np.int32),
    "ends and starts": np.array([5, 4, 2, 1], np.int32),
    "rows": (RNG.random((B, S, S)) < 0.6).astype(np.int32),
}
NODES: dict[str, tuple[Arrays, Mapping[str, Any]]] = {
    "plain": ({"x": X, "w": W, "b": BIAS}, {}),
    "without bias": ({"x": X, "w": W}, {}),
    "scale": ({"x": X, "w": W, "b": BIAS}, {"scale": 0.3}),
    "causal": ({"x": X, "w": W, "b": BIAS}, {"unidirectional": 1}),
    **{f"mask {name}": ({"x": X, "w": W, "b": BIAS, "m": mask}, {}) for name, mask in MASKS.items()},
    "mask value": ({"x": X, "w": W, "b": BIAS, "m": MASKS["raw"]}, {"mask_filter_value": -2.0}),
    "causal mask": ({"x": X, "w": W, "b": BIAS, "m": MASKS["raw"]}, {"unidirectional": 1}),
    "past": ({"x": X, "w": W, "b": BIAS, "m": None, "past": PAST}, {"unidirectional": 1}),
    "past mask": (
        {"x": X, "w": W, "b": BIAS, "m": np.array([[1] * 8, [0, 0, 1, 1, 1, 1, 1, 0]], np.int32), "past": PAST},
        {},
    ),
    "sizes": ({"x": X, "w": normal(D, 60), "b": normal(60)}, {"qkv_hidden_sizes": [24, 24, 12]}),
    "bias of scores": ({"x": X, "w": W, "b": BIAS, "m": None, "past": None, "a": normal(1, N, S, S)}, {}),
}


@pytest.mark.parametrize("name", NODES)
def test_attention(name: str) -> None:
    inputs, attributes = NODES[name]
    x, w, b, past = (inputs.get(key) for key in ("x", "w", "b", "past"))
    assert x is not None and w is not None
    sizes = attributes.get("qkv_hidden_sizes", [w.shape[1] // 3] * 3)
    packed = x.astype(np.float64) @ w + (0 if b is None else b)
    q, k, v = (split(part) for part in np.split(packed, np.cumsum(sizes)[:2], axis=2))
    if past is not None:
        k, v = (np.concatenate([p, new], 2) for p, new in zip(past, (k, v), strict=True))
    wanted = {"y": attention(q, k, v, inputs.get("m"), inputs.get("a"), attributes)}
    if past is not None:
        wanted["present"] = np.stack([k, v])
    model = NodeModel(
        "Attention", inputs, {"num_heads": N, **attributes}, list(wanted), () if name == "plain" else ("w",)
    )
    check(model, wanted, model.results_of_onnxruntime(), atol=1e-5)


Q, K, V = normal(B, S, D), normal(B, 7, D), normal(B, 7, 2 * D)
KEYS, VALUES = normal(B, N, 4, H), normal(B, N, 4, H)
MULTI: dict[str, tuple[Arrays, Mapping[str, Any]]] = {
    "plain": ({"q": Q, "k": K, "v": V}, {}),
    "bias": ({"q": Q, "k": K, "v": V, "b": normal(4 * D)}, {}),
    "mask": ({"q": Q, "k": K, "v": V, "b": None, "m": np.array([[1] * 7, [1, 1, 0, 0, 1, 0, 0]], np.int32)}, {}),
    "ends": ({"q": Q, "k": K, "v": V, "b": None, "m": np.array([7, 2], np.int32)}, {}),
    "causal": ({"q": Q, "k": normal(B, S, D), "v": normal(B, S, D)}, {"unidirectional": 1}),
    "bias of scores": ({"q": Q, "k": K, "v": V, "b": None, "m": None, "a": normal(B, 1, S, 7)}, {"scale": 0.4}),
    "past": (
        {"q": Q, "k": normal(B, S, D), "v": normal(B, S, D), "b": normal(3 * D), "m": None, "a": None}
        | {"pk": KEYS, "pv": VALUES},
        {"unidirectional": 1},
    ),
    "one token": (
        {"q": normal(B, 1, D), "k": normal(B, 1, D), "v": normal(B, 1, D), "b": None, "m": None, "a": None}
        | {"pk": KEYS, "pv": VALUES},
        {},
    ),
    "keys in heads": ({"q": Q, "k": KEYS, "v": VALUES}, {}),
    "packed": ({"q": normal(B, S, N, 3, H)}, {}),
    "packed keys": ({"q": Q, "k": normal(B, 7, N, 2, H)}, {}),
}


@pytest.mark.parametrize("name", MULTI)
def test_multi_head_attention(name: str) -> None:
    inputs, attributes = MULTI[name]
    q, k, v, b = (inputs.get(key) for key in "qkvb")
    assert q is not None
    if q.ndim == 5:
        q, k, v = (part.transpose(0, 2, 1, 3) for part in np.moveaxis(q, 3, 0))
    elif k is not None and k.ndim == 5:
        q, (k, v) = split(q), (part.transpose(0, 2, 1, 3) for part in np.moveaxis(k, 3, 0))
    elif k is not None and v is not None:
        biases = [0, 0, 0] if b is None else np.split(b, [D, 2 * D])
        q, k, v = (x if x.ndim == 4 else split(x + y) for x, y in zip((q, k, v), biases, strict=True))
    assert k is not None and v is not None
    outputs = ["y"]
    if inputs.get("pk") is not None:
        k, v = (np.concatenate([p, x], 2) for p, x in ((inputs["pk"], k), (inputs["pv"], v)) if p is not None)
        outputs += ["present_k", "present_v"]
    wanted = [attention(q, k, v, inputs.get("m"), inputs.get("a"), attributes), k, v]
    model = NodeModel("MultiHeadAttention", inputs, {"num_heads": N, **attributes}, outputs)
    # onnxruntime has no kernel for packed parts on CPUs.
    theirs = {} if name.startswith("packed") else model.results_of_onnxruntime()
    check(model, dict(zip(outputs, wanted, strict=False)), theirs)


@pytest.mark.parametrize("per_column", [False, True])
def test_quantized_attention(per_column: bool) -> None:
    count = 3 * D if per_column else 1
    x, w = RNG.integers(0, 255, (B, S, D), np.uint8), RNG.integers(-127, 127, (D, 3 * D), np.int8)
    scale = RNG.random(count).astype(np.float32) / 500
    zero = RNG.integers(-9, 9, count, np.int8) if per_column else np.zeros(1, np.int8)
    inputs = {"x": x, "w": w, "b": BIAS, "xs": np.array(0.02, np.float32), "ws": scale, "m": MASKS["raw"]}
    inputs |= {"xz": np.array(120, np.uint8), "wz": zero, "past": PAST}
    inputs["m"] = np.array([[1] * 8, [0, 0, 1, 1, 1, 1, 1, 0]], np.int32)
    packed = (x.astype(np.float64) - 120) * 0.02 @ ((w - zero.astype(np.float64)) * scale) + BIAS
    q, k, v = (split(part) for part in np.split(packed, 3, axis=2))
    k, v = (np.concatenate([p, new], 2) for p, new in zip(PAST, (k, v), strict=True))
    wanted = {"y": attention(q, k, v, inputs["m"], None, {}), "present": np.stack([k, v])}
    model = NodeModel("QAttention", inputs, {"num_heads": N}, list(wanted), ("w", "wz"))
    check(model, wanted, model.results_of_onnxruntime(), atol=1e-5)


def test_sizes_may_be_unknown() -> None:
    inputs, attributes = NODES["past"]
    model = NodeModel("Attention", inputs, {"num_heads": N, **attributes}, ["y", "present"], ("w", "b"))
    program = lastuse.compile(model.serialized({"x": (0, 1), "past": (1, 3)}), threads=1)
    got = program.run(model.given())
    for name, want in model.results().items():
        np.testing.assert_array_equal(got[name], want)


@pytest.mark.parametrize(
    ("op_type", "inputs", "attributes", "said"),
    [
        ("Attention", {"x": X, "w": normal(D, 8)}, {}, "8 columns of the weights are not those of"),
        ("Attention", {"x": X, "w": normal(D, 60)}, {"num_heads": 7}, "20 elements are not 7 heads"),
        ("Attention", {"x": X, "w": W}, {"qkv_hidden_sizes": [12, 12]}, "qkv_hidden_sizes is"),
        ("Attention", {"x": X, "w": W}, {"do_rotary": 1}, "rotary embedding within the node is not supported"),
        ("Attention", {"x": X, "w": W}, {"past_present_share_buffer": 1}, "shares its buffer with the present"),
        ("Attention", {"x": X[0], "w": W}, {}, "the input has 3 axes, not 2"),
        ("Attention", {"x": X, "w": W, "b": BIAS, "m": np.ones(8, np.int32)}, {}, "a mask of 8 numbers for 2"),
        ("Attention", {"x": X, "w": W, "b": BIAS, "m": np.ones((2, 1, 5, 5), np.int32)}, {}, "a mask of 4 axes"),
        ("MultiHeadAttention", {"q": Q}, {}, "keys and values are missing"),
        ("MultiHeadAttention", {"q": normal(B, S, N, 2, H)}, {}, r"packed heads have the axes \[batch, length, 3, 3"),
        ("MultiHeadAttention", {"q": Q, "k": K, "v": V}, {"num_heads": 5}, "12 elements are not 5 heads"),
        ("MultiHeadAttention", {"q": Q, "k": K, "v": V}, {"num_heads": 0}, "12 elements are not 0 heads"),
        ("MultiHeadAttention", {"q": Q[0], "k": K, "v": V}, {}, "a projection has 3 axes, not 2"),
        (
            "MultiHeadAttention",
            {"q": Q.astype(np.uint8), "k": K, "v": V, "b": None, "m": np.array([7, 2], np.int32)},
            {},
            "values of element type ui8 are not supported",
        ),
        ("MultiHeadAttention", {"q": Q[..., :0], "k": K[..., :0], "v": V}, {}, "heads have no elements"),
        ("MultiHeadAttention", {"q": Q, "k": KEYS, "v": V}, {}, "keys in heads have values in heads beside them"),
    ],
    ids=lambda part: part[:30] if isinstance(part, str) else "",
)
def test_what_is_not_read_is_one_error(op_type: str, inputs: Arrays, attributes: Mapping[str, Any], said: str) -> None:
    model = NodeModel(op_type, inputs, {"num_heads": N, **attributes})
    with pytest.raises(LastuseError, match=said) as caught:
        lastuse.compile(model.serialized())
    assert str(caught.value).startswith("<bytes>:1:1: error: ")
