"""Results that are memory of the function or of an argument, as the path taken decides.

A result that is forwarded may lie in several storages. Where each of these is memory of an argument or of the function
alone, none is copied: the function returns the memref that is carried, and gives back those of its own storages that it
does not return. Which these are is known at run time, by their addresses. The caller frees each result that is not
memory of an argument, so no storage may be two results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from lastuse.dialect.ir.region_branches import forwarded_operands
from lastuse.dialect.ir.tensor_types import Symbol
from lastuse.dialect.storage.assignment import Place, PlaceKind, Places, Storage, assign_places
from lastuse.dialect.storage.contract import contract_of, is_foreign
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import is_dense, same_bytes
from lastuse.passes.bufferization.forwarded_memrefs import ForwardedMemrefs
from lastuse.passes.bufferization.lifetimes import openers_of
from lastuse.passes.bufferization.memref_types import start_of
from lastuse.passes.bufferization.sizes_over_time import changing_symbols, have_one_size
from lastuse.passes.memory.allocation_problem import AllocationProblem
from lastuse.passes.memory.frame_layout import returns_of

_OWN = (PlaceKind.OWN, PlaceKind.NUMBERED)
MOST_WAYS = 64
"""Paths through branches that are looked at."""


def returned_choices(func: FuncOp, places: Places, forwarded: ForwardedMemrefs) -> dict[int, frozenset[Storage]]:
    """By number of a result that is forwarded, the storages of the function that it may be, of which the others are
    given back. Results that have to be copied are left out.

    Args:
        func: a function that no other one calls and that returns memrefs.
    """
    returns = returns_of(func)
    if len(returns) != 1:
        return {}
    values = [v for v in returns[0].operands if v in places.of]
    if all(places.of[v].storage.kind is not PlaceKind.FORWARDED for v in values):
        return {}
    changing = changing_symbols(func, places.sizes)
    taken = {
        s: opened
        for s, opened in openers_of(places).items()
        if s.kind in _OWN and not forwarded.owned.intersection(opened)
    }
    whole = {s for s, opened in taken.items() if _is_one_tensor(opened, places, changing)}
    chosen: dict[int, frozenset[Storage]] = {}
    for number, value in enumerate(returns[0].operands):
        if value not in values or places.of[value].storage.kind is not PlaceKind.FORWARDED:
            continue
        sources = forwarded.sources(places.of[value].storage)
        own = frozenset(places.of[v].storage for v in sources if places.of[v].storage.kind is not PlaceKind.ARGUMENT)
        fits = own <= whole and all(_is_all(v, value, places) for v in sources if places.of[v].storage in own)
        others = [returns[0].operands[n] for n, storages in chosen.items() if storages & own]
        returned_too = any(v is not value and places.of[v].storage in own for v in values)
        apart = all(_are_apart(value, other, places, forwarded) for other in others)
        if own and fits and apart and not returned_too:
            chosen[number] = own
    return chosen


def _is_one_tensor(openers: Sequence[SSAValue], places: Places, changing: frozenset[Symbol]) -> bool:
    """The function takes the memory, for values of one size."""
    for value in openers:
        made = isinstance(value, OpResult) and _makes_memory(value.op)
        place = places.of[value]
        if made or not is_dense(place.layout) or start_of(place.layout) != 0:
            return False
    return have_one_size(openers, places.sizes, changing)


def _makes_memory(op: Operation) -> bool:
    """What a call returns is not the function's to give back behind the path that leaves it."""
    return isinstance(op, CallOp) or is_foreign(op) or bool(contract_of(op).given)


def _is_all(source: SSAValue, value: SSAValue, places: Places) -> bool:
    root: Place = places.of[places.rules.at[source][0]]
    return source.type == value.type and same_bytes(root.layout, places.of[source].layout)


def _are_apart(one: SSAValue, other: SSAValue, places: Places, forwarded: ForwardedMemrefs) -> bool:
    """Two results of a loop are never the same memory: what it carries begins in different storages, and each
    iteration passes it on in another order at most."""
    loop = one.owner
    if one is other or other.owner is not loop or not isinstance(loop, scf.ForOp | scf.WhileOp):
        return False
    for _, sources, targets in forwarded_operands(loop):
        passed = [s for s, t in zip(sources, targets, strict=True) if t in places.of and _is_carried(t, forwarded)]
        for values in _ways(passed):
            storages = [places.of[s].storage for s in values]
            enters = not any(s.kind is PlaceKind.FORWARDED for s in storages)
            inner = all(s.kind is PlaceKind.FORWARDED and _is_of(s, loop) for s in storages)
            if len(set(storages)) != len(storages) or not (enters or inner):
                return False
    return True


def _ways(values: Sequence[SSAValue]) -> list[Sequence[SSAValue]]:
    """What values are on each path through the branches whose results they are; themselves, where these are many."""
    ways: list[Sequence[SSAValue]] = []
    waiting = [values]
    while waiting:
        if len(ways) + len(waiting) > MOST_WAYS:
            return [values]
        way = waiting.pop()
        branch = next((v.op for v in way if isinstance(v, OpResult) and isinstance(v.op, scf.IfOp)), None)
        if branch is None:
            ways.append(way)
            continue
        for region in branch.regions:
            last = region.block.last_op
            assert last is not None
            waiting.append([last.operands[v.index] if v.owner is branch else v for v in way])  # pyright: ignore
    return ways


def _is_carried(value: SSAValue, forwarded: ForwardedMemrefs) -> bool:
    return forwarded.places.of[value].storage.kind is PlaceKind.FORWARDED


def _is_of(storage: Storage, loop: Operation) -> bool:
    """The storage is that of a tensor that the loop carries."""
    key = storage.key
    if not isinstance(key, SSAValue):
        return False
    owner = key.owner
    return (owner.parent_op() if isinstance(owner, Block) else owner) is loop


def without_choices(func: FuncOp, problem: AllocationProblem) -> AllocationProblem:
    """The problem without storages that a result may be: they are taken apart from the arena."""
    program = problem.model.program
    decisions = program.decisions if program.func is func else Decisions.of(func)  # that of one unit is of a copy
    if not decisions.forwarded:
        return problem
    places = assign_places(func, decisions)
    forwarded = ForwardedMemrefs(func, places, decisions, frozenset())
    apart = frozenset[Storage]().union(*returned_choices(func, places, forwarded).values())
    pairs = zip(problem.owners, problem.buffers, strict=True)
    kept = [(o, b) for o, b in pairs if not isinstance(o, tuple) or not any(places.of[v].storage in apart for v in o)]
    return replace(problem, owners=tuple(o for o, _ in kept), buffers=tuple(b for _, b in kept))


def give_back_others(
    choices: Mapping[int, frozenset[Storage]],
    returned: Sequence[SSAValue],
    memories: Mapping[Storage, SSAValue],
    add: Callable[[Operation], None],
) -> None:
    """Gives back each storage that none of the results is, in the order of `memories`.

    Args:
        returned: the memrefs of all results.
        memories: by storage, the memref of it.
        add: adds an op before the return.
    """
    for storage, made in memories.items():
        numbers = [n for n, storages in choices.items() if storage in storages]
        if numbers:
            give_back_unless(made, [returned[n] for n in numbers], add)


def give_back_unless(made: SSAValue, others: Sequence[SSAValue], add: Callable[[Operation], None]) -> None:
    """Gives back memory unless one of other memrefs is in it."""
    add(address := memref.ExtractAlignedPointerAsIndexOp.get(made))
    flag: SSAValue | None = None
    for other in others:
        add(of_other := memref.ExtractAlignedPointerAsIndexOp.get(other))
        add(differs := arith.CmpiOp(address, of_other, "ne"))
        if flag is not None:
            add(differs := arith.AndIOp(flag, differs.result))
        flag = differs.results[0]
    assert flag is not None
    add(scf.IfOp(flag, [], Region(Block([memref.DeallocOp.get(made), scf.YieldOp()]))))
