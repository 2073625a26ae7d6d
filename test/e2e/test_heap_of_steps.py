"""What a step of training takes from the heap, counted from outside: its arena, and little more."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from heap_growth import activation_bytes, built_ruler

import lastuse
from support import ROOT

sys.path.insert(0, str(ROOT / "bench"))

import training_steps

BESIDE = 128 << 10
"""Bytes of temporaries: what oneDNN's products of matrices take by themselves, where convolutions are such."""
NAMES = ("digits", "lenet")


@pytest.fixture(scope="module")
def ruler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that counts the heap."""
    return built_ruler(tmp_path_factory)


@pytest.mark.parametrize("name", NAMES)
def test_a_step_takes_its_arena(name: str, ruler: Path, tmp_path: Path) -> None:
    (network,) = (each for each in training_steps.NETWORKS if each.path.stem == name)
    inputs = training_steps.write_inputs(network, tmp_path)
    parameters, batch = network.arrays()
    program = lastuse.compile(network.path, optimizer="momentum", inputs={**parameters, **batch}, threads=1)
    known = program.memory.arena_bytes
    grown = activation_bytes(training_steps.SIDES / "trainers.py", network.path, inputs, ruler)
    assert known <= grown <= known + BESIDE
