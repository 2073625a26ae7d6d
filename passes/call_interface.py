"""`--call-interface-pass`: what functions promise to those that call them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, remark
from lastuse.dialect.ir.flow_graphs import functions_of
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.call_interface import ACCESS
from lastuse.passes.analysis.callee_summaries import CalleeSummary
from lastuse.passes.inplace_analysis.call_interfaces import CallInterfaces, Promise

ARGUMENTS = ("declared", "writable")


@dataclass(frozen=True)
class CallInterfacePass(ModulePass):
    """Annotate what functions do to arguments.

    Requires: verified IR. A function without a body may write each tensor that it is given, and return its memory,
        unless `bufferization.access` of the argument is `none` or `read`.
    Guarantees: each tensor argument of a function with a body has `bufferization.access`. A function that is called
        has, on each result that is a tensor, `dnn.tied` (it ends in an argument that the function writes) or `dnn.lent`
        (it is returned in the memory of one of these arguments, or in new memory), and `dnn.donated` on the arguments
        that it writes. A call's result that is an operand as it is, is replaced by that. `--verify-storage-pass` holds
        functions to what they promise; then `--inplace-pass` lets results of calls lie on their operands.
    Leaves alone: functions with decisions, or that may call themselves, but for `bufferization.access`.
    Example: `@insert`, which inserts a number into its argument and returns that, may write it; its result is tied.

    Options:
        arguments: `declared` (default): a function writes arguments that have `dnn.donated`, and any others if it is
            private and only called; `writable`: all that do not have `bufferization.writable = false`.
    """

    name: ClassVar[str] = "call-interface-pass"

    arguments: str = "declared"

    def __post_init__(self) -> None:
        if self.arguments not in ARGUMENTS:
            raise LastuseError(f"arguments is {', '.join(ARGUMENTS)}, not '{self.arguments}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        interfaces = CallInterfaces(op, self.arguments == "writable")
        interfaces.write()
        for name, func in functions_of(op).items():
            tensors = [argument.index for argument in func.args if isinstance(argument.type, TensorType)]
            access = {k: StringAttr(_access(interfaces.summaries[name], k)) for k in tensors}
            attrs.set_argument_attributes(func, ACCESS, access)
        for promise in interfaces.promises:
            remark(ctx, RemarkKind.DECISION, promise.func, _said(promise))


def _access(summary: CalleeSummary, argument: int) -> str:
    kinds = [("read", summary.reads), ("write", summary.writes)]
    return "-".join(name for name, numbers in kinds if argument in numbers) or "none"


def _said(promise: Promise) -> str:
    names = [display_name(promise.func.args[k]) for k in promise.arguments]
    where = f"the memory of {' or '.join(names)}" if names else "new memory"
    how = ", which the function may write" if promise.tied else ", which the function only reads" if names else ""
    return f"result {promise.result} of @{promise.func.sym_name.data} is returned in {where}{how}"
