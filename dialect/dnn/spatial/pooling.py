"""Pools: one number for each place of a window, or for each channel."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, opt_result_def, result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    all_f32,
    engines,
    integer,
    need_float,
    need_number,
    on_cpu_alone,
)
from lastuse.dialect.dnn.base import Array, DnnOp, TransposedForm
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.spatial.convolution_gradients import known_sizes
from lastuse.dialect.dnn.spatial.pooling_gradients import CHOSEN_TYPES, chosen_type
from lastuse.dialect.dnn.spatial.row_pooling import RowPoolBase
from lastuse.dialect.dnn.spatial.window_kernels import (
    divisors,
    maxima,
    maxima_numbers,
    maxima_places,
    means,
    norms,
    wide,
)
from lastuse.dialect.dnn.spatial.windowed import WindowedOpBase, known
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo, numpy_dtype, tensor_type
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.pooling import MAX, MEAN, PADDED_MEAN, PoolingPrimitive
from lastuse.dialect.onednn.primitives.pooling_backward import MaxPoolingPrimitive
from lastuse.dialect.onednn.primitives.window import NOTSET, Window
from lastuse.dialect.storage.contract import Backward, Contract

READS_BOTH = Backward(operands=frozenset({0}), results=frozenset({0}))


class PoolBase(WindowedOpBase, RowPoolBase):
    """y[n, c, p] is made of the elements of x[n, c] in the window at place p."""

    x = operand_def(TensorType)
    y = result_def(TensorType)
    ceil_mode = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return Contract(strided=on_cpu_alone(self), engines=engines(self))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        self.check_dtype(x)
        batch, channels, spatial = self.parted(x.shape)
        rule = self.rule(self.kernel_sizes(len(spatial)))
        places = rule.places(spatial, bool(integer(self.ceil_mode, 0)))
        return (TensorInfo(self.joined(batch, channels, places), x.dtype),)

    def check_dtype(self, x: TensorInfo) -> None:
        """Raises ValueError unless the op takes such elements."""
        need_float(x)

    @abstractmethod
    def pooled(self, x: Array, window: Window, places: Sequence[int]) -> tuple[Array, ...]:
        """The results for x [N, C, spatial…]."""

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x = self.channels_second(operands[0])
        rule, sizes = self.rule(self.kernel_sizes(x.ndim - 2)), x.shape[2:]
        places = known(rule.places(sizes, bool(integer(self.ceil_mode, 0))))
        assert places is not None
        with np.errstate(all="ignore"):
            return tuple(self.channels_back(y) for y in self.pooled(x, rule.window(sizes), places))

    def backward_attributes(self, builder: GradientBuilder) -> dict[str, Any]:
        """The attributes of the op that computes the gradient."""
        sizes = known_sizes(self.parted(builder.shape(self.x))[2], self)
        names = ("kernel_shape", "strides", "pads", "dilations", "auto_pad", "channels_last", "ceil_mode")
        return {**{name: self.attributes.get(name) for name in names}, "output_shape": sizes}

    def pooling(self, alg: str) -> Primitive | None:
        """oneDNN's primitive."""
        rank = len(self.operand_type().shape) - 2
        return PoolingPrimitive(alg, self.rule(self.kernel_sizes(rank)), self.is_channels_last)


@irdl_op_definition
class MaxPoolOp(PoolBase):
    """The largest element of each window.

    x [N, C, spatial…], or with `channels_last` [N, spatial…, C]; y [N, C, places…] of x's type, floating-point or
    integers. A second result, if there is one, says which is the first such element. As i64 it is counted over x in the
    order [N, C, spatial…], the spatial axes from the last to the first with `storage_order` 1. As ui8, or i32 where a
    window has more than 255 elements, it is counted in the window: the gradient reads no more than that.
    `ceil_mode`: a place that ends behind the padding counts too. Of NaN, and of a window of nothing but -infinity,
    oneDNN makes other numbers.
    `kernel_shape`, `strides`, `dilations`, `pads`, `auto_pad` as in ONNX MaxPool.
    """

    name = "dnn.max_pool"
    EXAMPLE: ClassVar = (
        "{kernel_shape = array<i64: 3, 2>, strides = array<i64: 2, 2>} : (tensor<2x5x7x8xf32>) -> tensor<2x5x3x4xf32>"
    )
    y = result_def(TensorType)  # again: results of a subclass stand before those of its base
    indices = opt_result_def(TensorType)
    storage_order = opt_attr_def(INTEGER)

    def check_dtype(self, x: TensorInfo) -> None:
        need_number(x)

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        """Not where elements are counted in the order [N, C, spatial…]."""
        counts = self.indices is not None and not self._numbers_elements()
        return None if counts else super().transposed_form(perm)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        (y,) = super().infer(operands)
        order = integer(self.storage_order, 0)
        if order not in (0, 1):
            raise ValueError(f"storage_order is 0 or 1, not {order}")
        if self.indices is None:
            return (y,)
        numbered = chosen_type(self.kernel_sizes(len(y.shape) - 2))
        return y, TensorInfo(y.shape, numbered if self.result_type(1).dtype in CHOSEN_TYPES else "i64")

    def storage(self) -> Contract:
        reads = Backward(results=frozenset({1} if self.indices is not None else ()))
        return super().storage()._replace(backward=reads)

    def pooled(self, x: Array, window: Window, places: Sequence[int]) -> tuple[Array, ...]:
        y = maxima(x, window, places)
        if self.indices is None:
            return (y,)
        if self._numbers_elements():
            return y, maxima_numbers(x, y, window, numpy_dtype(self.result_type(1).dtype))
        return y, maxima_places(x, y, window, bool(integer(self.storage_order, 0)))

    def primitive(self) -> Primitive | None:
        if self.operand_type().dtype in ("i8", "ui8"):  # a window in the padding alone has no largest element
            return self.pooling(MAX) if self.selects_largest() else None
        if self.operand_type().dtype != "f32":
            return None
        if self._numbers_elements():
            rule = self.rule(self.kernel_sizes(len(self.operand_type().shape) - 2))
            return MaxPoolingPrimitive(MAX, rule, self.is_channels_last)
        return self.pooling(MAX) if self.indices is None else None

    def _numbers_elements(self) -> bool:
        return self.indices is not None and self.result_type(1).dtype in CHOSEN_TYPES

    def selects_largest(self) -> bool:
        if self.indices is not None:
            return False
        # No window lies in the padding alone, where the largest element is -infinity.
        rule = self.rule(self.kernel_sizes(len(self.operand_type().shape) - 2))
        pairs = zip(rule.pads, (*rule.kernel, *rule.kernel), strict=True)
        narrow = rule.auto_pad != NOTSET or all(pad < kernel for pad, kernel in pairs)
        return narrow and max(rule.dilations, default=1) == 1

    def training_form(self) -> DnnOp | None:
        if self.indices is not None:
            return None
        dtype = chosen_type(self.kernel_sizes(len(self.result_type().shape) - 2))
        return self.extended(tensor_type(self.result_type()._replace(dtype=dtype)))

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        dy = results[0]
        if dy is None:
            return (None,)
        if self.indices is None or integer(self.storage_order, 0):
            raise LastuseError(f"{self.name} has a gradient with indices of storage_order 0", self)
        return (builder.emit("max_pool_grad", dy, self.indices, **self.backward_attributes(builder)),)


@irdl_op_definition
class AveragePoolOp(PoolBase):
    """The mean of each window.

    x [N, C, spatial…], or with `channels_last` [N, spatial…, C]; y [N, C, places…] of x's floating-point type.
    `count_include_pad`: padding counts as zeros; else it does not count. `ceil_mode`: a place that ends behind the
    padding counts too; what is there does not. `kernel_shape`, `strides`, `dilations`, `pads`, `auto_pad` as in ONNX
    AveragePool.
    """

    name = "dnn.average_pool"
    EXAMPLE: ClassVar = (
        "{kernel_shape = array<i64: 3, 2>, strides = array<i64: 2, 2>} : (tensor<2x5x7x8xf32>) -> tensor<2x5x3x4xf32>"
    )
    count_include_pad = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return super().storage()._replace(backward=READS_NOTHING)

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        (dy,) = results
        assert dy is not None
        attributes = self.backward_attributes(builder)
        return (builder.emit("average_pool_grad", dy, count_include_pad=self.count_include_pad, **attributes),)

    def pooled(self, x: Array, window: Window, places: Sequence[int]) -> tuple[Array, ...]:
        return (means(x, window, places, bool(integer(self.count_include_pad, 0))).astype(x.dtype, copy=False),)

    def primitive(self) -> Primitive | None:
        return self.pooling(PADDED_MEAN if integer(self.count_include_pad, 0) else MEAN) if all_f32(self) else None


@irdl_op_definition
class LpPoolOp(PoolBase):
    """The p-norm of each window: the p-th root of the sum of |x| to the power p.

    x [N, C, spatial…], or with `channels_last` [N, spatial…, C]; y [N, C, places…] of x's floating-point type. `p`:
    default 2. `ceil_mode`: a place that ends behind the padding counts too. `kernel_shape`, `strides`, `dilations`,
    `pads`, `auto_pad` as in ONNX LpPool.
    """

    name = "dnn.lp_pool"
    EXAMPLE: ClassVar = (
        "{kernel_shape = array<i64: 3, 2>, strides = array<i64: 2, 2>} : (tensor<2x5x7x8xf32>) -> tensor<2x5x3x4xf32>"
    )
    p = opt_attr_def(INTEGER)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if integer(self.p, 2) < 1:
            raise ValueError(f"p must be 1 or more, not {integer(self.p, 2)}")
        return super().infer(operands)

    def storage(self) -> Contract:
        return super().storage()._replace(backward=READS_BOTH)

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """dy / y^(p - 1) goes to all elements of the window, as the mean's gradient does but for the size of this."""
        (dy,) = results
        assert dy is not None
        attributes = self.backward_attributes(builder)
        share, slope = _norm_gradient(self.x, self.y, dy, integer(self.p, 2), builder)
        sizes = known_sizes(self.parted(builder.shape(self.x))[2], self)
        places = known_sizes(self.parted(builder.shape(self.y))[2], self)
        window = self.rule(self.kernel_sizes(len(sizes))).window(sizes)
        many = divisors(sizes, window, places, True).reshape(self.joined(1, 1, places)).astype(np.float64)
        whole = builder.emit("mul", share, builder.numbers(many, builder.info(dy).dtype))
        spread = builder.emit("average_pool_grad", whole, count_include_pad=True, **attributes)
        return (builder.emit("mul", spread, slope),)

    def pooled(self, x: Array, window: Window, places: Sequence[int]) -> tuple[Array, ...]:
        return (norms(x, window, places, integer(self.p, 2)).astype(x.dtype, copy=False),)


class GlobalPoolBase(RowPoolBase):
    """y[n, c] is made of all elements of x[n, c]; its spatial sizes are 1."""

    EXAMPLE: ClassVar = ": (tensor<2x3x4x5xf32>) -> tensor<2x3x1x1xf32>"
    x = operand_def(TensorType)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract(strided=on_cpu_alone(self), engines=engines(self))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        need_float(x)
        batch, channels, spatial = self.parted(x.shape)
        return (TensorInfo(self.joined(batch, channels, (1,) * len(spatial)), x.dtype),)

    def ignores_unit_axes(self, axes: Sequence[int]) -> bool:
        return not self.is_channels_last and min(axes) > 1

    @abstractmethod
    def pooled(self, x: Array, axes: tuple[int, ...]) -> Array:
        """The result for x, whose spatial axes these are; warnings are off."""

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x = np.ascontiguousarray(operands[0])  # the order in which numbers are added depends on the strides
        axes = tuple(range(1, x.ndim - 1) if self.is_channels_last else range(2, x.ndim))
        with np.errstate(all="ignore"):
            return (self.pooled(x, axes).astype(x.dtype, copy=False),)

    def pooling(self, alg: str) -> Primitive | None:
        """oneDNN's primitive for f32."""
        return PoolingPrimitive(alg, None, self.is_channels_last) if all_f32(self) else None


@irdl_op_definition
class GlobalAveragePoolOp(GlobalPoolBase):
    """The mean of each channel.

    x [N, C, spatial…], floating-point; y [N, C, 1…] of its type. With `channels_last` [N, spatial…, C] and [N, 1…, C].
    ONNX GlobalAveragePool.
    """

    name = "dnn.global_average_pool"

    def storage(self) -> Contract:
        return super().storage()._replace(backward=READS_NOTHING)

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        (dy,) = results
        assert dy is not None
        sizes = known_sizes(self.parted(builder.shape(self.x))[2], self)
        return (builder.emit("expand", builder.scaled(dy, 1 / prod(sizes)), like=self.x),)

    def pooled(self, x: Array, axes: tuple[int, ...]) -> Array:
        count = np.prod([x.shape[axis] for axis in axes], dtype=np.int64)
        total = np.add.reduce(x, axes, dtype=wide(x.dtype), keepdims=True)
        return np.divide(total, total.dtype.type(count))

    def primitive(self) -> Primitive | None:
        return self.pooling(MEAN)


@irdl_op_definition
class GlobalMaxPoolOp(GlobalPoolBase):
    """The largest element of each channel.

    x [N, C, spatial…], floating-point; y [N, C, 1…] of its type. With `channels_last` [N, spatial…, C] and [N, 1…, C].
    -infinity where there is no element. Of NaN, and of a channel of nothing but -infinity, oneDNN makes other numbers.
    ONNX GlobalMaxPool.
    """

    name = "dnn.global_max_pool"

    def storage(self) -> Contract:
        return super().storage()._replace(backward=READS_BOTH)

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """Elements that are equally large share it."""
        (dy,) = results
        assert dy is not None
        rank = len(builder.shape(self.x))
        axes = list(range(1, rank - 1) if self.is_channels_last else range(2, rank))
        hits = builder.emit("equal", self.x, self.y)
        share = builder.emit("div", dy, builder.emit("reduce_sum", hits, axes=axes, keepdims=True))
        return (builder.emit("mul", hits, share),)

    def pooled(self, x: Array, axes: tuple[int, ...]) -> Array:
        return np.maximum.reduce(x, axes, keepdims=True, initial=x.dtype.type(float("-inf")))

    def primitive(self) -> Primitive | None:
        return self.pooling(MAX)


@irdl_op_definition
class GlobalLpPoolOp(GlobalPoolBase):
    """The p-norm of each channel: the p-th root of the sum of |x| to the power p.

    x [N, C, spatial…], floating-point; y [N, C, 1…] of its type. With `channels_last` [N, spatial…, C] and [N, 1…, C].
    `p`: default 2. ONNX GlobalLpPool.
    """

    name = "dnn.global_lp_pool"
    p = opt_attr_def(INTEGER)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if integer(self.p, 2) < 1:
            raise ValueError(f"p must be 1 or more, not {integer(self.p, 2)}")
        return super().infer(operands)

    def storage(self) -> Contract:
        return super().storage()._replace(backward=READS_BOTH)

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        (dy,) = results
        assert dy is not None
        share, slope = _norm_gradient(self.x, self.y, dy, integer(self.p, 2), builder)
        return (builder.emit("mul", slope, share),)

    def pooled(self, x: Array, axes: tuple[int, ...]) -> Array:
        p, dtype = integer(self.p, 2), wide(x.dtype)
        total = np.add.reduce(np.abs(x.astype(dtype)) ** p, axes, keepdims=True)
        return np.power(total, dtype.type(1 / p))


def _norm_gradient(
    x: SSAValue, y: SSAValue, dy: SSAValue, p: int, builder: GradientBuilder
) -> tuple[SSAValue, SSAValue]:
    """Two factors of the gradient of a p-norm y: dy / y^(p - 1), 0 where y is, and x's sign times |x|^(p - 1)."""
    if p == 1:
        return dy, builder.emit("sign", x)
    if p == 2:
        root, slope = y, x
    else:
        root = builder.emit("pow", y, builder.number(p - 1, y))
        slope = builder.emit("pow", builder.emit("abs", x), builder.number(p - 1, x))
        slope = builder.emit("mul", builder.emit("sign", x), slope)
    zero = builder.emit("equal", y, builder.number(0, y), dtype="i1")
    return builder.emit("where", zero, builder.number(0, y), builder.emit("div", dy, root)), slope
