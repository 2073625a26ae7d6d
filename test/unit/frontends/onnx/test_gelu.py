"""Products that exporters write for a Gelu become one op, and others do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from onnx import ValueInfoProto, helper, numpy_helper
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.dnn.base import DnnOp
from lastuse.frontends.loader import load
from lastuse.passes.post_op_fusion import PostOpFusionPass
from lastuse.passes.refine import RefinePass

X = np.linspace(-6, 6, 2 * 3 * 5, dtype=np.float32).reshape(2, 3, 5)
Nodes = Sequence[str]
"""Each `y = Op(a, b)`."""
ERF = ("e = Erf(s)", "a = Add(e, one)")


def model_of(
    nodes: Nodes, x: np.ndarray = X, outputs: Sequence[str] = ("y",), other: Mapping[str, object] | None = None
) -> bytes:
    """A model of x and of the constants one, half, root (of 2) and inverse (of that), which `other` replaces."""
    values = {"one": 1.0, "half": 0.5, "root": 2**0.5, "inverse": 0.5**0.5, **(other or {})}
    weights = [numpy_helper.from_array(np.asarray(value, x.dtype), name) for name, value in values.items()]
    parts = [node.replace("(", " ").replace(")", "").replace(",", "").replace("=", "").split() for node in nodes]
    graph = helper.make_graph(
        [helper.make_node(kind, names, [result]) for result, kind, *names in parts],
        "gelu",
        [helper.make_tensor_value_info("x", helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)],
        [ValueInfoProto(name=name) for name in outputs],
        weights,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()


def kinds_as_one_op(model: bytes, folder: Path) -> list[str]:
    """The names of the ops that compute."""
    (folder / "model.onnx").write_bytes(model)
    module = load(ctx := context(), folder / "model.onnx")
    assert isinstance(module, ModuleOp)
    RefinePass().apply(ctx, module)
    PostOpFusionPass(only_activations=True).apply(ctx, module)
    return sorted(op.name for op in module.walk() if isinstance(op, DnnOp) and op.name != "dnn.constant")


def expect_results_of_onnxruntime(model: bytes, x: np.ndarray) -> None:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    expected = onnxruntime.InferenceSession(model, options).run(None, {"x": x})
    results: Mapping[str, np.ndarray] = lastuse.compile(model).run({"x": x})
    for result, want in zip(results.values(), expected, strict=True):
        np.testing.assert_allclose(result, np.asarray(want), rtol=0, atol=2e-6)


@pytest.mark.parametrize(
    "nodes",
    [
        ("s = Div(x, root)", *ERF, "p = Mul(x, a)", "y = Mul(p, half)"),
        ("s = Mul(inverse, x)", *ERF, "p = Mul(a, half)", "y = Mul(p, x)"),
        ("s = Mul(x, inverse)", "e = Erf(s)", "a = Add(one, e)", "p = Mul(half, x)", "y = Mul(p, a)"),
        ("s = Div(x, root)", *ERF, "p = Mul(half, a)", "y = Mul(x, p)"),
    ],
)
def test_all_ways_to_write_a_gelu(nodes: Nodes, tmp_path: Path) -> None:
    model = model_of(nodes)
    assert kinds_as_one_op(model, tmp_path) == ["dnn.gelu"]
    expect_results_of_onnxruntime(model, X)


def test_what_else_is_read_stays(tmp_path: Path) -> None:
    nodes = ("s = Div(x, root)", *ERF, "p = Mul(x, a)", "y = Mul(p, half)")
    model = model_of(nodes, outputs=("y", "e"))
    assert kinds_as_one_op(model, tmp_path) == ["dnn.div", "dnn.erf", "dnn.gelu"]
    expect_results_of_onnxruntime(model, X)


FORM = ("s = Div(x, root)", *ERF, "p = Mul(x, a)", "y = Mul(p, half)")


@pytest.mark.parametrize(
    ("nodes", "constants"),
    [
        (FORM, {"half": 0.51}),
        (FORM, {"one": 1.001}),
        (FORM, {"root": 1.4141}),
        (FORM, {"half": [0.5, 0.5, 0.5, 0.5, 0.5]}),
        (FORM, {"half": [[[[0.5]]]]}),  # the result has an axis more
        (FORM, {"one": [[[[1.0]]]]}),
        (("s = Div(root, x)", *FORM[1:]), {}),
        (("z = Exp(x)", "s = Div(z, root)", *FORM[1:]), {}),
        ((*FORM[:3], "p = Mul(a, a)", "y = Mul(p, half)"), {}),
        ((*FORM[:3], "q = Mul(x, a)", "p = Mul(q, x)", "y = Mul(p, half)"), {}),
    ],
)
def test_what_is_no_gelu_stays(nodes: Nodes, constants: dict[str, object], tmp_path: Path) -> None:
    model = model_of(nodes, other=constants)
    kinds = kinds_as_one_op(model, tmp_path)
    assert "dnn.gelu" not in kinds and "dnn.erf" in kinds
    expect_results_of_onnxruntime(model, X + np.float32(0.01))  # never 0


def test_other_types_than_f32_stay(tmp_path: Path) -> None:
    kinds = kinds_as_one_op(model_of(FORM, X.astype(np.float64)), tmp_path)
    assert kinds == ["dnn.add", "dnn.div", "dnn.erf", "dnn.mul", "dnn.mul"]


TRAINED = ("h = MatMul(x, w)", "s = Div(h, root)", *ERF, "p = Mul(h, a)", "y = Mul(p, half)", "loss = ReduceMean(y)")
W = np.linspace(-1, 1, 20, dtype=np.float32).reshape(5, 4)


def test_a_step_of_training_has_the_gradient_of_one_op() -> None:
    """Its gradient is that of the ops that the model has, which are kept where nothing is fused."""
    model = model_of(TRAINED, outputs=("loss",), other={"w": W})
    steps = [lastuse.compile(model, loss="loss", trainable=["w"], threads=1, fuse=fuse) for fuse in (True, False)]
    gradients = [step.run({"x": X})["w.gradient"] for step in steps]
    np.testing.assert_allclose(gradients[0], gradients[1], rtol=1e-5, atol=1e-7)
    assert [str(step.latest.module).count("dnn.gelu_grad") for step in steps] == [1, 0]
    assert steps[0].memory.naive_bytes < steps[1].memory.naive_bytes


def test_a_formula_with_a_trained_number_is_no_gelu() -> None:
    model = model_of(TRAINED, outputs=("loss",), other={"w": W, "half": [0.5]})
    step = lastuse.compile(model, loss="loss", trainable="all", threads=1)
    assert "dnn.gelu" not in str(step.latest.module)
    assert set(step.run({"x": X})) == {"loss", "w.gradient", "half.gradient"}
