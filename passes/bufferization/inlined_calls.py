"""Calls that are replaced by the ops of the function that they call.

What a function promises to all that call it is less than what one caller sees in its ops: a result that is an argument
on one path and new memory on another is copied at the return, and a result that goes into a part of a tensor is not
computed there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.flow_graphs import callee_of, calls_in, functions_of, ops_within, topological_order
from lastuse.passes.bufferization.copy_count import ModuleCopies, copied_in_all
from lastuse.passes.bufferization.least_copies import MOST_OPS

KEPT = "no_inline"
MOST_CALLEES = 8
"""Functions whose calls are replaced on trial, one after the other."""


def functions_to_inline(module: ModuleOp) -> list[str]:
    """Functions that are called, of one block, each before those that call it. One with `no_inline` is none."""
    functions = functions_of(module)
    called = {callee_of(call) for func in functions.values() for call in calls_in(func)}
    order = [func for func in reversed(topological_order(functions)) if func.sym_name.data in called]
    return [f.sym_name.data for f in order if len(f.body.blocks) == 1 and KEPT not in f.attributes]


def inline_where_less(
    module: ModuleOp,
    names: Sequence[str],
    improve: Callable[[ModuleOp], object],
    copied: Callable[[ModuleOp], object],
    clone: Callable[[ModuleOp], ModuleOp],
    kept: Set[str] = frozenset(),
) -> None:
    """Replaces the calls of one function after the other, and those of all, where the module copies less then.

    Args:
        names: of the functions.
        improve: changes a module so that it copies less.
        copied: makes the memref forms of a module's functions; what it returns is false where one is missing.
        kept: functions that others than those of the module mention.
    """

    def copies_of(changed: ModuleOp) -> ModuleCopies | None:
        trial = clone(changed)
        return copied_in_all(functions_of(trial)) if copied(trial) else None

    before = copies_of(module)
    for tried in [*({name} for name in names[:MOST_CALLEES]), set(names)]:
        if before is not None and not before.runs.times:
            return
        changed = clone(module)
        inline_calls(changed, tried.intersection(functions_to_inline(changed)), kept)
        if len(ops_within(changed)) > MOST_OPS:
            continue
        improve(changed)
        after = copies_of(changed)
        if after is not None and (before is None or after.is_less(before)):
            before = after
            move_ops(changed, module)


def inline_calls(module: ModuleOp, names: Set[str], kept: Set[str]) -> None:
    """Replaces all calls of functions of one block by the ops of these. A private function that nothing mentions then
    goes, unless it is among those that are `kept`."""
    functions = functions_of(module)
    for func in reversed(topological_order(functions)):
        for call in [op for op in func.walk() if isinstance(op, CallOp) and callee_of(op) in names]:
            _inline(call, functions[callee_of(call)])
    mentioned = {*kept, *mentioned_in(module)}
    for name in names:
        func = functions[name]
        visibility = func.sym_visibility
        if visibility is not None and visibility.data == "private" and name not in mentioned:
            func.detach()
            func.erase()


def move_ops(module: ModuleOp, to: ModuleOp) -> None:
    """Gives a module the ops of another one in place of its own."""
    for op in list(to.body.block.ops):
        op.detach()
    for op in list(module.body.block.ops):
        op.detach()
        to.body.block.add_op(op)


def _inline(call: CallOp, func: FuncOp) -> None:
    block = call.parent
    assert block is not None
    known: dict[SSAValue, SSAValue] = dict(zip(func.body.block.args, call.operands, strict=True))
    for op in func.body.block.ops:
        if isinstance(op, ReturnOp):
            for result, value in zip(call.results, op.operands, strict=True):
                result.replace_all_uses_with(known[value])
            break
        made = op.clone(known)
        for new, old in zip(made.walk(), op.walk(), strict=True):
            inherit(new, old)
        block.insert_op_before(made, call)
    call.detach()
    call.erase()


def mentioned_in(op: Operation) -> Iterator[str]:
    """Names of symbols that stand in attributes of an op and the ops in it."""
    waiting: list[Attribute] = []
    for inner in op.walk():
        waiting += (*inner.properties.values(), *inner.attributes.values())
    while waiting:
        match waiting.pop():
            case SymbolRefAttr() as name:
                yield name.root_reference.data
            case ArrayAttr() as array:
                waiting += array.data  # pyright: ignore[reportUnknownMemberType]
            case DictionaryAttr() as entries:
                waiting += entries.data.values()
            case _:
                pass
