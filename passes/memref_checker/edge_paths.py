"""Which blocks of a form stand for those of its program, and which stand on an edge between two of these.

A form may have blocks where its program has an edge: what they do happens on this edge alone. One branch goes to such a
block, and the block goes on to one other. So the blocks that one branch alone goes to, one behind the other as far as
each of them goes on to one other, are a chain; in the program as in the form. Where the chain of the form is longer,
its first blocks stand on the edge, and the next one stands for the block that the edge of the program goes to.

Which blocks stand on an edge is only a choice: each block of the form is then held against one place of the program,
an edge or a block, and another choice proves less, nothing that is wrong. So a block of the form never stands for two.
"""

from __future__ import annotations

from collections import Counter

from xdsl.dialects import cf
from xdsl.ir import Block, Region, SSAValue

from lastuse.dialect.ir.flow_graphs import reverse_postorder, successors
from lastuse.passes.memref_checker.memory_contents import NotModelled


class EdgePaths:
    """The blocks of one function and of its form, neither of which changes."""

    def __init__(self, source: Region, form: Region) -> None:
        self._source, self._form = _chains(source), _chains(form)
        self.form_of: dict[Block, Block] = {}
        """By block of the program the one of the form that stands for it."""
        self._source_of: dict[Block, Block] = {}
        self.bind(source.blocks[0], form.blocks[0])

    def bind(self, source: Block, form: Block) -> None:
        """Notes that a block of the form stands for one of the program.

        Raises:
            NotModelled: it stands for another one, or another one for this.
        """
        if self.form_of.setdefault(source, form) is not form or self._source_of.setdefault(form, source) is not source:
            raise NotModelled("a branch leads to another block than that of the program")

    def blocks(self, source: Block, form: Block) -> list[Block]:
        """The blocks on an edge, in order: what a branch of the form goes through from `form` on, as that of the
        program leads to `source`. What is behind them stands for `source`.

        Raises:
            NotModelled: not to what stands for that block.
        """
        blocks: list[Block] = []
        for _ in range(self._form[form] - self._source[source]):
            blocks.append(form)
            if not isinstance(last := form.last_op, cf.BranchOp):
                raise NotModelled("a block on an edge of the program does not go on to one other")
            form = last.successor
        self.bind(source, form)
        return blocks


def passed_on(block: Block) -> tuple[SSAValue, ...]:
    """What a block that stands on an edge passes on."""
    assert isinstance(block.last_op, cf.BranchOp)
    return tuple(block.last_op.arguments)


def _chains(region: Region) -> dict[Block, int]:
    """By block how many there are in the chain that begins with it: 0 where several branches go to the block."""
    order = reverse_postorder(region)
    entries = Counter(after for block in order for after in successors(block))
    entries[order[0]] += 2  # the caller goes to this one too, and it is on no edge
    chains: dict[Block, int] = {}
    for block in reversed(order):
        last = block.last_op
        behind = chains.get(last.successor, 0) if isinstance(last, cf.BranchOp) else 0
        chains[block] = 1 + behind if entries[block] == 1 else 0
    return chains
