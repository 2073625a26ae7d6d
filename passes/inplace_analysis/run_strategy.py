"""In-place decisions of one function: asks a strategy, and writes what it decides as attributes."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.decisions import set_number
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.greedy import InPlaceDecisions
from lastuse.passes.inplace_analysis.ineffective_decisions import drop_void
from lastuse.passes.inplace_analysis.policies import STRATEGIES


def decide(
    func: FuncOp, strategy: str, parts: bool = True, program: NumberedOps | None = None, explain: bool = False
) -> InPlaceDecisions | None:
    """Decides and writes the attributes; None of a function that is left alone, which has unreachable blocks.

    Args:
        strategy: a key of `STRATEGIES`.
        parts: whether operands may be computed in their part of a result.
        program: the numbering of the function's ops, if it is known.
        explain: note on every op why a result is not in place (`dnn.refused`).
    """
    program = program if program is not None else NumberedOps.of(func)
    if program is None:
        return None
    plan = STRATEGIES[strategy](program.decided(drop_void(func, None, program.decisions, program.sizes)), parts)
    write_decisions(plan, explain)
    return plan


def write_decisions(plan: InPlaceDecisions, explain: bool = False) -> None:
    """Writes attributes on the ops of a function."""
    for op, operands in plan.inplace.items():
        attrs.set_inplace(op, operands)
    for op, operands in plan.parts.items():
        attrs.set_parts(op, operands)
    for value, number in plan.reuse.items():
        set_number(value, number)
    for op, mode in plan.modes.items():
        op.attributes[attrs.INPLACE_MODE] = StringAttr(mode)
    for view in plan.copies:
        # The mark is for all results; of several, those that have to be copies are so by their places alone.
        if all(r in plan.copies for r in view.op.results):
            view.op.attributes[attrs.COPY] = attrs.MARK
    if explain:
        for op, refusals in plan.refused.items():
            op.attributes[attrs.REFUSED] = ArrayAttr([StringAttr(r.reason.value) for r in refusals])
