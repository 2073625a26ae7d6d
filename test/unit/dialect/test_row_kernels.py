"""The runtime's kernels of softmax and of normalised rows: against f64, on all instruction sets, in place."""

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


def row_norm(x: Array, scale: Array, bias: Array | None, width: int, channels: int, centred: bool = True) -> Array:
    """Rows of `width` elements; scale and bias are of channels, or of elements where `channels` is 0."""
    wide = x.astype(np.float64).reshape(-1, width)
    mean = wide.mean(1, keepdims=True) if centred else 0.0
    made = (wide - mean) / np.sqrt(((wide - mean) ** 2).mean(1, keepdims=True) + 1e-5)
    if channels:
        made, rows = made.reshape(x.shape[0], channels, -1), (channels, 1)
    else:
        rows = (width,)
    made = made * scale.astype(np.float64).reshape(rows) + (
        0 if bias is None else bias.astype(np.float64).reshape(rows)
    )
    return made.reshape(x.shape)


def layer_norm_case(shape: tuple[int, ...], axis: int, bias: bool, rng: np.random.Generator) -> Case:
    own, width = shape[axis:], int(np.prod(shape[axis:]))
    arrays = [rng.standard_normal(s).astype(np.float32) for s in (shape, own, own)][: 2 + bias]
    arrays[0] += np.float32(rng.uniform(-3, 3))
    line = f"layer_norm({', '.join(_text(a.shape) for a in arrays)}) {{axis = {axis} : i64}} -> {_text(shape)}"
    return Case(line, lambda x, s, b=None: row_norm(x, s, b, width, 0), tuple(arrays))


def group_norm_case(shape: tuple[int, ...], groups: int, rng: np.random.Generator) -> Case:
    arrays = [rng.standard_normal(s).astype(np.float32) for s in (shape, shape[1:2], shape[1:2])]
    width = int(np.prod(shape[1:])) // groups
    line = (
        f"group_norm({', '.join(_text(a.shape) for a in arrays)}) "
        f"{{epsilon = 1.0e-5 : f32, num_groups = {groups} : i64}} -> {_text(shape)}"
    )
    return Case(line, lambda x, s, b: row_norm(x, s, b, width, shape[1]), tuple(arrays))


def norm_cases() -> list[Case]:
    rng = np.random.default_rng(4)
    cases = [layer_norm_case((3, n), 1, bias, rng) for n in LENGTHS for bias in (False, True)]
    cases += [layer_norm_case((2, 3, 5, 7), axis, True, rng) for axis in (1, 2, 3)]
    cases += [layer_norm_case((0, 3), 1, True, rng)]
    cases += [group_norm_case((2, 6, n), groups, rng) for n in (1, 5, 16, 37, 130) for groups in (1, 2, 6)]
    return cases


SOFTMAX, NORM = softmax_cases(), norm_cases()


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


@pytest.mark.parametrize("case", NORM, ids=str)
def test_normalised_rows_are_those_of_f64(case: Case) -> None:
    assert error(case) < 4e-6


@pytest.mark.parametrize("isa", ["SSE41", "AVX2"])
def test_kernels_for_other_processors_compute_the_same(isa: str) -> None:
    softmax_error, norm_error = on_instructions(
        isa, "test_row_kernels", "[max(map(t.error, cases)) for cases in (t.SOFTMAX, t.NORM)]"
    )
    assert softmax_error < 1e-6 and norm_error < 4e-6


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


def test_statistics_are_those_of_the_rows() -> None:
    rng = np.random.default_rng(1)
    x, scale = rng.standard_normal((7, 33)).astype(np.float32), rng.standard_normal(33).astype(np.float32)
    op = build("layer_norm(7x33xf32, 33xf32) {epsilon = 1.0e-3 : f32} -> 7x33xf32, 7x1xf32, 7x1xf32")
    y, mean, inverse = np.empty_like(x), np.empty((7, 1), np.float32), np.empty((7, 1), np.float32)
    native_kernel(op, 1)([x, scale], [y, mean, inverse], scratch_of(op, 1))
    wide = x.astype(np.float64)
    np.testing.assert_allclose(mean, wide.mean(1, keepdims=True), atol=1e-6)
    np.testing.assert_allclose(inverse, 1 / np.sqrt(wide.var(1, keepdims=True) + 1e-3), rtol=1e-6)


@pytest.mark.parametrize(
    "line, wanted",
    [
        ("softmax(2x3xf32) -> 2x3xf32", Engine.NATIVE),
        ("log_softmax(2x3x4xf32) {axis = 1 : i64} -> 2x3x4xf32", Engine.NATIVE),
        ("softmax(2x3xf16) -> 2x3xf16", Engine.CPU),
        ("layer_norm(2x3xf32, 3xf32, 3xf32) -> 2x3xf32", Engine.NATIVE),
        ("layer_norm(2x3xf32, 3xf32, 3xf32) -> 2x3xf32, 2x1xf32, 2x1xf32", Engine.NATIVE),
        ("layer_norm(2x3xf64, 3xf64, 3xf64) -> 2x3xf64", Engine.CPU),
        ("mul(1x3x5x8xf32, 1x1x1x8xf32) -> 1x3x5x8xf32", Engine.NATIVE),
        ("sub(8xf32, ?x8xf32) -> ?x8xf32", Engine.NATIVE),
        ("div(?x?x5x8xf32, ?x1x1x8xf32) -> ?x?x5x8xf32", Engine.NATIVE),
        ("add(3x1xf32, 1x1xf32) -> 3x1xf32", Engine.ONEDNN),
        ("mul(3x8xf32, 3x8xf32) -> 3x8xf32", Engine.ONEDNN),
        ("mul(3x8xf32, 3x1xf32) -> 3x8xf32", Engine.ONEDNN),
        ("mul(3x8xf32, 1xf32) -> 3x8xf32", Engine.ONEDNN),
        ("mul(2x3x8xf32, 3x8xf32) -> 2x3x8xf32", Engine.ONEDNN),
    ],
)
def test_the_kernels_are_preferred(line: str, wanted: Engine) -> None:
    op = build(line)
    assert isinstance(op, DnnOp) and op.engine() == wanted
