"""A plan for each unit of a size that nobody bound yet: one for every number of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from .dialect import decisions
from .dialect.diagnostics import ToolContext
from .passes.inplace import InplacePass
from .passes.join import join
from .passes.memory_plan import MemoryPlanPass
from .passes.verify_storage import VerifyStoragePass


class Wanted(Protocol):
    """Of the options of `lastuse.compile`."""

    @property
    def inplace(self) -> bool: ...
    @property
    def strategy(self) -> str: ...


def plan_per_unit(ctx: ToolContext, module: ModuleOp, func: FuncOp, wanted: Wanted) -> bool:
    """Decide in place, plan and check a module of unknown sizes; whether `func` got a plan in bytes for each unit."""
    quiet = replace(ctx, remarks=[], wants_remarks=False)
    if wanted.inplace:
        join(module)
        InplacePass(strategy=wanted.strategy).apply(quiet, module)
    MemoryPlanPass().apply(quiet, module)
    VerifyStoragePass(repair=True).apply(quiet, module)
    return decisions.UNIT in func.attributes
