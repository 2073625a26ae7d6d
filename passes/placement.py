"""`--placement-pass`: which engine runs each op."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialect.base import DnnOp
from ..dialect.diagnostics import RemarkKind, remark, wants_remarks
from ..dialect.storage import ENGINE, Engine


@dataclass(frozen=True)
class PlacementPass(ModulePass):
    """Decide which engine runs each op.

    Requires: verified IR.
    Guarantees: `dnn.engine` on every op that one of the engines has to run: `onednn` where oneDNN computes it on the
        types it has (a GRU also where only its weights are still to be prepared), else `cpu`. It makes no difference
        when, or how many times, the pass runs: a pass that makes a new op of placed ones places it by the same rule.
    Leaves alone: ops that have an engine, such as one that the model keeps from oneDNN; ops that only name or move
        bytes; constants; ops of other dialects.
    Example: `"dnn.softmax"` on f32 gets `dnn.engine = "onednn"`, on f64 `dnn.engine = "cpu"`.
    """

    name: ClassVar[str] = "placement-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in op.walk():
            if isinstance(inner, DnnOp) and ENGINE not in inner.attributes:
                place(inner)
                if ENGINE in inner.attributes and wants_remarks(ctx):
                    remark(ctx, RemarkKind.DECISION, inner, f"runs on {inner.attributes[ENGINE]}")


def place(op: DnnOp) -> None:
    """Write the engine that runs an op, if one has to."""
    engine = op.engine()
    if engine is not None:
        op.attributes[ENGINE] = StringAttr(engine.value)


def place_like(op: DnnOp, *sources: Operation) -> None:
    """Place an op made instead of `sources`: kept from oneDNN as one of them was, placed if one was, else not yet."""
    given = {source.attributes[ENGINE] for source in sources if ENGINE in source.attributes}
    if StringAttr(Engine.CPU.value) in given:
        op.attributes[ENGINE] = StringAttr(Engine.CPU.value)
    elif given:
        place(op)


def place_beside(op: DnnOp, other: Operation) -> None:
    """Place an op made for another one, if that is placed."""
    if ENGINE in other.attributes:
        place(op)
