"""Which buffers lie in memory that is not the arena's, decided together with the order: branch and bound.

An option (a pair of a read and a write, `external_buffers.Variant`) takes effect where all other readers of the read
run before the op that writes. A relaxed graph takes every option that is not decided for one with effect, and asks for
no order: no variant has an order with a smaller peak than the relaxed graph. Where the best order of the relaxed graph
violates an option, one branch makes the other readers come first, and one counts the bytes.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lastuse.passes.planning.external_buffers import (
    ExternalBuffers,
    Pair,
    Variant,
    nested,
    variant,
)
from lastuse.passes.planning.graph import Graph, any_order, readers_of, writers_of
from lastuse.passes.planning.schedule import Schedule, measured, schedule

WORK = 20_000
"""Ops of the graphs that are searched at most, each with other choices."""
MOST = 64
"""Graphs that are searched at most."""


class BestOrder(NamedTuple):
    """The best order that was found; of the variant, `schedule`, whose bound is that of all variants; `proved`: no
    limit ended a search."""

    variant: Variant
    schedule: Schedule
    proved: bool


def best_order(graph: Graph, outside: ExternalBuffers, *, nodes: int = 0, settle: bool = True) -> BestOrder:
    """
    The order of least peak over the choices of what is outside; `nodes` and `settle` as in `schedule`, for each choice.

    The order of the ops stays where none is better.
    """
    search = _ChoiceSearch(outside, nodes, settle, min(MOST, max(1, WORK // max(1, len(graph.ops)))))
    best = search.run(graph, range(len(graph.ops)))
    waiting, seen = [(best.schedule.peak, 0, frozenset[Pair]())], {frozenset[Pair]()}
    proved = best.proved
    while waiting and proved:
        # One search that stops at its limit is enough: the next ones would too, and take as long.
        _, _, parent = heapq.heappop(waiting)
        for option in variant(graph, outside, parent).options:
            forced = parent | {option}
            if option[1] not in outside.parts or forced in seen:
                continue
            if search.left <= 0:
                return best._replace(proved=False)
            seen.add(forced)
            nest = nested(graph, outside, forced)
            order = any_order(nest)
            if order is None:
                continue
            found = search.run(nest, order)
            proved = found.proved
            if found.schedule.peak < best.schedule.peak:
                best = found._replace(variant=found.variant._replace(forced=found.variant.forced | forced))
            if not proved:
                break
            heapq.heappush(waiting, (found.schedule.peak, len(seen), forced))
    return best._replace(proved=proved)


class _Branch(NamedTuple):
    """Options that are decided: `forced` have their readers first, `refused` count their bytes."""

    forced: frozenset[Pair] = frozenset()
    refused: frozenset[Pair] = frozenset()

    def children(self, pair: Pair) -> Iterator[_Branch]:
        """The branches in which a further option is decided."""
        yield self._replace(forced=self.forced | {pair})
        yield self._replace(refused=self.refused | {pair})


class _ChoiceSearch:
    """Orders of least peak over all options that are not parts, `left` searches at most.

    Args:
        nodes, settle: as in `schedule`, for each search.
    """

    def __init__(self, outside: ExternalBuffers, nodes: int, settle: bool, left: int) -> None:
        self._outside, self._nodes, self._settle, self.left = outside, nodes, settle, left

    def run(self, graph: Graph, given: Sequence[int]) -> BestOrder:
        """The best order that was found, `given` where none is better; proved where no branch can have a better one."""
        self._graph, self._readers, self._writer = graph, readers_of(graph), writers_of(graph)
        first = variant(graph, self._outside, frozenset())
        if all(self._is_part(option) for option in first.options):
            found = self._searched(first.graph, given)
            return BestOrder(first, found, found.bound == found.peak)
        best = self._variant_of(given)
        waiting, pushed, given_up = [(0, 0, _Branch())], 0, [best.schedule.peak]
        while waiting and waiting[0][0] < best.schedule.peak and self.left > 0:
            _, _, branch = heapq.heappop(waiting)
            relaxed = self._relaxed(branch)
            order = any_order(relaxed)
            if order is None:
                continue
            found = self._searched(relaxed, order)
            made = self._variant_of(found.order)
            best = min(best, made, key=lambda candidate: candidate.schedule.peak)
            pair = self._violated(relaxed, made.variant)
            if pair is None or found.bound < found.peak:
                given_up.append(found.bound)
            if found.bound < found.peak:
                break
            for child in branch.children(pair) if pair is not None else ():
                pushed += 1
                heapq.heappush(waiting, (found.bound, pushed, child))
        bound = min(best.schedule.peak, *given_up, *(bound for bound, _, _ in waiting))
        return best._replace(schedule=best.schedule._replace(bound=bound), proved=bound == best.schedule.peak)

    def _searched(self, graph: Graph, order: Sequence[int]) -> Schedule:
        self.left -= 1
        return schedule(graph, order, nodes=self._nodes, settle=self._settle)

    def _is_part(self, pair: Pair) -> bool:
        return pair[1] in self._outside.parts

    def _variant_of(self, order: Sequence[int]) -> BestOrder:
        """The order with every option that it does not violate."""
        at = {op: time for time, op in enumerate(order)}
        made = variant(self._graph, self._outside, frozenset())
        while kept := [pair for pair in made.options if not self._is_part(pair) and self._is_kept(pair, at)]:
            made = variant(self._graph, self._outside, made.forced.union(kept))
        return BestOrder(made, measured(made.graph, order), True)

    def _is_kept(self, pair: Pair, at: Mapping[int, int]) -> bool:
        """The op that writes is the last reader."""
        read, write = pair
        return all(at[reader] <= at[self._writer[write]] for reader in self._readers[read])

    def _violated(self, relaxed: Graph, made: Variant) -> Pair | None:
        """The option without effect in `made` whose bytes the relaxed graph does not count: of the most bytes."""
        free = [not size and counted > 0 for size, counted in zip(relaxed.sizes, made.graph.sizes, strict=True)]
        options = [pair for pair in made.options if not self._is_part(pair) and (free[pair[0]] or free[pair[1]])]
        return max(options, key=lambda pair: max(made.graph.sizes[b] for b in pair), default=None)

    def _relaxed(self, branch: _Branch) -> Graph:
        """The graph in which no buffer has bytes that may be outside, but for what is refused."""
        graph = self._graph
        sources = set(range(len(graph.sizes))) - self._writer.keys()
        pairs = [pair for op in graph.ops for pair in op.may_inplace if pair not in branch.refused]
        hosts = graph.kept | graph.not_overwritable | sources
        ends = set(self._outside.ends)
        ends.update(part for whole, parts in self._outside.parts.items() if whole in ends for part in parts)
        free = _closure(ends, [(write, read) for read, write in pairs if read not in hosts])
        free |= _closure(self._outside.begins, [pair for pair in pairs if pair[0] not in graph.kept])
        first = [(r, self._writer[write]) for read, write in sorted(branch.forced) for r in self._readers[read]]
        edges = dict.fromkeys((*graph.edges, *(edge for edge in first if edge[0] != edge[1])))
        sizes = tuple(0 if number in free else size for number, size in enumerate(graph.sizes))
        ops = (
            op._replace(may_inplace=tuple(p for p in op.may_inplace if all(sizes[b] for b in p))) for op in graph.ops
        )
        return graph._replace(sizes=sizes, ops=tuple(ops), edges=tuple(edges))


def _closure(start: Iterable[int], steps: Iterable[Pair]) -> set[int]:
    """All that steps lead to."""
    after: dict[int, list[int]] = {}
    for first, then in steps:
        after.setdefault(first, []).append(then)
    reached, waiting = set(start), list(start)
    while waiting:
        for number in after.get(waiting.pop(), ()):
            if number not in reached:
                reached.add(number)
                waiting.append(number)
    return reached
