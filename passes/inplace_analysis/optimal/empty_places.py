"""Choices that save nothing, and stand in the way of others.

The score counts the bytes of a result over a value that holds nothing as saved, since something else may be over that
value too. Where nothing is, the value takes no bytes, and the choice saves none. Two plans have one score then: one
writes a result over the value, and begins a second result, which is computed in a part, as a copy of the first; the
other one computes both in the part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from xdsl.ir import SSAValue

from lastuse.dialect.storage.contract import holds_nothing
from lastuse.passes.inplace_analysis.optimal.class_evaluation import Evaluation
from lastuse.passes.inplace_analysis.optimal.component_choices import Choice, ChoiceKind, Component
from lastuse.passes.inplace_analysis.optimal.variables import Variables


def left_alone(
    variables: Variables, component: Component, choices: frozenset[int], evaluated: Callable[[Set[int]], Evaluation]
) -> frozenset[int]:
    """Choices of no lower score with which fewer results that are computed in parts begin as copies.

    Args:
        choices: those that are best.
        evaluated: what is wrong with choices, or their score.
    """
    every = variables.choices
    parts = [every[n].source for n in sorted(choices) if every[n].kind is ChoiceKind.PART]
    if not parts or (score := evaluated(choices).score) is None:
        return choices
    options: dict[SSAValue, list[int]] = {}
    for number in component.choices:
        if every[number].kind is ChoiceKind.OVER:
            options.setdefault(every[number].source, []).append(number)
    over = {every[n].source: n for n in choices if every[n].kind is ChoiceKind.OVER}
    for value in parts:
        for last, number in _exchanges(every, options, over, value):
            other = choices - {last} | {number}
            found = evaluated(other).score
            if found is not None and found >= score:
                choices = other
                del over[every[last].source]
                over[every[number].source] = number
                break
    return choices


def _exchanges(
    every: Sequence[Choice], options: Mapping[SSAValue, Sequence[int]], over: Mapping[SSAValue, int], value: SSAValue
) -> Iterator[tuple[int, int]]:
    """Pairs of a choice of a result over a value without contents, and one that may be taken instead: it writes what is
    at the bottom of a value that is computed in a part over what that result is at the bottom of.

    Args:
        options: by result the choices that write it over an operand.
        over: by result the one of these that is taken.
    """
    while value in over:
        value = every[over[value]].target
    for number in options.get(value, ()):
        below, last = every[number].target, -1
        while below in over:
            last = over[below]
            below = every[last].target
        if last >= 0 and holds_nothing(below):
            yield last, number
