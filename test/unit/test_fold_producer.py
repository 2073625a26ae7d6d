"""A comparison and a cast back become one op when a program is compiled, with the same results."""

from __future__ import annotations

import numpy as np
import pytest

import lastuse
from lastuse.compiler.driver import context
from lastuse.compiler.pipeline import passes_of
from lastuse.frontends.text.mlir_parser import parse

MASK = """
func.func @main(%x: tensor<5xT>, %y: tensor<5xT>) -> (tensor<5xT> {dnn.name = "mask"}) {
  %a = "dnn.mul"(%x, %x) : (tensor<5xT>, tensor<5xT>) -> tensor<5xT>
  %c = "dnn.less_or_equal"(%a, %y) : (tensor<5xT>, tensor<5xT>) -> tensor<5xi1>
  %f = "dnn.cast"(%c) : (tensor<5xi1>) -> tensor<5xU>
  %r = "dnn.mul"(%f, %f) : (tensor<5xU>, tensor<5xU>) -> tensor<5xT>
  func.return %r : tensor<5xT>
}"""


def compiled(text: str, **options: object) -> lastuse.Program:
    """Without maps, which hold all of these ops."""
    return lastuse.compile(parse(context(), text, "mask.mlir"), threads=1, fuse=False, **options)  # pyright: ignore


@pytest.mark.parametrize("dtype", ["f32", "f64", "i64"])
def test_cast_and_select_become_one_op_in_place(dtype: str) -> None:
    text = MASK.replace("xT", f"x{dtype}").replace("xU", f"x{dtype}")
    kind = {"f32": np.float32, "f64": np.float64, "i64": np.int64}[dtype]
    x, y = np.array([-2, -1, 0, 1, 3], kind), np.array([4, 0, -1, 1, 8], kind)
    program = compiled(text)
    assert [op.name for op in program.latest.module.walk()].count("dnn.cast") == 0
    assert program.memory.inplace_ops == 2
    np.testing.assert_array_equal(program(x, y), (x * x <= y).astype(kind))
    np.testing.assert_array_equal(program(x, y), compiled(text, inplace=False, plan=False)(x, y))


@pytest.mark.parametrize(
    "text",
    [
        MASK.replace("xT", "xf32").replace("xU", "xf32").replace("%c) :", "%c) {dnn.reuse = array<i32: 1>} :"),
        """
func.func @main(%x: tensor<5xf32>, %y: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xi1>) {
  %c = "dnn.less"(%x, %y) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  %f = "dnn.cast"(%c) : (tensor<5xi1>) -> tensor<5xf32>
  func.return %f, %c : tensor<5xf32>, tensor<5xi1>
}""",
        """
func.func @main(%x: tensor<5xf32>, %y: tensor<5xf32>) -> tensor<5xf64> {
  %c = "dnn.less"(%x, %y) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  %f = "dnn.cast"(%c) : (tensor<5xi1>) -> tensor<5xf64>
  func.return %f : tensor<5xf64>
}""",
        """
func.func @main(%x: tensor<5xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %c = "dnn.less"(%x, %y) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  %e = "dnn.exp"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %f = "dnn.cast"(%c) : (tensor<5xi1>) -> tensor<5xf32>
  %g = "dnn.add"(%e, %f) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  func.return %g : tensor<5xf32>
}""",
    ],
    ids=["decided", "read elsewhere", "another type", "not next to each other"],
)
def test_ops_that_cannot_be_folded_are_kept(text: str) -> None:
    assert any(op.name == "dnn.cast" for op in compiled(text).latest.module.walk())


def test_the_compile_pipeline_is_what_compile_runs() -> None:
    """`opt-tool --pipeline=compile` makes the steps that a program runs."""
    ctx = context()
    module = parse(ctx, MASK.replace("xT", "xf32").replace("xU", "xf32"), "mask.mlir")
    program = lastuse.compile(module, threads=1)
    for each in passes_of("compile", lower_to_onednn={"verify": False}):
        each.apply(ctx, module)
    assert str(module) == str(program.latest.lowered)
