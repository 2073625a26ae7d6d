"""Encoders as exporters write them: heads are read and written where they are, without a copy; against numpy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pytest
from onnx import NodeProto, TensorProto, helper, numpy_helper

import lastuse
from lastuse.dialect.dnn.packable_products import LEAST_COLUMNS
from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.dialect.onednn.primitives.data_reorder import BufferCopyOp
from lastuse.dialect.onednn.primitives.matmul import OneDnnMatmulOp
from lastuse.dialect.onednn.step import DestinationStyleBase

Array = np.ndarray


class Encoder(NamedTuple):
    """A layer of attention: `heads` of `width` elements, with a mask or not, with scaled scores or not."""

    heads: int
    width: int
    masked: bool = True
    scaled: bool = True


ENCODERS = [Encoder(4, 16), Encoder(1, 24), Encoder(3, 17, masked=False), Encoder(2, 40, scaled=False), Encoder(5, 1)]
SIZES = [(1, 1), (1, 7), (3, 16), (2, 33)]


def weights(encoder: Encoder) -> dict[str, Array]:
    size, rng = encoder.heads * encoder.width, np.random.default_rng(encoder.width)
    matrices = {f"w{name}": rng.standard_normal((size, size)) / np.sqrt(size) for name in "qkvo"}
    rows = {f"b{name}": rng.standard_normal(size) / 8 for name in "qkvo"}
    return {name: array.astype(np.float32) for name, array in {**matrices, **rows}.items()}


def model_of(encoder: Encoder) -> bytes:
    """One layer, as it is exported: batch and length of the sentences are not known."""
    heads, width = encoder.heads, encoder.width
    nodes: list[NodeProto] = []
    constants: dict[str, Array] = dict(weights(encoder))
    constants["split"] = np.array([0, 0, heads, width])
    constants["merge"] = np.array([0, 0, heads * width])
    constants["scale"] = np.array(np.sqrt(width), np.float32)
    for name, perm in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3])):
        nodes += [
            helper.make_node("MatMul", ["x", f"w{name}"], [f"{name}0"]),
            helper.make_node("Add", [f"{name}0", f"b{name}"], [f"{name}1"]),
            helper.make_node("Reshape", [f"{name}1", "split"], [f"{name}2"]),
            helper.make_node("Transpose", [f"{name}2"], [f"{name}3"], perm=perm),
        ]
    nodes.append(helper.make_node("MatMul", ["q3", "k3"], ["s0"]))
    nodes.append(helper.make_node("Div", ["s0", "scale"], ["s1"]) if encoder.scaled else _same("s0", "s1"))
    nodes.append(helper.make_node("Add", ["s1", "mask"], ["s2"]) if encoder.masked else _same("s1", "s2"))
    nodes += [
        helper.make_node("Softmax", ["s2"], ["p"], axis=-1),
        helper.make_node("MatMul", ["p", "v3"], ["o0"]),
        helper.make_node("Transpose", ["o0"], ["o1"], perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["o1", "merge"], ["o2"]),
        helper.make_node("MatMul", ["o2", "wo"], ["o3"]),
        helper.make_node("Add", ["o3", "bo"], ["y"]),
    ]
    shapes = {"x": ["n", "t", heads * width], **({"mask": ["n", 1, 1, "t"]} if encoder.masked else {})}
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, shapes["x"])]
    arrays = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, "encoder", inputs, outputs, arrays)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9).SerializeToString()


def _same(source: str, target: str) -> NodeProto:
    return helper.make_node("Identity", [source], [target])


def inputs_of(encoder: Encoder, batch: int, length: int) -> dict[str, Array]:
    rng = np.random.default_rng(batch * 100 + length)
    x = rng.standard_normal((batch, length, encoder.heads * encoder.width)).astype(np.float32)
    seen = np.arange(length) < np.maximum(length - np.arange(batch)[:, None], 1)
    mask = np.where(seen, 0, -1e4).astype(np.float32)[:, None, None]
    return {"x": x, "mask": mask} if encoder.masked else {"x": x}


def expected(encoder: Encoder, given: Mapping[str, Array]) -> Array:
    """The layer in f64."""
    held = {name: array.astype(np.float64) for name, array in weights(encoder).items()}
    x = given["x"].astype(np.float64)

    def heads(name: str) -> Array:
        made = x @ held[f"w{name}"] + held[f"b{name}"]
        return made.reshape(*x.shape[:2], encoder.heads, encoder.width).swapaxes(1, 2)

    scores = heads("q") @ heads("k").swapaxes(2, 3) / (np.sqrt(encoder.width) if encoder.scaled else 1)
    scores = scores + given.get("mask", 0)
    parts = np.exp(scores - scores.max(-1, keepdims=True))
    made = (parts / parts.sum(-1, keepdims=True)) @ heads("v")
    return made.swapaxes(1, 2).reshape(x.shape) @ held["wo"] + held["bo"]


@pytest.mark.parametrize("encoder", ENCODERS, ids=str)
def test_attention_is_that_of_numpy_without_copies(encoder: Encoder) -> None:
    model = model_of(encoder)
    planned = lastuse.compile(model, threads=1, poison=True)
    naive = lastuse.compile(model, threads=1, plan=False, inplace=False)
    for batch, length in SIZES:
        given = inputs_of(encoder, batch, length)
        y = planned.run(given)["y"]
        np.testing.assert_allclose(y, expected(encoder, given), atol=3e-5)
        assert y.tobytes() == naive.run(given)["y"].tobytes()
        calls = [op.callee.data for op in steps_of(planned) if isinstance(op, KernelCallOp)]
        assert calls.count("dnn.matmul") == 2  # of the heads; the others have weights
        products = sum(isinstance(op, OneDnnMatmulOp) for op in steps_of(planned))
        wide = encoder.heads * encoder.width >= LEAST_COLUMNS
        assert (products, calls.count("dnn.packed_matmul")) == ((0, 4) if wide else (4, 0))
        assert not any(isinstance(op, BufferCopyOp) for op in (*steps_of(planned), *steps_of(naive)))


def steps_of(program: lastuse.Program) -> list[DestinationStyleBase]:
    return [op for op in program.latest.lowered.walk() if isinstance(op, DestinationStyleBase)]


EQUATIONS = [
    ("bqhd,bkhd->bhqk", "bhqk,bkhd->bqhd", False),
    ("bhid,bhjd->bhij", "bhij,bhjd->bihd", True),
    ("bhqd,bhkd->bhqk", "bhqk,bhkd->bhqd", True),
]
"""Of the scores, of the result; whether heads are before the words."""


@pytest.mark.parametrize(("scores", "result", "heads_first"), EQUATIONS)
def test_equations_of_attention_are_two_products(scores: str, result: str, heads_first: bool) -> None:
    sizes = ["n", 4, "t", 24] if heads_first else ["n", "t", 4, 24]
    nodes = [
        helper.make_node("Einsum", ["q", "k"], ["s"], equation=scores),
        helper.make_node("Softmax", ["s"], ["p"], axis=-1),
        helper.make_node("Einsum", ["p", "v"], ["y"], equation=result),
    ]
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes) for name in "qkv"]
    graph = helper.make_graph(nodes, "g", inputs, [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None] * 4)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9).SerializeToString()
    program = lastuse.compile(model, threads=1)
    for batch, length in SIZES:
        bound = [{"n": batch, "t": length}.get(str(size), size) for size in sizes]
        rng = np.random.default_rng(length)
        given = {name: rng.standard_normal([int(size) for size in bound]).astype(np.float32) for name in "qkv"}
        q, k, v = (array.astype(np.float64) for array in given.values())
        parts = np.exp(np.einsum(scores, q, k))
        want = np.einsum(result, parts / parts.sum(-1, keepdims=True), v)
        np.testing.assert_allclose(program.run(given)["y"], want, atol=1e-5)
        assert [op.name for op in steps_of(program)] == ["onednn.call"] * 3
