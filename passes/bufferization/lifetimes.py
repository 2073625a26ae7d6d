"""Where memory of its own is taken and given back: the block around all ops that touch a storage, and the first and
last of its ops that do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import ancestors, ops_within, values_within
from lastuse.dialect.storage.assignment import ARENA, PlaceKind, Places, Storage
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.bufferization.call_results import other_memory
from lastuse.passes.bufferization.forwarded_memrefs import ForwardedMemrefs


class Lifetime(NamedTuple):
    """Memory is taken before `first` and given back after `last`, two ops of one block. Both are None where several
    blocks of the function touch it: it is then taken on entry, and given back at each return."""

    first: Operation | None
    last: Operation | None


def openers_of(places: Places) -> dict[Storage, list[SSAValue]]:
    """By storage the values whose place follows from no other value's."""
    openers: dict[Storage, list[SSAValue]] = {}
    for value, (root, _) in places.rules.at.items():
        if root is value:
            openers.setdefault(places.of[value].storage, []).append(value)
    return openers


def lifetimes(
    func: FuncOp, places: Places, forwarded: ForwardedMemrefs, wanted: Collection[Storage] | None = None
) -> Mapping[Storage, Lifetime]:
    """The lifetime of every storage, or of those of `wanted` and maybe others. What a foreign op returns may lie in its
    operands, and what is forwarded in what is passed on: those live as long."""
    foreign = sorted(other_memory(func).foreign, key=places.rules.time_of, reverse=True)
    values = places.of.items()
    if wanted is not None and not foreign and not forwarded.decisions.forwarded:
        named = frozenset(wanted)  # most values are in the arena, and to hash a storage is Python code
        arena = ARENA if ARENA not in named else None
        values = [(value, place) for value, place in values if place.storage is not arena and place.storage in named]
    touching: dict[Storage, dict[Operation, None]] = {}
    for value, place in values:
        touching.setdefault(place.storage, {}).update(dict.fromkeys(_touched(value)))
    if foreign:
        touching = _lent(func, places, foreign, touching)
    for storage in [s for s in touching if s.kind is PlaceKind.FORWARDED]:
        for host in forwarded.storages(storage):
            touching[host].update(touching[storage])
    asked = {id(op) for ops in touching.values() for op in _with_ancestors(ops, func)}
    numbers = {id(op): n for n, op in enumerate(ops_within(func)) if id(op) in asked}  # ops are hashed in Python
    return {storage: _around(func, ops, numbers) for storage, ops in touching.items()}


def is_touched_inside(op: Operation, storage: Storage, places: Places) -> bool:
    """A result of an op with regions, or a value that is there or used there, is in a storage: the op needs that after
    it has begun."""
    if not op.regions:
        return False
    used = (v for inner in ops_within(op)[1:] for v in inner.operands)
    return any(v in places.of and places.of[v].storage == storage for v in chain(used, values_within(op)))


def _touched(value: SSAValue) -> Iterable[Operation]:
    """The ops that write or read the bytes of a value, as far as its own uses tell."""
    if isinstance(value, OpResult) and not contract_of(value.op).uninitialized:
        yield value.op
    if isinstance(value, BlockArgument) and (around := value.block.parent_op()) is not None:
        yield around
    yield from (use.operation for use in value.uses)


def _around(func: FuncOp, ops: Collection[Operation], numbers: Mapping[int, int]) -> Lifetime:
    """`numbers` are the positions of ops, by their identities."""
    if ops and all(op.parent is func.body.first_block for op in ops):
        return _of_block(ops, numbers)
    chains = [_chain(op, func) for op in ops]
    if not chains or func in ops:
        return Lifetime(None, None)
    for depth in range(min(map(len, chains))):
        level = {chain[depth] for chain in chains}
        blocks = {op.parent for op in level}
        if len(blocks) > 1:
            return Lifetime(None, None)
        at_end = any(len(chain) == depth + 1 for chain in chains)
        if len(level) > 1 or at_end or _inner_blocks(chains, depth) > 1:
            return _of_block(level, numbers)
    return Lifetime(None, None)


def _lent(
    func: FuncOp, places: Places, foreign: Sequence[Operation], touching: Mapping[Storage, Iterable[Operation]]
) -> dict[Storage, dict[Operation, None]]:
    """What touches each storage where results of foreign ops may lie in their operands: the ends by block alone."""
    positions = {id(op): n for n, op in enumerate(ops_within(func))}
    found = {storage: _ends_by_block(ops, positions) for storage, ops in touching.items()}
    for op in foreign:
        later = [u for r in op.results if r in places.of for u in found[places.of[r].storage]]
        for storage in {places.of[v].storage for v in op.operands if v in places.of}:
            found[storage] = _ends_by_block(chain(found[storage], later), positions)
    return found


def _ends_by_block(ops: Iterable[Operation], positions: Mapping[int, int]) -> dict[Operation, None]:
    """The first and the last in each block of some ops: they say as much of a lifetime as all of them."""
    ends: dict[Block | None, tuple[Operation, Operation]] = {}
    for op in ops:
        first, last = ends.get(op.parent, (op, op))
        at = positions[id(op)]
        ends[op.parent] = op if at < positions[id(first)] else first, op if at > positions[id(last)] else last
    return dict.fromkeys(chain.from_iterable(ends.values()))


def _with_ancestors(ops: Iterable[Operation], func: FuncOp) -> Iterator[Operation]:
    """Ops of a function, and the ops in it that are around them."""
    for op in ops:
        yield op
        if op.parent is not func.body.first_block:
            yield from ancestors(op)


def _of_block(ops: Collection[Operation], numbers: Mapping[int, int]) -> Lifetime:
    """From the first to the last of ops of one block."""
    return Lifetime(min(ops, key=lambda op: numbers[id(op)]), max(ops, key=lambda op: numbers[id(op)]))


def _inner_blocks(chains: list[list[Operation]], depth: int) -> int:
    blocks: set[Block | None] = {chain[depth + 1].parent for chain in chains}
    return len(blocks)


def _chain(op: Operation, func: FuncOp) -> list[Operation]:
    """The op and those around it, from the function's body inwards."""
    chain: list[Operation] = []
    current: Operation | None = op
    while current is not None and current is not func:
        chain.append(current)
        current = current.parent_op()
    return chain[::-1]
