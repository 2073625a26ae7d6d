"""The named pipelines, and what is done to a module for one set of sizes: in place, order and offsets are decided, and
proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_pipeline

from lastuse.dialect.ir.diagnostics import ArrayError, LastuseError, NeedsValuesError, ToolContext
from lastuse.dialect.ir.flow_graphs import functions_of, main_function, topological_order
from lastuse.dialect.storage import verifier
from lastuse.dialect.storage.specialization import specialize
from lastuse.passes.fold_producer import FoldProducerPass
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory.scratch_sizes import Scratch
from lastuse.passes.memory.stats import memory_stats
from lastuse.passes.plan import PlanPass
from lastuse.passes.post_op_fusion import PostOpFusionPass
from lastuse.passes.refine import RefinePass
from lastuse.passes.specialize import SpecializePass
from lastuse.passes.transforms.refinement import needs_refinement
from lastuse.runtime.arena_pool import ArenaPool
from lastuse.runtime.engines import engines_of_step
from lastuse.runtime.stage_timer import Stages
from lastuse.runtime.weights import PackedWeights
from lastuse.universe import PIPELINES, UNIVERSE

KEPT_BYTES = 1 << 30
"""What the programs for all sizes may hold together unless told otherwise."""


@dataclass(frozen=True)
class Options:
    """What `compile` does. See there."""

    inplace: bool = True
    plan: bool = True
    schedule: bool = True
    strategy: str = "optimal"
    threads: int = 0
    poison: bool = False
    profile: bool = False
    round_sizes: bool = False
    padded: int = 0
    limit: int | None = None
    recompute: str = "none"
    post_ops: bool = False
    derive_sizes: bool = True
    kept_bytes: int = KEPT_BYTES


def passes_of(pipeline: str, **options: Mapping[str, Any]) -> Iterator[ModulePass]:
    """The passes of a named pipeline (`lastuse.universe.PIPELINES`).

    `options` of a pass that the pipeline does not give are named as the file of the pass is.
    """
    for default in _defaults_of(pipeline):
        yield replace(default, **options.get(default.name.removesuffix("-pass").replace("-", "_"), {}))


@cache
def _defaults_of(pipeline: str) -> tuple[ModulePass, ...]:
    """The passes as the pipeline's text gives them; reading it takes a tenth of the time in which one op compiles."""
    specs = parse_pipeline(PIPELINES[pipeline])
    return tuple(UNIVERSE.all_passes[spec.name]().from_pass_spec(spec) for spec in specs)


@dataclass(frozen=True)
class SharedMemory:
    """What programs share that run one after the other: packed weights and arenas."""

    weights: PackedWeights
    arenas: ArenaPool


@dataclass(frozen=True)
class Pipeline:
    """The passes over the modules of a program: their context, under which options, what times them, whether what
    takes long is shown on standard error (None: if it is a terminal), and what the program shares with others."""

    ctx: ToolContext
    options: Options = Options()
    stages: Stages = field(default_factory=Stages)
    progress: bool | None = None
    shared: SharedMemory | None = None

    def apply(self, pass_: ModulePass, module: ModuleOp) -> None:
        """The pass on the module, as a stage of its name."""
        with self.stages.stage(pass_.name):
            pass_.apply(self.ctx, module)

    def specialize(self, module: ModuleOp, sizes: Mapping[str, int]) -> None:
        """Gives a module its sizes.

        Raises:
            ArrayError: they do not fit it, or each other.
            LastuseError: the module is wrong, whatever the sizes.
        """
        with self.stages.stage(SpecializePass.name):
            topological_order(functions_of(module))
            try:
                specialize(module, {main_function(module): sizes})
                if needs_refinement(module):
                    self.apply(RefinePass(views=bool(sizes)), module)
                if self.options.post_ops:
                    self.apply(PostOpFusionPass(), module)  # more sizes are known to be alike
                verifier.verify(module)
            except LastuseError as error:
                if not sizes or isinstance(error, NeedsValuesError):
                    raise
                bound = ", ".join(f"{name} = {size}" for name, size in sizes.items())
                raise ArrayError(f"{error.message} (sizes: {bound})", error.location, error.notes) from error

    def decide(self, module: ModuleOp, limit: int | None = None) -> None:
        """The pipeline `plan`, without the passes that the options leave out."""
        options, timed = self.options, self._timed()
        chosen = {name: getattr(options, name) for name in ("strategy", "inplace", "schedule", "recompute", "threads")}
        for pass_ in passes_of("plan", plan={**chosen, "limit": limit}):
            if isinstance(pass_, FoldProducerPass) and not options.inplace:
                continue
            if isinstance(pass_, PlanPass):
                if not (options.plan or options.inplace):
                    continue
                if not options.plan:
                    pass_ = InplacePass(options.strategy)
            timed.apply(pass_, module)
        if not options.plan:
            self.measure_scratch(module)

    def _timed(self) -> Pipeline:
        """The pipeline with a context that measures scratch in a stage of its own, whichever pass asks for it."""
        ctx, measure = self.ctx.clone(), self.ctx.measure_scratch

        def measured(module: Operation, threads: int) -> Mapping[Operation, int]:
            with self.stages.stage("scratch"):
                return measure(module, threads) if measure is not None else {}

        if measure is not None:
            ctx.measure_scratch = measured
        return replace(self, ctx=ctx)

    def measure_scratch(self, module: ModuleOp) -> None:
        """Notes the scratch of the ops of a module whose sizes are known."""
        with self.stages.stage("scratch"):
            Scratch(self.ctx, module, self.options.threads).measure()


def arena_bytes(module: ModuleOp) -> int:
    """Bytes that a run takes in its arena; 0 where a size is not known."""
    stats = memory_stats(main_function(module), functions_of(module))
    return stats.arena_bytes if stats is not None else 0


def engines_of(lowered: ModuleOp) -> dict[str, int]:
    """How many steps each engine runs, whole or, of a GRU, some of its runs; copies have no engine."""
    counted = Counter(engine for op in lowered.walk() for engine in engines_of_step(op))
    return dict(sorted(counted.items()))
