"""Orders where a buffer may lie in another one for as long as it is live, or in memory that is not the arena's.

A buffer that is in place in a result's own memory takes no bytes of the arena. A buffer that a result may be written
over is in that result's memory if the op that writes the result is its last reader: for certain where it is the only
reader, else by choice, as a graph in which the other readers come first. The same holds for results that are written
over memory that was given away.

Buffers that are parts of another one (operands of a concat) may be made there, and what they are written over with
them. That one then begins with the first of them, which is a choice too.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from lastuse.passes.planning.graph import Graph, nest_parts, permitted, readers_of, writers_of

Pair = tuple[int, int]


class ExternalBuffers(NamedTuple):
    """
    Buffers, of no bytes in their graph, whose memory is not the arena's.

    Attributes:
        ends: of results.
        begins: of arguments that may be written.
        parts: buffers, in the arena or not, and those that may be made in their parts of it.
    """

    ends: frozenset[int]
    begins: frozenset[int]
    parts: Mapping[int, tuple[int, ...]]


class Variant(NamedTuple):
    """
    A graph with choices made.

    Attributes:
        graph: what is outside has no bytes, and no permissions.
        forced: pairs of a read and a write for which other readers of the read come first, and of a part and its whole
            for which other parts come behind.
        options: further pairs that could be forced.
    """

    graph: Graph
    forced: frozenset[Pair]
    options: tuple[Pair, ...]


class _Uses(NamedTuple):
    """
    Who reads and writes the buffers of a graph.

    Attributes:
        graph: the graph.
        readers, writer: by buffer, as `readers_of` and `writers_of` have them.
        excluded: buffers that no op may write over.
    """

    graph: Graph
    readers: Mapping[int, list[int]]
    writer: Mapping[int, int]
    excluded: frozenset[int]

    @staticmethod
    def of(graph: Graph) -> _Uses:
        """Those of a graph."""
        return _Uses(graph, readers_of(graph), writers_of(graph), graph.kept | graph.not_overwritable)

    def overwritable_by(self, part: int) -> Iterator[tuple[int, bool]]:
        """What a part may be written over in the arena, and whether its op is the only one that reads that."""
        for read, write in self.graph.ops[self.writer[part]].may_inplace:
            if write == part and read in self.writer and self.graph.sizes[read] and read not in self.excluded:
                yield read, len(self.readers[read]) == 1

    def roots(self, part: int) -> Iterator[int]:
        """What a part could be written over, or what that is written over for certain, if other readers come first."""
        waiting = [part]
        while waiting:
            for read, is_last in self.overwritable_by(waiting.pop()):
                if is_last:
                    waiting.append(read)
                else:
                    yield read


def variant(graph: Graph, outside: ExternalBuffers, forced: frozenset[Pair]) -> Variant:
    """The graph with these choices, which have to be among the options of a variant with all but one of them."""
    return Variants(graph, outside).of(forced)


class Variants:
    """
    The variants of a graph, each made once.

    Attributes:
        graph: the graph.
        outside: its buffers outside the arena.
        readers, writer: by buffer, as `readers_of` and `writers_of` have them.
    """

    def __init__(self, graph: Graph, outside: ExternalBuffers) -> None:
        self.graph, self.outside = graph, outside
        self._uses = _Uses.of(graph)
        self.readers, self.writer = self._uses.readers, self._uses.writer
        self._made: dict[frozenset[Pair], Variant] = {}

    def of(self, forced: frozenset[Pair] = frozenset()) -> Variant:
        """The variant with these choices, as `variant` has it."""
        made = self._made.get(forced)
        if made is None:
            graph = nested(self.graph, self.outside, forced)
            uses = self._uses if graph is self.graph else _Uses.of(graph)
            made = self._made[forced] = _variant(uses, self.outside, forced)
        return made


def _variant(uses: _Uses, outside: ExternalBuffers, forced: frozenset[Pair]) -> Variant:
    """That of a graph in which the forced parts are made in their wholes."""
    graph, readers = uses.graph, uses.readers
    sizes, edges = list(graph.sizes), list(graph.edges)
    wholes = {whole for _, whole in forced}
    options: list[Pair] = []

    def move_out(number: int, outside: set[int], outer: int, excluded: Container[int]) -> None:
        """Buffers that an op has in place with one outside are there too, one for each: where the op is the last
        reader, as the only one or because it is forced to be. `outer`: which of a pair is outside."""
        hosts: set[int] = set()
        for pair in graph.ops[number].may_inplace:
            host, other = pair[outer], pair[1 - outer]
            if host not in outside or host in hosts or not sizes[other] or pair[0] in excluded:
                continue
            readers_before = [n for n in readers[pair[0]] if n != number]
            if readers_before and pair not in forced:
                options.append(pair)
                continue
            edges.extend((n, number) for n in readers_before)
            sizes[other] = 0
            outside.add(other)
            hosts.add(host)

    ends, begins = set(outside.ends), set(outside.begins)
    excluded = uses.excluded.union(set(range(len(sizes))) - uses.writer.keys())
    for number, op in reversed(list(enumerate(graph.ops))):
        for whole in op.writes if outside.parts else ():
            parts = [p for p in outside.parts.get(whole, ()) if sizes[p] and whole not in wholes]
            if whole in ends:
                ends.update(parts)
                for part in parts:
                    sizes[part] = 0
            else:
                options += [(part, whole) for part in parts]
                options += [(read, whole) for part in parts for read in uses.roots(part)]
        if op.may_inplace:
            move_out(number, ends, 1, excluded)
    for number in range(len(graph.ops)) if begins else ():
        move_out(number, begins, 0, graph.kept)
    changed = graph._replace(sizes=tuple(sizes), ops=permitted(graph.ops, sizes), edges=tuple(dict.fromkeys(edges)))
    return Variant(changed, forced, tuple(options))


def nested(graph: Graph, outside: ExternalBuffers, forced: Iterable[Pair]) -> Graph:
    """The graph in which the forced parts are made in their wholes; other pairs change nothing."""
    for first, whole in sorted(forced):
        if whole in outside.parts:
            graph = _nest_forced(graph, outside.parts[whole], first, whole)
    return graph


def _nest_forced(graph: Graph, parts: Iterable[int], first: int, whole: int) -> Graph:
    """
    The graph in which the parts lie in `whole`, and what they are written over too: where that has other readers, only
    if it is `first`, and they come first. `whole` begins with `first`, or with what that is written over.
    """
    uses = _Uses.of(graph)
    inside = dict.fromkeys(part for part in parts if graph.sizes[part])
    waiting, edges = list(inside), list(graph.edges)
    begin = first
    while waiting:
        part = waiting.pop()
        hosts = [r for r, is_last in uses.overwritable_by(part) if r not in inside and (is_last or r == first)]
        if not hosts:
            continue
        host = first if first in hosts else hosts[0]
        edges += [(reader, uses.writer[part]) for reader in uses.readers[host] if reader != uses.writer[part]]
        inside[host] = None
        waiting.append(host)
        if part == begin:
            begin = host
    return nest_parts(graph._replace(edges=tuple(edges)), list(inside), begin, whole)
