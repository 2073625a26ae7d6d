"""The error of an arena that is larger than its limit: where most is live, what is live there, what would help."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult

from lastuse.dialect.ir.diagnostics import LastuseError, op_name, source_names
from lastuse.dialect.ir.flow_graphs import callee_of, calls_in, topological_order
from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.allocation_problem import AllocationProblem, BufferOwner
from lastuse.passes.memory.frame_layout import planned_bytes
from lastuse.passes.planning.planner import Buffer, Plan, live_bytes

Advise = Callable[[NumberedOps, Operation], Iterable[str]]
"""What other decisions would change at an op, in words."""
UNITS = {"": 1, "B": 1, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "KB": 10**3, "MB": 10**6, "GB": 10**9}
MOST_SHOWN = 20
"""Buffers named in an error; of more, the largest."""


def bytes_of(text: int | str) -> int | None:
    """`1MiB`, `1.5KiB`, `64kB` or a number, in bytes; None if it is none of them."""
    number: object = text
    if isinstance(number, bool) or not isinstance(number, str | Integral):
        return None
    match = re.fullmatch(r"(\d{1,18})(?:\.(\d{1,9}))?\s*([A-Za-z]*)", str(text), re.ASCII)
    if match is None or match[3].upper() not in UNITS:
        return None
    unit = UNITS[match[3].upper()]
    return int(match[1]) * unit + (int(match[2]) * unit // 10 ** len(match[2]) if match[2] else 0)


def limit_of(text: int | str) -> int:
    """`bytes_of` a limit; raises LastuseError where it is no number of bytes."""
    limit = bytes_of(text)
    if limit is None:
        raise LastuseError(f"limit '{text}' is no number of bytes, such as 65536 or 64KiB")
    return limit


def limit_error(
    problem: AllocationProblem, placed: Plan, limit: int, algorithm: str, advise: Advise
) -> tuple[Operation, LastuseError]:
    """The op at which most bytes are live, and the error of a plan above its limit, in bytes, at that op: it has a note
    for each buffer that is live there, and notes of what would bring the arena under the limit.

    `advise` says what in-place decisions would change at that op.
    """
    program = problem.model.program
    live = live_bytes(problem.buffers)
    time = max(live, key=live.__getitem__)
    op, peak = program.ops[time], live[time]
    live_buffers = [
        (buffer, owner, *_source(program, buffer, owner))
        for buffer, owner in zip(problem.buffers, problem.owners, strict=True)
        if buffer.is_live(time)
    ]
    names = ", ".join(source_names(op))
    label = f"'{op_name(op)}' ({names})" if names else f"'{op_name(op)}'"
    message = f"the arena has {placed.peak:,} bytes, the limit is {limit:,}; most is live at {label}: {peak:,} bytes"
    notes: list[tuple[Operation, str]] = []
    largest = sorted(live_buffers, key=lambda live: -live[0].size)
    for buffer, _, maker, name in largest[:MOST_SHOWN]:
        last = f", last needed by '{op_name(program.ops[buffer.end])}'" if buffer.end > time else ""
        notes.append((maker, f"{name} has {buffer.size:,} bytes here{last}"))
    if len(largest) > MOST_SHOWN:
        rest = sum(buffer.size for buffer, *_ in largest[MOST_SHOWN:])
        notes.append((op, f"{len(largest) - MOST_SHOWN} smaller ones have {rest:,} bytes here"))
    if placed.bound <= limit and algorithm != "exact":
        notes.append((op, f"algorithm=exact may fit: {placed.bound:,} bytes are live at once"))
    notes += [(op, text) for text in advise(program, op)]
    touched = {*op.operands, *op.results}
    held = [
        (buffer, name)
        for buffer, owner, _, name in live_buffers
        if buffer.first < time < buffer.end and isinstance(owner, tuple) and touched.isdisjoint(owner)
    ]
    if held:
        kept = ", ".join(name for _, name in held[:MOST_SHOWN]) + (", …" if len(held) > MOST_SHOWN else "")
        nbytes = sum(buffer.size for buffer, _ in held)
        notes.append((op, f"held over this op for later ones: {kept}, {nbytes:,} bytes; an order that uses them first"))
    if placed.bound > limit:
        missing = f"{placed.bound - limit:,} bytes less to fit, or a limit of {placed.bound:,}"
        notes.append((op, f"this order needs {missing}"))
    else:
        notes.append((op, f"a limit of {placed.peak:,} fits"))
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


def _source(program: NumberedOps, buffer: Buffer, owner: BufferOwner) -> tuple[Operation, str]:
    """The op that a buffer comes from, and what to call the buffer."""
    if isinstance(owner, Operation):
        return owner, f"scratch of '{op_name(owner)}'"
    if owner is None:
        op = program.ops[buffer.first]
        return op, f"what '{op_name(op)}' puts aside"
    value = owner[0]
    op = value.op if isinstance(value, OpResult) else value.block.first_op
    return op or program.func, attrs.display_name(value)
