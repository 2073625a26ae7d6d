"""Recurrent layers: which direction a step computes, and which parts of operands and results are its own."""

from __future__ import annotations

from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.recurrent import OneDnnRecurrentOp, RecurrentPrimitive
from lastuse.dialect.storage.layout import LayoutMap, Strided
from lastuse.passes.lowering_checker.cells import CellRegion
from lastuse.passes.lowering_checker.codes import Row
from lastuse.passes.lowering_checker.operands import Form, StepOperands, Use, equal, other, sizes_of
from lastuse.passes.lowering_checker.signature import Mismatch
from lastuse.passes.lowering_checker.source_values import Contents, Values


def recurrent_form(step: OneDnnRecurrentOp, chosen: Primitive, operands: StepOperands) -> Form:
    """One direction: its part of each operand but x, which it shares, and of each result."""
    if not isinstance(chosen, RecurrentPrimitive):
        raise other(operands)
    op, is_lstm = operands.op, chosen.cell == "lstm"
    given = chosen.given
    operands.expect(step.cell.data == chosen.cell and step.given == given)
    operands.expect(step.is_reverse in chosen.reverse)
    operands.counts(len(op.operands), 3 if is_lstm else 2)
    first = 3 + given.bias + given.lengths
    states = range(first, first + given.h + given.c)
    operands.expect(len(op.operands) == states.stop + given.peephole)
    direction, by_batch = chosen.reverse.index(step.is_reverse), chosen.batch_first
    ties = step.input_forget is not None and bool(step.input_forget.value.data)
    operands.expect(step.stated_functions == chosen.functions[direction] and ties == chosen.ties_forget)
    operands.expect(equal(step.limit, chosen.limit))
    state = _part(1 if by_batch else 0, direction, (0, 1))
    uses: list[Use] = []
    for number, value in enumerate(op.operands):
        if number == 0:
            map_ = _turned if by_batch else _whole
        elif given.lengths and number == first - 1:
            map_ = _whole
        else:
            map_ = state if number in states else _part(0, direction)
        row = _held(operands.values, f"in {number}", operands.ins[number], operands.operand(number), map_)
        uses.append(Use(number, row, value))
    output = _part(2, direction, (1, 0, 2)) if by_batch else _part(1, direction)
    makes: list[Row] = []
    for number, result in enumerate(op.results):
        held = operands.values.tensors[result]
        makes.append(_held(operands.values, f"out {number}", operands.outs[number], held, state if number else output))
    # The last states are written when the first ones have been read.
    ends = [out for out, is_there in ((1, given.h), (2, given.c)) if is_there]
    over = frozenset(zip(ends, states, strict=True))
    return Form(uses, makes, over)


def _held(values: Values, place: str, region: CellRegion, held: Contents, map_: LayoutMap) -> Row:
    """What the region has to hold: the part of a value that `map_` gives; it has that part's sizes, but for sizes of 1
    in front."""
    dense = map_(Strided.dense(held.shape, held.item))
    row = values.view(held, map_)
    assert dense is not None and row is not None
    if region.dtype != held.dtype or region.shape[-len(dense.sizes) :] != dense.sizes:
        raise Mismatch(f"{place} has sizes {sizes_of(region.shape)}, not {sizes_of(dense.sizes)}")
    return row


def _part(axis: int, index: int, order: tuple[int, ...] | None = None) -> LayoutMap:
    """Element `index` of an axis, the other axes in that order."""

    def map_(m: Strided) -> Strided:
        rest = [k for k in range(len(m.sizes)) if k != axis]
        axes = rest if order is None else [rest[k] for k in order]
        offset = m.offset + index * m.strides[axis]
        return Strided(offset, tuple(m.sizes[k] for k in axes), tuple(m.strides[k] for k in axes), m.item)

    return map_


def _whole(m: Strided) -> Strided:
    return m


def _turned(m: Strided) -> Strided:
    """The first two axes exchanged."""
    (a, b, *rest), (c, d, *steps) = m.sizes, m.strides
    return Strided(m.offset, (b, a, *rest), (d, c, *steps), m.item)
