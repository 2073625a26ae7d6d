"""Integers that become floating-point numbers by a scale, and ops that can read the integers instead."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from xdsl.ir import SSAValue

from lastuse.dialect.dnn.comparison import CastOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.tensor_types import static_shape, typed

SMALL = ("i8", "ui8")
"""Integers that take a quarter of the bytes of f32."""


class Widening(NamedTuple):
    """A value that is (integers - zero_point) * scale, in f32.

    Attributes:
        integers: of the value's shape, i8 or ui8.
        scale: f32, one number, or one for each index of `axis` and no other elements.
        zero_point: of the integers' type and the scale's sizes; None is 0.
        axis: of the integers; None where the scale is one number.
    """

    integers: SSAValue
    scale: SSAValue
    zero_point: SSAValue | None
    axis: int | None


class WidensIntegers(ABC):
    """An op class whose result may be a `Widening`."""

    @abstractmethod
    def widening(self) -> Widening | None:
        """What the result is computed from; None where it is something else."""


class TakesIntegers(ABC):
    """An op class that can read the integers of a `Widening` instead of the value."""

    @abstractmethod
    def takes_integers(self, operand: int, widening: Widening) -> bool:
        """Whether `with_integers` has an answer for the operand of this number, which is the value."""

    @abstractmethod
    def with_integers(self, widening: Widening, builder: GradientBuilder) -> SSAValue:
        """Adds ops that compute the result from the integers, equal but for rounding, and returns it."""


def scaled_integers(wide: SSAValue, scale: SSAValue, product: SSAValue) -> Widening | None:
    """The product of a value and a scale, where the value is a cast of small integers to f32 and the product has its
    sizes; None where it is something else."""
    cast = wide.owner
    if not isinstance(cast, CastOp) or wide.type != product.type or typed(wide.type).dtype != "f32":
        return None
    sizes, rank = static_shape(scale.type), len(static_shape(wide.type))
    longer = [axis for axis, size in enumerate(sizes) if size != 1]
    if typed(cast.x.type).dtype not in SMALL or len(longer) > 1 or any(sizes[axis] is None for axis in longer):
        return None
    return Widening(cast.x, scale, None, rank - len(sizes) + longer[0] if longer else None)
