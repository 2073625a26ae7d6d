"""Ops folded into their only reader."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait

from lastuse.dialect.dnn.base import DnnOp


class FoldIntoConsumer(RewritePattern):
    """Folds the op before into its only reader, where that can do the work of both (`DnnOp.fused_with_producer`)."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        fused = op.fused_with_producer() if isinstance(op, DnnOp) else None
        if fused is not None:
            before = op.operands[0].owner
            assert isinstance(before, Operation)
            rewriter.replace(op, fused)
            rewriter.erase(before)


class FoldProducer(HasCanonicalizationPatternsTrait):
    """`canonicalize` folds the op before into this one."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (FoldIntoConsumer(),)
