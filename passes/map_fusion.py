"""`--map-fusion-pass`: elementwise ops that read each other's results as one op."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import RemarkKind, remark
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.storage.attrs import display_name
from lastuse.passes.transforms.map_groups import MapGroups


@dataclass(frozen=True)
class MapFusionPass(ModulePass):
    """Compute chains and trees of elementwise ops as one op.

    Requires: verified IR, before anything is decided. Not before `--backward-pass`: a map has no gradient.
    Guarantees: two or more elementwise ops become a `dnn.map` in the place of the last one where the values between
        them have its sizes and no other readers. It reads each operand once, and has no memory for these values. No
        value is live longer that takes more bytes than what is gone. Results are the same but for rounding, where
        oneDNN computed an op. Every refusal is a remark with a reason.
    Leaves alone: ops that have an engine; functions such as tanh that oneDNN computes faster alone, but on few
        elements; ops whose result is known while compiling; ops that the runtime's `map` kernel does not compute.
    Example: `"dnn.mul"(%x, %w)`, `"dnn.sub"(%m, %b)` and `"dnn.relu"(%s)` become `"dnn.map"(%x, %w, %b)`.
    """

    name: ClassVar[str] = "map-fusion-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in defined_functions(op):
            fusion = MapGroups(func)
            for group in fusion.groups():
                for inner, reason in group.apart:
                    text = f"not one map with what reads {display_name(inner.results[0])}: {reason.words}"
                    remark(ctx, RemarkKind.REFUSAL, inner, text, reason=reason)
                if len(group.ops) > 1:
                    names = ", ".join(inner.name for inner in group.ops)
                    remark(ctx, RemarkKind.DECISION, fusion.fuse(group), f"computes {names} in one loop")
