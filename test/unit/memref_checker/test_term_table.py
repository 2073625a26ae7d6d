"""What the checker of memref forms says that memory holds, against the elements themselves."""

from __future__ import annotations

import random
from dataclasses import dataclass

from lastuse.passes.memref_checker.index_terms import known
from lastuse.passes.memref_checker.term_table import SlicePart, TermTable

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
