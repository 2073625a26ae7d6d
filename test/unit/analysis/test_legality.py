"""Refusals in place that take an op of several operands or results."""

from __future__ import annotations

import ir
import pytest
from ir import part
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.dialect.storage import attrs
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass
from support import opt_tool

UNREAD = """
func.func @main(%x: tensor<8xf32>) -> tensor<4xf32> {
  %c = "dnn.opaque"(%x) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %to = "dnn.slice"(%c) {dim = 0, start = 0, end = 4} : (tensor<8xf32>) -> tensor<4xf32>
  %from = "dnn.slice"(%c) {dim = 0, start = 2, end = 6} : (tensor<8xf32>) -> tensor<4xf32>
  %m = "dnn.relu"(%from) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %r = "dnn.copy_into"(%to, %m) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s = "dnn.opaque"(%r) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %s : tensor<4xf32>
}"""
"""%to only says where; %m, which is read, was written across it."""

OVERTAKEN = """
func.func @main(%x: tensor<2x8xf32>, %k: tensor<8xf32>) -> tensor<2x8xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: 0>} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %r = "dnn.exp"(%a) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %t, %u, %v = "dnn.layer_norm"(%x, %k, %k) {axis = -1 : i64, dnn.reuse = array<i32: -1, 0, -1>}
    : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<2x8xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  %s = "dnn.opaque"(%r, %t, %u) {kind = "conv"} : (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  func.return %s : tensor<2x8xf32>
}"""
"""The second result of an op between writes the storage of %a, by its number, while %r is needed."""


@pytest.mark.parametrize(("text", "reason"), [(UNREAD, "overlapping-view"), (OVERTAKEN, "next-op-reuses")])
def test_refusal_names_an_overlapping_view_or_the_next_op(text: str, reason: str) -> None:
    module = parse(context(), text, "test.mlir")
    InplacePass(explain=True).apply(context(), module)
    func = next(op for op in module.walk() if isinstance(op, FuncOp))
    assert check(func) == []
    refused = [op for op in func.walk() if op.name in ("dnn.copy_into", "dnn.exp")]
    assert [str(op.attributes.get("dnn.inplace")) for op in refused] == ["None"]
    assert [str(op.attributes.get("dnn.refused")) for op in refused] == [f'["{reason}"]']


INTO = f"""func.func @main(%x: T) -> T {{
  %a = exp(%x) : (T) -> T
  %v = slice(%a) {part(8, 16)}}} : (T) -> H
  %r = slice_scatter(%a, %v) {part(0, 8)}}} : (T, H) -> T
  %o = opaque(%r) {{kind = "conv"}} : (T) -> T
  func.return %o : T
}}"""
"""One half over the other: the copied half is in the same memory and does not overlap."""

HALVES = f"""func.func @main(%x: H, %s: H) -> (T, H) {{
  %a = exp(%x) : (H) -> H
  %b = neg(%x) : (H) -> H
  %c = concat(%a, %b) {{axis = 0 : i64, parts[0, 1]}} : (H, H) -> T
  %r = slice_scatter(%c, %s) {part(8, 16)}}} : (T, H) -> T
  %o = opaque(%r) {{kind = "conv"}} : (T) -> T
  %p = opaque(%READ) {{kind = "conv"}} : (H) -> H
  func.return %o, %p : T, H
}}"""
"""The scatter replaces the half that %b is."""


@pytest.mark.parametrize("strategy", ["optimal", "reinplace"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [(INTO, None), (HALVES.replace("READ", "a"), None), (HALVES.replace("READ", "b"), "used-later")],
    ids=["a half over the other", "the other half is read later", "that half is read later"],
)
def test_a_scatter_goes_over_its_base_unless_the_part_is_read(text: str, reason: str | None, strategy: str) -> None:
    module = ir.parse(text)
    InplacePass(strategy, explain=True).apply(context(), module)
    func = ir.main(module)
    assert check(func) == []
    (op,) = [op for op in func.walk() if op.name == "dnn.slice_scatter"]
    assert attrs.inplace(op) == ((0,) if reason is None else (-1,))
    assert str(op.attributes.get("dnn.refused")) == ("None" if reason is None else f'["{reason}"]')


@pytest.mark.parametrize(
    ("start", "other", "reason"), [("x", "x", "program-input"), ("o", "o", "used-later"), ("o", "x", None)]
)
def test_copy_into_a_loop_has_the_reason_of_the_refusal(start: str, other: str, reason: str | None) -> None:
    """The init of a loop is copied if the loop may not own its memory; the remark gives the reason."""
    text = f"""
func.func @main(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {{
  %o = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%s = %{start}) -> (tensor<4xf32>) {{
    %a = "dnn.neg"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }}
  %t = "dnn.opaque"(%r, %{other}) {{kind = "conv"}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %t : tensor<4xf32>
}}"""
    done = opt_tool("--inplace-pass", "--remarks", stdin=text)
    copies = [line.partition("remark: ")[2] for line in done.err.splitlines() if "is copied" in line]
    assert len(copies) == (reason is not None)
    for copy in copies:
        assert copy.startswith(f"scf.for (r): %{start} is copied into %r, 16 bytes: ")
        assert f" [{reason}]; " in copy
