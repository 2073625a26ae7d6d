"""oneDNN's batch normalization, as inference does it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import FloatAttr
from xdsl.irdl import attr_def, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.memory import alike
from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, f32_attribute
from lastuse.dialect.onednn.primitives.spatial_layout import channels_second
from lastuse.dialect.onednn.step import OverFirstBase


@irdl_op_definition
class OneDnnBatchNormOp(OverFirstBase):
    """Inference: dst = (src - mean) / sqrt(variance + epsilon) * scale + shift, axis 1 the channel.

    ins: src, scale, shift, mean, variance. In place over src; src and dst lie alike.
    """

    name = "onednn.batch_norm"
    epsilon = attr_def(FloatAttr)

    def verify_primitive(self) -> None:
        self.expect(5, 1)
        src, *channels = self.in_memories
        self.expect_alike(src, *self.out_memories)
        if len(src.shape) < 2:
            raise VerifyException(f"batch normalization wants two dimensions at least, not {src}")
        self.expect_channel(src.shape[1], *channels)


@dataclass(frozen=True)
class BatchNormPrimitive(Primitive):
    """Inference: operands src, scale, shift, mean, variance; axis 1 is the channel, with `channels_last` the last."""

    epsilon: float
    channels_last: bool = False

    def emit(self, steps: StepBuilder) -> bool:
        src, *channels = steps.ins
        dst = steps.outs[0]
        if len(channels) != 4 or not 2 <= len(src.shape) <= 5 or not alike(src.layout, dst.layout):
            return False
        if any(v.dtype != "f32" or not v.layout.is_dense for v in channels):
            return False
        if self.channels_last:
            src, dst = (channels_second(operand, True) for operand in (src, dst))
            if src is None or dst is None:
                return False
        steps.step(OneDnnBatchNormOp, [src, *channels], [dst], {"epsilon": f32_attribute(self.epsilon)})
        return True
