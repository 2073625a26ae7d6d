"""Owners of memory: what is left where a carried memref that may be one of several pieces is given back."""

from __future__ import annotations

import pytest

from lastuse.passes.memref_checker.index_terms import known
from lastuse.passes.memref_checker.memory_contents import MemoryContents, Refused, Seen
from lastuse.passes.memref_checker.piece_owners import OwedPath
from lastuse.passes.memref_checker.term_table import TermTable

SHAPE = (known(8),)


@pytest.fixture
def memory() -> MemoryContents:
    return MemoryContents(TermTable())


def taken(memory: MemoryContents) -> Seen:
    return memory.piece("a", SHAPE, own=True)


def met(memory: MemoryContents, *paths: list[Seen]) -> list[Seen]:
    """What control flow carries behind paths that pass on these memrefs; no two of them are the same bytes."""
    bases = [frozenset[int]().union(*(memory.bases(s.piece) for s in ways)) for ways in zip(*paths, strict=True)]
    made = [memory.piece("a memref that is carried", SHAPE, carried=base) for base in bases]
    owed = [OwedPath([seen.piece for seen in path], memory.owed) for path in paths]
    memory.owners.meet([seen.piece for seen in made], owed)
    memory.separate |= {frozenset([a.piece, b.piece]) for a in made for b in made if a is not b}
    return made


def end(memory: MemoryContents, *passed: Seen) -> None:
    memory.check_owed(memory.owed, passed)


def test_one_of_two_memrefs_that_are_swapped_leaves_the_other(memory: MemoryContents) -> None:
    one, two = taken(memory), taken(memory)
    first, second = met(memory, [one, two], [two, one])
    (second,) = memory.give_back_unless(first, [second])
    with pytest.raises(Refused, match="what is left of a memref that is carried is never given back"):
        end(memory)
    end(memory, second)
    memory.give_back_unless(second, [])
    end(memory)


def test_three_memrefs_that_are_rotated_are_given_back_one_by_one(memory: MemoryContents) -> None:
    a, b, c = (taken(memory) for _ in range(3))
    first, second, third = met(memory, [a, b, c], [c, a, b])
    second, third = memory.give_back_unless(first, [second, third])
    (third,) = memory.give_back_unless(second, [third])
    with pytest.raises(Refused):
        end(memory)
    memory.give_back_unless(third, [])
    end(memory)


def test_memory_that_is_none_of_what_is_carried_on_some_path_has_no_owner(memory: MemoryContents) -> None:
    one, two = taken(memory), taken(memory)
    (either,) = met(memory, [one], [two])
    memory.give_back_unless(either, [])
    assert memory.owed == {one.piece, two.piece}


def test_memory_that_each_path_takes_has_one_owner(memory: MemoryContents) -> None:
    one, two = taken(memory), taken(memory)
    (either,) = (memory.piece("carried", SHAPE, carried=frozenset([one.piece, two.piece])),)
    paths = [OwedPath([seen.piece], frozenset([seen.piece])) for seen in (one, two)]
    memory.owners.meet([either.piece], paths)
    memory.give_back_unless(either, [])
    end(memory)


def test_what_a_memref_is_compared_with_owns_what_is_left(memory: MemoryContents) -> None:
    one, two = taken(memory), taken(memory)
    (either,) = met(memory, [one], [two])
    (either,) = memory.give_back_unless(one, [either])
    with pytest.raises(Refused):
        end(memory, either)
    (either,) = memory.give_back_unless(two, [either])
    with pytest.raises(Refused):
        end(memory)
    end(memory, either)


def test_nothing_is_left_behind_a_comparison_with_what_is_other_memory(memory: MemoryContents) -> None:
    one, given = taken(memory), memory.piece("argument 0", SHAPE)
    (either,) = met(memory, [one], [one])
    memory.give_back_unless(either, [given])
    end(memory)


def test_a_memref_that_owns_a_piece_alone_does_so_beside_others(memory: MemoryContents) -> None:
    one, two = taken(memory), taken(memory)
    first, second, again = met(memory, [one, two, one], [one, one, two])
    assert memory.owners.owned_by([first.piece]) == {first.piece, one.piece}
    assert two.piece not in memory.owners.owned_by([first.piece, second.piece])
    assert two.piece in memory.owners.owned_by([second.piece, again.piece])


def test_what_carries_on_one_of_two_owners_is_the_owner_beside_the_other(memory: MemoryContents) -> None:
    one, two = taken(memory), taken(memory)
    first, second = met(memory, [one, two], [two, one])
    (third,) = met(memory, [first], [first])
    memory.separate.add(frozenset([third.piece, second.piece]))
    (second,) = memory.give_back_unless(third, [second])
    with pytest.raises(Refused):
        end(memory)
    end(memory, second)
