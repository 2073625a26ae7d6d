"""Tokens that nothing requires any more: cells that are given other tokens then need not hold them, or each cell of a
tensor that ops change part by part would hold the tokens of all of them. To leave one out is never wrong: a state that
holds less proves less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from lastuse.passes.checker.function_model import FunctionModel, Transfer

Lifetimes = list[dict[int, set[int]]]


def last_uses(frame: FunctionModel, rows: Sequence[Sequence[Transfer]], edges: Sequence[Transfer]) -> Lifetimes:
    """By row of transfers, and by place in it, the tokens that are given in this row alone, before they are required
    there, and that are required nowhere else: those whose last use this place is. `edges` are between rows."""
    kept = {guard.token for guard in chain(frame.guards.values(), frame.lent.values())}
    for transfer in chain(edges, *rows):
        kept |= {lent.token for lent in transfer.lends}
    for edge in edges:
        kept |= {read.token for read in edge.reads} | set(_given(frame, edge))
    row_of: dict[int, int] = {}
    last: dict[int, int] = {}
    for number, row in enumerate(rows):
        for place, transfer in enumerate(row):
            for token in (read.token for read in transfer.reads):
                if row_of.get(token) != number:
                    kept.add(token)
                last[token] = place
            for token in _given(frame, transfer):
                if row_of.setdefault(token, number) != number:
                    kept.add(token)
                last[token] = place
    found: Lifetimes = [{} for _ in rows]
    for token, number in row_of.items():
        if token not in kept:
            found[number].setdefault(last[token], set()).add(token)
    return found


def _given(frame: FunctionModel, transfer: Transfer) -> Iterator[int]:
    for _, label in transfer.writes:
        yield from frame.memory.tokens[label.tokens]
    for _, token in chain(transfer.adds, transfer.makes):
        yield token


def born(lifetimes: Mapping[int, set[int]]) -> set[int]:
    """The tokens that are given in a row."""
    return {token for tokens in lifetimes.values() for token in tokens}
