"""Elements divided by a norm of their neighbours along one axis; the largest of them alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.ir import SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    NUMBER,
    AxisBase,
    all_f32,
    engines,
    integer,
    need_float,
    number,
)
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.blocked_kernels import slabs
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeF32Base
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.lrn import LrnPrimitive
from lastuse.dialect.storage.contract import Backward, Contract, InPlace

READS_BOTH_ENDS = Backward(operands=frozenset({0}), results=frozenset({0}))


@irdl_op_definition
class LrnOp(OneOperandBase, KernelOnlyBase, DifferentiableBase):
    """x / (bias + alpha / size * the sum of squares of the `size` channels around)^beta.

    x [N, C, …]. The channels from (size - 1) / 2, rounded down, before to as many, rounded up, behind; there are none
    beyond the first and the last one. `size`: 1 or more; `alpha`: default 1e-4, `beta`: 0.75, `bias`: 1. y has the
    shape and floating-point type of x. ONNX LRN.
    """

    name = "dnn.lrn"
    EXAMPLE: ClassVar = "{size = 3 : i64} : (tensor<2x5x3x3xf32>) -> tensor<2x5x3x3xf32>"
    size = attr_def(INTEGER)
    alpha = opt_attr_def(NUMBER)
    beta = opt_attr_def(NUMBER)
    bias = opt_attr_def(NUMBER)

    def _numbers(self) -> tuple[float, float, float]:
        return float(number(self.alpha, 1e-4)), float(number(self.beta, 0.75)), float(number(self.bias, 1.0))

    def is_rowwise(self) -> bool:
        return True

    def storage(self) -> Contract:
        return Contract(backward=READS_BOTH_ENDS, engines=engines(self))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_float(operands[0])
        if len(operands[0].shape) < 2:
            raise ValueError(f"x must have 2 axes or more, not {len(operands[0].shape)}")
        if integer(self.size, 1) < 1:
            raise ValueError(f"size must be 1 or more, not {integer(self.size, 1)}")
        return (operands[0],)

    def primitive(self) -> Primitive | None:
        size = integer(self.size, 1)
        return LrnPrimitive(size, *self._numbers()) if size % 2 and all_f32(self) else None

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        alpha, beta, bias = self._numbers()
        size, kind = integer(self.size, 1), x.dtype.type
        with np.errstate(all="ignore"):
            for slab in slabs(x.shape, (1,)):
                source, target = x[slab], y[slab]
                squares = np.square(source)
                for channel in range(x.shape[1]):
                    first = max(0, channel - (size - 1) // 2)
                    np.add.reduce(squares[:, first : channel + size // 2 + 1], 1, out=target[:, channel])
                np.multiply(target, kind(alpha / size), out=target)
                np.add(target, kind(bias), out=target)
                np.divide(source, np.power(target, kind(beta)), out=target)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """Of y = x / s^beta: dy / s^beta, and what every sum s that x is in adds: -2 * alpha * beta / size * dy * y / s
        times x."""
        alpha, beta, bias = self._numbers()
        size = integer(self.size, 1)
        before, behind = (size - 1) // 2, size // 2
        squares = self._neighbours(builder.emit("mul", self.x, self.x), before, behind, builder)
        sums = builder.emit("scale", squares, scale=alpha / size, bias=bias)
        own = builder.emit("div", dy, builder.emit("pow", sums, builder.number(beta, sums)))
        shares = builder.emit("div", builder.emit("mul", dy, self.y), sums)
        others = builder.emit("mul", self._neighbours(shares, behind, before, builder), self.x)
        return (builder.emit("sub", own, builder.scaled(others, 2 * alpha * beta / size)),)

    @staticmethod
    def _neighbours(value: SSAValue, before: int, behind: int, builder: GradientBuilder) -> SSAValue:
        """The sum of each element and of so many channels before and behind it."""
        channels = builder.known_size(value, 1)
        padded = builder.emit("pad", value, pads=[before, behind], axes=[1])
        parts = [builder.emit("slice", padded, dim=1, start=k, end=k + channels) for k in range(before + behind + 1)]
        return builder.emit("sum", *parts)


@irdl_op_definition
class LpNormalizationOp(NativeF32Base, OneOperandBase, AxisBase, KernelOnlyBase, DifferentiableBase):
    """x divided by its norm along `axis`: the sum of absolute values, or the square root of the sum of squares.

    `axis`: default -1. `p`: 1 or 2, default 2. Where the norm is 0, y is 0. y has the shape and floating-point type of
    x. ONNX LpNormalization.
    """

    name = "dnn.lp_normalization"
    EXAMPLE: ClassVar = "{axis = -1 : i64, p = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    DEFAULT_AXIS: ClassVar = -1
    p = opt_attr_def(INTEGER)

    def is_rowwise(self) -> bool:
        return self.axis_index(len(self.result_type().shape)) > 0

    def storage(self) -> Contract:
        return Contract((InPlace(0, 0),), backward=READS_BOTH_ENDS, engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        return [self.axis_index(len(self.operand_type().shape)), integer(self.p, 2)]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_float(operands[0])
        self.axis_index(len(operands[0].shape))
        if integer(self.p, 2) not in (1, 2):
            raise ValueError(f"p must be 1 or 2, not {integer(self.p, 2)}")
        return (operands[0],)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        axis, p = self.axis_index(x.ndim), integer(self.p, 2)
        with np.errstate(all="ignore"):
            for slab in slabs(x.shape, (axis,)):
                terms = np.abs(x[slab]) if p == 1 else np.square(x[slab])
                norm = np.add.reduce(terms, axis, dtype=x.dtype, keepdims=True)
                norm = norm if p == 1 else np.sqrt(norm)
                zero = norm == 0
                np.divide(x[slab], norm, out=y[slab])
                np.copyto(y[slab], x.dtype.type(0), where=zero)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """(dy - the sum of dy * y times the slope of the norm) / norm; 0 where the norm is."""
        axes, one_norm = [self.axis_index(len(builder.shape(self.x)))], integer(self.p, 2) == 1
        norm = builder.emit("reduce_l1" if one_norm else "reduce_l2", self.x, axes=axes, keepdims=True)
        along = builder.emit("reduce_sum", builder.emit("mul", dy, self.y), axes=axes, keepdims=True)
        slope = builder.emit("sign", self.x) if one_norm else self.y
        rest = builder.emit("sub", dy, builder.emit("mul", slope, along))
        zero = builder.emit("equal", norm, builder.number(0, norm), dtype="i1")
        return (builder.emit("where", zero, builder.number(0, norm), builder.emit("div", rest, norm)),)


@irdl_op_definition
class HardmaxOp(NativeF32Base, OneOperandBase, AxisBase, KernelOnlyBase, DifferentiableBase):
    """1 where x has its largest element along `axis`, the first one of several, and 0 elsewhere.

    `axis`: default -1. NaN counts as the largest. y has the shape and floating-point type of x. ONNX Hardmax.
    """

    name = "dnn.hardmax"
    EXAMPLE: ClassVar = "{axis = -1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    DEFAULT_AXIS: ClassVar = -1

    def is_rowwise(self) -> bool:
        return self.axis_index(len(self.result_type().shape)) > 0

    def storage(self) -> Contract:
        return Contract((InPlace(0, 0),), strided=True, backward=READS_NOTHING, engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        return [self.axis_index(len(self.operand_type().shape))]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_float(operands[0])
        self.axis_index(len(operands[0].shape))
        return (operands[0],)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        if not x.size:
            return
        axis = self.axis_index(x.ndim)
        largest = np.argmax(x, axis, keepdims=True)
        y[...] = 0
        np.put_along_axis(y, largest, 1, axis)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """Zero, but where the largest element is another one, where there is none."""
        return (None,)
