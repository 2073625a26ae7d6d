"""DynamicQuantizeLSTM: results are those of a reference on integers here, and of onnxruntime, which rounds its
activations otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
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
    low, high = x.min(initial=np.float32(0)), x.max(initial=np.float32(0))
    step = (high - low) / np.float32(255) or np.float32(1)
    start = np.clip(np.rint(-low / step), 0, 255)
    integers = np.clip(np.rint(x / step) + start, 0, 255).astype(np.int64) - int(start)
    sums = integers @ (weights.astype(np.int64) - zero.astype(np.int64))
    return sums.astype(np.float32) * (step * scale)


def reference(operands: Mapping[str, Array], attributes: Mapping[str, Any]) -> list[Array]:
    """Each step of all sequences that have it, one step after the other."""
    x, hidden = operands["x"], operands["r"].shape[1]
    steps, batch = x.shape[:2]
    names = attributes.get("activations") or ["Sigmoid", "Tanh", "Tanh"] * len(operands["r"])
    clip, reverse = attributes.get("clip", np.inf), attributes.get("direction", "forward")
    lengths = operands.get("lengths", np.full(batch, steps))
    longest = int(max(lengths, default=0))
    ends: list[tuple[Array, Array, Array]] = []
    for d in range(len(operands["r"])):
        f, g, shown = (FUNCTIONS[name] for name in names[3 * d : 3 * d + 3])
        bias = operands["b"][d, : 4 * hidden] + operands["b"][d, 4 * hidden :] if "b" in operands else np.float32(0)
        p = operands["p"][d].reshape(3, hidden) if "p" in operands else np.zeros((3, hidden), np.float32)
        zeros = np.zeros((batch, hidden), np.float32)
        h, c = (operands[name][d].copy() if name in operands else zeros.copy() for name in "hc")
        gates = product(x[:longest], operands["w"][d], operands["w_scale"][d], operands["w_zero"][d]) + bias
        y = np.zeros((steps, batch, hidden), np.float32)
        for step in range(longest):
            has = [n for n in range(batch) if step < lengths[n]]
            at = [lengths[n] - 1 - step if reverse == "reverse" or d == 1 else step for n in has]
            sums = gates[at, has] + product(h[has], operands["r"][d], operands["r_scale"][d], operands["r_zero"][d])
            i, o, forget, new = np.split(sums, 4, axis=1)
            i, new = f(np.clip(i + p[0] * c[has], -clip, clip)), g(np.clip(new, -clip, clip))
            forget = 1 - i if attributes.get("input_forget") else f(np.clip(forget + p[2] * c[has], -clip, clip))
            c[has] = forget * c[has] + i * new
            y[at, has] = h[has] = f(np.clip(o + p[1] * c[has], -clip, clip)) * shown(c[has])
        h[lengths == 0] = c[lengths == 0] = 0
        ends.append((y, h, c))
    return [np.stack([end[k] for end in ends], axis=(1, 0, 0)[k]) for k in range(3)]


def with_lengths(operands: dict[str, Array], *lengths: int) -> dict[str, Array]:
    return {**operands, "lengths": np.array(lengths, np.int32)}


CASES: Mapping[str, tuple[dict[str, Array], dict[str, Any]]] = {
    "forward": (operands_of(7, 2, 5, 6, 1, np.int8, False, "p"), {}),
    "one step": (operands_of(1, 1, 8, 16, 1, np.uint8, False, "p"), {}),
    "reverse, without states": (operands_of(5, 3, 4, 9, 1, np.uint8, False, "p h c"), {"direction": "reverse"}),
    "both, scales of columns": (operands_of(6, 1, 4, 5, 2, np.int8, True, "p"), {"direction": "bidirectional"}),
    "peepholes, clip": (operands_of(4, 2, 3, 8, 1, np.int8, False), {"clip": 0.5}),
    "without biases, tied gates": (operands_of(4, 1, 3, 7, 1, np.int8, False, "b p"), {"input_forget": 1}),
    "lengths": (with_lengths(operands_of(7, 4, 3, 20, 1, np.int8, False, "p"), 5, 0, 3, 6), {}),
    "lengths, both": (
        with_lengths(operands_of(5, 3, 4, 17, 2, np.int8, True), 5, 2, 4),
        {"direction": "bidirectional"},
    ),
    "wide": (operands_of(9, 1, 5, 150, 1, np.uint8, False, "p"), {"direction": "reverse"}),
    "many sequences": (operands_of(4, 30, 5, 40, 1, np.int8, False, "p"), {}),
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


@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(1, 6), st.integers(1, 36)),
    st.sampled_from(["forward", "reverse", "bidirectional"]),
    st.sampled_from([np.int8, np.uint8]),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.sets(st.sampled_from("bhcp")),
)
def test_results_are_those_of_integers_for_any_sizes(
    sizes: tuple[int, int, int, int], direction: str, weights: type, flags: Sequence[bool], without: set[str]
) -> None:
    (steps, batch, _, _), (columns, has_lengths, ties, clips) = sizes, flags
    operands = operands_of(*sizes, 1 + (direction == "bidirectional"), weights, columns, " ".join(without))
    if has_lengths:
        operands = with_lengths(operands, *(n * 3 % (steps + 1) for n in range(batch)))
    attributes = {"direction": direction, "input_forget": int(ties), **({"clip": 1.5} if clips else {})}
    got = list(lastuse.compile(model_of(operands, attributes)).run(feeds_of(operands)).values())
    want = reference(operands, attributes)
    # A state that is rounded to the other one of two bytes is as far off as a step of its scale.
    close(got, want, 5e-2)
    near = [np.abs(one - other) < 1e-5 for one, other in zip(got, want, strict=True)]
    assert np.mean(near[0][-1 if direction == "reverse" and not has_lengths else 0, 0]) == 1


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


# Of many sequences onnxruntime quantises the states of a part together.
@pytest.mark.parametrize("name", [n for n in CASES if "activations" not in n and n != "many sequences"])
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


def test_states_are_written_over_those_before() -> None:
    steps, hidden = 64, 64
    operands = operands_of(steps, 1, 16, hidden, 1, np.int8, False, "p")
    program = lastuse.compile(model_of(operands, {}))
    program.run(feeds_of(operands))
    gates, y = 4 * steps * 4 * hidden, 4 * steps * hidden
    assert program.memory.arena_bytes < gates + y + y // 2
    assert program.latest.engines["native"] == 3 and "cpu" not in program.latest.engines


def test_steps_that_no_sequence_has_are_not_read() -> None:
    operands, attributes = CASES["lengths"]
    program = lastuse.compile(model_of(operands, attributes, free=True))
    want = list(program.run(feeds_of(operands)).values())
    x = operands["x"].copy()
    x[6] = [1e30, -np.inf, np.nan]
    for one, other in zip(program.run(feeds_of({**operands, "x": x})).values(), want, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("length", [-1, 8])
def test_a_length_is_within_the_steps(length: int) -> None:
    operands, attributes = CASES["lengths"]
    fed = feeds_of(with_lengths(operands, 5, length, 3, 6))
    with pytest.raises(LastuseError, match=f"sequence 1 has length {length}, there are 7 steps"):
        lastuse.compile(model_of(operands, attributes)).run(fed)


@pytest.mark.parametrize(
    "change, attributes, message",
    [
        ({"lengths": np.array([7, 3, 2], np.int32)}, {}, "the first axis of sequence_lens is 3, it must be 2"),
        ({"b": np.zeros((1, 47), np.float32)}, {}, "the last axis of B is 47, it must be 48"),
        ({"w": np.zeros((1, 5, 23), np.int8)}, {}, "the last axis of W is 23, it must be 24"),
        ({"r_scale": np.ones(7, np.float32)}, {}, "the first axis of R_scale is 7, it must be 1"),
        ({"r": np.zeros((1, 6, 24), np.float32)}, {}, "R has element type f32, it must be"),
        ({}, {"direction": "sideways"}, "direction is 'sideways'"),
        ({}, {"hidden_size": 5}, "hidden_size is 5, it must be 6"),
        ({}, {"activations": ["Sigmoid"]}, "there are 1 activations, 3 are needed"),
        ({}, {"activations": [1, 2]}, "the attribute 'activations' has another type"),
    ],
)
def test_a_wrong_node_is_one_error(change: Mapping[str, Array], attributes: Mapping[str, Any], message: str) -> None:
    operands = {**CASES["forward"][0], **change}
    with pytest.raises(LastuseError, match=message) as raised:
        lastuse.compile(model_of(operands, attributes)).run(feeds_of(operands))
    assert "\n" not in str(raised.value)
