"""The order of ops that needs least memory, in-place permissions counted, and the arena of an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from lastuse.passes.planning import _planner
from lastuse.passes.planning.cut_ops import split_at_cuts
from lastuse.passes.planning.graph import Graph, ScheduledOp, readers_of, writers_of
from lastuse.passes.planning.planner import LiveRange, Plan, Proof, TimeLimit, buffer_of, plan


class Schedule(NamedTuple):
    """
    An order of ops.

    Attributes:
        order: numbers of ops.
        inplace: pairs of a read and a write that lie at one place in this order.
        peak: bytes at the op that needs most: what is live, its reads and writes both counted, a write in place not.
        bound: no order has a smaller peak.
        proof: why the peak is the smallest, if it is known to be.
    """

    order: tuple[int, ...]
    inplace: tuple[tuple[int, int], ...]
    peak: int
    bound: int
    proof: Proof


def schedule(
    graph: Graph, start_order: Sequence[int] | None = None, *, seconds: float = 0.0, nodes: int = 0, settle: bool = True
) -> Schedule:
    """
    The order of least peak, never a worse one than `start_order` (the order of the ops, if there is none).

    A limit of `seconds` or `nodes` (0 is none) ends the search; then a beam of up to 3,000 sets is what is left to try.
    A node is a set of ops; each 512 ops that are looked at as those that may run next count as one more.
    Between two ops that all others come before or after, the given order stays where that does not need most.

    Args:
        settle: of the orders with this peak, one with ops where `start_order` has them; else the one that was found
            first.

    Raises:
        Error: the ops wait for each other, a buffer is written twice, `start_order` is no order of the ops.
    """
    limit = TimeLimit(seconds)
    order = tuple(range(len(graph.ops))) if start_order is None else tuple(start_order)
    whole = measured(graph, order)
    if whole.proof is not Proof.NONE:
        return whole
    segments = split_at_cuts(graph, order)
    orders = [segment.ops for segment in segments]
    parts = [measured(segment.graph, range(len(segment.ops))) for segment in segments]
    bound = max(part.bound for part in parts)
    proof, peak = Proof.REACHED, bound
    # The segment that needs most first: those that need less than the best of it may stay as they are.
    for n in sorted(range(len(parts)), key=lambda n: -parts[n].peak):
        if parts[n].peak <= peak:
            break
        ops, piece = segments[n]
        part = _result(_planner.schedule(*_to_cpp(piece), range(len(ops)), limit.left, nodes, settle))
        orders[n] = tuple(ops[k] for k in part.order)
        if part.bound > bound:
            bound, proof = part.bound, part.proof
        peak = max(peak, part.peak)
    best = measured(graph, list(chain.from_iterable(orders)))
    assert best.peak == peak, "segments need together what the one needs that needs most"
    return best._replace(bound=bound, proof=Proof.NONE if bound < peak else proof)


def measured(graph: Graph, order: Sequence[int]) -> Schedule:
    """What `order` needs, as many bytes in place as it allows. Raises Error as `schedule` does."""
    return _result(_planner.measured(*_to_cpp(graph), order))


class Arena(NamedTuple):
    """An offset of every buffer, None of those that are never live, and the plan of the memory behind them."""

    offsets: tuple[int | None, ...]
    plan: Plan


def arena(graph: Graph, solution: Schedule, *, seconds: float = 0.0, nodes: int = 0) -> Arena:
    """Offsets for the buffers of an order; what lies in place has the offset of what it lies over."""
    lives = lives_of(graph, solution.order)
    runs = list(runs_of(solution, lives).values())
    written_over = {write for _, write in solution.inplace}
    # While an op writes over its operand, the operand is the larger of the two.
    pieces = {n: LiveRange(lower + (n in written_over), upper, graph.sizes[n]) for n, (lower, upper) in lives.items()}
    placed = plan([buffer_of([pieces[n] for n in run]) for run in runs], "exact", seconds=seconds, nodes=nodes)
    offset_of = {n: offset for run, offset in zip(runs, placed.offsets, strict=True) for n in run}
    return Arena(tuple(map(offset_of.get, range(len(graph.sizes)))), placed)


def runs_of(solution: Schedule, lives: Mapping[int, tuple[int, int]]) -> dict[int, list[int]]:
    """Buffers that lie at one place, one written over the other, by the first of them; each run in order of time."""
    host = {write: read for read, write in solution.inplace}
    runs: dict[int, list[int]] = {}
    for number in sorted(lives, key=lambda n: lives[n]):
        first = number
        while first in host:
            first = host[first]
        runs.setdefault(first, []).append(number)
    return runs


def lives_of(graph: Graph, order: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The times, half-open, at which each buffer is live; op number n in the order runs at time n."""
    begin = dict.fromkeys(graph.kept.union(readers_of(graph)) - writers_of(graph).keys(), 0)
    end: dict[int, int] = {}
    for time, (reads, writes, _) in enumerate(graph.ops[op] for op in order):
        begin.update(dict.fromkeys(writes, time))
        end.update(dict.fromkeys((*reads, *writes), time + 1))
    end.update(dict.fromkeys(graph.kept, max(1, len(order))))
    return {number: (begin[number], end[number]) for number in sorted(begin)}


def _to_cpp(
    graph: Graph,
) -> tuple[tuple[int, ...], list[int], list[int], tuple[ScheduledOp, ...], tuple[tuple[int, int], ...]]:
    return graph.sizes, sorted(graph.kept), sorted(graph.not_overwritable), graph.ops, graph.edges


def _result(result: tuple[list[int], list[tuple[int, int]], int, int, str]) -> Schedule:
    order, inplace, peak, bound, proof = result
    return Schedule(tuple(order), tuple(inplace), peak, bound, Proof(proof))
