"""Forms with a mistake that changes a result, or what is kept, or that leaves memory, are refused; forms without one
are proved.

`LASTUSE_EFFORT=20` makes mistakes in the forms of generated programs too.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import pytest
from form_mutants import mutants
from interpreter import EndlessError
from memref_fuzz import CONTEXT, Run, difference_of, kept_arguments, runs_of
from mutated_programs import PROGRAMS
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
from support import swept

EFFORT = int(os.environ.get("LASTUSE_EFFORT", "1"))
WAYS = [*product(("alloc", "argument", "none"), ("return", "out"))]
RUNS = 4
EACH = 30 if EFFORT == 1 else 1 << 30
"""Mutants of one form that are tried."""


def accepted(source: ModuleOp, form: ModuleOp) -> bool:
    """The checker proves the form."""
    try:
        return not check([*reversed(topological_order(functions_of(source)))], form)
    except LastuseError:
        return False


def is_wrong(form: ModuleOp, kept: list[int], runs: list[Run]) -> bool:
    """The form gives another result in one of several runs, writes what is kept, or leaves memory."""
    for number, run in enumerate(runs):
        try:
            if difference_of(form, run, kept, number) is not None:
                return True
        except (AssertionError, EndlessError, KeyError, IndexError, ValueError, TypeError):
            return True  # it does not run at all
    return False


def formed(text: str, way: tuple[str, str]) -> tuple[ModuleOp, ModuleOp] | None:
    """A program with decisions, to which the pass adds none, and its memref form; None where it has none."""
    source, made = parse(CONTEXT, text, "tensors.mlir"), BufferizePass(*way)
    try:
        made.decide(CONTEXT, source, topological_order(functions_of(source)))
        form = source.clone()
        made.apply(CONTEXT, form)
    except LastuseError:
        return None
    return source, form


def tried(source: ModuleOp, form: ModuleOp, kept: list[int], rng: random.Random, runs: list[Run]) -> Iterator[bool]:
    """Mutants of a form: whether each is wrong; it is then refused."""
    made = [*mutants(form)]
    for what, mutant in rng.sample(made, min(EACH, len(made))):
        with suppress(VerifyException):
            mutant.verify()
            wrong = is_wrong(mutant, kept, runs)
            assert not wrong or not accepted(source, mutant), f"{what}\n{source}\n{mutant}"
            yield wrong


@pytest.mark.parametrize("part", swept(range(2)))
def test_wrong_forms_are_refused(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.walk.MOST_OPS", 3_000)
    seen = Counter[bool]()
    for number, (name, text) in [*enumerate(PROGRAMS.items())][part::2]:
        for way in [*WAYS, *WAYS][number : number + (2 if EFFORT == 1 else 6)]:
            made = formed(text, way)
            assert made is not None, name
            source, form = made
            assert accepted(source, form), f"{name} {way}"
            writable = attrs.writable_arguments(functions_of(source)["main"])
            runs = runs_of(source, random.Random(5), 30)[:RUNS]
            kept = [n for n in range(5) if n not in writable]
            assert len(runs) == RUNS and not is_wrong(form, kept, runs), name
            seen.update(tried(source, form, kept, random.Random(number), runs))
    assert seen[True] >= 150, seen


def test_forms_that_write_what_is_kept_are_refused() -> None:
    """Without the flag that an argument is given away, a form that writes it is wrong."""
    refused = 0
    for name, text in PROGRAMS.items():
        made = formed(text, ("alloc", "return"))
        assert made is not None
        source, form = made
        main = functions_of(source)["main"]
        runs = runs_of(source, random.Random(5), 30)[:RUNS]
        for argument in sorted(attrs.writable_arguments(main)):
            attrs.set_argument_attribute(main, argument, attrs.DONATED, None)
            accept = accepted(source, form)
            kept = [n for n in range(5) if n not in attrs.writable_arguments(main)]
            assert not accept or not is_wrong(form, kept, runs), f"{name} {argument}"
            refused += not accept
    assert refused >= 10


@pytest.mark.parametrize("kind", [TensorProgram, StartProgram])
@pytest.mark.parametrize("number", swept(range(3 * EFFORT)))
def test_wrong_forms_of_generated_programs_are_refused(
    number: int, kind: type[TensorProgram], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.walk.MOST_OPS", 3_000)
    rng = random.Random(number)
    program = kind(rng)
    way = rng.choice(WAYS)
    made = formed(program.text, way)
    if made is None:
        return
    source, form = made
    runs = runs_of(source, random.Random(5), 4)
    assert accepted(source, form), program.text
    kept = kept_arguments(BufferizePass(*way), program.writable)
    for _ in tried(source, form, kept, rng, runs if runs else []):
        pass
