"""Figures of a decided and planned function, in bytes, as every tool prints them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from xdsl.dialects.func import FuncOp

from ...dialect import decisions
from ...dialect.onednn.flow import callee_of, callers_first, calls_in
from ..planning.alignment import ALIGNMENT
from ..planning.planner import Buffer, live_peak
from .buffers import demand
from .frame import planned_bytes
from .program import Program


class Figures(NamedTuple):
    """Memory of a function outside its arguments, constants and results.

    Attributes:
        arena_bytes: activations and scratch at their planned places; without a plan, one place for each.
        scratch_bytes: the largest scratch of an op, at its planned place.
        naive_bytes: 64-aligned sizes of all values that are neither views, constants, arguments nor results, added up.
        live_peak_bytes: the largest sum of what is live at one op, in-place pairs counted once, scratch counted; no
            plan for these decisions and this order needs less.
        inplace_ops: ops with a result in place.
    """

    arena_bytes: int
    scratch_bytes: int
    naive_bytes: int
    live_peak_bytes: int
    inplace_ops: int


def figures(func: FuncOp, functions: Mapping[str, FuncOp] | None = None) -> Figures | None:
    """The figures of a function with known sizes, None for others.

    `functions`: those it may call, by name, of which none calls itself. Their frames count too: naively each has one of
    its own; at the op that calls it, a function needs its peak beside what is live there.
    """
    known: dict[str, Figures | None] = {}
    for callee in reversed(callers_first(functions or {})):
        known[callee.sym_name.data] = _figures(callee, known)
    name = func.sym_name.data
    return known[name] if functions and functions.get(name) is func else _figures(func, known)


def _figures(func: FuncOp, called: Mapping[str, Figures | None]) -> Figures | None:
    wanted, program = demand(func), Program.of(func)
    if wanted is None or program is None:
        return None
    names = {call: callee_of(call) for call in calls_in(func) if callee_of(call) in called}
    frames: dict[str, Figures] = {}
    for name in names.values():
        found = called[name]
        if found is None:
            return None
        frames[name] = found
    calls = [Buffer(frames[n].live_peak_bytes, program.at[c], program.at[c]) for c, n in names.items()]
    peak = live_peak([*wanted.buffers, *(b for b in calls if b.size)], ALIGNMENT)
    pairs = zip(wanted.owners, wanted.buffers, strict=True)
    unplanned = sum(b.size for owner, b in pairs if owner is not None) + wanted.aside_bytes
    planned = planned_bytes(func)
    arena = unplanned if planned is None else planned
    inplace = sum(any(k >= 0 for k in decisions.inplace(op)) for op in func.walk())
    return Figures(
        arena + max((f.arena_bytes for f in frames.values()), default=0),
        max([wanted.scratch_bytes, *(f.scratch_bytes for f in frames.values())]),
        wanted.naive_bytes + sum(f.naive_bytes for f in frames.values()),
        peak,
        inplace + sum(f.inplace_ops for f in frames.values()),
    )
