"""`--schedule-pass`: the order of ops that needs least memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import RemarkKind, remark
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.passes.scheduling.joint_planning import NODES, PlanSearch, check_nodes


@dataclass(frozen=True)
class SchedulePass(ModulePass):
    """Move ops in their blocks: fewer bytes live at once.

    Requires: verified IR with known sizes (`--specialize-pass`), without decisions.
    Guarantees: results are the same bit for bit. After `--inplace-pass` and `--memory-plan-pass` the function
        has a smaller arena than in the given order; if no such order is found, no op is moved. Ops with effects, ops
        with regions and calls keep their order among themselves.
    Leaves alone: functions with unknown sizes, with decisions about places, with unreachable blocks, or that
        never return; regions of ops that are not control flow.
    Example: of two branches that are added at the end, the one with the larger intermediate values goes first.

    Options:
        inplace: assume results in place where contracts allow it. Without, the order is the best for a function
            without in-place results.
        nodes: of the search in each segment of a block; after that many sets of ops a beam takes over, and a remark
            says `proved = false`.
    """

    name: ClassVar[str] = "schedule-pass"

    inplace: bool = True
    nodes: int = NODES

    def __post_init__(self) -> None:
        check_nodes(self.nodes)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        search = PlanSearch(inplace=self.inplace, nodes=self.nodes)
        for func in defined_functions(op):
            self._apply(ctx, func, search)

    @staticmethod
    def _apply(ctx: Context, func: FuncOp, search: PlanSearch) -> None:
        chosen = search.run(func)
        chosen.best.apply_order()
        if chosen.fixed is not None:
            remark(ctx, RemarkKind.REFUSAL, func, f"ops keep their order: {chosen.fixed}", reason="order")
            return
        if chosen.best.reordered:
            remark(ctx, RemarkKind.DECISION, func, chosen.moved())
        else:
            remark(ctx, RemarkKind.DECISION, func, "ops keep their order: none is known that needs less")
        if not chosen.proved:
            remark(ctx, RemarkKind.DECISION, func, "proved = false: the search for an order stopped at its limit")
