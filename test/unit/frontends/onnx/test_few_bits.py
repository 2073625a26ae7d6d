"""MatMulNBits and GatherBlockQuantized: results are those of the definition, and weights stay in few bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from node_models import Array, NodeModel, check

import lastuse
from lastuse.dialect.ir.diagnostics import LastuseError

ort = pytest.importorskip("onnxruntime")
RNG = np.random.default_rng(3)


def normal(*shape: int) -> Array:
    return RNG.normal(size=shape).astype(np.float32)


def packed(numbers: Array, bits: int) -> Array:
    """[..., numbers] as [..., bytes], the first number in the lowest bits; the last byte is filled with 0."""
    each = 8 // bits
    width = -(-numbers.shape[-1] // each)
    padded = np.zeros((*numbers.shape[:-1], width * each), np.uint8)
    padded[..., : numbers.shape[-1]] = numbers
    parts = padded.reshape(*numbers.shape[:-1], width, each)
    return sum((parts[..., k] << bits * k for k in range(each)), np.zeros(parts.shape[:-1], np.uint8))


def weights_of(depth: int, columns: int, bits: int, block: int, zeros: str) -> tuple[dict[str, Array | None], Array]:
    """The inputs of a node but for x, and the weights [depth, columns] that they are."""
    blocks = -(-depth // block)
    numbers = RNG.integers(0, 1 << bits, (columns, blocks * block), np.uint8)
    scales = RNG.random((columns, blocks)).astype(np.float32) / (1 << bits)
    points = RNG.integers(0, 1 << bits, (columns, blocks), np.uint8)
    wide = {"bytes": points.astype(np.float64), "floats": points + 0.25, "none": np.full(points.shape, 1 << bits - 1)}
    given = {"bytes": packed(points, bits), "floats": (points + 0.25).astype(np.float32), "none": None}
    kept = packed(numbers.reshape(columns, blocks, block), bits)
    floats = (numbers - np.repeat(wide[zeros], block, 1)) * np.repeat(scales, block, 1).astype(np.float64)
    return {"w": kept, "scales": scales, "zeros": given[zeros]}, floats[:, :depth].T


def node_of(x: Array, bits: int, block: int, columns: int, inputs: dict[str, Array | None]) -> NodeModel:
    attributes = {"K": x.shape[-1], "N": columns, "bits": bits, "block_size": block}
    constants = [name for name in ("w", "scales", "zeros") if inputs[name] is not None]
    return NodeModel("MatMulNBits", {"x": x, **inputs}, attributes, ["y"], constants)


@pytest.mark.parametrize("zeros", ["none", "bytes", "floats"])
@pytest.mark.parametrize("block", [16, 32, 128])
@pytest.mark.parametrize("bits", [2, 4, 8])
def test_products(bits: int, block: int, zeros: str) -> None:
    inputs, weights = weights_of(200, 100, bits, block, zeros)
    for rows in ((1,), (3, 5)):
        x = normal(*rows, 200)
        model = node_of(x, bits, block, 100, inputs)
        theirs = model.results_of_onnxruntime() if bits == 4 else {}
        check(model, {"y": x @ weights}, theirs, atol=2e-4)


@pytest.mark.parametrize("bits", [4, 8])
def test_sums_do_not_depend_on_other_rows(bits: int) -> None:
    """Heights of every block of the kernel, with columns that are no whole strips, and in several threads."""
    inputs, weights = weights_of(330, 190, bits, 32, "bytes")
    x = normal(70, 330)
    model = node_of(x, bits, 32, 190, inputs).serialized({"x": (0,)})
    program, other = lastuse.compile(model, threads=1), lastuse.compile(model, threads=2)
    whole = program(x)
    np.testing.assert_allclose(whole, x @ weights, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(other(x), whole)
    for rows in [*range(1, 18), 23, 48, 49]:
        few = program(x[:rows])
        np.testing.assert_allclose(few, whole[:rows], rtol=1e-4, atol=1e-4)
        if rows <= 48:
            np.testing.assert_array_equal(few[:1], program(x[:1]))


@pytest.mark.parametrize("bits", [2, 4, 8])
def test_weights_stay_in_few_bits(bits: int) -> None:
    inputs, _ = weights_of(512, 256, bits, 128, "none")
    program = lastuse.compile(node_of(normal(3, 512), bits, 128, 256, inputs).serialized(), threads=1)
    program(normal(3, 512))
    assert program.memory.weight_bytes <= 512 * 256 * max(bits, 4) / 8 + 4 * 512 * 256 / 128 + 4096


def test_a_bias_and_halves() -> None:
    inputs, weights = weights_of(64, 70, 4, 32, "none")
    x, bias = normal(3, 64), normal(70)
    node = node_of(x, 4, 32, 70, {**inputs, "g": None, "bias": bias})
    check(node, {"y": x @ weights + bias}, node.results_of_onnxruntime(), atol=1e-4)
    halves = {**inputs, "scales": np.asarray(inputs["scales"]).astype(np.float16)}
    got = node_of(x.astype(np.float16), 4, 32, 70, halves).results()["y"]
    assert got.dtype == np.float16
    np.testing.assert_allclose(got, x @ weights, rtol=1e-2, atol=5e-2)


@pytest.mark.parametrize("zeros", ["none", "bytes"])
@pytest.mark.parametrize("bits", [4, 8])
def test_gathers(bits: int, zeros: str) -> None:
    rows, width, block = 11, 96, 32
    numbers = RNG.integers(0, 1 << bits, (rows, width), np.uint8)
    scales, points = normal(rows, width // block), RNG.integers(0, 1 << bits, (rows, width // block), np.uint8)
    point = points if zeros == "bytes" else np.full(points.shape, 1 << bits - 1)
    table = (numbers - np.repeat(point, block, 1).astype(np.float64)) * np.repeat(scales, block, 1)
    inputs = {"data": packed(numbers, bits), "at": np.array([[3, 0], [10, 3]]), "scales": scales}
    inputs |= {"zeros": packed(points, bits)} if zeros == "bytes" else {}
    attributes = {"bits": bits, "block_size": block, "gather_axis": 0, "quantize_axis": 1}
    constants = [name for name in inputs if name != "at"]
    model = NodeModel("GatherBlockQuantized", inputs, attributes, ["y"], constants)
    check(model, {"y": table[inputs["at"]]}, model.results_of_onnxruntime())


X = normal(2, 64)
KEPT, _ = weights_of(64, 70, 4, 32, "none")


@pytest.mark.parametrize(
    ("inputs", "attributes", "said"),
    [
        ({}, {"bits": 3}, "weights of 3 bits are not supported"),
        ({}, {"block_size": 24}, "block_size is 24, it must be a power of two, 16 or more"),
        ({}, {"N": 71}, "weights have 2240 elements, not 2272"),
        ({}, {"K": 0}, "weights of 0 rows and 70 columns are not supported"),
        ({}, {"weight_prepacked": 1}, "packed for another processor"),
        ({"zeros": None, "g": np.zeros(64, np.int32)}, {}, "g_idx is not supported"),
        ({"w": np.asarray(KEPT["w"]).view(np.int8)}, {}, "weights have element type i8, not ui8"),
        ({"x": normal(2, 65)}, {}, "the summed axes"),
    ],
    ids=lambda part: part[:30] if isinstance(part, str) else "",
)
def test_what_is_not_read_is_one_error(inputs: dict[str, Array | None], attributes: dict[str, Any], said: str) -> None:
    node = node_of(X, 4, 32, 70, KEPT)
    node = node._replace(inputs={**node.inputs, **inputs}, attributes={**node.attributes, **attributes})
    with pytest.raises(LastuseError, match=said) as caught:
        lastuse.compile(node.serialized())
    assert str(caught.value).startswith("<bytes>:1:1: error: ")


def test_weights_that_the_model_computes_are_not_read() -> None:
    node = node_of(X, 4, 32, 70, KEPT)._replace(constants=("scales",))
    with pytest.raises(LastuseError, match="weights that the model computes are not supported"):
        lastuse.compile(node.serialized())
