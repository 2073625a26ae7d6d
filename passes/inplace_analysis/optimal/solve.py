"""The optimum of a function: every component's best choices, as decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.decisions import Decisions
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.greedy import GreedyAnalysis
from lastuse.passes.inplace_analysis.inplace_decisions import InPlaceDecisions
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.component_choices import ChoiceKind, Component
from lastuse.passes.inplace_analysis.optimal.empty_places import left_alone
from lastuse.passes.inplace_analysis.optimal.last_reads import last_reads
from lastuse.passes.inplace_analysis.optimal.search import SEARCHES, STEPS, STEPS_OF_VALUE, ChoiceSearch
from lastuse.passes.inplace_analysis.optimal.unopposed_choices import unopposed
from lastuse.passes.inplace_analysis.optimal.variables import Variables


def solve(
    program: NumberedOps, parts: bool, rivals: Callable[[], Sequence[InPlaceDecisions]], reasons: bool = True
) -> InPlaceDecisions:
    """The best decisions for a function (docs/storage.md, 8), in addition to those that it carries.

    Args:
        parts: operands of a concat may be computed in their part of the result.
        rivals: plans of other strategies, computed where the search has to stop early: the result is no worse than
            any.
        reasons: the plan says why there are no other decisions, and why values are copied.
    """
    variables = Variables(last_reads(program), parts)
    inplace: dict[SSAValue, int] = {}
    placed: dict[Operation, set[int]] = {}
    numbers = dict(variables.numbers)
    copies = set[SSAValue]()
    joined: list[Mapping[SSAValue, SSAValue]] = []
    proved = True
    plans: list[InPlaceDecisions] | None = None
    steps = SEARCHES * STEPS + STEPS_OF_VALUE * len(program.sizes)
    for component in variables.components:
        choices = unopposed(variables, component)
        if choices is None:
            search = ChoiceSearch(variables, component, steps)
            result = search.run()
            steps -= search.spent
            if not result.proved:
                proved = False
                plans = plans if plans is not None else list(rivals())
                result = search.offer(_choices_of(variables, component, plan) for plan in plans)
            choices = left_alone(variables, component, result.choices, search.classes.of)
            copies |= search.copies(choices)
            if variables.numbers or any(variables.choices[n].kind is ChoiceKind.SHARE for n in choices):
                joined.append(Assignment(variables, component, choices).joined)
        for number in sorted(choices):
            choice = variables.choices[number]
            if choice.kind is ChoiceKind.OVER:
                inplace[choice.source] = choice.operand
            elif choice.kind is ChoiceKind.PART:
                placed.setdefault(choice.op, set()).add(choice.operand)
    _number(joined, numbers, program.func)
    decisions = program.decisions
    every = {
        op: tuple(sorted({*placed.get(op, ()), *decisions.parts.get(op, ())})) for op in (*placed, *decisions.parts)
    }
    chosen = Decisions({**decisions.inplace, **inplace}, every, numbers, decisions.offsets, decisions.copies | copies)
    plan = GreedyAnalysis(program, chosen=chosen, reasons=reasons).run()
    plan.proved = proved
    return plan


def _number(joined: Iterable[Mapping[SSAValue, SSAValue]], numbers: dict[SSAValue, int], func: FuncOp) -> None:
    """Give every class of joined storages a number: the one that a member has, or the next free one."""
    classes: list[list[SSAValue]] = []
    for roots in joined:
        of: dict[SSAValue, list[SSAValue]] = {}
        for value, root in roots.items():
            of.setdefault(root, []).append(value)
        classes += of.values()
    free = max([*attrs.numbers_in(func), -1]) + 1 if classes else 0
    for members in classes:
        number = next((numbers[v] for v in members if v in numbers), -1)
        if number < 0:
            number, free = free, free + 1
        numbers.update((v, number) for v in members)


def _choices_of(variables: Variables, component: Component, plan: InPlaceDecisions) -> frozenset[int]:
    """The choices that another plan has taken."""
    choices: set[int] = set()
    for number in component.choices:
        choice = variables.choices[number]
        if choice.kind is ChoiceKind.OVER and plan.inplace.get(choice.source) == choice.operand:
            choices.add(number)
        if choice.kind is ChoiceKind.PART and choice.operand in plan.parts.get(choice.op, ()):
            choices.add(number)
    lies = Assignment(variables, component, choices)

    def number_of(value: SSAValue) -> int:
        root = lies.root(value)
        return plan.reuse.get(root, variables.numbers.get(root, -1))

    for number in component.choices:
        choice = variables.choices[number]
        if choice.kind is ChoiceKind.SHARE and number_of(choice.source) == number_of(choice.target) >= 0:
            choices.add(number)
    return frozenset(choices)
