"""The ragged GRU of the C++ core: what it computes, on how many threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest

from lastuse.runtime import _core

Array = np.ndarray
F32, I64 = np.dtype(np.float32), np.dtype(np.int64)
CALLS = int(os.environ.get("LASTUSE_GRU_CALLS", "40"))
"""Calls of each thread where many run one program: 10,000 in a long test."""


class Weights(NamedTuple):
    """Of one direction, in oneDNN's form: gates u, r, c and h' = u * h + (1 - u) * c."""

    layer: Array
    iter: Array
    bias: Array


def weights(inputs: int, channels: int, seed: int = 0) -> Weights:
    rng, bound = np.random.default_rng(seed), channels**-0.5
    shapes = (inputs, 3 * channels), (channels, 3, channels), (1, 3 * channels)
    return Weights(*(rng.uniform(-bound, bound, shape).astype(np.float32) for shape in shapes))


def offsets_of(lengths: Sequence[int]) -> Array:
    return np.cumsum([0, *lengths], dtype=np.int64)


def reference(x: Array, offsets: Array, of: Weights, reverse: bool = False, h0: Array | None = None) -> Array:
    """In float64, one sequence after the other."""
    w_x, w_h, bias = (a.astype(np.float64) for a in of)
    channels = len(w_h)
    gates, out = x.astype(np.float64) @ w_x + bias.reshape(-1), np.zeros((len(x), channels))
    for number, (start, stop) in enumerate(pairwise(offsets)):
        h = np.zeros(channels) if h0 is None else h0[number].astype(np.float64)
        for row in range(stop - 1, start - 1, -1) if reverse else range(start, stop):
            x_u, x_r, x_c = gates[row].reshape(3, channels)
            u = 1 / (1 + np.exp(-(x_u + h @ w_h[:, 0])))
            r = 1 / (1 + np.exp(-(x_r + h @ w_h[:, 1])))
            h = u * h + (1 - u) * np.tanh(x_c + (r * h) @ w_h[:, 2])
            out[row] = h
    return out


class Ragged:
    """A program of one GRU over so many words in so many sequences."""

    def __init__(
        self,
        directions: Sequence[tuple[Weights, bool]],
        words: int,
        sequences: int,
        threads: int = 1,
        mode: str = "concat",
        with_h0: bool = False,
        cache: _core.GruCache | None = None,
        gap: int = 0,
        over: bool = False,
        own: int = -1,
    ) -> None:
        """`gap`: elements after each row of x and of the result; `over`: the result is written over x; `own`: up to
        how many sequences a run is our own kernels', not oneDNN's."""
        inputs, channels = len(directions[0][0].layer), len(directions[0][0].iter)
        self.columns = channels if mode == "sum" else channels * len(directions)
        self.cache = _core.GruCache(1024) if cache is None else cache
        made = [(_core.GruWeights(*w, own), reverse) for w, reverse in directions]
        self.gru = _core.Gru(made, mode == "sum", self.cache)
        self.program = program = _core.StepProgram(0, threads)

        def rows(name: str, count: int, columns: int, writable: bool) -> int:
            wide = columns + gap
            buffer = program.add_argument(name, F32, (count, wide), writable)
            return program.add_view(buffer, 0, F32, (count, columns), (wide, 1))

        x = rows("x", words, inputs, over)
        offsets = program.add_argument("offsets", I64, (sequences + 1,), False)
        ins = [x, program.add_view(offsets, 0, I64, (sequences + 1,), (1,))]
        if with_h0:
            ins.append(rows("h0", sequences, channels, False))
        self.over, self.gap, self.words = over, gap, words
        out = x if over else rows("out", words, self.columns, True)
        room = _core.GruRoom([(inputs, channels)], len(directions), words, sequences, threads, own=own)
        program.add_gru("gru", [self.gru], room, ins, [out])
        self.context = _core.Context(program)

    def __call__(self, x: Array, offsets: Array, h0: Array | None = None, context: Any = None) -> Array:
        wide = [np.pad(a, ((0, 0), (0, self.gap))) for a in (x, *([] if h0 is None else [h0]))]
        out = wide[0] if self.over else np.full((self.words, self.columns + self.gap), np.nan, np.float32)
        used = self.context if context is None else context
        used.poison()
        used.run([wide[0], offsets, *wide[1:], *([] if self.over else [out])])
        if self.gap and not self.over:
            assert np.isnan(out[:, self.columns :]).all(), "wrote between the rows"
        return out[:, : self.columns].copy()


def sample(words: int, inputs: int, seed: int = 1) -> Array:
    return np.random.default_rng(seed).normal(size=(words, inputs)).astype(np.float32)


LENGTHS = {
    "mixed": [3, 0, 5, 1, 7, 7],
    "one word": [1],
    "one sequence": [33],
    "no words": [0, 0],
    "no sequence": [],
    "empty first and last": [0, 4, 0, 2, 0],
    "all equal": [5] * 9,
    "one long": [100, *[1] * 70],
    "many": [1 + (k * k) % 13 for k in range(150)],
}


@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize(("threads", "own"), [(1, 0), (1, 1000), (2, 2), (3, 1000)])
def test_every_form_equals_the_reference(lengths: list[int], threads: int, own: int) -> None:
    inputs, channels = 5, 8
    offsets = offsets_of(lengths)
    words, sequences = int(offsets[-1]), len(lengths)
    x, one, two = sample(words, inputs), weights(inputs, channels), weights(inputs, channels, seed=2)
    forward, backward = reference(x, offsets, one), reference(x, offsets, two, reverse=True)
    both = [(one, False), (two, True)]
    for directions, mode, want in (
        ([(one, False)], "concat", forward),
        ([(two, True)], "concat", backward),
        (both, "concat", np.hstack([forward, backward])),
        (both, "sum", forward + backward),
    ):
        ragged = Ragged(directions, words, sequences, threads, mode, gap=3, own=own)
        np.testing.assert_allclose(ragged(x, offsets), want, atol=1e-6)
    h0 = sample(sequences, channels, seed=3)
    for reverse in (False, True):
        ragged = Ragged([(one, reverse)], words, sequences, threads, with_h0=True, own=own)
        np.testing.assert_allclose(ragged(x, offsets, h0), reference(x, offsets, one, reverse, h0), atol=1e-6)


def test_result_may_be_where_x_is() -> None:
    """A row is read before the state after it is written."""
    offsets = offsets_of(LENGTHS["mixed"])
    words, of = int(offsets[-1]), weights(8, 8)
    x = sample(words, 8)
    for threads in (1, 2):
        apart, over = (Ragged([(of, True)], words, 6, threads, over=over) for over in (False, True))
        np.testing.assert_array_equal(over(x, offsets), apart(x, offsets))


@pytest.mark.parametrize("lengths", [[4096], [4096, 3, 700]], ids=["one", "few"])
def test_long_sequences_are_right(lengths: list[int]) -> None:
    offsets, of = offsets_of(lengths), weights(4, 16)
    words = int(offsets[-1])
    x = sample(words, 4)
    got = Ragged([(of, False)], words, len(lengths), threads=2)(x, offsets)
    np.testing.assert_allclose(got, reference(x, offsets, of), atol=1e-5)


def test_ten_thousand_sequences_are_right() -> None:
    lengths = np.random.default_rng(5).integers(0, 9, 10_000).tolist()
    offsets, of = offsets_of(lengths), weights(3, 4)
    words = int(offsets[-1])
    x = sample(words, 3)
    ragged = Ragged([(of, True)], words, len(lengths), threads=2, own=0)
    np.testing.assert_allclose(ragged(x, offsets), reference(x, offsets, of, reverse=True), atol=1e-6)
    assert ragged.cache.statistics[1] < 200, "widths and steps are few, whatever the lengths"


@pytest.mark.parametrize("own", [0, 3, 1000])
def test_error_over_a_hundred_steps_is_small(own: int) -> None:
    """With 256 channels f32 is within 1e-5 of float64, and a batch within 1e-6 of its sequences one at a time."""
    lengths = [100, 64, 63, 30, 8, 1]
    offsets, of = offsets_of(lengths), weights(256, 256)
    words = int(offsets[-1])
    x = sample(words, 256)
    got = Ragged([(of, False)], words, len(lengths), own=own)(x, offsets)
    np.testing.assert_allclose(got, reference(x, offsets, of), atol=1e-5)
    for start, stop in pairwise(offsets):
        alone = Ragged([(of, False)], int(stop - start), 1, own=own)(x[start:stop], offsets_of([int(stop - start)]))
        np.testing.assert_allclose(got[start:stop], alone, atol=1e-6)


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([1, 4], "the first offset is 1, not 0"),
        ([0, 3], "the last offset is 3, but there are 4 rows"),
        ([0, 5], "the last offset is 5, but there are 4 rows"),
        ([0, 3, 2, 4], "offset 2 is 2, less than the 3 before it"),
        ([0, -1, 4], "offset 1 is -1, less than the 0 before it"),
    ],
)
def test_wrong_offsets_are_an_error(offsets: list[int], message: str) -> None:
    ragged = Ragged([(weights(2, 3), False)], 4, len(offsets) - 1)
    with pytest.raises(_core.OffsetsError, match=message):
        ragged(sample(4, 2), np.array(offsets, np.int64))
    good = np.linspace(0, 4, len(offsets)).astype(np.int64)
    assert np.isfinite(ragged(sample(4, 2), good)).all(), "the context still runs"


@pytest.mark.parametrize("own", [0, 3, 1000])
def test_scratch_is_enough_for_any_lengths(own: int) -> None:
    """oneDNN needs more scratch for more steps, so the longest run of each width is the largest."""
    rows, steps, width = _core.gru_cut(24)
    for words, sequences in ((rows, width), (7, 3), (40, 40)):
        ragged = Ragged([(weights(9, 24), False)], words, sequences, threads=2, own=own)
        for seed in range(20):
            cuts = np.sort(np.random.default_rng(seed).integers(0, words + 1, sequences - 1))
            offsets = np.array([0, *cuts, words], np.int64)
            assert np.isfinite(ragged(sample(words, 9), offsets)).all()
    assert steps & (steps - 1) == 0


def test_scratch_is_bounded() -> None:
    """It grows by a few bytes for each sequence, not with the rows."""
    small, large = (_core.GruRoom([(64, 64)], 1, words, 64, 1) for words in (2_000, 2_000_000))
    assert small.nbytes == large.nbytes
    many = _core.GruRoom([(64, 64)], 1, 2_000_000, 100_000, 1)
    assert many.nbytes - small.nbytes == 2 * (100_000 - 64) * 24


def test_cache_is_bounded_and_counts() -> None:
    cache = _core.GruCache(2)
    of = weights(3, 4)
    ragged = Ragged([(of, False)], 12, 3, cache=cache, own=0)
    first, second = offsets_of([4, 4, 4]), offsets_of([12, 0, 0])
    x = sample(12, 3)
    one = ragged(x, first)
    assert cache.statistics == (0, 1, 1, 2)
    ragged(x, first)
    assert cache.statistics == (1, 1, 1, 2)
    ragged(x, second)  # 8 steps, then 4
    assert cache.statistics == (1, 3, 2, 2)
    np.testing.assert_array_equal(ragged(x, first), one)
    assert cache.statistics == (1, 4, 2, 2)
    with pytest.raises(_core.Error, match="at least 1"):
        _core.GruCache(0)


def test_earlier_runs_change_no_bit() -> None:
    of = weights(16, 32)
    x, offsets = sample(300, 16), offsets_of([100, 80, 60, 40, 20])
    ragged = Ragged([(of, False)], 300, 5, threads=2)
    alone = ragged(x, offsets)
    for seed in range(10):
        cuts = np.sort(np.random.default_rng(seed).integers(0, 301, 4))
        ragged(sample(300, 16, seed), np.array([0, *cuts, 300], np.int64))
    np.testing.assert_array_equal(ragged(x, offsets), alone)


def test_two_sets_of_weights_share_only_primitives() -> None:
    """The same WeightH with another WeightX is another GRU; Paddle's key confused the two."""
    cache = _core.GruCache(64)
    one = weights(6, 8)
    other = Weights(weights(6, 8, seed=9).layer, one.iter, one.bias)
    x, offsets = sample(20, 6), offsets_of([12, 8])
    for of in (one, other, one):
        got = Ragged([(of, False)], 20, 2, cache=cache, own=0)(x, offsets)
        np.testing.assert_allclose(got, reference(x, offsets, of), atol=1e-6)
    assert cache.statistics[1] == 2 or cache.statistics[1] == cache.statistics[2]


def test_threads_run_one_program_at_once() -> None:
    """Eight threads, each with its own context and batches, give the bits of one thread."""
    of, words, sequences = weights(24, 32), 120, 10
    ragged = Ragged([(of, False), (weights(24, 32, 4), True)], words, sequences, threads=2)
    x = sample(words, 24)

    def batch(seed: int) -> Array:
        cuts = np.sort(np.random.default_rng(seed).integers(0, words + 1, sequences - 1))
        return np.array([0, *cuts, words], np.int64)

    batches = [batch(seed) for seed in range(25)]
    wanted = [ragged(x, offsets) for offsets in batches]
    wrong: list[int] = []

    def many(number: int) -> None:
        context = _core.Context(ragged.program)
        for call in range(CALLS):
            at = (number * 7 + call) % len(batches)
            if not np.array_equal(ragged(x, batches[at], context=context), wanted[at]):
                wrong.append(at)

    threads = [threading.Thread(target=many, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_forked_child_starts_its_own_threads() -> None:
    of, offsets = weights(8, 8), offsets_of([9, 6, 5])
    ragged, x = Ragged([(of, False)], 20, 3, threads=2), sample(20, 8)
    want = ragged(x, offsets)
    child = os.fork()
    if not child:
        os._exit(0 if np.array_equal(ragged(x, offsets), want) else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_add_gru_rejects_wrong_views() -> None:
    of = weights(4, 6)
    gru = _core.Gru([(_core.GruWeights(*of), False)], False, _core.GruCache(8))
    program = _core.StepProgram(0, 1)

    def view(name: str, dtype: np.dtype[Any], *shape: int) -> int:
        strides = [int(np.prod(shape[k + 1 :])) for k in range(len(shape))]
        return program.add_view(program.add_argument(name, dtype, shape, True), 0, dtype, shape, strides)

    x, offsets, out, h0 = view("x", F32, 5, 4), view("o", I64, 3), view("y", F32, 5, 6), view("h", F32, 2, 6)
    narrow, short, ids = view("n", F32, 5, 3), view("s", F32, 4, 6), view("i", np.dtype(np.int32), 3)
    room = _core.GruRoom([(4, 6)], 1, 5, 2, 1)
    for ins, outs, message in (
        ([x], [out], "ins are x, offsets"),
        ([x, offsets], [out, out], "one out"),
        ([narrow, offsets], [out], "x is rows of f32"),
        ([x, ids], [out], "offsets are i64"),
        ([x, offsets], [short], "the result is rows of f32"),
        ([x, offsets, short], [out], "the initial states"),
    ):
        with pytest.raises(_core.Error, match=message):
            program.add_gru("gru", [gru], room, ins, outs)
    program.add_gru("gru", [gru], room, [x, offsets, h0], [out])
    for other, message in (
        (_core.GruRoom([(4, 6)], 1, 5, 2, 2), "another number of threads"),
        (_core.GruRoom([(4, 6), (6, 6)], 1, 5, 2, 1), "other layers"),
        (_core.GruRoom([(4, 5)], 1, 5, 2, 1), "other sizes"),
        (_core.GruRoom([(4, 6)], 2, 5, 2, 1), "other sizes"),
        (_core.GruRoom([(4, 6)], 1, 6, 2, 1), "x is rows"),
        (_core.GruRoom([(4, 6)], 1, 5, 3, 1), "offsets are i64"),
    ):
        with pytest.raises(_core.Error, match=message):
            program.add_gru("gru", [gru], other, [x, offsets], [out])
    with pytest.raises(_core.Error, match="a layer reads"):
        program.add_gru("gru", [gru, gru], _core.GruRoom([(4, 6), (4, 6)], 1, 5, 2, 1), [x, offsets], [out])
    with pytest.raises(_core.Error, match="no negative sizes"):
        _core.GruRoom([(4, 6)], 1, -1, 2, 1)
    with pytest.raises(_core.Error, match="weights of one size"):
        _core.Gru([(_core.GruWeights(*of), False), (_core.GruWeights(*weights(4, 5)), True)], False, _core.GruCache(8))
    with pytest.raises(_core.Error, match="at least one direction"):
        _core.Gru([], False, _core.GruCache(8))
    with pytest.raises(_core.Error, match="weights of a GRU"):
        _core.GruWeights(of.layer, of.iter.reshape(6, 18), of.bias)
    with pytest.raises(TypeError):
        _core.GruWeights(of.layer.astype(np.float64), of.iter, of.bias)  # pyright: ignore[reportArgumentType]


def test_add_unpacked_gru_rejects_wrong_views() -> None:
    program = _core.StepProgram(0, 1)

    def view(name: str, dtype: np.dtype[Any], *shape: int, gap: int = 0) -> int:
        strides = [int(np.prod(shape[k + 1 :])) for k in range(len(shape))]
        strides[0] += gap
        buffer = program.add_argument(name, dtype, (4 * int(np.prod(shape)),), True)
        return program.add_view(buffer, 0, dtype, shape, strides)

    ins, outs = [view("x", F32, 5, 4), view("o", I64, 3)], [view("y", F32, 5, 6)]
    layer, iter_, bias = view("l", F32, 4, 18), view("i", F32, 6, 3, 6), view("b", F32, 1, 18)
    loose, wide = view("s", F32, 4, 18, gap=2), view("w", np.dtype(np.float64), 4, 18)
    room, cache = _core.GruRoom([(4, 6)], 1, 5, 2, 1, packs=True), _core.GruCache(8)
    assert room.nbytes >= _core.GruRoom([(4, 6)], 1, 5, 2, 1).nbytes + 4 * (4 + 6) * 18

    def add(reverse: list[bool], weights: list[list[int]], data: Any = (), room: _core.GruRoom = room) -> None:
        program.add_unpacked_gru("gru", reverse, False, cache, weights, data, room, ins, outs)

    add([True], [[layer, iter_, bias]])
    for reverse, weights, data, message in (
        ([True, False], [[layer, iter_, bias]] * 2, [], "other layers"),
        ([True], [], [], "other layers"),
        ([True], [[layer, iter_]], [], "layer, iter and bias"),
        ([True], [[layer, iter_, bias]], [(1.0, 0.0)], "layer, iter and bias"),
        ([True], [[loose, iter_, bias]], [], "weights are dense"),
        ([True], [[wide, iter_, bias]], [], "weights are dense"),
        ([True], [[layer, bias, iter_]], [], "weights are dense"),
    ):
        with pytest.raises(_core.Error, match=message):
            add(reverse, weights, data)
    with pytest.raises(_core.Error, match="other layers"):
        add([True], [[layer, iter_, bias]], room=_core.GruRoom([(4, 6)], 1, 5, 2, 1))
    with pytest.raises(_core.Error, match="a layer reads"):
        two = _core.GruRoom([(4, 6), (4, 6)], 1, 5, 2, 1, packs=True)
        add([True], [[layer, iter_, bias], [layer, iter_, bias]], room=two)
