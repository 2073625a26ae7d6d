"""The objective of docs/storage.md, 8, from the place rules alone: no analysis has a hand in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import cf, scf
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Place, PlaceKind, Places, assign_places
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.layout import Layout, Strided, may_overlap, same_bytes


class Worth(NamedTuple):
    """The objective, best is largest: bytes kept; bytes moved, and swaps, counted negative."""

    kept: int
    moved: int
    inplace: int
    swaps: int


# What a plan is worth


def worth(func: FuncOp, found: Places | None = None) -> Worth:
    """What the decisions that `func` carries are worth. `found`: the places under them, where they are known."""
    found = found or assign_places(func)
    ops = list(func.walk())[1:]
    made = sum(size_of(found, r) for op in ops for r in op.results if r in found.of and not is_view(r))
    sizes: dict[object, int] = {}
    for place in found.of.values():
        if place.storage.kind not in (PlaceKind.ARGUMENT, PlaceKind.CONSTANT):
            assert isinstance(place.layout, Strided)
            sizes[place.storage] = max(sizes.get(place.storage, 0), place.layout.span[1])
    taken = sum(sizes.values())
    moved = 0
    for op in ops:
        moved += sum(_carried(found, op)) * _weight(op)
    for op, pairs in boundaries(func):
        moves = [(found.of[a], found.of[b]) for a, b in pairs if a in found.of and not lies_at(found, a, b)]
        moved += sum(_nbytes(a.layout) for a, _ in moves) * _weight(op)
        taken += temporaries(moves)
    for op in ops:
        if isinstance(op, ReturnOp):
            copied, fresh = returned(func, found, op)
            moved += copied
            taken += fresh
    inplace = swaps = 0
    void = {(v.op, v.entry) for v in found.void if v.attribute == attrs.INPLACE}
    for op in ops:
        for result, k in zip(op.results, attrs.inplace(op), strict=True):
            if k >= 0 and (op, result.index) not in void:
                inplace += 1
                over = contract_of(op).over if not op.regions else ()
                swaps += any(o.by_swapping for o in over if o[:2] == (result.index, k))
    return Worth(made - taken, -moved, inplace, -swaps)


def is_view(value: SSAValue) -> bool:
    """Declared to be one; whether it is one or a copy, its bytes are not counted as made."""
    return (
        isinstance(value, OpResult) and not value.op.regions and contract_of(value.op).view_of(value.index) is not None
    )


def _nbytes(layout: Layout) -> int:
    assert isinstance(layout, Strided)
    return layout.nbytes


def size_of(found: Places, value: SSAValue) -> int:
    return _nbytes(found.of[value].layout)


def lies_at(found: Places, a: SSAValue, b: SSAValue) -> bool:
    return same(found.of[a], found.of[b])


def same(a: Place, b: Place) -> bool:
    return a.storage == b.storage and same_bytes(a.layout, b.layout)


def _meet(a: Place, b: Place) -> bool:
    return a.storage == b.storage and may_overlap(a.layout, b.layout)


def _weight(op: Operation) -> int:
    """Ten for each loop around, at most six of them."""
    depth, above = 0, op.parent_op()
    while above is not None and not isinstance(above, FuncOp):
        depth, above = depth + isinstance(above, (scf.ForOp, scf.WhileOp)), above.parent_op()
    return 10 ** min(depth, 6)


def _carried(found: Places, op: Operation) -> Iterator[int]:
    """Bytes of every contribution that is not in position, and of every view that has to be a copy."""
    if op.regions or not any(r in found.of for r in op.results):
        return
    contract = contract_of(op)
    for carry in contract.contributions:
        source, target = found.of[op.operands[carry.operand]], found.of[op.results[0]].layout
        assert isinstance(target, Strided)
        into = target if carry.complement else carry.into(target)
        if into is None or not same(source, source._replace(storage=found.of[op.results[0]].storage, layout=into)):
            yield _nbytes(source.layout)
    for view in contract.views:
        source, target = found.of[op.operands[view.operand]], found.of[op.results[view.result]]
        assert isinstance(source.layout, Strided)
        seen = view.map(source.layout)
        if seen is None or not same(target, source._replace(layout=seen)):
            yield _nbytes(target.layout)


def boundaries(func: FuncOp) -> Iterator[tuple[Operation, list[tuple[SSAValue, SSAValue]]]]:
    """Each parallel move of a region op or a branch: the op that makes it, and (source, slot) of each value."""
    for op in func.walk():
        if isinstance(op, scf.ForOp):
            yield op, list(zip(op.operands[3:], op.results, strict=True))
            yield _last(op, 0), list(zip(_last(op, 0).operands, op.results, strict=True))
        elif isinstance(op, scf.WhileOp):
            before = op.before_region.block.args
            yield op, list(zip(op.operands, before, strict=True))
            yield _last(op, 0), list(zip(_last(op, 0).operands[1:], op.results, strict=True))
            yield _last(op, 1), list(zip(_last(op, 1).operands, before, strict=True))
        elif isinstance(op, scf.IfOp):
            for region in range(2 if op.results else 0):
                yield _last(op, region), list(zip(_last(op, region).operands, op.results, strict=True))
        elif isinstance(op, cf.BranchOp):
            yield op, list(zip(op.arguments, op.successor.args, strict=True))
        elif isinstance(op, cf.ConditionalBranchOp):
            yield op, list(zip(op.then_arguments, op.then_block.args, strict=True))
            yield op, list(zip(op.else_arguments, op.else_block.args, strict=True))


def _last(op: Operation, region: int) -> Operation:
    last = op.regions[region].block.last_op
    assert last is not None
    return last


def temporaries(moves: Sequence[tuple[Place, Place]]) -> int:
    """Bytes of temporaries so that every source is read before it is written: for each order of the moves, those of the
    sources that are written too early; the least of all."""

    def least(left: tuple[int, ...], aside: frozenset[int]) -> int:
        best = None
        for n in left:
            rest = tuple(m for m in left if m != n)
            ruined = frozenset(m for m in (*rest, n) if m not in aside and _meet(moves[m][0], moves[n][1]))
            cost = sum(_nbytes(moves[m][0].layout) for m in ruined) + least(rest, aside | ruined)
            best = cost if best is None else min(best, cost)
        return best or 0

    return least(tuple(range(len(moves))), frozenset())


def returned(func: FuncOp, found: Places, op: Operation) -> tuple[int, int]:
    """Bytes that the return moves, and bytes of fresh memory it moves them to: of values in memory that is neither the
    function's nor given to it, and of those that another result shares."""
    moved = fresh = 0
    kept: list[tuple[Place, SSAValue]] = []
    tied = {i: k for i in range(len(op.operands)) if (k := attrs.tied_argument(func, i)) is not None}
    for index, argument in tied.items():
        if op.operands[index] not in found.of:
            continue
        kept.append((found.of[func.args[argument]], _origin(op.operands[index])))
        if not lies_at(found, op.operands[index], func.args[argument]):
            moved += size_of(found, op.operands[index])
    for index, value in enumerate(op.operands):
        if index in tied or value not in found.of:
            continue
        storage = found.of[value].storage
        home = _origin(value)
        if storage.kind is PlaceKind.ARGUMENT:
            here = attrs.is_donated(func.args[storage.key]) if isinstance(storage.key, int) else False
        else:
            here = storage.kind in (PlaceKind.OWN, PlaceKind.NUMBERED)
        if here and not any(_meet(found.of[value], o) and other is not home for o, other in kept):
            kept.append((found.of[value], home))
        else:
            moved += size_of(found, value)
            fresh += size_of(found, value)
    return moved, fresh


def _origin(value: SSAValue) -> SSAValue:
    """What a declared view is a view of, in the end."""
    while is_view(value) and isinstance(value, OpResult):
        view = contract_of(value.op).view_of(value.index)
        assert view is not None
        value = value.op.operands[view.operand]
    return value
