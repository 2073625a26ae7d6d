"""Small networks of many kinds, trained: gradients against differences of the loss in float64; planned steps against
naive ones, bit for bit."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from test_training_networks import losses_of, trained
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import lastuse
from lastuse.compiler.driver import context
from lastuse.compiler.program_signature import signature_of
from lastuse.dialect.ir.flow_graphs import main_function

Array = np.ndarray

NETWORKS: dict[str, str] = {
    "normalised": """
func.func @main(
    %x: tensor<6x5xf32> {dnn.name = "x"},
    %y: tensor<6xi64> {dnn.name = "y"},
    %w1: tensor<5x8xf32> {dnn.name = "w1", dnn.trainable},
    %b1: tensor<8xf32> {dnn.name = "b1", dnn.trainable},
    %s: tensor<8xf32> {dnn.name = "s", dnn.trainable},
    %t: tensor<8xf32> {dnn.name = "t", dnn.trainable},
    %w2: tensor<8x3xf32> {dnn.name = "w2", dnn.trainable})
    -> (tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %a = "dnn.gemm"(%x, %w1, %b1) : (tensor<6x5xf32>, tensor<5x8xf32>, tensor<8xf32>) -> tensor<6x8xf32>
  %n = "dnn.layer_norm"(%a, %s, %t) {axis = 1 : i64}
    : (tensor<6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<6x8xf32>
  %g = "dnn.gelu"(%n) : (tensor<6x8xf32>) -> tensor<6x8xf32>
  %r = "dnn.add"(%g, %a) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  %l = "dnn.matmul"(%r, %w2) : (tensor<6x8xf32>, tensor<8x3xf32>) -> tensor<6x3xf32>
  %loss = "dnn.softmax_cross_entropy"(%l, %y) : (tensor<6x3xf32>, tensor<6xi64>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
""",
    "depthwise": """
func.func @main(
    %x: tensor<2x3x6x6xf32> {dnn.name = "x"},
    %y: tensor<2xi64> {dnn.name = "y"},
    %w1: tensor<6x3x1x1xf32> {dnn.name = "w1", dnn.trainable},
    %w2: tensor<6x1x3x3xf32> {dnn.name = "w2", dnn.trainable},
    %b2: tensor<6xf32> {dnn.name = "b2", dnn.trainable},
    %w3: tensor<6x4xf32> {dnn.name = "w3", dnn.trainable})
    -> (tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %a = "dnn.conv"(%x, %w1) : (tensor<2x3x6x6xf32>, tensor<6x3x1x1xf32>) -> tensor<2x6x6x6xf32>
  %h = "dnn.silu"(%a) : (tensor<2x6x6x6xf32>) -> tensor<2x6x6x6xf32>
  %c = "dnn.conv"(%h, %w2, %b2) {group = 6 : i64, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
    : (tensor<2x6x6x6xf32>, tensor<6x1x3x3xf32>, tensor<6xf32>) -> tensor<2x6x3x3xf32>
  %r = "dnn.tanh"(%c) : (tensor<2x6x3x3xf32>) -> tensor<2x6x3x3xf32>
  %p = "dnn.reduce_mean"(%r) {axes = array<i64: 2, 3>} : (tensor<2x6x3x3xf32>) -> tensor<2x6xf32>
  %l = "dnn.matmul"(%p, %w3) : (tensor<2x6xf32>, tensor<6x4xf32>) -> tensor<2x4xf32>
  %loss = "dnn.softmax_cross_entropy"(%l, %y) : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
""",
    "bag": """
func.func @main(
    %x: tensor<4x3xi64> {dnn.name = "words"},
    %y: tensor<4x2xf32> {dnn.name = "x"},
    %e: tensor<7x5xf32> {dnn.name = "e", dnn.trainable},
    %w: tensor<5x2xf32> {dnn.name = "w", dnn.trainable})
    -> (tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %g = "dnn.gather"(%e, %x) {axis = 0 : i64} : (tensor<7x5xf32>, tensor<4x3xi64>) -> tensor<4x3x5xf32>
  %s = "dnn.reduce_mean"(%g) {axes = array<i64: 1>} : (tensor<4x3x5xf32>) -> tensor<4x5xf32>
  %l = "dnn.matmul"(%s, %w) : (tensor<4x5xf32>, tensor<5x2xf32>) -> tensor<4x2xf32>
  %q = "dnn.sigmoid"(%l) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %loss = "dnn.mse"(%q, %y) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
""",
    "regressor": """
func.func @main(
    %x: tensor<5x2x4xf32> {dnn.name = "x"},
    %t: tensor<2x1xf32> {dnn.name = "target"},
    %w: tensor<1x9x4xf32> {dnn.name = "w", dnn.trainable},
    %r: tensor<1x9x3xf32> {dnn.name = "r", dnn.trainable},
    %b: tensor<1x18xf32> {dnn.name = "b", dnn.trainable},
    %o: tensor<3x1xf32> {dnn.name = "o", dnn.trainable})
    -> (tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %y, %h = "dnn.onnx_gru"(%x, %w, %r, %b) {
    operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, linear_before_reset = 1 : i64}
    : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>)
    -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>)
  %z = "dnn.reshape"(%h) : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %p = "dnn.matmul"(%z, %o) : (tensor<2x3xf32>, tensor<3x1xf32>) -> tensor<2x1xf32>
  %loss = "dnn.mse"(%p, %t) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
""",
    "loop": """
func.func @main(
    %x: tensor<3x4xf32> {dnn.name = "x"},
    %t: tensor<3x4xf32> {dnn.name = "target"},
    %w: tensor<4x4xf32> {dnn.name = "w", dnn.trainable},
    %b: tensor<4xf32> {dnn.name = "b", dnn.trainable})
    -> (tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %lo = arith.constant 0 : index
  %hi = arith.constant 4 : index
  %one = arith.constant 1 : index
  %h = scf.for %i = %lo to %hi step %one iter_args(%a = %x) -> (tensor<3x4xf32>) {
  %m = "dnn.gemm"(%a, %w, %b) : (tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %n = "dnn.tanh"(%m) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  scf.yield %n : tensor<3x4xf32>
  }
  %loss = "dnn.mse"(%h, %t) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
""",
    "dropout": """
func.func @main(
    %x: tensor<96x8xf32> {dnn.name = "x"},
    %t: tensor<96x4xf32> {dnn.name = "target"},
    %seed: tensor<i64> {dnn.name = "seed"},
    %counter: tensor<i64> {dnn.name = "counter"},
    %w1: tensor<8x16xf32> {dnn.name = "w1", dnn.trainable},
    %w2: tensor<16x16xf32> {dnn.name = "w2", dnn.trainable},
    %w3: tensor<16x4xf32> {dnn.name = "w3", dnn.trainable})
    -> (tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %a = "dnn.matmul"(%x, %w1) : (tensor<96x8xf32>, tensor<8x16xf32>) -> tensor<96x16xf32>
  %r = "dnn.tanh"(%a) : (tensor<96x16xf32>) -> tensor<96x16xf32>
  %d = "dnn.dropout"(%r, %seed, %counter) {rate = 0.5 : f32}
    : (tensor<96x16xf32>, tensor<i64>, tensor<i64>) -> tensor<96x16xf32>
  %b = "dnn.matmul"(%d, %w2) : (tensor<96x16xf32>, tensor<16x16xf32>) -> tensor<96x16xf32>
  %s = "dnn.sigmoid"(%b) : (tensor<96x16xf32>) -> tensor<96x16xf32>
  %l = "dnn.matmul"(%s, %w3) : (tensor<96x16xf32>, tensor<16x4xf32>) -> tensor<96x4xf32>
  %loss = "dnn.mse"(%l, %t) : (tensor<96x4xf32>, tensor<96x4xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
""",
}
STEP, STEPS = 1e-6, 5
OPTIMIZERS: list[dict[str, object]] = [
    {"optimizer": "sgd", "weight_decay": 0.01},
    {"optimizer": "momentum", "momentum": 0.9, "nesterov": True},
    {"optimizer": "adam", "weight_decay": 0.01},
]


def parsed(name: str) -> ModuleOp:
    return Parser(context(), NETWORKS[name]).parse_module()


def arrays(module: ModuleOp) -> dict[str, Array]:
    """Numbers around 0, and integers that are labels, words and seeds alike."""
    rng = np.random.default_rng(0)
    made: dict[str, Array] = {}
    for name, spec in signature_of(main_function(module)).inputs.items():
        shape = [size for size in spec.shape if isinstance(size, int)]
        integers = spec.dtype.kind == "i"
        made[name] = np.asarray(rng.integers(0, 3, shape) if integers else rng.normal(0, 0.7, shape)).astype(spec.dtype)
    return made


def losses(module: ModuleOp, optimizer: Mapping[str, object], **options: object) -> tuple[list[float], list[bytes]]:
    """The losses of some steps, and the bytes of the parameters after them."""
    program = lastuse.compile(module, optimizer=dict(optimizer), threads=1, **options)  # pyright: ignore
    own = {**arrays(module), "lr": np.array(0.05, np.float32)}
    found = [float(program.run(own)["loss"]) for _ in range(STEPS)]
    return found, [array.tobytes() for array in (*own.values(), *program.parameters.values())]


@pytest.mark.parametrize("name", NETWORKS)
def test_gradients_are_differences_of_the_loss(name: str) -> None:
    module = parsed(name)
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
        assert abs((gradient * direction).sum() - difference) <= 1e-5 * np.abs(gradient).sum() + 1e-8, parameter


@pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=lambda options: str(options["optimizer"]))
@pytest.mark.parametrize("name", NETWORKS)
def test_planned_steps_are_naive_ones_bit_for_bit(name: str, optimizer: Mapping[str, object]) -> None:
    module = parsed(name)
    planned = losses(module, optimizer)
    assert planned == losses(module, optimizer, inplace=False, plan=False)
    assert planned[0][-1] < planned[0][0]


@pytest.mark.parametrize("recompute", ["cheap", "all"])
def test_dropout_that_runs_again_gives_the_same_bits(recompute: str) -> None:
    module, optimizer = parsed("dropout"), OPTIMIZERS[1]
    whole = lastuse.compile(module, optimizer=dict(optimizer), threads=1)  # pyright: ignore
    limit = whole.memory.arena_bytes * 9 // 10
    again = lastuse.compile(module, optimizer=dict(optimizer), threads=1, limit=limit, recompute=recompute)  # pyright: ignore
    assert again.memory.arena_bytes <= limit
    assert losses(module, optimizer, limit=limit, recompute=recompute) == losses(module, optimizer)
