"""The allocation problem of a function with one unknown size, of which each unit takes a number of bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import calls_in, is_called
from lastuse.dialect.ir.tensor_types import Dim, Poly
from lastuse.dialect.ir.unranked_tensors import is_unranked
from lastuse.dialect.storage.layout import ALIGNMENT
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.dialect.storage.specialization import specialize, unknown_sizes
from lastuse.passes.analysis.op_numbering import defined_values
from lastuse.passes.memory.allocation_problem import AllocationProblem, allocation_problem
from lastuse.passes.planning.planner import Buffer, LiveRange, buffer_of

PROBES = (64, 128)
"""Numbers of units for which the problem is looked at."""


class Scaled(NamedTuple):
    """The problem of a function for one unit of the size `symbol`; for n units every size is n times as large."""

    symbol: str
    problem: AllocationProblem


def problem_per_unit(func: FuncOp) -> Scaled | None:
    """
    The problem for one unit of the only unknown size.

    None if there is not just one, if a storage has not a fixed number of bytes for each unit, a multiple of the
    alignment so that nothing is lost, or if there are scratch, calls or arguments of unknown rank: sizes that are known
    later.
    """
    named = unknown_sizes(func)
    if len(named) != 1 or calls_in(func) or is_called(func) or any(map(is_unranked, func.args)):
        return None
    (symbol,) = named
    small, large = (_probe(func, symbol, units) for units in PROBES)
    if small is None or large is None or len(small.buffers) != len(large.buffers):
        return None
    buffers: list[Buffer] = []
    for one, two in zip(small.buffers, large.buffers, strict=True):
        times = [[(p.lower, p.upper) for p in buffer.live_ranges] for buffer in (one, two)]
        if times[0] != times[1] or 2 * one.size != two.size or one.size % (PROBES[0] * ALIGNMENT):
            return None
        buffers.append(buffer_of([LiveRange(*span, one.size // PROBES[0]) for span in times[0]]))
    sizes = infer_shapes(func)
    for owner in small.owners:
        if isinstance(owner, Operation):
            return None
        if owner is not None and not all(_is_multiple(sizes[value].bytes, symbol) for value in owner):
            return None
    return Scaled(symbol, replace(small, buffers=tuple(buffers)))


def _is_multiple(size: Dim, symbol: str) -> bool:
    if not isinstance(size, Poly) or len(size.terms) != 1:
        return False
    ((monomial, _),) = size.terms
    return tuple(str(s) for s in monomial) == (symbol,)


def _probe(func: FuncOp, symbol: str, units: int) -> AllocationProblem | None:
    """The problem with that many units; the values that own buffers are those of `func`."""
    module = ModuleOp([copy := func.clone()])
    around = func.parent_op()
    if isinstance(around, ModuleOp):
        resources.share(module, around)
    try:
        specialize(module, {copy: {symbol: units}})
    except LastuseError:
        return None
    problem = allocation_problem(copy)
    if problem is None:
        return None
    originals = dict(zip(defined_values(copy.body.blocks), defined_values(func.body.blocks), strict=True))
    named = (tuple(originals[value] for value in o) if isinstance(o, tuple) else o for o in problem.owners)
    return replace(problem, owners=tuple(named))
