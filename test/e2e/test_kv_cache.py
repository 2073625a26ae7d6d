"""A cache is appended to without a copy: in the step of the example, and in a loop that carries it."""

from __future__ import annotations

import importlib.util
from functools import cache
from types import ModuleType

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.driver import compile, context
from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.dialect.onednn.primitives.data_reorder import BufferCopyOp
from lastuse.dialect.storage.contract import Engine
from lastuse.frontends.text.mlir_parser import parse
from support import ROOT

FOLDER = ROOT / "examples" / "kv-cache"
LOOP = """
func.func @main(%cache: tensor<ROWSx4xf32> {dnn.donated}, %x: tensor<1x4xf32> {dnn.donated}, %n: i64)
    -> (tensor<ROWSx4xf32>, tensor<1x4xf32>) {
  %i0 = "dnn.zeros"() : () -> tensor<i64>
  %zero = "dnn.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %one = "dnn.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %r, %i, %y = scf.while (%t = %cache, %i = %i0, %a = %x)
      : (tensor<ROWSx4xf32>, tensor<i64>, tensor<1x4xf32>) -> (tensor<ROWSx4xf32>, tensor<i64>, tensor<1x4xf32>) {
    %now = tensor.extract %i[] : tensor<i64>
    %go = arith.cmpi slt, %now, %n : i64
    scf.condition(%go) %t, %i, %a : tensor<ROWSx4xf32>, tensor<i64>, tensor<1x4xf32>
  } do {
  ^bb0(%t: tensor<ROWSx4xf32>, %i: tensor<i64>, %a: tensor<1x4xf32>):
    %s = "dnn.dynamic_slice"(%t, %i, %zero) {slice_sizes = array<i64: 1, 4>}
        : (tensor<ROWSx4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
    %b = "dnn.add"(%a, %s) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %c = "dnn.dynamic_update_slice"(%t, %b, %i, %zero)
        : (tensor<ROWSx4xf32>, tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<ROWSx4xf32>
    %j = "dnn.add"(%i, %one) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    scf.yield %c, %j, %b : tensor<ROWSx4xf32>, tensor<i64>, tensor<1x4xf32>
  }
  func.return %r, %y : tensor<ROWSx4xf32>, tensor<1x4xf32>
}
"""


def _loop(rows: int) -> ModuleOp:
    return parse(context(), LOOP.replace("ROWS", str(rows)), "loop.mlir")


@cache
def _example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("kv_cache_example", FOLDER / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_step_of_the_example_is_numpys_and_takes_the_same_arena_for_every_length() -> None:
    example = _example()
    arenas = list[int]()
    for rows in (40, 400, 4000):
        program = compile(FOLDER / "step.mlir", threads=1)
        made, keys, _, _ = example.generate(program, rows, 40)
        np.testing.assert_allclose(made, example.expected(40), rtol=1e-3, atol=1e-5)
        assert keys[:40].any(axis=1).all() and not keys[40:].any()
        arenas.append(program.memory.arena_bytes)
    assert arenas == [16448] * 3


@pytest.mark.parametrize("count", [0, 1, 5, 7, 12])
def test_loop_appends_in_place_and_clamps_behind_the_end(count: int) -> None:
    program = compile(_loop(7), threads=1, poison=True)
    rng = np.random.default_rng(count)
    cache_, x = rng.normal(size=(7, 4)).astype(np.float32), rng.normal(size=(1, 4)).astype(np.float32)
    want, a = cache_.copy(), x.copy()
    for i in range(count):
        row = min(i, 6)
        want[row] = a = a + want[row : row + 1]
    got, last = program(cache_, x, np.int64(count))
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(last, a)
    assert np.shares_memory(got, cache_)


@pytest.mark.parametrize("rows", [7, 70000])
def test_loop_copies_nothing_but_what_it_is_told_to(rows: int) -> None:
    program = compile(_loop(rows), threads=1)
    program(np.zeros((rows, 4), np.float32), np.ones((1, 4), np.float32), np.int64(2))
    lowered = [*program.latest.lowered.walk()]
    assert not any(isinstance(op, BufferCopyOp) for op in lowered)
    calls = [op for op in lowered if isinstance(op, KernelCallOp)]
    assert len(calls) >= 4 and all(call.engine() is Engine.NATIVE for call in calls)
    assert program.memory.arena_bytes <= 256
