"""Activations that models spell out as several ops: products, lines and bounds of one value."""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import Attribute, Operation, SSAValue

from lastuse.dialect.dnn.affine import AffineBase
from lastuse.dialect.dnn.base import Array, DnnOp

Constant = Callable[[SSAValue], Array | None]
"""The elements of a value, None where they are not known."""
FARTHEST = 8
"""Ops that are followed back from one to its operand."""
CLOSE = 1e-5
"""How far numbers may be from those of a formula, relatively: they are rounded to f32."""


class SpeltOutBase(DnnOp):
    """An op of one operand that models write as several ops, too."""

    @classmethod
    @abstractmethod
    def spelt_by(cls, value: SSAValue, constant: Constant) -> tuple[SSAValue, Mapping[str, Attribute]] | None:
        """The operand and the attributes of the op of this class that computes `value`; None where there is none.

        Args:
            value: the result of an op of one result, in f32.
        """


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

    def is_close(self, other: Sequence[float]) -> bool:
        """The same numbers, but for rounding."""
        return all(map(close, self, other))


class BoundsBase(DnnOp):
    """An op of one operand that is a line between two bounds."""

    @abstractmethod
    def bounded_line(self) -> BoundedLine | None:
        """The line; None where its slope is not positive."""


def close(a: float, b: float) -> bool:
    """The same number, but for rounding."""
    return a == b or math.isclose(a, b, rel_tol=CLOSE)


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
