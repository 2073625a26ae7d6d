"""Order, in place and offsets of a graph together: the smallest arena.

The order of least peak nearly always has an arena that is no larger, and then nothing is better. Where it has gaps, the
other orders and in-place choices whose peak is smaller than its arena are looked at, each with its best offsets.

Buffers may lie in another one, at a given offset: operands of a concat, computed where they belong. Such a part needs
no bytes of its own, and the op that would copy it there has nothing to do for it. The whole is live from when the first
of its parts is written, and as long as any of them is read. Which of them is the first is a choice too: each choice is
a graph of its own, in which the whole is written by the op that writes that part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice, product
from typing import NamedTuple

from lastuse.passes.planning.graph import Graph, any_order, edges_of, nest_parts, readers_of, writers_of
from lastuse.passes.planning.planner import Buffer, Proof, TimeLimit
from lastuse.passes.planning.schedule import Arena, Schedule, arena, measured, schedule
from lastuse.passes.planning.subbuffers import Choice, Subbuffer, all_choices, are_apart, proof_of

_Pairs = tuple[tuple[int, int], ...]
WORK = 1_000_000
"""Ops of the orders and plans that are looked at at most where the first plan has gaps: seconds."""
MOST_OPS = 200
"""Graphs with more are left at the plan of their best order."""
NODES = 20_000
"""Of the search for the offsets of one of these plans."""
MOST = 400
"""Choices of parts that are looked at at most, if there are no more; of more, those with all parts of a whole or
none."""


class JointPlan(NamedTuple):
    """
    An order, what it has in place and in parts, and offsets.

    Attributes:
        graph: what was chosen, as a graph.
        parts: those that lie in their whole.
        schedule: the order; its peak, bound and proof are those of orders.
        arena: the offsets of all buffers; bound and proof of its plan are about all orders and choices.
    """

    graph: Graph
    parts: tuple[Subbuffer, ...]
    schedule: Schedule
    arena: Arena


def joint_plan(
    graph: Graph, start_order: Sequence[int] | None = None, *, seconds: float = 0.0, nodes: int = 0
) -> JointPlan:
    """
    The smallest arena of all orders, all in-place choices and all offsets; never a larger one than `start_order` has.

    A limit of `seconds` or `nodes` (0 is none) ends each search. Raises Error as `schedule` does.
    """
    limit = TimeLimit(seconds)
    order = range(len(graph.ops)) if start_order is None else start_order
    best = schedule(graph, order, seconds=seconds, nodes=nodes, settle=False)
    chosen, placed = best, arena(graph, best, seconds=limit.left, nodes=nodes)
    if placed.plan.peak > best.bound:
        others = schedule(graph, order, seconds=limit.left, nodes=nodes), measured(graph, order)
        less = [other for other in others if other.peak < placed.plan.peak]
        # Gaps between the offsets may cost more than an order gains.
        tried = [(other, arena(graph, other, seconds=limit.left, nodes=nodes)) for other in less]
        chosen, placed = min([(chosen, placed), *tried], key=lambda pair: pair[1].plan.peak)
    bound, proof = best.bound, best.proof
    if placed.plan.peak > bound:
        search = _Search(graph, chosen, placed, bound, limit)
        is_small = len(graph.ops) <= MOST_OPS
        if is_small:
            search.go(frozenset(), [], [], search.start)
        chosen, placed = search.schedule, search.arena
        if placed.plan.peak > bound:
            is_whole = is_small and search.left > 0 and search.is_sure and proof is not Proof.NONE
            proof = Proof.EXHAUSTED if is_whole else Proof.NONE
            bound = placed.plan.peak if is_whole else bound
    chosen = chosen._replace(peak=measured(graph, chosen.order).peak, bound=best.bound, proof=best.proof)
    plan = placed.plan._replace(bound=bound, proof=proof, seconds=limit.spent)
    return JointPlan(graph, (), chosen, placed._replace(plan=plan))


class _Search:
    """Orders whose peak is below the arena of the best plan, depth first; every arena that is smaller is the next to
    beat."""

    def __init__(self, graph: Graph, first: Schedule, placed: Arena, bound: int, limit: TimeLimit) -> None:
        self.graph, self.schedule, self.arena, self.bound, self.limit = graph, first, placed, bound, limit
        self.left = WORK // max(1, len(graph.ops))
        self.is_sure = True  # no plan was left without a proof
        self.dead: set[frozenset[int]] = set()
        self.readers = readers_of(graph)
        self.before: list[set[int]] = [set() for _ in graph.ops]
        for earlier, later in edges_of(graph):
            self.before[later].add(earlier)
        needed = self.readers.keys() | graph.kept
        self.start = sum(graph.sizes[b] for b in needed - writers_of(graph).keys())

    def _is_over(self) -> bool:
        if self.limit.is_over():
            self.left = 0
        return self.left <= 0 or self.arena.plan.peak == self.bound

    def go(self, done: frozenset[int], order: list[int], choices: list[list[_Pairs]], live: int) -> bool:
        """Whether some order of the rest has a peak below the arena."""
        if len(order) == len(self.graph.ops):
            self._plan(order, choices)
            return True
        if done in self.dead:
            return False
        self.left -= 1
        alive = False
        for op in range(len(self.graph.ops)):
            if op in done or not self.before[op] <= done:
                continue
            if self._is_over():
                return True
            reads, writes, _ = self.graph.ops[op]
            most = live + self._bytes(writes)
            room = self.arena.plan.peak - 1 - most
            hosted = [pairs for pairs in self._pairs(op, done) if room + self._bytes(w for _, w in pairs) >= 0]
            if not hosted:
                continue
            freed = self._bytes(b for b in {*reads, *writes} if self._dies(b, done, op))
            alive |= self.go(done | {op}, [*order, op], [*choices, hosted], most - freed)
        if not alive:
            self.dead.add(done)
        return alive

    def _dies(self, buffer: int, done: frozenset[int], op: int) -> bool:
        """No op after `op` needs the buffer."""
        return buffer not in self.graph.kept and done.union((op,)).issuperset(self.readers.get(buffer, ()))

    def _pairs(self, op: int, done: frozenset[int]) -> Iterator[_Pairs]:
        """What `op` may have in place if it runs now, the most first."""
        sizes, fixed = self.graph.sizes, self.graph.not_overwritable
        pairs = dict.fromkeys(self.graph.ops[op].may_inplace)
        usable = [(r, w) for r, w in pairs if r not in fixed and sizes[w] <= sizes[r] and self._dies(r, done, op)]
        for chosen in chain.from_iterable(combinations(usable, count) for count in range(len(usable), -1, -1)):
            if len({r for r, _ in chosen}) == len({w for _, w in chosen}) == len(chosen):
                yield chosen

    def _bytes(self, buffers: Iterable[int]) -> int:
        return sum(self.graph.sizes[b] for b in buffers)

    def _plan(self, order: list[int], choices: list[list[_Pairs]]) -> None:
        """Plans an order with each of its in-place choices."""
        for chosen in product(*choices):
            if self._is_over():
                return
            self.left -= 1
            tried = self.schedule._replace(order=tuple(order), inplace=tuple(chain.from_iterable(chosen)))
            placed = arena(self.graph, tried, seconds=self.limit.left, nodes=NODES)
            self.is_sure &= placed.plan.proof is not Proof.NONE
            if placed.plan.peak < self.arena.plan.peak:
                self.schedule, self.arena = tried, placed


def joint_plan_with_parts(
    graph: Graph, permitted: Sequence[Subbuffer], start_order: Sequence[int] | None = None, *, seconds: float = 0.0
) -> JointPlan:
    """
    The smallest arena of all orders, in-place choices, offsets and parts; never a larger one than `start_order` has.

    A buffer that lies in its whole is written over no other one, and none over it, nor over the whole by an op that
    reads the part.

    Args:
        permitted: parts inside of their wholes, each read by the op that writes the whole.

    Raises:
        Error: as `joint_plan`.
    """
    limit = TimeLimit(seconds)
    usable = _usable(graph, permitted)
    results = [joint_plan(graph, start_order, seconds=seconds / 2 if usable else seconds)]
    choices = _choices(graph, usable)
    is_whole = choices is not None
    for choice in _few(graph, usable) if choices is None else choices:
        if limit.is_over():
            is_whole = False
            break
        changed, parts = _nest_choice(graph, choice), tuple(chain.from_iterable(choice))
        order = any_order(changed)
        if order is not None:
            result = joint_plan(changed, order, seconds=limit.left)
            offsets = _offsets(result.arena.offsets, parts)
            results.append(result._replace(parts=parts, arena=result.arena._replace(offsets=offsets)))
    best = min(results, key=lambda result: result.arena.plan.peak)
    order, plan = best.schedule, best.arena.plan
    if usable:
        least = _least(graph, usable, limit)
        bound, of_orders = (
            max(least, min(bounds)) if is_whole else least
            for bounds in zip(*((r.arena.plan.bound, r.schedule.bound) for r in results), strict=True)
        )
        order = order._replace(bound=min(order.peak, of_orders), proof=proof_of(order.peak, of_orders, least))
        plan = plan._replace(bound=min(plan.peak, bound), proof=proof_of(plan.peak, bound, least))
    return best._replace(schedule=order, arena=best.arena._replace(plan=plan._replace(seconds=limit.spent)))


def _usable(graph: Graph, permitted: Sequence[Subbuffer]) -> list[Subbuffer]:
    """Those that gain anything, the wholes that are written first first."""
    writer = writers_of(graph)
    at = {op: n for n, op in enumerate(any_order(graph) or ())}
    able = [p for p in dict.fromkeys(permitted) if p.part in writer and p.part not in graph.kept]
    return sorted((p for p in able if graph.sizes[p.part]), key=lambda p: at.get(writer[p.whole], 0))


def _choices(graph: Graph, usable: Sequence[Subbuffer]) -> list[tuple[Choice, ...]] | None:
    """All choices that have any parts: for each whole that has some the parts that lie in it, the first to be written
    first. None if there are too many."""
    buffers = _live_together(graph)
    choices = all_choices(usable, lambda c: are_apart(buffers, c), MOST + 1)
    if choices is None:
        return None
    wholes = dict.fromkeys(permission.whole for permission in usable)
    by_whole = ([tuple(p for p in choice if p.whole == whole) for whole in wholes] for choice in choices[1:])
    rotated = chain.from_iterable(product(*map(_rotations, filter(None, parts))) for parts in by_whole)
    first = list(islice(rotated, MOST + 1))
    return first if len(first) <= MOST else None


def _few(graph: Graph, usable: Sequence[Subbuffer]) -> Iterator[tuple[Choice, ...]]:
    """Of each whole all parts that are apart, or none: one whole, then all of them, in the order they are permitted."""
    buffers = _live_together(graph)
    wholes: dict[int, Choice] = {permission.whole: () for permission in usable}
    part_numbers: set[int] = set()
    for permission in usable:
        parts = (*wholes[permission.whole], permission)
        if permission.part not in part_numbers and are_apart(buffers, parts):
            wholes[permission.whole] = parts
            part_numbers.add(permission.part)
    chosen = tuple(parts for parts in wholes.values() if parts)
    yield chosen
    for parts in chosen[:MOST]:
        yield from ((rotated,) for rotated in _rotations(parts))


def _rotations(parts: Choice) -> Iterator[Choice]:
    """The parts, each of them first once."""
    return ((part, *parts[:n], *parts[n + 1 :]) for n, part in enumerate(parts))


def _live_together(graph: Graph) -> list[Buffer]:
    """The buffers, all live at one time: parts that are apart then are apart in every order."""
    return [Buffer(size, 0, 0) for size in graph.sizes]


def _nest_choice(graph: Graph, choice: tuple[Choice, ...]) -> Graph:
    """The graph of a choice; wholes that are parts of others come before those."""
    inside = {part.part for parts in choice for part in parts}
    ops = (
        op._replace(may_inplace=tuple(pair for pair in op.may_inplace if inside.isdisjoint(pair))) for op in graph.ops
    )
    graph = graph._replace(ops=tuple(ops))
    for parts in choice:
        graph = nest_parts(graph, [p.part for p in parts], parts[0].part, parts[0].whole)
    return graph


def _offsets(offsets: Sequence[int | None], parts: Sequence[Subbuffer]) -> tuple[int | None, ...]:
    """With those of the parts, which follow their wholes."""
    result = list(offsets)
    for part, whole, offset in reversed(parts):
        base = result[whole]
        result[part] = base + offset if base is not None else None
    return tuple(result)


def _least(graph: Graph, usable: Sequence[Subbuffer], limit: TimeLimit) -> int:
    """A bound for all choices: parts need nothing, and a whole begins where it is written."""
    inside = {p.part for p in usable}
    sizes = tuple(0 if n in inside else size for n, size in enumerate(graph.sizes))
    return schedule(graph._replace(sizes=sizes), any_order(graph), seconds=limit.left).bound
