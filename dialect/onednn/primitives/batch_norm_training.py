"""oneDNN's batch normalization in training: statistics of x itself, running statistics, and the gradient."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import BoolAttr, FloatAttr, StringAttr
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.memory import Operand, alike
from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, f32_attribute
from lastuse.dialect.onednn.primitives.spatial_layout import channels_second
from lastuse.dialect.onednn.step import OverFirstBase, OverlapRules, PrimitiveBase

STATISTICS = ("mean", "variance")


@irdl_op_definition
class OneDnnBatchNormTrainingOp(OverFirstBase):
    """dst = (src - mean) / sqrt(variance + epsilon) * scale + shift, axis 1 the channel, with src's own statistics.

    ins: src, scale, shift; outs: dst, mean, variance. In place over src; src and dst lie alike.
    """

    name = "onednn.batch_norm_training"
    epsilon = attr_def(FloatAttr)

    def verify_primitive(self) -> None:
        self.expect(3, 3)
        (src, *channels), (dst, *statistics) = self.in_memories, self.out_memories
        self.expect_alike(src, dst)
        if len(src.shape) < 2:
            raise VerifyException(f"batch normalization wants two dimensions at least, not {src}")
        self.expect_channel(src.shape[1], *channels, *statistics)


@irdl_op_definition
class OneDnnRunningStatisticOp(OverFirstBase):
    """dst = momentum * src0 + (1 - momentum) * src1, in place over src0: oneDNN's sum.

    `statistic` says of what: mean or variance. All are dense f32 rows.
    """

    name = "onednn.running_statistic"
    momentum = attr_def(FloatAttr)
    statistic = attr_def(StringAttr)

    def verify_primitive(self) -> None:
        self.expect(2, 1)
        if self.statistic.data not in STATISTICS:
            raise VerifyException(f"statistic is one of {', '.join(STATISTICS)}, not {self.statistic.data}")
        (dst,) = self.out_memories
        self.expect_channel(dst.shape[0] if dst.shape else 0, dst, *self.in_memories)


@irdl_op_definition
class OneDnnBatchNormBackwardOp(PrimitiveBase):
    """The gradient of batch normalization, axis 1 the channel.

    ins: src, mean, variance, scale, diff_dst; outs: diff_src, diff_scale, diff_shift. In place over diff_dst. With
    `fixed` the statistics are numbers that do not depend on src. src, diff_dst and diff_src lie alike.
    """

    name = "onednn.batch_norm_backward"
    epsilon = attr_def(FloatAttr)
    fixed = opt_attr_def(BoolAttr)

    @property
    def is_fixed(self) -> bool:
        """Whether the statistics do not depend on src."""
        return self.fixed is not None and bool(self.fixed.value.data)

    def rules(self) -> OverlapRules:
        return OverlapRules(over=frozenset({(0, 4)}))

    def verify_primitive(self) -> None:
        self.expect(5, 3)
        (src, *channels, diff_dst), (diff_src, *sums) = self.in_memories, self.out_memories
        self.expect_alike(src, diff_dst)
        self.expect_alike(src, diff_src)
        if len(src.shape) < 2:
            raise VerifyException(f"batch normalization wants two dimensions at least, not {src}")
        self.expect_channel(src.shape[1], *channels, *sums)


@dataclass(frozen=True)
class BatchNormTrainingPrimitive(Primitive):
    """Operands src, scale, shift, running mean, running variance; results dst, the new running ones, and mean and
    variance of src. Axis 1 is the channel, with `channels_last` the last."""

    epsilon: float
    momentum: float
    channels_last: bool = False

    def emit(self, steps: StepBuilder) -> bool:
        (src, scale, shift, *old), (dst, *rest) = steps.ins, steps.outs
        running, own = rest[:2], rest[2:]
        alike_ = _as_channels(self.channels_last, src, dst)
        if alike_ is None or not _are_rows(scale, shift, *old, *rest):
            return False
        numbers = {"epsilon": f32_attribute(self.epsilon)}
        steps.step(OneDnnBatchNormTrainingOp, [alike_[0], scale, shift], [alike_[1], *own], numbers)
        for statistic, before, new, after in zip(STATISTICS, old, own, running, strict=True):
            stated = {"momentum": f32_attribute(self.momentum), "statistic": StringAttr(statistic)}
            steps.step(OneDnnRunningStatisticOp, [before, new], [after], stated)
        return True


@dataclass(frozen=True)
class BatchNormBackwardPrimitive(Primitive):
    """Operands src, scale, mean, variance, diff_dst; results diff_src, diff_scale, diff_shift. Axis 1 is the channel,
    with `channels_last` the last. `fixed`: the statistics do not depend on src."""

    epsilon: float
    fixed: bool
    channels_last: bool = False

    def emit(self, steps: StepBuilder) -> bool:
        (src, scale, mean, variance, diff_dst), (diff_src, *sums) = steps.ins, steps.outs
        alike_ = _as_channels(self.channels_last, src, diff_dst, diff_src)
        if alike_ is None or not _are_rows(scale, mean, variance, *sums):
            return False
        stated = {"epsilon": f32_attribute(self.epsilon)}
        fixed = {"fixed": BoolAttr.from_bool(True)} if self.fixed else {}
        ins = [alike_[0], mean, variance, scale, alike_[1]]
        steps.step(OneDnnBatchNormBackwardOp, ins, [alike_[2], *sums], {**stated, **fixed})
        return True


def _as_channels(channels_last: bool, *operands: Operand) -> list[Operand] | None:
    """The operands with the channel as axis 1; None where oneDNN does not take them, or they lie differently."""
    if not 2 <= len(operands[0].shape) <= 5 or not all(alike(v.layout, operands[0].layout) for v in operands):
        return None
    if not channels_last:
        return list(operands)
    second = [channels_second(operand, True) for operand in operands]
    return None if None in second else [operand for operand in second if operand is not None]


def _are_rows(*operands: Operand) -> bool:
    return all(v.dtype == "f32" and len(v.shape) == 1 and v.layout.is_dense for v in operands)
