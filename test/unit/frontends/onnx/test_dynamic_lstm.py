"""DynamicQuantizeLSTM: results are those of a reference on integers here, and of onnxruntime, which rounds its
activations otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import lastuse
from lastuse.dialect.ir.diagnostics import LastuseError

Array = np.ndarray
NAMES = ["x", "w", "r", "b", "lengths", "h", "c", "p", "w_scale", "w_zero", "r_scale", "r_zero"]
FUNCTIONS: Mapping[str, Callable[[Array], Array]] = {
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Tanh": np.tanh,
    "Relu": lambda x: np.maximum(x, 0),
    "Softsign": lambda x: x / (1 + np.abs(x)),
    "HardSigmoid": lambda x: np.clip(0.2 * x + 0.5, 0, 1),
    "Affine": lambda x: 0.5 * x + 0.25,
    "ScaledTanh": lambda x: 0.75 * np.tanh(0.5 * x),
}


def operands_of(
    steps: int, batch: int, inputs: int, hidden: int, directions: int, weights: type, columns: bool, without: str = ""
) -> dict[str, Array]:
    """Operands by name, but for those whose first letters are in `without`; `columns`: each has a scale."""
    rng = np.random.default_rng(steps + 10 * batch + 100 * hidden)
    limits, each = np.iinfo(weights), (directions, 4 * hidden) if columns else (directions,)

    def floats(*shape: int) -> Array:
        return (rng.standard_normal(shape) * 0.5).astype(np.float32)

    def integers(*shape: int) -> Array:
        return rng.integers(limits.min, limits.max + 1, shape).astype(weights)

    zero = np.zeros(each, weights) if columns else rng.integers(limits.min // 2, limits.max // 2, each).astype(weights)
    made = {
        "x": floats(steps, batch, inputs),
        "w": integers(directions, inputs, 4 * hidden),
        "r": integers(directions, hidden, 4 * hidden),
        "b": floats(directions, 8 * hidden),
        "h": floats(directions, batch, hidden),
        "c": floats(directions, batch, hidden),
        "p": floats(directions, 3 * hidden),
        "w_scale": rng.uniform(0.002, 0.01, each).astype(np.float32),
        "w_zero": zero,
        "r_scale": rng.uniform(0.002, 0.01, each).astype(np.float32),
        "r_zero": zero,
    }
    return {name: value for name, value in made.items() if name not in without.split()}


def model_of(operands: Mapping[str, Array], attributes: Mapping[str, Any], free: bool = False) -> bytes:
    """A model of one node, whose inputs are x and the states; `free`: steps and batch may be any."""
    fed = [name for name in ("x", "h", "c", "lengths") if name in operands]
    node = helper.make_node(
        "DynamicQuantizeLSTM",
        [name if name in operands else "" for name in NAMES],
        ["y", "y_h", "y_c"],
        domain="com.microsoft",
        **{"hidden_size": operands["r"].shape[1], **attributes},
    )
    sizes = {"x": ("steps", "batch", None), "h": (None, "batch", None), "c": (None, "batch", None), "lengths": (None,)}

    def info(name: str) -> onnx.ValueInfoProto:
        array = operands[name]
        shape = [(free and s) or n for s, n in zip(sizes[name], array.shape, strict=True)]
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), shape)

    constants = [numpy_helper.from_array(a, name) for name, a in operands.items() if name not in fed]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("y", "y_h", "y_c")]
    graph = helper.make_graph([node], "graph", [info(name) for name in fed], outputs, constants)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


def feeds_of(operands: Mapping[str, Array]) -> dict[str, Array]:
    return {name: operands[name] for name in ("x", "h", "c", "lengths") if name in operands}


def product(x: Array, weights: Array, scale: Array, zero: Array) -> Array:
    """x as DynamicQuantizeLinear has it, times weights, exactly but for the last factor."""
    low, high = min(x.min(), np.float32(0)), max(x.max(), np.float32(0))
    step = (high - low) / np.float32(255) or np.float32(1)
    start = np.clip(np.rint(-low / step), 0, 255)
    integers = np.clip(np.rint(x / step) + start, 0, 255).astype(np.int64) - int(start)
    sums = integers @ (weights.astype(np.int64) - zero.astype(np.int64))
    return sums.astype(np.float32) * (step * scale)


def reference(operands: Mapping[str, Array], attributes: Mapping[str, Any]) -> list[Array]:
    x, hidden = operands["x"], operands["r"].shape[1]
    names = attributes.get("activations") or ["Sigmoid", "Tanh", "Tanh"] * len(operands["r"])
    clip, reverse = attributes.get("clip", np.inf), attributes.get("direction", "forward")
    ends: list[tuple[Array, Array, Array]] = []
    for d in range(len(operands["r"])):
        f, g, shown = (FUNCTIONS[name] for name in names[3 * d : 3 * d + 3])
        bias = operands["b"][d, : 4 * hidden] + operands["b"][d, 4 * hidden :] if "b" in operands else np.float32(0)
        p = operands["p"][d].reshape(3, hidden) if "p" in operands else np.zeros((3, hidden), np.float32)
        zeros = np.zeros((x.shape[1], hidden), np.float32)
        h, c = (operands[name][d] if name in operands else zeros for name in "hc")
        gates = product(x, operands["w"][d], operands["w_scale"][d], operands["w_zero"][d]) + bias
        y = np.zeros((len(x), *h.shape), np.float32)
        backward = reverse == "reverse" or d == 1
        for t in range(len(x))[:: -1 if backward else 1]:
            sums = gates[t] + product(h, operands["r"][d], operands["r_scale"][d], operands["r_zero"][d])
            i, o, forget, new = np.split(sums, 4, axis=1)
            i, new = f(np.clip(i + p[0] * c, -clip, clip)), g(np.clip(new, -clip, clip))
            forget = 1 - i if attributes.get("input_forget") else f(np.clip(forget + p[2] * c, -clip, clip))
            c = forget * c + i * new
            y[t] = h = f(np.clip(o + p[1] * c, -clip, clip)) * shown(c)
        ends.append((y, h, c))
    return [np.stack([end[k] for end in ends], axis=(1, 0, 0)[k]) for k in range(3)]


CASES: Mapping[str, tuple[dict[str, Array], dict[str, Any]]] = {
    "forward": (operands_of(7, 2, 5, 6, 1, np.int8, False, "p"), {}),
    "one step": (operands_of(1, 1, 8, 16, 1, np.uint8, False, "p"), {}),
    "reverse, without states": (operands_of(5, 3, 4, 9, 1, np.uint8, False, "p h c"), {"direction": "reverse"}),
    "both, scales of columns": (operands_of(6, 1, 4, 5, 2, np.int8, True, "p"), {"direction": "bidirectional"}),
    "peepholes, clip": (operands_of(4, 2, 3, 8, 1, np.int8, False), {"clip": 0.5}),
    "without biases, tied gates": (operands_of(4, 1, 3, 7, 1, np.int8, False, "b p"), {"input_forget": 1}),
    "activations": (
        operands_of(5, 2, 3, 4, 2, np.uint8, False, "p"),
        {"direction": "bidirectional", "activations": ["HardSigmoid", "Softsign", "Relu", "Sigmoid", "Tanh", "Tanh"]},
    ),
    "activations with numbers": (
        operands_of(5, 2, 3, 4, 1, np.int8, False, "p"),
        {
            "activations": ["sigmoid", "affine", "scaledtanh"],
            "activation_alpha": [0.5, 0.75],
            "activation_beta": [0.25, 0.5],
        },
    ),
}
LOWER = {name.lower(): name for name in FUNCTIONS}


def close(got: Sequence[Array], want: Sequence[Array], tolerance: float) -> None:
    for one, other in zip(got, want, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=0, atol=tolerance * max(np.abs(other).max(), 1e-3))


@pytest.mark.parametrize("name", CASES)
def test_results_are_those_of_integers(name: str) -> None:
    operands, attributes = CASES[name]
    named = {**attributes}
    if "activations" in named:
        named["activations"] = [LOWER[word.lower()] for word in named["activations"]]
    want = reference(operands, named)
    data = model_of(operands, attributes)
    got = list(lastuse.compile(data).run(feeds_of(operands)).values())
    close(got, want, 1e-5)
    naive = lastuse.compile(data, inplace=False, plan=False).run(feeds_of(operands))
    for one, other in zip(got, naive.values(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", [name for name in CASES if "activations" not in name])
def test_results_are_near_those_of_onnxruntime(name: str) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    operands, attributes = CASES[name]
    data = model_of(operands, attributes)
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    want = [np.asarray(one) for one in session.run(None, feeds_of(operands))]
    close(list(lastuse.compile(data).run(feeds_of(operands)).values()), want, 1e-2)


def test_any_number_of_steps_and_sequences() -> None:
    operands, attributes = CASES["both, scales of columns"]
    program = lastuse.compile(model_of(operands, attributes, free=True))
    for steps, batch in ((6, 1), (3, 2), (1, 1), (9, 3), (2, 2)):
        rng = np.random.default_rng(steps)
        sizes = {"x": (steps, batch, 4), "h": (2, batch, 5), "c": (2, batch, 5)}
        fed = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in sizes.items()}
        close(list(program.run(fed).values()), reference({**operands, **fed}, attributes), 1e-5)


def test_sizes_of_other_names_may_be_the_same() -> None:
    operands, attributes = CASES["forward"]
    model = onnx.load_from_string(model_of(operands, attributes, free=True))
    model.graph.input[1].type.tensor_type.shape.dim[1].dim_param = "sequences"
    program = lastuse.compile(model.SerializeToString())
    close(list(program.run(feeds_of(operands)).values()), reference(operands, attributes), 1e-5)


def test_steps_are_one_loop_without_copies_of_y() -> None:
    steps, hidden = 64, 64
    operands = operands_of(steps, 1, 16, hidden, 1, np.int8, False, "p")
    program = lastuse.compile(model_of(operands, {}))
    program.run(feeds_of(operands))
    gates, y = 4 * steps * 4 * hidden, 4 * steps * hidden
    assert program.memory.arena_bytes < gates + y + y // 2
    assert "numpy" not in program.latest.engines
    assert sum(program.latest.engines.values()) < steps


@pytest.mark.parametrize(
    "change, attributes, message",
    [
        ({"lengths": np.array([7, 3], np.int32)}, {}, "sequence_lens is not supported"),
        ({"b": np.zeros((1, 47), np.float32)}, {}, "B has sizes 1x47, not 1x48"),
        ({"w": np.zeros((1, 5, 23), np.int8)}, {}, "W has sizes 1x5x23, not 1x5x24"),
        ({"r_scale": np.ones(7, np.float32)}, {}, "R_scale has sizes 7, not 1 or 1x24"),
        ({"r": np.zeros((1, 6, 24), np.float32)}, {}, "R has element type f32, not"),
        ({}, {"direction": "sideways"}, "direction is 'sideways'"),
        ({}, {"hidden_size": 5}, "hidden_size is 5, and R has 6 rows"),
        ({}, {"activations": ["Sigmoid"]}, "there are 1 activations, 3 are needed"),
        ({}, {"activations": [1, 2]}, "the attribute 'activations' has another type"),
    ],
)
def test_a_wrong_node_is_one_error(change: Mapping[str, Array], attributes: Mapping[str, Any], message: str) -> None:
    operands = {**CASES["forward"][0], **change}
    with pytest.raises(LastuseError, match=message) as raised:
        lastuse.compile(model_of(operands, attributes)).run(feeds_of(operands))
    assert "\n" not in str(raised.value)
