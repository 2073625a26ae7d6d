"""`multi_gru` is a `fused_gru` a direction, joined layer by layer; padding and back gives the words again."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from op_cases import build, empty, run

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.recurrent.ragged import OffsetsError

LENGTHS = st.lists(st.integers(0, 5), max_size=6)


def text(array: Array) -> str:
    sizes = "".join(f"{n}x" for n in array.shape)
    return f"{sizes}{'i64' if array.dtype.kind == 'i' else 'f64'}"


def fused(arrays: list[Array], reverse: bool, origin: bool, h0: bool) -> Array:
    modes = f"is_reverse = {str(reverse).lower()}, origin_mode = {str(origin).lower()}"
    segments = f"operandSegmentSizes = array<i32: 1, 1, 1, 1, {int(h0)}, 1>"
    made = f"{len(arrays[0])}x{arrays[2].shape[0]}xf64"
    op = build(f"fused_gru({', '.join(map(text, arrays))}) {{{modes}, {segments}}} -> {made}")
    return op.reference(*arrays)[0]


@settings(max_examples=40, deadline=None)
@given(
    lengths=LENGTHS,
    widths=st.lists(st.integers(1, 3), min_size=1, max_size=3),
    concat=st.booleans(),
    origin=st.booleans(),
    h0=st.booleans(),
    swapped=st.booleans(),
)
def test_multi_gru_equals_two_directions_for_each_layer(
    lengths: list[int], widths: list[int], concat: bool, origin: bool, h0: bool, swapped: bool
) -> None:
    rng, offsets = np.random.default_rng(1), np.cumsum([0, *lengths])
    x = start = rng.normal(size=(sum(lengths), 4))
    weights, states = list[Array](), list[Array]()
    for width in widths:
        hidden = list[Array]()
        for reverse in (False, True):
            shapes = ((x.shape[1], 3 * width), (width, 3 * width), (1, 3 * width))
            own = [rng.normal(size=shape) for shape in shapes]
            state = [rng.normal(size=(len(lengths), width))] * h0
            hidden.append(fused([x, *own, *state, offsets], reverse, origin, h0))
            weights += own
            states += state
        x = np.hstack(hidden[::-1] if swapped else hidden) if concat else hidden[0] + hidden[1]
    arrays = [start, *weights, *states, offsets]
    mode = "concat" if concat else "sum"
    attributes = f'layers = {len(widths)} : i64, mode = "{mode}", origin_mode = {str(origin).lower()}'
    if swapped:
        attributes += ", reverse_first = true"
    op = build(f"multi_gru({', '.join(map(text, arrays))}) {{{attributes}}} -> {text(x)}")
    results = empty(op)
    run(op, arrays, results)
    for got in (results[0], op.reference(*arrays)[0]):
        np.testing.assert_allclose(got, x, rtol=0, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(lengths=LENGTHS, more=st.integers(0, 2), reverse=st.booleans(), sequences_first=st.booleans())
def test_padded_rows_come_back_as_they_were(
    lengths: list[int], more: int, reverse: bool, sequences_first: bool
) -> None:
    """Rows stand at their steps, with zeros elsewhere."""
    rng, steps, offsets = np.random.default_rng(2), max(lengths, default=0) + more, np.cumsum([0, *lengths])
    x = rng.normal(size=(sum(lengths), 2))
    layout = "ntc" if sequences_first else "tnc"
    sizes = (len(lengths), steps) if sequences_first else (steps, len(lengths))
    attributes = f'{{is_reverse = {str(reverse).lower()}, layout = "{layout}"}}'
    pad = build(f"lod_to_tnc({text(x)}, {text(offsets)}) {attributes} -> {sizes[0]}x{sizes[1]}x2xf64")
    padded = empty(pad)
    run(pad, [x, offsets], padded)
    want = np.zeros((steps, len(lengths), 2))
    for n, (start, end) in enumerate(pairwise(offsets)):
        for position, row in enumerate(range(start, end)):
            want[steps - (end - start) + position if reverse else position, n] = x[row]
    if sequences_first:
        want = want.transpose(1, 0, 2)
    np.testing.assert_array_equal(padded[0], want)
    back = build(f"tnc_to_lod({text(want)}, {text(offsets)}) {attributes} -> {text(x)}")
    rows = empty(back)
    run(back, [want, offsets], rows)
    np.testing.assert_array_equal(rows[0], x)


def test_sequence_longer_than_the_padding_is_an_error() -> None:
    pad = build("lod_to_tnc(5x2xf64, 3xi64) -> 2x2x2xf64")
    with pytest.raises(OffsetsError, match="sequence 1 has 3 rows, there is room for 2"):
        run(pad, [np.zeros((5, 2)), np.array([0, 2, 5])], empty(pad))
