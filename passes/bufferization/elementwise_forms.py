"""Ops of `arith` and `math` on tensors: a `linalg.generic` whose body is the op on scalars.

An `arith.select` of tensors that may have different sizes, by one flag, copies the one that is chosen.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from lastuse.passes.analysis.reasons import Reason, copied_into
from lastuse.passes.bufferization.forms import MemrefForm, declare_form
from lastuse.passes.bufferization.memref_context import MemrefContext
from lastuse.passes.bufferization.memref_types import any_strides, type_of
from lastuse.passes.bufferization.signatures import tensor_type


def _compute(op: Operation, to: MemrefContext) -> None:
    if isinstance(op, arith.SelectOp) and not to.is_tensor(op.cond):
        one, other = (to.places.sizes[v].known for v in (op.lhs, op.rhs))
        if one != other:
            _copy_chosen(op, to)
            return
    tensors = [v for v in dict.fromkeys(op.operands) if to.is_tensor(v)]
    ins, outs = [to.memref(v) for v in tensors], [to.memref(v) for v in op.results]
    block = Block(arg_types=[type_of(m).element_type for m in (*ins, *outs)])
    scalars: dict[SSAValue, SSAValue] = dict(zip(tensors, block.args, strict=False))
    inner = type(op).create(
        operands=[scalars[v] if v in scalars else to.scalar_of(v) for v in op.operands],
        result_types=[type_of(m).element_type for m in outs],
        properties=dict(op.properties),
    )
    block.add_ops([inner, YieldOp(*inner.results)])
    rank = len(type_of(outs[0]).get_shape())
    map_ = AffineMapAttr(AffineMap.identity(rank))
    parallel = IteratorTypeAttr(IteratorType.PARALLEL)
    to.emit(GenericOp(ins, outs, Region(block), [map_] * len(block.args), [parallel] * rank))


def _copy_chosen(op: arith.SelectOp, to: MemrefContext) -> None:
    type_ = any_strides(tensor_type(op.result))
    one, other = (to.cast(to.memref(v), type_) for v in (op.lhs, op.rhs))
    chosen = to.emit(arith.SelectOp(to.scalar_of(op.cond), one, other))
    to.copy(chosen, to.memref(op.result))
    to.note_copy(op, op.lhs, copied_into(op.lhs, op.result), Reason.CONTROL_FLOW)


declare_form("arith.*", MemrefForm(compute=_compute))
declare_form("math.*", MemrefForm(compute=_compute))
