"""What oneDNN's gemm kernels need is there before the first run of a program that has them."""

from __future__ import annotations

import numpy as np
from xdsl.parser import Parser

import lastuse
from lastuse.compiler.driver import context
from lastuse.runtime.warmup import GEMM, warm_up_gemm

HEADS = """
func.func @main(%q: tensor<1x16x12x32xf32>, %k: tensor<1x16x12x32xf32>) -> tensor<1x12x16x16xf32> {
  %s = "dnn.matmul"(%q, %k) {permA = array<i64: 0, 2, 1, 3>, permB = array<i64: 0, 2, 3, 1>, dnn.engine = "onednn"}
    : (tensor<1x16x12x32xf32>, tensor<1x16x12x32xf32>) -> tensor<1x12x16x16xf32>
  func.return %s : tensor<1x12x16x16xf32>
}
"""
RELU = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""


def test_gemm_kernels_are_made_for_programs_that_have_them() -> None:
    warm_up_gemm.cache_clear()
    lastuse.compile(Parser(context(), RELU).parse_module(), threads=1).run({"x": np.ones(4, np.float32)})
    assert warm_up_gemm.cache_info().misses == 0
    q = np.ones((1, 16, 12, 32), np.float32)
    program = lastuse.compile(Parser(context(), HEADS).parse_module(), threads=1, profile=True)
    np.testing.assert_array_equal(program.run({"q": q, "k": q})["out0"], np.full((1, 12, 16, 16), 32))
    assert [step.kernel.startswith(GEMM) for step in program.profile()] == [True]
    assert warm_up_gemm.cache_info().misses == 1
