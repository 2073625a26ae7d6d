"""Which values are forwarded, once everything else is decided: those whose boundaries copy, where that is legal.

A set of targets that pass values on to each other is tried as a whole, then without those that stand in the way
(`path_interference.py`), until it is legal. It is kept where fewer bytes are copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xdsl.dialects.scf import WhileOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Place, assign_places
from lastuse.dialect.storage.contract import is_undefined
from lastuse.dialect.storage.decisions import Decisions, is_slot, movers_to, set_forwarded
from lastuse.dialect.storage.forwarding import PassedOn, passed_by
from lastuse.dialect.storage.layout import same_bytes
from lastuse.passes.analysis.disjoint_sets import DisjointSets
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.legality import amount
from lastuse.passes.inplace_analysis.path_interference import PathInterference
from lastuse.passes.inplace_analysis.region_ops import UNDECIDED, moves_values

MOST_TRIALS = 24
"""Sets tried for one set of targets that pass values on to each other."""


def passes_on(program: NumberedOps) -> bool:
    """The program has values that may be forwarded, whatever is decided."""
    return any(True for _ in _passed(program))


def forwarded_besides(program: NumberedOps, given: Decisions) -> Decisions:
    """The decisions of a program with values forwarded where fewer bytes are copied then; the same ones where no
    value is.

    Args:
        given: the decisions that the IR had before: what these place is not forwarded.
    """
    chosen = program.decisions
    if chosen.offsets or not any(True for _ in _copied(program, chosen)):
        return chosen
    free = {p.target for p in _passed(program) if _is_free(p.target, given)}
    for targets in _groups(program, chosen, free):
        chosen = _best(program, chosen, targets)
    return chosen


def write_forwarded(before: Decisions, after: Decisions) -> list[SSAValue]:
    """Writes the attributes of what is forwarded newly, and takes away what placed it before. Returns these values."""
    for name, old, new in (
        (attrs.INPLACE, before.inplace, after.inplace),
        (attrs.REUSE, before.numbers, after.numbers),
    ):
        for value in (v for v in old if new.get(v) != old[v]):
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


def _passed(program: NumberedOps) -> Iterator[PassedOn]:
    """What is passed on to the values that open a storage: a loop's arguments are its results' slots."""
    for op in program.ops:
        for passed in passed_by(op):
            slot = UNDECIDED.slot_of(passed.target) if isinstance(passed.target, BlockArgument) else None
            if slot is None and passed.target in program.sizes and passed.source in program.sizes:
                yield passed


def _is_free(value: SSAValue, given: Decisions) -> bool:
    if isinstance(value, BlockArgument) and (not is_slot(value) or given.slot_of(value) is not None):
        return False
    return given.inplace.get(value, -1) < 0 and given.number_of(value) < 0 and value not in given.forwarded


def _copied(program: NumberedOps, decisions: Decisions) -> Iterator[tuple[PassedOn, int]]:
    """What is copied, with its bytes, ten times as many for each loop around."""
    passed_on = list(_passed(program))
    if not passed_on:
        return
    places = assign_places(program.func, decisions, program.sizes).of
    for passed in passed_on:
        if passed.target not in decisions.forwarded and not _is_there(
            passed, places[passed.source], places[passed.target]
        ):
            nbytes = amount(program.sizes[passed.source].bytes)
            yield passed, nbytes * 10 ** min(program.depth(passed.mover), 6)


def _is_there(passed: PassedOn, source: Place, target: Place) -> bool:
    """Nothing runs. An op that chooses an operand writes its result wherever that lies."""
    chooses = isinstance(passed.target, OpResult) and passed.target.op is passed.mover and not passed.mover.regions
    return not chooses and source.storage == target.storage and same_bytes(source.layout, target.layout)


def _groups(program: NumberedOps, decisions: Decisions, free: set[SSAValue]) -> list[frozenset[SSAValue]]:
    """Targets that pass values on to each other, of which one is copied to at least; in program order."""
    assigned = assign_places(program.func, decisions, program.sizes)
    places, at = assigned.of, assigned.rules.at
    sets = DisjointSets[SSAValue]()
    opened = {places[target].storage: target for target in free}
    for passed in _passed(program):
        source = opened.get(places[passed.source].storage)
        if source is None and isinstance(root := at[passed.source][0], BlockArgument):
            # The argument of a loop whose sizes change is not in memory of the result until both are forwarded.
            slot = UNDECIDED.slot_of(root)
            source = slot if slot in free else None
        if passed.target in free and source is not None:
            sets.union(passed.target, source)
    for op in program.ops:
        if isinstance(op, WhileOp):  # what its first region passes on comes back from its second
            slots = [v for v in (*op.before_region.block.args, *op.results) if v in free]
            for slot in slots:
                sets.union(slot, slots[0])
    groups: dict[SSAValue, list[SSAValue]] = {}
    ordered = list(dict.fromkeys(p.target for p in _passed(program) if p.target in free))
    for target in ordered:
        groups.setdefault(sets.find(target), []).append(target)
    copied = {passed.target for passed, _ in _copied(program, decisions)}
    return [frozenset(group) for group in groups.values() if copied.intersection(group)]


def _best(program: NumberedOps, before: Decisions, targets: frozenset[SSAValue]) -> Decisions:
    """The first legal set of targets that copies less, from all of them on; without it, the decisions before."""
    copied = {passed.target for passed, _ in _copied(program, before)}
    waiting = list(dict.fromkeys((targets, targets & copied)))
    tried = set[frozenset[SSAValue]]()
    best, least = before, _cost(program, before)
    while waiting and len(tried) < MOST_TRIALS:
        chosen = waiting.pop(0)
        if chosen in tried or not chosen:
            continue
        tried.add(chosen)
        decisions = _forwarding(before, chosen)
        cost = _cost(program, decisions)
        if cost >= least:
            continue
        every = PathInterference(program, decisions).blamed()
        blamed = every & chosen
        if every and not blamed:
            continue
        if blamed:
            for fresh in (False, True):
                apart, more = _written_apart(program, decisions, blamed, fresh)
                if more is None or (more and any(map(_is_chosen, chosen))):
                    continue
                if cost + more < least and not PathInterference(program, apart).blamed():
                    best, least = apart, cost + more
            waiting += [chosen - {value} for value in sorted(blamed, key=program.time_of, reverse=True)]
        else:
            best, least = decisions, cost
    return best


def _cost(program: NumberedOps, decisions: Decisions) -> int:
    return sum(nbytes for _, nbytes in _copied(program, decisions))


def _is_chosen(value: SSAValue) -> bool:
    """An op without regions chooses the value: what it writes is no copy that a form makes."""
    return isinstance(value, OpResult) and not value.op.regions


def _written_apart(
    program: NumberedOps, decisions: Decisions, values: frozenset[SSAValue], fresh: bool
) -> tuple[Decisions, int | None]:
    """The decisions without results that are written over forwarded values, and the bytes that are copied for that: of
    what an op changes, none where it may be written over a value without contents. None where there are no such
    results.

    Args:
        fresh: such a result has memory of its own, not that of the value without contents.
    """
    places = assign_places(program.func, decisions, program.sizes).of
    storages = {places[value].storage for value in values}
    inplace, more = dict(decisions.inplace), 0
    for result, k in decisions.inplace.items():
        if not isinstance(result, OpResult) or (op := result.op).successors or moves_values(op):
            continue
        if op.operands[k] not in places or places[op.operands[k]].storage not in storages:
            continue
        contract = program.contract(op)
        over = [o.operand for o in contract.over if o.result == result.index and o.operand != k]
        without = next((o for o in over if is_undefined(op.operands[o])), None)
        del inplace[result]
        if without is not None and not fresh:
            inplace[result] = without
        elif without is None and k not in contract.metadata_only:
            more += amount(program.sizes[op.operands[k]].bytes) * 10 ** min(program.depth(op), 6)
    changed = len(inplace) != len(decisions.inplace) or inplace != decisions.inplace
    return replace(decisions, inplace=inplace), more if changed else None


def _forwarding(before: Decisions, values: frozenset[SSAValue]) -> Decisions:
    """The decisions with values forwarded instead of where they were; the argument of a loop, which has been in one
    place with a result, leaves that."""
    shared = {before.slot_of(v) for v in values if isinstance(v, BlockArgument)}
    return replace(
        before,
        inplace={v: k for v, k in before.inplace.items() if v not in values and v not in shared},
        numbers={v: n for v, n in before.numbers.items() if v not in values},
        forwarded={*before.forwarded, *values},
    )
