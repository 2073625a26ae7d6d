"""Which buffers lie in memory that is not the arena's, decided together with the order: branch and bound.

An option (a pair of a read and a write, `external_buffers.Variant`) takes effect where all other readers of the read
run before the op that writes. A relaxed graph takes every option that is not decided for one with effect, and asks for
no order: no variant has an order with a smaller peak than the relaxed graph. Where the best order of the relaxed graph
violates an option, one branch makes the other readers come first, and one counts the bytes.
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from lastuse.passes.planning.external_buffers import (
    ExternalBuffers,
    Pair,
    Variant,
    Variants,
    nested,
)
from lastuse.passes.planning.graph import Graph, any_order, permitted
from lastuse.passes.planning.schedule import Schedule, measured, schedule

WORK = 20_000
"""Ops of the graphs that are searched at most, each with other choices."""
MOST = 64
"""Graphs that are searched at most."""
PATIENCE = 16
"""Choices that are tried at most after the last with a better order, of parts and of options apart."""


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
    variants = Variants(graph, outside)
    best = search.run(variants, range(len(graph.ops)))
    if outside.parts and best.schedule.peak == best.schedule.bound == search.least(variants):
        return best._replace(proved=True)  # whatever parts are made where
    waiting, seen = [(best.schedule.peak, 0, frozenset[Pair]())], {frozenset[Pair]()}
    proved, end = best.proved, PATIENCE
    while waiting and proved:
        # One search that stops at its limit is enough: the next ones would too, and take as long.
        _, _, parent = heapq.heappop(waiting)
        for option in variants.of(parent).options:
            forced = parent | {option}
            if option[1] not in outside.parts or forced in seen:
                continue
            if search.left <= 0 or len(seen) > end:
                return best._replace(proved=False)
            seen.add(forced)
            nest = nested(graph, outside, forced)
            order = any_order(nest)
            if order is None:
                continue
            found = search.run(Variants(nest, outside), order, best.schedule.peak)
            proved = found.proved
            if found.schedule.peak < best.schedule.peak:
                best = found._replace(variant=found.variant._replace(forced=found.variant.forced | forced))
                end = len(seen) - 1 + PATIENCE
            if not proved:
                break
            heapq.heappush(waiting, (found.schedule.peak, len(seen), forced))
    return best._replace(proved=proved)


def least_peak(graph: Graph, outside: ExternalBuffers, *, nodes: int = 0) -> int:
    """A peak that no order goes below, whatever else lies outside, as long as no part is made in its whole; `nodes` as
    in `schedule`."""
    relaxed = _relaxed_graph(Variants(graph, outside)).graph
    order = any_order(relaxed)
    return schedule(relaxed, order, nodes=nodes, settle=False).bound if order is not None else 0


class Branch(NamedTuple):
    """Options that are decided: `forced` have their readers first, `refused` count their bytes."""

    forced: frozenset[Pair] = frozenset()
    refused: frozenset[Pair] = frozenset()

    def children(self, pair: Pair) -> Iterator[Branch]:
        """The branches in which a further option is decided."""
        yield self._replace(refused=self.refused | {pair})
        yield self._replace(forced=self.forced | {pair})


UNDECIDED = Branch()


class _ChoiceSearch:
    """Orders of least peak over all options that are not parts, `left` searches at most.

    Args:
        nodes, settle: as in `schedule`, for each search.
    """

    def __init__(self, outside: ExternalBuffers, nodes: int, settle: bool, left: int) -> None:
        self._outside, self._nodes, self._settle, self.left = outside, nodes, settle, left

    def run(self, variants: Variants, given: Sequence[int], known: int | None = None) -> BestOrder:
        """The best order that was found, `given` where none is better; proved where no branch can have a better one.

        Args:
            known: the peak of an order that is preferred to one with the same peak.
        """
        first = variants.of()
        if all(self._is_part(option) for option in first.options):
            found = self._searched(first.graph, given, known)
            return BestOrder(first, found, found.bound == found.peak)
        best = _choices_of_order(variants, given)
        waiting, pushed, given_up = [(0, 0, Branch())], 0, [best.schedule.peak]
        end = self.left - PATIENCE
        while waiting and waiting[0][0] < best.schedule.peak and self.left > max(0, end):
            _, _, branch = heapq.heappop(waiting)
            relaxed = _relaxed_graph(variants, branch)
            order = any_order(relaxed.graph)
            if order is None:
                continue
            found = self._searched(relaxed.graph, order)
            made = _choices_of_order(variants, found.order, branch.refused)
            if made.schedule.peak < best.schedule.peak:
                best, end = made, self.left - PATIENCE
            pair = self._violated(branch, relaxed, made.variant)
            if pair is None or found.bound < found.peak:
                given_up.append(found.bound)
            if found.bound < found.peak:
                break
            for child in branch.children(pair) if pair is not None else ():
                pushed += 1
                heapq.heappush(waiting, (found.bound, -pushed, child))
        bound = min(best.schedule.peak, *given_up, *(bound for bound, _, _ in waiting))
        return best._replace(schedule=best.schedule._replace(bound=bound), proved=bound == best.schedule.peak)

    def least(self, variants: Variants) -> int:
        """No order has a smaller peak, whatever is made in the part of another buffer."""
        relaxed = _relaxed_graph(variants, parts=True).graph
        order = any_order(relaxed)
        return self._searched(relaxed, order).bound if order is not None else 0

    def _searched(self, graph: Graph, order: Sequence[int], known: int | None = None) -> Schedule:
        """The best order of a graph, settled if it has a smaller peak than the `known` one: most have not."""
        self.left -= 1
        found = schedule(graph, order, nodes=self._nodes, settle=self._settle and known is None)
        if known is None or not self._settle or found.peak >= known:
            return found
        return schedule(graph, order, nodes=self._nodes)

    def _is_part(self, pair: Pair) -> bool:
        return pair[1] in self._outside.parts

    def _violated(self, branch: Branch, relaxed: Relaxed, made: Variant) -> Pair | None:
        """The option without effect in `made` whose bytes the relaxed graph does not count, of the most bytes; or one
        of which another one takes the place."""
        sizes = made.graph.sizes
        free = [not size and counted > 0 for size, counted in zip(relaxed.graph.sizes, sizes, strict=True)]
        options = [pair for pair in made.options if free[pair[0]] or free[pair[1]]]
        for pairs in (options, relaxed.rivals):
            undecided = [p for p in pairs if not self._is_part(p) and p not in branch.refused | branch.forced]
            if undecided:
                return max(undecided, key=lambda pair: max(sizes[b] for b in pair))
        return None


def choices_of_order(
    graph: Graph, outside: ExternalBuffers, order: Sequence[int], refused: Container[Pair] = frozenset()
) -> BestOrder:
    """The order with every choice that it does not violate, parts and what is refused apart; `proved` says nothing."""
    return _choices_of_order(Variants(graph, outside), order, refused)


def _choices_of_order(variants: Variants, order: Sequence[int], refused: Container[Pair] = frozenset()) -> BestOrder:
    at, readers, writer = {op: time for time, op in enumerate(order)}, variants.readers, variants.writer

    def is_kept(pair: Pair) -> bool:
        """The op that writes is the last reader."""
        last = at[writer[pair[1]]]
        return all(at[reader] <= last for reader in readers[pair[0]])

    made, parts = variants.of(), variants.outside.parts
    while kept := [pair for pair in made.options if not (pair[1] in parts or pair in refused) and is_kept(pair)]:
        made = variants.of(made.forced.union(kept))
    return BestOrder(made, measured(made.graph, order), False)


class Relaxed(NamedTuple):
    """
    A graph that no variant of a branch is better than.

    Attributes:
        graph: no buffer has bytes in it that may be outside, but for what is refused.
        rivals: undecided options of which one at most can have effect, because they have the same host, and all have
            effect here: the first of each.
    """

    graph: Graph
    rivals: tuple[Pair, ...]


def relaxed_graph(graph: Graph, outside: ExternalBuffers, branch: Branch = UNDECIDED, parts: bool = False) -> Relaxed:
    """The relaxed graph of a branch; `parts`: no buffer has bytes either that may be in another one, which is a bound
    whatever parts are chosen."""
    return _relaxed_graph(Variants(graph, outside), branch, parts)


def _relaxed_graph(variants: Variants, branch: Branch = UNDECIDED, parts: bool = False) -> Relaxed:
    graph, outside, writer, readers = variants.graph, variants.outside, variants.writer, variants.readers
    sizes, rivals = list(graph.sizes), list[Pair]()

    def move_out(number: int, outside: set[int], outer: int, excluded: Container[int]) -> None:
        """As of `variant`, with every pair that may have effect."""
        pairs = [pair for pair in graph.ops[number].may_inplace if pair[outer] in outside and pair[0] not in excluded]
        for host in dict.fromkeys(pair[outer] for pair in pairs):
            moved = [pair for pair in pairs if pair[outer] == host and pair not in branch.refused]
            moved = [pair for pair in moved if pair in branch.forced] or moved
            moved = [pair for pair in moved if graph.sizes[pair[1 - outer]]]
            certain = [set(readers[pair[0]]) == {number} and sizes[pair[1 - outer]] > 0 for pair in moved]
            moved = moved[: certain.index(True) + 1] if True in certain else moved
            rivals.extend(moved[:1] if len(moved) > 1 else ())
            for pair in moved:
                sizes[pair[1 - outer]] = 0
                outside.add(pair[1 - outer])

    ends, begins = set(outside.ends), set(outside.begins)
    excluded = (graph.kept | graph.not_overwritable).union(set(range(len(sizes))) - writer.keys())
    if parts:
        ends.update(part for inner in outside.parts.values() for part in inner)
    for number, op in reversed(list(enumerate(graph.ops))):
        if outside.parts:
            ends.update(part for whole in op.writes if whole in ends for part in outside.parts.get(whole, ()))
        if op.may_inplace:
            move_out(number, ends, 1, excluded)
    for number in range(len(graph.ops)) if begins else ():
        move_out(number, begins, 0, graph.kept)
    sizes = [0 if number in ends or number in begins else size for number, size in enumerate(sizes)]
    first = [(r, writer[write]) for read, write in sorted(branch.forced) for r in readers[read]]
    edges = dict.fromkeys((*graph.edges, *(edge for edge in first if edge[0] != edge[1])))
    changed = graph._replace(sizes=tuple(sizes), ops=permitted(graph.ops, sizes), edges=tuple(edges))
    return Relaxed(changed, tuple(rivals))
