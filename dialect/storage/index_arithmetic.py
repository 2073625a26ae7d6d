"""Slices whose offsets and sizes are index values: whether two slices of one value share no element.

An index is a sum of values with integer factors, as far as additions, subtractions and products with constants show.
Two slices are apart if, along some axis, one provably ends before the other begins. Slices lie inside their value, so
no sum wraps around that is compared here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import BlockArgument, OpResult, SSAValue

Number = int | SSAValue
"""An index: a number, or a value that is known at run time only."""
DEPTH = 16
"""Sums of sums are followed so far."""
Sum = Mapping[SSAValue | None, int]
"""Factors of index values; that of None is the constant."""


class SliceBounds(NamedTuple):
    """A slice of a value: along each axis its first element, how many there are, and the step between them."""

    offsets: tuple[Number, ...]
    sizes: tuple[Number, ...]
    strides: tuple[int, ...]

    @property
    def values(self) -> frozenset[SSAValue]:
        """The index values that it depends on."""
        return frozenset(n for n in (*self.offsets, *self.sizes) if not isinstance(n, int))


def constant_of(value: SSAValue) -> Number:
    """The number of a constant; any other value itself."""
    if isinstance(value, OpResult) and isinstance(value.op, arith.ConstantOp):
        attribute = value.op.value
        return attribute.value.data if isinstance(attribute, IntegerAttr) else value
    return value


def apart(a: SliceBounds, b: SliceBounds) -> bool:
    """Proved: two slices of one value share no element."""
    return any(_before(a, b, axis) or _before(b, a, axis) for axis in range(len(a.offsets)))


def _before(a: SliceBounds, b: SliceBounds, axis: int) -> bool:
    """Along the axis, `a` ends before `b` begins."""
    step = a.strides[axis]
    gap = _add(_sum(b.offsets[axis]), _sum(a.offsets[axis]), -1)
    gap = _add(gap, _sum(a.sizes[axis]), -step)
    return _least(_add(gap, {None: step - 1}, 1)) >= 0


def _sum(number: Number, depth: int = DEPTH) -> Sum:
    if isinstance(number, int):
        return {None: number}
    op = number.op if isinstance(number, OpResult) and depth else None
    if isinstance(op, arith.ConstantOp) and isinstance(constant := constant_of(number), int):
        return {None: constant}
    if isinstance(op, arith.AddiOp | arith.SubiOp):
        sign = 1 if isinstance(op, arith.AddiOp) else -1
        return _add(_sum(op.lhs, depth - 1), _sum(op.rhs, depth - 1), sign)
    if isinstance(op, arith.MuliOp):
        for factor, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if isinstance(constant := constant_of(factor), int):
                return _add({}, _sum(other, depth - 1), constant)
    return {number: 1}


def _add(a: Sum, b: Sum, factor: int) -> Sum:
    total = dict(a)
    for value, n in b.items():
        total[value] = total.get(value, 0) + factor * n
    return {value: n for value, n in total.items() if n}


def _least(gap: Sum) -> int:
    """A bound below all values of a sum, -1 where none is known: counters of loops have bounds, others have to
    cancel."""
    least = 0
    for value, factor in gap.items():
        if value is None:
            least += factor
            continue
        low, high = _bounds(value)
        bound = low if factor > 0 else high
        if bound is None:
            return -1
        least += factor * bound
    return least


def _bounds(value: SSAValue) -> tuple[int | None, int | None]:
    """The least and the greatest value of a loop's counter, each where the loop's bound is a constant."""
    loop = value.block.parent_op() if isinstance(value, BlockArgument) and not value.index else None
    if not isinstance(loop, scf.ForOp):
        return None, None
    low, high, step = constant_of(loop.lb), constant_of(loop.ub), constant_of(loop.step)
    if not isinstance(step, int) or step <= 0:
        return None, None
    return low if isinstance(low, int) else None, high - 1 if isinstance(high, int) else None
