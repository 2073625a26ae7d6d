"""Memory that is passed on in the place of memory of a value's own, and stays what it was: an argument of the function,
or what a loop around carries.

What loops and branches carry in memory of its own (`owned_values.py`) need not be copied when it is passed on from
memory that stays, where no op writes that memory or what it becomes. Then the memref that is carried is memory of the
value or such memory. Where the value ends, addresses say which: memory that stays is given back by what owns it.

Memory that ends with a branch may become what an arm of it passes on: behind the branch it is given back unless it did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from lastuse.dialect.ir.flow_graphs import blocks_around, ops_within
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind, Places, Storage
from lastuse.dialect.storage.call_interface import operands_under, written_operands
from lastuse.dialect.storage.contract import contract_of, is_foreign
from lastuse.dialect.storage.forwarding import PassedOn, passed_by, passed_within
from lastuse.dialect.storage.layout import same_bytes
from lastuse.passes.bufferization.forms import form_of
from lastuse.passes.bufferization.forwarded_memrefs import ForwardedMemrefs
from lastuse.passes.bufferization.lifetimes import is_touched_inside, openers_of


class BorrowedMemory(NamedTuple):
    """What is passed on as it is in a function.

    Attributes:
        owners: by value that is carried in memory of its own, the arguments of the function and of blocks around whose
            memory it may be instead.
        lent: the operands that ops pass on as memory that stays, with what they become.
        left: by storage that ends with a branch, the results of the branch that it may become.
    """

    owners: Mapping[SSAValue, frozenset[BlockArgument]]
    lent: frozenset[tuple[Operation, SSAValue, SSAValue]]
    left: Mapping[Storage, frozenset[SSAValue]]

    def of(self, value: SSAValue) -> frozenset[BlockArgument]:
        """The arguments whose memory a carried value may be."""
        return self.owners.get(slot_of(value), frozenset())

    def is_lent(self, op: Operation, source: SSAValue, target: SSAValue) -> bool:
        """`op` passes `source` on as it is."""
        return (op, source, slot_of(target)) in self.lent


NONE = BorrowedMemory({}, frozenset(), {})


def slot_of(value: SSAValue) -> SSAValue:
    """The result of the loop in whose place a loop's argument is carried; any other value itself."""
    if isinstance(value, BlockArgument):
        match value.block.parent_op():
            case scf.ForOp() as loop if value.index:
                return loop.results[value.index - 1]
            case scf.WhileOp() as loop if value.block is loop.after_region.block:
                return loop.results[value.index]
            case _:
                return value
    return value


class _Way(NamedTuple):
    """`op` passes `source` on to the carried value `slot`: as memory of `lender`, that stays; as what is left of the
    storage `left`; or moved, where both are None. An argument that may be written and that nothing else needs is
    given."""

    op: Operation
    source: SSAValue
    slot: SSAValue
    lender: BlockArgument | None = None
    left: Storage | None = None
    is_given: bool = False


class _Borrowing:
    def __init__(
        self,
        func: FuncOp,
        places: Places,
        forwarded: ForwardedMemrefs,
        ends: Mapping[Operation, Sequence[Storage]],
        strided: bool,
    ) -> None:
        self.strided = strided
        self.func, self.places, self.forwarded, self.owned, self.ends = func, places, forwarded, forwarded.owned, ends
        self.openers = openers_of(places)
        self.arguments: dict[Storage, list[BlockArgument]] = {}
        for value, place in places.of.items():
            if isinstance(value, BlockArgument) and value in self.owned:
                self.arguments.setdefault(place.storage, []).append(value)
        self.changed = set(self._changed())
        passed = [p for p in passed_within(func) if p.target in self.owned]
        self.ways = [way for way in map(self._way, passed) if way is not None]

    def found(self) -> BorrowedMemory:
        ways = dict.fromkeys(self.ways)
        while True:
            owners = self._owners(ways)
            given = {way.lender for way in ways if way.is_given}
            wrong = {
                a for slot, lenders in owners.items() if lenders and self._is_changed(slot) for a in lenders - given
            }
            if not wrong:
                break
            ways = {w: None for w in ways if w.lender not in wrong}
        lent = frozenset((w.op, w.source, w.slot) for w in ways if w.lender is not None or w.left is not None)
        left: dict[Storage, frozenset[SSAValue]] = {}
        for way in ways:
            if way.left is not None:
                left[way.left] = left.get(way.left, frozenset[SSAValue]()) | {way.slot}
        return BorrowedMemory({s: a for s, a in owners.items() if a}, lent, left)

    def _owners(self, ways: Mapping[_Way, None]) -> dict[SSAValue, frozenset[BlockArgument]]:
        owners = {slot_of(v): frozenset[BlockArgument]() for v in self.owned}
        changed = True
        while changed:
            changed = False
            for op, source, slot, lender, *_ in ways:
                root = slot_of(self.places.rules.at[source][0])
                more = owners.get(root, frozenset[BlockArgument]()) | ({lender} if lender is not None else set())
                if op.parent is not None and op is op.parent.last_op:  # what its block was given ends here
                    more -= set(op.parent.args) if op.parent.parent_op() is not self.func else set()
                if not more <= owners[slot]:
                    owners[slot] |= more
                    changed = True
        return owners

    def _is_changed(self, slot: SSAValue) -> bool:
        values = [v for v in self.owned if slot_of(v) is slot]
        return any(self.places.of[v].storage in self.changed for v in values)

    def _way(self, passed: PassedOn) -> _Way | None:
        op, source, target = passed
        if source not in self.places.of:
            return None
        storage, slot = self.places.of[source].storage, slot_of(target)
        if self._ends_at(op, source):
            return _Way(op, source, slot)
        if storage.kind is PlaceKind.ARGUMENT and isinstance(storage.key, int):
            lender = self.func.body.blocks[0].args[storage.key]
            fits = self.strided or (self._is_at(source, lender) and source.type == lender.type)
            is_given = fits and self._is_given(lender, source, op)
            return _Way(op, source, slot, lender, None, is_given) if fits and storage not in self.changed else None
        carried = next((v for v in self.arguments.get(storage, ()) if self._is_lender(v, source, op)), None)
        if carried is not None:
            return _Way(op, source, slot, carried) if storage not in self.changed else None
        around = op.parent_op()
        if not isinstance(around, scf.IfOp) or target.owner is not around:
            return None
        written = any(p.target not in self.owned and self._storage(p.target) == storage for p in passed_by(around))
        is_left = storage in self.ends.get(around, ()) and self._is_whole(source) and not written
        return _Way(op, source, slot, left=storage) if is_left else None

    def _storage(self, value: SSAValue) -> Storage | None:
        return self.places.of[value].storage if value in self.places.of else None

    def _is_given(self, argument: BlockArgument, source: SSAValue, op: Operation) -> bool:
        """The argument may be written, and no op reads it but `op`, once, which passes all of it on."""
        if source is not argument or argument.index not in attrs.writable_arguments(self.func):
            return False
        reads = [u for u in argument.uses if u.index not in contract_of(u.operation).metadata_only]
        return len(reads) == 1 and op.parent is argument.block and len(self.func.body.blocks) == 1

    def _is_lender(self, value: BlockArgument, source: SSAValue, op: Operation) -> bool:
        """The value is an argument of a block around, carried in memory of its own, that `source` is all of."""
        if not self._is_at(source, value):
            return False
        inside = takewhile(lambda block: block is not value.block, blocks_around(op))
        return all(isinstance(block.parent_op(), scf.IfOp) for block in inside)

    def _ends_at(self, op: Operation, source: SSAValue) -> bool:
        for argument in op.parent.args if op.parent is not None and op is op.parent.last_op else ():
            if argument in self.owned and self._is_at(source, argument):
                return True
        storage = self.places.of[source].storage
        ends = storage in self.ends.get(op, ()) and self._is_whole(source)
        return ends and not is_touched_inside(op, storage, self.places)

    def _is_whole(self, source: SSAValue) -> bool:
        return all(self._is_at(source, v) for v in self.openers.get(self.places.of[source].storage, ()))

    def _is_at(self, value: SSAValue, other: SSAValue) -> bool:
        a, b = self.places.of[value], self.places.of[other]
        return a.storage == b.storage and same_bytes(a.layout, b.layout)

    def _changed(self) -> Iterator[Storage]:
        """The storages that something writes, or that have to be row-major."""
        for value, (storage, _) in self.places.of.items():
            op = value.owner
            if not isinstance(op, Operation) or op.regions and value in self.owned:
                continue
            contract = contract_of(op)
            is_view = contract.view_of(value.index) is not None  # pyright: ignore
            form = form_of(op) if is_view and self.strided else None
            if not (is_view or contract.uninitialized or contract.constant) or (form is not None and form.joins_axes):
                yield from self.forwarded.storages(storage)
        for op in ops_within(self.func):
            if op is self.func:
                continue
            for operand in _lent_operands(op):
                if operand in self.places.of:
                    yield from self.forwarded.storages(self.places.of[operand].storage)
            for _, source, target in passed_by(op):
                stays = target not in self.places.of or self.forwarded.is_carried(target)
                if not stays and (source not in self.places.of or not self._is_at(source, target)):
                    yield self.places.of[target].storage


def _lent_operands(op: Operation) -> Sequence[SSAValue]:
    """The operands that an op may write, or whose memory a result of it may be."""
    if isinstance(op, CallOp):
        under = (operands_under(op, r.index) for r in op.results if isinstance(r.type, TensorType))
        numbers = {*written_operands(op), *attrs.operands_given_away(op), *(k for ks in under for k in ks)}
        return [op.operands[k] for k in sorted(numbers)]
    return op.operands if is_foreign(op) and not op.has_trait(IsTerminator) else []


def borrowed_memory(
    func: FuncOp,
    places: Places,
    forwarded: ForwardedMemrefs,
    ends: Mapping[Operation, Sequence[Storage]],
    strided: bool,
) -> BorrowedMemory:
    """What a function passes on as it is, of what it carries in memory of its own.

    Args:
        ends: the storages that end with each op.
        strided: memory of an argument is at any strides, so that no axes of it are viewed as one.
    """
    return _Borrowing(func, places, forwarded, ends, strided).found() if forwarded.owned else NONE
