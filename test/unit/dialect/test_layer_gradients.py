"""Gradients of convolutions, pools and normalisations in f64 against central differences, at all their attributes."""

from __future__ import annotations

import numpy as np
import pytest
from op_cases import module
from test_gradients import gradients, numeric
from xdsl.ir import Block

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.batch_norm import BatchNormOp
from lastuse.dialect.ir.tensor_types import typed

LINES = [
    "conv(1x4x7xf64, 6x2x3xf64, 6xf64) {group = 2 : i64, pads = array<i64: 1, 2>, strides = array<i64: 3>} "
    "-> 1x6x3xf64",
    "conv(2x3x7x6xf64, 2x3x3x2xf64) {dilations = array<i64: 2, 1>, strides = array<i64: 1, 3>} -> 2x2x3x2xf64",
    'conv(1x6x7x4xf64, 4x2x3x3xf64, 4xf64) {auto_pad = "SAME_UPPER", channels_last = true, group = 2 : i64, '
    "strides = array<i64: 2, 2>} -> 1x3x4x4xf64",
    'conv(1x5x6x2xf64, 2x2x2x3xf64) {auto_pad = "SAME_LOWER", channels_last = true} -> 1x5x6x2xf64',
    "conv(1x3x4x5x3xf64, 2x3x2x2x3xf64) {pads = array<i64: 0, 1, 0, 1, 0, 1>, strides = array<i64: 2, 2, 1>} "
    "-> 1x2x2x3x2xf64",
    "conv(1x4x5x5xf64, 4x1x3x3xf64) {group = 4 : i64} -> 1x4x3x3xf64",
    "conv_transpose(2x4x3x2xf64, 4x3x3x2xf64, 6xf64) {group = 2 : i64, output_padding = array<i64: 1, 0>, "
    "pads = array<i64: 1, 0, 0, 1>, strides = array<i64: 2, 2>} -> 2x6x7x3xf64",
    "conv_transpose(2x4x3xf64, 3x2x3xf64) {channels_last = true, dilations = array<i64: 2>} -> 2x8x2xf64",
    'conv_transpose(1x2x3x3xf64, 2x2x3x3xf64) {auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>} -> 1x2x6x6xf64',
    "conv_transpose(1x2x3x3xf64, 2x1x3x3xf64) {output_shape = array<i64: 6, 5>, strides = array<i64: 2, 2>} "
    "-> 1x1x6x5xf64",
    "max_pool(2x7x6x3xf64) {ceil_mode = 1 : i64, channels_last = true, kernel_shape = array<i64: 3, 2>, "
    "strides = array<i64: 2, 2>} -> 2x3x3x3xf64",
    "max_pool(1x2x9xf64) {dilations = array<i64: 2>, kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>} "
    "-> 1x2x7xf64",
    "max_pool(1x1x17x17xf64) {kernel_shape = array<i64: 16, 16>} -> 1x1x2x2xf64",
    "max_pool(2x3x5x6xf64) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 1>} -> 2x3x2x5xf64, 2x3x2x5xi64",
    'max_pool(1x2x5x6x4xf64) {auto_pad = "SAME_LOWER", kernel_shape = array<i64: 2, 2, 2>} -> 1x2x5x6x4xf64',
    "average_pool(2x7x6x3xf64) {ceil_mode = 1 : i64, channels_last = true, kernel_shape = array<i64: 3, 2>, "
    "pads = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} -> 2x4x3x3xf64",
    "average_pool(1x2x6x5xf64) {count_include_pad = 1 : i64, kernel_shape = array<i64: 3, 3>, "
    "pads = array<i64: 1, 1, 1, 1>} -> 1x2x6x5xf64",
    "batch_norm(4x3x5xf64, 3xf64, 3xf64, 3xf64, 3xf64) {training_mode = true} -> 4x3x5xf64, 3xf64, 3xf64",
    "batch_norm(4x5x2x3xf64, 3xf64, 3xf64, 3xf64, 3xf64) {channels_last = true, epsilon = 0.01 : f64, "
    "training_mode = true} -> 4x5x2x3xf64, 3xf64, 3xf64",
    "batch_norm(9x3xf64, 3xf64, 3xf64, 3xf64, 3xf64) {training_mode = true} -> 9x3xf64, 3xf64, 3xf64",
    "batch_norm(4x5x2x3xf64, 3xf64, 3xf64, 3xf64, 3xf64) {channels_last = true} -> 4x5x2x3xf64",
    "batch_norm(4x3xf64, 3xf64, 3xf64, 3xf64, 3xf64) -> 4x3xf64",
    "layer_norm(3x5xf64, 5xf64) {epsilon = 1.0e-3 : f64} -> 3x5xf64",
    "layer_norm(2x3x4xf64, 3x4xf64, 3x4xf64) {axis = 1 : i64} -> 2x3x4xf64",
    "layer_norm(2x3x4xf64, 2x3x4xf64, 2x3x4xf64) {axis = 0 : i64} -> 2x3x4xf64",
    "layer_norm(2x3x4xf64, 4xf64, 4xf64) -> 2x3x4xf64, 2x3x1xf64, 2x3x1xf64",
    "instance_norm(2x3x4xf64, 3xf64, 3xf64) {epsilon = 1.0e-2 : f64} -> 2x3x4xf64",
    "group_norm(2x6x3x2xf64, 6xf64, 6xf64) {num_groups = 2 : i64} -> 2x6x3x2xf64",
    "rms_norm(2x3x4xf64, 3x4xf64) {axis = 1 : i64} -> 2x3x4xf64",
    "pad(2x4x5xf64) {axes = array<i64: 2, 1>, pads = array<i64: 1, -2, 0, 3>, value = 1.0 : f64} -> 2x5x6xf64",
    "pad(2x3xf64) {pads = array<i64: 0, -1, 0, -1>} -> 2x1xf64",
    "global_average_pool(2x3x4x5xf64) -> 2x3x1x1xf64",
    "global_average_pool(2x4x5x3xf64) {channels_last = true} -> 2x1x1x3xf64",
]


def op_of(line: str) -> DnnOp:
    """The op of a line, with what its gradient reads as further results, alone in a block."""
    stated = next(op for op in module([line], "cpu").walk() if isinstance(op, DnnOp))
    block = Block(arg_types=[operand.type for operand in stated.operands])
    attributes = {name: value for name, value in stated.attributes.items() if "." not in name}
    types = [result.type for result in stated.results]
    op = type(stated).create(operands=block.args, result_types=types, attributes=attributes)
    op = op.training_form() or op
    block.add_op(op)
    return op


@pytest.mark.parametrize("line", LINES)
def test_gradients_are_the_differences(line: str) -> None:
    op = op_of(line)
    rng = np.random.default_rng(3)
    operands = [rng.normal(size=typed(operand.type).shape) for operand in op.operands]  # pyright: ignore
    if isinstance(op, BatchNormOp):
        operands[4] = np.abs(operands[4])
    results = op.reference(*operands)
    weights = [rng.normal(size=results[0].shape), *[None for _ in results[1:]]]
    for number, gradient in enumerate(gradients(op, operands, weights)):
        if gradient is None:
            assert isinstance(op, BatchNormOp) and op.is_training() and number in (3, 4)  # running statistics
            continue
        np.testing.assert_allclose(gradient, numeric(op, operands, weights, number), rtol=1e-5, atol=1e-7)
