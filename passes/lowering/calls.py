"""Calls of functions of the module: what each argument is."""

from __future__ import annotations

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import callee_of
from lastuse.dialect.onednn.memory import Operand
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.layout import Strided
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.lowering.context import LoweredCopy, LoweringContext
from lastuse.passes.memory.copy_temporaries import passed


def lower_call(op: CallOp, to: LoweringContext) -> None:
    """Emits a call: tensors are passed as memory, results as memory to write to; scalars as they are.

    A parameter that the callee may write gets a copy, unless the operand itself is given (docs/storage.md, 5). Where a
    result is tied to it the copy is made where that result lies, so that it ends there.

    Raises:
        LastuseError: the module has no body for the callee.
    """
    name = callee_of(op)
    callee = to.functions.get(name)
    if callee is None:
        raise LastuseError(f"nothing here can run @{name}: the module has no body for it", op)
    call = _Call(op, callee, to)
    arguments = [call.argument(k) if to.is_tensor(v) else to.scalar[v] for k, v in enumerate(op.operands)]
    arguments += [call.result(r) for r, v in enumerate(op.results) if to.is_tensor(v) and r not in call.tied]
    lowered = CallOp(op.callee, arguments, [v.type for v in op.results if not to.is_tensor(v)])
    to.emit.add(lowered)
    to.define(op.results, lowered.results)
    for source, target, result in call.afterwards:
        if to.emit.copy(source, target):
            value = op.results[result]
            what = f"result {result} of the call is copied into the place of {attrs.display_name(value)}"
            to.copies.append(LoweredCopy(op, what, target.layout.nbytes, Reason.LAYOUT, value))


class _Call:
    """One call. `tied`: results that end in a parameter's memory; `afterwards`: copies to make when it is done."""

    def __init__(self, op: CallOp, callee: FuncOp, to: LoweringContext) -> None:
        self.op, self.callee, self.to = op, callee, to
        self.how = passed(op, callee, to.frame)
        self.tied = {p.tied for p in self.how.values()}
        self.afterwards: list[tuple[Operand, Operand, int]] = []

    def argument(self, k: int) -> SSAValue:
        """The memory that the callee has as parameter `k`."""
        operand, how = self.to.operand(self.op.operands[k]), self.how[k]
        target = None if how.tied is None else self.to.operand(self.op.results[how.tied])
        if how.why:
            place = self.to.temporary(operand) if how.is_temporary or target is None else target
            if self.to.emit.copy(operand, place):
                value = self.op.operands[k]
                what = f"{attrs.display_name(value)} is copied for the call"
                reason = Reason.CALLEE_WRITES if operand.layout.is_dense else Reason.LAYOUT
                by = self.callee if reason is Reason.CALLEE_WRITES else None
                self.to.copies.append(LoweredCopy(self.op, what, place.layout.nbytes, reason, value, by))
            operand = place
        if target is not None and how.tied is not None and not operand.is_at(target):
            self.afterwards.append((operand, target, how.tied))
        return self.to.emit.value(_row_major(operand))

    def result(self, r: int) -> SSAValue:
        """The memory that the callee writes result `r` to."""
        place = self.to.operand(self.op.results[r])
        if place.layout.is_dense:
            return self.to.emit.value(_row_major(place))
        own = self.to.temporary(place)
        self.afterwards.append((own, place, r))
        return self.to.emit.value(own)


def _row_major(place: Operand) -> Operand:
    """A dense place as the callee's type says it: strides of axes of one element, or of no element at all, are free."""
    return place.at(Strided.dense(place.layout.sizes, place.layout.item, place.layout.offset))
