"""Results that are kept for the next time they are asked for, by all programs of the process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from lastuse.dialect.ir.locks import ForkLock

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RecentResults(Generic[K, V]):
    """The results of the `limit` keys that were asked for last. Several threads may ask."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._results: OrderedDict[K, V] = OrderedDict()
        self._lock = ForkLock()

    def get(self, key: K, compute: Callable[[], V]) -> V:
        """The result of `key`, computed now if it is not kept; two threads may compute it at the same time."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key]
        result = compute()
        with self._lock:
            self._results[key] = result
            if len(self._results) > self._limit:
                self._results.popitem(last=False)
        return result
