"""Numbers that are known at run time: sums of products of what is not known, each with a factor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import gcd
from typing import NamedTuple

_FAR = 1 << 50
Number = tuple[tuple[tuple[int, ...], int], ...]
"""A polynomial: products of unknown numbers, by their ids, and the factor of each; in order."""


@lru_cache(1 << 12)
def known(value: int) -> Number:
    """A number that is known."""
    return (((), value),) if value else ()


def unknown(atom: int) -> Number:
    """A number that has only an id."""
    return (((atom,), 1),)


def value_of(number: Number) -> int | None:
    """The number where it is known."""
    if not number:
        return 0
    return number[0][1] if len(number) == 1 and not number[0][0] else None


def plus(a: Number, b: Number, factor: int = 1) -> Number:
    """The sum of `a` and of `factor` times `b`."""
    x, y = value_of(a), value_of(b)
    if x is not None and y is not None:
        return known(x + factor * y)
    total = Counter(dict(a))
    for product, count in b:
        total[product] += factor * count
    return _ordered(total)


def times(a: Number, b: Number) -> Number:
    """The product."""
    x, y = value_of(a), value_of(b)
    if x is not None and y is not None:
        return known(x * y)
    total = Counter[tuple[int, ...]]()
    for one, m in a:
        for two, n in b:
            total[tuple(sorted((*one, *two)))] += m * n
    return _ordered(total)


def product_of(numbers: Iterable[Number]) -> Number:
    """The product of several."""
    total = known(1)
    for number in numbers:
        total = times(total, number)
    return total


def replaced(number: Number, equal: Mapping[int, Number]) -> Number:
    """The number with what some ids are equal to in their place."""
    total: Number = ()
    for product, factor in number:
        part = known(factor)
        for atom in product:
            part = times(part, equal[atom] if atom in equal else unknown(atom))
        total = plus(total, part)
    return total


def at_most(a: Number, b: Number, sizes: frozenset[int] | set[int]) -> bool:
    """`a` is never larger than `b`, as far as the ids in `sizes` are of numbers that are not negative."""
    return is_not_negative(plus(b, a, -1), sizes)


def is_not_negative(number: Number, sizes: frozenset[int] | set[int]) -> bool:
    """The number is zero or more, as far as the ids in `sizes` are of numbers that are."""
    return all(n >= 0 and sizes.issuperset(product) for product, n in number)


class NumberBounds(NamedTuple):
    """Numbers that are not negative: the ids of those that are only an id, and all by the products that lessen them."""

    single: frozenset[int]
    by_product: Mapping[tuple[int, ...], Sequence[Number]]

    def holds(self, number: Number, sizes: set[int]) -> bool:
        """The number is not negative, as it is no less than one of these, or than zero; as those in `sizes`."""
        useful = (n for product, count in number if count < 0 for n in self.by_product.get(product, ()))
        return any(at_most(n, number, self.single | sizes) for n in ((), *useful))


def bounds_of(numbers: Sequence[Number]) -> NumberBounds:
    """What follows from numbers that are not negative."""
    single = (n[0][0][0] for n in numbers if len(n) == 1 and len(n[0][0]) == 1 and n[0][1] > 0)
    by_product: dict[tuple[int, ...], list[Number]] = {}
    for number in numbers:
        for product, count in number:
            if count < 0:
                by_product.setdefault(product, []).append(number)
    return NumberBounds(frozenset(single), by_product)


def interleaved(one: tuple[Number, Number, Number], other: tuple[Number, Number, Number]) -> bool:
    """Two slices of an axis, each a start, a size and a stride, meet nowhere as they are not the same modulo what both
    step by. A product of what is not known may leave 64 bits, which keeps it modulo a power of two alone."""
    step = 0
    for _, size, stride in (one, other):
        apart = value_of(stride)
        if apart is None:
            return False
        step = gcd(step, 0 if size == known(1) else apart)
    distance = dict(plus(one[0], other[0], -1))
    first = distance.pop((), 0)
    if distance:
        step = gcd(step, *distance.values())
        step &= -step
    return step > 1 and first % step != 0


def range_of(number: Number, ranges: Mapping[int, tuple[int, int]]) -> tuple[int, int] | None:
    """Bounds of a sum of numbers whose `ranges` are known; None where one is not, or the sum may leave 64 bits."""
    low = high = 0
    for product, n in number:
        if len(product) > 1 or (product and product[0] not in ranges):
            return None
        ends = [n * end for end in (ranges[product[0]] if product else (1, 1))]
        if max(map(abs, ends)) > _FAR:
            return None
        low, high = low + min(ends), high + max(ends)
    return low, high


def _ordered(total: Counter[tuple[int, ...]]) -> Number:
    return tuple(sorted((product, n) for product, n in total.items() if n))
