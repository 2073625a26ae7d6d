"""Strategies on ops that are nothing but their contracts: they may count on no more than what an op declares.

The programs have what no op of ours has: kernels of which each result has an operand of its own, that read an operand
only here, that may not repeat one; and decisions of every kind made before.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest
from exhaustive import is_best
from objective import worth
from toy import generate
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.passes.checker import check
from lastuse.passes.checker.repair import repair
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES

EFFORT = int(os.environ.get("LASTUSE_EFFORT", "1"))
GROUPS, EACH = 4 * EFFORT, 12
CONTEXT = context()


def decided(func: FuncOp, strategy: str) -> FuncOp:
    """The function as a strategy decides it."""
    module = func.parent_op()
    assert isinstance(module, ModuleOp)
    InplacePass(strategy).apply(CONTEXT, module)
    return func


ONCE_WRONG = (48, 125, 328, 496, 593, 715)
"""A view that a plan has a place for; a pad that lies over its operand; a part that is void; an op that goes over what
a later one lies over already; a concat that lies over its one operand; a copy that is there already."""


@pytest.mark.parametrize("seeds", [ONCE_WRONG, *(range(n * EACH, (n + 1) * EACH) for n in range(GROUPS))], ids=str)
def test_every_strategy_decides_right_plans(seeds: Sequence[int]) -> None:
    """Undecided programs, and programs with earlier decisions that the checker accepts."""
    for seed in seeds:
        for strategy in STRATEGIES:
            for earlier in (False, True):
                func = generate(seed, earlier)
                repair(func)
                wrong = check(decided(func, strategy))
                assert not wrong, f"program {seed}, {strategy}: {wrong[0].message}\n{func}"


@pytest.mark.parametrize("group", range(GROUPS))
def test_no_strategy_and_no_plan_beats_the_optimum(group: int) -> None:
    """All plans are tried where they can be enumerated."""
    compared = 0
    for seed in range(group * EACH, (group + 1) * EACH):
        best = worth(decided(generate(seed, False), "optimal"))
        for strategy in STRATEGIES:
            assert worth(decided(generate(seed, False), strategy)) <= best, (seed, strategy)
        compared += is_best(generate(seed, False), best, 40 * EFFORT, f"{seed}")
    assert compared > EACH * 0.4
