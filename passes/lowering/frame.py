"""The frame of a lowered function: its arguments, its arena, and where each storage of the dnn function is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from ...dialect import decisions
from ...dialect.diagnostics import LastuseError
from ...dialect.layout import Strided
from ...dialect.place import ARENA, Kind, Place, Storage, places
from ...dialect.shape import Typed
from ..analysis.buffers import aligned


class Slot(NamedTuple):
    """A storage's first byte: in argument `argument` of the lowered function, or in its arena where that is None; with
    `offset` in bytes."""

    argument: int | None
    offset: int


class Result(NamedTuple):
    """One result of the function: who it is, what it is called, which argument it ends in; `tied`: that argument
    is an input too."""

    value: SSAValue
    name: str
    argument: int
    tied: bool


class Frame(NamedTuple):
    """What a lowered function has.

    Attributes:
        inputs: names of the inputs, in order; they are its first arguments.
        results: its results; those that are not tied are its further arguments, in order.
        places: where each tensor is, by storage; every layout is strided.
        dtypes: the element type of each tensor, as IR names it.
        slots: where each storage but the constants' is.
        arena_bytes: the planned arena and behind it what nobody planned: storages without an offset.
    """

    inputs: tuple[str, ...]
    results: tuple[Result, ...]
    places: dict[SSAValue, Place]
    dtypes: dict[SSAValue, str]
    slots: dict[Storage, Slot]
    arena_bytes: int


def frame_of(func: FuncOp) -> Frame:
    """Finds room for every storage of a one-block function under the decisions it carries.

    A storage is a result's own memory where a returned value fills it; what the plan gave an offset is in the arena;
    all other storages, and so all of them without a plan, get arena bytes of their own behind the plan's.

    Raises:
        LastuseError: the function has several blocks, or a size that is not known.
    """
    if len(func.body.blocks) != 1 or not isinstance(func.body.block.last_op, ReturnOp):
        raise LastuseError("only functions of one block are lowered", func)
    placed = places(func)
    found: dict[SSAValue, Place] = {}
    extent: dict[Storage, int] = {}
    for value, place in placed.of.items():
        layout = place.layout
        if not isinstance(layout, Strided):
            raise _unknown(value, placed.sizes[value], func)
        found[value] = place
        extent[place.storage] = max(extent.get(place.storage, 0), layout.span[1])
    inputs = _input_names(func.body.block)
    results = _results(func, len(inputs))
    slots = {ARENA: Slot(None, 0)}
    for storage in extent:
        if storage.kind is Kind.ARGUMENT:
            assert isinstance(storage.key, int)
            slots[storage] = Slot(storage.key, 0)
    results = _given_away(func, results, found)
    for result in results:
        place = found[result.value]
        if not result.tied and place.storage not in slots and _fills(place, extent[place.storage]):
            slots[place.storage] = Slot(result.argument, 0)
    planned = func.attributes.get(decisions.ARENA_BYTES)
    end = planned.value.data if isinstance(planned, IntegerAttr) else 0
    end = max(end, extent.get(ARENA, 0))
    for storage, nbytes in extent.items():
        if storage not in slots and storage.kind in (Kind.OWN, Kind.NUMBERED):
            slots[storage] = Slot(None, aligned(end))
            end = aligned(end) + nbytes
    dtypes = {value: placed.sizes[value].dtype for value in found}
    return Frame(inputs, results, found, dtypes, slots, end)


def _given_away(func: FuncOp, results: tuple[Result, ...], places_: dict[SSAValue, Place]) -> tuple[Result, ...]:
    """Results that are all of a donated argument are returned in it; the others' arguments are numbered anew."""
    arguments = func.body.block.args
    taken = {r.argument for r in results if r.tied}
    kept: list[Result] = []
    own = len(arguments)
    for result in results:
        place = places_[result.value]
        key = place.storage.key
        if not result.tied and place.storage.kind is Kind.ARGUMENT and isinstance(key, int):
            whole = arguments[key].type == result.value.type and place.layout == places_[arguments[key]].layout
            if whole and key not in taken and decisions.is_donated(arguments[key]):
                taken.add(key)
                result = result._replace(argument=key, tied=True)
        kept.append(result if result.tied else result._replace(argument=own))
        own += not result.tied
    return tuple(kept)


def result_names(func: FuncOp) -> tuple[str, ...]:
    """What the results of a one-block function are called, in their order."""
    return tuple(r.name for r in _results(func, 0))


def _fills(place: Place, extent: int) -> bool:
    """Whether the value is all of its storage, dense, so that a result's array can be that storage."""
    layout = place.layout
    assert isinstance(layout, Strided)
    own = place.storage.kind in (Kind.OWN, Kind.NUMBERED)
    return own and layout.is_dense and layout.offset == 0 and layout.nbytes == extent


def _unknown(value: SSAValue, type_: Typed, func: FuncOp) -> LastuseError:
    unknown = sorted({str(s) for d in type_.known if not isinstance(d, int) for s in d.symbols})
    where = value.op if isinstance(value, OpResult) else func
    binds = ",".join(f"{name}=…" for name in unknown)
    return LastuseError(f"the size of {decisions.shown(value)} is not known: --specialize-pass={binds} binds it", where)


def _input_names(block: Block) -> tuple[str, ...]:
    taken: set[str] = set()
    return tuple(_unique(_name(a, f"arg{a.index}"), taken) for a in block.args)


def _results(func: FuncOp, inputs: int) -> tuple[Result, ...]:
    taken: set[str] = set()
    results: list[Result] = []
    last = func.body.block.last_op
    assert isinstance(last, ReturnOp)
    for index, value in enumerate(last.operands):
        given = decisions.result_attributes(func, index).get(decisions.NAME)
        name = given.data if isinstance(given, StringAttr) else _name(value, f"result{index}")
        tied = decisions.tied_argument(func, index)
        own = inputs + sum(not r.tied for r in results)
        argument = own if tied is None else tied
        results.append(Result(value, _unique(name, taken), argument, tied is not None))
    return tuple(results)


def _name(value: SSAValue, default: str) -> str:
    return decisions.source_name(value) or value.name_hint or default


def _unique(name: str, taken: set[str]) -> str:
    count, unique = 0, name
    while unique in taken:
        count += 1
        unique = f"{name}.{count}"
    taken.add(unique)
    return unique


def memory_arguments(block: Block, results: Sequence[Result]) -> list[SSAValue]:
    """The values whose types the lowered function's arguments have, in order."""
    inputs: list[BlockArgument] = list(block.args)
    return [*inputs, *(r.value for r in results if not r.tied)]
