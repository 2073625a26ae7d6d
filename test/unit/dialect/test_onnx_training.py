"""ONNX's GRU and LSTM in training: the runtime's states, gradients and workspaces against the kernels in numpy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from native_kernels import native_kernel, scratch_of
from op_cases import build, empty, without_first
from test_gradients import numeric

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.recurrent.onnx_workspace import CELLS, workspace_bytes
from lastuse.dialect.onednn.kernel_call import CALLEES
from lastuse.runtime import _core

FORWARD = ("x", "w", "r", "b", "sequence_lens", "initial_h", "initial_c", "p")
BACKWARD = (
    *("x", "w", "r", "b", "initial_h", "initial_c", "y", "workspace"),
    *("y_gradient", "y_h_gradient", "y_c_gradient"),
)
CODES = {"f": "f32", "i": "i8"}
DIRECTIONS = {"forward": 1, "reverse": 1, "bidirectional": 2}


class Layer:
    """Ops of one layer, on arrays that are drawn."""

    def __init__(
        self, cell: str, sizes: tuple[int, int, int, int], direction: str, layout: int = 0, optional: bool = False
    ) -> None:
        """
        Args:
            sizes: steps, sequences, inputs and channels.
            optional: whether there are biases and initial states.
        """
        self.cell, self.direction, self.layout = cell, direction, layout
        self.kind = "lstm" if cell == "lstm" else "gru"
        (steps, batch, inputs, hidden), count = sizes, DIRECTIONS[direction]
        rows, rng = (4 if cell == "lstm" else 3) * hidden, np.random.default_rng(7)
        self.state = (batch, count, hidden) if layout else (count, batch, hidden)
        self.y = (batch, steps, count, hidden) if layout else (steps, count, batch, hidden)
        self.workspace = (count, workspace_bytes(cell, steps, batch, hidden))
        shapes = {"x": (batch, steps, inputs) if layout else (steps, batch, inputs)}
        shapes |= {"w": (count, rows, inputs), "r": (count, rows, hidden)}
        if optional:
            shapes |= {"b": (count, 2 * rows), "initial_h": self.state}
            shapes |= {"initial_c": self.state} if cell == "lstm" else {}
        self.arrays: dict[str, Array] = {}
        for name, shape in shapes.items():
            self.arrays[name] = (0.5 * rng.normal(size=shape)).astype("f")

    def op(self, name: str, names: tuple[str, ...], arrays: Mapping[str, Array], *results: tuple[int, ...]) -> DnnOp:
        """The op on these arrays, in their order; results have x's type, but for the last of ops in training."""
        if self.cell != "lstm":
            names = tuple(n for n in names if n not in ("initial_c", "p", "y_c_gradient"))
        used = [n for n in names if n in arrays]
        given = ", ".join("x".join([*map(str, arrays[n].shape), self.code(arrays[n])]) for n in used)
        kind = self.code(arrays["x"])
        kinds = [kind] * (len(results) - 1) + ["i8" if "training" in name else kind]
        made = ", ".join("x".join([*map(str, shape), kind]) for shape, kind in zip(results, kinds, strict=True))
        segments = ", ".join(str(int(n in arrays)) for n in names)
        more = f', direction = "{self.direction}", layout = {self.layout} : i64'
        if self.kind == "gru":
            more += f", linear_before_reset = {int(self.cell == 'lbr_gru')} : i64"
        return build(f"{name}({given}) {{operandSegmentSizes = array<i32: {segments}>{more}}} -> {made}")

    @staticmethod
    def code(array: Array) -> str:
        return "f64" if array.dtype == np.float64 else CODES[array.dtype.kind]

    def forward(self) -> DnnOp:
        ends = [self.state] * (1 + (self.cell == "lstm"))
        return self.op(f"onnx_{self.kind}_training", FORWARD, self.arrays, self.y, *ends, self.workspace)

    def gradient(self, results: list[Array], given: tuple[str, ...]) -> tuple[DnnOp, list[Array]]:
        """The gradient, of the results that are named, and its operands."""
        rng = np.random.default_rng(9)
        arrays = dict(self.arrays) | {"y": results[0], "workspace": results[-1]}
        for name in given:
            shape = self.y if name == "y_gradient" else self.state
            arrays[name] = rng.normal(size=shape).astype("f")
        shapes = [arrays[name].shape for name in ("x", "w", "r")]
        shapes += [(shapes[1][0], 2 * shapes[1][1]), *[self.state] * (1 + (self.cell == "lstm")), self.workspace]
        op = self.op(f"onnx_{self.kind}_training_grad", BACKWARD, arrays, *shapes)
        return op, [arrays[name] for name in BACKWARD if name in arrays]


def computed(op: DnnOp, operands: list[Array], threads: int = 1) -> list[Array]:
    results = [np.full_like(array, -1) for array in empty(op)]
    native_kernel(op, threads)(operands, results, scratch_of(op, threads))
    return results


def near(got: list[Array], want: tuple[Array, ...] | list[Array], tolerance: float = 2e-5) -> None:
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance * np.abs(b).max(initial=1))


def all_of(cell: str) -> tuple[str, ...]:
    return ("y_gradient", "y_h_gradient", *["y_c_gradient"] * (cell == "lstm"))


@pytest.mark.parametrize(
    "sizes", [(5, 2, 4, 3), (1, 33, 8, 8), (3, 1, 20, 7), (7, 17, 33, 40), (0, 2, 4, 3), (2, 0, 4, 3)]
)
@pytest.mark.parametrize(
    ("direction", "layout"), [("forward", 0), ("reverse", 1), ("bidirectional", 0), ("bidirectional", 1)]
)
@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize("cell", CELLS)
def test_states_and_gradients_are_those_of_numpy(
    cell: str, optional: bool, direction: str, layout: int, sizes: tuple[int, int, int, int]
) -> None:
    layer = Layer(cell, sizes, direction, layout, optional)
    forward, operands = layer.forward(), list(layer.arrays.values())
    results = computed(forward, operands)
    near(results[:-1], forward.reference(*operands)[:-1])
    for given in (all_of(cell), all_of(cell)[:1], all_of(cell)[1:]):
        op, read = layer.gradient(results, given)
        near(computed(op, read)[:-1], op.reference(*read)[:-1])


@pytest.mark.parametrize("cell", CELLS)
def test_other_gradients_have_the_same_bits_without_that_of_x(cell: str) -> None:
    layer = Layer(cell, (5, 3, 4, 6), "bidirectional", 0, True)
    results = computed(layer.forward(), list(layer.arrays.values()))
    op, read = layer.gradient(results, all_of(cell))
    fewer = without_first(op)
    rest = computed(fewer, [array.copy() for array in read])
    whole = computed(op, [array.copy() for array in read])
    assert [array.tobytes() for array in rest] == [array.tobytes() for array in whole[1:]]
    near(rest[:-1], fewer.reference(*read)[:-1])


@pytest.mark.parametrize("layout", [0, 1])
@pytest.mark.parametrize("cell", CELLS)
def test_two_threads_share_rows_and_products(cell: str, layout: int) -> None:
    layer = Layer(cell, (3, 70, 40, 130), "bidirectional", layout, True)
    forward, operands = layer.forward(), list(layer.arrays.values())
    results = computed(forward, operands, threads=2)
    near(results[:-1], forward.reference(*operands)[:-1])
    op, read = layer.gradient(results, all_of(cell))
    near(computed(op, read, threads=2)[:-1], op.reference(*read)[:-1])


@pytest.mark.parametrize("cell", CELLS)
def test_scratch_does_not_grow_with_the_gates(cell: str) -> None:
    layer = Layer(cell, (64, 32, 64, 64), "forward")
    op, _ = layer.gradient(computed(layer.forward(), list(layer.arrays.values())), all_of(cell))
    gates = 64 * 32 * (4 if cell == "lstm" else 3) * 64 * 4
    assert scratch_of(layer.forward(), 1).size < gates / 2 and scratch_of(op, 1).size < gates


@pytest.mark.parametrize("cell", CELLS)
def test_gradients_are_central_differences(cell: str) -> None:
    layer = Layer(cell, (4, 2, 3, 2), "bidirectional", 1, True)
    results = computed(layer.forward(), list(layer.arrays.values()))
    op, read = layer.gradient(results, all_of(cell))
    wide = {name: array.astype(np.float64) for name, array in layer.arrays.items()}
    plain = layer.op(f"onnx_{layer.kind}", FORWARD, wide, layer.y, *[layer.state] * (len(results) - 2))
    weights = [array.astype(np.float64) for array in read[-len(all_of(cell)) :]]
    for number, (name, gradient) in enumerate(zip(wide, computed(op, read), strict=False)):
        want = numeric(plain, list(wide.values()), weights, number)
        np.testing.assert_allclose(gradient, want, rtol=1e-3, atol=1e-4, err_msg=name)


@pytest.mark.parametrize("cell", CELLS)
def test_bits_do_not_depend_on_what_was_in_memory_or_on_the_place(cell: str) -> None:
    layer = Layer(cell, (6, 5, 9, 12), "bidirectional")
    forward, operands = layer.forward(), list(layer.arrays.values())
    results = computed(forward, operands)
    again = [np.zeros_like(result) for result in results]
    native_kernel(forward, 1)(operands, again, np.zeros_like(scratch_of(forward, 1)))
    assert [a.tobytes() for a in again] == [a.tobytes() for a in results]
    op, read = layer.gradient(results, all_of(cell))
    kept = [array.copy() for array in read]
    apart = computed(op, read)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(read, kept, strict=True))
    over = [*(np.full_like(result, -1) for result in apart[:-1]), results[-1]]
    native_kernel(op, 1)(read, over, scratch_of(op, 1))
    assert [a.tobytes() for a in over] == [a.tobytes() for a in apart]


@pytest.mark.parametrize("sizes", [(1, 1, 1, 1), (8, 32, 256, 256), (5, 3, 300, 64), (20, 1, 100, 600), (1, 33, 8, 8)])
@pytest.mark.parametrize("cell", CELLS)
def test_a_workspace_that_is_too_small_is_refused(cell: str, sizes: tuple[int, int, int, int]) -> None:
    layer = Layer(cell, sizes, "forward")
    forward, operands = layer.forward(), list(layer.arrays.values())
    results, scratch = empty(forward), scratch_of(forward, 1)
    native_kernel(forward, 1)(operands, results, scratch)
    results[-1] = results[-1][:, 64:].copy()
    with pytest.raises(
        _core.Error, match=rf"the workspace takes {results[-1].size + 64} bytes, it has {results[-1].size}"
    ):
        native_kernel(forward, 1)(operands, results, scratch)


REFUSED = {
    "f64": ("onnx_gru(5x2x4xf64, 1x9x4xf64, 1x9x3xf64) {S} -> 5x1x2x3xf64, 1x2x3xf64", (1, 1, 1, 0, 0, 0)),
    "lengths": ("onnx_gru(5x2x4xf32, 1x9x4xf32, 1x9x3xf32, 2xi64) {S} -> 5x1x2x3xf32, 1x2x3xf32", (1, 1, 1, 0, 1, 0)),
    "clip": (
        "onnx_gru(5x2x4xf32, 1x9x4xf32, 1x9x3xf32) {clip = 1.0 : f64, S} -> 5x1x2x3xf32, 1x2x3xf32",
        (1, 1, 1, 0, 0, 0),
    ),
    "names": (
        'onnx_gru(5x2x4xf32, 1x9x4xf32, 1x9x3xf32) {activations = ["Tanh", "Tanh"], S} -> 5x1x2x3xf32, 1x2x3xf32',
        (1, 1, 1, 0, 0, 0),
    ),
    "engine": (
        'onnx_gru(5x2x4xf32, 1x9x4xf32, 1x9x3xf32) {dnn.engine = "cpu", S} -> 5x1x2x3xf32, 1x2x3xf32',
        (1, 1, 1, 0, 0, 0),
    ),
    "inputs": ("onnx_gru(5x2x0xf32, 1x9x0xf32, 1x9x3xf32) {S} -> 5x1x2x3xf32, 1x2x3xf32", (1, 1, 1, 0, 0, 0)),
    "one state": (
        "onnx_lstm(5x2x4xf32, 1x12x4xf32, 1x12x3xf32, 1x2x3xf32) {S} -> 5x1x2x3xf32, 1x2x3xf32, 1x2x3xf32",
        (1, 1, 1, 0, 0, 1, 0, 0),
    ),
    "peepholes": (
        "onnx_lstm(5x2x4xf32, 1x12x4xf32, 1x12x3xf32, 1x9xf32) {S} -> 5x1x2x3xf32, 1x2x3xf32, 1x2x3xf32",
        (1, 1, 1, 0, 0, 0, 0, 1),
    ),
    "rnn": ("onnx_rnn(5x2x4xf32, 1x3x4xf32, 1x3x3xf32) {S} -> 5x1x2x3xf32, 1x2x3xf32", (1, 1, 1, 0, 0, 0)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_layers_that_the_kernel_does_not_train_stay_as_they_are(name: str) -> None:
    line, there = REFUSED[name]
    segments = f"operandSegmentSizes = array<i32: {', '.join(map(str, there))}>"
    assert build(line.replace("S}", f"{segments}}}")).training_form() is None


@pytest.mark.parametrize("kind", ["gru", "lstm"])
def test_a_layer_of_unknown_steps_has_a_workspace_of_unknown_size(kind: str) -> None:
    gates, ends = (3, ", 1x?x3xf32") if kind == "gru" else (4, ", 1x?x3xf32, 1x?x3xf32")
    absent = ", 0" * (3 if kind == "gru" else 5)
    op = build(
        f"onnx_{kind}(?x?x4xf32, 1x{gates * 3}x4xf32, 1x{gates * 3}x3xf32) "
        f"{{operandSegmentSizes = array<i32: 1, 1, 1{absent}>}} -> ?x1x?x3xf32{ends}"
    )
    form = op.training_form()
    assert form is not None and isinstance(form, CALLEES[f"dnn.onnx_{kind}_training"])
    assert form.result_type(len(form.results) - 1).shape == (1, None)
