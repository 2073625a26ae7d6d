"""Loops around and behind each other: the best choices are found, and proved without a search one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

import pytest
from loop_programs import loops, nest, sequence, swaps
from programs import blocks, program
from test_place_graph import components

from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.component_choices import Component
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts
from lastuse.passes.inplace_analysis.optimal.copy_cycles import copy_cycle
from lastuse.passes.inplace_analysis.optimal.objective import Objective, Score
from lastuse.passes.inplace_analysis.optimal.search import ChoiceSearch
from lastuse.passes.inplace_analysis.optimal.variables import Variables

MOST = 8
"""Choices of a component of which every set is tried."""


def scores(variables: Variables, component: Component) -> Iterator[tuple[Score, frozenset[int]]]:
    """Of all sets of choices of which nothing is wrong."""
    sets = (combinations(component.choices, count) for count in range(len(component.choices) + 1))
    for choices in map(frozenset, chain.from_iterable(sets)):
        assignment = Assignment(variables, component, choices)
        if not Conflicts(assignment).nogoods:
            yield Objective(assignment).score(), choices


def text_of(kind: str, seed: int) -> str:
    """A random program."""
    if kind in ("programs", "blocks"):
        return program(seed, 9) if kind == "programs" else blocks(seed, 8)
    return loops(seed, 2 + seed % 3, sliced=kind == "slices")


def searches(text: str, most: int) -> Iterator[tuple[Variables, Component, ChoiceSearch]]:
    """Of the components with choices, and no more than so many."""
    for variables, component, _ in components(text):
        search = ChoiceSearch(variables, component)
        if 0 < len(component.choices) <= most and search.legal:
            yield variables, component, search


@pytest.mark.parametrize("group", range(4))
@pytest.mark.parametrize("kind", ["loops", "slices", "programs", "blocks"])
def test_nothing_is_better_than_what_is_proved(kind: str, group: int) -> None:
    """And nothing is better than the relaxation says."""
    proved = 0
    for seed in range(20 * group, 20 * (group + 1)):
        for variables, component, search in searches(text_of(kind, seed), MOST):
            found = search.run()
            best, _ = max(scores(variables, component))
            assert found.score == best if found.proved else found.score <= best
            relaxed = search.relaxation.solve()
            assert relaxed.score >= best or not relaxed.exact
            proved += found.proved
    assert proved > 8


def test_loops_are_proved_by_their_relaxation() -> None:
    for text in (nest(1), nest(6), sequence(12)):
        for _, _, search in searches(text, 1000):
            assert search.run().proved and not search.spent


def test_few_plans_of_many_swaps_are_evaluated() -> None:
    for _, component, search in searches(swaps(40), 1000):
        before = search.looks
        search.run()
        assert before - search.looks < 8 * len(component.values)


def test_a_cycle_of_copies_names_its_causes() -> None:
    """The loop carries two values. It computes one over the second, and yields that as the first and the first as the
    second."""
    text = """
func.func @main(%n: index) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %p = tensor.empty() : tensor<8xf32>
  %q = tensor.empty() : tensor<8xf32>
  %r, %s = scf.for %i = %zero to %n step %one iter_args(%a = %p, %b = %q) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %e, %a : tensor<8xf32>, tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}"""
    ((variables, component, search),) = searches(text, MOST)
    over = next(n for n in component.choices if variables.choices[n].op.name == "linalg.exp")
    boundary = next(
        b for b in search.relaxation.boundaries if search.bound.movements[b.movements[0]].op.name == "scf.yield"
    )
    for choices, found in ((frozenset[int](), None), (frozenset((over,)), frozenset((over,)))):
        assignment = Assignment(variables, component, choices)
        cycle = copy_cycle(assignment, search.bound.movements, boundary.movements)
        assert (cycle and cycle.choices) == found
    assert search.run().proved and not search.spent
