"""The programs that are kept for sets of sizes: the most recent ones, by their sizes and values."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import product
from math import prod
from typing import Generic, TypeVar

from lastuse.compiler.model_source import Values
from lastuse.dialect.ir.diagnostics import LastuseError

T = TypeVar("T")


class Recent(Generic[T]):
    """What was put or asked for last, by key: `most` at a time."""

    def __init__(self, most: int) -> None:
        self._most = most
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
        """Keeps a value, which is returned, as the most recent one; the least recent one goes where there are more
        than `most`."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return value

    def pop(self, key: Hashable) -> T | None:
        """What was kept for the key, and is no longer."""
        return self._kept.pop(key, None)

    def values(self) -> list[T]:
        """All that is kept, the least recent one first."""
        return list(self._kept.values())


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
