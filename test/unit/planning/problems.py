"""Plain oracles of plans and orders, and strategies that make problems."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st

from lastuse.passes.planning.graph import Graph, ScheduledOp
from lastuse.passes.planning.planner import Buffer, LiveRange, Plan


def overlaps(buffers: Sequence[Buffer], offsets: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of buffers that share a byte at a time."""
    found: list[tuple[int, int]] = []
    pairs = itertools.combinations(range(len(buffers)), 2)
    for one, other in pairs:
        for a, b in itertools.product(buffers[one].live_ranges, buffers[other].live_ranges):
            in_time = max(a.lower, b.lower) < min(a.upper, b.upper)
            low, high = max(offsets[one], offsets[other]), min(offsets[one] + a.size, offsets[other] + b.size)
            if in_time and low < high:
                found.append((one, other))
    return found


def check(buffers: Sequence[Buffer], plan: Plan, alignment: int = 1) -> None:
    """Everything a plan promises, but that its bound is one."""
    assert len(plan.offsets) == len(buffers)
    assert not overlaps(buffers, plan.offsets)
    sizes = [max((p.size for p in b.live_ranges if p.lower < p.upper), default=0) for b in buffers]
    for buffer, offset, size in zip(buffers, plan.offsets, sizes, strict=True):
        assert offset >= 0
        if buffer.fixed is not None and size:
            assert offset == buffer.fixed
        elif buffer.fixed is None:
            assert offset % buffer.alignment == 0 and offset % alignment == 0
    assert plan.peak == max((o + s for o, s in zip(plan.offsets, sizes, strict=True) if s), default=0)
    assert plan.bound <= plan.peak
    assert (plan.proof.value != "none") == (plan.bound == plan.peak)


def least_peak(buffers: Sequence[Buffer]) -> int:
    """
    The least peak by trying every order: some order places a best plan, each buffer as low as it fits. Of orders that
    have led to the same places so far one goes on, and none that is no better than the best.
    """
    least, seen = 1 << 60, set[frozenset[tuple[int, int]]]()

    def place(placed: dict[int, int], peak: int) -> None:
        nonlocal least
        key = frozenset(placed.items())
        if peak >= least or key in seen:
            return
        seen.add(key)
        if len(placed) == len(buffers):
            least = peak
        for n in range(len(buffers)):
            if n not in placed:
                at = _lowest(buffers, placed, n)
                place({**placed, n: at}, max(peak, at + _height(buffers[n])))

    fixed = {n: b.fixed for n, b in enumerate(buffers) if b.fixed is not None}
    place(fixed, max((at + _height(buffers[n]) for n, at in fixed.items()), default=0))
    return least


def _height(buffer: Buffer) -> int:
    return max(p.size for p in buffer.live_ranges)


def _lowest(buffers: Sequence[Buffer], placed: dict[int, int], n: int) -> int:
    mine = buffers[n]
    blocked = [  # offsets between which `mine` would share a byte with what is placed
        (at - x.size, at + y.size)
        for m, at in placed.items()
        for x, y in itertools.product(mine.live_ranges, buffers[m].live_ranges)
        if max(x.lower, y.lower) < min(x.upper, y.upper)
    ]
    places = sorted({0, *(-(-end // mine.alignment) * mine.alignment for _, end in blocked if end > 0)})
    return next(at for at in places if not any(low < at < high for low, high in blocked))


@st.composite
def buffer(draw: st.DrawFn, alignments: Sequence[int] = (1,), pieces: int = 1) -> Buffer:
    """A buffer with sizes from 1 to 9 and times from 0 to 12, `pieces` of them at most with holes between."""
    time = draw(st.integers(0, 6))
    made: list[LiveRange] = []
    for _ in range(draw(st.integers(1, pieces))):
        lower = time + draw(st.integers(0, 2))
        time = lower + draw(st.integers(1, 4))
        made.append(LiveRange(lower, time, draw(st.integers(1, 9))))
    first = made[0]
    return Buffer(first.size, first.lower, first.upper - 1, draw(st.sampled_from(alignments)), None, tuple(made[1:]))


@st.composite
def full(draw: st.DrawFn) -> list[Buffer]:
    """Up to about 10 buffers, as many bytes of them live at one time as at any other."""
    load = draw(st.integers(3, 6))
    live: list[tuple[int, int]] = []
    made: list[Buffer] = []
    for time in range(draw(st.integers(2, 4))):
        count = draw(st.integers(1, 2)) if live else 0
        for _ in range(min(count, len(live))):
            size, first = live.pop(draw(st.integers(0, len(live) - 1)))
            made.append(Buffer(size, first, time - 1))
        while (room := load - sum(size for size, _ in live)) > 0:
            live.append((draw(st.integers(1, room)), time))
    return [*made, *(Buffer(size, first, 5) for size, first in live)]


def read_csv(path: Path) -> list[Buffer]:
    """The buffers of a file of `id,lower,upper,size`."""
    with path.open() as file:
        rows = [(int(r["size"]), int(r["lower"]), int(r["upper"]) - 1) for r in csv.DictReader(file)]
    return [Buffer(*row) for row in rows]


def read_graph(path: Path, inplace: bool) -> tuple[Graph, dict[str, int]]:
    """A graph of ../shared/planning/schedules, and its best known figures."""
    data = json.loads(path.read_text())
    number = {b["id"]: n for n, b in enumerate(data["buffers"])}

    def numbers(names: list[str]) -> tuple[int, ...]:
        return tuple(number[name] for name in names)

    ops = tuple(
        ScheduledOp(
            numbers(o["reads"]), numbers(o["writes"]), tuple((number[r], number[w]) for r, w in o["may_inplace"])
        )
        if inplace
        else ScheduledOp(numbers(o["reads"]), numbers(o["writes"]))
        for o in data["ops"]
    )
    sizes = tuple(b["bytes"] for b in data["buffers"])
    graph = Graph(sizes, frozenset(numbers(data["outputs"])), frozenset(numbers(data["inputs"])), ops)
    return graph, data["results"]["inplace" if inplace else "plain"]
