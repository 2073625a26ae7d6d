"""The ops of a block as the search for their order sees them: which storages each reads and writes, and their bytes.

Nodes are the ops that write or read memory of the function, and those that have to stay in the order they have: ops of
unknown effects, and ops with regions. All others (views, constants, sums of indices) go with the ops around
them. The terminator stays last.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.dialects.func import CallOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free

from lastuse.dialect.storage.assignment import Place, PlaceKind, Storage
from lastuse.dialect.storage.contract import is_region_op, is_scatter
from lastuse.dialect.storage.layout import Strided, same_bytes
from lastuse.dialect.storage.place_rules import accepts_strides
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.legality import permission, unfit_refusal
from lastuse.passes.memory.allocation_problem import MemoryModel, opens
from lastuse.passes.planning.external_buffers import ExternalBuffers
from lastuse.passes.planning.graph import Graph, ScheduledOp


class BlockGraph(NamedTuple):
    """
    A block's ops and the graph of them.

    Attributes:
        nodes: the ops of the block that are ops of the graph, in their order.
        graph: of them, numbered alike.
        outside: buffers whose memory is not the arena's.
        results: results by the number of the buffer they begin.
        buffers: numbers of the storages.
        uncertain: buffers of results that may be written over a part of a storage, for which the graph counts bytes.
    """

    nodes: tuple[Operation, ...]
    graph: Graph
    outside: ExternalBuffers
    results: Mapping[int, OpResult]
    buffers: Mapping[Storage, int]
    uncertain: frozenset[int]


def block_graph(model: MemoryModel, block: Block, may_inplace: Callable[[OpResult], bool]) -> BlockGraph:
    """The graph of a block that has a terminator. `may_inplace`: whether a result may be written over an operand, or
    have operands computed in it, where its op declares that."""
    return _GraphBuilder(model, block, may_inplace).build()


class _GraphBuilder:
    """Builds one graph."""

    def __init__(self, memory: MemoryModel, block: Block, may_inplace: Callable[[OpResult], bool]) -> None:
        self.memory, self.program, self.block, self.may_inplace = memory, memory.program, block, may_inplace
        self.places = memory.frame.places
        self.buffers: dict[Storage, int] = {}
        self.sizes: list[int] = []
        self.results: dict[int, OpResult] = {}
        self.nodes: list[Operation] = []
        self.ops: list[ScheduledOp] = []
        self.edges: dict[tuple[int, int], None] = {}
        self.after: dict[Operation, dict[int, None]] = {}  # of each op: the nodes whose results it needs
        self.over_parts: dict[int, list[int]] = {}
        """Buffers that may be written over a part of a larger one, by that."""

    def build(self) -> BlockGraph:
        pinned: int | None = None
        *ops, terminator = self.program.ops_of(self.block)
        for op in ops:
            owners = (value.op for value in self.program.read_by(op) if isinstance(value, OpResult))
            needed = {node: None for owner in owners for node in self.after.get(owner, ())}
            begun = self._begun(op)
            stays = _stays_in_order(self.program, op)
            if not (stays or begun or self.memory.scratch.get(op)):
                self.after[op] = needed
                continue
            number = len(self.nodes)
            self.nodes.append(op)
            self.after[op] = {number: None}
            self._add(op, begun)
            self.edges |= {(first, number): None for first in needed}
            if stays:
                self.edges |= {(pinned, number): None} if pinned is not None else {}
                pinned = number
        overwritable = (PlaceKind.OWN, PlaceKind.NUMBERED)
        not_overwritable = frozenset(n for s, n in self.buffers.items() if s.kind not in overwritable)
        hulls, end = self.memory.live.hulls, self.program.at[terminator]
        kept = frozenset(n for s, n in self.buffers.items() if hulls[s][1] >= end)
        writer = {w: n for n, op in enumerate(self.ops) for w in op.writes}
        implied = {(writer[r], n) for n, op in enumerate(self.ops) for r in op.reads if r in writer}
        edges = tuple(edge for edge in self.edges if edge not in implied)
        graph = Graph(tuple(self.sizes), kept, not_overwritable, tuple(self.ops), edges)
        outside = self._outside(kept, writer)
        stays = kept | (not_overwritable - outside.begins)
        uncertain = frozenset(
            write for read, writes in self.over_parts.items() if read not in stays for write in writes
        )
        return BlockGraph(tuple(self.nodes), graph, outside, self.results, self.buffers, uncertain)

    def _outside(self, kept: frozenset[int], written: Container[int]) -> ExternalBuffers:
        """Buffers in the memory of results, and of arguments that may be written."""
        slots, writable = self.memory.frame.slots, self.program.writable
        arguments = {s: n for s, n in self.buffers.items() if s.kind is PlaceKind.ARGUMENT}
        ends = {n for s, n in self.buffers.items() if s not in arguments and slots[s].argument is not None}
        begins = {n for s, n in arguments.items() if s.key in writable}
        return ExternalBuffers(frozenset(ends), frozenset(begins), self._parts(kept, written))

    def _parts(self, kept: frozenset[int], written: Container[int]) -> dict[int, tuple[int, ...]]:
        """Buffers of results that operands may be computed in, and the buffers of these operands."""
        parts: dict[int, tuple[int, ...]] = {}
        for op in self.nodes:
            contributions = self.program.contract(op).contributions
            if not contributions or is_region_op(op) or not self.may_inplace(op.results[0]):
                continue
            if is_scatter(self.program.contract(op)):  # the base has the same bytes before
                continue
            storage, layout = self.places[op.results[0]]
            inner: dict[int, None] = {}
            for contribution in (c for c in contributions if c.may_be_produced_in_place):
                value = op.operands[contribution.operand]
                number = self.buffers.get(self.places[value].storage)
                part = contribution.part(layout)
                if number is None or number not in written or number in kept:
                    continue
                if isinstance(part, Strided) and self._is_made_in(value, part):
                    inner[number] = None
            if inner and storage in self.buffers:
                parts[self.buffers[storage]] = tuple(inner)
        return parts

    def _is_made_in(self, value: SSAValue, part: Strided) -> bool:
        """All of the storage of `value` may be `part` of another one."""
        storage, layout = self.places[value]
        if storage.kind is not PlaceKind.OWN or not isinstance(storage.key, OpResult):
            return False
        if (
            not isinstance(layout, Strided)
            or is_region_op(storage.key.op)
            or layout.nbytes != self.memory.frame.extents[storage]
            or not layout.is_dense
        ):
            return False
        strided = self.program.contract(storage.key.op).strided
        return part.is_dense or strided and accepts_strides(value) and accepts_strides(storage.key)

    def _begun(self, op: Operation) -> list[tuple[OpResult, Place]]:
        """The results of `op` in storages that begin with one of them, and their places."""
        results = [(result, self.places[result]) for result in op.results if result in self.places]
        opened = {place.storage for result, place in results if opens(self.memory.frame, result, place.storage)}
        fresh = {s for s in opened if s.kind is not PlaceKind.CONSTANT and s not in self.buffers}
        return [(result, place) for result, place in results if place.storage in fresh]

    def _add(self, op: Operation, begun: list[tuple[OpResult, Place]]) -> None:
        reads = {self._buffer(s): None for v in self.program.tensors(op) for s in self.memory.storages(v)}
        writes = {self._buffer(place.storage): result for result, place in begun}
        self.results |= writes
        outputs = list(writes)
        if scratch := self.memory.scratch.get(op, 0):
            outputs.append(len(self.sizes))
            self.sizes.append(scratch)
        pairs = tuple(self._pairs(op, begun))
        self.ops.append(ScheduledOp(tuple(r for r in reads if r not in outputs), tuple(outputs), pairs))

    def _buffer(self, storage: Storage) -> int:
        if storage not in self.buffers:
            self.buffers[storage] = len(self.sizes)
            self.sizes.append(self.memory.arena_sizes[storage])
        return self.buffers[storage]

    def _pairs(self, op: Operation, begun: list[tuple[OpResult, Place]]) -> Iterator[tuple[int, int]]:
        """Reads that a write of `op` may be written over where they die at it."""
        extents = self.memory.frame.extents
        for result, place in begun:
            for k in self._operands(op, result) if self.may_inplace(result) else ():
                storage, layout = self.places[op.operands[k]]
                if storage not in self.buffers or storage.kind not in (PlaceKind.OWN, PlaceKind.ARGUMENT):
                    continue
                if same_bytes(layout, place.layout) and extents[storage] == extents[place.storage]:
                    yield self.buffers[storage], self.buffers[place.storage]
                elif extents[storage] > extents[place.storage]:
                    self.over_parts.setdefault(self.buffers[storage], []).append(self.buffers[place.storage])

    def _operands(self, op: Operation, result: OpResult) -> Iterator[int]:
        """Operands that `result` may be written over, by what the op declares."""
        if isinstance(op, scf.ForOp):
            yield len(op.operands) - len(op.results) + result.index
        if is_region_op(op):
            return
        for k in dict.fromkeys(o.operand for o in self.program.contract(op).over if o.result == result.index):
            if unfit_refusal(self.program, op, result, k) is None and not self._meets_another(op, result, k):
                yield k

    def _meets_another(self, op: Operation, result: OpResult, k: int) -> bool:
        """Another operand has bytes of operand `k`, and the kernel does not allow that."""
        contract, mine = self.program.contract(op), self.places[op.operands[k]]
        over = permission(contract, result, k)
        may_equal = over is not None and over.allow_same_operand
        others = [v for j, v in enumerate(op.operands) if j != k and j not in contract.metadata_only]
        for other in (v for v in others if v in self.places and mine.storage in self.memory.storages(v)):
            storage, layout = self.places[other]
            if not (may_equal and storage == mine.storage and same_bytes(layout, mine.layout)):
                return True
        return False


def _stays_in_order(program: NumberedOps, op: Operation) -> bool:
    """An op that other such ops must not pass: it may have effects, or it has regions."""
    contract = program.contract(op)
    return contract.foreign or is_region_op(op) or isinstance(op, CallOp) or not is_side_effect_free(op)
