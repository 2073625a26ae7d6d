"""Products of small integers, exactly: sums in i32, which wraps around, and results quantised anew."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
)

from lastuse.dialect.dnn.attributes import agreed, by_role, integers, need_float
from lastuse.dialect.dnn.base import Array, DnnOp, KernelOnlyBase
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.packed_columns import (
    StatesPackedBase,
    logical_weights,
    packed_bytes,
    packed_columns,
    unpacked_columns,
)
from lastuse.dialect.dnn.quantization import ONE, saturated
from lastuse.dialect.dnn.work import work_of_product
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, broadcast
from lastuse.dialect.storage.contract import Contract, Engine, engine_of

ROWS, DEPTH, COLUMNS = 64, 256, 256
"""Sizes of the blocks of a product. 256 products of numbers below 256 make a sum below 2^24: f32 holds every integer up
to that, whatever the order of additions."""

BYTES = ("ui8", "i8")


class Tile(NamedTuple):
    """A part of the rows and columns of a product, and its sums."""

    rows: slice
    columns: slice
    sums: Array


def product_tiles(a: Array, a_zero: Array, b: Array, b_zero: Array) -> Iterator[Tile]:
    """(a - a_zero) @ (b - b_zero) of matrices of bytes, tile by tile, in i32.

    `a_zero` and `b_zero` broadcast to the matrices.
    """
    (count, depth), width = a.shape, b.shape[1]
    a_zeros, b_zeros = np.broadcast_to(a_zero, a.shape), np.broadcast_to(b_zero, b.shape)
    for left in range(0, width, COLUMNS):
        columns = slice(left, left + COLUMNS)
        for top in range(0, count, ROWS):
            rows = slice(top, top + ROWS)
            sums = np.zeros((min(ROWS, count - top), min(COLUMNS, width - left)), np.int32)
            for first in range(0, depth, DEPTH):
                part = slice(first, first + DEPTH)
                x = np.subtract(a[rows, part], a_zeros[rows, part], dtype=np.float32)
                y = np.subtract(b[part, columns], b_zeros[part, columns], dtype=np.float32)
                np.add(sums, np.matmul(x, y).astype(np.int32), out=sums)
            yield Tile(rows, columns, sums)


class IntegerSumsBase(NativeBase, KernelOnlyBase, StatesPackedBase):
    """An op whose sums of products of bytes the runtime's kernel makes, exactly on every processor.

    `packed`: the sizes that the weights had before they were packed (`--pack-weights-pass`); without it they have them.
    oneDNN's products of u8 and s8 are not used: without VNNI they saturate pairs of sums at 16 bits.
    """

    WEIGHTS: ClassVar[str]
    """The name of the operand."""

    def weights_number(self) -> int:
        """The number of the operand."""
        return self.given_operands().index(self.WEIGHTS)

    def weights_type(self) -> TensorInfo:
        """Sizes and type of the weights, as they were before they were packed."""
        return self.plain_weights(self.operand_type(self.weights_number()))

    def plain_weights(self, weights: TensorInfo) -> TensorInfo:
        """What the weights were before they were packed.

        Raises:
            ValueError: they have other sizes than `packed` says.
        """
        if self.packed is None:
            return weights
        shape = integers(self.packed)
        return logical_weights(weights, shape, packed_bytes(*self.column_sizes(shape)))

    def unpacked(self, weights: Array) -> Array:
        """The weights as they were before they were packed."""
        if self.packed is None:
            return weights
        shape = integers(self.packed)
        return self.columns_back(unpacked_columns(weights, *self.column_sizes(shape)), shape)

    @abstractmethod
    def column_sizes(self, shape: Sequence[int]) -> tuple[int, int, int]:
        """Groups, summed elements and columns of each group of weights of these sizes.

        Raises:
            ValueError: such weights are not packed.
        """

    @abstractmethod
    def columns_of(self, weights: Array) -> Array:
        """The weights as [groups, depth, columns]."""

    @abstractmethod
    def columns_back(self, columns: Array, shape: Sequence[int]) -> Array:
        """The inverse of `columns_of`."""

    def packed_weights(self, weights: Array) -> Array:
        return packed_columns(self.columns_of(weights))

    def packed_numbers(self) -> Sequence[float]:
        """The sizes of packed weights, as the runtime's kernel reads them."""
        return () if self.packed is None else integers(self.packed)

    def may_take_scratch(self) -> bool:
        return self.takes_native() and engine_of(self) is not Engine.CPU

    def parameter_numbers(self, x: str, weights: str) -> list[float]:
        """The numbers of the operands that are parameters, as the runtime's kernel reads them, -1 for one that is
        not there, and the bounds of results; `x` and `weights` are the names of the factors."""
        numbers = {name: number for number, name in enumerate(self.given_operands())}
        names = (f"{x}_zero_point", f"{weights}_zero_point", f"{x}_scale", f"{weights}_scale")
        roles = (*names, "y_scale", "y_zero_point", "bias", weights)
        return [*(numbers.get(name, -1) for name in roles), *self.bounds()]

    def bounds(self) -> tuple[float, float]:
        """The smallest and the largest result of f32."""
        return -math.inf, math.inf

    def given_operands(self) -> list[str]:
        """The names of the operands that are there."""
        names = [name for name, _ in self.get_irdl_definition().operands]
        if "operandSegmentSizes" in self.attributes:
            return list(by_role(self, self.operands))
        return names[: len(self.operands)]

    def has_parameters(self, weights: str) -> bool:
        """Whether scales are f32, and all parameters one number, but those of these weights, which may be one for each
        column or channel, on one axis."""
        for name, operand in zip(self.given_operands(), range(len(self.operands)), strict=True):
            info = self.operand_type(operand)
            if name.endswith("_scale") and info.dtype != "f32":
                return False
            if not name.endswith(("_scale", "_zero_point")) or info.shape in ONE:
                continue
            if not name.startswith(f"{weights}_") or not self.takes_row(info):
                return False
        return True

    def takes_row(self, parameter: TensorInfo) -> bool:
        """Whether a parameter of the weights that fits the op, and is not one number, is one for each column or
        channel, in their order."""
        return len(parameter.shape) == 1


class IntegerMatmulBase(IntegerSumsBase):
    """A product of matrices of bytes, the axes before them broadcast; a vector is a row on the left, a column on the
    right."""

    def storage(self) -> Contract:
        is_strided = not self.takes_native() or engine_of(self) is Engine.CPU
        return Contract(strided=is_strided, engines=self.kernel_engines())

    WEIGHTS: ClassVar = "b"

    def work(self) -> int:
        a, b = self.factors()
        return DnnOp.work(self) + work_of_product(self.operands[a], self.operands[b], self.results[0])

    def packable_operand(self) -> int | None:
        b = self.weights_number()
        shape = self.operand_type(b).shape
        fits = self.packed is None and len(shape) == 2 and 0 not in shape
        return b if fits and self.takes_native() and engine_of(self) is not Engine.CPU else None

    def column_sizes(self, shape: Sequence[int]) -> tuple[int, int, int]:
        if len(shape) != 2:
            raise ValueError(f"packed weights have 2 sizes, not {len(shape)}")
        return 1, shape[0], shape[1]

    def columns_of(self, weights: Array) -> Array:
        return weights[None]

    def columns_back(self, columns: Array, shape: Sequence[int]) -> Array:
        return columns[0]

    def factors(self) -> tuple[int, int]:
        """The numbers of a and b."""
        names = self.given_operands()
        return names.index("a"), names.index("b")

    def takes_native(self) -> bool:
        return self.has_parameters("b")

    def native_name(self) -> str:
        return "integer_matmul"

    def native_numbers(self) -> Sequence[float]:
        return [*self.parameter_numbers("a", "b"), *self.packed_numbers()]

    def product_shape(self, a: TensorInfo, b: TensorInfo) -> tuple[Dim | None, ...]:
        """The shape of a @ b.

        Raises:
            ValueError: they are no bytes, or do not fit.
        """
        for operand in (a, b):
            if operand.dtype not in BYTES:
                raise ValueError(f"elements must be {' or '.join(BYTES)}, not {operand.dtype}")
        left, right = a.known, b.known
        if not left or not right:
            raise ValueError("operands must have one axis or more")
        agreed(left[-1], right[-2:][0], "the summed axes")
        columns = right[-1:] if len(right) > 1 else ()
        return (*broadcast(left[:-2], right[:-2]), *left[-2:-1], *columns)

    def shape_with_zero_points(self, roles: Mapping[str, TensorInfo]) -> tuple[Dim | None, ...]:
        """The shape of a @ b of operands by role, with the zero points that there are.

        Raises:
            ValueError: they are no bytes, or do not fit; a zero point is of another type or size.
        """
        a, b = roles["a"], self.plain_weights(roles["b"])
        shape = self.product_shape(a, b)
        for operand, what, axis in ((a, "a_zero_point", -2), (b, "b_zero_point", -1)):
            if what in roles:
                if roles[what].dtype != operand.dtype:
                    raise ValueError(f"{what} is {roles[what].dtype}, its operand {operand.dtype}")
                self.check_rows(operand, roles[what], axis, what)
        return shape

    def check_rows(self, operand: TensorInfo, parameter: TensorInfo, axis: int, what: str) -> None:
        """Raises ValueError unless a parameter is one number, one for each index of `axis` of a matrix, or has the
        matrix's sizes with 1 for the other axis."""
        shape = parameter.shape
        if shape in ((), (1,)):
            return
        if len(operand.shape) < 2 or len(shape) not in (1, len(operand.shape)):
            raise ValueError(f"{what} with {len(shape)} axes does not fit its operand")
        agreed(operand.shape[axis], shape[0] if len(shape) == 1 else shape[axis], what)
        if len(shape) > 1:
            agreed(shape[-3 - axis], 1, f"the summed axis of {what}")
            for number in range(len(shape) - 2):
                agreed(operand.shape[number], shape[number], f"{what} along axis {number}")

    def multiply(self, roles: Mapping[str, Array], y: Array, finish: Sequence[Array] = ()) -> None:
        """Writes the products of operands by role to y; a zero point that there is none of is 0."""
        zero = np.zeros((), np.int32)
        zeros = roles.get("a_zero_point", zero), roles.get("b_zero_point", zero)
        self.write(roles["a"], zeros[0], self.unpacked(roles["b"]), zeros[1], y, finish)

    def write(self, a: Array, a_zero: Array, b: Array, b_zero: Array, y: Array, finish: Sequence[Array] = ()) -> None:
        """Writes the tiles of all products to y; with `finish`, which broadcasts to y, as `finished` says."""
        a, b, out = (a[None] if a.ndim == 1 else a), (b[:, None] if b.ndim == 1 else b), _with_axes(a, b, y)
        batch = out.shape[:-2]
        matrices = [np.broadcast_to(m, (*batch, *m.shape[-2:])) for m in (a, b)]
        zeros = [np.broadcast_to(zero, (*batch, *m.shape[-2:])) for zero, m in ((rows_of(a_zero), a), (b_zero, b))]
        others = [np.broadcast_to(rows_of(f), out.shape) for f in finish]
        for index in np.ndindex(batch):
            for tile in product_tiles(matrices[0][index], zeros[0][index], matrices[1][index], zeros[1][index]):
                place = (*index, tile.rows, tile.columns)
                self.finish(tile.sums, [f[place] for f in others], out[place])

    def finish(self, sums: Array, parameters: Sequence[Array], out: Array) -> None:
        """Writes what the op makes of the sums of a tile."""
        np.copyto(out, sums)


def rows_of(parameter: Array) -> Array:
    """A parameter for each row of a matrix, so that it broadcasts to the matrix."""
    return parameter[:, None] if parameter.ndim == 1 and parameter.size > 1 else parameter


def _with_axes(a: Array, b: Array, y: Array) -> Array:
    """y with the axis of one element that it lacks where a is a row or b a column."""
    y = y[..., None] if b.ndim == 1 else y
    return y[..., None, :] if a.ndim == 1 else y


@irdl_op_definition
class MatmulIntegerOp(IntegerMatmulBase):
    """(a - a_zero_point) @ (b - b_zero_point), as in numpy, in i32, which wraps around.

    Operands: a and b, each ui8 or i8; (optional) the zero point of a, one number or one for each row, and that of b,
    one number or one for each column, of their types. ONNX MatMulInteger.
    """

    name = "dnn.matmul_integer"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (tensor<2x3xui8>, tensor<3x4xi8>, tensor<ui8>, tensor<4xi8>) "
        "-> tensor<2x4xi32>"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=False),)
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    a_zero_point = opt_operand_def(TensorType)
    b_zero_point = opt_operand_def(TensorType)
    y = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return (TensorInfo(self.shape_with_zero_points(by_role(self, operands)), "i32"),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        self.multiply(by_role(self, operands), results[0])


def requantize(sums: Array, factor: Array, zero: Array, out: Array) -> None:
    """out = round(sums * factor) + zero, in f64, between the bounds of its type."""
    with np.errstate(all="ignore"):
        steps = np.rint(np.multiply(sums, factor, dtype=np.float64))
        np.copyto(out, saturated(steps, zero, np.iinfo(out.dtype)), casting="unsafe")


@irdl_op_definition
class QlinearMatmulOp(IntegerMatmulBase):
    """a @ b of quantised matrices, quantised: round(sums * (a_scale * b_scale / y_scale)) + y_zero_point.

    Operands: a with its scale and zero point, b with those, then the scale and the zero point of y; matrices are ui8 or
    i8, and y has the type of its zero point. Parameters of a and y are one number or one for each row, those of b one
    number or one for each column. `bias`: i32, one for each column, which is added to the sums (optional). Half is
    rounded to the even number. ONNX QLinearMatMul, which has no bias.
    """

    name = "dnn.qlinear_matmul"
    EXAMPLE: ClassVar = (
        ": (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<3x4xi8>, tensor<f32>, tensor<i8>, tensor<f32>, "
        "tensor<ui8>) -> tensor<2x4xui8>"
    )
    a = operand_def(TensorType)
    a_scale = operand_def(TensorType)
    a_zero_point = operand_def(TensorType)
    b = operand_def(TensorType)
    b_scale = operand_def(TensorType)
    b_zero_point = operand_def(TensorType)
    y_scale = operand_def(TensorType)
    y_zero_point = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    y = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero, *bias = operands
        b = self.plain_weights(b)
        y = TensorInfo(self.product_shape(a, b), y_zero.dtype)
        if y.dtype not in BYTES:
            raise ValueError(f"y_zero_point must be {' or '.join(BYTES)}, not {y.dtype}")
        for operand, scale, zero, what, axis in (
            (a, a_scale, a_zero, "a", -2),
            (b, b_scale, b_zero, "b", -1),
            (y, y_scale, y_zero, "y", -2),
        ):
            need_float(scale)
            if zero.dtype != operand.dtype:
                raise ValueError(f"{what}_zero_point is {zero.dtype}, its operand {operand.dtype}")
            self.check_rows(operand, scale, axis, f"{what}_scale")
            self.check_rows(operand, zero, axis, f"{what}_zero_point")
        for added in bias:
            if added.dtype != "i32" or len(added.shape) != 1 or len(b.shape) < 2:
                raise ValueError(f"the bias must be i32 with one axis, for matrices, not {added.dtype}")
            agreed(added.shape[0], b.shape[-1], "the bias and the columns of b")
        return (y,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero, *bias = operands
        with np.errstate(all="ignore"):
            factor = rows_of(a_scale) * b_scale / rows_of(y_scale)
        rows = (np.atleast_2d(added) for added in bias)
        self.write(a, a_zero, self.unpacked(b), b_zero, results[0], (np.atleast_2d(factor), y_zero, *rows))

    def finish(self, sums: Array, parameters: Sequence[Array], out: Array) -> None:
        for bias in parameters[2:]:
            np.add(sums, bias, out=sums)
        requantize(sums, parameters[0], parameters[1], out)
