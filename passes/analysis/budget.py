"""What to say when an arena is larger than a limit: where, what is live there, what would help."""

from __future__ import annotations

import re

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult

from ...dialect import decisions
from ...dialect.diagnostics import LastuseError, op_name
from ..planning.planner import Plan
from .buffers import Demand, aligned
from .program import Program

UNITS = {"": 1, "B": 1, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "KB": 10**3, "MB": 10**6, "GB": 10**9}
MOST_SHOWN = 20
"""Buffers named in an error; of more, the largest."""


def bytes_of(text: int | str) -> int | None:
    """`1MiB`, `1.5KiB`, `64kB` or a number, in bytes; None if it is none of them."""
    found = re.fullmatch(r"(\d{1,18})(?:\.(\d{1,9}))?\s*([A-Za-z]*)", str(text))
    if found is None or found[3].upper() not in UNITS:
        return None
    unit = UNITS[found[3].upper()]
    return int(found[1]) * unit + (int(found[2]) * unit // 10 ** len(found[2]) if found[2] else 0)


def exceeded(func: FuncOp, wanted: Demand, placed: Plan, limit: int, algorithm: str) -> LastuseError:
    """
    The error of a plan above its limit, in bytes: at the op where most is in use, a note for each buffer there, and
    notes of what would bring it under.
    """
    program = Program.of(func)
    assert program is not None, "what is planned has a program"
    live = [0] * len(program.ops)
    for buffer in wanted.buffers:
        for time in range(max(buffer.first, 0), buffer.last + 1):
            live[time] += aligned(buffer.size)
    peak = max(live)
    time = live.index(peak)
    op = program.ops[time]
    there = [n for n, buffer in enumerate(wanted.buffers) if buffer.first <= time <= buffer.last]
    there.sort(key=lambda n: -wanted.buffers[n].size)
    message = f"the arena has {placed.peak:,} bytes, the limit is {limit:,}; most is live at this op: {peak:,} bytes"
    notes: list[tuple[Operation, str]] = []
    for n in there[:MOST_SHOWN]:
        buffer, owner = wanted.buffers[n], wanted.owners[n]
        text = f"{_called(owner)} has {aligned(buffer.size):,} bytes here"
        if not isinstance(owner, Operation):
            text += f", last needed by '{op_name(program.ops[buffer.last])}'"
        notes.append((owner if isinstance(owner, Operation) else owner[0].op, text))
    if len(there) > MOST_SHOWN:
        rest = sum(aligned(wanted.buffers[n].size) for n in there[MOST_SHOWN:])
        notes.append((op, f"{len(there) - MOST_SHOWN} smaller ones have {rest:,} bytes here"))
    notes += [(op, text) for text in _remedies(func, program, wanted, placed, limit, algorithm, time)]
    return LastuseError(message, op, notes)


def _called(owner: tuple[OpResult, ...] | Operation) -> str:
    if isinstance(owner, Operation):
        return f"scratch of '{op_name(owner)}'"
    return decisions.shown(owner[0])


def _remedies(
    func: FuncOp, program: Program, wanted: Demand, placed: Plan, limit: int, algorithm: str, time: int
) -> list[str]:
    """What would bring the arena under the limit, the surest first; at the least, how much is too much."""
    found: list[str] = []
    if placed.bound <= limit and algorithm != "exact":
        found.append(f"algorithm=exact may fit: {placed.bound:,} bytes are live at once")
    if not any(k >= 0 for op in func.walk() for k in decisions.inplace(op)):
        found.append("no result is written over an operand: --inplace-pass before this pass may help")
    op = program.ops[time]
    touched = {*op.operands, *op.results}
    held = [
        n
        for n, buffer in enumerate(wanted.buffers)
        if buffer.first < time < buffer.last
        and not isinstance(owner := wanted.owners[n], Operation)
        and touched.isdisjoint(owner)
    ]
    held_bytes = sum(aligned(wanted.buffers[n].size) for n in held)
    if held:
        names = ", ".join(_called(wanted.owners[n]) for n in held[:MOST_SHOWN])
        names += ", …" if len(held) > MOST_SHOWN else ""
        found.append(f"held over this op for later ones: {names}, {held_bytes:,} bytes; an order that uses them first")
    over = placed.bound - limit
    if over > 0:
        found.append(f"this order needs {over:,} bytes less to fit, or a limit of {placed.bound:,}")
    else:
        found.append(f"a limit of {placed.peak:,} fits")
    return found
