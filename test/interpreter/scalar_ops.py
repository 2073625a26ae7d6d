"""`arith` on scalars, and what `tensor` makes scalars of: values are numpy scalars of their types."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Operation

from .ir_values import dtype_of

Scalar = np.generic | np.ndarray
UNSIGNED = {np.dtype(np.int64): np.uint64, np.dtype(np.int32): np.uint32, np.dtype(np.bool_): np.uint8}
INTEGER_ORDERS = ("eq", "ne", "lt", "le", "gt", "ge", "lt", "le", "gt", "ge")
"""Of the predicates of `arith.cmpi`, in their order; from the seventh on of unsigned numbers."""
FLOAT_ORDERS = ("", "eq", "gt", "ge", "lt", "le", "ne")
"""Of the ordered predicates of `arith.cmpf`, in their order: false where one of the two is NaN."""
COMPARE: dict[str, Callable[[Scalar, Scalar], Scalar]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
SIMPLE: dict[str, Callable[..., Scalar]] = {
    "addi": np.add,
    "subi": np.subtract,
    "muli": np.multiply,
    "andi": np.bitwise_and,
    "ori": np.bitwise_or,
    "xori": np.bitwise_xor,
    "minsi": np.minimum,
    "maxsi": np.maximum,
    "floordivsi": np.floor_divide,
    "divsi": lambda a, b: np.trunc(np.divide(a, b, dtype=np.longdouble)),
    "remsi": np.fmod,
    "addf": np.add,
    "subf": np.subtract,
    "mulf": np.multiply,
    "divf": np.divide,
    "negf": np.negative,
    "minimumf": np.minimum,
    "maximumf": np.maximum,
    "minnumf": np.fmin,
    "maxnumf": np.fmax,
    "select": lambda condition, a, b: a if condition else b,
    "sitofp": lambda a: a,
    "fptosi": np.trunc,
    "extf": lambda a: a,
    "truncf": lambda a: a,
    "trunci": lambda a: a,
    "index_cast": lambda a: a,
    "extsi": lambda a: a,
}
"""What comes out as these say once it has the result's type."""


def scalar_result(op: Operation, operands: Sequence[Scalar]) -> Scalar:
    """The result of an op on scalars.

    Raises:
        KeyError: the op is none of those that programs are drawn from.
    """
    dtype, name = dtype_of(op.results[0].type), op.name.partition(".")[2]
    with np.errstate(all="ignore"):
        if name == "constant":
            value = op.attributes.get("value", op.properties.get("value"))
            assert isinstance(value, FloatAttr | IntegerAttr)
            return np.asarray(value.value.data).astype(dtype)
        if name == "cmpi":
            return _compared(op, operands)
        if name == "cmpf":
            return _compared_floats(op, operands)
        if name == "extui":
            (x,) = operands
            return np.asarray(x).astype(UNSIGNED[np.asarray(x).dtype]).astype(dtype)
        return np.asarray(SIMPLE[name](*operands)).astype(dtype)


def _predicate(op: Operation) -> int:
    given = op.attributes.get("predicate", op.properties.get("predicate"))
    assert isinstance(given, IntegerAttr)
    return given.value.data


def _compared(op: Operation, operands: Sequence[Scalar]) -> Scalar:
    number, (a, b) = _predicate(op), (np.asarray(x) for x in operands)
    if number >= 6:
        a, b = a.astype(UNSIGNED[a.dtype]), b.astype(UNSIGNED[b.dtype])
    elif a.dtype == np.bool_:  # true is -1
        a, b = -a.astype(np.int64), -b.astype(np.int64)
    return np.asarray(COMPARE[INTEGER_ORDERS[number]](a, b))


def _compared_floats(op: Operation, operands: Sequence[Scalar]) -> Scalar:
    number, (a, b) = _predicate(op), operands
    unordered = bool(np.isnan(a) or np.isnan(b))
    if number in (0, 15):
        return np.asarray(number == 15)
    if number in (7, 14):
        return np.asarray(unordered == (number == 14))
    if number < 7:
        return np.asarray(not unordered and bool(COMPARE[FLOAT_ORDERS[number]](a, b)))
    return np.asarray(unordered or bool(COMPARE[FLOAT_ORDERS[number - 7]](a, b)))
