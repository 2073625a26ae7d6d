"""`memory_for` before a run equals the memory after it, packed weights included."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from packing import PACKS

import lastuse
from lastuse.compiler import size_compiler as compiled
from lastuse.compiler.driver import context, read
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.tensor_types import numpy_dtype
from lastuse.runtime import _core, build, packed_sizes, weights
from lastuse.runtime.packed_sizes import gru_packed_bytes

Arrays = Mapping[str, np.ndarray]
EVER = (1 << 62) - 1
WIDTHS = [(1, 1), (2, 7), (7, 8), (31, 9), (24, 24), (5, 25), (64, 48), (33, 128)]


def really_packed(inputs: int, channels: int, kind: str, own: int) -> int:
    dtype = np.uint16 if kind == "bf16" else numpy_dtype(kind)
    layer, iter_ = np.zeros((inputs, 3 * channels), dtype), np.zeros((channels, 3, channels), dtype)
    bias, scale = np.zeros((1, 3 * channels), np.float32), np.ones((1, 3 * channels), np.float32)
    if kind == "i8":
        return _core.GruWeights(layer, iter_, bias, scale, scale, (1.0, 0.0), (1.0, 0.0)).packed_bytes
    return _core.GruWeights(layer, iter_, bias, *([own] if kind == "f32" else [])).packed_bytes


@pytest.mark.parametrize(("inputs", "channels"), WIDTHS)
@pytest.mark.parametrize(
    ("kind", "own"), [("bf16", -1), ("i8", -1), *(("f32", own) for own in (-1, 0, 1, 8, 16, 31, 32, EVER))]
)
def test_predicted_bytes_of_packed_gru_weights_are_those_of_packing(
    inputs: int, channels: int, kind: str, own: int
) -> None:
    assert gru_packed_bytes(inputs, channels, kind, own) == really_packed(inputs, channels, kind, own)


PRODUCTS = """
func.func private @twice(%x: tensor<?x48xf32>) -> tensor<?x48xf32> {
  %w = "dnn.constant"() {value = dense_resource<w> : tensor<48x48xf32>} : () -> tensor<48x48xf32>
  %v = "dnn.constant"() {value = dense_resource<v> : tensor<48x48xf32>} : () -> tensor<48x48xf32>
  %a = "dnn.matmul"(%x, %w) : (tensor<?x48xf32>, tensor<48x48xf32>) -> tensor<?x48xf32>
  %b = "dnn.matmul"(%a, %v) : (tensor<?x48xf32>, tensor<48x48xf32>) -> tensor<?x48xf32>
  func.return %b : tensor<?x48xf32>
}
func.func @main(%x: tensor<?x48xf32> {dnn.name = "x"}, %c: i1 {dnn.name = "c"})
    -> (tensor<?x48xf32> {dnn.name = "y"}) {
  %w = "dnn.constant"() {value = dense_resource<w> : tensor<48x48xf32>} : () -> tensor<48x48xf32>
  %s = "dnn.constant"() {value = dense<0.5> : tensor<48x48xf32>} : () -> tensor<48x48xf32>
  %n = "dnn.constant"() {value = dense_resource<n> : tensor<48x3xf32>} : () -> tensor<48x3xf32>
  %m = "dnn.constant"() {value = dense_resource<m> : tensor<3x48xf32>} : () -> tensor<3x48xf32>
  %a = "dnn.matmul"(%x, %w) : (tensor<?x48xf32>, tensor<48x48xf32>) -> tensor<?x48xf32>
  %b = "dnn.matmul"(%a, %s) : (tensor<?x48xf32>, tensor<48x48xf32>) -> tensor<?x48xf32>
  %t = "dnn.transpose"(%w) {perm = array<i64: 1, 0>} : (tensor<48x48xf32>) -> tensor<48x48xf32>
  %d = "dnn.matmul"(%b, %t) : (tensor<?x48xf32>, tensor<48x48xf32>) -> tensor<?x48xf32>
  %e = func.call @twice(%d) : (tensor<?x48xf32>) -> tensor<?x48xf32>
  %f = "scf.if"(%c) ({
    %g = "dnn.matmul"(%e, %n) : (tensor<?x48xf32>, tensor<48x3xf32>) -> tensor<?x3xf32>
    %h = "dnn.matmul"(%g, %m) : (tensor<?x3xf32>, tensor<3x48xf32>) -> tensor<?x48xf32>
    scf.yield %h : tensor<?x48xf32>
  }, {
    %g = "dnn.matmul"(%e, %s) : (tensor<?x48xf32>, tensor<48x48xf32>) -> tensor<?x48xf32>
    scf.yield %g : tensor<?x48xf32>
  }) : (i1) -> tensor<?x48xf32>
  func.return %f : tensor<?x48xf32>
}
"""
SIZES = (0, 1, 7, 300)


def products(tmp_path: Path, **options: Any) -> lastuse.Program:
    (tmp_path / "products.mlir").write_text(PRODUCTS)
    module = read(context(), tmp_path / "products.mlir")
    rng = np.random.default_rng(0)
    shapes = {"w": (48, 48), "v": (48, 48), "n": (48, 3), "m": (3, 48)}
    resources.of(module).update({k: rng.normal(size=s).astype(np.float32) for k, s in shapes.items()})
    return lastuse.compile(module, **options)


@pytest.mark.parametrize("options", [{}, {"plan": False}, {"inplace": False}, {"threads": 2}, {"kept_sizes": 1}])
@pytest.mark.parametrize("sizes", [SIZES, SIZES[::-1]], ids=["upwards", "downwards"])
def test_predicted_memory_of_products_is_that_of_a_run(
    tmp_path: Path, options: dict[str, Any], sizes: tuple[int, ...]
) -> None:
    """For a fresh program of each size, and for one program whose weights are packed already."""
    many = products(tmp_path, **options)
    for rows in sizes:
        for program in (products(tmp_path, **options), many):
            asked = program.memory_for(x=(rows, 48))
            program.run({"x": np.ones((rows, 48), np.float32), "c": np.array(True)})
            assert asked == program.memory
            assert (asked.packed_bytes > 0) == (rows > 0 and PACKS)


GRU = """
func.func @main(%x: tensor<?x10xf32> {dnn.name = "x"}, %o: tensor<?xi64> {dnn.name = "o"})
    -> (tensor<?x40xf32> {dnn.name = "y"}) {
  %p = "dnn.constant"() {value = dense_resource<p> : tensor<10x60xf32>} : () -> tensor<10x60xf32>
  %q = "dnn.constant"() {value = dense_resource<q> : tensor<10x60xf32>} : () -> tensor<10x60xf32>
  %w = "dnn.constant"() {value = dense_resource<w> : tensor<20x60xf32>} : () -> tensor<20x60xf32>
  %b = "dnn.constant"() {value = dense_resource<b> : tensor<1x60xf32>} : () -> tensor<1x60xf32>
  %f = "dnn.matmul"(%x, %p) : (tensor<?x10xf32>, tensor<10x60xf32>) -> tensor<?x60xf32>
  %g = "dnn.matmul"(%x, %q) : (tensor<?x10xf32>, tensor<10x60xf32>) -> tensor<?x60xf32>
  %h = "dnn.gru"(%f, %w, %b, %o) {is_reverse = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}
    : (tensor<?x60xf32>, tensor<20x60xf32>, tensor<1x60xf32>, tensor<?xi64>) -> tensor<?x20xf32>
  %r = "dnn.gru"(%g, %w, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}
    : (tensor<?x60xf32>, tensor<20x60xf32>, tensor<1x60xf32>, tensor<?xi64>) -> tensor<?x20xf32>
  %j = "dnn.concat"(%h, %r) {axis = 1 : i64} : (tensor<?x20xf32>, tensor<?x20xf32>) -> tensor<?x40xf32>
  %k = "dnn.constant"() {value = dense_resource<k> : tensor<40x40xf32>} : () -> tensor<40x40xf32>
  %y = "dnn.matmul"(%j, %k) : (tensor<?x40xf32>, tensor<40x40xf32>) -> tensor<?x40xf32>
  func.return %y : tensor<?x40xf32>
}
"""
BATCHES = [[7], [30, 5, 0, 40], [1] * 50, [16] * 40, []]


def batch(lengths: list[int]) -> Arrays:
    rows = sum(lengths)
    x = np.random.default_rng(rows).normal(size=(rows, 10)).astype(np.float32)
    return {"x": x, "o": np.cumsum([0, *lengths]).astype(np.int64)}


def grus(tmp_path: Path, types: str = "f32", *, same: bool = False, **options: Any) -> lastuse.Program:
    """`same`: both directions have the same weights for x."""
    (tmp_path / "gru.mlir").write_text(GRU)
    module = read(context(), tmp_path / "gru.mlir")
    rng = np.random.default_rng(0)
    shapes = {"p": (10, 60), "q": (10, 60), "w": (20, 60), "b": (1, 60), "k": (40, 40)}
    arrays = {name: rng.uniform(-0.5, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}
    resources.of(module).update(arrays | {"q": arrays["p" if same else "q"]})
    if types == "int8":
        module = lastuse.calibrate(module, batch(BATCHES[1]))
    return lastuse.compile(module, types=types, **options)


@pytest.mark.parametrize("lengths", BATCHES, ids=[f"{len(b)} sequences" for b in BATCHES])
@pytest.mark.parametrize("round_sizes", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"gru": "native"},
        {"gru": "onednn"},
        {"types": "bf16"},
        {"types": "int8"},
        {"fuse": False},
        {"plan": False},
        {"threads": 2},
        {"same": True},
    ],
    ids=str,
)
def test_predicted_memory_of_grus_is_that_of_a_run(
    tmp_path: Path, options: dict[str, Any], round_sizes: bool, lengths: list[int]
) -> None:
    program, inputs = grus(tmp_path, round_sizes=round_sizes, **options), batch(lengths)
    asked = program.memory_for(x=inputs["x"].shape, o=inputs["o"].shape)
    program.run(inputs)
    assert asked == program.memory
    fused = options.get("fuse", True)  # GRUs are packed by our own kernels too
    assert (asked.packed_bytes > 0) == (sum(lengths) > 0 and (PACKS or fused))


def test_memory_for_rounds_sizes_as_a_run_does(tmp_path: Path) -> None:
    plain, rounded = grus(tmp_path), grus(tmp_path, round_sizes=True)
    exact, larger = (p.memory_for(x=(33, 10), o=(4,)) for p in (plain, rounded))
    assert larger.input_bytes > exact.input_bytes == 33 * 40 + 4 * 8
    assert larger == plain.memory_for(rounded_sizes(rounded, 33, 3))


def rounded_sizes(program: lastuse.Program, rows: int, sequences: int) -> Mapping[str, int]:
    """The sizes of the program that ran."""
    program.run(batch([rows - sequences + 1] + [1] * (sequences - 1)))
    return program.latest.sizes


def test_predicted_memory_holds_over_many_batches(tmp_path: Path) -> None:
    for round_sizes in (False, True):
        program = grus(tmp_path, round_sizes=round_sizes)
        for lengths in [*BATCHES, [3, 4], [500], *BATCHES]:
            inputs = batch(lengths)
            asked = program.memory_for(x=inputs["x"].shape, o=inputs["o"].shape)
            program.run(inputs)
            assert asked == program.memory


def test_predictions_for_other_sizes_do_not_change_a_run(tmp_path: Path) -> None:
    program = products(tmp_path)
    asked = {rows: program.memory_for(x=(rows, 48)) for rows in (7, 900, 1, 64)}
    for rows, memory in asked.items():
        program.run({"x": np.ones((rows, 48), np.float32), "c": np.array(False)})
        assert program.memory.arena_bytes == memory.arena_bytes


def test_prediction_packs_no_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("weights are packed")

    programs = [products(tmp_path), grus(tmp_path, gru="native"), grus(tmp_path, "int8")]
    for owner, name in ((_core, "pack"), (_core, "GruWeights"), (compiled, "Executable"), (build, "Builder")):
        monkeypatch.setattr(owner, name, refuse)
    for program in programs:
        sizes = {"x": 9} if "c" in program.inputs else {"x": 9, "o": 2}
        assert (program.memory_for(sizes).packed_bytes > 0) == (PACKS or "o" in sizes)
        assert program.weights.nbytes == 0


def test_weights_of_onednns_gru_are_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    packs = _core.GruWeights

    def counted(*given: Any) -> _core.GruWeights:
        made.append(1)
        return packs(*given)

    packed_sizes._primitive_bytes.cache_clear()  # pyright: ignore[reportPrivateUsage]
    program = grus(tmp_path, gru="onednn")
    monkeypatch.setattr(weights._core, "GruWeights", counted)  # pyright: ignore[reportPrivateUsage]
    for rows in (3, 4, 5):
        program.memory_for(x=(rows, 10), o=(2,))
    assert len(made) == 1, "both directions have the same sizes"


def test_prediction_emits_no_remarks(tmp_path: Path) -> None:
    (tmp_path / "products.mlir").write_text(GRU)
    said: list[list[str]] = []
    for asks in (False, True):
        ctx = context()
        program = grus(tmp_path, ctx=ctx)
        if asks:
            program.memory_for(x=(7, 10), o=(2,))
        program.run(batch([7]))
        said.append(list(map(str, ctx.remarks)))
    assert said[0] == said[1] != []


def test_largest_counts_packed_weights(tmp_path: Path) -> None:
    program = products(tmp_path)
    limit = program.memory_for(x=(100, 48)).total_bytes
    found = program.largest("x", limit, of="total_bytes")
    assert found >= 100
    program.run({"x": np.ones((found, 48), np.float32), "c": np.array(False)})
    assert program.memory.total_bytes <= limit
