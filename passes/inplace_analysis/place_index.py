"""Which of many places in one storage may have bytes in common with another, without a look at each of them.

A place is between two numbers of a line: its bytes, or for a slice at run-time offsets the elements along one axis,
behind one sum of index values. Places on one line that do not meet there share no byte (`may_overlap` says the same);
places on other lines, and those on none, may.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from typing import Generic, NamedTuple, TypeVar

from lastuse.dialect.storage.index_arithmetic import FAR, sum_of
from lastuse.dialect.storage.layout import Layout, Strided
from lastuse.dialect.storage.runtime_slices import RuntimeSlice

T = TypeVar("T")
FEW = 16
"""So many places are compared one by one."""


class LivePlaces(Generic[T]):
    """What has bytes of one storage from some time on until another one, asked in the order of time.

    Args:
        place_of: where it is; None if that is not known.
        until: when it ends.
    """

    def __init__(self, place_of: Callable[[T], Layout | None], until: Callable[[T], int]) -> None:
        self._place_of, self._until = place_of, until
        self._live: list[T] = []
        self._indexed: list[T] = []
        self._newer: list[T] = []
        self._index = PlaceIndex([])

    def add(self, item: T) -> None:
        """It has its bytes from now on."""
        self._live.append(item)
        self._newer.append(item)

    def near(self, place: Layout, time: int) -> Sequence[T]:
        """What is there at a time and may have bytes of `place`, in the order it came; some others may be among it."""
        self._live = [item for item in self._live if self._until(item) >= time]
        if len(self._live) <= FEW:
            return self._live
        if len(self._newer) > FEW + len(self._live) // 2 or len(self._indexed) > FEW + 2 * len(self._live):
            self._indexed, self._newer = list(self._live), []
            self._index = PlaceIndex([self._place_of(item) for item in self._indexed])
        found = (self._indexed[n] for n in self._index.near(place))
        return [item for item in chain(found, self._newer) if self._until(item) >= time]


class _Extent(NamedTuple):
    line: Hashable
    low: int
    high: int


class PlaceIndex:
    """Places, by number. `None` stands for one that may be anywhere."""

    def __init__(self, places: Sequence[Layout | None]) -> None:
        self._anywhere: list[int] = []
        lines: dict[Hashable, dict[int, list[tuple[int, int, int]]]] = {}
        for number, place in enumerate(places):
            extent = _extent_of(place) if place is not None else None
            if extent is None:
                self._anywhere.append(number)
            else:
                length = (extent.high - extent.low).bit_length()
                lines.setdefault(extent.line, {}).setdefault(length, []).append((extent.low, extent.high, number))
        for lengths in lines.values():
            for entries in lengths.values():
                entries.sort()
        self._lines = lines

    def near(self, place: Layout) -> list[int]:
        """The numbers of places that may have bytes of `place`, in order; some others may be among them."""
        extent = _extent_of(place)
        found = list(self._anywhere)
        for line, lengths in self._lines.items():
            for length, entries in lengths.items():
                if extent is None or line != extent.line:
                    found += [number for _, _, number in entries]
                    continue
                first = bisect_left(entries, (extent.low - (1 << length), 0, 0))
                behind = bisect_left(entries, (extent.high, 0, 0))
                found += [number for _, high, number in entries[first:behind] if high > extent.low]
        return sorted(found)


def _extent_of(place: Layout) -> _Extent | None:
    """Where a place is on its line; None for one without elements, or of which that is not known."""
    if isinstance(place, Strided):
        low, high = place.span
        return _Extent("bytes", low, high) if low < high else None
    if not isinstance(place, RuntimeSlice) or place.units is None:
        return None
    bounds = place.bounds
    axis = next((k for k, offset in enumerate(bounds.offsets) if not isinstance(offset, int)), 0)
    size, step = bounds.sizes[axis], bounds.strides[axis]
    if not isinstance(size, int) or not isinstance(step, int) or size < 1 or step < 1:
        return None
    terms = dict(sum_of(bounds.offsets[axis]))
    low = terms.pop(None, 0)
    high = low + (size - 1) * step + 1
    if max(abs(low), abs(high)) > FAR >> 1:
        return None
    return _Extent((place.room, place.units, axis, frozenset(terms.items())), low, high)
