"""How long the stages of starting take: reading a model, passes, packing weights."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple


class StageTime(NamedTuple):
    """A stage, and the seconds it took: all of its times together, without the stages inside it."""

    name: str
    seconds: float


class Stages:
    """Wall time by stage, for one thread at a time.

    A stage inside another one counts there alone, so that the times add up to that of all.

    Attributes:
        listener: is told the name of the stage that runs when this changes.
    """

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._inside: list[float] = []  # of each stage that has begun, what stages inside it took
        self._names: list[str] = []
        self.listener: Callable[[str | None], None] | None = None

    @property
    def current(self) -> str | None:
        """The innermost stage that runs."""
        return self._names[-1] if self._names else None

    @property
    def times(self) -> list[StageTime]:
        """Every stage, in the order in which they first began."""
        return [StageTime(*item) for item in list(self._seconds.items())]

    def add(self, name: str, seconds: float) -> None:
        """Notes time of a stage that was taken elsewhere."""
        self._seconds[name] = self._seconds.get(name, 0.0) + seconds

    @contextmanager
    def stage(self, name: str) -> Generator[None, None, None]:
        """What runs inside is a stage of this name."""
        self.add(name, 0.0)
        self._inside.append(0.0)
        self._names.append(name)
        self._tell()
        started = perf_counter()
        try:
            yield
        finally:
            took = perf_counter() - started
            self.add(name, took - self._inside.pop())
            if self._inside:
                self._inside[-1] += took
            self._names.pop()
            self._tell()

    def _tell(self) -> None:
        if self.listener is not None:
            self.listener(self.current)
