"""Ops of `arith` and `math` on tensors: a `linalg.generic` whose body is the op on scalars."""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from lastuse.passes.bufferization.forms import MemrefForm, declare_form
from lastuse.passes.bufferization.memref_context import MemrefContext
from lastuse.passes.bufferization.memref_types import type_of


def _compute(op: Operation, to: MemrefContext) -> None:
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


declare_form("arith.*", MemrefForm(compute=_compute))
declare_form("math.*", MemrefForm(compute=_compute))
