"""Buffers nested in others, against every choice, order and offset; bytes are shared only as permitted."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator, Sequence

import pytest
from problems import least_peak, overlaps
from test_orders import first_order, order_before, random_graph

from lastuse.passes.planning import subbuffers
from lastuse.passes.planning.graph import Graph
from lastuse.passes.planning.joint_search import JointPlan, joint_plan_with_parts
from lastuse.passes.planning.planner import Buffer, LiveRange, Plan, Proof, plan
from lastuse.passes.planning.subbuffers import Subbuffer, plan_subbuffers

GRAPHS = int(os.environ.get("LASTUSE_JOINT", "60"))
NESTED = (407,)
"""Where a part of a part would be at no multiple of its alignment."""


def random_buffers(seed: int) -> tuple[list[Buffer], list[Subbuffer]]:
    """Up to seven buffers, some with a hole, alignments and a fixed place; up to five permissions."""
    chance = random.Random(seed)
    buffers: list[Buffer] = []
    for _ in range(chance.randint(2, 7)):
        first = chance.randint(0, 6)
        last = first + chance.randint(0, 3)
        later = last + chance.randint(2, 3)
        size = chance.randint(1, 8)
        further = (LiveRange(later, later + 1, chance.randint(1, size)),) if chance.random() < 0.2 else ()
        buffers.append(Buffer(size, first, last, chance.choice((1, 1, 2)), None, further))
    if chance.random() < 0.2:
        buffers[0] = buffers[0]._replace(fixed=chance.randint(0, 4))
    permitted: list[Subbuffer] = []
    for _ in range(chance.randint(1, 5)):
        whole, part = sorted(chance.sample(range(len(buffers)), 2))
        room = buffers[whole].size - buffers[part].size
        if room >= 0:
            permitted += [Subbuffer(part, whole, at) for at in {chance.randint(0, room), chance.randint(0, room)}]
    return buffers, permitted


def lying(offsets: Sequence[int], parts: Sequence[Subbuffer]) -> set[tuple[int, int]]:
    """Pairs of which one lies in the other, or in what lies in it, each at the place that is permitted."""
    of = {p.part: p for p in parts}
    pairs: set[tuple[int, int]] = set()
    for part in of:
        inner = part
        while inner in of:
            permission = of[inner]
            assert offsets[inner] == offsets[permission.whole] + permission.offset
            inner = permission.whole
            pairs.add((min(part, inner), max(part, inner)))
    return pairs


def held(buffers: Sequence[Buffer], parts: Sequence[Subbuffer]) -> list[Buffer] | None:
    """The wholes taken as long as what lies in them, time by time; the rest as it is. None where parts meet."""
    of = {p.part: p for p in parts}

    def outer(n: int) -> int:
        return outer(of[n].whole) if n in of else n

    def at(n: int) -> int:
        return at(of[n].whole) + of[n].offset if n in of else 0

    times = range(40)

    def lives(n: int, time: int) -> bool:
        mine = any(p.lower <= time < p.upper for p in buffers[n].live_ranges)
        return mine or any(lives(p.part, time) for p in parts if p.whole == n)

    for a, b in itertools.combinations(of, 2):
        share = max(at(a), at(b)) < min(at(a) + buffers[a].size, at(b) + buffers[b].size)
        if of[a].whole == of[b].whole and share and any(lives(a, t) and lives(b, t) for t in times):
            return None
    found: list[Buffer] = []
    for n, buffer in enumerate(buffers):
        subbuffers = [p.part for p in parts if outer(p.part) == n]
        if n in of:
            found.append(Buffer(0, 0, -1))
        elif subbuffers:
            pieces = [LiveRange(t, t + 1, buffer.size) for t in times if lives(n, t)]
            alignment = max(buffers[m].alignment for m in (n, *subbuffers))
            first, *others = pieces
            found.append(Buffer(buffer.size, first.lower, first.lower, alignment, buffer.fixed, tuple(others)))
        else:
            found.append(buffer)
    return found


def is_aligned(buffers: Sequence[Buffer], choice: Sequence[Subbuffer]) -> bool:
    of = {p.part: p for p in choice}
    for part in of:
        inner, at = part, 0
        while inner in of:
            at, inner = at + of[inner].offset, of[inner].whole
            if (at + (buffers[inner].fixed or 0)) % buffers[part].alignment:
                return False
        if buffers[part].fixed is not None:
            return False
    return True


@pytest.mark.parametrize("algorithm", ["best", "exact"])
def test_nested_plan_equals_the_best_of_all_choices(algorithm: str) -> None:
    for seed in [*range(2 * GRAPHS), *NESTED]:
        buffers, permitted = random_buffers(seed)
        found = plan_subbuffers(buffers, permitted, algorithm)
        offsets, parts = found.plan.offsets, found.parts
        assert set(parts) <= set(permitted) and len({p.part for p in parts}) == len(parts)
        assert set(overlaps(buffers, offsets)) <= lying(offsets, parts), seed
        assert found.plan.peak == max(
            o + max(p.size for p in b.live_ranges) for o, b in zip(offsets, buffers, strict=True)
        )
        assert all(o % b.alignment == 0 or b.fixed == o for o, b in zip(offsets, buffers, strict=True))
        least = 1 << 60
        for count in range(len(permitted) + 1):
            for choice in itertools.combinations(dict.fromkeys(permitted), count):
                if len({p.part for p in choice}) == count and is_aligned(buffers, choice):
                    whole = held(buffers, choice)
                    least = min(least, least_peak(whole)) if whole is not None else least
        assert found.plan.bound <= least, seed
        assert found.plan.peak == least or algorithm == "best", seed
        assert (found.plan.proof is Proof.NONE) == (found.plan.bound < found.plan.peak)


def test_many_compatible_permissions_are_all_taken() -> None:
    """There are too many choices to enumerate; taking all at once is best."""
    buffers = [Buffer(1, n, 40) for n in range(20)] + [Buffer(20, 30, 40)]
    found = plan_subbuffers(buffers, [Subbuffer(n, 20, n) for n in range(20)])
    assert len(found.parts) == 20 and found.plan.peak == 20 and found.plan.proof is Proof.REACHED


@pytest.mark.parametrize("algorithm", ["best", "exact"])
def test_few_compatible_of_many_permissions_are_found(algorithm: str) -> None:
    """All permit one place at one time: few of 2^60 choices are compatible, and they are found buffer by buffer."""
    buffers = [*(Buffer(4, 2, 3) for _ in range(60)), Buffer(16, 5, 5)]
    found = plan_subbuffers(buffers, [Subbuffer(n, 60, 0) for n in range(60)], algorithm)
    assert (found.plan.peak, found.plan.proof) == (240, Proof.EXHAUSTED)


def test_long_chain_of_nested_buffers_is_planned() -> None:
    """Longer than Python's recursion limit."""
    buffers = [Buffer(4, n, n + 1) for n in range(1500)]
    found = plan_subbuffers(buffers, [Subbuffer(n, n + 1, 0) for n in range(1499)])
    assert (found.plan.peak, len(found.parts), set(found.plan.offsets)) == (4, 1499, {0})


def test_results_of_quick_looks_survive_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The full search may use up the time; the results of the quick looks are kept. Five bytes are not enough here."""
    lives = [(3, 0, 0), (2, 1, 1), (1, 2, 2), (2, 0, 2), (3, 3, 3), (1, 1, 3), (1, 2, 4), (4, 4, 4)]
    buffers = [*(Buffer(*life) for life in lives), Buffer(1, 0, -1), Buffer(1, 0, -1)]
    looks: list[str] = []

    def watched(buffers: Sequence[Buffer], algorithm: str, *, seconds: float) -> Plan:
        looks.append(algorithm)
        found = plan(buffers, algorithm, seconds=seconds)
        return found._replace(bound=0) if algorithm == "best" else found

    monkeypatch.setattr(subbuffers, "plan", watched)
    found = plan_subbuffers(buffers, [Subbuffer(8, 9, 0)], "exact")
    assert (found.plan.peak, found.plan.proof) == (6, Proof.EXHAUSTED)
    assert looks == ["best", "best", "exact", "exact"]


def random_parts(graph: Graph, seed: int) -> list[Subbuffer]:
    """Some of the reads of each op at places in its writes."""
    chance = random.Random(seed)
    found: list[Subbuffer] = []
    for op in graph.ops:
        for read, write in itertools.product(op.reads, op.writes):
            room = graph.sizes[write] - graph.sizes[read]
            if room >= 0 and chance.random() < 0.7:
                found.append(Subbuffer(read, write, chance.randint(0, room)))
    return found


def orders(graph: Graph, done: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    if len(done) == len(graph.ops):
        yield done
    for op, needed in enumerate(order_before(graph)):
        if op not in done and needed <= set(done):
            yield from orders(graph, (*done, op))


def lives(graph: Graph, order: Sequence[int], parts: Sequence[Subbuffer]) -> dict[int, tuple[int, int]]:
    """First and last time of each buffer that is live; a whole's are those of all that lies in it too."""
    at = {op: time for time, op in enumerate(order)}
    found: dict[int, tuple[int, int]] = {}
    for n in range(len(graph.sizes)):
        writer = next((op for op, o in enumerate(graph.ops) if n in o.writes), None)
        readers = [at[op] for op, o in enumerate(graph.ops) if n in o.reads]
        first = at[writer] if writer is not None else 0
        if writer is not None or readers or n in graph.kept:
            found[n] = first, max([first, *readers, *([len(order) - 1] if n in graph.kept else [])])
    for _ in graph.sizes:
        for part, whole, _ in parts:
            spans = found[part], found[whole]
            found[whole] = min(s[0] for s in spans), max(s[1] for s in spans)
    return found


def least_of(graph: Graph, permitted: Sequence[Subbuffer], known: int) -> int:
    """The smallest arena of all orders, parts and pairs in place, if it is below `known`."""
    writer = {w: n for n, op in enumerate(graph.ops) for w in op.writes}
    able = [p for p in dict.fromkeys(permitted) if p.part in writer and p.part not in graph.kept]
    pairs = [pair for op in graph.ops for pair in op.may_inplace]
    for order in orders(graph):
        for count in range(len(able) + 1):
            for parts in itertools.combinations(able, count):
                subbuffers = {p.part: p for p in parts}
                if len(subbuffers) < count or any(_meet(graph, a, b) for a, b in itertools.combinations(parts, 2)):
                    continue
                found = lives(graph, order, parts)
                usable = [
                    (r, w)
                    for r, w in dict.fromkeys(pairs)
                    if r in found
                    and r not in graph.not_overwritable
                    and r not in graph.kept
                    and r not in subbuffers
                    and w not in subbuffers
                    if graph.sizes[w] <= graph.sizes[r] and found[r][1] == found[w][0]
                    if not any(_lies_in(p, r, subbuffers) for p in graph.ops[writer[w]].reads)
                ]
                for over in _matchings(usable):
                    known = min(known, _packed(graph, found, set(subbuffers), over))
    return known


def _lies_in(n: int, whole: int, subbuffers: dict[int, Subbuffer]) -> bool:
    return n in subbuffers and (subbuffers[n].whole == whole or _lies_in(subbuffers[n].whole, whole, subbuffers))


def _meet(graph: Graph, a: Subbuffer, b: Subbuffer) -> bool:
    ends = min(a.offset + graph.sizes[a.part], b.offset + graph.sizes[b.part])
    return a.whole == b.whole and max(a.offset, b.offset) < ends


def _matchings(usable: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], ...]]:
    for count in range(len(usable) + 1):
        for chosen in itertools.combinations(usable, count):
            if len({r for r, _ in chosen}) == len({w for _, w in chosen}) == count:
                yield chosen


def _packed(
    graph: Graph, found: dict[int, tuple[int, int]], subbuffers: set[int], over: Sequence[tuple[int, int]]
) -> int:
    host = {w: r for r, w in over}
    runs: dict[int, list[LiveRange]] = {}
    for n, (first, last) in sorted(found.items(), key=lambda item: item[1]):
        top = n
        while top in host:
            top = host[top]
        if n not in subbuffers:
            runs.setdefault(top, []).append(LiveRange(first + (n in host), last + 1, graph.sizes[n]))
    buffers = [Buffer(p[0].size, p[0].lower, p[0].upper - 1, later_ranges=tuple(p[1:])) for p in runs.values()]
    return plan(buffers, "exact").peak


def check_parts(graph: Graph, permitted: Sequence[Subbuffer], found: JointPlan) -> None:
    """Nothing shares a byte at a time but a write and the read it lies over, and a part and what it lies in."""
    order, over = found.schedule.order, set(found.schedule.inplace)
    assert sorted(order) == list(range(len(graph.ops)))
    assert all(needed <= set(order[: order.index(op)]) for op, needed in enumerate(order_before(graph)))
    assert set(found.parts) <= set(permitted)
    assert not any({p.part, p.whole} == set(pair) for p in found.parts for pair in over)
    offsets = [o if o is not None else -1 for o in found.arena.offsets]
    subbuffers = lying(offsets, found.parts)
    alive = lives(graph, order, found.parts)
    for a, b in itertools.combinations(alive, 2):
        meet = max(alive[a][0], alive[b][0]) <= min(alive[a][1], alive[b][1])
        share = max(offsets[a], offsets[b]) < min(offsets[a] + graph.sizes[a], offsets[b] + graph.sizes[b])
        if meet and share and (a, b) not in subbuffers:
            assert (a, b) in over or (b, a) in over
            assert offsets[a] == offsets[b]
    assert found.arena.plan.peak == max((offsets[n] + graph.sizes[n] for n in alive if graph.sizes[n]), default=0)


@pytest.mark.parametrize("group", range(max(1, GRAPHS // 20)))
def test_joint_plan_with_subbuffers_equals_the_best_of_all_choices(group: int) -> None:
    lay = 0
    for seed in range(20 * group, 20 * group + 20):
        graph = random_graph(seed, 5)
        permitted = random_parts(graph, seed)
        found = joint_plan_with_parts(graph, permitted, first_order(graph))
        check_parts(graph, permitted, found)
        peak = found.arena.plan.peak
        assert found.arena.plan.proof is not Proof.NONE and found.arena.plan.bound == peak, seed
        assert least_of(graph, permitted, peak) == peak, seed
        lay += len(found.parts)
    assert lay, "some lie in their parts"
