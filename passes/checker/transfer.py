"""What one op does: kernels, data-movement ops, copies of views, foreign ops; and the rules it may break by itself.

Rules about other ops (does the operand still hold its bytes?) are left to the state: a `Transfer` lists what is read
and written. Rules within one op (overlap, permission, read-only, strides) are checked here, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import ARENA, Place, Storage
from lastuse.dialect.storage.assignment import PlaceKind as StorageKind
from lastuse.dialect.storage.contract import Contract, Contribution, holds_nothing, is_undefined
from lastuse.dialect.storage.layout import ALIGNMENT, Layout, LayoutMap, Strided, Whole, is_dense, mapped
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.passes.checker.byte_regions import ByteRegion
from lastuse.passes.checker.function_model import FunctionModel, Guard, RequiredRead, Transfer
from lastuse.passes.checker.geometry import is_exactly, overlap, same_place, same_range
from lastuse.passes.checker.runs import difference, of_bytes
from lastuse.passes.checker.violation import Decision, ViolationKind

_EXPANDED_BYTES = 1 << 24
"""Places that are no strided map of a strided place are looked at byte by byte, up to this size."""


class ContributedBytes(NamedTuple):
    """A contribution: bytes of `operand` that are bytes of `result`. Either region is None without bytes."""

    operand: SSAValue
    result: OpResult
    source: ByteRegion | None
    target: ByteRegion | None
    elided: bool


def effect_of(frame: FunctionModel, op: Operation) -> Transfer | None:
    """The effect of an op that is neither a boundary nor a call; None for one that touches no bytes."""
    numbered = [(k, v) for k, v in enumerate(operands_of(op)) if frame.has_bytes(v)]
    results = [r for r in op.results if frame.has_bytes(r)]
    if not numbered and not results:
        return None
    contract = frame.contract(op)
    if contract.constant:
        return None
    if contract.foreign:
        return foreign_effect(frame, op, [v for _, v in numbered])
    moves = _moves(frame, op, contract) if contract.views or contract.contributions else []
    if moves is None:
        moves, contract = [], contract._replace(over=())  # its kernel makes the result from outside, never in place
    carried = {m.result for m in moves}
    written = [r for r in results if not (carried and r in carried) and frame.home(r) is r and not holds_nothing(r)]
    whole: list[tuple[int, SSAValue]] = []
    if written or not results:  # a kernel reads whole operands, until its last byte is written
        whole = [(k, v) for k, v in numbered if k not in contract.metadata_only]
    operands = [v for _, v in whole]
    effect = Transfer(op, frame.reads(operands))
    moved = [m for m in moves if not is_undefined(m.operand)]
    effect.reads += [RequiredRead(m.operand, frame.token(m.operand), m.source) for m in moved if m.source is not None]
    copied = [(m.result, m.target) for m in moves if not m.elided]
    for result, region in [*copied, *[(r, frame.region(r)) for r in written]]:
        if region is not None:
            frame.write(effect, result, region)
    if moves:
        _add_moves(frame, effect, moves)
    _check_kernel(frame, op, contract, written, whole)
    _check_copies(frame, op, moves)
    apart = [*written, *dict(copied)]
    for index, result in enumerate(apart):  # dead ones too: all occupy their places at once
        for other in apart[:index]:
            regions = frame.region(other), frame.region(result)
            frame.check_apart(ViolationKind.RESULTS_OVERLAP, op, other, *regions, result)
    if contract.scratch:
        _check_scratch(frame, op, contract, effect, [*apart, *operands])
    _check_alignment(frame, op)
    if frame.guards:
        kind = ViolationKind.COPY_OVERLAP if copied else ViolationKind.OVERLAP
        value = results[0] if results and results[0] is op.results[0] else None  # only for the message
        frame.check_lenders(kind, op, effect.reads, [(value, region) for region, _ in effect.writes])
    return effect


def _add_moves(frame: FunctionModel, effect: Transfer, moves: Sequence[ContributedBytes]) -> None:
    """What is of the results of contributions after the op, beside what it writes."""
    for move in moves:
        if move.elided and move.target is not None:
            frame.check_not_borrowed(effect.op, move.result, move.target)
            effect.adds.append((move.target, frame.token(move.result)))
    for result in dict.fromkeys(m.result for m in moves if m.target is not None and m.target.part is not None):
        if (region := frame.region(result)) is not None:  # its part and the rest are all of it
            effect.adds.append((region, frame.token(result)))
    for result in dict.fromkeys(m.result for m in moves):
        if (region := frame.region(result)) is not None:  # parts of it have several bytes of these together
            effect.makes.append((region, frame.token(result)))


# Contributions


def _moves(frame: FunctionModel, op: Operation, contract: Contract) -> list[ContributedBytes] | None:
    """All contributions of the op, or None where it is to be taken for a kernel: a map that cannot be followed."""
    moves: list[ContributedBytes] = []
    for view in contract.views:
        result = op.results[view.result]
        if not frame.has_bytes(result) or frame.is_true_view(result):
            continue
        operand = operands_of(op)[view.operand]
        source, target = frame.place_of(operand), frame.place_of(result)
        region, layout = _map_place(frame, source, view.map)
        if region is None and frame.region(result) is not None:
            region = frame.region(operand)
        here = same_place(layout, target.layout) or (view.whole and same_range(source.layout, target.layout))
        elided = here and source.storage == target.storage
        moves.append(ContributedBytes(operand, result, region, frame.region(result), elided))
    for carry in contract.contributions:
        move = _contribution(frame, op, contract, carry)
        if move is None:
            return None
        moves.append(move)
    if contract.fill and contract.contributions:
        rest = frame.region(op.results[0])
        for move in moves:
            rest = _subtract(frame, rest, move.target)
        if rest is not None:  # written by the op itself, from nowhere
            moves.append(ContributedBytes(op.operands[0], op.results[0], None, rest, False))
    return moves


def _contribution(
    frame: FunctionModel, op: Operation, contract: Contract, carry: Contribution
) -> ContributedBytes | None:
    operand, result = operands_of(op)[carry.operand], op.results[0]
    source, target = frame.place_of(operand), frame.place_of(result)
    read, whole = frame.region(operand), frame.region(result)
    same_storage = source.storage == target.storage
    cut = mapped(carry.into, target.layout)
    if isinstance(cut, RuntimeSlice):
        if not carry.complement:
            here = same_storage and same_place(cut, source.layout)
            return ContributedBytes(operand, result, read, _part_region(frame, target.storage, cut), here)
        hole = mapped(carry.into, source.layout)
        here = same_storage and same_place(source.layout, target.layout)
        kept = _part_region(frame, source.storage, hole, outside=True) if isinstance(hole, RuntimeSlice) else read
        return ContributedBytes(operand, result, kept, _part_region(frame, target.storage, cut, outside=True), here)
    if not isinstance(target.layout, Strided):
        # Of unknown size: the one contribution of a copy is the whole, any other is somewhere in the result.
        alone = len(contract.contributions) == 1 and not carry.complement and not contract.fill
        here = alone and same_storage and same_range(source.layout, target.layout)
        return ContributedBytes(operand, result, read, whole, here)
    part, layout = _map_place(frame, target, carry.into)
    if _nbytes(part) != _count(carry.into, target.layout):
        return None  # not followed, or some byte belongs to two elements: which one stays is the kernel's affair
    if not carry.complement:
        here = same_storage and same_place(layout, source.layout)
        return ContributedBytes(operand, result, read, part, here)
    if not isinstance(source.layout, Strided):  # all of it counts as read
        return ContributedBytes(operand, result, read, _subtract(frame, whole, part), False)
    ruins, _ = _map_place(frame, source, carry.into)
    if ruins is None and _count(carry.into, source.layout) != 0:
        return None
    here = same_storage and same_place(source.layout, target.layout)
    # Where elements share bytes, those under the part are bytes of elements outside of it too.
    kept = _subtract(frame, read, ruins) if source.layout.injective else read
    return ContributedBytes(operand, result, kept, _subtract(frame, whole, part), here)


def _part_region(
    frame: FunctionModel, storage: Storage, part: RuntimeSlice, outside: bool = False
) -> ByteRegion | None:
    """The bytes of a part; or those `outside` of it, of the value that it is a part of."""
    place = frame.bindings.physical(Place(storage, part))
    assert isinstance(place.layout, RuntimeSlice)
    return frame.memory.part(place.storage, place.layout, outside)


def _map_place(frame: FunctionModel, place: Place, map_: LayoutMap) -> tuple[ByteRegion | None, Layout | None]:
    """The bytes that a map picks out of a value at `place`, with their layout where it is strided; no region where
    the map cannot be followed, or picks nothing."""
    layout = mapped(map_, place.layout)
    if layout is not None:
        return frame.memory.region(*frame.bindings.physical(Place(place.storage, layout))), layout
    if not isinstance(place.layout, Strided):
        return None, None
    place = frame.bindings.physical(place)
    assert isinstance(place.layout, Strided)
    dense = map_(Strided.dense(place.layout.sizes, place.layout.item))
    if dense is None or max(dense.nbytes, place.layout.nbytes) > _EXPANDED_BYTES:
        return None, None
    runs = of_bytes(place.layout.bytes()[dense.bytes()])
    return (frame.memory.of_runs(place.storage, runs) if runs is not None else None), None


def _count(map_: LayoutMap, layout: Strided) -> int | None:
    """Bytes that a map picks out of a value; None if it cannot be followed."""
    picked = map_(Strided.dense(layout.sizes, layout.item))
    return picked.nbytes if picked is not None else None


def _nbytes(region: ByteRegion | None) -> int:
    return region.runs.nbytes if region is not None and region.runs is not None else 0


def _subtract(frame: FunctionModel, whole: ByteRegion | None, part: ByteRegion | None) -> ByteRegion | None:
    if whole is None or part is None or whole.runs is None:
        return whole
    rest = difference(whole.runs, part.runs)
    return frame.memory.of_runs(whole.storage, rest) if rest is not None else None


# Rules within one op


def _check_kernel(
    frame: FunctionModel,
    op: Operation,
    contract: Contract,
    written: Sequence[OpResult],
    whole: Sequence[tuple[int, SSAValue]],
) -> None:
    """Overlap and permission, and strides; `whole` are the operands that are read, with their numbers."""
    for result in written:
        region = frame.region(result)
        meets = [k for k, v in whole if overlap(frame.region(v), region)]
        if meets and (refused := _refused_operand(frame, op, contract, result, meets)) is not None:
            operand = operands_of(op)[refused]
            frame.check_apart(ViolationKind.OVERLAP, op, operand, frame.region(operand), region, result)
    if contract.strided:
        return
    for value in (*written, *(v for _, v in whole)):
        region = frame.region(value)
        if region is not None and not is_dense(frame.place_of(value).layout):
            frame.report(ViolationKind.STRIDED, op, value, region, written=value if value in op.results else None)


def _refused_operand(
    frame: FunctionModel, op: Operation, contract: Contract, result: OpResult, meets: Sequence[int]
) -> int | None:
    """The number of an operand that `result` must not lie on; None where the op may write it over all of `meets`."""
    place, refused = frame.place_of(result), meets[0]
    for over in contract.over:
        if over.result != result.index or over.operand not in meets:
            continue
        target = operands_of(op)[over.operand]
        same_type = frame.placed.sizes[target].dtype == frame.placed.sizes[result].dtype
        if not same_type or not is_exactly(place, frame.place_of(target)):
            continue
        others = [k for k in meets if k != over.operand]
        bad = [k for k in others if not (over.allow_same_operand and is_exactly(place, frame.place_of(op.operands[k])))]
        if not bad:
            return None
        refused = bad[0]
    return refused


def _check_copies(frame: FunctionModel, op: Operation, moves: Sequence[ContributedBytes]) -> None:
    """No copied byte lands on a source byte of any contribution: they run in no order, without a buffer."""
    for move in moves:
        for other in moves if not move.elided else ():
            kind = ViolationKind.COPY_OVERLAP
            frame.check_apart(kind, op, other.operand, other.source, move.target, move.result)


def _check_scratch(
    frame: FunctionModel, op: Operation, contract: Contract, effect: Transfer, used: Iterable[SSAValue]
) -> None:
    """Scratch in the arena is a result without readers, apart from all operands and results of the op."""
    stated = op.attributes.get(attrs.SCRATCH_OFFSET)
    if not isinstance(stated, IntegerAttr) or stated.value.data < 0:
        return
    decision = (Decision(op, attrs.SCRATCH_OFFSET),)
    low, size = frame.in_units(stated.value.data), (contract.scratch,)
    region = frame.memory.region(ARENA, Strided.dense(size, 1, low) if isinstance(low, int) else Whole(size, 1, low))
    assert region is not None
    if stated.value.data % ALIGNMENT:
        frame.report(ViolationKind.MISALIGNED, op, None, region, also=decision)
    frame.check_bounds(op, None, region, decision)
    for value in used:
        frame.check_apart(ViolationKind.SCRATCH_OVERLAP, op, value, frame.region(value), region, also=decision)
    frame.ruin(effect, region)


def _check_alignment(frame: FunctionModel, op: Operation) -> None:
    if attrs.OFFSET not in op.attributes:
        return
    for result, offset in zip(op.results, attrs.entries(op, attrs.OFFSET), strict=True):
        region = frame.region(result)
        if offset > 0 and offset % ALIGNMENT and region is not None:
            frame.report(ViolationKind.MISALIGNED, op, result, region)


# Foreign ops


def foreign_effect(
    frame: FunctionModel, op: Operation, sources: Sequence[SSAValue], hosts: Sequence[SSAValue] = ()
) -> Transfer:
    """Reads `sources`; each result is fresh, or any bytes of `sources` and `hosts`."""
    results = tensors(frame, op.results)
    for result in results:
        storage = frame.place_of(result).storage
        region = frame.region(result)
        if storage.kind not in (StorageKind.BORROWED, StorageKind.OWN) or storage.key is not result:
            frame.report(ViolationKind.FOREIGN_PLACED, op, result, region, written=result)
    writes = [(region, frame.label(r, op)) for r in results if (region := frame.region(r)) is not None]
    return Transfer(op, frame.reads(sources), writes, lends=add_guard(frame, results, (*sources, *hosts)))


def add_guard(frame: FunctionModel, borrowers: Sequence[SSAValue], hosts: Iterable[SSAValue]) -> list[Guard]:
    """Guard the bytes that `borrowers` may be: the tokens that must stay there as long as these are good."""
    known = frame.lendings.get(tuple(borrowers))
    if known is not None:
        return known  # what may lie in a forwarded storage is guarded in all of its places
    regions: dict[int, ByteRegion] = {}
    for host in hosts:
        inherited = frame.guards.get(frame.token(host))
        possible = [frame.memory.region(*place) for place in frame.bindings.everywhere(frame.place_of(host))]
        for region in (*possible, *(inherited.hosts if inherited is not None else ())):
            if region is not None and _changes(frame, region):
                regions[id(region)] = region
    if not regions or not borrowers:
        return []
    lent = Guard(frame.fresh_token(), list(regions.values()))
    for borrower in borrowers:
        frame.guards[frame.token(borrower)] = lent
    frame.lendings[tuple(borrowers)] = [lent]
    return [lent]


def _changes(frame: FunctionModel, region: ByteRegion) -> bool:
    """Memory that some op may write. Borrowed memory is never written; what it borrows from is guarded itself."""
    return not frame.is_read_only(region.storage) and region.storage not in frame.borrowed


def tensors(frame: FunctionModel, values: Iterable[SSAValue]) -> list[SSAValue]:
    """The values that carry bytes."""
    return [v for v in values if frame.has_bytes(v)]
