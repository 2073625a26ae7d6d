"""Ops that make scalars: those of `arith`, reads and sizes of `tensor`; and constants of `arith` that are tensors."""

from __future__ import annotations

from xdsl.dialects import arith, memref, tensor
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DenseResourceAttr, IndexType, IntegerAttr, TensorType
from xdsl.ir import Operation

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.lowering.context import LoweringContext


def lower_scalar(op: Operation, to: LoweringContext) -> None:
    """Emits an op of these dialects.

    Raises:
        LastuseError: nothing runs such an op.
    """
    match op:
        case tensor.ExtractOp():
            source = to.emit.value(to.operand(op.tensor))
            load = memref.LoadOp.get(source, [to.scalar[v] for v in op.indices])
            to.emit.add(load)
            to.define([op.result], [load.res])
        case tensor.DimOp():
            _size(op, to)
        case arith.ConstantOp() if isinstance(op.result.type, TensorType) and contract_of(op).constant:
            assert isinstance(op.value, (DenseIntOrFPElementsAttr, DenseResourceAttr))
            to.constant(op.result, op.value)
        case _ if op.dialect_name() == arith.Arith.name and not any(map(to.is_tensor, op.results)):
            copied = op.clone({v: to.scalar[v] for v in op.operands})
            to.emit.add(copied)
            to.define(op.results, copied.results)
        case _:
            raise LastuseError(f"nothing here can run {op_name(op)}", op)


def _size(op: tensor.DimOp, to: LoweringContext) -> None:
    """A size, known by now.

    Raises:
        LastuseError: which axis is not written in the program, or there is none of that number.
    """
    axis = op.index.owner.value if isinstance(op.index.owner, arith.ConstantOp) else None
    shape = to.operand(op.source).shape
    if not isinstance(axis, IntegerAttr) or not 0 <= axis.value.data < len(shape):
        raise LastuseError(f"'tensor.dim' wants a constant, the number of one of {len(shape)} axes", op)
    size = arith.ConstantOp.from_int_and_width(shape[axis.value.data], IndexType())
    to.emit.add(size)
    to.define([op.result], [size.result])
