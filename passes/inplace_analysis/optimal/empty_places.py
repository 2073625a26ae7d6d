"""Results that begin as a copy of an operand, though a result over a value without contents is all that keeps them
from being written over it.

The score counts a result over a value without contents as one that saves its bytes, as it may be all that needs that
memory. Where it is, the value takes no bytes either if nothing is written over it. So of two plans of one score one may
write a result over such a value, begin another one as a copy, and compute that in a part of a result; and the other
one leaves the value alone, and computes all of them in the part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from xdsl.ir import SSAValue

from lastuse.dialect.storage.contract import holds_nothing
from lastuse.passes.inplace_analysis.optimal.class_evaluation import Evaluation
from lastuse.passes.inplace_analysis.optimal.variables import ChoiceKind, Component, Variables


def left_alone(
    variables: Variables, component: Component, choices: frozenset[int], evaluated: Callable[[Set[int]], Evaluation]
) -> frozenset[int]:
    """Choices of no lower score with which fewer results that are computed in parts begin as copies.

    Args:
        choices: those that are best.
        evaluated: what is wrong with choices, or their score.
    """
    parts = [variables.choices[n].source for n in sorted(choices) if variables.choices[n].kind is ChoiceKind.PART]
    score = evaluated(choices).score if parts else None
    for value in parts:
        for other in _others(variables, component, choices, value):
            found = evaluated(other).score
            if score is not None and found is not None and found >= score:
                choices = other
                break
    return choices


def _others(
    variables: Variables, component: Component, choices: frozenset[int], value: SSAValue
) -> Iterator[frozenset[int]]:
    """Other choices, with which what is at the bottom of a value that is computed in a part is over an operand, and
    what is at the bottom of that operand is no longer over a value without contents."""
    every = variables.choices
    over = {every[n].source: n for n in choices if every[n].kind is ChoiceKind.OVER}
    while value in over:
        value = every[over[value]].target
    for number in component.choices:
        choice, last = every[number], -1
        if choice.kind is not ChoiceKind.OVER or choice.source is not value:
            continue
        below = choice.target
        while below in over:
            last = over[below]
            below = every[last].target
        if last >= 0 and holds_nothing(below):
            yield choices - {last} | {number}
