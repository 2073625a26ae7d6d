"""An interpreter of `dnn`, `scf`, `cf`, `func` and `arith` on numpy: what tests hold a compiled program against.

It shares nothing with what it checks: no lowering, no places, no decisions, no kernels. Every value has an array of its
own that nothing writes again; each op has a formula of its own here, by its name, and reads its attributes itself. Only
the arrays of `dense_resource` constants come from `lastuse`, which keeps them.

Results are compared within what rounding allows: `rounding.py` says how that is known. A few runs say it of nearly
every element. In all of them roundings of several ops may cancel, or miss the one number that matters, so a result that
they refuse is held against many runs before it is called wrong. NaN equals NaN, whatever its bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from .rounding import FEW, LIMITS, Array, Rounding, is_float
from .walk import MEANINGS, EndlessError, Interpreter

__all__ = ["MEANINGS", "EndlessError", "Expected", "RightResults", "difference", "expected_results", "interpret"]

RUNS = 1 + FEW
"""How often a program is interpreted: once as the numbers are, then with roundings drawn."""
MANY_RUNS = 65
"""How often, before a result is called wrong."""
ALLOWED = 4.0
"""A result may be so many times as far from the right number as the drawn ones are."""


class Expected(NamedTuple):
    """What a result may be.

    Attributes:
        value: the right numbers, rounded.
        far: how far from them a right result is at most; 0 where the bits are known.
        known: elements that anything is known of.
        signed: zeros whose sign is known.
    """

    value: Array
    far: Array
    known: Array
    signed: Array


def interpret(module: ModuleOp, arguments: Sequence[Array], function: str = "main", run: int = 0) -> list[Array]:
    """The results of a function for `arguments`, in order; of scalars, arrays without axes.

    Args:
        run: 0 for the right numbers; others draw roundings.
    """
    return Interpreter(module, Rounding(run)).call(function, arguments)


class RightResults:
    """What the results of `main` may be, as well as the runs so far tell.

    Args:
        module: functions with bodies; it must not change.
        arguments: of `main`, in order.
        narrow: the unit of rounding of what GRUs multiply, where that is more than their type's.

    Attributes:
        expected: what each result may be, in order.

    Raises:
        EndlessError: the program runs on and on.
    """

    def __init__(self, module: ModuleOp, arguments: Sequence[Array], narrow: float = 0.0) -> None:
        self._module, self._arguments, self._narrow = module, arguments, narrow
        self._runs: list[list[Array]] = []
        self._interpret(RUNS)

    def _interpret(self, runs: int) -> None:
        for run in range(len(self._runs), runs):
            interpreter = Interpreter(self._module, Rounding(run, narrow=self._narrow))
            self._runs.append(interpreter.call("main", self._arguments))
        self.expected = [_expected(results[0], results[1:]) for results in zip(*self._runs, strict=True)]

    def difference(self, number: int, got: Array) -> str | None:
        """What is wrong with result `number`, in words; None where nothing is."""
        words = difference(self.expected[number], got)
        if words is not None and len(self._runs) < MANY_RUNS:
            self._interpret(MANY_RUNS)
            words = difference(self.expected[number], got)
        return words


def expected_results(op: Operation, operands: Sequence[Array]) -> list[Expected]:
    """What the results of one op may be."""
    with np.errstate(all="ignore"):
        runs = [MEANINGS[op.name](op, list(operands), Rounding(run)) for run in range(RUNS)]
    return [_expected(results[0], results[1:]) for results in zip(*runs, strict=True)]


def _expected(value: Array, others: Sequence[Array]) -> Expected:
    shapes = all(other.shape == value.shape for other in others)
    if not shapes:  # a drawn run took another way
        nothing = np.zeros(value.shape)
        return Expected(value, nothing, nothing != 0, nothing != 0)
    if not is_float(value.dtype):
        known = np.ones(value.shape, np.bool_)
        for other in others:
            known &= value == other
        return Expected(value, np.zeros(value.shape), known, known)
    with np.errstate(all="ignore"):
        number, far = value.astype(np.float64), np.zeros(value.shape)
        known, signed = np.ones(value.shape, np.bool_), np.ones(value.shape, np.bool_)
        for other in (o.astype(np.float64) for o in others):
            same = (number == other) | (np.isnan(number) & np.isnan(other))
            finite = np.isfinite(number) & np.isfinite(other)
            known &= same | finite
            far = np.maximum(far, np.where(finite, np.abs(number - other), 0.0))
            signed &= np.signbit(number) == np.signbit(other)
        if far.any():  # draws may meet the right number by chance: a result that rounds has a rounding everywhere
            far = np.maximum(far, np.where(np.isfinite(number), np.abs(number), 0.0) * LIMITS[value.dtype].unit)
        return Expected(value, ALLOWED * far, known, signed)


def difference(want: Expected, got: Array) -> str | None:
    """What is wrong with a result, in words; None where nothing is."""
    if got.shape != want.value.shape or got.dtype != want.value.dtype:
        return f"is {got.dtype}{list(got.shape)}, expected {want.value.dtype}{list(want.value.shape)}"
    if not is_float(got.dtype):
        wrong = want.known & (got != want.value)
    else:
        with np.errstate(all="ignore"):
            number, right = got.astype(np.float64), want.value.astype(np.float64)
            near = (np.abs(number - right) <= want.far) | (number == right) | (np.isnan(number) & np.isnan(right))
            sign = (number == 0) & (right == 0) & (want.far == 0) & want.signed
            wrong = want.known & (~near | (sign & (np.signbit(number) != np.signbit(right))))
    if not wrong.any():
        return None
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    allowed = f", {want.far[at]:.3g} apart at most" if want.far[at] else ""
    return (
        f"element {list(at)} is {got[at]}, expected {want.value[at]}{allowed}; {int(wrong.sum())} of {wrong.size} wrong"
    )
