"""Which values are forwarded, once everything else is decided: those whose boundaries copy, where that is legal.

Targets that pass values on to each other are a group, which is searched as a whole (`forwarding_search.py`). Groups
whose values may come to share bytes are searched one after the other. Other ones do not matter to each other: in each
round every search names decisions that it wants to look at, and all are looked at together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.scf import WhileOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Storage
from lastuse.dialect.storage.contract import is_undefined
from lastuse.dialect.storage.decisions import Decisions, is_slot, movers_to, set_forwarded
from lastuse.passes.analysis.disjoint_sets import DisjointSets
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.forwarding_search import (
    ForwardingSearch,
    NumberedValues,
    placed_apart,
    start_from_copies,
)
from lastuse.passes.inplace_analysis.forwarding_trials import Change, PassedOperand, PassedValues, Trial, changed
from lastuse.passes.inplace_analysis.region_ops import UNDECIDED

MOST_WORK, LEAST_ROUNDS = 300_000, 12
"""Ops of a function times rounds, after which the searches end with what they have; rounds that any function has."""

Group = frozenset[SSAValue]


def passes_on(program: NumberedOps) -> bool:
    """The program has values that may be forwarded, whatever is decided."""
    return bool(PassedValues(program).opening)


def forwarded_besides(program: NumberedOps, given: Decisions) -> Decisions:
    """The decisions of a program with values forwarded where fewer bytes are copied then; the same ones where no
    value is.

    Args:
        given: the decisions that the IR had before: what these place is not forwarded.
    """
    base = program.decisions
    values = PassedValues(program)
    if base.offsets or not values.opening:
        return base
    nothing, trial = Change(base), Trial(values, base)
    numbered = NumberedValues(nothing)
    every = frozenset(values.by_target)
    if not trial.copied(values.opening) and not start_from_copies(values, numbered, nothing, every):
        return base
    free = {target for target in values.by_target if _is_free(target, given)}
    groups = [
        group
        for group in _groups(values, trial, free)
        if trial.copied(p for target in group for p in values.by_target[target])
        or start_from_copies(values, numbered, nothing, group)
    ]
    if not groups:
        return base
    parts = _parts(values, trial, free, [r for g in groups for r in placed_apart(values, numbered, nothing, g)])
    passed, grouped = dict[Storage, list[PassedOperand]](), dict[Storage, list[Group]]()
    for p in values.opening:
        place = trial.placed.of[p.target if p.target in free else p.source]
        passed.setdefault(parts.find(place.storage), []).append(p)
    for group in groups:
        part = parts.find(trial.placed.of[next(iter(group))].storage)
        grouped.setdefault(part, []).append(group)
    searches = [ForwardingSearch(values, numbered, passed[part], mine, nothing) for part, mine in grouped.items()]
    _run(values, trial, searches)
    return _legal(values, base, searches)


def write_forwarded(before: Decisions, after: Decisions) -> list[SSAValue]:
    """Writes the attributes of what is forwarded newly, and takes away what placed it before. Returns these values."""
    for name, old, new in (
        (attrs.INPLACE, before.inplace, after.inplace),
        (attrs.REUSE, before.numbers, after.numbers),
    ):
        for value in (v for v in dict.fromkeys((*old, *new)) if new.get(v) != old.get(v)):
            if isinstance(value, OpResult):
                entries = list(attrs.entries(value.op, name))
                entries[value.index] = new.get(value, -1)
                attrs.set_entries(value.op, name, entries)
            elif isinstance(value, BlockArgument):
                for mover in movers_to(value.block):
                    attrs.set_slot_entry(mover, attrs.SUCC_REUSE, value, -1)
    fresh = [v for v in after.forwarded if v not in before.forwarded]
    for value in fresh:
        set_forwarded(value)
    return fresh


def _is_free(value: SSAValue, given: Decisions) -> bool:
    if isinstance(value, BlockArgument) and (not is_slot(value) or given.slot_of(value) is not None):
        return False
    return given.inplace.get(value, -1) < 0 and given.number_of(value) < 0 and value not in given.forwarded


def _groups(values: PassedValues, trial: Trial, free: set[SSAValue]) -> list[Group]:
    """Targets that pass values on to each other, in program order."""
    places, at = trial.placed.of, trial.placed.placed.rules.at
    sets = DisjointSets[SSAValue]()
    targets = [target for target in values.by_target if target in free]
    opened = {places[target].storage: target for target in targets}
    for passed in values.opening:
        source = opened.get(places[passed.source].storage)
        if source is None and isinstance(root := at[passed.source][0], BlockArgument):
            # The argument of a loop whose sizes change is not in memory of the result until both are forwarded.
            slot = UNDECIDED.slot_of(root)
            source = slot if slot in free else None
        if passed.target in free and source is not None:
            sets.union(passed.target, source)
    for op in values.program.ops:
        if isinstance(op, WhileOp):  # what its first region passes on comes back from its second
            slots = [v for v in (*op.before_region.block.args, *op.results) if v in free]
            for slot in slots:
                sets.union(slot, slots[0])
    groups: dict[SSAValue, list[SSAValue]] = {}
    for target in targets:
        groups.setdefault(sets.find(target), []).append(target)
    return [frozenset(group) for group in groups.values()]


def _parts(
    values: PassedValues, trial: Trial, free: set[SSAValue], results: Iterable[OpResult]
) -> DisjointSets[Storage]:
    """The storages whose values may come to share bytes, whatever of `free` is forwarded, and whichever of the
    operands `results` are written over."""
    placed, program = trial.placed, values.program
    sets = placed.connected(lambda target: target in free or target in program.decisions.forwarded)

    def connect(one: SSAValue, other: SSAValue) -> None:
        if one in placed.of and other in placed.of:
            sets.union(placed.of[one].storage, placed.of[other].storage)

    for passed in values.opening:
        root = placed.placed.rules.at[passed.source][0]
        slot = UNDECIDED.slot_of(root) if isinstance(root, BlockArgument) else None
        if slot is not None:
            connect(passed.source, slot)
    for op in program.ops:
        if isinstance(op, WhileOp):
            slots = [*op.before_region.block.args, *op.results]
            for slot in slots:
                connect(slots[0], slot)
    for result in results:
        for operand in [over.operand for over in program.contract(result.op).over if over.result == result.index]:
            connect(result, result.op.operands[operand])
    for result in [r for r in program.decisions.inplace if isinstance(r, OpResult)]:
        over = [o.operand for o in program.contract(result.op).over if o.result == result.index]
        for operand in [k for k in over if is_undefined(result.op.operands[k])]:
            connect(result, result.op.operands[operand])
    return sets


def _run(values: PassedValues, trial: Trial, searches: Sequence[ForwardingSearch]) -> None:
    """Runs searches, round by round: as many rounds as a function of its size has."""
    running = {search: (run := search.run(), next(run)) for search in searches}
    rounds, seen = max(LEAST_ROUNDS, MOST_WORK // len(values.program.ops)), list[Change]()
    while running and rounds > 0:
        changes = [running[search][1] if search in running else search.best for search in searches]
        if len(seen) != len(changes) or any(a is not b for a, b in zip(seen, changes, strict=True)):
            rounds, seen = rounds - 1, changes
            trial = Trial(values, changed(values.program.decisions, changes))
        for search, (run, _) in list(running.items()):
            try:
                running[search] = run, run.send(trial)
            except StopIteration:
                del running[search]


def _legal(values: PassedValues, base: Decisions, searches: Sequence[ForwardingSearch]) -> Decisions:
    """What the searches found, together; without the searches that stand in each other's way, if there are such."""
    nothing = Change(base)
    found = [(search, differing) for search in searches if (differing := search.best.differing(nothing))]
    while True:
        trial = Trial(values, changed(base, [search.best for search, _ in found]))
        # What one search found has been looked at like this.
        wrong = trial.blamed(v for _, differing in found for v in differing) if len(found) > 1 else ()
        if not wrong:
            return trial.decisions
        found = [(search, differing) for search, differing in found if differing.isdisjoint(wrong)]
