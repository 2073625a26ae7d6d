"""Sums into a value that is there: updates whose state sums up gradients, and ops that add their result to a value."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.diagnostics import op_name


class Accumulation(NamedTuple):
    """What a state of an update is after it: `factor` times what it was, plus the gradient.

    Attributes:
        gradient: index of that operand.
        state: index of that operand.
        factor: a number.
    """

    gradient: int
    state: int
    factor: float


class AccumulatesGradientBase(DnnOp):
    """An update of a parameter that may read its gradient only to add it to a state."""

    @abstractmethod
    def accumulation(self) -> Accumulation | str:
        """Where the gradient goes; or why the update reads it for something else too."""

    @abstractmethod
    def with_new_state(self, state: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue]:
        """Adds ops that compute the results from the state after the update, without the gradient."""


class AddsToValueBase(DnnOp):
    """An op that may add its only result to a value of the same type, without memory for the result alone."""

    def adds_to_value(self) -> str | None:
        """Why the op cannot; None where it can."""
        return None

    def added_first(self) -> Sequence[SSAValue]:
        """Operands that the op adds up, which ops of this base have to make in turn."""
        return ()

    @abstractmethod
    def added_to(self, value: SSAValue, factor: float, builder: GradientBuilder) -> SSAValue:
        """Adds ops that compute the result plus `factor` times the value, and returns that. `adds_to_value` is None."""


class AddsOperandsBase(AddsToValueBase):
    """The result is the sum of the operands."""

    def adds_to_value(self) -> str | None:
        same = all(operand.type == self.results[0].type for operand in self.operands)
        return None if same else "an operand is broadcast"

    def added_first(self) -> Sequence[SSAValue]:
        return self.operands

    def added_to(self, value: SSAValue, factor: float, builder: GradientBuilder) -> SSAValue:
        for operand in self.operands:
            value, factor = added_to(operand, value, factor, builder), 1.0
        return value


def why_not_added(result: SSAValue) -> str | None:
    """Why the op that makes a value cannot add it to another one instead (`added_to`); None where it can."""
    op = result.owner
    if not isinstance(op, Operation):
        return "it is an argument"
    if not result.has_one_use():
        return "another op reads it, too"
    if not isinstance(op, AddsToValueBase):
        return f"no kernel of {op_name(op)} adds its result to a value"
    reason = op.adds_to_value()
    if reason is not None:
        return f"{op.name} adds it to no value: {reason}"
    return next((reason for value in op.added_first() if (reason := why_not_added(value)) is not None), None)


def added_to(result: SSAValue, value: SSAValue, factor: float, builder: GradientBuilder) -> SSAValue:
    """Adds ops that compute `result` plus `factor` times `value`, and returns that, at the place of the op that makes
    the result where the value is there. `why_not_added` is None."""
    op = result.owner
    assert isinstance(op, AddsToValueBase)
    if not is_there(value, op):
        return op.added_to(value, factor, builder)
    with builder.inserting(InsertPoint.before(op)):
        return op.added_to(value, factor, builder)


def is_there(value: SSAValue, op: Operation) -> bool:
    """Whether a value that an op behind in the block reads is there before this op."""
    made = value.owner
    return not isinstance(made, Operation) or (made.parent is op.parent and made.is_before_in_block(op))
