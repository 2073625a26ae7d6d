"""`lastuse.compile` with a loss and an optimizer: a step of training, against the same in numpy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import lastuse
from lastuse import LastuseError
from lastuse.compiler.training_program import TrainingProgram

MODEL = b"""func.func @main(%x: tensor<8x3xf32>, %t: tensor<8x1xf32>) -> (tensor<8x1xf32> {dnn.name = "y"}) {
  %w = "dnn.constant"() {value = dense<[0.1, 0.2, -0.3]> : tensor<3xf32>} : () -> tensor<3xf32>
  %two = "dnn.constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %p = "dnn.mul"(%x, %w) : (tensor<8x3xf32>, tensor<3xf32>) -> tensor<8x3xf32>
  %s = "dnn.reduce_sum"(%p) {axes = array<i64: 1>, keepdims = true} : (tensor<8x3xf32>) -> tensor<8x1xf32>
  %y = "dnn.relu"(%s) : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %d = "dnn.sub"(%y, %t) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %q = "dnn.mul"(%d, %d) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %h = "dnn.mul"(%q, %two) : (tensor<8x1xf32>, tensor<f32>) -> tensor<8x1xf32>
  %loss = "dnn.reduce_sum"(%h) : (tensor<8x1xf32>) -> tensor<f32>
  func.return %y : tensor<8x1xf32>
}"""
RATE = np.array(0.01, np.float32)


def batches(count: int) -> Iterator[dict[str, np.ndarray]]:
    rng = np.random.default_rng(0)
    for _ in range(count):
        x = rng.normal(size=(8, 3)).astype(np.float32)
        yield {"x": x, "t": np.maximum(x @ np.array([[1], [-2], [0.5]], np.float32), 0), "lr": RATE}


def step(**options: object) -> TrainingProgram:
    program = lastuse.compile(MODEL, loss="loss", threads=1, **options)  # pyright: ignore[reportArgumentType]
    assert isinstance(program, TrainingProgram)
    return program


def gradient(w: np.ndarray, x: np.ndarray, t: np.ndarray) -> np.ndarray:
    s = (x * w).sum(1, keepdims=True)
    return (x * (4 * (np.maximum(s, 0) - t) * (s > 0))).sum(0)


def test_gradients_are_results_without_an_optimizer() -> None:
    program = step(trainable=["w"])
    (batch,) = batches(1)
    batch.pop("lr")
    results = program.run(batch)
    assert list(results) == ["y", "loss", "w.gradient"]
    wide = {name: array.astype(np.float64) for name, array in batch.items()}
    expected = gradient(program.parameters["w"].astype(np.float64), **wide)
    np.testing.assert_allclose(results["w.gradient"], expected, rtol=1e-5)


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam"])
def test_steps_are_those_of_the_formula(optimizer: str) -> None:
    program = step(trainable=["w"], optimizer=optimizer)
    w = program.parameters["w"].astype(np.float64)
    velocity, first, second = np.zeros(3), np.zeros(3), np.zeros(3)
    for number, batch in enumerate(batches(20), 1):
        program.run(batch)
        g = gradient(w, batch["x"].astype(np.float64), batch["t"].astype(np.float64))
        velocity = 0.9 * velocity + g
        first, second = 0.9 * first + 0.1 * g, 0.999 * second + 0.001 * g * g
        adam = first / (1 - 0.9**number) / (np.sqrt(second / (1 - 0.999**number)) + 1e-8)
        w = w - 0.01 * {"sgd": g, "momentum": velocity, "adam": adam}[optimizer]
    np.testing.assert_allclose(program.parameters["w"], w, rtol=1e-3, atol=1e-5)


def test_planned_and_naive_steps_have_the_same_bits() -> None:
    programs = [
        step(trainable="all", optimizer="adam", **options) for options in ({}, {"inplace": False, "plan": False})
    ]
    for batch in batches(100):
        results = [program.run(batch) for program in programs]
        for name, array in results[0].items():
            assert array.tobytes() == results[1][name].tobytes(), name
    for name, array in programs[0].parameters.items():
        assert array.tobytes() == programs[1].parameters[name].tobytes(), name


def test_a_mirrored_step_has_the_same_bits() -> None:
    plain = {"optimizer": "momentum"}
    programs = [step(trainable="all", optimizer={**plain, "mirror": mirror}) for mirror in (False, True)]
    for batch in batches(5):
        results = [program.run(batch) for program in programs]
        for name, array in results[0].items():
            assert array.tobytes() == results[1][name].tobytes(), name
    assert programs[0].memory.arena_bytes < programs[1].memory.arena_bytes


def test_training_resumes_bit_for_bit(tmp_path: Path) -> None:
    first, second = step(trainable="all", optimizer="adam"), step(trainable="all", optimizer="adam")
    data = list(batches(30))
    for batch in data[:20]:
        first.run(batch)
    first.save_parameters(tmp_path / "state.npz")
    second.load_parameters(tmp_path / "state.npz")
    assert second.parameters["step"] == 20
    for batch in data[20:]:
        results = first.run(batch), second.run(batch)
        assert results[0]["loss"].tobytes() == results[1]["loss"].tobytes()
    for name, array in first.parameters.items():
        assert array.tobytes() == second.parameters[name].tobytes(), name


def test_all_are_the_constants_with_axes() -> None:
    assert list(step(trainable="all").parameters) == ["w"]


def test_a_parameter_of_the_caller_is_updated_in_place() -> None:
    program = step(trainable=["w"], optimizer="sgd")
    mine, held = np.ones(3, np.float32), program.parameters["w"].copy()
    (batch,) = batches(1)
    program.run({**batch, "w": mine})
    assert not np.array_equal(mine, np.ones(3))
    assert np.array_equal(program.parameters["w"], held)


def test_marks_of_the_model_are_enough() -> None:
    model = b"""func.func @main(%w: tensor<3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
      %a = "dnn.mul"(%w, %w) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %loss = "dnn.reduce_sum"(%a) : (tensor<3xf32>) -> tensor<f32>
      func.return %loss : tensor<f32>
    }"""
    program = lastuse.compile(model, optimizer="sgd")
    w = np.array([1, 2, 3], np.float32)
    program.run({"w": w, "lr": np.array(0.25, np.float32)})
    np.testing.assert_array_equal(w, [0.5, 1, 1.5])


def test_the_gradient_of_a_square_is_that_of_a_product_of_equals() -> None:
    """Bit for bit the sum of those of both factors, of one product instead of two."""

    def gradients(*names: str) -> list[np.ndarray]:
        arguments = ", ".join(f"%{name}: tensor<64xf32>" for name in names)
        model = f"""func.func @main(%x: tensor<64xf32>, {arguments}) -> (tensor<f32> {{dnn.loss}}) {{
          %a = "dnn.mul"(%{names[0]}, %{names[-1]}) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
          %b = "dnn.mul"(%x, %a) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
          %loss = "dnn.reduce_sum"(%b) : (tensor<64xf32>) -> tensor<f32>
          func.return %loss : tensor<f32>
        }}"""
        x, w = np.random.default_rng(0).normal(size=(2, 64)).astype(np.float32)
        results = lastuse.compile(model.encode(), trainable=names).run({"x": x, **{name: w.copy() for name in names}})
        return [results[f"{name}.gradient"] for name in names]

    (square,), both = gradients("w"), gradients("v", "w")
    assert square.tobytes() == (both[0] + both[1]).tobytes()


def test_inputs_give_the_sizes_that_gradients_need() -> None:
    model = b"""func.func @main(%x: tensor<?xf32>, %w: tensor<?xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
      %a = "dnn.mul"(%x, %w) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %loss = "dnn.reduce_sum"(%a) : (tensor<?xf32>) -> tensor<f32>
      func.return %loss : tensor<f32>
    }"""
    with pytest.raises(LastuseError, match="sizes have to be known"):
        lastuse.compile(model, optimizer="sgd")
    program = lastuse.compile(model, optimizer="sgd", inputs={"x": (4,), "w": (4,)})
    w = np.zeros(4, np.float32)
    program.run({"x": np.arange(4, dtype=np.float32), "w": w, "lr": np.array(1, np.float32)})
    np.testing.assert_array_equal(w, [0, -1, -2, -3])


WRONG = [
    ({"optimizer": "lion"}, "optimizer is one of none, sgd, momentum, adam, not 'lion'"),
    ({"optimizer": {"optimizer": "sgd", "speed": 1}}, "optimizer: .*'speed'"),
    ({"optimizer": {"optimizer": "sgd", "beta1": 0.5}}, "optimizer=sgd has no option 'beta1'"),
    ({"trainable": ["v"]}, "no argument and no constant is called 'v'; there are x, t, w, two"),
    ({"trainable": "some"}, "trainable is a list of names or 'all', not 'some'"),
    ({"trainable": []}, "no argument is trainable"),
]


@pytest.mark.parametrize("options, message", WRONG, ids=lambda case: str(case)[:30])
def test_wrong_options_are_one_error(options: dict[str, object], message: str) -> None:
    with pytest.raises(LastuseError, match=message):
        step(**options)


def test_a_loss_that_is_not_there_is_an_error() -> None:
    with pytest.raises(LastuseError, match="no value is called 'lost'"):
        lastuse.compile(MODEL, loss="lost", trainable="all")


def test_wrong_parameters_change_nothing(tmp_path: Path) -> None:
    program = step(trainable="all", optimizer="sgd")
    before = program.parameters["w"].copy()
    for values, message in (
        ({"w": np.zeros(4, np.float32)}, "parameter w is float32"),
        ({"w": np.zeros(3, np.float64)}, "parameter w is float32"),
        ({"w": np.zeros(3, np.float32), "v": np.zeros(3)}, "no parameter is called 'v'; there are w"),
    ):
        with pytest.raises(LastuseError, match=message):
            program.set_parameters(values)
    np.savez(tmp_path / "other.npz", v=np.zeros(3))
    (tmp_path / "text.npz").write_text("text")
    np.savez(tmp_path / "objects.npz", w=np.array([None]))
    for name, message in (
        ("other.npz", "has no parameter w"),
        ("text.npz", "is no file of parameters"),
        ("objects.npz", "is no file of parameters"),
        ("missing.npz", "is no file of parameters"),
    ):
        with pytest.raises(LastuseError, match=message):
            program.load_parameters(tmp_path / name)
    assert np.array_equal(program.parameters["w"], before)
    with pytest.raises(LastuseError, match="a step of training is not saved"):
        program.save(tmp_path / "step.lastuse")


def test_a_context_updates_the_parameters_of_its_program() -> None:
    program, other = (step(trainable="all", optimizer="momentum") for _ in range(2))
    context = other.context(bytearray(other.memory.arena_bytes + 64))
    for batch in batches(3):
        results, others = program.run(batch), context.run(batch)
        assert list(results) == list(others) == ["y", "loss"]
        assert results["loss"] == others["loss"]
    for name, array in program.parameters.items():
        assert array.tobytes() == other.parameters[name].tobytes(), name


DEEP = b"""func.func @main(%x: tensor<64x64xf32>) -> (tensor<f32> {dnn.loss, dnn.name = "loss"}) {
  %w = "dnn.constant"() {value = dense<0.1> : tensor<64xf32>} : () -> tensor<64xf32>
  %v = "dnn.constant"() {value = dense<0.2> : tensor<64xf32>} : () -> tensor<64xf32>
  %a = "dnn.mul"(%x, %w) : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  %b = "dnn.relu"(%a) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = "dnn.mul"(%b, %v) : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  %d = "dnn.relu"(%c) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = "dnn.mul"(%d, %w) : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  %f = "dnn.relu"(%e) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %loss = "dnn.reduce_sum"(%f) : (tensor<64x64xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}"""


def test_a_limit_makes_values_run_again_with_the_same_bits() -> None:
    x = np.random.default_rng(3).normal(size=(64, 64)).astype(np.float32)
    kept = lastuse.compile(DEEP, trainable="all", threads=1)
    limit = kept.memory.arena_bytes - 1
    with pytest.raises(LastuseError, match="the limit is"):
        lastuse.compile(DEEP, trainable="all", threads=1, limit=limit, recompute="none")
    again = lastuse.compile(DEEP, trainable="all", threads=1, limit=limit)
    assert again.memory.arena_bytes <= limit
    results = kept.run({"x": x}), again.run({"x": x})
    for name, array in results[0].items():
        assert array.tobytes() == results[1][name].tobytes(), name
