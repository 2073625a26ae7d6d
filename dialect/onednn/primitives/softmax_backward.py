"""oneDNN's softmax backward: the gradient of softmax, or of its logarithm, from the result."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder
from lastuse.dialect.onednn.step import OverlapRules, PrimitiveBase


@irdl_op_definition
class OneDnnSoftmaxBackwardOp(PrimitiveBase):
    """diff_src = dst * (diff_dst - the sum of diff_dst * dst along `axis`), or, with `log`, diff_dst - exp(dst) * the
    sum of diff_dst. ins: dst, diff_dst; in place over diff_dst. All have one shape."""

    name = "onednn.softmax_backward"
    axis = attr_def(IntegerAttr)
    log = opt_attr_def(BoolAttr)

    def rules(self) -> OverlapRules:
        return OverlapRules(over=frozenset({(0, 1)}))

    def verify_primitive(self) -> None:
        self.expect(2, 1)
        self.expect_same(*self.in_memories, *self.out_memories)
        if not 0 <= self.axis.value.data < len(self.out_memories[0].shape):
            raise VerifyException(f"axis {self.axis.value.data} is none of {self.out_memories[0]}")

    @property
    def is_log(self) -> bool:
        return self.log is not None and bool(self.log.value.data)


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
        attributes: dict[str, Attribute] = {"axis": IntegerAttr(self.axis, i64)}
        if self.log:
            attributes["log"] = BoolAttr.from_bool(True)
        steps.step(OneDnnSoftmaxBackwardOp, steps.ins, steps.outs, attributes)
        return True
