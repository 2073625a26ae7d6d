"""`--lower-to-onednn-pass`: from values with decisions to explicit storage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import LastuseError, inherit, op_name, wants_remarks
from lastuse.dialect.ir.flow_graphs import callee_of, calls_in, functions_of, topological_order
from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.ir.tensor_types import verify_element_types
from lastuse.dialect.onednn.buffers import ArenaOp
from lastuse.dialect.onednn.source import SourceOp
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.layout import aligned
from lastuse.passes.checker import check
from lastuse.passes.lowering.copy_analysis import Expected
from lastuse.passes.lowering.copy_remarks import explained, say_copies
from lastuse.passes.lowering.function import FunctionLowering
from lastuse.passes.lowering.source_listing import as_values, name_ops
from lastuse.passes.memory.frame_layout import result_names


@dataclass(frozen=True)
class LowerToOnednnPass(ModulePass):
    """Turn dnn ops on values into onednn ops in one arena.

    Requires: known sizes (`--specialize-pass`), no forwarded values (`dnn.forward`), and decisions that
        `--verify-storage-pass` accepts, which is checked here again, because a pass in between may have made them
        stale. Without a plan every value gets its own arena bytes. No function is recursive.
    Guarantees: results are arguments with `onednn.result`, inputs carry `dnn.name`; ops that may run on oneDNN do,
        other ops call their kernels; the steps compute the same bits under all decisions, but for which of two NaNs a
        kernel keeps. Control flow stays `scf`, `cf` and `func.call`, which carry scalars alone: tensors are copied into
        the slots of a boundary before control crosses it, as a parallel copy, unless they are in their slots already. A
        called function has a frame in the arena, behind those of all functions that may call it. Every copy is a
        remark. `onednn.source`, beside the lowered functions, has the functions they were made from; each step has
        the name of its op there, so that `--verify-lowering-pass` can prove the result.
    Leaves alone: declarations.
    Example: `%y = "dnn.relu"(%x) {dnn.inplace = array<i32: 0>}` becomes `onednn.eltwise "relu" ins(%v) outs(%v)`.

    Options:
        verify: refuse decisions that `--verify-storage-pass` refuses; false where it has just accepted them.
    """

    name: ClassVar[str] = "lower-to-onednn-pass"

    verify: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_element_types(op)
        functions = functions_of(op)
        order = topological_order(functions)
        for func in functions.values() if self.verify else ():
            for wrong in check(func):
                raise wrong.error()
        called = {callee_of(call) for func in order for call in calls_in(func)}
        lowered: dict[str, FuncOp] = {}
        names: dict[str, tuple[Sequence[str], Sequence[str]]] = {}
        for func in functions.values():
            name = func.sym_name.data
            _refuse_forwarded(func)
            name_ops(func)
            with unchanged_ops():
                lowering = FunctionLowering(func, functions, name in called)
                lowered[name] = lowering.lower()
            names[name] = lowering.frame.inputs, result_names(func)
            if wants_remarks(ctx):
                copies = [Expected(copy, copy.nbytes) for copy in lowering.copies]
                say_copies(ctx, func, copies, explained(func))
        starts = dict.fromkeys(lowered, 0)
        for func in order:
            name = func.sym_name.data
            end = _set_start(lowered[name], starts[name])
            for call in calls_in(func):
                callee = callee_of(call)
                starts[callee] = max(starts[callee], end)
        for name, func in functions.items():
            inherit(lowered[name], func)
            block = func.parent
            assert block is not None
            block.insert_op_before(lowered[name], func)
            func.detach()
            as_values(func, *names[name])
        if functions:
            op.body.block.add_op(SourceOp(list(functions.values())))


def _refuse_forwarded(func: FuncOp) -> None:
    """A step has its operands at places that are known when it is prepared."""
    for op in func.walk():
        for name in (attrs.FORWARD, attrs.SUCC_FORWARD):
            if name in op.attributes:
                raise LastuseError(f"'{op_name(op)}': {name}: steps cannot have operands where the path puts them", op)


def _set_start(func: FuncOp, start: int) -> int:
    """Put the frame of a lowered function at `start`; the first aligned byte behind it."""
    arena = next(op for op in func.body.walk() if isinstance(op, ArenaOp))
    if start:
        arena.offset = IntegerAttr(start, i64)
    return aligned(start + arena.nbytes)
