"""What is done to a module for one set of sizes: in place, order and offsets are decided, and proved."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from lastuse import runtime
from lastuse.compiler.module_utils import apply, main_function
from lastuse.dialect.ir.call_graph import functions_of
from lastuse.dialect.ir.diagnostics import ToolContext
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory.scratch import Scratch
from lastuse.passes.memory.stats import memory_stats
from lastuse.passes.plan import PlanPass
from lastuse.passes.transforms.simplify import fold_into_consumers
from lastuse.passes.verify_storage import VerifyStoragePass
from lastuse.runtime import Stages


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


def decide(
    ctx: ToolContext, module: ModuleOp, options: Options, stages: Stages | None = None, limit: int | None = None
) -> None:
    """Join, then order, in place and offsets together; then check."""
    timed = stages if stages is not None else Stages()
    if options.inplace:
        fold_into_consumers(module)
    if options.plan:
        plan = PlanPass(options.strategy, options.inplace, options.schedule, limit=limit, threads=options.threads)
        with timed.stage("scratch"):
            Scratch(ctx, module, options.threads).measure()
        apply(plan, ctx, module, timed)
    elif options.inplace:
        apply(InplacePass(options.strategy), ctx, module, timed)
    apply(VerifyStoragePass(repair=True), ctx, module, timed)
    if not options.plan:
        with timed.stage("scratch"):
            Scratch(ctx, module, options.threads).measure()


def arena_bytes(module: ModuleOp) -> int:
    """Bytes that a run takes in its arena; 0 where a size is not known."""
    found = memory_stats(main_function(module), functions_of(module))
    return found.arena_bytes if found is not None else 0


def engines_of(lowered: ModuleOp) -> dict[str, int]:
    """How many steps each engine runs, whole or, of a GRU, some of its runs; copies have no engine."""
    counted = Counter(engine for op in lowered.walk() for engine in runtime.engines_of_step(op))
    return dict(sorted(counted.items()))
