"""Loops and branches that pass on new memory, where they copied into one that they have.

A decided function has one memory for what a loop carries, and copies to it what an iteration computes beside that. The
memory of what is computed may be passed on instead, and that of the iteration before given back (`owned_values.py`).
That takes memory in each iteration, so it is done where nothing else saves the copy: what decides is how much both
forms copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import values_within
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind, Places, assign_places
from lastuse.dialect.storage.contract import contract_of, holds_nothing
from lastuse.dialect.storage.forwarding import passed_within
from lastuse.dialect.storage.layout import Strided, aligned, same_bytes
from lastuse.passes.bufferization.forwarded_memrefs import ForwardedMemrefs
from lastuse.passes.bufferization.other_decisions import forget_place, stand_in
from lastuse.passes.bufferization.owned_values import carried_with
from lastuse.passes.lowering.context import LoweredCopy

MOST_TRIALS = 4
"""Values of a function for which it is tried alone."""


class OwnSlots(NamedTuple):
    """A decided function, and what its loops and branches carry in memory of its own."""

    func: FuncOp
    owned: frozenset[SSAValue]


def own_slots(func: FuncOp, copies: Sequence[LoweredCopy]) -> Iterator[OwnSlots]:
    """Copies of a decided function in which what loops and branches copy where they pass it on is in memory of its own:
    with all that shares its storages, then alone, then one value each. Each copy stands in the module in the place of
    the function until the next one is asked for.

    Args:
        copies: what the memref form of the function copies.
    """
    copied = {(copy.op, copy.value) for copy in copies if isinstance(copy.op, scf.YieldOp | scf.ConditionOp)}
    moved = {copy.value for copy in copies if isinstance(copy.op, CallOp) and copy.value.owner is copy.op}
    returned = [copy.value for copy in copies if isinstance(copy.op, ReturnOp)]
    passed = passed_within(func) if copies else []
    moved |= {result for copy in copies for result in copy.op.results if _may_go_over(copy.op, copy.value)}
    found = dict.fromkeys(p.target for p in passed if (p.mover, p.source) in copied or p.source in moved)
    found.update(dict.fromkeys(returned))
    targets = [group for group in dict.fromkeys(carried_with([target]) for target in found) if group]
    groups = [frozenset[SSAValue]().union(*targets)] if targets else []
    groups = dict.fromkeys([*(_with_storages(func, g) for g in groups), *groups, *targets[:MOST_TRIALS]])
    for group in groups:
        with stand_in(func) as copy:
            yield _with_slots(func, copy, group)


def _with_storages(func: FuncOp, slots: frozenset[SSAValue]) -> frozenset[SSAValue]:
    """The slots, and all others that share their storages."""
    places = assign_places(func).of
    storages = {places[v].storage for v in slots}
    targets = (p.target for p in passed_within(func))
    return slots | carried_with(v for v in targets if v in places and places[v].storage in storages)


def _with_slots(func: FuncOp, copy: FuncOp, slots: frozenset[SSAValue]) -> OwnSlots:
    """The copy of a function, without the decisions that give `slots`, and what is passed on as these, a place. What
    lies in a slot beyond the block of that is one too."""
    values = dict(zip(values_within(func), values_within(copy), strict=True))
    owned, more = frozenset[SSAValue](), frozenset(values[v] for v in slots)
    passed = passed_within(copy)
    while not more <= owned:
        owned |= more
        for value in owned:
            forget_place(value, is_owned=True)
        places = assign_places(copy)
        forwarded = ForwardedMemrefs(copy, places, places.rules.decisions, owned)
        inner = [v for v in owned if isinstance(v, BlockArgument) or v.owner.parent_op() is not copy]
        here = [p for p in passed if p.source in places.of and p.target in places.of]
        at = {places.of[v].storage for v in inner}
        beyond = [p.target for p in here if places.of[p.source].storage == places.of[p.target].storage in at]
        more = carried_with([*forwarded.hosted(inner), *beyond])
    places = assign_places(copy)
    for source in [p.source for p in passed if p.target in owned and p.source in places.of]:
        root = places.rules.at[source][0]
        is_part = not same_bytes(places.of[root].layout, places.of[source].layout)
        for value, is_apart in ((root, root in owned), (source, is_part)):
            forget_place(value, is_apart)
        if isinstance(source, OpResult) and attrs.entries(source.op, attrs.INPLACE)[source.index] < 0:
            _put_over(source.op, places)
    if copy.attributes.get(attrs.ARENA_BYTES) is not None and attrs.UNIT not in copy.attributes:
        _trim(copy)
    return OwnSlots(copy, owned)


def _may_go_over(op: Operation, value: SSAValue) -> bool:
    """`op`, which makes one tensor, may compute over a tensor that another op of its block makes for it alone."""
    alone = isinstance(value, OpResult) and value.op.parent is op.parent and len([*value.uses]) == 1
    return alone and len(op.results) == 1 and any(op.operands[o.operand] is value for o in contract_of(op).over)


def _put_over(op: Operation, places: Places) -> None:
    """Lets an op compute over an operand that it alone reads, in memory that no other value has."""
    for over in contract_of(op).over if len(op.results) == 1 else ():
        value = op.operands[over.operand]
        own = value in places.of and places.of[value].storage.kind in (PlaceKind.OWN, PlaceKind.ARENA)
        if own and places.rules.at[value][0] is value and _may_go_over(op, value) and value.type == op.results[0].type:
            attrs.set_entries(op, attrs.INPLACE, [over.operand])
            return


def _trim(func: FuncOp) -> None:
    """The arena ends behind what is left in it."""
    places = [place for v, place in assign_places(func).of.items() if not holds_nothing(v)]
    layouts = [place.layout for place in places if place.storage.kind is PlaceKind.ARENA]
    ends = [layout.span[1] for layout in layouts if isinstance(layout, Strided)]
    if len(ends) == len(layouts):
        func.attributes[attrs.ARENA_BYTES] = IntegerAttr(aligned(max(ends, default=0)), i64)
