"""Ops that models spell out as several ops, and what these are made of: products, lines and bounds of one value."""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import Attribute, Operation, SSAValue

from lastuse.dialect.dnn.affine import AffineBase
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.wider_floats import has_dtype

Constant = Callable[[SSAValue], Array | None]
"""The elements of a value, None where they are not known."""
FARTHEST = 8
"""Ops that are followed back from one to its operand."""
CLOSE = 1e-5
"""How far numbers may be from those of a formula, relatively: they are rounded to f32."""
CLOSE_HALVES = 2e-3
"""The same of numbers that are rounded to f16: a product of two of them."""


class Spelling(NamedTuple):
    """How ops compute what one op of a class does.

    Attributes:
        operands: of that op: values, or elements of a constant that the model does not have.
        attributes: of that op.
        inner: what is computed on the way, which is gone if nothing else reads it; else the ops stay as they are.
        view: the op makes what this one reads, and the value is a view as this one is; None: the op makes the value.
    """

    operands: Sequence[SSAValue | Array]
    attributes: Mapping[str, Attribute]
    inner: Sequence[SSAValue] = ()
    view: DnnOp | None = None


class SpeltOutBase(DnnOp):
    """An op that models write as several ops, too."""

    @classmethod
    @abstractmethod
    def spelt_by(cls, value: SSAValue, constant: Constant) -> Spelling | None:
        """The op of this class that computes `value`; None where there is none.

        Args:
            value: the result of an op of one result, in f32, or in f16, whose constants are rounded more.
        """


def values_between(value: SSAValue, leaves: Collection[SSAValue], constant: Constant) -> list[SSAValue]:
    """What is computed between the leaves and a value, without both, and without constants."""
    found, waiting = dict[SSAValue, None](), [value]
    while waiting:
        op = waiting.pop().owner
        for operand in op.operands if isinstance(op, Operation) else ():
            if operand not in leaves and operand not in found and constant(operand) is None:
                found[operand] = None
                waiting.append(operand)
    return list(found)


class BoundedLine(NamedTuple):
    """slope * x + shift, brought between low and high; slope is positive."""

    slope: float = 1.0
    shift: float = 0.0
    low: float = -math.inf
    high: float = math.inf

    def scaled(self, factor: float, shift: float = 0.0) -> BoundedLine | None:
        """factor * this + shift; None where the factor is not positive."""
        if not factor > 0:
            return None
        slope, *rest = self
        return BoundedLine(factor * slope, *(factor * number + shift for number in rest))

    def bounded(self, low: float, high: float) -> BoundedLine:
        """This, brought between other bounds too."""
        bounds = (max(low, min(high, number)) for number in (self.low, self.high))
        return BoundedLine(self.slope, self.shift, *bounds)

    def is_close(self, other: Sequence[float], tolerance: float = CLOSE) -> bool:
        """The same numbers, but for rounding."""
        return all(close(a, b, tolerance) for a, b in zip(self, other, strict=True))


class BoundsBase(DnnOp):
    """An op of one operand that is a line between two bounds."""

    @abstractmethod
    def bounded_line(self) -> BoundedLine | None:
        """The line; None where its slope is not positive."""


def close(a: float, b: float, tolerance: float = CLOSE) -> bool:
    """The same number, but for rounding."""
    return a == b or math.isclose(a, b, rel_tol=tolerance)


def tolerance_of(value: SSAValue) -> float:
    """How far the numbers that a value is computed with may be from those of a formula, relatively."""
    return CLOSE_HALVES if has_dtype(value, "f16") else CLOSE


def products(value: SSAValue, constant: Constant) -> Iterator[tuple[float, SSAValue, SSAValue]]:
    """A value as a number times one value times another one, in all the ways that there are to see it."""
    for number, product in _scalings(value, constant):
        op = product.owner
        if isinstance(op, Operation) and op.name == "dnn.mul" and op.operands[0].type == op.operands[1].type:
            for operands in (op.operands, op.operands[::-1]):
                for (a, x), (b, other) in itertools.product(*(_scalings(operand, constant) for operand in operands)):
                    yield number * a * b, x, other


def _scalings(value: SSAValue, constant: Constant) -> list[tuple[float, SSAValue]]:
    """A value as a number times a value: itself, and what it is computed from by products with constants."""
    found, number = [(1.0, value)], 1.0
    while len(found) < FARTHEST and isinstance(op := value.owner, AffineBase):
        line = op.affine(constant)
        if line is None or line.factor.size != 1 or line.shift.any():
            break
        value, number = op.operands[line.operand], number * line.factor.item()
        found.append((number, value))
    return found


def line_of_function(
    value: SSAValue, name: str, constant: Constant, depth: int = FARTHEST
) -> tuple[float, float, SSAValue] | None:
    """Slope, shift and f's operand where a value is slope * f(operand) + shift, f being the op of that name; None where
    it is not."""
    op = value.owner
    if not depth or not isinstance(op, Operation):
        return None
    if op.name == name and len(op.operands) == 1:
        return 1.0, 0.0, op.operands[0]
    line = op.affine(constant) if isinstance(op, AffineBase) else None
    if line is None or line.factor.size != 1 or line.shift.size != 1:
        return None
    inner = line_of_function(op.operands[line.operand], name, constant, depth - 1)
    if inner is None:
        return None
    factor = line.factor.item()
    return factor * inner[0], factor * inner[1] + line.shift.item(), inner[2]


MOST_POWERS = 4
"""Powers of a value that are followed: 0 to 3."""


def cubic_of(value: SSAValue, x: SSAValue, constant: Constant, depth: int = FARTHEST) -> list[float] | None:
    """The coefficients of a value as a polynomial in x, of degree 3 at most, that of the lowest power first; None where
    it is none."""
    if value is x:
        return [0.0, 1.0, 0.0, 0.0]
    op = value.owner
    if not depth or not isinstance(op, Operation):
        return None
    line = op.affine(constant) if isinstance(op, AffineBase) else None
    if line is not None and line.factor.size == line.shift.size == 1:
        inner = cubic_of(op.operands[line.operand], x, constant, depth - 1)
        if inner is None:
            return None
        scaled = [line.factor.item() * number for number in inner]
        return [scaled[0] + line.shift.item(), *scaled[1:]]
    if op.name not in ("dnn.add", "dnn.mul", "dnn.pow") or len(op.operands) != 2:
        return None
    base = cubic_of(op.operands[0], x, constant, depth - 1)
    if base is None:
        return None
    if op.name == "dnn.pow":
        exponent = constant(op.operands[1])
        if exponent is None or exponent.size != 1 or exponent.item() not in (2, 3):
            return None
        return _times(base, base if exponent.item() == 2 else _times(base, base))
    other = cubic_of(op.operands[1], x, constant, depth - 1)
    if other is None:
        return None
    return [a + b for a, b in zip(base, other, strict=True)] if op.name == "dnn.add" else _times(base, other)


def _times(a: list[float] | None, b: list[float] | None) -> list[float] | None:
    """The product of two polynomials; None where its degree is above 3."""
    if a is None or b is None:
        return None
    product = [0.0] * (2 * MOST_POWERS - 1)
    for k, m in itertools.product(range(MOST_POWERS), repeat=2):
        product[k + m] += a[k] * b[m]
    return None if any(product[MOST_POWERS:]) else product[:MOST_POWERS]


def bounded_line_of(value: SSAValue, x: SSAValue, constant: Constant, depth: int = FARTHEST) -> BoundedLine | None:
    """How a value is a line of x between bounds; None where it is not."""
    if value is x:
        return BoundedLine()
    op = value.owner
    if not depth or not isinstance(op, Operation):
        return None
    if isinstance(op, BoundsBase):
        line, inner = op.bounded_line(), bounded_line_of(op.operands[0], x, constant, depth - 1)
        if line is None or inner is None:
            return None
        scaled = inner.scaled(line.slope, line.shift)
        return None if scaled is None else scaled.bounded(line.low, line.high)
    line = op.affine(constant) if isinstance(op, AffineBase) else None
    if line is None or line.factor.size != 1 or line.shift.size != 1:
        return None
    inner = bounded_line_of(op.operands[line.operand], x, constant, depth - 1)
    return None if inner is None else inner.scaled(line.factor.item(), line.shift.item())
