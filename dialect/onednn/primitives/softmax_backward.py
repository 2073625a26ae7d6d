"""oneDNN's softmax backward: the gradient of softmax, or of its logarithm, from the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder
from lastuse.dialect.onednn.primitives.softmax import SoftmaxStepBase, along
from lastuse.dialect.onednn.step import OverlapRules


@irdl_op_definition
class OneDnnSoftmaxBackwardOp(SoftmaxStepBase):
    """diff_src = dst * (diff_dst - the sum of diff_dst * dst along `axis`), or, with `log`, diff_dst - exp(dst) * the
    sum of diff_dst. ins: dst, diff_dst; in place over diff_dst. All have one shape."""

    name = "onednn.softmax_backward"
    SOURCES: ClassVar = 2

    def rules(self) -> OverlapRules:
        return OverlapRules(over=frozenset({(0, 1)}))


@dataclass(frozen=True)
class SoftmaxBackwardPrimitive(Primitive):
    """The gradient of softmax along `axis` (not negative), of its logarithm if `log`, from its result, operand 0, and
    the gradient of this, operand 1."""

    axis: int
    log: bool = False

    def emit(self, steps: StepBuilder) -> bool:
        dst, diff_dst = steps.ins
        if dst.clashes(diff_dst):
            return False  # oneDNN documents nowhere that one memory may be both
        steps.step(OneDnnSoftmaxBackwardOp, steps.ins, steps.outs, along(self.axis, self.log))
        return True
