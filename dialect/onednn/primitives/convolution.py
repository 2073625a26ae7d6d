"""oneDNN's convolution, and its transpose (deconvolution)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.memory import MemRefLayout, Operand
from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, is_constant
from lastuse.dialect.onednn.primitives.post_ops import (
    SUM,
    PostOp,
    PostOpStepBase,
    copy_summed,
    operands_of,
    post_ops_attribute,
)
from lastuse.dialect.onednn.primitives.spatial_layout import (
    MOST_AXES,
    SPATIAL,
    channels_second,
    in_one_place,
    kept_axes,
    one_place_last,
    reordered,
    with_axes,
    with_spatial,
)
from lastuse.dialect.onednn.primitives.window import TransposedRule, Window, WindowRule
from lastuse.dialect.onednn.step import PrimitiveBase
from lastuse.dialect.storage.layout import Strided

MOVEMENT = ("strides", "dilations", "begins", "ends")


class WindowedBase(PrimitiveBase, ABC):
    """A primitive that moves a window over the spatial axes; its attributes have an entry for each of them."""

    strides = attr_def(DenseArrayBase)
    dilations = attr_def(DenseArrayBase)
    begins = attr_def(DenseArrayBase)
    ends = attr_def(DenseArrayBase)

    @property
    def movement(self) -> tuple[tuple[int, ...], ...]:
        """Strides, dilations, begins and ends."""
        return tuple(whole_numbers(array) for array in (self.strides, self.dilations, self.begins, self.ends))

    def verify_movement(self, kernel: Sequence[int], source: MemRefLayout, target: MemRefLayout) -> None:
        """Raises VerifyException unless a window of these sizes has as many places on `source` as `target` has
        elements."""
        sizes = source.shape[SPATIAL:]
        movement = self.movement
        fits = len(source.shape) == len(target.shape) and all(len(entry) == len(sizes) for entry in movement)
        if fits and len(kernel) == len(sizes) and min((*movement[0], *movement[1]), default=1) > 0:
            window = Window(tuple(kernel), *movement)
            rows = zip(sizes, window.begins, window.ends, window.reach, window.strides, strict=True)
            fits = target.shape[SPATIAL:] == tuple((n + b + e - r) // s + 1 for n, b, e, r, s in rows)
        if not fits:
            raise VerifyException(f"a window of {tuple(kernel)} does not move over {source} as {self.name} says")


def whole_numbers(attribute: Attribute) -> tuple[int, ...]:
    """The entries of an array of integers."""
    assert isinstance(attribute, DenseArrayBase)
    return tuple(int(value) for value in attribute.get_values())


def movement_attributes(window: Window) -> dict[str, Attribute]:
    """The attributes of `WindowedBase`."""
    return {name: DenseArrayBase.from_list(i64, getattr(window, name)) for name in MOVEMENT}


class WeightedBase(WindowedBase, PostOpStepBase, ABC):
    """ins: src [N, C, spatial…], weights [O, I, spatial…] or, by groups, [G, O/G, I/G, spatial…], plain or packed, a
    bias [O] if there is one, and operands of post-ops. Nothing but what a sum adds may overlap dst."""

    @property
    def bias_in(self) -> int | None:
        """The number of the bias."""
        return 2 if self.own_count > 2 else None

    @abstractmethod
    def verify_weighted(self, kernel: Sequence[int]) -> None:
        """Raises VerifyException unless the window moves from src to dst as it should."""

    def multiplications(self) -> int:
        return self.places() * prod(self.in_memories[1].shape)

    @abstractmethod
    def places(self) -> int:
        """How many places the window has, in all images."""

    def verify_primitive(self) -> None:
        self.expect(len(self.ins), 1)
        (dst,) = self.out_memories
        if len(self.ins) < 2 or self.own_count > 3:
            raise VerifyException(f"{self.name} has 2 or 3 ins, {self.own_count} are given")
        self.verify_post_ops(dst)
        src, weights, *bias = self.in_memories[: self.own_count]
        grouped = len(weights.shape) - len(src.shape)
        if grouped not in (0, 1) or not 0 < len(src.shape) - SPATIAL <= MOST_AXES:
            raise VerifyException(f"no {self.name} makes {dst} of {src} and {weights}")
        groups = weights.shape[0] if grouped else 1
        outputs, inputs = (groups * size for size in weights.shape[grouped : grouped + 2])
        sizes = (src.shape[:2], dst.shape[:2])
        if sizes != ((src.shape[0], inputs), (src.shape[0], outputs)) or not src.dtype == weights.dtype == dst.dtype:
            raise VerifyException(f"no {self.name} makes {dst} of {src} and {weights}")
        if bias:
            self.expect_channel(outputs, *bias)
        self.verify_weighted(weights.shape[grouped + 2 :])


@irdl_op_definition
class OneDnnConvolutionOp(WeightedBase):
    """dst[n, o, p] = bias[o] + the sum over i, k of weights[o, i, k] * src[n, i, strides * p + dilations * k - begins].

    ins: src [N, C, spatial…], weights [O, I, spatial…] or, by groups, [G, O/G, I/G, spatial…], plain or packed, a bias
    [O] if there is one, and operands of post-ops. src and dst lie in any order of bytes. In place over what the
    post-op `sum` adds, and over nothing else. `any_size`: by an implementation whose code does not stay in the process,
    where that takes about as long.
    """

    name = "onednn.convolution"
    any_size = opt_attr_def(UnitAttr)

    def places(self) -> int:
        dst = self.out_memories[0].shape
        return dst[0] * prod(dst[SPATIAL:])

    def verify_weighted(self, kernel: Sequence[int]) -> None:
        self.verify_movement(kernel, self.in_memories[0], self.out_memories[0])


@irdl_op_definition
class OneDnnDeconvolutionOp(WeightedBase):
    """The transpose of `onednn.convolution`: each element of src, times the weights, is added to a window of dst.

    ins as of `onednn.convolution`: weights [O, I, spatial…] or, by groups, [G, O/G, I/G, spatial…]. In place as it is.
    """

    name = "onednn.deconvolution"

    def places(self) -> int:
        src = self.in_memories[0].shape
        return src[0] * prod(src[SPATIAL:])

    def verify_weighted(self, kernel: Sequence[int]) -> None:
        self.verify_movement(kernel, self.out_memories[0], self.in_memories[0])


@dataclass(frozen=True)
class WeightedPrimitiveBase(Primitive):
    """A primitive of operands x, weights, perhaps bias [O], and those of post-ops.

    `group`: how many groups the channels have. `channels_last`: x and the result are [N, spatial…, C]. `post_ops`: what
    is done to each element, in this order.
    """

    group: int
    channels_last: bool
    post_ops: tuple[PostOp, ...] = field(default=(), kw_only=True)
    STEP: ClassVar[type[WeightedBase]]

    def emit(self, steps: StepBuilder) -> bool:
        src, dst = (channels_second(v, self.channels_last) for v in (steps.ins[0], steps.outs[0]))
        plain = channels_second(steps.ins[1], channels_last=False)
        if src is None or dst is None or plain is None or not takes_rank(src):
            return False
        if in_one_place(src, dst):
            src, dst = one_place_last(src), one_place_last(dst)
        own = len(steps.ins) - operands_of(self.post_ops)
        further = self._further(steps, dst, own)
        if None in further or not all(v.layout.is_dense for v in steps.ins[2:own]):
            return False
        packed = {1} if is_constant(plain) else ()
        window = self.window(src.shape[SPATIAL:])
        if not self.covers(window, src.shape[SPATIAL:], dst.shape[SPATIAL:]):
            return False
        axes = kept_axes(window, src.shape[SPATIAL:], dst.shape[SPATIAL:])
        weights = self.weights(plain)
        ins = [with_spatial(src, SPATIAL, axes), with_spatial(weights, len(weights.shape) - len(window.kernel), axes)]
        ins += steps.ins[2:own]
        ins += [with_spatial(operand, SPATIAL, axes) for operand in further if operand is not None]
        attributes = {**movement_attributes(with_axes(window, axes)), **post_ops_attribute(self.post_ops)}
        attributes |= self.choice()
        copy_summed(steps, self.post_ops)
        steps.step(self.STEP, ins, [with_spatial(dst, SPATIAL, axes)], attributes, packed)
        return True

    def _further(self, steps: StepBuilder, dst: Operand, own: int) -> list[Operand | None]:
        """The operands of post-ops as [N, C, spatial…]: of a sum that is dst; None for one that is not dense."""
        taking = [post_op for post_op in self.post_ops if post_op.takes_operand]
        further: list[Operand | None] = []
        for post_op, operand in zip(taking, steps.ins[own:], strict=True):
            row = channels_second(operand.padded(len(dst.shape)), self.channels_last)
            further.append(dst if post_op.kind == SUM else one_place_last(row) if row and in_one_place(dst) else row)
        return further

    @abstractmethod
    def window(self, sizes: Sequence[int]) -> Window:
        """The window on an x with spatial axes of these sizes."""

    def choice(self) -> dict[str, Attribute]:
        """Attributes of the step that choose an implementation."""
        return {}

    def covers(self, window: Window, source: Sequence[int], target: Sequence[int]) -> bool:
        """Whether the window has a place for each element, as oneDNN counts them."""
        return True

    @abstractmethod
    def weights(self, weights: Operand) -> Operand:
        """Dense weights as oneDNN wants them, by groups if there are more than one."""


@dataclass(frozen=True)
class ConvolutionPrimitive(WeightedPrimitiveBase):
    """A convolution with weights [O, C/G, spatial…]; `rule` says how the window moves, `any_size` is the step's."""

    rule: WindowRule
    any_size: bool = field(default=False, kw_only=True)
    STEP: ClassVar = OneDnnConvolutionOp

    def choice(self) -> dict[str, Attribute]:
        return {"any_size": UnitAttr()} if self.any_size else {}

    def window(self, sizes: Sequence[int]) -> Window:
        return self.rule.window(sizes)

    def weights(self, weights: Operand) -> Operand:
        outputs, *rest = weights.shape
        return weights if self.group == 1 else _cut(weights, (self.group, outputs // self.group, *rest))


@dataclass(frozen=True)
class DeconvolutionPrimitive(WeightedPrimitiveBase):
    """The transpose of a convolution, with weights [C, O/G, spatial…]; `rule` says how the window moves."""

    rule: TransposedRule
    STEP: ClassVar = OneDnnDeconvolutionOp

    def window(self, sizes: Sequence[int]) -> Window:
        return self.rule.window(sizes)

    def covers(self, window: Window, source: Sequence[int], target: Sequence[int]) -> bool:
        # An `output_shape` may leave more elements behind the last window than a stride has.
        rows = zip(target, window.begins, window.ends, window.reach, window.strides, strict=True)
        return tuple(source) == tuple((n + b + e - r) // s + 1 for n, b, e, r, s in rows)

    def weights(self, weights: Operand) -> Operand:
        inputs, *rest = weights.shape
        if self.group == 1:
            return weights.at(reordered(weights.layout, (1, 0, *range(2, len(weights.shape)))))
        cut = _cut(weights, (self.group, inputs // self.group, *rest))
        return cut.at(reordered(cut.layout, (0, 2, 1, *range(3, len(cut.shape)))))


def takes_rank(operand: Operand) -> bool:
    """Whether oneDNN's primitives take so many axes."""
    return 0 < len(operand.shape) - SPATIAL <= MOST_AXES


def _cut(operand: Operand, sizes: tuple[int, ...]) -> Operand:
    """A dense operand under other sizes."""
    return operand.at(Strided.dense(sizes, operand.layout.item, operand.layout.offset))
