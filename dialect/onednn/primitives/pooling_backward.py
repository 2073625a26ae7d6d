"""oneDNN's pooling in training: max pooling that notes which elements are the largest, and the gradients of pools."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, i64
from xdsl.irdl import attr_def, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.memory import MemRefLayout, Operand
from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder
from lastuse.dialect.onednn.primitives.convolution import WindowedBase, movement_attributes, takes_rank, whole_numbers
from lastuse.dialect.onednn.primitives.pooling import ALGORITHMS, MAX, PADDED_MEAN, takes_window
from lastuse.dialect.onednn.primitives.spatial_layout import (
    SPATIAL,
    channels_second,
    kept_axes,
    with_axes,
    with_spatial,
)
from lastuse.dialect.onednn.primitives.window import Window, WindowRule


class TrainedPoolingBase(WindowedBase):
    """`kernel`: sizes of the window."""

    kernel = attr_def(DenseArrayBase)

    @property
    def window_sizes(self) -> tuple[int, ...]:
        """Sizes of the window."""
        return whole_numbers(self.kernel)

    def verify_pooling(self, src: MemRefLayout, dst: MemRefLayout, chosen: Sequence[MemRefLayout]) -> None:
        """Raises VerifyException unless the window moves from src to dst, and `chosen` has a number for each element
        of dst, in the same order of bytes."""
        if src.shape[:SPATIAL] != dst.shape[:SPATIAL] or src.dtype != dst.dtype or len(src.shape) <= SPATIAL:
            raise VerifyException(f"no pooling makes {dst} of {src}")
        for numbers in chosen:
            in_elements = [stride * dst.layout.item for stride in numbers.element_strides]
            if numbers.shape != dst.shape or in_elements != list(dst.layout.strides):
                raise VerifyException(f"{numbers} must lie like {dst}")
        self.verify_movement(self.window_sizes, src, dst)


@irdl_op_definition
class OneDnnMaxPoolingOp(TrainedPoolingBase):
    """dst is the largest element of each window of src, and `chosen` the number of that element in its window.

    ins: src [N, C, spatial…]; outs: dst and, in any integer type that has room for the numbers, chosen, which lies as
    dst. Not in place.
    """

    name = "onednn.max_pooling"

    def verify_primitive(self) -> None:
        self.expect(1, 2)
        (src,), (dst, chosen) = self.in_memories, self.out_memories
        self.verify_pooling(src, dst, [chosen])


@irdl_op_definition
class OneDnnPoolingBackwardOp(TrainedPoolingBase):
    """The gradient of `onednn.pooling`. ins: diff_dst and, of `max`, what `onednn.max_pooling` notes; out: diff_src
    [N, C, spatial…]. Not in place.
    """

    name = "onednn.pooling_backward"
    alg = attr_def(StringAttr)

    def verify_primitive(self) -> None:
        if self.alg.data not in ALGORITHMS:
            raise VerifyException(f"alg is one of {', '.join(ALGORITHMS)}, not {self.alg.data}")
        self.expect(2 if self.alg.data == MAX else 1, 1)
        (diff_dst, *chosen), (diff_src,) = self.in_memories, self.out_memories
        self.verify_pooling(diff_src, diff_dst, chosen)


@dataclass(frozen=True)
class TrainedPoolingPrimitiveBase(Primitive):
    """A pool whose window `rule` moves over x; with `channels_last` all operands are [N, spatial…, C]."""

    alg: str
    rule: WindowRule
    channels_last: bool

    def emit_pooling(self, steps: StepBuilder, large: Operand, smaller: Sequence[Operand]) -> bool:
        """Emits the step between `large`, with the sizes of x, and those with the sizes of the pool's result."""
        src, dst, *chosen = (channels_second(v, self.channels_last) for v in (large, *smaller))
        if src is None or dst is None or not takes_rank(src):
            return False
        sizes, places = src.shape[SPATIAL:], dst.shape[SPATIAL:]
        stated = self.rule.window(sizes)
        window = stated.stretched(sizes, places)
        if self.alg == PADDED_MEAN and window != stated or not takes_window(window, sizes, places):
            return False
        axes = kept_axes(window, sizes, places)
        moved = with_axes(window, axes)
        kept = [with_spatial(v, SPATIAL, axes) for v in (dst, *chosen) if v is not None]
        if len(kept) != 1 + len(chosen):
            return False
        self.add_step(steps, with_spatial(src, SPATIAL, axes), kept, moved)
        return True

    @abstractmethod
    def add_step(self, steps: StepBuilder, src: Operand, smaller: Sequence[Operand], window: Window) -> None:
        """Adds the step on operands [N, C, spatial…]."""


@dataclass(frozen=True)
class MaxPoolingPrimitive(TrainedPoolingPrimitiveBase):
    """Results: the largest element of each window, and its number there."""

    def emit(self, steps: StepBuilder) -> bool:
        return self.emit_pooling(steps, steps.ins[0], steps.outs)

    def add_step(self, steps: StepBuilder, src: Operand, smaller: Sequence[Operand], window: Window) -> None:
        attributes = movement_attributes(window) | {"kernel": DenseArrayBase.from_list(i64, window.kernel)}
        steps.step(OneDnnMaxPoolingOp, [src], smaller, attributes)


@dataclass(frozen=True)
class PoolingBackwardPrimitive(TrainedPoolingPrimitiveBase):
    """Operands: dy and, of `max`, the second result of `MaxPoolingPrimitive`."""

    def emit(self, steps: StepBuilder) -> bool:
        return self.emit_pooling(steps, steps.outs[0], steps.ins)

    def add_step(self, steps: StepBuilder, src: Operand, smaller: Sequence[Operand], window: Window) -> None:
        attributes = movement_attributes(window) | {"kernel": DenseArrayBase.from_list(i64, window.kernel)}
        steps.step(OneDnnPoolingBackwardOp, smaller, [src], {**attributes, "alg": StringAttr(self.alg)})
