"""Make one op of two where that may be in place and the two may not; `canonicalize` does it too, op by op."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import PatternRewriteWalker

from lastuse.dialect.dnn.base import FoldIntoConsumer


def fold_into_consumers(module: ModuleOp) -> None:
    """Replace every op that can do the work of the op before it, whose only reader it is (`DnnOp.joined`)."""
    PatternRewriteWalker(FoldIntoConsumer(), apply_recursively=False).rewrite_module(module)
