"""Ops that copy elements of their operand to other places, some of them several times."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import INTEGER, INTEGERS, agreed, axis_of, integer, integers
from lastuse.dialect.dnn.axis_moves import BLOCKS, STRETCHES, MovedBlock, blocks, stretches, whole_stretch
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.contents import MovesElementsBase
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gathers import READS_INDICES, IndicesError
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.partial_attributes import PartialAttributes
from lastuse.dialect.ir.tensor_types import TensorInfo, static_shape
from lastuse.dialect.storage.contract import Contract

_COPIES = Contract(strided=True, backward=READS_NOTHING)


@irdl_op_definition
class TileOp(NativeBase, MovesElementsBase, OneOperandBase, KernelOnlyBase, DifferentiableBase):
    """x repeated along each axis.

    `repeats`: how many times, a number for each axis. ONNX Tile.
    """

    name = "dnn.tile"
    EXAMPLE: ClassVar = "{repeats = array<i64: 1, 2>} : (tensor<2x3xf32>) -> tensor<2x6xf32>"
    repeats = attr_def(INTEGERS)

    def storage(self) -> Contract:
        return _COPIES._replace(engines=self.kernel_engines())

    def native_name(self) -> str:
        return BLOCKS

    def native_numbers(self) -> Sequence[float]:
        sizes = [size or 0 for size in static_shape(self.x.type)]
        pairs = enumerate(zip(integers(self.repeats), sizes, strict=True))
        cut = [b for k, (count, n) in pairs for b in (MovedBlock(count, k, 0, k, n), MovedBlock(n, k, 1, k, 1))]
        return blocks([0] * len(sizes), cut)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, repeats = operands[0], integers(self.repeats)
        if len(repeats) != len(x.shape) or min(repeats, default=0) < 0:
            raise ValueError(f"repeats must be {len(x.shape)} numbers, none negative")
        return (TensorInfo(tuple(d * n for d, n in zip(x.known, repeats, strict=True)), x.dtype),)

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        x, repeats = operands[0], PartialAttributes(attributes, values).sizes("repeats")
        if len(repeats) != len(x.shape):
            raise ValueError(f"repeats must be {len(x.shape)} numbers, none negative")
        pairs = zip(x.shape, repeats, strict=True)
        return (TensorInfo(tuple(None if d is None or n is None else d * n for d, n in pairs), x.dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        if not y.size:
            return
        # Every element of x is one of a grid of elements of y: axes of y in two, of which one is broadcast.
        repeats = integers(self.repeats)
        strides = [part for n, s in zip(x.shape, y.strides, strict=True) for part in (n * s, s)]
        sizes = [part for r, n in zip(repeats, x.shape, strict=True) for part in (r, n)]
        grid = np.lib.stride_tricks.as_strided(y, sizes, strides)
        grid[...] = x.reshape([part for n in x.shape for part in (1, n)])

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        shape, repeats = builder.known_shape(self.x), integers(self.repeats)
        grid = [size for pair in zip(repeats, shape, strict=True) for size in pair]
        copies = builder.emit("reshape", dy, shape=grid, allowzero=True)
        return (builder.emit("reduce_sum", copies, axes=list(range(0, len(grid), 2))),)


@irdl_op_definition
class CompressOp(NativeBase, MovesElementsBase, OneOperandBase, KernelOnlyBase, DifferentiableBase):
    """The elements of x along `axis` for which `condition` is true.

    `condition`: truth values, 0 and others; elements behind its end are left out. Without `axis` the elements are those
    of x in row-major order. ONNX Compress.
    """

    name = "dnn.compress"
    EXAMPLE: ClassVar = "{axis = 1 : i64, condition = array<i64: 1, 0, 1>} : (tensor<2x3xf32>) -> tensor<2x2xf32>"
    condition = attr_def(INTEGERS)
    axis = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return _COPIES._replace(engines=self.kernel_engines())

    def takes_native(self) -> bool:
        return self.axis is not None

    def native_name(self) -> str:
        return STRETCHES

    def native_numbers(self) -> Sequence[float]:
        sizes = [size or 0 for size in static_shape(self.x.type)]
        axis, kept = axis_of(integer(self.axis, 0), len(sizes)), np.flatnonzero(integers(self.condition))
        return [n for k, size in enumerate(sizes) for n in (stretches(kept) if k == axis else whole_stretch(size))]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, condition = operands[0], integers(self.condition)
        count = sum(map(bool, condition))
        if self.axis is None:
            whole, shape = x.elements, (count,)
        else:
            axis = axis_of(integer(self.axis, 0), len(x.shape))
            whole, shape = x.shape[axis], (*x.shape[:axis], count, *x.shape[axis + 1 :])
        if isinstance(whole, int) and any(condition[whole:]):
            raise ValueError(f"condition names an element outside the {whole} that there are")
        return (TensorInfo(shape, x.dtype),)

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        x = operands[0]
        if "axis" not in attributes:
            return (TensorInfo((None,), x.dtype),)
        axis = axis_of(integer(attributes["axis"], 0), len(x.shape))
        return (TensorInfo((*x.shape[:axis], None, *x.shape[axis + 1 :]), x.dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,), condition = operands, results, integers(self.condition)
        if self.axis is None:
            for place, index in enumerate(compress(range(len(condition)), condition)):
                y[place] = x[np.unravel_index(index, x.shape)]
            return
        axis = axis_of(integer(self.axis, 0), x.ndim)
        lanes, kept = np.moveaxis(x, axis, 0), np.moveaxis(y, axis, 0)
        for place, index in enumerate(compress(range(len(condition)), condition)):
            kept[place, ...] = lanes[index]

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        shape, condition = builder.known_shape(self.x), integers(self.condition)
        places = [place for place, holds in enumerate(condition) if holds]
        axis = 0 if self.axis is None else axis_of(integer(self.axis, 0), len(shape))
        zeros = builder.zeros(self.x)
        if self.axis is None:
            zeros = builder.emit("reshape", zeros, shape=[math.prod(shape)], allowzero=True)
        numbers = builder.integers(places)
        dx = builder.emit("index_add", zeros, numbers, dy, axis=axis)
        return (builder.reshaped(dx, self.x),)


@irdl_op_definition
class ReverseSequenceOp(NativeBase, KernelOnlyBase, DifferentiableBase):
    """Sequences in reverse order: the first elements of each along `time_axis`, as many as it is long.

    Operands: x, and sequence_lens (i32 or i64), a length for each index of `batch_axis`. `batch_axis`: default 1;
    `time_axis`: default 0. One of the two is the first axis, the other the second. A length outside the axis raises
    `IndicesError` at run time. ONNX ReverseSequence.
    """

    name = "dnn.reverse_sequence"
    EXAMPLE: ClassVar = ": (tensor<3x2xf32>, tensor<2xi64>) -> tensor<3x2xf32>"
    x = operand_def(TensorType)
    sequence_lens = operand_def(TensorType)
    y = result_def(TensorType)
    batch_axis = opt_attr_def(INTEGER)
    time_axis = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return Contract(strided=True, backward=READS_INDICES, engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        return self._axes()

    def _axes(self) -> tuple[int, int]:
        return integer(self.batch_axis, 1), integer(self.time_axis, 0)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, lengths = operands
        axes = self._axes()
        if sorted(axes) != [0, 1] or len(x.shape) < 2:
            raise ValueError(f"batch_axis {axes[0]} and time_axis {axes[1]} must be the first two axes of x")
        if lengths.dtype not in ("i32", "i64") or len(lengths.shape) != 1:
            raise ValueError("sequence_lens must be i32 or i64 along one axis")
        agreed(lengths.shape[0], x.shape[axes[0]], "sequence_lens and the batch axis")
        return (x,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, lengths), (y,) = operands, results
        batch, time = self._axes()
        steps = x.shape[time]
        if lengths.size and not 0 <= int(lengths.min()) <= int(lengths.max()) <= steps:
            raise IndicesError(f"{self.name}: a length is outside the axis of size {steps}")
        for row, (source, target) in enumerate(zip(np.moveaxis(x, batch, 0), np.moveaxis(y, batch, 0), strict=True)):
            length = int(lengths[row])
            target[:length] = source[:length][::-1]
            target[length:] = source[length:]

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        batch, time = self._axes()
        dx = builder.emit("reverse_sequence", dy, self.sequence_lens, batch_axis=batch, time_axis=time)
        return dx, None
