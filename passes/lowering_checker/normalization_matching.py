"""Normalisation in training: which in is which operand, and which out which result."""

from __future__ import annotations

from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.batch_norm_training import (
    BatchNormBackwardPrimitive,
    BatchNormTrainingPrimitive,
    OneDnnBatchNormBackwardOp,
    OneDnnBatchNormTrainingOp,
    OneDnnRunningStatisticOp,
)
from lastuse.dialect.onednn.primitives.layer_norm_backward import (
    LayerNormBackwardPrimitive,
    OneDnnLayerNormBackwardOp,
)
from lastuse.passes.lowering_checker.codes import Row
from lastuse.passes.lowering_checker.operands import FIRST, Form, StepOperands, Use, equal, other, padded
from lastuse.passes.lowering_checker.signature import Mismatch
from lastuse.passes.lowering_checker.source_values import Contents
from lastuse.passes.lowering_checker.spatial_matching import channels_first

OVER_DIFF_DST = frozenset({(0, 4)})


def training_form(step: OneDnnBatchNormTrainingOp, chosen: Primitive, operands: StepOperands) -> Form:
    """Each channel standardised by statistics of its own, which are the last two results."""
    if not isinstance(chosen, BatchNormTrainingPrimitive):
        raise other(operands)
    operands.counts(3, 3)
    operands.expect(equal(step.epsilon.value.data, chosen.epsilon))
    x, row = _large(operands, 0, 0, chosen.channels_last)
    uses = [Use(0, x, operands.op.operands[0]), operands.same_use(1, 1), operands.same_use(2, 2)]
    return Form(uses, [row, operands.same_output(1, 3), operands.same_output(2, 4)], FIRST)


def running_form(step: OneDnnRunningStatisticOp, chosen: Primitive, operands: StepOperands) -> Form:
    """A running statistic from what it was and from that of x, which an earlier step has left in a result."""
    if not isinstance(chosen, BatchNormTrainingPrimitive):
        raise other(operands)
    operands.counts(2, 1)
    operands.expect(equal(step.momentum.value.data, chosen.momentum))
    number = 1 if step.statistic.data == "mean" else 2
    own = operands.op.results[2 + number]
    held = operands.values.tensors[own]
    operands.expect(operands.ins[1].shape == held.shape and operands.ins[1].dtype == held.dtype)
    return Form([operands.same_use(0, 2 + number), Use(1, held.row, own)], [operands.same_output(0, number)], FIRST)


def batch_norm_backward_form(step: OneDnnBatchNormBackwardOp, chosen: Primitive, operands: StepOperands) -> Form:
    """The gradients of x, scale and bias."""
    if not isinstance(chosen, BatchNormBackwardPrimitive):
        raise other(operands)
    operands.counts(5, 3)
    operands.expect(equal(step.epsilon.value.data, chosen.epsilon) and step.is_fixed == chosen.fixed)
    x, dx = _large(operands, 0, 0, chosen.channels_last)
    dy, _ = _large(operands, 4, 0, chosen.channels_last)
    rows = [operands.same_use(number, operand) for number, operand in ((1, 2), (2, 3), (3, 1))]
    uses = [Use(0, x, operands.op.operands[0]), *rows, Use(4, dy, operands.op.operands[4])]
    return Form(uses, [dx, operands.same_output(1, 1), operands.same_output(2, 2)], OVER_DIFF_DST)


def layer_norm_backward_form(step: OneDnnLayerNormBackwardOp, chosen: Primitive, operands: StepOperands) -> Form:
    """The gradients of x, scale and bias, of rows along the last axis."""
    operands.counts(6, 3)
    operands.expect(isinstance(chosen, LayerNormBackwardPrimitive) and equal(step.epsilon.value.data, chosen.epsilon))
    shape = operands.operand(0).shape
    shape = padded(shape, max(2, len(shape)))
    uses = [operands.use(0, 0, shape), operands.use(1, 2, shape[:-1]), operands.use(2, 3, shape[:-1])]
    uses += [operands.same_use(3, 1), operands.use(4, 4, shape), operands.same_use(5, 1)]
    makes = [operands.output(0, 0, shape), operands.same_output(1, 1), operands.same_output(2, 2)]
    return Form(uses, makes, OVER_DIFF_DST)


def _large(operands: StepOperands, operand: int, result: int, channels_last: bool) -> tuple[Row, Row]:
    """What the in of this number holds as that operand, and out 0 as that result, both as [N, C, …]."""
    x = channels_first(operands.values, operands.operand(operand), channels_last)
    y = channels_first(operands.values, operands.values.tensors[operands.op.results[result]], channels_last)
    for region, held in ((operands.ins[operand], x), (operands.outs[0], y)):
        _check(region.shape, region.dtype, held, operands)
    return x.row, y.row


def _check(shape: tuple[int, ...], dtype: str, held: Contents, operands: StepOperands) -> None:
    if (shape, dtype) != (held.shape, held.dtype):
        raise Mismatch(f"its sizes are not those of {operands.op.name}")
