"""oneDNN's prelu: a straight line on either side of 0, with a slope of its own for each element or channel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder
from lastuse.dialect.onednn.step import PrimitiveBase


@irdl_op_definition
class OneDnnPreluOp(PrimitiveBase):
    """dst = src where src > 0, else slope * src. All have one rank; a size of 1 of the slope is repeated. src and dst
    lie alike; oneDNN does not document that they may be the same memory."""

    name = "onednn.prelu"

    def verify_primitive(self) -> None:
        self.expect(2, 1)
        src, slope = self.in_memories
        self.expect_alike(src, *self.out_memories)
        fits = len(slope.shape) == len(src.shape) and all(
            a in (1, b) for a, b in zip(slope.shape, src.shape, strict=True)
        )
        if not fits or slope.dtype != src.dtype:
            raise VerifyException(f"{slope} does not broadcast to {src}")


@dataclass(frozen=True)
class PreluPrimitive(Primitive):
    """dst = src where src > 0, else slope * src, on dense layouts, not in place."""

    TAKES_SCRATCH: ClassVar = False

    def emit(self, steps: StepBuilder) -> bool:
        (src, slope), (dst,) = steps.ins, steps.outs
        if not all(v.layout.is_dense for v in (src, slope, dst)):
            return False
        rank = max(len(dst.shape), 1)
        steps.step(OneDnnPreluOp, [src.padded(rank), slope.padded(rank)], [dst.padded(rank)], {})
        return True
