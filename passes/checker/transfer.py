"""What one op does: kernels, carriers, copies of views, foreign ops; and the rules it may break by itself.

Rules about other ops (does the operand still hold its bytes?) are left to the state: a `Transfer` lists what is read
and written. Rules within one op (overlap, permission, read-only, strides) are checked here, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.ir.symbolic_shape import Dim
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import ARENA, Place
from lastuse.dialect.storage.assignment import PlaceKind as StorageKind
from lastuse.dialect.storage.contract import Contract, Contribution, holds_nothing
from lastuse.dialect.storage.layout import ALIGNMENT, LayoutMap, Strided
from lastuse.passes.checker.function_model import FunctionModel, Guard, RequiredRead, Transfer, tensors
from lastuse.passes.checker.geometry import is_exactly, overlap, same_place, same_range
from lastuse.passes.checker.memory import ByteRegion, in_order
from lastuse.passes.checker.runs import difference, intersection, of_bytes, runs_of, union
from lastuse.passes.checker.violation import Decision, ViolationKind

_EXPANDED_BYTES = 1 << 24
"""Places that are no strided map of a strided place are looked at byte by byte, up to this size."""


class ContributedBytes(NamedTuple):
    """A contribution: bytes of `operand` that are bytes of `result`. Either region is None without bytes."""

    operand: SSAValue
    result: OpResult
    source: ByteRegion | None
    target: ByteRegion | None
    in_position: bool


def effect_of(frame: FunctionModel, op: Operation) -> Transfer | None:
    """The effect of an op that is neither a boundary nor a call; None for one that touches no bytes."""
    operands, results = tensors(frame, op.operands), [r for r in op.results if frame.has_bytes(r)]
    if not operands and not results:
        return None
    contract = frame.contract(op)
    if contract.constant:
        return None
    if contract.foreign:
        return foreign_effect(frame, op, operands)
    moves = _moves(frame, op, contract) if contract.views or contract.contributions else []
    if moves is None:
        moves, contract = [], contract._replace(over=())  # its kernel makes the result from outside, never in place
    carried = {m.result for m in moves}
    written = [r for r in results if r not in carried and frame.home(r) is r and not holds_nothing(r)]
    whole = _read_whole(frame, op, contract) if written or not results else []
    operands = [op.operands[k] for k in whole]
    reads = [read for v in dict.fromkeys(operands) for read in frame.read(v)]
    reads += [RequiredRead(m.operand, frame.token(m.operand), m.source) for m in moves if m.source is not None]
    effect = Transfer(op, reads, _writes(frame, op, moves, written), _adds(frame, op, moves))
    _check_kernel(frame, op, contract, written, whole)
    _check_copies(frame, op, moves)
    copied = {m.result: None for m in moves if not m.in_position}
    apart = [(r, frame.region(r)) for r in (*written, *copied)]
    if len(apart) > 1:
        _check_apart(frame, op, apart)
    if contract.scratch:
        _check_scratch(frame, op, contract, effect, [*apart, *((v, frame.region(v)) for v in operands)])
    _check_alignment(frame, op)
    if frame.guards:
        frame.check_lenders(
            ViolationKind.COPY_OVERLAP if copied else ViolationKind.OVERLAP, op, reads, _written(frame, effect, op)
        )
    return effect


def _written(frame: FunctionModel, effect: Transfer, op: Operation) -> list[tuple[SSAValue | None, ByteRegion | None]]:
    """All regions an op writes; the value is only for the message."""
    value = op.results[0] if op.results and frame.has_bytes(op.results[0]) else None
    return [(value, region) for region, _ in effect.writes]


def _read_whole(frame: FunctionModel, op: Operation, contract: Contract) -> list[int]:
    """The operands a kernel reads: whole, until its last byte is written."""
    return [k for k, v in enumerate(op.operands) if k not in contract.metadata_only and frame.has_bytes(v)]


def _writes(
    frame: FunctionModel, op: Operation, moves: Sequence[ContributedBytes], written: Sequence[OpResult]
) -> list[tuple[ByteRegion, int]]:
    regions = [(m.target, m.result) for m in moves if not m.in_position] + [(frame.region(r), r) for r in written]
    found: list[tuple[ByteRegion, int]] = []
    for region, result in regions:
        if region is not None:
            frame.check_write(op, result, region)
            found.append((region, frame.label(result, op)))
    return found


def _adds(frame: FunctionModel, op: Operation, moves: Sequence[ContributedBytes]) -> list[tuple[ByteRegion, int]]:
    found: list[tuple[ByteRegion, int]] = []
    for move in moves:
        if move.in_position and move.target is not None:
            frame.check_not_borrowed(op, move.result, move.target)
            found.append((move.target, frame.token(move.result)))
    return found


# Contributions


def _moves(frame: FunctionModel, op: Operation, contract: Contract) -> list[ContributedBytes] | None:
    """All contributions of the op, or None where it is to be taken for a kernel: a map that cannot be followed."""
    moves: list[ContributedBytes] = []
    for view in contract.views:
        result = op.results[view.result]
        if not frame.has_bytes(result) or frame.is_true_view(result):
            continue
        operand = op.operands[view.operand]
        source, target = frame.place(operand), frame.place(result)
        region, layout = _mapped(frame, source, view.map)
        if region is None and frame.region(result) is not None:
            region = frame.region(operand)
        here = layout is not None and source.storage == target.storage and same_place(layout, target.layout)
        whole = view.whole and source.storage == target.storage and same_range(source.layout, target.layout)
        moves.append(ContributedBytes(operand, result, region, frame.region(result), here or whole))
    for carry in contract.contributions:
        move = _carried(frame, op, contract, carry)
        if move is None:
            return None
        moves.append(move)
    if contract.fill and contract.contributions:
        moves.extend(_fill(frame, op, moves))
    return moves


def _carried(frame: FunctionModel, op: Operation, contract: Contract, carry: Contribution) -> ContributedBytes | None:
    operand, result = op.operands[carry.operand], op.results[0]
    source, target = frame.place(operand), frame.place(result)
    same_storage = source.storage == target.storage
    if not isinstance(target.layout, Strided) or not isinstance(source.layout, Strided):
        # Of unknown size: the one contribution of a copy is the whole, any other is somewhere in the result.
        alone = len(contract.contributions) == 1 and not carry.complement and not contract.fill
        here = alone and same_storage and same_range(source.layout, target.layout)
        return ContributedBytes(operand, result, frame.region(operand), frame.region(result), here)
    part, layout = _mapped(frame, target, carry.into)
    if part is None and _count(carry.into, target.layout) != 0:
        return None
    if part is not None and part.runs is not None and part.runs.nbytes != _count(carry.into, target.layout):
        return None  # some byte belongs to two elements: which one stays is the kernel's affair
    if not carry.complement:
        here = same_storage and layout is not None and same_place(layout, source.layout)
        return ContributedBytes(operand, result, frame.region(operand), part, here)
    ruins, _ = _mapped(frame, source, carry.into)
    if ruins is None and _count(carry.into, source.layout) != 0:
        return None
    here = same_storage and same_place(source.layout, target.layout)
    kept = _without(frame, frame.region(operand), ruins)
    return ContributedBytes(operand, result, kept, _without(frame, frame.region(result), part), here)


def _fill(frame: FunctionModel, op: Operation, moves: Sequence[ContributedBytes]) -> list[ContributedBytes]:
    """The bytes outside every contribution: written by the op itself, from nowhere."""
    result = op.results[0]
    whole, covered = frame.region(result), None
    for move in moves:
        if move.target is not None:
            covered = union(covered, move.target.runs)
    if whole is None or whole.runs is None:
        return [ContributedBytes(op.operands[0], result, None, whole, False)]
    rest = difference(whole.runs, covered)
    return (
        [ContributedBytes(op.operands[0], result, None, frame.memory.of_runs(whole.storage, rest), False)]
        if rest
        else []
    )


def _mapped(frame: FunctionModel, place: Place, map_: LayoutMap) -> tuple[ByteRegion | None, Strided | None]:
    """The bytes that a map picks out of a value at `place`, with their layout where it is strided; no region where
    the map cannot be followed, or picks nothing."""
    if not isinstance(place.layout, Strided):
        return None, None
    layout = map_(place.layout)
    if layout is not None:
        return frame.memory.region(place.storage, layout), layout
    dense = map_(Strided.dense(place.layout.sizes, place.layout.item))
    if dense is None or max(dense.nbytes, place.layout.nbytes) > _EXPANDED_BYTES:
        return None, None
    runs = of_bytes(place.layout.bytes()[dense.bytes()])
    return (frame.memory.of_runs(place.storage, runs) if runs is not None else None), None


def _count(map_: LayoutMap, layout: Strided) -> int | None:
    """Bytes that a map picks out of a value; None if it cannot be followed."""
    picked = map_(Strided.dense(layout.sizes, layout.item))
    return picked.nbytes if picked is not None else None


def _without(frame: FunctionModel, whole: ByteRegion | None, part: ByteRegion | None) -> ByteRegion | None:
    if whole is None or part is None or whole.runs is None:
        return whole
    rest = difference(whole.runs, part.runs)
    return frame.memory.of_runs(whole.storage, rest) if rest is not None else None


# Rules within one op


def _check_kernel(
    frame: FunctionModel, op: Operation, contract: Contract, written: Sequence[OpResult], whole: Sequence[int]
) -> None:
    """Overlap and permission, and strides; `whole` numbers the operands that are read."""
    regions = [(k, frame.region(op.operands[k])) for k in whole]
    for result in written:
        region = frame.region(result)
        meets = [k for k, met in regions if overlap(met, region)]
        if meets and region is not None and (refused := _refused(frame, op, contract, result, meets)) is not None:
            operand = op.operands[refused]
            met = frame.region(operand)
            assert met is not None
            frame.report_overlap(ViolationKind.OVERLAP, op, operand, met, region, result)
    if contract.strided:
        return
    for value in (*written, *(op.operands[k] for k in whole)):
        layout, region = frame.place(value).layout, frame.region(value)
        if region is not None and isinstance(layout, Strided) and not layout.is_dense:
            frame.report(ViolationKind.STRIDED, op, value, region, written=value if value in op.results else None)


def _refused(
    frame: FunctionModel, op: Operation, contract: Contract, result: OpResult, meets: Sequence[int]
) -> int | None:
    """The number of an operand that `result` must not lie on; None where the op may write it over all of `meets`."""
    place, refused = frame.place(result), meets[0]
    for over in contract.over:
        if over.result != result.index or over.operand not in meets:
            continue
        target = op.operands[over.operand]
        same_type = frame.placed.sizes[target].dtype == frame.placed.sizes[result].dtype
        if not same_type or not is_exactly(place, frame.place(target)):
            continue
        others = [k for k in meets if k != over.operand]
        bad = [k for k in others if not (over.allow_same_operand and is_exactly(place, frame.place(op.operands[k])))]
        if not bad:
            return None
        refused = bad[0]
    return refused


def _check_copies(frame: FunctionModel, op: Operation, moves: Sequence[ContributedBytes]) -> None:
    """No copied byte lands on a source byte of any contribution: they run in no order, without a buffer."""
    for move in moves:
        if move.in_position or move.target is None:
            continue
        for other in moves:
            if other.source is not None and overlap(move.target, other.source):
                frame.report_overlap(
                    ViolationKind.COPY_OVERLAP, op, other.operand, other.source, move.target, move.result
                )


def _check_apart(frame: FunctionModel, op: Operation, regions: Sequence[tuple[OpResult, ByteRegion | None]]) -> None:
    """All results, dead ones too, occupy their places at once."""
    for index, (result, region) in enumerate(regions):
        for other, met in regions[:index]:
            if overlap(region, met) and region is not None and met is not None:
                frame.report_overlap(ViolationKind.RESULTS_OVERLAP, op, other, met, region, result)


def _check_scratch(
    frame: FunctionModel,
    op: Operation,
    contract: Contract,
    effect: Transfer,
    used: Iterable[tuple[SSAValue, ByteRegion | None]],
) -> None:
    """Scratch in the arena is a result without readers, apart from all operands and results of the op."""
    given = op.attributes.get(attrs.SCRATCH_OFFSET)
    if not isinstance(given, IntegerAttr) or given.value.data < 0:
        return
    decision = (Decision(op, attrs.SCRATCH_OFFSET),)
    low: Dim = frame.in_units(given.value.data)
    region = _arena(frame, low, contract.scratch)
    if given.value.data % ALIGNMENT:
        frame.report(ViolationKind.MISALIGNED, op, None, region, also=decision)
    if not in_order(region.high, frame.arena_bytes):
        frame.report(ViolationKind.OUT_OF_BOUNDS, op, None, region, also=decision)
    for value, met in used:
        if met is not None and overlap(met, region):
            common = intersection(met.runs, region.runs)
            bytes_ = common.first if common is not None else None
            frame.report(ViolationKind.SCRATCH_OVERLAP, op, value, met, bytes_=bytes_, destroyers=(op,), also=decision)
    frame.note_write(region)
    effect.writes = [*effect.writes, (region, frame.memory.label(frozenset(), (op,)))]


def _arena(frame: FunctionModel, low: Dim, size: int) -> ByteRegion:
    if isinstance(low, int):
        runs = runs_of(Strided(low, (size,), (1,), 1))
        assert runs is not None
        return frame.memory.of_runs(ARENA, runs)
    return frame.memory.of_range(ARENA, low, low + size)


def _check_alignment(frame: FunctionModel, op: Operation) -> None:
    if attrs.OFFSET not in op.attributes:
        return
    for result, offset in zip(op.results, attrs.offsets(op), strict=True):
        region = frame.region(result) if offset > 0 and frame.has_bytes(result) else None
        if offset % ALIGNMENT and region is not None:
            frame.report(ViolationKind.MISALIGNED, op, result, region)


# Foreign ops


def foreign_effect(
    frame: FunctionModel, op: Operation, sources: Sequence[SSAValue], hosts: Sequence[SSAValue] = ()
) -> Transfer:
    """Reads `sources`; each result is fresh, or any bytes of `sources` and `hosts`."""
    results = tensors(frame, op.results)
    for result in results:
        storage = frame.place(result).storage
        region = frame.region(result)
        if storage.kind not in (StorageKind.BORROWED, StorageKind.OWN) or storage.key is not result:
            frame.report(ViolationKind.FOREIGN_PLACED, op, result, region, written=result)
    writes = [(region, frame.label(r, op)) for r in results if (region := frame.region(r)) is not None]
    reads = [read for v in dict.fromkeys(sources) for read in frame.read(v)]
    return Transfer(op, reads, writes, lends=guard(frame, results, (*sources, *hosts)))


def guard(frame: FunctionModel, borrowers: Sequence[SSAValue], hosts: Iterable[SSAValue]) -> list[Guard]:
    """Guard the bytes that `borrowers` may be: the tokens that must stay there as long as these are good."""
    regions: dict[int, ByteRegion] = {}
    for host in hosts:
        inherited = frame.guards.get(frame.token(host))
        for region in (frame.region(host), *(inherited.hosts if inherited is not None else ())):
            if region is not None and _changes(frame, region):
                regions[id(region)] = region
    if not regions or not borrowers:
        return []
    lent = Guard(frame.fresh_token(), list(regions.values()))
    for borrower in borrowers:
        frame.guards[frame.token(borrower)] = lent
    return [lent]


def _changes(frame: FunctionModel, region: ByteRegion) -> bool:
    """Memory that some op may write. Borrowed memory is never written; what it borrows from is guarded itself."""
    kind, key = region.storage.kind, region.storage.key
    if kind is StorageKind.ARGUMENT:
        return key in frame.writable
    return kind is not StorageKind.CONSTANT and region.storage not in frame.borrowed
