"""Gradients of pools: each element of dy goes back to the elements of its window that made it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    INTEGERS,
    agreed,
    agreed_shape,
    engines,
    integer,
    integers,
    need_float,
    on_cpu_alone,
)
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.gathers import IndicesError
from lastuse.dialect.dnn.spatial.window_kernels import divisors, spread, wide
from lastuse.dialect.dnn.spatial.windowed import WindowedOpBase
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.pooling import MAX, MEAN, PADDED_MEAN
from lastuse.dialect.onednn.primitives.pooling_backward import PoolingBackwardPrimitive
from lastuse.dialect.onednn.primitives.window import Window
from lastuse.dialect.storage.contract import Contract

CHOSEN_TYPES = ("ui8", "i32")
"""Element types of the numbers of elements in their window; in the first one up to `MOST_IN_BYTE` elements."""
MOST_IN_BYTE = 255


def chosen_type(kernel: Sequence[int]) -> str:
    """The element type that numbers the elements of a window of these sizes; oneDNN's workspace has the same."""
    return CHOSEN_TYPES[0] if prod(kernel) <= MOST_IN_BYTE else CHOSEN_TYPES[1]


class PoolGradBase(WindowedOpBase):
    """dx from dy. `output_shape`: the spatial sizes of x; the other attributes are those of the pool."""

    dx = result_def(TensorType)
    output_shape = attr_def(INTEGERS)
    ceil_mode = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return Contract(strided=on_cpu_alone(self), engines=engines(self))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        dy = operands[0]
        need_float(dy)
        batch, channels, places = self.parted(dy.shape)
        outputs = integers(self.output_shape)
        if len(outputs) != len(places):
            raise ValueError(f"output_shape must have {len(places)} sizes, not {len(outputs)}")
        rule = self.rule(self.kernel_sizes(len(outputs)))
        for have, want in zip(places, rule.places(outputs, bool(integer(self.ceil_mode, 0))), strict=True):
            agreed(have, want, "dy and the places of the window")
        return (TensorInfo(self.joined(batch, channels, outputs), dy.dtype),)

    @abstractmethod
    def shares(self, number: int, operands: Sequence[Array]) -> Array:
        """What each element of dy adds to the element of its window of that number."""

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        first = [self.channels_second(operand) for operand in operands]
        outputs, dtype = integers(self.output_shape), operands[0].dtype
        window = self.rule(self.kernel_sizes(len(outputs))).window(outputs)
        dx = np.empty((*first[0].shape[:2], *outputs), dtype)
        prepared = self.prepared(first, window)
        for sample in range(len(dx)):
            parts = [operand[sample : sample + 1] for operand in prepared]
            dx[sample] = spread(lambda k, parts=parts: self.shares(k, parts), parts[0], window, outputs)[0]
        return (self.channels_back(dx),)

    def prepared(self, operands: Sequence[Array], window: Window) -> Sequence[Array]:
        """The operands as `shares` takes them, [N, C, places…]."""
        return operands


@irdl_op_definition
class MaxPoolGradOp(PoolGradBase):
    """The gradient of `dnn.max_pool`: zeros, with each element of dy added to the element of its window that was the
    largest.

    Operands: dy [N, C, places…], floating-point, and the second result of the pool, ui8 or i32: the number of that
    element in its window. i64, counted over all of x with `storage_order` 0, will do too. `output_shape`: the spatial
    sizes of x. The other attributes are those of the pool.
    """

    name = "dnn.max_pool_grad"
    EXAMPLE: ClassVar = (
        "{kernel_shape = array<i64: 3, 2>, output_shape = array<i64: 7, 8>, strides = array<i64: 2, 2>} "
        ": (tensor<2x5x3x4xf32>, tensor<2x5x3x4xui8>) -> tensor<2x5x7x8xf32>"
    )
    SPATIAL: ClassVar = frozenset({0, 1})
    dy = operand_def(TensorType)
    chosen = operand_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        dy, chosen = operands
        agreed_shape("dy and the numbers of elements", dy.shape, chosen.shape)
        numbered = chosen_type(self.kernel_sizes(len(dy.shape) - 2))
        if chosen.dtype not in (numbered, "i64"):
            raise ValueError(f"numbers of elements have type {numbered} or i64, not {chosen.dtype}")
        return super().infer(operands)

    def shares(self, number: int, operands: Sequence[Array]) -> Array:
        dy, chosen = operands
        return np.where(chosen == number, dy, dy.dtype.type(0))

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        if self.operand_type(1).dtype != "i64":
            return super().reference(*operands)
        dy, indices = map(self.channels_second, operands)
        shape = (*dy.shape[:2], *integers(self.output_shape))
        dx = np.zeros(prod(shape), wide(dy.dtype))
        if indices.size and not 0 <= indices.min() <= indices.max() < dx.size:
            raise IndicesError(f"{self.name}: an index is outside of {dx.size} elements")
        np.add.at(dx, indices.reshape(-1), dy.reshape(-1).astype(dx.dtype))
        return (self.channels_back(dx.reshape(shape)).astype(dy.dtype),)

    def primitive(self) -> Primitive | None:
        rank = len(self.operand_type().shape) - 2
        if (self.operand_type().dtype, self.operand_type(1).dtype) != ("f32", chosen_type(self.kernel_sizes(rank))):
            return None
        return PoolingBackwardPrimitive(MAX, self.rule(self.kernel_sizes(rank)), self.is_channels_last)


@irdl_op_definition
class AveragePoolGradOp(PoolGradBase):
    """The gradient of `dnn.average_pool`: each element of dy, over the size of its window, added to that.

    Operand: dy [N, C, places…], floating-point. `output_shape`: the spatial sizes of x. The other attributes are those
    of the pool.
    """

    name = "dnn.average_pool_grad"
    EXAMPLE: ClassVar = (
        "{kernel_shape = array<i64: 3, 2>, output_shape = array<i64: 7, 8>, strides = array<i64: 2, 2>} "
        ": (tensor<2x5x3x4xf32>) -> tensor<2x5x7x8xf32>"
    )
    dy = operand_def(TensorType)
    count_include_pad = opt_attr_def(INTEGER)

    def prepared(self, operands: Sequence[Array], window: Window) -> Sequence[Array]:
        (dy,) = operands
        with_padding = bool(integer(self.count_include_pad, 0))
        counts = divisors(integers(self.output_shape), window, dy.shape[2:], with_padding)
        with np.errstate(all="ignore"):
            return (dy.astype(wide(dy.dtype)) / counts.astype(wide(dy.dtype)),)

    def shares(self, number: int, operands: Sequence[Array]) -> Array:
        return operands[0]

    def primitive(self) -> Primitive | None:
        if self.operand_type().dtype != "f32":
            return None
        rule = self.rule(self.kernel_sizes(len(self.operand_type().shape) - 2))
        alg = PADDED_MEAN if integer(self.count_include_pad, 0) else MEAN
        return PoolingBackwardPrimitive(alg, rule, self.is_channels_last)
