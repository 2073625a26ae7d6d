"""Sizes that are compiled beforehand, and which of them are kept."""

from __future__ import annotations

from collections.abc import Iterable

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


def test_choices_of_no_size_are_none() -> None:
    assert list(choices_of({"rows": []}, 4)) == []
    assert list(choices_of({}, 4)) == [{}]
