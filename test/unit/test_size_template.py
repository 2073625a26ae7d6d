"""Programs derived from those of other sizes are, byte for byte, what all passes make for these sizes."""

from __future__ import annotations

import gc
import random
import weakref
from collections.abc import Mapping

import numpy as np
import onnx.numpy_helper
import onnx.parser
import pytest

import lastuse
from lastuse.compiler import size_template
from lastuse.compiler.size_formulas import Filling, Formulas, Inferred, flattened
from lastuse.compiler.size_template import are_same, parts_of
from lastuse.compiler.step_flow import Flow
from lastuse.dialect.dnn.constants import ConstantOp
from lastuse.passes.planning.planner import Buffer
from support import swept

NETWORK = """<ir_version: 9, opset_import: ["" : 18]>
network (float[n, 3, 16, width] x) => (float[n, m, 4] y)
<int64[3] flat = {0, 16, -1}> {
  p = Conv<kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]>(x, a)
  q = Relu(p)
  r = Conv<kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 1]>(q, b)
  s = Sigmoid(r)
  t = MaxPool<kernel_shape = [2, 3], strides = [2, 1]>(s)
  u = Add(t, t)
  v = Reshape(u, flat)
  w = Transpose<perm = [0, 2, 1]>(v)
  z = MatMul(w, d)
  y = Softmax(z)
}"""
WEIGHTS = {"a": (8, 3, 3, 3), "b": (8, 8, 3, 3), "d": (16, 4)}
ATTENTION = """<ir_version: 9, opset_import: ["" : 18]>
attention (float[batch, words, 16] x) => (float[batch, words, 16] y) {
  k = Transpose<perm = [0, 2, 1]>(x)
  s = MatMul(x, k)
  p = Softmax(s)
  r = MatMul(p, x)
  q = Tanh(r)
  y = Add(q, x)
}"""
JOINED = """<ir_version: 9, opset_import: ["" : 18]>
joined (float[rows, 8] x, float[others, 8] z) => (float[all, 8] y) {
  e = Exp(x)
  r = Relu(z)
  c = Concat<axis = 0>(e, r)
  y = Softmax<axis = 0>(c)
}"""
POSITIONS = """<ir_version: 9, opset_import: ["" : 18]>
positions (float[batch, words, 16] x) => (float[batch, words, 16] y)
<int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}> {
  shape = Shape(x)
  count = Slice(shape, one, two)
  places = Slice(numbers, zero, count, one)
  rows = Gather(table, places)
  s = Add(x, rows)
  y = Softmax(s)
}"""
TABLES = {"numbers": np.arange(2, 92)[None], "table": np.random.default_rng(2).standard_normal((99, 16), np.float32)}


def compiled(text: str, threads: int = 1) -> lastuse.Program:
    model = onnx.parser.parse_model(text)
    chance = np.random.default_rng(0)
    for name, array in TABLES.items() if "Gather" in text else ():
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    for name, shape in WEIGHTS.items() if "Conv<" in text else ():
        array = chance.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    return lastuse.compile(model.SerializeToString(), threads=threads, kept_sizes=2)


def inputs_for(program: lastuse.Program, sizes: Mapping[str, int]) -> dict[str, np.ndarray]:
    chance = np.random.default_rng(1)
    shapes = {n: [d if isinstance(d, int) else sizes[d] for d in spec.shape] for n, spec in program.inputs.items()}
    return {name: chance.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def derives(program: lastuse.Program, sizes: Mapping[str, int], text: str, threads: int) -> bool:
    """Whether the program for these sizes is derived; then it is compared with what all passes make."""
    reuse = program._sizes.further  # pyright: ignore[reportPrivateUsage]
    assert reuse is not None
    found = reuse.derived(sizes)
    inputs = inputs_for(program, sizes)
    results = program.run(inputs)
    if found is None:
        return False
    derived, planned = found
    module = planned()
    _, parts, _ = parts_of(reuse._pipeline, module, program.weights)  # pyright: ignore[reportPrivateUsage]
    numbers, rest, arrays = flattened(parts)
    of_derived = flattened(derived.parts)
    assert (of_derived[0], of_derived[1]) == (numbers, rest) and are_same(of_derived[2], arrays)
    assert program.memory.arena_bytes == program.latest.runner.memory.arena == derived.plan.peak
    assert program.latest.runner.steps == compiled(text, threads).specialized(sizes).runner.steps
    for name, result in compiled(text, threads).run(inputs).items():
        np.testing.assert_array_equal(results[name], result)
    return True


@pytest.mark.parametrize("threads", swept([1, 2]))
@pytest.mark.parametrize(
    ("text", "low", "high", "fixed"),
    [
        pytest.param(NETWORK, 5, 90, {"n": 1}, id="windows"),
        pytest.param(ATTENTION, 1, 60, {"batch": 2}, id="words by words"),
        pytest.param(ATTENTION, 1, 12, {}, id="two sizes"),
        pytest.param(JOINED, 1, 60, {}, id="two operands"),
        pytest.param(POSITIONS, 1, 90, {"batch": 2}, id="rows of a table"),
    ],
)
def test_derived_programs_are_those_that_all_passes_make(
    text: str, low: int, high: int, fixed: dict[str, int], threads: int
) -> None:
    program, chance = compiled(text, threads), random.Random(threads)
    names = [name for name in program.unknown_sizes if name not in fixed]
    drawn = [{**fixed, **{name: chance.randint(low, high) for name in names}} for _ in range(40)]
    distinct = {tuple(sorted(sizes.items())): sizes for sizes in drawn}.values()
    count = sum(derives(program, sizes, text, threads) for sizes in distinct)
    assert count >= 5


def test_rows_of_a_table_are_a_view_of_it_for_every_size() -> None:
    """As all passes have it: what a model of one size takes as a constant of its own is the same array here."""
    program = compiled(POSITIONS)
    for words in (20, 33, 47, 60, 71, 82, 40):
        x = np.zeros((1, words, 16), np.float32)
        rows = np.exp(TABLES["table"][2 : 2 + words])
        np.testing.assert_allclose(program(x)[0], rows / rows.sum(1, keepdims=True), rtol=1e-5)  # pyright: ignore
        constants = {op.array().shape for op in program.latest.module.walk() if isinstance(op, ConstantOp)}
        assert (99, 16) in constants and (1, words, 16) not in constants


def test_pads_that_follow_from_remainders_are_not_guessed() -> None:
    """An even width has a pad on one side, an odd one on both: no shape says so."""
    text = NETWORK.replace("pads = [1, 1, 1, 1]>(x, a)", 'auto_pad = "SAME_UPPER">(x, a)')
    for widths, width in ((range(10, 60, 2), 33), (range(10, 60, 3), 40)):
        program = compiled(text)
        for each in widths:
            program.specialized({"n": 1, "width": each})
        assert not derives(program, {"n": 1, "width": width}, text, 1)


def test_sizes_of_other_structure_go_through_all_passes() -> None:
    """A size of 1, sizes beyond those that were compiled, and those that are equal for the first time."""
    program = compiled(JOINED)
    reuse = program._sizes.further  # pyright: ignore[reportPrivateUsage]
    assert reuse is not None
    for rows in range(10, 40, 2):
        program.specialized({"rows": rows, "others": rows + 3 + rows % 7})
    for sizes in ({"rows": 1, "others": 20}, {"rows": 20, "others": 1}, {"rows": 400, "others": 30}):
        assert reuse.derived(sizes) is None
        want = np.exp(inputs_for(program, sizes)["x"])
        assert program.run(inputs_for(program, sizes))["y"].shape == (sum(sizes.values()), 8) and want.size


def test_derived_programs_are_freed_at_once() -> None:
    program = compiled(ATTENTION)
    for words in (*range(20, 40), 60):
        program.specialized({"batch": 2, "words": words})
    gc.collect()
    gc.disable()
    try:
        found = [weakref.ref(program.specialized({"batch": 2, "words": words}).runner) for words in range(41, 52)]
        assert [runner() is not None for runner in found] == [False] * 9 + [True] * 2
    finally:
        gc.enable()


def formulas(columns: list[tuple[list[int], list[int]]], divisors: tuple[int, ...] = (2,)) -> Formulas:
    found = Formulas(divisors)
    for given, numbers in columns:
        assert found.add(Inferred(np.array(given), "same"), numbers, "same")
    return found


def said(*numbers: int) -> Inferred:
    return Inferred(np.array(numbers), "same")


WIDTHS = [([w, -(-w // 2), 5], [4 * -(-w // 2) + 3, w * 12, 7]) for w in (8, 31, 12, 23, 18)]


def test_numbers_are_affine_in_what_inference_says() -> None:
    found = formulas(WIDTHS)
    for width in (9, 14, 27, 30):
        half = -(-width // 2)
        assert found.numbers(said(width, half, 5)) == [4 * half + 3, width * 12, 7]


@pytest.mark.parametrize(
    "given",
    [
        pytest.param((7, 4, 5), id="below all"),
        pytest.param((32, 16, 5), id="above all"),
        pytest.param((20, 10, 6), id="what was constant is not"),
    ],
)
def test_other_sizes_are_not_covered(given: tuple[int, ...]) -> None:
    assert formulas(WIDTHS).numbers(said(*given)) is None


def test_sizes_of_remainders_that_were_not_met_are_not_covered() -> None:
    even = formulas([([w], [w * 3]) for w in (8, 30, 12, 22)])
    assert even.numbers(said(20)) == [60] and even.numbers(said(21)) is None
    fives = formulas([([w], [w * 3]) for w in (10, 30, 15, 25)], (2, 5))
    assert fives.numbers(said(20)) == [60] and fives.numbers(said(21)) is None


def test_one_and_none_are_covered_only_where_they_were_met() -> None:
    found = formulas([([w], [w * 3]) for w in (0, 30, 12, 23)])
    assert found.numbers(said(0)) == [0] and found.numbers(said(1)) is None


def test_what_was_always_equal_stays_equal() -> None:
    found = formulas([([w, w], [w * 3]) for w in (8, 31, 12, 23)])
    assert found.numbers(said(20, 20)) == [60] and found.numbers(said(20, 22)) is None


def test_formulas_that_disagree_are_none() -> None:
    """All compiled widths are multiples of 4: each number follows from the width, or from its rounded quarter."""
    found = formulas([([w, -(-w // 4)], [w * 3]) for w in (8, 32, 12, 24)], ())
    assert found.numbers(said(16, 4)) == [48] and found.numbers(said(17, 5)) is None


def test_numbers_without_a_formula_are_not_guessed() -> None:
    found = formulas([([w], [w * w]) for w in (8, 31, 12, 23)])
    assert not found.is_complete and found.numbers(said(9)) is None


def test_programs_of_other_structure_are_not_learnt_from() -> None:
    found = formulas(WIDTHS)
    assert not found.add(said(9, 5, 5), [1, 2, 3], "another")
    assert not found.add(Inferred(np.array([9, 5, 5]), "another"), [1, 2, 3], "same")
    assert found.numbers(Inferred(np.array([9, 5, 5]), "another")) is None


def test_numbers_are_put_where_they_were() -> None:
    value = (1, (2.0, 0.5, -0.0, True, "three"), Buffer(4, 5, 6))
    numbers, _, _ = flattened(value)
    filling = Filling(value, [True] * len(numbers))
    assert filling.filled(numbers) == value
    doubled = filling.filled([2 * n for n in numbers])
    assert doubled[:2] == (2, (4.0, 0.5, -0.0, True, "three")) and doubled[2].last == 12
    assert isinstance(doubled[1][0], float)


def test_parts_in_which_no_number_varies_are_shared() -> None:
    value = (1, (2, (3, 4)), Buffer(4, 5, 6), (7.0,))
    numbers = flattened(value)[0]
    varying = [place in (0, 2, len(numbers) - 1) for place in range(len(numbers))]
    filled = Filling(value, varying).filled([9 if v else n for n, v in zip(numbers, varying, strict=True)])
    assert filled == (9, (2, (9, 4)), Buffer(4, 5, 6), (9.0,)) and isinstance(filled[3][0], float)
    assert filled[2] is value[2]


def test_sizes_are_derived_only_where_that_is_asked_for() -> None:
    program = lastuse.compile(onnx.parser.parse_model(ATTENTION).SerializeToString(), threads=1, derive_sizes=False)
    reuse = program._sizes.further  # pyright: ignore[reportPrivateUsage]
    assert reuse is not None
    for words in (*range(20, 40), 60):
        program.specialized({"batch": 2, "words": words})
    assert reuse.derived({"batch": 2, "words": 48}) is None and "template" not in program.stages.times


def test_program_of_another_flow_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    program = compiled(ATTENTION)
    reuse = program._sizes.further  # pyright: ignore[reportPrivateUsage]
    assert reuse is not None
    for words in (*range(20, 40), 60):
        program.specialized({"batch": 2, "words": words})
    assert reuse.derived({"batch": 2, "words": 48}) is not None

    def another(core: object) -> Flow:
        return Flow((), ())

    monkeypatch.setattr(size_template, "flow_of", another)
    assert reuse.derived({"batch": 2, "words": 48}) is None
