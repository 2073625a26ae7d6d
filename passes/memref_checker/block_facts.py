"""What is known of numbers in the blocks of a function: what the blocks say that every path to them goes through."""

from __future__ import annotations

from xdsl.ir import Block

from lastuse.dialect.ir.dominator_trees import DominatorTree
from lastuse.passes.memref_checker.number_facts import Learned, NumberFacts, NumberMark


class BlockFacts:
    """The facts of each block of a function, beside those of the blocks that dominate it.

    Args:
        numbers: what is known at one point; other facts than those that always hold are forgotten.
    """

    def __init__(self, numbers: NumberFacts, tree: DominatorTree) -> None:
        self._numbers, self._tree = numbers, tree
        self._known: list[tuple[Block, NumberMark]] = []
        """The blocks whose facts are known now, each behind those that dominate it, and what was known before them."""
        self._learned: dict[Block, Learned] = {}
        self.forget()

    def forget(self) -> None:
        """Only what always holds is known: no block is looked at."""
        self._known.clear()
        self._numbers.forget_facts(NumberMark(0, 0))

    def begin(self, block: Block) -> None:
        """What is known where a block begins: the blocks that dominate it were looked at."""
        above, way = self._tree.parent(block), list[Block]()
        while self._known and (above is None or not self._tree.dominates(self._known[-1][0], above)):
            self._numbers.forget_facts(self._known.pop()[1])
        while above is not None and not (self._known and self._known[-1][0] is above):
            way.append(above)
            above = self._tree.parent(above)
        for one in reversed(way):
            self._known.append((one, self._numbers.facts()))
            self._numbers.learn_again(self._learned[one])
        self._known.append((block, self._numbers.facts()))

    def end(self) -> None:
        """The block that began last ends."""
        block, before = self._known[-1]
        self._learned[block] = self._numbers.learned_since(before)
