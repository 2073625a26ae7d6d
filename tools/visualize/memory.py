"""A memory map: which bytes of one arena are taken at which step, and by what. No IR here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple


class BoxKind(str, Enum):
    """What a box holds."""

    VALUE = "value"
    SCRATCH = "scratch"
    """What one op needs while it runs."""
    ASIDE = "aside"
    """What the moves of a boundary copy to a temporary, or what a call gets as a copy."""
    FRAME = "frame"
    """The arena of a function that is called."""


@dataclass(frozen=True)
class Value:
    """
    One value that lies in a box.

    Attributes:
        name: as remarks call it.
        op: what makes it.
        line: `file:line:col` of that op, empty if not known.
        nbytes: its bytes.
        begin, end: the half-open range of its bytes, from the start of the arena.
        first, last: the steps, both included, at which it is in use.
        how: how it comes to lie there: "in place over %a", "view of %a", …; empty where it opens the box.
        over: the value it is written over, empty if none.
    """

    name: str
    op: str
    line: str
    nbytes: int
    begin: int
    end: int
    first: int
    last: int
    how: str = ""
    over: str = ""


class BoxSpan(NamedTuple):
    """The bytes from `begin` to `end`, excluded, at the steps `first` to `last`, both included."""

    first: int
    last: int
    begin: int
    end: int


@dataclass(frozen=True)
class Box:
    """
    One storage, and what lies there.

    Attributes:
        pieces: its life, in order, no two at one step: a single one, or several where it has another size after a value
            was written over a larger one.
        values: by the step at which they come.
    """

    kind: BoxKind
    pieces: tuple[BoxSpan, ...]
    values: tuple[Value, ...]

    @cached_property
    def offset(self) -> int:
        return min(piece.begin for piece in self.pieces)

    @cached_property
    def end(self) -> int:
        return max(piece.end for piece in self.pieces)

    @property
    def size(self) -> int:
        return self.end - self.offset

    @property
    def first(self) -> int:
        return self.pieces[0].first

    @property
    def last(self) -> int:
        return self.pieces[-1].last

    @cached_property
    def is_run(self) -> bool:
        """Some value is written over another."""
        return any(value.over for value in self.values)


@dataclass(frozen=True)
class Column:
    """A column of the map: its name, what more there is to say of it, what a scale calls it, its `file:line:col`, and
    what it copies, in words."""

    name: str
    detail: str
    tick: str
    line: str = ""
    copies: tuple[str, ...] = ()


@dataclass(frozen=True)
class Band:
    """Steps that belong together, such as those of a loop's body. `depth` counts the bands around it."""

    label: str
    first: int
    last: int
    depth: int


@dataclass(frozen=True)
class MemoryMap:
    """
    The arena of one function, or of one list of buffers.

    Attributes:
        title: what it is the arena of.
        steps: in order of time.
        boxes: in order of their first step.
        arena: bytes that are allocated.
        bound: no plan of these buffers needs fewer bytes.
        naive: bytes of a place for each value; None if not known.
        planned: the boxes lie where a plan put them; else each has a place of its own.
        bands: regions and blocks.
        outside: values that lie in the caller's memory, with `line` and so on, and `how` saying where.
        time: what the steps are.
        named: the names of the steps stand below them; else what a scale calls them.
        alignment: what sizes are rounded up to where they are added up.
    """

    title: str
    steps: tuple[Column, ...]
    boxes: tuple[Box, ...]
    arena: int
    bound: int
    naive: int | None = None
    planned: bool = True
    bands: tuple[Band, ...] = ()
    outside: tuple[Value, ...] = ()
    time: str = "ops, in order"
    named: bool = True
    alignment: int = 1

    @cached_property
    def live(self) -> tuple[int, ...]:
        """Bytes in use at each step."""
        change = [0] * (len(self.steps) + 1)
        for first, last, begin, end in (piece for box in self.boxes for piece in box.pieces):
            size = -(-(end - begin) // self.alignment) * self.alignment
            change[first] += size
            change[last + 1] -= size
        return tuple(accumulate(change[:-1]))

    @cached_property
    def peak(self) -> int | None:
        """The first step at which most bytes are in use; None of an empty map."""
        most = max(self.live, default=0)
        return self.live.index(most) if most else None
