"""Normalisations that a model writes as several ops, computed as one step: against numpy in f64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import lastuse

Array = np.ndarray
RNG = np.random.default_rng(11)
EPSILON = 1e-5
SCALE, BIAS = RNG.normal(size=(2, 24)).astype(np.float32)


class Graph:
    """Nodes that are added one by one, and constants."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def number(self, value: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value, np.float32), name))
        return name

    def __call__(self, op_type: str, *operands: str, **attributes: Any) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, list(operands), [name], **attributes))
        return name

    def mean(self, x: str, axes: list[int]) -> str:
        return self("ReduceMean", x, axes=axes)

    def model(self, shape: tuple[int | str, ...], results: list[str]) -> onnx.ModelProto:
        x = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, list(shape))
        ys = [helper.make_tensor_value_info(y, onnx.TensorProto.FLOAT, None) for y in results]
        graph = helper.make_graph(self.nodes, "net", [x], ys, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def centred(g: Graph, axes: list[int]) -> str:
    return g("Sub", "x", g.mean("x", axes))


def exported(g: Graph) -> str:
    """As PyTorch's exporter writes nn.LayerNorm."""
    d = centred(g, [-1])
    root = g("Sqrt", g("Add", g.mean(g("Pow", d, g.number(2)), [-1]), g.number(EPSILON)))
    return g("Add", g("Mul", g("Div", d, root), g.number(SCALE)), g.number(BIAS))


def exchanged(g: Graph) -> str:
    """Operands the other way round, the centred value computed twice."""
    first, second = centred(g, [2]), centred(g, [2])
    root = g("Sqrt", g("Add", g.number(EPSILON), g.mean(g("Mul", first, second), [2])))
    return g("Add", g.number(BIAS), g("Mul", g.number(SCALE), g("Div", first, root)))


def by_reciprocal(g: Graph) -> str:
    d = centred(g, [-1])
    inverse = g("Reciprocal", g("Sqrt", g("Add", g.mean(g("Mul", d, d), [-1]), g.number(EPSILON))))
    return g("Add", g("Mul", d, g("Mul", inverse, g.number(SCALE))), g.number(BIAS))


def by_power(g: Graph) -> str:
    d = centred(g, [-1])
    inverse = g("Pow", g("Add", g.mean(g("Pow", d, g.number(2)), [-1]), g.number(EPSILON)), g.number(-0.5))
    return g("Add", g("Mul", g("Mul", inverse, d), g.number(SCALE)), g.number(BIAS))


def by_sums(g: Graph) -> str:
    d = centred(g, [-1])
    variance = g("Div", g("ReduceSumSquare", d, axes=[-1]), g.number(24))
    normal = g("Div", d, g("Sqrt", g("Add", variance, g.number(EPSILON))))
    return g("Add", g("Mul", normal, g.number(SCALE)), g.number(BIAS))


def by_mean_of_squares(g: Graph) -> str:
    mean = g.mean("x", [-1])
    variance = g("Sub", g.mean(g("Mul", "x", "x"), [-1]), g("Mul", mean, mean))
    normal = g("Div", g("Sub", "x", mean), g("Sqrt", g("Add", variance, g.number(EPSILON))))
    return g("Add", g("Mul", normal, g.number(SCALE)), g.number(BIAS))


def shifted(g: Graph) -> str:
    """As TensorFlow writes it: x * a + (bias - mean * a)."""
    mean, d = g.mean("x", [-1]), centred(g, [-1])
    variance = g("Add", g.mean(g("Mul", d, d), [-1]), g.number(EPSILON))
    factor = g("Mul", g("Reciprocal", g("Sqrt", variance)), g.number(SCALE))
    return g("Add", g("Mul", "x", factor), g("Sub", g.number(BIAS), g("Mul", mean, factor)))


def without_scale(g: Graph) -> str:
    d = centred(g, [-1])
    return g("Div", d, g("Sqrt", g("Add", g.mean(g("Mul", d, d), [-1]), g.number(EPSILON))))


def two_axes(g: Graph) -> str:
    d = centred(g, [1, 2])
    return g("Div", d, g("Sqrt", g("Add", g.mean(g("Mul", d, d), [1, 2]), g.number(EPSILON))))


def rms(g: Graph) -> str:
    root = g("Sqrt", g("Add", g.mean(g("Pow", "x", g.number(2)), [-1]), g.number(EPSILON)))
    return g("Mul", g.number(SCALE), g("Div", "x", root))


def rms_by_reciprocal(g: Graph) -> str:
    root = g("Sqrt", g("Add", g.mean(g("Mul", "x", "x"), [-1]), g.number(EPSILON)))
    return g("Mul", g("Mul", "x", g("Reciprocal", root)), g.number(SCALE))


def plain_rms(g: Graph) -> str:
    return g("Mul", "x", g("Pow", g("Add", g.mean(g("Mul", "x", "x"), [-1]), g.number(EPSILON)), g.number(-0.5)))


def normal(x: Array, axes: tuple[int, ...], is_centred: bool) -> Array:
    x = x.astype(np.float64)
    d = x - x.mean(axes, keepdims=True) if is_centred else x
    return d / np.sqrt((d * d).mean(axes, keepdims=True) + EPSILON)


def layer_norm(x: Array) -> Array:
    return normal(x, (-1,), True) * SCALE + BIAS


CASES: list[tuple[Callable[[Graph], str], Callable[[Array], Array]]] = [
    *((spelling, layer_norm) for spelling in (exported, exchanged, by_reciprocal, by_power)),
    *((spelling, layer_norm) for spelling in (by_sums, by_mean_of_squares, shifted)),
    (without_scale, lambda x: normal(x, (-1,), True)),
    (two_axes, lambda x: normal(x, (1, 2), True)),
    *((spelling, lambda x: normal(x, (-1,), False) * SCALE) for spelling in (rms, rms_by_reciprocal)),
    (plain_rms, lambda x: normal(x, (-1,), False)),
]


@pytest.mark.parametrize("batch", [3, "n"])
@pytest.mark.parametrize("spelling, meaning", CASES, ids=[spelling.__name__ for spelling, _ in CASES])
def test_a_spelling_is_one_step(
    spelling: Callable[[Graph], str], meaning: Callable[[Array], Array], batch: int | str
) -> None:
    g = Graph()
    model = g.model((batch, 5, 24), [spelling(g)])
    x = (RNG.normal(size=(3, 5, 24)) * 3 + 1).astype(np.float32)
    program = lastuse.compile(model.SerializeToString())
    (y,) = program.run({"x": x}).values()
    np.testing.assert_allclose(y, meaning(x), rtol=1e-4, atol=1e-4)
    assert sum(program.latest.engines.values()) == 1
