"""Boundaries: parallel moves into slots, the return, calls (docs/storage.md, 5)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.flow_graphs import called_from
from lastuse.dialect.ir.remembered import is_class
from lastuse.dialect.ir.tensor_types import product
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import ARENA, Storage, assign_places
from lastuse.dialect.storage.assignment import PlaceKind as StorageKind
from lastuse.dialect.storage.layout import ALIGNMENT, is_dense, same_bytes
from lastuse.passes.checker.byte_regions import ByteRegion
from lastuse.passes.checker.function_model import FunctionModel, Guard, Transfer
from lastuse.passes.checker.geometry import is_exactly
from lastuse.passes.checker.transfer import add_guard
from lastuse.passes.checker.violation import Decision, ViolationKind

Pairs = Sequence[tuple[SSAValue, SSAValue]]
"""(source, destination) of each move."""


def move_effect(frame: FunctionModel, op: Operation, pairs: Pairs) -> Transfer:
    """One parallel move, performed by `op`: all sources are read, then all destinations written. A pair with equal
    places moves nothing.

    A borrowed source may lie on any destination: what performs the move has to read it first, whatever the places say.
    A forwarded target lies where its source is from then on.
    """
    effect = Transfer(op)
    moved: list[tuple[SSAValue, SSAValue]] = []
    written: list[tuple[SSAValue, ByteRegion]] = []
    for source, target in pairs:
        if frame.is_forwarded(target):
            _forward(frame, effect, source, target)
            continue
        region = frame.region(target)
        if region is None:
            continue
        effect.reads += frame.reads([source])
        frame.check_not_borrowed(op, target, region)
        again = _check_destinations(frame, op, source, target, moved)
        if again or _same(frame, source, target):
            effect.adds.append((region, frame.token(target)))
        else:
            frame.write(effect, target, region)
            written.append((target, region))
        moved.append((source, target))
    if frame.bindings.storages:
        for target, region in written:
            _check_hidden(frame, op, pairs, target, region)
    return effect


def _forward(frame: FunctionModel, effect: Transfer, source: SSAValue, target: SSAValue) -> None:
    """The target is bound to the place of its source, which must be one as any other source of the target has."""
    region = frame.region(source)
    if region is None:
        return
    effect.reads.extend(frame.reads([source]))
    place = frame.bindings.physical(frame.place_of(source))
    decisions = frame.decisions_for(target)
    lends = frame.token(source) in frame.guards or region.storage in frame.borrowed or region.storage in frame.lent
    if lends:
        frame.report(ViolationKind.BORROWED, effect.op, source, region, also=decisions)
    if frame.place_of(target).storage in frame.bindings.hidden:
        return
    if not frame.bindings.is_candidate(frame.place_of(target).storage, place.layout):
        frame.report(ViolationKind.FORWARDED, effect.op, target, region, also=decisions)
        return
    effect.binds[frame.place_of(target).storage] = place
    effect.adds.append((region, frame.token(target)))


def _check_hidden(frame: FunctionModel, op: Operation, pairs: Pairs, target: SSAValue, region: ByteRegion) -> None:
    """A move writes no byte of a source that the places do not show there: what is forwarded stays, and copies are put
    in an order that the places give."""
    varies, place_of = frame.bindings.varies, frame.place_of
    for source, other in pairs:
        if not frame.has_bytes(source):
            continue
        hidden = varies(place_of(source)) or varies(place_of(target))
        if frame.is_forwarded(other) or (hidden and place_of(source).storage != place_of(target).storage):
            frame.check_apart(ViolationKind.MOVES_OVERLAP, op, source, frame.region(source), region, target)


def _same(frame: FunctionModel, a: SSAValue, b: SSAValue) -> bool:
    return frame.has_bytes(a) and frame.has_bytes(b) and is_exactly(frame.place_of(a), frame.place_of(b))


def _check_destinations(frame: FunctionModel, op: Operation, source: SSAValue, target: SSAValue, moved: Pairs) -> bool:
    """Destinations are apart, or one source goes to one place twice; true then."""
    again = False
    for other_source, other in moved:
        same_source = _same(frame, source, other_source) and frame.home(source) is frame.home(other_source)
        if same_source and _same(frame, target, other):
            again = True
        else:
            regions = frame.region(other), frame.region(target)
            frame.check_apart(ViolationKind.MOVES_OVERLAP, op, other, *regions, target)
    return again


# Return


def return_effect(frame: FunctionModel, op: Operation) -> Transfer:
    """Every returned value must be whole; what is returned where is one parallel move, read before it is written.

    Results that are not tied return in their own place or in fresh memory: neither can go wrong. Tied ones end in
    memory that is writable by being tied, each in an argument of its own, where no forwarded result may lie. Lent ones
    that are in memory of an argument are lent from that one, and the function does not write it.
    """
    for index, target in enumerate(op.operands if frame.bindings.storages else ()):
        tied = attrs.tied_argument(frame.function, index)
        region = frame.region(frame.arguments[tied]) if tied is not None else None
        for value in op.operands if region is not None else ():
            if frame.has_bytes(value) and frame.bindings.varies(frame.place_of(value)):
                frame.check_apart(ViolationKind.MOVES_OVERLAP, op, value, frame.region(value), region, target)
    for index, value in enumerate(op.operands):
        lent = attrs.lent_arguments(frame.function, index)
        if lent and frame.has_bytes(value):
            storage = frame.bindings.physical(frame.place_of(value)).storage
            if storage.kind is StorageKind.ARGUMENT and not (storage.key in lent and frame.is_read_only(storage)):
                frame.report(ViolationKind.LENT, op, value, frame.region(value))
    return Transfer(op, frame.reads(op.operands))


def check_ties(frame: FunctionModel) -> None:
    """Report results that cannot end in the memory of the argument they are tied to, and shared numbers."""
    function = frame.function
    ends: dict[int, int] = {}
    for returned in [op for op in frame.ops if is_class(type(op), func.ReturnOp)]:
        for index, value in enumerate(returned.operands):
            tied = attrs.tied_argument(function, index)
            if tied is None:
                continue
            fits = 0 <= tied < len(frame.arguments) and _same_size(frame, value, frame.arguments[tied])
            if not fits or ends.setdefault(tied, index) != index:
                frame.report(ViolationKind.TIED, returned, value)
    numbers: dict[int, BlockArgument] = {}
    for argument in frame.arguments:
        number = attrs.argument_reuse(argument)
        if number < 0 or not frame.has_bytes(argument):
            continue
        if numbers.setdefault(number, argument) is not argument:
            decision = Decision(argument, attrs.REUSE)
            frame.report(ViolationKind.SHARED_NUMBER, function, argument, frame.region(argument), also=(decision,))


def _same_size(frame: FunctionModel, a: SSAValue, b: SSAValue) -> bool:
    if not frame.has_bytes(a) or not frame.has_bytes(b):
        return False
    one, other = frame.place_of(a), frame.place_of(b)
    if one.storage == other.storage and same_bytes(one.layout, other.layout):
        return True
    one, other = frame.placed.sizes[a], frame.placed.sizes[b]
    return product(one.known) == product(other.known) and one.dtype == other.dtype


# Calls


def call_effect(frame: FunctionModel, op: Operation, callee: FuncOp) -> Transfer:
    """A call of a function of this module. The callee is checked alone and has a frame of its own.

    Operands are read. A written parameter gets a copy, unless the operand itself is given: by `dnn.donate`, or by a
    tied result that is in place over it. A given operand holds nothing afterwards.
    """
    donations = _donated_operands(frame, op, callee)
    results = [r for r in op.results if frame.has_bytes(r)]
    over = {r: k for r in results if (k := attrs.inplace(op)[r.index]) >= 0 and k in donations}
    effect = Transfer(op, frame.reads(op.operands))
    for k in donations:
        _give(frame, op, k, effect, takes_strides=attrs.STRIDED in callee.attributes)
    for index, result in enumerate(results):
        region = frame.region(result)
        if region is None:
            continue
        frame.write(effect, result, region)
        for k, operand in enumerate(op.operands):
            if over.get(result) != k:
                frame.check_apart(ViolationKind.OVERLAP, op, operand, frame.region(operand), region, result)
        for other in results[:index]:
            frame.check_apart(ViolationKind.RESULTS_OVERLAP, op, other, frame.region(other), region, result)
    own = [(r, frame.region(r)) for r in results]
    frame.check_lenders(ViolationKind.OVERLAP, op, effect.reads, own)
    taken = [(op.operands[k], frame.region(op.operands[k])) for k in donations]
    frame.check_lenders(ViolationKind.DONATED, op, effect.reads, taken)
    effect.lends = _guards_of_results(frame, op, callee, donations, [r for r in results if r not in over])
    return effect


def give_to_unknown(frame: FunctionModel, op: Operation, effect: Transfer) -> None:
    """A function without a body gets some operands themselves: they hold nothing afterwards, but for the results that
    may be there."""
    numbers = [k for k in sorted(attrs.operands_given_away(op)) if k < len(op.operands)]
    given = [k for k in numbers if frame.has_bytes(op.operands[k])]
    for k in given:
        _give(frame, op, k, effect)
    taken = [(op.operands[k], frame.region(op.operands[k])) for k in given]
    frame.check_lenders(ViolationKind.DONATED, op, effect.reads, taken)


def _donated_operands(frame: FunctionModel, op: Operation, callee: FuncOp) -> list[int]:
    """Numbers of the operands passed themselves to a parameter that the callee may write."""
    numbers = {k for k in attrs.operands_given_away(op) if 0 <= k < len(op.operands)}
    for result, k in zip(op.results, attrs.inplace(op), strict=True):
        if k >= 0 and attrs.tied_argument(callee, result.index) == k and _same(frame, op.operands[k], result):
            numbers.add(k)
    return sorted(k for k in numbers if frame.has_bytes(op.operands[k]))


def _give(frame: FunctionModel, op: Operation, k: int, effect: Transfer, takes_strides: bool = False) -> None:
    """The operand's memory is the callee's alone during the call: writable, and dense unless the callee takes it at any
    strides."""
    operand = op.operands[k]
    region = frame.region(operand)
    if region is None:
        return
    decisions = (Decision(op, attrs.DONATE), *frame.decisions_on(op))
    rules = (
        (ViolationKind.BORROWED, region.storage in frame.borrowed),
        (ViolationKind.READ_ONLY, frame.is_read_only(region.storage)),
        (ViolationKind.STRIDED, not takes_strides and not is_dense(frame.place_of(operand).layout)),
    )
    for kind, is_broken in rules:
        if is_broken:
            frame.report(kind, op, operand, region, also=decisions)
    for other, value in enumerate(op.operands):
        if other != k:
            frame.check_apart(ViolationKind.DONATED, op, operand, region, frame.region(value))
    frame.ruin(effect, region)


def _guards_of_results(
    frame: FunctionModel, op: Operation, callee: FuncOp, donations: Sequence[int], results: Sequence[OpResult]
) -> list[Guard]:
    """A result may return in the memory of a parameter that it is lent from, or, if the function says nothing of it, of
    a donated one: then it is valid until a write to those bytes."""
    all_guards: list[Guard] = []
    for result in results:
        lent = attrs.lent_arguments(callee, result.index)
        if lent is None:
            lent = _possible_ends(callee, result.index, donations)
        guards = add_guard(frame, [result], [op.operands[k] for k in lent if k < len(op.operands)])
        if (storage := frame.place_of(result).storage).key is result:
            frame.lent.update((storage, g) for g in guards)
        all_guards += guards
    return all_guards


def _possible_ends(callee: FuncOp, result: int, donations: Sequence[int]) -> Sequence[int]:
    """The donated parameters in whose memory a function may leave a result that it promises nothing of."""
    if not donations:
        return ()
    placed = assign_places(callee)
    inner = list(callee.walk())
    if any(isinstance(o, func.CallOp) for o in inner):  # may have lent it further
        return donations
    ends = {placed.of[o.operands[result]].storage for o in inner if isinstance(o, func.ReturnOp)}
    return [k for k in donations if Storage(StorageKind.ARGUMENT, k) in ends]


def recursive(function: FuncOp, frame: FunctionModel) -> Operation | None:
    """A call through which the function may call itself."""
    name = function.sym_name.data
    calls = ((op, frame.callee(op)) for op in frame.ops)
    return next((op for op, f in calls if f is not None and name in called_from(f, frame.functions)), None)


def check_slots(frame: FunctionModel) -> None:
    """Report arguments of blocks that `dnn.succ_offset` puts at no multiple of the alignment. If predecessors
    disagree on the offset of an argument, the attribute is ignored."""
    for op in frame.ops:
        if attrs.SUCC_OFFSET not in op.attributes:
            continue
        for block in attrs.blocks_after(op):
            for argument, offset in zip(
                block.args, attrs.slot_entries(op, attrs.SUCC_OFFSET, block) or (), strict=False
            ):
                placed = frame.has_bytes(argument) and frame.place_of(argument).storage == ARENA
                region = frame.region(argument) if placed else None
                if offset > 0 and offset % ALIGNMENT and region is not None:
                    decisions = (Decision(op, attrs.SUCC_OFFSET),)
                    frame.report(ViolationKind.MISALIGNED, op, argument, region, also=decisions)
