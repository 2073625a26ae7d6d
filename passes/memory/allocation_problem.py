"""What a function needs memory for: storages with sizes and lifetimes, read off the places of its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.call_graph import callee_of, functions_of_module, is_called
from lastuse.dialect.storage.assignment import PlaceKind, Storage, number_of
from lastuse.dialect.storage.contract import holds_nothing
from lastuse.dialect.storage.layout import Strided
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.copy_temporaries import temporaries
from lastuse.passes.memory.frame_layout import FrameLayout, frame_of, planned_bytes, returns_of
from lastuse.passes.memory.live_intervals import live_intervals
from lastuse.passes.planning.alignment import ALIGNMENT, aligned, lowest_gap
from lastuse.passes.planning.intervals import Span
from lastuse.passes.planning.planner import Buffer, Piece, Plan, plan

Owner = OpResult | BlockArgument


@dataclass(frozen=True)
class AllocationProblem:
    """Buffers a function needs in its arena.

    Attributes:
        owners: the values (of a storage) or the op (of scratch) that carry the attribute of its offset; None of
            temporaries, which lowering finds room for.
        buffers: 64-aligned bytes and the times of the ops that need them, in pieces.
        naive_bytes: 64-aligned sizes of all that needs a place if nothing is shared, added up: values that are neither
            views, constants, arguments nor results, copies of such ones, scratch, and what boundaries and calls put
            aside. No arena of a plan is larger.
        scratch_bytes: 64-aligned scratch sizes of all ops, the largest of them.
    """

    owners: tuple[tuple[Owner, ...] | Operation | None, ...]
    buffers: tuple[Buffer, ...]
    naive_bytes: int
    scratch_bytes: int

    def placed(self, algorithm: str = "best", nodes: int = 0) -> Plan:
        """A plan of the arena; the options are the planner's."""
        return plan(self.buffers, algorithm, alignment=ALIGNMENT, nodes=nodes)


def allocation_problem(func: FuncOp) -> AllocationProblem | None:
    """The demand of a function; None where a size is unknown, there is no body, a block cannot be reached, or control
    never leaves it.

    The caller's memory and constants are outside the arena, and so is a storage that a result fills: it is the result's
    own. Lifetimes are in the order of blocks in which definitions come before uses, with holes where a storage is not
    needed: whatever is live at one time in any run overlaps there.
    """
    program = NumberedOps.of(func)
    if program is None or not returns_of(func):
        return None
    if any(not isinstance(d, int) for type_ in program.sizes.values() for d in type_.known):
        return None
    functions = functions_of_module(func)
    frame = frame_of(func, is_called(func, functions), planned=False, sizes=program.sizes)
    spans = live_intervals(program, frame, functions)
    size: dict[Storage, int] = {}
    owners: dict[Storage, list[Owner]] = {}
    naive = 0
    for value, (storage, layout) in frame.places.items():
        assert isinstance(layout, Strided)
        is_empty, opened = holds_nothing(value), False
        if is_planned(frame, storage, functions):
            size[storage] = max(size.get(storage, 0), 0 if is_empty else layout.span[1])
            if isinstance(value, OpResult | BlockArgument) and opens(value, storage):
                owners.setdefault(storage, []).append(value)
                opened = True
        # What has arena bytes although it is a view or a result is a copy, or is copied at the return.
        if not is_empty and (opened or (isinstance(value, OpResult) and _is_counted(program, value))):
            naive += aligned(layout.nbytes)
    kept = [s for s in size if size[s] and s in owners]
    buffers = [in_use(aligned(size[s]), spans[s]) for s in kept]
    named: list[tuple[Owner, ...] | Operation | None] = [tuple(owners[s]) for s in kept]
    needs = zip(program.ops, program.contracts, strict=True)
    scratch = {op: contract.scratch for op, contract in needs if contract.scratch}
    aside = temporaries(func, frame, functions)
    for needed in (scratch, aside):
        buffers += [Buffer(aligned(n), program.at[op], program.at[op]) for op, n in needed.items()]
        naive += sum(map(aligned, needed.values()))
    named += [*scratch, *[None] * len(aside)]
    return AllocationProblem(tuple(named), tuple(buffers), naive, max(map(aligned, scratch.values()), default=0))


def in_use(nbytes: int, spans: Sequence[Span]) -> Buffer:
    """A buffer of so many bytes at these times."""
    (first, end), *others = spans
    return Buffer(nbytes, first, end - 1, later_pieces=tuple(Piece(a, b, nbytes) for a, b in others))


def room_aside(
    func: FuncOp, frame: FrameLayout, functions: Mapping[str, FuncOp], needs: Mapping[Operation, int]
) -> dict[Operation, int]:
    """Where in the arena the boundaries and calls of a function have the bytes that they need aside.

    With a plan, the lowest bytes that nothing in use at the time has: a plan has room for them, as it counted them
    among its buffers. Without one, bytes behind all places, which they share with each other alone.
    """
    if not needs:
        return {}
    program = NumberedOps.of(func) if planned_bytes(func) is not None else None
    if program is None:
        return dict.fromkeys(needs, aligned(frame.arena_bytes))
    unplanned = frame_of(func, is_called(func, functions), planned=False, sizes=program.sizes)
    spans, ranges = live_intervals(program, unplanned, functions), dict[Storage, set[tuple[int, int]]]()
    for value, place in unplanned.places.items():
        spot = frame.spot(value)
        if spot.root is None and spot.layout.elements and place.storage in spans:
            ranges.setdefault(place.storage, set()).add(spot.layout.span)
    found: dict[Operation, int] = {}
    for op, nbytes in needs.items():
        time = program.at[op]
        taken = [r for s, found_in in ranges.items() if any(a <= time < b for a, b in spans[s]) for r in found_in]
        found[op] = lowest_gap(aligned(nbytes), taken)
    return found


def frame_bytes(func: FuncOp, wanted: AllocationProblem) -> int:
    """Bytes of the arena that a function with this demand has for itself once it is lowered: the planned ones and what
    has no place in the plan; without a plan, a place for each value. Scratch without a place is not in it, nor is
    what functions have that it calls."""
    planned = planned_bytes(func)
    if planned is None:
        aside = [b.size for owner, b in zip(wanted.owners, wanted.buffers, strict=True) if owner is None]
        values = [b.size for owner, b in zip(wanted.owners, wanted.buffers, strict=True) if isinstance(owner, tuple)]
        return sum(values) + max(aside, default=0)
    functions = functions_of_module(func)
    frame = frame_of(func, is_called(func, functions))
    unplanned = frame_of(func, is_called(func, functions), planned=False)
    needs = temporaries(func, frame, functions)
    ends = [start + needs[op] for op, start in room_aside(func, frame, functions, needs).items()]
    for value, place in unplanned.places.items():
        spot = frame.spot(value)
        if spot.root is None and is_planned(unplanned, place.storage, functions) and not holds_nothing(value):
            ends.append(spot.layout.span[1])
    return max([planned, *ends])


def is_planned(frame: FrameLayout, storage: Storage, functions: Mapping[str, FuncOp]) -> bool:
    """Memory of the function's own that is no result's; borrowed memory is somebody else's, but for what a call of one
    of `functions` returns."""
    if storage.kind is PlaceKind.CONSTANT or frame.slots[storage].argument is not None:
        return False
    return storage.kind is not PlaceKind.BORROWED or is_from_call(storage, functions)


def is_from_call(storage: Storage, functions: Mapping[str, FuncOp]) -> bool:
    """Memory for what a call of one of `functions` returns."""
    op = storage.key.owner if isinstance(storage.key, SSAValue) else None
    return isinstance(op, CallOp) and callee_of(op) in functions


def opens(value: Owner, storage: Storage) -> bool:
    """The value carries the offset of its storage."""
    if storage.key is value:
        return True
    number = number_of(value)
    return storage.kind is PlaceKind.NUMBERED and number == storage.key


def _is_counted(program: NumberedOps, value: OpResult) -> bool:
    contract = program.contracts[program.at[value.op]]
    is_result = any(isinstance(u.operation, ReturnOp) for u in value.uses)
    return contract.view_of(value.index) is None and not contract.constant and not is_result
