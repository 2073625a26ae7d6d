"""Which values are forwarded, once everything else is decided: those whose boundaries copy, where that is legal.

A set of targets that pass values on to each other is tried as a whole, then without those that stand in the way
(`path_interference.py`), until it is legal. It is kept where fewer bytes are copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from lastuse.passes.analysis.op_numbering import NumberedOps, loop_depth
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.inplace_analysis.greedy import GreedyAnalysis
from lastuse.passes.inplace_analysis.legality import amount
from lastuse.passes.inplace_analysis.path_interference import PathInterference
from lastuse.passes.inplace_analysis.region_ops import UNDECIDED, movers_in, moves_values

MOST_TRIALS = 24
"""Sets tried for one set of targets that pass values on to each other."""
MOST_OPS, MOST_APART = 300, 8
"""Ops of a function, and results of these, that are looked at once more for places over their operands."""


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
    every = frozenset(p.target for p in _passed(program))
    if chosen.offsets or not (any(_copied(program, chosen)) or _start_from_copies(program, chosen, every)):
        return chosen
    free = {p.target for p in _passed(program) if _is_free(p.target, given)}
    for targets in _groups(program, chosen, free):
        results = _placed_apart(program, chosen, targets)
        best, least = _best(program, chosen, targets, results, chosen, _cost(program, chosen, results))
        if results and least:
            over = _over_operands(program, chosen, targets, results)
            best, _ = _best(program, over, targets, results, best, least)
        chosen = best
    return chosen


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


def _passed(program: NumberedOps) -> Iterator[PassedOn]:
    """What is passed on to the values that open a storage: a loop's arguments are its results' slots."""
    pairs = zip(program.ops, program.contracts, strict=True)
    movers = movers_in(program.ops)
    for op in [op for op, contract in pairs if contract.forwards or movers and op in movers]:
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
            yield passed, nbytes * 10 ** min(loop_depth(passed.mover), 6)


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
    every = [frozenset(group) for group in groups.values()]
    return [g for g in every if copied.intersection(g) or _start_from_copies(program, decisions, g)]


def _best(
    program: NumberedOps,
    before: Decisions,
    targets: frozenset[SSAValue],
    results: Sequence[OpResult],
    best: Decisions,
    least: int,
) -> tuple[Decisions, int]:
    """The first legal set of targets that copies less, from all of them on, and what it copies; without it, `best` and
    `least`."""
    copied = {passed.target for passed, _ in _copied(program, before)}
    waiting = list(dict.fromkeys((targets, targets & copied)))
    tried, given = set[frozenset[SSAValue]](), best
    while waiting and len(tried) < MOST_TRIALS:
        chosen = waiting.pop(0)
        if chosen in tried or not chosen:
            continue
        tried.add(chosen)
        decisions = _forwarding(before, chosen)
        cost = _cost(program, decisions, results)
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
                legal = cost + more < least and not PathInterference(program, apart).blamed()
                if legal and _are_legal(program, apart, results, given):
                    best, least = apart, cost + more
            waiting += [chosen - {value} for value in sorted(blamed, key=program.time_of, reverse=True)]
        elif _are_legal(program, decisions, results, given):
            best, least = decisions, cost
    return best, least


def _cost(program: NumberedOps, decisions: Decisions, results: Sequence[OpResult]) -> int:
    """Bytes that are copied at boundaries, and by the ops of `results` that are not written over an operand."""
    apart = (r for r in results if decisions.inplace.get(r, -1) < 0)
    return sum(nbytes for _, nbytes in _copied(program, decisions)) + sum(_filled(program, r) for r in apart)


# Results that may be written over an operand instead


def _start_from_copies(program: NumberedOps, decisions: Decisions, targets: frozenset[SSAValue]) -> bool:
    """Some result of an op in the storage of targets starts from a copy of an operand."""
    return any(_filled(program, r) for r in _placed_apart(program, decisions, targets))


def _placed_apart(program: NumberedOps, decisions: Decisions, targets: frozenset[SSAValue]) -> list[OpResult]:
    """The results that may be written over an operand, and lie in the storage of targets instead, or are passed on to
    these; in program order."""
    if len(program.ops) > MOST_OPS:
        return []
    numbers = {decisions.numbers[t] for t in targets if t in decisions.numbers}
    numbered = [v for v, n in decisions.numbers.items() if n in numbers and v not in targets]
    passed = [p.source for p in _passed(program) if p.target in targets and p.source not in decisions.numbers]
    results = [v for v in dict.fromkeys((*numbered, *passed)) if isinstance(v, OpResult)]
    free = [r for r in results if decisions.inplace.get(r, -1) < 0 and r not in decisions.forwarded]
    return sorted((r for r in free if _may_go_over(program, r)), key=lambda r: program.at[r.op])[:MOST_APART]


def _may_go_over(program: NumberedOps, result: OpResult) -> bool:
    """The op computes the result, and may write it over an operand."""
    if result.op.successors or moves_values(result.op) or program.view(result) is not None:
        return False
    return any(over.result == result.index for over in program.contract(result.op).over)


def _filled(program: NumberedOps, result: OpResult) -> int:
    """Bytes of the operand that an op begins with where its result is not written over that."""
    contract = program.contract(result.op)
    over = [o for o in contract.over if o.result == result.index and not o.allow_same_operand]
    kept = [o.operand for o in over if o.operand not in contract.metadata_only]
    nbytes = amount(program.sizes[result.op.operands[kept[0]]].bytes) if kept and not contract.fill else 0
    return nbytes * 10 ** min(loop_depth(result.op), 6)


def _over_operands(
    program: NumberedOps, before: Decisions, targets: frozenset[SSAValue], results: Sequence[OpResult]
) -> Decisions:
    """The decisions with the results over operands instead, one after the other, where that is legal if the targets are
    forwarded."""
    for result in results:
        left = replace(before, numbers={v: n for v, n in before.numbers.items() if v is not result})
        operand = _operand_for(program, _forwarding(left, targets), result)
        if operand is not None:
            before = replace(left, inplace={**left.inplace, result: operand})
    return before


def _operand_for(program: NumberedOps, decisions: Decisions, result: OpResult) -> int | None:
    """The first operand that a result may be written over beside decisions that do not place it."""
    refusals = GreedyAnalysis(program.decided(decisions), chosen=decisions).run().refused.get(result.op, ())
    return next((r.operand for r in refusals if r.result == result.index and r.reason is Reason.TAKEN), None)


def _are_legal(program: NumberedOps, decisions: Decisions, results: Sequence[OpResult], given: Decisions) -> bool:
    """The results that are not over an operand in the decisions `given` may be over those where they are now: what they
    may be written over depends on which targets are forwarded."""
    for result in results:
        k = decisions.inplace.get(result, -1)
        if k >= 0 and given.inplace.get(result, -1) != k:
            if PathInterference(program, decisions).ruins(result):
                return False
            left = replace(decisions, inplace={v: n for v, n in decisions.inplace.items() if v is not result})
            if _operand_for(program, left, result) != k:
                return False
    return True


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
            more += amount(program.sizes[op.operands[k]].bytes) * 10 ** min(loop_depth(op), 6)
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
