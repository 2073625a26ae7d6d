"""Cells of storages that copies go between: both sides of each copy fall into the same ones, and into no more than they
have to."""

from __future__ import annotations

import random
from itertools import chain, pairwise
from unittest import mock

import pytest
from xdsl.dialects.builtin import i8
from xdsl.ir import Block

from lastuse.dialect.storage.layout import Strided
from lastuse.passes.lowering_checker import cells
from lastuse.passes.lowering_checker.cells import CellMemory, copied_cells_agree

SIZE = 48
Region = tuple[int, Strided]


def layout(chance: random.Random, sizes: tuple[int, int], item: int, repeats: bool) -> Strided:
    """A place of these sizes in a storage of `SIZE` bytes; with `repeats`, some bytes may be several elements."""
    while True:
        strides = chance.choice([(item * sizes[1], item), (item, item * sizes[0]), (2 * item * sizes[1], item)])
        if repeats and chance.random() < 0.4:
            strides = (0, strides[1])
        made = Strided(chance.randrange(0, SIZE, item), sizes, strides, item)
        if made.span[1] <= SIZE:
            return made


def drawn(seed: int) -> tuple[list[Region], list[tuple[Region, Region]]]:
    """Regions that steps use, and copies."""
    chance = random.Random(seed)
    items = chance.choice([(4,), (1, 2, 4)])
    sizes = [(chance.randint(1, 3), chance.randint(1, 3)) for _ in range(3)]

    def region(shape: tuple[int, int], item: int, repeats: bool) -> Region:
        return chance.randrange(3), layout(chance, shape, item, repeats)

    copies: list[tuple[Region, Region]] = []
    while len(copies) < chance.randint(1, 5):
        shape, item = chance.choice(sizes), chance.choice(items)
        source, target = region(shape, item, True), region(shape, item, False)
        if source[0] != target[0] or not source[1].overlaps(target[1]):
            copies.append((source, target))
    return [region(chance.choice(sizes), chance.choice(items), True) for _ in range(3)], copies


def cuts(regions: list[Region], copies: list[tuple[Region, Region]]) -> list[set[int]]:
    """The bytes that cells start with, and the ends of storages: byte by byte."""
    found = [{0, SIZE} for _ in range(3)]
    for number, place in [*regions, *(side for copy in copies for side in copy)]:
        at = place.bytes().tolist()
        jumps = [k for k, (a, b) in enumerate(pairwise(at)) if b != a + 1]
        found[number] |= {at[0], at[-1] + 1, *(at[k] + 1 for k in jumps), *(at[k + 1] for k in jumps)}
    before = -1
    while before != (before := sum(map(len, found))):
        for copy in copies:
            numbers, rows = [number for number, _ in copy], [place.bytes().tolist() for _, place in copy]
            for one, other in ((0, 1), (1, 0)):
                for k in range(1, len(rows[one])):
                    runs_on = rows[one][k] == rows[one][k - 1] + 1
                    if not runs_on or rows[one][k] in found[numbers[one]]:
                        found[numbers[other]].add(rows[other][k])
    return found


@pytest.mark.parametrize("piece", range(10))
def test_copies_fall_into_the_same_cells_on_both_sides(piece: int) -> None:
    for seed in range(100 * piece, 100 * piece + 100):
        regions, copies = drawn(seed)
        memory = CellMemory()
        storages = [memory.storage(root, SIZE, True, "") for root in Block(arg_types=[i8] * 3).args]
        used = {one: memory.region(storages[one[0]], one[1], "i8") for one in (*regions, *chain(*copies))}
        for source, target in copies:
            memory.add_copy(used[source], used[target])
        with mock.patch.object(cells, "ROUNDS", 1000):  # no grid
            memory.seal()
        expected = cuts(regions, copies)
        assert memory.cell_lengths().tolist() == [b - a for p in expected for a, b in pairwise(sorted(p))], seed
        for source, target in copies:
            assert copied_cells_agree(used[source], used[target]), seed
