"""The runtime's kernel of softmax: against f64, on all instruction sets, in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from native_kernels import computed_by, native_kernel, on_instructions, scratch_of
from op_cases import build

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.storage.contract import Engine

Array = np.ndarray[Any, np.dtype[Any]]
LENGTHS = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 1000, 6625)
"""Of rows: those at which vectors of 4, 8 and 16 elements end, and four of them side by side."""


class Case(NamedTuple):
    """An op as text, what it computes, in f64, and the arrays of its operands."""

    line: str
    want: Callable[..., Array]
    operands: tuple[Array, ...]

    def __str__(self) -> str:
        return self.line


def _text(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) + "xf32"


def softmax(x: Array, axis: int, log: bool) -> Array:
    with np.errstate(all="ignore"):
        shifted = x.astype(np.float64) - x.max(axis, keepdims=True)
        powers = np.exp(shifted)
        total = powers.sum(axis, keepdims=True)
        return shifted - np.log(total) if log else powers / total


def softmax_case(shape: tuple[int, ...], axis: int, log: bool, rng: np.random.Generator, spread: float = 4.0) -> Case:
    x = (rng.standard_normal(shape) * spread + rng.uniform(-50, 50)).astype(np.float32)
    name = "log_softmax" if log else "softmax"
    line = f"{name}({_text(shape)}) {{axis = {axis} : i64}} -> {_text(shape)}"
    return Case(line, lambda x: softmax(x, axis, log), (x,))


def softmax_cases() -> list[Case]:
    rng = np.random.default_rng(3)
    cases = [softmax_case((3, n), 1, log, rng) for n in LENGTHS for log in (False, True)]
    cases += [softmax_case((2, 5, n), 1, log, rng) for n in LENGTHS[:-2] for log in (False, True)]
    cases += [softmax_case((40, 7), 0, False, rng), softmax_case((2, 300, 1, 1), 1, False, rng)]
    cases += [
        softmax_case((5,), 0, True, rng),
        softmax_case((7, 1, 9), 1, True, rng),
        softmax_case((0, 3), 1, False, rng),
    ]
    cases += [softmax_case((4, 90), 1, log, rng, 60.0) for log in (False, True)]
    for _ in range(40):
        shape = tuple(map(int, rng.integers(1, 40, rng.integers(1, 5))))
        cases.append(softmax_case(shape, int(rng.integers(len(shape))), bool(rng.integers(2)), rng))
    return cases


SOFTMAX = softmax_cases()


def error(case: Case) -> float:
    """The largest difference of the kernel, in new memory and over operand 0, on any threads."""
    want = case.want(*case.operands)
    if not want.size:
        return 0.0
    once = computed_by(case.line, case.operands, want.shape)
    x = case.operands[0].copy()
    op = build(case.line)
    native_kernel(op, 1)([x, *case.operands[1:]], [x], scratch_of(op, 1))
    for made in (x, computed_by(case.line, case.operands, want.shape, 3)):
        assert made.tobytes() == once.tobytes()
    return float(np.max(np.abs(once - want) / np.maximum(np.abs(want), 1)))


@pytest.mark.parametrize("case", SOFTMAX, ids=str)
def test_softmax_is_that_of_f64(case: Case) -> None:
    assert error(case) < 1e-6


@pytest.mark.parametrize("isa", ["SSE41", "AVX2"])
def test_kernels_for_other_processors_compute_the_same(isa: str) -> None:
    assert max(on_instructions(isa, "test_row_kernels", "[t.error(case) for case in t.SOFTMAX]")) < 1e-6


def edges() -> list[tuple[str, Array]]:
    """Rows, and columns, with elements that are no finite numbers."""
    x = np.zeros((8, 40), np.float32)
    x[0], x[1, 5], x[2, 39], x[3, 33], x[4, :39], x[5] = -np.inf, -np.inf, np.nan, np.inf, -np.inf, -3e38
    x[6, ::2], x[7, 7] = -1000, 3e38
    lines = (f"{name}({{}}) {{{{axis = {{}} : i64}}}} -> {{}}" for name in ("softmax", "log_softmax"))
    return [
        (line.format(_text(a.shape), axis, _text(a.shape)), a)
        for line in lines
        for axis, a in ((1, x), (0, x.T.copy()))
    ]


def edge_errors() -> list[float]:
    """The largest differences from the op's meaning; infinity where NaN or an infinity stands elsewhere."""
    errors = []
    for line, x in edges():
        op = build(line)
        (want,), got = op.reference(x), computed_by(line, [x], x.shape)
        finite = np.isfinite(want)
        same = np.array_equal(got[~finite], want[~finite], equal_nan=True) and bool(np.isfinite(got[finite]).all())
        size = np.maximum(np.abs(want[finite]), 1)
        errors.append(float(np.max(np.abs(got[finite] - want[finite]) / size)) if same else float("inf"))
    return errors


def test_infinities_and_nan_are_those_of_the_op() -> None:
    assert max(edge_errors()) < 1e-6


@pytest.mark.parametrize("isa", ["SSE41", "AVX2"])
def test_infinities_and_nan_are_the_same_on_other_processors(isa: str) -> None:
    assert max(on_instructions(isa, "test_row_kernels", "t.edge_errors()")) < 1e-6


def test_elements_far_below_the_largest_are_zero() -> None:
    """A mask of -infinity, or of a large negative number, leaves nothing of what it hides."""
    x = np.zeros((2, 50), np.float32)
    x[:, 1:] = [[-np.inf], [-1e4]]
    assert np.array_equal(computed_by("softmax(2x50xf32) -> 2x50xf32", [x], x.shape), [[1, *[0] * 49]] * 2)


@pytest.mark.parametrize(
    "line, wanted",
    [
        ("softmax(2x3xf32) -> 2x3xf32", Engine.NATIVE),
        ("log_softmax(2x3x4xf32) {axis = 1 : i64} -> 2x3x4xf32", Engine.NATIVE),
        ("softmax(2x3xf16) -> 2x3xf16", Engine.CPU),
    ],
)
def test_the_kernels_are_preferred(line: str, wanted: Engine) -> None:
    op = build(line)
    assert isinstance(op, DnnOp) and op.engine() == wanted
