"""The programs that are kept for sets of sizes: the most recent ones, by their sizes and values."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import product
from math import prod
from typing import Generic, Protocol, TypeVar

from lastuse.compiler.model_source import Values
from lastuse.dialect.ir.diagnostics import LastuseError

T = TypeVar("T")


class _HoldsBytes(Protocol):
    @property
    def held_bytes(self) -> int: ...


class Recent(Generic[T]):
    """What was put or asked for last, by key: `most` at a time, and no more than so many bytes."""

    def __init__(self, most: int, most_bytes: int = 0) -> None:
        """`most_bytes`: that all values hold together (`held_bytes`), but for the most recent one, which is kept in any
        case; 0: whatever they hold."""
        self._most, self._most_bytes = most, most_bytes
        self._kept: OrderedDict[Hashable, T] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._kept

    def get(self, key: Hashable) -> T | None:
        """What is kept for the key, which is the most recent one now; None if nothing is."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: Hashable, value: T) -> T:
        """Keeps a value, which is returned, as the most recent one; the least recent ones go where there are too
        many, or hold too much."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        over = self._held() - self._most_bytes if self._most_bytes else 0
        while over > 0 and len(self._kept) > 1:
            over -= _held_bytes(self._kept.popitem(last=False)[1])
        return value

    def _held(self) -> int:
        return sum(map(_held_bytes, self._kept.values()))

    def pop(self, key: Hashable) -> T | None:
        """What was kept for the key, and is no longer."""
        return self._kept.pop(key, None)

    def values(self) -> list[T]:
        """All that is kept, the least recent one first."""
        return list(self._kept.values())


def _held_bytes(value: object) -> int:
    holder: _HoldsBytes = value  # pyright: ignore[reportAssignmentType]
    return holder.held_bytes


def key_of(names: Iterable[str], sizes: Mapping[str, int], values: Values) -> Hashable:
    """What tells programs apart: the sizes of these names, and the elements of bound inputs."""
    bound = [(name, value.dtype.str, value.shape, value.tobytes()) for name, value in sorted(values.items())]
    return (*(sizes[name] for name in names), *bound)


def choices_of(sizes: Mapping[str, int | Iterable[int]], most: int) -> Iterator[dict[str, int]]:
    """Each choice of one size for every name.

    Raises:
        LastuseError: there are more than `most`.
    """
    lists = [list(dict.fromkeys(size)) if isinstance(size, Iterable) else [size] for size in sizes.values()]
    if (count := prod(map(len, lists))) > most:
        raise LastuseError(f"{count} sets of sizes are more than the {most} that are kept: raise kept_sizes")
    return (dict(zip(sizes, chosen, strict=True)) for chosen in product(*lists))
