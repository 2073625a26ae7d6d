"""The default: most bytes kept, then fewest bytes moved, most results in place, fewest swaps (docs/storage.md, 8).

A program of kernels and whole views alone is separable: every result goes over the first operand that is dying.
Otherwise decisions exclude each other, and `inplace_analysis/optimal` searches for the best.
"""

from __future__ import annotations

from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import is_region_op
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.greedy import GreedyAnalysis
from lastuse.passes.inplace_analysis.inplace_decisions import InPlaceDecisions
from lastuse.passes.inplace_analysis.optimal.solve import solve
from lastuse.passes.inplace_analysis.policies import nntrainer, paddle, reinplace, transpiler

MOST_OPS = 1_000
"""Where the search stops in a function of more ops, the plan is compared with that of one walk alone."""


@unchanged_ops()
def decide(program: NumberedOps, parts: bool, reasons: bool = True) -> InPlaceDecisions:
    """The best plan; without `parts`, no operand of a concat is computed in its part of the result. Without `reasons`
    it may leave out why there are no other decisions."""
    if is_separable(program):
        return GreedyAnalysis(program).run()

    def rivals() -> list[InPlaceDecisions]:
        small = len(program.ops) <= MOST_OPS
        others = (paddle.decide, nntrainer.decide, reinplace.decide, transpiler.decide) if small else ()
        return [GreedyAnalysis(program, reasons=False).run(), *(decide_(program, parts) for decide_ in others)]

    return solve(program, parts, rivals, reasons)


def is_separable(program: NumberedOps) -> bool:
    """No decision stands in another's way: one block of kernels and whole views, no decisions yet, nothing tied."""
    func, decisions = program.func, program.decisions
    if len(func.body.blocks) > 1 or decisions.inplace or decisions.offsets or decisions.copies:
        return False
    if any(attrs.tied_argument(func, n) is not None for n in range(len(func.function_type.outputs))):
        return False
    for op, contract in zip(program.ops, program.contracts, strict=True):
        if is_region_op(op) or contract.contributions or len(op.results) > 1 and contract.over:
            return False
        # What is only written over may have been written over before: the first operand is not always the best.
        if any(over.operand in contract.metadata_only for over in contract.over):
            return False
        if not all(v.whole for v in contract.views):
            return False
    return not attrs.numbers_in(func)
