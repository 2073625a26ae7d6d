"""Sets of numbered items: what stands for each, and the work that it takes to find that out."""

from __future__ import annotations

import random
from typing import SupportsIndex, overload

from lastuse.passes.analysis.disjoint_sets import DisjointSets, flatten, join


class Counted(list[int]):
    """A list that counts how often an item is read."""

    reads = 0

    @overload
    def __getitem__(self, at: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> list[int]: ...
    def __getitem__(self, at: SupportsIndex | slice) -> int | list[int]:
        self.reads += 1
        return super().__getitem__(at)


def test_each_item_of_a_set_has_one_above_it() -> None:
    chance = random.Random(0)
    for count in range(1, 60):
        pairs = [(chance.randrange(count), chance.randrange(count)) for _ in range(chance.randrange(count))]
        above, sets = list(range(count)), DisjointSets[int]()
        join(above, pairs)
        flatten(above)
        for pair in pairs:
            sets.union(*pair)
        assert all(above[top] == top for top in above)
        for one in range(count):
            for other in range(one):
                assert (above[one] == above[other]) == (sets.find(one) == sets.find(other))


def test_flattening_a_chain_reads_each_item_a_few_times() -> None:
    count = 2_000
    for chain in ([*range(1, count), count - 1], [0, *range(count - 1)]):
        above = Counted(chain)
        flatten(above)
        assert len(set(above)) == 1
        assert above.reads < 4 * count
