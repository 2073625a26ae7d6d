"""oneDNN's local response normalization across channels."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import attr_def, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, f32_attribute
from lastuse.dialect.onednn.step import PrimitiveBase

RANKS = (4, 5)
"""Axes that oneDNN takes: samples, channels, two or three more."""


@irdl_op_definition
class OneDnnLrnOp(PrimitiveBase):
    """dst = src / (bias + alpha / size * the sum of squares of the `size` channels around)^beta; axis 1 the channel.

    Never in place. `size` is odd: of an even one oneDNN leaves out a channel. Both are dense f32.
    """

    name = "onednn.lrn"
    size = attr_def(IntegerAttr)
    alpha = attr_def(FloatAttr)
    beta = attr_def(FloatAttr)
    bias = attr_def(FloatAttr)

    @property
    def numbers(self) -> tuple[float, float, float]:
        """alpha, beta, bias."""
        return self.alpha.value.data, self.beta.value.data, self.bias.value.data

    def verify_primitive(self) -> None:
        self.expect(1, 1)
        (src,), (dst,) = self.in_memories, self.out_memories
        self.expect_same(src, dst)
        if src.dtype != "f32" or not (src.layout.is_dense and dst.layout.is_dense) or len(src.shape) not in RANKS:
            raise VerifyException(f"{self.name} wants dense f32 of 4 or 5 dimensions, not {src} and {dst}")
        if self.size.value.data < 1 or self.size.value.data % 2 == 0:
            raise VerifyException(f"size must be odd and 1 or more, not {self.size.value.data}")


@dataclass(frozen=True)
class LrnPrimitive(Primitive):
    """Operand src, result dst; `size` is odd."""

    size: int
    alpha: float
    beta: float
    bias: float

    def emit(self, steps: StepBuilder) -> bool:
        (src,), (dst,) = steps.ins, steps.outs
        if len(src.shape) not in RANKS or not (src.layout.is_dense and dst.layout.is_dense):
            return False
        attributes: dict[str, Attribute] = {
            "size": IntegerAttr(self.size, i64),
            "alpha": f32_attribute(self.alpha),
            "beta": f32_attribute(self.beta),
            "bias": f32_attribute(self.bias),
        }
        steps.step(OneDnnLrnOp, [src], [dst], attributes)
        return True
