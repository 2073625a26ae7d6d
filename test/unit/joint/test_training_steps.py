"""Steps of training: the order, with parameters updated in place, is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastuse.compiler.driver import context, read
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.passes.backward import BackwardPass
from lastuse.passes.memory.allocation_problem import problem_of
from lastuse.passes.scheduling.joint_planning import PlanSearch

NETWORKS = Path(__file__).parents[3] / "examples/training/networks"


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
