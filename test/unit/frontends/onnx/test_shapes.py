"""Models that compute shapes, axes and bounds: what is known while sizes are not; results as those of onnxruntime."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import onnx.parser
import onnxruntime
import pytest
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.onnx import read_bytes

Array = np.ndarray


def model(text: str, opset: int = 18) -> bytes:
    """A model of the text of a graph, as `onnx.parser` takes it."""
    head = f'<ir_version: 9, opset_import: ["" : {opset}]>\n'
    return onnx.parser.parse_model(head + text).SerializeToString()


def module(text: str) -> ModuleOp:
    """The module of a graph before any size is known."""
    return read_bytes(context(), model(text), "model.onnx")


def kinds(text: str) -> Counter[str]:
    """How many ops of each kind a graph becomes, constants left out; dynamic ones by what they become."""
    counts: Counter[str] = Counter()
    for op in module(text).walk():
        if isinstance(op, DnnOp) and op.name != "dnn.constant":
            counts[str(op.attributes["op"]).strip('"') + "*" if op.name == "dnn.dynamic" else op.name[4:]] += 1
    return counts


def agrees(text: str, *inputs: Mapping[str, Array]) -> None:
    """One program has onnxruntime's results for all inputs."""
    data = model(text)
    program, peer = lastuse.compile(data), onnxruntime.InferenceSession(data)
    for given in inputs:
        wanted = [np.asarray(want) for want in peer.run(None, dict(given))]
        results = program.run(dict(given))
        for (name, got), want in zip(results.items(), wanted, strict=True):
            assert (got.dtype, got.shape) == (want.dtype, want.shape), name
            np.testing.assert_array_equal(got, want, name)


def floats(*shapes: Sequence[int]) -> list[Array]:
    chance = np.random.default_rng(1)
    return [chance.normal(size=shape).astype(np.float32) for shape in shapes]


HEADS = """heads (float[batch, words, 24] x) => (float[batch, h, words, d] y, float[batch, words, 24] z)
<int64 first = {0}, int64 second = {1}, int64[1] axis = {0}, int64[1] heads = {3}, int64[1] depth = {8},
 int64[1] width = {24}> {
  sizes = Shape(x)
  b = Gather(sizes, first)
  n = Gather(sizes, second)
  b1 = Unsqueeze(b, axis)
  n1 = Unsqueeze(n, axis)
  split = Concat<axis = 0>(b1, n1, heads, depth)
  parts = Reshape(x, split)
  y = Transpose<perm = [0, 2, 1, 3]>(parts)
  back = Transpose<perm = [0, 2, 1, 3]>(y)
  joined = Concat<axis = 0>(b1, n1, width)
  z = Reshape(back, joined)
}"""


def test_reshapes_to_sizes_of_the_operand_are_static() -> None:
    counts = kinds(HEADS)
    assert counts["reshape"] == 2
    assert counts["reshape*"] == 0
    agrees(HEADS, *({"x": x} for x in floats((1, 1, 24), (3, 7, 24), (2, 5, 24))))


POSITIONS = """positions (int64[batch, words] ids) => (int64[batch, words] y, float[n, 2] rows, int64[k] all)
<int64 second = {1}, int64 zero = {0}, int64 one = {1}, int64[1] axis = {0}, int64[2] minus = {-1, -1},
 int64[1] two = {2}, int64[1] start = {0}, float[6, 2] table = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}> {
  sizes = Shape(ids)
  n = Gather(sizes, second)
  numbers = Range(zero, n, one)
  row = Unsqueeze(numbers, axis)
  ones = ConstantOfShape<value = int64[1] {1}>(two)
  open = Equal(sizes, minus)
  shape = Where(open, ones, sizes)
  y = Expand(row, shape)
  end = Unsqueeze(n, axis)
  rows = Slice(table, start, end, axis)
  filled = ConstantOfShape<value = int64[1] {7}>(sizes)
  count = ReduceProd<keepdims = 1>(sizes)
  all = Reshape(filled, count)
}"""


def test_positions_follow_the_sizes_of_the_input() -> None:
    counts = kinds(POSITIONS)
    assert counts["range*"] == counts["expand*"] == counts["slice*"] == 1
    assert "where" in counts, "it is folded where it is refined"
    agrees(POSITIONS, *({"ids": np.zeros(s, np.int64)} for s in ((1, 1), (3, 4), (2, 6), (1, 9))))


MOVED = """moved (float[n, m] x) => (float[a, b] padded, float[c, d] tiled, float[e, f] turned, float[g] last,
 float[h, i] top, int64[h, i] places, float[j, k, l] hot, float[p, q] left, float[r, s] right)
<int64[1] eight = {8}, int64 second = {1}, int64[1] axis = {1}, int64[1] lead = {0}, int64[3] zeros = {0, 0, 0},
 int64[1] one = {1}, int64[2] starts = {-1, -1}, int64[2] ends = {-9223372036854775807, -9223372036854775807},
 int64[2] axes = {0, 1}, int64[2] steps = {-2, -1}, int64 minus = {-1}, float[2] values = {0, 5}, int64[1] two = {2}> {
  sizes = Shape(x)
  m = Gather(sizes, second)
  m1 = Unsqueeze(m, lead)
  rest = Sub(eight, m1)
  pads = Concat<axis = 0>(zeros, rest)
  padded = Pad(x, pads)
  n1 = Shape<start = 0, end = 1>(x)
  repeats = Concat<axis = 0>(one, n1)
  tiled = Tile(x, repeats)
  turned = Slice(x, starts, ends, axes, steps)
  last = Gather<axis = 0>(x, minus)
  most = Min(m1, two)
  top, places = TopK<axis = 1>(x, most)
  hot = OneHot(places, m, values)
  rest2 = Sub(m1, one)
  cuts = Concat<axis = 0>(one, rest2)
  left, right = Split<axis = 1>(x, cuts)
}"""


def test_sizes_decide_pads_repeats_and_counts() -> None:
    assert kinds(MOVED)["select"] == 2, "an element at a known place is a view"
    agrees(MOVED, *({"x": x} for x in floats((1, 1), (2, 8), (5, 3), (3, 4))))


BOUND = """bound (float[n, 6] x, int64[2] shape, int64[1] starts, int64[1] ends, int64 k)
 => (float[a, b] y, float[c, d] z) {
  y = Reshape(x, shape)
  part = Slice(y, starts, ends)
  z = Trilu(part, k)
}"""


def test_inputs_that_decide_shapes_are_bound_by_value() -> None:
    def given(n: int, shape: Sequence[int], start: int, end: int, k: int) -> dict[str, Array]:
        (x,) = floats((n, 6))
        return {
            "x": x,
            "shape": np.array(shape),
            "starts": np.array([start]),
            "ends": np.array([end]),
            "k": np.array(k),
        }

    assert {"shape", "starts", "ends"} <= set(lastuse.compile(model(BOUND)).bound_inputs)
    agrees(BOUND, given(2, (3, 4), 0, 2, 0), given(2, (-1, 6), 1, 9, 1), given(4, (0, 6), -3, -1, -1))


def test_elements_of_known_tensors_are_counted() -> None:
    text = """found (float[3, 4] x) => (int64[2, n] places, int64[k] kinds)
    <bool[2, 2] mask = {1, 0, 1, 1}> {
      sizes = Shape(x)
      places = NonZero(mask)
      kinds = Unique(sizes)
    }"""
    agrees(text, {"x": floats((3, 4))[0]})
    assert not kinds(text)["onnx_op"]


@pytest.mark.parametrize("size", [3, 300])
def test_elements_that_data_decides_are_counted_in_the_run(size: int) -> None:
    text = f"""found (float[{size}] x) => (int64[1, n] places) {{
      y = Relu(x)
      places = NonZero(y)
    }}"""
    program = lastuse.compile(model(text))
    assert program.bound_inputs == ()
    for count in (0, 2, size):
        places = program.run({"x": (np.arange(size) < count).astype(np.float32)})["places"]
        assert places.tolist() == [list(range(count))]


def test_shape_that_data_decides_is_an_error_that_names_it() -> None:
    text = """wrong (float[300] x) => (float[n] z) {
      y = Exp(x)
      z = Unique(y)
    }"""
    program = lastuse.compile(model(text.replace("300", "3")))
    assert program.bound_inputs == ("x",)
    assert program.run({"x": np.zeros(3, np.float32)})["z"].tolist() == [1]
    with pytest.raises(LastuseError, match=r"elements of x, of which 64"):
        lastuse.compile(model(text)).run({"x": np.zeros(300, np.float32)})


SCATTERED = """scattered (float[n, 3] x, float[2, 3] rows, int64[2] at) => (float[n, 3] y, float[n, 3] z, float[n, 3] w)
<int64[1] last = {1}, int64 zero = {0}> {
  at2 = Unsqueeze(at, last)
  y = ScatterND<reduction = "add">(x, at2, rows)
  wide = Shape(rows)
  at3 = Expand(at2, wide)
  z = ScatterElements<axis = 0>(y, at3, rows)
  w = CumSum<reverse = 1>(z, zero)
}"""


def test_scatters_write_rows() -> None:
    for n in (2, 5):
        x, rows = floats((n, 3), (2, 3))
        agrees(SCATTERED, {"x": np.rint(x), "rows": np.rint(rows), "at": np.array([1, -n])})
