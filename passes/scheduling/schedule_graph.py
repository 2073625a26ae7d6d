"""The ops of a block as the search for their order sees them: which storages each reads and writes, and their bytes.

Nodes are the ops that write or read memory of the function, and those that have to stay in the order they have: ops of
unknown effects, and ops with regions. All others (views, constants, sums of indices) go with the ops around
them. The terminator stays last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from xdsl.dialects.func import CallOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free

from lastuse.dialect.ir.region_branches import crossings
from lastuse.dialect.storage.assignment import PlaceKind, Storage
from lastuse.dialect.storage.contract import is_region_op
from lastuse.dialect.storage.layout import Strided, same_bytes
from lastuse.dialect.storage.place_rules import accepts_strides
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.legality import permission, unfit_refusal
from lastuse.passes.memory.allocation_problem import MemoryModel, opens
from lastuse.passes.planning.external_buffers import Outside
from lastuse.passes.planning.graph import Graph, ScheduledOp


class BlockGraph(NamedTuple):
    """
    A block's ops and the graph of them.

    Attributes:
        block: the block.
        nodes: its ops that are ops of the graph, in their order.
        graph: of them, numbered alike.
        outside: buffers whose memory is not the arena's.
        made: results by the number of the buffer they begin.
    """

    block: Block
    nodes: tuple[Operation, ...]
    graph: Graph
    outside: Outside
    made: Mapping[int, OpResult]


def block_graph(model: MemoryModel, block: Block) -> BlockGraph:
    """The graph of a block that has a terminator."""
    return _GraphBuilder(model, block).build()


class _GraphBuilder:
    """Builds one graph."""

    def __init__(self, memory: MemoryModel, block: Block) -> None:
        self.memory, self.program, self.block = memory, memory.program, block
        assert block.last_op is not None
        self.end = self.program.at[block.last_op]
        self.buffers: dict[Storage, int] = {}
        self.sizes: list[int] = []
        self.results: dict[int, OpResult] = {}
        self.nodes: list[Operation] = []
        self.ops: list[ScheduledOp] = []
        self.edges: dict[tuple[int, int], None] = {}
        self.after: dict[Operation, dict[int, None]] = {}  # of each op: the nodes whose results it needs

    def build(self) -> BlockGraph:
        pinned: int | None = None
        for op in self.program.ops_of(self.block):
            if op is self.block.last_op:
                break
            needed: dict[int, None] = {}
            for value in self.program.read_by(op):
                if isinstance(value, OpResult):
                    needed |= self.after.get(value.op, {})
            writes = self._writes(op)
            stays = stays_in_order(self.program, op)
            if not (stays or writes or self.memory.scratch.get(op)):
                self.after[op] = needed
                continue
            number = len(self.nodes)
            self.nodes.append(op)
            self.after[op] = {number: None}
            self._add(op, number, writes)
            self.edges |= {(first, number): None for first in needed}
            if stays:
                if pinned is not None:
                    self.edges[pinned, number] = None
                pinned = number
        overwritable = (PlaceKind.OWN, PlaceKind.NUMBERED)
        not_overwritable = frozenset(n for s, n in self.buffers.items() if s.kind not in overwritable)
        kept = frozenset(n for s, n in self.buffers.items() if self.memory.live.hulls[s][1] >= self.end)
        writer = {w: n for n, op in enumerate(self.ops) for w in op.writes}
        implied = {(writer[r], n) for n, op in enumerate(self.ops) for r in op.reads if r in writer}
        edges = tuple(edge for edge in self.edges if edge not in implied)
        graph = Graph(tuple(self.sizes), kept, not_overwritable, tuple(self.ops), edges)
        return BlockGraph(self.block, tuple(self.nodes), graph, self._outside(kept), self.results)

    def _outside(self, kept: frozenset[int]) -> Outside:
        """Buffers in the memory of results, and of arguments that may be written."""
        slots, writable = self.memory.frame.slots, self.program.writable
        ends = (
            n for s, n in self.buffers.items() if s.kind is not PlaceKind.ARGUMENT and slots[s].argument is not None
        )
        begins = (n for s, n in self.buffers.items() if s.kind is PlaceKind.ARGUMENT and s.key in writable)
        return Outside(frozenset(ends), frozenset(begins), self._parts(kept))

    def _parts(self, kept: frozenset[int]) -> dict[int, tuple[int, ...]]:
        """Buffers of results that operands may be computed in, and the buffers of these operands."""
        written = {write for op in self.ops for write in op.writes}
        found: dict[int, tuple[int, ...]] = {}
        for op in self.nodes:
            contributions = [
                c for c in self.program.contracts[self.program.at[op]].contributions if c.may_be_produced_in_place
            ]
            if not contributions or is_region_op(op):
                continue
            storage, layout = self.memory.frame.places[op.results[0]]
            inside: dict[int, None] = {}
            for carry in contributions:
                value = op.operands[carry.operand]
                number = self.buffers.get(self.memory.frame.places[value].storage)
                part = carry.into(layout) if isinstance(layout, Strided) else None
                if number in written and number not in kept and part is not None and self._is_made_in(value, part):
                    inside[number] = None
            if inside and storage in self.buffers:
                found[self.buffers[storage]] = tuple(inside)
        return found

    def _is_made_in(self, value: SSAValue, part: Strided) -> bool:
        """All of the storage of `value` may be `part` of another one."""
        storage, layout = self.memory.frame.places[value]
        if (
            not isinstance(storage.key, OpResult)
            or storage.kind is not PlaceKind.OWN
            or not isinstance(layout, Strided)
        ):
            return False
        if is_region_op(storage.key.op) or layout.nbytes != self.memory.frame.extents[storage] or not layout.is_dense:
            return False
        strided = self.program.contracts[self.program.at[storage.key.op]].strided
        return part.is_dense or strided and accepts_strides(value) and accepts_strides(storage.key)

    def _writes(self, op: Operation) -> list[Storage]:
        """Storages that begin with results of `op`."""
        found: dict[Storage, None] = {}
        for result in op.results:
            place = self.memory.frame.places.get(result)
            if place is None or place.storage.kind is PlaceKind.CONSTANT or place.storage in self.buffers:
                continue
            if opens(self.memory.frame, result, place.storage):
                found[place.storage] = None
        return list(found)

    def _add(self, op: Operation, number: int, writes: list[Storage]) -> None:
        reads = {self._buffer(s): None for v in self.program.tensors(op) for s in self.memory.storages(v)}
        made = [self._buffer(storage) for storage in writes]
        begun = dict(zip(writes, made, strict=True))
        for result in op.results:
            place = self.memory.frame.places.get(result)
            if place is not None and place.storage in begun:
                self.results[begun[place.storage]] = result
        pairs = tuple(self._pairs(op, begun))
        if scratch := self.memory.scratch.get(op, 0):
            self.sizes.append(scratch)
            made.append(len(self.sizes) - 1)
        self.ops.append(ScheduledOp(tuple(r for r in reads if r not in made), tuple(made), pairs))

    def _buffer(self, storage: Storage) -> int:
        number = self.buffers.get(storage)
        if number is None:
            number = self.buffers[storage] = len(self.sizes)
            self.sizes.append(self.memory.sizes[storage])
        return number

    def _pairs(self, op: Operation, begun: Mapping[Storage, int]) -> Iterable[tuple[int, int]]:
        """Reads that a write of `op` may be written over where they die at it."""
        for result in op.results:
            place = self.memory.frame.places.get(result)
            if place is None or place.storage not in begun:
                continue
            for k in self._operands(op, result):
                storage, layout = self.memory.frame.places[op.operands[k]]
                extents = self.memory.frame.extents
                whole = same_bytes(layout, place.layout) and extents[storage] == extents[place.storage]
                if whole and storage in self.buffers and storage.kind in (PlaceKind.OWN, PlaceKind.ARGUMENT):
                    yield self.buffers[storage], begun[place.storage]

    def _operands(self, op: Operation, result: OpResult) -> Iterable[int]:
        """Operands that `result` may be written over, by what the op declares."""
        contract = self.program.contracts[self.program.at[op]]
        if is_region_op(op):
            for mover, sources, targets in crossings(op):
                if mover is op and result in targets:
                    source = sources[list(targets).index(result)]
                    yield next(k for k, operand in enumerate(op.operands) if operand is source)
            return
        for k in dict.fromkeys(o.operand for o in contract.over if o.result == result.index):
            if unfit_refusal(self.program, op, result, k) is None and not self._meets_another(op, result, k):
                yield k

    def _meets_another(self, op: Operation, result: OpResult, k: int) -> bool:
        """Another operand has bytes of operand `k`, and the kernel does not allow that."""
        contract, places = self.program.contracts[self.program.at[op]], self.memory.frame.places
        over, mine = permission(contract, result, k), places[op.operands[k]]
        for j, other in enumerate(op.operands):
            if j == k or j in contract.metadata_only or other not in places:
                continue
            if mine.storage in self.memory.storages(other):
                exact = places[other].storage == mine.storage and same_bytes(places[other].layout, mine.layout)
                if not (exact and over is not None and over.allow_same_operand):
                    return True
        return False


def stays_in_order(program: NumberedOps, op: Operation) -> bool:
    """An op that other such ops must not pass: it may have effects, or it has regions."""
    contract = program.contracts[program.at[op]]
    return contract.foreign or is_region_op(op) or isinstance(op, CallOp) or not is_side_effect_free(op)
