"""`--fold-producer-pass`: ops that do the work of the op before them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from lastuse.passes.transforms.simplify import fold_into_consumers


@dataclass(frozen=True)
class FoldProducerPass(ModulePass):
    """Fold ops into readers that can do the work of both.

    Requires: verified IR, before anything is decided.
    Guarantees: results are the same bit for bit. The op that is left may be in place where the two may not, because
        the value between them has another element type.
    Leaves alone: ops whose result has other readers, or is returned.
    Example: `"dnn.cast"` of the result of a comparison and the comparison become one comparison with the cast's type.
    """

    name: ClassVar[str] = "fold-producer-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        fold_into_consumers(op)
