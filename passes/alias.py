"""`--alias-pass`: which values share storage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import RemarkKind, remark
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.layout import Strided
from lastuse.passes.analysis.alias import AliasClasses, Share, alias_classes

ALIAS_CLASS = "dnn.alias_class"


@dataclass(frozen=True)
class AliasPass(ModulePass):
    """Annotate which values share storage.

    Requires: verified IR.
    Guarantees: `dnn.alias_class = array<i32: c>` on every op with tensor results, an entry a result; two values of one
        number may share bytes, two of different numbers never do. Classes are numbered in program order, those of
        arguments first; -1 stands for results that carry no bytes.
        With `--remarks`, the value whose bytes each value has: all of them, or a part (offset and strides in bytes).
    Leaves alone: everything else.
    Example: a `dnn.slice` of `%x` is in the class of `%x`.
    """

    name: ClassVar[str] = "alias-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in defined_functions(op):
            _annotate(ctx, func, alias_classes(func))


def _annotate(ctx: Context, func: FuncOp, classes: AliasClasses) -> None:
    for op in func.walk():
        numbers = [classes.number.get(r, -1) for r in op.results]
        if any(n >= 0 for n in numbers):
            op.attributes[ALIAS_CLASS] = DenseArrayBase.from_list(i32, numbers)
            _emit_remarks(ctx, op, func, classes)


def _emit_remarks(ctx: Context, op: Operation, func: FuncOp, classes: AliasClasses) -> None:
    for result in op.results:
        for share in classes.shares.get(result, ()):
            kind = "may be any part of" if share.may else "is all of" if share.whole else "is part of"
            assert isinstance(result, OpResult)
            text = f"{display_name(result)} {kind} {display_name(share.root)}"
            text += f"{_owner(func, share.root, classes)}{_where(share)}"
            remark(ctx, RemarkKind.DECISION, op, text)


def _owner(func: FuncOp, root: SSAValue, classes: AliasClasses) -> str:
    """The owner of the memory, where it is not the program's own."""
    storage = classes.places.of[root].storage
    if storage.kind is PlaceKind.CONSTANT:
        return ", a constant"
    if storage.kind is not PlaceKind.ARGUMENT:
        return ""
    assert isinstance(storage.key, int)
    if attrs.is_donated(func.args[storage.key]):
        return ", a donated argument"
    results = range(len(func.function_type.outputs))
    tied = (r for r in results if attrs.tied_argument(func, r) == storage.key)
    return next((f", an argument tied to result {r}" for r in tied), ", an argument")


def _where(share: Share) -> str:
    """Which bytes, where not all of them."""
    layout = share.layout
    if share.may or share.whole or not isinstance(layout, Strided):
        return ""
    return f": offset {layout.offset}, sizes {list(layout.sizes)}, strides {list(layout.strides)}"
