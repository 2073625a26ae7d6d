"""`--bubble-up-pass`: pools before activations give the same bits, in results and in gradients."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import lastuse
from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.backward import BackwardPass
from lastuse.passes.bubble_up import BubbleUpPass


@st.composite
def models(draw: st.DrawFn) -> str:
    """A convolution of width 1, relu and a max pool, whose sum of squares is the loss."""
    kernel, stride = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    pads = draw(st.tuples(st.integers(0, 2), st.integers(0, 2)))
    size = draw(st.integers(3, 9))
    places = (size + sum(pads) - kernel) // stride + 1
    activation = draw(st.sampled_from(('"dnn.relu"(%c)', '"dnn.leaky_relu"(%c) {alpha = 0.5 : f32}')))
    window = f"strides = array<i64: {stride}>, pads = array<i64: {pads[0]}, {pads[1]}>"
    window = f"kernel_shape = array<i64: {kernel}>, {window}"
    x, y = f"tensor<2x3x{size}xf32>", f"tensor<2x4x{places}xf32>"
    a = f"tensor<2x4x{size}xf32>"
    return f"""func.func @main(%x: {x}, %w: tensor<4x3x1xf32> {{dnn.trainable}}) -> ({y}, tensor<f32> {{dnn.loss}}) {{
  %c = "dnn.conv"(%x, %w) : ({x}, tensor<4x3x1xf32>) -> {a}
  %a = {activation} : ({a}) -> {a}
  %y = "dnn.max_pool"(%a) {{{window}}} : ({a}) -> {y}
  %q = "dnn.mul"(%y, %y) : ({y}, {y}) -> {y}
  %loss = "dnn.reduce_sum"(%q) : ({y}) -> tensor<f32>
  func.return %y, %loss : {y}, tensor<f32>
}}"""


def step(text: str, bubbles: bool) -> lastuse.Program:
    ctx = context()
    module = parse(ctx, text, "pool.mlir")
    for pass_ in (BubbleUpPass(), BackwardPass()) if bubbles else (BackwardPass(),):
        pass_.apply(ctx, module)
    return lastuse.compile(module, threads=1, fuse=False)


@settings(deadline=None, max_examples=30)
@given(models(), st.integers(0, 1000))
def test_results_and_gradients_keep_their_bits(text: str, seed: int) -> None:
    plain, moved = step(text, bubbles=False), step(text, bubbles=True)
    rng = np.random.default_rng(seed)
    inputs = [rng.normal(size=spec.shape).astype(np.float32) for spec in plain.inputs.values()]
    for expected, result in zip(plain(*inputs), moved(*inputs), strict=True):
        assert expected.tobytes() == result.tobytes()


def test_a_step_keeps_fewer_elements() -> None:
    x, y = "tensor<8x4x16x16xf32>", "tensor<8x4x8x8xf32>"
    text = f"""func.func @main(%x: {x}, %w: tensor<4x4x1x1xf32> {{dnn.trainable}}) -> (tensor<f32> {{dnn.loss}}) {{
  %c = "dnn.conv"(%x, %w) : ({x}, tensor<4x4x1x1xf32>) -> {x}
  %a = "dnn.relu"(%c) : ({x}) -> {x}
  %y = "dnn.max_pool"(%a) {{kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}} : ({x}) -> {y}
  %loss = "dnn.reduce_sum"(%y) : ({y}) -> tensor<f32>
  func.return %loss : tensor<f32>
}}"""
    whole, pooled = (step(text, bubbles).memory.arena_bytes for bubbles in (False, True))
    assert pooled < 0.8 * whole
    assert lastuse.compile(text.encode(), trainable=["w"], threads=1).memory.arena_bytes == pooled
