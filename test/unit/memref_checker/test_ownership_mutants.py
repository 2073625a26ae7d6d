"""Forms of generated programs that leave memory, give it back twice or use it after that are refused or not proved.

`LASTUSE_EFFORT=20` tries more programs.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence

import pytest
from arm_programs import ArmProgram
from block_programs import BlockProgram
from cut_programs import CutProgram
from edge_programs import EdgeProgram
from memref_fuzz import CONTEXT, WAYS, kept_arguments, runs_of
from ownership_mutants import ownership_mutants
from shape_programs import ShapeProgram
from size_programs import SizeProgram
from start_programs import StartProgram
from tensor_programs import TensorProgram
from test_form_mutants import is_wrong
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes import bufferize
from lastuse.passes.memref_checker import Unproved, check
from support import swept

EFFORT = int(os.environ.get("LASTUSE_EFFORT", "1"))
EACH = 4
"""Programs of one kind that are tried in one test."""
RUNS = 4
KINDS = [SizeProgram, BlockProgram, ArmProgram, TensorProgram, ShapeProgram, CutProgram, StartProgram, EdgeProgram]
FOUND = {
    SizeProgram: (63, 97),
    BlockProgram: (14, 137),
    ArmProgram: (16, 98, 153),
    TensorProgram: (50, 56, 99),
    ShapeProgram: (120, 160),
    CutProgram: (92, 119, 156),
    StartProgram: (5, 33, 68),
}
"""Programs with a form of which a mutant was proved that leaves memory."""


class Formed:
    """What the pass gives the checker: functions on tensors, their form, and functions without a body."""

    def __init__(self) -> None:
        self.modules: list[tuple[Sequence[FuncOp], ModuleOp, Sequence[FuncOp]]] = []

    def check(self, sources: Sequence[FuncOp], form: ModuleOp, declared: Sequence[FuncOp] = ()) -> list[Unproved]:
        unproved = check(sources, form, declared)
        if not unproved:
            self.modules.append((list(sources), form.clone(), list(declared)))
        return unproved


def is_proved(sources: Sequence[FuncOp], form: ModuleOp, declared: Sequence[FuncOp]) -> bool:
    """The checker neither refuses a form nor leaves it unproved."""
    try:
        return not check(sources, form, declared)
    except LastuseError:
        return False


def refused(kind: type[TensorProgram], number: int, formed: Formed) -> int:
    """How many mutants of the form of a program are not proved; those that are proved are right in every run."""
    rng = random.Random(number)
    program, way = kind(rng), rng.choice(WAYS)
    module = parse(CONTEXT, program.text, "tensors.mlir")
    runs, kept = runs_of(module, rng, 24, RUNS), kept_arguments(way, program.writable)
    formed.modules.clear()
    way.apply(CONTEXT, module)
    count = 0
    for sources, form, declared in formed.modules:
        assert not is_wrong(form, kept, runs), number
        for what, mutant in ownership_mutants(form):
            proved = is_proved(sources, mutant, declared)
            assert not proved or not is_wrong(mutant, kept, runs), f"{number}: {what}\n{program.text}\n{mutant}"
            count += not proved
    return count


@pytest.fixture
def formed(monkeypatch: pytest.MonkeyPatch) -> Formed:
    monkeypatch.setattr("interpreter.walk.MOST_OPS", 10_000)
    formed = Formed()
    monkeypatch.setattr(bufferize, "check", formed.check)
    return formed


@pytest.mark.parametrize("kind", FOUND)
def test_mutants_that_were_proved_are_refused(kind: type[TensorProgram], formed: Formed) -> None:
    assert sum(refused(kind, number, formed) for number in FOUND[kind]) >= 10


@pytest.mark.parametrize("kind, part", swept(((k, p) for p in range(4 * EFFORT) for k in KINDS), len(KINDS)))
def test_wrong_mutants_are_refused(kind: type[TensorProgram], part: int, formed: Formed) -> None:
    for number in range(part * EACH, (part + 1) * EACH):
        refused(kind, number, formed)
