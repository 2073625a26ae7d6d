"""`--accumulate-pass`: a step that adds gradients to velocities is the step that keeps them, but for rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lastuse
from lastuse.compiler.driver import context
from lastuse.compiler.training_program import TrainingProgram
from lastuse.dialect.dnn.finite_check import NotFiniteError
from lastuse.frontends.text.mlir_parser import parse

LAYERS = """
func.func @main(%x: tensor<6x16x{type}> {{dnn.name = "x"}}, %t: tensor<6x16x{type}> {{dnn.name = "t"}},
    %w: tensor<16x16x{type}> {{dnn.name = "w", dnn.trainable}}, %b: tensor<16x{type}> {{dnn.name = "b", dnn.trainable}})
    -> (tensor<{type}> {{dnn.loss, dnn.name = "loss"}}) {{
  %p = "dnn.{kind}"(%x, %w) {{transB = 1 : i64}}
    : (tensor<6x16x{type}>, tensor<16x16x{type}>) -> tensor<6x16x{type}>
  %s = "dnn.add"(%p, %b) : (tensor<6x16x{type}>, tensor<16x{type}>) -> tensor<6x16x{type}>
  %h = "dnn.tanh"(%s) : (tensor<6x16x{type}>) -> tensor<6x16x{type}>
  %y = "dnn.{kind}"(%h, %w) : (tensor<6x16x{type}>, tensor<16x16x{type}>) -> tensor<6x16x{type}>
  %loss = "dnn.mse"(%y, %t) : (tensor<6x16x{type}>, tensor<6x16x{type}>) -> tensor<{type}>
  func.return %loss : tensor<{type}>
}}"""
"""One weight in two products: its gradient is a sum."""

ROWS = """
func.func @main(%i: tensor<2x3xi64> {dnn.name = "i"}, %w: tensor<5x4xf32> {dnn.name = "w", dnn.trainable})
    -> (tensor<f32> {dnn.loss, dnn.name = "loss"}) {
  %r = "dnn.gather"(%w, %i) {axis = 0 : i64} : (tensor<5x4xf32>, tensor<2x3xi64>) -> tensor<2x3x4xf32>
  %q = "dnn.mul"(%r, %r) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %loss = "dnn.reduce_sum"(%q) : (tensor<2x3x4xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}"""
OPTIMIZER = {"optimizer": "momentum", "momentum": 0.8}


def step(text: str, **options: Any) -> TrainingProgram:
    options = {"optimizer": OPTIMIZER, "threads": 1, "poison": True, **options}
    program = lastuse.compile(parse(context(), text, "net.mlir"), **options)
    assert isinstance(program, TrainingProgram)
    return program


def updates(program: TrainingProgram) -> list[str]:
    """The kinds of the ops that update parameters."""
    names = (op.name for op in program.latest.module.walk())
    return sorted(name for name in names if name in ("dnn.momentum", "dnn.sgd"))


def start(dtype: str = "f4") -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    x, t, w, b = (rng.normal(size=shape) for shape in ((6, 16), (6, 16), (16, 16), (16,)))
    arrays = {"x": x, "t": t, "w": 0.3 * w, "b": 0.1 * b}
    arrays |= {"w.velocity": np.zeros_like(w), "b.velocity": np.zeros_like(b)}
    return {name: array.astype(dtype) for name, array in arrays.items()} | {"lr": np.array(0.05, "f4")}


def in_numpy(arrays: dict[str, np.ndarray]) -> float:
    """One step in float64: the loss; parameters and velocities are changed."""
    x, t, w, b = (arrays[name] for name in "xtwb")
    h = np.tanh(x @ w.T + b)
    d = 2 * (h @ w - t) / t.size
    s = (d @ w.T) * (1 - h * h)
    gradients = {"w": h.T @ d + s.T @ x, "b": s.sum(0)}
    loss = float(np.square(h @ w - t).mean())
    for name, gradient in gradients.items():
        velocity = arrays[f"{name}.velocity"]
        velocity *= 0.8
        velocity += gradient
        arrays[name] -= float(arrays["lr"]) * velocity
    return loss


@pytest.mark.parametrize(("dtype", "kind"), [("f32", "gemm"), ("f32", "matmul"), ("f64", "matmul")])
def test_steps_are_those_of_the_formula(dtype: str, kind: str) -> None:
    text = LAYERS.format(type=dtype, kind=kind)
    program, apart, bound = step(text), step(text, fuse=False), 1e-4 if dtype == "f32" else 1e-7
    added, kept = (start("f4" if dtype == "f32" else "f8") for _ in range(2))
    exact = start("f8")
    for _ in range(50):
        losses = [float(p.run(arrays)["loss"]) for p, arrays in ((program, added), (apart, kept))]
        np.testing.assert_allclose(losses, in_numpy(exact), rtol=bound)
    assert updates(program) == ["dnn.momentum", "dnn.sgd"]
    assert updates(apart) == ["dnn.momentum", "dnn.momentum"]
    for name in ("w", "b", "w.velocity", "b.velocity"):
        np.testing.assert_allclose(added[name], exact[name], rtol=bound, atol=bound)
    assert program.memory.naive_bytes < apart.memory.naive_bytes


def test_planned_and_naive_steps_have_the_same_bits() -> None:
    text = LAYERS.format(type="f32", kind="gemm")
    programs = [step(text), step(text, inplace=False, plan=False)]
    arrays = [start(), start()]
    for _ in range(20):
        for program, given in zip(programs, arrays, strict=True):
            program.run(given)
    for name, array in arrays[0].items():
        assert array.tobytes() == arrays[1][name].tobytes(), name


def test_rows_are_added_to_the_velocity() -> None:
    program = step(ROWS)
    rows = np.array([[0, 3, 3], [1, 0, 3]])
    w = np.random.default_rng(4).normal(size=(5, 4)).astype("f4")
    arrays = {"i": rows, "w": w.copy(), "w.velocity": np.zeros_like(w), "lr": np.array(0.01, "f4")}
    exact, velocity = w.astype("f8"), np.zeros((5, 4))
    for _ in range(10):
        program.run(arrays)
        gradient = np.zeros((5, 4))
        np.add.at(gradient, rows, 2 * exact[rows])
        velocity = 0.8 * velocity + gradient
        exact -= 0.01 * velocity
    assert updates(program) == ["dnn.sgd"]
    np.testing.assert_allclose(arrays["w"], exact, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(arrays["w.velocity"], velocity, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("text", [LAYERS.format(type="f32", kind="gemm"), ROWS])
def test_a_loss_that_is_not_finite_leaves_velocities(text: str) -> None:
    program = step(text, check=True)
    assert "dnn.sgd" in updates(program)
    arrays = start()
    if text is ROWS:
        arrays = {name: np.ones((5, 4), "f4") for name in ("w", "w.velocity")}
        arrays |= {"i": np.zeros((2, 3), np.int64), "lr": np.array(0.1, "f4")}
    program.run(arrays)
    arrays["w"][:] = np.inf
    before = {name: array.copy() for name, array in arrays.items()}
    with pytest.raises(NotFiniteError):
        program.run(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, before[name], err_msg=name)
