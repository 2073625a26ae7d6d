"""What an op class may say of itself to the rest of the compiler, whatever its dialect."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from lastuse.dialect.ir.symbolic_shape import TensorInfo


class InfersShapes(ABC):
    """An op class that tells the types of its results from those of its operands.

    Nothing but attributes and types decides what its verifier says, and no op of the class reads floating-point
    numbers as bits.
    """

    @abstractmethod
    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        """Shapes and element types of the results; a size that cannot be told is None.

        Raises:
            ValueError: the operands do not fit the op.
        """
