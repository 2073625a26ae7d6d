"""The memory of runs that programs of a model share: each run has an arena to itself, whichever sizes it is for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol
from weakref import WeakSet

import numpy as np

from lastuse.dialect.ir.locks import ForkLock

SHRINKS = 2
"""Arenas become smaller where this many times what the largest program needs is less than they have."""


class ArenaUser(Protocol):
    """What runs in arenas of a pool."""

    @property
    def arena_bytes(self) -> int:
        """Bytes that a run of it needs."""
        ...

    def forget_arena(self, arena: np.ndarray) -> None:
        """Lets go of an arena that is not used again."""
        ...


class ArenaPool:
    """Arenas of one size, which is what the largest of the users that live needs. There are as many as runs have gone
    on at the same time."""

    def __init__(self, make: Callable[[int], np.ndarray]) -> None:
        """`make`: memory of so many bytes for an arena."""
        self._make, self._nbytes = make, 0
        self._users: WeakSet[ArenaUser] = WeakSet()
        self._free: list[np.ndarray] = []
        self._lock = ForkLock()

    def add(self, user: ArenaUser) -> None:
        """From now on every arena that is taken is large enough for this user, too, for as long as it lives."""
        with self._lock:
            self._users.add(user)
            needed = max(other.arena_bytes for other in self._users)
            if self._nbytes < needed or needed * SHRINKS < self._nbytes:
                self._nbytes = needed
                discarded = [self._free.pop() for _ in range(len(self._free))]
                for arena in discarded:
                    self._forget(arena)

    def take(self) -> np.ndarray:
        """An arena that no run uses until it is given back."""
        try:
            return self._free.pop()
        except IndexError:  # pop is atomic, a look before it would not be
            return self._make(self._nbytes)

    def give(self, arena: np.ndarray) -> None:
        """Takes an arena back."""
        with self._lock:
            if arena.nbytes == self._nbytes:
                self._free.append(arena)
            else:
                self._forget(arena)

    def _forget(self, arena: np.ndarray) -> None:
        for user in self._users:
            user.forget_arena(arena)
