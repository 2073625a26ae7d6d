"""Cycles of copies at a boundary, which take memory besides all storages.

What a boundary moves is copied in parallel, unless it is there already. Where each of some copies overwrites the source
of the next one, and the last one that of the first, one of the sources is copied to a temporary first
(`parallel_copy.py`). The choices that placed targets over sources are the cause: with more choices the cycle is still
there, unless one of its values is where it is moved to. So these choices take the bytes of a temporary, of the smallest
source of the boundary at least, while none is taken that may bring a source of the cycle to its target.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.region_ops import Movement


class BoundaryCopies(NamedTuple):
    """Movements between values of a component, by number, that are made in parallel, and the bytes of the smallest one
    of their sources."""

    movements: tuple[int, ...]
    bytes: int


class CopyCycle(NamedTuple):
    """Movements, by number, of which each overwrites the source of the next one under `choices`."""

    movements: tuple[int, ...]
    choices: frozenset[int]


def boundaries(nothing: Assignment) -> list[BoundaryCopies]:
    """The boundaries whose copies have a cycle by choices alone: where no choice is taken they have none.

    Args:
        nothing: the values of the component where no choice is taken.
    """
    by_way: dict[tuple[object, int], list[int]] = {}
    for n, movement in enumerate(nothing.movements):
        if movement.contribution is None:
            by_way.setdefault((movement.op, movement.way), []).append(n)
    found: list[BoundaryCopies] = []
    for numbers in by_way.values():
        if len(numbers) > 1 and copy_cycle(nothing, nothing.movements, numbers) is None:
            sizes = [nothing.size(nothing.movements[n].source) for n in numbers]
            found.append(BoundaryCopies(tuple(numbers), min(sizes)))
    return found


def copy_cycle(assignment: Assignment, movements: Sequence[Movement], numbers: Sequence[int]) -> CopyCycle | None:
    """A cycle of copies at one boundary, if there is one.

    Args:
        movements: those that `numbers` are of.
    """
    copied = [n for n in numbers if not assignment.is_there(movements[n])]
    after = {n: [m for m in copied if assignment.meet(movements[n].target, movements[m].source)] for n in copied}
    left = {*copied}
    while ends := [n for n in left if left.isdisjoint(after[n])]:
        left.difference_update(ends)
    if not left:
        return None
    # Each that is left overwrites the source of one that is left.
    way = [min(left)]
    while (to := next(m for m in after[way[-1]] if m in left)) not in way:
        way.append(to)
    cycle = way[way.index(to) :]
    steps = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
    paths = [assignment.path(movements[n].target, movements[m].source) for n, m in steps]
    return CopyCycle(tuple(cycle), frozenset(n for path in paths for n in path if n >= 0))
