"""Choices that nothing opposes: in chains of kernels too, for which no places are computed."""

from __future__ import annotations

import random

import pytest
from toy import CONSTANT, SHAPE_ONLY, Program, tensor, unary, view
from xdsl.dialects.func import FuncOp

from lastuse.dialect.storage import layout
from lastuse.dialect.storage.contract import Contract, InPlace
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.optimal import unopposed_choices
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts
from lastuse.passes.inplace_analysis.optimal.last_reads import LastReads
from lastuse.passes.inplace_analysis.optimal.objective import Objective
from lastuse.passes.inplace_analysis.optimal.unopposed_choices import unopposed
from lastuse.passes.inplace_analysis.optimal.variables import Variables

EMPTY = Contract(uninitialized=True)
TYPES = (tensor(4), tensor(4), tensor(4), tensor(4), tensor(1, 4), tensor(0))


def kernels(seed: int) -> FuncOp:
    """A function of kernels, which may write over operands, read several that are one value, or read none of some."""
    chance = random.Random(seed)
    program = Program(tensor(4), tensor(4))
    program.give(0)
    values = [*program.arguments]
    for _ in range(chance.randrange(4, 9)):
        if chance.random() < 0.25:
            values += program.op(EMPTY, [], tensor(4))
            continue
        operands = [chance.choice(values[-4:]) for _ in range(chance.randrange(1, 4))]
        results = [chance.choice(TYPES) for _ in range(1 if chance.random() < 0.8 else 2)]
        pairs = [(r, k) for r in range(len(results)) for k in range(len(operands))]
        over = [InPlace(r, k, chance.random() < 0.5) for r, k in pairs if chance.random() < 0.6]
        unread = frozenset(k for k in range(len(operands)) if chance.random() < 0.3)
        values += program.op(Contract(over=tuple(over), metadata_only=unread), operands, *results)
    return program.done(values[-1], chance.choice(values))


def variables_of(func: FuncOp) -> Variables:
    program = NumberedOps.of(func)
    assert program is not None
    return Variables(LastReads(program), True)


def test_nothing_conflicts_among_unopposed_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Assignment] = []

    def conflicts(assignment: Assignment) -> Conflicts:
        looked.append(assignment)
        return Conflicts(assignment)

    monkeypatch.setattr(unopposed_choices, "Conflicts", conflicts)
    chains = others = 0
    for seed in range(1000):
        variables = variables_of(kernels(seed))
        for component in variables.components:
            before = len(looked)
            choices = unopposed(variables, component)
            if choices is None:
                continue
            chains += len(looked) == before
            others += len(looked) > before
            assignment = Assignment(variables, component, choices)
            assert not (assignment.nogoods or assignment.copies or assignment.idle or assignment.rejected), seed
            assert not assignment.movements and not Conflicts(assignment).nogoods, seed
            assert Objective(assignment).returned() == (0, 0), seed
    assert chains > 100
    assert others > 20


def test_a_chain_is_one_without_a_look_at_its_conflicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The op has the value that it writes over as two operands, and may do so."""

    def conflicts(assignment: Assignment) -> Conflicts:
        raise AssertionError("no conflicts are looked for")

    monkeypatch.setattr(unopposed_choices, "Conflicts", conflicts)
    program = Program(tensor(4))
    (a,) = program.op(Contract(), program.arguments, tensor(4))
    (b,) = program.op(unary(), [a], tensor(4))
    (c,) = program.op(Contract(over=(InPlace(0, 0, True),)), [b, b], tensor(4))
    variables = variables_of(program.done(c))
    (component,) = variables.components
    assert unopposed(variables, component) == frozenset({0, 1})


def test_a_chain_in_memory_of_another_result_is_opposed() -> None:
    """A constant is returned in the memory of the argument, so what is written there is returned in new memory."""
    program = Program(tensor(4))
    program.tied[0] = 0
    (a,) = program.op(CONSTANT, [], tensor(4))
    (b,) = program.op(unary(), program.arguments, tensor(4))
    variables = variables_of(program.done(a, b))
    (component,) = variables.components
    assert unopposed(variables, component) is None


def test_views_of_one_value_are_no_chain() -> None:
    """Two results over views of one value: the second one is written while the first one is live."""
    program = Program(tensor(4))
    (a,) = program.op(Contract(), program.arguments, tensor(4))
    one, other = (program.op(view(layout.reshaped((2, 2)), whole=True), [a], tensor(2, 2))[0] for _ in range(2))
    (b,) = program.op(unary(), [one], tensor(2, 2))
    (c,) = program.op(SHAPE_ONLY, [other], tensor(2, 2))
    variables = variables_of(program.done(*program.op(Contract(), [b, c], tensor(4))))
    (component,) = variables.components
    assert len(component.choices) == 2
    assert unopposed(variables, component) is None
