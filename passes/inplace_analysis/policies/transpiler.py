"""The in-place half of Paddle's memory transpiler, as its design document has it, on sound analyses.

An op whose maker tags its result as able to reuse its input X, operand 0, is written over it when this is the last op
that refers to X. An op of another dialect is tagged where its contract permits the operand. Of the document's two
wordings, "not used in any other operator" and "the last referenced op", the second holds here: what read X before this
op does not matter. Where the original would be wrong (constants, fetched variables, memory of the caller) this refuses.
The other half, sharing the memory of variables that are no longer live, is `--memory-plan-pass=algorithm=pool`.
"""

from __future__ import annotations

from xdsl.ir import Operation

from lastuse.dialect.dnn import activations, elementwise
from lastuse.dialect.dnn.base import DnnOp
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.inplace_analysis.greedy import GreedyAnalysis, InPlaceDecisions

TAGGED = frozenset(
    {
        activations.ReluOp,
        activations.SigmoidOp,
        activations.TanhOp,
        activations.GeluOp,
        activations.SiluOp,
        activations.LeakyReluOp,
        activations.EluOp,
        elementwise.ExpOp,
        elementwise.SqrtOp,
        elementwise.AbsOp,
    }
)
"""Ops whose maker says `AddOutput("Out").Reuse("X")`: the activations, which share one maker."""


def rejects(program: NumberedOps, op: Operation, result: int, operand: int) -> Reason | None:
    """The tag; that this is the last reference, the analysis knows."""
    listed = type(op) in TAGGED and operand == 0 or not isinstance(op, DnnOp)
    return None if listed else Reason.NOT_LISTED


def decide(program: NumberedOps, parts: bool) -> InPlaceDecisions:
    """The transpiler's decisions for a function; it knows no scatters and no parts."""
    return GreedyAnalysis(program, rejects).run()
