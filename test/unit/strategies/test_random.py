"""Random programs: what any strategy decides, and the pool before or after it, is accepted by the checker."""

from __future__ import annotations

import pytest
from generate import random_program
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from lastuse.compiler import context
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.strategies import STRATEGIES

PROGRAMS = 12
SEARCHED = 4
"""Programs for `optimal`, which searches."""
POOL = (MemoryPlanPass(algorithm="pool"), MemoryPlanPass(algorithm="pool", level=1))


def pipelines(strategy: str) -> list[list[ModulePass]]:
    """The strategy alone, and with the pool on either side; then offsets on top of both."""
    decide = InplacePass(strategy=strategy)
    around: list[list[ModulePass]] = [[decide], *([decide, p] for p in POOL), *([p, decide] for p in POOL)]
    return [*around, [decide, POOL[1], MemoryPlanPass(algorithm="greedy")]]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_checker_accepts(strategy: str) -> None:
    ctx, decided = context(), 0
    for seed in range(SEARCHED if strategy == "optimal" else PROGRAMS):
        module: ModuleOp = random_program(seed).module
        for passes in pipelines(strategy):
            copy = module.clone()
            for one in passes:
                one.apply(ctx, copy)
            func = next(op for op in copy.walk() if isinstance(op, FuncOp))
            assert check(func) == [], (seed, passes)
            decided += any("dnn.inplace" in op.attributes for op in func.walk())
    assert decided or strategy == "paddle", "paddle decides where oneDNN is asked for; the programs rarely do"
