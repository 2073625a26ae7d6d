"""Figures of a decided and planned function, in bytes, as every tool prints them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from xdsl.dialects.func import FuncOp

from lastuse.dialect.ir.flow_graphs import callee_of, calls_in, topological_order
from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.layout import aligned
from lastuse.passes.memory.allocation_problem import allocation_problem, frame_bytes
from lastuse.passes.planning.planner import Buffer, live_peak


class MemoryStats(NamedTuple):
    """Memory of a function outside its arguments, constants and results.

    Attributes:
        arena_bytes: what a run takes: activations and scratch at their planned places, or, without a plan, one place
            for each value; scratch that no plan has a place for, once.
        scratch_bytes: the largest scratch of an op.
        naive_bytes: the 64-aligned sizes of all that needs a place if nothing is shared, added up: values that are
            neither views, constants, arguments nor results; copies, and scratch. An arena is never larger.
        live_peak_bytes: the largest sum of what is live at one op, in-place pairs counted once, scratch counted; no
            plan for these decisions and this order needs less.
        inplace_ops: ops with a result in place.
    """

    arena_bytes: int
    scratch_bytes: int
    naive_bytes: int
    live_peak_bytes: int
    inplace_ops: int


@unchanged_ops()
def memory_stats(func: FuncOp, functions: Mapping[str, FuncOp] | None = None) -> MemoryStats | None:
    """The figures of a function with known sizes, None for others.

    `functions`: those it may call, by name, of which none calls itself. Their frames count too: naively each has one of
    its own; at the op that calls it, a function needs its peak beside what is live there.
    """
    known: dict[str, _Part | None] = {}
    for callee in reversed(topological_order(functions or {})):
        known[callee.sym_name.data] = _part(callee, known)
    is_known = functions is not None and functions.get(func.sym_name.data) is func
    part = known[func.sym_name.data] if is_known else _part(func, known)
    if part is None:
        return None
    figures, unplanned = part
    return figures._replace(arena_bytes=figures.arena_bytes + unplanned)


_Part = tuple[MemoryStats, int]
"""The figures of a function and what it calls, but for the scratch without a place, which all ops of a program share;
and the bytes of that."""


def _part(func: FuncOp, known: Mapping[str, _Part | None]) -> _Part | None:
    problem = allocation_problem(func)
    calls = {call: callee_of(call) for call in calls_in(func) if callee_of(call) in known}
    parts = {name: part for name in calls.values() if (part := known[name]) is not None}
    if problem is None or not parts.keys() >= set(calls.values()):
        return None
    program = problem.model.program
    frames = [figures for figures, _ in parts.values()]
    peaks = [Buffer(parts[n][0].live_peak_bytes, program.at[call], program.at[call]) for call, n in calls.items()]
    needs = zip(program.ops, program.contracts, strict=True)
    apart = [contract.scratch for op, contract in needs if attrs.SCRATCH_OFFSET not in op.attributes]
    inplace = sum(any(k >= 0 for k in attrs.inplace(op)) for op in func.walk())
    figures = MemoryStats(
        aligned(frame_bytes(problem)) + max((f.arena_bytes for f in frames), default=0),
        max([problem.scratch_bytes, *(f.scratch_bytes for f in frames)]),
        problem.naive_bytes + sum(f.naive_bytes for f in frames),
        live_peak([*problem.buffers, *peaks]),
        inplace + sum(f.inplace_ops for f in frames),
    )
    return figures, max([0, *map(aligned, apart), *(unplanned for _, unplanned in parts.values())])
