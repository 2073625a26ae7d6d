"""Components in which all choices go together: what `search.py` finds there, without a search.

Every choice writes a result over an operand, each result over one, and nothing conflicts. Then every value but one of
each set of joined values lies in the storage of another one: no selection has fewer bytes of storage, none has more
results in place, and one without a choice has fewer. Where nothing is moved either, all choices are the best selection.
"""

from __future__ import annotations

from xdsl.dialects.func import ReturnOp

from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts
from lastuse.passes.inplace_analysis.optimal.objective import Objective
from lastuse.passes.inplace_analysis.optimal.variables import ChoiceKind, Component, Variables
from lastuse.passes.inplace_analysis.region_ops import moves_values


def unopposed(variables: Variables, component: Component) -> Assignment | None:
    """The assignment that takes all choices of a component where it is the best one; None where that is not known.

    Decisions that the function carries may conflict before any choice is taken, and ops of which little is known, that
    move bytes or are control flow have other costs: these are searched.
    """
    choices = [variables.choices[n] for n in component.choices]
    if any(choice.kind is not ChoiceKind.OVER for choice in choices):
        return None
    if len({choice.source for choice in choices}) < len(choices) or _has_decisions(variables):
        return None
    for op in component.ops:
        contract = variables.program.contract(op)
        if isinstance(op, ReturnOp):
            continue
        if contract.foreign or contract.contributions or op.successors or moves_values(op):
            return None
    assignment = Assignment(variables, component, frozenset(component.choices))
    if assignment.nogoods or assignment.copies or assignment.idle or assignment.rejected or assignment.movements:
        return None
    if Objective(assignment).returned() != (0, 0) or Conflicts(assignment).nogoods:
        return None
    return assignment


def _has_decisions(variables: Variables) -> bool:
    decisions = variables.decisions
    return bool(decisions.inplace or decisions.parts or decisions.offsets or decisions.copies or variables.numbers)
