"""Locks of a process that forks."""

from __future__ import annotations

import os
import threading
from weakref import WeakSet


class ForkLock:
    """A lock between threads that is free in the child of a fork.

    A thread of the parent that held it is not in the child, and cannot release it there. So what the lock guards has to
    be consistent after each statement, not only at the end of the guarded block.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        _locks.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def renew(self) -> None:
        """Forgets by which thread it is held."""
        self._lock = threading.Lock()


_locks: WeakSet[ForkLock] = WeakSet()


def _renew() -> None:
    for lock in _locks:
        lock.renew()


os.register_at_fork(after_in_child=_renew)
