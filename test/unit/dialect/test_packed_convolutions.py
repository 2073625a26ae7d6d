"""Convolutions with packed weights: sums over windows inside and outside of x, post-ops, instruction sets, the rule."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest
from native_kernels import computed_by, on_instructions
from row_sums import POST_OPS, check_post_op, error_of
from window_cases import Array, WindowCase, drawn_cases, line

import lastuse
from lastuse.dialect.dnn.packed_matmul import packed_panels, packed_size
from lastuse.dialect.onednn.kernel_call import KernelCallOp


class Case(NamedTuple):
    """A convolution without groups, and the channels of its result."""

    window: WindowCase
    columns: int

    @property
    def depth(self) -> int:
        return int(np.prod(self.window.kernel)) * self.window.channels

    @property
    def y(self) -> tuple[int, ...]:
        return (*self.window.places, self.columns)

    def line(self, post_ops: str = "", operands: int = 0) -> str:
        """The op as text, with a bias, and with further operands like y."""
        window = self.window
        shapes = [(*window.x, window.channels), (packed_size(self.depth, self.columns),), (self.columns,)]
        kernel = f"kernel_shape = array<i64: {', '.join(map(str, window.kernel))}>"
        attributes = f"columns = {self.columns} : i64, {kernel}, {window.movement}"
        return line("packed_conv", shapes + [self.y] * operands, attributes, self.y, post_ops)

    def operands(self) -> tuple[Array, Array, Array]:
        """x, weights [kernel…, C, O], and a bias."""
        rng, window = np.random.default_rng(7), self.window
        shapes = ((*window.x, window.channels), (*window.kernel, window.channels, self.columns), (self.columns,))
        x, weights, bias = (rng.standard_normal(shape).astype(np.float32) for shape in shapes)
        return x, weights, bias

    def packed(self) -> list[Array]:
        """The operands as the op has them."""
        x, weights, bias = self.operands()
        return [x, packed_panels(weights.reshape(self.depth, self.columns)), bias]

    def sums(self) -> Array:
        """The convolution in f64."""
        x, weights, bias = (operand.astype(np.float64) for operand in self.operands())
        under, rank = self.window.windows(x), len(self.window.kernel)
        axes = [*range(under.ndim - rank, under.ndim), under.ndim - rank - 1]
        return np.tensordot(under, weights, (axes, list(range(rank + 1)))) + bias


def cases() -> list[Case]:
    """Drawn sizes, and those at which a block of places, a run of channels or a list of taps ends."""
    rng = np.random.default_rng(5)
    found = [
        Case(WindowCase((1, 3, width), channels, (3, 3), (1, 1), (1, 1), (1, 1, 1, 1)), columns)
        for width, channels, columns in zip(
            (1, 2, 5, 6, 7, 11, 12, 13, 25),
            (1, 3, 15, 16, 17, 32, 33, 4, 5),
            (1, 8, 9, 17, 24, 31, 33, 64, 130),
            strict=True,
        )
    ]
    found += [
        Case(WindowCase((2, 9, 21), 5, (taps, taps), (step, step), (1, 1), (taps // 2,) * 4), 20)
        for taps in (1, 3, 4, 7)
        for step in (1, 2, 3)
    ]
    found += [
        Case(WindowCase((1, 3, 40), 12, (3, 5), (1, 1), (2, 2), (2, 4, 0, 4)), 70),
        Case(WindowCase((3, 50), 24, (5,), (2,), (1,), (2, 2)), 40),
        Case(WindowCase((2, 6), 9, (3,), (1,), (1,), (40, 3)), 10),  # windows that read nothing but zeros
        Case(WindowCase((2, 640), 1, (256,), (128,), (1,), (0, 0)), 33),
        Case(WindowCase((0, 5, 5), 8, (3, 3), (1, 1), (1, 1), (0, 0, 0, 0)), 4),
        Case(WindowCase((1, 5, 5), 0, (3, 3), (1, 1), (1, 1), (1, 1, 1, 1)), 4),
        Case(WindowCase((1, 40, 41), 64, (3, 3), (1, 1), (1, 1), (1, 1, 1, 1)), 100),  # more than is kept together
        Case(
            WindowCase((1, 1, 60), 6, (1, 40), (1, 2), (1, 1), (0, 7, 0, 9)), 33
        ),  # more taps than are listed together
    ]
    return found + [Case(window, int(rng.integers(1, 90))) for window in islice(drawn_cases(rng, 40), 40)]


CASES = cases()


def error(case: Case) -> float:
    return error_of(case.line(), case.packed(), case.sums())


def largest_error() -> float:
    return max(map(error, CASES))


def test_the_kernel_computes_the_sums_over_windows() -> None:
    assert largest_error() < 2e-6


@pytest.mark.parametrize("isa", ["SSE41", "AVX2"])
def test_kernels_for_other_processors_do_too(isa: str) -> None:
    assert on_instructions(isa, "test_packed_convolutions", "t.largest_error()") < 2e-6


def test_what_is_outside_of_x_is_not_multiplied() -> None:
    """An infinite weight makes no NaN of a zero that is not there, whatever places are computed with it."""
    case = Case(WindowCase((1, 5, 30), 16, (3, 3), (1, 1), (1, 1), (1, 1, 1, 1)), 20)
    x, weights, bias = case.packed()
    weights[: packed_size(16, 20)] = np.inf  # the first tap, above and left
    for threads in (1, 3):
        made = computed_by(case.line(), [np.abs(x), weights, bias], case.y, threads)
        assert np.isfinite(made[0, 0]).all() and np.isfinite(made[0, :, 0]).all()
        assert (made[0, 1:, 1:] == np.inf).all()


@pytest.mark.parametrize("name", POST_OPS)
@pytest.mark.parametrize("sums", [False, True])
def test_post_ops_are_functions_of_the_sums(name: str, sums: bool) -> None:
    case = Case(WindowCase((2, 5, 19), 6, (3, 3), (1, 1), (1, 1), (1, 1, 1, 1)), 37)
    check_post_op(name, sums, case.line, case.packed(), case.sums(), 2e-5)


@pytest.mark.parametrize(
    "channels, outputs, packed",
    [
        (32, 24, True),
        (31, 24, False),
        (32, 16, False),
        (32, 17, True),
        (32, 48, False),
        (32, 144, True),
        (32, 9, False),
    ],
)
def test_windows_are_packed_where_the_kernel_is_fast(channels: int, outputs: int, packed: bool) -> None:
    """The rule knows channels, not the size of x, which the compiled program takes any of."""
    w, x, y = (
        f"tensor<{shape}xf32>" for shape in (f"{outputs}x{channels}x3x3", f"1x?x?x{channels}", f"1x?x?x{outputs}")
    )
    text = f"""
func.func @main(%x: {x}) -> {y} {{
  %w = "dnn.constant"() {{value = dense<0.5> : {w}}} : () -> {w}
  %y = "dnn.conv"(%x, %w) {{channels_last = true, pads = array<i64: 1, 1, 1, 1>}} : ({x}, {w}) -> {y}
  func.return %y : {y}
}}
"""
    program = lastuse.compile(text.encode(), threads=1)
    for size in (5, 40):
        program.compile_for({"x": (1, size, size, channels)})
        calls = [op.callee.data for op in program.latest.lowered.walk() if isinstance(op, KernelCallOp)]
        assert calls.count("dnn.packed_conv") == packed
