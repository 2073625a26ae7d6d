"""`fused_gru` is the product and `gru`, with the recurrent weights in either form, in every setting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from op_cases import build, run

from lastuse.dialect.dnn.base import Array

LENGTHS = st.lists(st.integers(0, 6), max_size=8)


def gates_layout(weight_h: Array) -> Array:
    """[OC, 3*OC] in Paddle's memory order as [OC, 3, OC], element by element."""
    channels, flat = len(weight_h), weight_h.reshape(-1)
    made = np.empty((channels, 3, channels), weight_h.dtype)
    for row in range(channels):
        for column in range(channels):
            made[row, 0, column] = flat[row * 2 * channels + column]
            made[row, 1, column] = flat[row * 2 * channels + channels + column]
            made[row, 2, column] = flat[2 * channels * channels + row * channels + column]
    return made


@settings(max_examples=40, deadline=None)
@given(
    lengths=LENGTHS,
    origin=st.booleans(),
    reverse=st.booleans(),
    bias=st.booleans(),
    h0=st.booleans(),
    gates=st.booleans(),
)
def test_fused_gru_equals_product_and_gru(
    lengths: list[int], origin: bool, reverse: bool, bias: bool, h0: bool, gates: bool
) -> None:
    rng, words, channels, inputs = np.random.default_rng(0), sum(lengths), 3, 5
    x, weight_x = rng.normal(size=(words, inputs)), rng.normal(size=(inputs, 9))
    weight_h = rng.normal(size=(channels, 3 * channels))
    optional = [rng.normal(size=(1, 9))] * bias + [rng.normal(size=(len(lengths), channels))] * h0
    offsets = np.cumsum([0, *lengths])
    rest = ", ".join(["1x9xf64"] * bias + [f"{len(lengths)}x3xf64"] * h0 + [f"{len(lengths) + 1}xi64"])
    modes = f"is_reverse = {str(reverse).lower()}, origin_mode = {str(origin).lower()}"
    segments = f"operandSegmentSizes = array<i32: 1, 1, %s{int(bias)}, {int(h0)}, 1>"
    plain = build(f"gru({words}x9xf64, 3x9xf64, {rest}) {{{modes}, {segments % ''}}} -> {words}x3xf64")
    layout = "3x3x3xf64" if gates else "3x9xf64"
    types = f"{words}x5xf64, 5x9xf64, {layout}, {rest}"
    fused = build(f"fused_gru({types}) {{{modes}, {segments % '1, '}}} -> {words}x3xf64")
    (want,) = plain.reference(x @ weight_x, weight_h, *optional, offsets)
    given_h = gates_layout(weight_h) if gates else weight_h
    got = np.full((words, channels), np.nan)
    run(fused, [x, weight_x, given_h, *optional, offsets], [got])
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-13)
    (meant,) = fused.reference(x, weight_x, given_h, *optional, offsets)
    np.testing.assert_allclose(meant, want, rtol=0, atol=1e-13)


@pytest.mark.parametrize("steps", [100, 1000])
def test_rounding_does_not_grow_with_length(steps: int) -> None:
    rng = np.random.default_rng(1)
    arrays = [rng.uniform(-1, 1, shape) * 0.3 for shape in ((steps, 16), (16, 48), (16, 48), (1, 48))]
    line = "fused_gru({0}x16x{1}, 16x48x{1}, 16x48x{1}, 1x48x{1}, 2xi64) {{operandSegmentSizes = {2}}} -> {0}x16x{1}"
    segments, offsets = "array<i32: 1, 1, 1, 1, 0, 1>", np.array([0, steps])
    exact = np.empty((steps, 16))
    run(build(line.format(steps, "f64", segments)), [*arrays, offsets], [exact])
    got = np.empty((steps, 16), np.float32)
    run(build(line.format(steps, "f32", segments)), [*(a.astype(np.float32) for a in arrays), offsets], [got])
    assert np.abs(got - exact).max() < 1e-5
