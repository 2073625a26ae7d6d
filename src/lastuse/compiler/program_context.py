"""An execution context: the memory of one run at a time, for inputs of any sizes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from lastuse.compiler.caller_arena import arena_array, new_arena
from lastuse.compiler.compiled import Compiled
from lastuse.compiler.finite_search import Run
from lastuse.dialect.ir.diagnostics import ArrayError, LastuseError
from lastuse.dialect.ir.locks import ForkLock
from lastuse.runtime.arrays import Arrays, LeadingRows
from lastuse.runtime.program import Context, Executable


class Selection(NamedTuple):
    """What runs for some inputs: the program for their sizes, and how they are a part of what it runs on."""

    compiled: Compiled
    part: LeadingRows | None


class ProgramContext:
    """Memory for one run of a program at a time, whatever the sizes of its inputs: a thread's own, or the caller's.

    `Program.context` makes it.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        select: Callable[[Arrays], Selection],
        checked: Callable[[Run, Arrays, Arrays | None], dict[str, np.ndarray]],
        arena: object | None,
        kept: int,
    ) -> None:
        """
        Args:
            names: of the inputs, in order.
            select: what runs for inputs.
            checked: calls a run with inputs, and restores these where it ends early.
            arena: memory of the caller, or None for memory of its own, as large as the largest run needs so far.
            kept: for how many sets of sizes memory objects are kept.
        """
        self._names, self._select, self._checked, self._kept = names, select, checked, max(1, kept)
        self._arena = None if arena is None else arena_array(arena)
        self._grows = arena is None
        self._contexts: OrderedDict[int, tuple[Executable, Context]] = OrderedDict()
        self._lock = ForkLock()

    @property
    def arena_bytes(self) -> int:
        """Bytes of its arena."""
        return 0 if self._arena is None else self._arena.nbytes

    def run(self, inputs: Arrays, out: Arrays | None = None) -> dict[str, np.ndarray]:
        """As `Program.run`, in this memory. A run of another thread waits until this one ends.

        Raises:
            LastuseError: as `Program.run`; the caller's arena is smaller than the run needs.
        """
        return self._checked(self._run, inputs, out)

    def _run(self, inputs: Arrays, out: Arrays | None) -> dict[str, np.ndarray]:
        compiled, part = self._select(inputs)
        with self._lock:
            results = self._context(compiled.runner).run(inputs, out, part)
        return {name: results[name] for name in compiled.results}

    def __call__(self, *arrays: np.ndarray) -> np.ndarray | tuple[np.ndarray, ...]:
        """As `Program.__call__`, in this memory."""
        return single(self.run(by_name(self._names, arrays)))

    def _context(self, runner: Executable) -> Context:
        """The memory objects of a program in this arena; the arena of the largest serves all others."""
        _, context = self._contexts.get(id(runner), (None, None))
        if context is None:
            arena = self._arena_for(runner.memory.arena)
            context = runner.context(arena)
            self._contexts[id(runner)] = runner, context
            if len(self._contexts) > self._kept:
                self._contexts.popitem(last=False)
        self._contexts.move_to_end(id(runner))
        return context

    def _arena_for(self, nbytes: int) -> np.ndarray:
        if self._grows and (self._arena is None or self._arena.nbytes < nbytes):
            self._contexts.clear()
            self._arena = new_arena(nbytes)
        assert self._arena is not None
        if self._arena.nbytes < nbytes:
            have = f"the memory that is given has {self._arena.nbytes:,} from its first 64-byte boundary on"
            raise LastuseError(f"the arena of this run has {nbytes:,} bytes, {have}")
        return self._arena


def by_name(names: tuple[str, ...], arrays: tuple[object, ...]) -> Mapping[str, np.ndarray]:
    """Arrays in the order of the inputs, by name. Raises ArrayError where there are more or fewer."""
    if len(arrays) != len(names):
        raise ArrayError(f"the program takes {len(names)} arrays ({', '.join(names)}), {len(arrays)} are given")
    return dict(zip(names, arrays, strict=True))  # pyright: ignore[reportReturnType]


def single(results: Mapping[str, np.ndarray]) -> np.ndarray | tuple[np.ndarray, ...]:
    """The only result, or a tuple of them in order."""
    arrays = tuple(results.values())
    return arrays[0] if len(arrays) == 1 else arrays
