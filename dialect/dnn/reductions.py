"""Reductions: the elements along some axes become one."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    INTEGERS,
    all_f32,
    axis_of,
    integer,
    integers,
    is_float,
    moved_axes,
    need_number,
)
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, OneOperandBase, TransposedForm
from lastuse.dialect.dnn.contents import holds_sizes, larger, smaller
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING, READS_OPERAND
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeNumbersBase
from lastuse.dialect.dnn.spatial.windowed import known
from lastuse.dialect.ir.tensor_types import Content, Dim, TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.reduction import ReductionPrimitive
from lastuse.dialect.storage.contract import Backward, Contract, Engine

READS_BOTH_ENDS = Backward(operands=frozenset({0}), results=frozenset({0}))


FEW_REDUCED, MANY_RESULTS = 512, 64
"""Elements of a result, at most, and results, at least, that the runtime's kernel makes where oneDNN has a primitive:
it takes up to 0.3 of the time. Sizes that are not known do not count."""


class ReduceBase(NativeNumbersBase, OneOperandBase, KernelOnlyBase):
    """y is x with the axes `axes` reduced: default all. With `keepdims` they stay, with size 1."""

    BACKWARD: ClassVar[Backward] = READS_NOTHING
    ALG: ClassVar[str | None] = None
    """oneDNN's name of the reduction."""

    axes = opt_attr_def(INTEGERS)
    keepdims = opt_attr_def(INTEGER)

    def reduced_axes(self, rank: int) -> tuple[int, ...]:
        """The axes that go, ascending; raises ValueError where one is named twice or is none."""
        axes = [axis_of(a, rank) for a in (integers(self.axes) if self.axes is not None else range(rank))]
        if len(set(axes)) < len(axes):
            raise ValueError(f"axes {axes} name one twice")
        return tuple(sorted(axes))

    def need_element_type(self, x: TensorInfo) -> None:
        """Raises ValueError unless x may have its element type."""
        need_number(x)

    def storage(self) -> Contract:
        exact = not is_float(self.operand_type().dtype)
        return Contract(strided=exact, backward=self.BACKWARD, engines=self.kernel_engines())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        self.need_element_type(x)
        axes, kept = self.reduced_axes(len(x.shape)), bool(integer(self.keepdims, 0))
        shape = tuple(1 if a in axes else d for a, d in enumerate(x.shape) if kept or a not in axes)
        return (TensorInfo(shape, x.dtype),)

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        """Axes that are left and do not stay as they are have to keep their order."""
        axes, kept = self.reduced_axes(len(perm)), bool(integer(self.keepdims, 0))
        left = [axis for axis in perm if axis not in axes]
        if not kept and left != sorted(left):
            return None
        return TransposedForm({**self.attributes, "axes": moved_axes(axes, perm)}, frozenset({0}), results_too=kept)

    def primitive(self) -> Primitive | None:
        if self.ALG is None or not all_f32(self):
            return None
        rank = len(self.operand_type().shape)
        axes = self.reduced_axes(rank)
        if axes != tuple(range(rank - len(axes), rank)):
            return None  # oneDNN is slow at axes that are not the last ones
        return ReductionPrimitive(self.ALG, axes)

    def engine(self) -> Engine | None:
        """The runtime's kernel for many results of few elements each: oneDNN's takes 0.17 us for each result."""
        x = self.operand_type().shape
        axes = self.reduced_axes(len(x))
        few = known([x[axis] for axis in axes])
        results = math.prod(size for axis, size in enumerate(x) if axis not in axes and isinstance(size, int))
        is_native = few is not None and math.prod(few) <= FEW_REDUCED and results >= MANY_RESULTS
        return Engine.NATIVE if is_native and self.takes_native() else super().engine()

    def native_numbers(self) -> Sequence[float]:
        rank = len(self.operand_type().shape)
        return [axis in self.reduced_axes(rank) for axis in range(rank)]

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        axes = self.reduced_axes(x.ndim)
        if y.ndim < x.ndim:
            y = y[tuple(None if a in axes else slice(None) for a in range(x.ndim))]
        with np.errstate(all="ignore"):
            self.reduce(x, axes, y)

    def spread(self, dy: SSAValue, builder: GradientBuilder) -> SSAValue:
        """A value of y's shape, in the shape of x: along the axes that are reduced each element stands everywhere."""
        shape = builder.shape(self.x)
        axes = self.reduced_axes(len(shape))
        if not integer(self.keepdims, 0) and axes:
            dy = builder.emit("unsqueeze", dy, axes=axes)
        return builder.emit("expand", dy, like=self.x)

    @abstractmethod
    def reduce(self, x: Array, axes: tuple[int, ...], y: Array) -> None:
        """Writes the result to y, which has x's rank and size 1 along `axes`; warnings are off."""


class UfuncReduceBase(ReduceBase):
    """Reduced by one numpy function."""

    UFUNC: ClassVar[np.ufunc]

    def joined(self, a: Dim, b: Dim) -> Dim | None:
        """The reduction of two integers or polynomials over unknown sizes; None where it is not known."""
        return None

    def contents(self, operands: Sequence[TensorInfo]) -> Sequence[Content | None]:
        (content,), x = super().contents(operands), operands[0]
        if content is not None or x.content is None or not holds_sizes(x):
            return (content,)
        places = np.arange(len(x.content)).reshape([d for d in x.shape if isinstance(d, int)])
        axes = self.reduced_axes(places.ndim)
        groups = np.moveaxis(places, axes, range(-len(axes), 0))
        groups = groups.reshape(int(np.prod(groups.shape[: places.ndim - len(axes)])), -1)
        elements = [self._all_joined([x.content[place] for place in group]) for group in groups.tolist()]
        known = [element for element in elements if element is not None]
        return (tuple(known) if len(known) == len(elements) else None,)

    def _all_joined(self, elements: Sequence[Dim | float]) -> Dim | None:
        result: Dim | None = None
        for number, element in enumerate(elements):
            if isinstance(element, float) or (number and result is None):
                return None
            result = element if result is None else self.joined(result, element)
        return result

    def reduce(self, x: Array, axes: tuple[int, ...], y: Array) -> None:
        self.UFUNC.reduce(x, axes, dtype=x.dtype, out=y, keepdims=True)


@irdl_op_definition
class ReduceSumOp(UfuncReduceBase, DifferentiableBase):
    """The sum along `axes`.

    `axes`: default all. `keepdims`: true leaves them with size 1; default false. Floating-point elements or integers;
    the sum of no elements is 0. ONNX ReduceSum, but for the default of keepdims, which is PyTorch's.
    """

    name = "dnn.reduce_sum"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>, keepdims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>"
    UFUNC: ClassVar = np.add
    ALG: ClassVar = "sum"

    def joined(self, a: Dim, b: Dim) -> Dim | None:
        return a + b

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (self.spread(dy, builder),)


@irdl_op_definition
class ReduceMeanOp(ReduceBase, DifferentiableBase):
    """The mean along `axes`.

    `axes`: default all. `keepdims`: true leaves them with size 1; default false. Floating-point elements or integers,
    whose quotient is rounded towards 0. The mean of no elements is NaN, of no integers 0. ONNX ReduceMean, but for the
    default of keepdims, which is PyTorch's.
    """

    name = "dnn.reduce_mean"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>"
    ALG: ClassVar = "mean"

    def reduce(self, x: Array, axes: tuple[int, ...], y: Array) -> None:
        count = int(np.prod([x.shape[a] for a in axes], dtype=np.int64))
        np.add.reduce(x, axes, dtype=x.dtype, out=y, keepdims=True)
        if is_integral(x):
            if count > np.iinfo(y.dtype).max:
                np.copyto(y, np.trunc(y / count), casting="unsafe")
            elif count:
                np.subtract(y, np.fmod(y, y.dtype.type(count)), out=y)
                np.floor_divide(y, y.dtype.type(count), out=y)
        else:
            np.divide(y, y.dtype.type(count), out=y)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        shape = builder.known_shape(self.x)
        count = math.prod(shape[axis] for axis in self.reduced_axes(len(shape)))
        return (self.spread(builder.scaled(dy, 1 / count if count else 0.0), builder),)


@irdl_op_definition
class ReduceProdOp(UfuncReduceBase, DifferentiableBase):
    """The product along `axes`.

    `axes`: default all. `keepdims`: true leaves them with size 1; default false. Floating-point elements or integers;
    the product of no elements is 1. ONNX ReduceProd, but for the default of keepdims.
    """

    name = "dnn.reduce_prod"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>"
    UFUNC: ClassVar = np.multiply
    ALG: ClassVar = "mul"
    BACKWARD: ClassVar = READS_OPERAND

    def joined(self, a: Dim, b: Dim) -> Dim | None:
        return a * b

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        shape = builder.known_shape(self.x)
        axes = self.reduced_axes(len(shape))
        order = [axis for axis in range(len(shape)) if axis not in axes] + list(axes)
        turned = builder.emit("transpose", self.x, perm=order)
        rows = [shape[axis] for axis in order[: len(shape) - len(axes)]]
        factors = builder.emit(
            "reshape", turned, shape=[*rows, math.prod(shape[axis] for axis in axes)], allowzero=True
        )
        before = builder.emit("cumprod", factors, axis=len(rows), exclusive=True)
        behind = builder.emit("cumprod", factors, axis=len(rows), exclusive=True, reverse=True)
        others = builder.reshaped(builder.emit("mul", before, behind), turned)
        back = [order.index(axis) for axis in range(len(shape))]
        return (builder.emit("mul", builder.emit("transpose", others, perm=back), self.spread(dy, builder)),)


class ExtremumBase(UfuncReduceBase, DifferentiableBase):
    """The largest or smallest element, never by oneDNN: it starts from the largest finite numbers, not from
    infinities, and drops NaN."""

    BACKWARD: ClassVar = READS_BOTH_ENDS

    def need_element_type(self, x: TensorInfo) -> None:
        pass

    @abstractmethod
    def neutral(self, dtype: np.dtype) -> float | int | bool:
        """What no element is beyond."""

    def storage(self) -> Contract:
        return super().storage()._replace(strided=True)  # a selection: no order changes it, but for zeros of two signs

    def reduce(self, x: Array, axes: tuple[int, ...], y: Array) -> None:
        self.UFUNC.reduce(x, axes, out=y, keepdims=True, initial=x.dtype.type(self.neutral(x.dtype)))

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """Elements that are equally far share it."""
        hits = builder.emit("equal", self.x, self.spread(self.y, builder))
        count = builder.emit("reduce_sum", hits, axes=self.axes, keepdims=self.keepdims)
        return (builder.emit("mul", hits, self.spread(builder.emit("div", dy, count), builder)),)


@irdl_op_definition
class ReduceMaxOp(ExtremumBase):
    """The largest element along `axes`; NaN where one is NaN.

    `axes`: default all. `keepdims`: true leaves them with size 1; default false. Of no elements: negative infinity, the
    smallest integer, false. ONNX ReduceMax, but for the default of keepdims.
    """

    name = "dnn.reduce_max"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>"
    UFUNC: ClassVar = np.maximum

    def neutral(self, dtype: np.dtype) -> float | int | bool:
        if dtype.kind == "b":
            return False
        return int(np.iinfo(dtype).min) if dtype.kind in "iu" else -np.inf

    def joined(self, a: Dim, b: Dim) -> Dim | None:
        return larger(a, b)


@irdl_op_definition
class ReduceMinOp(ExtremumBase):
    """The smallest element along `axes`; NaN where one is NaN.

    `axes`: default all. `keepdims`: true leaves them with size 1; default false. Of no elements: infinity, the largest
    integer, true. ONNX ReduceMin, but for the default of keepdims.
    """

    name = "dnn.reduce_min"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>"
    UFUNC: ClassVar = np.minimum

    def neutral(self, dtype: np.dtype) -> float | int | bool:
        if dtype.kind == "b":
            return True
        return int(np.iinfo(dtype).max) if dtype.kind in "iu" else np.inf

    def joined(self, a: Dim, b: Dim) -> Dim | None:
        return smaller(a, b)


def is_integral(x: Array) -> bool:
    """Whether elements are integers."""
    return x.dtype.kind in "iu"
