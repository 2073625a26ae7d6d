"""What a step is held against: the op that it names, the regions of its operands, and what these have to hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.storage.layout import LayoutMap
from lastuse.passes.lowering_checker.cells import CellRegion
from lastuse.passes.lowering_checker.codes import Row
from lastuse.passes.lowering_checker.signature import Mismatch
from lastuse.passes.lowering_checker.source_values import Contents, Values

Pairs = frozenset[tuple[int, int]]
NO_PAIRS: Pairs = frozenset()
FIRST: Pairs = frozenset({(0, 0)})


class Use(NamedTuple):
    """A step reads in `number` as the value `of`, which is what `row` says."""

    number: int
    row: Row
    of: SSAValue | str


class Form(NamedTuple):
    """What a step does, if it does what its op means.

    Attributes:
        uses: what it reads; exchanged: or else this, where two operands may change places.
        makes: for each out what it holds then.
        over, repeats: (out, in) pairs that may be the same bytes; those where other ins may be there too.
        parts: (in, map) where the in may be the part of the out that the map gives.
    """

    uses: list[Use]
    makes: list[Row]
    over: Pairs = NO_PAIRS
    repeats: Pairs = NO_PAIRS
    exchanged: list[Use] | None = None
    parts: tuple[tuple[int, LayoutMap], ...] = ()


class StepOperands(NamedTuple):
    """A step, the op of the source that it names, and where its ins and outs are."""

    op: Operation
    ins: Sequence[CellRegion]
    outs: Sequence[CellRegion]
    values: Values

    def operand(self, number: int) -> Contents:
        """What an operand of the op holds.

        Raises:
            Refusal: it is not computed yet.
        """
        contents = self.values.tensors.get(self.op.operands[number])
        if contents is None:
            raise Mismatch(f"operand {number} of {self.op.name} is not there yet")
        return contents

    def use(self, number: int, operand: int, shape: tuple[int, ...] | None = None) -> Use:
        """In `number` is that operand of the op, element by element, of the sizes given or of as many elements."""
        held = self.operand(operand)
        _check_fit(f"in {number}", self.ins[number], f"operand {operand}", held, shape)
        return Use(number, held.row, self.op.operands[operand])

    def same_use(self, number: int, operand: int) -> Use:
        """In `number` is that operand, of the same sizes."""
        return self.use(number, operand, self.operand(operand).shape)

    def output(self, number: int, result: int, shape: tuple[int, ...] | None = None) -> Row:
        """Out `number` is that result of the op, of the sizes given or of as many elements."""
        held = self.values.tensors[self.op.results[result]]
        _check_fit(f"out {number}", self.outs[number], f"result {result}", held, shape)
        return held.row

    def same_output(self, number: int, result: int) -> Row:
        """Out `number` is that result, of the same sizes."""
        return self.output(number, result, self.values.tensors[self.op.results[result]].shape)

    def form(self, operands: Sequence[int], over: Pairs = FIRST) -> Form:
        """The ins are these operands and the out is result 0, all of the same sizes."""
        uses = [self.same_use(number, operand) for number, operand in enumerate(operands)]
        return Form(uses, [self.same_output(0, 0)], over)

    def expect(self, computes: bool) -> None:
        """Raises Refusal unless the step computes the op."""
        if not computes:
            raise other(self)

    def counts(self, ins: int, outs: int) -> None:
        """Raises Refusal unless the step has so many of each."""
        if (len(self.ins), len(self.outs)) != (ins, outs):
            raise Mismatch(f"it has {len(self.ins)} ins and {len(self.outs)} outs, not {ins} and {outs}")


def _check_fit(place: str, region: CellRegion, value: str, held: Contents, shape: tuple[int, ...] | None) -> None:
    """Raises Mismatch unless the region has elements like the value's, of the sizes given or as many."""
    if region.dtype != held.dtype:
        raise Mismatch(f"{place} has elements of {region.dtype}, {value} of {held.dtype}")
    if region.shape != shape if shape is not None else region.nbytes != held.row.nbytes:
        raise Mismatch(f"{place} has sizes {sizes_of(region.shape)}, {value} {sizes_of(held.shape)}")


def other(operands: StepOperands) -> Mismatch:
    return Mismatch(f"it does not compute {operands.op.name}")


def equal(a: float, b: float) -> bool:
    """The same number in f32."""
    return (a == b and a != 0) or np.float32(a).tobytes() == np.float32(b).tobytes()


def padded(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    return (1,) * (rank - len(shape)) + shape


def sizes_of(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "()"
