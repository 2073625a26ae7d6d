"""The memory of results while it holds none: what a function may put there, and when a result is copied there.

A returned result has memory of its own, outside the arena, for the whole run. Until the op that writes the result runs,
values that are dead by then may lie in it: they get the number of one storage with the result.

A result that is returned as a strided view is copied to its memory, by the return or by an op of its own. An op of its
own may run as soon as the bytes are there, and the bytes that it copies are dead when their last reader has run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from xdsl.dialects.func import ReturnOp
from xdsl.ir import OpResult, SSAValue

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind, Storage
from lastuse.dialect.storage.layout import Strided
from lastuse.passes.analysis.live_intervals import IntervalHull
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.allocation_problem import AllocationProblem, MemoryModel, memory_model
from lastuse.passes.memory.frame_layout import returns_of
from lastuse.passes.planning.planner import live_bytes


def returned_views(program: NumberedOps) -> frozenset[OpResult]:
    """Views that the one return of a function of known sizes alone uses, and copies wherever their operands lie: their
    bytes are not those of a whole storage in order."""
    returns = returns_of(program.func)
    if len(returns) != 1 or not program.has_known_sizes:
        return frozenset()
    views = [
        value
        for number, value in enumerate(returns[0].operands)
        if isinstance(value, OpResult)
        and len(value.op.results) == 1
        and len(list(value.uses)) == 1
        and attrs.tied_argument(program.func, number) is None
        and program.view(value) is not None
    ]
    places = memory_model(program).frame.places if views else {}
    return frozenset(view for view in views if _is_strided(places[view].layout))


def _is_strided(layout: object) -> bool:
    return isinstance(layout, Strided) and not layout.is_dense


def copied_early(program: NumberedOps) -> NumberedOps:
    """The program with copies that the return alone uses right behind the last op before them that has to do with the
    storage they copy from: no op is between that could need its bytes."""
    blocks = program.func.body.blocks
    block = blocks.first if len(blocks) == 1 else None
    views = program.decisions.copies - program.decisions.inplace.keys()
    copies = [v.op for v in views if isinstance(v, OpResult) and v.op in program.at and _is_returned_alone(v)]
    if block is None or not copies:
        return program
    places = memory_model(program).frame.places
    order = list(program.ops_of(block))
    for copy in sorted((op for op in copies if op.parent is block), key=order.index):
        time = order.index(copy)
        order.remove(copy)
        sources = {places[v].storage for v in copy.operands if v in places}
        last = max(
            (
                n
                for n, op in enumerate(order[:time])
                if any(v in places and places[v].storage in sources for v in (*program.read_by(op), *op.results))
                or any(v in op.results for v in copy.operands)
            ),
            default=-1,
        )
        order.insert(last + 1, copy)
    return program.reordered({block: tuple(order)})


def _is_returned_alone(view: OpResult) -> bool:
    uses = list(view.uses)
    return len(view.op.results) == 1 and len(uses) == 1 and isinstance(uses[0].operation, ReturnOp)


class _Tenant(NamedTuple):
    """A storage, the value that opens it, and the first and the last time at which it is in use."""

    storage: Storage
    value: OpResult
    nbytes: int
    hull: IntervalHull


def storages_in_results(problem: AllocationProblem) -> Mapping[SSAValue, int]:
    """
    Numbers of storages that put values into the memory of results which are not written yet, the results' own numbers
    with them, so that less is live at once in the arena; none where nothing lowers that.

    Of the storages in use at the peak, the largest one that fits any result is moved there, into the smallest that it
    fits, until none fits or the peak stays; ties are broken by program order.
    """
    model = problem.model
    hosts = sorted(_hosts(model), key=lambda host: (host.nbytes, host.hull, host.value.index))
    if not hosts:
        return {}
    guests = {guest.storage: guest for guest in _guests(model)}
    owned = {model.frame.places[o[0]].storage: n for n, o in enumerate(problem.owners) if isinstance(o, tuple) and o}
    left = dict(enumerate(problem.buffers))
    taken: dict[Storage, list[IntervalHull]] = {host.storage: [host.hull] for host in hosts}
    moved: list[tuple[_Tenant, _Tenant]] = []
    kept, least = 0, max(live_bytes(left.values()).values(), default=0)
    while True:
        live = live_bytes(left.values())
        peak = max(live.values(), default=0)
        if peak < least:
            kept, least = len(moved), peak
        time = min((t for t, nbytes in live.items() if nbytes == peak), default=0)
        at_peak = [s for s, n in owned.items() if n in left and s in guests and left[n].is_live(time)]
        at_peak.sort(key=lambda s: (-guests[s].nbytes, guests[s].hull))
        pair = next(
            (
                (guests[s], host)
                for s in at_peak
                for host in hosts
                if _fits(guests[s], host) and all(_apart(guests[s].hull, other) for other in taken[host.storage])
            ),
            None,
        )
        if pair is None:
            break
        guest, host = pair
        moved.append(pair)
        taken[host.storage].append(guest.hull)
        del left[owned[guest.storage]]
    return _numbers(model.program, moved[:kept])


def _numbers(program: NumberedOps, moved: list[tuple[_Tenant, _Tenant]]) -> dict[SSAValue, int]:
    free = max([*attrs.numbers_in(program.func), *program.decisions.numbers.values(), -1]) + 1
    numbers: dict[SSAValue, int] = {}
    for guest, host in moved:
        number = numbers.setdefault(host.value, free + len({*numbers.values()}))
        numbers[guest.value] = number
    return numbers


def _hosts(model: MemoryModel) -> Iterator[_Tenant]:
    """The memory of results that only the function writes, from the op on that writes it."""
    inputs = len(model.frame.inputs)
    for tenant in _tenants(model):
        argument = model.frame.slots[tenant.storage].argument
        if argument is not None and argument >= inputs:
            yield tenant


def _guests(model: MemoryModel) -> Iterator[_Tenant]:
    """Storages in the arena."""
    return (tenant for tenant in _tenants(model) if model.arena_sizes[tenant.storage])


def _tenants(model: MemoryModel) -> Iterator[_Tenant]:
    """Storages that a result of the function's only block opens, which no other storage's memory may be."""
    blocks = model.program.func.body.blocks
    body = blocks.first if len(blocks) == 1 else None
    lent = {*model.live.alias_sources, *(s for sources in model.live.alias_sources.values() for s in sources)}
    for storage, nbytes in model.frame.extents.items():
        value = storage.key
        if storage.kind is not PlaceKind.OWN or not isinstance(value, OpResult) or storage in lent:
            continue
        if value.op.parent_block() is body and storage in model.live.hulls and not value.op.regions:
            yield _Tenant(storage, value, nbytes, model.live.hulls[storage])


def _fits(guest: _Tenant, host: _Tenant) -> bool:
    """The result fills its memory all the same, and the values in it are of one element type."""
    same = getattr(guest.value.type, "element_type", None) == getattr(host.value.type, "element_type", None)
    return same and guest.nbytes <= host.nbytes and guest.hull[1] < host.hull[0]


def _apart(a: IntervalHull, b: IntervalHull) -> bool:
    return a[1] < b[0] or b[1] < a[0]
