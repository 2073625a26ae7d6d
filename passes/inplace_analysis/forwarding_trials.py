"""Decisions with other values forwarded, on trial: what is copied under them, and what stands in the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.storage.assignment import Place
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.forwarding import PassedOn, passed_by
from lastuse.dialect.storage.layout import same_bytes
from lastuse.passes.analysis.op_numbering import NumberedOps, loop_depth
from lastuse.passes.analysis.reasons import Reason, Refusal
from lastuse.passes.inplace_analysis.greedy import GreedyAnalysis
from lastuse.passes.inplace_analysis.legality import amount
from lastuse.passes.inplace_analysis.path_interference import PathInterference, blamed
from lastuse.passes.inplace_analysis.region_ops import UNDECIDED, movers_in
from lastuse.passes.inplace_analysis.storage_components import ForwardedPlaces


class PassedOperand(NamedTuple):
    """What is passed on to a value that opens a storage. `nbytes`: what it costs to copy it."""

    mover: Operation
    source: SSAValue
    target: SSAValue
    nbytes: int

    def is_there(self, places: Mapping[SSAValue, Place]) -> bool:
        """Nothing runs. An op that chooses an operand writes its result wherever that lies."""
        source, target = places[self.source], places[self.target]
        chooses = isinstance(self.target, OpResult) and self.target.op is self.mover and not self.mover.regions
        return not chooses and source.storage == target.storage and same_bytes(source.layout, target.layout)


class PassedValues:
    """All that is passed on in a program."""

    def __init__(self, program: NumberedOps) -> None:
        self.program = program
        pairs = zip(program.ops, program.contracts, strict=True)
        movers = movers_in(program.ops)
        self.every: Sequence[PassedOn] = [
            passed for op, contract in pairs if contract.forwards or movers and op in movers for passed in passed_by(op)
        ]
        """To slots of loops' results too."""

    @cached_property
    def opening(self) -> Sequence[PassedOperand]:
        """To the values that open a storage: a loop's arguments are its results' slots."""
        found: list[PassedOperand] = []
        for passed in self.every:
            slot = UNDECIDED.slot_of(passed.target) if isinstance(passed.target, BlockArgument) else None
            if slot is None and passed.target in self.program.sizes and passed.source in self.program.sizes:
                nbytes = times_run(amount(self.program.sizes[passed.source].bytes), passed.mover)
                found.append(PassedOperand(*passed, nbytes))
        return found

    @cached_property
    def by_target(self) -> Mapping[SSAValue, Sequence[PassedOperand]]:
        """Those of `opening`."""
        found: dict[SSAValue, list[PassedOperand]] = {}
        for passed in self.opening:
            found.setdefault(passed.target, []).append(passed)
        return found


def times_run(nbytes: int, op: Operation) -> int:
    """Bytes that an op moves, ten times as many for each loop around."""
    return nbytes * 10 ** min(loop_depth(op), 6)


@dataclass(frozen=True)
class Change:
    """How decisions differ from those of `base`.

    Attributes:
        inplace: by result, the operand that it is written over instead, -1 for none.
        unnumbered: values without the number that they had.
        forwarded: values that are forwarded besides.
    """

    base: Decisions
    inplace: Mapping[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    unnumbered: frozenset[SSAValue] = frozenset()
    forwarded: frozenset[SSAValue] = frozenset()

    def operand_of(self, value: SSAValue) -> int:
        """The operand that a result is written over, -1 for none."""
        return self.inplace.get(value, self.base.inplace.get(value, -1))

    def number_of(self, value: SSAValue) -> int | None:
        """The number of a value's storage, if it has one."""
        return None if value in self.unnumbered else self.base.numbers.get(value)

    def is_forwarded(self, value: SSAValue) -> bool:
        return value in self.forwarded or value in self.base.forwarded

    def written_over(self, operands: Mapping[SSAValue, int]) -> Change:
        """The change with results over other operands, -1 for none."""
        return replace(self, inplace={**self.inplace, **operands})

    def unplaced(self, value: SSAValue) -> Change:
        """The change without the number of a value."""
        return replace(self, unnumbered=self.unnumbered | {value}) if value in self.base.numbers else self

    def forwarding(self, values: frozenset[SSAValue]) -> Change:
        """The change with values forwarded instead of where they were; the argument of a loop, which has been in one
        place with a result, leaves that."""
        slots = (self._slot_of(v) for v in values if isinstance(v, BlockArgument))
        left = {*values, *(slot for slot in slots if slot is not None)}
        return replace(
            self,
            inplace={**self.inplace, **{v: -1 for v in left if self.operand_of(v) >= 0}},
            unnumbered=self.unnumbered.union(v for v in values if v in self.base.numbers),
            forwarded=self.forwarded | values,
        )

    def _slot_of(self, argument: BlockArgument) -> SSAValue | None:
        op = argument.block.parent_op()
        results: Sequence[SSAValue] = op.results if op is not None else ()
        return Decisions({r: self.operand_of(r) for r in results}).slot_of(argument)

    def differing(self, other: Change) -> set[SSAValue]:
        """The values that another change of the same decisions places by another one."""
        over = {v for v in (*self.inplace, *other.inplace) if self.operand_of(v) != other.operand_of(v)}
        return over | (self.unnumbered ^ other.unnumbered) | (self.forwarded ^ other.forwarded)


def changed(base: Decisions, changes: Iterable[Change]) -> Decisions:
    """The decisions with changes of them that have to do with different values."""
    over, unnumbered, forwarded = dict[SSAValue, int](), set[SSAValue](), set[SSAValue]()
    for change in changes:
        over.update(change.inplace)
        unnumbered |= change.unnumbered
        forwarded |= change.forwarded
    if not over and not unnumbered and not forwarded:
        return base
    return replace(
        base,
        inplace={v: k for v, k in {**base.inplace, **over}.items() if k >= 0},
        numbers={v: n for v, n in base.numbers.items() if v not in unnumbered},
        forwarded={*base.forwarded, *forwarded},
    )


class Trial:
    """Decisions that are looked at for several parts of a program at once."""

    def __init__(self, passed: PassedValues, decisions: Decisions) -> None:
        self.program, self.decisions, self._passed = passed.program, decisions, passed

    @cached_property
    def placed(self) -> ForwardedPlaces:
        return ForwardedPlaces(self.program, self.decisions, self._passed.every)

    def copied(self, passed: Iterable[PassedOperand]) -> list[PassedOperand]:
        """What is copied of what is passed on."""
        places, forwarded = self.placed.of, self.decisions.forwarded
        return [p for p in passed if p.target not in forwarded and not p.is_there(places)]

    def blamed(self, values: Iterable[SSAValue]) -> frozenset[SSAValue]:
        """Forwarded values that stand in the way, if `values` are placed by other decisions than legal ones."""
        return blamed(self.placed, values)

    def ruins(self, result: OpResult) -> bool:
        """A value that is needed after the op of `result` has bytes of it, in one storage."""
        (values,) = self.placed.components([result])
        return PathInterference(self.placed, values).ruins(result)

    def operand_for(self, result: OpResult) -> int | None:
        """The first operand that a result may be written over beside decisions that do not place it."""
        refusals = self._refused.get(result.op, ())
        return next((r.operand for r in refusals if r.result == result.index and r.reason is Reason.TAKEN), None)

    @cached_property
    def _refused(self) -> Mapping[Operation, tuple[Refusal, ...]]:
        return GreedyAnalysis(self.program.decided(self.decisions), chosen=self.decisions).run().refused
