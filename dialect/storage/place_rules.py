"""The rules that give values their places (docs/storage.md, 2): the first that applies wins.

`assignment.py` applies them to a function. Passes that search apply them to the decisions that they try.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from xdsl.dialects.func import ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import ancestors, nth, operands_of, ops_within
from lastuse.dialect.ir.remembered import remembered
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, item_bytes, product, squeezed
from lastuse.dialect.storage.contract import Contract, View, contract_of, is_region_op
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import Layout, Strided, Whole, identical, is_dense, mapped, reshape, same_bytes
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.dialect.storage.shape_inference import Sizes

Contracts = Callable[[Operation], Contract]


@lru_cache(maxsize=1 << 12)
def dense(type_: TensorInfo, offset: Dim = 0) -> Layout:
    """Row-major from byte `offset`; unknown sizes are whole or nothing."""
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
    if not isinstance(layout, Whole):
        shape = type_.known
        fits = layout.shape is not None and squeezed(layout.shape) == squeezed(shape)
        fits = fits or all(isinstance(n, int) for n in (*shape, *(layout.shape or ())))
        return layout.recut(shape) if fits and layout.item == item_bytes(type_.dtype) else None
    fresh = dense(type_, layout.offset)
    return fresh if same_bytes(layout, fresh) else None


def _agree(some: Sequence[Dim | None], others: Sequence[Dim | None]) -> bool:
    """No two sizes that are known are different."""
    pairs = zip(some, others, strict=True)
    return all(a == b for a, b in pairs if isinstance(a, int) and isinstance(b, int))


def viewed(source: Layout, view: View, type_: TensorInfo) -> Layout | None:
    """The bytes of a view of type `type_`, of a value at `source`; None where it has to be a copy. A whole view has all
    bytes of its operand, also where unknown sizes do not say so."""
    if not isinstance(source, Whole) or not view.whole:
        seen = mapped(view.map, source)
        if seen is None and view.whole and not isinstance(source, Strided | Whole):
            return source.recut(type_.known) if source.item == item_bytes(type_.dtype) else None
        return seen if seen is None or isinstance(seen, Strided | Whole) else seen.shaped(type_.known)
    fresh = dense(type_, source.offset)
    if isinstance(fresh, Whole) and product(fresh.shape) == product(source.shape):
        return fresh
    return source._replace(shape=(*source.shape, 1))  # the sizes of the source, along axes of which nothing is known


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


class Rule(enum.Enum):
    """How the place of a value follows from that of another one."""

    STORAGE = "in the same storage, from the first byte on"
    SAME = "exactly the same bytes"
    PART = "its part of a result"
    VIEW = "bytes under the map of a view"


OPENS = Rule.STORAGE, None
"""Of a value that opens a storage."""


class Part(NamedTuple):
    """Operand `operand` of `op` is computed in its part of the result. `path`: from the operand to the root, the value
    whose place follows from that; each is written over the next or is a view of all of it."""

    op: Operation
    operand: int
    path: tuple[SSAValue, ...]


@remembered
def _times_in(top: Operation) -> Mapping[Operation, int]:
    return {op: time for time, op in enumerate(ops_within(top))}


class PlaceRules:
    """Places of values under decisions, computed when asked for. `at`: by value, the value that opens its storage, and
    its layout there.

    The place of a value follows from that of at most one other, its `parent`. A subclass is told what the rules do
    not allow: a part or place that is rejected, a view that has to be a copy."""

    def __init__(self, decisions: Decisions, sizes: Sizes, contract: Contracts) -> None:
        self.decisions, self.sizes, self.contract = decisions, sizes, contract
        self.at: dict[SSAValue, tuple[SSAValue, Layout]] = {}
        self.parts: dict[SSAValue, Part] = {}
        """By the value whose place follows from it."""
        self.rejected: set[SSAValue] = set()
        """Values that are not where their operand, their slot or their part is: no layout puts them there."""

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
        decisions = self.decisions
        offsets, numbers = decisions.offsets, decisions.numbers
        if not (offsets and value in offsets or numbers and value in numbers):
            return None
        return value if decisions.offset_of(value) >= 0 or decisions.number_of(value) >= 0 else None

    def reject_cycle(self, part: SSAValue, cycle: Sequence[SSAValue]) -> None:
        """A value would be in a part of itself. The part of which `part` is the root is dropped."""

    def reject_place(self, value: SSAValue, root: SSAValue | None) -> None:
        """No layout puts `value` where its operand, its slot or its part lies, in the storage that `root` opens."""

    def copied(self, value: SSAValue) -> None:
        """A view has to be a copy: its operand does not lie so, or its readers do not accept that."""

    # Rule 5 is written at the user and read at the root of the operand's in-place chain.

    def part_of(self, op: Operation, operand: int) -> Part:
        """What it means to compute an operand in its part of the result of `op`."""
        path = [operands_of(op)[operand]]
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
        copies = self.decisions.copies
        if not isinstance(value, OpResult) or copies and value in copies:
            return None
        contract = self.contract(value.op)
        return contract.view_of(value.index) if contract.views else None

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
            return operands_of(value.op)[k]
        view = self.view(value)
        return operands_of(value.op)[view.operand] if view is not None and view.whole else None

    def _is_free(self, value: SSAValue) -> bool:
        """A result whose place no earlier rule gives."""
        if not isinstance(value, OpResult) or is_region_op(value.op) or self.opener(value) is not None:
            return False
        contract = self.contract(value.op)
        return not (contract.constant or contract.foreign or self._declared_view(value) is not None)

    def is_forwarded(self, value: SSAValue) -> bool:
        """A value opens a storage whose place is known from the time on when it is defined."""
        return value in self.decisions.forwarded

    def time_of(self, op: Operation) -> int:
        """The position of an op in its function: greater than those of all ops before it and around it."""
        return self._times[op]

    @cached_property
    def _times(self) -> Mapping[Operation, int]:
        value = next(iter(self.sizes))
        op = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
        assert op is not None
        return _times_in((op, *ancestors(op))[-1])

    def is_defined_before(self, value: SSAValue, op: Operation) -> bool:
        """Proved: a value is defined before `op` runs, on every path."""
        around = [op, *ancestors(op)]
        if isinstance(value, BlockArgument):
            return any(outer.parent is value.block for outer in around)
        assert isinstance(value, OpResult)
        if value.op in around or not any(outer.parent is value.op.parent for outer in around):
            return False
        return self.time_of(value.op) < self.time_of(op)

    # Places

    def derived(self, value: SSAValue) -> tuple[Rule, SSAValue | None]:
        """The first rule that applies, and the value that the place of `value` follows from; None where it opens a
        storage."""
        opener = self.opener(value)
        if opener is not None:
            return Rule.STORAGE, opener if opener is not value else None
        if not self.rejected or value not in self.rejected:
            if not isinstance(value, OpResult):
                assert isinstance(value, BlockArgument)
                slot = self.decisions.slot_of(value)
                return OPENS if slot is None else (Rule.SAME, slot)
            inplace = self.decisions.inplace
            if inplace and (k := inplace.get(value, -1)) >= 0:
                return Rule.SAME, nth(operands_of(value.op), k)
            if self.parts and value in self.parts:
                return Rule.PART, self.parts[value].op.results[0]
        view = self.view(value)
        if view is None:
            return OPENS
        return Rule.VIEW, nth(operands_of(value.owner), view.operand)  # pyright: ignore

    def parent(self, value: SSAValue) -> SSAValue | None:
        """The value that the place of `value` follows from; None where it opens a storage."""
        return self.derived(value)[1]

    def find(self, value: SSAValue) -> tuple[SSAValue, Layout]:
        """The value that opens the storage of `value`, and the layout in it."""
        found = self.at.get(value)
        if found is not None:
            return found
        rule, source = self.derived(value)
        if source is None:
            found = value, self.own(value)
        elif (there := self.at.get(source)) is None:
            return self._find_chain(value)
        else:
            found = self._place(value, rule, source, there)
        self.at[value] = found
        return found

    def _find_chain(self, value: SSAValue) -> tuple[SSAValue, Layout]:
        chain, seen = [value], {value}
        while (source := self.parent(chain[-1])) is not None and source not in self.at:
            if source in seen:
                part = next(v for v in reversed(chain) if v in self.parts)
                self.reject_cycle(part, chain[chain.index(source) :])
                del self.parts[part]
                chain, seen = [value], {value}
                continue
            chain.append(source)
            seen.add(source)
        return [self.find(item) for item in reversed(chain)][-1]

    def _place(
        self, value: SSAValue, rule: Rule, source: SSAValue, there: tuple[SSAValue, Layout]
    ) -> tuple[SSAValue, Layout]:
        root, layout = there
        if rule is Rule.STORAGE:
            return root, self.own(value)
        if rule is Rule.VIEW:
            view = self.view(value)
            seen = viewed(layout, view, self.sizes[value]) if view is not None else None
            if seen is not None and (is_dense(seen) or self.accepts_strides(value)):
                return root, seen
            self.copied(value)
            return value, self.own(value)
        if not isinstance(value, OpResult) and self._is_turn_of(value, source, layout):
            return root, self.own(value)
        same = self._same(layout, source, value) if rule is Rule.SAME else self.in_part(self.parts[value], layout)
        if same is not None and (rule is Rule.SAME or self._is_known_at(self.parts[value], root, same)):
            return there if same is layout else (root, same)
        self.reject_place(value, root)
        self.rejected.add(value)
        return self.find(value)

    def _is_turn_of(self, argument: SSAValue, slot: SSAValue, layout: Layout) -> bool:
        """A loop carries a forwarded value, which may have other sizes in each iteration: it is whole in each."""
        if not self.is_forwarded(slot) or self.at[slot][0] is not slot or not isinstance(layout, Whole):
            return False
        have, want = self.sizes[slot], self.sizes[argument]
        return have.dtype == want.dtype and len(have.known) == len(want.known)

    def _same(self, layout: Layout, source: SSAValue, value: SSAValue) -> Layout | None:
        """The layout of a value over another one. All bytes are that where unknown sizes do not say so, and a part of
        known size is that of a value whose size is not known."""
        have, want = self.sizes[source], self.sizes[value]
        if have is want and isinstance(layout, Strided):
            return layout
        if have.dtype == want.dtype:
            if isinstance(layout, Whole) and squeezed(have.shape) == squeezed(want.shape):
                return layout._replace(shape=want.known) if layout.shape == have.shape else layout
            if isinstance(layout, Strided) and have.shape == want.shape:
                return layout
        return reshape_to(layout, want)

    def in_part(self, part: Part, target: Layout) -> Layout | None:
        """Where the root of a part lies, in a result that lies at `target`."""
        contributions = self.contract(part.op).contributions
        into = next(c.into for c in contributions if c.operand == part.operand and c.may_be_produced_in_place)
        layout = mapped(into, target)
        before: SSAValue | None = None
        for step in part.path:
            if layout is None:
                return None
            layout = self._kept(layout, before, step) or reshape_to(layout, self.sizes[step])
            before = step
        return layout

    def _kept(self, layout: Layout, before: SSAValue | None, step: SSAValue) -> Layout | None:
        """The layout of a part is that of `step` too, though unknown sizes do not say so: the operand has the sizes of
        the part, and the next value of the path those of `before`, over which it is written or which it casts."""
        type_ = self.sizes[step]
        if layout.item != item_bytes(type_.dtype):
            return None
        if before is not None:
            view = self.view(before)
            casts = view is not None and view.map is identical
            if not casts and self.sizes[before].known != type_.known:
                return None
        rank = len(type_.known)
        if isinstance(layout, Strided):
            return layout if len(layout.sizes) == rank and _agree(layout.sizes, type_.known) else None
        if isinstance(layout, Whole):
            return layout if len(layout.shape) == rank else None
        known = layout.shape
        if known is not None and (len(known) != rank or not _agree(known, type_.known)):
            return None
        return layout.shaped(type_.known)

    def _is_known_at(self, part: Part, root: SSAValue, layout: Layout) -> bool:
        """The bytes of a part of the storage that `root` opens are known when the root of the part is computed. Where
        index values say them, the result is written over the base, so that no box of the base is copied around the
        part, and in the same block: on a path without the op the part need not be inside of the base."""
        first = part.path[-1].owner
        assert isinstance(first, Operation)
        always = isinstance(layout, Strided) and not self.is_forwarded(root)
        if not always and not self.is_defined_before(root, first):
            return False
        if not isinstance(layout, RuntimeSlice):
            shown = not isinstance(layout, Strided) or all(isinstance(d, int) for d in self.sizes[part.path[-1]].known)
            return shown or part.op.parent is first.parent
        is_over = self.derived(part.op.results[0])[0] is Rule.SAME and part.op.parent is first.parent
        return is_over and all(self.is_defined_before(value, first) for value in layout.values)
