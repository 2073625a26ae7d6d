"""What a function needs memory for: storages with sizes and lifetimes, read off the places of its values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ...dialect.decisions import number_of
from ...dialect.layout import Strided
from ...dialect.place import Kind, Storage, places
from ..planning.greedy import Buffer
from .program import Program

ALIGNMENT = 64


@dataclass(frozen=True)
class Demand:
    """Buffers a function needs in its arena.

    Attributes:
        storages: the storage behind each buffer, None for scratch.
        owners: the values (of a storage) or the op (of scratch) that carry the attribute of its offset.
        buffers: bytes and the times of the first and the last op that need them.
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
    """The demand of a function with known sizes; None where a size is unknown or there is no body.

    Storages of results are the results' own memory, outside the arena, and so are the caller's and the constants'.
    Those of block arguments that are no loop's have nowhere to carry an offset; lowering gives them bytes of their own.
    Lifetimes are hulls over the order of blocks in which definitions come before uses: whatever is live at one time in
    any run overlaps there.
    """
    program = Program.of(func)
    if program is None:
        return None
    placed = places(func, program.sizes, planned=False)
    outside = {placed.of[v].storage for v in returned(program) if v in placed.of}
    first: dict[Storage, int] = {}
    last: dict[Storage, int] = {}
    size: dict[Storage, int] = {}
    owners: dict[Storage, list[OpResult]] = {}
    naive = 0
    for value, place in placed.of.items():
        if not isinstance(place.layout, Strided):
            return None
        storage = place.storage
        if isinstance(value, OpResult) and _is_counted(program, value):
            naive += aligned(place.layout.nbytes)
        if storage in outside or storage.kind not in (Kind.OWN, Kind.NUMBERED):
            continue
        times = list(_times(program, value))
        first[storage] = min(first.get(storage, times[0]), *times)
        last[storage] = max(last.get(storage, times[0]), *times)
        size[storage] = max(size.get(storage, 0), place.layout.span[1])
        if isinstance(value, OpResult) and (storage.key is value or number_of(value) >= 0):
            owners.setdefault(storage, []).append(value)
    for block, live in program.block_out.items():
        end = program.at.get(block.last_op) if block.last_op is not None else None
        for value in live if end is not None else ():
            place = placed.of.get(value)
            if end is not None and place is not None and place.storage in last:
                last[place.storage] = max(last[place.storage], end)
    kept = [s for s in first if size[s] and s in owners]
    buffers = [Buffer(size[s], first[s], last[s]) for s in kept]
    named: list[tuple[OpResult, ...] | Operation] = [tuple(owners[s]) for s in kept]
    needs = zip(program.ops, program.contracts, strict=True)
    scratch = [(op, aligned(contract.scratch)) for op, contract in needs if contract.scratch]
    for op, bytes_ in scratch:
        buffers.append(Buffer(bytes_, program.at[op], program.at[op]))
        named.append(op)
    storages: list[Storage | None] = [*kept, *[None] * len(scratch)]
    most = max((n for _, n in scratch), default=0)
    return Demand(tuple(storages), tuple(named), tuple(buffers), naive, most)


def returned(program: Program) -> Iterator[SSAValue]:
    """Every value that some return of the function returns."""
    for op in program.ops:
        if isinstance(op, ReturnOp):
            yield from op.operands


def _times(program: Program, value: SSAValue) -> Iterator[int]:
    """Times at which a value's storage has to be its own: definition, uses, and the moves into it."""
    yield program.time_of(value)
    for use in value.uses:
        if use.operation in program.at:
            yield program.at[use.operation]
    if isinstance(value, OpResult):
        for region in value.op.regions:
            yield from (t for block in region.blocks for t in _end(program, block))
    elif isinstance(value, BlockArgument):
        for predecessor in value.block.predecessors():
            yield from _end(program, predecessor)


def _end(program: Program, block: Block) -> Iterator[int]:
    if block.last_op is not None and block.last_op in program.at:
        yield program.at[block.last_op]


def _is_counted(program: Program, value: OpResult) -> bool:
    contract = program.contracts[program.at[value.op]]
    is_result = any(isinstance(u.operation, ReturnOp) for u in value.uses)
    return contract.view_of(value.index) is None and not contract.constant and not is_result
