"""The base of ops whose gradient is built from that of their only result."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from xdsl.ir import SSAValue

from lastuse.dialect.dnn.attributes import is_float
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder


class DifferentiableBase(DnnOp):
    """An op with one result that has a gradient where the elements of that are floating-point numbers."""

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        (dy,) = results
        if dy is None or not is_float(self.result_type().dtype):
            return (None,) * len(self.operands)
        return self.differentiate(dy, builder)

    @abstractmethod
    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """The gradient of each operand from `dy`, that of the result; see `gradient`."""


def part_of(value: SSAValue, axis: int, start: int, end: int, builder: GradientBuilder) -> SSAValue:
    """Elements `start` to `end` of an axis of a gradient. Where that has no other use, its parts are computed one by
    one, so that each needs memory only from its first use on; the whole is dead then."""
    op = value.owner
    alone = op.part_alone(axis, start, end, builder) if isinstance(op, DnnOp) and value.first_use is None else None
    return builder.emit("slice", value, dim=axis, start=start, end=end) if alone is None else alone
