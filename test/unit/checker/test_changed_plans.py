"""Plans as passes make them, each decision changed in every way, with branches, loops, blocks and foreign ops: the
checker never accepts what a byte-by-byte run finds wrong, and seldom refuses what no run does.

`LASTUSE_EFFORT=100` tries a hundred times as many, among them every case of the corpus in ../shared, and every change.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

import pytest
from generate import random_program
from generate.flow import random_flow_program
from generate.training import training_program
from oracle import EFFORT, Oracle, Unsupported
from perturb import perturbations
from strategies.corpus import cases, function, runner
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory_plan import MemoryPlanPass

SYSTEMS = {
    "paddle_onednn_inplace": "paddle",
    "nntrainer_inplace": "nntrainer",
    "torch_fx_reinplace": "reinplace",
    "paddle_memory_liveness": "transpiler",
}
SEARCHED = 12
"""`optimal` decides programs of no more ops here: what it decides is not the point."""


def fuzzed(program: Callable[[int], str], count: int) -> Iterator[tuple[str, FuncOp]]:
    """The first programs without calls, which the oracle does not run."""
    texts = ((seed, text) for seed in itertools.count() if "func.call" not in (text := program(seed)))
    for seed, text in itertools.islice(texts, count):
        yield str(seed), function(text)


def corpus(count: int) -> Iterator[tuple[str, FuncOp]]:
    """Some cases of each system, or all."""
    run = runner()
    for system in SYSTEMS:
        runnable = [c for c in cases(system) if run.runnable(c)]
        for case in random.Random(1).sample(runnable, min(count, len(runnable))):
            yield case["id"], function(run.Function(case).text)


PROGRAMS: dict[str, Callable[[], Iterator[tuple[str, FuncOp]]]] = {
    "straight": lambda: fuzzed(lambda seed: random_program(seed).text, 3 * EFFORT),
    "flow": lambda: fuzzed(lambda seed: random_flow_program(seed).text, 6 * EFFORT),
    "steps of training": lambda: fuzzed(lambda seed: str(training_program(seed)), 3 * EFFORT),
    "cases": lambda: corpus(2 * EFFORT),
}
EACH = 8 if EFFORT == 1 else 20 if EFFORT < 100 else 1 << 30
"""Changes tried of one plan."""


@pytest.mark.parametrize("kind", PROGRAMS)
def test_changed_plan_that_is_accepted_runs_right(kind: str) -> None:
    right = refused = wrong = 0
    for name, func in PROGRAMS[kind]():
        rng = random.Random(name)
        what = _decide(func, rng)
        chosen = set(rng.sample(range(count := sum(1 for _ in perturbations(func))), min(count, EACH)))
        for number, change in enumerate(perturbations(func)):
            if number not in chosen:
                continue
            accepted = not check(func)
            try:
                runs_right = Oracle(func).right(3, number) and (accepted or Oracle(func).right(40, number))
            except Unsupported:
                continue
            assert runs_right or not accepted, f"a wrong plan was accepted: {kind} {name}, {what}, {change}"
            right += runs_right
            refused += runs_right and not accepted
            wrong += not runs_right
    assert refused <= max(0.03 * right, 1)
    assert right > 5
    assert wrong > 1 or EFFORT == 1


def _decide(func: FuncOp, rng: random.Random) -> str:
    """Decisions of some strategy, and perhaps of a planner."""
    module = func.parent_op()
    assert isinstance(module, ModuleOp)
    few = len(list(func.walk())) <= SEARCHED
    strategy = rng.choice(["reinplace", "nntrainer", "transpiler", *["optimal"] * few])
    InplacePass(strategy=strategy).apply(context(), module)
    algorithm = rng.choice(["", "pool", "greedy"])
    if algorithm:
        MemoryPlanPass(algorithm=algorithm).apply(context(), module)
    return f"{strategy} {algorithm}"
