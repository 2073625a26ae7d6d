"""Components in which every result that may be written over an operand is: what `search.py` finds there, without a
search.

Every choice writes a result over an operand, and of each result one choice is taken, without exchanged operands if
there is such a one, and over the first operand then. A choice saves the bytes of its result at most, and of the choices
of one result one is taken at most. So where nothing conflicts and nothing is moved no selection has fewer bytes of
storage, more results in place, or fewer exchanges: this one is the best. The search tries it first.

In chains of kernels nothing conflicts (`_are_chains`): no places are computed for these.
"""

from __future__ import annotations

from collections.abc import Iterable

from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.component_choices import Choice, ChoiceKind, Component
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts
from lastuse.passes.inplace_analysis.optimal.objective import Objective
from lastuse.passes.inplace_analysis.optimal.variables import Variables


def unopposed(variables: Variables, component: Component) -> frozenset[int] | None:
    """The choices that write every result with a choice over an operand, where they are the best ones; None where that
    is not known.

    Decisions that the function carries may conflict before any choice is taken, and ops of which little is known, that
    move bytes or are control flow have other costs: these are searched.
    """
    if component.moves or has_decisions(variables):
        return None
    taken: dict[int, int] = {}  # by the identity of a result
    for number in component.choices:
        choice = variables.choices[number]
        if choice.kind is not ChoiceKind.OVER:
            return None
        before = taken.setdefault(id(choice.source), number)
        if before != number:
            other = variables.choices[before]
            if (choice.swap, choice.operand) < (other.swap, other.operand):
                taken[id(choice.source)] = number
    choices = frozenset(taken.values())
    chains = _are_chains(variables, component, map(variables.choices.__getitem__, choices))
    if chains and not component.returns:
        return choices
    assignment = Assignment(variables, component, choices)
    if assignment.nogoods or assignment.copies or assignment.idle or assignment.rejected or assignment.movements:
        return None
    if Objective(assignment).returned() != (0, 0) or not chains and Conflicts(assignment).nogoods:
        return None
    return choices


def has_decisions(variables: Variables) -> bool:
    """The function carries decisions."""
    decisions = variables.decisions
    return bool(decisions.inplace or decisions.parts or decisions.offsets or decisions.copies or variables.numbers)


def is_undecided(variables: Variables, component: Component) -> bool:
    """Nothing conflicts where no choice is taken: each result opens a storage, and only views of it lie there too. No
    op writes to that again, as a foreign op, control flow or a decision may say."""
    if variables.movers or not variables.program.is_one_block or has_decisions(variables):
        return False
    return not component.moves or not any(variables.facts(op).contract.foreign for op in component.ops)


def _are_chains(variables: Variables, component: Component, taken: Iterable[Choice]) -> bool:
    """In one block, each storage is a chain of results of kernels, of which each is written over the one before it
    (`Choice.is_link`) and no other one is. So all lie at the same bytes, and nothing conflicts: by the definition of a
    choice no op reads the value before after the op that writes over it. That op itself reads none that came earlier,
    and no other result of it is in the chain."""
    program, unwritten = variables.program, variables.reads.unwritten
    if component.views or not program.is_one_block or unwritten and not unwritten.isdisjoint(component.values):
        return False
    seen: set[int] = set()  # by identity, as values are hashed in Python
    for choice in taken:
        if not choice.is_link or id(choice.target) in seen:
            return False
        seen.add(id(choice.target))
    return True
