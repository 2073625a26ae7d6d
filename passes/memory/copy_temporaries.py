"""Temporaries of boundaries and calls: for moves that form a cycle, and for operands that are passed as copies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.flow_graphs import block_ops, callee_of, calls_in, is_control
from lastuse.dialect.ir.region_branches import forwarded_operands
from lastuse.dialect.ir.region_contents import contents_of
from lastuse.dialect.ir.remembered import is_a
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.layout import aligned
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.parallel_copy import SequentialCopies, sequentialize
from lastuse.passes.memory.frame_layout import FrameLayout, FrameLocation


class Passed(NamedTuple):
    """How a call passes one of its operands.

    Attributes:
        tied: the result that ends in the parameter's memory.
        why: it is a copy, for this reason; empty where the operand itself is passed.
        is_temporary: the copy is a temporary of the call; without, it lies in the place of the tied result.
    """

    tied: int | None
    why: str
    is_temporary: bool


def passed(op: CallOp, callee: FuncOp, frame: FrameLayout) -> dict[int, Passed]:
    """How a call passes each operand that is a tensor, by number (docs/storage.md, 5).

    A parameter that the callee may write is a copy, unless the operand itself is given away.
    """
    ties = {k: r for r in range(len(op.results)) if (k := attrs.tied_argument(callee, r)) is not None}
    written = attrs.writable_arguments(callee)
    donations = attrs.operands_given_away(op)
    over = frame.decisions.over(op)
    modes: dict[int, Passed] = {}
    for k, operand in enumerate(op.operands):
        if operand not in frame.places:
            continue
        location, result = frame.location(operand), ties.get(k)
        target = None if result is None else frame.location(op.results[result])
        in_place = target is not None and result is not None and over[result] == k and target.is_at(location)
        why = ""
        if not location.is_dense:
            why = "the call takes it row-major"
        elif k in written and k not in donations and not in_place and location.layout.nbytes:
            why = "the call may write it, and it is not given away"
        modes[k] = Passed(result, why, bool(why) and (target is None or not target.is_dense))
    return modes


class ParallelMove(NamedTuple):
    """The bytes of `source` go to `target`. `number` names the pair to the caller."""

    number: int
    source: FrameLocation
    target: FrameLocation


def sequential_copies(moves: Iterable[ParallelMove]) -> SequentialCopies:
    """The copies of a parallel move in order, by the numbers of its pairs. Pairs in equal places, and those without
    elements, are left out."""
    copies = [m for m in moves if m.target.layout.elements and not m.source.is_at(m.target)]
    order = sequentialize(len(copies), lambda a, b: copies[b].source.clashes(copies[a].target))
    return SequentialCopies(tuple(copies[n].number for n in order.first), tuple(copies[n].number for n in order.then))


def return_moves(op: ReturnOp, frame: FrameLayout) -> list[ParallelMove]:
    """What a return moves: every result to its own memory."""
    returned = [(result, op.operands[result.number]) for result in frame.results]
    return [
        ParallelMove(result.number, frame.location(value), FrameLocation(result.argument, frame.own(value)))
        for result, value in returned
    ]


def moves_into(sources: Iterable[SSAValue], targets: Iterable[SSAValue], frame: FrameLayout) -> list[ParallelMove]:
    """What a boundary moves: the tensors among `sources` to the places of `targets`, numbered as they come. Forwarded
    ones stay where they are."""
    pairs = [(s, t) for s, t in zip(sources, targets, strict=True) if t in frame.places]
    moved = [(n, s, t) for n, (s, t) in enumerate(pairs) if not frame.is_forwarded(t)]
    return [ParallelMove(n, frame.location(s), frame.location(t)) for n, s, t in moved]


def stacked(sizes: Iterable[int]) -> int:
    """Bytes of temporaries one behind the other, each aligned."""
    used = 0
    for size in sizes:
        used = aligned(used) + size
    return used


def temporaries(
    func: FuncOp, frame: FrameLayout, functions: Mapping[str, FuncOp], program: NumberedOps | None = None
) -> dict[Operation, int]:
    """Bytes of the temporaries of each boundary and call while it runs; those that need none are left out.

    Args:
        functions: every function of the module that has a body, by name.
        program: the ops of the function, where they were looked up.
    """
    needs: dict[Operation, int] = {}
    for op in _movers_of(func) if program is None else _movers_in(program):
        if is_a(op, CallOp):
            callee = functions.get(callee_of(op))
            needs[op] = _of_call(op, callee, frame) if callee is not None else 0
        else:
            # The boundaries of one mover are crossed one after the other.
            for mover, moves in _boundaries(op, frame):
                needs[mover] = max(needs.get(mover, 0), _temporary_bytes(moves))
    return {op: nbytes for op, nbytes in needs.items() if nbytes}


def _movers_of(op: Operation) -> list[Operation]:
    """The calls, the ops of known control flow and the last ops of blocks in the regions of an op, however deep, but
    those of kernels whose regions have no tensor."""
    found: list[Operation] = []
    for block in (block for region in op.regions for block in region.blocks):
        for inner in block_ops(block):
            if inner.next_op is None or is_a(inner, CallOp) or is_control(type(inner)):
                found.append(inner)
            if inner.regions and contents_of(inner).has_tensors:
                found += _movers_of(inner)
    return found


def _movers_in(program: NumberedOps) -> list[Operation]:
    """As `_movers_of` a function, in the order that its ops have."""
    ends = [ops[-1] for ops in program.order.values() if ops]
    control = [op for op in program.entered if is_control(type(op))]
    return sorted({*calls_in(program.func), *control, *ends}, key=program.at.__getitem__)


def _boundaries(op: Operation, frame: FrameLayout) -> Iterator[tuple[Operation, list[ParallelMove]]]:
    """What moves at each boundary of `op`, and the op that moves it."""
    if is_a(op, ReturnOp):
        yield op, return_moves(op, frame)
    else:
        yield from ((mover, moves_into(sources, targets, frame)) for mover, sources, targets in forwarded_operands(op))


def _temporary_bytes(moves: list[ParallelMove]) -> int:
    sources = {m.number: m.source for m in moves}
    return stacked(sources[n].layout.nbytes for n in sequential_copies(moves).first)


def _of_call(op: CallOp, callee: FuncOp, frame: FrameLayout) -> int:
    how = passed(op, callee, frame)
    ins = [frame.location(op.operands[k]).layout.nbytes for k, p in how.items() if p.is_temporary]
    tied = {p.tied for p in how.values()}
    places = [frame.location(v) for r, v in enumerate(op.results) if v in frame.places and r not in tied]
    return stacked([*ins, *(p.layout.nbytes for p in places if not p.layout.is_dense)])
