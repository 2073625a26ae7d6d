"""Memref forms with calls, changed by hand: what the callee writes, lends or returns is derived from its form."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import functions_of, topological_order
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferize import BufferizePass
from lastuse.passes.memref_checker import check

PROGRAM = """
func.func private @sink(memory)
func.func private @look(memory {bufferization.access = "read"})
func.func private @poke(%x: memory, %v: f32) -> memory {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %v into %x[%c0] : memory
  func.return %r : memory
}
func.func private @half(%x: memory) -> tensor<4xf32> {
  %r = tensor.extract_slice %x[4] [4] [1] : memory to tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func @main(%x: memory, %v: f32, %i: index) -> (f32, f32, f32) {
  func.call @look(%x) : (memory) -> ()
  func.call @sink(%x) : (memory) -> ()
  %a = math.exp %x : memory
  %p = func.call @poke(%a, %v) : (memory, f32) -> memory
  %h = func.call @half(%p) : (memory) -> tensor<4xf32>
  %q = func.call @poke(%p, %v) : (memory, f32) -> memory
  %s = tensor.extract %p[%i] : memory
  %t = tensor.extract %h[%i] : tensor<4xf32>
  %u = tensor.extract %q[%i] : memory
  func.return %s, %t, %u : f32, f32, f32
}
""".replace("memory", "tensor<8xf32>")

CHANGES = {
    "an operand that is needed later is not copied": (r'"memref.copy"\(%x.*\n', ""),
    "what a callee may write is not copied": (r"(call @sink\()%\w+", r"\1%x"),
    "another operand is passed": (r"(%p[_0-9]* = func.call @poke\(%)\w+", r"\1x"),
    "a lent result is given back": (
        r"(\n *func.return %s)",
        r"\n memref.dealloc %h : memref<4xf32, strided<[?], offset: ?>>\1",
    ),
    "a callee writes what it only reads": (
        r"(%r = memref.subview %x)",
        r"%z = arith.constant 0 : index %o = arith.constant 1.0 : f32 "
        r"memref.store %o, %x[%z] : memref<8xf32, strided<[?], offset: ?>> \1",
    ),
    "a callee returns another part": (r"subview %x\[4\]", "subview %x[3]"),
    "a callee inserts elsewhere": (r"(store %v, %x\[%)c0", r"\1c1"),
}


def proved(change: tuple[str, str] | None) -> bool:
    """Whether the form is proved; after a change of its text."""
    ctx, way = context(), BufferizePass(arena="none")
    sources = parse(ctx, PROGRAM, "calls.mlir")
    order = topological_order(functions_of(sources))
    declared = [op for op in sources.ops if isinstance(op, FuncOp) and not op.body.blocks]
    way.decide(ctx, sources, order)
    form = sources.clone()
    way.apply(ctx, form)
    text = str(form).replace(
        "@look(memref<8xf32, strided<[?], offset: ?>>)",
        '@look(memref<8xf32, strided<[?], offset: ?>> {bufferization.access = "read"})',
    )
    if change is not None:
        changed = re.sub(*change, text.replace("%c0 = arith", "%c1 = arith.constant 1 : index\n %c0 = arith"))
        assert changed != text
        text = changed
    return not check([*reversed(order)], parse(ctx, text, "form.mlir"), declared)


def test_the_form_is_proved() -> None:
    assert proved(None)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_changed_form_is_not_proved(change: tuple[str, str]) -> None:
    try:
        assert not proved(change)
    except LastuseError as error:
        assert "the memref form is wrong" in str(error)
