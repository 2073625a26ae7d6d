"""The memory of steps of training: the table in docs/training.md, and that no other way to plan takes less."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from test_training_networks import networks

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.tools.printer import printed
from support import ROOT, swept

_spec = importlib.util.spec_from_file_location("training_memory", ROOT / "bench" / "training_memory.py")
assert _spec is not None and _spec.loader is not None
bench = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(bench)

OF_FRAMEWORK = {"lenet": 0.45, "resnet18": 0.52, "tagger_crf": 0.6, "transformer": 0.25, "lstm_cells": 0.35}
"""How much of what the framework's order takes a step may take."""


@pytest.mark.parametrize("network", swept(bench.NETWORKS))
def test_a_step_takes_less_than_by_other_rules(network: str) -> None:
    found = bench.sizes(network)
    assert found.compiled <= OF_FRAMEWORK[network] * found.framework
    assert found.planned <= min(found.nntrainer, found.pool, found.mirrored, found.framework)
    assert found.bound == found.compiled <= found.planned
    row = f"| {network} | " + " | ".join(f"{number:,}" for number in found) + " |"
    assert row in (ROOT / "docs" / "training.md").read_text(), row


def test_more_sequences_leave_less_to_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = networks.NETWORKS["transformer"](batch=8)
    (tmp_path / "wide.mlir").write_text(printed(main_function(module), context()))
    monkeypatch.setattr(bench, "FOLDER", tmp_path)
    found = bench.sizes("wide")
    assert round(found.compiled / found.framework, 2) == 0.75


@pytest.mark.parametrize("network", ["lenet", "transformer"])
def test_states_of_an_optimizer_need_no_memory(network: str) -> None:
    """They are the caller's, and are updated in place; Paddle's pool alone shares their memory. Gradients that are
    added to them need none, either."""
    sgd, momentum = (bench.sizes(network, optimizer)._replace(pool=0) for optimizer in ("sgd", "momentum"))
    assert momentum._replace(compiled=0, bound=0) == sgd._replace(compiled=0, bound=0)
    assert momentum.compiled <= sgd.compiled
