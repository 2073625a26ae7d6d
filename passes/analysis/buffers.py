"""What a function needs memory for: storages with sizes and lifetimes, read off the places of its values."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ...dialect.layout import Strided
from ...dialect.place import Kind, Storage, places
from ...dialect.storage import Contract, contract_of
from ..planning.greedy import Buffer
from .liveness import read_by

ALIGNMENT = 64


@dataclass(frozen=True)
class Demand:
    """Buffers a one-block function needs in its arena.

    Attributes:
        storages: the storage behind each buffer, None for scratch.
        owners: the values (of a storage) or the op (of scratch) that carry the attribute of its offset.
        buffers: bytes and the positions of the first and the last op that need them.
        naive_bytes: 64-aligned sizes of all values that are neither views, constants, arguments nor results, added up.
        scratch_bytes: 64-aligned scratch sizes of all ops, the largest of them.
    """

    storages: tuple[Storage | None, ...]
    owners: tuple[tuple[OpResult, ...] | Operation, ...]
    buffers: tuple[Buffer, ...]
    naive_bytes: int
    scratch_bytes: int


def aligned(size: int) -> int:
    """`size` in bytes, rounded up to the alignment of the arena."""
    return -(-size // ALIGNMENT) * ALIGNMENT


def demand(func: FuncOp) -> Demand | None:
    """The demand of a one-block function with known sizes; None where a size is unknown or there are more blocks.

    Storages of results are the results' own memory, outside the arena, and so are the caller's and the constants'.
    """
    if len(func.body.blocks) != 1:
        return None
    placed = places(func, planned=False)
    block = func.body.block
    at = {op: time for time, op in enumerate(block.ops)}
    terminator = block.last_op
    outside = {placed.of[v].storage for v in terminator.operands if v in placed.of} if terminator is not None else set()
    first: dict[Storage, int] = {}
    last: dict[Storage, int] = {}
    size: dict[Storage, int] = {}
    owners: dict[Storage, list[OpResult]] = {}
    naive = 0
    for value, place in placed.of.items():
        time = _time(value, at)
        if time is None:
            continue
        if not isinstance(place.layout, Strided):
            return None
        storage = place.storage
        if isinstance(value, OpResult) and _is_counted(value, terminator):
            naive += aligned(place.layout.nbytes)
        if storage in outside or storage.kind not in (Kind.OWN, Kind.NUMBERED):
            continue
        first[storage] = min(first.get(storage, time), time)
        last[storage] = max(last.get(storage, time), time)
        size[storage] = max(size.get(storage, 0), place.layout.span[1])
        if isinstance(value, OpResult) and (storage.key is value or storage.kind is Kind.NUMBERED):
            owners.setdefault(storage, []).append(value)
    for op, time in at.items():
        for value in read_by(op):
            place = placed.of.get(value)
            if place is not None and place.storage in last:
                last[place.storage] = max(last[place.storage], time)
    kept = [s for s in first if size[s] and s in owners]
    buffers = [Buffer(size[s], first[s], last[s]) for s in kept]
    named: list[tuple[OpResult, ...] | Operation] = [tuple(owners[s]) for s in kept]
    scratch = [(op, aligned(n)) for op in block.ops if (n := _contract(op).scratch)]
    for op, bytes_ in scratch:
        buffers.append(Buffer(bytes_, at[op], at[op]))
        named.append(op)
    storages: list[Storage | None] = [*kept, *[None] * len(scratch)]
    most = max((n for _, n in scratch), default=0)
    return Demand(tuple(storages), tuple(named), tuple(buffers), naive, most)


def _contract(op: Operation) -> Contract:
    return Contract() if op.regions else contract_of(op)


def _time(value: SSAValue, at: dict[Operation, int]) -> int | None:
    """When a value of the outermost block is defined; None for values of inner regions."""
    if isinstance(value, BlockArgument):
        return -1 if isinstance(value.block.parent_op(), FuncOp) else None
    assert isinstance(value, OpResult)
    return at.get(value.op)


def _is_counted(value: OpResult, terminator: Operation | None) -> bool:
    contract = _contract(value.op)
    returned = terminator is not None and any(u.operation is terminator for u in value.uses)
    return contract.view_of(value.index) is None and not contract.constant and not returned
