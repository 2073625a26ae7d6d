"""Memory maps of the functions of a module: what lies where by the rules of docs/storage.md, and for how long."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, clone_located, location_of, op_name
from lastuse.dialect.ir.flow_graphs import ancestors, callee_of, calls_in, functions_of, is_called, topological_order
from lastuse.dialect.onednn.buffers import ArenaOp
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind as Storing
from lastuse.dialect.storage.assignment import Storage
from lastuse.dialect.storage.contract import holds_nothing, is_region_op
from lastuse.dialect.storage.layout import ALIGNMENT, Strided, aligned
from lastuse.passes.analysis.live_intervals import IntervalHull, LiveIntervals, hull_of
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.lowering.copy_analysis import expected_copies
from lastuse.passes.memory.allocation_problem import place_temporaries
from lastuse.passes.memory.frame_layout import frame_of, planned_bytes
from lastuse.passes.memory.stats import memory_stats
from lastuse.passes.planning.planner import Span
from lastuse.tools.visualize.markup import shortened
from lastuse.tools.visualize.memory import Band, Box, BoxKind, BoxSpan, Column, MemoryMap, Value

MAX_NAME = 120
"""Characters of a name; of a longer one the first are enough."""


def memory_maps(module: ModuleOp) -> tuple[MemoryMap, ...]:
    """
    The map of each function that has a body, in the order of the module.

    Raises:
        LastuseError: there is none, one is lowered already, has an unknown size, a block that is never reached, or
            never returns.
    """
    functions = functions_of(module)
    if not functions:
        raise LastuseError("there is no function to draw", module)
    maps: dict[str, MemoryMap] = {}
    for func in reversed(topological_order(functions)):
        maps[func.sym_name.data] = _ModuleReader(func, functions, maps).map()
    return tuple(maps[name] for name in functions)


def undecided(module: ModuleOp) -> ModuleOp:
    """A copy of the module without decisions, its ops where the module's are."""
    copied = clone_located(module)
    for func in functions_of(copied).values():
        attrs.forget_all(func)
    return copied


class _ModuleReader:
    """
    Reads the map of one function. `below`: the maps of the functions it calls.

    Boxes and values are read with the numbers of ops for steps; `map` puts the columns of the map in their place.
    """

    def __init__(self, func: FuncOp, functions: Mapping[str, FuncOp], below: Mapping[str, MemoryMap]) -> None:
        lowered = next((op for op in func.walk() if isinstance(op, ArenaOp)), None)
        if lowered is not None:
            raise LastuseError("is lowered already: a map is drawn before --lower-to-onednn-pass", lowered)
        program = NumberedOps.of(func)
        if program is None:
            raise LastuseError("cannot be drawn: a block is never reached", func)
        self.func, self.functions, self.below, self.program = func, functions, below, program
        called = is_called(func)
        self.frame = frame_of(func, called, sizes=program.sizes)
        self.unplanned = frame_of(func, called, program.decisions.unplanned(), program.sizes)
        self.copies: dict[Operation, tuple[str, ...]] = {}
        for copy, _ in expected_copies(func) or ():
            self.copies[copy.op] = (*self.copies.get(copy.op, ()), f"{copy.what}, {copy.nbytes:,} bytes")

    def map(self) -> MemoryMap:
        """The map of the function."""
        boxes = self._storages()
        boxes += self._of_ops(self._end(boxes))
        boxes += self._frames(aligned(self._end(boxes)))
        stats = memory_stats(self.func, self.functions)
        if stats is None:
            raise LastuseError("cannot be drawn: the size of a function it calls is not known", self.func)
        shown = _shown_times(self.program, boxes)
        return MemoryMap(
            f"@{self.func.sym_name.data}",
            tuple(self._step(time, n) for n, time in enumerate(shown)),
            tuple(sorted((_in_columns(box, shown) for box in boxes), key=lambda box: (box.first, box.offset))),
            self._end(boxes),
            stats.live_peak_bytes,
            stats.naive_bytes,
            planned_bytes(self.func) is not None,
            tuple(self._bands(shown)),
            tuple(self._outside(shown)),
            alignment=ALIGNMENT,
        )

    def _end(self, boxes: Iterable[Box]) -> int:
        """The bytes that the plan and the boxes take."""
        return max([planned_bytes(self.func) or 0, *(box.end for box in boxes)])

    # Storages: what of values lies together

    def _storages(self) -> list[Box]:
        """A box for all values that keep their positions to each other, whether a plan put them there or not."""
        groups: dict[tuple[Storage, int], list[SSAValue]] = {}
        for value, place in self.unplanned.places.items():
            location = self.frame.location(value)
            if not location.layout.elements or holds_nothing(value):
                continue
            if location.root is None and not self._is_lent(place.storage):
                assert isinstance(place.layout, Strided)
                base = location.layout.span[0] - place.layout.span[0]
                groups.setdefault((place.storage, base), []).append(value)
        together = {value: values[0] for values in groups.values() for value in values}
        spans, own_spans = self._lives(together), self._lives({value: value for value in together})
        boxes: list[Box] = []
        for values in groups.values():
            bytes_of = [self.frame.location(value).layout.span for value in values]
            begin, end = min(span[0] for span in bytes_of), max(span[1] for span in bytes_of)
            members = dict.fromkeys(values)
            described = [self._value(value, members, hull_of(own_spans[value])) for value in values]
            described.sort(key=lambda v: (v.first, v.begin, v.end))
            pieces = tuple(BoxSpan(first, after - 1, begin, end) for first, after in spans[values[0]])
            boxes.append(Box(BoxKind.VALUE, pieces, tuple(described)))
        return boxes

    def _is_lent(self, storage: Storage) -> bool:
        """Memory that an op of another dialect gave, and has its own place for; what a call returns is in the arena."""
        op = storage.key.owner if isinstance(storage.key, SSAValue) else None
        return storage.kind is Storing.BORROWED and not (isinstance(op, CallOp) and callee_of(op) in self.functions)

    def _lives(self, leaders: Mapping[SSAValue, SSAValue]) -> dict[SSAValue, tuple[Span, ...]]:
        """When the values of each leader are in use, one or the other of them."""
        storage_of: dict[SSAValue, Storage | SSAValue] = {v: p.storage for v, p in self.unplanned.places.items()}
        spans = LiveIntervals(self.program, {**storage_of, **leaders}, self.functions).intervals
        return {leader: spans[leader] for leader in dict.fromkeys(leaders.values())}

    def _value(self, value: SSAValue, together: Mapping[SSAValue, None], hull: IntervalHull) -> Value:
        over = self._over(value)
        op = _owner(value)
        made_by = op_name(op) if isinstance(value, OpResult) else f"argument of {op_name(op)}"
        layout = self.frame.location(value).layout
        how = f"in place over {over}" if over else self._how(value, together)
        return Value(_name(value), made_by, _line(op), layout.nbytes, *layout.span, *hull, how, over)

    def _over(self, value: SSAValue) -> str:
        """What a value is written over: decided, and in effect."""
        k = attrs.inplace(value.op)[value.index] if isinstance(value, OpResult) else -1
        if k < 0 or not isinstance(value, OpResult):
            return ""
        operand = value.op.operands[k]
        there = operand in self.frame.places and self.frame.location(operand).is_at(self.frame.location(value))
        return _name(operand) if there else ""

    def _how(self, value: SSAValue, together: Mapping[SSAValue, None]) -> str:
        view = self.program.view(value)
        if view is not None and isinstance(value, OpResult):
            return f"view of {_name(value.op.operands[view.operand])}"
        storage = self.unplanned.places[value].storage
        if storage.kind is Storing.NUMBERED:
            return f"storage {storage.key}"
        opener = storage.key if isinstance(storage.key, SSAValue) and storage.key in together else next(iter(together))
        if value is opener:
            return ""
        whole = self.frame.location(value).is_at(self.frame.location(opener))
        return f"{'in the place' if whole else 'part'} of {_name(opener)}"

    # Further memory of ops

    def _of_ops(self, end: int) -> Iterator[Box]:
        """Scratch, and temporaries of boundaries; what has no place yet comes from byte `end` on."""
        for op, contract in zip(self.program.ops, self.program.contracts, strict=True):
            if not contract.scratch:
                continue
            planned = op.attributes.get(attrs.SCRATCH_OFFSET)
            offset = planned.value.data if isinstance(planned, IntegerAttr) else aligned(end)
            end = max(end, offset + contract.scratch)
            yield self._while_op(BoxKind.SCRATCH, f"scratch of {_of(op)}", op, offset, contract.scratch)
        for op, (begin, end) in place_temporaries(self.func, self.frame, self.functions).items():
            yield self._while_op(BoxKind.ASIDE, f"temporary of {_of(op)}", op, begin, end - begin)

    def _frames(self, start: int) -> Iterator[Box]:
        for call in calls_in(self.func):
            called = self.below.get(callee_of(call))
            if called is not None and called.arena and call in self.program.at:
                yield self._while_op(BoxKind.FRAME, f"arena of {called.title}", call, start, called.arena)

    def _while_op(self, kind: BoxKind, name: str, op: Operation, offset: int, nbytes: int) -> Box:
        time, end = self.program.at[op], offset + nbytes
        value = Value(name, op_name(op), _line(op), nbytes, offset, end, time, time)
        return Box(kind, (BoxSpan(time, time, offset, end),), (value,))

    # What stands around the boxes

    def _step(self, time: int, number: int) -> Column:
        op = self.program.ops[time]
        detail = ", ".join(_name(r) for r in op.results[:4]) + (", …" if len(op.results) > 4 else "")
        return Column(op_name(op).removeprefix("dnn."), detail, str(number), _line(op), self.copies.get(op, ()))

    def _bands(self, shown: Sequence[int]) -> Iterator[Band]:
        blocks = list(self.func.body.blocks)
        several = len(blocks) > 1
        bands: list[tuple[str, Iterable[Operation], int]] = []
        bands += ((f"block {n}", block.ops, 0) for n, block in enumerate(blocks) if several)
        for op in filter(is_region_op, self.program.ops):
            inner = [region for region in op.regions if any(block.first_op is not None for block in region.blocks)]
            depth = sum(around in self.program.at for around in ancestors(op)) + several
            for n, region in enumerate(inner):
                label = op_name(op) + (f" {n + 1}/{len(inner)}" if len(inner) > 1 else "")
                bands.append((label, region.walk(), depth))
        for label, ops, depth in bands:
            times = [self.program.at[op] for op in ops if op in self.program.at]
            first, last = _columns((min(times), max(times)), shown) if times else (0, -1)
            if first <= last:
                yield Band(label, first, last, depth)

    def _outside(self, shown: Sequence[int]) -> Iterator[Value]:
        """Values in memory of the caller's, arguments and results, and of ops of other dialects."""
        arguments = dict(enumerate(f"argument {name}" for name in self.frame.inputs))
        arguments |= {r.argument: f"result {r.name}" for r in self.frame.results if not r.tied}
        where: dict[SSAValue, str] = {}
        for value, place in self.unplanned.places.items():
            location = self.frame.location(value)
            if not location.layout.elements or holds_nothing(value):
                continue
            if isinstance(location.root, int):
                where[value] = f"in {arguments[location.root]}"
            elif location.root is None and self._is_lent(place.storage):
                key = place.storage.key
                lender = op_name(_owner(key)) if isinstance(key, SSAValue) else place.storage.kind.value
                where[value] = f"in memory of {lender}"
        spans = self._lives({value: value for value in where})
        for value, how in where.items():
            outer = self._value(value, {value: None}, _columns(hull_of(spans[value]), shown))
            yield replace(outer, how=f"{outer.how}, {how}" if outer.over else how)


def _shown_times(program: NumberedOps, boxes: Sequence[Box]) -> list[int]:
    """The times that get a column: constants are no steps, unless something begins or ends there."""
    ends = {time for box in boxes for piece in box.pieces for time in (piece.first, piece.last)}
    return [t for t, contract in enumerate(program.contracts) if not contract.constant or t in ends]


def _columns(hull: IntervalHull, shown: Sequence[int]) -> IntervalHull:
    """The first and the last column of a life; a value that is there from the start begins in the first."""
    first = min(bisect_left(shown, hull[0]), max(len(shown) - 1, 0))
    return first, max(first, bisect_right(shown, hull[1]) - 1)


def _in_columns(box: Box, shown: Sequence[int]) -> Box:
    """The box with columns of the map for numbers of ops."""
    pieces = tuple(BoxSpan(*_columns(piece[:2], shown), *piece[2:]) for piece in box.pieces)
    hulls = (_columns((value.first, value.last), shown) for value in box.values)
    values = (replace(value, first=first, last=last) for value, (first, last) in zip(box.values, hulls, strict=True))
    return Box(box.kind, pieces, tuple(values))


def _owner(value: SSAValue) -> Operation:
    """The op that has the value as result, or is around the block whose argument it is."""
    owner = value.owner
    op = owner if isinstance(owner, Operation) else owner.parent_op()
    assert op is not None
    return op


def _name(value: SSAValue) -> str:
    return shortened(attrs.display_name(value), MAX_NAME)


def _of(op: Operation) -> str:
    return _name(op.results[0]) if op.results else op_name(op)


def _line(op: Operation) -> str:
    return shortened(str(location_of(op) or ""), MAX_NAME)
