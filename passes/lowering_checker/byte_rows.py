"""Bytes of a value in its own order, each somewhere on a line: of a storage, or of what values hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lastuse.dialect.storage.layout import Strided
from lastuse.passes.checker.runs import MAX_RUNS, TooFine, distinct

Array = np.ndarray[Any, Any]
NONE = np.zeros(0, np.int64)
"""No points, or pieces."""


@dataclass(eq=False, slots=True)
class Row:
    """Where the bytes of a value are, in the order of its elements.

    Attributes:
        nbytes: how many there are.
        first: where the first one is, if all lie one after the other; else -1.
        layout: the same as a strided map, where it is one.
    """

    nbytes: int
    first: int = -1
    layout: Strided | None = None
    _starts: Array | None = None
    _pos: Array | None = None
    _ascends: bool | None = None

    @property
    def starts(self) -> Array:
        """Where each piece starts on the line: int64."""
        return np.array([self.first], np.int64) if self._starts is None else self._starts

    @property
    def pos(self) -> Array:
        """With which byte of the value each piece starts, and behind the last one how many there are: int64."""
        return np.array([0, self.nbytes], np.int64) if self._pos is None else self._pos

    @property
    def ascends(self) -> bool:
        """Each piece starts where the one before it ends, or later."""
        if self._ascends is None:
            at = self.starts
            self._ascends = bool((at[1:] >= (at + gaps(self.pos))[:-1]).all())
        return self._ascends

    def same(self, other: Row) -> bool:
        """The same bytes in the same order."""
        if self.nbytes != other.nbytes:
            return False
        if not self.nbytes:
            return True
        if self.first >= 0 or other.first >= 0:
            return self.first == other.first
        return np.array_equal(self.starts, other.starts) and np.array_equal(self.pos, other.pos)


def row_of(layout: Strided) -> Row:
    """The bytes of a strided map.

    Raises:
        TooFine: it falls into too many pieces.
    """
    nbytes = layout.nbytes
    offset, runs, item = layout.canonical()
    if not nbytes or not runs:
        return Row(nbytes, offset, layout)
    size, stride = runs[-1]
    outer, length = (runs[:-1], size * item) if stride == item else (runs, item)
    if not outer:
        return Row(nbytes, offset, layout)
    if nbytes // length > MAX_RUNS:
        raise TooFine
    at = np.array([offset], np.int64)
    for size, stride in outer:
        at = (at[:, None] + np.arange(size, dtype=np.int64) * stride).reshape(-1)
    row = join_pieces(at, np.full(len(at), length, np.int64))
    row.layout = layout
    return row


def join_pieces(at: Array, lengths: Array) -> Row:
    """A row of pieces, in order; those that run on are one."""
    if not lengths.all():
        keep = lengths > 0
        at, lengths = at[keep], lengths[keep]
    nbytes = int(lengths.sum())
    if not nbytes:
        return Row(0, 0)
    fresh = np.ones(len(at), bool)
    np.not_equal(at[1:], at[:-1] + lengths[:-1], out=fresh[1:])
    at = at[fresh]
    if len(at) == 1:
        return Row(nbytes, int(at[0]))
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))[fresh]
    return Row(nbytes, -1, None, at, np.concatenate((starts, [nbytes])))


def gaps(points: Array) -> Array:
    """How far each point is from the one before it (`diff` of numpy, without what that asks first)."""
    return points[1:] - points[:-1]


def spread(first: Array, counts: Array) -> Array:
    """first[0], first[0] + 1, … (counts[0] of them), first[1], …"""
    ends = np.cumsum(counts)
    return np.repeat(first - ends + counts, counts) + np.arange(int(ends[-1]) if len(ends) else 0)


def pick(row: Row, part: Row) -> Row:
    """The bytes of the value whose numbers are those of `part`, in that order."""
    starts, lengths = part.starts, gaps(part.pos)
    if row.first >= 0 or not part.nbytes:
        return join_pieces(row.first + starts, lengths)
    pos, at, ends = row.pos, row.starts, starts + lengths
    low = np.searchsorted(pos, starts, "right") - 1
    counts = np.searchsorted(pos, ends, "left") - low
    if int(counts.sum()) > MAX_RUNS:
        raise TooFine
    piece = spread(low, counts)
    begin = np.maximum(pos[piece], np.repeat(starts, counts))
    end = np.minimum(pos[piece + 1], np.repeat(ends, counts))
    return join_pieces(at[piece] + begin - pos[piece], end - begin)


def overlay(nbytes: int, layers: Sequence[tuple[Row, Row]]) -> Row | None:
    """A value of so many bytes from (its bytes, what they are): a later layer goes over those before it. None where a
    byte is in no layer."""
    if not nbytes:
        return Row(0, 0)
    pieces = [_align_layer(where, what) for where, what in layers if where.nbytes]
    tiled = _tile(nbytes, pieces)
    if tiled is not None:
        return tiled
    edges = [edge for start, _, length in pieces for edge in (start, start + length)]
    points = distinct(np.concatenate([*edges, np.array([0, nbytes], np.int64)]))
    codes = np.full(len(points) - 1, -1, np.int64)
    for start, at, length in pieces:
        low, high = np.searchsorted(points, start), np.searchsorted(points, start + length)
        index = spread(low, high - low)
        codes[index] = np.repeat(at - start, high - low) + points[index]
    return None if (codes < 0).any() else join_pieces(codes, gaps(points))


def _tile(nbytes: int, pieces: Sequence[tuple[Array, Array, Array]]) -> Row | None:
    """The same of pieces of which each byte is in just one; None for others."""
    start, at, length = (np.concatenate(column) for column in zip(*pieces, strict=True)) if pieces else (NONE,) * 3
    if int(length.sum()) != nbytes:
        return None
    order = np.argsort(start, kind="stable")
    start, at, length = start[order], at[order], length[order]
    if start[0] or (start[1:] != start[:-1] + length[:-1]).any():
        return None
    return join_pieces(at, length)


def _align_layer(where: Row, what: Row) -> tuple[Array, Array, Array]:
    """Pieces that are whole in both rows: where each starts in the first, where in the second, its length."""
    if what.first >= 0:
        pos = where.pos
        return where.starts, what.first + pos[:-1], gaps(pos)
    pos, (starts, at) = align((where, what))
    return starts, at, gaps(pos)


def align(rows: Sequence[Row]) -> tuple[Array, Array]:
    """Rows of one size cut where any of them is: where each piece starts in the value and behind the last one its
    size (int64 [pieces + 1]), and where each piece starts in each row (int64 [rows, pieces])."""
    pos = distinct(np.concatenate([row.pos for row in rows]))
    return pos, np.stack([locate(row, pos[:-1]) for row in rows])


def locate(row: Row, positions: Array) -> Array:
    """Where bytes of the value are on the line."""
    if row.first >= 0:
        return row.first + positions
    piece = np.searchsorted(row.pos, positions, "right") - 1
    return row.starts[piece] + positions - row.pos[piece]


def locate_pieces(row: Row, positions: Array, lengths: Array) -> Array:
    """Where pieces of the value start on the line; -2 for one that is no single piece of the row."""
    if row.first >= 0:
        return row.first + positions
    pos = row.pos
    if len(positions) == len(pos) - 1 and (positions == pos[:-1]).all() and (lengths == gaps(pos)).all():
        return row.starts  # piece by piece
    piece = np.searchsorted(pos, positions, "right") - 1
    return np.where(positions + lengths > pos[piece + 1], -2, row.starts[piece] + positions - pos[piece])
