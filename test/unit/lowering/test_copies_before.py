"""Changes of tensor programs that save copies are tried in modules, or functions alone, of few ops."""

from __future__ import annotations

import pytest
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferization import trial_changes
from lastuse.passes.bufferization.least_copies import MOST_OPS
from lastuse.passes.bufferize import BufferizePass

NESTED = """
func.func @main(%p: tensor<?x?xf32>, %n: index, %x: f32) -> (tensor<?x?xf32>, f32) {{
  %z = arith.constant 0.0 : f32
  %a = tensor.extract_slice %p[0, 0] [%n, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %b = tensor.extract_slice %a[0, 0] [5, 5] [1, 1] : tensor<?x?xf32> to tensor<5x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%b : tensor<5x5xf32>) -> tensor<5x5xf32>
  %c = tensor.insert_slice %f into %a[0, 0] [5, 5] [1, 1] : tensor<5x5xf32> into tensor<?x?xf32>
  %d = tensor.insert_slice %c into %p[0, 0] [%n, %n] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
{more}
  func.return %d, %s{count} : tensor<?x?xf32>, f32
}}
"""


@pytest.mark.parametrize("count", [1, MOST_OPS])
def test_tensors_are_copied_before_their_parts_are_taken(count: int) -> None:
    more = ["  %s0 = arith.addf %x, %x : f32"]
    more += [f"  %s{k + 1} = arith.addf %s{k}, %x : f32" for k in range(count)]
    module = parse(context(), NESTED.format(more="\n".join(more), count=count), "nested.mlir")
    BufferizePass().apply(context(), module)
    copies = sum(op.name == "memref.copy" for op in module.walk())
    assert copies == 1 if count == 1 else copies > 1


def test_functions_of_a_large_module_are_changed_as_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_changes, "MOST_OPS", 40)
    count = 8
    one = NESTED.format(more="  %s0 = arith.addf %x, %x : f32", count=0)
    module = parse(context(), "".join(one.replace("@main", f"@f{k}") for k in range(count)), "many.mlir")
    assert sum(1 for _ in module.walk()) > 40
    BufferizePass().apply(context(), module)
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    assert [func.sym_name.data for func in functions] == [f"f{k}" for k in range(count)]
    assert [sum(op.name == "memref.copy" for op in func.walk()) for func in functions] == [1] * count


def test_functions_that_call_each_other_are_changed_together_in_a_large_module(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trial_changes, "MOST_OPS", 40)
    one = NESTED.format(more="  %s0 = arith.addf %x, %x : f32", count=0)
    caller = """
    func.func @caller(%p: tensor<?x?xf32>, %n: index, %x: f32) -> (tensor<?x?xf32>, f32) {
      %r:2 = func.call @main(%p, %n, %x) : (tensor<?x?xf32>, index, f32) -> (tensor<?x?xf32>, f32)
      func.return %r#0, %r#1 : tensor<?x?xf32>, f32
    }
    """
    many = "".join(
        f"func.func @g{k}(%x: f32) -> f32 {{\n  %y = arith.addf %x, %x : f32\n  func.return %y : f32\n}}\n"
        for k in range(12)
    )
    module = parse(context(), one + caller + many, "called.mlir")
    BufferizePass().apply(context(), module)
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    assert {func.sym_name.data for func in functions[:2]} == {"main", "caller"}
    assert [sum(op.name == "memref.copy" for op in func.walk()) for func in functions[:2]] == [1, 0]


def test_private_function_that_another_one_mentions_stays_where_its_call_is_replaced() -> None:
    callee = """
    func.func private @either(%p: tensor<4xf32>, %q: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
      %r = scf.if %c -> (tensor<4xf32>) {
        scf.yield %p : tensor<4xf32>
      } else {
        %x = math.exp %q : tensor<4xf32>
        scf.yield %x : tensor<4xf32>
      }
      func.return %r : tensor<4xf32>
    }
    func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: i1) -> f32 {
      %c0 = arith.constant 0 : index
      %r = func.call @either(%a, %b, %c) : (tensor<4xf32>, tensor<4xf32>, i1) -> tensor<4xf32>
      %x = tensor.extract %r[%c0] : tensor<4xf32>
      func.return %x : f32
    }
    """
    other = """
    func.func @other() {
      "test.use"() {callee = @either} : () -> ()
      func.return
    }
    """
    for text, names in ((callee, ["main"]), (callee + other, ["either", "main", "other"])):
        module = parse(context(), text, "mentioned.mlir")
        BufferizePass().apply(context(), module)
        assert sorted(op.sym_name.data for op in module.ops if isinstance(op, FuncOp)) == names
        assert not any(op.name == "func.call" for op in module.walk())
