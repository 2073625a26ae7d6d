"""Figures of a decided and planned function, in bytes, as every tool prints them."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp

from ...dialect import decisions
from ..planning.greedy import live_peak
from .buffers import ALIGNMENT, demand


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


def figures(func: FuncOp) -> Figures | None:
    """The figures of a one-block function with known sizes, None for others."""
    wanted = demand(func)
    if wanted is None:
        return None
    peak = live_peak(wanted.buffers, ALIGNMENT)
    unplanned = sum(-(-b.size // ALIGNMENT) * ALIGNMENT for b in wanted.buffers)
    attribute = func.attributes.get(decisions.ARENA_BYTES)
    arena = attribute.value.data if isinstance(attribute, IntegerAttr) else unplanned
    inplace = sum(any(k >= 0 for k in decisions.inplace(op)) for op in func.walk())
    return Figures(arena, wanted.scratch_bytes, wanted.naive_bytes, peak, inplace)
