"""The choices of a program, and the components that values and ops fall into by them."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.remembered import is_class
from lastuse.dialect.storage.contract import Contract
from lastuse.passes.inplace_analysis.optimal.op_facts import OpFacts


class ChoiceKind(enum.Enum):
    """What a choice decides."""

    OVER = "over"
    """Result `entry` of `op` is written over operand `operand`; a loop's slot lies at its init."""
    PART = "part"
    """Operand `operand` is computed in its part of result 0."""
    SHARE = "share"
    """What a boundary moves, `source`, is made where it moves to, `target`: both get one storage number."""


class Choice(NamedTuple):
    """One decision, taken or not: it places `source` and `target` in one storage. `swap`: by exchanging operands.
    `is_link`: a kernel writes a result over an operand of its type, which it may have as several operands. No op copies
    bytes of that operand: these are not read where they are in place."""

    kind: ChoiceKind
    op: Operation
    entry: int
    operand: int
    source: SSAValue
    target: SSAValue
    swap: bool = False
    is_link: bool = False


@dataclass
class Component:
    """Values that choices could place in one storage, with the ops and choices between them.

    Attributes:
        returns: the return of the function is among the ops.
        moves: bytes may be moved, or which is not known: some other op is foreign, moves data or is control flow.
        views: some op declares views.
        facts: those of the ops, where they were looked up.
    """

    values: list[SSAValue] = field(default_factory=list[SSAValue])
    ops: list[Operation] = field(default_factory=list[Operation])
    choices: list[int] = field(default_factory=list[int])
    returns: bool = False
    moves: bool = False
    views: bool = False
    facts: list[OpFacts] = field(default_factory=list[OpFacts])

    def add(self, op: Operation, contract: Contract, is_mover: bool) -> None:
        """An op has to do with the values."""
        self.ops.append(op)
        if contract.views:
            self.views = True
        if is_class(type(op), ReturnOp):
            self.returns = True
        elif is_mover or contract.foreign or contract.contributions:
            self.moves = True
