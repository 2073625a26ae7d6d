"""Sizes that are compiled for what they cover: few go through all passes, and what is derived is what passes make."""

from __future__ import annotations

import random
from collections.abc import Mapping

import numpy as np
import onnx.numpy_helper
import onnx.parser
import pytest

import lastuse
from lastuse.compiler import step_flow
from lastuse.compiler.size_compiler import SizeCompiler
from lastuse.compiler.size_formulas import Formulas, Inferred
from lastuse.compiler.size_probes import STEPS, probes
from lastuse.compiler.size_template import LEAST

WINDOWS = """<ir_version: 9, opset_import: ["" : 18]>
network (float[n, 3, 16, width] x) => (float[n, m, 4] y)
<int64[3] flat = {0, 16, -1}> {
  p = Conv<kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]>(x, a)
  r = Conv<kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 1]>(p, b)
  t = MaxPool<kernel_shape = [2, 3], strides = [2, 1]>(r)
  v = Reshape(t, flat)
  w = Transpose<perm = [0, 2, 1]>(v)
  z = MatMul(w, d)
  y = Softmax(z)
}"""
WEIGHTS = {"a": (8, 3, 3, 3), "b": (8, 8, 3, 3), "d": (16, 4)}
POSITIONS = """<ir_version: 9, opset_import: ["" : 18]>
positions (float[words, 8] x) => (float[words, 8] y)
<int64[1] first = {0}, int64[1] axis = {0}> {
  e = Exp(x)
  s = Shape<start = 0, end = 1>(x)
  p = Slice(table, first, s, axis)
  f = Add(e, p)
  y = Softmax(f)
}"""
"""A table of 64 rows: no size above 64 makes sense."""


def compiled(text: str, limit: int | None = None) -> lastuse.Program:
    model = onnx.parser.parse_model(text)
    chance = np.random.default_rng(0)
    for name, shape in (WEIGHTS if text == WINDOWS else {"table": (64, 8)}).items():
        array = chance.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    return lastuse.compile(model.SerializeToString(), threads=1, kept_sizes=2, limit=limit)


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> list[Mapping[str, int]]:
    """The sizes that go through all passes, in their order."""
    noted: list[Mapping[str, int]] = []
    unnoted = SizeCompiler._lowered  # pyright: ignore[reportPrivateUsage]

    def note(self: SizeCompiler, sizes: Mapping[str, int], *rest: object) -> object:
        noted.append(dict(sizes))
        return unnoted(self, sizes, *rest)  # pyright: ignore

    monkeypatch.setattr(SizeCompiler, "_lowered", note)
    return noted


def test_few_of_many_sizes_go_through_all_passes(lowered: list[Mapping[str, int]]) -> None:
    """The first ones, and then one on each side: else more of them would, each new largest or smallest one and those
    with new remainders."""
    program, widths = compiled(WINDOWS), random.Random(0).sample(range(16, 700), 150)
    for number, width in enumerate(widths):
        program.specialized({"n": 1, "width": width})
        if number % 25 == 24:
            x = {"x": np.random.default_rng(width).standard_normal((1, 3, 16, width)).astype(np.float32)}
            fresh = compiled(WINDOWS)
            np.testing.assert_array_equal(program.run(x)["y"], fresh.run(x)["y"])
            assert program.latest.runner.steps == fresh.latest.runner.steps
            lowered.pop()
    assert len(lowered) <= 1 + LEAST + 4
    assert max(sizes["width"] for sizes in lowered) > max(widths)
    assert min(sizes["width"] for sizes in lowered) <= min(widths)


def test_sizes_that_make_no_sense_are_not_learnt_from(lowered: list[Mapping[str, int]]) -> None:
    program = compiled(POSITIONS)
    for words in (20, 22, 33, 41, 50, 64, 63, 10, 9, 12):
        x = np.random.default_rng(words).standard_normal((words, 8)).astype(np.float32)
        assert program.run({"x": x})["y"].shape == (words, 8)
    assert max(sizes["words"] for sizes in lowered) == 64


def test_no_size_is_probed_under_a_limit(lowered: list[Mapping[str, int]]) -> None:
    """A larger size could take more than the limit, and what is decided anew for it would serve no size."""
    program, widths = compiled(WINDOWS, 1 << 24), (20, 50, 30, 41, 60, 91, 140)
    for width in widths:
        program.specialized({"n": 1, "width": width})
    assert {sizes["width"] for sizes in lowered} <= set(widths)


def test_sizes_of_too_many_runs_do_not_end_a_template(
    lowered: list[Mapping[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts of rows are as many runs as there are rows: those above the bound are not followed, smaller ones are."""
    monkeypatch.setattr(step_flow, "MOST_RUNS", 50)
    text = """<ir_version: 9, opset_import: ["" : 18]>
    rows (float[rows, 8] x) => (float[rows, 16] y) {
      e = Exp(x)
      r = Relu(e)
      c = Concat<axis = 1>(e, r)
      y = Softmax(c)
    }"""
    program = lastuse.compile(onnx.parser.parse_model(text).SerializeToString(), threads=1)
    for rows in (20, 90, 80, 36, 24, 41, 29, 33, 70, 26, 34, 38, 28, 40, 32):
        x = np.random.default_rng(rows).standard_normal((rows, 8)).astype(np.float32)
        wide = np.concatenate([np.exp(x), np.maximum(np.exp(x), 0)], 1)
        want = np.exp(wide - wide.max(1, keepdims=True))
        np.testing.assert_allclose(program.run({"x": x})["y"], want / want.sum(1, keepdims=True), rtol=1e-5, atol=1e-6)
    through = [sizes["rows"] for sizes in lowered]
    assert {90, 80, 70} <= set(through) and not {33, 38, 28, 40, 32} & set(through)


def said(*numbers: int) -> Inferred:
    return Inferred(np.array(numbers), "same")


def test_gain_counts_remainders_and_needs_the_wanted_sizes_covered() -> None:
    found = Formulas((2, 3))
    for width in (6, 30, 12, 18):
        assert found.add(said(width), [width], "same")
    assert found.gain(said(24), said(24)) == 0
    assert found.gain(said(24), said(25)) == 2
    assert found.gain(said(25), said(27)) is None  # a remainder by 3 is not met
    assert found.gain(said(40), said(50)) is None and found.gain(said(40), said(52)) == 1
    assert found.gain(Inferred(np.array([24]), "another"), said(24)) is None
    assert found.is_outside(said(40)) and found.is_outside(said(5)) and not found.is_outside(said(24))


def test_probes_lie_on_the_side_that_is_not_covered() -> None:
    known = [{"n": 1, "width": width} for width in (20, 40, 31)]
    above = list(probes(known, {"n": 1, "width": 50}))
    assert [sizes["width"] for sizes in above] == list(range(100, 100 + STEPS))
    below = list(probes(known, {"n": 1, "width": 10}))
    assert [sizes["width"] for sizes in below] == [5, 6, 7, 8, 9]
    widths = [sizes["width"] for sizes in probes(known, {"n": 1, "width": 25})]
    assert min(widths) == 10 and max(widths) == 80 + STEPS - 1 and any(20 < width < 40 for width in widths)
    assert all(sizes["n"] == 1 for sizes in (*above, *below))
    assert list(probes(known[:1], known[0])) == []
