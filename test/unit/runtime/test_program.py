"""Programs from text: names, results, in-place inputs, weights, errors with locations."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.parser import Parser

from lastuse.compiler.driver import measure_scratch
from lastuse.dialect.dnn import Dnn
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.onednn import OneDNN
from lastuse.dialect.storage import attrs
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.runtime.engines import get_threads, onednn_version, set_threads
from lastuse.runtime.program import Executable
from lastuse.runtime.weights import PackedWeights


def parse(text: str) -> tuple[Context, ModuleOp]:
    context = Context()
    for dialect in (Builtin, Func, Dnn, OneDNN):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return context, module


def lowered(text: str, **arrays: np.ndarray) -> ModuleOp:
    context, module = parse(text)
    for _, value in resources.references(module):
        # xDSL numbers handles that another module has used.
        handle = value.resource_handle.data
        resources.of(module)[handle] = arrays[handle.split("_")[0]]
    LowerToOnednnPass().apply(context, module)
    module.verify()
    return module


TWICE = """
func.func @main(%x: memref<2x3xf32> {dnn.name = "x"}, %y: memref<2x3xf32> {onednn.result = "y"}) {
  onednn.eltwise "linear" ins(%x : memref<2x3xf32>) outs(%y : memref<2x3xf32>) {alpha = 2.0 : f32}
  func.return
}
"""

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_arrays_are_given_and_returned_by_name() -> None:
    program = Executable(parse(TWICE)[1])
    assert (list(program.inputs), list(program.results)) == (["x"], ["y"])
    assert program.results["y"].shape == (2, 3) and program.results["y"].dtype == np.float32
    np.testing.assert_array_equal(program.run({"x": X})["y"], 2 * X)
    np.testing.assert_array_equal(program.run({"x": X[:, ::-1]})["y"], 2 * X[:, ::-1])
    out = np.empty_like(X)
    assert program.run({"x": X}, {"y": out})["y"] is out
    np.testing.assert_array_equal(out, 2 * X)
    assert program.memory.results == 24 and program.memory.arena == 0
    assert program.steps == ["onednn.eltwise"]


def test_bad_arrays_are_users_errors() -> None:
    program = Executable(parse(TWICE)[1])
    for inputs, out, message in [
        ({}, None, "inputs: missing x; the program has x"),
        ({"x": X, "z": X}, None, "inputs: unknown z"),
        ({"x": X.astype(np.float64)}, None, "'x' has dtype float64"),
        ({"x": X.T}, None, r"'x' has shape \[3, 2\]"),
        ({"x": X}, {"z": X}, "out: z is no result"),
        ({"x": X}, {"y": X}, "'x' and 'y' overlap"),
        ({"x": X}, {"y": np.empty((3, 2), np.float32).T}, "'y' is not C-contiguous"),
    ]:
        with pytest.raises(LastuseError, match=message):
            program.run(inputs, out)
    np.testing.assert_array_equal(program.run({"x": X})["y"], 2 * X)


def test_tied_argument_is_the_result() -> None:
    """The caller's array is written and returned."""
    text = """
    func.func @main(%x: memref<4xf32> {dnn.name = "x", onednn.result = "y"}) {
      onednn.eltwise "exp" ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
      func.return
    }"""
    program = Executable(parse(text)[1])
    x = np.zeros(4, np.float32)
    assert program.run({"x": x})["y"] is x
    np.testing.assert_array_equal(x, np.ones(4))
    x.flags.writeable = False
    with pytest.raises(LastuseError, match="'x' is written to, but its array is read-only"):
        program.run({"x": x})


def test_zero_sizes_give_empty_results() -> None:
    text = TWICE.replace("2x3", "0x3")
    program = Executable(parse(text)[1])
    assert program.steps == []
    assert program.run({"x": np.empty((0, 3), np.float32)})["y"].shape == (0, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @other() { func.return }", "no function @main"),
        ("func.func @main(%x: memref<2xf32>) { func.return }", "argument 0 has neither dnn.name nor onednn.result"),
        (
            'func.func @main(%x: tensor<2xf32> {dnn.name = "x"}) { func.return }',
            "is no memref",
        ),
        (
            'func.func @main(%y: memref<2xf32> {onednn.result = "y"}) {'
            "%c = onednn.constant dense_resource<w> : tensor<2xf32> -> memref<2xf32> func.return }",
            "there is no array for dense_resource<w>",
        ),
        (
            'func.func @main(%x: memref<2xf32> {dnn.name = "x"}) {'
            'onednn.eltwise "exp" ins(%x : memref<2xf32>) outs(%x : memref<2xf32>) func.return }',
            "writes to read-only memory of x",
        ),
        (
            'func.func @main(%x: memref<2xf32> {onednn.result = "x"}) {'
            '"dnn.opaque"() {kind = "what"} : () -> () func.return }',
            "dnn.opaque is not an op that runs; lower the program to onednn first",
        ),
    ],
)
def test_program_that_cannot_run_is_an_error(text: str, message: str) -> None:
    from xdsl.utils.exceptions import VerifyException

    with pytest.raises((LastuseError, VerifyException), match=message):
        Executable(parse(text)[1])


MATMUL = """
func.func @main(%x: tensor<ROWSx8xf32> {dnn.name = "x"}) -> (tensor<ROWSx4xf32> {dnn.name = "y"}) {
  %w = "dnn.constant"() {value = dense_resource<w> : tensor<8x4xf32>} : () -> tensor<8x4xf32>
  %y = "dnn.matmul"(%x, %w) : (tensor<ROWSx8xf32>, tensor<8x4xf32>) -> tensor<ROWSx4xf32>
  func.return %y : tensor<ROWSx4xf32>
}
"""


def test_weights_are_packed_once_for_all_sizes() -> None:
    w = np.random.default_rng(0).random((8, 4), np.float32)
    weights, before = PackedWeights(), 0
    for rows in (1, 3, 50, 200):
        program = Executable(lowered(MATMUL.replace("ROWS", str(rows)), w=w), weights=weights)
        x = np.random.default_rng(rows).random((rows, 8), np.float32)
        np.testing.assert_allclose(program.run({"x": x})["y"], x @ w, rtol=1e-5)
        assert program.memory.constants == w.nbytes
        # Another size may want another layout once, but never the same one again.
        again = Executable(lowered(MATMUL.replace("ROWS", str(rows)), w=w), weights=weights)
        assert weights.nbytes >= before
        before = weights.nbytes
        assert again.memory == program.memory and weights.nbytes == before


def test_inline_constants_are_read() -> None:
    text = """
    func.func @main(%x: tensor<2x3xf32> {dnn.name = "x"}, %m: tensor<3xi1> {dnn.name = "m"})
        -> (tensor<2x3xf32> {dnn.name = "y"}, tensor<3xi1> {dnn.name = "same"}) {
      %one = "dnn.constant"() {value = dense<1.0> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
      %row = "dnn.constant"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
      %yes = "dnn.constant"() {value = dense<[true, false, true]> : tensor<3xi1>} : () -> tensor<3xi1>
      %a = "dnn.add"(%x, %one) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      %y = "dnn.sub"(%a, %row) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
      %same = "dnn.equal"(%m, %yes) : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
      func.return %y, %same : tensor<2x3xf32>, tensor<3xi1>
    }"""
    out = Executable(lowered(text)).run({"x": X, "m": np.array([True, True, True])})
    np.testing.assert_array_equal(out["y"], X + 1 - np.array([1, 2, 3], np.float32))
    np.testing.assert_array_equal(out["same"], [True, False, True])


def test_kernel_errors_name_the_step() -> None:
    text = """
    func.func @main(%x: tensor<2x3xf32> {dnn.name = "x"}, %i: tensor<1xi64> {dnn.name = "i"}) -> tensor<1x3xf32> {
      %y = "dnn.gather"(%x, %i) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<1x3xf32>
      func.return %y : tensor<1x3xf32>
    }"""
    program = Executable(lowered(text))
    np.testing.assert_array_equal(program.run({"x": X, "i": np.array([1])})["out0"], X[1:])
    with pytest.raises(Exception, match=r"onednn\.call dnn\.gather: .*7"):
        program.run({"x": X, "i": np.array([7])})


def test_one_program_runs_on_several_threads() -> None:
    program = Executable(parse(TWICE)[1], threads=1, poison=True)
    bad: list[int] = []

    def work(seed: int) -> None:
        x = np.full((2, 3), seed, np.float32)
        bad.extend(seed for _ in range(100) if not np.array_equal(program.run({"x": x})["y"], 2 * x))

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not bad


def test_each_program_has_its_own_number_of_threads() -> None:
    before = get_threads()
    try:
        set_threads(1)
        assert Executable(parse(TWICE)[1]).threads == 1
        assert Executable(parse(TWICE)[1], threads=2).threads == 2
        Executable(parse(TWICE)[1], threads=2).run({"x": X})
        assert get_threads() == 1
        with pytest.raises(ValueError, match="at least 1"):
            set_threads(0)
    finally:
        set_threads(before)
    assert onednn_version() == (3, 2, 0)


def test_scratch_is_measured_and_planned() -> None:
    text = """
    func.func @main(%x: tensor<4x5x8xf32> {dnn.name = "x"}) -> (tensor<4x5x8xf32> {dnn.name = "y"}) {
      %y = "dnn.softmax"(%x) {axis = 1 : i64, dnn.engine = "onednn"} : (tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
      %z = "dnn.softmax"(%y) {axis = 2 : i64, dnn.engine = "onednn"} : (tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
      func.return %z : tensor<4x5x8xf32>
    }"""
    context, module = parse(text)
    for op, nbytes in measure_scratch(module, threads=1).items():
        attrs.set_scratch_bytes(op, nbytes)
    ops = {op.attributes["axis"].value.data: op for op in module.walk() if op.name == "dnn.softmax"}  # pyright: ignore
    needed = ops[1].attributes["dnn.scratch_bytes"].value.data  # pyright: ignore
    assert needed > 0 and "dnn.scratch_bytes" not in ops[2].attributes
    unplanned = module.clone()
    LowerToOnednnPass().apply(context, unplanned)
    assert Executable(unplanned, threads=1).memory.scratch == needed
    from lastuse.passes.memory_plan import MemoryPlanPass

    MemoryPlanPass().apply(context, module)
    LowerToOnednnPass().apply(context, module)
    module.verify()
    program = Executable(module, threads=1, poison=True)
    assert program.memory.scratch == 0 and program.memory.arena >= needed
    x = np.random.default_rng(0).random((4, 5, 8), np.float32)
    np.testing.assert_array_equal(program.run({"x": x})["y"], Executable(unplanned, threads=1).run({"x": x})["y"])
