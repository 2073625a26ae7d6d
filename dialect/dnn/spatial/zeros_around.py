"""Ops that read zeros around an operand without a tensor that holds them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from xdsl.ir import Operation, SSAValue

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.padding import PadOp
from lastuse.dialect.storage.attrs import is_decided


class ReadsZerosBase(DnnOp):
    """An op on x that can read x as if zeros stood around it."""

    SIMPLER_BECAUSE: ClassVar = "the zeros around its operand are its own pads"

    @abstractmethod
    def with_zeros_around(self, x: SSAValue, around: Sequence[tuple[int, int]]) -> DnnOp | None:
        """The op, not yet in a block, that reads x with so many zeros before and after each axis where this op reads
        its operand 0, and gives the same but for rounding if its other operands are finite. None if there is none."""

    def simplified(self, constant: Callable[[SSAValue], Array | None]) -> DnnOp | None:
        """Reads what a `dnn.pad` reads, if nothing then reads the padded tensor."""
        pad = self.operands[0].owner
        if not isinstance(pad, PadOp) or is_decided(pad):
            return None
        around = pad.zeros_around()
        if around is None or not all(_can_read(use.operation, use.index, pad.x, around) for use in pad.y.uses):
            return None
        return self.with_zeros_around(pad.x, around)


def _can_read(op: Operation, operand: int, x: SSAValue, around: Sequence[tuple[int, int]]) -> bool:
    if not isinstance(op, ReadsZerosBase) or operand != 0 or is_decided(op):
        return False
    made = op.with_zeros_around(x, around)
    if made is None:
        return False
    made.drop_all_references()  # it was made to ask, and reads nothing
    return True
