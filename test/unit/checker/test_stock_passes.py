"""xDSL's own passes before, between and after ours: what is stale is dropped, and what is left is right.

That something is stale at all is seldom by chance; the tests in test/lit/stock-passes show it.
"""

from __future__ import annotations

import random

import pytest
from generate.flow import random_flow_program
from oracle import EFFORT, Oracle, Unsupported
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.checker import check
from lastuse.passes.checker.repair import repair
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory_plan import MemoryPlanPass

STOCK: list[ModulePass] = [CommonSubexpressionElimination(), DeadCodeElimination(), CanonicalizePass()]


def test_decisions_around_stock_passes_are_right_or_rejected() -> None:
    for seed in range(8 * EFFORT):
        rng = random.Random(seed)
        module: ModuleOp = parse(context(), random_flow_program(seed).text, "test.mlir")
        decide = InplacePass(strategy=rng.choice(["reinplace", "nntrainer", "transpiler"]))
        for ours in (None, decide, MemoryPlanPass(algorithm="pool")):
            for one in ([ours] if ours is not None else []) + rng.sample(STOCK, rng.randint(1, 3)):
                one.apply(context(), module)
        func = next(op for op in module.walk() if isinstance(op, FuncOp))
        _, wrong = repair(func)
        assert not wrong, seed
        assert not check(func), seed
        try:
            assert Oracle(func).right(3, seed), seed
        except Unsupported:
            continue


@pytest.mark.parametrize("one", STOCK, ids=lambda p: p.name)
def test_program_without_decisions_stays_right_after_stock_passes(one: ModulePass) -> None:
    for seed in range(4 * EFFORT):
        module: ModuleOp = parse(context(), random_flow_program(seed).text, "test.mlir")
        one.apply(context(), module)
        assert check(next(op for op in module.walk() if isinstance(op, FuncOp))) == [], seed
