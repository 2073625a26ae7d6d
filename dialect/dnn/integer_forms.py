"""Products of dequantised values whose results are quantised: what they compute on the integers themselves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.widening import Widening
from lastuse.dialect.ir.tensor_types import element_type, typed

WAYS = ("integers", "model", "dequantize")
"""Quantised values are computed in integers where they can be, or as the model says, or on weights that are f32."""
LARGEST = (1 << 31) - 1
"""Of 32 bits."""


class Requantization(NamedTuple):
    """What a value becomes: round(value / scale) + zero_point, between the bounds of the zero point's type.

    Attributes:
        scale: f32, one number.
        zero_point: one number, ui8 or i8.
    """

    scale: SSAValue
    zero_point: SSAValue


class RequantizesNumbers(ABC):
    """An op class whose result may be a `Requantization` of operand 0."""

    @abstractmethod
    def requantization(self) -> Requantization | None:
        """What the op does; None where it is something else."""


class IntegerFactors(NamedTuple):
    """Operands of a product, as integers.

    Attributes:
        x, weights: the factors.
        bias: what is added, in f32: numbers along one axis; None for nothing.
        steps: the scale of the sums, one for each channel or column, or one number.
    """

    x: Widening
    weights: Widening
    bias: Array | None
    steps: Array | None


class SumsIntegers(ABC):
    """An op class of products with an op on integers that quantises its sums."""

    @abstractmethod
    def bias_operand(self) -> int | None:
        """The number of the operand that is added; None where there is none."""

    @abstractmethod
    def integer_refusal(self, x: Widening, weights: Widening) -> str | None:
        """Why there is no op on these integers; None where there is one."""

    @abstractmethod
    def on_integers(self, factors: IntegerFactors, result: Requantization, builder: GradientBuilder) -> SSAValue:
        """Adds the op that computes the quantised result from the integers, equal but for rounding, and returns it."""


class TakesQuantized(ABC):
    """An op class that has an op on integers where all operands are dequantised by one scale each and the result is
    quantised by one."""

    @abstractmethod
    def on_quantized(
        self, operands: Sequence[Widening], result: Requantization, builder: GradientBuilder
    ) -> SSAValue | None:
        """Adds the op that computes the quantised result from the integers, to the bit, and returns it; None where
        there is none for their sizes."""


class ComputesElements(ABC):
    """An op class, not of elementwise ops alone, whose ops may make each element of their result of the elements at the
    same place of their operands."""

    @abstractmethod
    def is_elementwise(self) -> bool:
        """Whether the op does so, where operands behind the first one have one element."""


class ComputesChannels(ABC):
    """An op class whose ops may make each element of their result of the element at the same place of operand 0, and of
    those of its channel of the operands behind it, which have one axis. Of x [N, C] they do so with C channels."""

    @abstractmethod
    def computed_channels(self) -> int | None:
        """The axis of the channels; None where the op computes something else."""


def parameters_of(factor: Widening, builder: GradientBuilder) -> Sequence[SSAValue]:
    """The integers, their scale and their zero point, which is 0 where there is none."""
    zero = factor.zero_point
    if zero is None:
        count = 1 if factor.axis is None else builder.known_size(factor.scale, 0)
        zero = builder.integers([0] * count, element_type(typed(factor.integers.type).dtype))
    return factor.integers, factor.scale, zero


def quantized_product(
    kind: str,
    factors: IntegerFactors,
    result: Requantization,
    builder: GradientBuilder,
    attributes: Mapping[str, Any] | None = None,
) -> SSAValue:
    """Adds `dnn.<kind>`, a product of integers that is quantised, and returns its result."""
    operands = [*parameters_of(factors.x, builder), *parameters_of(factors.weights, builder), *result]
    if factors.bias is not None:
        assert factors.steps is not None
        operands.append(builder.integers(bias_steps(factors.bias, factors.steps).tolist(), i32))
    return builder.emit(kind, *operands, **(attributes or {}))


def bias_steps(bias: Array, steps: Array) -> Array:
    """A bias in steps of the sums, rounded; of f64, so that a caller sees what 32 bits do not hold."""
    with np.errstate(all="ignore"):
        made = np.rint(bias.astype(np.float64) / steps.astype(np.float64))
    return made.astype(np.int64) if fits(made) else made


def fits(numbers: Array) -> bool:
    """Whether 32 bits hold all numbers."""
    return bool(np.all(np.abs(numbers) <= LARGEST))
