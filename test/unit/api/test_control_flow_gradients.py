"""Gradients through branches and loops, nested ones too: against differences in float64, and planned against naive."""

from __future__ import annotations

import numpy as np
import pytest
from flow_steps import SHAPES, TRAINED, FlowSteps
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from interpreter import interpret
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.backward import BackwardPass
from lastuse.passes.memory.frame_layout import result_names

STEP = 1e-6
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
Arrays = dict[str, np.ndarray]


def differentiated(text: str) -> ModuleOp:
    module = parse(context(), text, "step.mlir")
    BackwardPass().apply(context(), module)
    module.verify()
    return module


def differences(text: str, arrays: Arrays, names: tuple[str, ...] = TRAINED) -> Arrays:
    """Central differences of the loss by the arrays of these names."""
    module = parse(context(), text, "step.mlir")
    found: Arrays = {}
    for name in names:
        found[name] = np.zeros_like(arrays[name])
        for at in np.ndindex(arrays[name].shape):
            step = np.zeros_like(arrays[name])
            step[at] = STEP
            losses = [interpret(module, list({**arrays, name: arrays[name] + s}.values()))[0] for s in (step, -step)]
            found[name][at] = (losses[0] - losses[1]) / (2 * STEP)
    return found


def drawn(seed: int, taken: bool, dtype: type = np.float64) -> Arrays:
    rng = np.random.default_rng(seed)
    return {"c": np.array(taken), **{name: rng.normal(size=shape).astype(dtype) for name, shape in SHAPES.items()}}


@given(st.data(), st.booleans())
@settings(max_examples=40, deadline=None, phases=[Phase.generate], suppress_health_check=SLOW)
def test_gradients_are_the_derivatives(data: st.DataObject, taken: bool) -> None:
    text = FlowSteps(data, "f64").text()
    arrays = drawn(1, taken)
    module = differentiated(text)
    found = dict(zip(result_names(main_function(module)), interpret(module, list(arrays.values())), strict=True))
    for name, right in differences(text, arrays).items():
        gradient = found.get(f"{name}.gradient", 0 * right)
        np.testing.assert_allclose(gradient, right, rtol=1e-4, atol=1e-6, err_msg=f"{name} of\n{text}")


@given(st.data(), st.booleans())
@settings(max_examples=15, deadline=None, phases=[Phase.generate], suppress_health_check=SLOW)
def test_planned_and_naive_steps_have_the_same_bits(data: st.DataObject, taken: bool) -> None:
    text = FlowSteps(data, "f32").text()
    step = {"loss": None, "optimizer": "sgd", "threads": 1}
    runs: list[Arrays] = []
    for options in ({}, {"inplace": False, "plan": False}):
        program = lastuse.compile(text.encode(), poison=True, **step, **options)  # pyright: ignore[reportArgumentType]
        arrays: Arrays = {**drawn(2, taken, np.float32), "lr": np.array(0.1, np.float32)}
        for _ in range(3):
            results = program.run({name: arrays[name] for name in program.inputs})
        runs.append({**arrays, **results})  # pyright: ignore[reportPossiblyUnboundVariable]
    for name, array in runs[0].items():
        assert array.tobytes() == runs[1][name].tobytes(), f"{name} of\n{text}"


CELL = """
  %p{n} = "dnn.matmul"(%s{n}, %m) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %q{n} = "dnn.add"(%p{n}, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %s{k} = "dnn.tanh"(%q{n}) : (tensor<4x8xf32>) -> tensor<4x8xf32>"""
HEAD = """func.func @main(%x: tensor<4x8xf32>, %m: tensor<8x8xf32>) -> (tensor<f32> {dnn.name = "loss"}) {
  %s0 = "dnn.exp"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>"""
TAIL = """
  %loss = "dnn.reduce_sum"(%h) : (tensor<4x8xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}"""


def test_a_loop_has_the_gradient_of_its_iterations_one_after_the_other() -> None:
    trips = 12
    loop = f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant {trips} : index
  %h = scf.for %i = %c0 to %end step %c1 iter_args(%sn = %s0) -> (tensor<4x8xf32>) {{
    {CELL.format(n="n", k="k")}
    scf.yield %sk : tensor<4x8xf32>
  }}"""
    straight = "".join(CELL.format(n=n, k=n + 1) for n in range(trips)).replace(f"%s{trips}", "%h")
    rng = np.random.default_rng(0)
    arrays = {"x": rng.normal(size=(4, 8)).astype("f"), "m": (rng.normal(size=(8, 8)) / 3).astype("f")}
    programs = [
        lastuse.compile((HEAD + body + TAIL).encode(), loss="loss", trainable=["m"]) for body in (loop, straight)
    ]
    ours, right = (program.run(dict(arrays)) for program in programs)
    np.testing.assert_allclose(ours["m.gradient"], right["m.gradient"], rtol=1e-4, atol=1e-5)
    state = 4 * 8 * 4
    room = programs[0].memory.arena_bytes - programs[0].memory.scratch_bytes
    assert room <= (trips + 6) * state, "one row for each iteration, and room for one"


ARM = """func.func @main(%c: i1, %x: tensor<2x3x4x4xf64>, %w: tensor<3x1x1xf64> {dnn.trainable}, %seed: tensor<i64>,
    %step: tensor<i64>) -> (tensor<f64> {dnn.loss, dnn.name = "loss"}) {
  %v = "dnn.mul"(%x, %w) : (tensor<2x3x4x4xf64>, tensor<3x1x1xf64>) -> tensor<2x3x4x4xf64>
  %a = scf.if %c -> (tensor<2x3x2x2xf64>) {
    %d = "dnn.dropout"(%v, %seed, %step) {rate = 0.5 : f32} : (tensor<2x3x4x4xf64>, tensor<i64>, tensor<i64>) -> tensor<2x3x4x4xf64>
    %e = "dnn.max_pool"(%d) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<2x3x4x4xf64>) -> tensor<2x3x2x2xf64>
    scf.yield %e : tensor<2x3x2x2xf64>
  } else {
    %e = "dnn.average_pool"(%v) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<2x3x4x4xf64>) -> tensor<2x3x2x2xf64>
    scf.yield %e : tensor<2x3x2x2xf64>
  }
  %q = "dnn.mul"(%a, %a) : (tensor<2x3x2x2xf64>, tensor<2x3x2x2xf64>) -> tensor<2x3x2x2xf64>
  %loss = "dnn.reduce_sum"(%q) : (tensor<2x3x2x2xf64>) -> tensor<f64>
  func.return %loss : tensor<f64>
}"""  # noqa: E501


@pytest.mark.parametrize("taken", [True, False])
def test_an_arm_drops_the_same_elements_again_and_keeps_the_places_of_a_pool(taken: bool) -> None:
    rng = np.random.default_rng(0)
    arrays = {"c": np.array(taken), "x": rng.normal(size=(2, 3, 4, 4)), "w": rng.normal(size=(3, 1, 1))}
    arrays |= {"seed": np.array(5), "step": np.array(1)}
    _, gradient = interpret(differentiated(ARM), list(arrays.values()))
    np.testing.assert_allclose(gradient, differences(ARM, arrays, ("w",))["w"], rtol=1e-4, atol=1e-6)
    found = lastuse.compile(ARM.encode(), loss="loss").run(arrays)
    np.testing.assert_allclose(found["w.gradient"], gradient, rtol=1e-9)


INTEGERS = """func.func @main(%x: tensor<5x3xf64>, %w: tensor<3xf64> {dnn.trainable}, %n: tensor<1xi64>) -> (tensor<f64> {dnn.loss, dnn.name = "loss"}) {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = "dnn.constant"() {value = dense<2> : tensor<1xi64>} : () -> tensor<1xi64>
  %h, %k = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %w, %at = %n) -> (tensor<3xf64>, tensor<1xi64>) {
    %r = "dnn.gather"(%x, %at) : (tensor<5x3xf64>, tensor<1xi64>) -> tensor<1x3xf64>
    %f = "dnn.reshape"(%r) {shape = array<i64: 3>} : (tensor<1x3xf64>) -> tensor<3xf64>
    %p = "dnn.mul"(%s, %f) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %t = "dnn.sin"(%p) : (tensor<3xf64>) -> tensor<3xf64>
    %next = "dnn.sub"(%at, %two) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    scf.yield %t, %next : tensor<3xf64>, tensor<1xi64>
  }
  %loss = "dnn.reduce_sum"(%h) : (tensor<3xf64>) -> tensor<f64>
  func.return %loss : tensor<f64>
}"""  # noqa: E501


def test_integers_that_a_loop_carries_are_kept_too() -> None:
    rng = np.random.default_rng(0)
    arrays = {"x": rng.normal(size=(5, 3)), "w": rng.normal(size=3), "n": np.array([4])}
    _, gradient = interpret(differentiated(INTEGERS), list(arrays.values()))
    np.testing.assert_allclose(gradient, differences(INTEGERS, arrays, ("w",))["w"], rtol=1e-4, atol=1e-6)
