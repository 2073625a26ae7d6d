"""Forms with a mistake that changes a result, or what is kept, are not accepted; forms without one are, nearly all."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from form_mutants import mutate
from interpreter import EndlessError
from memref_fuzz import CONTEXT, Run, difference_of, kept_arguments, runs_of
from start_programs import StartProgram
from tensor_programs import TensorProgram
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import functions_of, topological_order
from lastuse.dialect.storage import attrs
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferize import BufferizePass
from lastuse.passes.memref_checker import check

KINDS = [(TensorProgram, 100), (StartProgram, 25)]
"""What is drawn, and how many forms of it that are wrong."""
TRIES = 12


def accepted(source: ModuleOp, form: ModuleOp) -> bool:
    """The checker proves the form."""
    try:
        return not check([*reversed(topological_order(functions_of(source)))], form)
    except LastuseError:
        return False


def is_wrong(form: ModuleOp, program: TensorProgram, runs: list[Run]) -> bool:
    """The form gives another result in one of several runs, or writes what is kept."""
    kept = kept_arguments(BufferizePass(), program.writable)
    for number, run in enumerate(runs):
        try:
            if (what := difference_of(form, run, kept, number)) is not None:
                return "never given back" not in what
        except (AssertionError, EndlessError, KeyError, IndexError, ValueError, TypeError):
            return True  # it does not run at all
    return False


@pytest.mark.parametrize(("kind", "most"), KINDS)
def test_wrong_forms_are_not_accepted(kind: type[TensorProgram], most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.walk.MOST_OPS", 3_000)
    wrong = right = proved = 0
    for number in range(10_000):
        if wrong >= most:
            break
        rng = random.Random(number)
        program = kind(rng)
        source = parse(CONTEXT, program.text, "tensors.mlir")
        form = source.clone()
        way = BufferizePass(rng.choice(["alloc", "argument", "none"]), rng.choice(["return", "out"]))
        try:
            way.decide(CONTEXT, form, topological_order(functions_of(form)))
            if not any(attrs.has_decisions(op) for op in form.walk()):
                continue  # the pass would change the program before it makes the form
            way.apply(CONTEXT, form)
        except LastuseError:
            continue
        runs = runs_of(source, random.Random(5), 4)
        if not runs:
            continue
        right += 1
        if not accepted(source, form):
            continue
        proved += 1
        for _ in range(TRIES):
            mutant = form.clone()
            with suppress(VerifyException):
                if mutate(mutant, rng):
                    mutant.verify()
                    if is_wrong(mutant, program, runs):
                        wrong += 1
                        assert not accepted(source, mutant), f"{number}\n{program.text}\n{mutant}"
    assert wrong >= most
    assert proved > right * 0.9, (proved, right)
