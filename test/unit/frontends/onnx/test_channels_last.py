"""Models with convolutions: channels stay last in memory through what is between them; results as onnxruntime's."""

from __future__ import annotations

import numpy as np
import onnx.parser
import onnxruntime
import pytest
from xdsl.ir import Operation

import lastuse
from lastuse.dialect.onednn.memory import memory_of

MODEL = """net (float[2, 3, 8, 10] x) => (float[p, q, r, s] y)
<float[6, 3, 3, 3] w1 = {%s}, float[5, %d, 3, 3] w2 = {%s}, float[6] scale = {%s}, float[6] shift = {%s},
 float[6] mean = {%s}, float[6] variance = {%s}, int64[8] pads = {0, 0, 1, 0, 0, 1, 2, 0}, int64[2] starts = {1, 1},
 int64[2] ends = {5, 7}, int64[2] axes = {1, 3}, int64[2] plane = {2, 3}, float[6, 1, 1] column = {%s}> {
  a = Conv(x, w1)
%s
  y = Conv<pads = [1, 1, 1, 1]>(z, w2)
}"""
BETWEEN = {
    "batch norm": ("n = BatchNormalization(a, scale, shift, mean, variance)  z = Relu(n)", 6),
    "binary": ("m = Mul(a, column)  d = Div(m, column)  z = Add(d, a)", 6),
    "pad": ("z = Pad(a, pads)", 7),
    "split": ("s, t = Split<axis = 1, num_outputs = 2>(a)  z = Mul(s, t)", 3),
    "slice": ("z = Slice(a, starts, ends, axes)", 4),
    "mean": ("m = ReduceMean<keepdims = 1>(a, plane)  s = Sigmoid(m)  z = Mul(a, s)", 6),
}


def model(between: str, channels: int) -> bytes:
    """Two convolutions with these nodes between them."""
    chance = np.random.default_rng(7)

    def numbers(count: int) -> str:
        return ", ".join(f"{n:.4f}" for n in chance.uniform(0.1, 1.0, count))

    weights = numbers(6 * 27), channels, numbers(5 * channels * 9), *(numbers(6) for _ in range(5))
    text = MODEL % (*weights, between.replace("  ", "\n"))
    head = '<ir_version: 9, opset_import: ["" : 18]>\n'
    return onnx.parser.parse_model(head + text).SerializeToString()


def is_permuted(op: Operation) -> bool:
    """Whether a copy brings elements into another order."""
    orders = [np.argsort([-s for s in memory_of(v.type).element_strides], kind="stable").tolist() for v in op.operands]
    return orders[0] != orders[1]


@pytest.mark.parametrize("name", BETWEEN)
def test_channels_stay_last_between_convolutions(name: str) -> None:
    data = model(*BETWEEN[name])
    x = np.random.default_rng(3).normal(size=(2, 3, 8, 10)).astype(np.float32)
    program = lastuse.compile(data)
    (got,), (want,) = program.run({"x": x}).values(), onnxruntime.InferenceSession(data).run(None, {"x": x})
    np.testing.assert_allclose(got, np.asarray(want), rtol=1e-4, atol=1e-4)
    copies = [op for op in program.latest.lowered.walk() if op.name == "onednn.copy" and is_permuted(op)]
    assert len(copies) <= 2  # x, and y
