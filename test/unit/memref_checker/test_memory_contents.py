"""Memory that is given back unless its address is that of another memref: what is gone then, and what is not."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import i8

from lastuse.passes.memref_checker.index_terms import known
from lastuse.passes.memref_checker.memory_contents import MemoryContents, NotModelled, Refused, Seen, State
from lastuse.passes.memref_checker.slice_parts import SlicePart
from lastuse.passes.memref_checker.term_table import TermTable

SHAPE = (known(8),)


@pytest.fixture
def memory() -> MemoryContents:
    return MemoryContents(TermTable())


def taken(memory: MemoryContents) -> int:
    return memory.piece("a", SHAPE, own=True).piece


def carried(memory: MemoryContents, *pieces: int) -> Seen:
    """A memref that is each of the pieces wherever that is there."""
    made = memory.piece("a memref that is carried", SHAPE, carried=frozenset(pieces))
    for piece in pieces:
        memory.owners.put([made.piece], frozenset([0]), piece)
    return made


def test_memory_that_another_memref_surely_is_stays(memory: MemoryContents) -> None:
    first, second = taken(memory), taken(memory)
    memory.give_back_unless(carried(memory, first, second), [carried(memory, first)])
    assert memory.given_back.all() == {second}


def test_memory_that_was_given_back_is_not_given_back_again(memory: MemoryContents) -> None:
    first, second = taken(memory), taken(memory)
    either, one = carried(memory, first, second), carried(memory, first)
    memory.give_back_unless(one, [])
    memory.give_back_unless(either, [one])
    assert memory.given_back.all() == {first, second}
    assert not memory.owed


def test_a_memref_stays_apart_from_one_that_is_not_compared(memory: MemoryContents) -> None:
    first, second, third = taken(memory), taken(memory), taken(memory)
    one, other = carried(memory, first, second), carried(memory, second, third)
    memory.separate.add(frozenset([one.piece, other.piece]))
    (left,) = memory.give_back_unless(memory.piece("it", SHAPE, carried=frozenset([first])), [one])
    assert left.piece != one.piece
    assert memory.is_apart(left, other)
    left, rest = memory.give_back_unless(memory.piece("it", SHAPE, carried=frozenset([second])), [left, other])
    assert memory.is_apart(left, rest)


def test_memory_of_several_turns_is_not_one(memory: MemoryContents) -> None:
    earlier = taken(memory)
    memory.several.add(earlier)
    memory.give_back_unless(carried(memory, earlier), [carried(memory, earlier)])
    assert earlier in memory.given_back.all()


def test_memory_that_may_be_where_another_was_is_given_back_without_a_condition(memory: MemoryContents) -> None:
    first = memory.piece("a", SHAPE, own=True)
    memory.give_back_unless(first, [])
    second = memory.piece("b", SHAPE, own=True)
    with pytest.raises(Refused, match="b may be where a was before"):
        memory.check_compared(second, first)
    either = carried(memory, first.piece, taken(memory))
    with pytest.raises(NotModelled, match="may have been given back before"):
        memory.check_compared(second, either)


def test_memory_is_given_back_under_another_shape_but_not_as_a_slice(memory: MemoryContents) -> None:
    first, second = taken(memory), taken(memory)
    memory.give_back_unless(Seen(first, ((known(2), known(4)),), (known(2), known(4))), [])
    assert memory.given_back.all() == {first}
    part = SlicePart((known(4),), (known(4),), (known(1),))
    with pytest.raises(Refused, match="not there to be given back"):
        memory.give_back_unless(Seen(second, (part,), (known(4),)), [])


def test_a_range_that_is_written_again_ends_what_lies_over_it(memory: MemoryContents) -> None:
    arena = taken(memory)
    one, two, beside = (memory.range(arena, known(n), known(n + 8), i8, SHAPE) for n in (0, 4, 12))

    def write(memref: Seen, name: str) -> int:
        content = memory.contents.symbol(SHAPE, "argument", name)
        memory.write(memref, content)
        return content

    kept = write(beside, "beside")
    for name in ("a", "b", "c"):
        first = write(one, name)
        assert memory.read(one) == first
        assert memory.contents.is_nothing(memory.read(two))
        assert memory.read(two) != write(two, name)
        assert memory.contents.is_nothing(memory.read(one))
    assert memory.read(beside) == kept


def test_ranges_that_two_paths_left_end_each_other(memory: MemoryContents) -> None:
    arena = taken(memory)
    one, two = (memory.range(arena, known(n), known(n + 8), i8, SHAPE) for n in (0, 4))
    contents = [memory.contents.symbol(SHAPE, "argument", n) for n in range(2)]
    memory.write(one, contents[0])
    before = memory.snapshot()
    memory.write(two, contents[1])
    held = {**memory.snapshot().held, one.piece: contents[0]}
    for written, other in ((two, one), (one, two), (one, two)):
        memory.restore(State(held, before.gone, before.owed))
        memory.write(written, contents[0])
        assert memory.contents.is_nothing(memory.read(other))
