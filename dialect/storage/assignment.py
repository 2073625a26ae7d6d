"""Buffer assignment: which bytes of which storage a value has. The first of the rules of docs/storage.md, 2, wins.

The checker, lowering and every pass that decides or plans read places here and nowhere else.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import nth, operands_of
from lastuse.dialect.ir.remembered import is_class, is_remembering, remembered
from lastuse.dialect.ir.tensor_types import symbol
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of, contracts_of, is_foreign
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import Layout, Strided, same_bytes
from lastuse.dialect.storage.place_rules import Part, PlaceRules, dense
from lastuse.dialect.storage.shape_inference import Sizes, infer_shapes


class PlaceKind(enum.Enum):
    """Kinds of storage."""

    ARGUMENT = "argument"
    CONSTANT = "constant"
    ARENA = "arena"
    NUMBERED = "numbered"
    OWN = "own"
    FORWARDED = "forwarded"
    BORROWED = "borrowed"

    __hash__ = object.__hash__
    """Storages are keys: members are single, and `enum` hashes their names, in Python."""


class Storage(NamedTuple):
    """A row of bytes. `key`: the argument's number, the value that owns it, or the number of `dnn.reuse`. A forwarded
    one has no bytes of its own: it is the place of an operand, chosen at run time."""

    kind: PlaceKind
    key: SSAValue | int = 0


ARENA = Storage(PlaceKind.ARENA)
_WITH_OFFSET = frozenset((PlaceKind.OWN, PlaceKind.BORROWED))
"""Kinds of storages that a plan may give an offset."""


class Place(NamedTuple):
    """The bytes of one value: never dependent on the path taken, but for what a forwarded storage is."""

    storage: Storage
    layout: Layout


class Void(NamedTuple):
    """An attribute that says otherwise than the rule that won; ignored, and named in a remark."""

    op: Operation
    attribute: str
    entry: int


class Places(NamedTuple):
    """Place of every tensor value, and the attributes that are void. `rules` say which rule gave each place."""

    of: Mapping[SSAValue, Place]
    void: tuple[Void, ...]
    sizes: Sizes
    rules: PlaceRules


def assign_places(func: FuncOp, decisions: Decisions | None = None, sizes: Sizes | None = None) -> Places:
    """The places of every tensor value of `func`.

    Args:
        decisions: what is decided; by default, what the attributes of the function say.
        sizes: of the function's tensors, where they are known already.
    """
    decisions = decisions or Decisions.of(func)
    if sizes is not None and not (is_remembering() and infer_shapes(func) is sizes):
        return _FunctionRules(func, decisions, sizes).places()
    last = _last_places(func)
    if not last or last[0][0] != decisions:  # decisions change while ops do not
        sizes = infer_shapes(func)
        is_planned = bool(last) and last[0][0] == decisions.unplanned()
        places = _FunctionRules(func, decisions, sizes).planned(last[0][1]) if is_planned else None
        last[:] = [(decisions, places or _FunctionRules(func, decisions, sizes).places())]
    return last[0][1]


@remembered
def _last_places(func: FuncOp) -> list[tuple[Decisions, Places]]:
    """The places that were asked for last, with the decisions that they follow from."""
    return []


class _FunctionRules(PlaceRules):
    """The rules for all values of a function, and which attributes are void."""

    def __init__(self, func: FuncOp, decisions: Decisions, sizes: Sizes) -> None:
        declared = contracts_of(func)
        super().__init__(
            decisions, sizes, declared if declared is contract_of and is_remembering() else cache(declared)
        )
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
        parts = self.decisions.parts
        for value in self.sizes if parts else ():
            if not isinstance(value, OpResult) or value.index > 0:
                continue
            for operand in parts.get(value.op, ()):
                part = self.part_of(value.op, operand)
                if not self.take(part):
                    self._reject_part(part)
        for value, k in self.decisions.inplace.items():
            if nth(operands_of(value.owner), k) not in self.sizes and value in self.sizes:  # pyright: ignore
                self.rejected.add(value)
                self.reject_place(value, None)
        for value in self.sizes:
            self.find(value)
        of: dict[SSAValue, Place] = {}
        for value, (root, layout) in self.at.items():
            if root is value:
                of[value] = Place(self._storage(root), layout)
                continue
            place = of[root]  # a root is found before what lies in its storage
            of[value] = place if place.layout is layout else Place(place.storage, layout)
        is_placed = self.decisions.offsets or self.decisions.numbers
        for value in self.sizes if is_placed else ():
            if value in self.decisions.inplace and self.opener(value) is not None and not self._is_over(value, of):
                self.reject_place(value, None)
        for value in self.decisions.forwarded:
            elsewhere = value in of and of[value].storage != Storage(PlaceKind.FORWARDED, value)
            if elsewhere and isinstance(value, OpResult):
                self.void.append(Void(value.op, attrs.FORWARD, value.index))
        return Places(of, tuple(self.void), self.sizes, self)

    def planned(self, before: Places) -> Places | None:
        """Every place, as `before`, which follows from the same decisions without a plan, but for storages that have an
        offset: those are in the arena. None where a plan may say more: then the rules have to be asked."""
        decisions, was, at = self.decisions, before.rules.at, self.at
        if before.void or before.rules.rejected or decisions.numbers or decisions.unit is not None:
            return None
        self.parts.update(before.rules.parts)
        offsets = decisions.offsets
        of: dict[SSAValue, Place] = {}
        moved: dict[int, tuple[Layout, int, tuple[SSAValue, Layout], Place]] = {}
        """By the identity of a value that opens a storage in the arena: its layout without a plan, its offset, and what
        all values have that lie where it does."""
        known: dict[tuple[int, int], Layout] = {}  # layouts in the arena, by the identity of that without a plan
        for (value, found), place in zip(was.items(), before.of.values(), strict=True):
            root, layout = found
            if root is value and place.storage.kind in _WITH_OFFSET and (offset := offsets.get(value, -1)) >= 0:
                if not isinstance(layout, Strided):
                    return None
                there = known.get((id(layout), offset))
                if there is None:
                    there = known[id(layout), offset] = layout.shifted(offset)
                moved[id(value)] = layout, offset, (value, there), Place(ARENA, there)
            if (opened := moved.get(id(root))) is not None:
                was_at, offset, found, place = opened
                if layout is not was_at:
                    if not isinstance(layout, Strided):
                        return None
                    layout = layout.shifted(offset)
                    found, place = (root, layout), Place(ARENA, layout)
            at[value] = found
            of[value] = place
        return Places(of, (), self.sizes, self) if len(moved) == len(offsets) else None

    def _is_over(self, value: SSAValue, of: Mapping[SSAValue, Place]) -> bool:
        """A value that has its place by another rule is where its operand is."""
        assert isinstance(value, OpResult)
        over, place = of.get(operands_of(value.op)[self.decisions.inplace[value]]), of[value]
        return over is None or over.storage == place.storage and same_bytes(over.layout, place.layout)

    def own(self, value: SSAValue) -> Layout:
        """From its offset on, where it has one."""
        decisions = self.decisions
        offset = decisions.offset_of(value) if decisions.offsets else -1
        if offset <= 0 or self._is_constant(value):
            return dense(self.sizes[value])
        unit = decisions.unit
        return dense(self.sizes[value], offset * symbol(unit) if unit is not None else offset)

    def _is_constant(self, value: SSAValue) -> bool:
        return isinstance(value, OpResult) and self.contract(value.op).constant

    def _storage(self, root: SSAValue) -> Storage:
        """The storage that a value opens, or that its decision names."""
        maker, contract = None, None
        if isinstance(root, OpResult):
            maker = root.op
            contract = self.contract(maker)
            if contract.constant:
                return Storage(PlaceKind.CONSTANT, root)
        elif isinstance(root, BlockArgument):
            if root.block is self.entry:
                return Storage(PlaceKind.ARGUMENT, root.index)
            maker = root.block.parent_op()
        decisions = self.decisions
        if decisions.offsets and decisions.offset_of(root) >= 0:
            return ARENA
        if decisions.numbers and (number := decisions.number_of(root)) >= 0:
            return self.numbered.get(number, Storage(PlaceKind.NUMBERED, number))
        if decisions.forwarded and root in decisions.forwarded:
            return Storage(PlaceKind.FORWARDED, root)
        if maker is None or contract is not None and not contract.foreign or is_class(type(maker), FuncOp):
            return Storage(PlaceKind.OWN, root)
        return Storage(PlaceKind.BORROWED if is_foreign(maker) else PlaceKind.OWN, root)

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
