"""A compiled program, ready to run: named arrays in, named arrays out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from lastuse.dialect.dnn.gathers import IndicesError
from lastuse.dialect.dnn.recurrent.ragged import OffsetsError
from lastuse.dialect.ir.diagnostics import ArrayError, LastuseError, Location
from lastuse.dialect.ir.locks import ForkLock
from lastuse.runtime import _core
from lastuse.runtime.arena_pool import ArenaPool
from lastuse.runtime.arrays import Arrays, LeadingRows, collect, empty_result
from lastuse.runtime.build import Argument, Built, build
from lastuse.runtime.engines import RUNTIME
from lastuse.runtime.warmup import GEMM, warm_up, warm_up_gemm
from lastuse.runtime.weights import PackedWeights

PRIMITIVE_BYTES = 1 << 15
"""What a primitive takes: its description, and its code, in pages that are touched."""
STEP_BYTES = 1 << 10
"""What a step takes beside its primitive: views, addresses, and what a kernel of our own computes beforehand."""


@dataclass(frozen=True, slots=True)
class HeldMemory:
    """Bytes that a program holds or takes.

    Attributes:
        arena: activations and planned scratch, once for each run that goes on at a time.
        scratch: beside the arena, for steps whose scratch was not planned; likewise.
        constants: weights and other constants, once for all programs of a model.
        packed: weights in the layouts that primitives chose, likewise; those that lie well as they are cost nothing.
        results: arrays that `run` allocates where the caller gives none.
    """

    arena: int
    scratch: int
    constants: int
    packed: int
    results: int


class StepTime(NamedTuple):
    """What the runs of a program spent in one step.

    Attributes:
        name: the op, and where it was in the source.
        engine: "onednn", "native" (a kernel of our own), "cpu" (one in numpy), "onednn+native" for a GRU of which each
            run of steps is computed by what is faster, or "runtime" for copies and control flow.
        kernel: what oneDNN calls its implementation ("jit:avx2", "ref:any"), or the name of a kernel of our own; "" of
            others.
        calls: how often it ran.
        seconds: all of them together.
        nbytes: bytes that one call reads and writes, scratch apart.
    """

    name: str
    engine: str
    kernel: str
    calls: int
    seconds: float
    nbytes: int


class Context:
    """The memory of one run of a program at a time: arena, scratch, memory objects. Each thread has its own."""

    def __init__(self, program: Executable, core: _core.Context) -> None:
        self._program, self._core = program, core

    def run(self, inputs: Arrays, out: Arrays | None = None, part: LeadingRows | None = None) -> dict[str, np.ndarray]:
        """As `Executable.run`, in this memory; raises LastuseError also while another thread runs in it."""
        return self._program.run_in(self._core, inputs, out, part)


class Executable:
    """An onednn-level function with every primitive prepared and every weight packed.

    Threads may call `run` at the same time: each takes a context (arena, scratch, memory objects) of its own, kept for
    the next run; the arena may be one of a pool. While primitives run the GIL is released. A `context` sets where an
    arena is.
    """

    def __init__(
        self,
        module: ModuleOp,
        *,
        function: str = "main",
        threads: int = 0,
        weights: PackedWeights | None = None,
        poison: bool = False,
        profile: bool = False,
        arena: np.ndarray | ArenaPool | None = None,
    ) -> None:
        """
        Args:
            module: a module in the onednn dialect; the arrays of its `dense_resource` constants go with it.
            function: which function of it.
            threads: OpenMP threads of every run, no more than OpenMP gives; 0 for all of those.
            weights: packed weights to share with other programs of the same arrays.
            poison: fill the arena with NaN bytes before every run, so that a read of unwritten bytes shows.
            profile: take the time of every step, for `profile`.
            arena: as of `context`: memory for all runs, of which one goes on at a time; or a pool, whose arenas runs
                take and give back.

        Raises:
            LastuseError: the module cannot run; with the place of the op that cannot.
        """
        built = build(module, function, threads, weights if weights is not None else PackedWeights())
        self._hold(built, threads, poison, profile, arena)

    @classmethod
    def of(
        cls,
        built: Built,
        *,
        threads: int = 0,
        poison: bool = False,
        profile: bool = False,
        arena: np.ndarray | ArenaPool | None = None,
    ) -> Executable:
        """As the constructor, of what is built already, for so many threads. Raises LastuseError where the arena does
        not fit."""
        made = cls.__new__(cls)
        made._hold(built, threads, poison, profile, arena)
        return made

    def _hold(
        self, built: Built, threads: int, poison: bool, profile: bool, arena: np.ndarray | ArenaPool | None
    ) -> None:
        self._built, self._poison, self._profiles = built, poison, profile
        warm_up(threads)
        if any(primitive.implementation.startswith(GEMM) for primitive in built.primitives):
            warm_up_gemm(threads)
        self._made: list[_core.Context] = []
        primitives = len({id(primitive) for primitive in built.primitives})
        self._step_bytes = len(built.core.steps) * STEP_BYTES + primitives * PRIMITIVE_BYTES
        self._lock = ForkLock()
        self._pool = arena if isinstance(arena, ArenaPool) else None
        self._has_arena, self._contexts, self._arenas = isinstance(arena, np.ndarray), 0, 0
        self._free: list[_core.Context] = []
        self._in_pool: dict[int, _core.Context] = {}
        if self._pool is not None:
            self._pool.add(self)
            self._pool.give(self._taken(self._pool))  # that there is one shows now, not in the first run
        else:
            self._free.append(self._context(arena))  # pyright: ignore[reportArgumentType]

    @property
    def arena_bytes(self) -> int:
        """Bytes of the arena of one run."""
        return self._built.core.arena_bytes

    def forget_arena(self, arena: np.ndarray) -> None:
        """Frees the context in an arena of the pool."""
        if self._in_pool.pop(id(arena), None) is not None:
            with self._lock:
                self._contexts -= 1

    @property
    def core(self) -> _core.StepProgram:
        """The steps as they run."""
        return self._built.core

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Inputs and results, in the order in which the program takes their arrays."""
        return self._built.arguments

    @property
    def inputs(self) -> dict[str, Argument]:
        """Shapes and dtypes of the inputs by name, in order."""
        return {a.input: a for a in self._built.arguments if a.input is not None}

    @property
    def results(self) -> dict[str, Argument]:
        """Shapes and dtypes of the results by name, in order."""
        return {a.result: a for a in self._built.arguments if a.result is not None}

    @property
    def threads(self) -> int:
        return self._built.core.threads

    @property
    def steps(self) -> list[str]:
        """Names of what runs, in order."""
        return self._built.core.steps

    @property
    def memory(self) -> HeldMemory:
        core = self._built.core
        results = sum(
            int(np.prod(a.shape, dtype=np.int64)) * a.dtype.itemsize
            for a in self._built.arguments
            if a.result is not None and a.input is None
        )
        built = self._built
        return HeldMemory(
            core.arena_bytes, core.unplanned_scratch_bytes, built.constant_bytes, built.packed_bytes, results
        )

    @property
    def held_bytes(self) -> int:
        """Bytes that are freed with the program: its steps, and of each context its scratch, and its arena unless that
        is the caller's or a pool's. Constants and packed weights are shared."""
        core = self._built.core
        of_contexts = self._contexts * core.unplanned_scratch_bytes + self._arenas * core.arena_bytes
        return self._step_bytes + of_contexts

    def run(self, inputs: Arrays, out: Arrays | None = None, part: LeadingRows | None = None) -> dict[str, np.ndarray]:
        """Runs the program once.

        Args:
            inputs: an array for each input, of exactly its shape and dtype. Those that are not C-contiguous are copied.
                A scalar (an array without axes) may be any number that its dtype holds exactly.
                An input that the program may write over (donated, or the memory of a result) must be contiguous and
                writable.
            out: memory for results, by name: C-contiguous, of exactly their shape and dtype, overlapping nothing else.
                Results not named here are allocated.
            part: how the arrays are a part of those that the program runs on. What holds for them is the same: an input
                that is the memory of a result holds it afterwards.

        Returns:
            Every result by name; the caller's own array where `out` gave one.

        Raises:
            LastuseError: arrays are missing, unknown, or not as the program wants them.
        """
        if self._pool is not None:
            return self._run_in_pool(self._pool, inputs, out, part)
        try:
            context = self._free.pop()
        except IndexError:  # none is free; pop is atomic, a look before it would not be
            if self._has_arena:
                raise LastuseError("another run goes on in the arena of this program") from None
            context = self._context(None)
        try:
            return self.run_in(context, inputs, out, part)
        finally:
            self._free.append(context)

    def _run_in_pool(
        self, pool: ArenaPool, inputs: Arrays, out: Arrays | None, part: LeadingRows | None
    ) -> dict[str, np.ndarray]:
        arena = self._taken(pool)
        try:
            context = self._in_pool.get(id(arena))  # it keeps its arena, so that no other one has this identity
            if context is None:
                context = self._in_pool[id(arena)] = self._context(arena)
            return self.run_in(context, inputs, out, part)
        finally:
            pool.give(arena)

    def _taken(self, pool: ArenaPool) -> np.ndarray:
        try:
            return pool.take()
        except MemoryError as error:
            raise LastuseError(f"there is no memory for an arena: {error}") from error

    def run_in(
        self, context: _core.Context, inputs: Arrays, out: Arrays | None, part: LeadingRows | None = None
    ) -> dict[str, np.ndarray]:
        """As `run`, in this context of the program's."""
        arguments = self._built.arguments
        shapes = [a.shape for a in arguments] if part is None else part.shapes
        try:
            arrays = collect(arguments, shapes, inputs, out)
            if part is not None:
                context.check(arrays, shapes)
            larger = arrays if part is None else _larger(arguments, arrays, part)
            if self._poison:
                context.poison()
            context.run(larger)
        except MemoryError as error:
            raise LastuseError(f"there is no memory for this run: {error}") from error
        except _core.OffsetsError as error:
            message, place = self._located(str(error))
            # The same message as from the kernels in numpy, which do not name a step.
            raise OffsetsError(message.partition(": ")[2] if place else message, place) from error
        except _core.IndicesError as error:
            message, place = self._located(str(error))
            raise IndicesError(message.partition(": ")[2] if place else message, place) from error
        except _core.Error as error:
            message, place = self._located(str(error))
            # What is said of an argument begins with its name in quotes.
            kind = ArrayError if place is None and message.startswith("'") else LastuseError
            raise kind(message, place) from error
        results = {a.result: array for a, array in zip(arguments, arrays, strict=True) if a.result is not None}
        if part is not None:
            for argument, source in zip(arguments, larger, strict=True):
                mine = results.get(argument.result) if argument.result is not None else None
                if mine is not None and source is not mine:
                    mine[...] = source[: len(mine)]
        # Where the caller's own object is no array, the array is a view of its memory.
        return results if out is None else {result: out.get(result, mine) for result, mine in results.items()}

    def _located(self, message: str) -> tuple[str, Location | None]:
        """A message of the core, which begins with the name of a step if one has failed, and the step's place."""
        for name, place in self._built.places.items():
            if message.startswith(f"{name}: "):
                return message.removeprefix(f"{place}: "), place
        return message, None

    def context(self, arena: np.ndarray | None = None) -> Context:
        """Memory for one run at a time.

        Args:
            arena: contiguous, writable, on a 64-byte boundary, of at least `memory.arena` bytes: used as the arena, as
                long as the context lives. None: memory of its own.

        Raises:
            LastuseError: the arena is not such an array.
        """
        return Context(self, self._context(arena))

    def profile(self) -> list[StepTime]:
        """What each step took in all runs so far, in order; nothing, if the program does not profile."""
        if not self._profiles:
            return []
        with self._lock:
            timings = [context.timings for context in self._made]
        steps: list[StepTime] = []
        computed, primitives = iter(self._built.computed), iter(self._built.primitives)
        for same in zip(*timings, strict=True):
            (name, kind, _, _, nbytes), calls = same[0], sum(step[2] for step in same)
            engine, kernel = (kind, "") if kind == RUNTIME else next(computed)
            if kernel is None:
                kernel = next(primitives).implementation
            steps.append(StepTime(name, engine, kernel, calls, sum(step[3] for step in same), nbytes))
        return steps

    def _context(self, arena: np.ndarray | None) -> _core.Context:
        try:
            context = _core.Context(self._built.core, arena)
        except _core.Error as error:
            raise LastuseError(str(error)) from error
        with self._lock:
            self._contexts += 1
            self._arenas += arena is None
            if self._profiles:
                context.profile(True)
                self._made.append(context)
        return context


def _larger(arguments: Sequence[Argument], arrays: Sequence[np.ndarray], part: LeadingRows) -> list[np.ndarray]:
    """The arrays that a program runs on where the caller's are a part of them."""
    inputs = {a.input: array for a, array in zip(arguments, arrays, strict=True) if a.input is not None}
    enlarged = part.enlarge(inputs)
    return [empty_result(a.shape, a.dtype) if a.input is None else enlarged[a.input] for a in arguments]
