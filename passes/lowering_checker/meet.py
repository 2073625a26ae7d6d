"""Where paths meet: what slots hold, and what is left of the state.

Each path that arrives has a state, and for each slot what the source moves into it on that path. A byte that all paths
agree about stays what it is. Where they differ, the bytes of slots get codes of their own, equal ones where they are
equal on every path; and a cell that holds on every path what goes into a byte of a slot there, holds that byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from lastuse.passes.checker.runs import distinct
from lastuse.passes.lowering_checker.cells import State
from lastuse.passes.lowering_checker.codes import UNKNOWN, Codes, Row
from lastuse.passes.lowering_checker.pieces import Array, Pieces, align, gaps, locate, spread
from lastuse.passes.lowering_checker.source_values import Values


class Arrival(NamedTuple):
    """One path: its state; for each slot, in order, what comes into it (a row, or a scalar's code); the codes of the
    scalars that the lowered function moves."""

    state: State
    slots: tuple[Row | int, ...]
    scalars: tuple[int, ...]

    def same(self, other: Arrival) -> bool:
        """Both say the same."""
        return (
            self.scalars == other.scalars
            and all(
                a.same(b) if isinstance(a, Row) and isinstance(b, Row) else a == b
                for a, b in zip(self.slots, other.slots, strict=True)
            )
            and np.array_equal(self.state, other.state)
        )


class _Group(NamedTuple):
    """Bytes of slots that follow each other on every path, and about which paths differ; arrays have one for each.

    Attributes:
        steps: how far the code on each further path is from that on the first one (int64 [paths - 1, groups]).
        low, high: the half-open range of codes on the first path.
        first: the codes that they get, from this one on.
    """

    steps: Array
    low: Array
    high: Array
    first: Array


def meet(arrivals: Sequence[Arrival], slots: Sequence[SSAValue], cells: Array, values: Values) -> Arrival:
    """What all paths have in common.

    Args:
        slots: the values of the source that are moved into.
        cells: bytes of each cell of a state.
    """
    if len(arrivals) == 1:
        return arrivals[0]
    scalars: dict[tuple[int, ...], int] = {}
    held: list[Row | int] = []
    tensors: list[tuple[int, list[Row]]] = []
    for number, slot in enumerate(slots):
        come = [arrival.slots[number] for arrival in arrivals]
        held.append(come[0])
        if isinstance(slot.type, TensorType):
            rows = [row for row in come if isinstance(row, Row)]
            if not all(row.same(rows[0]) for row in rows[1:]):
                tensors.append((number, rows))
            continue
        codes = tuple(code for code in come if isinstance(code, int))
        own = codes[0] if len(set(codes)) == 1 else values.scalar(slot)
        held[number] = scalars.setdefault(codes, own)
    group = None
    if tensors:
        group, joint = _group_slots([(slots[number], rows) for number, rows in tensors], values)
        for (number, _), row in zip(tensors, joint, strict=True):
            held[number] = row
    moved = [
        scalars.get(codes, codes[0] if len(set(codes)) == 1 else UNKNOWN)
        for codes in zip(*(arrival.scalars for arrival in arrivals), strict=True)
    ]
    state = _meet_states(np.stack([arrival.state for arrival in arrivals]), cells, group, values.codes)
    return Arrival(state, tuple(held), tuple(moved))


def _meet_states(states: Array, cells: Array, group: _Group | None, codes: Codes) -> State:
    """The codes of cells [paths, cells] that all paths agree about, or that slots have."""
    state = states[0].copy()
    (differ,) = np.nonzero((states != states[0]).any(axis=0))
    state[differ] = UNKNOWN
    differ = differ[(states[:, differ] >= 0).all(axis=0)]
    if not differ.size:
        return state
    lengths = cells[differ]
    edges = np.concatenate(([0], np.cumsum(lengths)))
    pos, paths = edges, states[:, differ]
    if not codes.are_blocks(paths.reshape(-1)):
        whole = Pieces(int(edges[-1]), edges[:-1], edges)  # cut where cells are
        pos, rows = align([whole, *(codes.resolve(path, lengths) for path in paths)])
        paths = rows[1:]
    if group is not None:
        pos, paths = _cut_pieces(pos, paths, np.concatenate((group.low, group.high)))
    sizes = gaps(pos)
    known = (paths >= 0).all(axis=0)
    agree = known & (paths == paths[0]).all(axis=0)
    matched = np.full(len(sizes), UNKNOWN) if group is None else _match_pieces(paths, sizes, group)
    matched = np.where(agree, paths[0], np.where(known, matched, UNKNOWN))
    starts = np.searchsorted(pos, edges)
    for cell, low, high in zip(differ.tolist(), starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        if agree[low:high].all():
            state[cell] = states[0, cell]
        elif high == low + 1:
            state[cell] = matched[low]
        else:
            state[cell] = codes.joined(matched[low:high], sizes[low:high])
    return state


def _cut_pieces(pos: Array, paths: Array, edges: Array) -> tuple[Array, Array]:
    """Pieces of which each path has one code, cut also where the first path passes one of these codes."""
    edges, starts = distinct(edges), paths[0]
    low = edges.searchsorted(starts, "right")
    counts = np.maximum(edges.searchsorted(starts + gaps(pos)) - low, 0)
    if not counts.any():
        return pos, paths
    cuts = edges[spread(low, counts)] - np.repeat(starts - pos[:-1], counts)
    finer = distinct(np.concatenate((pos, cuts)))
    return finer, np.stack([locate(Pieces(int(pos[-1]), path, pos), finer[:-1]) for path in paths])


def _group_slots(slots: Sequence[tuple[SSAValue, list[Row]]], values: Values) -> tuple[_Group | None, list[Row]]:
    """Codes for the bytes of slots about which paths differ, and what each slot then holds."""
    cuts = [align([values.codes.row_pieces(row) for row in rows]) for _, rows in slots]
    paths = np.concatenate([columns for _, columns in cuts], axis=1)
    lengths = np.concatenate([gaps(pos) for pos, _ in cuts])
    codes = paths[0].copy()
    differ = np.flatnonzero((paths != paths[0]).any(axis=0))
    group, number = _groups(paths[:, differ], lengths[differ])
    owners = np.repeat(np.arange(len(cuts)), [len(pos) - 1 for pos, _ in cuts])[differ]
    starts = np.concatenate([pos[:-1] for pos, _ in cuts])[differ]
    shifts = starts - paths[0, differ]
    _, representative = np.unique(number, return_index=True)
    alone = ~_varies(number, owners) & ~_varies(number, shifts)
    for index, piece in enumerate(representative):
        slot, low = slots[int(owners[piece])][0], int(group.low[index])
        if alone[index]:
            # Codes of the slot's bytes in their order: what the slot holds stays in one piece, however paths cut it. A
            # loop that shifts its slot would cut off one element a round.
            block = values.codes.own(slot, values.type_of(slot)[2], slot).first
            group.first[index] = block + low + int(shifts[piece])
            continue
        size = int(group.high[index]) - low
        key = slot, int(starts[piece]), int(paths[0, differ[piece]]) - low, size
        group.first[index] = values.codes.own(key, size, slot).first
    codes[differ] = group.first[number] + paths[0, differ] - group.low[number]
    ends = np.cumsum([len(pos) - 1 for pos, _ in cuts])[:-1]
    rows: list[Row] = []
    for column, sizes in zip(np.split(codes, ends), np.split(lengths, ends), strict=True):
        rows.append(Row(int(sizes.sum()), values.codes.joined(column, sizes)))
    return group if differ.size else None, rows


def _varies(number: Array, what: Array) -> Array:
    """For each group, whether the pieces in it (`number`) differ in `what`."""
    low = np.full(int(number.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    high = np.full(len(low), np.iinfo(np.int64).min)
    np.minimum.at(low, number, what)
    np.maximum.at(high, number, what)
    return low != high


def _groups(paths: Array, lengths: Array) -> tuple[_Group, Array]:
    """Pieces that follow each other, or overlap, on every path in the same way, as groups; and the group of each."""
    steps = paths[1:] - paths[0]
    kinds, kind = _distinct(steps)
    lows, highs = paths[0], paths[0] + lengths
    _, rank = _ranked(np.concatenate((lows, highs)))
    key = np.tile(kind, 2) * (len(rank) + 1) + rank
    order = np.argsort(key[: len(lows)], kind="stable")
    reach = np.maximum.accumulate(key[len(lows) :][order])
    new = np.ones(len(order), bool)
    np.greater(key[order][1:], reach[:-1], out=new[1:])
    low, high = lows[order], highs[order]
    number = np.empty(len(order), np.int64)
    number[order] = np.cumsum(new) - 1
    starts = np.flatnonzero(new)
    ends = np.maximum.reduceat(high, starts) if len(starts) else high
    return _Group(kinds[:, kind[order[starts]]], low[starts], ends, np.zeros(len(starts), np.int64)), number


def _distinct(columns: Array) -> tuple[Array, Array]:
    """The distinct columns of a matrix, and which of these each one is."""
    if len(columns) == 1:
        kinds, which = _ranked(columns[0])
        return kinds[None], which
    kinds, which = np.unique(columns, axis=1, return_inverse=True)
    return kinds, which.reshape(-1)


def _ranked(numbers: Array) -> tuple[Array, Array]:
    """The distinct numbers in order, and which of these each one is."""
    levels = distinct(numbers)
    return levels, np.searchsorted(levels, numbers)


def _match_pieces(paths: Array, lengths: Array, group: _Group) -> Array:
    """Codes of pieces of cells that hold `paths` [paths, pieces]: those of bytes of slots which are just that; else
    unknown."""
    count = len(group.low)
    _, kind = _distinct(np.concatenate((group.steps, paths[1:] - paths[0]), axis=1))
    _, rank = _ranked(np.concatenate((group.low, paths[0])))
    key = kind * (len(rank) + 1) + rank
    order = np.argsort(key[:count], kind="stable")
    at = np.searchsorted(key[:count][order], key[count:], "right") - 1
    index = order[np.maximum(at, 0)]
    fits = (at >= 0) & (kind[index] == kind[count:]) & (paths[0] + lengths <= group.high[index])
    fits &= (paths >= 0).all(axis=0)
    return np.where(fits, group.first[index] + paths[0] - group.low[index], UNKNOWN)
