"""`check=True`: a loss that is not finite names the step and the op, and changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from saved_net import rewritten

import lastuse
from lastuse.compiler.training_program import TrainingProgram
from lastuse.dialect.dnn.finite_check import NotFiniteError
from support import call

MODEL = """func.func @main(%x: tensor<4x3xf32>) -> (tensor<4x3xf32> {dnn.name = "l"}) {
  %w = "dnn.constant"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %p = "dnn.mul"(%x, %w) : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %l = "dnn.log"(%p) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %q = "dnn.mul"(%l, %l) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %loss = "dnn.reduce_sum"(%q) : (tensor<4x3xf32>) -> tensor<f32>
  func.return %l : tensor<4x3xf32>
}"""
GOOD, BAD = np.ones((4, 3), np.float32), np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1], [1, 1, 1]], np.float32)
RATE = np.array(1e-3, np.float32)


def step(text: str = MODEL, **options: object) -> TrainingProgram:
    chosen: dict[str, object] = {"loss": "loss", "optimizer": "adam", "trainable": "all", "check": True, **options}
    program = lastuse.compile(text.encode(), threads=1, **chosen)  # pyright: ignore[reportArgumentType]
    assert isinstance(program, TrainingProgram)
    return program


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam"])
@pytest.mark.parametrize("in_context", [False, True])
def test_the_step_and_the_op_are_named_and_nothing_changes(optimizer: str, in_context: bool) -> None:
    program = step(optimizer=optimizer)
    run = program.context().run if in_context else program.run
    for _ in range(2):
        run({"x": GOOD, "lr": RATE})
    before = {name: array.copy() for name, array in program.parameters.items()}
    with pytest.raises(NotFiniteError) as raised:
        run({"x": BAD, "lr": RATE})
    text = "step 3: the loss is not finite: dnn.log (l) is the first op that makes -inf of finite numbers"
    assert raised.value.message == text
    assert raised.value.location is not None and raised.value.location.line == 4
    for name, array in program.parameters.items():
        assert array.tobytes() == before[name].tobytes(), name
    assert np.isfinite(run({"x": GOOD, "lr": RATE})["l"]).all()


def test_steps_are_the_same_with_and_without_a_check() -> None:
    programs = step(), step(check=False)
    for seed in range(5):
        x = np.random.default_rng(seed).uniform(1, 2, (4, 3)).astype(np.float32)
        for program in programs:
            program.run({"x": x, "lr": RATE})
    for name, array in programs[0].parameters.items():
        assert array.tobytes() == programs[1].parameters[name].tobytes(), name


def test_gradients_without_an_optimizer_are_checked_too() -> None:
    program = step(optimizer=None)
    with pytest.raises(NotFiniteError, match=r"step 1: the loss is not finite: dnn\.log"):
        program.run({"x": BAD})


def test_an_input_or_a_parameter_may_be_the_cause() -> None:
    program = step(optimizer="sgd")
    with pytest.raises(NotFiniteError, match="step 1: the loss is not finite: x is not finite from the start"):
        program.run({"x": GOOD * np.float32(np.nan), "lr": RATE})
    program.run({"x": GOOD * 0.5, "lr": np.array(np.inf, np.float32)})
    with pytest.raises(NotFiniteError, match="step 2: the loss is not finite: w is not finite from the start"):
        program.run({"x": GOOD, "lr": RATE})


def test_an_infinity_that_does_not_reach_the_loss_is_not_named() -> None:
    text = MODEL.replace("  %p =", '  %z = "dnn.log"(%zero) : (tensor<3xf32>) -> tensor<3xf32>\n  %p =').replace(
        "(%x: tensor<4x3xf32>)", "(%x: tensor<4x3xf32>, %zero: tensor<3xf32>)"
    )
    inputs = {"zero": np.zeros(3, np.float32), "lr": RATE}
    with pytest.raises(NotFiniteError, match=r"dnn.log \(l\)"):
        step(text).run({"x": BAD, **inputs})


STATISTICS = """func.func @main(%x: tensor<4x3xf32>, %w: tensor<3xf32> {dnn.trainable}, %mean: tensor<3xf32>,
    %variance: tensor<3xf32>) -> (tensor<f32> {dnn.loss}, tensor<3xf32> {dnn.name = "mean", dnn.tied = 2 : i32},
    tensor<3xf32> {dnn.name = "variance", dnn.tied = 3 : i32}) {
  %b = "dnn.constant"() {value = dense<0.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %y, %m, %v = "dnn.batch_norm"(%x, %w, %b, %mean, %variance) {training_mode = true} : (tensor<4x3xf32>, tensor<3xf32>,
    tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %l = "dnn.log"(%y) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %loss = "dnn.reduce_sum"(%l) : (tensor<4x3xf32>) -> tensor<f32>
  func.return %loss, %m, %v : tensor<f32>, tensor<3xf32>, tensor<3xf32>
}"""


def test_running_statistics_are_as_before() -> None:
    program = step(STATISTICS, loss=None, trainable=None, optimizer="sgd")
    rng = np.random.default_rng(0)
    arrays = {"x": rng.normal(size=(4, 3)).astype("f"), "w": np.ones(3, "f"), "lr": RATE}
    arrays |= {"mean": np.zeros(3, "f"), "variance": np.ones(3, "f")}
    with pytest.raises(NotFiniteError, match=r"dnn.log \(l\) is the first op that makes nan of finite numbers"):
        program.run(arrays)
    np.testing.assert_array_equal([arrays["mean"], arrays["variance"], arrays["w"]], [[0] * 3, [1] * 3, [1] * 3])


def test_a_check_is_for_training() -> None:
    with pytest.raises(lastuse.LastuseError, match="check is for steps of training"):
        lastuse.compile(MODEL.encode(), check=True)


def test_run_tool_names_the_op(tmp_path: Path) -> None:
    source, written = tmp_path / "model.mlir", tmp_path / "step.mlir"
    source.write_text(
        """func.func @main(%x: tensor<3xf32>, %w: tensor<3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %p = "dnn.mul"(%x, %w) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %l = "dnn.log"(%p) : (tensor<3xf32>) -> tensor<3xf32>
  %loss = "dnn.reduce_sum"(%l) : (tensor<3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}"""
    )
    made = call(
        ["opt-tool", "--backward-pass=optimizer=sgd,check=true", "--plan-pass", str(source), "-o", str(written)]
    )
    assert made.status == 0, made.err
    done = call(["run-tool", str(written)])
    assert done.status == 1
    assert "error: the loss is not finite: dnn.log (l) is the first op that makes -inf of finite numbers" in done.err
    assert done.err.count("error") == 1


def saved_step(folder: Path) -> Path:
    """A file of a step of `STATISTICS` as a function, which updates running statistics before the loss is known."""
    source, written, path = folder / "model.mlir", folder / "step.mlir", folder / "step.lastuse"
    source.write_text(STATISTICS)
    made = call(["opt-tool", "--backward-pass=optimizer=sgd,check=true", str(source), "-o", str(written)])
    assert made.status == 0, made.err
    lastuse.compile(str(written), threads=1).save(path)
    return path


def arrays_of_step(seed: int = 0) -> dict[str, np.ndarray]:
    rng, one = np.random.default_rng(seed), np.ones(3, "f")
    return {"x": rng.normal(size=(4, 3)).astype("f"), "w": one, "mean": 0 * one, "variance": one.copy(), "lr": RATE}


@pytest.mark.parametrize("in_context", [False, True])
@pytest.mark.parametrize("edit", ["none", "earlier"])
def test_a_saved_program_restores_its_inputs(tmp_path: Path, edit: str, in_context: bool) -> None:
    def forget(header: dict[str, Any], _parts: dict[str, bytes]) -> None:
        assert sorted(header.pop("unprotected_inputs")) == ["mean", "variance"]

    path = saved_step(tmp_path)
    program = lastuse.load(path if edit == "none" else rewritten(path, tmp_path, forget))
    arrays = arrays_of_step()
    run = program.context().run if in_context else program.run
    with pytest.raises(NotFiniteError, match=r"dnn.log \(l\) is the first op that makes nan of finite") as raised:
        run(arrays)
    assert raised.value.location is not None and raised.value.location.line > 1
    for name, before in arrays_of_step().items():
        np.testing.assert_array_equal(arrays[name], before, err_msg=name)


def test_a_program_of_a_step_restores_its_inputs_in_a_context(tmp_path: Path) -> None:
    saved_step(tmp_path)
    arrays = arrays_of_step()
    with pytest.raises(NotFiniteError, match=r"dnn.log \(l\)"):
        lastuse.compile(str(tmp_path / "step.mlir"), threads=1).context().run(arrays)
    for name, before in arrays_of_step().items():
        np.testing.assert_array_equal(arrays[name], before, err_msg=name)


@pytest.mark.parametrize("named", [["other"], "mean", [3], 3])
def test_a_saved_program_restores_inputs_that_it_has(tmp_path: Path, named: object) -> None:
    path = rewritten(saved_step(tmp_path), tmp_path, lambda header, _: header.update(unprotected_inputs=named))
    with pytest.raises(lastuse.LastuseError, match="is no file of a saved program"):
        lastuse.load(path)
