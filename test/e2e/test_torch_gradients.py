"""A residual network in training against PyTorch: the loss, all gradients, and the running statistics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lastuse

Array = np.ndarray

# Two convolutions with batch normalisation around a shortcut, and a max pool and a group before them.
NETWORK = """
!X = tensor<4x3x12x12xf32>
!A = tensor<4x8x12x12xf32>
!P = tensor<4x8x6x6xf32>
!C = tensor<8xf32>
!W = tensor<8x8x3x3xf32>
func.func @main(
  %x: !X, %w0: tensor<8x3x3x3xf32> {dnn.trainable}, %b0: !C {dnn.trainable}, %w1: !W {dnn.trainable},
  %w2: tensor<8x4x3x3xf32> {dnn.trainable}, %s1: !C {dnn.trainable}, %t1: !C {dnn.trainable}, %s2: !C {dnn.trainable},
  %t2: !C {dnn.trainable}, %m1: !C {dnn.donated}, %v1: !C {dnn.donated}, %m2: !C {dnn.donated}, %v2: !C {dnn.donated}
) -> (tensor<1x1x1x1xf32> {dnn.loss, dnn.name = "loss"}, !C {dnn.tied = 9 : i32, dnn.name = "mean"},
      !C {dnn.tied = 10 : i32, dnn.name = "variance"}) {
  %c0 = "dnn.conv"(%x, %w0, %b0) {pads = array<i64: 1, 1, 1, 1>} : (!X, tensor<8x3x3x3xf32>, !C) -> !A
  %p = "dnn.max_pool"(%c0) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
    : (!A) -> !P
  %c1 = "dnn.conv"(%p, %w1) {pads = array<i64: 1, 1, 1, 1>} : (!P, !W) -> !P
  %n1, %rm1, %rv1 = "dnn.batch_norm"(%c1, %s1, %t1, %m1, %v1) {training_mode = true}
    : (!P, !C, !C, !C, !C) -> (!P, !C, !C)
  %r1 = "dnn.relu"(%n1) : (!P) -> !P
  %c2 = "dnn.conv"(%r1, %w2) {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>} : (!P, tensor<8x4x3x3xf32>) -> !P
  %n2, %rm2, %rv2 = "dnn.batch_norm"(%c2, %s2, %t2, %m2, %v2) {training_mode = true}
    : (!P, !C, !C, !C, !C) -> (!P, !C, !C)
  %sum = "dnn.add"(%n2, %p) : (!P, !P) -> !P
  %r2 = "dnn.relu"(%sum) : (!P) -> !P
  %a = "dnn.average_pool"(%r2) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 3, 3>}
    : (!P) -> tensor<4x8x2x2xf32>
  %q = "dnn.mul"(%a, %a) : (tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>) -> tensor<4x8x2x2xf32>
  %loss = "dnn.reduce_mean"(%q) {keepdims = true} : (tensor<4x8x2x2xf32>) -> tensor<1x1x1x1xf32>
  func.return %loss, %rm1, %rv1 : tensor<1x1x1x1xf32>, !C, !C
}
"""
TRAINABLE = ("w0", "b0", "w1", "w2", "s1", "t1", "s2", "t2")


def arguments() -> dict[str, Array]:
    rng = np.random.default_rng(5)
    shapes = {"x": (4, 3, 12, 12), "w0": (8, 3, 3, 3), "w1": (8, 8, 3, 3), "w2": (8, 4, 3, 3)}
    arrays = {name: rng.normal(size=shape) / (1 if name == "x" else 4) for name, shape in shapes.items()}
    arrays |= {name: rng.uniform(0.5, 1.5, 8) for name in ("b0", "s1", "t1", "s2", "t2", "v1", "v2")}
    arrays |= {name: rng.normal(size=8) for name in ("m1", "m2")}
    return {name: array.astype(np.float32) for name, array in arrays.items()}


def test_gradients_of_a_residual_network(tmp_path: Path) -> None:
    torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed")
    functional = torch.nn.functional
    given = {name: torch.tensor(array, requires_grad=name in TRAINABLE) for name, array in arguments().items()}

    def normalised(x: Any, number: int) -> Any:
        # PyTorch's running variance is unbiased, that of ONNX is not: numpy computes the running statistics below.
        scale, shift = given[f"s{number}"], given[f"t{number}"]
        return functional.batch_norm(x, None, None, scale, shift, training=True)

    pooled = functional.max_pool2d(functional.conv2d(given["x"], given["w0"], given["b0"], padding=1), 3, 2, 1)
    inner = functional.conv2d(pooled, given["w1"], padding=1)
    behind = functional.conv2d(torch.relu(normalised(inner, 1)), given["w2"], padding=1, groups=2)
    loss = torch.square(functional.avg_pool2d(torch.relu(normalised(behind, 2) + pooled), 3)).mean()
    loss.backward()

    (tmp_path / "network.mlir").write_text(NETWORK)
    program = lastuse.compile(tmp_path / "network.mlir", loss="loss")
    arrays = arguments()
    results = program.run(arrays)
    np.testing.assert_allclose(np.asarray(results["loss"]).item(), loss.item(), rtol=1e-5)
    for name in TRAINABLE:
        want = given[name].grad.numpy()
        largest = np.abs(want).max()
        np.testing.assert_allclose(results[f"{name}.gradient"], want, rtol=1e-3, atol=1e-4 * largest, err_msg=name)
    before, of_batch = arguments(), inner.detach().numpy()
    mean = 0.9 * before["m1"] + 0.1 * of_batch.mean((0, 2, 3))
    variance = 0.9 * before["v1"] + 0.1 * of_batch.var((0, 2, 3))
    for name, want in (("mean", mean), ("variance", variance)):
        np.testing.assert_allclose(results[name], want, rtol=1e-4, atol=1e-5)


def test_planned_gradients_are_those_without_decisions(tmp_path: Path) -> None:
    (tmp_path / "network.mlir").write_text(NETWORK)
    path = tmp_path / "network.mlir"
    runs = [
        lastuse.compile(path, loss="loss", inplace=chosen, plan=chosen).run(arguments()) for chosen in (True, False)
    ]
    for name, array in runs[0].items():
        assert np.asarray(array).tobytes() == np.asarray(runs[1][name]).tobytes(), name
