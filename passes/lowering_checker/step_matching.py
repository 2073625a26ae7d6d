"""Which steps compute an op, on which operands: held against what the op declares (`DnnOp.primitive`), one function a
kind of step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.onednn.kernel_call import HasKernel, KernelCallOp
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.batch_norm import OneDnnBatchNormOp
from lastuse.dialect.onednn.primitives.batch_norm_training import (
    OneDnnBatchNormBackwardOp,
    OneDnnBatchNormTrainingOp,
    OneDnnRunningStatisticOp,
)
from lastuse.dialect.onednn.primitives.binary import BinaryPrimitive, OneDnnBinaryOp
from lastuse.dialect.onednn.primitives.convolution import OneDnnConvolutionOp, OneDnnDeconvolutionOp
from lastuse.dialect.onednn.primitives.convolution_weights_grad import OneDnnConvolutionWeightsGradOp
from lastuse.dialect.onednn.primitives.eltwise import EltwisePrimitive, OneDnnEltwiseOp
from lastuse.dialect.onednn.primitives.eltwise_backward import EltwiseBackwardPrimitive, OneDnnEltwiseBackwardOp
from lastuse.dialect.onednn.primitives.gru import OneDnnGruOp
from lastuse.dialect.onednn.primitives.layer_norm import LayerNormPrimitive, OneDnnLayerNormOp
from lastuse.dialect.onednn.primitives.layer_norm_backward import OneDnnLayerNormBackwardOp
from lastuse.dialect.onednn.primitives.lrn import LrnPrimitive, OneDnnLrnOp
from lastuse.dialect.onednn.primitives.matmul import OneDnnMatmulOp
from lastuse.dialect.onednn.primitives.pooling import OneDnnPoolingOp
from lastuse.dialect.onednn.primitives.pooling_backward import OneDnnMaxPoolingOp, OneDnnPoolingBackwardOp
from lastuse.dialect.onednn.primitives.recurrent import OneDnnRecurrentOp
from lastuse.dialect.onednn.primitives.reduction import OneDnnReductionOp, ReductionPrimitive
from lastuse.dialect.onednn.primitives.resampling import OneDnnResamplingOp
from lastuse.dialect.onednn.primitives.softmax import OneDnnSoftmaxOp, SoftmaxPrimitive
from lastuse.dialect.onednn.primitives.softmax_backward import OneDnnSoftmaxBackwardOp, SoftmaxBackwardPrimitive
from lastuse.dialect.onednn.primitives.sum import OneDnnSumOp, SumPrimitive
from lastuse.dialect.onednn.step import DestinationStyleBase
from lastuse.dialect.storage.contract import CPU_ONLY, Engine
from lastuse.passes.lowering_checker.codes import Row
from lastuse.passes.lowering_checker.matmul_matching import gru_form, product_form
from lastuse.passes.lowering_checker.normalization_matching import (
    batch_norm_backward_form,
    layer_norm_backward_form,
    running_form,
    training_form,
)
from lastuse.passes.lowering_checker.operands import FIRST, NO_PAIRS, Form, StepOperands, Use, equal, other, padded
from lastuse.passes.lowering_checker.recurrent_matching import recurrent_form
from lastuse.passes.lowering_checker.signature import Mismatch
from lastuse.passes.lowering_checker.spatial_matching import (
    batch_norm_form,
    pooling_form,
    resampling_form,
    trained_pooling_form,
    weighted_form,
    weights_grad_form,
)


def form_of(step: DestinationStyleBase, operands: StepOperands) -> Form:
    """What the step does.

    Raises:
        Refusal: it does not compute the op that it names.
    """
    if isinstance(step, KernelCallOp):
        return _call(step, operands)
    op = operands.op
    chosen = op.chosen_primitive() if isinstance(op, DnnOp) else None
    if chosen is None:
        raise Mismatch(f"{op.name} is run by its own kernel")
    return _form(step, chosen, operands)


def _call(step: KernelCallOp, operands: StepOperands) -> Form:
    op = operands.op
    attributes = {k: v for k, v in {**op.properties, **op.attributes}.items() if "." not in k}
    stated = {} if step.attrs is None else dict(step.attrs.data)
    if step.callee.data != op.name or stated != attributes:
        raise Mismatch(f"it calls {step.callee.data} with other attributes, or another op, than {op.name}")
    operands.counts(len(op.operands), len(op.results))
    contract = operands.values.contract(op)
    reads = [k for k in range(len(op.operands)) if k not in contract.metadata_only]
    for k in contract.metadata_only:
        operands.same_use(k, k)
    engine = step.engine()
    is_native = isinstance(op, HasKernel) and op.native_kernel() is not None and contract.engines != CPU_ONLY
    if engine is Engine.NATIVE and not is_native:
        raise Mismatch(f"{op.name} has no native kernel")
    over = [o for o in contract.over if engine in o.engines]
    return Form(
        [operands.same_use(k, k) for k in reads],
        [operands.same_output(r, r) for r in range(len(op.results))],
        frozenset((o.result, o.operand) for o in over),
        frozenset((o.result, o.operand) for o in over if o.allow_same_operand),
        parts=tuple((c.operand, c.into) for c in contract.contributions if c.may_be_produced_in_place),
    )


@singledispatch
def _form(step: DestinationStyleBase, chosen: Primitive, operands: StepOperands) -> Form:
    raise Mismatch(f"{step.name} computes no op")


@_form.register
def _(step: OneDnnEltwiseOp, chosen: Primitive, operands: StepOperands) -> Form:
    operands.counts(1, 1)
    if operands.ins[0].shape != operands.outs[0].shape:
        raise Mismatch("it has another number of elements out than in")
    match chosen:
        case EltwisePrimitive():
            _expect(step, chosen, operands)
        case BinaryPrimitive(repeated=EltwisePrimitive() as repeated):
            _expect(step, repeated, operands)
            a, b, y = operands.operand(0), operands.operand(1), operands.values.tensors[operands.op.results[0]]
            if not a.row.same(b.row) or a.row.nbytes != y.row.nbytes:
                raise Mismatch(f"the operands of {operands.op.name} are two values")
        case LayerNormPrimitive():
            return _deviation(step, chosen, operands)
        case _:
            raise other(operands)
    return Form([operands.use(0, 0)], [operands.output(0, 0)], FIRST)


def _expect(step: OneDnnEltwiseOp, chosen: EltwisePrimitive, operands: StepOperands) -> None:
    operands.expect(step.alg.data == chosen.alg and all(map(equal, step.parameters, (chosen.alpha, chosen.beta))))


@_form.register
def _(step: OneDnnEltwiseBackwardOp, chosen: Primitive, operands: StepOperands) -> Form:
    operands.counts(2, 1)
    operands.expect(
        isinstance(chosen, EltwiseBackwardPrimitive)
        and (step.alg.data, step.reads_result) == (chosen.alg, chosen.from_result)
        and all(map(equal, step.parameters, (chosen.alpha, chosen.beta)))
    )
    return operands.form([0, 1], frozenset({(0, 1)}))


def _deviation(step: OneDnnEltwiseOp, chosen: LayerNormPrimitive, operands: StepOperands) -> Form:
    """The inverse deviation from the variance: plus epsilon, to the power of -1/2."""
    nbytes = operands.ins[0].nbytes
    variance, shifted = _between(operands, 0, nbytes), _between(operands, 1, nbytes)
    if step.alg.data == "linear":
        _expect(step, EltwisePrimitive("linear", 1.0, chosen.epsilon), operands)
        return Form([Use(0, variance, "the variance")], [shifted], FIRST)
    _expect(step, EltwisePrimitive("pow", 1.0, -0.5), operands)
    return Form([Use(0, shifted, "the variance and epsilon")], [operands.output(0, 2)], FIRST)


def _between(operands: StepOperands, stage: int, nbytes: int) -> Row:
    """What a step of an op leaves for the next one."""
    what = ("the variance", "the variance and epsilon")[stage]
    return operands.values.codes.own((operands.op, stage, nbytes), nbytes, what)


@_form.register
def _(step: OneDnnBinaryOp, chosen: Primitive, operands: StepOperands) -> Form:
    operands.counts(2, 1)
    if not isinstance(chosen, BinaryPrimitive):
        raise other(operands)
    algorithms = (((0, 1), chosen.alg), ((1, 0), chosen.mirror))
    operands.expect(any(step.alg.data == alg for _, alg in algorithms))
    y = operands.values.tensors[operands.op.results[0]]
    shape = padded(y.shape, len(operands.outs[0].shape))
    output = operands.output(0, 0, shape)
    orders = [_broadcast_uses(operands, order, shape) for order, alg in algorithms if step.alg.data == alg]
    matches = [uses for uses in orders if uses is not None]
    if not matches:
        raise Mismatch(f"its sizes are not those of {operands.op.name}")
    return Form(matches[0], [output], FIRST, exchanged=matches[-1])


def _broadcast_uses(operands: StepOperands, order: Sequence[int], shape: tuple[int, ...]) -> list[Use] | None:
    """The operands of a binary op in that order, each of sizes that broadcast to `shape`; None where sizes differ."""
    sizes = [padded(operands.operand(k).shape, len(shape)) for k in order]
    if [region.shape for region in operands.ins] != sizes:
        return None
    if any(a not in (1, d) for size in sizes for a, d in zip(size, shape, strict=True)):
        return None
    return [operands.use(n, k) for n, k in enumerate(order)]


@_form.register
def _(step: OneDnnSumOp, chosen: Primitive, operands: StepOperands) -> Form:
    count = len(operands.op.operands)
    operands.counts(count, 1)
    scales = [scale.value.data for scale in step.scales.data]
    operands.expect(isinstance(chosen, SumPrimitive) and len(scales) == count and all(equal(s, 1.0) for s in scales))
    form = operands.form(range(count))
    if count < 2:
        return form
    return form._replace(
        exchanged=[operands.same_use(0, 1), operands.same_use(1, 0), *form.uses[2:]]
    )  # a + b, b + a: the same bits


@_form.register
def _(step: OneDnnSoftmaxOp, chosen: Primitive, operands: StepOperands) -> Form:
    operands.counts(1, 1)
    stated = step.axis.value.data, step.is_log
    operands.expect(isinstance(chosen, SoftmaxPrimitive) and stated == (chosen.axis, chosen.log))
    return operands.form([0])


@_form.register
def _(step: OneDnnSoftmaxBackwardOp, chosen: Primitive, operands: StepOperands) -> Form:
    operands.counts(2, 1)
    stated = step.axis.value.data, step.is_log
    operands.expect(isinstance(chosen, SoftmaxBackwardPrimitive) and stated == (chosen.axis, chosen.log))
    return operands.form([0, 1], frozenset({(0, 1)}))


@_form.register
def _(step: OneDnnLayerNormOp, chosen: Primitive, operands: StepOperands) -> Form:
    op, results = operands.op, len(operands.op.results)
    operands.counts(3, results)
    operands.expect(isinstance(chosen, LayerNormPrimitive) and equal(step.epsilon.value.data, chosen.epsilon))
    operands.expect(len(op.operands) == 3)
    step.verify_step()
    shape = operands.operand(0).shape
    shape = padded(shape, max(2, len(shape)))
    uses = [operands.use(0, 0, shape), operands.use(1, 1), operands.use(2, 2)]
    makes = [operands.output(0, 0, shape)]
    if results == 3:
        makes += [operands.output(1, 1), _between(operands, 0, operands.outs[2].nbytes)]
    return Form(uses, makes, FIRST)


@_form.register
def _(step: OneDnnBatchNormOp, chosen: Primitive, operands: StepOperands) -> Form:
    return batch_norm_form(step, chosen, operands)


@_form.register
def _(step: OneDnnReductionOp, chosen: Primitive, operands: StepOperands) -> Form:
    operands.counts(1, 1)
    operands.expect(isinstance(chosen, ReductionPrimitive) and step.alg.data == chosen.alg)
    assert isinstance(chosen, ReductionPrimitive)
    (src,), (dst,), shape = operands.ins, operands.outs, operands.operand(0).shape
    declared = [(size, axis in chosen.axes) for axis, size in enumerate(shape)]
    if len(src.shape) != len(dst.shape) or any(d not in (1, s) for s, d in zip(src.shape, dst.shape, strict=True)):
        raise Mismatch(f"its sizes are not those of {operands.op.name}")
    stated = [(s, s != d) for s, d in zip(src.shape, dst.shape, strict=True)]
    if _merged(declared) != _merged(stated):
        raise Mismatch(f"it reduces other axes than {operands.op.name}")
    return Form([operands.use(0, 0)], [operands.output(0, 0)], NO_PAIRS)


def _merged(axes: Sequence[tuple[int, bool]]) -> list[tuple[int, bool]]:
    """Sizes, and whether they are reduced, with neighbours that are alike as one axis and without sizes of 1."""
    merged: list[tuple[int, bool]] = []
    for size, reduced in axes:
        if size == 1:
            continue
        if merged and merged[-1][1] == reduced:
            size *= merged.pop()[0]
        merged.append((size, reduced))
    return merged


@_form.register
def _(step: OneDnnLrnOp, chosen: Primitive, operands: StepOperands) -> Form:
    operands.counts(1, 1)
    operands.expect(
        isinstance(chosen, LrnPrimitive)
        and step.size.value.data == chosen.size
        and all(map(equal, step.numbers, (chosen.alpha, chosen.beta, chosen.bias)))
    )
    return operands.form([0], NO_PAIRS)


_form.register(OneDnnBatchNormTrainingOp)(training_form)
_form.register(OneDnnRunningStatisticOp)(running_form)
_form.register(OneDnnBatchNormBackwardOp)(batch_norm_backward_form)
_form.register(OneDnnLayerNormBackwardOp)(layer_norm_backward_form)
_form.register(OneDnnMatmulOp)(product_form)
_form.register(OneDnnGruOp)(gru_form)
for _weighted_step in (OneDnnConvolutionOp, OneDnnDeconvolutionOp):
    _form.register(_weighted_step)(weighted_form)
_form.register(OneDnnConvolutionWeightsGradOp)(weights_grad_form)
_form.register(OneDnnPoolingOp)(pooling_form)
for _trained_step in (OneDnnMaxPoolingOp, OneDnnPoolingBackwardOp):
    _form.register(_trained_step)(trained_pooling_form)
_form.register(OneDnnResamplingOp)(resampling_form)
_form.register(OneDnnRecurrentOp)(recurrent_form)
