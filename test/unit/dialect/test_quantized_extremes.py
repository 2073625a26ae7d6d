"""Quantised ops at the extremes of their types: exact integers, saturation, ties; against int64 and onnx.reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from native_kernels import native_kernel, scratch_of
from onnx import helper
from onnx.reference import ReferenceEvaluator
from op_cases import build, empty, segments

from lastuse.dialect.ir.tensor_types import name_of_dtype

Array = np.ndarray
EXTREMES = {"uint8": (0, 255), "int8": (-128, 127)}


def run(line: str, *operands: Array) -> Array:
    """What the kernel in numpy makes; the runtime's, where it has one, makes the same."""
    op = build(line)
    want = op.reference(*operands)
    if op.native_kernel() is not None:
        for threads in (1, 2):
            got = empty(op)
            native_kernel(op, threads)(operands, got, scratch_of(op, threads))
            for result, wanted in zip(got, want, strict=True):
                np.testing.assert_array_equal(result, wanted)
    return want[0]


def reference(op_type: str, *operands: Array) -> list[Array]:
    """What onnx.reference makes of one node."""
    names, results = [f"x{k}" for k in range(len(operands))], ["y", "s", "z"] if len(operands) == 1 else ["y"]
    node: Any = helper.make_node(op_type, names, results)
    evaluator = ReferenceEvaluator(node)
    return [np.asarray(v) for v in evaluator.run(None, dict(zip(names, operands, strict=True)))]  # pyright: ignore


def type_of(x: Array) -> str:
    return "x".join((*map(str, x.shape), name_of_dtype(x.dtype)))


@pytest.mark.parametrize("depth", [2, 257, 5000, 34000])
@pytest.mark.parametrize("dtypes", [("uint8", "int8"), ("int8", "int8"), ("uint8", "uint8")])
def test_long_sums_of_the_largest_products_are_exact(depth: int, dtypes: tuple[str, str]) -> None:
    """255 x 127 and 255 x -128: sums of two leave 16 bits; those of 34000 leave 32 and wrap around."""
    for left in EXTREMES[dtypes[0]]:
        for right in EXTREMES[dtypes[1]]:
            a, b = np.full((3, depth), left, dtypes[0]), np.full((depth, 5), right, dtypes[1])
            b[:, 1] = EXTREMES[dtypes[1]][0]
            line = f"matmul_integer({type_of(a)}, {type_of(b)}) {segments(1, 1, 0, 0)} -> 3x5xi32"
            want = (a.astype(np.int64) @ b.astype(np.int64)).astype(np.int32)
            np.testing.assert_array_equal(run(line, a, b), want)


def test_zero_points_at_the_other_extreme_are_exact() -> None:
    a, b = np.full((2, 3000), 255, np.uint8), np.full((3000, 3), -128, np.int8)
    zeros = np.zeros((), np.uint8), np.full((), 127, np.int8)
    line = f"matmul_integer(2x3000xui8, 3000x3xi8, ui8, i8) {segments(1, 1, 1, 1)} -> 2x3xi32"
    np.testing.assert_array_equal(run(line, a, b, *zeros), np.full((2, 3), 3000 * 255 * -255))


@pytest.mark.parametrize("columns", [63, 64, 79, 128, 200, 1100])
@pytest.mark.parametrize("depth", [1, 3, 4, 66, 1026])
@pytest.mark.parametrize("dtypes", [("uint8", "int8"), ("int8", "uint8")])
def test_products_of_any_sizes_are_exact(columns: int, depth: int, dtypes: tuple[str, str]) -> None:
    """Columns are packed by cache lines, by strips and one by one; the depth, in quads."""
    rng = np.random.default_rng(columns * depth)
    rows = rng.integers(*EXTREMES[dtypes[0]], (5, depth), dtypes[0], endpoint=True)
    matrix = rng.integers(*EXTREMES[dtypes[1]], (depth, columns), dtypes[1], endpoint=True)
    left, right = (np.asarray(EXTREMES[dtype][1] - 3, dtype) for dtype in dtypes)
    types = ", ".join(map(type_of, (rows, matrix))) + f", {name_of_dtype(left.dtype)}, {name_of_dtype(right.dtype)}"
    line = f"matmul_integer({types}) {segments(1, 1, 1, 1)} -> 5x{columns}xi32"
    want = (rows.astype(np.int64) - left) @ (matrix.astype(np.int64) - right)
    np.testing.assert_array_equal(run(line, rows, matrix, left, right), want.astype(np.int32))


@pytest.mark.parametrize("depth, columns", [(30, 16), (30, 17), (30, 129), (30, 250), (700, 2055)])
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 12, 13])
def test_products_of_any_number_of_rows_are_exact(rows: int, depth: int, columns: int) -> None:
    """Of few rows the columns of several strips are multiplied at once, and those of the last sizes on two threads."""
    rng = np.random.default_rng(rows * columns)
    a, b = rng.integers(0, 256, (rows, depth), np.uint8), rng.integers(-128, 128, (depth, columns), np.int8)
    line = f"matmul_integer({type_of(a)}, {type_of(b)}) {segments(1, 1, 0, 0)} -> {rows}x{columns}xi32"
    np.testing.assert_array_equal(run(line, a, b), a.astype(np.int64) @ b.astype(np.int64))


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16"])
@pytest.mark.parametrize("scale", [0.5, 0.1, 3.0])
def test_quantize_linear_equals_onnx(dtype: str, scale: float) -> None:
    x = np.concatenate([np.arange(-300, 300) * 0.25, [1e5, -1e5, 7e4, -7e4, 0.0, -0.0]]).astype(np.float32)
    step, zero = np.asarray(scale, np.float32), np.asarray(7, dtype)
    (want,) = reference("QuantizeLinear", x, step, zero)
    line = f"quantize_linear({type_of(x)}, f32, {type_of(zero)}) -> {type_of(x.astype(np.int8).astype(dtype))}"
    np.testing.assert_array_equal(run(line, x, step, zero), want)


def test_quantize_linear_saturates_what_32_bits_do_not_hold() -> None:
    x = np.array([1e30, -1e30, np.inf, -np.inf, np.nan], np.float32)
    y = run("quantize_linear(5xf32, f32, i8) -> 5xi8", x, np.full((), 0.1, np.float32), np.full((), 3, np.int8))
    assert y.tolist() == [127, -128, 127, -128, -128]


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf, 3e38, -0.0, 1e-45])
def test_odd_numbers_are_quantized_alike_by_all_kernels(odd: float) -> None:
    for x in (np.array([1, odd, -2.5, 0, 3] * 7, np.float32), np.full(5, odd, np.float32)):
        shape = len(x)
        run(f"dynamic_quantize_linear({shape}xf32) -> {shape}xui8, f32, ui8", x)
        for scale in (odd, 0.0, -0.5):
            step, zero = np.full((), scale, np.float32), np.full((), 200, np.uint8)
            run(f"quantize_linear({shape}xf32, f32, ui8) -> {shape}xui8", x, step, zero)


def test_differences_of_32_bits_are_dequantized_exactly() -> None:
    x = np.array([2**31 - 1, -(2**31), 2**24 + 1, -1], np.int32)
    for zero in (-(2**31), 2**31 - 1, 3):
        step, start = np.full((), 0.3, np.float32), np.full((), zero, np.int32)
        y = run("dequantize_linear(4xi32, f32, i32) -> 4xf32", x, step, start)
        np.testing.assert_array_equal(y, (x.astype(np.int64) - zero).astype(np.float32) * step)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16"])
def test_dequantize_linear_equals_onnx(dtype: str) -> None:
    limits = np.iinfo(dtype)
    x = np.array([[limits.min, -1 if limits.min else 1, 0], [5, limits.max - 1, limits.max]], dtype)
    for zero in (limits.min, 0, limits.max):
        for scale in (np.float32, np.float16):
            step, start = np.asarray(0.1, scale), np.asarray(zero, dtype)
            (want,) = reference("DequantizeLinear", x, step, start)
            line = f"dequantize_linear({type_of(x)}, {type_of(step)}, {type_of(start)}) -> 2x3x{type_of(step)}"
            np.testing.assert_array_equal(run(line, x, step, start), want)


@pytest.mark.parametrize("shift", [-5.0, 0.0, 5.0])
def test_dynamic_quantize_linear_equals_onnx(shift: float) -> None:
    x = (np.random.default_rng(3).normal(size=(40, 7)) * 3 + shift).astype(np.float32)
    line = "dynamic_quantize_linear(40x7xf32) -> 40x7xui8, f32, ui8"
    run(line, x)
    results = build(line).reference(x)
    for got, want in zip(results, reference("DynamicQuantizeLinear", x), strict=True):
        np.testing.assert_array_equal(got, want)


def test_qlinear_matmul_rounds_before_it_adds_the_zero_point() -> None:
    """As ONNX says: half goes to the even quotient, also where the zero point is odd."""
    a, b = np.array([[1], [3], [5], [255]], np.uint8), np.array([[1]], np.uint8)
    one, zero = np.ones((), np.float32), np.zeros((), np.uint8)
    operands = (a, one, zero, b, one, zero, np.full((), 2, np.float32), np.ones((), np.uint8))
    y = run("qlinear_matmul(4x1xui8, f32, ui8, 1x1xui8, f32, ui8, f32, ui8) -> 4x1xui8", *operands)
    assert y[:, 0].tolist() == [1, 3, 3, 129]


def test_qlinear_matmul_saturates() -> None:
    a, b = np.full((1, 400), 255, np.uint8), np.full((400, 2), 127, np.int8)
    b[:, 1] = -128
    one, zero, start = np.ones((), np.float32), np.zeros((), np.uint8), np.zeros((), np.int8)
    line = "qlinear_matmul(1x400xui8, f32, ui8, 400x2xi8, f32, i8, f32, i8) -> 1x2xi8"
    assert run(line, a, one, zero, b, one, start, one, start).tolist() == [[127, -128]]


def test_convolutions_of_the_largest_products_are_exact() -> None:
    """The padding is the zero point, which adds nothing."""
    x, w = np.full((1, 130, 6), 255, np.uint8), np.full((4, 130, 3), -128, np.int8)
    w[1] = 127
    line = f"conv_integer(1x130x6xui8, 4x130x3xi8, ui8) {segments(1, 1, 1, 0, more='pads = array<i64: 1, 1>, ')}"
    y = run(f"{line} -> 1x4x6xi32", x, w, np.zeros((), np.uint8))
    inner = 130 * 3 * 255
    assert y[0, :, 2].tolist() == [-128 * inner, 127 * inner, -128 * inner, -128 * inner]
    assert y[0, 0, 0] == -128 * inner // 3 * 2
    assert not run(f"{line} -> 1x4x6xi32", x, w, np.full((), 255, np.uint8)).any()


@pytest.mark.parametrize("count", [1, 31, 32, 63, 64, 65, 128, 255, 1000, 70001])
@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_tables_of_any_number_of_bytes_are_exact(dtype: str, count: int) -> None:
    """Vectors of a power of two and what is behind them; also over the operand."""
    rng = np.random.default_rng(count)
    x, table = (rng.integers(*EXTREMES[dtype], size, dtype, endpoint=True) for size in (count, 256))
    x[:256] = np.arange(*EXTREMES[dtype])[:count].astype(dtype).tolist() + [EXTREMES[dtype][1]] * (count > 255)
    line = f"byte_table({type_of(x)}, {type_of(table)}) -> {type_of(x)}"
    want = table[x.astype(np.int64) - EXTREMES[dtype][0]]
    np.testing.assert_array_equal(run(line, x, table), want)
    native_kernel(build(line), 1)([x, table], [x], scratch_of(build(line), 1))
    np.testing.assert_array_equal(x, want)


@pytest.mark.parametrize("perm", [(0, 1, 2, 3), (0, 3, 1, 2), (2, 0, 3, 1), (3, 2, 1, 0)])
@pytest.mark.parametrize("turned", ["x", "y"])
@pytest.mark.parametrize("channels", [False, True])
@pytest.mark.parametrize("shape", [(2, 3, 40, 2), (1, 70, 9, 33), (2, 5, 1, 700)])
def test_numbers_at_strides_are_quantized_alike(
    perm: tuple[int, ...], turned: str, channels: bool, shape: tuple[int, ...]
) -> None:
    """Axes of operands or results in another order, and elements with gaps between them."""
    rng = np.random.default_rng(len(shape))
    parameter = f"{shape[1]}x" if channels else ""
    scale = rng.uniform(0.01, 0.1, shape[1] if channels else ()).astype(np.float32)
    zero = rng.integers(-9, 9, scale.shape, np.int8)
    sizes = "x".join(map(str, shape))
    numbers, integers = rng.normal(size=shape).astype(np.float32), rng.integers(-128, 128, shape, np.int8)
    for x, kind, to in ((numbers, "quantize", np.int8), (integers, "dequantize", np.float32)):
        line = f"{kind}_linear({type_of(x)}, {parameter}f32, {parameter}i8)"
        op = build(f"{line} -> {sizes}x{name_of_dtype(np.dtype(to))}")
        (want,) = op.reference(x, scale, zero)
        for gap in (1, 3):
            moved = [shape[axis] for axis in perm[:-1]] + [shape[perm[-1]] * gap]
            view = np.zeros(moved, x.dtype if turned == "x" else to)[..., ::gap].transpose(np.argsort(perm))
            source, y = (view, np.empty(shape, to)) if turned == "x" else (x, view)
            if turned == "x":
                view[...] = x
            native_kernel(op, 2)([source, scale, zero], [y], scratch_of(op, 2))
            np.testing.assert_array_equal(y, want)


@pytest.mark.parametrize("shape, axis", [((3, 40, 31), 1), ((2, 5, 700), 1), ((2, 300, 70), 2), ((1, 9, 64, 5), 2)])
@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_tables_of_each_channel_are_exact(dtype: str, shape: tuple[int, ...], axis: int) -> None:
    """Lines of a channel, and tiles of places and channels; also over the operand."""
    rng = np.random.default_rng(len(shape))
    x, table = (rng.integers(*EXTREMES[dtype], sizes, dtype, endpoint=True) for sizes in (shape, (shape[axis], 256)))
    line = f"byte_table({type_of(x)}, {type_of(table)}) {{axis = {axis} : i64}} -> {type_of(x)}"
    channels = np.arange(shape[axis]).reshape(-1, *(1,) * (len(shape) - axis - 1))
    want = table[channels, x.astype(np.int64) - EXTREMES[dtype][0]]
    np.testing.assert_array_equal(run(line, x, table), want)
    native_kernel(build(line), 2)([x, table], [x], scratch_of(build(line), 2))
    np.testing.assert_array_equal(x, want)


@pytest.mark.parametrize("channels", [2, 16, 32, 63, 64, 80, 130])
@pytest.mark.parametrize(
    "kernel, step, wide",
    [((n, n), 1, 1) for n in (1, 3, 5, 7, 9)] + [((2, 1), 2, 1), ((1, 3), 1, 1), ((3, 2), 1, 1), ((3, 3), 2, 2)],
)
@pytest.mark.parametrize(
    "dtypes, start",
    [(("uint8", "int8"), 0), (("int8", "uint8"), 5), (("int8", "int8"), 60), (("uint8", "uint8"), 128)],
)
def test_convolutions_of_each_channel_are_exact(
    channels: int, kernel: tuple[int, int], step: int, wide: int, dtypes: tuple[str, str], start: int
) -> None:
    """Channels, and elements of a window, that fill vectors or not; halves of steps, which f32 alone does not round;
    weights that have 8 bits less their zero point `start`, or 9."""
    rng = np.random.default_rng(channels * kernel[0])
    x = rng.choice(np.asarray([*EXTREMES[dtypes[0]], 3, 100], dtypes[0]), (2, 11, 13, channels))
    w = rng.choice(np.asarray([*EXTREMES[dtypes[1]], 5, 120], dtypes[1]), (channels, *kernel, 1))
    zeros = np.asarray(-3 if dtypes[0] == "int8" else 120, dtypes[0]), np.full(channels, start, dtypes[1])
    reach = [(size - 1) * wide + 1 for size in kernel]
    pads = reach[0] // 2, 1, 0, reach[1] // 2
    places = [(size + pads[k] + pads[k + 2] - reach[k]) // step + 1 for k, size in enumerate((11, 13))]
    moves = f"strides = array<i64: {step}, {step}>, dilations = array<i64: {wide}, {wide}>, "
    moves += f"pads = array<i64: {', '.join(map(str, pads))}>, group = {channels} : i64, channels_last = true"
    types = f"{type_of(x)}, f32, {name_of_dtype(zeros[0].dtype)}, {type_of(w)}, {channels}xf32, {type_of(zeros[1])}"
    y = f"2x{places[0]}x{places[1]}x{channels}xui8"
    scales = [np.asarray(scale, np.float32) for scale in (0.5, [0.5 / max(kernel)] * channels, 16.0)]
    bias = rng.integers(-3000, 3000, channels).astype(np.int32)
    operands = (x, scales[0], zeros[0], w, scales[1], zeros[1], scales[2], np.asarray(7, np.uint8), bias)
    got = run(f"qlinear_conv({types}, f32, ui8, {channels}xi32) {{{moves}}} -> {y}", *operands)
    around = np.pad(x.astype(np.int64) - zeros[0], ((0, 0), (pads[0], pads[2]), (pads[1], pads[3]), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(around, reach, (1, 2))
    windows = windows[:, ::step, ::step, :, ::wide, ::wide]
    sums = (windows * (w[..., 0].astype(np.int64) - zeros[1].reshape(-1, 1, 1))).sum((-1, -2)) + bias
    factor = (scales[0] * scales[1] / scales[2]).astype(np.float64)
    np.testing.assert_array_equal(got, np.clip(np.rint(sums * factor) + 7, 0, 255))
