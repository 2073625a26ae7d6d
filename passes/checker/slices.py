"""Bytes at offsets known at run time only: how parts of values lie to each other.

A part of a value, and the value without the part, are regions with one cell each. What such a cell holds is a fact on
the bytes that the part is while its index values are what they are. When a block begins that defines one of these, the
cell holds what all of the value holds; no op reads it before the new index values are there, as they dominate it.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation

from lastuse.dialect.storage.layout import Layout
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.passes.checker.apart import are_apart


def defining_blocks(part: RuntimeSlice) -> frozenset[Block]:
    """The blocks that define index values of a part, or of what it is a part of."""
    makers = (value.owner for inner in inside_of(part) for value in inner.bounds.values)
    blocks = (maker.parent_block() if isinstance(maker, Operation) else maker for maker in makers)
    return frozenset(block for block in blocks if block is not None)


def inside_of(layout: Layout) -> Iterator[RuntimeSlice]:
    """The part that a layout is, what that is a part of, and so on."""
    while isinstance(layout, RuntimeSlice):
        yield layout
        layout = layout.room


def bare(part: RuntimeSlice) -> RuntimeSlice:
    """The part, whatever shape it is given. Axes of what it is a part of that are joined or cut are kept: the bounds
    count along them."""
    room = bare(part.room)._replace(cut=part.room.cut) if isinstance(part.room, RuntimeSlice) else part.room
    return part._replace(room=room, shape=None, cut=None, natural=None)


def is_same_part(a: Layout, b: Layout) -> bool:
    """Equal layouts; parts bounds from one layout by the same index values, whatever shape they are given."""
    if isinstance(a, RuntimeSlice) and isinstance(b, RuntimeSlice):
        return a.bounds == b.bounds and _is_same_room(a.room, b.room)
    return a == b


def _is_same_room(a: Layout, b: Layout) -> bool:
    """Equal layouts, and bounds of parts count along the same axes."""
    cuts = [room.cut if isinstance(room, RuntimeSlice) else None for room in (a, b)]
    return cuts[0] == cuts[1] and is_same_part(a, b)


def is_within(a: Layout, b: Layout) -> bool:
    """Every byte of `a` is one of `b`: it is that layout, or a part of it."""
    return is_same_part(a, b) or any(is_same_part(inner.room, b) for inner in inside_of(a))


def is_apart(a: Layout, b: Layout) -> bool:
    """Parts of one value that share no element, or parts of such parts. The value has the same axes for both."""
    return any(
        x.units is not None and x.units == y.units and _is_same_room(x.room, y.room) and are_apart(x.bounds, y.bounds)
        for x in inside_of(a)
        for y in inside_of(b)
    )
