"""Inference for some sizes after others says what inference of all ops says for each of them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage.repeated_inference import RepeatedInference
from lastuse.dialect.storage.shape_inference import infer_with_sizes
from lastuse.frontends.text.mlir_parser import parse

WINDOWS = """
func.func @main(%x: tensor<1x3x16x?xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<?xf32> {
  %one = "dnn.constant"() {value = dense<1.0> : tensor<8xf32>} : () -> tensor<8xf32>
  %b = "dnn.exp"(%one) : (tensor<8xf32>) -> tensor<8xf32>
  %y = "dnn.conv"(%x, %w, %b) {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
    : (tensor<1x3x16x?xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<1x8x8x?xf32>
  %s = "dnn.shape"(%y) : (tensor<1x8x8x?xf32>) -> tensor<4xi64>
  %r = "dnn.relu"(%y) : (tensor<1x8x8x?xf32>) -> tensor<1x8x8x?xf32>
  %f = "dnn.flatten"(%r) {axis = 0 : i64} : (tensor<1x8x8x?xf32>) -> tensor<1x?xf32>
  %z = "dnn.squeeze"(%f) {axes = array<i64: 0>} : (tensor<1x?xf32>) -> tensor<?xf32>
  func.return %z : tensor<?xf32>
}"""
DYNAMIC = """
func.func @main(%x: tensor<?x4xf32>) -> tensor<4x?xf32> {
  %s = "dnn.shape"(%x) : (tensor<?x4xf32>) -> tensor<2xi64>
  %i = "dnn.constant"() {value = dense<[1, 0]> : tensor<2xi64>} : () -> tensor<2xi64>
  %t = "dnn.gather"(%s, %i) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = "dnn.dynamic"(%x, %t) {op = "reshape", names = ["shape"]}
    : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<4x?xf32>
  func.return %r : tensor<4x?xf32>
}"""
BRANCH = """
func.func @main(%x: tensor<?x4xf32>, %c: tensor<i1>) -> tensor<?x4xf32> {
  %k = "dnn.constant"() {value = dense<2.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %e = "dnn.tanh"(%k) : (tensor<4xf32>) -> tensor<4xf32>
  %i = "tensor.extract"(%c) : (tensor<i1>) -> i1
  %y = scf.if %i -> (tensor<?x4xf32>) {
    %a = "dnn.add"(%x, %e) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
    scf.yield %a : tensor<?x4xf32>
  } else {
    %m = "dnn.mul"(%x, %e) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
    scf.yield %m : tensor<?x4xf32>
  }
  func.return %y : tensor<?x4xf32>
}"""
BLOCKS = """
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  "cf.br"(%x) [^next] : (tensor<?x4xf32>) -> ()
^next(%y: tensor<?x4xf32>):
  %z = "dnn.relu"(%y) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  func.return %z : tensor<?x4xf32>
}"""


def function(text: str) -> FuncOp:
    return main_function(parse(context(), text, "main.mlir"))


def compare(func: FuncOp, every: list[Mapping[str, int]]) -> set[str]:
    """Compares the two for all sizes; the names of the values that are left out."""
    repeated = RepeatedInference(func)
    whole = [infer_with_sizes(func, sizes) for sizes in every]
    left_out: set[str] = set()
    for sizes, all_of in zip(every, whole, strict=True):
        found = repeated.with_sizes(sizes)
        assert found.regions == all_of.regions
        assert list(found.sizes.items()) == [(v, i) for v, i in all_of.sizes.items() if v in found.sizes]
        for value in all_of.sizes.keys() - found.sizes.keys():
            assert all(other.sizes[value] == all_of.sizes[value] for other in whole)
            left_out.add(value.name_hint or "")
    return left_out


def test_what_depends_on_no_size_is_left_out() -> None:
    assert compare(function(WINDOWS), [{"x": 20}, {"x": 21}, {"x": 64}]) == {"w", "one", "b"}


def test_regions_are_walked_each_time() -> None:
    assert compare(function(BRANCH), [{"x": 3}, {"x": 7}]) == {"c", "k", "e"}


def test_functions_of_several_blocks_are_inferred_as_a_whole() -> None:
    assert compare(function(BLOCKS), [{"x": 3}, {"x": 7}]) == set()


def test_answers_of_ops_that_each_walk_makes_do_not_stay() -> None:
    repeated = RepeatedInference(function(DYNAMIC))
    counts: list[int] = []
    for size in range(2, 60):
        (*_, last) = repeated.with_sizes({"x": size}).sizes.values()
        assert last.shape == (4, size)
        counts.append(sum(map(len, repeated._answers.values())))  # pyright: ignore[reportPrivateUsage]
    assert counts[0] > 0 and set(counts[1:]) == {counts[1]}


def test_sizes_that_do_not_fit_are_an_error_before_and_after_others() -> None:
    repeated = RepeatedInference(
        function(WINDOWS.replace("pads = array<i64: 1, 1, 1, 1>", "pads = array<i64: 1, 0, 1, 0>"))
    )
    for sizes in ({"x": 2}, {"x": 20}, {"x": 2}):
        if sizes["x"] > 2:
            assert repeated.with_sizes(sizes).sizes
        else:
            with pytest.raises(LastuseError, match="a window of 3 elements is longer"):
                repeated.with_sizes(sizes)
