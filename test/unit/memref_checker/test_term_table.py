"""What the checker of memref forms says that memory holds, against the elements themselves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import pytest

from lastuse.passes.memref_checker.index_terms import Number, known, plus, replaced, unknown, value_of
from lastuse.passes.memref_checker.slice_parts import SlicePart
from lastuse.passes.memref_checker.term_table import TermTable

LENGTH = 6


@dataclass
class Tensor:
    """A term, and what each element of it is."""

    term: int
    elements: list[str]


class Tensors:
    """Rows of elements, and the same as terms."""

    def __init__(self) -> None:
        self.table = TermTable()

    def symbol(self, name: str, length: int = LENGTH) -> Tensor:
        return Tensor(self.table.symbol((known(length),), name), [f"{name}{n}" for n in range(length)])

    def part(self, of: Tensor, first: int, length: int, step: int = 1) -> Tensor:
        seen = of.elements[first : first + (length - 1) * step + 1 : step]
        return Tensor(self.table.select(of.term, _part(first, length, step)), seen)

    def stored(self, to: Tensor, first: int, inner: Tensor, step: int = 1) -> Tensor:
        elements = list(to.elements)
        elements[first : first + (len(inner.elements) - 1) * step + 1 : step] = inner.elements
        term = self.table.store(to.term, _part(first, len(inner.elements), step), inner.term)
        return Tensor(term, elements)

    def holds(self, value: Tensor, memory: Tensor) -> bool:
        return self.table.holds(value.term, memory.term)


def _part(first: int, length: int, step: int) -> SlicePart:
    return SlicePart((known(first),), (known(length),), (known(step),))


def place(draw: random.Random) -> tuple[int, int, int]:
    """Where a part begins, how many elements it has, and their distance."""
    step = draw.choice((1, 1, 1, 2))
    length = draw.randint(1, 3)
    return draw.randint(0, LENGTH - (length - 1) * step - 1), length, step


def test_memory_that_holds_a_value_has_its_elements() -> None:
    """Values and memory are made of the same parts, in any order: some are equal, most are not."""
    held = 0
    for seed in range(1500):
        draw, tensors = random.Random(seed), Tensors()
        made = [tensors.symbol("x"), tensors.symbol("y")]
        for _ in range(draw.randint(2, 6)):
            first, length, step = place(draw)
            at = draw.randint(0, LENGTH - (length - 1) * step - 1)
            inner = tensors.part(draw.choice(made), first, length, step)
            if draw.random() < 0.3:
                inner = tensors.symbol(f"k{draw.randrange(3)}", length)
            made.append(tensors.stored(draw.choice(made), at, inner, step))
        for value in made:
            for memory in made:
                if tensors.holds(value, memory):
                    assert value.elements == memory.elements, seed
                    held += value is not memory
    assert held > 300


def test_memory_holds_a_part_where_nothing_was_stored_over_it() -> None:
    """Rows 0 to 4 of a value with a row of its own, beside another row: what a form does that inserts into a copy."""
    tensors = Tensors()
    base = tensors.stored(tensors.symbol("x"), 0, tensors.symbol("p", 2))
    kernel = tensors.symbol("k", 2)
    value = tensors.stored(base, 4, kernel)
    memory = tensors.stored(tensors.symbol("new"), 4, kernel)
    memory = tensors.stored(memory, 0, tensors.part(base, 0, 4))
    assert value.elements == memory.elements
    assert tensors.holds(value, memory)
    assert not tensors.holds(value, tensors.stored(memory, 3, tensors.symbol("other", 1)))


def test_order_of_numbers_follows_from_slices_in_bounds() -> None:
    """What is said to be at most another number is so for all offsets and sizes with which the slices are in bounds."""
    proved = 0
    for seed in range(300):
        draw, table = random.Random(seed), TermTable()
        atoms = [table.term("number", name) for name in "ik"]
        numbers = [known(0), known(LENGTH), *map(unknown, atoms), plus(unknown(atoms[0]), unknown(atoms[1]))]
        slices = [(draw.choice(numbers[2:4]), draw.choice(numbers[1:4])) for _ in range(draw.randint(1, 2))]
        for offset, size in slices:
            table.learn_inside(SlicePart((offset,), (size,), (known(1),)), (known(LENGTH),))

        def value(number: Number, at: tuple[int, ...], atoms: Sequence[int] = atoms) -> int:
            return value_of(replaced(number, dict(zip(atoms, map(known, at), strict=True)))) or 0

        def has_meaning(at: tuple[int, ...], slices: Sequence[tuple[Number, Number]] = slices) -> bool:
            ends = [(value(offset, at), value(size, at)) for offset, size in slices]
            return all(first >= 0 and size >= 0 and first + size <= LENGTH for first, size in ends)

        runs = [at for at in product(range(-2, LENGTH + 3), repeat=2) if has_meaning(at)]
        for a, b in product(numbers, repeat=2):
            if table.at_most(a, b):
                assert all(value(a, at) <= value(b, at) for at in runs), (seed, a, b)
                proved += value_of(a) is None or value_of(b) is None
        assert table.is_inside(SlicePart((known(0),), (slices[0][0],), (known(1),)), (known(LENGTH),))
    assert proved > 1500


def test_parts_of_long_programs_are_put_in_order_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each store goes behind all that are there, without a search for each of these; a chain is as long as a
    program."""
    count, searches, select = 1_200, list[int](), TermTable.select

    def counted(table: TermTable, tensor: int, part: SlicePart) -> int:
        searches.append(tensor)
        return select(table, tensor, part)

    monkeypatch.setattr(TermTable, "select", counted)
    tensors = Tensors()
    table, memory = tensors.table, tensors.symbol("m", count)
    inner = tensors.symbol("p", 1)
    for first in reversed(range(200)):
        memory.term = table.store(memory.term, _part(first, 1, 1), inner.term)
    assert len(searches) == 200
    up = tensors.symbol("u", count)
    for first in range(count):
        up.term = table.store(up.term, _part(first, 1, 1), inner.term)
    assert table.select(up.term, _part(0, 1, 1)) == inner.term


def test_parts_that_are_apart_are_one_tensor_in_any_order() -> None:
    """Each store goes below all that it is apart from; equal contents are one term."""
    count = 40
    found: set[int] = set()
    tensors = Tensors()
    memory, over = tensors.symbol("m", 3 * count), tensors.symbol("o", 3)
    inner = [tensors.symbol(f"p{n}", 2) for n in range(count)]
    for seed in range(8):
        order, at = list(range(count)), random.Random(seed)
        at.shuffle(order)
        made = memory
        for n in order:
            made = tensors.stored(made, 3 * n, inner[n])
            if n == order[count // 2]:
                made = tensors.stored(made, 3 * order[0], over)
        made = tensors.stored(made, 3 * order[0], inner[order[0]])
        made = tensors.stored(made, 3 * order[0] + 2, tensors.part(memory, 3 * order[0] + 2, 1))
        assert all(tensors.part(made, 3 * n, 2).term == inner[n].term for n in range(count))
        assert tensors.holds(tensors.stored(made, 3 * order[1], inner[order[1]]), made)
        plain = memory
        for n in order:
            plain = tensors.stored(plain, 3 * n, inner[n])
        found.add(plain.term)
    assert len(found) == 1


def test_slices_that_go_back_are_apart_from_none() -> None:
    table = TermTable()
    back = SlicePart((known(10),), (known(3),), (known(-2),))
    assert not table.apart(back, SlicePart((known(8),), (known(1),), (known(1),)))
