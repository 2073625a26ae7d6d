"""A sequence of bytes as pieces, each of which lies somewhere on a line: of a storage, or of codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lastuse.dialect.storage.layout import Strided
from lastuse.passes.checker.runs import MAX_RUNS, TooFine, distinct
from lastuse.passes.lowering_checker.strided_maps import flatten

Array = np.ndarray[Any, Any]


@dataclass(eq=False, slots=True)
class Pieces:
    """Where the bytes of a sequence are, in order.

    Attributes:
        nbytes: how many there are.
        starts: where each piece starts on the line: int64 [pieces].
        pos: with which byte of the sequence each piece starts, and behind the last one how many there are: int64
            [pieces + 1].
    """

    nbytes: int
    starts: Array
    pos: Array


def pieces_of(layout: Strided) -> Pieces:
    """The bytes of a strided map, in the order of its elements.

    Raises:
        TooFine: it falls into too many pieces.
    """
    offset, runs, length = flatten(layout)
    if layout.nbytes // length > MAX_RUNS:
        raise TooFine
    at = np.array([offset], np.int64)
    for size, stride in runs:
        at = (at[:, None] + np.arange(size, dtype=np.int64) * stride).reshape(-1)
    return join_pieces(at, np.full(len(at), length, np.int64))


def join_pieces(at: Array, lengths: Array) -> Pieces:
    """Pieces one after the other; those that run on are one."""
    if not lengths.all():
        keep = lengths > 0
        at, lengths = at[keep], lengths[keep]
    fresh = np.ones(len(at), bool)
    np.not_equal(at[1:], at[:-1] + lengths[:-1], out=fresh[1:])
    ends = np.cumsum(lengths)
    nbytes = int(ends[-1]) if len(ends) else 0
    return Pieces(nbytes, at[fresh], np.append((ends - lengths)[fresh], nbytes))


def gaps(points: Array) -> Array:
    """How far each point is from the one before it (`diff` of numpy, without what that asks first)."""
    return points[1:] - points[:-1]


def spread(first: Array, counts: Array) -> Array:
    """first[0], first[0] + 1, … (counts[0] of them), first[1], …"""
    ends = np.cumsum(counts)
    return np.repeat(first - ends + counts, counts) + np.arange(int(ends[-1]) if len(ends) else 0)


def reached(pieces: Pieces, starts: Array, lengths: Array) -> tuple[Array, Array]:
    """The first of the pieces that each part of a sequence reaches, and how many it does."""
    low = np.searchsorted(pieces.pos, starts, "right") - 1
    return low, np.searchsorted(pieces.pos, starts + lengths, "left") - low


def split(pieces: Pieces, starts: Array, lengths: Array) -> tuple[Array, Array, Array]:
    """Parts of a sequence, each of which starts at a byte of it: their pieces on the line, start and length, and of
    which part each is.

    Raises:
        TooFine: there are too many.
    """
    pos, at, ends = pieces.pos, pieces.starts, starts + lengths
    low, counts = reached(pieces, starts, lengths)
    if int(counts.sum()) > MAX_RUNS:
        raise TooFine
    piece = spread(low, counts)
    begin = np.maximum(pos[piece], np.repeat(starts, counts))
    end = np.minimum(pos[piece + 1], np.repeat(ends, counts))
    return at[piece] + begin - pos[piece], end - begin, np.repeat(np.arange(len(starts)), counts)


def pick(pieces: Pieces, part: Pieces) -> Pieces:
    """The bytes of a sequence whose numbers are those of `part`, in that order."""
    at, lengths, _ = split(pieces, part.starts, gaps(part.pos))
    return join_pieces(at, lengths)


def overlay(nbytes: int, layers: Sequence[tuple[Pieces, int]]) -> Pieces | None:
    """A sequence of so many bytes from layers: which bytes of it, and where the first of these is on the line, the
    others behind it. A later layer goes over those before it. None where a byte is in no layer."""
    layers = [(where, first) for where, first in layers if where.nbytes]
    start, at, length = (
        np.concatenate([np.zeros(0, np.int64), *column])
        for column in zip(*((w.starts, first + w.pos[:-1], gaps(w.pos)) for w, first in layers), strict=True)
    )
    if int(length.sum()) == nbytes:
        order = np.argsort(start, kind="stable")
        start, at, length = start[order], at[order], length[order]
        if not start[0] and (start[1:] == start[:-1] + length[:-1]).all():
            return join_pieces(at, length)  # each byte is in one layer
    edges = [edge for where, _ in layers for edge in (where.starts, where.starts + gaps(where.pos))]
    points = distinct(np.concatenate([*edges, np.array([0, nbytes], np.int64)]))
    numbers = np.full(len(points) - 1, -1, np.int64)
    for where, first in layers:
        low, high = (np.searchsorted(points, side) for side in (where.starts, where.starts + gaps(where.pos)))
        index = spread(low, high - low)
        numbers[index] = np.repeat(first + where.pos[:-1] - where.starts, high - low) + points[index]
    return None if (numbers < 0).any() else join_pieces(numbers, gaps(points))


def align(sequences: Sequence[Pieces]) -> tuple[Array, Array]:
    """Sequences of one size cut where any of them is: with which byte each piece starts and behind the last one the
    size (int64 [pieces + 1]), and where each piece of each sequence starts (int64 [sequences, pieces])."""
    pos = distinct(np.concatenate([pieces.pos for pieces in sequences]))
    return pos, np.stack([locate(pieces, pos[:-1]) for pieces in sequences])


def locate(pieces: Pieces, positions: Array) -> Array:
    """Where bytes of a sequence are on the line."""
    piece = np.searchsorted(pieces.pos, positions, "right") - 1
    return pieces.starts[piece] + positions - pieces.pos[piece]
