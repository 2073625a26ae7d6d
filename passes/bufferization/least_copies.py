"""The form of a function that copies least, of those that its decisions have, and few others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import ops_within
from lastuse.passes.bufferization.copy_count import copied_in
from lastuse.passes.bufferization.function_form import FunctionBufferization, made_with_owned
from lastuse.passes.bufferization.own_slots import own_slots
from lastuse.passes.bufferization.returned_parts import returned_apart
from lastuse.passes.bufferization.signatures import Boundary, MemrefSignature, ModuleConstants
from lastuse.passes.lowering.context import LoweredCopy

MOST_OPS = 300
"""Ops of a module, or of a function without calls, that is changed where that saves copies: a trial decides all of it
once more."""


def least_copied_form(
    made: FunctionBufferization,
    context: tuple[Boundary, bool, Mapping[str, MemrefSignature]],
    constants: ModuleConstants,
    functions: Mapping[str, FuncOp],
) -> tuple[FunctionBufferization, FuncOp]:
    """The form of a function, and what made it: with loops that carry memory of its own, and with returned results in
    memory of their own, where it copies less then.

    Args:
        context: how memory is taken and given, whether the function is called, and the functions that it calls.
    """
    best = made_with_owned(made, partial(FunctionBufferization, made.func, *context, constants, functions))
    small = best[0].copies and len(ops_within(made.func)) <= MOST_OPS
    for func, owned in _trials(made.func, best[0].copies) if small else ():
        more = constants.copied()
        remade = partial(FunctionBufferization, func, *context, more, functions)
        try:
            other = made_with_owned(remade(owned), remade, owned)
        except LastuseError:
            continue
        if copied_in(other[1]).is_less(copied_in(best[1])):
            constants.adopt(more)
            best = other
    return best


def _trials(func: FuncOp, copies: Sequence[LoweredCopy]) -> Iterator[tuple[FuncOp, frozenset[SSAValue]]]:
    """Functions to be formed instead, each with the values that are in memory of their own."""
    yield from own_slots(func, copies)
    for other in returned_apart(func, copies):
        yield other, frozenset()
