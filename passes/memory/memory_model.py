"""Memory that the ops of a function need, whatever their order and before anything has an offset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.call_graph import callee_of, functions_of_module, is_called
from lastuse.dialect.storage.assignment import PlaceKind, Storage
from lastuse.dialect.storage.contract import holds_nothing, is_region_op
from lastuse.dialect.storage.layout import Strided, aligned
from lastuse.passes.analysis.live_intervals import LiveIntervals
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.copy_temporaries import temporaries
from lastuse.passes.memory.frame_layout import FrameLayout, frame_of
from lastuse.passes.planning.planner import Buffer, live_peak


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
        return is_called(self.program.func, self.functions)

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
        return temporaries(self.program.func, self.frame, self.functions, self.program.order)

    @cached_property
    def op_scratch(self) -> Mapping[Operation, int]:
        """Bytes of scratch that ops declare."""
        needs = zip(self.program.ops, self.program.contracts, strict=True)
        return {op: contract.scratch for op, contract in needs if contract.scratch}

    @cached_property
    def extents(self) -> Mapping[Storage, int]:
        """Bytes of each storage, wherever it lies."""
        extents: dict[Storage, int] = {}
        for value, (storage, layout) in self.frame.places.items():
            assert isinstance(layout, Strided)
            extents[storage] = max(extents.get(storage, 0), 0 if holds_nothing(value) else layout.span[1])
        return extents

    @cached_property
    def sizes(self) -> Mapping[Storage, int]:
        """64-aligned bytes of each storage in the arena: none of what is the caller's, a constant's or a result's."""
        return {s: aligned(extent) if self.is_planned(s) else 0 for s, extent in self.extents.items()}

    @cached_property
    def scratch(self) -> Mapping[Operation, int]:
        """64-aligned bytes that an op needs while it runs: scratch, temporaries, and, of an op with regions, the most
        that is live in these."""
        needs = {op: self.temporaries.get(op, 0) + self.op_scratch.get(op, 0) for op in self.program.ops}
        nbytes = {op: aligned(n) for op, n in needs.items() if n}
        buffers = [Buffer(n, self.program.at[op], self.program.at[op]) for op, n in nbytes.items()]
        buffers += [Buffer(n, *self.live.hulls[s]) for s, n in self.sizes.items() if n]
        for op in self.program.ops:
            if is_region_op(op):
                first, last = self.program.at[op] + 1, self.program.region_end(op)
                inner = [b for b in buffers if first <= b.first and b.last <= last]
                nbytes[op] = nbytes.get(op, 0) + live_peak(inner)
        return nbytes

    def is_planned(self, storage: Storage) -> bool:
        """The storage is the function's own and no result's. Of memory that foreign ops return, it is what a call of a
        function of the module returns."""
        if storage.kind is PlaceKind.CONSTANT or self.frame.slots[storage].argument is not None:
            return False
        return storage.kind is not PlaceKind.BORROWED or is_from_call(storage, self.functions)

    def storages(self, value: SSAValue) -> Iterable[Storage]:
        """The storages whose bytes a value may be, but for constants."""
        place = self.frame.places.get(value)
        if place is None or place.storage.kind is PlaceKind.CONSTANT:
            return ()
        lent = [s for s in self.live.lenders.get(place.storage, ()) if s.kind is not PlaceKind.CONSTANT]
        return (place.storage, *sorted(lent, key=lambda s: self.live.hulls[s]))


def is_from_call(storage: Storage, functions: Mapping[str, FuncOp]) -> bool:
    """Memory for what a call of one of `functions` returns."""
    op = storage.key.owner if isinstance(storage.key, SSAValue) else None
    return isinstance(op, CallOp) and callee_of(op) in functions
