"""Programs that paddlepaddle 2.6.2 writes, trained here as there: losses, parameters, memory."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import lastuse
from lastuse.compiler.driver import context, prepare, read
from lastuse.compiler.pipeline import Pipeline
from lastuse.compiler.training_program import TrainingProgram
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage.assignment import PlaceKind, assign_places
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.layout import aligned
from lastuse.frontends.bindings import Bindings
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.verify_storage import VerifyStoragePass
from support import ROOT, opt_tool, run_line

sys.path.append(str(ROOT / "bench"))

import peers

SCRIPT = Path(__file__).parent / "write_paddle_programs.py"
PROGRAMS = ["mlp-sgd", "mlp-momentum", "mlp-adam", "mlp-clipped", "lenet-momentum", "lenet-adam"]
PROGRAMS += ["pointwise", "attention", "words", "distributions"]
ROUNDED = re.compile(r"conv2d_\d\.b_0|batch_norm_\d\.w_1$")
"""A bias before a batch normalisation has no influence on the loss: its gradient is what is left of rounding, which
adam brings to the size of others. The running mean follows the bias."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs."""
    python = peers.interpreter("paddle")
    if python is None:
        pytest.skip("no paddlepaddle under build/peers (make paddle)")
    folder = tmp_path_factory.mktemp("paddle")
    done = subprocess.run([python, SCRIPT, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def step(folder: Path, **options: object) -> TrainingProgram:
    program = lastuse.compile(folder, threads=1, **options)  # pyright: ignore
    assert isinstance(program, TrainingProgram)
    return program


def batches(folder: Path, program: TrainingProgram) -> list[dict[str, np.ndarray]]:
    with np.load(folder / "run.npz") as run:
        return [{name: run[name][k] for name in program.inputs} for k in range(len(run["losses"]))]


def train(folder: Path, program: TrainingProgram) -> list[float]:
    """The losses of all steps."""
    results = [program.run(batch) for batch in batches(folder, program)]
    assert all(len(result) == 1 for result in results)
    return [float(value) for result in results for value in next(iter(result.values())).reshape(-1)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_losses_and_parameters_are_those_of_paddle(written: Path, name: str) -> None:
    program = step(written / name)
    with np.load(written / name / "run.npz") as run:
        np.testing.assert_allclose(train(written / name, program), run["losses"], rtol=1e-4, atol=1e-7)
    with np.load(written / name / "after.npz") as after:
        assert set(program.parameters) <= set(after.files)
        for parameter, array in program.parameters.items():
            if not ROUNDED.match(parameter):
                np.testing.assert_allclose(array, after[parameter], rtol=1e-3, atol=1e-5, err_msg=parameter)


@pytest.mark.parametrize("name", ["lenet-adam", "attention"])
def test_planned_and_naive_steps_have_the_same_bits(written: Path, name: str) -> None:
    programs = [step(written / name), step(written / name, inplace=False, plan=False)]
    losses = [train(written / name, program) for program in programs]
    assert losses[0] == losses[1]
    for parameter, array in programs[0].parameters.items():
        assert array.tobytes() == programs[1].parameters[parameter].tobytes(), parameter


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_arena_is_not_larger_than_by_the_rules_of_the_transpiler(written: Path, name: str) -> None:
    """Neither with its in-place rules and our offsets, nor with its pool."""
    folder = written / name
    ours, theirs = step(folder), step(folder, strategy="transpiler", schedule=False)
    for program in (ours, theirs):
        program.run(batches(folder, program)[0])
    assert ours.memory.arena_bytes <= theirs.memory.arena_bytes
    shapes = {name: array.shape for name, array in batches(folder, ours)[0].items()}
    assert ours.memory.arena_bytes <= pooled_bytes(folder, shapes)


def pooled_bytes(folder: Path, shapes: Mapping[str, tuple[int, ...]]) -> int:
    """Bytes of the storages that the transpiler leaves, pool first and then in place; scratch is not counted."""
    ctx = context()
    module = read(ctx, folder, None, Bindings(shapes))
    prepare(Pipeline(ctx), module)
    for pass_ in (MemoryPlanPass("pool"), InplacePass("transpiler"), VerifyStoragePass()):
        pass_.apply(ctx, module)
    func = main_function(module)
    places = assign_places(func, Decisions.of(func).unplanned())
    sizes: dict[object, int] = {}
    for value, (storage, _) in places.of.items():
        size = places.sizes[value].bytes
        assert isinstance(size, int)
        if storage.kind in (PlaceKind.OWN, PlaceKind.NUMBERED):
            sizes[storage] = max(sizes.get(storage, 0), aligned(size))
    return sum(sizes.values())


def test_the_tools_read_it_and_its_text(written: Path, tmp_path: Path) -> None:
    """`run-tool` trains from what the program says it starts from, as text too: the first loss is Paddle's."""
    folder = written / "mlp-adam"
    with np.load(folder / "run.npz") as run:
        np.savez(tmp_path / "batch.npz", x=run["x"][0], y=run["y"][0])
        expected = run["losses"][0]
    done = opt_tool("--plan-pass", "--verify-storage-pass", str(folder), "-o", str(tmp_path / "step.mlir"))
    assert done.status == 0, done.err
    for model in (folder, tmp_path / "step.mlir"):
        losses = tmp_path / "losses.npz"
        done = run_line(f"run-tool {model} --inputs {tmp_path / 'batch.npz'} --outputs {losses} --repeat 2")
        assert done.status == 0, done.err
        with np.load(losses) as arrays:
            (loss,) = (arrays[name] for name in arrays.files)
        np.testing.assert_allclose(loss, expected, rtol=1e-5)
    assert run_line(f"run-tool {folder}").status == 0, "on zeros, but with its own parameters"


@pytest.mark.parametrize("options", [{}, {"inplace": False, "plan": False}])
def test_a_forward_loop_and_branches_give_the_results_of_paddle(written: Path, options: dict[str, bool]) -> None:
    program = lastuse.compile(written / "loops", threads=1, **options)  # pyright: ignore
    with np.load(written / "loops" / "runs.npz") as runs:
        for k in range(len(runs["n"])):
            results = program.run({"x": runs["x"][k], "n": runs["n"][k]})
            assert len(results) == 3
            for number, array in enumerate(results.values()):
                np.testing.assert_allclose(array, runs[f"result{number}"][k], rtol=1e-5, atol=1e-6)
