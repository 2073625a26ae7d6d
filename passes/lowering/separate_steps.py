"""The steps of one op by itself, as lowering chooses them, for a measurement of what they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import DenseResourceAttr, TensorType
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.dtypes import element_type
from lastuse.dialect.onednn.buffers import ConstantBufferOp
from lastuse.dialect.onednn.memory import memref_type
from lastuse.dialect.onednn.primitives.base import Operand
from lastuse.dialect.storage.layout import Strided
from lastuse.passes.lowering.emit import Emitter
from lastuse.passes.lowering.select import select

Placed = tuple[Strided, str, int, tuple[int, ...] | None]
"""A value's layout, its element type, the number of its storage, and the sizes of the constant that this is, if any."""


def separate_steps(op: DnnOp, values: Sequence[Placed]) -> Iterable[Operation]:
    """The steps that compute `op` on operands, then results, that lie there: a block of their own, which refers to no
    function."""
    emit = Emitter(Block())
    extents: dict[int, int] = {}
    for layout, _, number, _ in values:
        extents[number] = max(extents.get(number, 0), layout.span[1])
    roots: dict[int, SSAValue] = {}
    operands: list[Operand] = []
    for layout, dtype, number, constant in values:
        if number not in roots:
            roots[number] = _argument(emit, extents[number]) if constant is None else _constant(emit, constant, dtype)
        operands.append(Operand(roots[number], layout, dtype))
    count = len(op.operands)
    select(op, operands[:count], operands[count:], None, emit)
    return emit.block.ops


def _argument(emit: Emitter, nbytes: int) -> SSAValue:
    return emit.block.insert_arg(memref_type(Strided.dense((nbytes,), 1), "i8"), len(emit.block.args))


def _constant(emit: Emitter, sizes: tuple[int, ...], dtype: str) -> SSAValue:
    """A constant of which only the type matters: its bytes are never read."""
    constant = ConstantBufferOp(DenseResourceAttr.from_params("unknown", TensorType(element_type(dtype), sizes)))
    emit.add(constant)
    return constant.memory
