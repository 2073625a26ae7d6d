"""Ops that only move bytes: views that a plan made copies, scatters, concats, copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation

from lastuse.dialect.onednn.memory import Operand
from lastuse.dialect.onednn.primitives.base import Emitter
from lastuse.dialect.storage.contract import Contract, Contribution
from lastuse.dialect.storage.layout import Strided
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.lowering.box_difference import boxed, boxes_outside
from lastuse.passes.lowering.context import LoweringContext


def move(emit: Emitter, source: Operand, target: Operand) -> bool:
    """Copies `source` to `target`, which has as many elements; False where neither fits the other's sizes."""
    if source.shape != target.shape:
        fitted = source.reshaped(target.shape)
        if fitted is not None:
            source = fitted
        else:
            cut = target.reshaped(source.shape)
            if cut is None:
                return False
            target = cut
    emit.copy(source, target)
    return True


def lower_data_movement(
    op: Operation, contract: Contract, ins: Sequence[Operand], outs: Sequence[Operand], to: LoweringContext
) -> bool:
    """Emits the copies of an op that only moves bytes; False where a kernel has to run."""
    if contract.views and _lower_views(op, contract, ins, outs, to):
        return True
    moves = contract.contributions and not contract.fill
    return bool(moves) and _lower_contributions(op, contract, ins, outs[0], to)


def _lower_views(
    op: Operation, contract: Contract, ins: Sequence[Operand], outs: Sequence[Operand], to: LoweringContext
) -> bool:
    """Emits the copies of views that do not lie where their operand's bytes are; False where one is no copy."""
    for view in contract.views:
        source, target = ins[view.operand], outs[view.result]
        derived = view.map(source.layout)
        if derived is not None and source.at(derived).is_at(target):
            continue
        if derived is None and not view.whole:
            return False
        if not move(to.emit, source if derived is None else source.at(derived), target):
            return False
        if target.layout.elements:
            values = op.operands[view.operand], op.results[view.result]
            to.note_copy(op, *values, target.layout.nbytes, Reason.LAYOUT)
    return True


def _lower_contributions(
    op: Operation, contract: Contract, ins: Sequence[Operand], out: Operand, to: LoweringContext
) -> bool:
    """Emits the copies of contributions that are not in place already; False where a part is no strided place."""
    parts = [_part(c, out) for c in contract.contributions]
    if any(part is None for part in parts):
        return False
    others = [ins[c.operand] for c in contract.contributions if not c.complement]
    # The base of a scatter goes first: where it is copied whole, the parts are written over it.
    for c, part in sorted(zip(contract.contributions, parts, strict=True), key=lambda pair: not pair[0].complement):
        assert part is not None
        source, values = ins[c.operand], (op.operands[c.operand], op.results[0])
        if source.is_at(part):
            continue
        if c.complement:
            for from_, to_ in _rest(c, source, out, others):
                if to.emit.copy(from_, to_):
                    to.note_copy(op, *values, to_.layout.nbytes, Reason.TAKEN)
        elif part.layout.elements:
            fits = source.shape == part.shape or source.reshaped(part.shape) or part.reshaped(source.shape)
            if not fits or not move(to.emit, source, part):
                return False
            to.note_copy(op, *values, part.layout.nbytes, Reason.TAKEN)
    return True


def _part(carry: Contribution, out: Operand) -> Operand | None:
    if carry.complement:
        return out
    layout = carry.into(out.layout)
    return None if layout is None else out.at(layout)


def _rest(
    carry: Contribution, source: Operand, out: Operand, others: Sequence[Operand]
) -> Iterator[tuple[Operand, Operand]]:
    """The copies of the base of a scatter: whole, but without the bytes under the part where these would fall on bytes
    that are read."""
    if not source.clashes(out) and not any(other.clashes(out) for other in others):
        yield source, out
        return
    part = carry.into(Strided.dense(out.shape, 1))
    assert part is not None, "a part of a dense value is a strided place"
    for box in boxes_outside(out.shape, part):
        yield source.at(boxed(source.layout, box)), out.at(boxed(out.layout, box))
