"""Passes that have nothing to do where they stand among the others: what is said before one runs, and after it."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.recurrent.gru import GruBase
from lastuse.dialect.ir.diagnostics import RemarkKind, ToolContext, remark, warn
from lastuse.dialect.storage import attrs
from lastuse.universe import UNIVERSE

INPLACE, SCHEDULE, OFFSETS, PLAN = "inplace-pass", "schedule-pass", "memory-plan-pass", "plan-pass"
FUSION, REORDER, QUANTIZE = "gru-fusion-pass", "weight-reorder-pass", "quantize-pass"
VERIFY, LOWER, VERIFY_LOWERING = "verify-storage-pass", "lower-to-onednn-pass", "verify-lowering-pass"
DECIDING = (INPLACE, OFFSETS, PLAN)


class PassOrder:
    """
    Follows a pipeline over one module.

    A pass that is too late or too early for what it is there for is a warning: it is quiet about passes in an order
    that makes sense, also where they find nothing to do. That is a remark.
    """

    def __init__(self, ctx: ToolContext) -> None:
        self._ctx = ctx
        self._ran: list[str] = []
        self._before: tuple[ModuleOp, int] | None = None

    def before(self, module: ModuleOp, following: ModulePass) -> None:
        """Warns of the pass that runs next."""
        for op, text in _misplaced(module, following, self._ran):
            warn(self._ctx, op, f"{following.name}: {text}", reason="order")
        self._before = (module.clone(), len(self._ctx.remarks)) if self._ctx.wants_remarks else None

    def after(self, module: ModuleOp, previous: ModulePass) -> None:
        """Says that the pass that ran found nothing to do, where it said nothing itself."""
        self._ran.append(previous.name)
        if self._before is None or previous.name in (VERIFY, VERIFY_LOWERING):
            return
        copy, said = self._before
        if len(self._ctx.remarks) == said and module.is_structurally_equivalent(copy):
            where = next((op for op in module.walk() if isinstance(op, FuncOp)), module)
            remark(self._ctx, RemarkKind.REFUSAL, where, f"{previous.name} changed nothing", reason="nothing")


def _misplaced(module: ModuleOp, following: ModulePass, ran: list[str]) -> Iterator[tuple[Operation, str]]:
    name = following.name
    functions = [op for op in module.walk() if isinstance(op, FuncOp) and op.body.blocks]
    if name not in UNIVERSE.all_passes or not functions:
        return
    if LOWER in ran and name not in (VERIFY_LOWERING, LOWER):
        yield functions[0], f"the program is lowered, and has no op left for this pass; run it before --{LOWER}"
        return
    planned = [func for func in functions if attrs.ARENA_BYTES in func.attributes]
    decided = any(attrs.is_decided(op) for op in module.walk())
    grus = [op for op in module.walk() if isinstance(op, GruBase)]
    if name in (INPLACE, SCHEDULE) and planned:
        yield planned[0], f"the memory is planned, and what has a place keeps it; run it before --{OFFSETS}"
    elif name == SCHEDULE and decided:
        yield functions[0], f"ops that have decisions keep their order; run it before --{INPLACE}"
    elif name == VERIFY and not decided and not planned and not set(DECIDING) & set(ran):
        yield functions[0], f"no op has a decision, so there is nothing to verify; --{PLAN} before it makes some"
    elif name == LOWER and not planned and not {OFFSETS, PLAN} & set(ran):
        if any(isinstance(op, DnnOp) for op in module.walk()):
            yield functions[0], f"no memory is planned, each value gets bytes of its own; --{PLAN} shares them"
    elif name == FUSION and REORDER in ran and not all(op.is_fused() for op in grus):
        yield functions[0], f"the weights of what it fuses are not prepared any more; run it before --{REORDER}"
    elif name == QUANTIZE:
        fused = [op for op in grus if op.is_fused()]
        if fused and REORDER not in ran and not any(op.primitive() for op in fused):
            yield fused[0], f"no GRU has prepared weights; run --{REORDER} before it"
