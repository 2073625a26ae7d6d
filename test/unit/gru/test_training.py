"""Steps of training with GRUs: planned and naive alike, and against numpy by the formula."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import lastuse

JOINED = {
    "concat": '"dnn.concat"(%f, %r) {axis = 1 : i64} : (tensor<11x5xf32>, tensor<11x5xf32>) -> tensor<11x10xf32>',
    "sum": '"dnn.add"(%f, %r) : (tensor<11x5xf32>, tensor<11x5xf32>) -> tensor<11x5xf32>',
}
CELL = "(tensor<11x4xf32>, tensor<4x15xf32>, tensor<5x15xf32>, tensor<1x15xf32>, tensor<5xi64>) -> tensor<11x5xf32>"
SEGMENTS = "operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>"
LENGTHS = (3, 0, 7, 1)
Arrays = dict[str, np.ndarray]


def model(join: str) -> bytes:
    columns = 10 if join == "concat" else 5
    weights = ", ".join(
        f"%w{k}: tensor<4x15xf32> {{dnn.trainable}}, %u{k}: tensor<5x15xf32> {{dnn.trainable}}, "
        f"%b{k}: tensor<1x15xf32> {{dnn.trainable}}"
        for k in (1, 2)
    )
    return f"""func.func @main(%x: tensor<11x4xf32>, %offsets: tensor<5xi64>, {weights})
    -> (tensor<f32> {{dnn.loss, dnn.name = "loss"}}) {{
  %f = "dnn.fused_gru"(%x, %w1, %u1, %b1, %offsets) {{{SEGMENTS}}} : {CELL}
  %r = "dnn.fused_gru"(%x, %w2, %u2, %b2, %offsets) {{is_reverse = true, {SEGMENTS}}} : {CELL}
  %y = {JOINED[join]}
  %q = "dnn.mul"(%y, %y) : (tensor<11x{columns}xf32>, tensor<11x{columns}xf32>) -> tensor<11x{columns}xf32>
  %loss = "dnn.reduce_sum"(%q) : (tensor<11x{columns}xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}}""".encode()


def parameters() -> Arrays:
    rng = np.random.default_rng(0)
    shapes = {f"{name}{k}": shape for k in (1, 2) for name, shape in (("w", (4, 15)), ("u", (5, 15)), ("b", (1, 15)))}
    return {name: (0.4 * rng.normal(size=shape)).astype(np.float32) for name, shape in shapes.items()}


def data() -> Arrays:
    x = np.random.default_rng(1).normal(size=(sum(LENGTHS), 4)).astype(np.float32)
    return {"x": x, "offsets": np.cumsum([0, *LENGTHS])}


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def loss_of(values: Arrays, join: str) -> float:
    """The loss in float64, one sequence and one row at a time."""
    x, offsets = values["x"].astype(np.float64), values["offsets"]
    states = np.zeros((2, len(x), 5))
    for k in range(2):
        w, u, b = (values[f"{name}{k + 1}"].astype(np.float64) for name in "wub")
        flat = u.reshape(-1)
        ur, c = flat[:50].reshape(5, 10), flat[50:].reshape(5, 5)
        for start, end in pairwise(offsets):
            h = np.zeros(5)
            for row in range(start, end)[:: -1 if k else 1]:
                own = x[row] @ w + b[0]
                update, reset = np.split(sigmoid(own[:10] + h @ ur), 2)
                h = (1 - update) * h + update * np.tanh(own[10:] + (reset * h) @ c)
                states[k, row] = h
    return float(np.sum(np.square(states if join == "concat" else states.sum(0))))


@pytest.mark.parametrize("join", list(JOINED))
def test_gradients_are_central_differences(join: str) -> None:
    program = lastuse.compile(model(join), threads=1, optimizer=None, trainable=list(parameters()))
    values = {**parameters(), **data()}
    results = program.run(values)
    np.testing.assert_allclose(results["loss"], loss_of(values, join), rtol=1e-5)
    rng = np.random.default_rng(2)
    for name, parameter in parameters().items():
        direction = rng.normal(size=parameter.shape)
        near = [loss_of({**values, name: parameter + side * 1e-6 * direction}, join) for side in (1, -1)]
        slope = (near[0] - near[1]) / 2e-6
        assert np.sum(results[f"{name}.gradient"] * direction) == pytest.approx(slope, rel=1e-4, abs=1e-4), name


@pytest.mark.parametrize("join", list(JOINED))
def test_planned_and_naive_steps_have_the_same_bits(join: str) -> None:
    found = list[Arrays]()
    for decided in (True, False):
        program = lastuse.compile(
            model(join), threads=1, optimizer="sgd", inplace=decided, plan=decided, schedule=decided
        )
        values = {**parameters(), **data(), "lr": np.array(0.05, np.float32)}
        losses = [program.run(values)["loss"] for _ in range(20)]
        assert losses[-1] < losses[0]
        found.append({**values, "losses": np.array(losses)})
    for name, array in found[0].items():
        assert array.tobytes() == found[1][name].tobytes(), name
