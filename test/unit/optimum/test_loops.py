"""Loops around loops, loops behind loops, and loops that swap what they carry."""

from __future__ import annotations

from test_place_graph import components

from lastuse.passes.inplace_analysis.optimal.search import ChoiceSearch

T = "tensor<8xf32>"
BOUNDS = ["%zero = arith.constant 0 : index", "%one = arith.constant 1 : index"]


def swaps(count: int) -> str:
    """Loops that swap two values, one behind the other."""
    lines = [f"func.func @main(%v0: {T}, %w0: {T}, %n: index) -> ({T}, {T}) {{", *BOUNDS]
    for k in range(count):
        carried = f"%a{k} = %v{k}, %b{k} = %w{k}"
        lines += [
            f"%v{k + 1}, %w{k + 1} = scf.for %i{k} = %zero to %n step %one iter_args({carried}) -> ({T}, {T}) {{",
            f"scf.yield %b{k}, %a{k} : {T}, {T}",
            "}",
        ]
    return "\n".join([*lines, f"func.return %v{count}, %w{count} : {T}, {T}", "}"])


def test_few_plans_of_many_swaps_are_evaluated() -> None:
    for variables, component, _ in components(swaps(40)):
        search = ChoiceSearch(variables, component)
        before = search.looks
        search.run()
        assert before - search.looks < 8 * len(component.values)
