"""Choices that save nothing, and stand in the way of others.

The score counts the bytes of a result over a value that holds nothing as saved, since something else may be over that
value too. Where nothing is, the value takes no bytes, and the choice saves none. Two plans have one score then: one
writes a result over the value, and begins a second result, which is computed in a part, as a copy of the first; the
other one computes both in the part.
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
