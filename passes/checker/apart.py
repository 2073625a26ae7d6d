"""The checker's own proof that two slices of one value, at offsets known at run time, share no element.

It knows nothing of how decisions were made. The distance from the end of one slice to the beginning of the other is
brought to a constant and multiples of index values; an interval of each value bounds it from below. Offsets and sizes
of a slice that runs are inside its value, so the distance itself is a number of less than 64 bits, equal to the sum
modulo 2^64. The sum is below 2^63 as well: its terms are small, or belong to the counter of a loop that would have to
run 2^40 times before they are not.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import BlockArgument, SSAValue
from xdsl.traits import ConstantLike

from lastuse.dialect.storage.index_arithmetic import Number, SliceBounds

_LIMIT = 1 << 50
"""Terms beyond which nothing is said: `_STEPS` of them are below 2^63."""
_PACE = 1 << 20
"""How far a term whose counter has no known end may move in an iteration."""
_STEPS = 64
"""Index values that are looked into."""
_UNBOUNDED = float("-inf")


def are_apart(a: SliceBounds, b: SliceBounds) -> bool:
    """Whether the slices of one value are proved to have no element in common."""
    if len(a.offsets) != len(b.offsets):
        return False
    return any(_distance(x, y, axis) > 0 for axis, (x, y) in product(range(len(a.offsets)), ((a, b), (b, a))))


def _distance(first: SliceBounds, second: SliceBounds, axis: int) -> float:
    """A lower bound of how far the first element of `second` is behind the last one of `first`."""
    step = first.strides[axis]
    if not isinstance(step, int) or not isinstance(second.strides[axis], int):  # one of run time may go back
        return _UNBOUNDED
    terms = Counter[SSAValue]()
    bound: float = step  # the last element of `first` is at offset + size * step - step
    for number, factor in ((second.offsets[axis], 1), (first.offsets[axis], -1), (first.sizes[axis], -step)):
        bound += _collect(number, factor, terms)
    for value, factor in terms.items():
        if factor:
            low, high, pace = _interval(value)
            end, other = (low, high) if factor > 0 else (high, low)
            if end is None or abs(factor * end) > _LIMIT:
                return _UNBOUNDED
            if abs(factor) * pace > _PACE if other is None else abs(factor * other) > _LIMIT:
                return _UNBOUNDED
            bound += factor * end
    return bound if abs(bound) <= _LIMIT * _STEPS else _UNBOUNDED


def _collect(number: Number, factor: int, terms: Counter[SSAValue]) -> int:
    """Adds `factor` times an index to `terms`; returns what is constant of it."""
    from xdsl.dialects import arith  # few programs have slices at run-time offsets

    waiting, constant, left = [(number, factor)], 0, _STEPS
    while waiting:
        item, times = waiting.pop()
        known = item if isinstance(item, int) else _known(item)
        left -= 1
        if known is not None:
            constant += times * known
            continue
        assert isinstance(item, SSAValue)
        match item.owner if left > 0 else None:
            case arith.AddiOp(lhs=one, rhs=other):
                waiting += [(one, times), (other, times)]
            case arith.SubiOp(lhs=one, rhs=other):
                waiting += [(one, times), (other, -times)]
            case arith.MuliOp(lhs=one, rhs=other) if (n := _known(other)) is not None:
                waiting.append((one, times * n))
            case arith.MuliOp(lhs=one, rhs=other) if (n := _known(one)) is not None:
                waiting.append((other, times * n))
            case _:
                terms[item] += times
    return constant


def _known(value: SSAValue) -> int | None:
    """The number that a constant makes."""
    number = ConstantLike.get_constant_value(value)
    return number.value.data if isinstance(number, IntegerAttr) else None


def _interval(value: SSAValue) -> tuple[int | None, int | None, int]:
    """The least and the greatest number that the counter of a loop may be, as far as constants say, and its step."""
    loop = value.block.parent_op() if isinstance(value, BlockArgument) else None
    if not isinstance(loop, scf.ForOp) or value is not loop.body.block.args[0]:
        return None, None, 0
    step, first, end = _known(loop.step), _known(loop.lb), _known(loop.ub)
    if step is None or step <= 0:
        return None, None, 0
    return first, None if end is None else end - 1, step
