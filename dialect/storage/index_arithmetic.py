"""Slices whose offsets and sizes are index values: whether two slices of one value share no element.

An index is a sum of values with integer factors, as far as additions, subtractions and products with constants show.
Two slices are apart if, along some axis, one provably ends before the other begins. Slices lie inside their value, so
a difference of their bounds is below 2^63. A sum may still leave 64 bits on the way, and then says nothing about it:
only sums are compared whose terms are far from that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, IntegerAttr
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)
from xdsl.traits import ConstantLike

from lastuse.dialect.ir.remembered import remembered

Number = int | SSAValue
"""An index: a number, or a value that is known at run time only."""
FAR = 1 << 48
"""The greatest term of a sum that is compared."""
PACE = 1 << 20
"""How far a term may move in one iteration of its loop: 64 bits are left after 2^40 iterations."""
DEPTH = 16
"""Sums of sums are followed so far."""
Sum = Mapping[SSAValue | None, int]
"""Factors of index values; that of None is the constant."""


class SliceBounds(NamedTuple):
    """A slice of a value: along each axis its first element, how many there are, and the step between them, not 0."""

    offsets: tuple[Number, ...]
    sizes: tuple[Number, ...]
    strides: tuple[Number, ...]

    @property
    def values(self) -> frozenset[SSAValue]:
        """The index values that it depends on."""
        return frozenset(n for numbers in self for n in numbers if not isinstance(n, int))


def constant_of(value: SSAValue) -> Number:
    """The number of a constant; any other value itself."""
    attribute = ConstantLike.get_constant_value(value)
    return attribute.value.data if isinstance(attribute, IntegerAttr) else value


def mixed_numbers(static: Sequence[int], values: Sequence[SSAValue]) -> tuple[Number, ...]:
    """Numbers of which those that are not static are given as values; a constant is its number."""
    given = iter(values)
    return tuple(constant_of(next(given)) if n == DYNAMIC_INDEX else n for n in static)


def sum_of(number: Number) -> Sum:
    """The sum that an index is, which callers must not change."""
    return {None: number} if isinstance(number, int) else _sum_of_value(number)


@remembered
def _sum_of_value(value: SSAValue) -> Sum:
    return _sum(value)


def apart(a: SliceBounds, b: SliceBounds) -> bool:
    """Proved: two slices of one value share no element."""
    return any(_before(a, b, axis) or _before(b, a, axis) for axis in range(len(a.offsets)))


def is_between(number: Number, low: int, high: int) -> bool:
    """Proved: an index is `low` or more, and `high` or less."""
    sum_ = sum_of(number)
    return _least(_add(sum_, {None: -low}, 1)) >= 0 and _least(_add({None: high}, sum_, -1)) >= 0


def apart_in_iterations(
    bounds: SliceBounds, counters: Mapping[SSAValue, Number], is_fixed: Callable[[SSAValue], bool]
) -> bool:
    """Proved: a slice shares no element with itself for other values of the counters of loops.

    Args:
        counters: the step of each, which is positive.
        is_fixed: whether an index value is the same for all values of the counters.
    """
    sums = [sum_of(offset) for offset in bounds.offsets]
    return all(
        any(_moves_on(sums[axis], counter, step, bounds, axis, is_fixed) for axis in range(len(sums)))
        for counter, step in counters.items()
    )


def _moves_on(
    offset: Sum, counter: SSAValue, step: Number, bounds: SliceBounds, axis: int, is_fixed: Callable[[SSAValue], bool]
) -> bool:
    """Along the axis, the slice moves by at least its extent from one value of the counter to the next."""
    size, pace = bounds.sizes[axis], step if isinstance(step, int) else constant_of(step)
    if isinstance(pace, int) and pace > 0 and _is_multiple(bounds.offsets[axis], counter, size):
        return bounds.strides[axis] == 1 and not isinstance(size, int) and is_fixed(size)
    size = size if isinstance(size, int) else _at_most(size)
    move = abs(offset.get(counter, 0)) * (pace if isinstance(pace, int) else 1)
    others = all(value is None or value is counter or is_fixed(value) for value in offset)
    stride = bounds.strides[axis]
    return others and isinstance(size, int) and isinstance(stride, int) and PACE >= move > (size - 1) * stride


def _is_multiple(offset: Number, counter: SSAValue, size: Number) -> bool:
    """The offset is as many sizes as the counter says. A slice that lies in its value is smaller than 2^48 elements, so
    the product leaves the value long before it leaves 64 bits."""
    from xdsl.dialects import arith  # few programs have slices at run-time offsets

    op = offset.owner if isinstance(offset, SSAValue) else None
    return isinstance(op, arith.MuliOp) and (counter, size) in ((op.lhs, op.rhs), (op.rhs, op.lhs))


def _at_most(value: SSAValue) -> int | None:
    """The least constant that an index is a minimum of; None without one."""
    op = value.owner
    if not isinstance(op, Operation):
        return None
    if op.name == "affine.min" and isinstance(map_ := op.properties.get("map"), AffineMapAttr):
        found = [e.value for e in map_.data.results if isinstance(e, AffineConstantExpr)]
    else:
        from xdsl.dialects import arith  # few programs have slices at run-time offsets

        operands = (op.lhs, op.rhs) if isinstance(op, arith.MinSIOp) else ()
        found = [n for v in operands if isinstance(n := constant_of(v), int)]
    return min(found, default=None)


def _before(a: SliceBounds, b: SliceBounds, axis: int) -> bool:
    """Along the axis, `a` ends before `b` begins."""
    step = a.strides[axis]
    other = b.strides[axis]
    if not isinstance(step, int) or not isinstance(other, int) or min(step, other) < 0:  # it may go back
        return False
    gap = _add(sum_of(b.offsets[axis]), sum_of(a.offsets[axis]), -1)
    gap = _add(gap, sum_of(a.sizes[axis]), -step)
    return _least(_add(gap, {None: step - 1}, 1)) >= 0


def _sum(number: Number, depth: int = DEPTH) -> Sum:
    from xdsl.dialects import arith  # few programs have slices at run-time offsets

    constant = number if isinstance(number, int) else constant_of(number)
    if isinstance(constant, int):
        return {None: constant}
    op = constant.op if isinstance(constant, OpResult) and depth else None
    if isinstance(op, arith.AddiOp | arith.SubiOp):
        sign = 1 if isinstance(op, arith.AddiOp) else -1
        return _add(_sum(op.lhs, depth - 1), _sum(op.rhs, depth - 1), sign)
    if isinstance(op, arith.MuliOp):
        for factor, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if isinstance(times := constant_of(factor), int):
                return _add({}, _sum(other, depth - 1), times)
    if isinstance(op, Operation) and op.name == "affine.apply":
        found = _applied(op, depth - 1)
        return {constant: 1} if found is None else found
    return {constant: 1}


def _applied(op: Operation, depth: int) -> Sum | None:
    """The sum that an `affine.apply` is; None where its expression divides."""
    map_ = op.properties.get("map")
    if not isinstance(map_, AffineMapAttr) or len(map_.data.results) != 1 or len(op.operands) < map_.data.num_dims:
        return None
    dims, symbols = op.operands[: map_.data.num_dims], op.operands[map_.data.num_dims :]

    def value_of(expression: AffineExpr) -> Sum | None:
        if isinstance(expression, AffineConstantExpr):
            return {None: expression.value}
        if isinstance(expression, AffineDimExpr):
            return _sum(dims[expression.position], depth)
        if isinstance(expression, AffineSymExpr):
            return _sum(symbols[expression.position], depth)
        if not isinstance(expression, AffineBinaryOpExpr):
            return None
        a, b = value_of(expression.lhs), value_of(expression.rhs)
        if a is None or b is None:
            return None
        if expression.kind is AffineBinaryOpKind.Add:
            return _add(a, b, 1)
        if expression.kind is not AffineBinaryOpKind.Mul:
            return None
        for factor, other in ((a, b), (b, a)):
            if not factor.keys() - {None}:
                return _add({}, other, factor.get(None, 0))
        return None

    return value_of(map_.data.results[0])


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
            if abs(factor) > FAR:
                return -1
            least += factor
            continue
        low, high, step = _bounds(value)
        bound, far = (low, high) if factor > 0 else (high, low)
        if bound is None or abs(factor * bound) > FAR or abs(factor) * step > PACE:
            return -1
        if far is not None and abs(factor * far) > FAR:
            return -1
        least += factor * bound
    return least


def _bounds(value: SSAValue) -> tuple[int | None, int | None, int]:
    """The least and the greatest value of a loop's counter, each where the loop's bound is a constant, and its step."""
    loop = value.block.parent_op() if isinstance(value, BlockArgument) and not value.index else None
    if not isinstance(loop, scf.ForOp):
        return None, None, 0
    low, high, step = constant_of(loop.lb), constant_of(loop.ub), constant_of(loop.step)
    if not isinstance(step, int) or step <= 0:
        return None, None, 0
    return low if isinstance(low, int) else None, high - 1 if isinstance(high, int) else None, step
