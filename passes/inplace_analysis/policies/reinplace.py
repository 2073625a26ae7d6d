"""torch.fx's `reinplace`, with the numbers of its documentation, on sound analyses.

Ops are visited in order. An op goes over its `self` operand, and over no other, if (1a) their element counts and types
agree and the operand has no overlap inside, (1b) it is no alias of a program input, donated or not, (1c) (2b) it stands
once among the operands, (2) no alias of it is read later, views (2a) and removable scatters (2c) apart, (3b) the op has
an in-place variant. Storage is all or nothing: disjoint parts stand in each other's way, as they did. A scatter is
removable if its base is placed like the base of some alias and its part like that alias; one that is not removed is
itself written over its base (3a). After a decision the result and the operand are one storage (4).

The original compares places and never asks whether what is scattered is what was computed there, nor whether two views
in one op overlap. The analysis does: what it refuses is taken out, and the rules run again without it.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Set
from dataclasses import dataclass, field

from xdsl.ir import BlockArgument, Operation, SSAValue

from lastuse.dialect.dnn import (
    activations,
    arithmetic,
    comparison,
    constants,
    data_movement,
    elementwise,
    matmul,
    scaled_sums,
    scans,
)
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.storage.contract import Contribution
from lastuse.dialect.storage.layout import Layout, Strided
from lastuse.passes.analysis.disjoint_sets import DisjointSets
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason, Refusal
from lastuse.passes.inplace_analysis.greedy import GreedyAnalysis
from lastuse.passes.inplace_analysis.inplace_decisions import InPlaceDecisions
from lastuse.passes.inplace_analysis.optimal.last_reads import ViewPlaces
from lastuse.passes.inplace_analysis.read_after_write import Edge

VARIANTS = frozenset(
    {
        activations.ReluOp,
        activations.SigmoidOp,
        activations.TanhOp,
        activations.GeluOp,
        activations.SiluOp,
        activations.LeakyReluOp,
        activations.EluOp,
        arithmetic.AddOp,
        arithmetic.SubOp,
        arithmetic.MulOp,
        arithmetic.DivOp,
        arithmetic.PowOp,
        scaled_sums.AddCmulOp,
        elementwise.ExpOp,
        elementwise.SqrtOp,
        elementwise.AbsOp,
        elementwise.NegOp,
        elementwise.ClipOp,
        matmul.GemmOp,
        scans.CumSumOp,
        comparison.MaskedFillOp,
        constants.FillOp,
        data_movement.CopyIntoOp,
    }
)
"""Ops with an in-place variant in ATen. The comparisons have one too, and never the element type for it."""

SELF: dict[type[Operation], int] = {matmul.GemmOp: 2}
"""Where `self` is not operand 0: ONNX's gemm(a, b, c) is addmm(c, a, b). An op of another dialect has a variant for
each operand that its contract permits."""

ROUNDS = 16
"""How often the rules run again without what the analysis refused; then the sound rest stands."""


@dataclass
class Aliases:
    """One storage. `uses`: times of the ops that read it, views apart, ascending. `views`: how the views into it lie,
    as (place of the base, place of the view), each in the storage it had before any decision. `fixed`: why nothing may
    be written there."""

    uses: list[int] = field(default_factory=list[int])
    views: set[tuple[Layout, Layout]] = field(default_factory=set[tuple[Layout, Layout]])
    fixed: Reason | None = None


class ReinplaceRules:
    """The documented rules, run once over a program.

    Args:
        refused: ops that the analysis will not have in place.
        kept: scatters that the analysis will not have removed; they count as readers.

    Attributes:
        accepted: ops that go over their `self` operand, and its number.
        removed: scatters whose update happens in place before them.
        reasons: why the others do not.
    """

    def __init__(self, program: NumberedOps, refused: Set[Operation], kept: Set[Operation]) -> None:
        self.program, self.refused, self.kept = program, refused, kept
        self.accepted: dict[Operation, int] = {}
        self.removed: set[Operation] = set()
        self.reasons: dict[tuple[Operation, int], Reason] = {}
        self.places = ViewPlaces(program, lambda _: True)
        self.aliases: dict[SSAValue, Aliases] = {}
        """By the value that opens a storage before any decision."""
        self.fused = DisjointSets[SSAValue]()
        self.replaced: dict[SSAValue, SSAValue] = {}
        for value in program.sizes:
            if isinstance(value, BlockArgument):
                self.aliases[value] = Aliases(fixed=Reason.PROGRAM_INPUT if program.is_argument(value) else None)
        for time, op in enumerate(program.ops):
            self._register(time, op)
        for time, op in enumerate(program.ops):
            if op.results and op not in self.removed:
                self._visit(time, op)

    def rejects(self, program: NumberedOps, op: Operation, result: int, operand: int) -> Reason | None:
        if result != 0 or operand not in self._selves(op):
            return Reason.NOT_LISTED
        if op in self.removed or self.accepted.get(op) == operand:
            return None
        return self.reasons.get((op, operand), Reason.TAKEN if op in self.accepted else Reason.NOT_LISTED)

    @property
    def carried(self) -> frozenset[Edge]:
        """The scatters that are to be written over their base."""
        inverses = ((op, self._inverse(op)) for op in {*self.accepted, *self.removed})
        return frozenset(Edge(op, base.operand) for op, base in inverses if base is not None)

    # Storages, as the original learns them from a run of the program on sample inputs.

    def _register(self, time: int, op: Operation) -> None:
        """Note what `op` reads, and where its results are."""
        contract = self.program.contracts[time]
        viewed: set[SSAValue] = set()
        for result in op.results:
            if result not in self.program.sizes:
                continue
            root, layout = self.places.find(result)
            view = contract.view_of(result.index)
            if root is result or view is None:
                self.aliases[result] = Aliases(fixed=Reason.CONSTANT if contract.constant else None)
                continue
            base = op.operands[view.operand]
            self.aliases[root].views.add((self._layout(base), layout))
            viewed.add(base)
        for value in dict.fromkeys(self.program.tensors(op)):
            if value not in viewed:
                self.aliases[self._storage(value)].uses.append(time)

    def _layout(self, value: SSAValue) -> Layout:
        return self.places.find(value)[1]

    def _storage(self, value: SSAValue) -> SSAValue:
        """The value that opens the storage, as decisions have fused it."""
        return self.fused.find(self.places.find(value)[0])

    def _fuse(self, a: SSAValue, b: SSAValue) -> None:
        """(4) Two storages are one from now on."""
        large, small = self._storage(a), self._storage(b)
        if large is small:
            return
        if len(self.aliases[large].uses) < len(self.aliases[small].uses):
            large, small = small, large
        self.fused.union(small, large)
        kept, joins = self.aliases[large], self.aliases[small]
        for time in joins.uses:
            insort(kept.uses, time)
        kept.views |= joins.views
        kept.fixed = kept.fixed or joins.fixed

    def _now(self, value: SSAValue) -> SSAValue:
        """What the rewritten program has in place of `value`."""
        while value in self.replaced:
            value = self.replaced[value]
        return value

    # The rules.

    def _visit(self, time: int, op: Operation) -> None:
        operand = self.program.decisions.over(op)[0]
        if operand >= 0:
            if op.operands[operand] in self.program.sizes:
                self._replace(op, operand)
            return
        if op.results[0] not in self.program.sizes or self.program.view(op.results[0]) is not None:
            return
        for k in self._selves(op):
            if k >= len(op.operands) or op.operands[k] not in self.program.sizes:
                continue
            outcome = self._why_not(time, op, k)
            if isinstance(outcome, Reason):
                self.reasons[op, k] = outcome
                continue
            self.accepted[op] = k
            self.removed.update(outcome)
            self._replace(op, k)
            for scatter in outcome:
                self._replace(scatter, *self._selves(scatter))
            return

    def _selves(self, op: Operation) -> tuple[int, ...]:
        """The operands that an in-place variant of `op` may be written over."""
        base = self._inverse(op)
        if isinstance(op, DnnOp) or base is not None:
            return (base.operand if base is not None else SELF.get(type(op), 0),)
        return tuple(o.operand for o in self.program.contract(op).over if o.result == 0)

    def _has_variant(self, op: Operation) -> bool:
        return type(op) in VARIANTS or self._inverse(op) is not None or not isinstance(op, DnnOp)

    def _replace(self, op: Operation, k: int) -> None:
        """(4) Ops that read the result read operand `k` instead."""
        operand, result = self._now(op.operands[k]), op.results[0]
        self._fuse(operand, result)
        if self._now(result) is not operand:
            self.replaced[self._now(result)] = operand

    def _why_not(self, time: int, op: Operation, k: int) -> Reason | list[Operation]:
        """Why `op` does not go over operand `k`, or the scatters that may be removed if it does."""
        operand, result = self._now(op.operands[k]), op.results[0]
        have, want, layout = self.program.typed(operand), self.program.typed(result), self._layout(operand)
        if have.dtype != want.dtype:
            return Reason.ELEMENT_TYPE
        if have.elements != want.elements:
            return Reason.SIZE
        if isinstance(layout, Strided) and not layout.injective:
            return Reason.LAYOUT
        aliases = self.aliases[self._storage(operand)]
        if aliases.fixed is not None:
            return aliases.fixed
        if sum(self._now(v) is operand for v in op.operands) > 1:
            return Reason.REPEATED_OPERAND
        removable: list[Operation] = []
        for at in range(bisect_right(aliases.uses, time), len(aliases.uses)):
            reader = self.program.ops[aliases.uses[at]]
            if not self._is_undone_by(aliases, reader):
                return Reason.RETURNED if self.program.is_return(aliases.uses[at]) else Reason.USED_LATER
            removable.append(reader)
        if op in self.refused or not self._has_variant(op):
            return Reason.NOT_LISTED
        return removable

    def _inverse(self, op: Operation) -> Contribution | None:
        """The part that a scatter writes; None for other ops."""
        contributions = self.program.contract(op).contributions
        return contributions[0] if contributions and contributions[0].complement else None

    def _is_undone_by(self, aliases: Aliases, op: Operation) -> bool:
        """(2c) `op` scatters into a value placed like the base of a view of this storage, just where the view is."""
        carry = self._inverse(op)
        if carry is None or op in self.kept:
            return False
        base = self._layout(self._now(op.operands[carry.operand]))
        part = carry.part(base)
        return part is not None and (base, part) in aliases.views


def decide(program: NumberedOps, parts: bool) -> InPlaceDecisions:
    """The decisions of `reinplace` for a function; it knows no parts."""
    refused: dict[Operation, tuple[Refusal, ...]] = {}
    kept: set[Operation] = set()
    rounds = 0
    while True:
        rules, rounds = ReinplaceRules(program, refused.keys(), kept), rounds + 1
        plan = GreedyAnalysis(program, rules.rejects, rules.carried).run()
        lost = {edge.op for edge in plan.lost}
        missed = {op for op in rules.accepted if not plan.is_in_place(op)}
        if rounds == ROUNDS or not (lost or missed):
            plan.refused |= {op: why for op, why in refused.items() if not plan.is_in_place(op)}
            return plan
        # A scatter that has to stay may be all that is wrong with the ops before it: those only when no scatter is.
        kept |= lost & rules.removed
        refused |= {op: plan.refused[op] for op in (lost - rules.removed if lost else missed)}
