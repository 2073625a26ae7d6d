"""Copies at boundaries: before control enters or leaves a region, takes a branch or returns, tensors move to the places
that the values they become have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.lowering.context import LoweredCopy, LoweringContext
from lastuse.passes.lowering.data_movement_ops import move
from lastuse.passes.memory.copy_temporaries import ParallelMove, moves_into, return_moves, sequential_copies


def copy_forwarded(
    op: Operation, sources: Sequence[SSAValue], targets: Sequence[SSAValue], to: LoweringContext
) -> None:
    """Moves the tensors among `sources` to the places of `targets`: all are read, then all are written."""
    to.begin(op)
    pairs = [(s, t) for s, t in zip(sources, targets, strict=True) if to.is_tensor(t)]
    for number, nbytes in _move(op, moves_into(sources, targets, to.frame), [s for s, _ in pairs], to):
        to.note_copy(op, *pairs[number], nbytes, Reason.CONTROL_FLOW)


def lower_return(op: ReturnOp, to: LoweringContext) -> None:
    """Brings every result that is not computed in its own memory there: a parallel move."""
    for number, nbytes in _move(op, return_moves(op, to.frame), op.operands, to):
        value = op.operands[number]
        what = f"{attrs.display_name(value)} is copied into the memory of result {number}"
        to.copies.append(LoweredCopy(op, what, nbytes, to.reason_of(value, Reason.RETURNED), value))
    to.emit.add(ReturnOp(*to.scalars(op.operands)))


def _move(
    op: Operation, moves: Sequence[ParallelMove], values: Sequence[SSAValue], to: LoweringContext
) -> Iterator[tuple[int, int]]:
    """A parallel move: the number of each pair that is copied, which is that of the value moved, and its bytes."""
    targets = {m.number: to.at(m.target, to.frame.sizes[values[m.number]].dtype) for m in moves}
    sources = {m.number: to.at(m.source, to.frame.sizes[values[m.number]].dtype) for m in moves}
    order = sequential_copies(moves)
    for number in order.first:
        source, value = sources[number], values[number]
        sources[number] = to.temporary(source)
        to.emit.copy(source, sources[number])
        what = f"{attrs.display_name(value)} is copied to a temporary"
        to.copies.append(LoweredCopy(op, what, source.layout.nbytes, Reason.CYCLE, value))
    for number in order.then:
        if move(to.emit, sources[number], targets[number]):
            yield number, targets[number].layout.nbytes
