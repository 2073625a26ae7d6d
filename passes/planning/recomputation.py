"""Which ops run a second time, and in which order all run, so that a graph fits a budget of bytes with least work.

Ops are added under an order of the graph: of all second runs that lower what is live above the budget, the one that
takes least work for it. Where none is left, or the budget is met, the order is searched again, with the second runs in
it. Then those are taken out that are not needed. What is found is compared with a bound of the work
(`recomputation_bound.py`); if it takes more, and the graph is small, sets of buffers are tried, those with least work
first, with every assignment of readers to copies and every order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, combinations, pairwise, product
from typing import NamedTuple

from lastuse.passes.planning.external_buffers import ExternalBuffers
from lastuse.passes.planning.external_choices import best_order, choices_of_order
from lastuse.passes.planning.graph import Graph, late_order, readers_of, writers_of
from lastuse.passes.planning.recomputation_bound import RecomputationBound
from lastuse.passes.planning.repeated_ops import Late, RepeatableOps, RepeatedGraph, repeated
from lastuse.passes.planning.schedule import lives_of

MOST_CANDIDATES = 10
"""Up to so many buffers that may be written twice, sets of them are tried."""
TRIES = 1_000
"""Graphs that are searched for the best set."""
EVALUATED = 4
"""Second runs that look best, which are measured before one of them is chosen; if none gains, as many more."""
ROUNDS = 3
"""How often the order is searched again."""


class Recomputation(NamedTuple):
    """
    What runs twice.

    Attributes:
        late: the buffers that are written twice, and the readers of the second copies.
        order: of all ops, second runs numbered as in `Late`.
        peak: bytes that are live at once in the best order that was found.
        work: of the second runs.
        bound: no choice within the budget takes less, of those that run each op twice at most; None where there is no
            such choice.
        fits: the peak is within the budget.
        least_bytes: no choice and no order has a smaller peak.
    """

    late: Late
    order: tuple[int, ...]
    peak: int
    work: int
    bound: int | None
    fits: bool
    least_bytes: int

    @property
    def proved(self) -> bool:
        """Nothing takes less work, or nothing fits."""
        return self.bound is None or self.fits and self.bound == self.work


class _State(NamedTuple):
    """Second runs, and the bytes that are live at each time of an order with them."""

    late: Late
    graph: RepeatedGraph
    order: tuple[int, ...]
    live: tuple[int, ...]

    def excess(self, budget: int) -> int:
        """Bytes above the budget, added up over all times."""
        return sum(max(0, nbytes - budget) for nbytes in self.live)

    @property
    def peak(self) -> int:
        return max(self.live, default=0)


class RecomputationSearch:
    """
    Second runs within a budget of bytes.

    Args:
        order: of the ops of the graph.
        nodes: of each search for an order, as of `schedule`.
    """

    def __init__(self, problem: RepeatableOps, order: Sequence[int], nodes: int) -> None:
        self._problem, self._order, self._nodes = problem, tuple(order), nodes
        self._candidates = problem.candidates()
        self._bound = RecomputationBound(problem)
        self._count = len(problem.graph.ops)

    def run(self, budget: int) -> Recomputation:
        """The least work that was found; where nothing fits, the second runs with the smallest peak."""
        least = self._bound.work(budget)
        for order in (self._order, late_order(self._problem.graph, self._order)):
            state = self._reduced(self._grown(self._state({}, order), budget), budget)
            if state.peak <= budget or least is None:
                break
        work = self._problem.work(state.late)
        fits, order = state.peak <= budget, self._identities(state.graph, state.order)
        found = Recomputation(state.late, order, state.peak, work, least, fits, self._bound.least_bytes)
        return found if found.proved else self._of_all_sets(found, budget)

    def _state(self, late: Late, given: Iterable[int]) -> _State:
        """Under the order that is given, with each second run as late as possible."""
        graph = repeated(self._problem, late)
        return self._measured(late, graph, graph.order(given))

    def _measured(self, late: Late, graph: RepeatedGraph, order: tuple[int, ...]) -> _State:
        times = range(len(order))
        variant, schedule, _ = choices_of_order(*_in_order(graph, order), times)
        sizes, over = variant.graph.sizes, {write for _, write in schedule.inplace}
        change = [0] * (len(order) + 1)
        for buffer, (first, end) in lives_of(variant.graph, times).items():
            # While an op writes over its operand, the operand is the larger of the two.
            change[first + (buffer in over)] += sizes[buffer]
            change[end] -= sizes[buffer]
        return _State(late, graph, order, tuple(accumulate(change[:-1])))

    def _reordered(self, state: _State) -> _State:
        """With the best order that a search finds for its graph, if that is better."""
        best = best_order(*_in_order(state.graph, state.order), nodes=self._nodes)
        if best.schedule.peak >= state.peak:
            return state
        return self._measured(state.late, state.graph, tuple(state.order[n] for n in best.schedule.order))

    def _grown(self, state: _State, budget: int) -> _State:
        """Second runs are added until the peak is within the budget, or nothing lowers it."""
        for _ in range(ROUNDS):
            while state.peak > budget and (better := self._better(state, budget)) is not None:
                state = better
            if state.peak <= budget:
                break
            other = self._reordered(state)
            if other is state:
                break
            state = other
        return state

    def _better(self, state: _State, budget: int) -> _State | None:
        """One more value is written twice: of those that look best, the one that takes least work for what it frees."""
        excess, work = state.excess(budget), self._problem.work(state.late)
        scored = sorted(self._moves(state, budget), key=lambda move: move[0], reverse=True)
        best: tuple[float, _State] | None = None
        for rank, (_, late) in enumerate(scored):
            if best is not None and rank % EVALUATED == 0:
                break
            other = self._state(late, self._originals(state.order))
            gained = excess - other.excess(budget)
            ratio = gained / (1 + max(0, self._problem.work(late) - work))
            if gained > 0 and (best is None or ratio > best[0]):
                best = ratio, other
        return best[1] if best is not None else None

    def _originals(self, order: Iterable[int]) -> list[int]:
        return [op for op in order if op < self._count]

    def _moves(self, state: _State, budget: int) -> Iterator[tuple[float, Late]]:
        """What could be written twice, or have more of its readers read the second copy: by what it looks to be worth,
        the bytes above the budget that it frees for its work."""
        at = {op: time for time, op in enumerate(state.order)}
        read = {b: sorted(at[op] for op in ops) for b, ops in readers_of(state.graph.graph).items()}
        copied = {b: at[writers_of(state.graph.graph)[copy]] for b, copy in state.graph.copies.items()}
        sizes, work = self._problem.graph.sizes, self._problem.work(state.late)
        above = [max(0, nbytes - budget) for nbytes in state.live]
        for buffer, op in self._candidates.items():
            for first, second in pairwise((at[op], *read.get(buffer, ()))):
                gained = sum(min(nbytes, sizes[buffer]) for nbytes in above[first + 1 : second])
                if not gained or first == at[op] and len(self._problem.reruns[op].writes) == 1:
                    continue  # without an earlier reader the op could as well run later
                readers = frozenset(
                    self._identities(state.graph, (state.order[time] for time in read[buffer] if time >= second))
                )
                for hold in (True, False):
                    late, held = self._with(state.late, read, copied, buffer, readers, second, hold)
                    lost = sum(
                        sizes[operand]
                        for operand in held
                        for nbytes in state.live[max(read.get(operand, (0,))) + 1 : second]
                        if nbytes + sizes[operand] > budget
                    )
                    # A second copy that is there already is written earlier.
                    earlier = state.live[second : copied.get(buffer, second)]
                    lost += sum(sizes[buffer] for nbytes in earlier if nbytes + sizes[buffer] > budget)
                    if gained > lost:
                        yield (gained - lost) / (1 + self._problem.work(late) - work), late

    def _identities(self, graph: RepeatedGraph, ops: Iterable[int]) -> tuple[int, ...]:
        """The numbers that `Late` has for ops of the graph with second runs."""
        count = self._count
        return tuple(op if op < count else count + graph.again[op - count] for op in ops)

    def _with(
        self,
        given: Late,
        read: Mapping[int, Sequence[int]],
        copied: Mapping[int, int],
        buffer: int,
        readers: frozenset[int],
        time: int,
        hold: bool,
    ) -> tuple[Late, list[int]]:
        """With a second copy of a buffer for readers from a time on; operands that are dead by then live on (`hold`) or
        are written twice too. Also the operands that live on.

        Args:
            read: when each buffer is read, in order.
            copied: when second copies are written.
        """
        late, held, waiting = dict(given), list[int](), [(buffer, readers)]
        while waiting:
            value, ops = waiting.pop()
            late[value] = late.get(value, frozenset()) | ops
            op = self._candidates[value]
            run = frozenset({self._count + op})
            for operand in self._problem.reruns[op].reads:
                is_dead = max(read.get(operand, (-1,))) < time
                if operand in late:
                    late[operand] |= run if is_dead or copied.get(operand, time) < time else frozenset()
                elif is_dead and not hold and operand in self._candidates:
                    waiting.append((operand, run))
                elif is_dead and operand not in self._problem.graph.kept:
                    held.append(operand)
        return late, held

    def _reduced(self, state: _State, budget: int) -> _State:
        """Without second runs that the budget does not need, those of most work first; the order is searched again
        where that makes others unneeded."""
        if state.peak > budget:
            return state
        for searched in (False, True):
            if searched:
                state = self._reordered(state)
            for buffer in sorted(state.late, key=lambda b: (-self._problem.reruns[self._candidates[b]].work, b)):
                if buffer not in state.late:
                    continue
                late = self._without(state.late, buffer)
                other = self._state(late, self._originals(state.order))
                if other.peak <= budget:
                    state = other
        return state

    def _without(self, late: Late, buffer: int) -> Late:
        """Without a buffer, and without those that only its second run reads."""
        left = {b: ops for b, ops in late.items() if b != buffer}
        while True:
            runs = {self._count + self._candidates[b] for b in left}
            read = {b: frozenset(op for op in ops if op < self._count or op in runs) for b, ops in left.items()}
            if read == left and all(read.values()):
                return left
            left = {b: ops for b, ops in read.items() if ops}

    def _of_all_sets(self, found: Recomputation, budget: int) -> Recomputation:
        """Every set of buffers that takes less work than what was found, as far as the tries go."""
        if len(self._candidates) > MOST_CANDIDATES or found.bound is None:
            return found
        buffers = list(self._candidates)
        sets = chain.from_iterable(combinations(buffers, count) for count in range(len(buffers) + 1))
        by_work = sorted((self._problem.work(dict.fromkeys(chosen, frozenset())), chosen) for chosen in sets)
        tries = TRIES
        for work, chosen in by_work:
            if found.fits and work >= found.work:
                return found._replace(bound=found.work)
            for late in self._assignments(chosen) if work >= found.bound else ():
                graph = repeated(self._problem, late)
                given = graph.order(self._order)
                best = best_order(*_in_order(graph, given), nodes=self._nodes)
                tries -= 1
                if best.schedule.peak <= budget:
                    order = self._identities(graph, (given[n] for n in best.schedule.order))
                    return Recomputation(late, order, best.schedule.peak, work, work, True, found.least_bytes)
                if not tries or not best.proved:
                    return found._replace(bound=max(found.bound, work))
        return found if found.fits else found._replace(bound=None)

    def _assignments(self, chosen: Sequence[int]) -> Iterator[Late]:
        """Every assignment of readers to the first and the second copy in which both are read. If a late reader has to
        run before another one, that reads the second copy too."""
        runs = {self._candidates[buffer] for buffer in chosen}

        def has_others(buffer: int) -> bool:
            """The first run may be for other buffers alone."""
            return len(self._problem.graph.ops[self._candidates[buffer]].writes) > 1

        options: list[list[frozenset[int]]] = []
        for buffer in chosen:
            readers = [n for n, op in enumerate(self._problem.graph.ops) if buffer in op.reads]
            again = [self._count + op for op in runs if buffer in self._problem.reruns[op].reads]
            subsets = [
                frozenset((*late, *second))
                for late in self._subsets(readers)
                if (len(late) < len(readers) or has_others(buffer))
                and all(b in late for a in late for b in readers if self._precedes(a, b))
                for second in self._subsets(again)
                if late or second
            ]
            options.append(subsets)
        for combination in product(*options):
            yield dict(zip(chosen, combination, strict=True))

    @staticmethod
    def _subsets(ops: Sequence[int]) -> Iterator[tuple[int, ...]]:
        return chain.from_iterable(combinations(ops, count) for count in range(len(ops) + 1))

    def _precedes(self, first: int, then: int) -> bool:
        return bool(self._bound.behind[first] >> then & 1)


def _in_order(graph: RepeatedGraph, order: Sequence[int]) -> tuple[Graph, ExternalBuffers]:
    """The graph with its ops in an order."""
    number = {op: n for n, op in enumerate(order)}
    ops = tuple(graph.graph.ops[op] for op in order)
    edges = tuple((number[a], number[b]) for a, b in graph.graph.edges)
    return graph.graph._replace(ops=ops, edges=edges), graph.outside
