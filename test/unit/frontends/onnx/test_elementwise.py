"""Handlers of elementwise ops: what they emit, what they refuse, results as those of onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.loader import load

Array = np.ndarray
X = np.array([[-3.0, -0.5, 0.0], [0.5, 2.5, 9.0]], np.float32)
Node = tuple[str, Sequence[str], Mapping[str, Any]]


def model_of(
    nodes: Sequence[Node], inputs: Mapping[str, Array], weights: Mapping[str, Array], opset: int = 20
) -> bytes:
    """A model of nodes whose results are v0, v1, …; the last one is the output."""
    made = [helper.make_node(op, names, [f"v{k}"], **more) for k, (op, names, more) in enumerate(nodes)]
    graph = helper.make_graph(
        made,
        "g",
        [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
            for name, a in inputs.items()
        ],
        [onnx.ValueInfoProto(name=f"v{len(nodes) - 1}")],
        [numpy_helper.from_array(a, name) for name, a in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    return model.SerializeToString()


def kinds(model: bytes, path: Any) -> list[str]:
    """The names of the dnn ops of a model that compute, in order."""
    file = path / "model.onnx"
    file.write_bytes(model)
    module = load(context(), file)
    assert isinstance(module, ModuleOp)
    names = [op.name[4:] for op in module.walk() if isinstance(op, DnnOp)]
    return [name for name in names if name != "constant"]


def agrees(nodes: Sequence[Node], inputs: Mapping[str, Array], weights: Mapping[str, Array]) -> Array:
    """The result, which is onnxruntime's."""
    model = model_of(nodes, inputs, weights)
    (want,) = onnxruntime.InferenceSession(model).run(None, dict(inputs))
    got = next(iter(lastuse.compile(model).run(dict(inputs)).values()))
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-6)
    return got


def test_known_bounds_of_clip_are_attributes(tmp_path: Any) -> None:
    weights = {"low": np.float32(-1), "high": np.float32(2)}
    for names, want in ((["x", "low", "high"], -1), (["x", "low"], -1), (["x", "", "high"], -3)):
        node: Node = ("Clip", names, {})
        assert agrees([node], {"x": X}, weights).min() == want
        assert kinds(model_of([node], {"x": X}, weights), tmp_path) == ["clip"]


def test_infinite_bound_of_clip_does_not_bind(tmp_path: Any) -> None:
    weights = {"low": np.float32(0), "high": np.float32(np.inf)}
    model = model_of([("Clip", ["x", "low", "high"], {})], {"x": X}, weights)
    file = tmp_path / "model.onnx"
    file.write_bytes(model)
    (clip,) = [op for op in load(context(), file).walk() if op.name == "dnn.clip"]
    assert set(clip.attributes) & {"min", "max"} == {"min"}


def test_f64_bound_of_clip_keeps_its_digits() -> None:
    x, low = np.array([0.0, 1.0]), np.float64(0.1)
    assert agrees([("Clip", ["x", "low"], {})], {"x": x}, {"low": low}).tolist() == [0.1, 1.0]


def test_unknown_bounds_of_clip_are_operands(tmp_path: Any) -> None:
    inputs = {"x": X, "low": np.array(1, np.float32), "high": np.array(-1, np.float32)}
    node: Node = ("Clip", ["x", "low", "high"], {})
    assert (agrees([node], inputs, {}) == -1).all(), "where min is above max, all is max"
    assert kinds(model_of([node], inputs, {}), tmp_path) == ["maximum", "minimum"]


def test_bound_of_clip_beyond_i64_is_an_operand() -> None:
    x, low = np.array([0, 2**64 - 1], np.uint64), np.array(2**63, np.uint64)
    assert agrees([("Clip", ["x", "low"], {})], {"x": x}, {"low": low}).tolist() == [2**63, 2**64 - 1]


@pytest.mark.parametrize(("exponent", "want"), [(2, ["mul"]), (3, ["mul", "mul"]), (0.5, ["pow"])])
def test_squares_and_cubes_are_products(exponent: float, want: list[str], tmp_path: Any) -> None:
    weights = {"e": np.array(exponent, np.float32)}
    agrees([("Pow", ["x", "e"], {})], {"x": abs(X)}, weights)
    assert kinds(model_of([("Pow", ["x", "e"], {})], {"x": X}, weights), tmp_path) == want


def test_exponent_that_broadcasts_x_is_no_product(tmp_path: Any) -> None:
    weights = {"e": np.full((1, 1, 1), 2, np.float32)}
    assert agrees([("Pow", ["x", "e"], {})], {"x": X}, weights).shape == (1, 2, 3)


def test_pow_of_mixed_types_has_the_type_of_the_base() -> None:
    x = np.array([2, 3, 5], np.int32)
    assert agrees([("Pow", ["x", "e"], {})], {"x": x}, {"e": np.array([1.0, 2.0, 0.5], np.float32)}).dtype == np.int32


def test_sum_and_mean_broadcast(tmp_path: Any) -> None:
    inputs = {"x": X, "y": X[0], "z": X[:, :1]}
    for op in ("Sum", "Mean", "Max", "Min"):
        agrees([(op, ["x", "y", "z"], {})], inputs, {})
        agrees([(op, ["x"], {})], {"x": X}, {})
    assert kinds(model_of([("Sum", ["x", "x", "x"], {})], {"x": X}, {}), tmp_path) == ["sum"]


def test_integers_are_divided_towards_zero_by_a_constant_and_an_input() -> None:
    x = np.array([7, -7, 2**31 - 1, -(2**31)], np.int32)
    assert agrees([("Div", ["x", "y"], {})], {"x": x}, {"y": np.int32(2)}).tolist() == [3, -3, 2**30 - 1, -(2**30)]
    agrees([("Div", ["x", "y"], {})], {"x": x, "y": np.array([-2, 2, 3, 3], np.int32)}, {})


def test_comparison_of_f32_is_boolean_and_a_condition() -> None:
    nodes: list[Node] = [("Greater", ["x", "y"], {}), ("Where", ["v0", "x", "y"], {})]
    agrees(nodes[:1], {"x": X, "y": X[::-1].copy()}, {})
    agrees(nodes, {"x": X, "y": X[::-1].copy()}, {})


def test_dropout_hands_its_input_on(tmp_path: Any) -> None:
    node: Node = ("Dropout", ["x", "ratio", "mode"], {})
    agrees([("Dropout", ["x"], {}), ("Exp", ["v0"], {})], {"x": X}, {})
    for ratio, mode in ((0.5, False), (0.0, True)):
        weights = {"ratio": np.float32(ratio), "mode": np.array(mode)}
        assert kinds(model_of([node, ("Exp", ["v0"], {})], {"x": X}, weights), tmp_path) == ["exp"]
    with pytest.raises(LastuseError, match="training mode, which draws elements at random, is not supported"):
        kinds(model_of([node], {"x": X}, {"ratio": np.float32(0.5), "mode": np.array(True)}), tmp_path)
    with pytest.raises(LastuseError, match="training mode"):
        kinds(model_of([node], {"x": X, "mode": np.array(True)}, {"ratio": np.float32(0.5)}), tmp_path)


def test_cast_to_a_type_that_is_not_supported_is_named(tmp_path: Any) -> None:
    with pytest.raises(LastuseError, match="a cast to FLOAT8E4M3FN is not supported"):
        kinds(model_of([("Cast", ["x"], {"to": TensorProto.FLOAT8E4M3FN})], {"x": X}, {}), tmp_path)


def test_cast_to_the_same_type_is_nothing(tmp_path: Any) -> None:
    nodes: list[Node] = [("Cast", ["x"], {"to": TensorProto.FLOAT}), ("Identity", ["v0"], {}), ("Exp", ["v1"], {})]
    assert kinds(model_of(nodes, {"x": X}, {}), tmp_path) == ["exp"]


def test_input_that_is_an_output_is_a_copy() -> None:
    assert agrees([("Identity", ["x"], {})], {"x": X}, {}) is not X


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_integers_have_negative_powers(dtype: type) -> None:
    a, b = np.array([1, 2, 3, -1, -1, -2], dtype), np.array([-2, 5, -1, -3, -2, -63], dtype)
    result = agrees([("Pow", ["a", "b"], {})], {"a": a, "b": b}, {})
    assert result.tolist() == [1, 32, 0, -1, 1, 0]


def test_an_attribute_that_does_not_fit_at_run_time_is_an_error() -> None:
    """The axis is data of the run, which no size depends on."""
    inputs = {"x": X, "axis": np.array(5)}
    program = lastuse.compile(model_of([("CumSum", ["x", "axis"], {})], inputs, {}))
    with pytest.raises(LastuseError, match="axis 5 is outside the 2 axes"):
        program.run(inputs)


def test_filters_that_do_not_fit_the_channels_are_an_error() -> None:
    """No shape function of `onnx` sees them."""
    inputs = {
        "x": np.ones((1, 8, 3, 3), np.float32),
        "w": np.ones((1, 1, 2, 2), np.float32),
        "offset": np.zeros((1, 8, 2, 2), np.float32),
    }
    model = model_of([("DeformConv", list(inputs), {"kernel_shape": [2, 2]})], inputs, {})
    with pytest.raises(LastuseError, match="1 filters of 1 channels in 1 groups do not fit 8 channels"):
        lastuse.compile(model)
