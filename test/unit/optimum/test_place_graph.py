"""Choices that are said to be needed to place two values at one place are."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from programs import blocks, program
from unit.strategies.corpus import function

from bench.bufferize_scaling import Writer
from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.bound import Bound
from lastuse.passes.inplace_analysis.optimal.component_choices import Component
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts
from lastuse.passes.inplace_analysis.optimal.last_reads import LastReads
from lastuse.passes.inplace_analysis.optimal.search import ChoiceSearch
from lastuse.passes.inplace_analysis.optimal.variables import Variables
from lastuse.passes.planning import _planner

Edge = tuple[int, int, int, int | None, str]


def components(text: str) -> Iterator[tuple[Variables, Component, Bound]]:
    func = function(text) if "linalg" not in text else next(iter(parse(context(), text, "x.mlir").ops))
    numbered = NumberedOps.of(func)  # pyright: ignore
    assert numbered is not None
    variables = Variables(LastReads(numbered), True)
    for component in variables.components:
        yield variables, component, Bound(variables, component, Assignment(variables, component, frozenset()))


def right(variables: Variables, component: Component, draw: random.Random) -> Iterator[Assignment]:
    """Choices without conflicts: some, without one of each conflict."""
    for _ in range(8):
        taken = {n for n in component.choices if draw.random() < 0.8}
        while taken:
            assignment = Assignment(variables, component, frozenset(taken))
            wrong = [sorted(nogood) for nogood in Conflicts(assignment).nogoods]
            if not wrong:
                yield assignment
                break
            taken -= {draw.choice(choices) for choices in wrong if choices} or taken


@pytest.mark.parametrize(
    "text",
    [
        *map(program, range(1, 160, 4)),
        *(blocks(seed, 5) for seed in range(1, 16, 2)),
        *(Writer(seed, True).text(50) for seed in range(12)),
    ],
)
def test_nothing_is_in_its_place_without_what_is_needed(text: str) -> None:
    draw = random.Random(3)
    for variables, component, bound in components(text):
        pairs = [(m.source, m.target) for m in bound.movements]
        sets = [{n for n in component.choices if draw.random() < chance} for chance in (0.0, 0.3, 0.6, 0.9)]
        cuts = [bound._places.needed(pairs, taken) for taken in sets]  # pyright: ignore[reportPrivateUsage]
        for assignment in right(variables, component, draw):
            for n, movement in enumerate(bound.movements):
                if assignment.is_there(movement):
                    for cut in (each[n] for each in cuts):
                        assert cut is None or cut & assignment.choices.keys()


def needed(edges: list[Edge], distances: tuple[int, ...] = (0,), taken: tuple[int, ...] = ()) -> list[int] | None:
    """Of value 0 and value 1, of values that are alive in blocks of their own."""
    count = 1 + max(max(a, b) for a, b, *_ in edges)
    values = [(-1, 0, -1, n, 16) for n in range(count)]
    return _planner.Places(values, edges).needed([(0, 1, distances)], taken)[0]


def test_one_way_is_all_that_is_needed() -> None:
    assert needed([(0, 2, 0, 0, "same"), (2, 1, 1, 0, "same")]) in ([0], [1])
    assert needed([(0, 2, 0, 0, "same"), (2, 1, 1, 0, "same")], taken=(0,)) == [1]
    assert needed([(0, 2, 0, 0, "same"), (2, 1, 1, 0, "same")], taken=(0, 1)) is None


def test_a_value_is_where_it_is() -> None:
    """A branch back to its own block may pass on what that block was given."""
    assert _planner.Places([(-1, 0, -1, 0, 16)] * 2, [(0, 1, 0, 0, "same")]).needed([(0, 0, (0,))], ()) == [None]


def test_ways_of_other_distances_do_not_count() -> None:
    parts: list[Edge] = [(0, 1, 0, 16, "part"), (0, 2, 1, 32, "part"), (2, 1, -1, 0, "same")]
    assert needed(parts, (16,)) == [0]
    assert needed(parts, (32,)) == [1]
    assert needed(parts, ()) == [0, 1]
    assert needed(parts, (8,)) == []
    assert needed([*parts, (2, 1, 2, None, "any")], (16,)) in ([0, 1], [0, 2])


def test_a_value_is_written_over_one_operand() -> None:
    """Value 2 is written over value 0 or over value 1, which brings them nowhere; it may be computed in a part of
    value 1 whatever it is written over."""
    over: list[Edge] = [(2, 0, 0, 0, "same"), (2, 1, 1, 0, "same")]
    assert needed(over) == []
    assert needed([(2, 0, 0, 0, "same"), (2, 1, 1, 0, "part")]) in ([0], [1])
    assert needed([(2, 0, 0, 0, "view"), (2, 1, 1, 0, "part")]) == []


def test_no_way_leads_through_what_is_written_meanwhile() -> None:
    edges: list[Edge] = [(0, 2, 0, 0, "same"), (2, 1, 1, 0, "same")]
    for written, last, found in ((5, 9, [[]]), (1, 9, [[]]), (9, 12, [[0], [1]]), (1, 2, [[0], [1]])):
        values = [(2, 2, 7, 0, 16), (-1, 0, -1, 1, 16), (written, written, last, 0, 16)]
        assert _planner.Places(values, edges).needed([(0, 1, (0,))], ())[0] in found


def test_a_cut_is_found_where_it_is_least() -> None:
    """Both ends have three edges, and one edge is between."""
    edges: list[Edge] = [(0, n + 2, n, 0, "any") for n in range(3)]
    edges += [(n + 2, 5, n + 3, 0, "any") for n in range(3)]
    edges += [(5, 6, 6, 0, "any")]
    edges += [(6, n + 7, n + 7, 0, "any") for n in range(3)]
    edges += [(n + 7, 1, n + 10, 0, "any") for n in range(3)]
    assert needed(edges) == [6]


def reached(edges: list[Edge], open_: set[int]) -> set[int]:
    """What edges of some choices connect with value 0."""
    found = {0}
    for _ in edges:
        found |= {b for n, m, c, *_ in edges if c in open_ for a, b in ((n, m), (m, n)) if a in found}
    return found


@pytest.mark.parametrize("seed", range(60))
def test_no_choice_of_a_cut_can_be_left_out(seed: int) -> None:
    draw = random.Random(seed)
    values, choices = draw.choice((4, 8, 16)), range(draw.choice((4, 12, 30)))
    ends = [draw.sample(range(values), 2) for _ in range(draw.choice((8, 20, 40)))]
    edges: list[Edge] = [(0, 2, -1, 0, "any"), (1, 3, -1, 0, "any")]
    edges += [(a, b, draw.choice(choices), 0, "any") for a, b in ends if {a, b} != {0, 1}]
    taken = {n for n in choices if draw.random() < 0.2}
    cut = needed(edges, taken=(*taken,))
    assert (cut is None) == (1 in reached(edges, {-1, *taken}))
    if cut is not None:
        others = {-1, *choices}.difference(cut)
        assert taken.isdisjoint(cut) and 1 not in reached(edges, others)
        assert all(1 in reached(edges, others | {n}) for n in cut)


def test_a_chain_is_not_looked_at_as_a_whole() -> None:
    """The ends of a long chain, and a cut between them."""
    edges: list[Edge] = [(n, n + 1, n, 0, "same") for n in range(1, 5000)]
    edges.append((5000, 0, 5000, 0, "same"))
    assert needed(edges) in ([5000], [1])


@pytest.mark.parametrize("seed", range(4))
def test_chains_of_kernels_and_slices_are_proved(seed: int) -> None:
    for variables, component, _ in components(Writer(seed, True).text(300)):
        assert ChoiceSearch(variables, component).run().proved
