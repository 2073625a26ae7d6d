"""One function as the checker sees it: where its values lie, which of them have bytes of their own, what is wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, islice
from typing import NamedTuple

from xdsl.dialects import cf, func, scf
from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import CONTROL, callee_of, functions_of_module, ops_within
from lastuse.dialect.ir.remembered import is_a
from lastuse.dialect.ir.tensor_types import Dim, symbol
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Place, Storage, assign_places
from lastuse.dialect.storage.assignment import PlaceKind as StorageKind
from lastuse.dialect.storage.contract import FOREIGN, Contract, contracts_of, is_undefined
from lastuse.dialect.storage.layout import Strided, mapped
from lastuse.passes.checker.byte_regions import ByteRegion, is_at_most, may_meet
from lastuse.passes.checker.forwarded_storages import ForwardedStorages
from lastuse.passes.checker.geometry import same_place, same_range
from lastuse.passes.checker.memory import Label, LabelledMemory
from lastuse.passes.checker.runs import intersection
from lastuse.passes.checker.violation import Decision, Violation, ViolationKind

_BOUNDARIES = frozenset(
    (*CONTROL, func.ReturnOp, scf.YieldOp, scf.ConditionOp, cf.BranchOp, cf.ConditionalBranchOp, cf.SwitchOp)
)


def is_boundary(op: Operation) -> bool:
    """An op that moves values into slots, or the return."""
    return type(op) in _BOUNDARIES


@dataclass(eq=False, slots=True)
class Guard:
    """A borrowed value is good while every byte it may be holds `token`."""

    token: int
    hosts: Sequence[ByteRegion]


class RequiredRead(NamedTuple):
    """`region` must hold the value of `token`; `value` is what the op calls it."""

    value: SSAValue
    token: int
    region: ByteRegion


@dataclass(eq=False, slots=True)
class Transfer:
    """What one op, or one boundary, does to the state: all reads, then all writes (a region and the label it gets),
    then tokens added where bytes are what the token's value needs, what these make together (where each byte holds the
    token then), guards on bytes that are lent, and the places that forwarded storages have from then on. `begins`: the
    block that begins, with new index values."""

    op: Operation
    reads: list[RequiredRead] = field(default_factory=list[RequiredRead])
    writes: list[tuple[ByteRegion, Label]] = field(default_factory=list[tuple[ByteRegion, Label]])
    adds: list[tuple[ByteRegion, int]] = field(default_factory=list[tuple[ByteRegion, int]])
    makes: list[tuple[ByteRegion, int]] = field(default_factory=list[tuple[ByteRegion, int]])
    lends: Sequence[Guard] = ()
    binds: dict[Storage, Place] = field(default_factory=dict[Storage, Place])
    begins: Block | None = None


class FunctionModel:
    """Places, tokens and regions of one function, and the violations found in it."""

    def __init__(self, function: FuncOp) -> None:
        self.function = function
        self.arguments = function.args
        self.placed = assign_places(function)
        self.ops = list(ops_within(function))[1:]
        self.memory, self.bindings = LabelledMemory(), ForwardedStorages(function, self.placed, self.ops)
        self.violations: list[Violation] = []
        self.guards: dict[int, Guard] = {}
        self.lendings: dict[tuple[SSAValue, ...], list[Guard]] = {}
        self.lent: dict[Storage, Guard] = {}
        self._written: dict[Storage, list[ByteRegion]] = {}
        self.writable = attrs.writable_arguments(function)
        self._declared = contracts_of(function)
        self._contracts: dict[Operation, Contract] = {}
        self._regions: dict[SSAValue, ByteRegion | None] = {}
        self.functions = functions_of_module(function)
        self._homes: dict[SSAValue, SSAValue] = {}
        self.fresh_token = count(1).__next__
        self._tokens: dict[SSAValue, int] = defaultdict(self.fresh_token)
        self._reported: set[tuple[ViolationKind, Operation, SSAValue | None, SSAValue | None]] = set()
        self._part_roots: dict[SSAValue, Decision] | None = None
        self.borrowed = {self.placed.of[v].storage for v in self._borrowed_values() if v in self.placed.of}

    # Values

    def contract(self, op: Operation) -> Contract:
        """The op's contract; boundaries have none and are never asked."""
        contract = self._contracts.get(op)
        if contract is None:
            contract = self._contracts[op] = FOREIGN if is_boundary(op) else self._declared(op)
        return contract

    def is_foreign(self, op: Operation) -> bool:
        """Nothing is declared: each result may be any part of any operand."""
        return self.contract(op).foreign and not is_boundary(op) and self.callee(op) is None

    def callee(self, op: Operation) -> FuncOp | None:
        """The function a call calls, if its body is in the module."""
        return self.functions.get(callee_of(op)) if is_a(op, func.CallOp) else None

    def _borrowed_values(self) -> Iterator[SSAValue]:
        for op in self.ops:
            if (op.regions or any(map(self.has_bytes, op.results))) and self.is_foreign(op):
                yield from (r for r in op.results if not self.is_forwarded(r))
                yield from (a for region in op.regions if region.blocks.first for a in region.blocks.first.args)

    def place_of(self, value: SSAValue) -> Place:
        return self.placed.of[value]

    def is_forwarded(self, value: SSAValue) -> bool:
        """The value opens a forwarded storage, or is the slot that does."""
        if value not in self.placed.of or not self.bindings.varies(place := self.placed.of[value]):
            return False
        key = place.storage.key
        return value is key or (isinstance(value, BlockArgument) and self.home(value) is key)

    def has_bytes(self, value: SSAValue) -> bool:
        """A tensor; scalars and indices carry no bytes."""
        return value in self.placed.of

    def region(self, value: SSAValue) -> ByteRegion | None:
        """The bytes of a value; None where there are none."""
        known = self._regions.get(value)
        if known is not None or (place := self.placed.of.get(value)) is None:
            return known
        if self.bindings.varies(place):
            return self.memory.region(*self.bindings.physical(place))
        known = self._regions[value] = self.memory.region(*place)
        return known

    def home(self, value: SSAValue) -> SSAValue:
        """The value whose bytes `value` names: itself, unless it is a true view or shares a slot."""
        if (home := self._homes.get(value)) is not None:
            return home
        path = [value]
        while (source := self._same_bytes_as(path[-1])) is not None and source not in self._homes:
            path.append(source)
        home = path[-1] if source is None else self._homes[source]
        self._homes.update(dict.fromkeys(path, home))
        return home

    def _same_bytes_as(self, value: SSAValue) -> SSAValue | None:
        if isinstance(value, BlockArgument):
            parent = value.block.parent_op()
            slot: SSAValue | None = None
            if isinstance(parent, scf.ForOp) and value.index > 0:
                slot = parent.results[value.index - 1]
            elif isinstance(parent, scf.WhileOp) and value.block is parent.after_region.blocks.first:
                slot = parent.results[value.index]
            if slot is None or not self.has_bytes(value) or self.place_of(slot).storage != self.place_of(value).storage:
                return None  # where the size changes from turn to turn, each has a place of its own
            return slot
        assert isinstance(value, OpResult)
        view = self.contract(value.op).view_of(value.index)
        return value.op.operands[view.operand] if view is not None and self.is_true_view(value) else None

    def is_true_view(self, value: OpResult) -> bool:
        """The result lies exactly where the view puts it in its operand's bytes; otherwise it is a copy."""
        view = self.contract(value.op).view_of(value.index)
        if view is None or attrs.is_copy(value.op):
            return False
        source, target = self.place_of(value.op.operands[view.operand]), self.place_of(value)
        if source.storage != target.storage:
            return False
        if not view.whole or isinstance(source.layout, Strided):
            return same_place(mapped(view.map, source.layout), target.layout)
        return same_range(source.layout, target.layout) or same_place(source.layout, target.layout)

    def token(self, value: SSAValue) -> int:
        """The token of the value whose bytes `value` names."""
        return self._tokens[self.home(value)]

    def reads(self, values: Iterable[SSAValue]) -> list[RequiredRead]:
        """What reading all of some values requires: a read of each that has bytes, unless any bytes will do."""
        regions = ((v, self.region(v)) for v in dict.fromkeys(values) if not is_undefined(v))
        return [RequiredRead(v, self.token(v), region) for v, region in regions if region is not None]

    def label(self, value: SSAValue, op: Operation) -> Label:
        """The label of bytes that `op` has just written as `value`."""
        return self.memory.label(frozenset({self.token(value)}), (op,))

    # What holds of every write

    def note_write(self, region: ByteRegion) -> None:
        """Some op writes the region; `settle_guards` asks."""
        self._written.setdefault(region.storage, []).append(region)

    def settle_guards(self) -> None:
        """Take guards off bytes that only the op that made them writes: before that op runs again, so does the
        one that borrowed. Otherwise many borrowers of one value would cost the square of their number."""
        known: dict[int, bool] = {}
        for guard in self.guards.values():
            for host in guard.hosts:
                if id(host) not in known:
                    alone = 0 if host.storage.kind is StorageKind.ARGUMENT else 1
                    regions = (r for r in self._written.get(host.storage, ()) if may_meet(r, host))
                    known[id(host)] = len(list(islice(regions, alone + 1))) > alone
            guard.hosts = [host for host in guard.hosts if known[id(host)]]

    def write(self, effect: Transfer, value: SSAValue, region: ByteRegion) -> None:
        """An op writes `value` to the region."""
        self.check_write(effect.op, value, region)
        effect.writes.append((region, self.label(value, effect.op)))

    def ruin(self, effect: Transfer, region: ByteRegion) -> None:
        """An op leaves nothing of use in the region."""
        self.note_write(region)
        effect.writes.append((region, self.memory.label(frozenset(), (effect.op,))))

    def is_read_only(self, storage: Storage) -> bool:
        """A constant, or memory of an argument that is neither donated nor tied."""
        if storage.kind is StorageKind.ARGUMENT:
            return storage.key not in self.writable
        return storage.kind is StorageKind.CONSTANT

    def check_write(self, op: Operation, value: SSAValue, region: ByteRegion) -> None:
        """Report a write of `value` into memory that is read-only, borrowed or not there."""
        self.note_write(region)
        layout = self.placed.of[value].layout
        whole = self.region(value)
        if self.is_read_only(region.storage):
            self.report(ViolationKind.READ_ONLY, op, value, region, written=value)
        self.check_not_borrowed(op, value, region)
        if isinstance(layout, Strided) and whole is not None and whole.runs and whole.runs.nbytes != layout.nbytes:
            self.report(ViolationKind.NOT_INJECTIVE, op, value, region, written=value)
        self.check_bounds(op, value, region)

    def check_not_borrowed(self, op: Operation, value: SSAValue, region: ByteRegion) -> None:
        """Nothing but a view shares borrowed memory. A call's result may be shared: whatever lies there then is good as
        long as the result is."""
        if self.home(value) is region.storage.key:
            return
        if region.storage in self.borrowed:
            self.report(ViolationKind.BORROWED, op, value, region, written=value)
        if region.storage in self.lent:
            self.guards[self.token(value)] = self.lent[region.storage]

    def check_lenders(
        self,
        kind: ViolationKind,
        op: Operation,
        reads: Iterable[RequiredRead],
        written: Sequence[tuple[SSAValue | None, ByteRegion | None]],
    ) -> None:
        """Report an op that writes where a borrowed value it reads may lie: it would read what it has just written."""
        if not self.guards or not written:
            return
        for read in reads:
            guard = self.guards.get(read.token)
            for host in guard.hosts if guard is not None else ():
                for value, region in written:
                    self.check_apart(kind, op, read.value, host, region, value)

    def check_bounds(
        self, op: Operation, value: SSAValue | None, region: ByteRegion, also: Iterable[Decision] = ()
    ) -> None:
        """Report bytes past the end of the arena or of an argument."""
        (kind, key), limit = region.storage, region.high
        if kind is StorageKind.ARENA:
            limit = self.arena_bytes
        elif kind is StorageKind.ARGUMENT:
            argument = next(self.region(a) for a in self.arguments if a.index == key)
            limit = argument.high if argument is not None else 0
        if not is_at_most(region.high, limit):
            self.report(ViolationKind.OUT_OF_BOUNDS, op, value, region, written=value, also=also)

    @cached_property
    def arena_bytes(self) -> Dim:
        """`dnn.arena_bytes`, per unit of `dnn.unit` where that is given; 0 without one."""
        attribute = self.function.attributes.get(attrs.ARENA_BYTES)
        return self.in_units(attribute.value.data) if isinstance(attribute, IntegerAttr) else 0

    def in_units(self, offset: int) -> Dim:
        """An arena offset in bytes."""
        unit = self.function.attributes.get(attrs.UNIT)
        return offset * symbol(unit.data) if isinstance(unit, StringAttr) else offset

    # What is wrong

    def report(
        self,
        kind: ViolationKind,
        reader: Operation,
        value: SSAValue | None = None,
        region: ByteRegion | None = None,
        *,
        storage: Storage | None = None,
        bytes_: tuple[int, int] | None = None,
        destroyers: tuple[Operation, ...] = (),
        written: SSAValue | None = None,
        path: str = "",
        also: Iterable[Decision] = (),
    ) -> None:
        """Note a violation, once for each kind, op and values."""
        key = (kind, reader, value, written)
        if key in self._reported:
            return
        self._reported.add(key)
        if bytes_ is None and region is not None and region.runs is not None:
            bytes_ = region.runs.first_run
        culprits = [d for op in destroyers for d in self.decisions_on(op)]
        for involved in (written, value):
            if involved is not None:
                culprits += self.decisions_for(involved)
        if region is not None:
            storage = region.storage
        violation = Violation(
            kind, reader, value, storage, bytes_, destroyers, written, path, tuple(dict.fromkeys((*also, *culprits)))
        )
        self.violations.append(violation)

    def check_apart(
        self,
        kind: ViolationKind,
        op: Operation,
        value: SSAValue,
        region: ByteRegion | None,
        other: ByteRegion | None,
        written: SSAValue | None = None,
        also: Iterable[Decision] = (),
    ) -> None:
        """Report two regions of one op that meet: that of `value`, and one that the op writes."""
        if region is None or other is None or not may_meet(region, other):
            return
        common = intersection(region.runs, other.runs)
        bytes_ = common.first_run if common is not None else None
        self.report(kind, op, value, region, bytes_=bytes_, destroyers=(op,), written=written, also=also)

    def decisions_for(self, value: SSAValue) -> list[Decision]:
        """The decisions that put the value's bytes where they are: its own first, then, in place, the operand's."""
        decisions: list[Decision] = []
        if self._part_roots is None:
            self._part_roots = dict(_part_roots(self))
        while isinstance(home := self.home(value), OpResult):
            op, index = home.op, home.index
            entries = (
                (attrs.OFFSET, attrs.entries(op, attrs.OFFSET)[index]),
                (attrs.REUSE, attrs.entries(op, attrs.REUSE)[index]),
                (attrs.INPLACE, over := attrs.inplace(op)[index]),
                (attrs.FORWARD, attrs.entries(op, attrs.FORWARD)[index]),
            )
            decisions += [Decision(op, name, index) for name, number in entries if number >= 0]
            if home in self._part_roots:
                decisions.append(self._part_roots[home])
            if over < 0 or any(number >= 0 for _, number in entries[:2]) or op.operands[over] not in self.placed.of:
                return decisions
            value = op.operands[over]
        assert isinstance(home, BlockArgument)
        if home.block is self.function.body.blocks.first:
            numbered = attrs.argument_reuse(home) >= 0
            return [*decisions, Decision(home, attrs.REUSE)] if numbered else decisions
        movers = [last for p in home.block.predecessors() if (last := p.last_op) is not None]
        if (parent := home.block.parent_op()) is not None:
            movers.append(parent)
        names = (attrs.SUCC_OFFSET, attrs.SUCC_REUSE, attrs.SUCC_FORWARD)
        return [*decisions, *(Decision(op, name) for op in movers for name in names if name in op.attributes)]

    def decisions_on(self, op: Operation) -> list[Decision]:
        """The decisions that say where `op` writes."""
        decisions = [d for result in op.results if self.has_bytes(result) for d in self.decisions_for(result)]
        for name in (attrs.DONATE, attrs.SUCC_REUSE, attrs.SUCC_OFFSET, attrs.SUCC_FORWARD, attrs.SCRATCH_OFFSET):
            if name in op.attributes:
                decisions.append(Decision(op, name))
        parent = op.parent_op()
        if isinstance(op, (scf.YieldOp, scf.ConditionOp)) and isinstance(parent, CONTROL):
            decisions += self.decisions_on(parent)
        return decisions


def _part_roots(frame: FunctionModel) -> Iterator[tuple[SSAValue, Decision]]:
    """Values that `dnn.parts` of a later op places, at the root of their in-place chain."""
    for op in frame.ops:
        for k in attrs.part_operands(op):
            value = op.operands[k]
            while isinstance(value, OpResult):
                below = attrs.inplace(value.op)[value.index]
                if below < 0:
                    view = frame.contract(value.op).view_of(value.index)
                    if view is None or not view.whole or attrs.is_copy(value.op):
                        break
                    below = view.operand
                value = value.op.operands[below]
            yield value, Decision(op, attrs.PARTS, k)
