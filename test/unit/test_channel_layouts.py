"""`--layout-pass`: steps of training with channels last compute what they compute without."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import DenseResourceAttr, ModuleOp
from xdsl.ir import Operation

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.resources import references
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.backward import BackwardPass
from lastuse.passes.layout import LayoutPass

Array = np.ndarray
MODELS = {
    # Strides, groups and a shortcut with a convolution of its own, batch normalisation, both kinds of pools.
    "residual": """
!X = tensor<4x3x16x16xf32>
!A = tensor<4x16x16x16xf32>
!P = tensor<4x16x8x8xf32>
!C = tensor<16xf32>
func.func @main(
  %x: !X, %w0: tensor<16x3x3x3xf32> {dnn.trainable}, %b0: !C {dnn.trainable},
  %w1: tensor<16x16x3x3xf32> {dnn.trainable}, %w2: tensor<16x4x3x3xf32> {dnn.trainable},
  %w3: tensor<16x16x1x1xf32> {dnn.trainable}, %s: !C {dnn.trainable}, %t: !C {dnn.trainable},
  %m: !C, %v: !C, %k: tensor<16x1x1xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}, !C, !C) {
  %c0 = "dnn.conv"(%x, %w0, %b0) {pads = array<i64: 1, 1, 1, 1>} : (!X, tensor<16x3x3x3xf32>, !C) -> !A
  %c1 = "dnn.conv"(%c0, %w1) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
    : (!A, tensor<16x16x3x3xf32>) -> !P
  %n, %rm, %rv = "dnn.batch_norm"(%c1, %s, %t, %m, %v) {training_mode = true} : (!P, !C, !C, !C, !C) -> (!P, !C, !C)
  %r = "dnn.relu"(%n) : (!P) -> !P
  %c2 = "dnn.conv"(%r, %w2) {group = 4 : i64, pads = array<i64: 1, 1, 1, 1>} : (!P, tensor<16x4x3x3xf32>) -> !P
  %short = "dnn.conv"(%c0, %w3) {strides = array<i64: 2, 2>} : (!A, tensor<16x16x1x1xf32>) -> !P
  %sum = "dnn.add"(%c2, %short) : (!P, !P) -> !P
  %raised = "dnn.add"(%sum, %k) : (!P, tensor<16x1x1xf32>) -> !P
  %pool = "dnn.max_pool"(%raised) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>,
    strides = array<i64: 2, 2>} : (!P) -> tensor<4x16x4x4xf32>
  %mean = "dnn.average_pool"(%pool) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}
    : (tensor<4x16x4x4xf32>) -> tensor<4x16x2x2xf32>
  %flat = "dnn.flatten"(%mean) {axis = 1 : i64} : (tensor<4x16x2x2xf32>) -> tensor<4x64xf32>
  %q = "dnn.mul"(%flat, %flat) : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %loss = "dnn.reduce_mean"(%q) {keepdims = false} : (tensor<4x64xf32>) -> tensor<f32>
  func.return %loss, %rm, %rv : tensor<f32>, !C, !C
}
""",
    # One axis; a value that is read in both orders; a transposed convolution.
    "line": """
!X = tensor<2x32x40xf32>
func.func @main(%x: !X, %w: tensor<32x32x5xf32> {dnn.trainable}, %u: tensor<32x32x5xf32> {dnn.trainable})
    -> (tensor<f32> {dnn.loss}, !X) {
  %c = "dnn.conv"(%x, %w) {pads = array<i64: 2, 2>} : (!X, tensor<32x32x5xf32>) -> !X
  %s = "dnn.sigmoid"(%c) : (!X) -> !X
  %d = "dnn.conv_transpose"(%s, %u) {pads = array<i64: 2, 2>} : (!X, tensor<32x32x5xf32>) -> !X
  %q = "dnn.mul"(%d, %s) : (!X, !X) -> !X
  %loss = "dnn.reduce_mean"(%q) {keepdims = false} : (!X) -> tensor<f32>
  func.return %loss, %s : tensor<f32>, !X
}
""",
    # Tokens of a transformer that are pixels for a convolution, and tokens again.
    "tokens": """
!T = tensor<2x30x16xf32>
!C = tensor<2x16x30xf32>
!X = tensor<2x16x5x6xf32>
func.func @main(%x: !T, %u: tensor<16x16xf32> {dnn.trainable}, %w: tensor<16x16x3x3xf32> {dnn.trainable})
    -> (tensor<f32> {dnn.loss}, !T) {
  %p = "dnn.matmul"(%x, %u) : (!T, tensor<16x16xf32>) -> !T
  %a = "dnn.transpose"(%p) {perm = array<i64: 0, 2, 1>} : (!T) -> !C
  %b = "dnn.reshape"(%a) : (!C) -> !X
  %c = "dnn.conv"(%b, %w) {pads = array<i64: 1, 1, 1, 1>} : (!X, tensor<16x16x3x3xf32>) -> !X
  %d = "dnn.reshape"(%c) : (!X) -> !C
  %e = "dnn.transpose"(%d) {perm = array<i64: 0, 2, 1>} : (!C) -> !T
  %q = "dnn.mul"(%e, %p) : (!T, !T) -> !T
  %loss = "dnn.reduce_mean"(%q) {keepdims = false} : (!T) -> tensor<f32>
  func.return %loss, %e : tensor<f32>, !T
}
""",
}


def step(text: str, turned: bool) -> tuple[str, lastuse.Program]:
    """The step as text, and compiled."""
    ctx = context()
    module = parse(ctx, text, "model.mlir")
    for pass_ in (LayoutPass(), BackwardPass()) if turned else (BackwardPass(),):
        pass_.apply(ctx, module)
    return str(module), lastuse.compile(module)


@pytest.mark.parametrize("name", MODELS)
def test_results_and_gradients_are_the_same(name: str) -> None:
    (_, plain), (text, turned) = (step(MODELS[name], turned) for turned in (False, True))
    rng = np.random.default_rng(4)
    inputs: list[Array] = []
    for key, spec in plain.inputs.items():
        array = rng.normal(size=[size for size in spec.shape if isinstance(size, int)]) / 3
        inputs.append((np.abs(array) + 0.5 if key in "smv" else array).astype(np.float32))
    for number, (want, result) in enumerate(zip(plain(*inputs), turned(*inputs), strict=True)):
        atol = 1e-5 * max(float(np.abs(want).max()), 1e-3)
        np.testing.assert_allclose(result, want, rtol=1e-4, atol=atol, err_msg=str(number))
    for line in text.splitlines():
        if any(f'"dnn.{kind}' in line for kind in ("conv", "batch_norm", "max_pool", "average_pool")):
            assert "channels_last = true" in line, line


def test_compile_takes_a_layout(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(MODELS["residual"])
    for loss in (None, "out0"):
        text = str(lastuse.compile(path, loss=loss).latest.module)
        assert ("dnn.conv_weights_grad" in text) == (loss is not None)
        assert "channels_last = true" in text
        assert "channels_last" not in str(lastuse.compile(path, loss=loss, layout="first").latest.module)
    with pytest.raises(lastuse.LastuseError, match="no layout 'last'"):
        lastuse.compile(path, layout="last")


def test_the_module_is_searched_for_arrays_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once for each constant that gets another order."""
    walks = list[ModuleOp]()

    def counted(module: ModuleOp) -> Iterator[tuple[Operation, DenseResourceAttr]]:
        walks.append(module)
        return references(module)

    monkeypatch.setattr(resources, "references", counted)
    text = "!A = tensor<1x16x8x8xf32>\n!B = tensor<16x8x8xf32>\n!W = tensor<16x16x1x1xf32>\n"
    text += "func.func @main(%c0: !A, %w: !W) -> !A {\n"
    arrays = list[str]()
    for number in range(1, 6):
        array = np.arange(number, number + 1024, dtype=np.float32)
        arrays.append(f'b{number}: "0x04000000{array.tobytes().hex()}"')
        text += f'  %b{number} = "dnn.constant"() {{value = dense_resource<b{number}> : !B}} : () -> !B\n'
        text += f'  %a{number} = "dnn.add"(%c{number - 1}, %b{number}) : (!A, !B) -> !A\n'
        text += f'  %c{number} = "dnn.conv"(%a{number}, %w) : (!A, !W) -> !A\n'
    text += f"  func.return %c5 : !A\n}}\n{{-# dialect_resources: {{builtin: {{{', '.join(arrays)}}}}} #-}}\n"
    module = parse(context(), text, "chain.mlir")
    walks.clear()
    LayoutPass().apply(context(), module)
    assert len(resources.of(module)) == 5
    assert len(walks) == 1
