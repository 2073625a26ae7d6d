"""Our own GRU kernels in f32, bf16 and int8, against the same roundings in float64."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import ml_dtypes
import numpy as np
import pytest

from lastuse.runtime import _core

Array = np.ndarray
F32, I64 = np.dtype(np.float32), np.dtype(np.int64)
TOLERANCE = {"f32": 1e-6, "bf16": 2e-3, "i8": 4e-3}
"""A sum that differs in its last bit may be rounded to the other neighbour when it is read again: one step of int8 in
one of the states, times a weight."""


class Cell(NamedTuple):
    """A direction in some type, and what it means."""

    made: _core.GruWeights
    layer: Array
    iter: Array
    bias: Array
    read: Callable[[Array], Array]
    read_x: Callable[[Array], Array]


def exact(array: Array) -> Array:
    return array


def bf16(array: Array) -> Array:
    return array.astype(np.float32).astype(ml_dtypes.bfloat16)


def as_bf16(array: Array) -> Array:
    return bf16(array).astype(np.float64)


def cell(kind: str, inputs: int, channels: int, seed: int = 0) -> Cell:
    rng, bound = np.random.default_rng(seed), channels**-0.5
    shapes = (inputs, 3 * channels), (channels, 3, channels), (1, 3 * channels)
    layer, iter_, bias = (rng.uniform(-bound, bound, shape).astype(np.float32) for shape in shapes)
    if kind == "f32":
        return Cell(_core.GruWeights(layer, iter_, bias, 1000), layer, iter_, bias, exact, exact)
    if kind == "bf16":
        kept = [bf16(w) for w in (layer, iter_)]
        made = _core.GruWeights(kept[0].view(np.uint16), kept[1].view(np.uint16), bias)
        return Cell(made, kept[0], kept[1], bias, as_bf16, as_bf16)
    scales = [(127 / np.abs(w).max(0)).astype(np.float32) for w in (layer, iter_)]
    kept = [np.rint(w * s).astype(np.int8) for w, s in zip((layer, iter_), scales, strict=True)]
    data = (30.0, 131.0), (120.0, 127.0)
    made = _core.GruWeights(kept[0], kept[1], bias, scales[0], scales[1], *data)
    real = [w / s.astype(np.float64) for w, s in zip(kept, scales, strict=True)]

    def reading(scale: float, shift: float) -> Callable[[Array], Array]:
        return lambda array: (np.clip(np.rint(array * scale + shift), 0, 255) - shift) / scale

    return Cell(made, real[0], real[1], bias, reading(*data[1]), reading(*data[0]))


def reference(x: Array, offsets: Array, of: Cell) -> Array:
    """In float64, rounded where the kernels round."""
    w_x, w_h, bias = (a.astype(np.float64) for a in (of.layer, of.iter, of.bias))
    channels = len(w_h)
    gates, out = of.read_x(x.astype(np.float64)) @ w_x + bias.reshape(-1), np.zeros((len(x), channels))
    for start, stop in pairwise(offsets):
        h = np.zeros(channels)
        for row in range(start, stop):
            x_u, x_r, x_c = gates[row].reshape(3, channels)
            u = 1 / (1 + np.exp(-(x_u + of.read(h) @ w_h[:, 0])))
            r = 1 / (1 + np.exp(-(x_r + of.read(h) @ w_h[:, 1])))
            h = u * h + (1 - u) * np.tanh(x_c + of.read(r * h) @ w_h[:, 2])
            out[row] = h
    return out


def run(of: Cell, kind: str, x: Array, offsets: Array, threads: int = 1) -> Array:
    words, inputs = x.shape
    sequences, channels = len(offsets) - 1, len(of.iter)
    program = _core.StepProgram(0, threads)

    def view(name: str, dtype: np.dtype, *shape: int) -> int:
        strides = [int(np.prod(shape[k + 1 :])) for k in range(len(shape))]
        return program.add_view(program.add_argument(name, dtype, shape, True), 0, dtype, shape, strides)

    ins = [view("x", F32, words, inputs), view("offsets", I64, sequences + 1)]
    own = 1000 if kind == "f32" else -1
    room = _core.GruRoom([(inputs, channels)], 1, words, sequences, threads, kind, own)
    program.add_gru(
        "gru", [_core.Gru([(of.made, False)], False, _core.GruCache(1))], room, ins, [view("y", F32, words, channels)]
    )
    out, context = np.full((words, channels), np.nan, np.float32), _core.Context(program)
    context.poison()
    context.run([x, offsets, out])
    return out


@pytest.mark.parametrize("kind", TOLERANCE)
@pytest.mark.parametrize(("inputs", "channels"), [(1, 1), (5, 8), (7, 13), (16, 16), (33, 40), (64, 70)])
def test_kernel_is_right_for_every_number_of_sequences(kind: str, inputs: int, channels: int) -> None:
    """From one sequence to the widest run, with columns and rows that fill no panel."""
    of, rng = cell(kind, inputs, channels), np.random.default_rng(1)
    for sequences in (1, 2, 3, 4, 5, 6, 7, 9, 11, 17, 32):
        offsets = np.arange(sequences + 1, dtype=np.int64) * 3
        x = rng.normal(size=(3 * sequences, inputs)).astype(np.float32)
        got = run(of, kind, x, offsets)
        np.testing.assert_allclose(got, reference(x, offsets, of), atol=TOLERANCE[kind], err_msg=str(sequences))


@pytest.mark.parametrize("kind", TOLERANCE)
@pytest.mark.parametrize("channels", range(5, 109, 8))
def test_other_sequences_of_a_batch_change_no_bit(kind: str, channels: int) -> None:
    """Rows and columns are processed in blocks of many shapes, but each sum is added up in one order."""
    of, rng = cell(kind, 11, channels), np.random.default_rng(4)
    x, offsets = rng.normal(size=(2 * 14, 11)).astype(np.float32), np.arange(15, dtype=np.int64) * 2
    alone = [run(of, kind, x[start : start + 2], offsets[:2]) for start in offsets[:-1]]
    np.testing.assert_allclose(alone[0], reference(x[:2], offsets[:2], of), atol=TOLERANCE[kind])
    for sequences in range(2, 15):
        together = run(of, kind, x[: 2 * sequences], offsets[: sequences + 1])
        np.testing.assert_array_equal(together, np.concatenate(alone[:sequences]), err_msg=str(sequences))


@pytest.mark.parametrize("kind", TOLERANCE)
def test_sums_do_not_saturate(kind: str) -> None:
    """All weights and inputs at their limits: pairs of products exceed 16 bits."""
    inputs = channels = 64
    layer, zeros = np.full((inputs, 3 * channels), 0.5 / inputs), np.zeros((channels, 3, channels))
    bias = np.zeros((1, 3 * channels), np.float32)
    if kind == "i8":
        scale, full = np.full(3 * channels, 127 * inputs * 2, np.float32), np.full(layer.shape, 127, np.int8)
        made = _core.GruWeights(full, zeros.astype(np.int8), bias, scale, scale, (255.0, 0.0), (255.0, 0.0))
    elif kind == "bf16":
        made = _core.GruWeights(bf16(layer).view(np.uint16), zeros.astype(np.uint16), bias)
    else:
        made = _core.GruWeights(layer.astype(np.float32), zeros.astype(np.float32), bias, 1000)
    of = Cell(made, layer, zeros, bias, exact, exact)
    x, offsets = np.ones((4, inputs), np.float32), np.arange(5, dtype=np.int64)
    np.testing.assert_allclose(run(of, kind, x, offsets), reference(x, offsets, of), atol=2e-6)


def test_gates_saturate_without_nan() -> None:
    """Large sums give 0 and 1, or -1 and 1; a NaN stays within its sequence."""
    of = cell("f32", 2, 9)
    x = np.array([[1e30, 0], [-1e30, 0], [0, 300], [np.inf, 0], [np.nan, 0], [0.5, 0.5]], np.float32)
    offsets = np.arange(7, dtype=np.int64)
    with np.errstate(over="ignore", invalid="ignore"):
        want = reference(x, offsets, of)
    got = run(of, "f32", x, offsets)
    np.testing.assert_allclose(got[[0, 1, 2, 3, 5]], want[[0, 1, 2, 3, 5]], atol=1e-6)
    assert np.isnan(got[4]).all()


def test_wrong_weights_are_rejected() -> None:
    of, few = (np.zeros((4, 9), np.int8), np.zeros((3, 3, 3), np.int8), np.zeros(9, np.float32)), np.ones(3, np.float32)
    with pytest.raises(_core.Error, match="a scale for each"):
        _core.GruWeights(*of, few, few, (1.0, 0.0), (1.0, 0.0))
    with pytest.raises(TypeError):
        _core.GruWeights(*of)
    with pytest.raises(_core.Error, match="f32, bf16 or i8, not f64"):
        _core.GruRoom([(4, 3)], 1, 5, 2, 1, "f64")
    assert _core.gru_own_width("bf16") == _core.gru_own_width("i8") > 1000


@pytest.mark.parametrize("kind", TOLERANCE)
@pytest.mark.parametrize("lengths", [[40], [30, 9, 9, 3], [12] * 40], ids=["one", "few", "groups"])
def test_threads_change_no_bit(kind: str, lengths: list[int]) -> None:
    """Neither threads that process parts of the batch, nor threads that share the columns of one run."""
    of, offsets = cell(kind, 24, 200), np.cumsum([0, *lengths], dtype=np.int64)
    x = np.random.default_rng(2).normal(size=(offsets[-1], 24)).astype(np.float32)
    want, before = run(of, kind, x, offsets), _core.joint_jobs()
    for threads in (2, 3):
        np.testing.assert_array_equal(run(of, kind, x, offsets, threads), want)
    if len(lengths) == 1 and len(os.sched_getaffinity(0)) > 1:
        # On a busy machine they rest for some runs.
        for _ in range(200):
            if _core.joint_jobs() > before:
                break
            np.testing.assert_array_equal(run(of, kind, x, offsets, 2), want)
        assert _core.joint_jobs() > before
