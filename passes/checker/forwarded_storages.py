"""Forwarded storages: the places that they may be, and which of these they are.

A forwarded value lies where the operand that the path taken gave it lies (docs/storage.md, 2). By the rules of places
it opens a storage of its own kind, in which what is written over it, and views of it, lie too. A *binding* says for
each such storage which place it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from lastuse.dialect.ir.tensor_types import Dim
from lastuse.dialect.storage.assignment import Place, PlaceKind, Places, Storage
from lastuse.dialect.storage.forwarding import passed_by
from lastuse.dialect.storage.layout import ALIGNMENT, Layout, Strided, Whole
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.passes.checker.geometry import same_place


class ForwardedStorages:
    """The forwarded storages of a function.

    Attributes:
        storages: all of them.
        now: the place of each that has one, at the op that is looked at.
    """

    def __init__(self, placed: Places, ops: Sequence[Operation]) -> None:
        self.storages = frozenset(
            p.storage
            for p in placed.of.values()
            if p.storage.kind is PlaceKind.FORWARDED and p.storage.key in placed.of
        )
        self.now: dict[Storage, Place] = {}
        self._candidates = _candidates(placed, ops) if self.storages else {}

    def varies(self, place: Place) -> bool:
        """The place depends on the path taken."""
        return place.storage in self.storages

    def physical(self, place: Place) -> Place:
        """The place that one in a forwarded storage is now; any other is itself."""
        if place.storage not in self.now:
            return place
        base = self.now[place.storage]
        return Place(base.storage, _moved(place.layout, _offset(base.layout)))

    def everywhere(self, place: Place) -> list[Place]:
        """All places that one in a forwarded storage may ever be; of any other, itself."""
        if place.storage not in self.storages:
            return [place]
        bases = self._candidates.get(place.storage, ())
        own = place.layout.hull if isinstance(place.layout, RuntimeSlice) else place.layout
        alike = (base for base in bases if type(base.layout) is type(own))  # another is refused elsewhere
        return [Place(base.storage, _moved(place.layout, _offset(base.layout))) for base in alike]


def is_candidate(layout: Layout, own: Layout) -> bool:
    """A forwarded value whose layout is `own`, from byte 0 on, may lie at `layout`: it is moved, no more."""
    if type(layout) is not type(own) or not same_place(layout, _moved(own, _offset(layout))):
        return False
    return not isinstance(layout, Strided) or layout.offset % ALIGNMENT == 0


def _offset(layout: Layout) -> Dim:
    """Where a candidate begins: it is no part that is known at run time only."""
    assert isinstance(layout, Strided | Whole)
    return layout.offset


def _moved(layout: Layout, by: Dim) -> Layout:
    if isinstance(layout, RuntimeSlice):
        return layout._replace(room=_moved(layout.room, by))
    return layout._replace(offset=layout.offset + by)  # pyright: ignore


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
