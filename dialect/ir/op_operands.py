"""The operands of an op, as the tuple that xDSL has them in.

`Operation.operands` makes a view anew whenever it is asked for, through which operands can be replaced too, and each
access to that is a call. What reads the operands of all ops of a function, and changes none, asks here.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from xdsl.ir import Operation, SSAValue

operands_of: Callable[[Operation], tuple[SSAValue, ...]] = attrgetter("_operands")
"""As `Operation.operands`, of an op whose operands are not changed meanwhile."""

_item = tuple.__getitem__


def operand_of(op: Operation, number: int) -> SSAValue:
    """One operand.

    Raises:
        IndexError: the op has fewer operands.
    """
    return _item(operands_of(op), number)
