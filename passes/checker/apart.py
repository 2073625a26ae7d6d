"""The checker's own proof that two slices of one value, at offsets known at run time, share no element.

It knows nothing of how decisions were made. The distance from the end of one slice to the beginning of the other is
brought to a constant and multiples of index values; an interval of each value bounds it from below. Offsets and sizes
of a slice that runs are inside its value, so the distance itself is a number of less than 64 bits, equal to the sum
modulo 2^64. The sum is below 2^63 as well: its terms are small, or belong to the counter of a loop that would have to
run 2^40 times before they are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.traits import ConstantLike

from lastuse.dialect.ir.remembered import remembered
from lastuse.dialect.storage.index_arithmetic import SliceBounds

_LIMIT = 1 << 50
"""Terms beyond which nothing is said: `_MOST` of them are below 2^63."""
_PACE = 1 << 20
"""How far a term whose counter has no known end may move in an iteration."""
_TERMS, _MOST = 16, 64
"""Terms that an index value has at most, and those that are added up: of two offsets and a size, with constants."""
_UNBOUNDED = float("-inf")


class IndexSum(NamedTuple):
    """An index: multiples of values, plus a constant, modulo 2^64."""

    terms: Mapping[SSAValue, int]
    constant: int


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
        index = IndexSum({}, number) if isinstance(number, int) else _sum_of(number)
        bound += factor * index.constant
        for term, times in index.terms.items():
            terms[term] += factor * times
    for value, factor in terms.items():
        if factor:
            low, high, pace = _interval(value)
            end, other = (low, high) if factor > 0 else (high, low)
            if end is None or abs(factor * end) > _LIMIT:
                return _UNBOUNDED
            if abs(factor) * pace > _PACE if other is None else abs(factor * other) > _LIMIT:
                return _UNBOUNDED
            bound += factor * end
    return bound if abs(bound) <= _LIMIT * _MOST else _UNBOUNDED


@remembered
def _sums_in(block: Block) -> dict[SSAValue, IndexSum]:
    """What index values of a block are, filled by `_sum_of` alone."""
    return {}


def _sum_of(value: SSAValue) -> IndexSum:
    """What an index value is. Chains of additions are as long as programs, so this does not recurse."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    assert block is not None
    sums = _sums_in(block)
    waiting = [value] if value not in sums else []
    while waiting:
        item = waiting.pop()
        known = _known(item)
        parts = _parts(item) if known is None else []
        missing = [part for part, _ in parts if part not in sums]
        if missing:
            waiting += [item, *missing]
        else:
            sums[item] = IndexSum({}, known) if known is not None else _added(item, [(sums[p], n) for p, n in parts])
    return sums[value]


def _parts(value: SSAValue) -> list[tuple[SSAValue, int]]:
    """The values that an addition, subtraction or product makes an index of, with their factors; none for other ops."""
    from xdsl.dialects import arith  # few programs have slices at run-time offsets

    match value.owner:
        case arith.AddiOp(lhs=one, rhs=other):
            return [(one, 1), (other, 1)]
        case arith.SubiOp(lhs=one, rhs=other):
            return [(one, 1), (other, -1)]
        case arith.MuliOp(lhs=one, rhs=other) if (n := _known(other)) is not None:
            return [(one, n)]
        case arith.MuliOp(lhs=one, rhs=other) if (n := _known(one)) is not None:
            return [(other, n)]
        case _:
            return []


def _added(value: SSAValue, parts: Sequence[tuple[IndexSum, int]]) -> IndexSum:
    """The sum of the parts of a value; the value alone where it has none, or these have many terms."""
    terms, constant = Counter[SSAValue](), 0
    for part, times in parts:
        constant += times * part.constant
        for term, factor in part.terms.items():
            terms[term] += times * factor
    terms = {term: factor for term, factor in terms.items() if factor}
    if not parts or len(terms) > _TERMS or abs(constant) > _LIMIT:
        return IndexSum({value: 1}, 0)
    return IndexSum(terms, constant)


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
