"""Programs with slices at run-time offsets: what the checker accepts gives the program's values, and what every
strategy decides is accepted."""

from __future__ import annotations

import os
import random
from collections import Counter
from contextlib import suppress

import pytest
from slice_memory import OutOfBounds, SliceMemory, WrongPlan
from slice_programs import SliceProgram
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32
from xdsl.dialects.func import FuncOp
from xdsl.dialects.tensor import InsertSliceOp
from xdsl.ir import Operation

from lastuse.compiler.driver import context
from lastuse.dialect.storage.contract import contract_of
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes import checker
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from support import swept

EFFORT = int(os.environ.get("LASTUSE_EFFORT", "1"))
CONTEXT = context()
RUNS = 6
DECISIONS = {"dnn.inplace", "dnn.parts", "dnn.reuse", "dnn.copy"}


def main(module: ModuleOp) -> FuncOp:
    return next(op for op in module.walk() if isinstance(op, FuncOp))


def is_right(function: FuncOp, seed: int) -> bool | None:
    """Whether the plan is right in several runs; None where without decisions none of them stays in bounds."""
    rng, held = random.Random(seed), False
    undecided = function.clone()
    for op in undecided.walk():
        for name in DECISIONS & op.attributes.keys():
            del op.attributes[name]
    for _ in range(RUNS):
        indices = [rng.randint(0, 8), rng.randint(0, 8), rng.randint(1, 4)]
        count = rng.choice([24, 30])
        with suppress(OutOfBounds):
            SliceMemory(undecided, rng, indices, count).run()
            try:
                SliceMemory(function, rng, indices, count).run()
            except WrongPlan:
                return False
            held = True
    return True if held else None


def changed(function: FuncOp, rng: random.Random) -> None:
    """One or two ops get another decision, right or wrong."""
    ops = [op for op in function.walk() if choices(op)]
    for op in rng.sample(ops, min(len(ops), rng.randint(1, 2))):
        op.attributes["dnn.inplace"] = DenseArrayBase.from_list(i32, [rng.choice(choices(op))])
    inserts = [op for op in function.walk() if isinstance(op, InsertSliceOp)]
    for op in rng.sample(inserts, min(len(inserts), rng.randint(0, 2))):
        if "dnn.parts" in op.attributes:
            del op.attributes["dnn.parts"]
        else:
            op.attributes["dnn.parts"] = DenseArrayBase.from_list(i32, [0])


def choices(op: Operation) -> list[int]:
    """Operands that a decision may name."""
    if op.name == "scf.for" and op.results:
        return [-1, 3]
    return [-1, *(o.operand for o in contract_of(op).over)] if op.results and contract_of(op).over else []


@pytest.mark.parametrize("seed", swept(range(4)))
def test_accepted_plans_of_programs_with_slices_are_right(seed: int) -> None:
    seen = Counter[str]()
    for number in range(seed * 15 * EFFORT, (seed + 1) * 15 * EFFORT):
        rng = random.Random(number)
        text = SliceProgram(rng).text
        for strategy in STRATEGIES:
            module = parse(CONTEXT, text, "slices.mlir")
            InplacePass(strategy).apply(CONTEXT, module)
            function = main(module)
            assert not checker.check(function), f"{number} {strategy}\n{text}"
            assert is_right(function, number) is not False, f"{number} {strategy}\n{text}"
            for change in range(3):
                mutant = module.clone()
                changed(main(mutant), random.Random(number * 10 + change))
                accepted = not checker.check(main(mutant))
                right = is_right(main(mutant), number)
                assert not accepted or right is not False, f"{number} {strategy} {change}\n{mutant}"
                seen["wrong and refused"] += right is False and not accepted
                seen["right and accepted"] += right is True and accepted
                seen["right and refused"] += right is True and not accepted
    assert seen["wrong and refused"] and seen["right and accepted"], seen
