"""Steps of training: the order, with parameters updated in place, is proved where sums of bytes are exact."""

from __future__ import annotations

from pathlib import Path

import pytest

import lastuse
from lastuse.compiler.driver import context, read
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.passes.backward import BackwardPass
from lastuse.passes.memory.allocation_problem import problem_of
from lastuse.passes.scheduling.joint_planning import PlanSearch

EXAMPLES = Path(__file__).parents[3] / "examples/training"
NETWORKS = EXAMPLES / "networks"


@pytest.mark.parametrize("name", ["lenet", "lstm", "resnet18", "tagger_crf", "transformer"])
def test_order_of_a_step_is_proved(name: str) -> None:
    """With the arena at the bound: no order, and no choice of what is written over what, takes fewer bytes."""
    ctx = context()
    module = read(ctx, NETWORKS / f"{name}.mlir")
    BackwardPass(optimizer="momentum").apply(ctx, module)
    selected = PlanSearch().run(main_function(module))
    assert selected.proved
    assert selected.best.program is not None
    problem = problem_of(selected.best.program)
    assert problem is not None
    placed = problem.placed()
    assert placed.peak == placed.bound


def test_results_over_parts_of_a_value_are_measured() -> None:
    """The gradient of each GRU is written over its half of the states of both, which sums of bytes do not count: of
    orders that they take for equal, the one with the smaller arena is chosen."""
    inputs = {"words": (371,), "offsets": (17,), "tags": (371,)}
    sgd, momentum = (
        lastuse.compile(EXAMPLES / "tagger.mlir", optimizer=optimizer, inputs=inputs, threads=1).memory.arena_bytes
        for optimizer in ("sgd", "momentum")
    )
    assert momentum <= sgd
