"""Ops of several operands, or of none, that compute each element from the elements at the same place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, as_number, exact, wide
from .ir_values import dtype_of, integer, number, result_shape, word
from .rounding import LIMITS, Array, Rounding, is_float


def _mod(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b = np.broadcast_arrays(*operands)
    if is_float(a.dtype):
        rest = np.fmod(a, b)
        if not integer(op, "fmod", 0):
            other = (rest != 0) & (np.signbit(rest) != np.signbit(b))
            rest = np.where(other, rest + b, np.where(rest == 0, np.copysign(rest, b), rest))
        return (rest,)
    # Python's integers: numpy's own remainder is what is tested here.
    sign_of_a = bool(integer(op, "fmod", 0))
    rests = [_remainder(m, n, sign_of_a) for m, n in zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)]
    return (np.array(rests, a.dtype).reshape(a.shape),)


def _remainder(a: int, b: int, sign_of_a: bool) -> int:
    if b == 0:
        return 0
    return (abs(a) % abs(b)) * (1 if a >= 0 else -1) if sign_of_a else a % b


def _rotary_embedding(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """Complex numbers times e^(i * angle), where both numbers of a pair have one angle; else the formula for halves."""
    x, cosines, sines = (wide(array) for array in operands)
    each, count = bool(integer(op, "each", 0)), cosines.shape[-1]
    x = np.broadcast_to(x, (*np.broadcast_shapes(x.shape[:-1], cosines.shape[:-1]), x.shape[-1])).copy()
    size, pairs = np.abs(x), count // 2 if each else count
    places = np.arange(2 * pairs).reshape((pairs, 2) if integer(op, "interleaved", 0) else (2, pairs))
    first, second = places.T if integer(op, "interleaved", 0) else places
    a, b = x[..., first], x[..., second]
    c, s = ((t[..., :pairs], t[..., -pairs:] if pairs else t) if each else (t, t) for t in (cosines, sines))
    x[..., first], x[..., second] = a * c[0] - b * s[0], b * c[1] + a * s[1]
    size[..., first] = np.abs(a * c[0]) + np.abs(b * s[0])
    size[..., second] = np.abs(b * c[1]) + np.abs(a * s[1])
    return (r.settle(x, operands[0].dtype, size, 2),)


def _shift(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b = np.broadcast_arrays(*operands)
    left, bits = word(op, "direction", "") == "LEFT", 8 * a.dtype.itemsize
    pairs = zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)
    shifted = [_shifted(m, n if 0 <= n < bits else bits, left) & ((1 << bits) - 1) for m, n in pairs]
    unsigned = np.array(shifted, np.dtype(f"u{a.dtype.itemsize}"))
    return (unsigned.view(a.dtype).reshape(a.shape),)


def _shifted(m: int, n: int, left: bool) -> int:
    return m << n if left else m >> n


def _divide(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (a, b), dtype = operands, dtype_of(op.results[0].type)
    if is_float(a.dtype):
        return (np.asarray(np.divide(a, b)),)
    if is_float(dtype):
        return (np.asarray(wide(a) / wide(b)).astype(dtype),)
    a, b = np.broadcast_arrays(a, b)
    by = np.where(b == 0, 1, b)
    quotient = np.floor_divide(np.abs(a), np.abs(by)) * np.sign(a) * np.sign(by)
    return (np.where(b == 0, 0, quotient).astype(a.dtype),)


def _whole_power(x: int, exponent: int) -> int:
    """Modulo 2^64, cut towards zero; 0 to a negative power is 0."""
    if exponent >= 0 or x in (1, -1):
        return pow(int(x), int(exponent), 2**64)
    return 0


def _power(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b = operands
    if is_float(a.dtype):
        return (r.settle(np.power(wide(a), wide(b)), a.dtype),)
    if b.dtype.kind == "i":
        exact = np.asarray(np.frompyfunc(_whole_power, 2, 1)(a, b))
        return (exact.astype(np.uint64).astype(a.dtype),)
    return (np.power(a, b).astype(a.dtype),)


def _extremum(smaller: bool) -> Meaning:
    """NaN where either is; which of two zeros of different sign is taken is open."""

    def meaning(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
        a, b = np.broadcast_arrays(*operands)
        first = (a < b) if smaller else (a > b)
        y = np.where(first | (a != a), a, b)
        if not is_float(y.dtype):
            return (y,)
        return (r.either_zero(y, (a == 0) & (b == 0) & (np.signbit(a) != np.signbit(b))),)

    return meaning


def _sum(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    if len(operands) < 3 or not is_float(operands[0].dtype):
        total = operands[0]
        for operand in operands[1:]:
            total = total + operand
        return (total,)
    terms = [wide(x) for x in operands]
    return (r.settle(sum(terms[1:], terms[0]), operands[0].dtype, _finite_sum(terms)),)


def _finite_sum(terms: Sequence[Array]) -> Array:
    """The sum of absolute values, infinities and NaN left out: what they make of a sum is fixed."""
    found = [np.where(np.isfinite(t), np.abs(t), 0.0) for t in terms]
    return sum(found[1:], found[0])


def _addcmul(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    base, t1, t2 = operands
    if not is_float(base.dtype):
        return (base + np.asarray(number(op, "value", 1)).astype(t1.dtype) * t1 * t2,)
    factor = as_number(op, "value", 1, base.dtype)
    first = wide(t1) * factor
    # The first product rounds, to 0 or beyond the largest number perhaps, before the second brings it back.
    beyond = np.nan_to_num(np.abs(first), nan=0.0, posinf=0.0) > LIMITS[base.dtype].largest / 4
    product = (first if factor == 1 else wide(r.settle(first, base.dtype))) * wide(t2)
    beyond = np.broadcast_to(beyond, np.broadcast_shapes(*(o.shape for o in operands)))
    terms = np.broadcast_arrays(wide(base), product)
    return (r.settle(terms[0] + terms[1], base.dtype, _finite_sum(terms), undefined=beyond),)


def _comparison(compute: np.ufunc) -> Meaning:
    return lambda op, operands, r: (np.asarray(compute(*operands)).astype(dtype_of(op.results[0].type)),)


def _masked_fill(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, mask = operands
    return (np.where(mask, np.asarray(number(op, "value", 0)).astype(x.dtype), x),)


def _prelu(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """oneDNN gives a zero no sign."""
    x, slope = operands
    value = np.where(x > 0, x, slope * x)
    return (r.either_zero(value, value == 0),)


def _dynamic_fill(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """The only form with operands that is drawn: a fill whose value is the second operand."""
    x, value = operands
    return (np.full(x.shape, value.reshape(-1)[0], x.dtype),)


def _filled(value: float | None) -> Meaning:
    """One number everywhere; the operand, if there is one, gives unknown sizes alone."""

    def meaning(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
        shape = result_shape(op, operands[0] if operands else None)
        filling = number(op, "value", 0) if value is None else value
        return (np.full(shape, filling).astype(dtype_of(op.results[0].type)),)

    return meaning


COMBINING: dict[str, Meaning] = {
    "dnn.rotary_embedding": _rotary_embedding,
    "dnn.prelu": _prelu,
    "dnn.mod": _mod,
    "dnn.and": exact(np.minimum),
    "dnn.or": exact(np.maximum),
    "dnn.xor": exact(np.not_equal),
    "dnn.bitwise_and": exact(lambda a, b: ~(~a | ~b)),
    "dnn.bitwise_or": exact(lambda a, b: ~(~a & ~b)),
    "dnn.bitwise_xor": exact(lambda a, b: (a | b) & ~(a & b)),
    "dnn.bit_shift": _shift,
    "dnn.add": exact(np.add),
    "dnn.sub": exact(np.subtract),
    "dnn.mul": exact(np.multiply),
    "dnn.div": _divide,
    "dnn.pow": _power,
    "dnn.maximum": _extremum(False),
    "dnn.minimum": _extremum(True),
    "dnn.sum": _sum,
    "dnn.addcmul": _addcmul,
    "dnn.less": _comparison(np.less),
    "dnn.less_or_equal": _comparison(np.less_equal),
    "dnn.greater": _comparison(np.greater),
    "dnn.greater_or_equal": _comparison(np.greater_equal),
    "dnn.equal": _comparison(np.equal),
    "dnn.where": exact(np.where),
    "dnn.masked_fill": _masked_fill,
    "dnn.fill": _filled(None),
    "dnn.dynamic": _dynamic_fill,
    "dnn.zeros": _filled(0),
    "dnn.ones": _filled(1),
    "dnn.zero_bias": _filled(0),
}
