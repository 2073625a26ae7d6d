"""The frame of a lowered function: its arguments, its arena, and where each storage of the dnn function is in them.

Lowering writes it; planning asks it without offsets, to know what has to have one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import reverse_postorder
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import argument_names, free_name
from lastuse.dialect.storage.assignment import ARENA, Place, PlaceKind, Storage, assign_places
from lastuse.dialect.storage.contract import holds_nothing
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import Layout, Strided, aligned, same_bytes
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.dialect.storage.shape_inference import Sizes


class FrameSlot(NamedTuple):
    """A storage's first byte: in argument `argument` of the lowered function, or in its arena where that is None; with
    `offset` in bytes."""

    argument: int | None
    offset: int


class FrameLocation(NamedTuple):
    """Where a tensor is in a lowered function: `layout` in the bytes of argument `root`, of the constant `root`, or of
    the arena where that is None; `part`: some part of these bytes, known at run time only."""

    root: SSAValue | int | None
    layout: Strided
    part: RuntimeSlice | None = None

    @property
    def is_dense(self) -> bool:
        """Known to be row-major."""
        return self.part is None and self.layout.is_dense

    def is_at(self, other: FrameLocation) -> bool:
        """Exactly the same bytes by the same index map."""
        same = self.root == other.root and same_bytes(self.layout, other.layout)
        if self.part is None or other.part is None:
            return same and self.part is other.part
        return same and same_bytes(self.part, other.part)

    def clashes(self, other: FrameLocation) -> bool:
        """Some byte is of both."""
        return self.root == other.root and self.layout.overlaps(other.layout)


class Result(NamedTuple):
    """One result of the function that is a tensor.

    Attributes:
        number: which of all results it is.
        value: what the first return returns; further returns have values of the same type.
        name: what the caller calls it.
        argument: which argument of the lowered function it ends in.
        tied: that argument is an input too.
    """

    number: int
    value: SSAValue
    name: str
    argument: int
    tied: bool


class FrameLayout(NamedTuple):
    """What a lowered function has.

    Attributes:
        inputs: names of the inputs, in order; they are its first arguments.
        results: its results that are tensors; those that are not tied are its further arguments, in order.
        scalars: number and name of each result that is a scalar, in order; they stay results.
        places: where each tensor is, by storage; every layout is strided.
        sizes: shape and element type of each tensor.
        extents: bytes of each storage, wherever it lies.
        slots: where each storage but the constants' is.
        arena_bytes: the planned arena and, behind it, the storages without an offset.
        decisions: what the places follow from.
    """

    inputs: tuple[str, ...]
    results: tuple[Result, ...]
    scalars: tuple[tuple[int, str], ...]
    places: Mapping[SSAValue, Place]
    sizes: Sizes
    extents: dict[Storage, int]
    slots: dict[Storage, FrameSlot]
    arena_bytes: int
    decisions: Decisions

    def location(self, value: SSAValue) -> FrameLocation:
        """Where a tensor is."""
        storage, layout = self.places[value]
        part = layout if isinstance(layout, RuntimeSlice) else None
        known = layout.hull if isinstance(layout, RuntimeSlice) else layout
        assert isinstance(known, Strided)
        if storage.kind is PlaceKind.CONSTANT:
            assert isinstance(storage.key, SSAValue)
            return FrameLocation(storage.key, known, part)
        slot = self.slots[storage]
        return FrameLocation(slot.argument, known.shifted(slot.offset), part)

    def is_forwarded(self, value: SSAValue) -> bool:
        """The value lies where the operand that the path taken passed on lies: it opens such a storage, or is the slot
        that does."""
        storage = self.places[value].storage
        if storage.kind is not PlaceKind.FORWARDED:
            return False
        slot = self.decisions.slot_of(value) if isinstance(value, BlockArgument) else None
        return storage.key in (value, slot)

    def own(self, value: SSAValue) -> Strided:
        """The dense layout of a value in memory of its own."""
        layout = self.places[value].layout
        sizes = layout.sizes if isinstance(layout, Strided) else _known(layout)
        assert sizes is not None
        return Strided.dense(sizes, layout.item)


def frame_of(
    func: FuncOp, is_called: bool = False, decisions: Decisions | None = None, sizes: Sizes | None = None
) -> FrameLayout:
    """Finds room for every storage of a function.

    A storage is a result's own memory where a returned value fills it; what the plan gave an offset is in the arena;
    all other storages, and so all of them without a plan, get arena bytes of their own behind the plan's.

    Args:
        is_called: other functions call this one: each of its results then ends where the call wants it, never in the
            memory of an argument that is not tied.
        decisions: by default those that the function carries. Where they have no offsets, every storage gets bytes of
            its own.
        sizes: of its tensors, where they are known already.

    Raises:
        LastuseError: control never leaves the function, or a size is not known.
    """
    returns = returns_of(func)
    if not returns:
        raise LastuseError("the function never returns", func)
    decisions = decisions or Decisions.of(func)
    placed = assign_places(func, decisions, sizes)
    found: dict[int, tuple[Storage, int]] = {}  # by identity: values share storages, and to hash one is Python code
    ends: dict[int, int] = {}  # of layouts by their identity: values of one type have one
    for value, (storage, layout) in placed.of.items():
        nbytes = ends.get(id(layout))
        if nbytes is None:
            around = layout.hull if isinstance(layout, RuntimeSlice) and _known(layout) is not None else layout
            if not isinstance(around, Strided):
                raise _unknown(value, placed.sizes[value], func)
            nbytes = ends[id(layout)] = around.span[1]
        before = found.get(id(storage))
        if before is None or nbytes > before[1]:
            found[id(storage)] = storage, max(nbytes * (not holds_nothing(value)), 0 if before is None else before[1])
    extent: dict[Storage, int] = {}
    for storage, nbytes in found.values():
        extent[storage] = max(nbytes, extent.get(storage, 0))
    names, places = result_names(func), placed.of
    results = tuple(_results(func, returns, names, places, is_called))
    slots = {ARENA: FrameSlot(None, 0)}
    for storage in extent:
        if storage.kind is PlaceKind.ARGUMENT:
            assert isinstance(storage.key, int)
            slots[storage] = FrameSlot(storage.key, 0)
    for result in results:
        returned = [] if result.tied else [places[last.operands[result.number]] for last in returns]
        # Another return may leave the value elsewhere: it is copied there, and meets nothing that is read afterwards.
        filled = (p.storage for p in returned if p.storage not in slots and _fills(p, extent[p.storage]))
        if (storage := next(filled, None)) is not None:
            slots[storage] = FrameSlot(result.argument, 0)
    end = max(decisions.arena_bytes or 0, extent.get(ARENA, 0))
    for storage, nbytes in extent.items():
        if storage.kind not in (PlaceKind.CONSTANT, PlaceKind.FORWARDED) and storage not in slots:
            slots[storage] = FrameSlot(None, aligned(end))
            end = aligned(end) + nbytes
    apart = end
    for storage, nbytes in extent.items():  # no bytes of the arena: only to tell them from other storages
        if storage.kind is PlaceKind.FORWARDED and storage not in slots:
            slots[storage] = FrameSlot(None, aligned(apart))
            apart = aligned(apart) + nbytes
    scalars = tuple((n, names[n]) for n, value in enumerate(returns[0].operands) if value not in places)
    inputs = argument_names(func.body.blocks[0])
    return FrameLayout(inputs, results, scalars, places, placed.sizes, extent, slots, end, decisions)


def planned_bytes(func: FuncOp) -> int | None:
    """The size of the planned arena; None without a plan."""
    planned = func.attributes.get(attrs.ARENA_BYTES)
    return planned.value.data if isinstance(planned, IntegerAttr) else None


def returns_of(func: FuncOp) -> list[ReturnOp]:
    """The returns of a function that can be reached."""
    return [b.last_op for b in reverse_postorder(func.body) if isinstance(b.last_op, ReturnOp)]


def result_names(func: FuncOp) -> tuple[str, ...]:
    """What the results of a function are called, in their order: `dnn.name`, else `out0`, `out1`, …"""
    names: list[str] = []
    returns = returns_of(func)
    for index, value in enumerate(returns[0].operands if returns else ()):
        name = attrs.result_attributes(func, index).get(attrs.NAME)
        names.append(name.data if isinstance(name, StringAttr) else attrs.source_name(value) or f"out{index}")
    return _made_unique(names)


def _results(
    func: FuncOp, returns: list[ReturnOp], names: tuple[str, ...], places: Mapping[SSAValue, Place], is_called: bool
) -> Iterator[Result]:
    """The results that are tensors. A result that is not tied ends in an argument of its own, or, unless the function
    is called, in a donated argument that it is all of."""
    own = len(func.body.blocks[0].args)
    returned = [(n, value) for n, value in enumerate(returns[0].operands) if value in places]
    ties = {n: attrs.tied_argument(func, n) for n, _ in returned}
    arguments = set(ties.values())
    for number, value in returned:
        argument = ties[number]
        if argument is None and not is_called:
            argument = _donated(func, {places[last.operands[number]] for last in returns}, value, places)
            argument = None if argument in arguments else argument
            arguments.add(argument)
        yield Result(number, value, names[number], own if argument is None else argument, argument is not None)
        own += argument is None


def _donated(func: FuncOp, ends: set[Place], value: SSAValue, places: Mapping[SSAValue, Place]) -> int | None:
    """The donated argument whose bytes a value is in all returns."""
    (kind, key), layout = places[value]
    if len(ends) > 1 or kind is not PlaceKind.ARGUMENT or not isinstance(key, int):
        return None
    argument = func.body.blocks[0].args[key]
    whole = argument.type == value.type and layout == places[argument].layout
    return key if whole and attrs.is_donated(argument) else None


def _fills(place: Place, extent: int) -> bool:
    """Whether the value is all of its storage, dense, so that a result's array can be that storage."""
    layout = place.layout
    if not isinstance(layout, Strided):
        return False
    own = place.storage.kind in (PlaceKind.OWN, PlaceKind.NUMBERED, PlaceKind.BORROWED)
    return own and layout.is_dense and layout.offset == 0 and layout.nbytes == extent


def _known(layout: Layout) -> tuple[int, ...] | None:
    """The sizes of a value at `layout`, where all are known."""
    shape = layout.shape if isinstance(layout, RuntimeSlice) else None
    known = [d for d in shape or () if isinstance(d, int)]
    return tuple(known) if shape is not None and len(known) == len(shape) else None


def _unknown(value: SSAValue, type_: TensorInfo, func: FuncOp) -> LastuseError:
    unknown = sorted({str(s) for d in type_.known if not isinstance(d, int) for s in d.symbols})
    where = value.op if isinstance(value, OpResult) else func
    binds = ",".join(f"{name}=…" for name in unknown)
    return LastuseError(
        f"the size of {attrs.display_name(value)} is not known: --specialize-pass={binds} binds it", where
    )


def _made_unique(names: Iterable[str]) -> tuple[str, ...]:
    """The names, with numbers behind those that stand there twice."""
    unique: dict[str, None] = {}
    for name in names:
        unique[free_name(name, unique)] = None
    return tuple(unique)
