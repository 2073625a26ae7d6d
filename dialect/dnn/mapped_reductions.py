"""Reductions of what a function makes of each element, or a function of a reduction."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition

from lastuse.dialect.dnn.attributes import (
    need_float,
)
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.blocked_kernels import blocks
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_OPERAND, READS_RESULT
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.reductions import READS_BOTH_ENDS, ReduceBase, UfuncReduceBase, is_integral
from lastuse.dialect.ir.tensor_types import TensorInfo


class MappedSumBase(ReduceBase):
    """A sum of what `term` makes of each element, of which blocks alone are in memory."""

    BACKWARD: ClassVar = READS_OPERAND

    @abstractmethod
    def term(self, x: Array) -> Array:
        """What is added up for each element."""

    def reduce(self, x: Array, axes: tuple[int, ...], y: Array) -> None:
        y[...] = 0
        for part, target in blocks(x.shape, axes):
            np.add(y[target], np.add.reduce(self.term(x[part]), axes, dtype=y.dtype, keepdims=True), out=y[target])


@irdl_op_definition
class ReduceL1Op(MappedSumBase, DifferentiableBase):
    """The sum of absolute values along `axes`.

    `axes`: default all. `keepdims`: true leaves them with size 1; default false. Floating-point elements or integers.
    ONNX ReduceL1, but for the default of keepdims.
    """

    name = "dnn.reduce_l1"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>"

    def term(self, x: Array) -> Array:
        return np.abs(x)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("mul", builder.emit("sign", self.x), self.spread(dy, builder)),)


@irdl_op_definition
class ReduceSumSquareOp(MappedSumBase, DifferentiableBase):
    """The sum of squares along `axes`.

    `axes`: default all. `keepdims`: true leaves them with size 1; default false. Floating-point elements or integers.
    ONNX ReduceSumSquare, but for the default of keepdims.
    """

    name = "dnn.reduce_sum_square"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>"

    def term(self, x: Array) -> Array:
        return np.square(x)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("mul", self.x, self.spread(builder.scaled(dy, 2), builder)),)


@irdl_op_definition
class ReduceL2Op(MappedSumBase, DifferentiableBase):
    """The square root of the sum of squares along `axes`.

    `axes`: default all. `keepdims`: true leaves them with size 1; default false. Floating-point elements or integers,
    of which the root is rounded towards 0. ONNX ReduceL2, but for the default of keepdims.
    """

    name = "dnn.reduce_l2"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>"
    BACKWARD: ClassVar = READS_BOTH_ENDS

    def term(self, x: Array) -> Array:
        return np.square(x, dtype=np.float64) if is_integral(x) else np.square(x)

    def reduce(self, x: Array, axes: tuple[int, ...], y: Array) -> None:
        sums = np.zeros(y.shape, np.float64) if is_integral(x) else y
        super().reduce(x, axes, sums)
        np.copyto(y, np.sqrt(sums), casting="unsafe")

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """0 where the root is 0."""
        share = builder.emit("div", dy, self.y)
        none = builder.emit("equal", self.y, builder.number(0, self.y), dtype="i1")
        return (builder.emit("mul", self.x, self.spread(builder.emit("masked_fill", share, none, value=0.0), builder)),)


@irdl_op_definition
class ReduceLogSumOp(UfuncReduceBase, DifferentiableBase):
    """The logarithm of the sum along `axes`.

    `axes`: default all. `keepdims`: true leaves them with size 1; default false. Floating-point elements; of none it is
    negative infinity. ONNX ReduceLogSum, but for the default of keepdims.
    """

    name = "dnn.reduce_log_sum"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>"
    UFUNC: ClassVar = np.add
    BACKWARD: ClassVar = READS_RESULT

    def need_element_type(self, x: TensorInfo) -> None:
        need_float(x)

    def reduce(self, x: Array, axes: tuple[int, ...], y: Array) -> None:
        super().reduce(x, axes, y)
        np.log(y, out=y)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (self.spread(builder.emit("div", dy, builder.emit("exp", self.y)), builder),)


@irdl_op_definition
class ReduceLogSumExpOp(ReduceBase, DifferentiableBase):
    """The logarithm of the sum of exponentials along `axes`, which do not overflow on the way.

    `axes`: default all. `keepdims`: true leaves them with size 1; default false. Floating-point elements; of none it is
    negative infinity. ONNX ReduceLogSumExp, but for the default of keepdims.
    """

    name = "dnn.reduce_log_sum_exp"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>"
    BACKWARD: ClassVar = READS_BOTH_ENDS

    def need_element_type(self, x: TensorInfo) -> None:
        need_float(x)

    def reduce(self, x: Array, axes: tuple[int, ...], y: Array) -> None:
        largest = np.maximum.reduce(x, axes, keepdims=True, initial=x.dtype.type(-np.inf))
        largest = np.where(np.isfinite(largest), largest, x.dtype.type(0))
        y[...] = 0
        for part, target in blocks(x.shape, axes):
            terms = np.exp(x[part] - largest[target])
            np.add(y[target], np.add.reduce(terms, axes, dtype=x.dtype, keepdims=True), out=y[target])
        np.log(y, out=y)
        np.add(y, largest, out=y)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        weights = builder.emit("exp", builder.emit("sub", self.x, self.spread(self.y, builder)))
        return (builder.emit("mul", weights, self.spread(dy, builder)),)
