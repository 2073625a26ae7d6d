"""Which storages may be the same bytes where values are forwarded, and the ops that have to do with these.

A forwarded value lies where a source of it lies. Storages are connected where a value that opens the one is forwarded
from the other, and where a value may be lent memory of the other. What lies in one *component* shares no byte with what
lies in another, on any path, so each is looked at alone, at the cost of the ops that have to do with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from xdsl.ir import Block, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import functions_of_module
from lastuse.dialect.ir.tensor_types import Symbol
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Place, PlaceKind, Storage, assign_places
from lastuse.dialect.storage.contract import holds_nothing, is_region_op
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.fixed_sizes import fixed_symbols
from lastuse.dialect.storage.forwarding import PassedOn
from lastuse.passes.analysis.disjoint_sets import DisjointSets
from lastuse.passes.analysis.live_intervals import LiveIntervals
from lastuse.passes.analysis.liveness import live_out
from lastuse.passes.analysis.op_numbering import NumberedOps


class ForwardedPlaces:
    """The places of a function's values under decisions with forwarded values.

    Args:
        passed: all that is passed on in the function, as `passed_by` says.

    Attributes:
        of: by value.
    """

    def __init__(self, program: NumberedOps, decisions: Decisions, passed: Iterable[PassedOn]) -> None:
        self.program, self.decisions, self._passed = program, decisions, passed
        self.placed = assign_places(program.func, decisions, program.sizes)
        self.of: Mapping[SSAValue, Place] = self.placed.of

    @cached_property
    def values(self) -> Mapping[Storage, Sequence[SSAValue]]:
        """By storage."""
        values: dict[Storage, list[SSAValue]] = {}
        for value, place in self.of.items():
            values.setdefault(place.storage, []).append(value)
        return values

    @cached_property
    def alias_sources(self) -> Mapping[Storage, frozenset[Storage]]:
        """By storage that results of foreign ops open, those of what the ops are given."""
        if not any(storage.kind is PlaceKind.BORROWED for storage in self.values):
            return {}
        storage_of = {value: place.storage for value, place in self.of.items()}
        sources = LiveIntervals(self.program, storage_of, functions_of_module(self.program.func)).alias_sources
        return {lent: hosts for lent, hosts in sources.items() if lent.kind is PlaceKind.BORROWED}

    @cached_property
    def fixed(self) -> frozenset[Symbol]:
        """The sizes that have one value in a run."""
        return fixed_symbols(self.program.func, self.program.sizes)

    @cached_property
    def is_tied(self) -> bool:
        """A result of the function has to end in an argument."""
        func = self.program.func
        return any(attrs.tied_argument(func, n) is not None for n in range(len(func.function_type.outputs)))

    def connected(self, targets: Callable[[SSAValue], bool]) -> DisjointSets[Storage]:
        """The storages that may be the same bytes if the values are forwarded that `targets` holds for."""
        sets = DisjointSets[Storage]()
        for passed in self._passed:
            if targets(passed.target) and passed.source in self.of and passed.target in self.of:
                sets.union(self.of[passed.source].storage, self.of[passed.target].storage)
        for lent, hosts in self.alias_sources.items():
            for host in hosts:
                sets.union(host, lent)
        return sets

    @cached_property
    def _components(self) -> tuple[DisjointSets[Storage], Mapping[Storage, Sequence[Storage]]]:
        """The components, and the storages of each that has several by its representative."""
        sets = self.connected(self.decisions.forwarded.__contains__)
        members: dict[Storage, list[Storage]] = {}
        for storage in self.values:
            members.setdefault(sets.find(storage), []).append(storage)
        return sets, members

    def components(self, values: Iterable[SSAValue]) -> list[list[SSAValue]]:
        """The values of each component that one of `values` lies in."""
        sets, members = self._components
        found = dict.fromkeys(sets.find(self.of[v].storage) for v in values if v in self.of)
        return [[v for storage in members[root] for v in self.values[storage]] for root in found]


class ComponentOps:
    """The ops that have to do with some values, and those values that are live there.

    Args:
        values: all of which anything is asked.

    Attributes:
        order: by block the ops that define or use values, or have such ops in their regions, in order; every block of
            the function, and of each of these ops, is in it.
    """

    def __init__(self, program: NumberedOps, values: Iterable[SSAValue]) -> None:
        self.program, self.values = program, frozenset(values)
        self._used: dict[Operation, dict[SSAValue, None]] = {}
        self._reads: dict[Operation, dict[SSAValue, None]] = {}
        self._captured: dict[Operation, dict[SSAValue, None]] = {}
        touched: dict[Operation, None] = {}
        for value in self.values:
            home = value.owner.parent if isinstance(value, OpResult) else value.owner
            region = home.parent if isinstance(home, Block) else None
            self._touch(value.op if isinstance(value, OpResult) else value.owner.parent_op(), touched)  # pyright: ignore
            for use in value.uses:
                op: Operation | None = use.operation
                self._touch(op, touched)
                self._used.setdefault(op, {})[value] = None
                if self._is_read(op, use.index):
                    self._reads.setdefault(op, {})[value] = None
                while op is not None and op.parent is not None and op.parent.parent is not region:
                    op = op.parent.parent_op()
                    if op is not None:
                        self._captured.setdefault(op, {})[value] = None
        at = program.at
        self.ops = sorted((op for op in touched if op in at), key=at.__getitem__)
        order: dict[Block, list[Operation]] = {block: [] for block in program.func.body.blocks}
        for op in self.ops:
            for region in op.regions if is_region_op(op) else ():
                order.update((block, []) for block in region.blocks)
            if op.parent is not None:
                order[op.parent].append(op)
        self.order = {block: tuple(ops) for block, ops in order.items()}

    def _touch(self, op: Operation | None, touched: dict[Operation, None]) -> None:
        while op is not None and op is not self.program.func and op not in touched:
            touched[op] = None
            op = op.parent_op()

    def captured(self, op: Operation) -> Iterable[SSAValue]:
        """The values that the regions of an op use from outside."""
        return self._captured.get(op, ())

    def used(self, op: Operation) -> Iterable[SSAValue]:
        """The values that an op names, or its regions from outside."""
        return (*self._used.get(op, ()), *self.captured(op))

    def read(self, op: Operation) -> Iterable[SSAValue]:
        """The operands whose bytes an op needs; none in the regions of a kernel."""
        return self._reads.get(op, ())

    def _is_read(self, op: Operation, operand: int) -> bool:
        if op not in self.program.at:
            return False
        contract = self.program.contract(op)
        return contract.foreign or operand not in contract.metadata_only

    @cached_property
    def block_out(self) -> Mapping[Block, frozenset[SSAValue]]:
        """What is live at the end of each block."""
        inside = {op: tuple(self.captured(op)) for op in self.ops if op.regions and is_region_op(op)}

        def read(op: Operation) -> Sequence[SSAValue]:
            return (*self.read(op), *self.captured(op))

        def definitions(owner: Operation | Block) -> Sequence[SSAValue]:
            return owner.args if isinstance(owner, Block) else owner.results

        return live_out(self.program.func.body, read, definitions, inside, self.order)

    def live_after(self, block: Block) -> dict[Operation, frozenset[SSAValue]]:
        """By op of a block, what is live after it."""
        live = {v for v in self.block_out[block] if v in self.values and not holds_nothing(v)}
        after: dict[Operation, frozenset[SSAValue]] = {}
        for op in reversed(self.order[block]):
            after[op] = frozenset(live)
            live.difference_update(op.results)
            live.update((*self.read(op), *self.captured(op)))
        return after

    def last_named(self, block: Block, storage_of: Callable[[SSAValue], Storage]) -> dict[Storage, int]:
        """By forwarded storage the last op of a block that has an operand in it, whether it reads that or not: its
        number in `order`."""
        last: dict[Storage, int] = {}
        for number, op in enumerate(self.order[block]):
            for value in self.used(op):
                storage = storage_of(value)
                if storage.kind is PlaceKind.FORWARDED:
                    last[storage] = number
        return last
