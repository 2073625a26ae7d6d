"""Sizes that are compiled beforehand, and which of them are kept."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pytest

import lastuse
from lastuse.compiler.recent import Recent, choices_of

SUM = """
func.func @main(%x: tensor<?x8xf32> {dnn.sizes = ["rows", ""]}, %y: tensor<?x1xf32> {dnn.sizes = ["others", ""]})
    -> (tensor<?x8xf32>, tensor<?x1xf32>) {
  %a = "dnn.relu"(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %b = "dnn.tanh"(%y) : (tensor<?x1xf32>) -> tensor<?x1xf32>
  func.return %a, %b : tensor<?x8xf32>, tensor<?x1xf32>
}
"""
ARENA = """
func.func @main(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %a = "dnn.relu"(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %b = "dnn.softmax"(%a) {axis = 0 : i64} : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %c = "dnn.add"(%a, %b) : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  func.return %c : tensor<?x8xf32>
}
"""


def stages_of(program: lastuse.Program) -> float:
    """Seconds of all stages so far."""
    return sum(stage.seconds for stage in program.stages.times)


def test_warm_sizes_are_not_compiled_again() -> None:
    program = lastuse.compile(SUM.encode())
    program.warm({"rows": (0, 1, 5, 5), "others": 3})
    compiled = [program.specialized({"rows": rows, "others": 3}) for rows in (0, 1, 5)]
    seconds = stages_of(program)
    for rows, kept in zip((0, 1, 5), compiled, strict=True):
        x, y = np.full((rows, 8), -1, np.float32), np.zeros((3, 1), np.float32)
        first, second = program(x, y)
        assert program.latest is kept
        assert np.array_equal(first, np.zeros((rows, 8)))
        assert np.array_equal(second, y)
    assert stages_of(program) == seconds


def test_every_choice_of_sizes_is_compiled() -> None:
    program = lastuse.compile(SUM.encode())
    program.warm({"rows": range(1, 3), "others": [4, 6]})
    seconds = stages_of(program)
    assert seconds > 0
    for rows in (1, 2):
        for others in (4, 6):
            program.specialized({"rows": rows, "others": others})
    assert stages_of(program) == seconds


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"rows": range(5), "others": 1}, "5 sets of sizes are more than the 4 that are kept: raise kept_sizes"),
        ({"rows": 1}, "others"),
        ({"rows": 1, "others": 1, "more": 2}, "more"),
        ({"rows": -1, "others": 1}, "-1"),
    ],
)
def test_sizes_that_cannot_be_warm(sizes: dict[str, int | Iterable[int]], message: str) -> None:
    program = lastuse.compile(SUM.encode(), kept_sizes=4)
    with pytest.raises(lastuse.LastuseError, match=message):
        program.warm(sizes)


def test_least_recent_one_goes_first() -> None:
    recent = Recent[str](2)
    recent.put(1, "a")
    recent.put(2, "b")
    assert recent.get(1) == "a"
    assert recent.put(3, "c") == "c"
    assert (1 in recent, 2 in recent, len(recent), recent.values()) == (True, False, 2, ["a", "c"])
    assert (recent.pop(1), recent.pop(1), recent.get(2)) == ("a", None, None)


def test_nothing_is_kept_of_none() -> None:
    recent = Recent[str](0)
    assert recent.put(1, "a") == "a"
    assert len(recent) == 0


@dataclass
class Holder:
    held_bytes: int


def test_least_recent_ones_go_where_all_hold_too_much() -> None:
    recent = Recent[Holder](4, 100)
    for key, held in enumerate((30, 30, 40)):
        recent.put(key, Holder(held))
    assert [each.held_bytes for each in recent.values()] == [30, 30, 40]
    recent.get(0)
    recent.put(3, Holder(10))
    assert [each.held_bytes for each in recent.values()] == [40, 30, 10]
    recent.put(4, Holder(500))
    assert [each.held_bytes for each in recent.values()] == [500]


def test_programs_are_kept_up_to_their_bytes() -> None:
    sizes = [{"rows": 4096 - number, "others": 4} for number in range(6)]
    held = lastuse.compile(SUM.encode(), threads=1).specialized(sizes[0]).held_bytes
    program = lastuse.compile(SUM.encode(), threads=1, kept_sizes=8, kept_bytes=3 * held)
    runners = [weakref.ref(program.specialized(each).runner) for each in sizes]
    gc.collect()
    assert [runner() is not None for runner in runners] == [False] * 3 + [True] * 3


def test_arenas_of_all_contexts_are_held() -> None:
    program = lastuse.compile(ARENA.encode(), threads=1, inputs=(4096, 8))
    before, arena = program.latest.held_bytes, program.memory.arena_bytes
    program(np.ones((4096, 8), np.float32))  # in an arena that other sizes use, too
    assert arena and program.latest.held_bytes == before
    program.latest.runner.context()
    assert program.latest.held_bytes == before + arena


def test_bytes_that_are_none_are_an_error() -> None:
    with pytest.raises(lastuse.LastuseError, match="'many' is no number of bytes"):
        lastuse.compile(SUM.encode(), kept_bytes="many")


def test_choices_of_no_size_are_none() -> None:
    assert list(choices_of({"rows": []}, 4)) == []
    assert list(choices_of({}, 4)) == [{}]
