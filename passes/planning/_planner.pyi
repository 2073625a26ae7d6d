"""The searches of planning in C++, which `planner.py`, `schedule.py` and `clause_program.py` call, and
`place_graph.py` of the in-place analysis.

A buffer is (alignment, fixed offset or -1, pieces); a piece is (lower, upper, size), with half-open times and bytes. An
op is (reads, writes, pairs of a read and a write that may be in place over it), all numbers of buffers. An edge is two
ops, of which the first has to run before the second. `seconds` and `nodes` of 0 are no limit. A proof is "reached",
"infeasible-below", "exhausted" or "none".
"""

from collections.abc import Iterable, Sequence

_Buffer = tuple[int, int, Sequence[tuple[int, int, int]]]
_Op = tuple[Sequence[int], Sequence[int], Sequence[tuple[int, int]]]

class Error(ValueError):
    """An invalid problem."""

def plan(algorithm: str, buffers: Sequence[_Buffer], seconds: float, nodes: int) -> tuple[list[int], int, int, str]:
    """Offsets, peak, lower bound, proof."""

def first_fit(buffers: Sequence[_Buffer], order: Sequence[int]) -> tuple[list[int], int, int, str]:
    """The same, with each buffer of `order` in the lowest gap."""

def lower_bound(buffers: Sequence[_Buffer]) -> int: ...
def schedule(
    sizes: Sequence[int],
    kept: Sequence[int],
    not_overwritable: Sequence[int],
    ops: Sequence[_Op],
    edges: Sequence[tuple[int, int]],
    given: Sequence[int],
    seconds: float,
    nodes: int,
    settle: bool,
) -> tuple[list[int], list[tuple[int, int]], int, int, str]:
    """Order, in-place pairs, peak, lower bound, proof."""

def measured(
    sizes: Sequence[int],
    kept: Sequence[int],
    not_overwritable: Sequence[int],
    ops: Sequence[_Op],
    edges: Sequence[tuple[int, int]],
    order: Sequence[int],
) -> tuple[list[int], list[tuple[int, int]], int, int, str]:
    """The same for a given order."""

class Clauses:
    """A program of clauses, which `clause_program.py` describes: `many` and `most` are its `MANY_STATES` and
    `MOST_STATES`."""

    def __init__(self, costs: Sequence[tuple[int, int, int, int]], many: int, most: int) -> None: ...
    def add(self, dropped: Iterable[int], kept: Iterable[int]) -> None: ...
    def solve(self) -> tuple[list[int], tuple[int, int, int, int], bool]:
        """Variables to drop, what they cost, and whether nothing costs less."""

    @property
    def work(self) -> int: ...

class Places:
    """A graph of places, which `place_graph.py` of the in-place analysis describes. A value is (written, born, last,
    block, bytes); an edge (child, parent, choice, distance or None, "same", "view", "part" or "any")."""

    def __init__(
        self,
        values: Sequence[tuple[int, int, int, int, int]],
        edges: Sequence[tuple[int, int, int, int | None, str]],
    ) -> None: ...
    def needed(self, pairs: Sequence[tuple[int, int, Sequence[int]]], taken: Iterable[int]) -> list[list[int] | None]:
        """For each pair of a value and another one, with the distances between them, choices that are not taken of
        which one is needed; None where that is not known."""
