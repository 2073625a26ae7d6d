"""What a function needs memory for: buffers with sizes and live intervals, read off the places of its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult

from lastuse.dialect.storage.assignment import PlaceKind, Storage
from lastuse.dialect.storage.contract import holds_nothing
from lastuse.dialect.storage.layout import ALIGNMENT, Strided, aligned
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.copy_temporaries import temporaries
from lastuse.passes.memory.frame_layout import FrameLayout, frame_of, planned_bytes, returns_of
from lastuse.passes.memory.memory_model import MemoryModel
from lastuse.passes.planning.planner import Buffer, Piece, Plan, Span, plan

Owner = OpResult | BlockArgument


@dataclass(frozen=True)
class AllocationProblem:
    """Buffers that a function needs in its arena.

    Attributes:
        owners: the values (of a storage) or the op (of scratch) that carry the attribute of the buffer's offset; None
            of temporaries, which get their offsets when the function is lowered.
        buffers: 64-aligned bytes and the times of the ops that need them, in pieces.
        naive_bytes: 64-aligned sizes of all values, scratch and temporaries that need bytes if no bytes are shared,
            added up: values that are neither views, constants, arguments nor results, and copies of such ones. No
            arena of a plan is larger.
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
    """The buffers of a function; None where a size is unknown, there is no body, a block cannot be reached, or control
    never leaves it.

    The caller's memory and constants are outside the arena, and so is a storage that a result fills: it is the result's
    own. Times are in the order of blocks in which definitions come before uses, with holes where a storage is not
    needed: storages that are live together in any run have a time in common.
    """
    program = NumberedOps.of(func)
    return problem_of(program) if program is not None else None


def problem_of(program: NumberedOps) -> AllocationProblem | None:
    """As `allocation_problem`, under the decisions and in the order of `program`, whatever has an offset."""
    if not returns_of(program.func) or not program.has_known_sizes:
        return None
    model = MemoryModel(program)
    owners: dict[Storage, list[Owner]] = {}
    naive = 0
    for value, (storage, layout) in model.frame.places.items():
        assert isinstance(layout, Strided) and isinstance(value, OpResult | BlockArgument)
        opened = model.is_planned(storage) and opens(model.frame, value, storage)
        if opened:
            owners.setdefault(storage, []).append(value)
        # What has arena bytes although it is a view or a result is a copy, or is copied at the return.
        counted = opened or (isinstance(value, OpResult) and _is_counted(program, value))
        naive += aligned(layout.nbytes) if counted and not holds_nothing(value) else 0
    kept = [s for s, nbytes in model.sizes.items() if nbytes and s in owners]
    buffers = [buffer_of(model.sizes[s], model.live.spans[s]) for s in kept]
    for needs in (model.op_scratch, model.temporaries):
        buffers += [Buffer(aligned(n), program.at[op], program.at[op]) for op, n in needs.items()]
        naive += sum(map(aligned, needs.values()))
    return AllocationProblem(
        (*(tuple(owners[s]) for s in kept), *model.op_scratch, *[None] * len(model.temporaries)),
        tuple(buffers),
        naive,
        max(map(aligned, model.op_scratch.values()), default=0),
    )


def buffer_of(nbytes: int, spans: Sequence[Span]) -> Buffer:
    """A buffer of so many bytes that is live at these times."""
    (first, end), *others = spans
    return Buffer(nbytes, first, end - 1, later_pieces=tuple(Piece(a, b, nbytes) for a, b in others))


def place_temporaries(
    func: FuncOp, frame: FrameLayout, functions: Mapping[str, FuncOp]
) -> dict[Operation, tuple[int, int]]:
    """The arena bytes, half-open, of the temporaries of boundaries and calls (`copy_temporaries`).

    With a plan, the lowest bytes that nothing live at the time has: they are counted among the buffers of the plan.
    Without one, bytes behind all storages, which temporaries share with each other alone.
    """
    needs = temporaries(func, frame, functions)
    program = NumberedOps.of(func) if needs and planned_bytes(func) is not None else None
    if program is None:
        start = aligned(frame.arena_bytes)
        return {op: (start, start + nbytes) for op, nbytes in needs.items()}
    model = MemoryModel(program)
    ranges: dict[Storage, set[Span]] = {}
    for value, place in model.frame.places.items():
        location = frame.location(value)
        if location.root is None and location.layout.elements and place.storage in model.live.spans:
            ranges.setdefault(place.storage, set()).add(location.layout.span)
    offsets: dict[Operation, Span] = {}
    for op, nbytes in needs.items():
        time = program.at[op]
        live = [taken for s, taken in ranges.items() if any(a <= time < b for a, b in model.live.spans[s])]
        start = _lowest_gap(aligned(nbytes), set[Span]().union(*live))
        offsets[op] = start, start + nbytes
    return offsets


def _lowest_gap(size: int, taken: set[Span]) -> int:
    """The lowest aligned offset at which `size` bytes meet none of the half-open ranges that are taken."""
    start = 0
    for begin, end in sorted(taken):
        if start + size <= begin:
            break
        start = max(start, aligned(end))
    return start


def frame_bytes(func: FuncOp, problem: AllocationProblem) -> int:
    """Bytes of the arena of the lowered function: the planned ones and those of values that have no offset in the
    plan; without a plan, bytes for each value. Scratch without an offset is not counted, nor are the arenas of
    functions that it calls."""
    planned = planned_bytes(func)
    if planned is None:
        pairs = list(zip(problem.owners, problem.buffers, strict=True))
        aside = max((buffer.size for owner, buffer in pairs if owner is None), default=0)
        return aside + sum(buffer.size for owner, buffer in pairs if isinstance(owner, tuple))
    program = NumberedOps.of(func)
    assert program is not None
    model = MemoryModel(program)
    frame = frame_of(func, model.is_called, sizes=program.sizes)
    ends = [end for _, end in place_temporaries(func, frame, model.functions).values()]
    for value, place in model.frame.places.items():
        location = frame.location(value)
        if location.root is None and model.is_planned(place.storage) and not holds_nothing(value):
            ends.append(location.layout.span[1])
    return max([planned, *ends])


def opens(frame: FrameLayout, value: Owner, storage: Storage) -> bool:
    """The value carries the offset of its storage."""
    if storage.key is value:
        return True
    return storage.kind is PlaceKind.NUMBERED and frame.decisions.number_of(value) == storage.key


def _is_counted(program: NumberedOps, value: OpResult) -> bool:
    contract = program.contracts[program.at[value.op]]
    is_result = any(isinstance(u.operation, ReturnOp) for u in value.uses)
    return contract.view_of(value.index) is None and not contract.constant and not is_result
