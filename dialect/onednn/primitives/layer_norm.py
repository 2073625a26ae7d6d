"""oneDNN's layer normalization."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import FloatAttr
from xdsl.irdl import attr_def, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, f32_attribute
from lastuse.dialect.onednn.primitives.eltwise import EltwisePrimitive
from lastuse.dialect.onednn.step import OverFirstBase


@irdl_op_definition
class OneDnnLayerNormOp(OverFirstBase):
    """dst = (src - mean) / sqrt(variance + epsilon) * scale + shift over the last axis.

    ins: src, scale, shift; outs: dst and, if given, mean and variance. dst over src too. All are dense: oneDNN 3.2
    takes rows with gaps and then computes with the wrong bytes.
    """

    name = "onednn.layer_norm"
    epsilon = attr_def(FloatAttr)

    def verify_primitive(self) -> None:
        self.expect(3, 3 if len(self.outs) == 3 else 1)
        (src, scale, shift), (dst, *stats) = self.in_memories, self.out_memories
        self.expect_same(src, dst)
        if not src.layout.is_dense or not dst.layout.is_dense:
            raise VerifyException(f"layer normalization wants dense memory, not {src} and {dst}")
        if len(src.shape) < 2:
            raise VerifyException(f"layer normalization wants two dimensions at least, not {src}")
        self.expect_channel(src.shape[-1], scale, shift)
        for stat in stats:
            if stat.shape != src.shape[:-1] or stat.dtype != "f32" or not stat.layout.is_dense:
                raise VerifyException(f"mean and variance of {src} are dense f32 without its last axis, not {stat}")


@dataclass(frozen=True)
class LayerNormPrimitive(Primitive):
    """Normalises the last axis: operands src, scale, shift; results dst and, where there are three, mean and inverse
    standard deviation."""

    epsilon: float

    def emit(self, steps: StepBuilder) -> bool:
        src, *rows = steps.ins
        dst, *outs = steps.outs
        if len(rows) != 2:
            return False  # the primitive without a shift is another one
        rank = max(len(src.shape), 2)
        src, dst = src.padded(rank), dst.padded(rank)
        channels = [row.reshaped((src.shape[-1],)) for row in rows]
        stats = [stat.reshaped(src.shape[:-1]) for stat in outs]
        dense = [v for v in (*channels, *stats) if v is not None and v.layout.is_dense and v.dtype == "f32"]
        if len(dense) != len(channels) + len(stats) or not src.layout.is_dense or not dst.layout.is_dense:
            return False
        attributes = {"epsilon": f32_attribute(self.epsilon)}
        steps.step(OneDnnLayerNormOp, [src, *dense[:2]], [dst, *dense[2:]], attributes)
        if stats:
            # The op's third result is the inverse deviation, oneDNN's the variance.
            variance = dense[-1]
            EltwisePrimitive("linear", 1.0, self.epsilon).emit_at(steps, variance, variance)
            EltwisePrimitive("pow", 1.0, -0.5).emit_at(steps, variance, variance)
        return True
