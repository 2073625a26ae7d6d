"""What decides the elements of a value: arguments of the function by their elements, and tensors by their sizes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from lastuse.dialect.storage.contract import contract_of


class Dependences(NamedTuple):
    """What the elements of values depend on.

    Attributes:
        arguments: of the function, whose elements are read on the way, in order.
        sized: values whose sizes alone are read, in no order.
    """

    arguments: list[BlockArgument]
    sized: list[SSAValue]


def data_dependences(values: Iterable[SSAValue]) -> Dependences:
    """Follows values to their sources. A branch depends on what its condition reads, and a loop on all it is given."""
    arguments, sized = dict[BlockArgument, None](), dict[SSAValue, None]()
    seen, left = set[SSAValue](), list(values)
    while left:
        value = left.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, BlockArgument):
            holder = value.block.parent_op()
            if holder is None or isinstance(holder, FuncOp):
                arguments[value] = None
            else:
                left.extend(holder.operands)
            continue
        op = value.owner
        assert isinstance(op, Operation)
        sizes_only = contract_of(op).metadata_only
        for number, operand in enumerate(op.operands):
            if number in sizes_only:
                sized[operand] = None
            else:
                left.append(operand)
        for region in op.regions:
            left.extend(v for block in region.blocks if block.last_op is not None for v in block.last_op.operands)
    return Dependences(sorted(arguments, key=lambda argument: argument.index), list(sized))
