"""Places under a set of variables, and the variables that conflict, on ops with only a contract."""

from __future__ import annotations

import pytest
from toy import OPAQUE, Program, concat, tensor, unary, view
from xdsl.dialects.func import FuncOp

from lastuse.dialect.ir.tensor_types import symbol
from lastuse.dialect.storage import layout
from lastuse.dialect.storage.contract import Contract, Contribution, InPlace
from lastuse.dialect.storage.layout import Layout, Strided, Whole, is_dense
from lastuse.passes.analysis.op_numbering import NumberedOps as Looked
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.component_choices import Choice, ChoiceKind
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts, is_injective, size_of
from lastuse.passes.inplace_analysis.optimal.last_reads import LastReads
from lastuse.passes.inplace_analysis.optimal.variables import Variables

ROUND = Contract(
    over=(InPlace(0, 0),), contributions=(Contribution(0, layout.identical, may_be_produced_in_place=True),)
)
"""The result may lie over the operand, and the operand may be computed in the result."""


def blamed(func: FuncOp) -> tuple[list[Choice], list[set[int]]]:
    """What can be decided in a function, and what is wrong with all of it together."""
    program = Looked.of(func)
    assert program is not None
    variables = Variables(LastReads(program), True)
    (component,) = variables.components
    assignment = Assignment(variables, component, frozenset(component.choices))
    return variables.choices, sorted((set(blame) for blame in Conflicts(assignment).nogoods), key=sorted)


@pytest.mark.parametrize("given", [False, True])
def test_operand_written_over_is_no_part_of_the_result(given: bool) -> None:
    """Writing over the operand and computing it in its part exclude each other; the given one stays."""
    program = Program(tensor(4))
    (a,) = program.op(OPAQUE, program.arguments, tensor(4))
    (b,) = program.op(unary(), [a], tensor(4), inplace=0)
    (c,) = program.op(ROUND, [b], tensor(4), inplace=0 if given else -1)
    choices, nogoods = blamed(program.done(*program.op(OPAQUE, [c], tensor(4))))
    assert [choice.kind for choice in choices] == ([ChoiceKind.PART] if given else [ChoiceKind.OVER, ChoiceKind.PART])
    assert nogoods == ([{0}] if given else [{0, 1}])


def test_view_on_a_cycle_is_not_blamed() -> None:
    program = Program(tensor(4))
    (a,) = program.op(OPAQUE, program.arguments, tensor(4))
    (v,) = program.op(view(layout.reshaped((2, 2)), whole=True), [a], tensor(2, 2))
    (b,) = program.op(ROUND, [v], tensor(2, 2), inplace=0)
    (c,) = program.op(unary(), [b], tensor(2, 2))
    choices, nogoods = blamed(program.done(*program.op(OPAQUE, [c], tensor(4))))
    assert [choice.kind for choice in choices] == [ChoiceKind.PART, ChoiceKind.OVER]
    assert nogoods == [{0}]


def test_choice_that_leads_into_a_cycle_is_not_blamed() -> None:
    program = Program(tensor(2))
    (a,) = program.op(OPAQUE, program.arguments, tensor(2))
    (b,) = program.op(concat(2, 2), [a, program.arguments[0]], tensor(4))
    (c,) = program.op(ROUND, [b], tensor(4))
    choices, nogoods = blamed(program.done(*program.op(OPAQUE, [c], tensor(4))))
    assert [choice.kind for choice in choices] == [ChoiceKind.PART, ChoiceKind.OVER, ChoiceKind.PART]
    assert nogoods == [{1, 2}]


def test_reshaped_value_is_not_computed_in_columns_of_a_concat() -> None:
    """Half of each row of the result is no strided map of eight elements in one dimension."""
    program = Program(tensor(8), tensor(4, 2))
    (a,) = program.op(OPAQUE, program.arguments[:1], tensor(8))
    (v,) = program.op(view(layout.reshaped((4, 2)), whole=True), [a], tensor(4, 2))
    (c,) = program.op(concat(2, 2, axis=1), [v, program.arguments[1]], tensor(4, 4))
    choices, nogoods = blamed(program.done(*program.op(OPAQUE, [c], tensor(4))))
    assert [choice.kind for choice in choices] == [ChoiceKind.PART]
    assert nogoods == [{0}]


def test_planned_bytes_are_not_used_for_other_values() -> None:
    program = Program(tensor(4))
    program.arena = 64
    (a,) = program.op(OPAQUE, program.arguments, tensor(4), offset=0)
    (b,) = program.op(unary(), [a], tensor(4))
    (c,) = program.op(unary(), [b], tensor(4))
    choices, nogoods = blamed(program.done(*program.op(OPAQUE, [c], tensor(4))))
    assert [choice.kind for choice in choices] == [ChoiceKind.OVER] * 2
    assert {0} in nogoods


@pytest.mark.parametrize(
    ("place", "dense", "injective", "bytes_"),
    [
        (Strided.dense((2, 4), 4), True, True, True),
        (Strided(0, (2, 4), (32, 8), 4), False, True, True),
        (Strided(0, (2, 4), (0, 4), 4), False, False, True),
        (Strided(0, (3, 2), (4, 6), 2), False, True, True),
        (Strided(0, (2, 3), (4, 4), 4), False, False, True),
        (Strided(0, (0, 4), (0, 0), 4), True, True, False),
        (Whole((symbol("n"),), 4), True, True, True),
    ],
)
def test_dense_injective_and_empty_layouts(place: Layout, dense: bool, injective: bool, bytes_: bool) -> None:
    """Dense is row-major; injective means that no byte belongs to two elements."""
    assert (is_dense(place), is_injective(place), size_of(place) > 0) == (dense, injective, bytes_)
