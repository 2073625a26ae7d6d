"""`--placement-pass`: which engine runs each op."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.recurrent.gru import GRU, KERNELS, GruBase, kernels_of
from lastuse.dialect.dnn.spatial.windowed import AnySizeBase
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, remark, wants_remarks
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.storage.contract import ENGINE, Engine, engine_of
from lastuse.passes.transforms.engine import assign_engine


@dataclass(frozen=True)
class PlacementPass(ModulePass):
    """Decide which engine runs each op.

    Requires: verified IR.
    Guarantees: `dnn.engine` on every op that one of the engines has to run: `onednn` where oneDNN computes it on the
        types it has (a GRU also where only its weights are still to be prepared), `native` where the runtime has a
        kernel of its own for them, of some ops instead of oneDNN's, else `cpu`. The result does not depend on when, or
        how many times, the pass runs: a pass that fuses ops with engines sets the engine of the new op by the same
        rule. A fused GRU in f32 is computed by oneDNN's primitives or native kernels, whichever are faster on the
        machine for a run of steps. A convolution of a width that is not known has `any_size`, unless a window of
        several rows in the function leaves code for each width anyhow.
    Leaves alone: ops that have an engine, such as one that the model keeps from oneDNN; ops that only name or move
        bytes; constants; ops of other dialects.
    Example: `"dnn.softmax"` on f32 gets `dnn.engine = "native"`, on f16 `dnn.engine = "cpu"`.

    Options:
        gru: the kernels that compute GRUs in f32, once they are fused: `onednn` or `native` alone (`dnn.gru`); without
            it, those that are faster on the machine.
    """

    name: ClassVar[str] = "placement-pass"

    gru: str | None = None

    def __post_init__(self) -> None:
        check_kernels(self.gru)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in defined_functions(op):
            _take_any_size(func)
        for inner in op.walk():
            if not isinstance(inner, DnnOp):
                continue
            changed = self.gru is not None and _choose(inner, self.gru)
            if changed or ENGINE not in inner.attributes:
                assign_engine(inner)
                if ENGINE in inner.attributes and wants_remarks(ctx):
                    remark(ctx, RemarkKind.DECISION, inner, f"runs on {_shown(inner)}")


def _take_any_size(func: FuncOp) -> None:
    open_ops = [op for op in func.walk() if isinstance(op, AnySizeBase) and op.has_open_size()]
    if not any(op.leaves_code() for op in open_ops):
        for op in open_ops:
            op.any_size = UnitAttr()


def check_kernels(gru: str | None) -> None:
    """Raises LastuseError where there are no such kernels of GRUs."""
    names = [engine.value for engine in KERNELS]
    if gru is not None and gru not in names:
        raise LastuseError(f"no kernels '{gru}' of GRUs; there are {', '.join(names)}")


def _choose(op: DnnOp, gru: str) -> bool:
    """Writes `dnn.gru` on a GRU; False where the GRU has no choice, or has the attribute."""
    if not isinstance(op, GruBase) or op.attributes.get(GRU) == StringAttr(gru):
        return False
    if engine_of(op) is Engine.CPU and op.is_fused():
        return False
    op.attributes.pop(ENGINE, None)
    op.attributes[GRU] = StringAttr(gru)
    return True


def _shown(op: DnnOp) -> str:
    """The engine of a placed op; of a GRU that either may compute, both."""
    either = isinstance(op, GruBase) and engine_of(op) is Engine.ONEDNN and kernels_of(op) is None
    return "onednn or native kernels, as is faster here" if either else str(op.attributes[ENGINE])
