"""Other sizes reuse the plan: nothing is planned again, results are right, and the arena is as small."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx.parser
import pytest
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler import driver, pipeline, plan_reuse
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.passes.checker import check
from lastuse.passes.memory.frame_layout import planned_bytes
from lastuse.passes.verify_storage import VerifyStoragePass
from lastuse.runtime.weights import PackedWeights
from support import count_plans

LENGTHS = int(os.environ.get("LASTUSE_LENGTHS", "150"))
"""How many numbers of rows one after the other."""
TEXT = """func.func @main(%x: tensor<?x{row}xf32> {{dnn.name = "x"}}) -> (tensor<?x{row}xf32> {{dnn.name = "y"}}) {{
  %a = "dnn.exp"(%x) : (tensor<?x{row}xf32>) -> tensor<?x{row}xf32>
  %b = "dnn.relu"(%a) : (tensor<?x{row}xf32>) -> tensor<?x{row}xf32>
  %c = "dnn.softmax"(%a) {{axis = -1 : i64}} : (tensor<?x{row}xf32>) -> tensor<?x{row}xf32>
  %d = "dnn.mul"(%b, %c) : (tensor<?x{row}xf32>, tensor<?x{row}xf32>) -> tensor<?x{row}xf32>
  %y = "dnn.add"(%d, %x) : (tensor<?x{row}xf32>, tensor<?x{row}xf32>) -> tensor<?x{row}xf32>
  func.return %y : tensor<?x{row}xf32>
}}
"""


def program(folder: Path, text: str, inplace: bool = True) -> lastuse.Program:
    path = folder / "model.mlir"
    path.write_text(text)
    return lastuse.compile(path, inplace=inplace, kept_sizes=2)


def expected(x: np.ndarray) -> np.ndarray:
    a = np.exp(x)
    e = np.exp(a - a.max(axis=-1, keepdims=True)) if a.size else a
    return np.maximum(a, 0) * (e / e.sum(axis=-1, keepdims=True)) + x


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return count_plans(monkeypatch)


@pytest.mark.parametrize("row", [16, 5])
@pytest.mark.parametrize("inplace", [True, False])
def test_other_sizes_reuse_the_plan(tmp_path: Path, planned: list[str], inplace: bool, row: int) -> None:
    found = program(tmp_path, TEXT.format(row=row), inplace=inplace)
    rng = np.random.default_rng(0)
    for time, count in enumerate((3, 7, 1, 0, 40, 11, 3)):
        planned.clear()
        x = rng.standard_normal((count, row)).astype(np.float32)
        np.testing.assert_allclose(found(x), expected(x), rtol=1e-5, atol=1e-6)
        assert time < 2 or not planned, "the first number, and then a large one, are planned"
        assert found.memory.arena_bytes == found.memory.live_peak_bytes
        alone = program(tmp_path, TEXT.format(row=row), inplace=inplace).specialized({"x": count}).memory
        assert replace(found.memory, inplace_ops=0) == replace(alone, inplace_ops=0)
        assert found.memory.inplace_ops == alone.inplace_ops or not count, "where nothing has bytes"


def test_many_lengths_are_planned_twice(tmp_path: Path, planned: list[str]) -> None:
    found = program(tmp_path, TEXT.format(row=5))._sizes.further  # pyright: ignore[reportPrivateUsage]
    assert found is not None
    for length in range(LENGTHS):
        found.module({"x": length})
    assert planned.count("decided") == 2


HALVES = """
func.func @main(%x: tensor<?x16xf32> {dnn.name = "x"}, %z: tensor<32xf32>) -> tensor<?x32xf32> {
  %u = "dnn.constant"() {value = dense<0.5> : tensor<16x64xf32>} : () -> tensor<16x64xf32>
  %v = "dnn.constant"() {value = dense<0.5> : tensor<16x16xf32>} : () -> tensor<16x16xf32>
  %w = "dnn.constant"() {value = dense<0.5> : tensor<64x16xf32>} : () -> tensor<64x16xf32>
  %t = "dnn.constant"() {value = dense<0.5> : tensor<32x32xf32>} : () -> tensor<32x32xf32>
  %some = "dnn.matmul"(%x, %v) : (tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  %wide = "dnn.matmul"(%x, %u) : (tensor<?x16xf32>, tensor<16x64xf32>) -> tensor<?x64xf32>
  %less = "dnn.matmul"(%wide, %w) : (tensor<?x64xf32>, tensor<64x16xf32>) -> tensor<?x16xf32>
  %both = "dnn.concat"(%some, %less) {axis = 1 : i64} : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x32xf32>
  %f = "dnn.exp"(%z) : (tensor<32xf32>) -> tensor<32xf32>
  %g = "dnn.add"(%both, %f) : (tensor<?x32xf32>, tensor<32xf32>) -> tensor<?x32xf32>
  %y = "dnn.matmul"(%g, %t) : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  func.return %y : tensor<?x32xf32>
}
"""


def test_order_of_ops_is_reused(tmp_path: Path, planned: list[str]) -> None:
    """Some bytes depend on the size and some do not; the wide value is read before the other half is computed."""
    path = tmp_path / "model.mlir"
    path.write_text(HALVES)
    module = driver.read(driver.context(), path)

    passes = pipeline.Pipeline(driver.context())
    found = plan_reuse.PlanReuse(passes, module, PackedWeights())
    for time, count in enumerate((5, 1, 300, 2, 17, 0)):
        planned.clear()
        got = found.module({"x": count})
        assert time < 2 or not planned
        alone = plan_reuse.PlanReuse(passes, module, PackedWeights()).module({"x": count})
        func, other = main_function(got), main_function(alone)
        assert not check(func)
        assert planned_bytes(func) == planned_bytes(other)
        names = [op.results[0].name_hint for op in func.body.block.ops if op.results]
        assert not count or names.index("less") < names.index("some")


CHANCE = """
func.func @main(%x: tensor<?x16xf32> {dnn.name = "x"}, %y: tensor<?x16xf32> {dnn.name = "y"}) -> tensor<?x16xf32> {
  %a = "dnn.exp"(%x) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = "dnn.add"(%a, %y) : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  %c = "dnn.softmax"(%b) {axis = 0 : i64} : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %d = "dnn.matmul"(%c, %w) : (tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  func.return %d : tensor<?x16xf32>
}
""".replace("%a =", '%w = "dnn.constant"() {value = dense<0.5> : tensor<16x16xf32>} : () -> tensor<16x16xf32>\n  %a =')


def test_decision_right_for_equal_sizes_only_is_not_reused(tmp_path: Path) -> None:
    """With 4 and 4 rows the sum is written over %a; with 1 and 4 rows it is larger than %a."""
    found = program(tmp_path, CHANCE)
    rng = np.random.default_rng(0)
    for rows in ((4, 4), (2, 2), (1, 4), (4, 1), (1, 1), (3, 3)):
        x, y = (rng.standard_normal((n, 16)).astype(np.float32) for n in rows)
        b = np.exp(x) + y
        e = np.exp(b - b.max(axis=0))
        np.testing.assert_allclose(found(x, y), (e / e.sum(axis=0)) @ np.full((16, 16), 0.5), rtol=1e-5, atol=1e-6)


def test_sizes_that_do_not_fit_the_model_are_an_error(tmp_path: Path) -> None:
    found = program(tmp_path, CHANCE)
    for rows in ((4, 4), (2, 2)):
        found.specialized(dict(zip("xy", rows, strict=True)))
    with pytest.raises(lastuse.LastuseError, match="broadcast"):
        found.specialized({"x": 2, "y": 3})


def test_program_is_decided_afresh_if_the_checker_rejects_the_reused_plan(
    tmp_path: Path, planned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = program(tmp_path, TEXT.format(row=16))
    x = np.ones((9, 16), np.float32)

    def refuse(self: VerifyStoragePass, ctx: object, op: ModuleOp) -> None:
        if not self.repair:
            raise lastuse.LastuseError("wrong", op)

    found(x[:7])
    with monkeypatch.context() as patched:
        patched.setattr(plan_reuse.VerifyStoragePass, "apply", refuse)
        for rows in range(5):
            planned.clear()
            found(x[:rows])
            assert "decided" in planned


POSITIONS = """<ir_version: 9, opset_import: ["" : 18]>
positions (float[rows, columns] x) => (float[rows, columns] y)
<int64 zero = {0}, int64 one = {1}> {
  sizes = Shape(x)
  count = Gather(sizes, one)
  numbers = Range(zero, count, one)
  places = Cast<to = 1>(numbers)
  waves = Sin(places)
  chances = Softmax(x)
  sum = Add(chances, waves)
  y = Tanh(sum)
}"""


@pytest.mark.parametrize(
    "sizes", [[(2, 100), (1, 300), (7, 70), (5, 100)], [(2, 3), (9, 64), (1, 40), (4, 1)]], ids=["range", "constant"]
)
def test_decisions_are_carried_over_where_refining_makes_other_ops(
    planned: list[str], sizes: list[tuple[int, int]]
) -> None:
    """Up to 64 positions are constants; for more there is an op, in the form with operands until sizes are known."""
    result = lastuse.compile(onnx.parser.parse_model(POSITIONS).SerializeToString())
    for time, (rows, columns) in enumerate(sizes):
        planned.clear()
        x = np.random.default_rng(time).standard_normal((rows, columns)).astype(np.float32)
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        want = np.tanh(e / e.sum(axis=-1, keepdims=True) + np.sin(np.arange(columns, dtype=np.float32)))
        np.testing.assert_allclose(result(x), want, rtol=1e-5, atol=1e-6)
        assert planned.count("decided") == (1, 1, 0, 0)[time]


def test_both_structures_keep_their_decisions(planned: list[str]) -> None:
    result = lastuse.compile(onnx.parser.parse_model(POSITIONS).SerializeToString())
    for time, columns in enumerate((100, 10, 200, 20, 300, 30, 400, 40)):
        planned.clear()
        result(np.ones((2, columns), np.float32))
        assert time < 4 or not planned


BOUND = """
func.func @main(%x: tensor<?x?xf32> {dnn.name = "x"}) -> tensor<?x16xf32> {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<48x16xf32>} : () -> tensor<48x16xf32>
  %a = "dnn.exp"(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = "dnn.softmax"(%a) {axis = -1 : i64} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = "dnn.matmul"(%b, %w) : (tensor<?x?xf32>, tensor<48x16xf32>) -> tensor<?x16xf32>
  func.return %y : tensor<?x16xf32>
}
"""


@pytest.fixture
def decided(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows of the first argument of all modules that are decided."""
    decided: list[int] = []
    decide = pipeline.Pipeline.decide

    def note(self: pipeline.Pipeline, module: ModuleOp, limit: int | None = None) -> None:
        decided.append(main_function(module).args[0].type.get_shape()[0])  # pyright: ignore
        decide(self, module, limit)

    monkeypatch.setattr(pipeline.Pipeline, "decide", note)
    return decided


def test_sizes_that_may_grow_alone_are_tried(tmp_path: Path, decided: list[int]) -> None:
    """The second axis has 48 elements, which the weights say and the type does not."""
    result = program(tmp_path, BOUND)
    for time, rows in enumerate((3, 7, 1, 40)):
        x = np.random.default_rng(time).standard_normal((rows, 48)).astype(np.float32)
        e = np.exp(np.exp(x))
        np.testing.assert_allclose(result(x), e / e.sum(axis=-1, keepdims=True) @ np.full((48, 16), 0.5), rtol=1e-5)
    assert decided[0] == 3
    assert decided[1] >= 64 * 3
    assert len(decided) == 2


LONG = """func.func @main(%x: tensor<?x300xf32> {dnn.name = "x"}) -> (tensor<?xf32> {dnn.name = "y"}) {
  %r = "dnn.reshape"(%x) {shape = array<i64: -1>} : (tensor<?x300xf32>) -> tensor<?xf32>
  %a = "dnn.exp"(%r) : (tensor<?xf32>) -> tensor<?xf32>
  %y = "dnn.softmax"(%a) {axis = 0 : i64} : (tensor<?xf32>) -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}
"""


def test_sizes_of_long_rows_are_not_tried(tmp_path: Path, decided: list[int]) -> None:
    """Convolutions over a million elements take oneDNN seconds to prepare; of 3 rows, 8 times as many are 7,200."""
    result = program(tmp_path, LONG)
    for rows in (3, 5):
        result(np.ones((rows, 300), np.float32))
    assert decided == [3, 8 * 3]


TABLE = """<ir_version: 9, opset_import: ["" : 18]>
table (float[rows, 8] x) => (float[rows, 8] y)
<int64[1] zero = {0}, int64[1] one = {1}, int64[1] axis = {0}, int64[2] shape = {5, 8}> {
  sizes = Shape(x)
  end = Slice(sizes, zero, one, axis)
  table = ConstantOfShape<value = float[1] {0.5}>(shape)
  rows_of_it = Slice(table, zero, end, axis)
  sum = Add(x, rows_of_it)
  y = Softmax(sum)
}"""


def test_sets_of_sizes_are_compared_where_none_may_grow(planned: list[str]) -> None:
    """A table has five rows: of three or more rows there are not twice as many."""
    result = lastuse.compile(onnx.parser.parse_model(TABLE).SerializeToString())
    for time, rows in enumerate((3, 5, 4)):
        planned.clear()
        x = np.random.default_rng(time).standard_normal((rows, 8)).astype(np.float32)
        e = np.exp(x)
        np.testing.assert_allclose(result(x), e / e.sum(axis=-1, keepdims=True), rtol=1e-5)
        assert time < 2 or not planned
    with pytest.raises(lastuse.LastuseError):
        result(np.ones((6, 8), np.float32))
