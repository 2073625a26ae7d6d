"""Results of destination-style ops have their destination's sizes; a destination that no op reads takes no bytes; what
no op uses is not planned."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.storage import attrs, verifier
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.plan import PlanPass


def module_of(text: str) -> ModuleOp:
    module = parse(context(), text, "<test>")
    verifier.verify(module)
    return module


def main(module: ModuleOp) -> FuncOp:
    return next(op for op in module.walk() if isinstance(op, FuncOp) and op.body.blocks)


def inplace(module: ModuleOp) -> dict[str | None, int]:
    """Operand that each value is written over, by the value's name."""
    return {
        op.results[0].name_hint: attrs.inplace(op)[0]
        for op in module.walk()
        if op.results and attrs.INPLACE in op.attributes
    }


HEAD = """
func.func @main(%x: tensor<?xf32>, %m: tensor<?x?xf32>, %v: f32, %n: index, %i: index, %c: i1) -> TYPE {
  %e = tensor.empty(%n) : tensor<?xf32>
  %ee = tensor.empty(%n, %i) : tensor<?x?xf32>
"""
LINE, PLANE = "tensor<?xf32>", "tensor<?x?xf32>"
DESTINATIONS = {
    "fill": (LINE, "%r = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>"),
    "insert": (LINE, "%r = tensor.insert %v into %e[%i] : tensor<?xf32>"),
    "elementwise": (LINE, "%r = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>"),
    "copy": (LINE, "%r = linalg.copy ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>"),
    "transpose": (
        PLANE,
        "%r = linalg.transpose ins(%m : tensor<?x?xf32>) outs(%ee : tensor<?x?xf32>) permutation = [1, 0]",
    ),
    "broadcast": (
        PLANE,
        "%r = linalg.broadcast ins(%x : tensor<?xf32>) outs(%ee : tensor<?x?xf32>) dimensions = [0]",
    ),
    "reduce": (
        LINE,
        """%r = linalg.reduce ins(%m : tensor<?x?xf32>) outs(%e : tensor<?xf32>) dimensions = [0]
        (%p: f32, %o: f32) { %q = arith.addf %p, %o : f32 linalg.yield %q : f32 }""",
    ),
    "matmul": (
        PLANE,
        """%r = linalg.matmul ins(%m, %m : tensor<?x?xf32>, tensor<?x?xf32>) outs(%ee : tensor<?x?xf32>)
        -> tensor<?x?xf32>""",
    ),
    "generic": (
        LINE,
        """%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        outs(%e : tensor<?xf32>) { ^bb0(%o: f32): linalg.yield %v : f32 } -> tensor<?xf32>""",
    ),
}


@pytest.mark.parametrize("name", DESTINATIONS)
def test_results_have_the_sizes_of_their_destination(name: str) -> None:
    type_, op = DESTINATIONS[name]
    module = module_of(f"{HEAD.replace('TYPE', type_)}  {op}\n  func.return %r : {type_}\n}}")
    sizes = {v.name_hint: t.shape for v, t in infer_shapes(main(module)).items()}
    assert sizes["r"] == sizes["ee" if type_ == PLANE else "e"]
    InplacePass().apply(context(), module)
    assert attrs.INPLACE in next(o for o in module.walk() if o.results and o.results[0].name_hint == "r").attributes
    assert not check(main(module))


def test_insert_at_a_run_time_offset_has_the_sizes_of_its_destination() -> None:
    module = module_of("""
      func.func @main(%x: tensor<4xf32>, %d: tensor<?xf32>, %i: index) -> tensor<?xf32> {
        %r = tensor.insert_slice %x into %d[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>
        func.return %r : tensor<?xf32>
      }""")
    sizes = {v.name_hint: t.shape for v, t in infer_shapes(main(module)).items()}
    assert sizes["r"] == sizes["d"]


def test_sizes_go_through_a_loop_that_inserts() -> None:
    module = module_of("""
      func.func @main(%x: tensor<?xf32>, %a: index, %b: index, %v: f32) -> tensor<?xf32> {
        %s = "dnn.exp"(%x) : (tensor<?xf32>) -> tensor<?xf32>
        %r = scf.for %i = %a to %b step %b iter_args(%t = %s) -> (tensor<?xf32>) {
          %u = tensor.insert %v into %t[%i] : tensor<?xf32>
          scf.yield %u : tensor<?xf32>
        }
        func.return %r : tensor<?xf32>
      }""")
    sizes = {v.name_hint: t.shape for v, t in infer_shapes(main(module)).items()}
    assert sizes["r"] == sizes["t"] == sizes["u"] == sizes["x"]
    InplacePass().apply(context(), module)
    assert inplace(module)["u"] == 1 and inplace(module)["r"] == 3
    assert not check(main(module))


def test_cast_is_a_view_and_keeps_known_sizes() -> None:
    module = module_of("""
      func.func @main(%x: tensor<4xf32>, %u: tensor<?xf32>) -> tensor<?xf32> {
        %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
        %b = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
        %c = arith.negf %b : tensor<?xf32>
        %d = "dnn.exp"(%u) : (tensor<?xf32>) -> tensor<?xf32>
        %f = tensor.cast %d : tensor<?xf32> to tensor<?xf32>
        %g = arith.negf %f : tensor<?xf32>
        func.return %c : tensor<?xf32>
      }""")
    sizes = {v.name_hint: t.shape for v, t in infer_shapes(main(module)).items()}
    assert sizes["c"] == (4,) and sizes["g"] == sizes["u"]
    InplacePass().apply(context(), module)
    assert inplace(module) == {"c": 0, "g": 0}
    assert not check(main(module))


EMPTY = """
func.func @main(%x: tensor<64xf32> {dnn.donated}, %v: f32) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %a = "dnn.exp"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %b = "dnn.softmax"(%a) {axis = 0 : i64} : (tensor<64xf32>) -> tensor<64xf32>
  %s = "dnn.mul"(%a, %b) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %f = linalg.add ins(%s, %b : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %y = "dnn.softmax"(%f) {axis = 0 : i64} : (tensor<64xf32>) -> tensor<64xf32>
  func.return %y : tensor<64xf32>
}
"""


def arena(module: ModuleOp) -> int:
    planned = main(module).attributes[attrs.ARENA_BYTES]
    return planned.value.data  # pyright: ignore


@pytest.mark.parametrize("inplace_first", [False, True])
def test_an_empty_tensor_that_no_op_reads_takes_no_bytes(inplace_first: bool) -> None:
    module, without = module_of(EMPTY), module_of(EMPTY.replace("outs(%e", "outs(%x"))
    for planned in (module, without):
        if inplace_first:
            InplacePass().apply(context(), planned)
        MemoryPlanPass().apply(context(), planned)
        assert not check(main(planned))
    empty = next(op for op in module.walk() if op.name == "tensor.empty")
    assert attrs.OFFSET not in empty.attributes
    assert arena(module) == (256 if inplace_first else 768)
    assert arena(module) <= arena(without)


def test_empty_tensor_takes_bytes_from_its_first_write_on() -> None:
    text = EMPTY.replace("linalg.add ins(%s, %b", "linalg.matmul ins(%s, %b")
    text = text.replace("linalg.matmul ins(%s, %b : tensor<64xf32>, tensor<64xf32>)", "linalg.fill ins(%v : f32)")
    text = text.replace("(%f)", "(%g)").replace(
        '  %y = "dnn', '  %g = "dnn.mul"(%f, %s) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>\n  %y = "dnn'
    )
    module = module_of(text)
    InplacePass("paddle").apply(context(), module)  # which leaves everything where it is
    fill = next(op for op in module.walk() if op.name == "linalg.fill")
    attrs.set_entries(fill, attrs.INPLACE, [1])
    MemoryPlanPass().apply(context(), module)
    assert not check(main(module))
    # %a and %b are dead where %e is filled: three values at a time, and %e is in the place of one of the first two.
    assert arena(module) == 768


def test_an_empty_tensor_that_an_op_reads_may_hold_anything() -> None:
    """It has bytes, as the op reads some; another value may lie in them."""
    text = EMPTY.replace('"dnn.mul"(%a, %b)', '"dnn.mul"(%a, %e)')
    module = module_of(text)
    MemoryPlanPass().apply(context(), module)
    empty = next(op for op in module.walk() if op.name == "tensor.empty")
    assert attrs.OFFSET in empty.attributes and not check(main(module))
    (made,) = [op for op in module.walk() if op.results and op.results[0].name_hint == "a"]
    attrs.set_entries(made, attrs.OFFSET, attrs.entries(empty, attrs.OFFSET))
    assert not check(main(module))


DEAD = """
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = "dnn.exp"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %d = "dnn.softmax"(%a) {axis = 0 : i64} : (tensor<64xf32>) -> tensor<64xf32>
  %dd = "dnn.exp"(%d) : (tensor<64xf32>) -> tensor<64xf32>
  %de = tensor.empty() : tensor<64xf32>
  %df = linalg.exp ins(%a : tensor<64xf32>) outs(%de : tensor<64xf32>) -> tensor<64xf32>
  %y = "dnn.exp"(%a) : (tensor<64xf32>) -> tensor<64xf32>
  func.return %y : tensor<64xf32>
}
"""


def test_plan_has_no_unused_value() -> None:
    module, ctx = module_of(DEAD), context()
    ctx.wants_remarks = True
    PlanPass().apply(ctx, module)
    assert arena(module) == 0
    erased = [r.names[0] for r in ctx.remarks if r.message == "erased: no op uses what it computes"]
    assert sorted(erased) == ["d", "dd", "de", "df"]
    program = lastuse.compile(module_of(DEAD), fuse=False)
    assert program.memory.naive_bytes == 256
    x = np.linspace(-1, 1, 64, dtype="f")
    np.testing.assert_allclose(program(x), np.exp(np.exp(x)), rtol=1e-5)


def test_unused_op_with_effects_or_a_decision_is_kept() -> None:
    text = """
      func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %a = "dnn.exp"(%x) {dnn.reuse = array<i32: 3>} : (tensor<4xf32>) -> tensor<4xf32>
        %b = "test.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
        %c = func.call @outside(%x) : (tensor<4xf32>) -> tensor<4xf32>
        func.return %x : tensor<4xf32>
      }"""
    module = module_of(text)
    PlanPass().apply(context(), module)
    assert [op.results[0].name_hint for op in main(module).walk() if op.results] == ["a", "b", "c"]
