"""The error of an arena that is larger than its limit: where most is live, what is live there, what would help."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation

from lastuse.dialect.ir.call_graph import callee_of, calls_in, topological_order
from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.allocation_problem import AllocationProblem
from lastuse.passes.memory.frame_layout import planned_bytes
from lastuse.passes.planning.planner import Plan, live_bytes

Advise = Callable[[NumberedOps, Operation], Iterable[str]]
"""What other decisions would change at an op, in words."""
UNITS = {"": 1, "B": 1, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "KB": 10**3, "MB": 10**6, "GB": 10**9}
MOST_SHOWN = 20
"""Buffers named in an error; of more, the largest."""


def bytes_of(text: int | str) -> int | None:
    """`1MiB`, `1.5KiB`, `64kB` or a number, in bytes; None if it is none of them."""
    found = re.fullmatch(r"(\d{1,18})(?:\.(\d{1,9}))?\s*([A-Za-z]*)", str(text), re.ASCII)
    if found is None or found[3].upper() not in UNITS:
        return None
    unit = UNITS[found[3].upper()]
    return int(found[1]) * unit + (int(found[2]) * unit // 10 ** len(found[2]) if found[2] else 0)


def limit_of(text: int | str) -> int:
    """`bytes_of` a limit; raises LastuseError where it is no number of bytes."""
    limit = None if isinstance(text, bool) else bytes_of(text)
    if limit is None:
        raise LastuseError(f"limit '{text}' is no number of bytes, such as 65536 or 64KiB")
    return limit


def limit_error(
    func: FuncOp, problem: AllocationProblem, placed: Plan, limit: int, algorithm: str, advise: Advise
) -> tuple[Operation, LastuseError]:
    """The op at which most bytes are live, and the error of a plan above its limit, in bytes, at that op: it has a note
    for each buffer that is live there, and notes of what would bring the arena under the limit.

    `advise` says what in-place decisions would change at that op.
    """
    program = NumberedOps.of(func)
    assert program is not None, "what is planned has a program"
    live = live_bytes(problem.buffers)
    time = max(live, key=live.__getitem__)
    op, peak = program.ops[time], live[time]
    there = [n for n, buffer in enumerate(problem.buffers) if buffer.is_live(time)]
    there.sort(key=lambda n: -problem.buffers[n].size)
    message = f"the arena has {placed.peak:,} bytes, the limit is {limit:,}; most is live at this op: {peak:,} bytes"
    notes: list[tuple[Operation, str]] = []
    for n in there[:MOST_SHOWN]:
        buffer, (maker, name) = problem.buffers[n], _owner(program, problem, n)
        text = f"{name} has {buffer.size:,} bytes here"
        if buffer.end > time:
            text += f", last needed by '{op_name(program.ops[buffer.end])}'"
        notes.append((maker, text))
    if len(there) > MOST_SHOWN:
        rest = sum(problem.buffers[n].size for n in there[MOST_SHOWN:])
        notes.append((op, f"{len(there) - MOST_SHOWN} smaller ones have {rest:,} bytes here"))
    if placed.bound <= limit and algorithm != "exact":
        notes.append((op, f"algorithm=exact may fit: {placed.bound:,} bytes are live at once"))
    notes += [(op, text) for text in (*advise(program, op), *_remedies(program, problem, placed, limit, time))]
    return op, LastuseError(message, op, notes)


def check_frames(functions: Mapping[str, FuncOp], limit: int) -> None:
    """Arenas of functions and of those they call, all planned. Raises LastuseError at a call that exceeds the limit."""
    total: dict[str, int] = {}
    for func in reversed(topological_order(functions)):
        own, name = planned_bytes(func) or 0, func.sym_name.data
        calls = [call for call in calls_in(func) if callee_of(call) in total]
        most = max(calls, key=lambda call: total[callee_of(call)], default=None)
        beyond = total[callee_of(most)] if most is not None else 0
        total[name] = own + beyond
        if total[name] > limit:
            parts = f"{own:,} of @{name} and {beyond:,} of what it calls here"
            raise LastuseError(f"the arenas have {total[name]:,} bytes, the limit is {limit:,}: {parts}", most)


def _owner(program: NumberedOps, problem: AllocationProblem, n: int) -> tuple[Operation, str]:
    """The op that a buffer comes from, and what to call the buffer."""
    owner = problem.owners[n]
    if isinstance(owner, Operation):
        return owner, f"scratch of '{op_name(owner)}'"
    if owner is None:
        op = program.ops[problem.buffers[n].first]
        return op, f"what '{op_name(op)}' puts aside"
    value = owner[0]
    if isinstance(value, BlockArgument):
        return value.block.first_op or program.func, attrs.display_name(value)
    return value.op, attrs.display_name(value)


def _remedies(program: NumberedOps, problem: AllocationProblem, placed: Plan, limit: int, time: int) -> Iterator[str]:
    """What would bring the arena under the limit, whatever is in place; at the least, by how much it exceeds it."""
    op = program.ops[time]
    touched = {*op.operands, *op.results}
    held = [
        n
        for n, buffer in enumerate(problem.buffers)
        if buffer.first < time < buffer.end
        and buffer.is_live(time)
        and isinstance(owner := problem.owners[n], tuple)
        and touched.isdisjoint(owner)
    ]
    if held:
        nbytes = sum(problem.buffers[n].size for n in held)
        names = ", ".join(_owner(program, problem, n)[1] for n in held[:MOST_SHOWN])
        names += ", …" if len(held) > MOST_SHOWN else ""
        yield f"held over this op for later ones: {names}, {nbytes:,} bytes; an order that uses them first"
    if placed.bound > limit:
        yield f"this order needs {placed.bound - limit:,} bytes less to fit, or a limit of {placed.bound:,}"
    else:
        yield f"a limit of {placed.peak:,} fits"
