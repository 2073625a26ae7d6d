"""oneDNN's sum: the sum of any number of memories of one shape."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, f32
from xdsl.irdl import attr_def, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder
from lastuse.dialect.onednn.step import OverFirstBase


@irdl_op_definition
class OneDnnSumOp(OverFirstBase):
    """dst = scales[0] * src0 + scales[1] * src1 + …, in place over src0."""

    name = "onednn.sum"
    scales = attr_def(ArrayAttr[FloatAttr])

    def verify_primitive(self) -> None:
        self.expect(None, 1)
        self.expect_same(*self.in_memories, *self.out_memories)
        if len(self.scales.data) != len(self.ins):
            raise VerifyException(f"a sum of {len(self.ins)} sources has {len(self.scales.data)} scales")


@dataclass(frozen=True)
class SumPrimitive(Primitive):
    """dst = src0 + src1 + …, in this order."""

    def emit(self, steps: StepBuilder) -> bool:
        (dst,), ins = steps.outs, list(steps.ins)
        if len(ins) > 1 and ins[1].is_at(dst):
            ins[:2] = ins[1::-1]  # a + b and b + a are the same bits, but for which of two NaNs it is
        if any(v.clashes(dst) for v in ins[1:]):
            return False
        steps.step(OneDnnSumOp, ins, [dst], {"scales": ArrayAttr([FloatAttr(1.0, f32)] * len(ins))})
        return True
