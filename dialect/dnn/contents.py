"""Contents of small tensors that hold polynomials over unknown sizes: how ops carry them.

What small integer tensors hold decides shapes. An op that only moves elements moves polynomials too. Unknown sizes are
never negative, and that decides comparisons such as n + 1 > 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import MAX_CONTENT, Content, Dim, Poly, TensorInfo, numpy_dtype

Element = int | float | bool | Poly


class MovesElementsBase(DnnOp):
    """An op whose results are elements of operands, at other places."""

    def moves(self, operand: int) -> bool:
        """Whether results have elements of that operand; others only say which."""
        return True

    def contents(self, operands: Sequence[TensorInfo]) -> Sequence[Content | None]:
        if not any(isinstance(element, Poly) for info in operands for element in info.content or ()):
            return super().contents(operands)
        return _moved(self, operands) or (None,) * len(self.results)


def _moved(op: MovesElementsBase, operands: Sequence[TensorInfo]) -> list[Content] | None:
    """The contents of the results: the op moves the numbers of the elements in place of the elements."""
    if any(not holds_sizes(info) for k, info in enumerate(operands) if op.moves(k)):
        return None
    elements: list[Element] = []
    arrays: list[Array] = []
    for index, info in enumerate(operands):
        array = info.numbers
        if op.moves(index):
            content = info.content or ()
            places = np.arange(len(elements), len(elements) + len(content), dtype=numpy_dtype(info.dtype))
            array = places.reshape([d for d in info.shape if isinstance(d, int)])
            elements += content
        if array is None:
            return None
        arrays.append(array)
    shapes = [info.shape for info in op.infer([info._replace(content=None) for info in operands])]
    if any(prod(d if isinstance(d, int) else MAX_CONTENT + 1 for d in shape) > MAX_CONTENT for shape in shapes):
        return None
    try:
        results = op.reference(*arrays)
    except (ValueError, LastuseError):
        return None  # it raises the same when the program runs
    return [tuple(elements[place] for place in result.reshape(-1).tolist()) for result in results]


def holds_sizes(info: TensorInfo) -> bool:
    """The content is known, and its element type holds sizes."""
    return info.content is not None and info.dtype in ("i64", "i32", "index")


def least(dim: Dim) -> int | None:
    """A number that the polynomial is never below; None where that is not known. Symbols are sizes, 0 or more."""
    if isinstance(dim, int):
        return dim
    if any(coefficient < 0 for symbols, coefficient in dim.terms if symbols):
        return None
    return sum(coefficient for symbols, coefficient in dim.terms if not symbols)


def is_less(a: Dim, b: Dim) -> bool | None:
    """Whether a < b; None where that depends on sizes."""
    low, high = least(b - a), least(a - b)
    if low is not None and low > 0:
        return True
    return False if high is not None and high >= 0 else None


def is_equal(a: Dim, b: Dim) -> bool | None:
    """Whether a = b; None where that depends on sizes."""
    if a == b:
        return True
    return False if is_less(a, b) or is_less(b, a) else None


def is_not_less(a: Dim, b: Dim) -> bool | None:
    """Whether a >= b; None where that depends on sizes."""
    less = is_less(a, b)
    return None if less is None else not less


def larger(a: Dim, b: Dim) -> Dim | None:
    """The larger of two; None where that depends on sizes."""
    return a if is_not_less(a, b) else b if is_not_less(b, a) else None


def smaller(a: Dim, b: Dim) -> Dim | None:
    """The smaller of two; None where that depends on sizes."""
    return b if is_not_less(a, b) else a if is_not_less(b, a) else None
