"""oneDNN's softmax, and its logarithm."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder
from lastuse.dialect.onednn.step import OverFirstBase, PrimitiveBase


class SoftmaxStepBase(PrimitiveBase, ABC):
    """A primitive along `axis` of memories of one shape, of softmax or, with `log`, of its logarithm."""

    SOURCES: ClassVar[int]
    axis = attr_def(IntegerAttr)
    log = opt_attr_def(BoolAttr)

    def verify_primitive(self) -> None:
        self.expect(self.SOURCES, 1)
        self.expect_same(*self.in_memories, *self.out_memories)
        if not 0 <= self.axis.value.data < len(self.out_memories[0].shape):
            raise VerifyException(f"axis {self.axis.value.data} is none of {self.out_memories[0]}")

    @property
    def is_log(self) -> bool:
        return self.log is not None and bool(self.log.value.data)


@irdl_op_definition
class OneDnnSoftmaxOp(SoftmaxStepBase, OverFirstBase):
    """dst = softmax(src) along `axis`, or its logarithm; in place too."""

    name = "onednn.softmax"
    SOURCES: ClassVar = 1


def along(axis: int, log: bool) -> dict[str, Attribute]:
    """The attributes of `SoftmaxStepBase`."""
    attributes: dict[str, Attribute] = {"axis": IntegerAttr(axis, i64)}
    return {**attributes, "log": BoolAttr.from_bool(True)} if log else attributes


@dataclass(frozen=True)
class SoftmaxPrimitive(Primitive):
    """dst = softmax(src) along `axis` (not negative), its logarithm if `log`."""

    axis: int
    log: bool = False

    def emit(self, steps: StepBuilder) -> bool:
        steps.step(OneDnnSoftmaxOp, steps.ins, steps.outs, along(self.axis, self.log))
        return True
