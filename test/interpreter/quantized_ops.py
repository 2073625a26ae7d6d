"""Ops between numbers and small integers, products of these, sums along named axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, wide
from .ir_values import dtype_of, integer, integers, word
from .packed_weights import packed_matmul, plain, qlinear_add, scaled, scaled_matmul_integer
from .reducing_ops import finite_size
from .rounding import Array, Rounding, is_float
from .spatial_ops import back, first


def _rows(parameter: Array, x: Array, axis: int, block: int) -> Array:
    """A scale or zero point for each element of x."""
    if parameter.size == 1 and parameter.ndim < 2:
        return np.broadcast_to(parameter.reshape(()), x.shape)
    index = np.arange(x.shape[axis]) // block if block else np.arange(x.shape[axis])
    if parameter.ndim == 1:
        parameter = parameter.reshape(*(-1 if a == axis % x.ndim else 1 for a in range(x.ndim)))
    return np.broadcast_to(np.take(parameter, index, axis), x.shape)


def _between(value: Array, dtype: np.dtype) -> Array:
    limits = np.iinfo(dtype)
    return np.clip(np.where(np.isnan(value), limits.min, value), limits.min, limits.max).astype(dtype)


def _least(x: Array) -> int:
    return -128 if x.dtype == np.int8 else 0


def _byte_table(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, table = operands
    numbers, axis = x.astype(int) - _least(x), integer(op, "axis", 1)
    if table.ndim == 1 or not x.size:
        return (np.take(table.reshape(-1), numbers),)
    channels = zip(table, np.moveaxis(numbers, axis, 0), strict=True)
    return (np.moveaxis(np.stack([np.take(results, part) for results, part in channels]), 0, axis),)


def _quantize_linear(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, scale, *zero = operands
    axis, block = integer(op, "axis", 1), integer(op, "block_size")
    precision = op.attributes.get("precision")
    kind = scale.dtype if precision is None else dtype_of(precision)
    quotient = (x.astype(kind) / _rows(scale, x, axis, block).astype(kind)).astype(np.float64)
    zeros = _rows(zero[0], x, axis, block).astype(np.float64) if zero else 0.0
    return (_between(np.rint(quotient) + zeros, dtype_of(op.results[0].type)),)


def _dequantize_linear(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, scale, *zero = operands
    axis, block = integer(op, "axis", 1), integer(op, "block_size")
    zeros = _rows(zero[0], x, axis, block).astype(np.int64) if zero else np.int64(0)
    value = (x.astype(np.int64) - zeros) * wide(_rows(scale, x, axis, block))
    return (r.settle(value, dtype_of(op.results[0].type)),)


def _dequantized_matmul(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b, scale, *zero = operands
    if shape := integers(op, "packed"):
        b = np.array(
            [[b[(c // 64 * shape[0] + k) * 64 + c % 64] for c in range(shape[1])] for k in range(shape[0])], b.dtype
        )
    weights = (b.astype(np.int64) - (zero[0].astype(np.int64) if zero else 0)) * wide(scale)
    value, size = np.matmul(wide(a), weights), np.matmul(finite_size(wide(a)), finite_size(weights))
    return (r.settle(np.asarray(value), a.dtype, np.asarray(size), a.shape[-1]),)


def _blockwise_matmul(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """Element by element: a byte of 4 bits has columns k and k + 32 of its strip of 64."""
    a, b, scale, *zero = operands
    bits, block, columns = (integer(op, name, 0) for name in ("bits", "block_size", "columns"))
    weights = np.zeros((b.shape[1], columns))
    for row, column in np.ndindex(weights.shape):
        strip, at = divmod(column, 64)
        byte = int(b[strip, row, at if bits == 8 else at % 32])
        number = byte if bits == 8 else byte >> (4 if at >= 32 else 0) & 15
        place = strip, row // block, at
        middle = float(zero[0][place]) if zero else 1 << bits - 1
        weights[row, column] = (number - middle) * float(scale[place])
    value, size = np.matmul(wide(a), weights), np.matmul(finite_size(wide(a)), finite_size(weights))
    return (r.settle(np.asarray(value), a.dtype, np.asarray(size), a.shape[-1]),)


def _dynamic_quantize_linear(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    high, low = (np.float32(select(np.append(x, np.float32(0)))) for select in (np.max, np.min))
    scale = np.float32(1 if high == low else high - low) / np.float32(255)
    zero = np.rint(np.clip(-low / scale, 0, 255))
    lost = np.asarray(~np.isfinite(high - low))
    y = _between(np.rint(x / scale).astype(np.float64) + zero, np.dtype(np.uint8))
    zero = np.asarray(np.where(np.isfinite(zero), zero, 0).astype(np.uint8))
    return (r.known(y, np.broadcast_to(lost, x.shape)), r.known(np.asarray(scale), lost), r.known(zero, lost))


def _down(parameter: Array) -> Array:
    """A parameter of the rows of a matrix, as a column."""
    return parameter.reshape(-1, 1) if parameter.ndim == 1 and parameter.size > 1 else parameter


def _matmul_integer(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b, *zeros = operands
    names = str(op.attributes.get("operandSegmentSizes", "1, 1, 1, 1"))
    given = [int(size) for size in names.split(":")[-1].strip(" >").split(",")] if ":" in names else [1, 1, 1, 1]
    rest = iter(zeros)
    a_zero = next(rest) if given[2] else np.zeros((), np.int64)
    b_zero = next(rest) if given[3] else np.zeros((), np.int64)
    sums = np.matmul(a.astype(np.int64) - _down(a_zero), plain(op, b).astype(np.int64) - b_zero)
    return (np.asarray(sums).astype(np.int32),)


def _qlinear_matmul(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero, *bias = operands
    sums = np.matmul(a.astype(np.int64) - _down(a_zero), plain(op, b).astype(np.int64) - b_zero)
    sums = (sums + (bias[0].astype(np.int64) if bias else 0)).astype(np.int32)
    factor = wide(np.asarray(_down(a_scale) * b_scale / _down(y_scale)))
    if a.ndim == 1 and b.ndim == 1:
        factor = factor.reshape(())
    elif min(a.ndim, b.ndim) == 1:
        factor = factor.reshape(-1)
    return (_between(np.rint(sums * factor) + _down(y_zero).astype(np.float64), y_zero.dtype),)


def _sums_of_windows(op: Operation, x: Array, w: Array) -> Array:
    """The convolution of integers, element by element of the window."""
    rank, groups = x.ndim - 2, integer(op, "group", 1)
    strides, dilations = (integers(op, name) or (1,) * rank for name in ("strides", "dilations"))
    pads = integers(op, "pads") or (0,) * (2 * rank)
    reach = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilations, strict=True)]
    auto = word(op, "auto_pad", "NOTSET")
    if auto.startswith("SAME"):
        total = [max(0, (-(-n // s) - 1) * s + r - n) for n, s, r in zip(x.shape[2:], strides, reach, strict=True)]
        less, more = [t // 2 for t in total], [t - t // 2 for t in total]
        pads = (*less, *more) if auto == "SAME_UPPER" else (*more, *less)
    x = np.pad(x, [(0, 0), (0, 0), *zip(pads[:rank], pads[rank:], strict=True)])
    places = [(n - r) // s + 1 for n, r, s in zip(x.shape[2:], reach, strides, strict=True)]
    y = np.zeros((x.shape[0], w.shape[0], *places), np.int64)
    per_group = w.shape[0] // groups
    for output in range(w.shape[0]):
        first = output // max(1, per_group) * w.shape[1]
        for element in np.ndindex(w.shape[1:]):
            at = zip(element[1:], dilations, strides, places, strict=True)
            steps = tuple(slice(k * d, k * d + (p - 1) * s + 1, s) for k, d, s, p in at)
            y[:, output] += x[(slice(None), first + element[0], *steps)] * w[(output, *element)]
    return y.astype(np.int32)


def _channels(parameter: Array, rank: int) -> Array:
    return parameter.reshape(-1, *(1,) * rank) if parameter.size != 1 else parameter.reshape(())


def _conv_integer(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, w, *zeros = operands
    x, w = first(x, op), first(plain(op, w), op)
    sizes = integers(op, "operandSegmentSizes") or (1, 1, 1, 1)
    rest = iter(zeros)
    x_zero = next(rest).reshape(()) if sizes[2] else np.int64(0)
    w_zero = _channels(next(rest), w.ndim - 1) if sizes[3] else np.int64(0)
    return (back(_sums_of_windows(op, x.astype(np.int64) - x_zero, w.astype(np.int64) - w_zero), op),)


def _scaled_conv_integer(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, w, x_scale, *rest = operands
    given, optional = integers(op, "operandSegmentSizes") or (1,) * 7, iter(rest)
    w_scale, x_zero, w_zero, bias = (next(optional) if size else None for size in given[3:])
    x, w = first(x, op).astype(np.int64), first(plain(op, w), op).astype(np.int64)
    x = x - (0 if x_zero is None else x_zero.reshape(()))
    w = w - (0 if w_zero is None else _channels(w_zero, w.ndim - 1))
    return (scaled(op, back(_sums_of_windows(op, x, w), op), x_scale, w_scale, bias),)


def _qlinear_conv(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, *bias = operands
    x, w = first(x, op), first(plain(op, w), op)
    rows = w.astype(np.int64) - _channels(w_zero, w.ndim - 1)
    sums = _sums_of_windows(op, x.astype(np.int64) - x_zero.reshape(()), rows)
    if bias:
        sums = sums + _channels(bias[0], x.ndim - 2)
    factor = wide(_channels(np.asarray(x_scale * w_scale / y_scale), x.ndim - 2))
    steps = np.rint(sums * factor) + y_zero.reshape(()).astype(np.float64)
    return (back(_between(steps, y_zero.dtype), op),)


def _einsum(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    equation = word(op, "equation", "").replace(" ", "")
    if not is_float(operands[0].dtype):
        return (np.asarray(np.einsum(equation, *operands)),)
    value = np.asarray(np.einsum(equation, *map(wide, operands)))
    size = np.asarray(np.einsum(equation, *(finite_size(wide(x)) for x in operands)))
    terms = max(1, int(np.prod([x.size for x in operands], dtype=np.float64)) // max(1, value.size))
    return (r.settle(value, operands[0].dtype, size, min(terms, 1e6)),)


def _det(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    n = x.shape[-1]
    if n > MOST_ROWS:
        return (np.linalg.det(wide(x)).astype(x.dtype),)
    value, size = np.zeros(x.shape[:-2]), np.zeros(x.shape[:-2])
    for order in permutations(range(n)):
        swaps = sum(order[i] > order[j] for i in range(n) for j in range(i + 1, n))
        term = np.ones(x.shape[:-2])
        for row, column in enumerate(order):
            term = term * wide(x)[..., row, column]
        value, size = value + (-1) ** swaps * term, size + np.abs(term)
    lost = np.asarray(~np.isfinite(wide(x)).all((-1, -2)))
    return (r.settle(value, x.dtype, size, n, lost),)


def _det_grad(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """The cofactors: signed determinants of x without a row and a column."""
    x, dy = operands
    n, lost = x.shape[-1], np.asarray(~np.isfinite(wide(x)).all((-1, -2)))[..., None, None]
    value, size = np.zeros(x.shape), np.zeros(x.shape)
    with np.errstate(all="ignore"):
        largest = np.abs(wide(x)).max((-1, -2), initial=0.0) if n else np.zeros(x.shape[:-2])
        for i in range(n):
            for j in range(n):
                minor = np.delete(np.delete(wide(x), i, -2), j, -1)
                value[..., i, j] = (-1) ** (i + j) * np.linalg.det(minor)
                size[..., i, j] = math.factorial(n - 1) * largest ** (n - 1)
        factor = wide(dy)[..., None, None]
        return (r.settle(value * factor, x.dtype, size * np.abs(factor), n * n, np.broadcast_to(lost, x.shape)),)


MOST_ROWS = 5
"""Determinants of larger matrices have too many terms for Leibniz's formula."""


QUANTIZED: dict[str, Meaning] = {
    "dnn.byte_table": _byte_table,
    "dnn.quantize_linear": _quantize_linear,
    "dnn.dequantize_linear": _dequantize_linear,
    "dnn.dequantized_matmul": _dequantized_matmul,
    "dnn.blockwise_matmul": _blockwise_matmul,
    "dnn.dynamic_quantize_linear": _dynamic_quantize_linear,
    "dnn.matmul_integer": _matmul_integer,
    "dnn.packed_matmul": packed_matmul,
    "dnn.qlinear_add": qlinear_add,
    "dnn.qlinear_matmul": _qlinear_matmul,
    "dnn.scaled_matmul_integer": scaled_matmul_integer,
    "dnn.conv_integer": _conv_integer,
    "dnn.scaled_conv_integer": _scaled_conv_integer,
    "dnn.qlinear_conv": _qlinear_conv,
    "dnn.einsum": _einsum,
    "dnn.det": _det,
    "dnn.det_grad": _det_grad,
}
