"""Squeeze-excite in the spellings of models: functions are in both products, and the result lies over the map."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from onnx import numpy_helper
from test_norm_spellings import Graph

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.dnn.arithmetic import MulOp
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.constants import ConstantOp
from lastuse.dialect.dnn.post_ops import PostOpsBase
from lastuse.dialect.storage import attrs

Array = np.ndarray
RNG = np.random.default_rng(5)
CHANNELS, SQUEEZED = 24, 6
STEM = RNG.normal(size=(CHANNELS, 3, 3, 3)).astype(np.float32) * 0.3
DOWN, UP = (RNG.normal(size=size).astype(np.float32) * 0.3 for size in ((SQUEEZED, CHANNELS), (CHANNELS, SQUEEZED)))
DOWN_BIAS, UP_BIAS = (RNG.normal(size=size).astype(np.float32) for size in (SQUEEZED, CHANNELS))
SPELLINGS = list(
    product(("pool", "mean"), ("conv", "gemm", "matmul"), ("sigmoid", "hard", "div", "mul"), (False, True))
)


def integers(g: Graph, *values: int) -> str:
    name = g.number(0)
    g.constants[-1] = numpy_helper.from_array(np.array(values, np.int64), name)
    return name


def gate(g: Graph, value: str, kind: str) -> str:
    """A sigmoid; or min(max(x + 3, 0), 6) / 6, as one node, by a division or a product."""
    if kind == "sigmoid":
        return g("Sigmoid", value)
    if kind == "hard":
        return g("HardSigmoid", value, alpha=1 / 6, beta=0.5)
    bounded = g("Clip", g("Add", value, g.number(3)), g.number(0), g.number(6))
    return g("Div", bounded, g.number(6)) if kind == "div" else g("Mul", g.number(1 / 6), bounded)


def products(g: Graph, pooled: str, kind: str) -> str:
    """The two products with their biases, and a relu between."""
    if kind == "conv":
        down, up = (g.number(weights[:, :, None, None]) for weights in (DOWN, UP))
        return g("Conv", g("Relu", g("Conv", pooled, down, g.number(DOWN_BIAS))), up, g.number(UP_BIAS))
    if kind == "gemm":
        hidden = g("Relu", g("Gemm", g("Flatten", pooled), g.number(DOWN), g.number(DOWN_BIAS), transB=1))
        return g("Gemm", hidden, g.number(UP), g.number(UP_BIAS), transB=1)
    rows = g("Reshape", pooled, integers(g, 0, -1))
    hidden = g("Relu", g("Add", g("MatMul", rows, g.number(DOWN.T)), g.number(DOWN_BIAS)))
    return g("Add", g.number(UP_BIAS), g("MatMul", hidden, g.number(UP.T)))


def squeeze_excite(g: Graph, pool: str, kind: str, function: str, is_reversed: bool) -> tuple[str, str]:
    """The map, and the map scaled."""
    image = g("Relu", g("Conv", "x", g.number(STEM), pads=[1, 1, 1, 1]))
    pooled = g("GlobalAveragePool", image) if pool == "pool" else g("ReduceMean", image, axes=[2, 3], keepdims=1)
    scale = gate(g, products(g, pooled, kind), function)
    if kind != "conv":
        scale = g("Reshape", scale, integers(g, 0, CHANNELS, 1, 1))
    return image, g("Mul", *((scale, image) if is_reversed else (image, scale)))


def expected(x: Array, function: str) -> tuple[Array, Array]:
    """The map, and the map scaled, in f64."""
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    image = np.maximum(np.einsum("ncyxij,ocij->noyx", windows, STEM), 0)
    hidden = np.maximum(image.mean((2, 3)) @ DOWN.T + DOWN_BIAS, 0)
    sums = hidden @ UP.T + UP_BIAS
    scale = 1 / (1 + np.exp(-sums)) if function == "sigmoid" else np.clip(sums + 3, 0, 6) / 6
    return image, image * scale[:, :, None, None]


def compiled(results: list[str], g: Graph, batch: int | str = 2, **options: Any) -> lastuse.Program:
    model = g.model((batch, 3, 8, 8), results).SerializeToString()
    return lastuse.compile(model, inputs=[(2, 3, 8, 8)], threads=1, **options)


def ops_of(program: lastuse.Program) -> list[DnnOp]:
    """All but constants and views."""
    ops = [op for op in program.latest.module.walk() if isinstance(op, DnnOp) and not isinstance(op, ConstantOp)]
    return [op for op in ops if not op.storage().views]


@pytest.mark.parametrize(("pool", "kind", "function", "is_reversed"), SPELLINGS)
def test_a_spelling_is_a_pool_two_products_and_a_scale(pool: str, kind: str, function: str, is_reversed: bool) -> None:
    """Half of them with a batch that is not known while fusing. A hard_sigmoid of one node has no post-op: oneDNN's
    makes 1 of NaN."""
    g = Graph()
    _, scaled = squeeze_excite(g, pool, kind, function, is_reversed)
    program = compiled([scaled], g, "n" if is_reversed else 2)
    x = RNG.normal(size=(2, 3, 8, 8)).astype(np.float32)
    np.testing.assert_allclose(program(x), expected(x, function)[1], rtol=1e-4, atol=1e-4)
    stem, _, down, up, *apart, scale = ops_of(program)
    assert [op.name for op in apart] == (["dnn.hard_sigmoid"] if function == "hard" else [])
    assert all(isinstance(op, PostOpsBase) and op.post_ops is not None for op in (stem, down))
    row = kind == "matmul" and "has_bias" in up.attributes  # a row that was added is a bias of packed products
    assert isinstance(up, PostOpsBase)
    assert (up.post_ops is not None or row) == (kind == "matmul" or function != "hard")
    assert all(attrs.INPLACE in op.attributes for op in (*apart, scale))
    assert isinstance(scale, MulOp)
    written = scale.operands[attrs.inplace(scale)[0]].owner
    assert isinstance(written, DnnOp) and stem in (written, written.operands[0].owner)


def test_a_map_that_is_a_result_is_not_scaled_in_place() -> None:
    g = Graph()
    image, scaled = squeeze_excite(g, "pool", "conv", "sigmoid", False)
    ctx = context()
    ctx.wants_remarks = True
    program = compiled([image, scaled], g, ctx=ctx)
    x = RNG.normal(size=(2, 3, 8, 8)).astype(np.float32)
    for found, wanted in zip(program(x), expected(x, "sigmoid"), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)
    scale = ops_of(program)[-1]
    assert isinstance(scale, MulOp) and attrs.INPLACE not in scale.attributes
    refusal = f"dnn.mul ({scaled}): {scaled} is not written over {image}: it is returned"
    assert any(refusal in str(remark) for remark in ctx.remarks)
