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
