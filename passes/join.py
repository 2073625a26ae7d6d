"""Make one op of two where that may be in place and the two may not; `canonicalize` does it too, op by op."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ..dialect.base import DnnOp


def join(module: ModuleOp) -> None:
    """Replace every op that can do the work of the op before it, whose only reader it is (`DnnOp.joined`)."""
    for op in list(module.walk()):
        if isinstance(op, DnnOp) and (joined := op.joined()) is not None:
            first = op.operands[0].owner
            Rewriter.replace_op(op, joined)
            if isinstance(first, Operation):
                first.detach()
                first.erase()
