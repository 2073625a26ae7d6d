"""The functions of a module and their calls, for the checkers, lowering and the runtime."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp

from lastuse.dialect.ir.diagnostics import LastuseError


def functions_of(module: ModuleOp) -> dict[str, FuncOp]:
    """The functions of a module that have a body, by name."""
    return {f.sym_name.data: f for f in module.body.block.ops if isinstance(f, FuncOp) and f.body.blocks}


def calls_in(func: FuncOp) -> list[CallOp]:
    """The calls that stand in a function."""
    return [op for op in func.body.walk() if isinstance(op, CallOp)]


def callee_of(call: CallOp) -> str:
    """The name of the function that is called."""
    return call.callee.string_value()


def functions_of_module(func: FuncOp) -> dict[str, FuncOp]:
    """The functions with a body of the module that `func` is in, by name."""
    module = func.parent_op()
    return functions_of(module) if isinstance(module, ModuleOp) else {func.sym_name.data: func}


def is_called(func: FuncOp, functions: Mapping[str, FuncOp]) -> bool:
    """Whether another of the functions calls `func`."""
    name = func.sym_name.data
    return any(callee_of(call) == name for f in functions.values() if f is not func for call in calls_in(f))


def topological_order(functions: Mapping[str, FuncOp]) -> list[FuncOp]:
    """All functions, each behind those that call it. Calls of other functions are left out.

    Raises:
        LastuseError: a function may be called while it runs: its frame has one place in the arena.
    """
    calls = {name: [c for c in calls_in(func) if callee_of(c) in functions] for name, func in functions.items()}
    waiting = Counter(callee_of(call) for found in calls.values() for call in found)
    ready = [name for name in functions if not waiting[name]]
    order: list[str] = []
    while ready:
        order.append(ready.pop())
        for call in calls[order[-1]]:
            name = callee_of(call)
            waiting[name] -= 1
            if not waiting[name]:
                ready.append(name)
    if len(order) < len(functions):
        _refuse_circle({name: found for name, found in calls.items() if name not in order})
    return [functions[name] for name in order]


def _refuse_circle(calls: Mapping[str, list[CallOp]]) -> None:
    """Every function here is called by another one here, so going from callee to caller ends in a circle."""
    callers = {callee_of(call): (name, call) for name, found in calls.items() for call in found}
    name, seen = next(iter(calls)), set[str]()
    while name not in seen:
        seen.add(name)
        name, call = callers[name]
        if name in seen:
            raise LastuseError(f"@{callee_of(call)} may be called while it runs: recursion is not supported", call)


def called_from(func: FuncOp, functions: Mapping[str, FuncOp]) -> dict[str, FuncOp]:
    """`func`, and those of `functions` that it calls, or that these call, by name."""
    found: dict[str, FuncOp] = {}
    waiting = [func.sym_name.data]
    while waiting:
        name = waiting.pop()
        if name in functions and name not in found:
            found[name] = functions[name]
            waiting += [callee_of(call) for call in calls_in(functions[name])]
    return found
