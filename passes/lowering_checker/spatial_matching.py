"""Convolutions, pools and resampling: which in is which operand, and how the window moves.

A step has the axes of its op as [N, C, spatial…]; spatial axes of one element, on which a window of one element does
not move, may be missing or be there in addition.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.batch_norm import BatchNormPrimitive, OneDnnBatchNormOp
from lastuse.dialect.onednn.primitives.convolution import (
    ConvolutionPrimitive,
    DeconvolutionPrimitive,
    OneDnnConvolutionOp,
    WeightedBase,
)
from lastuse.dialect.onednn.primitives.convolution_weights_grad import (
    ConvolutionWeightsGradPrimitive,
    OneDnnConvolutionWeightsGradOp,
)
from lastuse.dialect.onednn.primitives.pooling import PADDED_MEAN, OneDnnPoolingOp, PoolingPrimitive
from lastuse.dialect.onednn.primitives.pooling_backward import (
    MaxPoolingPrimitive,
    OneDnnPoolingBackwardOp,
    PoolingBackwardPrimitive,
    TrainedPoolingBase,
)
from lastuse.dialect.onednn.primitives.resampling import OneDnnResamplingOp, ResamplingPrimitive
from lastuse.dialect.onednn.primitives.window import Window
from lastuse.dialect.storage.layout import permuted, reshaped
from lastuse.passes.lowering_checker.codes import Row
from lastuse.passes.lowering_checker.operands import FIRST, NO_PAIRS, Form, StepOperands, Use, equal, other, padded
from lastuse.passes.lowering_checker.post_op_matching import expect_post_ops, post_op_uses
from lastuse.passes.lowering_checker.signature import Mismatch
from lastuse.passes.lowering_checker.source_values import Contents, Values

Axes = list[tuple[int, ...]]
"""For each spatial axis on which something happens: sizes before and after, of the window, and how it moves."""


def weighted_form(step: WeightedBase, chosen: Primitive, operands: StepOperands) -> Form:
    """A convolution or its transpose."""
    kind = ConvolutionPrimitive if isinstance(step, OneDnnConvolutionOp) else DeconvolutionPrimitive
    if type(chosen) is not kind:
        raise other(operands)
    operands.counts(len(operands.op.operands), 1)
    own = expect_post_ops(step, chosen.post_ops, operands)
    x = channels_first(operands.values, operands.operand(0), chosen.channels_last)
    y = channels_first(operands.values, operands.values.tensors[operands.op.results[0]], chosen.channels_last)
    w = operands.operand(1)
    kernel, groups = w.shape[2:], chosen.group
    window = chosen.window(x.shape[2:])
    operands.expect(window.kernel == kernel)
    src, weights, dst = operands.ins[0].shape, operands.ins[1].shape, operands.outs[0].shape
    grouped = len(weights) - len(src)
    operands.expect(grouped == (groups > 1) and (weights[0] if grouped else 1) == groups)
    stated = Window(weights[2 + grouped :], *step.movement)
    want = _axes(x.shape[2:], y.shape[2:], window)
    if (*src[:2], *dst[:2]) != (*x.shape[:2], *y.shape[:2]) or _axes(src[2:], dst[2:], stated) != want:
        raise Mismatch(f"its sizes, or how its window moves, are not those of {operands.op.name}")
    transposed = kind is DeconvolutionPrimitive
    uses = [_use(operands, 0, x), Use(1, _weights(operands.values, w, groups, transposed), operands.op.operands[1])]
    operands.expect(operands.ins[1].nbytes == w.row.nbytes and operands.ins[1].dtype == w.dtype)
    if own > 2:
        uses.append(operands.same_use(2, 2))

    def shaped(held: Contents) -> Contents:
        wide = held._replace(shape=padded(held.shape, len(y.shape)))
        return channels_first(operands.values, wide, chosen.channels_last)

    further, over = post_op_uses(chosen.post_ops, own, operands, shaped, y.shape)
    return Form(uses + further, [_made(operands, y)], over)


def weights_grad_form(step: OneDnnConvolutionWeightsGradOp, chosen: Primitive, operands: StepOperands) -> Form:
    """The gradient of a convolution's weights."""
    if not isinstance(chosen, ConvolutionWeightsGradPrimitive):
        raise other(operands)
    operands.counts(2, 1)
    x, dy = (channels_first(operands.values, operands.operand(k), chosen.channels_last) for k in (0, 1))
    dw = operands.values.tensors[operands.op.results[0]]
    groups, window = chosen.group, chosen.rule.window(x.shape[2:])
    operands.expect(window.kernel == dw.shape[2:])
    (src, diff_dst), weights = (region.shape for region in operands.ins), operands.outs[0].shape
    grouped = len(weights) - len(src)
    operands.expect(grouped == (groups > 1) and (weights[0] if grouped else 1) == groups)
    stated = Window(weights[2 + grouped :], *step.movement)
    want = _axes(x.shape[2:], dy.shape[2:], window)
    if (*src[:2], *diff_dst[:2]) != (*x.shape[:2], *dy.shape[:2]) or _axes(src[2:], diff_dst[2:], stated) != want:
        raise Mismatch(f"its sizes, or how its window moves, are not those of {operands.op.name}")
    return Form([_use(operands, 0, x), _use(operands, 1, dy)], [_made(operands, dw)], NO_PAIRS)


def pooling_form(step: OneDnnPoolingOp, chosen: Primitive, operands: StepOperands) -> Form:
    """The largest element or the mean of each window."""
    if not isinstance(chosen, PoolingPrimitive):
        raise other(operands)
    operands.counts(1, 1)
    operands.expect(step.alg.data == chosen.alg)
    x = channels_first(operands.values, operands.operand(0), chosen.channels_last)
    y = channels_first(operands.values, operands.values.tensors[operands.op.results[0]], chosen.channels_last)
    window = chosen.window(x.shape[2:])
    src, dst = operands.ins[0].shape, operands.outs[0].shape
    stated = Window(step.window_sizes, *step.movement)
    have, want = _axes(src[2:], dst[2:], stated), _axes(x.shape[2:], y.shape[2:], window)
    if chosen.alg != PADDED_MEAN:  # then no number is made of the padding: where it ends means nothing
        have, want = ([row[:6] for row in rows] for rows in (have, want))
    if (*src[:2], *dst[:2]) != (*x.shape[:2], *y.shape[:2]) or have != want:
        raise Mismatch(f"its sizes, or how its window moves, are not those of {operands.op.name}")
    return Form([_use(operands, 0, x)], [_made(operands, y)], NO_PAIRS)


def trained_pooling_form(step: TrainedPoolingBase, chosen: Primitive, operands: StepOperands) -> Form:
    """The largest element of each window and its number, or a gradient: between x's sizes and those of the result."""
    backward = isinstance(step, OneDnnPoolingBackwardOp)
    kind = PoolingBackwardPrimitive if backward else MaxPoolingPrimitive
    if type(chosen) is not kind:
        raise other(operands)
    operands.counts(len(operands.op.operands), len(operands.op.results))
    operands.expect(not backward or step.alg.data == chosen.alg)
    ins = [channels_first(operands.values, operands.operand(k), chosen.channels_last) for k in range(len(operands.ins))]
    results = [operands.values.tensors[result] for result in operands.op.results]
    outs = [channels_first(operands.values, held, chosen.channels_last) for held in results]
    large, small = (outs[0], ins) if backward else (ins[0], outs)
    src, dst = operands.ins[0].shape, operands.outs[0].shape
    src, dst = (dst, src) if backward else (src, dst)
    window = chosen.rule.window(large.shape[2:])
    stated = Window(step.window_sizes, *step.movement)
    have, want = _axes(src[2:], dst[2:], stated), _axes(large.shape[2:], small[0].shape[2:], window)
    if chosen.alg != PADDED_MEAN:  # then no number is made of the padding: where it ends means nothing
        have, want = ([row[:6] for row in rows] for rows in (have, want))
    if (*src[:2], *dst[:2]) != (*large.shape[:2], *small[0].shape[:2]) or have != want:
        raise Mismatch(f"its sizes, or how its window moves, are not those of {operands.op.name}")
    uses = [_use(operands, number, held) for number, held in enumerate(ins)]
    return Form(uses, [_made(operands, held, number) for number, held in enumerate(outs)], NO_PAIRS)


def batch_norm_form(step: OneDnnBatchNormOp, chosen: Primitive, operands: StepOperands) -> Form:
    """Each channel scaled and shifted."""
    operands.counts(5, 1)
    operands.expect(isinstance(chosen, BatchNormPrimitive) and equal(step.epsilon.value.data, chosen.epsilon))
    assert isinstance(chosen, BatchNormPrimitive)
    if not chosen.channels_last:
        return operands.form(range(5))
    x = channels_first(operands.values, operands.operand(0), True)
    y = channels_first(operands.values, operands.values.tensors[operands.op.results[0]], True)
    if (operands.ins[0].shape, operands.outs[0].shape) != (x.shape, y.shape):
        raise Mismatch(f"its sizes are not those of {operands.op.name}")
    channels = [operands.same_use(number, number) for number in range(1, 5)]
    return Form([_use(operands, 0, x), *channels], [_made(operands, y)], FIRST)


def resampling_form(step: OneDnnResamplingOp, chosen: Primitive, operands: StepOperands) -> Form:
    """Elements of other sizes, where those of the operand are centred under them."""
    if not isinstance(chosen, ResamplingPrimitive):
        raise other(operands)
    operands.counts(1, 1)
    x, y = operands.operand(0), operands.values.tensors[operands.op.results[0]]
    operands.expect(step.alg.data == chosen.rule.mode and chosen.rule.is_centred(x.shape, y.shape))
    axes = [axis for axis, (a, b) in enumerate(zip(x.shape, y.shape, strict=True)) if a != b]
    operands.expect(bool(axes))
    first, behind = axes[0], axes[-1] + 1
    after = prod(x.shape[behind:])
    rows: list[Row] = []
    for held, region in ((x, operands.ins[0]), (y, operands.outs[0])):
        before, spatial = prod(held.shape[:first]), held.shape[first:behind]
        row = operands.values.view(held, reshaped((before, *spatial, after)))
        assert row is not None
        if after > 1:
            row = operands.values.view(
                Contents(row, (before, *spatial, after), held.dtype), permuted(_first(len(spatial) + 2))
            )
        assert row is not None
        have = region.shape
        leading = have[:2] if after > 1 else (prod(have[:2]), 1)
        if leading != (before, after) or _long(have[2:]) != _long(spatial) or region.dtype != held.dtype:
            raise Mismatch(f"its sizes are not those of {operands.op.name}")
        rows.append(row)
    return Form([Use(0, rows[0], operands.op.operands[0])], [rows[1]], NO_PAIRS)


def _long(sizes: Sequence[int]) -> tuple[int, ...]:
    return tuple(sizes[next((k for k, size in enumerate(sizes) if size != 1), len(sizes)) :])


def _first(rank: int) -> tuple[int, ...]:
    """The order of axes that brings the last one behind the first."""
    return (0, rank - 1, *range(1, rank - 1))


def channels_first(values: Values, held: Contents, channels_last: bool) -> Contents:
    """A value as [N, C, spatial…]."""
    if not channels_last:
        return held
    order = _first(len(held.shape))
    row = values.view(held, permuted(order))
    assert row is not None
    return Contents(row, tuple(held.shape[axis] for axis in order), held.dtype)


def _weights(values: Values, held: Contents, groups: int, transposed: bool) -> Row:
    """The elements of weights in the order of [O, I, …], or of groups of these."""
    if not transposed:
        return held.row
    inputs, *rest = held.shape
    cut = (groups, inputs // groups, *rest)
    row = values.view(held, reshaped(cut))
    assert row is not None
    row = values.view(Contents(row, cut, held.dtype), permuted((0, 2, 1, *range(3, len(cut)))))
    assert row is not None
    return row


def _axes(source: Sequence[int], target: Sequence[int], window: Window) -> Axes:
    """Without those of one element, where the window has one."""
    rows = zip(source, target, *window, strict=True)
    return [row for row in rows if (row[0], row[1], row[2], row[5], row[6]) != (1, 1, 1, 0, 0)]


def _use(operands: StepOperands, number: int, held: Contents) -> Use:
    region = operands.ins[number]
    operands.expect(region.dtype == held.dtype and region.nbytes == held.row.nbytes)
    return Use(number, held.row, operands.op.operands[number])


def _made(operands: StepOperands, held: Contents, number: int = 0) -> Row:
    region = operands.outs[number]
    operands.expect(region.dtype == held.dtype and region.nbytes == held.row.nbytes)
    return held.row
