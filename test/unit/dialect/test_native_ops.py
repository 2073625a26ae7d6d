"""The runtime's kernels of ops, called by name: what the kernels in numpy compute, in place and at strides too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from good_ops import lines
from native_kernels import native_kernel, scratch_of
from op_cases import build, empty, operands_for
from op_lines import RUNNABLE, example_line, large_line

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.gathers import IndicesError
from lastuse.dialect.storage.contract import Engine, contract_of
from lastuse.runtime import _core
from lastuse.testing import check_contract

EXACT = frozenset(
    ("dnn.sgd", "dnn.momentum", "dnn.adam", "dnn.adam_with_powers", "dnn.dropout", "dnn.index_add", "dnn.nll_grad")
)
"""Ops whose two kernels make the same bits."""
MORE = [
    "softmax_cross_entropy(3x2500xf32, 3xi64) -> f32",
    "softmax_cross_entropy(3x2500xf32, 3x2500xf32) -> f32",
    "softmax_cross_entropy_grad(3x2500xf32, 3xi64, f32) -> 3x2500xf32",
    "softmax_cross_entropy_grad(3000x11xf32, 3000x11xf32, f32) -> 3000x11xf32",
    "softmax_cross_entropy_grad(70x11x9xf32, 70x9xi64, f32) {axis = 1 : i64} -> 70x11x9xf32",
    "dropout(100003xf32, i64, i64) {rate = 0.7 : f32} -> 100003xf32",
    "mse(1000x101xf32, 1000x101xf32) -> f32",
    "linear_chain_crf(4000x9xf32, 11x9xf32, 4000xi64, 70xi64) -> 69x1xf32",
    "linear_chain_crf_grad(4000x9xf32, 11x9xf32, 4000xi64, 70xi64, 69x1xf32) -> 4000x9xf32, 11x9xf32",
    "adam(300x300xf32, 300x300xf32, 300x300xf32, 300x300xf32, i64, f32) {weight_decay = 0.1 : f32} -> "
    "300x300xf32, 300x300xf32, 300x300xf32",
    "momentum(300x300xf32, 300x300xf32, 300x300xf32, f32) {nesterov = true} -> 300x300xf32, 300x300xf32",
    "sgd(300x300xf32, 300x300xf32, f32) {weight_decay = 0.1 : f32} -> 300x300xf32",
    "reduce_sum(33x7x9x31xf32) {axes = array<i64: 0, 2, 3>} -> 7xf32",
    "reduce_sum(3x40x5x300xf32) {axes = array<i64: 0, 2>} -> 40x300xf32",
    "reduce_sum(0x4xf32) {axes = array<i64: 0>} -> 4xf32",
    "reduce_mean(500x3x1030xf32) {axes = array<i64: 0, 2>, keepdims = true} -> 1x3x1xf32",
    "reduce_mean(100x700xf32) {axes = array<i64: 0>} -> 700xf32",
    "index_add(3x4x6xf32, 2x5xi64, 3x2x5x6xf32) {axis = 1 : i64} -> 3x4x6xf32",
]


def cases() -> Iterator[str]:
    for cls in RUNNABLE:
        for line in (*lines(cls), large_line(cls)):
            op = None if line is None else build(line)
            if line is not None and op is not None and op.native_kernel() and op.engine() is Engine.NATIVE:
                yield line
    yield from MORE


CASES = sorted(set(cases()))


def computed(op: DnnOp, operands: list[Array], threads: int) -> list[Array]:
    results = empty(op)
    native_kernel(op, threads)(operands, results, scratch_of(op, threads))
    return results


def test_cases_have_every_native_kernel() -> None:
    named = {build(line).name for line in CASES}
    assert named > EXACT
    # Other ops have one for some attributes: batch normalisation in training, sums along first axes.
    assert named >= {cls.name for cls in RUNNABLE if build(example_line(cls)).native_kernel() is not None}


@pytest.mark.parametrize("line", CASES)
def test_native_kernels_compute_what_those_in_numpy_do(line: str) -> None:
    op = build(line)
    assert Engine.NATIVE in contract_of(op).engines
    near = 1e-4 if op.name == "dnn.gru_grad" else 2e-6
    operands, want = operands_for(op), empty(op)
    op.kernel(operands, want, np.empty(contract_of(op).scratch, np.uint8))
    for threads in (1, 3):
        for got, wanted in zip(computed(op, operands, threads), want, strict=True):
            if op.name in EXACT:
                np.testing.assert_array_equal(got, wanted)
            np.testing.assert_allclose(got, wanted, rtol=near, atol=near * np.abs(wanted).max(initial=0.1))
    again = computed(op, operands, 3)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(again, computed(op, operands, 3), strict=True))


@pytest.mark.parametrize("line", CASES)
def test_native_kernels_keep_the_contract(line: str) -> None:
    op = build(line)
    kernel = native_kernel(op, 2)

    def run(operands: Sequence[Array], results: Sequence[Array], _: Array) -> None:
        kernel(operands, results, scratch_of(op, 2))

    check_contract(op, run, operands_for(op))


@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan, 1e30, -1e30])
@pytest.mark.parametrize(
    "line",
    [
        "softmax_cross_entropy(4x5xf32, 4xi64) -> f32",
        "softmax_cross_entropy_grad(4x5xf32, 4xi64, f32) -> 4x5xf32",
        "linear_chain_crf(6x3xf32, 5x3xf32, 6xi64, 3xi64) -> 2x1xf32",
        "linear_chain_crf_grad(6x3xf32, 5x3xf32, 6xi64, 3xi64, 2x1xf32) -> 6x3xf32, 5x3xf32",
    ],
)
@pytest.mark.parametrize("number", [0, 1])
def test_odd_numbers_have_the_results_of_the_kernel_in_numpy(line: str, odd: float, number: int) -> None:
    op = build(line)
    operands = operands_for(op)
    if operands[number].dtype.kind != "f":
        return
    operands[number].reshape(-1)[[1, 7]] = odd
    want = empty(op)
    with np.errstate(all="ignore"):
        op.kernel(operands, want, np.empty(contract_of(op).scratch, np.uint8))
    for got, wanted in zip(computed(op, operands, 1), want, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=2e-6, atol=2e-6)


def test_scores_of_a_chain_far_apart_have_the_gradients_of_the_kernel_in_numpy() -> None:
    """Exponentials of their differences are 0 in f64."""
    rng, shape = np.random.default_rng(3), "12x4xf32, 6x4xf32, 12xi64, 3xi64"
    operands = [
        (1000 * rng.normal(size=(12, 4))).astype("f"),
        (1000 * rng.normal(size=(6, 4))).astype("f"),
        rng.integers(0, 4, 12),
        np.array([0, 5, 12]),
    ]
    for line, more in (
        (f"linear_chain_crf({shape}) -> 2x1xf32", []),
        (f"linear_chain_crf_grad({shape}, 2x1xf32) -> 12x4xf32, 6x4xf32", [np.ones((2, 1), "f")]),
    ):
        op = build(line)
        want = empty(op)
        op.kernel([*operands, *more], want, np.empty(contract_of(op).scratch, np.uint8))
        for got, wanted in zip(computed(op, [*operands, *more], 1), want, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-4)


@pytest.mark.parametrize(
    "line, number",
    [
        ("softmax_cross_entropy(4x5xf32, 4xi64) -> f32", 1),
        ("nll_grad(4x5xf32, 4xi64, f32) -> 4x5xf32", 1),
        ("linear_chain_crf(4x5xf32, 7x5xf32, 4xi64, 2xi64) -> 1x1xf32", 2),
        ("index_add(5x4xf32, 4xi64, 4x4xf32) -> 5x4xf32", 1),
    ],
)
@pytest.mark.parametrize("index", [5, -6])
def test_indices_outside_of_an_axis_have_one_message(line: str, number: int, index: int) -> None:
    op = build(line)
    operands = operands_for(op)
    operands[number][2] = index
    with pytest.raises(IndicesError) as numpy_error:
        op.kernel(operands, empty(op), np.empty(contract_of(op).scratch, np.uint8))
    with pytest.raises(_core.IndicesError, match=re.escape(str(numpy_error.value))):
        computed(op, operands, 1)


def test_exponentials_are_near_those_in_f64() -> None:
    x = -np.linspace(0, 86.5, 100_000, dtype=np.float32)
    rows = np.stack([np.zeros_like(x), x], 1)
    op = build("softmax_cross_entropy_grad(100000x2xf32, 100000x2xf32, f32) -> 100000x2xf32")
    marks = np.zeros_like(rows)
    marks[:, 0] = 1
    (got,) = computed(op, [rows, marks, np.array(100_000, "f")], 1)
    power = np.exp(x.astype(np.float64))
    np.testing.assert_allclose(got[:, 1], power / (1 + power), rtol=6 * np.finfo(np.float32).eps)


def test_kernels_refuse_what_they_do_not_take() -> None:
    x, y, scratch = np.zeros(3, "f"), np.zeros(3, "f"), np.empty(0, np.uint8)
    for kernel, ins, message in (
        ("nothing", [x], "there is no kernel 'nothing'"),
        ("sgd", [x, x], "the kernel takes other operands"),
        ("sgd", [x, x.astype("d"), np.array(1, "f")], "are f32 of one shape"),
        ("sgd", [x, x, np.array(1, np.float16)], "a scalar is f32, f64, i32 or i64"),
        ("sgd", [x, x, x], "a scalar has one element"),
    ):
        with pytest.raises(_core.Error, match=message):
            _core.call_native(kernel, "dnn.sgd", [0.0], ins, [y], scratch, 1)
