"""Simplifications before a plan: ops that compute nothing that is used, and ops that can do the work of another one."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriteWalker
from xdsl.traits import IsTerminator
from xdsl.transforms.dead_code_elimination import would_be_trivially_dead

from lastuse.dialect.dnn.consumer_folding import FoldIntoConsumer
from lastuse.dialect.ir.diagnostics import RemarkKind, remark
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of


def erase_dead(ctx: Context, module: ModuleOp | FuncOp) -> None:
    """Erases ops without effects whose results have no uses, uses by erased ops aside.

    Ops that carry a decision, or have one in a region, stay: a decision that was made before is kept. A remark names
    each op that is erased.
    """
    for op in reversed(list(module.walk())):
        if op.parent is not None and _is_dead(op):
            remark(ctx, RemarkKind.DECISION, op, "erased: no op uses what it computes")
            op.detach()
            op.erase()


def _is_dead(op: Operation) -> bool:
    if not op.results or any(result.first_use is not None for result in op.results):
        return False
    return is_removable(op)


def is_removable(op: Operation) -> bool:
    """Whether an op does nothing but make its results, of which nothing is decided: without uses it may go."""
    if attrs.has_decisions(op) or op.has_trait(IsTerminator):
        return False
    return would_be_trivially_dead(op) or contract_of(op).pure


def fold_into_consumers(module: ModuleOp) -> None:
    """Folds each op into its only reader where that can do the work of both (`DnnOp.fused_with_producer`), because the
    result may be in place where those of the two may not. `canonicalize` does it too, op by op."""
    PatternRewriteWalker(FoldIntoConsumer(), apply_recursively=False).rewrite_module(module)
