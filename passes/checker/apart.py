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
MOST = _LIMIT * _MOST
"""Distances above which nothing is said."""


class IndexSum(NamedTuple):
    """An index: multiples of values, plus a constant, modulo 2^64."""

    terms: Mapping[SSAValue, int]
    constant: int


AxisEnds = tuple[IndexSum | None, IndexSum | None]
"""The first and the last element of a slice along an axis."""


def are_apart(a: SliceBounds, b: SliceBounds) -> bool:
    """Whether the slices of one value are proved to have no element in common."""
    if len(a.offsets) != len(b.offsets):
        return False
    axes = zip(ends_of(a), ends_of(b), strict=True)
    return any(_is_before(one, two) or _is_before(two, one) for one, two in axes)


def _is_before(first: AxisEnds, second: AxisEnds) -> bool:
    """The last element of the first slice is before the first one of the second."""
    end, start = first[1], second[0]
    if end is None or start is None or (bound := bound_of(start.terms, end.terms)) is None:
        return False
    return 0 < bound + start.constant - end.constant <= MOST


def ends_of(slice_: SliceBounds) -> list[AxisEnds]:
    """By axis, the first and the last element of a slice. Nothing is said of one at a step that may go back."""
    return [_axis_ends(*numbers) for numbers in zip(*slice_, strict=True)]


def _axis_ends(offset: int | SSAValue, size: int | SSAValue, step: int | SSAValue) -> AxisEnds:
    if not isinstance(step, int) or step < 0:
        return None, None
    first, count = (IndexSum({}, n) if isinstance(n, int) else _sum_of(n) for n in (offset, size))
    terms = Counter[SSAValue](first.terms)
    for term, factor in count.terms.items():
        terms[term] += step * factor
    constant = first.constant + step * (count.constant - 1)
    end = IndexSum({t: n for t, n in terms.items() if n}, constant) if abs(constant) <= MOST else None
    return IndexSum(first.terms, first.constant) if abs(first.constant) <= MOST else None, end


def bound_of(more: Mapping[SSAValue, int], less: Mapping[SSAValue, int]) -> int | None:
    """A lower bound of the difference of two sums; None where there is none."""
    bound = 0
    for value in {*more, *less}:
        factor = more.get(value, 0) - less.get(value, 0)
        if factor:
            low, high, pace = _interval(value)
            end, other = (low, high) if factor > 0 else (high, low)
            if end is None or abs(factor * end) > _LIMIT:
                return None
            if abs(factor) * pace > _PACE if other is None else abs(factor * other) > _LIMIT:
                return None
            bound += factor * end
    return bound


def open_terms(terms: Mapping[SSAValue, int]) -> frozenset[tuple[SSAValue, int]]:
    """The terms of a sum that no end is known of: two sums have a bounded difference only if these are the same."""
    return frozenset(item for item in terms.items() if _interval(item[0])[:2] == (None, None))


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
