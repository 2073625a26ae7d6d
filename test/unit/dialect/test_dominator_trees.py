"""The dominator tree says which blocks every path to a block goes through."""

from __future__ import annotations

import random

import pytest
from xdsl.dialects import test
from xdsl.ir import Block, Region

from lastuse.dialect.ir.dominator_trees import DominatorTree
from lastuse.dialect.ir.flow_graphs import reverse_postorder


def graph(edges: list[list[int]]) -> Region:
    blocks = [Block() for _ in edges]
    for block, targets in zip(blocks, edges, strict=True):
        block.add_op(test.TestTermOp(successors=[blocks[t] for t in targets]))
    return Region(blocks)


@pytest.mark.parametrize("seed", range(60))
def test_blocks_without_which_another_is_not_reached_dominate_it(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randint(1, 12)
    region = graph(
        [[rng.randrange(1, count) for _ in range(rng.randint(0, 3) if count > 1 else 0)] for _ in range(count)]
    )
    tree, reached = DominatorTree(region), reverse_postorder(region)
    number = {block: n for n, block in enumerate(reached)}
    for one in reached:
        without = {*reverse_postorder(region, one)}
        for other in region.blocks:
            assert tree.dominates(one, other) == (other in number and other not in without)
    for block in reached[1:]:
        above = [one for one in reached if one is not block and tree.dominates(one, block)]
        assert tree.parent(block) is max(above, key=lambda one: sum(tree.dominates(b, one) for b in reached))
        assert block in tree.children[tree.parent(block) or block]
    assert tree.turns == any(number[s] <= number[b] for b in reached if b.last_op for s in b.last_op.successors)
    assert tree.parent(reached[0]) is None


def test_region_without_blocks_has_no_tree() -> None:
    tree = DominatorTree(Region())
    assert not tree.order and not tree.children and not tree.dominates(Block(), Block())
