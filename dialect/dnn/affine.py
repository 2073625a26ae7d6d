"""Ops that are a straight line of one operand where the others are constants: factor * x + shift."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.base import Array, DnnOp


class Affine(NamedTuple):
    """The result is factor * x + shift.

    Attributes:
        operand: the number of x.
        factor, shift: f64, which broadcast with x.
    """

    operand: int
    factor: Array
    shift: Array


class AffineBase(DnnOp):
    """An op that may be a straight line, element by element."""

    @abstractmethod
    def affine(self, constant: Callable[[SSAValue], Array | None]) -> Affine | None:
        """The line; None where the op is none.

        Args:
            constant: the elements of an operand, None where they are not known.
        """


class BinaryAffineBase(AffineBase):
    """An op of two operands that is a straight line of one where the other is constant."""

    def affine(self, constant: Callable[[SSAValue], Array | None]) -> Affine | None:
        for operand in (0, 1):
            number = constant(self.operands[1 - operand])
            line = None if number is None or number.dtype.kind != "f" else self.line(operand, number.astype(np.float64))
            if line is not None:
                return Affine(operand, *(np.asarray(term, np.float64) for term in line))
        return None

    @abstractmethod
    def line(self, operand: int, number: Array) -> tuple[Array | float, Array | float] | None:
        """Factor and shift of that operand where the other one is `number`; None where there are none."""
