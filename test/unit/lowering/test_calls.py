"""Calls of functions of the module, with values whose strides are free: of one element an axis, or of none."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.parser import Parser

from lastuse.compiler.driver import compile, context

EMPTY = """func.func private @f(%t: tensor<0x3xf32> {dnn.donated}, %u: tensor<3x0xf32>)
    -> (tensor<0x3xf32>, tensor<3x0xf32> {dnn.tied = 1 : i32}) {
  %b = "dnn.relu"(%t) : (tensor<0x3xf32>) -> tensor<0x3xf32>
  func.return %b, %u : tensor<0x3xf32>, tensor<3x0xf32>
}
func.func @main(%x: tensor<0x3xf32>, %c: tensor<4x3xf32>) -> (tensor<0x3xf32>, tensor<0x3xf32>, tensor<3x0xf32>) {
  %k = "dnn.constant"() {value = dense<> : tensor<3x0xf32>} : () -> tensor<3x0xf32>
  %e = "dnn.slice"(%c) {dim = 0 : i64, start = 2 : i64, end = 2 : i64} : (tensor<4x3xf32>) -> tensor<0x3xf32>
  %p = "dnn.transpose"(%e) : (tensor<0x3xf32>) -> tensor<3x0xf32>
  %z = "dnn.exp"(%x) : (tensor<0x3xf32>) -> tensor<0x3xf32>
  %q:2 = func.call @f(%e, %p) : (tensor<0x3xf32>, tensor<3x0xf32>) -> (tensor<0x3xf32>, tensor<3x0xf32>)
  %r:2 = func.call @f(%x, %k) : (tensor<0x3xf32>, tensor<3x0xf32>) -> (tensor<0x3xf32>, tensor<3x0xf32>)
  %s:2 = func.call @f(%z, %r#1) : (tensor<0x3xf32>, tensor<3x0xf32>) -> (tensor<0x3xf32>, tensor<3x0xf32>)
  func.return %q#0, %s#0, %r#1 : tensor<0x3xf32>, tensor<0x3xf32>, tensor<3x0xf32>
}"""
COLUMN = """func.func private @f(%t: tensor<3x1xf32> GIVEN) -> tensor<3x1xf32> {
  %b = "dnn.relu"(%t) : (tensor<3x1xf32>) -> tensor<3x1xf32>
  func.return %b : tensor<3x1xf32>
}
func.func @main(%c: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %n = "dnn.neg"(%c) : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %p = "dnn.transpose"(%n) : (tensor<1x3xf32>) -> tensor<3x1xf32>
  %r = func.call @f(%p) : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %q = "dnn.transpose"(%r) : (tensor<3x1xf32>) -> tensor<1x3xf32>
  %d = "dnn.add"(%q, %n) : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  func.return %d : tensor<1x3xf32>
}"""


def run(text: str, inplace: bool, plan: bool, *arrays: np.ndarray) -> list[np.ndarray]:
    module = Parser(context(), text).parse_module()
    program = compile(module, inplace=inplace, plan=plan, threads=1, poison=True)
    results = program(*arrays)
    return list(results) if isinstance(results, tuple | list) else [results]


@pytest.mark.parametrize("plan", [False, True])
@pytest.mark.parametrize("inplace", [False, True])
def test_an_empty_tensor_is_passed_to_a_parameter_that_is_written(inplace: bool, plan: bool) -> None:
    results = run(EMPTY, inplace, plan, np.ones((0, 3), "f"), np.ones((4, 3), "f"))
    assert [r.shape for r in results] == [(0, 3), (0, 3), (3, 0)]


@pytest.mark.parametrize("plan", [False, True])
@pytest.mark.parametrize("inplace", [False, True])
@pytest.mark.parametrize("given", ["", "{dnn.donated}"])
def test_row_viewed_as_a_column_is_row_major(given: str, inplace: bool, plan: bool) -> None:
    row = np.array([[1, -2, 3]], "f")
    (result,) = run(COLUMN.replace("GIVEN", given), inplace, plan, row)
    np.testing.assert_array_equal(result, [[-1, 4, -3]])
