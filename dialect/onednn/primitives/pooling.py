"""oneDNN's pooling: the largest element or the mean of each window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, StringAttr, i64
from xdsl.irdl import attr_def, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder
from lastuse.dialect.onednn.primitives.convolution import WindowedBase, movement_attributes, takes_rank, whole_numbers
from lastuse.dialect.onednn.primitives.spatial_layout import (
    SPATIAL,
    channels_second,
    kept_axes,
    with_axes,
    with_spatial,
)
from lastuse.dialect.onednn.primitives.window import Window, WindowRule

MAX, MEAN, PADDED_MEAN = "max", "avg_exclude_padding", "avg_include_padding"
ALGORITHMS = (MAX, MEAN, PADDED_MEAN)


@irdl_op_definition
class OneDnnPoolingOp(WindowedBase):
    """The largest element of each window of src, or the mean: without the padding, or with the padding as zeros.

    ins: src [N, C, spatial…]; src and dst lie in any order of bytes. `kernel`: sizes of the window. Not in place.
    """

    name = "onednn.pooling"
    alg = attr_def(StringAttr)
    kernel = attr_def(DenseArrayBase)

    @property
    def window_sizes(self) -> tuple[int, ...]:
        """Sizes of the window."""
        return whole_numbers(self.kernel)

    def verify_primitive(self) -> None:
        self.expect(1, 1)
        (src,), (dst,) = self.in_memories, self.out_memories
        if self.alg.data not in ALGORITHMS:
            raise VerifyException(f"alg is one of {', '.join(ALGORITHMS)}, not {self.alg.data}")
        if src.shape[:SPATIAL] != dst.shape[:SPATIAL] or src.dtype != dst.dtype or len(src.shape) <= SPATIAL:
            raise VerifyException(f"no pooling makes {dst} of {src}")
        self.verify_movement(self.window_sizes, src, dst)


@dataclass(frozen=True)
class PoolingPrimitive(Primitive):
    """The largest element or the mean (`alg`) of each window of x, which `rule` moves; without a rule, of all spatial
    axes. `channels_last`: x and the result are [N, spatial…, C]."""

    alg: str
    rule: WindowRule | None
    channels_last: bool
    TAKES_SCRATCH: ClassVar = True

    def emit(self, steps: StepBuilder) -> bool:
        src, dst = (channels_second(v, self.channels_last) for v in (steps.ins[0], steps.outs[0]))
        if src is None or dst is None or not takes_rank(src):
            return False
        sizes, places = src.shape[SPATIAL:], dst.shape[SPATIAL:]
        stated = self.window(sizes)
        window = stated.stretched(sizes, places)
        if self.alg == PADDED_MEAN and window != stated:
            return False  # oneDNN divides by all of the window, also by what is beyond the padding
        if not takes_window(window, sizes, places):
            return False
        axes = kept_axes(window, sizes, places)
        chosen = with_axes(window, axes)
        attributes = movement_attributes(chosen)
        attributes |= {"alg": StringAttr(self.alg), "kernel": DenseArrayBase.from_list(i64, chosen.kernel)}
        steps.step(OneDnnPoolingOp, [with_spatial(src, SPATIAL, axes)], [with_spatial(dst, SPATIAL, axes)], attributes)
        return True

    def window(self, sizes: Sequence[int]) -> Window:
        """The window on axes of these sizes."""
        if self.rule is not None:
            return self.rule.window(sizes)
        ones, zeros = (1,) * len(sizes), (0,) * len(sizes)
        return Window(tuple(sizes), ones, ones, zeros, zeros)


def takes_window(window: Window, sizes: Sequence[int], places: Sequence[int]) -> bool:
    """Whether oneDNN has fast kernels for the window, and each of its places an element of the operand."""
    if any(d != 1 for d in window.dilations):
        return False
    for size, count, kernel, stride, begin in zip(
        sizes, places, window.kernel, window.strides, window.begins, strict=True
    ):
        first = np.arange(count) * stride - begin
        if np.any((first >= size) | (first + kernel <= 0)) or begin >= kernel:
            return False
    return True
