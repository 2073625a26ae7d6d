"""Numbers of programs for some sizes as formulas of what shape inference says, and what these give for other sizes.

A formula is affine in one inferred number: `a * n + b`. It is taken for a number of a program where it holds for every
set of sizes that was compiled. Sizes are *covered* where inference says of them nothing that is outside of what it said
of the compiled ones: each number lies between two that were met, has remainders that were met, and is 0 or 1 only if it
has been; those that were always equal are equal. Then the ops of the module, their decisions and the choices of passes,
which compare sizes with each other and with numbers, are those of the compiled sizes.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import accumulate, chain
from operator import mul
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from xdsl.dialects.func import FuncOp

from lastuse.dialect.ir.interfaces import InfersShapes
from lastuse.dialect.storage.repeated_inference import RepeatedInference

DIVISORS = (2, 3, 4)
"""By what remainders of sizes are compared in any case."""
MOST = 1 << 31
"""Numbers that vary are below it: products of two of them are exact."""


class Inferred(NamedTuple):
    """What inference says of all values: numbers, and all else that they are the numbers of."""

    numbers: np.ndarray
    rest: Hashable


def inferred(inference: RepeatedInference, sizes: Mapping[str, int]) -> Inferred | None:
    """Sizes, products of the last sizes, and elements of small tensors, of every value of a function that is not the
    same for all sizes; None where some are not known.

    Args:
        inference: of the function.

    Raises:
        LastuseError: the sizes do not fit an op.
    """
    found = inference.with_sizes(sizes)
    numbers: list[int] = []
    rest: list[Hashable] = [tuple(found.regions.values())]
    for info in found.sizes.values():
        shape = [size for size in info.shape if isinstance(size, int)]
        if len(shape) < len(info.shape):
            return None
        numbers += shape
        numbers += accumulate(reversed(shape), mul)
        content = info.content
        if content is not None and info.dtype.startswith(("i", "u")):
            numbers += map(int, content)  # pyright: ignore[reportArgumentType]
            content = None
        rest.append((info.dtype, len(shape), repr(content)))
    if any(abs(number) >= MOST << 16 for number in numbers):
        return None
    return Inferred(np.array(numbers, np.int64), tuple(rest))


def divisors_of(func: FuncOp) -> frozenset[int]:
    """The numbers by whose remainders sizes are compared, as the ops say."""
    stated = (op.size_divisors() for op in func.walk() if isinstance(op, InfersShapes))
    return frozenset(DIVISORS) | frozenset(chain.from_iterable(stated)) - {1}


class Formulas:
    """What inference and programs said of the sizes that were compiled, one column for each of these."""

    def __init__(self, divisors: Collection[int] = DIVISORS) -> None:
        """`divisors`: by what remainders of sizes are compared."""
        self._divisors = divisors
        self._inferred: list[Inferred] = []
        self._numbers: list[np.ndarray] = []
        self._rest: Hashable = None
        self._fitted: _Fitted | None = None

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, of_sizes: Inferred, numbers: Sequence[int], rest: Hashable) -> bool:
        """Adds compiled sizes; False where they are no sizes of the same program, and are left out."""
        if self._inferred and (self._rest != rest or self._inferred[0].rest != of_sizes.rest):
            return False
        self._inferred.append(of_sizes)
        self._numbers.append(np.array(numbers, np.int64))
        self._rest, self._fitted = rest, None
        return True

    @property
    def is_complete(self) -> bool:
        """Every number has a formula."""
        return self._fit().complete

    @property
    def varying(self) -> list[bool]:
        """For each number of the program whether it is not the same for all sizes."""
        numbers = np.stack(self._numbers, 1)
        return (numbers != numbers[:, :1]).any(1).tolist()

    def numbers(self, of_sizes: Inferred) -> list[int] | None:
        """The numbers of the program for other sizes; None where these are not covered, or formulas disagree."""
        if not self._inferred or self._inferred[0].rest != of_sizes.rest:
            return None
        fitted = self._fit()
        return fitted.numbers(of_sizes.numbers) if fitted.complete else None

    def gain(self, wanted: Inferred, more: Inferred) -> int | None:
        """How many remainders of numbers are met with further sizes that are not met yet; None where `wanted` is not
        covered with them either."""
        if not self._inferred or not self._inferred[0].rest == wanted.rest == more.rest:
            return None
        known = np.stack([each.numbers for each in self._inferred], 1)
        with_more = _Coverage(np.concatenate([known, more.numbers[:, None]], 1), self._divisors)
        if not with_more.covers(wanted.numbers):
            return None
        return with_more.remainders() - _Coverage(known, self._divisors).remainders()

    def is_outside(self, of_sizes: Inferred) -> bool:
        """Whether a number of other sizes of the same ops is not between those of the compiled ones."""
        known = np.stack([each.numbers for each in self._inferred], 1)
        return not ((known.min(1) <= of_sizes.numbers) & (of_sizes.numbers <= known.max(1))).all()

    def _fit(self) -> _Fitted:
        if self._fitted is None:
            inferred_numbers = np.stack([each.numbers for each in self._inferred], 1)
            self._fitted = _Fitted(inferred_numbers, np.stack(self._numbers, 1), self._divisors)
        return self._fitted


class _Coverage:
    """What sizes the rows of `given` cover; a column for each set of sizes."""

    def __init__(self, given: np.ndarray, divisors: Collection[int]) -> None:
        self._divisors = divisors
        self.given, self.first, self._kind = _distinct(given)
        self.varying = np.flatnonzero((self.given != self.given[:, :1]).any(1))

    def covers(self, numbers: np.ndarray) -> bool:
        """Whether other sizes, of which inference says these numbers, are covered."""
        values, known = numbers[self.first], self.given
        if not (values[self._kind] == numbers).all():
            return False
        if not ((known.min(1) <= values) & (values <= known.max(1))).all():
            return False
        small = (values <= 1) & ~(known == values[:, None]).any(1)
        varying, among = values[self.varying], known[self.varying]
        return not small.any() and all((among % m == (varying % m)[:, None]).any(1).all() for m in self._divisors)

    def remainders(self) -> int:
        """How many remainders of numbers that vary are met."""
        among = self.given[self.varying]
        return sum(int((among % m == r).any(1).sum()) for m in self._divisors for r in range(m))


class _Fitted:
    """Formulas for the rows of `numbers`, of the rows of `given`; a column for each set of sizes.

    Those of a changing row stand side by side: the row of `given`, and what it is worth from where on, by what slope.
    """

    def __init__(self, given: np.ndarray, numbers: np.ndarray, divisors: Collection[int]) -> None:
        self._coverage = _Coverage(given, divisors)
        rows, _, self._number = _distinct(numbers)
        self._constant = rows[:, 0]
        changing = np.flatnonzero((rows != rows[:, :1]).any(1))
        base = self._coverage.given[self._coverage.varying]
        self.complete = not len(changing) or bool(
            len(base) > 0 and max(abs(base).max(), abs(rows[changing]).max()) < MOST
        )
        self._rows = changing
        if not self.complete or not len(changing):
            return
        low, high = base.argmin(1), base.argmax(1)
        every = np.arange(len(base))
        start, width = base[every, low], base[every, high] - base[every, low]
        formulas: list[np.ndarray] = []
        for row in changing:
            number = rows[row]
            rise = number[high] - number[low]
            fits = ((number - number[low][:, None]) * width[:, None] == rise[:, None] * (base - start[:, None])).all(1)
            if not fits.any():
                self.complete = False
                return
            chosen = np.flatnonzero(fits)
            formulas.append(np.stack([chosen, number[low][chosen], rise[chosen], width[chosen], start[chosen]]))
        self._counts = np.array([formula.shape[1] for formula in formulas])
        self._starts = np.cumsum(self._counts) - self._counts
        self._formulas = np.concatenate(formulas, 1)

    def numbers(self, given: np.ndarray) -> list[int] | None:
        """The numbers for what inference says of other sizes."""
        if not self._coverage.covers(given):
            return None
        varying = given[self._coverage.first][self._coverage.varying]
        result = self._constant.copy()
        if len(self._rows):
            chosen, least, rise, width, start = self._formulas
            above = rise * (varying[chosen] - start)
            steps = above // width
            found = least + steps
            first = found[self._starts]
            if (steps * width != above).any() or (found != np.repeat(first, self._counts)).any():
                return None
            result[self._rows] = first
        return result[self._number].tolist()


def _distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The distinct rows, the number of the first row of each, and for each row its number among the distinct ones."""
    distinct, first, kind = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return distinct, first, kind.reshape(-1)


def flattened(value: Any) -> tuple[list[int], list[Hashable], list[np.ndarray]]:
    """The integers in nested tuples, what else is there, and the arrays."""
    numbers, rest, arrays = list[int](), list[Hashable](), list[np.ndarray]()

    def visit(part: Any) -> None:
        if isinstance(part, tuple):
            rest.append((type(part), len(part)))
            for inner in part:
                visit(inner)
        elif isinstance(part, np.ndarray):
            arrays.append(part)
            rest.append(np.ndarray)
        elif _is_number(part):
            numbers.append(int(part))
            rest.append(type(part))
        else:
            rest.append((type(part), repr(part)))

    visit(value)
    return numbers, rest, arrays


class Filling:
    """Nested tuples with other integers, in the order of `flattened`, where only some of these ever differ."""

    def __init__(self, value: Any, varying: Sequence[bool]) -> None:
        """`varying`: for each integer whether it may differ; parts in which none does are shared by all results."""
        self._value, self._varying = value, iter(varying)
        self._numbers = 0
        self._plan = self._planned(value)

    def filled(self, numbers: Sequence[int]) -> Any:
        """The tuples with these integers, of which those that never differ are as they were."""
        return self._value if self._plan is None else _filled(self._value, self._plan, numbers)

    def _planned(self, part: Any) -> _Plan | None:
        """What differs in a part; None where nothing does."""
        if isinstance(part, tuple):
            first = self._numbers
            plans = [(number, self._planned(inner)) for number, inner in enumerate(part)]
            holes = tuple((number, plan) for number, plan in plans if plan is not None)
            if type(part) is tuple and all(type(inner) is int for inner in part) and holes:
                return _Integers(first, self._numbers)
            return _Parts(type(part), holes) if holes else None
        if _is_number(part):
            self._numbers += 1
            return _Hole(self._numbers - 1, isinstance(part, float)) if next(self._varying) else None
        return None


class _Hole(NamedTuple):
    """Where a number goes: which one, and whether as a float."""

    number: int
    is_float: bool


class _Integers(NamedTuple):
    """A tuple of the integers from number `first` on, before number `end`."""

    first: int
    end: int


class _Parts(NamedTuple):
    """A tuple of this type, and the parts by their numbers in which something differs."""

    kind: type[tuple[Any, ...]]
    holes: tuple[tuple[int, _Plan], ...]


_Plan: TypeAlias = _Hole | _Integers | _Parts


def _filled(part: Any, plan: _Plan, numbers: Sequence[int]) -> Any:
    if isinstance(plan, _Integers):
        return tuple(numbers[plan.first : plan.end])
    if isinstance(plan, _Hole):
        return float(numbers[plan.number]) if plan.is_float else numbers[plan.number]
    parts = list(part)
    for number, inner in plan.holes:
        parts[number] = _filled(parts[number], inner, numbers)
    return tuple.__new__(plan.kind, parts)


def _is_number(part: Any) -> bool:
    """Whether `flattened` counts it among the integers: a float stays one."""
    if isinstance(part, float):
        return part.is_integer() and abs(part) < MOST and repr(part) != "-0.0"
    return isinstance(part, int) and not isinstance(part, bool)
