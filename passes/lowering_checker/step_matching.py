"""Which steps compute an op, on which operands: held against what the op declares (`DnnOp.primitive`), one function a
kind of step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.batch_norm import BatchNormPrimitive, OneDnnBatchNormOp
from lastuse.dialect.onednn.primitives.binary import BinaryPrimitive, OneDnnBinaryOp
from lastuse.dialect.onednn.primitives.eltwise import EltwisePrimitive, OneDnnEltwiseOp
from lastuse.dialect.onednn.primitives.gru import OneDnnGruOp
from lastuse.dialect.onednn.primitives.layer_norm import LayerNormPrimitive, OneDnnLayerNormOp
from lastuse.dialect.onednn.primitives.matmul import OneDnnMatmulOp
from lastuse.dialect.onednn.primitives.softmax import OneDnnSoftmaxOp, SoftmaxPrimitive
from lastuse.dialect.onednn.primitives.sum import OneDnnSumOp, SumPrimitive
from lastuse.dialect.onednn.step import DestinationStyleBase
from lastuse.dialect.storage.contract import Engine, engine_of
from lastuse.passes.lowering_checker.byte_rows import Row
from lastuse.passes.lowering_checker.matmul_matching import gru_form, product_form
from lastuse.passes.lowering_checker.operands import FIRST, Form, StepOperands, Use, equal, other, padded
from lastuse.passes.lowering_checker.signature import Mismatch


def form_of(step: DestinationStyleBase, given: StepOperands) -> Form:
    """What the step does.

    Raises:
        Refusal: it does not compute the op that it names.
    """
    if isinstance(step, KernelCallOp):
        return _call(step, given)
    op = given.op
    chosen = op.primitive() if isinstance(op, DnnOp) and engine_of(op) is not Engine.CPU else None
    if chosen is None:
        raise Mismatch(f"{op.name} is run by its own kernel")
    return _form(step, chosen, given)


def _call(step: KernelCallOp, given: StepOperands) -> Form:
    op = given.op
    attributes = {k: v for k, v in {**op.properties, **op.attributes}.items() if "." not in k}
    stated = {} if step.attrs is None else dict(step.attrs.data)
    if step.callee.data != op.name or stated != attributes:
        raise Mismatch(f"it calls {step.callee.data} with other attributes, or another op, than {op.name}")
    given.counts(len(op.operands), len(op.results))
    contract = given.values.contract(op)
    reads = [k for k in range(len(op.operands)) if k not in contract.metadata_only]
    for k in contract.metadata_only:
        given.same_use(k, k)
    over = [o for o in contract.over if Engine.CPU in o.engines]
    return Form(
        [given.same_use(k, k) for k in reads],
        [given.same_output(r, r) for r in range(len(op.results))],
        frozenset((o.result, o.operand) for o in over),
        frozenset((o.result, o.operand) for o in over if o.allow_same_operand),
        parts=tuple((c.operand, c.into) for c in contract.contributions if c.may_be_produced_in_place),
    )


@singledispatch
def _form(step: DestinationStyleBase, chosen: Primitive, given: StepOperands) -> Form:
    raise Mismatch(f"{step.name} computes no op")


@_form.register
def _(step: OneDnnEltwiseOp, chosen: Primitive, given: StepOperands) -> Form:
    given.counts(1, 1)
    if given.ins[0].shape != given.outs[0].shape:
        raise Mismatch("it has another number of elements out than in")
    match chosen:
        case EltwisePrimitive():
            _expect(step, chosen, given)
        case BinaryPrimitive(repeated=EltwisePrimitive() as repeated):
            _expect(step, repeated, given)
            a, b, y = given.operand(0), given.operand(1), given.values.tensors[given.op.results[0]]
            if not a.row.same(b.row) or a.row.nbytes != y.row.nbytes:
                raise Mismatch(f"the operands of {given.op.name} are two values")
        case LayerNormPrimitive():
            return _deviation(step, chosen, given)
        case _:
            raise other(given)
    return Form([given.use(0, 0)], [given.output(0, 0)], FIRST)


def _expect(step: OneDnnEltwiseOp, chosen: EltwisePrimitive, given: StepOperands) -> None:
    given.expect(step.alg.data == chosen.alg and all(map(equal, step.parameters, (chosen.alpha, chosen.beta))))


def _deviation(step: OneDnnEltwiseOp, chosen: LayerNormPrimitive, given: StepOperands) -> Form:
    """The inverse deviation from the variance: plus epsilon, to the power of -1/2."""
    nbytes = given.ins[0].row.nbytes
    variance, shifted = _between(given, 0, nbytes), _between(given, 1, nbytes)
    if step.alg.data == "linear":
        _expect(step, EltwisePrimitive("linear", 1.0, chosen.epsilon), given)
        return Form([Use(0, variance, "the variance")], [shifted], FIRST)
    _expect(step, EltwisePrimitive("pow", 1.0, -0.5), given)
    return Form([Use(0, shifted, "the variance and epsilon")], [given.output(0, 2)], FIRST)


def _between(given: StepOperands, stage: int, nbytes: int) -> Row:
    """What a step of an op leaves for the next one."""
    what = ("the variance", "the variance and epsilon")[stage]
    return given.values.own((given.op, stage, nbytes), nbytes, what)


@_form.register
def _(step: OneDnnBinaryOp, chosen: Primitive, given: StepOperands) -> Form:
    given.counts(2, 1)
    given.expect(isinstance(chosen, BinaryPrimitive) and step.alg.data == chosen.alg)
    y = given.values.tensors[given.op.results[0]]
    shape = padded(y.shape, len(given.outs[0].shape))
    made = given.output(0, 0, shape)
    orders = [_broadcast_uses(given, order, shape) for order in ((0, 1), (1, 0))[: 1 + given.op.COMMUTES]]  # pyright: ignore
    found = [uses for uses in orders if uses is not None]
    if not found:
        raise Mismatch(f"its sizes are not those of {given.op.name}")
    return Form(found[0], [made], FIRST, exchanged=found[-1])


def _broadcast_uses(given: StepOperands, order: Sequence[int], shape: tuple[int, ...]) -> list[Use] | None:
    """The operands of a binary op in that order, each of sizes that broadcast to `shape`; None where sizes differ."""
    sizes = [padded(given.operand(k).shape, len(shape)) for k in order]
    if [region.shape for region in given.ins] != sizes:
        return None
    if any(a not in (1, d) for size in sizes for a, d in zip(size, shape, strict=True)):
        return None
    return [given.use(n, k) for n, k in enumerate(order)]


@_form.register
def _(step: OneDnnSumOp, chosen: Primitive, given: StepOperands) -> Form:
    count = len(given.op.operands)
    given.counts(count, 1)
    scales = [scale.value.data for scale in step.scales.data]
    given.expect(isinstance(chosen, SumPrimitive) and len(scales) == count and all(equal(s, 1.0) for s in scales))
    form = given.form(range(count))
    if count < 2:
        return form
    return form._replace(
        exchanged=[given.same_use(0, 1), given.same_use(1, 0), *form.uses[2:]]
    )  # a + b, b + a: the same bits


@_form.register
def _(step: OneDnnSoftmaxOp, chosen: Primitive, given: StepOperands) -> Form:
    given.counts(1, 1)
    stated = step.axis.value.data, step.is_log
    given.expect(isinstance(chosen, SoftmaxPrimitive) and stated == (chosen.axis, chosen.log))
    return given.form([0])


@_form.register
def _(step: OneDnnLayerNormOp, chosen: Primitive, given: StepOperands) -> Form:
    op, results = given.op, len(given.op.results)
    given.counts(3, results)
    given.expect(isinstance(chosen, LayerNormPrimitive) and equal(step.epsilon.value.data, chosen.epsilon))
    given.expect(len(op.operands) == 3)
    step.verify_step()
    shape = given.operand(0).shape
    shape = padded(shape, max(2, len(shape)))
    uses = [given.use(0, 0, shape), given.use(1, 1), given.use(2, 2)]
    makes = [given.output(0, 0, shape)]
    if results == 3:
        makes += [given.output(1, 1), _between(given, 0, given.outs[2].row.nbytes)]
    return Form(uses, makes, FIRST)


@_form.register
def _(step: OneDnnBatchNormOp, chosen: Primitive, given: StepOperands) -> Form:
    given.counts(5, 1)
    given.expect(isinstance(chosen, BatchNormPrimitive) and equal(step.epsilon.value.data, chosen.epsilon))
    return given.form(range(5))


_form.register(OneDnnMatmulOp)(product_form)
_form.register(OneDnnGruOp)(gru_form)
