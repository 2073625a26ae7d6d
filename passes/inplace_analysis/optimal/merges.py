"""Choices that bring the same values together, and so save the same bytes once.

A value that is computed over a loop's argument and then yielded to it is in the loop's slot by either of two choices:
by the result over the operand, and by the storage number of what is yielded. So it is for a loop in a loop, whose slot
lies at the argument, and whose result is yielded to it. The choices between the same two *classes*, of values that
share a storage whatever is chosen, are a *merge*: however many are taken, one storage is saved.

A *cycle* of merges is one where a loop yields what another loop makes of a value that is computed over its argument:
each merge of the cycle brings two classes together that the other ones bring together already. Each merge that comes to
something leaves one storage less than there was. So of a cycle one merge at least comes to nothing, and of several
cycles, of which each has a merge that none of the others has, as many merges as there are cycles: the merges that come
to something have no cycle. A view that has to be a copy has a storage of its own, which counts besides.

Where all values are dense, of known sizes, and none is a part or a view of another one, a value has the first bytes of
its storage, however it came there. So it does not matter which choices bring two values together: a conflict that comes
of places alone (of `Conflicts`, not what the rules of places do not allow) is there with any other choices of the same
merges too, but for shares that come to nothing. A set of choices without these has the same places, and the same score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lastuse.dialect.storage.layout import Strided
from lastuse.dialect.storage.place_rules import dense
from lastuse.passes.analysis.disjoint_sets import DisjointSets
from lastuse.passes.inplace_analysis.optimal.bound import Bound
from lastuse.passes.inplace_analysis.optimal.component_choices import ChoiceKind, Component
from lastuse.passes.inplace_analysis.optimal.unopposed_choices import has_decisions
from lastuse.passes.inplace_analysis.optimal.variables import Variables

MOST_VISITED = 64
"""So many classes are looked at for the rest of a cycle."""


class Merge(NamedTuple):
    """Choices between two classes that save the same bytes."""

    ends: tuple[int, int]
    saved: int
    choices: tuple[int, ...]


class Merges:
    """The merges of a component that are more than one choice, and cycles of merges.

    Attributes:
        of: by choice its merge.
        cycles: by the choices of each merge; all merges of a cycle save the same bytes.
        are_alike: conflicts of places are those of all choices of a merge.
    """

    def __init__(self, variables: Variables, component: Component, bound: Bound) -> None:
        self.of: Mapping[int, Merge] = {}
        self.cycles: list[list[Merge]] = []
        self.are_alike = False
        choices = {n: variables.choices[n] for n in component.choices}
        if all(choice.kind is not ChoiceKind.SHARE for choice in choices.values()):
            return  # each result is written over one value at most, which the rules say
        by_ends: dict[tuple[tuple[int, int], int, bool], list[int]] = {}
        for n, links in bound.links.items():
            if len(links) == 1:
                ends = min(links[0]), max(links[0])
                by_ends.setdefault((ends, bound.cost[n], choices[n].kind is ChoiceKind.PART), []).append(n)
        merges = [Merge(ends, saved, tuple(numbers)) for (ends, saved, _), numbers in by_ends.items()]
        self.of = {n: merge for merge in merges if len(merge.choices) > 1 for n in merge.choices}
        last = [merge for merge in merges if all(choices[n].kind is ChoiceKind.SHARE for n in merge.choices)]
        first = {*merges}.difference(last)
        self.cycles = list(_cycles([*[merge for merge in merges if merge in first], *last]))
        self.are_alike = bool(self.of) and is_dense(variables, component)


def is_dense(variables: Variables, component: Component) -> bool:
    """Whatever is chosen, all values in a storage begin where it does, and all that is known of their bytes is how many
    there are."""
    if component.views or has_decisions(variables):
        return False
    if any(variables.choices[n].kind is ChoiceKind.PART for n in component.choices):
        return False
    if not all(isinstance(dense(variables.program.sizes[value]), Strided) for value in component.values):
        return False
    facts = map(variables.facts, component.ops)
    return not any(f.contract.foreign and f.op.results and not f.moves for f in facts)


def _cycles(merges: list[Merge]) -> Iterator[list[Merge]]:
    """Each merge that closes a cycle with some before it, and those; none of these closes one itself."""
    beside: dict[int, dict[int, Merge]] = {}
    """A forest: by class those that a merge brings together with it, and that merge."""
    trees = DisjointSets[int]()
    for merge in merges:
        one, other = merge.ends
        if one == other:
            continue
        if trees.find(one) != trees.find(other):
            trees.union(one, other)
            beside.setdefault(one, {})[other] = merge
            beside.setdefault(other, {})[one] = merge
            continue
        way = _way(beside, one, other)
        if way and all(step.saved == merge.saved for step in way):
            yield [merge, *way]


def _way(beside: Mapping[int, Mapping[int, Merge]], start: int, end: int) -> list[Merge]:
    """The merges of the forest from one class to another one; none where that takes too long to find."""
    came: dict[int, tuple[int, Merge]] = {}
    queue = [start]
    for at in queue:
        if at == end:
            break
        if len(queue) > MOST_VISITED:
            return []
        for to, merge in beside[at].items():
            if to != start and to not in came:
                came[to] = at, merge
                queue.append(to)
    way: list[Merge] = []
    while end != start:
        end, merge = came[end]
        way.append(merge)
    return way
