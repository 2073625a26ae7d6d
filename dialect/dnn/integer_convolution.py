"""Convolutions of bytes, exactly: sums in i32, which wraps around, and results quantised anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_attr_def,
    opt_operand_def,
    result_def,
)

from lastuse.dialect.dnn.attributes import INTEGER, agreed, by_role, integer, need_float
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.integer_products import BYTES, IntegerSumsBase, product_tiles, requantize
from lastuse.dialect.dnn.packed_columns import QUAD, STRIP
from lastuse.dialect.dnn.spatial.window_kernels import padded, windows
from lastuse.dialect.dnn.spatial.windowed import WindowedOpBase, known
from lastuse.dialect.dnn.work import work_of_product
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.onednn.primitives.window import Window
from lastuse.dialect.storage.contract import Contract, Engine, engine_of

PLACES = 2048
"""So many places of the window, or one row of them, are multiplied at a time."""


class Sums(NamedTuple):
    """A part of a convolution: sums for some channels of a sample, and some of its places, counted row by row."""

    sample: int
    channels: slice
    places: slice
    sums: Array


MOST_SHIFTS, MOST_COLUMNS, SHIFTED_WORK = 16, 64, 0.8
"""Places that a row has, and columns, at most; and the work, of that with one place, from which on it has several."""
TURNED_BYTES, ODD_BYTES = 16 * 1024, 64 * 1024
"""Weights, at most, that are put into another order in each run: with the channels second, and of odd sizes."""
MOST_AXES = 3
"""Spatial axes, at most, of the runtime's kernel (`most_axes` in runtime/cpp/kernels/integer_ops.cpp)."""


class IntegerConvolutionBase(WindowedOpBase, IntegerSumsBase):
    """x [N, C, spatial…] and weights [O, C/group, kernel…] of bytes, with zero points. With `channels_last` x and the
    result are [N, spatial…, C], the weights [O, kernel…, C/group]: `SPATIAL` has the numbers of both factors."""

    WEIGHTS: ClassVar = "w"
    group = opt_attr_def(INTEGER)

    def packable_operand(self) -> int | None:
        """Those of channels that lie side by side, but for convolutions of each channel alone, and weights of which the
        kernel makes others."""
        w = self.weights_number()
        shape = self.operand_type(w).shape
        if self.packed is not None or not self.is_channels_last or 0 in shape or known(shape) is None:
            return None
        if not self.takes_native() or engine_of(self) is Engine.CPU:
            return None
        groups, depth, columns = self.column_sizes([size for size in shape if isinstance(size, int)])
        is_depthwise = columns == 1 and shape[-1] == 1
        is_plain = not is_depthwise and not self.has_weights_made()
        return w if groups * depth * columns and is_plain else None

    def column_sizes(self, shape: Sequence[int]) -> tuple[int, int, int]:
        groups = integer(self.group, 1)
        if len(shape) < 3 or groups < 1 or shape[0] % groups or not self.is_channels_last:
            raise ValueError(f"weights of sizes {list(shape)} are not packed")
        return groups, prod(shape[1:]), shape[0] // groups

    def columns_of(self, weights: Array) -> Array:
        groups, depth, columns = self.column_sizes(weights.shape)
        return weights.reshape(groups, columns, depth).swapaxes(1, 2)

    def columns_back(self, columns: Array, shape: Sequence[int]) -> Array:
        return columns.swapaxes(1, 2).reshape(shape)

    def storage(self) -> Contract:
        return Contract(engines=self.kernel_engines())

    def takes_native(self) -> bool:
        x, w = self.operand_type(), self.weights_type()
        kernel = known(self.channels_back_shape(w.shape)[2:])
        return kernel is not None and len(x.shape) - 2 <= MOST_AXES and self.has_parameters("w")

    def native_name(self) -> str:
        return "integer_convolution"

    def native_numbers(self) -> Sequence[float]:
        x, w = self.operand_type(), self.weights_type()
        kernel, sizes = known(self.channels_back_shape(w.shape)[2:]), known(self.parted(x.shape)[2])
        assert kernel is not None
        rule = self.rule(kernel)
        # Without sizes the kernel is not called; the numbers are asked for what it is.
        window = rule.window(sizes if sizes is not None else kernel)
        movement = (*window.strides, *window.dilations, *window.begins)
        form = [integer(self.group, 1), self.is_channels_last, self.shifts(known(rule.places(sizes or kernel)))]
        return [*self.parameter_numbers("x", "w"), *form, *movement, *self.packed_numbers()]

    def shifts(self, places: Sequence[int] | None = None) -> int:
        """How many places side by side the runtime's kernel computes with one row of bytes, and as many times the
        columns of weights: so few channels fill a strip of columns. 1 where it does not pay.

        Args:
            places: sizes of the result; None: any.
        """
        shape = known(self.channels_back_shape(self.weights_type().shape))
        if shape is None or integer(self.group, 1) != 1 or self.packed is not None:
            return 1
        rule = self.rule(shape[2:])
        step, is_dilated = rule.strides[-1], rule.dilations[-1] != 1 and shape[-1] > 1
        if is_dilated or not (self.is_channels_last or shape[1] == 1 or prod(shape) <= TURNED_BYTES // MOST_SHIFTS):
            return 1
        outputs, kernel = shape[0], shape[-1]
        most = max(1, min(MOST_SHIFTS, MOST_COLUMNS // max(outputs, 1), *([] if places is None else places[-1:])))

        def work(shifts: int) -> float:
            rows = 1 / shifts if places is None else -(-places[-1] // shifts) / max(places[-1], 1)
            return (kernel + (shifts - 1) * step) * -(-shifts * outputs // STRIP) * rows

        best = min(range(1, most + 1), key=work)
        return best if work(best) <= SHIFTED_WORK * work(1) else 1

    def has_weights_made(self) -> bool:
        """Whether the runtime's kernel makes other weights of these, each time it runs: for several places, or with
        whole quads of bytes in each line of the window."""
        shape = known(self.weights_type().shape)
        if shape is None:
            return False
        is_odd = prod(shape[1:-1]) > 1 and shape[-2] * shape[-1] % QUAD != 0 and prod(shape) <= ODD_BYTES
        return self.shifts() > 1 or is_odd

    def work(self) -> int:
        x, w = sorted(self.SPATIAL)
        return super().work() + work_of_product(self.operands[x], self.operands[w], self.results[0])

    def prefers_channels_last(self) -> bool:
        return not self.is_channels_last and self.takes_native() and engine_of(self) is not Engine.CPU

    def channels_back_shape(self, shape: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
        """The sizes of x, weights or the result with the channels second."""
        return (shape[0], shape[-1], *shape[1:-1]) if self.is_channels_last else tuple(shape)

    def places(self, x: TensorInfo, w: TensorInfo) -> tuple[Dim | None, ...]:
        """The shape of the result.

        Raises:
            ValueError: they are no bytes, or do not fit.
        """
        for operand in (x, w):
            if operand.dtype not in BYTES:
                raise ValueError(f"elements must be {' or '.join(BYTES)}, not {operand.dtype}")
        batch, channels, spatial = self.parted(x.shape)
        if len(w.shape) != len(x.shape):
            raise ValueError(f"x and the weights have {len(x.shape)} and {len(w.shape)} axes")
        w = w._replace(shape=self.channels_back_shape(w.shape))
        groups = integer(self.group, 1)
        if groups < 1 or (isinstance(w.shape[0], int) and w.shape[0] % groups):
            raise ValueError(f"{w.shape[0]} channels cannot be cut into {groups} groups")
        agreed(channels, None if w.shape[1] is None else w.shape[1] * groups, "channels of x and of the weights")
        kernel = known(w.shape[2:])
        if self.kernel_shape is not None and kernel not in (None, self.kernel_sizes(len(spatial))):
            raise ValueError(f"kernel_shape is not that of the weights, {list(kernel or ())}")
        places = (None,) * len(spatial) if kernel is None else self.rule(kernel).places(spatial)
        return self.joined(batch, w.shape[0], places)

    def check_zero_point(self, operand: TensorInfo, zero: TensorInfo, what: str, by_channel: bool) -> None:
        """Raises ValueError unless it is one number of the operand's type, or one for each channel of the weights."""
        if zero.dtype != operand.dtype:
            raise ValueError(f"{what} is {zero.dtype}, its operand {operand.dtype}")
        self.check_parameter(operand, zero, what, by_channel)

    def check_parameter(self, operand: TensorInfo, parameter: TensorInfo, what: str, by_channel: bool) -> None:
        """Raises ValueError unless it is one number, or one for each channel of the weights."""
        if parameter.shape in ((), (1,)):
            return
        if not by_channel or len(parameter.shape) != 1:
            raise ValueError(f"{what} must be one number{' or one for each channel' if by_channel else ''}")
        agreed(operand.shape[0], parameter.shape[0], f"weights and {what}")

    def shape_of_sums(self, roles: Mapping[str, TensorInfo]) -> tuple[Dim | None, ...]:
        """The shape of the result, of operands by name; raises ValueError where they, or zero points, do not fit."""
        roles = {**roles, "w": self.plain_weights(roles["w"])}
        shape = self.places(roles["x"], roles["w"])
        for name, by_channel in (("x", False), ("w", True)):
            zero = roles.get(f"{name}_zero_point")
            if zero is not None:
                self.check_zero_point(roles[name], zero, f"{name}_zero_point", by_channel)
        return shape

    def parts_of_sums(self, roles: Mapping[str, Array]) -> Iterator[Sums]:
        """The convolution of operands by name, part by part; a zero point that is left out is 0."""
        zeros = [roles.get(name, np.zeros((), np.int32)) for name in ("x_zero_point", "w_zero_point")]
        return self.convolved(roles["x"], zeros[0], self.unpacked(roles["w"]), zeros[1])

    def result_rows(self, y: Array) -> Array:
        """The result as [N, O, places], a view."""
        if self.is_channels_last:
            return y.reshape(y.shape[0], prod(y.shape[1:-1]), y.shape[-1]).swapaxes(1, 2)
        return y.reshape(*y.shape[:2], prod(y.shape[2:]))

    def convolved(self, x: Array, x_zero: Array, w: Array, w_zero: Array) -> Iterator[Sums]:
        """The convolution, part by part. The padding of x is its zero point."""
        x, w = self.channels_second(x), self.channels_second(w)
        rule, groups = self.rule(w.shape[2:]), integer(self.group, 1)
        window, places = rule.window(x.shape[2:]), known(rule.places(x.shape[2:]))
        assert places is not None
        outputs, inputs, depth = w.shape[0] // groups, w.shape[1], prod(w.shape[1:])
        zeros = np.broadcast_to(w_zero.reshape(-1, 1), (w.shape[0], 1))
        row = prod(places[1:])
        step = max(1, PLACES // max(1, row))
        for sample in range(x.shape[0]):
            view = _windows(x[sample : sample + 1], x_zero, window, places)
            for start in range(0, places[0], step):
                part = view[(*(slice(None),) * (1 + len(places)), slice(start, start + step))]
                for group in range(groups):
                    columns = np.ascontiguousarray(part[group * inputs : (group + 1) * inputs]).reshape(depth, -1)
                    of = slice(group * outputs, (group + 1) * outputs)
                    rows = w[of].reshape(outputs, depth)
                    for tile in product_tiles(rows, zeros[of], columns, x_zero.reshape(())):
                        channels = slice(of.start + tile.rows.start, of.start + min(tile.rows.stop, outputs))
                        first = start * row + tile.columns.start
                        yield Sums(sample, channels, slice(first, first + tile.sums.shape[1]), tile.sums)


def _windows(x: Array, zero: Array, window: Window, places: tuple[int, ...]) -> Array:
    """The view [C, kernel…, places…] of one sample, padded with its zero point."""
    return windows(padded(x, window, places, int(zero.reshape(()))), window, places)[0]


@irdl_op_definition
class ConvIntegerOp(IntegerConvolutionBase):
    """The convolution of x - x_zero_point with w - w_zero_point, in i32, which wraps around.

    Operands: x [N, C, spatial…] and weights [O, C/group, kernel…], each ui8 or i8; (optional) the zero point of x, and
    that of the weights, one number or one for each of the O channels, of their types. `group`, `strides`, `dilations`,
    `pads`, `auto_pad`, `kernel_shape` as of `dnn.conv`. With `channels_last` x and the result are
    [N, spatial…, C], the weights [O, kernel…, C/group]. ONNX ConvInteger.
    """

    name = "dnn.conv_integer"
    SPATIAL: ClassVar = frozenset({0, 1})
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 1>, pads = array<i64: 1, 1>} "
        ": (tensor<2x3x5xui8>, tensor<4x3x3xi8>, tensor<ui8>, tensor<4xi8>) -> tensor<2x4x5xi32>"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=False),)
    x = operand_def(TensorType)
    w = operand_def(TensorType)
    x_zero_point = opt_operand_def(TensorType)
    w_zero_point = opt_operand_def(TensorType)
    y = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return (TensorInfo(self.shape_of_sums(by_role(self, operands)), "i32"),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        out = self.result_rows(results[0])
        for part in self.parts_of_sums(by_role(self, operands)):
            out[part.sample, part.channels, part.places] = part.sums


@irdl_op_definition
class QlinearConvOp(IntegerConvolutionBase):
    """The convolution of quantised x and weights: round(sums * (x_scale * w_scale / y_scale)) + y_zero_point.

    Operands: x with its scale and zero point, weights with those, one number or one for each of the O channels, the
    scale and zero point of y, and (optional) the bias, i32 [O], which is added to the sums. x, weights and y are ui8 or
    i8. Half is rounded to the even number. `group`, `strides`, `dilations`, `pads`, `auto_pad`, `kernel_shape` as of
    `dnn.conv`. With `channels_last` x and the result are [N, spatial…, C], the weights [O, kernel…, C/group]. ONNX
    QLinearConv.
    """

    name = "dnn.qlinear_conv"
    SPATIAL: ClassVar = frozenset({0, 3})
    EXAMPLE: ClassVar = (
        "{pads = array<i64: 1, 1>} : (tensor<2x3x5xui8>, tensor<f32>, tensor<ui8>, tensor<4x3x3xi8>, tensor<4xf32>, "
        "tensor<4xi8>, tensor<f32>, tensor<ui8>, tensor<4xi32>) -> tensor<2x4x5xui8>"
    )
    x = operand_def(TensorType)
    x_scale = operand_def(TensorType)
    x_zero_point = operand_def(TensorType)
    w = operand_def(TensorType)
    w_scale = operand_def(TensorType)
    w_zero_point = operand_def(TensorType)
    y_scale = operand_def(TensorType)
    y_zero_point = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    y = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, *bias = operands
        w = self.plain_weights(w)
        y = TensorInfo(self.places(x, w), y_zero.dtype)
        if y.dtype not in BYTES:
            raise ValueError(f"y_zero_point must be {' or '.join(BYTES)}, not {y.dtype}")
        parameters = ((x, x_scale, x_zero, "x"), (w, w_scale, w_zero, "w"), (y, y_scale, y_zero, "y"))
        for operand, scale, zero, what in parameters:
            need_float(scale)
            self.check_parameter(operand, scale, f"{what}_scale", what == "w")
            self.check_zero_point(operand, zero, f"{what}_zero_point", what == "w")
        for b in bias:
            if b.dtype != "i32" or len(b.shape) != 1:
                raise ValueError(f"the bias must be i32 with one axis, not {b.dtype} with {len(b.shape)}")
            agreed(b.shape[0], w.shape[0], "the bias and the channels of the result")
        return (y,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, *bias = operands
        w, (y,) = self.unpacked(w), results
        with np.errstate(all="ignore"):
            factor = np.broadcast_to((x_scale * w_scale / y_scale).reshape(-1, 1), (len(w), 1))
        out = self.result_rows(y)
        for part in self.convolved(x, x_zero, w, w_zero):
            if bias:
                np.add(part.sums, bias[0][part.channels, None], out=part.sums)
            target = out[part.sample, part.channels, part.places]
            requantize(part.sums, factor[part.channels], y_zero.reshape(()), target)
