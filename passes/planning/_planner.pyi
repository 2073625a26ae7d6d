"""The planner's search, in C++; `planner.py` and `schedule.py` are its face.

A buffer is (alignment, fixed offset or -1, pieces), a piece (lower, upper, size): times half-open, bytes. An op is
(reads, writes, pairs of a read and a write that may lie over it), all of them numbers of buffers; an edge, two ops of
which the first has to run first. `seconds` and `nodes` of 0 are no limit. A proof is "reached", "infeasible-below",
"exhausted" or "none".
"""

from collections.abc import Sequence

_Buffer = tuple[int, int, Sequence[tuple[int, int, int]]]
_Op = tuple[Sequence[int], Sequence[int], Sequence[tuple[int, int]]]

class Error(ValueError):
    """A question that has no answer."""

def plan(algorithm: str, buffers: Sequence[_Buffer], seconds: float, nodes: int) -> tuple[list[int], int, int, str]:
    """Offsets, peak, lower bound, proof."""

def in_order(buffers: Sequence[_Buffer], order: Sequence[int]) -> tuple[list[int], int, int, str]:
    """The same, each buffer of an order at the lowest gap."""

def lower_bound(buffers: Sequence[_Buffer]) -> int: ...
def schedule(
    sizes: Sequence[int],
    kept: Sequence[int],
    lent: Sequence[int],
    ops: Sequence[_Op],
    edges: Sequence[tuple[int, int]],
    given: Sequence[int],
    seconds: float,
    nodes: int,
    settle: bool,
) -> tuple[list[int], list[tuple[int, int]], int, int, str]:
    """Order, pairs in place, peak, lower bound, proof."""

def measured(
    sizes: Sequence[int],
    kept: Sequence[int],
    lent: Sequence[int],
    ops: Sequence[_Op],
    edges: Sequence[tuple[int, int]],
    order: Sequence[int],
) -> tuple[list[int], list[tuple[int, int]], int, int, str]:
    """The same of a given order."""
