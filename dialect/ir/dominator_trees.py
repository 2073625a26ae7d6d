"""Which blocks of a region every path to another block goes through."""

from __future__ import annotations

from functools import reduce

from xdsl.ir import Block, Region

from lastuse.dialect.ir.flow_graphs import reverse_postorder, successors


class DominatorTree:
    """The dominator tree of a region. Blocks that cannot be reached are left out: nothing in them ever runs. Cooper,
    Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".

    Attributes:
        order: the blocks in reverse post-order.
        children: of each block, in that order; blocks without children are left out.
        turns: some branch goes to a block that is not behind its own in `order`.
    """

    def __init__(self, region: Region) -> None:
        self.order = order = reverse_postorder(region)
        number = {block: index for index, block in enumerate(order)}
        before: list[list[int]] = [[] for _ in order]
        self.turns = False
        for index, block in enumerate(order):
            for target in successors(block):
                before[number[target]].append(index)
                self.turns |= number[target] <= index
        self._parents = [order[n] for n in _parents(before)]
        self.children: dict[Block, list[Block]] = {}
        for block, parent in zip(order[1:], self._parents[1:], strict=True):
            self.children.setdefault(parent, []).append(block)
        self._number = number
        self._spans = self._spans_of_trees()

    def parent(self, block: Block) -> Block | None:
        """The nearest other block that dominates a block; None of the first one."""
        number = self._number[block]
        return self._parents[number] if number else None

    def dominates(self, one: Block, other: Block) -> bool:
        """Each path to `other` goes through `one`, a block that can be reached. False where `other` is no block of the
        region, or cannot be reached."""
        span = self._spans.get(other)
        if span is None:
            return False
        first, end = self._spans[one]
        return first <= span[0] < end

    def _spans_of_trees(self) -> dict[Block, tuple[int, int]]:
        """The numbers of each block and of those below it in the tree, in pre-order: the first, and one behind."""
        spans: dict[Block, tuple[int, int]] = {}
        stack = self.order[:1]
        while stack:  # the tree of a long chain of blocks is as deep as the chain
            block = stack.pop()
            spans[block] = (len(spans), 0)
            stack += self.children.get(block, ())
        sizes = dict.fromkeys(self.order, 1)
        for block, parent in zip(self.order[:0:-1], self._parents[:0:-1], strict=True):
            sizes[parent] += sizes[block]
        return {block: (first, first + sizes[block]) for block, (first, _) in spans.items()}


def _parents(before: list[list[int]]) -> list[int]:
    """By block its parent, of blocks in reverse post-order; `before` are those that branch to each."""
    parent = [0] + [-1] * (len(before) - 1)

    def meet(a: int, b: int) -> int:
        """The nearest block that dominates both."""
        while a != b:
            a, b = min(a, b), parent[max(a, b)]
        return a

    changed = True
    while changed:
        changed = False
        for index in range(1, len(before)):
            # The last ones first: of many along one path each is then a short way behind the next.
            new = reduce(meet, (p for p in reversed(before[index]) if parent[p] >= 0))
            if parent[index] != new:
                parent[index] = new
                changed = True
    return parent[: len(before)]
