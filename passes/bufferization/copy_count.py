"""What a function on memrefs copies."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import NamedTuple

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.ir.flow_graphs import (
    ancestors,
    blocks_around,
    callee_of,
    calls_in,
    successors,
    topological_order,
)
from lastuse.dialect.ir.tensor_types import dtype_name, item_bytes
from lastuse.dialect.storage.index_arithmetic import constant_of

TRIPS, SIZE = 10, 64
"""What an unknown number of iterations, and an unknown size, are taken for."""


class CopyCount(NamedTuple):
    """How often a function copies, how many bytes, and how many bytes it takes: in each iteration again, where that
    passes them on."""

    times: int
    nbytes: int
    taken: int

    def is_less(self, other: CopyCount) -> bool:
        """Neither more copies nor more bytes of them, and less of something."""
        return self.times <= other.times and self.nbytes <= other.nbytes and self < other


class ModuleCopies(NamedTuple):
    """What all functions of a module copy.

    Attributes:
        runs: each function counts as often as calls run it, and once more if others may call it.
        ops: each function counts once.
    """

    runs: CopyCount
    ops: CopyCount

    def is_less(self, other: ModuleCopies) -> bool:
        """Fewer copies or fewer bytes of them, and more of neither."""
        return self.runs[:2] < other.runs[:2] and all(
            a <= b for one, two in zip(self, other, strict=True) for a, b in zip(one[:2], two[:2], strict=True)
        )


def copied_in_all(functions: Mapping[str, FuncOp]) -> ModuleCopies:
    """What the functions of a module, on memrefs, copy."""
    runs: dict[str, int] = {}
    order = topological_order(functions)
    called = {callee_of(call) for func in order for call in calls_in(func)}
    counts: list[tuple[int, CopyCount]] = []
    for func in order:
        name, visibility = func.sym_name.data, func.sym_visibility
        is_open = name not in called or visibility is None or visibility.data != "private"
        count = runs[name] = runs.get(name, 0) + is_open
        again = _loops_of_blocks(func)
        for call in calls_in(func):
            runs[callee_of(call)] = runs.get(callee_of(call), 0) + count * _runs(call, again)
        counts.append((count, copied_in(func)))
    times, nbytes, taken = (sum(n * c[k] for n, c in counts) for k in range(3))
    once = CopyCount(*(sum(c[k] for _, c in counts) for k in range(3)))
    return ModuleCopies(CopyCount(times, nbytes, taken), once)


def copied_in(func: FuncOp) -> CopyCount:
    """What a function on memrefs copies, by the trips of the loops around each copy, and what it allocates."""
    times = nbytes = taken = 0
    again = _loops_of_blocks(func)
    for op in func.walk():
        if isinstance(op, memref.AllocOp):
            taken += (_runs(op, again) if _is_passed_on(op.memref) else 1) * _nbytes(op.memref)
        if isinstance(op, memref.CopyOp):
            runs = _runs(op, again)
            times, nbytes = times + runs, nbytes + runs * _nbytes(op.source)
    return CopyCount(times, nbytes, taken)


def _loops_of_blocks(func: FuncOp) -> set[Block]:
    return {block for block in func.body.blocks if len(func.body.blocks) > 1 and _comes_back(block)}


def _is_passed_on(value: SSAValue) -> bool:
    users = [use.operation for use in value.uses]
    casts = [op.results[0] for op in users if isinstance(op, memref.CastOp)]
    return any(isinstance(op, scf.YieldOp) for op in users) or any(map(_is_passed_on, casts))


def _comes_back(block: Block) -> bool:
    """Some path from a block leads to it."""
    seen, waiting = set[Block](), [block]
    while waiting:
        for after in successors(waiting.pop()):
            if after is block:
                return True
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return False


def _runs(op: Operation, again: Set[Block]) -> int:
    """How often an op runs in a run of its function; blocks of `again` run as often as a loop of unknown trips."""
    runs = TRIPS if not again.isdisjoint(blocks_around(op)) else 1
    for around in ancestors(op):
        runs *= _trips(around) if isinstance(around, scf.ForOp) else 1
        runs *= TRIPS if isinstance(around, scf.WhileOp) else 1
    return runs


def _trips(loop: scf.ForOp) -> int:
    low, high, step = (_number(v) for v in (loop.lb, loop.ub, loop.step))
    return TRIPS if low is None or high is None or not step else max(0, -(-(high - low) // step))


def _number(value: SSAValue) -> int | None:
    number = constant_of(value)
    return number if isinstance(number, int) else None


def _nbytes(value: SSAValue) -> int:
    """Bytes of a memref: a part of unknown size is taken for half of what it is a part of, along each axis."""
    type_ = value.type
    assert isinstance(type_, MemRefType)
    shape = type_.get_shape()
    rooms = [SIZE] * len(shape)
    if isinstance(value.owner, memref.SubviewOp) and isinstance(source := value.owner.source.type, MemRefType):
        whole = source.get_shape()
        rooms = [n // 2 for n in whole] if len(whole) == len(shape) and DYNAMIC_INDEX not in whole else rooms
    nbytes = item_bytes(dtype_name(type_.element_type))
    for size, room in zip(shape, rooms, strict=True):
        nbytes *= room if size == DYNAMIC_INDEX else size
    return nbytes
