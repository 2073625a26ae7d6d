"""ONNX's recurrent ops on the native kernels: the results of onnxruntime, planned as naive, weights packed once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import lastuse
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.gathers import IndicesError
from lastuse.runtime import _core
from support import swept

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
INPUTS = ("x", "w", "r", "b", "lengths", "h", "c", "p")
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
    lengths: Array | None = None,
    **attributes: Any,
) -> Layer:
    """A layer of sizes (steps, batch, inputs, hidden). `optional`: b, h and, of an LSTM, p; `constant`: whether weights
    are initializers; `free`: whether steps and batch are unknown; `lengths`: of the sequences."""
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
    if lengths is not None:
        arrays["lengths"] = feeds["lengths"] = lengths
    listed = [name if name in arrays else "" for name in INPUTS[: 8 if is_lstm else 6]]
    results = RESULTS[: 3 if is_lstm else 2]
    node = helper.make_node(kind, listed, results, hidden_size=hidden, direction=direction, **attributes)
    unknown = {"x": ["T", "N", inputs]} if free else {}
    graph = helper.make_graph(
        [node],
        "layer",
        [
            helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), unknown.get(n, a.shape))
            for n, a in feeds.items()
        ],
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
        assert engine(planned) == "native"
        assert predicted == planned.memory
        for name, want in zip(case.results, onnxruntime_of(case), strict=True):
            np.testing.assert_allclose(results[name], want, rtol=0, atol=5e-6)
            np.testing.assert_array_equal(results[name], plain[name])


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize(("kind", "settings"), CASES)
def test_sequences_that_end_before_the_last_step(kind: str, settings: dict[str, Any], direction: str) -> None:
    settings, rng = dict(settings), np.random.default_rng(5)
    if "activations" in settings:
        settings["activations"] = settings["activations"] * (1 + (direction == "bidirectional"))
    for steps, batch, inputs, hidden in ((1, 1, 4, 4), (5, 3, 7, 9), (3, 16, 20, 33), (2, 2, 5, 130), (19, 33, 7, 9)):
        lengths = rng.integers(0, steps + 1, batch).astype(np.int32)
        lengths[:2] = [steps, 0][:batch]
        case = layer(kind, (steps, batch, inputs, hidden), direction, lengths=lengths, **settings)
        for count in (1, 3):
            planned = lastuse.compile(case.model, threads=count, profile=True, poison=True)
            plain = lastuse.compile(case.model, threads=count, inplace=False, plan=False).run(case.feeds)
            results = planned.run(case.feeds)
            assert engine(planned) == "native"
            for name, want in zip(case.results, onnxruntime_of(case), strict=True):
                np.testing.assert_allclose(results[name], want, rtol=0, atol=5e-6)
                np.testing.assert_array_equal(results[name], plain[name])


@pytest.mark.parametrize("kind", GATES)
def test_lengths_of_sequences_whose_batch_is_first(kind: str) -> None:
    lengths = np.array([2, 4, 0], np.int32)
    first = layer(kind, (4, 3, 5, 6), "bidirectional", layout=1, lengths=lengths)
    second = layer(kind, (4, 3, 5, 6), "bidirectional", lengths=lengths)
    turned = {n: np.ascontiguousarray(a.transpose(1, 0, 2)) if a.ndim == 3 else a for n, a in first.feeds.items()}
    results, want = (lastuse.compile(c.model).run(f) for c, f in ((first, first.feeds), (second, turned)))
    np.testing.assert_array_equal(results["y"].transpose(1, 2, 0, 3), want["y"])
    np.testing.assert_array_equal(results["y_h"].transpose(1, 0, 2), want["y_h"])


@pytest.mark.parametrize("length", [-1, 6])
@pytest.mark.parametrize("kind", GATES)
def test_wrong_lengths_are_a_located_error(kind: str, length: int) -> None:
    case = layer(kind, (5, 3, 7, 9), lengths=np.array([5, length, 1], np.int32))
    with pytest.raises(IndicesError, match=f"sequence 1 has length {length}, there are 5 steps") as error:
        lastuse.compile(case.model).run(case.feeds)
    assert error.value.location is not None


@pytest.mark.parametrize(
    ("kind", "settings"), [("GRU", {}), ("GRU", {"linear_before_reset": 1}), ("LSTM", {"optional": "bhp"})]
)
@pytest.mark.parametrize("sizes", [(5, 1, 40, 200), (3, 2, 8, 600), (6, 33, 8, 64), (9, 12, 16, 90), (64, 3, 9, 72)])
def test_same_bits_for_any_number_of_threads(
    kind: str, settings: dict[str, Any], sizes: tuple[int, int, int, int]
) -> None:
    """Sizes whose columns are shared, and such whose sequences are."""
    case = layer(kind, sizes, "bidirectional", **settings)
    alone, *others = (lastuse.compile(case.model, threads=count, poison=True).run(case.feeds) for count in (1, 2, 3))
    for name, want in zip(case.results, onnxruntime_of(case), strict=True):
        np.testing.assert_allclose(alone[name], want, rtol=0, atol=5e-6)
        for other in others:
            np.testing.assert_array_equal(alone[name], other[name])


@pytest.mark.parametrize("cell", ["lstm", "lbr_gru", "gru", "rnn_tanh", "rnn_relu", "rnn_logistic", "rnn"])
@pytest.mark.parametrize("isa", swept(["SSE41", "AVX2"]))
def test_kernels_of_each_instruction_set(cell: str, isa: str) -> None:
    """The same layer in a process that may use this instruction set only."""
    kind = {"lstm": "LSTM"}.get(cell, "RNN" if cell.startswith("rnn") else "GRU")
    names = {"rnn_relu": ["Relu"], "rnn_logistic": ["Sigmoid"], "rnn": ["Softplus"]}.get(cell)
    settings: dict[str, Any] = {"linear_before_reset": int(cell == "lbr_gru")} if kind == "GRU" else {}
    if names is not None:
        settings["activations"] = names
    case = layer(kind, (4, 5, 11, 37), **settings)
    text = (
        "import sys, numpy as np, lastuse; model, feeds, out = sys.argv[1:]; "
        "np.savez(out, **lastuse.compile(model, threads=1).run(dict(np.load(feeds))))"
    )
    with TemporaryDirectory() as folder:
        model, feeds, out = (str(Path(folder, name)) for name in ("model.onnx", "feeds.npz", "out.npz"))
        Path(model).write_bytes(case.model)
        np.savez(feeds, **case.feeds)  # pyright: ignore[reportArgumentType]
        command = [sys.executable, "-c", text, model, feeds, out]
        subprocess.run(command, check=True, env=os.environ | {"ONEDNN_MAX_CPU_ISA": isa})
        results = dict(np.load(out))
    for name, want in zip(case.results, onnxruntime_of(case), strict=True):
        np.testing.assert_allclose(results[name], want, rtol=0, atol=5e-6)


@pytest.mark.parametrize(
    ("kind", "settings", "hidden"),
    [
        *(("LSTM", {"optional": "bp"}, hidden) for hidden in (1, 8, 9, 16, 24, 70)),
        ("GRU", {}, 24),
        ("GRU", {"linear_before_reset": 1}, 40),
        ("RNN", {}, 37),
    ],
)
def test_products_of_any_number_of_rows(kind: str, settings: dict[str, Any], hidden: int) -> None:
    """1 to 33 rows, whole vectors of states and parts of them, on both sides of the width that chooses the panels of
    AVX-512. A row has its bits however many are beside it."""
    case = layer(kind, (3, 33, 21, hidden), **{"optional": "b", **settings}, free=True)
    program = lastuse.compile(case.model, threads=1, poison=True)
    x = case.feeds["x"]
    want, whole = onnxruntime_of(case)[0], program.run({"x": x})["y"]
    np.testing.assert_allclose(whole, want, rtol=0, atol=5e-6)
    for rows in range(1, 33):
        y = program.run({"x": np.ascontiguousarray(x[:, :rows])})["y"]
        np.testing.assert_array_equal(y, whole[:, :, :rows], err_msg=f"{rows} rows")


@pytest.mark.parametrize("kind", GATES)
@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize("batch_first", [0, 1])
@pytest.mark.parametrize("sizes", [(1, 2, 4, 21), (3, 2, 4, 200)])
def test_last_states_are_written_over_the_first_ones(
    kind: str, direction: str, batch_first: int, sizes: tuple[int, int, int, int]
) -> None:
    """The first states are computed, so their memory is free: the last ones need no bytes of their own."""
    case = layer(kind, sizes, direction, layout=batch_first)
    model = onnx.load_from_string(case.model)
    (node,) = model.graph.node
    states = ["h", "c"] if kind == "LSTM" else ["h"]
    for name in states:
        node.input[list(node.input).index(name)] = f"{name}0"
        model.graph.node.insert(0, helper.make_node("Neg", [name], [f"{name}0"]))
    text = model.SerializeToString()
    planned = lastuse.compile(text, threads=2, poison=True)
    naive = lastuse.compile(text, threads=2, inplace=False, plan=False).run(case.feeds)
    results = planned.run(case.feeds)
    for name in case.results:
        np.testing.assert_array_equal(results[name], naive[name])
    if not batch_first:  # onnxruntime has no other layout
        for name, want in zip(case.results, onnxruntime_of(case._replace(model=text)), strict=True):
            np.testing.assert_allclose(results[name], want, rtol=0, atol=5e-6)


@pytest.mark.parametrize("kind", GATES)
def test_scratch_does_not_grow_with_steps(kind: str) -> None:
    few, many = (lastuse.compile(layer(kind, (count, 1, 5, 64)).model, threads=1) for count in (16, 64))
    assert 0 < many.memory_for().arena_bytes == few.memory_for().arena_bytes


@pytest.mark.parametrize("kind", GATES)
def test_batch_first_is_the_transposed_layer(kind: str) -> None:
    first = layer(kind, (4, 3, 5, 6), "bidirectional", layout=1)
    second = layer(kind, (4, 3, 5, 6), "bidirectional")
    turned = {name: array.transpose(1, 0, 2) for name, array in first.feeds.items()}
    program = lastuse.compile(first.model, profile=True)
    results = program.run(first.feeds)
    want = lastuse.compile(second.model).run({name: np.ascontiguousarray(array) for name, array in turned.items()})
    assert engine(program) == "native"
    np.testing.assert_allclose(results["y"].transpose(1, 2, 0, 3), want["y"], rtol=0, atol=5e-6)
    np.testing.assert_allclose(results["y_h"].transpose(1, 0, 2), want["y_h"], rtol=0, atol=5e-6)


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


def test_an_unknown_cell_and_peepholes_of_a_gru_are_errors() -> None:
    with pytest.raises(_core.Error, match="there is no recurrent cell 'sru'"):
        _core.RecurrentShape("sru", 1, 1)
    with pytest.raises(_core.Error, match="has no peephole"):
        _core.RecurrentShape("gru", 1, 1, True)


def test_weights_of_other_sizes_are_not_packed() -> None:
    shape = _core.RecurrentShape("gru", 4, 3)
    w, r = np.zeros((9, 4), np.float32), np.zeros((9, 3), np.float32)
    assert shape.pack(w, r).nbytes == shape.packed_bytes
    with pytest.raises(_core.Error, match="other sizes"):
        shape.pack(r, w)
