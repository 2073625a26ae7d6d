"""The parts that the search for the best choices is made of, each against the same by brute force."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator

import pytest
from programs import blocks, program
from unit.strategies.corpus import function

from bench.bufferize_scaling import Writer
from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.optimal import search
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts
from lastuse.passes.inplace_analysis.optimal.last_reads import LastReads
from lastuse.passes.inplace_analysis.optimal.objective import Objective
from lastuse.passes.inplace_analysis.optimal.variables import Variables
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from lastuse.passes.planning import clause_program
from lastuse.passes.planning.clause_program import Clause, ClauseProgram, DropCost


def variables_of(text: str) -> Variables:
    func = function(text)
    numbered = NumberedOps.of(func)
    assert numbered is not None
    return Variables(LastReads(numbered), True)


BASE_READ_LATER = """
func.func @main(%x: tensor<4x4xf32>, %p: tensor<1x4xf32>) -> tensor<4x4xf32> {
  %one = arith.constant dense<1.0> : tensor<4x4xf32>
  %b = arith.addf %x, %one : tensor<4x4xf32>
  %k = arith.mulf %b, %one : tensor<4x4xf32>
  %r = tensor.insert_slice %p into %b[1, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<4x4xf32>
  %s = arith.addf %k, %r : tensor<4x4xf32>
  %t = arith.addf %s, %one : tensor<4x4xf32>
  func.return %t : tensor<4x4xf32>
}
"""
"""A kernel may be written over the base of a later insertion, but not where that copies the base."""


@pytest.mark.parametrize(
    "text",
    [
        BASE_READ_LATER,
        *map(program, range(0, 40, 4)),
        *(blocks(seed, 5) for seed in range(0, 12, 2)),
        *(Writer(seed, True).text(40) for seed in range(6)),  # chains of kernels, and slices of what they make
    ],
)
def test_classes_say_what_the_component_says(text: str) -> None:
    draw = random.Random(7)
    variables = variables_of(text)
    for component in variables.components:
        classes = search.ChoiceSearch(variables, component).classes
        some = [frozenset(n for n in component.choices if draw.random() < 0.7) for _ in range(12)]
        for taken in (*(frozenset((n,)) for n in component.choices[:8]), *some):
            whole = Assignment(variables, component, taken)
            found, wrong = classes.of(taken), Conflicts(whole).nogoods
            assert found.nogoods.keys() == wrong.keys()
            assert found.score == (Objective(whole).score() if not wrong else None)
            if not wrong:
                there = {n for n, m in enumerate(classes.movements) if whole.is_there(m)}
                assert found.there == there


def cost_of(draw: random.Random, most: int) -> DropCost:
    """As choices have it: bytes, and a choice that is taken, perhaps by exchanging operands."""
    inplace = draw.randrange(2)
    return draw.randrange(most), draw.randrange(2), inplace, -draw.randrange(inplace + 1)


def sum_of(costs: Iterable[DropCost]) -> DropCost:
    return tuple(map(sum, zip((0, 0, 0, 0), *costs, strict=True)))  # pyright: ignore


def best_by_trying(costs: list[DropCost], clauses: list[Clause]) -> DropCost:
    def holds(dropped: set[int]) -> bool:
        return all(c.dropped & dropped or c.kept - dropped for c in clauses)

    sets = (set(itertools.compress(range(len(costs)), bits)) for bits in itertools.product((0, 1), repeat=len(costs)))
    return min(sum_of(costs[n] for n in dropped) for dropped in sets if holds(dropped))


def clauses_of(draw: random.Random, count: int) -> Iterator[Clause]:
    for _ in range(draw.randint(1, 9)):
        at = draw.randrange(count)
        near = [n for n in range(at - 3, at + 4) if 0 <= n < count]
        dropped = frozenset(draw.sample(near, draw.randint(1, 3)))
        kept = frozenset(draw.sample(near, draw.randint(0, 2))) - dropped
        yield Clause(dropped, kept)


@pytest.mark.parametrize("many", [0, 24])
def test_cheapest_variables_are_dropped(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clause_program, "MANY_STATES", many)
    for seed in range(150):
        draw = random.Random(seed)
        costs = [cost_of(draw, 5) for _ in range(8)]
        clauses, solver = list(clauses_of(draw, 8)), ClauseProgram(costs)
        for n, clause in enumerate(clauses):
            solver.add(clause)
            found = solver.solve()
            assert found.exact
            best = best_by_trying(costs, clauses[: n + 1])
            assert found.cost == sum_of(costs[v] for v in found.dropped) == best, seed
            assert all(c.dropped & found.dropped or c.kept - found.dropped for c in clauses[: n + 1])


@pytest.mark.parametrize("many", [0, 24])
def test_clauses_added_later_leave_the_solution_of_all_at_once(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps that no new clause changes stay: the result is that of a program of its own."""
    monkeypatch.setattr(clause_program, "MANY_STATES", many)
    monkeypatch.setattr(clause_program, "MOST_STATES", 12)
    for seed in range(40):
        draw = random.Random(seed)
        costs = [cost_of(draw, 9) for _ in range(40)]
        solver, clauses = ClauseProgram(costs), list[Clause]()
        for _ in range(6):
            clauses += clauses_of(draw, 40)
            once = ClauseProgram(costs)
            for clause in clauses:
                once.add(clause)
            for clause in clauses[len(solver.clauses) :]:
                solver.add(clause)
            assert solver.solve() == once.solve()


def test_clauses_may_be_open_at_once_in_any_number() -> None:
    """More than a word has bits: each clause is open from its own variable to one of the last ones."""
    for count in (63, 64, 65, 200):
        costs: list[DropCost] = [(1, 0, 0, 0), *[(3, 0, 0, 0)] * count]
        solver = ClauseProgram(costs)
        for n in range(count):
            solver.add(Clause(frozenset({0, n + 1})))
        assert solver.solve() == (frozenset({0}), (1, 0, 0, 0), True)


def test_too_many_states_are_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clause_program, "MANY_STATES", 0)
    monkeypatch.setattr(clause_program, "MOST_STATES", 1)
    costs: list[DropCost] = [(n, 0, 0, 0) for n in (3, 2, 2, 3)]
    clauses = [Clause(frozenset(pair)) for pair in ((0, 2), (1, 3), (0, 3))]
    solver = ClauseProgram(costs)
    for clause in clauses:
        solver.add(clause)
    found = solver.solve()
    assert not found.exact
    assert all(clause.dropped & found.dropped for clause in clauses)
    assert found.cost >= best_by_trying(costs, clauses)


@pytest.mark.parametrize("clause", [Clause(frozenset()), Clause(frozenset({2})), Clause(frozenset({-1}))])
def test_clauses_are_over_the_variables(clause: Clause) -> None:
    with pytest.raises(ValueError, match="variable"):
        ClauseProgram([(1, 0, 0, 0)] * 2).add(clause)


def test_bytes_of_any_number_are_summed() -> None:
    """Tensors of 2**74 bytes: the same is decided as among small ones."""
    many = 1 << 30
    small = Writer(0, slices=True).text(300)
    large = small.replace("32x32x", f"{32 * many}x{32 * many}x").replace("8x32x", f"{8 * many}x{32 * many}x")
    large = re.sub(r"\[(\d+), 0\] \[8, 32\]", lambda at: f"[{int(at[1]) * many}, 0] [{8 * many}, {32 * many}]", large)
    one, two = (STRATEGIES["optimal"](variables_of(text).program, True) for text in (small, large))
    assert one.proved and two.proved
    assert [*one.inplace.values()] == [*two.inplace.values()]
    assert [*one.parts.values()] == [*two.parts.values()]
    assert len(one.inplace) > 30


def work(count: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """What the search does for a chain of `count` kernels and slices: values placed and sets of open clauses; nothing
    is searched choice by choice."""
    seen: list[search.ChoiceSearch] = []

    def run(self: search.ChoiceSearch) -> search.SearchResult:
        seen.append(self)
        return plain(self)

    plain = search.ChoiceSearch.run
    with monkeypatch.context() as patch:
        patch.setattr(search.ChoiceSearch, "run", run)
        func = next(iter(parse(context(), Writer(5, True).text(count), "chain.mlir").ops))
        numbered = NumberedOps.of(func)  # pyright: ignore
        assert numbered is not None
        STRATEGIES["optimal"](numbered, True)
    return sum(s.classes.looks for s in seen), sum(s.relaxation.program.work + s.spent for s in seen)


def test_work_is_linear_on_chains_of_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    placed, states = work(300, monkeypatch)
    placed_of_more, states_of_more = work(1200, monkeypatch)
    assert placed <= 12 * 300
    assert placed_of_more <= 12 * 1200
    assert states <= 2_000 * 300
    assert states_of_more <= 2_000 * 1200
