"""What a function needs memory for: buffers with sizes and live intervals, read off the places of its values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.flow_graphs import (
    callee_of,
    functions_of_module,
    is_called,
    operands_of,
    ops_within,
    reverse_postorder,
)
from lastuse.dialect.ir.remembered import remembered
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind, Storage, assign_places
from lastuse.dialect.storage.contract import holds_nothing, is_region_op
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import ALIGNMENT, Strided, aligned
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.dialect.storage.specialization import unknown_sizes
from lastuse.passes.analysis.live_intervals import LiveIntervals
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.copy_temporaries import temporaries
from lastuse.passes.memory.frame_layout import FrameLayout, frame_of, planned_bytes, returns_of
from lastuse.passes.planning.planner import Buffer, LiveRange, Plan, Span, buffer_of, live_peak, plan

Owner = OpResult | BlockArgument
BufferOwner = tuple[Owner, ...] | Operation | None


@dataclass(frozen=True)
class MemoryModel:
    """What needs memory in a function that returns and has known sizes."""

    program: NumberedOps

    @cached_property
    def functions(self) -> Mapping[str, FuncOp]:
        """Every function of the module that has a body, by name."""
        return functions_of_module(self.program.func)

    @cached_property
    def is_called(self) -> bool:
        """Another function of the module calls it."""
        return is_called(self.program.func)

    @cached_property
    def frame(self) -> FrameLayout:
        """The frame without offsets of a plan."""
        return frame_of(self.program.func, self.is_called, self.program.decisions.unplanned(), self.program.sizes)

    @cached_property
    def live(self) -> LiveIntervals[Storage]:
        """When each storage is live in the order that the ops have."""
        storage_of = {value: place.storage for value, place in self.frame.places.items()}
        return LiveIntervals(self.program, storage_of, self.functions)

    @cached_property
    def temporaries(self) -> Mapping[Operation, int]:
        """Bytes that boundaries and calls need aside."""
        return temporaries(self.program.func, self.frame, self.functions, self.program)

    @cached_property
    def op_scratch(self) -> Mapping[Operation, int]:
        """Bytes of scratch that ops declare."""
        needs = zip(self.program.ops, self.program.contracts, strict=True)
        return {op: contract.scratch for op, contract in needs if contract.scratch}

    @cached_property
    def arena_sizes(self) -> Mapping[Storage, int]:
        """64-aligned bytes of each storage in the arena: none of what is the caller's, a constant's or a result's."""
        return {s: aligned(extent) if self.is_planned(s) else 0 for s, extent in self.frame.extents.items()}

    @cached_property
    def scratch(self) -> Mapping[Operation, int]:
        """64-aligned bytes that an op needs while it runs: scratch, temporaries, and, of an op with regions, the most
        that is live in these."""
        needs = {op: self.temporaries.get(op, 0) + self.op_scratch.get(op, 0) for op in self.program.ops}
        nbytes = {op: aligned(n) for op, n in needs.items() if n}
        buffers = [Buffer(n, self.program.at[op], self.program.at[op]) for op, n in nbytes.items()]
        buffers += [Buffer(n, *self.live.hulls[s]) for s, n in self.arena_sizes.items() if n]
        for op in self.program.ops:
            if is_region_op(op):
                first, last = self.program.at[op] + 1, self.program.region_end(op)
                inner = [b for b in buffers if first <= b.first and b.last <= last]
                nbytes[op] = nbytes.get(op, 0) + live_peak(inner)
        return nbytes

    def is_planned(self, storage: Storage) -> bool:
        """The storage is the function's own and no result's. Of memory that foreign ops return, it is what a call of a
        function of the module returns. Memory that an op is given from outside of the function is not."""
        has_none = storage.kind in (PlaceKind.CONSTANT, PlaceKind.FORWARDED)
        if has_none or self.frame.slots[storage].argument is not None or self._is_given(storage):
            return False
        return storage.kind is not PlaceKind.BORROWED or is_from_call(storage, self.functions)

    def _is_given(self, storage: Storage) -> bool:
        if not self._giving or not isinstance(storage.key, SSAValue):
            return False
        return storage.key.owner in self._giving

    @cached_property
    def _giving(self) -> frozenset[Operation]:
        """Ops whose results lie in memory that they are given from outside."""
        declared = zip(self.program.ops, self.program.contracts, strict=True)
        return frozenset(op for op, contract in declared if contract.given)

    @cached_property
    def uncounted(self) -> frozenset[int]:
        """Results that take no bytes if all that does has its own: views and constants. By their identities."""
        declared = zip(self.program.ops, self.program.contracts, strict=True)
        makers = [(op, contract) for op, contract in declared if contract.views or contract.constant]
        results = [(result, contract) for op, contract in makers for result in op.results]
        return frozenset(id(r) for r, contract in results if contract.constant or contract.view_of(r.index) is not None)

    def storages(self, value: SSAValue) -> Iterable[Storage]:
        """The storages whose bytes a value may be, but for constants."""
        place = self.frame.places.get(value)
        if place is None or place.storage.kind is PlaceKind.CONSTANT:
            return ()
        lent = [s for s in self.live.alias_sources.get(place.storage, ()) if s.kind is not PlaceKind.CONSTANT]
        return (place.storage, *sorted(lent, key=lambda s: self.live.hulls[s]))


@dataclass(frozen=True)
class AllocationProblem:
    """Buffers that a function needs in its arena.

    Attributes:
        model: what needs memory.
        owners: the values (of a storage) or the op (of scratch) that carry the attribute of the buffer's offset; None
            of temporaries, which get their offsets when the function is lowered.
        buffers: 64-aligned bytes and the times of the ops that need them, in pieces.
        naive_bytes: 64-aligned sizes of all values, scratch and temporaries that need bytes if no bytes are shared,
            added up: values that are neither views, constants, arguments nor results, and copies of such ones. No
            arena of a plan is larger.
        scratch_bytes: 64-aligned scratch sizes of all ops, the largest of them.
    """

    model: MemoryModel = field(repr=False, compare=False)
    owners: tuple[BufferOwner, ...]
    buffers: tuple[Buffer, ...]
    naive_bytes: int
    scratch_bytes: int

    def placed(self, algorithm: str = "best", nodes: int = 0) -> Plan:
        """A plan of the arena; the options are the planner's."""
        return plan(self.buffers, algorithm, alignment=ALIGNMENT, nodes=nodes)


@remembered
def memory_model(program: NumberedOps) -> MemoryModel:
    """What needs memory in a function under decisions and in an order."""
    return MemoryModel(program)


def is_from_call(storage: Storage, functions: Mapping[str, FuncOp]) -> bool:
    """Memory for what a call of one of `functions` returns."""
    op = storage.key.owner if isinstance(storage.key, SSAValue) else None
    return isinstance(op, CallOp) and callee_of(op) in functions


def allocation_problem(func: FuncOp, decisions: Decisions | None = None) -> AllocationProblem | None:
    """The buffers of a function; None where a size is unknown, there is no body, a block cannot be reached, or control
    never leaves it.

    Args:
        decisions: those that the function carries, where they are known.

    The caller's memory and constants are outside the arena, and so is a storage that a result fills: it is the result's
    own. Times are in the order of blocks in which definitions come before uses, with holes where a storage is not
    needed: storages that are live together in any run have a time in common.
    """
    program = NumberedOps.of(func, decisions)
    return problem_of(program) if program is not None else None


@remembered
def problem_of(program: NumberedOps) -> AllocationProblem | None:
    """As `allocation_problem`, under the decisions and in the order of `program`, whatever has an offset."""
    returns = returns_of(program.func)
    if not returns or not program.has_known_sizes:
        return None
    model = memory_model(program)
    owners: dict[Storage, list[Owner]] = {}
    naive = 0
    uncounted = {id(value) for last in returns for value in operands_of(last)} | model.uncounted
    known: dict[int, int] = {}  # bytes of layouts, by their identity: values of one type have one
    for value, (storage, layout) in model.frame.places.items():
        assert isinstance(value, OpResult | BlockArgument)
        opened = (storage.key is value or storage.kind is PlaceKind.NUMBERED) and opens(model.frame, value, storage)
        opened = opened and model.is_planned(storage)
        if opened:
            owners.setdefault(storage, []).append(value)
        # What has arena bytes although it is a view or a result is a copy, or is copied at the return.
        counted = opened or (isinstance(value, OpResult) and id(value) not in uncounted)
        if counted and id(value) not in program.empty:
            nbytes = known.get(id(layout))
            if nbytes is None:
                strided = isinstance(layout, Strided)
                nbytes = aligned(layout.nbytes if strided else model.frame.own(value).nbytes)
                if strided:
                    known[id(layout)] = nbytes
            naive += nbytes
    kept = [s for s, nbytes in model.arena_sizes.items() if nbytes and s in owners]
    buffers = [buffer_of([LiveRange(*span, model.arena_sizes[s]) for span in model.live.intervals[s]]) for s in kept]
    for needs in (model.op_scratch, model.temporaries):
        buffers += [Buffer(aligned(n), program.at[op], program.at[op]) for op, n in needs.items()]
        naive += sum(map(aligned, needs.values()))
    return AllocationProblem(
        model,
        (*(tuple(owners[s]) for s in kept), *model.op_scratch, *[None] * len(model.temporaries)),
        tuple(buffers),
        naive,
        max(map(aligned, model.op_scratch.values()), default=0),
    )


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
    model = memory_model(program)
    ranges: dict[Storage, set[Span]] = {}
    for value, place in model.frame.places.items():
        location = frame.location(value)
        if location.root is None and location.layout.elements and place.storage in model.live.intervals:
            ranges.setdefault(place.storage, set()).add(location.layout.span)
    offsets: dict[Operation, Span] = {}
    for op, nbytes in needs.items():
        time = program.at[op]
        live = [spans for s, spans in ranges.items() if any(a <= time < b for a, b in model.live.intervals[s])]
        start = _lowest_gap(aligned(nbytes), set[Span]().union(*live))
        offsets[op] = start, start + nbytes
    return offsets


def _lowest_gap(size: int, spans: set[Span]) -> int:
    """The lowest aligned offset at which `size` bytes meet none of the half-open `spans`."""
    start = 0
    for begin, end in sorted(spans):
        if start + size <= begin:
            break
        start = max(start, aligned(end))
    return start


def frame_bytes(problem: AllocationProblem) -> int:
    """Bytes of the arena of the lowered function: the planned ones and those of values that have no offset in the
    plan; without a plan, bytes for each value. Scratch without an offset is not counted, nor are the arenas of
    functions that it calls."""
    model, func = problem.model, problem.model.program.func
    planned = planned_bytes(func)
    if planned is None:
        pairs = list(zip(problem.owners, problem.buffers, strict=True))
        temporary_bytes = max((buffer.size for owner, buffer in pairs if owner is None), default=0)
        return temporary_bytes + sum(buffer.size for owner, buffer in pairs if isinstance(owner, tuple))
    frame = frame_of(func, model.is_called, sizes=model.program.sizes)
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


def unknown_memory(func: FuncOp, is_known: Callable[[Operation], bool]) -> Iterator[tuple[Operation, str]]:
    """
    What a plan of `func` leaves out because its bytes are not known: an op, and what of it, in words.

    Args:
        is_known: whether the contract of an op has all the scratch it takes.
    """
    for op in ops_within(func):
        if not is_known(op):
            remedy = "lastuse's own tools measure it when all sizes are known, dnn.scratch_bytes states it"
            yield op, f"the scratch of {op_name(op)} is not known here: {remedy}"
    functions = functions_of_module(func)
    for value, (storage, _) in assign_places(func).of.items():
        opened = storage.kind is PlaceKind.BORROWED and storage.key is value
        if opened and isinstance(value, OpResult) and not is_from_call(storage, functions):
            memory = f"the memory of {attrs.display_name(value)}, a result of {op_name(value.op)},"
            remedy = "a contract registered for the op tells it (lastuse.register_contract)"
            yield value.op, f"{memory} is not known here: {remedy}"


def why_unplanned(func: FuncOp) -> str:
    """Why nothing can be planned for a function that has no demand, and what would help."""
    if not returns_of(func):
        return "control never leaves the function"
    if any(block not in set(reverse_postorder(func.body)) for block in func.body.blocks):
        return "a block is never reached"
    bound, sizes = unknown_sizes(func), infer_shapes(func)
    unknown = {
        v: {str(s) for d in size.known if not isinstance(d, int) for s in d.symbols} for v, size in sizes.items()
    }
    known = sorted(set().union(*unknown.values()) & bound.keys())
    if known:
        quoted = ", ".join(f"'{name}'" for name in known)
        binds = ",".join(f"{name}=N" for name in known)
        is_are = "size {} is" if len(known) == 1 else "sizes {} are"
        return f"{is_are.format(quoted)} not known; --specialize-pass={binds} before this pass binds it"
    value = next((value for value, symbols in unknown.items() if symbols), None)
    return (
        "a size is not known" if value is None else f"the size of {attrs.display_name(value)} is not known before a run"
    )
