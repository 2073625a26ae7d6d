"""How blocks follow each other, and what stands inside what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

CONTROL = (scf.ForOp, scf.IfOp, scf.WhileOp)
"""Region ops whose flow is known: values move into their slots. One of any other class is foreign, and its results may
lie anywhere in what it reads."""


def successors(block: Block) -> Sequence[Block]:
    """The blocks that may run next; none after a return, or in a block that is not finished."""
    return block.last_op.successors if block.last_op is not None else ()


def reverse_postorder(region: Region, avoided: Block | None = None) -> list[Block]:
    """The blocks of a region that can be reached, in reverse post-order: each after those that dominate it,
    and of two successors the one that is named first before the other. With `avoided` only those that can be reached
    without going through that block, which are the blocks that it does not dominate."""
    first = region.blocks.first
    if first is None or first is avoided:
        return []
    order: list[Block] = []
    seen, stack = {first, avoided}, [(first, reversed(successors(first)))]
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


def ancestors(inner: Operation | Block) -> Iterator[Operation]:
    """The ops around an op or a block, from the inside out."""
    around = inner.parent_op()
    while around is not None:
        yield around
        around = around.parent_op()


def is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether a value is defined in one of the op's regions, however deep."""
    return any(around is op for around in ancestors(value.owner))
