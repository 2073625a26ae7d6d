"""`--bubble-up-pass`: max pools before the activations whose results they read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import RemarkKind, op_name, remark
from lastuse.dialect.storage import attrs


@dataclass(frozen=True)
class BubbleUpPass(ModulePass):
    """Move max pools before the activations that they read.

    Requires: verified IR, before anything is decided, and before `--backward-pass`.
    Guarantees: results are the same bit for bit, of operands without NaN; so are gradients, except where a window has
        several largest elements. The activation is computed for the selected elements alone, and its gradient keeps no
        more of them.
    Leaves alone: activations that have another reader, or may decrease; pools that number the elements they select, or
        whose windows may lie in the padding alone.
    Example: `"dnn.max_pool"` of `"dnn.relu"(%x)` becomes `"dnn.relu"` of `"dnn.max_pool"(%x)`.
    """

    name: ClassVar[str] = "bubble-up-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(_BubbleUp(ctx)).rewrite_module(op)


@dataclass
class _BubbleUp(RewritePattern):
    ctx: Context

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not isinstance(op, DnnOp) or not op.selects_largest() or attrs.is_decided(op):
            return
        value = op.operands[0]
        activation = value.op if isinstance(value, OpResult) else None
        if not isinstance(activation, DnnOp) or not activation.is_nondecreasing() or attrs.is_decided(activation):
            return
        if not value.has_one_use() or activation.parent is not op.parent:
            return
        remark(self.ctx, RemarkKind.DECISION, op, f"moved before {op_name(activation)}, whose result it read")
        name = op.results[0].name_hint
        selected = op.replacement(type(op), (activation.operands[0], *op.operands[1:]), op.attributes)
        moved = activation.replacement(type(activation), selected.results, activation.attributes, op.result_types)
        rewriter.replace(op, [selected, moved], moved.results)
        rewriter.erase(activation)
        selected.results[0].name_hint, moved.results[0].name_hint = None, name
