"""Constants computed at compile time: new arrays beside the old ones, which are removed with their last use."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DenseResourceAttr, ModuleOp

from lastuse.compiler.driver import context
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.constants import ConstantOp
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.frontends.text import mlir_parser
from lastuse.passes.transforms.constant_folding import MAX_INLINE_BYTES, erase_unread, fold_constants

TEXT = """
func.func @main(%x: tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>) {
  %a = "dnn.constant"() {value = dense_resource<a> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %n = "dnn.negate_gate"(%a) {gate = "update"} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %m = "dnn.negate_gate"(%x) {gate = "update"} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  func.return %n, %m : tensor<1x3xf32>, tensor<1x3xf32>
}
"""


def ops_of(text: str, **arrays: np.ndarray) -> tuple[ModuleOp, list[DnnOp]]:
    module = mlir_parser.parse(context(), text, "fold")
    resources.of(module).update(arrays)
    return module, [op for op in main_function(module).walk() if isinstance(op, DnnOp)]


def test_folded_resource_is_a_resource() -> None:
    array = np.array([[1, 2, 3]], np.float32)
    module, (constant, negated, of_argument) = ops_of(TEXT, a=array)
    made = fold_constants(negated)
    assert made is not None and isinstance(made.value, DenseResourceAttr)
    np.testing.assert_array_equal(made.array(), [[-1, 2, 3]])
    np.testing.assert_array_equal(array, [[1, 2, 3]])
    assert sorted(resources.of(module)) == ["a", "a_negate_gate"]
    erase_unread(constant)
    resources.drop_unreferenced(module)
    assert sorted(resources.of(module)) == ["a_negate_gate"]
    assert fold_constants(of_argument) is None, "an argument is no constant"


def test_array_of_another_constant_is_kept() -> None:
    other = '  %b = "dnn.constant"() {value = dense_resource<a> : tensor<1x3xf32>} : () -> tensor<1x3xf32>\n'
    text = TEXT.replace('"dnn.negate_gate"(%x)', '"dnn.negate_gate"(%b)').replace("  %n =", f"{other}  %n =")
    module, (constant, _, negated, _) = ops_of(text, a=np.ones((1, 3), np.float32))
    fold_constants(negated)
    erase_unread(constant)
    resources.drop_unreferenced(module)
    assert "a" in resources.of(module)


def test_constant_without_its_array_is_not_folded() -> None:
    module, (_, negated, _) = ops_of(TEXT)
    before = str(module)
    assert fold_constants(negated) is None
    assert str(module) == before


def test_splats_and_short_constants_are_folded_inline() -> None:
    """Longer constants become resources."""
    rows = MAX_INLINE_BYTES // 12 + 1
    values = {"short": "dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>", "same": f"dense<0.0> : tensor<{rows}x3xf32>"}
    for name, value in values.items():
        sizes = value.split(" : ")[1]
        text = (
            f"func.func @main() -> {sizes} {{\n"
            f'  %a = "dnn.constant"() {{value = {value}}} : () -> {sizes}\n'
            f'  %n = "dnn.negate_gate"(%a) {{gate = "reset"}} : ({sizes}) -> {sizes}\n'
            f"  func.return %n : {sizes}\n}}\n"
        )
        _, (_, negated) = ops_of(text)
        made = fold_constants(negated)
        # Of zeros the negated ones are -0: not one number any more.
        assert isinstance(made, ConstantOp)
        assert isinstance(made.value, DenseResourceAttr) == (name == "same")
