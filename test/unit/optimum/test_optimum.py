"""`strategy=optimal` against exhaustive search, and against every other strategy.

`LASTUSE_OPTIMUM=20000 pytest test/unit/optimum` compares that many programs, however many plans they have; without, as
many as are compared in a few seconds.
"""

from __future__ import annotations

import os

import pytest
from unit.strategies.corpus import cases, function, planned, runner
from xdsl.dialects.func import FuncOp

from lastuse.compiler import context
from lastuse.dialect.layout import Strided
from lastuse.dialect.place import places
from lastuse.frontends.mlir import parse
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from lastuse.passes.strategies import STRATEGIES

from .exhaustive import Search, TooManyPlansError, worth
from .programs import program

PROGRAMS = int(os.environ.get("LASTUSE_OPTIMUM", "0"))
GROUPS = PROGRAMS // 100 or 10
EACH = 100 if PROGRAMS else 40
"""Programs of a group."""
CHECKS = 1 << 30 if PROGRAMS else 24
"""So often the checker may be asked about plans of one program; programs that take more are left out."""


def decided(text: str, strategy: str = "optimal") -> FuncOp:
    """The function of a module, decided; the checker accepts it, and nothing in it is void."""
    ctx = context()
    module = parse(ctx, text, "test.mlir")
    InplacePass(strategy).apply(ctx, module)
    func = next(op for op in module.walk() if isinstance(op, FuncOp))
    assert [v.message for v in check(func)] == [], (strategy, text)
    assert not places(func).void, (strategy, text)
    return func


@pytest.mark.parametrize("group", range(GROUPS))
def test_equals_exhaustive_search(group: int) -> None:
    compared = 0
    for seed in range(group * EACH, (group + 1) * EACH):
        text = program(seed)
        have = worth(decided(text))
        search = Search(function(text), limit=CHECKS)
        try:
            better = search.run(have)
        except TooManyPlansError:
            continue
        compared += 1
        assert better is None, f"program {seed} has {have}, better is {better}:\n{search.text}"
    assert compared >= EACH * 0.6


@pytest.mark.parametrize("seed", [0, 3, 5, 8])
def test_the_search_leaves_no_plan_out(seed: int) -> None:
    text = program(seed)
    assert Search(function(text)).run() == Search(function(text), thorough=True).run()


@pytest.mark.parametrize("seed", range(0, 60, 2))
def test_no_strategy_is_better_on_programs(seed: int) -> None:
    text = program(seed)
    best = worth(decided(text))
    assert best >= max(worth(decided(text, strategy)) for strategy in STRATEGIES)
    assert planned("optimal", text).proved


@pytest.mark.parametrize("system", ["paddle_onednn_inplace", "nntrainer_inplace", "torch_fx_reinplace"])
def test_no_strategy_is_better_on_cases(system: str) -> None:
    run, seen = runner(), 0
    for case in cases(system):
        if not run.runnable(case):
            continue
        text = run.Function(case).text
        assert planned("optimal", text).proved, case["id"]
        if not is_known(function(text)):
            continue
        best = worth(decided(text))
        for strategy in STRATEGIES:
            assert best >= worth(decided(text, strategy)), (case["id"], strategy)
        seen += 1
    assert seen > 30


def is_known(func: FuncOp) -> bool:
    """All sizes are known."""
    return all(isinstance(place.layout, Strided) for place in places(func).of.values())
