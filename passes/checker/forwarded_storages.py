"""Forwarded storages: the places that they may be, and which of these they are.

A forwarded value lies where the operand that the path taken gave it lies (docs/storage.md, 2). By the rules of places
it opens a storage of its own kind, in which what is written over it, and views of it, lie too. A *binding* says for
each such storage which place it is.

Of unknown size, it may have other sizes on each path. What is all of it by the rules of places is then all of the place
that it is bound to, and a part is the part of that with the same index values. This needs sizes that have one value:
of a place whose sizes change in a loop, only values of the same sizes are known to be all.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation

from lastuse.dialect.ir.tensor_types import Dim, Poly, Symbol, product
from lastuse.dialect.storage.assignment import Place, PlaceKind, Places, Storage
from lastuse.dialect.storage.fixed_sizes import fixed_symbols
from lastuse.dialect.storage.forwarding import passed_by
from lastuse.dialect.storage.layout import Layout, Strided, Whole, is_dense
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.passes.checker.geometry import same_place, same_range


class ForwardedStorages:
    """The forwarded storages of a function.

    Attributes:
        storages: all of them.
        now: the place of each that has one, at the op that is looked at.
        hidden: those that have no place now, as others are looked at. What lies in them is elsewhere than all else.
    """

    def __init__(self, func: FuncOp, placed: Places, ops: Sequence[Operation]) -> None:
        self.storages = frozenset(
            p.storage
            for p in placed.of.values()
            if p.storage.kind is PlaceKind.FORWARDED and p.storage.key in placed.of
        )
        self.now: dict[Storage, Place] = {}
        self.hidden = frozenset[Storage]()
        self._candidates = _candidates(placed, ops) if self.storages else {}
        self._fixed = fixed_symbols(func, placed.sizes) if self.storages else frozenset[Symbol]()
        self._whole: dict[Storage, list[Layout]] = {s: [placed.of[s.key].layout] for s in self.storages}  # pyright: ignore
        for value, place in placed.of.items() if self.storages else ():
            slot = placed.rules.decisions.slot_of(value) if isinstance(value, BlockArgument) else None
            if slot is not None and place.storage in self.storages and place.storage.key is slot:
                self._whole[place.storage].append(place.layout)

    def varies(self, place: Place) -> bool:
        """The place depends on the path taken."""
        return bool(self.storages) and place.storage in self.storages

    def physical(self, place: Place) -> Place:
        """The place that one in a forwarded storage is now; any other is itself."""
        if place.storage not in self.now:
            return place
        base = self.now[place.storage]
        return Place(base.storage, self._in_base(place.storage, place.layout, base.layout))

    def everywhere(self, place: Place) -> list[Place]:
        """All places that one in a forwarded storage may ever be; of any other, itself."""
        if place.storage not in self.storages:
            return [place]
        bases = self._candidates.get(place.storage, ())
        may_be = [base for base in bases if self.is_candidate(place.storage, base.layout)]  # else refused elsewhere
        return [Place(b.storage, self._in_base(place.storage, place.layout, b.layout)) for b in may_be]

    def apart(self, most: int) -> list[tuple[frozenset[Storage], frozenset[Storage]]]:
        """All of them, in sets, each with the storages that one of the set may lie in, which sets have none of in
        common. A set has no more than `most` bindings, or cannot be parted."""
        found: list[tuple[set[Storage], set[Storage], int]] = []
        for storage in dict.fromkeys((*self._candidates, *self._whole)):
            bases = self._candidates.get(storage, ())
            mine, may_be, ways = {storage}, {base.storage for base in bases}, len(bases)
            for other in [row for row in found if not row[1].isdisjoint(may_be)]:
                found.remove(other)
                mine, may_be, ways = mine | other[0], may_be | other[1], ways * other[2]
            found.append((mine, may_be, max(ways, 1)))
        sets: list[tuple[frozenset[Storage], frozenset[Storage], int]] = []
        for mine, may_be, ways in found:
            if sets and sets[-1][2] * ways <= most:
                last, bases, others = sets.pop()
                mine, may_be, ways = last | mine, bases | may_be, others * ways
            sets.append((frozenset(mine), frozenset(may_be), ways))
        return [(mine, may_be) for mine, may_be, _ in sets]

    def is_candidate(self, storage: Storage, layout: Layout) -> bool:
        """A forwarded storage may be the place of that layout: it is moved, or has other sizes, no more."""
        own = self._whole[storage][0]
        return _is_moved(own, layout) or (isinstance(own, Whole) and self._has_other_sizes(own, layout))

    def _has_other_sizes(self, own: Whole, layout: Layout) -> bool:
        """Dense, from the first byte of a storage on: along any axes where the storage has one axis, else along as many
        axes, each with the size that is known of it."""
        if layout.item != own.item or own.offset != 0 or not is_dense(layout):
            return False
        if not isinstance(layout, Strided | Whole):
            return False
        sizes: Sequence[Dim] = layout.sizes if isinstance(layout, Strided) else layout.shape
        if len(own.shape) == 1:
            sizes = (product(sizes),)
        if not isinstance(layout.offset, int) or len(sizes) != len(own.shape):
            return False
        return all(
            a == b if isinstance(a, int) else not isinstance(b, Poly) or b.symbols <= self._fixed
            for a, b in zip(own.shape, sizes, strict=True)
        )

    def _in_base(self, storage: Storage, layout: Layout, base: Layout) -> Layout:
        """A layout in a forwarded storage that lies at `base`."""
        if isinstance(layout, RuntimeSlice):
            return layout._replace(room=self._in_base(storage, layout.room, base))
        moved = layout._replace(offset=layout.offset + _offset(base))  # pyright: ignore
        if same_place(base, moved) or not any(same_range(layout, whole) for whole in self._whole[storage]):
            return moved
        return base


def _is_moved(own: Layout, layout: Layout) -> bool:
    if type(layout) is not type(own) or isinstance(own, RuntimeSlice):
        return False
    return same_place(layout, own._replace(offset=own.offset + _offset(layout)))  # pyright: ignore


def _offset(layout: Layout) -> Dim:
    """Where a candidate begins: it is no part that is known at run time only."""
    assert isinstance(layout, Strided | Whole)
    return layout.offset


def _candidates(placed: Places, ops: Sequence[Operation]) -> dict[Storage, dict[Place, None]]:
    """The places that each forwarded storage may be, those of other forwarded ones resolved."""
    direct: dict[Storage, dict[Place, None]] = {}
    for op in ops:
        for passed in passed_by(op):
            target = placed.of.get(passed.target)
            if target is not None and target.storage.kind is PlaceKind.FORWARDED and passed.source in placed.of:
                direct.setdefault(target.storage, {})[placed.of[passed.source]] = None
    found: dict[Storage, dict[Place, None]] = {}
    for storage in direct:
        reached, waiting = {storage}, [storage]
        places: dict[Place, None] = {}
        while waiting:
            for place in direct.get(waiting.pop(), ()):
                if place.storage.kind is not PlaceKind.FORWARDED:
                    places[place] = None
                elif place.storage not in reached:
                    reached.add(place.storage)
                    waiting.append(place.storage)
        found[storage] = places
    return found
