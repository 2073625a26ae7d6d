"""The in-place half of Paddle's memory transpiler, as its design document has it, on sound analyses.

A result tagged as able to reuse the op's operand is written over it when this is the last op that refers to it. The tag
is read from the contract: an op has it whose only operand its result may overwrite, as the document shows for relu; an
op of another dialect for each operand that it permits. Gradients have no tag, as the document shows for relu's: the
memory they free goes through the pool. Of the document's two wordings, "not used in any other operator" and "the last
referenced op", the second holds here: what read X before this op does not matter. Where the original would be wrong
(constants, fetched variables, memory of the caller) this refuses.
The other half, sharing the memory of variables that are no longer live, is `--memory-plan-pass=algorithm=pool`.
"""

from __future__ import annotations

from xdsl.ir import Operation

from lastuse.dialect.dnn.base import DnnOp
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.inplace_analysis.greedy import GreedyAnalysis
from lastuse.passes.inplace_analysis.inplace_decisions import InPlaceDecisions


def rejects(program: NumberedOps, op: Operation, result: int, operand: int) -> Reason | None:
    """The tag; that this is the last reference, the analysis knows."""
    permitted = any((over.result, over.operand) == (result, operand) for over in program.contract(op).over)
    is_tagged = permitted and (len(op.operands) == 1 or not isinstance(op, DnnOp))
    return None if is_tagged else Reason.NOT_LISTED


def decide(program: NumberedOps, parts: bool) -> InPlaceDecisions:
    """The transpiler's decisions for a function; it knows no scatters and no parts."""
    return GreedyAnalysis(program, rejects).run()
