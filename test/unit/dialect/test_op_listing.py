"""The ops of a module that passes change: listed once between two changes."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, ModuleOp, TensorType, UnitAttr, UnrankedTensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.dialects.linalg.ops import FillOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import (
    calls_in,
    classes_within,
    functions_within,
    listed_ops,
    main_function,
    ops_within,
)
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.frontends.text.mlir_parser import parse

TEXT = """builtin.module {
  func.func private @outside(%x: f32)
  builtin.module @inner {
    func.func @main(%c: f32) {
      func.return
    }
  }
  func.func @main(%c: f32, %a: tensor<2xf32>) -> tensor<2xf32> {
    %x = linalg.fill ins(%c : f32) outs(%a : tensor<2xf32>) -> tensor<2xf32>
    %i = arith.constant 1 : i32
    func.call @outside(%c) : (f32) -> ()
    func.return %x : tensor<2xf32>
  }
}"""


def module() -> ModuleOp:
    return parse(context(), TEXT, "listing.mlir")


def test_ops_are_as_walk_gives_them() -> None:
    top = module()
    for op in (top, *top.ops):
        assert [*ops_within(op)] == [*op.walk()] == listed_ops(op)
        assert classes_within(op) == {type(inner) for inner in op.walk()}
        assert [*functions_within(op)] == [inner for inner in op.walk() if isinstance(inner, FuncOp)]
    assert len(functions_within(top)) == 3
    assert [call.callee.string_value() for call in calls_in(main_function(top))] == ["outside"]


def test_the_lists_are_kept_until_ops_change() -> None:
    listing = OpListing(module())
    ops, func = listing.ops, main_function(listing.module)
    with listing.unchanged():
        inner = ops_within(func)
        assert calls_in(func)
    assert listing.ops is ops
    with listing.unchanged():
        assert ops_within(func) is inner
    (call,) = listing.of(lambda op_class: issubclass(op_class, CallOp))
    call.detach()
    call.erase()
    listing.changed()
    with listing.unchanged():
        assert not calls_in(func)
    assert call not in listing.ops
    assert CallOp not in listing.classes
    assert len(listing.ops) == len(ops) - 1


def test_ops_are_found_by_what_they_make_and_say() -> None:
    listing = OpListing(module())
    (fill,) = listing.of(lambda op_class: issubclass(op_class, FillOp))
    assert [*listing.making_tensors] == [fill]
    assert listing.makes_type(TensorType)
    assert listing.makes_type(IntegerType)
    assert not listing.makes_type(UnrankedTensorType)
    assert not listing.of(lambda op_class: issubclass(op_class, arith.AddfOp))
    assert not listing.unused
    assert not listing.with_attributes


def test_what_ops_say_and_leave_unused_is_found_once_they_changed() -> None:
    listing = OpListing(module())
    (fill,) = listing.making_tensors
    last = listing.of(lambda op_class: issubclass(op_class, ReturnOp))[-1]
    last.attributes["said"] = UnitAttr()
    last.operands = [main_function(listing.module).args[1]]
    listing.changed()
    assert [*listing.with_attributes] == [last]
    assert [*listing.unused] == [fill]
