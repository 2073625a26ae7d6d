"""The onednn steps that compute one op: those of the primitive that it declares where oneDNN takes the layouts of its
operands and results, else a call of its kernel."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import Attribute, Operation

from lastuse.dialect.onednn.kernel_call import HasKernel, KernelCallOp
from lastuse.dialect.onednn.primitives.base import Operand
from lastuse.dialect.onednn.step import DestinationStyleBase
from lastuse.dialect.storage.contract import Engine, engine_of
from lastuse.passes.lowering.emit import Emitter

CopyReport = Callable[[Operation, int, int], None]
"""Told of a copy that a primitive needs: the op, the number of the operand that is copied, and how many bytes."""


class OpSteps(NamedTuple):
    """Adds the steps of one op, whose operands, results and scratch are these (a `StepBuilder`)."""

    op: HasKernel
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    scratch: Operand | None
    emit: Emitter
    report: CopyReport | None

    def step(
        self,
        op_class: type[DestinationStyleBase],
        ins: Sequence[Operand],
        outs: Sequence[Operand],
        attributes: Mapping[str, Attribute],
        packed: Container[int] = (),
    ) -> None:
        values = [self.emit.packed(v) if k in packed else self.emit.value(v) for k, v in enumerate(ins)]
        targets = [self.emit.value(v) for v in outs]
        scratch = None if self.scratch is None else self.emit.value(self.scratch)
        self.emit.add(op_class(values, targets, scratch, dict(attributes)))

    def copy(self, operand: int, source: Operand, target: Operand) -> None:
        if self.emit.copy(source, target) and self.report is not None:
            self.report(self.op, operand, target.layout.nbytes)


def select(
    op: HasKernel,
    ins: Sequence[Operand],
    outs: Sequence[Operand],
    scratch: Operand | None,
    emit: Emitter,
    report: CopyReport | None = None,
) -> None:
    """Emits the steps that compute `op` on operands at `ins`, with results at `outs`; `report` is told of copies."""
    primitive = None if engine_of(op) is Engine.CPU else op.primitive()
    steps = OpSteps(op, tuple(ins), tuple(outs), scratch, emit, report)
    if primitive is None or not primitive.accepts((*ins, *outs)) or not primitive.emit(steps):
        values, targets = [emit.value(v) for v in ins], [emit.value(v) for v in outs]
        emit.add(KernelCallOp.of(op, values, targets, None if scratch is None else emit.value(scratch)))
