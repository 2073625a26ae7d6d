"""The losses of the examples of training are those of PyTorch from the same start."""

from __future__ import annotations

import sys

import pytest

from support import ROOT

sys.path.append(str(ROOT / "bench"))

import peers
import training_losses


@pytest.mark.parametrize("name", training_losses.EXAMPLES)
def test_losses_of_an_example(name: str) -> None:
    python = peers.interpreter("torch")
    if python is None:
        pytest.skip("no PyTorch under build/peers (python bench/training_steps.py --install)")
    ours, theirs = training_losses.losses(name, 10, 1, python)
    assert len(ours) == 10
    assert training_losses.difference(ours, theirs) <= training_losses.TOLERANCE


def test_a_loss_that_is_no_number_is_far_from_all() -> None:
    assert training_losses.difference([1.0, float("nan")], [1.0, 2.0]) == float("inf")
    assert training_losses.difference([1.0, 2e-5], [1.0, 1e-5]) == pytest.approx(1e-2)
