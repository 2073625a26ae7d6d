"""What a function needs memory for: storages with sizes and lifetimes, read off the places of its values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ...dialect.layout import Strided
from ...dialect.onednn.flow import callee_of, functions_beside, is_called
from ...dialect.place import Kind, Storage, number_of
from ..planning.alignment import ALIGNMENT, aligned, lowest_gap
from ..planning.planner import Buffer, Plan, plan
from .frame import Frame, frame_of, planned_bytes, returns_of
from .program import Program
from .temporaries import given_away, temporaries

Owner = OpResult | BlockArgument
Hull = tuple[int, int]
"""The first and the last time of something, by the order of a program's ops."""


@dataclass(frozen=True)
class Demand:
    """Buffers a function needs in its arena.

    Attributes:
        owners: the values (of a storage) or the op (of scratch) that carry the attribute of its offset; None of
            temporaries, which lowering finds room for.
        buffers: 64-aligned bytes and the times of the first and the last op that need them.
        naive_bytes: 64-aligned sizes of all values that are neither views, constants, arguments nor results, added up.
        scratch_bytes: 64-aligned scratch sizes of all ops, the largest of them.
        aside_bytes: 64-aligned sizes of what boundaries and calls need aside, the largest of them.
    """

    owners: tuple[tuple[Owner, ...] | Operation | None, ...]
    buffers: tuple[Buffer, ...]
    naive_bytes: int
    scratch_bytes: int
    aside_bytes: int

    def placed(self, algorithm: str = "best", nodes: int = 0) -> Plan:
        """A plan of the arena; the options are the planner's."""
        return plan(self.buffers, algorithm, alignment=ALIGNMENT, nodes=nodes)


def demand(func: FuncOp) -> Demand | None:
    """The demand of a function; None where a size is unknown, there is no body, a block cannot be reached, or control
    never leaves it.

    The caller's memory and constants are outside the arena, and so is a storage that a result fills: it is the result's
    own. Lifetimes are hulls over the order of blocks in which definitions come before uses: whatever is live at one
    time in any run overlaps there.
    """
    program = Program.of(func)
    if program is None or not returns_of(func):
        return None
    if any(not isinstance(d, int) for type_ in program.sizes.values() for d in type_.known):
        return None
    functions = functions_beside(func)
    frame = frame_of(func, is_called(func, functions), planned=False, sizes=program.sizes)
    hulls = lifetimes(program, frame, functions)
    size: dict[Storage, int] = {}
    owners: dict[Storage, list[Owner]] = {}
    naive = 0
    for value, (storage, layout) in frame.places.items():
        assert isinstance(layout, Strided)
        if isinstance(value, OpResult) and _is_counted(program, value):
            naive += aligned(layout.nbytes)
        if is_planned(frame, storage, functions):
            size[storage] = max(size.get(storage, 0), layout.span[1])
            if isinstance(value, OpResult | BlockArgument) and opens(value, storage):
                owners.setdefault(storage, []).append(value)
    kept = [s for s in size if size[s] and s in owners]
    buffers = [Buffer(aligned(size[s]), *hulls[s]) for s in kept]
    named: list[tuple[Owner, ...] | Operation | None] = [tuple(owners[s]) for s in kept]
    needs = zip(program.ops, program.contracts, strict=True)
    scratch = {op: contract.scratch for op, contract in needs if contract.scratch}
    aside = temporaries(func, frame, functions)
    for needed in (scratch, aside):
        buffers += [Buffer(aligned(n), program.at[op], program.at[op]) for op, n in needed.items()]
    named += [*scratch, *[None] * len(aside)]
    most = [max(map(aligned, needed.values()), default=0) for needed in (scratch, aside)]
    return Demand(tuple(named), tuple(buffers), naive, *most)


def lifetimes(program: Program, frame: Frame, functions: Mapping[str, FuncOp]) -> dict[Storage, Hull]:
    """When each storage is in use: from the first to the last time at which any of its values has to be there."""
    hulls: dict[Storage, Hull] = {}

    def extend(storage: Storage, times: Iterator[int]) -> None:
        for time in times:
            first, last = hulls.get(storage, (time, time))
            hulls[storage] = min(first, time), max(last, time)

    for value, place in frame.places.items():
        extend(place.storage, _times(program, value))
    for block, live in program.block_out.items():
        for value in live:
            if value in frame.places:
                extend(frame.places[value].storage, _end(program, block))
    loans = loans_of(program, frame, functions)
    before: dict[Storage, Hull] | None = None
    while loans and before != hulls:
        # What a result may lie in is taken as long as the result is, and what that may lie in.
        before = dict(hulls)
        for lent, borrower in loans:
            extend(lent, iter(hulls[borrower]))
    return hulls


def loans_of(program: Program, frame: Frame, functions: Mapping[str, FuncOp]) -> dict[tuple[Storage, Storage], None]:
    """Pairs of a storage and one that may lie in it, for all that is known; those of later ops first."""
    return {
        (frame.places[lent].storage, frame.places[borrower].storage): None
        for op in reversed(program.ops)
        for lent in _lent(program, op, functions)
        for borrower in _borrowers(op)
        if lent in frame.places and borrower in frame.places
    }


def _lent(program: Program, op: Operation, functions: Mapping[str, FuncOp]) -> Iterator[SSAValue]:
    """Values whose memory a result of `op` may be in: of a call, what it gives away; of another foreign op, what it is
    given, what its regions capture, and what they end in."""
    if isinstance(op, CallOp) and callee_of(op) in functions:
        yield from (op.operands[k] for k in given_away(op) if 0 <= k < len(op.operands))
    elif program.contracts[program.at[op]].foreign:
        yield from program.tensors(op)
        for region in op.regions:
            yield from (v for b in region.blocks if b.last_op is not None for v in b.last_op.operands)


def _borrowers(op: Operation) -> Iterator[SSAValue]:
    yield from op.results
    for region in op.regions:
        yield from (a for block in region.blocks for a in block.args)


def room_aside(
    func: FuncOp, frame: Frame, functions: Mapping[str, FuncOp], needs: Mapping[Operation, int]
) -> dict[Operation, int]:
    """Where in the arena the boundaries and calls of a function have the bytes that they need aside.

    With a plan, the lowest bytes that nothing in use at the time has: a plan has room for them, as it counted them
    among its buffers. Without one, bytes behind all places, which they share with each other alone.
    """
    if not needs:
        return {}
    program = Program.of(func) if planned_bytes(func) is not None else None
    if program is None:
        return dict.fromkeys(needs, aligned(frame.arena_bytes))
    unplanned = frame_of(func, is_called(func, functions), planned=False, sizes=program.sizes)
    hulls, ranges = lifetimes(program, unplanned, functions), dict[Storage, set[tuple[int, int]]]()
    for value, place in unplanned.places.items():
        spot = frame.spot(value)
        if spot.root is None and spot.layout.elements:
            ranges.setdefault(place.storage, set()).add(spot.layout.span)
    found: dict[Operation, int] = {}
    for op, nbytes in needs.items():
        time = program.at[op]
        in_use = [r for s, spans in ranges.items() if hulls[s][0] <= time <= hulls[s][1] for r in spans]
        found[op] = lowest_gap(aligned(nbytes), in_use)
    return found


def is_planned(frame: Frame, storage: Storage, functions: Mapping[str, FuncOp]) -> bool:
    """Memory of the function's own that is no result's; borrowed memory is somebody else's, but for what a call of one
    of `functions` returns."""
    if storage.kind is Kind.CONSTANT or frame.slots[storage].argument is not None:
        return False
    if storage.kind is not Kind.BORROWED:
        return True
    op = storage.key.owner if isinstance(storage.key, SSAValue) else None
    return isinstance(op, CallOp) and callee_of(op) in functions


def opens(value: Owner, storage: Storage) -> bool:
    """The value carries the offset of its storage."""
    if storage.key is value:
        return True
    number = number_of(value)
    return storage.kind is Kind.NUMBERED and number == storage.key


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
        around = value.block.parent_op()
        if around is not None and around in program.at:
            # A loop comes back to it.
            yield program.at[around]
            for region in around.regions:
                yield from (t for block in region.blocks for t in _end(program, block))


def _end(program: Program, block: Block) -> Iterator[int]:
    if block.last_op is not None and block.last_op in program.at:
        yield program.at[block.last_op]


def _is_counted(program: Program, value: OpResult) -> bool:
    contract = program.contracts[program.at[value.op]]
    is_result = any(isinstance(u.operation, ReturnOp) for u in value.uses)
    return contract.view_of(value.index) is None and not contract.constant and not is_result
