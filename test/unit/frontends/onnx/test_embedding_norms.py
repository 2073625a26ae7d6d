"""EmbedLayerNormalization and QEmbedLayerNormalization: results are those of the definition, and of onnxruntime."""

from __future__ import annotations

import numpy as np
import pytest
from node_models import Array, Arrays, NodeModel, check

ort = pytest.importorskip("onnxruntime")
RNG = np.random.default_rng(2)
WORDS, SEGMENTS = RNG.integers(0, 9, (2, 5), np.int32), RNG.integers(0, 2, (2, 5), np.int32)
MASK = np.array([[1, 1, 1, 1, 1], [1, 0, 1, 0, 0]], np.int32)
PLACES = RNG.integers(0, 7, (2, 5), np.int32)


def table(rows: int) -> Array:
    return RNG.normal(size=(rows, 8)).astype(np.float32)


def normalised(total: Array, scale: Array, shift: Array) -> Array:
    centred = total - total.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-6) * scale + shift


TABLES = {"words": table(9), "places": table(7), "segments": table(2), "scale": table(1)[0], "shift": table(1)[0]}
INPUTS: Arrays = {"ids": WORDS, "kinds": SEGMENTS, **TABLES}


@pytest.mark.parametrize(
    ("inputs", "outputs"),
    [
        (INPUTS, ["y", "count"]),
        ({**INPUTS, "mask": MASK}, ["y", "count", "sum"]),
        ({**INPUTS, "mask": None, "at": PLACES}, ["y", "count"]),
        ({**INPUTS, "kinds": None, "segments": None}, ["y", "count"]),
    ],
    ids=["plain", "mask", "positions", "no segments"],
)
def test_embeddings(inputs: Arrays, outputs: list[str]) -> None:
    places, segments = inputs.get("at"), inputs["kinds"]
    total = TABLES["words"][WORDS] + TABLES["places"][np.arange(5) if places is None else places]
    total = total + (0 if segments is None else TABLES["segments"][segments])
    mask = inputs.get("mask")
    count = np.zeros(2, np.int32) if mask is None else (mask == 1).sum(1).astype(np.int32)
    wanted = {"y": normalised(total, TABLES["scale"], TABLES["shift"]), "count": count, "sum": total}
    model = NodeModel("EmbedLayerNormalization", inputs, {"epsilon": 1e-6}, outputs, ("words", "places"))
    check(model, {name: wanted[name] for name in outputs}, model.results_of_onnxruntime(), atol=1e-5)


@pytest.mark.parametrize("segments", [True, False])
def test_quantised_embeddings(segments: bool) -> None:
    numbers = {name: RNG.integers(0, 255, array.shape, np.uint8) for name, array in TABLES.items()}
    scales = {name: np.array(RNG.random() / 99, np.float32) for name in TABLES}
    zeros = {name: np.array(RNG.integers(100, 150), np.uint8) for name in TABLES}
    kept = [name for name in TABLES if segments or name != "segments"]
    floats = {name: (numbers[name].astype(np.float64) - zeros[name]) * scales[name] for name in kept}
    total = floats["words"][WORDS] + floats["places"][:5] + (floats["segments"][SEGMENTS] if segments else 0)
    wanted = {"y": normalised(total, floats["scale"], floats["shift"]), "count": (MASK == 1).sum(1).astype(np.int32)}
    inputs: dict[str, Array | None] = {"ids": WORDS, "kinds": SEGMENTS if segments else None}
    inputs |= {name: numbers[name] if name in kept else None for name in TABLES}
    inputs["mask"] = MASK
    for what, values in (("scale", scales), ("zero", zeros)):
        inputs |= {f"{name} {what}": values[name] if name in kept else None for name in TABLES}
    model = NodeModel("QEmbedLayerNormalization", inputs, {"epsilon": 1e-6}, ["y", "count"], ("words", "places"))
    check(model, wanted, model.results_of_onnxruntime(), atol=2e-5)
