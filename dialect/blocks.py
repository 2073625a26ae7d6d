"""How blocks follow each other, and what stands inside what."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

CONTROL = (scf.ForOp, scf.IfOp, scf.WhileOp)
"""Region ops whose flow is known: values move into their slots. One of any other class is foreign, and its results may
lie anywhere in what it reads."""


def successors(block: Block) -> Sequence[Block]:
    """The blocks that may run next; none after a return, or in a block that is not finished."""
    return block.last_op.successors if block.last_op is not None else ()


def reached(region: Region) -> list[Block]:
    """The blocks of a region that can be reached, in reverse post-order: each after those that dominate it,
    and of two successors the one that is named first before the other."""
    first = region.blocks.first
    if first is None:
        return []
    order: list[Block] = []
    seen, stack = {first}, [(first, reversed(successors(first)))]
    while stack:
        block, following = stack[-1]
        new = next((b for b in following if b not in seen), None)
        if new is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(new)
            stack.append((new, reversed(successors(new))))
    return order[::-1]


def is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether a value is defined in one of the op's regions, however deep."""
    block: Block | None = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
    while block is not None:
        parent = block.parent_op()
        if parent is op:
            return True
        block = parent.parent_block() if parent is not None else None
    return False
