"""The runtime's kernels of ops, called by name: what the kernels in numpy compute, in place and at strides too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from good_data_ops import REDUCTIONS
from good_integer_ops import CHANNEL_CONVOLUTIONS, SHIFTED_CONVOLUTIONS, WIDE_CONVOLUTIONS
from good_ops import lines
from hypothesis import given, settings
from hypothesis import strategies as st
from native_kernels import native_kernel, scratch_of
from op_cases import build, empty, named, operands_for, segments
from op_lines import RUNNABLE, example_line, large_line

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.dnn.gathers import IndicesError
from lastuse.dialect.storage.contract import Engine, contract_of
from lastuse.runtime import _core
from lastuse.testing import check_contract

EXACT = frozenset(
    f"dnn.{name}"
    for name in (
        *("sgd", "momentum", "adam", "adam_with_powers", "dropout", "index_add", "nll_grad"),
        *("arg_max", "arg_min", "top_k", "cumsum", "cumprod", "reduce_max", "reduce_min"),
        *("gather", "gather_elements", "gather_nd", "scatter_elements", "scatter_nd", "tensor_scatter", "pad"),
        *("dynamic_slice", "dynamic_update_slice"),
        *("fill", "zeros", "ones", "constant_of_shape", "eye_like", "one_hot", "trilu", "tile", "compress"),
        *("quantize_linear", "dequantize_linear", "dynamic_quantize_linear"),
        *("matmul_integer", "qlinear_matmul", "conv_integer", "qlinear_conv"),
        *("qlinear_add", "scaled_matmul_integer", "scaled_conv_integer", "byte_table"),
        *("reverse_sequence", "depth_to_space", "space_to_depth", "slice", "resize"),
    )
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
    *WIDE_CONVOLUTIONS,
    *SHIFTED_CONVOLUTIONS,
    *CHANNEL_CONVOLUTIONS,
    *REDUCTIONS,
    "top_k(5x40x70xf32) {axis = 1 : i64, k = 40 : i64} -> 5x40x70xf32, 5x40x70xi64",
    "top_k(50x300xi32) {k = 17 : i64, largest = false} -> 50x17xi32, 50x17xi64",
    "top_k(5x3xf64) {k = 0 : i64} -> 5x0xf64, 5x0xi64",
    "arg_max(90x40x11xi32) {axis = 1 : i64, select_last_index = true} -> 90x1x11xi64",
    *(
        f"conv_transpose({line[0]}) {{channels_last = true, {line[1]}}} -> {line[2]}"
        for line in (
            ("2x5x7x16xf32, 16x8x1x5xf32, 16xf32", "group = 2, strides = array<i64: 1, 2>", "2x5x17x16xf32"),
            ("1x5x7x20xf32, 20x5x3x2xf32", "group = 4, dilations = array<i64: 2, 3>, pads = array<i64: 1, 2, 0, 1>")
            + ("1x8x7x20xf32",),
            ("1x9x30x27xf32, 27x1x3x3xf32, 27xf32", "group = 27, strides = array<i64: 2, 3>", "1x19x90x27xf32"),
            ("3x40x24xf32, 24x1x2xf32", "strides = array<i64: 2>", "3x80x1xf32"),
            ("1x9x5x19xf32, 19x3x4x3xf32, 3xf32", "strides = array<i64: 3, 1>, pads = array<i64: 4, 0, 2, 1>")
            + ("1x22x6x3xf32",),
            ("2x3x4x50xf32, 50x20x2x2xf32", "group = 2, output_shape = array<i64: 7, 9>, strides = array<i64: 2, 2>")
            + ("2x7x9x40xf32",),
            ("1x1x1x6xf32, 6x1x3x3xf32", "group = 6, output_padding = array<i64: 1, 2>, strides = array<i64: 2, 4>")
            + ("1x4x5x6xf32",),
            ("0x3x4x6xf32, 6x1x3x3xf32", "group = 6", "0x5x6x6xf32"),
        )
    ),
    *(
        f"conv({line[0]}) {{{line[1]}}} -> {line[2]}"
        for line in (
            ("2x32x9x40xf32, 10x16x5x1xf32, 10xf32", "group = 2, pads = array<i64: 4, 0, 0, 0>", "2x10x9x40xf32"),
            ("1x24x7x37xf32, 8x24x3x3xf32", "dilations = array<i64: 2, 3>, pads = array<i64: 1, 5, 2, 4>")
            + ("1x8x6x40xf32",),
            (
                "1x14x9x70xf32, 7x14x2x4xf32",
                "strides = array<i64: 3, 1>, pads = array<i64: 3, 0, 0, 1>",
                "1x7x4x68xf32",
            ),
            ("3x24x50xf32, 6x8x4xf32, 6xf32", 'group = 3, auto_pad = "SAME_LOWER"', "3x6x50xf32"),
            ("1x6x2x3xf32, 3x6x3x5xf32, 3xf32", 'pads = array<i64: 2, 4, 1, 4>, dnn.engine = "native"')
            + ("1x3x3x7xf32",),
            ("1x2x1x99xf32, 1x2x1x33xf32", "", "1x1x1x67xf32"),
            ("0x4x3x50xf32, 2x4x1x1xf32", "", "0x2x3x50xf32"),
            (
                "2x9x40x11xf32, 3x11x3x5xf32, 3xf32",
                "channels_last = true, pads = array<i64: 1, 2, 1, 2>",
                "2x9x40x3xf32",
            ),
            (
                "1x3x9x20xf32, 2x3x3x3xf32, 2xf32, 1x2x9x20xf32",
                'pads = array<i64: 1, 1, 1, 1>, post_ops = [{op = "dnn.add", sum}, {op = "dnn.hard_swish"}]',
                "1x2x9x20xf32",
            ),
        )
    ),
    "softmax(90x7x11xf64) {axis = 1 : i64} -> 90x7x11xf64",
    "softmax(70x300xf64) -> 70x300xf64",
    "softmax(3x0x4xf64) {axis = 1 : i64} -> 3x0x4xf64",
    "log_softmax(9x40x11xf64) {axis = 0 : i64} -> 9x40x11xf64",
    "cumsum(90x40x110xf32) {axis = 1 : i64} -> 90x40x110xf32",
    "reduce_mean(500x3x1030xf32) {axes = array<i64: 0, 2>, keepdims = true} -> 1x3x1xf32",
    "reduce_mean(100x700xf32) {axes = array<i64: 0>} -> 700xf32",
    "gather(3x400x5xf32, 70x3xi64) {axis = 1 : i64} -> 3x70x3x5xf32",
    "gather(70x900xf64, 650xi32) {axis = 1 : i64} -> 70x650xf64",
    "gather_elements(300x40xi8, 200x40xi64) -> 200x40xi8",
    "gather_nd(7x30x20x3xf16, 7x900x2xi64) {batch_dims = 1 : i64} -> 7x900x3xf16",
    "scatter_elements(30x40xf32, 20x70xi32, 20x70xf32) {axis = 1 : i64} -> 30x40xf32",
    *(
        f'scatter_nd(9x4x5x{dtype}, 6x2xi64, 6x5x{dtype}) {{reduction = "{reduction}"}} -> 9x4x5x{dtype}'
        for dtype in ("f32", "f64", "i64", "ui8", "i16", "i1")
        for reduction in ("add", "mul", "max", "min")
    ),
    *(
        f'pad(3x7x5x{dtype}) {{mode = "{mode}", pads = array<i64: 0, 3, -1, 1, 6, 4>}} -> 4x16x8x{dtype}'
        for dtype in ("f32", "f64", "i8", "bf16")
        for mode in ("constant", "reflect", "edge", "wrap")
    ),
    "pad(2x3xf32) {pads = array<i64: 0, 1, 0, 1>, value = -3.0e38 : f32} -> 2x5xf32",
    "slice(6x7x3xf16) {axes = array<i64: 1, 0>, ends = array<i64: -9, 6>, starts = array<i64: 5, 1>, "
    "steps = array<i64: -2, 3>} -> 2x3x3xf16",
    "quantize_linear(3x40x70x11xf32, 40xf32, 40xi8) -> 3x40x70x11xi8",
    "quantize_linear(3x70x11x40xf32, 40xf32, 40xui16) {axis = -1 : i64} -> 3x70x11x40xui16",
    "quantize_linear(300x300xf32, f32, 1xui8) -> 300x300xui8",
    "dequantize_linear(300x301xi32, 301xf32) -> 300x301xf32",
    "dequantize_linear(3x40x70x11xi8, 40xf32, 40xi8) -> 3x40x70x11xf32",
    "dequantize_linear(300x300xui8, f32, ui8) -> 300x300xf32",
    "dynamic_quantize_linear(300x1003xf32) -> 300x1003xui8, f32, ui8",
    *(
        f"matmul_integer(37x{depth}x{a}, {depth}x{columns}x{b}, {a}, {columns}x{b}) {segments(1, 1, 1, 1)} "
        f"-> 37x{columns}xi32"
        for a, b in (("ui8", "i8"), ("i8", "ui8"), ("i8", "i8"), ("ui8", "ui8"))
        for depth, columns in ((301, 75), (64, 16), (1, 1), (1000, 33))
    ),
    f"matmul_integer(2x1x5x70xui8, 3x70x40xi8, 1xui8) {segments(1, 1, 1, 0)} -> 2x3x5x40xi32",
    "qlinear_matmul(7x5x20xui8, f32, ui8, 20x40xi8, 40xf32, 40xi8, 1xf32, i8, 40xi32) -> 7x5x40xi8",
    "qlinear_matmul(300x96xi8, f32, i8, 96x100xui8, f32, ui8, f32, ui8) -> 300x100xui8",
    *(
        f"qlinear_conv({x}x{a}, f32, {a}, {w}x{b}, {o}xf32, {o}x{b}, f32, {c}, {o}xi32) {{{more}}} -> {y}x{c}"
        for a, b, c in (("ui8", "i8", "ui8"), ("i8", "i8", "i8"), ("ui8", "ui8", "i8"))
        for x, w, o, y, more in (
            ("2x19x17x12", "24x3x3x12", 24, "2x10x9x24")
            + ("channels_last = true, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>",),
            ("1x15x15x64", "40x1x1x64", 40, "1x15x15x40", "channels_last = true"),
            ("2x9x11x6", "8x3x2x3", 8, "2x9x10x8")
            + ("channels_last = true, group = 2, dilations = array<i64: 2, 3>, pads = array<i64: 2, 0, 2, 2>",),
            ("2x3x21x19", "5x3x3x5", 5, "2x5x11x9", "pads = array<i64: 1, 2, 1, 1>, strides = array<i64: 2, 2>"),
            ("1x6x5x4x7", "6x1x2x3x2", 6, "1x6x4x2x6", "group = 6"),
            ("3x50x8", "16x5x8", 16, "3x52x16", "channels_last = true, pads = array<i64: 3, 3>"),
        )
    ),
    "index_add(3x4x6xf32, 2x5xi64, 3x2x5x6xf32) {axis = 1 : i64} -> 3x4x6xf32",
]


@cache
def cases_of(cls: type[DnnOp]) -> list[str]:
    """Lines of ops of the class that have a native kernel. Building all takes long, so no test is collected by it."""
    # `test_map_kernel.py` has the other lines of elementwise ops.
    single = issubclass(cls, ElementwiseBase)
    found = dict.fromkeys([example_line(cls)] if single else filter(None, (*lines(cls), large_line(cls))))
    # Drawn operands are no workspace: `test_onnx_training.py` has pairs of ops.
    ops = ((line, build(line)) for line in found)
    native = [line for line, op in ops if has_native_kernel(op) and not set(op.opaque_values()) & set(op.operands)]
    return [*native, *(line for line in MORE if f"dnn.{named(line)}" == cls.name and line not in found)]


def has_native_kernel(op: DnnOp) -> bool:
    return bool(op.native_kernel()) and Engine.NATIVE in contract_of(op).engines


def computed(op: DnnOp, operands: list[Array], threads: int) -> list[Array]:
    results = empty(op)
    native_kernel(op, threads)(operands, results, scratch_of(op, threads))
    return results


def test_cases_have_every_native_kernel() -> None:
    having = {cls.name for cls in RUNNABLE if cases_of(cls)}
    assert having > EXACT
    assert sum(len(cases_of(cls)) for cls in RUNNABLE) > 1000
    # Other ops have one for some attributes: batch normalisation in training, sums along first axes.
    examples = [build(example_line(cls)) for cls in RUNNABLE]
    assert having >= {
        op.name for op in filter(has_native_kernel, examples) if not set(op.opaque_values()) & set(op.operands)
    }


@pytest.mark.parametrize("cls", RUNNABLE, ids=lambda cls: cls.name)
def test_native_kernels_compute_what_those_in_numpy_do(cls: type[DnnOp]) -> None:
    for line in cases_of(cls):
        check_results(line)


def check_results(line: str) -> None:
    op = build(line)
    assert Engine.NATIVE in contract_of(op).engines
    near = 1e-4 if op.name in ("dnn.gru_grad", "dnn.fused_gru_grad") else 2e-6
    operands, want = operands_for(op), empty(op)
    op.kernel(operands, want, np.empty(contract_of(op).scratch, np.uint8))
    for threads in (1, 3):
        opaque = op.opaque_values()
        for result, got, wanted in zip(op.results, computed(op, operands, threads), want, strict=True):
            if result in opaque:
                continue
            if op.name in EXACT:
                np.testing.assert_array_equal(got, wanted, err_msg=line)
                continue
            largest = np.fmax.reduce(np.abs(wanted), None, initial=0.1)
            np.testing.assert_allclose(got, wanted, rtol=near, atol=near * largest, err_msg=line)
    again = computed(op, operands, 3)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(again, computed(op, operands, 3), strict=True)), line


@pytest.mark.parametrize("cls", RUNNABLE, ids=lambda cls: cls.name)
def test_native_kernels_keep_the_contract(cls: type[DnnOp]) -> None:
    for line in cases_of(cls):
        check_line(line)


def check_line(line: str) -> None:
    op = build(line)
    kernel = native_kernel(op, 2)

    def run(operands: Sequence[Array], results: Sequence[Array], _: Array) -> None:
        kernel(operands, results, scratch_of(op, 2))

    try:
        check_contract(op, run, operands_for(op))
    except AssertionError as error:
        raise AssertionError(f"{line}: {error}") from error


@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan, 1e30, -1e30])
@pytest.mark.parametrize(
    "line",
    [
        "softmax(4x5xf64) -> 4x5xf64",
        "log_softmax(4x5xf64) {axis = 0 : i64} -> 4x5xf64",
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
    if number >= len(operands) or operands[number].dtype.kind != "f":
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
        ("gather(5x4xf32, 4xi64) -> 4x4xf32", 1),
        ("gather(5x4xf32, 4xi64) {from_end = false} -> 4x4xf32", 1),
        ("gather_elements(5x4xi8, 3x1xi64) -> 3x1xi8", 1),
        ("gather_nd(5x4xf64, 4x1xi64) -> 4x4xf64", 1),
        ("scatter_elements(5x4xf32, 3x1xi64, 3x1xf32) -> 5x4xf32", 1),
        ("scatter_nd(5x4xi1, 4x1xi64, 4x4xi1) -> 5x4xi1", 1),
        ("tensor_scatter(3x4x2xf32, 3x1x2xf32, 3xi64) -> 3x4x2xf32", 2),
        ("reverse_sequence(4x3xf32, 3xi64) -> 4x3xf32", 1),
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


@pytest.mark.parametrize("dtype", ["f32", "f64", "i32", "i64"])
@pytest.mark.parametrize("reverse", [False, True])
@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), sizes=st.lists(st.sampled_from([0, 1, 2, 3, 5, 17]), min_size=1, max_size=4))
def test_equal_elements_nan_and_infinities_are_ordered_as_in_numpy(
    dtype: str, reverse: bool, seed: int, sizes: list[int]
) -> None:
    rng = np.random.default_rng(seed)
    axis = int(rng.integers(len(sizes)))
    shape, kept = (
        "".join(f"{n}x" for n in given) for given in (sizes, [1 if a == axis else n for a, n in enumerate(sizes)])
    )
    k = int(rng.integers(sizes[axis] + 1))
    first = "".join(f"{k if a == axis else n}x" for a, n in enumerate(sizes))
    choices = [-2, 0, 1, 3] if dtype[0] == "i" else [-np.inf, -1, -0.0, 0.0, 2, np.inf, np.nan]
    weights = None if dtype[0] == "i" else [0.1, 0.2, 0.2, 0.2, 0.2, 0.05, 0.05]
    x = rng.choice(choices, sizes, p=weights).astype({"f": "float", "i": "int"}[dtype[0]] + dtype[1:])
    lines = [
        f"top_k({shape}{dtype}) {{axis = {axis}, k = {k}, largest = {int(not reverse)}}} -> {first}{dtype}, {first}i64",
        f"reduce_{'min' if reverse else 'max'}({shape}{dtype}) {{axes = array<i64: {axis}>, keepdims = 1}}"
        f" -> {kept}{dtype}",
        f"reduce_log_sum_exp({shape}{dtype}) {{axes = array<i64: {axis}>, keepdims = 1}} -> {kept}{dtype}",
        f"cumsum({shape}{dtype}) {{axis = {axis}, reverse = {int(reverse)}}} -> {shape}{dtype}",
        f"arg_m{'in' if reverse else 'ax'}({shape}{dtype}) {{axis = {axis}}} -> {kept}i64",
    ]
    for line in lines:
        if (dtype[0] == "i" and "log" in line) or (sizes[axis] == 0 and "arg" in line):
            continue
        op = build(line)
        want = empty(op)
        with np.errstate(all="ignore"):
            op.kernel([x], want, np.empty(0, np.uint8))
        for got, wanted in zip(computed(op, [x], 1), want, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=2e-6, atol=1e-6, err_msg=line)


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


@pytest.mark.parametrize(("number", "message"), [(0.5, "no integer"), (1e20, "no integer"), (-1.0, "is negative")])
def test_numbers_that_are_no_index_are_errors(number: float, message: str) -> None:
    """No number of a caller becomes an address of another array."""
    x, y = np.zeros((3, 4), np.float32), np.zeros((3, 4), np.float32)
    with pytest.raises(_core.Error, match=message):
        _core.call_native("cumsum", "dnn.cumsum", [number, 0, 0], [x], [y], np.zeros(0, np.uint8), 1)


@pytest.mark.parametrize("number", [-1e40, -(2.0**63), 2.0**63, float("nan"), float("inf")])
def test_a_diagonal_far_away_is_an_error_of_the_kernel(number: float) -> None:
    x, y = np.zeros((3, 4), np.float32), np.zeros((3, 4), np.float32)
    with pytest.raises(_core.Error, match="no integer of at most"):
        _core.call_native("trilu", "dnn.trilu", [1, number], [x], [y], np.zeros(0, np.uint8), 1)
