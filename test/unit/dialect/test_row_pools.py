"""Pools over channels that are last by the runtime's kernel: against f64, on all instruction sets, where it is used."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from native_kernels import computed_by, on_instructions
from numpy.lib.stride_tricks import sliding_window_view
from op_cases import build

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.storage.contract import Engine

Array = np.ndarray[Any, np.dtype[Any]]
KINDS = ("max", "mean", "padded_mean")


class Case(NamedTuple):
    """x [N, spatial…, C], and how a window moves over it; without a window it is all of the spatial axes."""

    x: tuple[int, ...]
    kind: str
    kernel: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    dilations: tuple[int, ...] = ()
    pads: tuple[int, ...] = ()

    @property
    def rank(self) -> int:
        return len(self.x) - 2

    @property
    def places(self) -> tuple[int, ...]:
        if not self.kernel:
            return (1,) * self.rank
        edges = zip(self.pads[: self.rank], self.pads[self.rank :], strict=True)
        sizes = zip(self.x[1:-1], self.kernel, self.strides, self.dilations, edges, strict=True)
        return tuple((n + sum(edge) - (k - 1) * d - 1) // s + 1 for n, k, s, d, edge in sizes)

    def line(self) -> str:
        """The op as text."""
        y = (self.x[0], *self.places, self.x[-1])
        x, y = ("x".join(map(str, shape)) + "xf32" for shape in (self.x, y))
        name = "max_pool" if self.kind == "max" else "average_pool"
        if not self.kernel:
            return f'global_{name}({x}) {{channels_last = true, dnn.engine = "native"}} -> {y}'
        entries = {"kernel_shape": self.kernel, "strides": self.strides, "dilations": self.dilations, "pads": self.pads}
        stated = [f"{name} = array<i64: {', '.join(map(str, entry))}>" for name, entry in entries.items()]
        stated += ["count_include_pad = true"] if self.kind == "padded_mean" else []
        return f'{name}({x}) {{channels_last = true, {", ".join(stated)}, dnn.engine = "native"}} -> {y}'

    def given(self) -> Array:
        return np.random.default_rng(5).standard_normal(self.x).astype(np.float32) - 2


def pooled(case: Case, x: Array) -> Array:
    """The pool in f64."""
    axes = tuple(range(1, 1 + case.rank))
    wide = x.astype(np.float64)
    if not case.kernel:
        return wide.max(axes, keepdims=True) if case.kind == "max" else wide.mean(axes, keepdims=True)
    edges = [(0, 0), *zip(case.pads[: case.rank], case.pads[case.rank :], strict=True), (0, 0)]
    reach = [(k - 1) * d + 1 for k, d in zip(case.kernel, case.dilations, strict=True)]
    steps = (slice(None), *(slice(None, None, s) for s in case.strides), slice(None))
    taps = tuple(slice(None, None, d) for d in case.dilations)

    def windows(value: Array, outside: float) -> Array:
        padded = np.pad(value, edges, constant_values=outside)
        return sliding_window_view(padded, reach, axes)[(*steps, *taps)]

    last = tuple(range(-case.rank, 0))
    if case.kind == "max":
        return windows(wide, -np.inf).max(last)
    inside = windows(np.ones_like(wide), 1.0 if case.kind == "padded_mean" else 0.0).sum(last)
    with np.errstate(all="ignore"):
        return windows(wide, 0.0).sum(last) / inside


def cases() -> list[Case]:
    """Drawn sizes, and numbers of channels at which vectors and blocks of them end."""
    rng = np.random.default_rng(6)
    found = [
        Case((2, 5, 6, channels), kind, (3, 2), (2, 1), (1, 1), (1, 0, 1, 1))
        for channels in (1, 3, 4, 7, 8, 15, 16, 17, 40, 63, 64, 65, 127, 128, 129, 300)
        for kind in KINDS
    ]
    found += [
        Case((2, *sizes, channels), kind)
        for sizes in ((7, 9), (1, 1), (50,), (3, 80))
        for channels in (5, 24, 200)
        for kind in KINDS[:2]
    ]
    found += [Case((1, 3, 30, 20), kind, (1, 12), (1, 3), (1, 2), (0, 7, 0, 5)) for kind in KINDS]
    found += [Case((1, 13, 13, 40), "max", (13, 13), (1, 1), (1, 1), (6, 6, 6, 6))]
    found += [
        Case((1, 4, 4, 9), kind, (2, 2), (3, 3), (1, 1), (3, 3, 3, 3)) for kind in KINDS[1:]
    ]  # in the padding alone
    found += [Case((0, 4, 4, 9), "mean", (2, 2), (1, 1), (1, 1), (0, 0, 0, 0))]
    while len(found) < 120:
        rank = int(rng.integers(1, 3))

        def draw(low: int, high: int, count: int = rank) -> tuple[int, ...]:
            return tuple(map(int, rng.integers(low, high, count)))

        case = Case(
            (int(rng.integers(1, 3)), *draw(1, 20), int(rng.integers(1, 70))),
            KINDS[rng.integers(3)],
            draw(1, 5),
            draw(1, 4),
            draw(1, 3),
            draw(0, 4, 2 * rank),
        )
        if min(case.places) > 0:
            found.append(case)
    return found


CASES = cases()


def error(case: Case) -> float:
    """The largest difference of the kernel, on any threads; infinity where NaN or an infinity stands elsewhere."""
    x = case.given()
    want = pooled(case, x)
    made = [computed_by(case.line(), [x], want.shape, threads) for threads in (1, 2, 3)]
    assert made[0].tobytes() == made[1].tobytes() == made[2].tobytes()
    return difference(made[0], want)


def difference(got: Array, want: Array) -> float:
    """The largest one; infinity where NaN or an infinity stands elsewhere."""
    finite = np.isfinite(want)
    same = np.array_equal(got[~finite], want[~finite], equal_nan=True) and bool(np.isfinite(got[finite]).all())
    return float(np.max(np.abs(got[finite] - want[finite]), initial=0)) if same else float("inf")


@pytest.mark.parametrize("case", CASES, ids=Case.line)
def test_pools_are_those_of_f64(case: Case) -> None:
    assert error(case) < 2e-6


@pytest.mark.parametrize("isa", ["SSE41", "AVX2"])
def test_kernels_for_other_processors_compute_the_same(isa: str) -> None:
    assert max(on_instructions(isa, "test_row_pools", "[t.error(case) for case in t.CASES]")) < 2e-6


def edge_error() -> float:
    """The difference from the op's meaning, of elements that are no finite numbers."""
    x = np.zeros((1, 4, 9, 21), np.float32)
    x[0, 1, 2, 5], x[0, 2, 8, 20], x[0, 3, 3], x[0, :, 5] = np.nan, np.nan, np.inf, -np.inf
    found = []
    for kernel in ("2, 2", "4, 1", "1, 9"):
        stated = f'channels_last = true, kernel_shape = array<i64: {kernel}>, dnn.engine = "native"'
        a, b = map(int, kernel.split(","))
        line = f"max_pool(1x4x9x21xf32) {{{stated}}} -> 1x{5 - a}x{10 - b}x21xf32"
        (want,) = build(line).reference(x)
        found.append(difference(computed_by(line, [x], want.shape), want))
    return max(found)


@pytest.mark.parametrize("isa", ["SSE41", "AVX2", "DEFAULT"])
def test_the_largest_is_nan_where_an_element_is(isa: str) -> None:
    assert on_instructions(isa, "test_row_pools", "t.edge_error()") == 0


def test_a_long_mean_is_summed_in_one_order() -> None:
    """Channels that are computed in one block, in several, or on several threads, have the same bits."""
    x = np.random.default_rng(2).standard_normal((1, 40, 50, 400)).astype(np.float32)
    line = 'global_average_pool(1x40x50x400xf32) {channels_last = true, dnn.engine = "native"} -> 1x1x1x400xf32'
    once = computed_by(line, [x], (1, 1, 1, 400))
    for threads in (2, 3, 5):
        np.testing.assert_array_equal(computed_by(line, [x], (1, 1, 1, 400), threads), once)


WINDOW = "kernel_shape = array<i64: 2, 2>, channels_last = true"


@pytest.mark.parametrize(
    "line, wanted",
    [
        (f"max_pool(1x4x6x16xf32) {{{WINDOW}}} -> 1x3x5x16xf32", Engine.NATIVE),
        (f"average_pool(1x?x?x16xf32) {{{WINDOW}, count_include_pad = true}} -> 1x?x?x16xf32", Engine.NATIVE),
        ("global_average_pool(1x?x?x16xf32) {channels_last = true} -> 1x1x1x16xf32", Engine.NATIVE),
        ("max_pool(1x16x4x6xf32) {kernel_shape = array<i64: 2, 2>} -> 1x16x3x5xf32", Engine.ONEDNN),
        ("global_average_pool(1x16x4x6xf32) -> 1x16x1x1xf32", Engine.ONEDNN),
        (f"max_pool(1x4x6x16xui8) {{{WINDOW}}} -> 1x3x5x16xui8", Engine.ONEDNN),
        (f"max_pool(1x4x6x16xf32) {{{WINDOW}}} -> 1x3x5x16xf32, 1x3x5x16xui8", Engine.ONEDNN),
        (f"max_pool(1x4x6x7xf32) {{{WINDOW}}} -> 1x3x5x7xf32", Engine.ONEDNN),  # vectors are half empty
        (
            "max_pool(1x13x13x16xf32) {kernel_shape = array<i64: 6, 6>, channels_last = true} -> 1x8x8x16xf32",
            Engine.ONEDNN,
        ),
        ("global_max_pool(1x2x4x6x16xf32) {channels_last = true} -> 1x1x1x1x16xf32", Engine.ONEDNN),
    ],
)
def test_the_kernel_is_preferred_where_it_is_as_fast(line: str, wanted: Engine) -> None:
    op = build(line)
    assert isinstance(op, DnnOp) and op.engine() == wanted
