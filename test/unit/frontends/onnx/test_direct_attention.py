"""Attention of ONNX's own domain: results are those of `onnx.reference`, with the body of the op and without it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from onnx import ValueInfoProto, helper
from onnx.reference import ReferenceEvaluator

import lastuse

RNG = np.random.default_rng(5)
Array = np.ndarray


def normal(*shape: int) -> Array:
    return RNG.normal(size=shape).astype(np.float32)


def masked(*shape: int) -> Array:
    """A mask that leaves no key to the first query."""
    mask = RNG.random(shape) < 0.6
    mask[..., 0, :] = False
    return mask


Q, K, V = normal(2, 4, 5, 8), normal(2, 4, 7, 8), normal(2, 4, 7, 6)
FEW, VALUES = normal(2, 2, 7, 8), normal(2, 2, 7, 8)
FLAT, FLAT_K, FLAT_V = normal(2, 5, 32), normal(2, 5, 16), normal(2, 5, 16)
HEADS = {"q_num_heads": 4, "kv_num_heads": 2}
NODES: dict[str, tuple[Mapping[str, Array | None], Mapping[str, Any]]] = {
    "plain": ({"q": Q, "k": K, "v": V}, {}),
    "scale and cap": ({"q": Q, "k": K, "v": V}, {"scale": 0.7, "softcap": 1.5}),
    "a cap that is none": ({"q": Q, "k": K, "v": V}, {"softcap": -1.5}),
    "few heads": ({"q": Q, "k": FEW, "v": VALUES}, {}),
    "beside each other": ({"q": FLAT, "k": FLAT_K, "v": FLAT_V}, {**HEADS, "is_causal": 1}),
    "mask": ({"q": Q, "k": K, "v": V, "m": masked(5, 7)}, {}),
    "mask of heads": ({"q": Q, "k": FEW, "v": VALUES, "m": masked(4, 5, 7)}, {}),
    "mask of sequences": ({"q": Q, "k": FEW, "v": VALUES, "m": masked(2, 1, 5, 7)}, {}),
    "numbers": ({"q": Q, "k": K, "v": V, "m": normal(2, 4, 5, 7)}, {"softcap": 1.5}),
    "infinite": ({"q": Q, "k": K, "v": V, "m": np.where(masked(5, 7), 0, -np.inf).astype(np.float32)}, {}),
    "past": (
        {"q": FLAT, "k": FLAT_K, "v": FLAT_V, "m": None, "pk": normal(2, 2, 3, 8), "pv": normal(2, 2, 3, 8)},
        {**HEADS, "is_causal": 1},
    ),
}
BODIES: dict[str, tuple[Mapping[str, Array | None], Mapping[str, Any]]] = {
    "mask and causal": ({"q": Q, "k": K, "v": V, "m": masked(5, 7)}, {"is_causal": 1}),
    "causal, other lengths": ({"q": Q, "k": K, "v": V}, {"is_causal": 1}),
    "short mask": ({"q": Q, "k": K, "v": V, "m": masked(5, 6)}, {}),
}


def model_of(inputs: Mapping[str, Array | None], attributes: Mapping[str, Any], outputs: list[str]) -> Any:
    names = [name if array is not None else "" for name, array in inputs.items()]
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in inputs.items()
        if array is not None
    ]
    node = helper.make_node("Attention", names, outputs, **attributes)
    graph = helper.make_graph([node], "g", infos, [ValueInfoProto(name=name) for name in outputs])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=11)


@pytest.mark.parametrize("name", [*NODES, *BODIES])
def test_results_are_those_of_the_reference(name: str) -> None:
    inputs, attributes = {**NODES, **BODIES}[name]
    outputs = ["y", "keys", "values"] if inputs.get("pk") is not None else ["y"]
    model = model_of(inputs, attributes, outputs)
    given = {key: array for key, array in inputs.items() if array is not None}
    wanted = ReferenceEvaluator(model).run(None, given)
    program = lastuse.compile(model.SerializeToString(), threads=1)
    got = program.run(given)
    naive = lastuse.compile(model.SerializeToString(), threads=1, inplace=False, plan=False).run(given)
    for output, want in zip(outputs, wanted, strict=True):
        np.testing.assert_allclose(got[output], want, rtol=1e-5, atol=2e-6)
        np.testing.assert_array_equal(got[output], naive[output])


def test_heads_of_keys_are_not_repeated() -> None:
    """Neither do queries and keys have a form that is scaled: scores alone take memory beside the result."""
    q, k = normal(1, 8, 64, 16), normal(1, 2, 64, 16)
    model = model_of({"q": q, "k": k, "v": k}, {}, ["y"])
    program = lastuse.compile(model.SerializeToString(), threads=1)
    program(q, k, k)
    scores, queries = 8 * 64 * 64 * 4, q.nbytes
    assert program.memory.arena_bytes <= scores + 2 * queries
