"""oneDNN's resampling: spatial axes with other sizes, by the nearest element or linear interpolation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import attr_def, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.memory import Operand
from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder
from lastuse.dialect.onednn.primitives.coordinates import ResizeRule
from lastuse.dialect.onednn.primitives.spatial_layout import MOST_AXES, SPATIAL, reordered, with_spatial
from lastuse.dialect.onednn.step import PrimitiveBase
from lastuse.dialect.storage.layout import Strided

ALGORITHMS = ("nearest", "linear")


@irdl_op_definition
class OneDnnResamplingOp(PrimitiveBase):
    """dst is src [N, C, spatial…] with other spatial sizes: element o of n is where (o + 1/2) * m / n - 1/2 is of the m
    elements of src, the nearest one or linear between two. Not in place."""

    name = "onednn.resampling"
    alg = attr_def(StringAttr)

    def verify_primitive(self) -> None:
        self.expect(1, 1)
        (src,), (dst,) = self.in_memories, self.out_memories
        if self.alg.data not in ALGORITHMS:
            raise VerifyException(f"alg is one of {', '.join(ALGORITHMS)}, not {self.alg.data}")
        fits = len(src.shape) == len(dst.shape) and 0 < len(src.shape) - SPATIAL <= MOST_AXES
        if not fits or src.shape[:SPATIAL] != dst.shape[:SPATIAL] or src.dtype != dst.dtype:
            raise VerifyException(f"no resampling makes {dst} of {src}")


@dataclass(frozen=True)
class ResamplingPrimitive(Primitive):
    """x with other sizes as `rule` says."""

    rule: ResizeRule
    TAKES_SCRATCH: ClassVar = True

    def emit(self, steps: StepBuilder) -> bool:
        (x,), (y,) = steps.ins, steps.outs
        if not (x.layout.is_dense and y.layout.is_dense and self.rule.mode in ALGORITHMS):
            return False
        axes = [axis for axis, (a, b) in enumerate(zip(x.shape, y.shape, strict=True)) if a != b]
        if not axes or axes[-1] - axes[0] >= MOST_AXES or not self.rule.is_centred(x.shape, y.shape):
            return False
        src, dst = (_spatial(v, axes) for v in (x, y))
        steps.step(OneDnnResamplingOp, [src], [dst], {"alg": StringAttr(self.rule.mode)})
        return True


def _spatial(operand: Operand, axes: Sequence[int]) -> Operand:
    """The operand as [N, C, spatial…], spatial axes those from the first to the last of `axes`; the bytes of a channel
    stand together, or those of a place."""
    sizes, first, behind = operand.shape, axes[0], axes[-1] + 1
    before, after = int(np.prod(sizes[:first])), int(np.prod(sizes[behind:]))
    item, offset = operand.layout.item, operand.layout.offset
    if after == 1:
        channels = sizes[first - 1] if first else 1
        layout = Strided.dense((before // channels, channels, *sizes[first:behind]), item, offset)
    else:
        rank = behind - first + SPATIAL
        layout = Strided.dense((before, *sizes[first:behind], after), item, offset)
        layout = reordered(layout, (0, rank - 1, *range(1, rank - 1)))
    return with_spatial(operand.at(layout), SPATIAL, range(behind - first))
