"""The best plan by exhaustive search, from the checker and the place rules alone: no analysis has a hand in it.

A plan is a choice for everything that docs/storage.md, 8 leaves open. The checker says which plans are right, the
places of the values say what a plan is worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect import decisions
from lastuse.dialect.layout import Layout, Strided, may_overlap, same_bytes
from lastuse.dialect.place import Kind, Place, Places, places
from lastuse.dialect.storage import contract_of
from lastuse.passes.checker import check


class Worth(NamedTuple):
    """The objective, best is largest: bytes kept; bytes moved, and swaps, counted negative."""

    kept: int
    moved: int
    inplace: int
    swaps: int


# What a plan is worth


def worth(func: FuncOp, found: Places | None = None) -> Worth:
    """What the decisions that `func` carries are worth. `found`: the places under them, where they are known."""
    found = found or places(func)
    ops = list(func.walk())[1:]
    made = sum(_bytes(found, r) for op in ops for r in op.results if r in found.of and not _is_view(r))
    sizes: dict[object, int] = {}
    for place in found.of.values():
        if place.storage.kind not in (Kind.ARGUMENT, Kind.CONSTANT):
            assert isinstance(place.layout, Strided)
            sizes[place.storage] = max(sizes.get(place.storage, 0), place.layout.span[1])
    taken = sum(sizes.values())
    moved = 0
    for op in ops:
        moved += sum(_carried(found, op)) * _weight(op)
    for op, pairs in _boundaries(func):
        moves = [(found.of[a], found.of[b]) for a, b in pairs if a in found.of and not _at(found, a, b)]
        moved += sum(_nbytes(a.layout) for a, _ in moves) * _weight(op)
        taken += _temporaries(moves)
    for op in ops:
        if isinstance(op, ReturnOp):
            copied, fresh = _returned(func, found, op)
            moved += copied
            taken += fresh
    inplace = swaps = 0
    void = {(v.op, v.entry) for v in found.void if v.attribute == decisions.INPLACE}
    for op in ops:
        for result, k in zip(op.results, decisions.inplace(op), strict=True):
            if k >= 0 and (op, result.index) not in void:
                inplace += 1
                over = contract_of(op).over if not op.regions else ()
                swaps += any(o.swap for o in over if o[:2] == (result.index, k))
    return Worth(made - taken, -moved, inplace, -swaps)


def _is_view(value: SSAValue) -> bool:
    """Declared to be one; whether it is one or a copy, its bytes are not counted as made."""
    return (
        isinstance(value, OpResult) and not value.op.regions and contract_of(value.op).view_of(value.index) is not None
    )


def _nbytes(layout: Layout) -> int:
    assert isinstance(layout, Strided)
    return layout.nbytes


def _bytes(found: Places, value: SSAValue) -> int:
    return _nbytes(found.of[value].layout)


def _at(found: Places, a: SSAValue, b: SSAValue) -> bool:
    return _same(found.of[a], found.of[b])


def _same(a: Place, b: Place) -> bool:
    return a.storage == b.storage and same_bytes(a.layout, b.layout)


def _meet(a: Place, b: Place) -> bool:
    return a.storage == b.storage and may_overlap(a.layout, b.layout)


def _weight(op: Operation) -> int:
    """Ten for each loop around, at most six of them."""
    depth, above = 0, op.parent_op()
    while above is not None and not isinstance(above, FuncOp):
        depth, above = depth + isinstance(above, (scf.ForOp, scf.WhileOp)), above.parent_op()
    return 10 ** min(depth, 6)


def _carried(found: Places, op: Operation) -> Iterator[int]:
    """Bytes of every contribution that is not in position, and of every view that has to be a copy."""
    if op.regions or not any(r in found.of for r in op.results):
        return
    contract = contract_of(op)
    for carry in contract.carries:
        source, target = found.of[op.operands[carry.operand]], found.of[op.results[0]].layout
        assert isinstance(target, Strided)
        into = target if carry.rest else carry.into(target)
        if into is None or not _same(source, source._replace(storage=found.of[op.results[0]].storage, layout=into)):
            yield _nbytes(source.layout)
    for view in contract.views:
        source, target = found.of[op.operands[view.operand]], found.of[op.results[view.result]]
        assert isinstance(source.layout, Strided)
        seen = view.map(source.layout)
        if seen is None or not _same(target, source._replace(layout=seen)):
            yield _nbytes(target.layout)


def _boundaries(func: FuncOp) -> Iterator[tuple[Operation, list[tuple[SSAValue, SSAValue]]]]:
    """Each parallel move of a region op: the op that makes it, and (source, slot) of each value."""
    for op in func.walk():
        if isinstance(op, scf.ForOp):
            yield op, list(zip(op.operands[3:], op.results, strict=True))
            yield _last(op, 0), list(zip(_last(op, 0).operands, op.results, strict=True))
        elif isinstance(op, scf.WhileOp):
            before = op.before_region.block.args
            yield op, list(zip(op.operands, before, strict=True))
            yield _last(op, 0), list(zip(_last(op, 0).operands[1:], op.results, strict=True))
            yield _last(op, 1), list(zip(_last(op, 1).operands, before, strict=True))
        elif isinstance(op, scf.IfOp):
            for region in range(2 if op.results else 0):
                yield _last(op, region), list(zip(_last(op, region).operands, op.results, strict=True))


def _last(op: Operation, region: int) -> Operation:
    last = op.regions[region].block.last_op
    assert last is not None
    return last


def _temporaries(moves: Sequence[tuple[Place, Place]]) -> int:
    """Bytes put aside so that every source is read before it is written: for each way to order the moves, those of the
    sources that are written too early; the least of all."""

    def least(left: tuple[int, ...], aside: frozenset[int]) -> int:
        best = None
        for n in left:
            rest = tuple(m for m in left if m != n)
            ruined = frozenset(m for m in (*rest, n) if m not in aside and _meet(moves[m][0], moves[n][1]))
            cost = sum(_nbytes(moves[m][0].layout) for m in ruined) + least(rest, aside | ruined)
            best = cost if best is None else min(best, cost)
        return best or 0

    return least(tuple(range(len(moves))), frozenset())


def _returned(func: FuncOp, found: Places, op: Operation) -> tuple[int, int]:
    """Bytes that the return moves, and bytes of fresh memory it moves them to: of values in memory that is neither the
    function's nor given to it, and of those that another result shares."""
    moved = fresh = 0
    kept: list[tuple[Place, SSAValue]] = []
    tied = {i: k for i in range(len(op.operands)) if (k := decisions.tied_argument(func, i)) is not None}
    for index, argument in tied.items():
        if op.operands[index] not in found.of:
            continue
        kept.append((found.of[func.args[argument]], _origin(op.operands[index])))
        if not _at(found, op.operands[index], func.args[argument]):
            moved += _bytes(found, op.operands[index])
    for index, value in enumerate(op.operands):
        if index in tied or value not in found.of:
            continue
        storage = found.of[value].storage
        home = _origin(value)
        if storage.kind is Kind.ARGUMENT:
            here = decisions.is_donated(func.args[storage.key]) if isinstance(storage.key, int) else False
        else:
            here = storage.kind in (Kind.OWN, Kind.NUMBERED)
        if here and not any(_meet(found.of[value], o) and other is not home for o, other in kept):
            kept.append((found.of[value], home))
        else:
            moved += _bytes(found, value)
            fresh += _bytes(found, value)
    return moved, fresh


def _origin(value: SSAValue) -> SSAValue:
    """What a declared view is a view of, in the end."""
    while _is_view(value) and isinstance(value, OpResult):
        view = contract_of(value.op).view_of(value.index)
        assert view is not None
        value = value.op.operands[view.operand]
    return value


# What can be chosen


class Choice(NamedTuple):
    """One decision, taken or not: result `entry` over operand `operand`, operand `operand` in its part of result 0, or
    the source of crossing `entry` of a boundary in its slot."""

    op: Operation
    attribute: str
    entry: int
    operand: int
    bytes: int

    def take(self, on: bool) -> None:
        """Write the decision, or take it back."""
        if self.attribute == decisions.INPLACE:
            operands = list(decisions.inplace(self.op))
            operands[self.entry] = self.operand if on else -1
            decisions.set_inplace(self.op, operands)
        else:
            parts = set(decisions.parts(self.op)) - {self.operand}
            decisions.set_parts(self.op, sorted(parts | ({self.operand} if on else set())))


class Merge(NamedTuple):
    """What a boundary moves, or the return moves to a tied argument: `source` may be made where `slot` is."""

    source: SSAValue
    slot: SSAValue
    bytes: int


Decision = Choice | Merge


class TooManyPlansError(Exception):
    """The search would take too long."""


class Search:
    """Tries every plan of a function that decides nothing yet. The function is as it was afterwards.

    Dropping a decision of a right plan leaves a right plan: what holds decisions that were refused together is not
    asked again, and neither is what was accepted with more. A plan that cannot keep as many bytes as the best, whatever
    else it decides, is given up. With `thorough` all plans are tried, none is given up, and every one is asked.

    Raises:
        TooManyPlansError: the checker would have to be asked more than `limit` times.
    """

    def __init__(self, func: FuncOp, thorough: bool = False, limit: int = 1 << 30) -> None:
        self.func, self.thorough, self.limit = func, thorough, limit
        self.placed = places(func)
        self.options: list[Sequence[Decision]] = [list(c) for c in self._choices() if c]
        self.options += [[m] for m in self._merges()]
        self.best: Worth | None = None
        self.text = ""
        self.checks = 0
        self.wrong: list[frozenset[Decision]] = []
        self.right: list[frozenset[Decision]] = []

    def run(self, at_least: Worth | None = None) -> Worth | None:
        """The best worth over `at_least`; None where nothing is better than that."""
        self.best = at_least
        nothing = worth(self.func)
        if not self.thorough:
            kept = [[d for d in options if self._is_right(frozenset((d,)))] for options in self.options]
            self.options = [options for options in kept if options]
        gains = [max(o.bytes for o in options) for options in self.options]
        self.rest = [nothing.kept + self._repairable() + sum(gains[n:]) for n in range(len(gains) + 1)]
        self._choose(0, frozenset(), 0)
        self._apply(frozenset())
        return self.best if self.best != at_least else None

    def _repairable(self) -> int:
        """Memory for moves alone, which decisions may save."""
        total = 0
        for _, pairs in _boundaries(self.func):
            moves = [(self.placed.of[a], self.placed.of[b]) for a, b in pairs if a in self.placed.of]
            total += _temporaries([m for m in moves if not _same(*m)])
        for op in self.func.walk():
            if isinstance(op, ReturnOp):
                total += _returned(self.func, self.placed, op)[1]
        return total

    def _choose(self, n: int, taken: frozenset[Decision], gained: int) -> None:
        if not self.thorough and self.best is not None and gained + self.rest[n] < self.best.kept:
            return
        if n == len(self.options):
            self._leaf(taken)
            return
        for option in self.options[n]:
            more = taken | {option}
            if self.thorough or self._is_right(more):
                self._choose(n + 1, more, gained + option.bytes)
        self._choose(n + 1, taken, gained)

    def _is_right(self, taken: frozenset[Decision]) -> bool:
        if any(wrong <= taken for wrong in self.wrong):
            return False
        if any(taken <= right for right in self.right):
            return True
        found = self._accepts(taken)
        if found is not None:
            if all(_at(found, d.source, d.slot) for d in taken if isinstance(d, Merge)):
                self.right = [r for r in self.right if not r <= taken] + [taken]
            return True  # a merge of what cannot have a number changes nothing, until other decisions are taken
        for decision in sorted(taken, key=hash):  # the fewest that are wrong together
            if self._accepts(taken - {decision}) is None:
                taken -= {decision}
        self.wrong.append(taken)
        return False

    def _accepts(self, taken: frozenset[Decision]) -> Places | None:
        """The places under a plan that stands: the checker accepts it, and no decision in it is void (the same plan
        without it is another of the plans)."""
        self.checks += 1
        if self.checks > self.limit:
            raise TooManyPlansError
        self._apply(taken)
        found = self._places()
        return None if found.void or check(self.func) else found

    def _places(self) -> Places:
        return places(self.func, self.placed.sizes)

    def _leaf(self, taken: frozenset[Decision]) -> None:
        self._apply(taken)
        now = worth(self.func, self._places())
        if self.best is None or now > self.best:
            if self.thorough and self._accepts(taken) is None:
                return
            self.best, self.text = now, str(self.func)

    # How a set of decisions is written

    def _apply(self, taken: frozenset[Decision]) -> None:
        for options in self.options:
            for option in options:
                if isinstance(option, Choice):
                    option.take(False)
        for value in self.placed.of:
            if decisions.number_of(value) >= 0:
                decisions.set_number(value, -1)
        merges: list[Merge] = []
        for decision in taken:
            if isinstance(decision, Choice):
                decision.take(True)
            else:
                merges.append(decision)
        classes: list[set[SSAValue]] = []
        for merge in merges:
            both = {_root(merge.source), _root(merge.slot)}
            met = [c for c in classes if c & both]
            classes = [c for c in classes if not c & both] + [both.union(*met)]
        for number, members in enumerate(c for c in classes if len(c) > 1 and all(map(_numberable, c))):
            for value in members:
                decisions.set_number(value, number)

    # What there is to decide

    def _choices(self) -> Iterator[list[Choice]]:
        for op in self.func.walk():
            if op is self.func:
                continue
            for result in op.results:
                if result in self.placed.of:
                    yield [
                        Choice(op, decisions.INPLACE, result.index, k, _bytes(self.placed, result))
                        for k in self._operands(op, result)
                        if k < len(op.operands) and self._alike(op.operands[k], result)
                    ]
            if not op.regions and op.results and op.results[0] in self.placed.of:
                for carry in contract_of(op).carries:
                    if carry.part:
                        size = _bytes(self.placed, op.operands[carry.operand])
                        yield [Choice(op, decisions.PARTS, 0, carry.operand, size)]

    @staticmethod
    def _operands(op: Operation, result: OpResult) -> Iterable[int]:
        if isinstance(op, scf.ForOp):
            return [result.index + 3]
        if isinstance(op, scf.WhileOp):
            return [result.index]
        return [] if op.regions else [o.operand for o in contract_of(op).over if o.result == result.index]

    def _alike(self, a: SSAValue, b: SSAValue) -> bool:
        if a not in self.placed.of:
            return False
        (one, other) = self.placed.sizes[a], self.placed.sizes[b]
        return one.dtype == other.dtype and _bytes(self.placed, a) == _bytes(self.placed, b)

    def _merges(self) -> Iterator[Merge]:
        for _, pairs in _boundaries(self.func):
            for source, slot in pairs:
                if source in self.placed.of and self._alike(source, slot):
                    yield Merge(source, slot, _bytes(self.placed, slot))
        for op in self.func.walk():
            for index, value in enumerate(op.operands if isinstance(op, ReturnOp) else ()):
                k = decisions.tied_argument(self.func, index)
                if k is not None and value in self.placed.of:
                    yield Merge(value, self.func.args[k], _bytes(self.placed, value))


def _root(value: SSAValue) -> SSAValue:
    """The value whose storage `value` is all of, by decisions and whole views."""
    while True:
        if isinstance(value, BlockArgument):
            parent = value.block.parent_op()
            if isinstance(parent, scf.ForOp) and value.index > 0:
                value = parent.results[value.index - 1]
                continue
            if isinstance(parent, scf.WhileOp):
                if value.block is parent.after_region.block:
                    value = parent.results[value.index]
                    continue
                over = [r for r in parent.results if decisions.inplace(parent)[r.index] == value.index]
                if over:
                    value = over[0]
                    continue
            return value
        assert isinstance(value, OpResult)
        k = decisions.inplace(value.op)[value.index]
        view = None if value.op.regions else contract_of(value.op).view_of(value.index)
        if k >= 0:
            value = value.op.operands[k]
        elif view is not None and view.whole:
            value = value.op.operands[view.operand]
        else:
            return value


def _numberable(value: SSAValue) -> bool:
    if isinstance(value, BlockArgument):
        return isinstance(value.block.parent_op(), FuncOp)
    assert isinstance(value, OpResult)
    contract = contract_of(value.op)
    return bool(value.op.regions) or not (contract.constant or contract.foreign or _is_view(value))
