"""Instruction selection: the onednn steps that compute one op.

They are those of the primitive that the op declares where oneDNN takes the layouts of its operands and results, else a
call of its kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import DenseResourceAttr, TensorType
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.ir.tensor_types import element_type
from lastuse.dialect.onednn.buffers import ConstantBufferOp
from lastuse.dialect.onednn.kernel_call import HasKernel, KernelCallOp
from lastuse.dialect.onednn.memory import Operand, memref_type
from lastuse.dialect.onednn.primitives.base import Emitter, PlacedValue, StepBuilder
from lastuse.dialect.storage.layout import Strided


def select(op: HasKernel, steps: StepBuilder) -> None:
    """Emits the steps that compute `op`."""
    primitive = op.chosen_primitive()
    if primitive is None or not primitive.accepts((*steps.ins, *steps.outs)) or not primitive.emit(steps):
        steps.step(KernelCallOp, steps.ins, steps.outs, KernelCallOp.attributes_of(op))


def separate_steps(op: HasKernel, values: Sequence[PlacedValue]) -> Iterable[Operation]:
    """The steps that compute `op` on operands, then results, that lie there, for a measurement of what they need: a
    block of their own, which refers to no function."""
    emit = Emitter(Block())
    roots: dict[int, SSAValue] = {}
    for number in dict.fromkeys(value.storage for value in values):
        inside = [value for value in values if value.storage == number]
        sizes, dtype = inside[0].constant, inside[0].dtype
        if sizes is None:
            nbytes = max(0, *(value.layout.span[1] for value in inside))
            type_ = memref_type(Strided.dense((nbytes,), 1), "i8")
            roots[number] = emit.block.insert_arg(type_, len(emit.block.args))
        else:
            # Only the type of a constant matters: its bytes are never read.
            content = DenseResourceAttr.from_params("unknown", TensorType(element_type(dtype), sizes))
            constant = ConstantBufferOp(content)
            emit.add(constant)
            roots[number] = constant.memory
    operands = [Operand(roots[value.storage], value.layout, value.dtype) for value in values]
    count = len(op.operands)
    select(op, StepBuilder(operands[:count], operands[count:], None, emit))
    return emit.block.ops
