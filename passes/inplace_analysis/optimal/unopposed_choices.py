"""Components in which every result that may be written over an operand is: what `search.py` finds there, without a
search.

Every choice writes a result over an operand, and of each result one choice is taken, without exchanged operands if
there is such a one, and over the first operand then. A choice saves the bytes of its result at most, and of the choices
of one result one is taken at most. So where nothing conflicts and nothing is moved no selection has fewer bytes of
storage, more results in place, or fewer exchanges: this one is the best. The search tries it first.
"""

from __future__ import annotations

from xdsl.dialects.func import ReturnOp
from xdsl.ir import SSAValue

from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts
from lastuse.passes.inplace_analysis.optimal.objective import Objective
from lastuse.passes.inplace_analysis.optimal.variables import ChoiceKind, Component, Variables


def unopposed(variables: Variables, component: Component) -> Assignment | None:
    """The assignment that writes every result with a choice over an operand, where it is the best one; None where that
    is not known.

    Decisions that the function carries may conflict before any choice is taken, and ops of which little is known, that
    move bytes or are control flow have other costs: these are searched.
    """
    if _has_decisions(variables):
        return None
    taken: dict[SSAValue, int] = {}
    for number in component.choices:
        choice = variables.choices[number]
        if choice.kind is not ChoiceKind.OVER:
            return None
        other = variables.choices[taken.setdefault(choice.source, number)]
        if (choice.swap, choice.operand) < (other.swap, other.operand):
            taken[choice.source] = number
    for op in component.ops:
        contract = variables.program.contract(op)
        if op.next_op is None and isinstance(op, ReturnOp):
            continue
        if contract.foreign or contract.contributions or op in variables.movers:
            return None
    assignment = Assignment(variables, component, frozenset(taken.values()))
    if assignment.nogoods or assignment.copies or assignment.idle or assignment.rejected or assignment.movements:
        return None
    if Objective(assignment).returned() != (0, 0) or Conflicts(assignment).nogoods:
        return None
    return assignment


def _has_decisions(variables: Variables) -> bool:
    decisions = variables.decisions
    return bool(decisions.inplace or decisions.parts or decisions.offsets or decisions.copies or variables.numbers)
