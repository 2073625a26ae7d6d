"""What ops with spatial axes share: the order of axes, and the window that moves over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

import numpy as np
from xdsl.dialects.builtin import BoolAttr, StringAttr, UnitAttr
from xdsl.irdl import base, opt_attr_def

from lastuse.dialect.dnn.attributes import INTEGERS, flag, integers, word
from lastuse.dialect.dnn.base import Array, DnnOp, TransposedForm
from lastuse.dialect.ir.remembered import remembered
from lastuse.dialect.ir.tensor_types import Dim
from lastuse.dialect.onednn.primitives.window import AUTO_PADS, NOTSET, WindowRule
from lastuse.dialect.storage.contract import Engine, engine_of

T = TypeVar("T")


def is_channels_last(perm: Sequence[int]) -> bool:
    """Whether the order of axes makes [N, spatial…, C] of [N, C, spatial…]."""
    return len(perm) > 2 and list(perm) == [0, *range(2, len(perm)), 1]


class SpatialBase(DnnOp):
    """An op on x [N, C, spatial…], or with `channels_last` [N, spatial…, C]; its result has the same order of axes."""

    SPATIAL: ClassVar[frozenset[int]] = frozenset({0})
    """Operands with such axes; none where the channels have to be the second axis."""
    channels_last = opt_attr_def(BoolAttr)

    @property
    def is_channels_last(self) -> bool:
        return flag(self.channels_last)

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        """With `channels_last`, for the order [N, spatial…, C]."""
        if self.is_channels_last or not self.SPATIAL or not is_channels_last(perm):
            return None
        return TransposedForm({**self.attributes, "channels_last": BoolAttr.from_bool(True)}, self.SPATIAL)

    def is_faster_channels_last(self) -> bool:
        """Whether oneDNN computes the op, and its channels are not last."""
        return not self.is_channels_last and engine_of(self) is not Engine.CPU and self.primitive() is not None

    def prefers_channels_second(self) -> bool:
        """Whether the op is computed faster with its channels second, as they are. No bytes are moved for that."""
        return False

    def parted(self, shape: Sequence[T]) -> tuple[T, T, tuple[T, ...]]:
        """Batch, channels, and the spatial sizes of a shape.

        Raises:
            ValueError: it has no spatial axis.
        """
        if len(shape) < 3:
            raise ValueError(f"x must have 3 axes or more, not {len(shape)}")
        if self.is_channels_last:
            return shape[0], shape[-1], tuple(shape[1:-1])
        return shape[0], shape[1], tuple(shape[2:])

    def joined(self, batch: T, channels: T, spatial: Sequence[T]) -> tuple[T, ...]:
        """The shape of batch, channels and spatial sizes."""
        return (batch, *spatial, channels) if self.is_channels_last else (batch, channels, *spatial)

    def channels_second(self, x: Array) -> Array:
        """x as [N, C, spatial…], a view."""
        return np.moveaxis(x, -1, 1) if self.is_channels_last else x

    def channels_back(self, y: Array) -> Array:
        """What is [N, C, spatial…] in the op's own order, a view."""
        return np.moveaxis(y, 1, -1) if self.is_channels_last else y

    def has_open_size(self) -> bool:
        """Whether the last spatial size of x, on which code depends, is not known."""
        shape = self.operand_type().shape
        return len(shape) > 2 and self.parted(shape)[2][-1] is None


class WindowedOpBase(SpatialBase):
    """An op whose window moves over the spatial axes of x.

    `kernel_shape`: sizes of the window. `strides`, `dilations`: default 1. `pads`: begins, then ends, default 0.
    `auto_pad`: NOTSET (the default), SAME_UPPER, SAME_LOWER or VALID, with which there are no `pads`.
    """

    kernel_shape = opt_attr_def(INTEGERS)
    strides = opt_attr_def(INTEGERS)
    pads = opt_attr_def(INTEGERS)
    dilations = opt_attr_def(INTEGERS)
    auto_pad = opt_attr_def(base(StringAttr))

    def kernel_sizes(self, rank: int) -> tuple[int, ...]:
        """`kernel_shape`, for so many spatial axes."""
        if self.kernel_shape is None:
            raise ValueError("needs kernel_shape")
        return self._entries(integers(self.kernel_shape), "kernel_shape", rank, 1)

    def size_divisors(self) -> tuple[int, ...]:
        return () if self.strides is None else integers(self.strides)

    def rule(self, kernel: Sequence[int]) -> WindowRule:
        """How a window of these sizes moves.

        Raises:
            ValueError: an attribute has a wrong number of entries, or an entry too small.
        """
        rank = len(kernel)
        stated, auto_pad = self._stated_movement
        strides = self._entries(stated[0], "strides", rank, 1)
        dilations = self._entries(stated[1], "dilations", rank, 1)
        pads = self._entries(stated[2], "pads", 2 * rank, 0)
        if auto_pad not in AUTO_PADS:
            raise ValueError(f"auto_pad must be one of {', '.join(AUTO_PADS)}, not {auto_pad}")
        if auto_pad != NOTSET and any(pads):
            raise ValueError(f"auto_pad {auto_pad} leaves no room for pads")
        return WindowRule(tuple(kernel), strides, dilations, pads, auto_pad)

    @property
    @remembered
    def _stated_movement(self) -> tuple[tuple[tuple[int, ...] | None, ...], str]:
        """The entries of `strides`, `dilations` and `pads`, None for those that are left out; and `auto_pad`."""
        lists = (self.strides, self.dilations, self.pads)
        return tuple(None if each is None else integers(each) for each in lists), word(self.auto_pad, NOTSET)

    @staticmethod
    def _entries(stated: tuple[int, ...] | None, what: str, count: int, least: int) -> tuple[int, ...]:
        """The entries of an attribute, `least` each where there is none."""
        values = (least,) * count if stated is None else stated
        if len(values) != count:
            raise ValueError(f"{what} must have {count} entries, not {len(values)}")
        if min(values, default=least) < least:
            raise ValueError(f"{what} must be {least} or more, not {list(values)}")
        return values

    def sizes(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The spatial sizes of an array's shape."""
        return self.parted(shape)[2]


class AnySizeBase(SpatialBase):
    """An op with primitives whose code is another one for each width, and stays in the process (docs/onnx.md), and with
    others.

    `any_size`: it is computed by the others, where these take about as long.
    """

    any_size = opt_attr_def(UnitAttr)

    def leaves_code(self) -> bool:
        """Whether the op has primitives of the first kind alone, or the others take much longer: with windows of
        several rows over more than 3 channels of a group."""
        channels, *window = self.operand_type(1).shape[1:]
        return any(n != 1 for n in window[:-1]) and not (isinstance(channels, int) and channels <= 3)


def known(sizes: Sequence[Dim | None]) -> tuple[int, ...] | None:
    """The sizes, where all are numbers."""
    numbers = tuple(size for size in sizes if isinstance(size, int))
    return numbers if len(numbers) == len(sizes) else None
