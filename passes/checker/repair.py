"""Dropping decisions until a plan is right: what was decided for a program may be stale for what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation

from lastuse.dialect.ir.flow_graphs import ops_within
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.attrs_verifier import Malformed, malformed
from lastuse.passes.checker import check
from lastuse.passes.checker.violation import Decision, Violation

_PER_RESULT = (attrs.INPLACE, attrs.REUSE, attrs.OFFSET, attrs.FORWARD)
_OF_BLOCKS = (attrs.SUCC_REUSE, attrs.SUCC_OFFSET, attrs.SUCC_FORWARD)
_NAMES = (*_PER_RESULT, attrs.PARTS, *_OF_BLOCKS, attrs.DONATE, attrs.SCRATCH_OFFSET)
_WITH_PLAN = (attrs.UNIT, attrs.ARENA_BYTES, attrs.SUCC_OFFSET)
"""Without these the offsets of a function mean nothing."""
_PATIENCE = 64
"""Decisions dropped one by one before all that are left go at once."""


class Dropped(NamedTuple):
    """A decision that is gone, and what was wrong with it."""

    decision: Decision
    because: Violation


def repair(func: FuncOp) -> tuple[list[Dropped], list[Violation]]:
    """Drop decisions of `func` until the checker accepts: each time the one that destroyed the byte first missed.

    Returns what was dropped, and what is still wrong when no decision is left: a function that calls itself, results
    that do not fit their arguments.
    """
    dropped: list[Dropped] = []
    while violations := check(func):
        first = violations[0]
        chosen = next((d for d in first.decisions if holds(d)), None) if len(dropped) < _PATIENCE else None
        gone = [chosen] if chosen is not None else list(all_decisions(func))
        if not gone:
            return dropped, violations
        for decision in gone:
            drop(decision)
            dropped.append(Dropped(decision, first))
    return dropped, []


def drop_malformed(func: FuncOp) -> tuple[list[Malformed], list[Malformed]]:
    """Drop decisions of `func` that cannot be read: they name operands or results that are gone, perhaps.

    Returns what was dropped, and what no repair may drop: promises to callers, and engines.
    """
    problems = [m for op in ops_within(func) if op.attributes or op is func for m in malformed(op)]
    dropped = [m for m in problems if not m.is_interface]
    for problem in dropped:
        if problem.argument >= 0:
            attrs.set_argument_attribute(func, problem.argument, problem.attribute, None)
        else:
            problem.op.attributes.pop(problem.attribute, None)
    if any(m.attribute in _WITH_PLAN for m in dropped):
        attrs.drop_plan(func)
    return dropped, [m for m in problems if m.is_interface]


def all_decisions(func: FuncOp) -> Iterator[Decision]:
    """Every decision about a place that `func` carries, in program order."""
    entry = func.body.blocks.first
    arguments = entry.args if entry is not None else ()
    holders = [*((a, attrs.REUSE) for a in arguments), *((op, name) for op in ops_within(func) for name in _NAMES)]
    for holder, name in holders:
        yield from (Decision(holder, name, index) for index in _entries(holder, name))


def holds(decision: Decision) -> bool:
    """The decision is there to be dropped."""
    return decision.index in _entries(decision.holder, decision.attribute)


def _entries(holder: Operation | BlockArgument, name: str) -> Sequence[int]:
    """The indices of the decisions that an attribute holds."""
    if isinstance(holder, BlockArgument):
        return [0] if attrs.argument_reuse(holder) >= 0 else []
    if name in _PER_RESULT:
        return [index for index, value in enumerate(attrs.entries(holder, name)) if value >= 0]
    if name == attrs.PARTS:
        return attrs.part_operands(holder)
    return [0] if name in holder.attributes else []


def drop(decision: Decision) -> None:
    """Take one decision away."""
    holder = decision.holder
    if isinstance(holder, BlockArgument):
        func = holder.block.parent_op()
        assert isinstance(func, FuncOp)
        attrs.set_argument_attribute(func, holder.index, decision.attribute, None)
    elif decision.attribute in _PER_RESULT:
        left = list(attrs.entries(holder, decision.attribute))
        left[decision.index] = -1
        attrs.set_entries(holder, decision.attribute, left)
    elif decision.attribute == attrs.PARTS:
        left = [k for k in attrs.part_operands(holder) if k != decision.index]
        attrs.set_entries(holder, attrs.PARTS, left)
    else:
        holder.attributes.pop(decision.attribute, None)
