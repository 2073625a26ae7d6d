"""Convolutions of one channel each by the runtime's kernel: sums over windows, post-ops, and instruction sets."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest
from native_kernels import on_instructions
from row_sums import POST_OPS, check_post_op, error_of
from window_cases import Array, WindowCase, drawn_cases, line


class Case(NamedTuple):
    """A convolution of each channel."""

    window: WindowCase

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """Of x, weights and bias."""
        window = self.window
        return [(*window.x, window.channels), (*window.kernel, window.channels), (window.channels,)]

    @property
    def y(self) -> tuple[int, ...]:
        return (*self.window.places, self.window.channels)

    def line(self, post_ops: str = "", operands: int = 0) -> str:
        """The op as text, with a bias, and with further operands like y."""
        return line("depthwise_conv", self.shapes + [self.y] * operands, self.window.movement, self.y, post_ops)

    def operands(self) -> tuple[Array, Array, Array]:
        rng = np.random.default_rng(7)
        x, weights, bias = (rng.standard_normal(shape).astype(np.float32) for shape in self.shapes)
        return x, weights, bias

    def sums(self) -> Array:
        """The convolution in f64."""
        x, weights, bias = (operand.astype(np.float64) for operand in self.operands())
        under, rank = self.window.windows(x), len(self.window.kernel)
        return (under * np.moveaxis(weights, -1, 0)).sum(tuple(range(-rank, 0))) + bias


def cases() -> list[Case]:
    """Drawn sizes, and those at which a vector, a line of a cache, a block of elements or a tile ends."""
    rng = np.random.default_rng(5)
    found = [
        WindowCase((1, 4, width), channels, (3, 3), (1, 1), (1, 1), (1, 1, 1, 1))
        for width, channels in zip((1, 2, 7, 8, 9, 15, 16, 17, 33), (1, 4, 7, 8, 16, 17, 63, 64, 80), strict=True)
    ]
    found += [
        WindowCase((2, 9, 21), 20, (taps, taps), (step, step), (1, 1), (taps // 2,) * 4)
        for taps in (1, 3, 4, 5, 7)
        for step in (1, 2, 3)
    ]
    found += [
        WindowCase((1, 3, 40), 128, (3, 5), (1, 1), (2, 2), (2, 4, 0, 4)),
        WindowCase((3, 50), 24, (5,), (2,), (1,), (2, 2)),
        WindowCase((2, 6), 9, (3,), (1,), (1,), (40, 3)),  # windows that read nothing but zeros
        WindowCase((0, 5, 5), 8, (3, 3), (1, 1), (1, 1), (0, 0, 0, 0)),
        WindowCase((1, 1, 300), 70, (1, 3), (1, 2), (1, 1), (0, 1, 0, 1)),
    ]
    found += islice(drawn_cases(rng, 90), 70 - len(found))
    return [Case(window) for window in found]


CASES = cases()


def error(case: Case) -> float:
    return error_of(case.line(), case.operands(), case.sums())


def largest_error() -> float:
    return max(map(error, CASES))


def test_the_kernel_computes_the_sums_over_windows() -> None:
    assert largest_error() < 2e-6


@pytest.mark.parametrize("isa", ["SSE41", "AVX2"])
def test_kernels_for_other_processors_do_too(isa: str) -> None:
    assert on_instructions(isa, "test_depthwise_convolutions", "t.largest_error()") < 2e-6


def test_several_threads_share_rows_or_channels() -> None:
    for window in (
        WindowCase((1, 60, 60), 100, (3, 3), (1, 1), (1, 1), (1, 1, 1, 1)),
        WindowCase((1, 1, 3000), 100, (1, 5), (1, 1), (1, 1), (0, 2, 0, 2)),
    ):
        assert error(Case(window)) < 2e-6


@pytest.mark.parametrize("name", POST_OPS)
@pytest.mark.parametrize("sums", [False, True])
def test_post_ops_are_functions_of_the_sums(name: str, sums: bool) -> None:
    case = Case(WindowCase((2, 5, 19), 21, (3, 3), (1, 1), (1, 1), (1, 1, 1, 1)))
    check_post_op(name, sums, case.line, case.operands(), case.sums())
