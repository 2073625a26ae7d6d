"""The named pipelines, and what is done to a module for one set of sizes: in place, order and offsets are decided, and
proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_pipeline

from lastuse.compiler.module_utils import apply, main_function
from lastuse.dialect.ir.call_graph import functions_of
from lastuse.dialect.ir.diagnostics import ToolContext
from lastuse.passes.fold_producer import FoldProducerPass
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory.scratch_sizes import Scratch
from lastuse.passes.memory.stats import memory_stats
from lastuse.passes.plan import PlanPass
from lastuse.runtime.engines import engines_of_step
from lastuse.runtime.stage_timer import Stages
from lastuse.universe import PIPELINES, UNIVERSE


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


def passes_of(pipeline: str, **options: Mapping[str, Any]) -> Iterator[ModulePass]:
    """The passes of a named pipeline (`lastuse.universe.PIPELINES`).

    `options` of a pass that the pipeline does not give are named as the file of the pass is.
    """
    for spec in parse_pipeline(PIPELINES[pipeline]):
        default = UNIVERSE.all_passes[spec.name]().from_pass_spec(spec)
        yield replace(default, **options.get(spec.name.removesuffix("-pass").replace("-", "_"), {}))


def decide(
    ctx: ToolContext, module: ModuleOp, options: Options, stages: Stages | None = None, limit: int | None = None
) -> None:
    """The pipeline `plan`, without the passes that the options leave out."""
    timed = stages if stages is not None else Stages()
    chosen = {name: getattr(options, name) for name in ("strategy", "inplace", "schedule", "threads")}
    for each in passes_of("plan", plan={**chosen, "limit": limit}):
        if isinstance(each, FoldProducerPass) and not options.inplace:
            continue
        if isinstance(each, PlanPass):
            if options.plan:
                _measure_scratch(ctx, module, options, timed)  # a stage of its own: the pass asks for the same again
            elif options.inplace:
                each = InplacePass(options.strategy)
            else:
                continue
        apply(each, ctx, module, timed)
    if not options.plan:
        _measure_scratch(ctx, module, options, timed)


def _measure_scratch(ctx: ToolContext, module: ModuleOp, options: Options, stages: Stages) -> None:
    with stages.stage("scratch"):
        Scratch(ctx, module, options.threads).measure()


def arena_bytes(module: ModuleOp) -> int:
    """Bytes that a run takes in its arena; 0 where a size is not known."""
    found = memory_stats(main_function(module), functions_of(module))
    return found.arena_bytes if found is not None else 0


def engines_of(lowered: ModuleOp) -> dict[str, int]:
    """How many steps each engine runs, whole or, of a GRU, some of its runs; copies have no engine."""
    counted = Counter(engine for op in lowered.walk() for engine in engines_of_step(op))
    return dict(sorted(counted.items()))
