"""Training with steps that are planned gives, over 100 steps, the bits of training with steps that share no memory.

`LASTUSE_STEPS=1000 pytest test/e2e/test_planned_steps.py` takes more.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
from fuzz_inputs import same_bits
from test_training_networks import SMALL, arrays, networks, trained
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from support import ROOT

STEPS = int(os.environ.get("LASTUSE_STEPS", "100"))
EXAMPLES = ROOT / "examples" / "training"
NETWORKS = {"digits": "momentum", "tagger": "adam", **dict.fromkeys(SMALL, "adam"), "resnet18": "momentum"}
"""The optimizer of each network."""


def network(name: str) -> ModuleOp:
    """A network, small where it is written for any size."""
    if name in SMALL:
        return networks.NETWORKS[name](**SMALL[name])
    return parse(context(), (EXAMPLES / f"{name}.mlir").read_text().replace("?", "23"), name)


@pytest.mark.parametrize("name", NETWORKS)
def test_steps_that_are_planned_train_as_steps_that_are_not(name: str) -> None:
    optimizer = NETWORKS[name]
    planned = lastuse.compile(network(name), loss="loss", optimizer=optimizer, threads=1)
    naive = lastuse.compile(
        network(name), loss="loss", optimizer=optimizer, threads=1, inplace=False, plan=False, schedule=False
    )
    assert planned.memory.arena_bytes < naive.memory.arena_bytes
    given = arrays(network(name)) | {"lr": np.array(0.01, np.float32)}
    for program in (planned, naive):
        assert given.keys() == program.inputs.keys()
    own = {program: {key: array.copy() for key, array in given.items()} for program in (planned, naive)}
    losses: list[float] = []
    for step in range(STEPS):
        results = [program.run(own[program]) for program in (planned, naive)]
        losses.append(float(results[0]["loss"]))
        for key, one in results[0].items():
            assert same_bits(one, results[1][key]), (key, step)
    for found, other in ((own[planned], own[naive]), (parameters_of(planned), parameters_of(naive))):
        for key, one in found.items():
            assert same_bits(one, other[key]), key
    changed = [not same_bits(own[planned][key], given[key]) for key in trained(network(name))]
    assert changed and all(changed)
    assert losses[-1] < losses[0]


def parameters_of(program: lastuse.Program) -> dict[str, np.ndarray]:
    """The states of the optimizer, which a program keeps."""
    return dict(program.parameters)  # pyright: ignore
