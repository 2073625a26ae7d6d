"""Ops on operands whose axes have another order: the results are those of the op, in that order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from op_cases import build, operands_for

from lastuse.dialect.ir.tensor_types import name_of_dtype

Array = np.ndarray
LAST = (0, 2, 3, 1)

OPS = [
    "relu(2x3x4x5xf32) -> 2x3x4x5xf32",
    "add(2x3x4x5xf32, 2x3x1x1xf32) -> 2x3x4x5xf32",
    "split(2x3x4x5xf32) {axis = -3 : i64, split = array<i64: 1, 2>} -> 2x1x4x5xf32, 2x2x4x5xf32",
    "slice(2x3x4x5xf32) {dim = 1 : i64, start = 1 : i64} -> 2x2x4x5xf32",
    "slice(2x3x4x5xf32) {starts = array<i64: 0, 1>, ends = array<i64: 1, 3>} -> 1x2x4x5xf32",
    "slice(2x3x4x5xf32) {starts = array<i64: 3, 1>, ends = array<i64: 0, 3>, axes = array<i64: -1, 1>, "
    "steps = array<i64: -1, 1>} -> 2x2x4x3xf32",
    "pad(2x3x4x5xf32) {pads = array<i64: 0, 1, 2, 3, 0, 0, 1, -1>} -> 2x4x7x7xf32",
    'pad(2x3x4x5xf32) {pads = array<i64: 2, 1>, axes = array<i64: 1>, mode = "edge"} -> 2x6x4x5xf32',
    "reduce_mean(2x3x4x5xf32) {axes = array<i64: 2, -1>, keepdims = true} -> 2x3x1x1xf32",
    "reduce_max(2x3x4x5xf32) {axes = array<i64: 2, 3>} -> 2x3xf32",
    "reduce_sum(2x3x4x5xf32) -> f32",
    "batch_norm(2x3x4x5xf32, 3xf32, 3xf32, 3xf32, 3xf32) -> 2x3x4x5xf32",
    "batch_norm(2x3x5x4xf32, 3xf32, 3xf32, 3xf32, 3xf32) {training_mode = true} -> 2x3x5x4xf32, 3xf32, 3xf32",
    "batch_norm_grad(2x3x4x5xf32, 3xf32, 3xf32, 3xf32, 2x3x4x5xf32) -> 2x3x4x5xf32, 3xf32, 3xf32",
    "conv(2x3x4x5xf32, 4x3x3x3xf32, 4xf32) -> 2x4x2x3xf32",
    "conv_transpose(2x3x4x5xf32, 3x4x3x3xf32) -> 2x4x6x7xf32",
    "conv_integer(2x3x5x4xui8, 4x3x2x1xi8) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} -> 2x4x4x4xi32",
    "scaled_conv_integer(2x3x5x4xui8, 4x3x2x1xi8, f32, f32, ui8, 1x4x1x1xf32) "
    "{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1>, min = 0.0 : f32} -> 2x4x4x4xf32",
    "scaled_conv_integer(2x3x5x4xui8, 4x3x2x1xi8, f32, 1x4x1x1xf32, ui8, 4xi8) "
    "{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0>} -> 2x4x4x4xf32",
    "qlinear_conv(2x3x5x4xui8, f32, ui8, 4x3x2x1xi8, 4xf32, 4xi8, f32, ui8, 4xi32) -> 2x4x4x4xui8",
    "conv_weights_grad(2x3x4x5xf32, 2x6x3x3xf32) {kernel_shape = array<i64: 2, 3>} -> 6x3x2x3xf32",
    "max_pool(2x3x4x5xf32) {kernel_shape = array<i64: 2, 2>} -> 2x3x3x4xf32",
    "max_pool(2x3x4x5xf32) {kernel_shape = array<i64: 2, 2>} -> 2x3x3x4xf32, 2x3x3x4xui8",
    "average_pool_grad(2x3x3x4xf32) {kernel_shape = array<i64: 2, 2>, output_shape = array<i64: 4, 5>} -> 2x3x4x5xf32",
    "global_average_pool(2x3x4x5xf32) -> 2x3x1x1xf32",
    "concat(2x3x4x5xf32, 2x1x4x5xf32) {axis = -3 : i64} -> 2x4x4x5xf32",
    "softmax(2x3x4x5xf32) {axis = 1 : i64} -> 2x3x4x5xf32",
    "softmax(2x3x4x5xf32) -> 2x3x4x5xf32",
    "log_softmax_grad(2x3x4x5xf32, 2x3x4x5xf32) {axis = 1 : i64} -> 2x3x4x5xf32",
    "prelu(2x3x4x5xf32, 1x3x1x1xf32) -> 2x3x4x5xf32",
    "quantize_linear(2x3x4x5xf32, f32) {axis = 7 : i64} -> 2x3x4x5xui8",
    "quantize_linear(2x3x4x5xf32, 3xf32) {axis = 1 : i64} -> 2x3x4x5xui8",
    "dequantize_linear(2x3x4x5xui8, 3xf32, 3xui8) -> 2x3x4x5xf32",
    "dynamic_quantize_linear(2x3x4x5xf32) -> 2x3x4x5xui8, f32, ui8",
    "resize(2x3x4x5xf32) {scales = array<f32: 1.0, 1.0, 2.0, 1.5>} -> 2x3x8x7xf32",
    "resize(2x3x4x5xf32) {sizes = array<i64: 8, 7>, axes = array<i64: 2, 3>} -> 2x3x8x7xf32",
]


def results_of(
    kind: str,
    arrays: Sequence[Array],
    attributes: Mapping[str, object],
    shapes: Sequence[Sequence[int]],
    dtypes: Sequence[str],
) -> Sequence[Array]:
    """What the reference of an op computes whose results have these shapes."""
    types = ["".join(f"{size}x" for size in shape) + dtype for shape, dtype in zip(shapes, dtypes, strict=True)]
    given = ", ".join("".join(f"{size}x" for size in array.shape) + name_of_dtype(array.dtype) for array in arrays)
    shown = ", ".join(f"{name} = {value}" for name, value in attributes.items())
    return build(f"{kind}({given}) {{{shown}}} -> {', '.join(types)}").reference(*arrays)


@pytest.mark.parametrize("line", OPS)
def test_transposed_form_computes_the_transposed_results(line: str) -> None:
    op = build(line)
    arrays = operands_for(op)
    form = op.transposed_form(LAST)
    assert form is not None
    wants = [want.transpose(LAST) if form.results_too and want.ndim == 4 else want for want in op.reference(*arrays)]
    moved = [array.transpose(LAST) if k in form.operands else array for k, array in enumerate(arrays)]
    shapes = [want.shape for want in wants]
    dtypes = [name_of_dtype(want.dtype) for want in wants]
    attributes = {name: value for name, value in form.attributes.items() if "." not in name}
    results = results_of(op.name[4:], moved, attributes, shapes, dtypes)
    for got, want in zip(results, wants, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "line",
    [
        "reduce_max(2x3x4x5xf32) {axes = array<i64: 3>} -> 2x3x4xf32",
        "max_pool(2x3x5x4xf32) {kernel_shape = array<i64: 2, 2>} -> 2x3x4x3xf32, 2x3x4x3xi64",
        "max_unpool(2x3x5x4xf32, 2x3x5x4xi64) {kernel_shape = array<i64: 1, 1>} -> 2x3x5x4xf32",
        "conv_integer(2x5x4x3xui8, 4x1x1x3xi8) {channels_last = true, operandSegmentSizes = array<i32: 1, 1, 0, 0>} "
        "-> 2x5x4x4xi32",
        "quantize_linear(2x4x4x4xf32, 2x2x4x4xf32) {block_size = 2 : i64} -> 2x4x4x4xui8",
        "batch_norm(2x5x4x3xf32, 3xf32, 3xf32, 3xf32, 3xf32) {channels_last = true} -> 2x5x4x3xf32",
    ],
)
def test_ops_without_a_transposed_form_say_so(line: str) -> None:
    op = build(line)
    assert op.transposed_form(LAST) is None
