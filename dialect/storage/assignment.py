"""Buffer assignment: which bytes of which storage a value has. The first of the rules of docs/storage.md, 2, wins.

The checker, lowering and every pass that decides or plans read places here and nowhere else.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.dtypes import item_bytes
from lastuse.dialect.ir.symbolic_shape import Dim, TensorInfo, product, squeezed, symbol
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import Contract, View, contract_of, is_foreign, is_region_op
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.float_bits import contracts_of
from lastuse.dialect.storage.layout import Layout, Strided, Whole, is_dense, reshape, same_bytes
from lastuse.dialect.storage.shape_inference import Sizes, infer_shapes

Contracts = Callable[[Operation], Contract]


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


def assign_places(func: FuncOp, decisions: Decisions | None = None, sizes: Sizes | None = None) -> Places:
    """The places of every tensor value of `func`.

    Args:
        decisions: what is decided; by default, what the attributes of the function say.
        sizes: of the function's tensors, where they are known already.
    """
    rules = _FunctionRules(func, decisions or Decisions.of(func), infer_shapes(func) if sizes is None else sizes)
    return rules.places()


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


def accepts_strides(value: SSAValue, contract: Contracts = contract_of, opaque: bool = True) -> bool:
    """Every kernel that reads `value` itself may read it at any strides. Views and data movement always may: what reads
    a view of the value counts when the view is placed, which becomes a copy where its own readers do not.

    Args:
        contract: the contracts of ops.
        opaque: ops of which nothing is known, and region ops, accept strides too.
    """
    for use in value.uses:
        op = use.operation
        declared = contract(op)
        if declared.strided or declared.views or declared.contributions or isinstance(op, ReturnOp):
            continue
        if not (opaque and (declared.foreign or is_region_op(op))):
            return False
    return True


class Part(NamedTuple):
    """Operand `operand` of `op` is computed in its part of the result. `path`: from the operand to the root, the value
    whose place follows from that; each is written over the next or is a view of all of it."""

    op: Operation
    operand: int
    path: tuple[SSAValue, ...]


class PlaceRules:
    """Places of values under decisions, found as they are asked for: `at`, the value that opens the storage, and the
    layout in it.

    The place of a value derives from that of at most one other, its `parent`. A subclass hears of what the rules do not
    allow: an attribute that is void, a view that is a copy.
    """

    def __init__(self, decisions: Decisions, sizes: Sizes, contract: Contracts) -> None:
        self.decisions, self.sizes, self.contract = decisions, sizes, contract
        self.at: dict[SSAValue, tuple[SSAValue, Layout]] = {}
        self.parts: dict[SSAValue, Part] = {}
        """By the value whose place follows from it."""

    # What a subclass may know better, or wants to hear

    def view(self, value: SSAValue) -> View | None:
        """The view that `value` is; None where it has to be a copy whatever else is decided."""
        return self._declared_view(value)

    def own(self, value: SSAValue) -> Layout:
        """The layout of a value that opens a storage."""
        return dense(self.sizes[value])

    def accepts_strides(self, value: SSAValue) -> bool:
        """The readers of a value at strides accept that."""
        return accepts_strides(value)

    def opener(self, value: SSAValue) -> SSAValue | None:
        """Of a value that has an offset or a number, the value that opens its storage; None for any other."""
        has_place = self.decisions.offset_of(value) >= 0 or self.decisions.number_of(value) >= 0
        return value if has_place else None

    def reject_cycle(self, part: SSAValue, cycle: Sequence[SSAValue]) -> None:
        """A value would be in a part of itself. What follows from the part goes, of which `part` is the root."""

    def reject_place(self, value: SSAValue, root: SSAValue | None) -> None:
        """No layout puts `value` where its operand, its slot or its part lies, in the storage that `root` opens."""

    def copied(self, value: SSAValue) -> None:
        """A view has to be a copy: its operand does not lie so, or its readers do not accept that."""

    # Rule 5 is written at the user and read at the root of the operand's in-place chain.

    def part_of(self, op: Operation, operand: int) -> Part:
        """What it means to compute an operand in its part of the result of `op`."""
        path = [op.operands[operand]]
        while (source := self._in_chain(path[-1])) is not None:
            path.append(source)
        return Part(op, operand, tuple(path))

    def take(self, part: Part) -> bool:
        """Whether the rule gives the place of the part's root: no other part does, nor an earlier rule."""
        contributions = self.contract(part.op).contributions
        contributes = any(c.operand == part.operand and c.may_be_produced_in_place for c in contributions)
        root = part.path[-1]
        if not contributes or root in self.parts or not self._is_free(root):
            return False
        self.parts[root] = part
        return True

    def _declared_view(self, value: SSAValue) -> View | None:
        if not isinstance(value, OpResult) or value in self.decisions.copies:
            return None
        return self.contract(value.op).view_of(value.index)

    def _in_chain(self, value: SSAValue) -> SSAValue | None:
        if not isinstance(value, OpResult) or is_region_op(value.op) or self.opener(value) is not None:
            return None
        return self.all_of(value)

    def all_of(self, value: SSAValue) -> SSAValue | None:
        """The value whose bytes are those of `value`: the operand that it is written over or a view of all of, or the
        result whose slot it shares."""
        if isinstance(value, BlockArgument):
            return self.decisions.slot_of(value)
        assert isinstance(value, OpResult)
        k = self.decisions.inplace.get(value, -1)
        if k >= 0:
            return value.op.operands[k]
        view = self.view(value)
        return value.op.operands[view.operand] if view is not None and view.whole else None

    def _is_free(self, value: SSAValue) -> bool:
        """A result whose place no earlier rule gives."""
        if not isinstance(value, OpResult) or is_region_op(value.op) or self.opener(value) is not None:
            return False
        contract = self.contract(value.op)
        return not (contract.constant or contract.foreign or self._declared_view(value) is not None)

    # Places

    def find(self, value: SSAValue) -> tuple[SSAValue, Layout]:
        """The value that opens the storage of `value`, and the layout in it."""
        chain, seen = [value], {value}
        while chain[-1] not in self.at and (source := self.parent(chain[-1])) is not None:
            if source in seen:
                part = next(v for v in reversed(chain) if v in self.parts)
                self.reject_cycle(part, chain[chain.index(source) :])
                del self.parts[part]
                chain, seen = [value], {value}
                continue
            chain.append(source)
            seen.add(source)
        for item in reversed(chain):
            if item not in self.at:
                self.at[item] = self._place(item)
        return self.at[value]

    def parent(self, value: SSAValue) -> SSAValue | None:
        """The value that the place of `value` derives from; None where it opens a storage."""
        opener = self.opener(value)
        if opener is not None:
            return opener if opener is not value else None
        if isinstance(value, BlockArgument):
            return self.decisions.slot_of(value)
        assert isinstance(value, OpResult)
        k = self.decisions.inplace.get(value, -1)
        if k >= 0 and value.op.operands[k] in self.sizes:
            return value.op.operands[k]
        if value in self.parts:
            return self.parts[value].op.results[0]
        view = self.view(value)
        return value.op.operands[view.operand] if view is not None else None

    def _place(self, value: SSAValue) -> tuple[SSAValue, Layout]:
        opener = self.opener(value)
        if opener is not None:
            return opener if opener is value else self.at[opener][0], self.own(value)
        k = self.decisions.inplace.get(value, -1)
        same = self.decisions.slot_of(value) if isinstance(value, BlockArgument) else None
        if k >= 0 or same is not None:
            source: SSAValue = same or value.owner.operands[k]  # pyright: ignore
            root, layout = self.at.get(source, (None, None))
            if layout is not None and not self._is_whole(layout, source, value):
                layout = reshape_to(layout, self.sizes[value])
            if root is not None and layout is not None:
                return root, layout
            self.reject_place(value, root)
        if value in self.parts:
            root, layout = self.at[self.parts[value].op.results[0]]
            layout = self.in_part(self.parts[value], layout)
            if layout is not None:
                return root, layout
            self.reject_place(value, root)
        view = self.view(value)
        if view is not None:
            root, layout = self.at[value.owner.operands[view.operand]]  # pyright: ignore
            layout = viewed(layout, view, self.sizes[value])
            if layout is not None and (is_dense(layout) or self.accepts_strides(value)):
                return root, layout
            self.copied(value)
        return value, self.own(value)

    def _is_whole(self, layout: Layout, source: SSAValue, value: SSAValue) -> bool:
        """A view of all bytes keeps the layout of what it is a view of where unknown sizes do not say that they are
        all; what is written over it has that layout too."""
        have, want = self.sizes[source], self.sizes[value]
        return isinstance(layout, Whole) and have.dtype == want.dtype and squeezed(have.shape) == squeezed(want.shape)

    def in_part(self, part: Part, target: Layout) -> Layout | None:
        """Where the root of a part lies, in a result that lies at `target`."""
        contributions = self.contract(part.op).contributions
        into = next(c.into for c in contributions if c.operand == part.operand and c.may_be_produced_in_place)
        layout: Layout | None = into(target) if isinstance(target, Strided) else None
        for step in part.path:
            layout = reshape_to(layout, self.sizes[step]) if layout is not None else None
        return layout


class _FunctionRules(PlaceRules):
    """The rules for all values of a function, and which attributes are void."""

    def __init__(self, func: FuncOp, decisions: Decisions, sizes: Sizes) -> None:
        super().__init__(decisions, sizes, cache(contracts_of(func)))
        self.void: list[Void] = []
        self.entry = func.body.blocks.first
        assert self.entry is not None
        self.numbered = {
            n: Storage(PlaceKind.ARGUMENT, a.index)
            for a in self.entry.args
            if (n := decisions.number_of(a)) >= 0 and a in sizes
        }
        """Storages that have a number and are an argument's."""

    def places(self) -> Places:
        """Every place, in the order in which it is found."""
        for value in self.sizes:
            if not isinstance(value, OpResult) or value.index > 0:
                continue
            for operand in self.decisions.parts.get(value.op, ()):
                part = self.part_of(value.op, operand)
                if not self.take(part):
                    self._reject_part(part)
        for value in self.sizes:
            self.find(value)
        storages = cache(self._storage)
        of = {value: Place(storages(root), layout) for value, (root, layout) in self.at.items()}
        for value in self.sizes:
            if value in self.decisions.inplace and self.opener(value) is not None and not self._is_over(value, of):
                self.reject_place(value, None)
        return Places(of, tuple(self.void), self.sizes)

    def _is_over(self, value: SSAValue, of: Mapping[SSAValue, Place]) -> bool:
        """A value that has its place by another rule is where its operand is."""
        assert isinstance(value, OpResult)
        over, given = of.get(value.op.operands[self.decisions.inplace[value]]), of[value]
        return over is None or over.storage == given.storage and same_bytes(over.layout, given.layout)

    def own(self, value: SSAValue) -> Layout:
        """From its offset on, where it has one."""
        offset, unit = self.decisions.offset_of(value), self.decisions.unit
        if offset <= 0 or self._is_constant(value):
            return super().own(value)
        return dense(self.sizes[value], offset * symbol(unit) if unit is not None else offset)

    def _is_constant(self, value: SSAValue) -> bool:
        return isinstance(value, OpResult) and self.contract(value.op).constant

    def _storage(self, root: SSAValue) -> Storage:
        """The storage that a value opens, or that its decision names."""
        if self._is_constant(root):
            return Storage(PlaceKind.CONSTANT, root)
        if isinstance(root, BlockArgument) and root.block is self.entry:
            return Storage(PlaceKind.ARGUMENT, root.index)
        if self.decisions.offset_of(root) >= 0:
            return ARENA
        number = self.decisions.number_of(root)
        if number >= 0:
            return self.numbered.get(number, Storage(PlaceKind.NUMBERED, number))
        maker = root.op if isinstance(root, OpResult) else root.owner.parent_op()  # pyright: ignore
        lent = isinstance(maker, Operation) and not isinstance(maker, FuncOp) and is_foreign(maker)
        return Storage(PlaceKind.BORROWED if lent else PlaceKind.OWN, root)

    def _reject_part(self, part: Part) -> None:
        self.void.append(Void(part.op, attrs.PARTS, part.operand))

    def reject_cycle(self, part: SSAValue, cycle: Sequence[SSAValue]) -> None:
        self._reject_part(self.parts[part])

    def reject_place(self, value: SSAValue, root: SSAValue | None) -> None:
        if value in self.decisions.inplace and value not in self.parts:
            assert isinstance(value, OpResult)
            self.void.append(Void(value.op, attrs.INPLACE, value.index))
        elif value in self.parts:
            self._reject_part(self.parts[value])
