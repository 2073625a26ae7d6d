"""Which values of one part of a program are forwarded: sets of them, tried one after the other.

A set of targets that pass values on to each other is tried as a whole, then without those that stand in the way
(`path_interference.py`), until it is legal. It is kept where fewer bytes are copied. Each trial of decisions goes
through a whole function, so a search yields the decisions that it wants to try, and `forwarding_choice.py` tries those
of several searches together, whose values have nothing to do with each other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Sequence

from xdsl.ir import OpResult, SSAValue

from lastuse.dialect.storage.contract import is_undefined
from lastuse.passes.inplace_analysis.forwarding_trials import Change, PassedOperand, PassedValues, Trial, times_run
from lastuse.passes.inplace_analysis.legality import amount
from lastuse.passes.inplace_analysis.region_ops import moves_values

MOST_TRIALS = 24
"""Sets tried for one set of targets that pass values on to each other."""
MOST_APART = 8
"""Results of a function that are looked at once more for places over their operands, for each of these sets."""

Looks = Generator[Change, Trial, None]
"""Changes to look at; what is got back is of decisions with each, and with changes that others look at."""


class ForwardingSearch:
    """The search for what is forwarded of one part of a program.

    Args:
        passed: what is passed on to values of the part, and from these.
        groups: sets of targets in it that pass values on to each other.

    Attributes:
        best: what is best of what was found legal.
    """

    def __init__(
        self,
        values: PassedValues,
        numbered: NumberedValues,
        passed: Sequence[PassedOperand],
        groups: Sequence[frozenset[SSAValue]],
        nothing: Change,
    ) -> None:
        self.program, self.values, self.numbered = values.program, values, numbered
        self.passed, self.groups = passed, groups
        self.best = nothing

    def run(self) -> Looks:
        """One group after the other."""
        for targets in self.groups:
            results = placed_apart(self.values, self.numbered, self.best, targets)
            before = self.best
            trial = yield before
            least = yield from self._best(before, targets, results, self._cost(trial, before, results))
            if results and least:
                before = yield from self._over_operands(before, targets, results)
                yield from self._best(before, targets, results, least)

    def _best(
        self, before: Change, targets: frozenset[SSAValue], results: Sequence[OpResult], least: int
    ) -> Generator[Change, Trial, int]:
        """Looks for the first legal set of targets that copies less than `least`, from all of them on. Returns what is
        copied then."""
        given = self.best
        trial = yield before
        copied = {passed.target for passed in trial.copied(self.passed)}
        waiting = deque[tuple[frozenset[SSAValue], SSAValue | None]]()
        waiting.extend((each, None) for each in dict.fromkeys((targets, targets & copied)))
        tried = set[frozenset[SSAValue]]()
        while waiting and len(tried) < MOST_TRIALS:
            chosen, left_out = waiting.popleft()
            chosen = chosen if left_out is None else chosen - {left_out}
            if chosen in tried or not chosen:
                continue
            tried.add(chosen)
            change = before.forwarding(chosen)
            trial = yield change
            cost = self._cost(trial, change, results)
            if cost >= least:
                continue
            every = trial.blamed(change.differing(given))
            blamed = every & chosen
            if every and not blamed:
                continue
            if blamed:
                for fresh in (False, True):
                    apart, more = self._written_apart(change, trial, blamed, fresh)
                    if apart is None or (more and any(map(_is_chosen, chosen))) or cost + more >= least:
                        continue
                    other = yield apart
                    if not other.blamed(apart.differing(given)):
                        is_legal = yield from self._are_legal(apart, other, results, given)
                        if is_legal:
                            self.best, least = apart, cost + more
                waiting.extend((chosen, value) for value in sorted(blamed, key=self.program.time_of, reverse=True))
            else:
                is_legal = yield from self._are_legal(change, trial, results, given)
                if is_legal:
                    self.best, least = change, cost
        return least

    def _cost(self, trial: Trial, change: Change, results: Iterable[OpResult]) -> int:
        """Bytes that are copied at boundaries, and by the ops of `results` that are not written over an operand."""
        apart = (r for r in results if change.operand_of(r) < 0)
        copied = sum(passed.nbytes for passed in trial.copied(self.passed))
        return copied + sum(filled(self.values, r) for r in apart)

    def _over_operands(
        self, before: Change, targets: frozenset[SSAValue], results: Sequence[OpResult]
    ) -> Generator[Change, Trial, Change]:
        """The decisions with the results over operands instead, one after the other, where that is legal if the targets
        are forwarded."""
        for result in results:
            left = before.unplaced(result)
            trial = yield left.forwarding(targets)
            operand = trial.operand_for(result)
            if operand is not None:
                before = left.written_over({result: operand})
        return before

    def _are_legal(
        self, change: Change, trial: Trial, results: Sequence[OpResult], given: Change
    ) -> Generator[Change, Trial, bool]:
        """The results that are not over an operand in the decisions `given` may be over those where they are now: what
        they may be written over depends on which targets are forwarded."""
        for result in results:
            k = change.operand_of(result)
            if k >= 0 and given.operand_of(result) != k:
                if trial.ruins(result):
                    return False
                other = yield change.written_over({result: -1})
                if other.operand_for(result) != k:
                    return False
        return True

    def _written_apart(
        self, change: Change, trial: Trial, values: frozenset[SSAValue], fresh: bool
    ) -> tuple[Change | None, int]:
        """The decisions without results that are written over forwarded values, and the bytes that are copied for that:
        of what an op changes, none where it may be written over a value without contents. None where there are no such
        results.

        Args:
            fresh: such a result has memory of its own, not that of the value without contents.
        """
        placed, over, more = trial.placed, dict[SSAValue, int](), 0
        storages = dict.fromkeys(placed.of[value].storage for value in values)
        uses = [use for storage in storages for v in placed.values[storage] for use in v.uses]
        written = [(r, use.index) for use in uses for r in use.operation.results if change.operand_of(r) == use.index]
        for result, k in written:
            op = result.op
            if op.successors or moves_values(op):
                continue
            contract = self.program.contract(op)
            others = [o.operand for o in contract.over if o.result == result.index and o.operand != k]
            without = next((o for o in others if is_undefined(op.operands[o])), None)
            over[result] = without if without is not None and not fresh else -1
            if without is None and k not in contract.metadata_only:
                more += times_run(amount(self.program.sizes[op.operands[k]].bytes), op)
        return (change.written_over(over), more) if over else (None, more)


def _is_chosen(value: SSAValue) -> bool:
    """An op without regions chooses the value: what it writes is no copy that a form makes."""
    return isinstance(value, OpResult) and not value.op.regions


# Results that may be written over an operand instead


class NumberedValues:
    """The values of each storage that has a number, by that."""

    def __init__(self, change: Change) -> None:
        self.of: dict[int, list[SSAValue]] = {}
        for value, number in change.base.numbers.items():
            self.of.setdefault(number, []).append(value)


def start_from_copies(
    values: PassedValues, numbered: NumberedValues, change: Change, targets: frozenset[SSAValue]
) -> bool:
    """Some result of an op in the storage of targets starts from a copy of an operand."""
    return any(filled(values, r) for r in placed_apart(values, numbered, change, targets))


def placed_apart(
    values: PassedValues, numbered: NumberedValues, change: Change, targets: frozenset[SSAValue]
) -> list[OpResult]:
    """The results that may be written over an operand, and lie in the storage of targets instead, or are passed on to
    these; in program order."""
    program = values.program
    numbers = dict.fromkeys(number for t in targets if (number := change.number_of(t)) is not None)
    within = [v for number in numbers for v in numbered.of[number] if v not in targets]
    inside = [v for v in within if change.number_of(v) is not None]
    passed = [p.source for t in targets for p in values.by_target.get(t, ()) if change.number_of(p.source) is None]
    results = [v for v in dict.fromkeys((*inside, *passed)) if isinstance(v, OpResult)]
    free = [r for r in results if change.operand_of(r) < 0 and not change.is_forwarded(r)]
    return sorted((r for r in free if _may_go_over(values, r)), key=lambda r: (program.at[r.op], r.index))[:MOST_APART]


def _may_go_over(values: PassedValues, result: OpResult) -> bool:
    """The op computes the result, and may write it over an operand."""
    if result.op.successors or moves_values(result.op) or values.program.view(result) is not None:
        return False
    return any(over.result == result.index for over in values.program.contract(result.op).over)


def filled(values: PassedValues, result: OpResult) -> int:
    """Bytes of the operand that an op begins with where its result is not written over that."""
    program = values.program
    contract = program.contract(result.op)
    over = [o for o in contract.over if o.result == result.index and not o.allow_same_operand]
    kept = [o.operand for o in over if o.operand not in contract.metadata_only]
    nbytes = amount(program.sizes[result.op.operands[kept[0]]].bytes) if kept and not contract.fill else 0
    return times_run(nbytes, result.op)
