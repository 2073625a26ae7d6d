"""What the parts of lowering ask of the function that is being lowered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DenseResourceAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.onednn.primitives.base import Operand
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.lowering.emit import Emitter
from lastuse.passes.memory.frame_layout import FrameLayout


class LoweringContext(Protocol):
    """
    The state of one lowering, for calls, control flow and ops on scalars.

    Attributes:
        functions: every function of the module that has a body, by name.
        frame: where the values of the function lie.
        emit: writes to the block that is being made.
        blocks: the blocks of the lowered function, by those of the old one.
        edges: blocks made for the moves of a branch that has several successors.
    """

    functions: Mapping[str, FuncOp]
    frame: FrameLayout
    emit: Emitter
    blocks: dict[Block, Block]
    edges: list[Block]

    def begin(self, op: Operation) -> None:
        """What is emitted from now on comes from `op`, which has no temporaries yet."""
        ...

    def op(self, op: Operation) -> None:
        """Emits what `op` does. Raises LastuseError where nothing runs such an op."""
        ...

    def constant(self, value: SSAValue, content: DenseIntOrFPElementsAttr | DenseResourceAttr) -> None:
        """Emits what `value` is in every run."""
        ...

    def is_tensor(self, value: SSAValue) -> bool:
        """Whether a value of the old function has bytes; else it is a scalar."""
        ...

    def operand(self, value: SSAValue) -> Operand:
        """The place of a tensor in the lowered function. Raises LastuseError where it is no tensor."""
        ...

    def scalar(self, value: SSAValue) -> SSAValue:
        """The scalar that stands for one of the old function."""
        ...

    def scalars(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        """Those of the values that are scalars, as they are in the lowered function."""
        ...

    def define(self, old: Iterable[SSAValue], new: Iterable[SSAValue]) -> None:
        """The scalars among `old` are `new` from now on."""
        ...

    def temporary(self, like: Operand) -> Operand:
        """Arena bytes for the elements of `like`, dense, while the op at hand runs."""
        ...

    def cross(self, op: Operation, sources: Sequence[SSAValue], targets: Sequence[SSAValue]) -> None:
        """Moves the tensors among `sources` to the places of `targets`: all are read, then all are written."""
        ...

    def report(
        self, op: Operation, nbytes: int, what: str, reason: Reason, value: SSAValue, by: Operation | None = None
    ) -> None:
        """Notes that `op` copies all bytes of `value`."""
        ...
