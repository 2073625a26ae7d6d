"""What compiles a model for a set of sizes: it decides, lowers and prepares, or takes what a file has for them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.caller_arena import new_arena
from lastuse.compiler.compiled import Compiled
from lastuse.compiler.model_source import ModelSource, Values, source_of
from lastuse.compiler.module_utils import clone
from lastuse.compiler.pipeline import Pipeline, SharedMemory, arena_bytes, engines_of, passes_of
from lastuse.compiler.plan_reuse import PlanReuse
from lastuse.compiler.program_memory import ProgramMemory, memory_of
from lastuse.compiler.saved_program import StoredSizes
from lastuse.compiler.saved_source import SavedSource
from lastuse.compiler.staged_executable import COUNTED, RunTimeSizesError, StagedExecutable, StageProgram
from lastuse.dialect.ir.diagnostics import LastuseError, ToolContext
from lastuse.dialect.ir.flow_graphs import functions_of, main_function
from lastuse.dialect.storage import attrs, verifier
from lastuse.dialect.storage.specialization import unknown_sizes
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.memory.frame_layout import result_names
from lastuse.passes.memory.stats import MemoryStats, memory_stats
from lastuse.passes.pad_gru import PadGruPass
from lastuse.passes.transforms.run_time_stages import has_run_time_rows, staged
from lastuse.runtime import _core
from lastuse.runtime.arena_pool import ArenaPool
from lastuse.runtime.packed_sizes import packed_bytes
from lastuse.runtime.program import Executable
from lastuse.runtime.warmup import warm_up
from lastuse.runtime.weights import PackedWeights

MakeProgram = Callable[[ModelSource, Pipeline], StageProgram]


class SizeCompiler:
    """
    Compiles one model for sets of sizes, and of values of the inputs that shapes or branches depend on. It keeps no
    program; all share its weights.

    Attributes:
        weights: packed weights and GRU primitives.
    """

    def __init__(
        self, source: ModelSource, pipeline: Pipeline, arena: np.ndarray | None, make_program: MakeProgram
    ) -> None:
        """
        Args:
            arena: memory of the caller for all runs; without it, all sizes share arenas.
            make_program: makes the program of a stage, of a module some of whose sizes are counted in the run.
        """
        self._source, self._pipeline, self._make_program = source, pipeline, make_program
        shared = pipeline.shared or SharedMemory(PackedWeights(pipeline.stages), ArenaPool(new_arena))
        self.weights, self._arena = shared.weights, shared.arenas if arena is None else arena
        self._saved = source.saved if isinstance(source, SavedSource) else None
        self._ctx, self._options, self._stages = pipeline.ctx, pipeline.options, pipeline.stages

    @property
    def stored(self) -> list[StoredSizes]:
        """The sizes that a file has programs for."""
        return self._saved.sizes if self._saved is not None else []

    @cached_property
    def further(self) -> PlanReuse | None:
        """What carries decisions over from sizes to sizes; None where each set has its own."""
        # A plan that the model carries is kept for every set of sizes, so that none is decided as another one.
        if not self._source.signature.symbols or not self._options.plan or self._options.padded:
            return None
        module = self._source.module
        return (
            PlanReuse(self._pipeline, module, self.weights)
            if module is not None and not attrs.is_planned(module) and not has_run_time_rows(module)
            else None
        )

    def planned(self, sizes: Mapping[str, int], values: Values) -> ModuleOp:
        """The module with these sizes and values, decided and planned.

        Raises:
            LastuseError: its arena is above the limit.
        """
        with self._stages.stage("further sizes"):
            reuse = self.further if not values else None
            module = reuse.module(sizes) if reuse is not None else self.decided(sizes, values)
        limit = self._options.limit
        if limit is not None and arena_bytes(module) > limit:
            # What was decided for other sizes may take more than what is decided for these alone.
            module = self.decided(sizes, values, limit)
        return module

    def undecided(self, sizes: Mapping[str, int], values: Values) -> ModuleOp:
        """The module for these sizes and values, before anything is decided."""
        return self._source.specialized(self._pipeline, sizes, values)

    def packed_bytes(self, module: ModuleOp) -> int:
        """Bytes of the packed weights that a program of a planned module will have."""
        ctx, lowered = self._ctx.clone(), clone(module)
        ctx.wants_remarks = False  # a run's
        replace(self._pipeline, ctx=ctx).apply(LowerToOnednnPass(verify=False), lowered)
        return packed_bytes(lowered, self._options.threads, self.weights)

    def figures(self, module: ModuleOp) -> MemoryStats:
        """The memory of a planned module. Raises LastuseError where it cannot run."""
        func = main_function(module)
        with self._stages.stage("figures"):
            stats = memory_stats(func, functions_of(module))
        if stats is None:
            unbound = ", ".join(unknown_sizes(func))
            why = f"no input binds its sizes {unbound}" if unbound else "control does not reach one of its blocks"
            raise LastuseError(f"@{func.sym_name.data} cannot run: {why}", func)
        return stats

    def compile(self, sizes: Mapping[str, int], values: Values, planned: ModuleOp | None) -> Compiled:
        """The program for these sizes and values; `planned`: the module for them, if it is planned already."""
        stored = self._saved.find(sizes, values) if self._saved is not None else None
        limit = self._options.limit
        if stored is not None and (limit is None or stored.arena_bytes <= limit):
            return self.restore(stored)
        derived = self._derived(sizes) or self._probed(sizes) if planned is None and not values else None
        if derived is not None:
            return derived
        try:
            module = planned if planned is not None else self.planned(sizes, values)
        except RunTimeSizesError as error:
            return self._staged(error.module, sizes, values)
        lowered, runner, engines = self._lowered(sizes, module)

        def plan() -> tuple[ModuleOp, ProgramMemory]:
            return module, memory_of(module, self.figures(module), runner.memory.packed)

        names = result_names(main_function(module))
        _give_back_freed_memory()
        return Compiled(lambda: lowered, runner, engines, names, sizes, values, plan)

    def _staged(self, module: ModuleOp, sizes: Mapping[str, int], values: Values) -> Compiled:
        """The program of a module some of whose sizes are counted in the run, the first stage of it compiled."""
        if isinstance(self._arena, np.ndarray):
            raise LastuseError(f"{COUNTED}: they may not fit into memory of the caller", main_function(module))
        names = result_names(main_function(module))
        stages = staged(self._ctx, module, names)
        shared = replace(self._pipeline, shared=SharedMemory(self.weights, self._arena))
        programs = [self._make_program(source_of(stage.module), shared) for stage in stages.stages]
        runner = StagedExecutable(module, stages, programs)

        def lowered() -> ModuleOp:
            said = "it has no steps before it runs, and cannot be saved: compile the model where it runs"
            raise LastuseError(f"{COUNTED}: {said}", main_function(module))

        return Compiled(lowered, runner, runner.engines, names, sizes, values, runner.planned)

    def _lowered(self, sizes: Mapping[str, int], module: ModuleOp) -> tuple[ModuleOp, Executable, dict[str, int]]:
        """A planned module for sizes in steps, its program, and how many steps each engine runs: for other sizes,
        programs are derived from it."""
        lowered = clone(module)
        for pass_ in passes_of("lower", lower_to_onednn={"verify": False}):
            self._pipeline.apply(pass_, lowered)
        if not all(map(attrs.is_planned, functions_of(module).values())):
            self.figures(module)  # raises where it cannot run, which what has a plan can
        runner, engines = self._build(lowered), engines_of(lowered)
        if self.further is not None:
            self.further.learn(sizes, module, engines, runner.core)
        return lowered, runner, engines

    def _probed(self, sizes: Mapping[str, int]) -> Compiled | None:
        """The program for these sizes, derived after other sizes were compiled in their place, which cover more; None
        where there are none. A limit of the arena is one of the sizes that are asked for."""
        reuse = self.further if self._options.limit is None else None
        other = reuse.probe(sizes) if reuse is not None else None
        if other is None:
            return None
        with suppress(LastuseError, _core.Error):  # the model has no such sizes, or a primitive
            self._lowered(other, self.planned(other, {}))
        return self._derived(sizes)

    def _derived(self, sizes: Mapping[str, int]) -> Compiled | None:
        """The program for these sizes, derived from others; None where it has to be compiled."""
        reuse = self.further
        with self._stages.stage("derived sizes"):
            found = reuse.derived(sizes) if reuse is not None else None
            if found is None:
                return None
            derived, planned = found[0], cache(found[1])
            options = self._options
            runner = Executable.of(
                derived.built,
                threads=options.threads,
                poison=options.poison,
                profile=options.profile,
                arena=self._arena,
            )

        def plan() -> tuple[ModuleOp, ProgramMemory]:
            module = planned()
            return module, memory_of(module, self.figures(module), runner.memory.packed)

        def lower() -> ModuleOp:
            lowered = clone(planned())
            for pass_ in passes_of("lower", lower_to_onednn={"verify": False}):
                self._pipeline.apply(pass_, lowered)
            return lowered

        # Nothing refers to itself: an arena is freed as soon as its program is no longer kept.
        return Compiled(lower, runner, derived.engines, tuple(runner.results), sizes, {}, plan)

    def restore(self, stored: StoredSizes) -> Compiled:
        """The program for sizes that a file has a plan for."""
        saved = self._saved
        assert saved is not None
        with self._stages.stage("saved program"):
            lowered = saved.lowered(stored, self._ctx)
        try:
            runner = self._build(lowered)
        except LastuseError as error:
            error.location = error.location or saved.location
            raise
        if set(runner.results) != set(saved.outputs):
            raise saved.wrong("a program in it has other results than it says")
        saved.compare()
        limit, nbytes = self._options.limit, runner.memory.arena
        if limit is not None and nbytes > limit:
            raise saved.wrong(f"the arena has {nbytes:,} bytes, not {stored.arena_bytes:,} as it says")

        def plan() -> tuple[ModuleOp, ProgramMemory]:
            module = saved.decided(stored, self._ctx)
            return module, memory_of(module, self.figures(module), runner.memory.packed)

        return Compiled(
            lambda: lowered, runner, engines_of(lowered), tuple(saved.outputs), stored.sizes, stored.values, plan
        )

    def _build(self, lowered: ModuleOp) -> Executable:
        """The prepared program of a lowered module."""
        options = self._options
        with self._stages.stage("libraries"):
            warm_up(options.threads)
        with self._stages.stage("primitives"):
            return Executable(
                lowered,
                threads=options.threads,
                weights=self.weights,
                poison=options.poison,
                profile=options.profile,
                arena=self._arena,
            )

    def decided(
        self, sizes: Mapping[str, int], values: Values, limit: int | None = None, ctx: ToolContext | None = None
    ) -> ModuleOp:
        """A copy of the module with these sizes, decided. Raises LastuseError where its arena is above the limit.

        `ctx`: for other remarks than the program's."""
        pipeline = replace(self._pipeline, ctx=ctx or self._ctx)
        module = self._source.specialized(pipeline, sizes, values)
        if has_run_time_rows(module):
            raise RunTimeSizesError(module)
        if self._options.padded:
            pipeline.apply(PadGruPass(self._options.padded), module)
            verifier.verify(module)
        pipeline.decide(module, limit)
        if limit is not None and (nbytes := arena_bytes(module)) > limit:
            why = "a plan shares memory between values (without plan=False, --no-plan)"
            raise LastuseError(f"the arena has {nbytes:,} bytes, the limit is {limit:,}: {why}", main_function(module))
        return module


def _give_back_freed_memory() -> None:
    """Gives free pages of the heap back to the system, where the C library has a function for that (glibc's
    `malloc_trim`). Compiling frees tens of MB, which the library keeps where a later block lies above."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
