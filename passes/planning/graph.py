"""Ops and the buffers they read and write, as the search for their order sees them: numbers alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Op(NamedTuple):
    """Buffers, by number, that an op reads and writes, and pairs of a read and a write that may be written over it."""

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    may_inplace: tuple[tuple[int, int], ...] = ()

    def renumbered(self, number: Mapping[int, int]) -> Op:
        """The op with other numbers for its buffers."""
        pairs = tuple((number[read], number[write]) for read, write in self.may_inplace)
        return Op(tuple(number[b] for b in self.reads), tuple(number[b] for b in self.writes), pairs)


class Graph(NamedTuple):
    """
    Ops and their buffers. A buffer that no op writes is there from the start.

    Attributes:
        sizes: bytes of each buffer.
        kept: buffers that stay to the end; the others go after the last op that reads them.
        lent: buffers that nothing may be written over.
        edges: pairs of ops of which the first has to run first, besides those that write what the others read.
    """

    sizes: tuple[int, ...]
    kept: frozenset[int]
    lent: frozenset[int]
    ops: tuple[Op, ...]
    edges: tuple[tuple[int, int], ...] = ()
