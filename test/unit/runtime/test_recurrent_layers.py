"""ONNX's recurrent ops on oneDNN: the results of onnxruntime, planned as naive, weights packed once for all sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import lastuse
from lastuse.dialect.dnn.base import Array
from lastuse.runtime import _core, recurrent_chains, scratch

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
INPUTS = ("x", "w", "r", "b", "", "h", "c", "p")
RESULTS = ("y", "y_h", "y_c")


class Layer(NamedTuple):
    """A model of one recurrent op, and arrays to run it on."""

    model: bytes
    feeds: Mapping[str, Array]
    results: Sequence[str]


def layer(
    kind: str,
    sizes: tuple[int, int, int, int],
    direction: str = "forward",
    optional: str = "bh",
    constant: bool = True,
    free: bool = False,
    **attributes: Any,
) -> Layer:
    """A layer of sizes (steps, batch, inputs, hidden). `optional`: b, h and, of an LSTM, p; `constant`: whether weights
    are initializers; `free`: whether steps and batch are unknown."""
    rng, (steps, batch, inputs, hidden) = np.random.default_rng(sum(sizes)), sizes
    count, rows = 1 + (direction == "bidirectional"), GATES[kind] * hidden
    by_batch, is_lstm = attributes.get("layout", 0), kind == "LSTM"
    state = (batch, count, hidden) if by_batch else (count, batch, hidden)
    shapes = {
        "x": (batch, steps, inputs) if by_batch else (steps, batch, inputs),
        "w": (count, rows, inputs),
        "r": (count, rows, hidden),
        "b": (count, 2 * rows),
        "h": state,
        "c": state,
        "p": (count, 3 * hidden),
    }
    names = ["x", "w", "r", *optional, *("c" if is_lstm and "h" in optional else "")]
    bound = 1 / max(hidden, 4) ** 0.5
    arrays = {name: rng.uniform(-bound, bound, shapes[name]).astype(np.float32) for name in names}
    weights = {name: array for name, array in arrays.items() if constant and name in "wrbp"}
    feeds = {name: array for name, array in arrays.items() if name not in weights}
    listed = [name if name in arrays else "" for name in INPUTS[: 8 if is_lstm else 6]]
    results = RESULTS[: 3 if is_lstm else 2]
    node = helper.make_node(kind, listed, results, hidden_size=hidden, direction=direction, **attributes)
    unknown = {"x": ["T", "N", inputs]} if free else {}
    graph = helper.make_graph(
        [node],
        "layer",
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, unknown.get(n, a.shape)) for n, a in feeds.items()],
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in results],
        [numpy_helper.from_array(a, n) for n, a in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=8)
    return Layer(model.SerializeToString(), feeds, results)


def engine(program: lastuse.Program) -> str:
    """The engine of the only step that is no copy."""
    engines = {time.engine for time in program.profile()} - {"runtime"}
    assert len(engines) == 1
    return engines.pop()


def onnxruntime_of(case: Layer) -> list[Array]:
    ort = pytest.importorskip("onnxruntime")
    session = ort.InferenceSession(case.model, providers=["CPUExecutionProvider"])
    return session.run(None, dict(case.feeds))


CASES = [
    ("RNN", {}),
    ("RNN", {"activations": ["Relu"]}),
    ("RNN", {"activations": ["Sigmoid"]}),
    ("GRU", {}),
    ("GRU", {"linear_before_reset": 1}),
    ("LSTM", {}),
    ("LSTM", {"optional": "bhp"}),
    ("LSTM", {"optional": ""}),
    ("GRU", {"optional": "h", "linear_before_reset": 1}),
]


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize(("kind", "settings"), CASES)
def test_results_of_onnxruntime_planned_as_naive(kind: str, settings: dict[str, Any], direction: str) -> None:
    settings = dict(settings)
    if "activations" in settings:
        settings["activations"] = settings["activations"] * (1 + (direction == "bidirectional"))
    for sizes in (
        (1, 1, 4, 4),
        (5, 3, 7, 9),
        (1, 33, 8, 8),
        (3, 16, 20, 33),
        (2, 2, 5, 130),
        (19, 3, 7, 9),
        (33, 1, 5, 16),
    ):
        case = layer(kind, sizes, direction, **settings)
        planned = lastuse.compile(case.model, threads=1, profile=True)
        naive = lastuse.compile(case.model, threads=1, inplace=False, plan=False)
        predicted = planned.memory
        results, plain = planned.run(case.feeds), naive.run(case.feeds)
        assert engine(planned) == "onednn"
        assert predicted == planned.memory
        for name, want in zip(case.results, onnxruntime_of(case), strict=True):
            np.testing.assert_allclose(results[name], want, rtol=0, atol=5e-6)
            np.testing.assert_array_equal(results[name], plain[name])


@pytest.mark.parametrize("direction", ["forward", "reverse"])
@pytest.mark.parametrize(("kind", "settings"), CASES)
def test_a_chain_computes_what_one_primitive_does(
    kind: str, settings: dict[str, Any], direction: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for roundings: oneDNN's products add up in an order that depends on steps and addresses."""
    for sizes in ((23, 1, 5, 16), (26, 3, 7, 9)):  # two and three hand-overs of the cells
        case, results = layer(kind, sizes, direction, **settings), list[Mapping[str, Array]]()
        for most in (sizes[0], 8):
            monkeypatch.setattr(recurrent_chains, "STEPS", most)
            scratch._kept.cache_clear()  # pyright: ignore[reportPrivateUsage]
            program = lastuse.compile(case.model, threads=1, poison=True)
            results.append(program.run(case.feeds))
            assert len(program.latest.runner.steps) == -(-sizes[0] // most)
        for name in case.results:
            np.testing.assert_allclose(results[0][name], results[1][name], rtol=0, atol=2e-6)


@pytest.mark.parametrize("kind", GATES)
def test_scratch_does_not_grow_with_steps(kind: str) -> None:
    few, many = (lastuse.compile(layer(kind, (count, 1, 5, 64)).model, threads=1) for count in (8, 64))
    cells = 64 * 4
    assert 0 < many.memory_for().arena_bytes <= few.memory_for().arena_bytes + cells


@pytest.mark.parametrize("kind", GATES)
def test_batch_first_is_the_transposed_layer(kind: str) -> None:
    first = layer(kind, (4, 3, 5, 6), "bidirectional", layout=1)
    second = layer(kind, (4, 3, 5, 6), "bidirectional")
    turned = {name: array.transpose(1, 0, 2) for name, array in first.feeds.items()}
    program = lastuse.compile(first.model, profile=True)
    results = program.run(first.feeds)
    want = lastuse.compile(second.model).run({name: np.ascontiguousarray(array) for name, array in turned.items()})
    assert engine(program) == "onednn"
    np.testing.assert_allclose(results["y"].transpose(1, 2, 0, 3), want["y"], rtol=0, atol=5e-6)
    np.testing.assert_allclose(results["y_h"].transpose(1, 0, 2), want["y_h"], rtol=0, atol=5e-6)


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("GRU", {"constant": False}),
        ("GRU", {"clip": 0.5}),
        ("GRU", {"activations": ["HardSigmoid", "Tanh"]}),
        ("RNN", {"activations": ["Softsign"]}),
        ("LSTM", {"input_forget": 1}),
    ],
)
def test_what_onednn_has_not_runs_on_the_cpu(kind: str, settings: dict[str, Any]) -> None:
    case = layer(kind, (3, 2, 4, 5), **settings)
    program = lastuse.compile(case.model, profile=True)
    results = program.run(case.feeds)
    assert engine(program) == "cpu"
    for name, want in zip(case.results, onnxruntime_of(case), strict=True):
        np.testing.assert_allclose(results[name], want, rtol=0, atol=5e-6)


@pytest.mark.parametrize("kind", GATES)
def test_weights_are_packed_once_for_all_sizes(kind: str) -> None:
    packed: set[int] = set()
    case = layer(kind, (5, 3, 7, 9), optional="b", free=True)
    program = lastuse.compile(case.model, threads=1)
    for steps, batch in ((5, 3), (1, 1), (1, 33), (7, 16), (2, 2)):
        x = np.random.default_rng(steps).uniform(-1, 1, (steps, batch, 7)).astype(np.float32)
        y = program.run({"x": x})["y"]
        whole = lastuse.compile(case.model, threads=1).run({"x": x})["y"]
        np.testing.assert_allclose(y, whole, rtol=0, atol=5e-6)
        packed.add(program.memory.packed_bytes)
    assert len(packed) == 1


@pytest.mark.parametrize("cell", ["lstm", "lbr_gru", "gru", "rnn_tanh"])
@pytest.mark.parametrize("steps", [1, 3])
def test_no_layout_of_weights_is_one_that_only_gemm_knows(cell: str, steps: int) -> None:
    f32, gates = np.dtype(np.float32), {"lstm": 4, "rnn_tanh": 1}.get(cell, 3)

    def dense(*shape: int) -> _core.Desc:
        return _core.Desc(f32, shape, [int(np.prod(shape[k + 1 :])) for k in range(len(shape))])

    w, r = (_core.Desc.any_layout(f32, (1, 1, rows, gates, 16)) for rows in (130, 16))
    bias = dense(1, 1, 4 if cell == "lbr_gru" else gates, 16)
    primitive = _core.recurrent(cell, False, dense(steps, 33, 130), w, r, bias, dense(steps, 33, 16))
    assert all(layout.text for layout in primitive.ins)


def test_an_unknown_cell_is_an_error() -> None:
    f32 = np.dtype(np.float32)
    layout = _core.Desc(f32, (1, 1, 1), (1, 1, 1))
    with pytest.raises(_core.Error, match="oneDNN has no recurrent cell 'sru'"):
        _core.recurrent("sru", False, layout, layout, layout, layout, layout)


def test_layers_without_avx2_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "isa", lambda: 0x3)
    case = layer("GRU", (3, 2, 4, 11))
    with pytest.raises(lastuse.LastuseError, match="corrupt memory without AVX2"):
        lastuse.compile(case.model).run(case.feeds)
