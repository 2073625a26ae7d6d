"""Places: which bytes of which storage a value has. The rules of docs/storage.md, 2, first that applies wins.

Both the checker and lowering read places here and nowhere else; deciding passes only write attributes.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.dtypes import item_bytes
from lastuse.dialect.ir.region_branches import crossings
from lastuse.dialect.ir.symbolic_shape import Dim, TensorInfo, product, symbol
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import Contract, View, contract_of, is_foreign, is_region_op
from lastuse.dialect.storage.float_bits import contracts_of
from lastuse.dialect.storage.layout import Layout, Strided, Whole, is_dense, reshape, same_bytes
from lastuse.dialect.storage.shape_inference import Sizes, infer_shapes


class PlaceKind(enum.Enum):
    """Kinds of storage."""

    ARGUMENT = "argument"
    CONSTANT = "constant"
    ARENA = "arena"
    NUMBERED = "numbered"
    OWN = "own"
    BORROWED = "borrowed"


class Storage(NamedTuple):
    """A row of bytes. `key`: the argument's number, the value that owns it, or the number of `dnn.reuse`."""

    kind: PlaceKind
    key: SSAValue | int = 0


ARENA = Storage(PlaceKind.ARENA)


class Place(NamedTuple):
    """The bytes of one value: never dependent on the path taken."""

    storage: Storage
    layout: Layout


class Void(NamedTuple):
    """An attribute that says otherwise than the rule that won; ignored, and named in a remark."""

    op: Operation
    attribute: str
    entry: int


class Places(NamedTuple):
    """Place of every tensor value, and the attributes that are void."""

    of: Mapping[SSAValue, Place]
    void: tuple[Void, ...]
    sizes: Sizes


def places(func: FuncOp, sizes: Sizes | None = None, planned: bool = True) -> Places:
    """The places of every tensor value of `func` under the decisions it carries.

    `planned`: with the offsets of a plan; without, what has one is in storage of its own, as before it was planned.
    """
    finder = _Finder(func, sizes if sizes is not None else infer_shapes(func), planned)
    for value in finder.sizes:
        finder.find(value)
    finder.note_void()
    return Places(finder.found, tuple(finder.void), finder.sizes)


def dense(type_: TensorInfo, offset: Dim = 0) -> Layout:
    """Row-major from byte `offset`; unknown sizes are whole or nothing."""
    return _dense(type_, offset)


@lru_cache(maxsize=1 << 14)
def _dense(type_: TensorInfo, offset: Dim) -> Layout:
    item = item_bytes(type_.dtype)
    shape = type_.known
    numbers = [d for d in shape if isinstance(d, int)]
    if isinstance(offset, int) and len(numbers) == len(shape):
        return Strided.dense(numbers, item, offset)
    return Whole(shape, item, offset)


def reshape_to(layout: Layout, type_: TensorInfo) -> Layout | None:
    """The bytes of `layout` as a value of `type_`, in the same order of elements; None where that is no place."""
    if isinstance(layout, Strided):
        fresh = dense(type_)
        return reshape(layout, fresh.sizes) if isinstance(fresh, Strided) and layout.item == fresh.item else None
    fresh = dense(type_, layout.offset)
    return fresh if same_bytes(layout, fresh) else None


def viewed(source: Layout, view: View, type_: TensorInfo) -> Layout | None:
    """The bytes of a view of type `type_`, of a value at `source`; None where it has to be a copy. A whole view has all
    bytes of its operand, also where unknown sizes do not say so."""
    if isinstance(source, Strided):
        return view.map(source)
    if not view.whole:
        return None
    fresh = dense(type_, source.offset)
    return fresh if isinstance(fresh, Whole) and product(fresh.shape) == product(source.shape) else source


def takes_strides(value: SSAValue) -> bool:
    """Every kernel that reads `value` itself may read it at any strides. Views and carriers always may; what reads a
    view of the value is the view's affair: it becomes a copy where its own readers do not."""
    for use in value.uses:
        contract = contract_of(use.operation)
        moves = contract.views or contract.contributions or contract.foreign
        if not (moves or contract.strided or is_region_op(use.operation)):
            return False
    return True


class _Finder:
    """Follows each value to the one its place derives from: at most one, so a chain, walked without recursion."""

    def __init__(self, func: FuncOp, sizes: Sizes, planned: bool) -> None:
        self.func, self.sizes, self.planned = func, sizes, planned
        self.found: dict[SSAValue, Place] = {}
        self.void: list[Void] = []
        self.contracts: dict[Operation, Contract] = {}
        self._declared = contracts_of(func)
        self.arguments = {n: a for a in _entry(func).args if (n := attrs.argument_reuse(a)) >= 0 and a in sizes}
        self.parts = self._parts()

    def _contract(self, op: Operation) -> Contract:
        """An op's contract, asked for once: some of them work out index maps."""
        found = self.contracts.get(op)
        if found is None:
            found = self.contracts[op] = self._declared(op)
        return found

    # Rule 5 is written at the user and read at the root of the operand's in-place chain.

    def _parts(self) -> dict[SSAValue, tuple[Operation, int, tuple[SSAValue, ...]]]:
        roots: dict[SSAValue, tuple[Operation, int, tuple[SSAValue, ...]]] = {}
        for op in self.func.walk():
            for k in attrs.parts(op):
                path = [op.operands[k]]
                while (source := self._in_chain(path[-1])) is not None:
                    path.append(source)
                contributes = any(
                    c.operand == k and c.may_be_produced_in_place for c in self._contract(op).contributions
                )
                if contributes and path[-1] not in roots and self._is_free(path[-1]):
                    roots[path[-1]] = (op, k, tuple(path))
                else:
                    self.void.append(Void(op, attrs.PARTS, k))
        return roots

    def _in_chain(self, value: SSAValue) -> SSAValue | None:
        if not isinstance(value, OpResult) or is_region_op(value.op) or self._numbered(value) is not None:
            return None
        op = value.op
        k = attrs.inplace(op)[value.index]
        if k >= 0:
            return op.operands[k]
        view = self._contract(op).view_of(value.index)
        return op.operands[view.operand] if view is not None and view.whole and not attrs.is_copy(op) else None

    def _is_free(self, value: SSAValue) -> bool:
        """A result whose place no earlier rule gives."""
        if not isinstance(value, OpResult) or is_region_op(value.op) or self._contract(value.op).constant:
            return False
        contract = self._contract(value.op)
        is_view = contract.view_of(value.index) is not None and not attrs.is_copy(value.op)
        return self._numbered(value) is None and not contract.foreign and not is_view

    def _numbered(self, value: OpResult) -> Storage | None:
        """Rules 2 and 3: the arena, or a numbered storage."""
        if self.planned and attrs.offsets(value.op)[value.index] >= 0:
            return ARENA
        number = attrs.reuse(value.op)[value.index]
        return self._storage(number) if number >= 0 else None

    def _offset(self, value: OpResult) -> Dim:
        """Bytes from the start of its storage: `dnn.offset`, times the symbol that `dnn.unit` names."""
        return self._in_units(max(attrs.offsets(value.op)[value.index], 0) if self.planned else 0)

    def _in_units(self, offset: int) -> Dim:
        unit = self.func.attributes.get(attrs.UNIT)
        return offset * symbol(unit.data) if isinstance(unit, StringAttr) else offset

    def _storage(self, number: int) -> Storage:
        argument = self.arguments.get(number)
        return Storage(PlaceKind.NUMBERED, number) if argument is None else Storage(PlaceKind.ARGUMENT, argument.index)

    def find(self, value: SSAValue) -> None:
        chain, seen = [value], {value}
        while chain[-1] not in self.found:
            source = self._source(chain[-1])
            if source is None or source in self.found:
                break
            if source in seen:  # a part of itself: no such plan; the part goes
                op, k, _ = self.parts.pop(next(v for v in reversed(chain) if v in self.parts))
                self.void.append(Void(op, attrs.PARTS, k))
                chain, seen = [value], {value}
                continue
            chain.append(source)
            seen.add(source)
        for item in reversed(chain):
            if item not in self.found:
                self.found[item] = self._place(item)

    def _source(self, value: SSAValue) -> SSAValue | None:
        """The value that `value`'s place derives from."""
        if isinstance(value, BlockArgument):
            return slot_of(value)
        assert isinstance(value, OpResult)
        if self._numbered(value) is not None:
            return None
        op = value.op
        k = attrs.inplace(op)[value.index]
        if k >= 0 and op.operands[k] in self.sizes:
            return op.operands[k]
        if value in self.parts:
            return self.parts[value][0].results[0]
        view = self._contract(op).view_of(value.index)
        return op.operands[view.operand] if view is not None and not attrs.is_copy(op) else None

    def _place(self, value: SSAValue) -> Place:
        if isinstance(value, BlockArgument):
            return self._argument_place(value)
        assert isinstance(value, OpResult)
        op, type_ = value.op, self.sizes[value]
        if self._contract(op).constant:
            return Place(Storage(PlaceKind.CONSTANT, value), dense(type_))
        numbered = self._numbered(value)
        if numbered is not None:
            return Place(numbered, dense(type_, self._offset(value)))
        k = attrs.inplace(op)[value.index]
        if k >= 0:
            over = self.found.get(op.operands[k])
            layout = reshape_to(over.layout, type_) if over is not None else None
            if over is not None and layout is not None:
                return Place(over.storage, layout)
            self.void.append(Void(op, attrs.INPLACE, value.index))
        if value in self.parts:
            place = self._part_place(value)
            if place is not None:
                return place
        contract = self._contract(op)
        view = contract.view_of(value.index)
        if view is not None and not attrs.is_copy(op):
            source = self.found[op.operands[view.operand]]
            layout = viewed(source.layout, view, type_)
            if layout is not None and (is_dense(layout) or takes_strides(value)):
                return Place(source.storage, layout)
        kind = PlaceKind.BORROWED if is_foreign(op) else PlaceKind.OWN
        return Place(Storage(kind, value), dense(type_))

    def _part_place(self, value: SSAValue) -> Place | None:
        op, k, path = self.parts[value]
        target = self.found[op.results[0]]
        into = next(c.into for c in self._contract(op).contributions if c.operand == k and c.may_be_produced_in_place)
        layout: Layout | None = into(target.layout) if isinstance(target.layout, Strided) else None
        for step in path:
            layout = reshape_to(layout, self.sizes[step]) if layout is not None else None
        if layout is None:
            self.void.append(Void(op, attrs.PARTS, k))
            return None
        return Place(target.storage, layout)

    def _argument_place(self, value: BlockArgument) -> Place:
        slot = slot_of(value)
        type_ = self.sizes[value]
        layout = reshape_to(self.found[slot].layout, type_) if slot is not None else None
        if slot is not None and layout is not None:
            return Place(self.found[slot].storage, layout)
        if value.block is _entry(self.func):
            return Place(Storage(PlaceKind.ARGUMENT, value.index), dense(type_))
        offset = _agreed(value, attrs.successor_offsets) if self.planned else -1
        if offset >= 0:
            return Place(ARENA, dense(type_, self._in_units(offset)))
        number = slot_number(value)
        if number >= 0:
            return Place(self._storage(number), dense(type_))
        around = value.block.parent_op()
        lent = not isinstance(around, FuncOp | None) and is_foreign(around)
        return Place(Storage(PlaceKind.BORROWED if lent else PlaceKind.OWN, value), dense(type_))

    def note_void(self) -> None:
        """In place somewhere else than where rule 2 or 3 put the value. Asked when all places are known: the operand
        may lie in a part of the value itself."""
        for value in self.sizes:
            k = attrs.inplace(value.op)[value.index] if isinstance(value, OpResult) else -1
            if k < 0 or not isinstance(value, OpResult) or self._numbered(value) is None:
                continue
            over, given = self.found.get(value.op.operands[k]), self.found[value]
            if over is not None and (over.storage != given.storage or not same_bytes(over.layout, given.layout)):
                self.void.append(Void(value.op, attrs.INPLACE, value.index))


def _entry(func: FuncOp) -> Block:
    block = func.body.blocks.first
    assert block is not None
    return block


def slot_of(argument: BlockArgument, inplace: Callable[[Operation], Sequence[int]] = attrs.inplace) -> SSAValue | None:
    """
    The region op's result that shares its slot with a region argument (docs/storage.md, 5).

    Args:
        inplace: per result of an op the operand it is written over, -1 for none.
    """
    op = argument.block.parent_op()
    if isinstance(op, scf.ForOp) and argument.index > 0:
        return op.results[argument.index - 1]
    if isinstance(op, scf.WhileOp):
        if argument.block is op.after_region.blocks.first:
            return op.results[argument.index]
        given = zip(op.results, inplace(op), strict=True)
        over = [r for r, k in given if k == argument.index and isinstance(r.type, TensorType)]
        return over[0] if over else None
    return None


def movers_to(block: Block) -> list[Operation]:
    """The ops on which a decision about a block's arguments stands: the branches to it; for the block that a region op
    enters first, that op."""
    parent = block.parent_op()
    if isinstance(parent, scf.WhileOp):
        return [parent] if block is parent.before_region.blocks.first else []
    return [p.last_op for p in block.predecessors() if p.last_op is not None]


def is_slot(argument: BlockArgument) -> bool:
    """Memory of its own that branches, or the op that enters its block, move values into: it may have a number."""
    movers = movers_to(argument.block)
    return bool(movers) and all(any(argument in c.targets for c in crossings(m)) for m in movers)


def slot_number(argument: BlockArgument) -> int:
    """The storage number of a block argument's slot, -1 for none, and where the slot is a region op's result."""
    return -1 if slot_of(argument) is not None else _agreed(argument, attrs.successor_reuse)


def number_of(value: SSAValue) -> int:
    """The storage number that a result, an argument of a function or the slot of a block argument carries, -1 for
    none."""
    if isinstance(value, BlockArgument) and movers_to(value.block):
        return slot_number(value)
    return attrs.number_of(value)


def offset_of(value: SSAValue) -> int:
    """The arena offset that a result or the slot of a block argument carries, -1 for none."""
    if isinstance(value, OpResult):
        return attrs.offsets(value.op)[value.index]
    is_moved_into = isinstance(value, BlockArgument) and slot_of(value) is None and movers_to(value.block)
    return _agreed(value, attrs.successor_offsets) if isinstance(value, BlockArgument) and is_moved_into else -1


def set_number(value: SSAValue, number: int) -> None:
    """Put a result, an argument of a function or the slot of a block argument into storage `number`."""
    if isinstance(value, BlockArgument) and is_slot(value):
        for mover in movers_to(value.block):
            attrs.set_successor_reuse(mover, value, number)
    else:
        attrs.set_number(value, number)


def _agreed(argument: BlockArgument, read: Callable[[Operation, Block], tuple[int, ...] | None]) -> int:
    """The storage number, or offset, that all ops that pass a value on agree on for an argument, -1 for none."""
    numbers = set[int]()
    for mover in movers_to(argument.block):
        given = read(mover, argument.block)
        numbers.add(-1 if given is None else given[argument.index])
    return numbers.pop() if len(numbers) == 1 else -1
