"""Buffers that may lie in another one, at a given place: operands of a concat, made where they belong.

A part that lies in its whole needs no bytes of its own, and the op that would put it there has nothing to do for it.
The whole is taken from when the first of them is made, and as long as any of them is read. Which of them is the first
is a choice too: each choice is a graph of its own, in which the whole is written by the op that makes that part.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, product
from typing import NamedTuple

from lastuse.passes.planning.graph import Graph, any_order, readers_of, writers_of
from lastuse.passes.planning.joint_search import Joint, joint
from lastuse.passes.planning.planner import Error, Proof
from lastuse.passes.planning.schedule import schedule

MOST = 400
"""Choices that are looked at at most, if there are no more; of more, those with all parts of a whole or none."""


class Subbuffer(NamedTuple):
    """The buffer `part` may lie in the buffer `whole`, so many bytes from its start; an op reads the one and writes the
    other."""

    part: int
    whole: int
    offset: int


class InParts(NamedTuple):
    """
    An order, what it has in place and in parts, and offsets of all buffers.

    Attributes:
        graph: what was chosen, as a graph: `joint` is about it.
        parts: those that lie in their whole.
        offsets: of each buffer, None of those that are never live.
        joint: the order and the arena; its bound and proof are about all choices.
    """

    graph: Graph
    parts: tuple[Subbuffer, ...]
    offsets: tuple[int | None, ...]
    joint: Joint


_Choice = tuple[tuple[Subbuffer, ...], ...]
"""For each whole that has some the parts that lie in it, the first to be made first."""


def joint_in_parts(
    graph: Graph, permitted: Sequence[Subbuffer], given: Sequence[int] | None = None, *, seconds: float = 0.0
) -> InParts:
    """
    The smallest arena of all orders, in-place choices, offsets and parts; never a larger one than `given` has.

    What lies in its part is written over nothing, and nothing over it, nor over the whole by an op that reads the part.

    Raises:
        Error: a part that does not lie inside, or that no op reads to write the whole; and as `joint` does.
    """
    started = time.perf_counter()
    end = started + seconds if seconds else 0.0
    usable = _usable(graph, permitted)
    best = InParts(graph, (), (), joint(graph, given, seconds=seconds / 2 if usable else seconds))
    best = best._replace(offsets=best.joint.arena.offsets)
    bounds, orders = [best.joint.bound], [best.joint.schedule.bound]
    choices = list(islice(_choices(graph, usable), MOST + 1))
    is_whole = len(choices) <= MOST
    for choice in choices if is_whole else _few(graph, usable):
        if end and time.perf_counter() > end:
            is_whole = False
            break
        changed = _chosen(graph, choice)
        order = any_order(changed)
        if order is None:
            continue
        left = max(1e-3, end - time.perf_counter()) if end else 0.0
        found = joint(changed, order, seconds=left)
        bounds.append(found.bound)
        orders.append(found.schedule.bound)
        if found.arena.plan.peak < best.joint.arena.plan.peak:
            parts = tuple(part for chosen in choice for part in chosen)
            best = InParts(changed, parts, _offsets(found.arena.offsets, parts), found)
    peak, least = best.joint.arena.plan.peak, _least(graph, usable, end)
    bound = max(least, min(bounds)) if is_whole else least
    whole = best.joint
    if usable:
        live = whole.schedule.peak
        order = whole.schedule._replace(bound=min(live, max(least, min(orders)) if is_whole else least))
        order = order._replace(proof=_proof(live, order.bound, least))
        whole = Joint(order, whole.arena, min(bound, peak), _proof(peak, bound, least), 0.0)
    return best._replace(joint=whole._replace(seconds=time.perf_counter() - started))


def _proof(peak: int, bound: int, least: int) -> Proof:
    return Proof.NONE if bound < peak else Proof.REACHED if least == peak else Proof.EXHAUSTED


def in_parts(graph: Graph, parts: Sequence[int], first: int, whole: int) -> Graph:
    """The graph in which `whole` begins where `first` is written, and all parts that still have bytes lie in it."""
    parts = [part for part in parts if graph.sizes[part]]
    if first not in parts:
        return graph
    writer, readers = writers_of(graph), readers_of(graph)
    ops, edges, sizes = list(graph.ops), list(graph.edges), list(graph.sizes)
    end, begin = writer[whole], writer[first]
    # It is complete when the op has run that writes it, though it begins earlier.
    edges += [(end, reader) for reader in readers.get(whole, ())]
    ops[end] = ops[end]._replace(
        writes=tuple(w for w in ops[end].writes if w != whole),
        may_inplace=tuple(p for p in ops[end].may_inplace if p[1] != whole),
    )
    ops[begin] = ops[begin]._replace(writes=(*ops[begin].writes, whole))
    for part in parts:
        sizes[part] = 0
        edges += [(begin, writer[part])] if writer[part] != begin else []
        for reader in readers.get(part, ()):
            # What is written over the whole there would be written over the part too.
            pairs = tuple(pair for pair in ops[reader].may_inplace if pair[0] != whole)
            reads = dict.fromkeys((*ops[reader].reads, whole))
            ops[reader] = ops[reader]._replace(reads=tuple(reads), may_inplace=pairs)
    return graph._replace(sizes=tuple(sizes), ops=tuple(ops), edges=tuple(edges))


def _usable(graph: Graph, permitted: Sequence[Subbuffer]) -> tuple[Subbuffer, ...]:
    """Those that gain anything, the wholes that are made first first. Raises Error."""
    writer, sizes = writers_of(graph), graph.sizes
    for part, whole, offset in permitted:
        if whole not in writer or part not in graph.ops[writer[whole]].reads:
            raise Error(f"no op reads buffer {part} and writes buffer {whole}")
        if offset < 0 or offset + sizes[part] > sizes[whole]:
            raise Error(f"buffer {part} does not lie inside buffer {whole} at {offset}")
    order = any_order(graph)
    at = {op: n for n, op in enumerate(order)} if order is not None else {}
    able = [p for p in dict.fromkeys(permitted) if p.part in writer and p.part not in graph.kept and sizes[p.part]]
    return tuple(sorted(able, key=lambda p: at.get(writer[p.whole], 0)))


def _choices(graph: Graph, usable: Sequence[Subbuffer]) -> Iterator[_Choice]:
    """All choices that have any parts."""
    options: dict[int, list[Subbuffer | None]] = {}
    for permission in usable:
        options.setdefault(permission.part, [None]).append(permission)
    for picked in product(*options.values()):
        wholes: dict[int, list[Subbuffer]] = {p.whole: [] for p in usable}
        for permission in picked:
            if permission is not None:
                wholes[permission.whole].append(permission)
        chosen = [parts for parts in wholes.values() if parts]
        if chosen and all(_are_apart(graph, parts) for parts in chosen):
            yield from product(*([_first(parts, n) for n in range(len(parts))] for parts in chosen))


def _few(graph: Graph, usable: Sequence[Subbuffer]) -> Iterator[_Choice]:
    """Of each whole all parts that are apart, or none: one whole, then all of them, in the order they are permitted."""
    wholes: dict[int, list[Subbuffer]] = {}
    taken: set[int] = set()
    for permission in usable:
        parts = wholes.setdefault(permission.whole, [])
        if permission.part not in taken and _are_apart(graph, [*parts, permission]):
            parts.append(permission)
            taken.add(permission.part)
    chosen = [parts for parts in wholes.values() if parts]
    yield tuple(tuple(parts) for parts in chosen)
    for parts in chosen[:MOST]:
        yield from ((_first(parts, n),) for n in range(len(parts)))


def _first(parts: Sequence[Subbuffer], n: int) -> tuple[Subbuffer, ...]:
    return (parts[n], *parts[:n], *parts[n + 1 :])


def _are_apart(graph: Graph, parts: Sequence[Subbuffer]) -> bool:
    spans = sorted((p.offset, p.offset + graph.sizes[p.part]) for p in parts)
    return all(end <= begin for (_, end), (begin, _) in pairwise(spans))


def _chosen(graph: Graph, choice: _Choice) -> Graph:
    """The graph of a choice; wholes that are parts of others come before those."""
    inside = {part.part for parts in choice for part in parts}
    ops = (
        op._replace(may_inplace=tuple(pair for pair in op.may_inplace if inside.isdisjoint(pair))) for op in graph.ops
    )
    graph = graph._replace(ops=tuple(ops))
    for parts in choice:
        graph = in_parts(graph, [p.part for p in parts], parts[0].part, parts[0].whole)
    return graph


def _offsets(offsets: Sequence[int | None], parts: Sequence[Subbuffer]) -> tuple[int | None, ...]:
    """With those of the parts, which follow their wholes."""
    found = list(offsets)
    for part, whole, offset in reversed(parts):
        base = found[whole]
        found[part] = base + offset if base is not None else None
    return tuple(found)


def _least(graph: Graph, usable: Sequence[Subbuffer], end: float) -> int:
    """A bound for all choices: parts need nothing, and a whole begins where it is written."""
    inside = {p.part for p in usable}
    sizes = tuple(0 if n in inside else size for n, size in enumerate(graph.sizes))
    left = max(1e-3, end - time.perf_counter()) if end else 0.0
    return schedule(graph._replace(sizes=sizes), any_order(graph), seconds=left).bound
