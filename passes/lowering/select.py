"""The onednn steps that compute one dnn op: a primitive where the op declares one and oneDNN takes the places it has,
else a call of the op's kernel.

The choice must not depend on whether a result is in place, or the planned program would give other bits than the naive
one. So what only in place needs (a sum post-op over C, one memory as both sources) is used out of place too.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import singledispatch
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseArrayBase, FloatAttr, IntegerAttr, StringAttr, f32, i64
from xdsl.ir import Attribute

from lastuse.dialect.dnn import primitive
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.primitive import Primitive
from lastuse.dialect.dnn.recurrent.gru import kernels_of
from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.dialect.onednn.memory import alike
from lastuse.dialect.onednn.primitives import (
    OneDnnBatchNormOp,
    OneDnnBinaryOp,
    OneDnnEltwiseOp,
    OneDnnLayerNormOp,
    OneDnnMatmulOp,
    OneDnnReorderOp,
    OneDnnSoftmaxOp,
    OneDnnSumOp,
)
from lastuse.dialect.onednn.recurrent import CONCAT, SUM, OneDnnGruOp
from lastuse.dialect.onednn.step import DestinationStyleBase
from lastuse.dialect.storage.contract import Engine, engine_of
from lastuse.dialect.storage.layout import expanded
from lastuse.passes.lowering.emit import Emitter, Operand

Copied = Callable[[DnnOp, int, int], None]
"""Told of a copy that a primitive needs: the op, the number of the operand that is copied, and how many bytes."""


class Job(NamedTuple):
    """One dnn op with the places of its operands and results; `copied` is told of copies."""

    op: DnnOp
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    scratch: Operand | None
    emit: Emitter
    copied: Copied | None

    def step(
        self,
        op_class: type[DestinationStyleBase],
        ins: Sequence[Operand],
        outs: Sequence[Operand],
        attributes: Mapping[str, Attribute],
        packed: Container[int] = (),
    ) -> None:
        """Emits one step; `packed` are the numbers of the operands that are constant weights to pack."""
        values = [self.emit.packed(v) if k in packed else self.emit.value(v) for k, v in enumerate(ins)]
        targets = [self.emit.value(v) for v in outs]
        scratch = None if self.scratch is None else self.emit.value(self.scratch)
        self.emit.add(op_class(values, targets, scratch, dict(attributes)))


def select(
    op: DnnOp,
    ins: Sequence[Operand],
    outs: Sequence[Operand],
    scratch: Operand | None,
    emit: Emitter,
    copied: Copied | None = None,
) -> None:
    """Emits the steps that compute `op` on operands at `ins`, with results at `outs`; `copied` is told of copies."""
    job = Job(op, tuple(ins), tuple(outs), scratch, emit, copied)
    chosen = None if engine_of(op) is Engine.CPU else op.primitive()
    # Offsets are no elements to oneDNN: a GRU looks at its operands itself.
    suits = isinstance(chosen, primitive.GruPrimitive) or all(v.suits_onednn for v in (*ins, *outs))
    if chosen is None or not suits or not _emit(chosen, job):
        values, targets = [emit.value(v) for v in ins], [emit.value(v) for v in outs]
        emit.add(KernelCallOp.of(op, values, targets, None if scratch is None else emit.value(scratch)))


@singledispatch
def _emit(chosen: Primitive, job: Job) -> bool:
    """Emits the steps of a primitive; False, and nothing emitted, where oneDNN does not take these places."""
    raise NotImplementedError(f"no step is known for {chosen}")


@_emit.register
def _(chosen: primitive.EltwisePrimitive, job: Job) -> bool:
    if not (job.ins[0].layout.is_dense and job.outs[0].layout.is_dense):
        # At strides oneDNN takes another implementation, whose relu keeps -0; ops that allow strides have the bits of
        # the dense one on the cpu engine.
        return False
    _eltwise(chosen, job, job.ins[0], job.outs[0])
    return True


def _eltwise(chosen: primitive.EltwisePrimitive, job: Job, src: Operand, dst: Operand) -> None:
    numbers = {"alpha": chosen.alpha, "beta": chosen.beta}
    given = {name: _f32(number) for name, number in numbers.items() if number}
    job.step(OneDnnEltwiseOp, [src], [dst], {"alg": StringAttr(chosen.alg), **given})


@_emit.register
def _(chosen: primitive.BinaryPrimitive, job: Job) -> bool:
    (a, b), (dst,) = job.ins, job.outs
    if a.is_at(b) and a.shape == dst.shape:
        if chosen.repeated is not None and alike(a.layout, dst.layout):
            _eltwise(chosen.repeated, job, a, dst)
            return True
        if a.clashes(dst):
            return False  # one memory for all three is documented nowhere
    orders = [(a, b), (b, a)] if job.op.COMMUTES else [(a, b)]
    for first, second in orders:
        # oneDNN broadcasts its first source too, but slower than numpy does.
        if first.shape == dst.shape and not second.clashes(dst):
            rank = max(len(dst.shape), 1)
            ins = [first.padded(rank), second.padded(rank)]
            job.step(OneDnnBinaryOp, ins, [dst.padded(rank)], {"alg": StringAttr(chosen.alg)})
            return True
    return False


@_emit.register
def _(chosen: primitive.SumPrimitive, job: Job) -> bool:
    (dst,), ins = job.outs, list(job.ins)
    if len(ins) > 1 and ins[1].is_at(dst):
        ins[:2] = ins[1::-1]  # a + b and b + a are the same bits, but for which of two NaNs it is
    if any(v.clashes(dst) for v in ins[1:]):
        return False
    ones = ArrayAttr([FloatAttr(1.0, f32)] * len(ins))
    job.step(OneDnnSumOp, ins, [dst], {"scales": ones})
    return True


@_emit.register
def _(chosen: primitive.SoftmaxPrimitive, job: Job) -> bool:
    given: dict[str, Attribute] = {"axis": IntegerAttr(chosen.axis, i64)}
    if chosen.log:
        given["log"] = BoolAttr.from_bool(True)
    job.step(OneDnnSoftmaxOp, job.ins, job.outs, given)
    return True


@_emit.register
def _(chosen: primitive.LayerNormPrimitive, job: Job) -> bool:
    src, *rows = job.ins
    dst, *given = job.outs
    if len(rows) != 2:
        return False  # the primitive without a shift is another one
    rank = max(len(src.shape), 2)
    src, dst = src.padded(rank), dst.padded(rank)
    channels = [row.reshaped((src.shape[-1],)) for row in rows]
    stats = [stat.reshaped(src.shape[:-1]) for stat in given]
    dense = [v for v in (*channels, *stats) if v is not None and v.layout.is_dense and v.dtype == "f32"]
    if len(dense) != len(channels) + len(stats) or not src.layout.is_dense or not dst.layout.is_dense:
        return False
    job.step(OneDnnLayerNormOp, [src, *dense[:2]], [dst, *dense[2:]], {"epsilon": _f32(chosen.epsilon)})
    if stats:
        # The op's third result is the inverse deviation, oneDNN's the variance.
        variance = dense[-1]
        _eltwise(primitive.EltwisePrimitive("linear", 1.0, chosen.epsilon), job, variance, variance)
        _eltwise(primitive.EltwisePrimitive("pow", 1.0, -0.5), job, variance, variance)
    return True


@_emit.register
def _(chosen: primitive.BatchNormPrimitive, job: Job) -> bool:
    src, *channels = job.ins
    if len(channels) != 4 or not 2 <= len(src.shape) <= 5 or not alike(src.layout, job.outs[0].layout):
        return False
    if any(v.dtype != "f32" or not v.layout.is_dense for v in channels):
        return False
    job.step(OneDnnBatchNormOp, job.ins, job.outs, {"epsilon": _f32(chosen.epsilon)})
    return True


@_emit.register
def _(chosen: primitive.ReorderPrimitive, job: Job) -> bool:
    job.step(OneDnnReorderOp, job.ins, job.outs, {})
    return True


@_emit.register
def _(chosen: primitive.MatmulPrimitive, job: Job) -> bool:
    a, b, *rest = job.ins
    (dst,) = job.outs
    # A vector is a matrix of one row (left) or one column (right), which the result then lacks.
    if len(b.shape) == 1:
        b, dst = _with_axis(b, 1), _with_axis(dst, len(dst.shape))
    if len(a.shape) == 1:
        a, dst = _with_axis(a, 0), _with_axis(dst, len(dst.shape) - 1)
    a = _transposed(a) if chosen.transpose_src else a
    b = _transposed(b) if chosen.transpose_weights else b
    rank = max(len(v.shape) for v in (a, b, dst, *rest))
    a, b, dst, *rest = (v.padded(rank) for v in (a, b, dst, *rest))
    if rank > 2 and all(d == 1 for v in (b, *rest) for d in (v.shape[:-2] if v is b else v.shape[:-1])):
        a, b, dst, *rest = _flattened(a, b, dst, rest)
    alpha, beta = chosen.alpha, chosen.beta
    given: dict[str, Attribute] = {}
    ins = [a, b]
    if rest:
        (c,) = rest
        if c.shape != dst.shape and alpha == beta:
            ins.append(c)  # never in place, so free to go another way
            given["bias"] = BoolAttr.from_bool(True)
        else:
            layout = expanded(dst.shape)(c.layout)
            assert layout is not None
            if job.emit.copy(c.at(layout), dst) and job.copied is not None:
                job.copied(job.op, len(job.ins) - 1, dst.layout.nbytes)
            ins.append(dst)
            given["beta"] = _f32(beta)
    if alpha != 1.0:
        given["alpha"] = _f32(alpha)
    job.step(OneDnnMatmulOp, ins, [dst], given, packed={1} if b.is_constant and len(b.shape) == 2 else ())
    return True


@_emit.register
def _(chosen: primitive.GruPrimitive, job: Job) -> bool:
    each, count = chosen.each, len(chosen.reverse) * chosen.layers * chosen.each
    if not all(v.layout.is_dense for v in (*job.ins[1 : 1 + count], job.ins[-1])):
        return False
    if any(0 in v.shape for v in (*job.ins, *job.outs)):
        return False
    x, *rest, offsets = job.ins
    weights, states, directions = rest[:count], rest[count:], chosen.reverse
    if chosen.last_first:
        # The columns of directions are in their order.
        weights, states, directions = _turned(weights, each), _turned(states, 1), directions[::-1]
    given: dict[str, Attribute] = {"reverse": ArrayAttr([BoolAttr.from_bool(flag) for flag in directions])}
    if len(chosen.reverse) > 1:
        given["mode"] = StringAttr(SUM if chosen.sum else CONCAT)
    if chosen.layers > 1:
        given["layers"] = IntegerAttr(chosen.layers, i64)
    if chosen.data:
        given["data_scale"] = DenseArrayBase.from_list(f32, [scale for scale, _ in chosen.data])
        given["data_shift"] = DenseArrayBase.from_list(f32, [shift for _, shift in chosen.data])
    kernels = kernels_of(job.op)
    if kernels is not None and job.ins[1].dtype == "f32":
        given["kernels"] = StringAttr(kernels.value)
    ins = [x, *weights, *states, offsets]
    # Constants are packed once, when the program is built; anything else in each run.
    once = all(v.is_constant for v in job.ins[1 : 1 + count])
    job.step(OneDnnGruOp, ins, job.outs, given, packed={1 + k for k in range(count if once else 0) if k % each < 2})
    return True


def _f32(number: float) -> FloatAttr:
    """The number as oneDNN takes it: beyond the largest f32 it is an infinity, as it is to the op's own kernel."""
    with np.errstate(over="ignore"):
        return FloatAttr(float(np.float32(number)), f32)


def _turned(values: Sequence[Operand], each: int) -> list[Operand]:
    """The values of both directions of every layer, `each` a direction, with the second direction first."""
    pairs = [(values[k : k + each], values[k + each : k + 2 * each]) for k in range(0, len(values), 2 * each)]
    return [value for first, second in pairs for value in (*second, *first)]


def _flattened(a: Operand, b: Operand, dst: Operand, rest: Sequence[Operand]) -> list[Operand]:
    """Batches of one weight matrix as one tall matrix, where the places are such; else what was given."""
    flat_a = a.reshaped((a.layout.elements // a.shape[-1], a.shape[-1]))
    flat_dst = dst.reshaped((dst.layout.elements // dst.shape[-1], dst.shape[-1]))
    flat_rest = [v.reshaped(v.shape[-2:]) for v in rest]
    flat_b = b.reshaped(b.shape[-2:])
    flat = [v for v in (flat_a, flat_b, flat_dst, *flat_rest) if v is not None]
    return flat if len(flat) == 3 + len(rest) else [a, b, dst, *rest]


def _with_axis(operand: Operand, axis: int) -> Operand:
    layout = operand.layout
    sizes = (*layout.sizes[:axis], 1, *layout.sizes[axis:])
    strides = (*layout.strides[:axis], layout.item, *layout.strides[axis:])
    return operand.at(layout._replace(sizes=sizes, strides=strides))


def _transposed(operand: Operand) -> Operand:
    layout = operand.layout
    sizes, strides = layout.sizes, layout.strides
    return operand.at(
        layout._replace(sizes=(*sizes[:-2], sizes[-1], sizes[-2]), strides=(*strides[:-2], strides[-1], strides[-2]))
    )
