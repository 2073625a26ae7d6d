"""oneDNN's layer normalization backward."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import FloatAttr
from xdsl.irdl import attr_def, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, f32_attribute
from lastuse.dialect.onednn.step import OverlapRules, PrimitiveBase


@irdl_op_definition
class OneDnnLayerNormBackwardOp(PrimitiveBase):
    """The gradient of layer normalization over the last axis.

    ins: src, mean, variance, scale, diff_dst, and the scale again: oneDNN demands a shift there, which it does not
    read. outs: diff_src, diff_scale, diff_shift. In place over diff_dst. All are dense.
    """

    name = "onednn.layer_norm_backward"
    epsilon = attr_def(FloatAttr)

    def rules(self) -> OverlapRules:
        return OverlapRules(over=frozenset({(0, 4)}))

    def verify_primitive(self) -> None:
        self.expect(6, 3)
        (src, mean, variance, scale, diff_dst, shift), (diff_src, *sums) = self.in_memories, self.out_memories
        self.expect_same(src, diff_dst, diff_src)
        if len(src.shape) < 2 or not all(memory.layout.is_dense for memory in (src, diff_dst, diff_src)):
            raise VerifyException(f"layer normalization wants dense memory of two dimensions at least, not {src}")
        self.expect_channel(src.shape[-1], scale, shift, *sums)
        for statistic in (mean, variance):
            if statistic.shape != src.shape[:-1] or statistic.dtype != "f32" or not statistic.layout.is_dense:
                raise VerifyException(f"mean and variance of {src} are dense f32 without its last axis")


@dataclass(frozen=True)
class LayerNormBackwardPrimitive(Primitive):
    """Of the last axis: operands src, scale, mean, variance, diff_dst; results diff_src, diff_scale, diff_shift."""

    epsilon: float

    def emit(self, steps: StepBuilder) -> bool:
        (src, scale, mean, variance, diff_dst), (diff_src, *sums) = steps.ins, steps.outs
        rank = max(len(src.shape), 2)
        large = [operand.padded(rank) for operand in (src, diff_dst, diff_src)]
        length = src.shape[-1]
        rows = [operand.reshaped((length,)) for operand in (scale, *sums)]
        columns = [operand.reshaped(large[0].shape[:-1]) for operand in (mean, variance)]
        small = [v for v in (*rows, *columns) if v is not None and v.layout.is_dense and v.dtype == "f32"]
        if len(small) < len(rows) + len(columns) or not all(v.layout.is_dense for v in large):
            return False
        ins = [large[0], small[3], small[4], small[0], large[1], small[0]]
        numbers = {"epsilon": f32_attribute(self.epsilon)}
        steps.step(OneDnnLayerNormBackwardOp, ins, [large[2], small[1], small[2]], numbers)
        return True
