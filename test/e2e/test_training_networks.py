"""The networks of `examples/training/networks`: a step's gradients against differences of the loss that the interpreter
computes in float64, and against PyTorch."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from interpreter import interpret
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import lastuse
from lastuse.compiler.driver import context
from lastuse.compiler.program_signature import signature_of
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import argument_name
from support import ROOT

Array = np.ndarray
Arrays = Mapping[str, Array]
FOLDER = ROOT / "examples" / "training" / "networks"
_spec = importlib.util.spec_from_file_location("write_networks", FOLDER / "write_networks.py")
assert _spec is not None and _spec.loader is not None
networks = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(networks)

SMALL: Mapping[str, dict[str, int]] = {
    "lenet": {"batch": 3, "pixels": 16},
    "resnet18": {"batch": 2, "pixels": 16, "width": 4},
    "transformer": {"batch": 2, "words": 5, "width": 8, "heads": 2, "hidden": 12},
    "tagger_crf": {"rows": 9, "sentences": 3, "words": 7, "width": 4, "tags": 3},
    "lstm": {"steps": 3, "batch": 2, "inputs": 4, "width": 5},
    "lstm_cells": {"steps": 3, "batch": 2, "inputs": 4, "width": 5},
}
STEP = 1e-6


def arrays(module: ModuleOp, seed: int = 0) -> dict[str, Array]:
    """Arguments of a network, in its order: labels in range, scales and variances around 1, weights small."""
    rng = np.random.default_rng(seed)
    classes = {"y": 10, "words": 7, "tags": 3}
    made: dict[str, Array] = {}
    for name, spec in signature_of(main_function(module)).inputs.items():
        shape = [size for size in spec.shape if isinstance(size, int)]
        if name == "offsets":
            rows = np.sort(rng.integers(0, len(made["words"]) + 1, shape[0] - 2))
            made[name] = np.concatenate([[0], rows, [len(made["words"])]]).astype(np.int64)
        elif spec.dtype == np.int64:
            made[name] = rng.integers(0, classes[name], shape)
        else:
            values = rng.normal(size=shape)
            if name not in ("x", "target"):
                values *= 1 / np.sqrt(np.prod(shape[1:])) if len(shape) > 1 else 0.1
            if "norm" in name and name.endswith(("weight", "variance")):
                values += 1
            made[name] = values.astype(np.float32)
    return made


def trained(module: ModuleOp) -> list[str]:
    """The names of what is trained."""
    arguments = main_function(module).body.block.args
    return [argument_name(a) for a in arguments if attrs.TRAINABLE in attrs.argument_attributes(a)]


def losses_of(module: ModuleOp) -> Callable[[Arrays], float]:
    """The loss, which is the last result, as a function of arguments, by the interpreter in float64."""
    wide = Parser(context(), str(module).replace("f32", "f64")).parse_module()
    return lambda given: float(interpret(wide, list(given.values()))[-1])


@pytest.mark.parametrize("name", networks.NETWORKS)
def test_the_files_are_what_the_builder_writes(name: str) -> None:
    assert (FOLDER / f"{name}.mlir").read_text() == networks.text(name)


@pytest.mark.parametrize("name", networks.NETWORKS)
def test_gradients_are_differences_of_the_loss(name: str) -> None:
    module = networks.NETWORKS[name](**SMALL[name])
    given = arrays(module)
    results = lastuse.compile(module, loss="loss", threads=1).run(given)
    loss = losses_of(module)
    wide = {key: array.astype(np.float64) if array.dtype == np.float32 else array for key, array in given.items()}
    np.testing.assert_allclose(results["loss"], loss(wide), rtol=1e-5)
    rng = np.random.default_rng(1)
    for parameter in trained(module):
        gradient = results[f"{parameter}.gradient"].astype(np.float64)
        direction = rng.choice([-1.0, 1.0], gradient.shape)
        moved = [loss({**wide, parameter: wide[parameter] + sign * STEP * direction}) for sign in (1, -1)]
        difference = (moved[0] - moved[1]) / (2 * STEP)
        found = (gradient * direction).sum()
        assert abs(found - difference) <= 1e-4 * np.abs(gradient).sum() + 1e-6, parameter
