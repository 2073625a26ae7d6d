"""Values in another order of axes, of a million elements and more: proved as fast as small ones."""

from __future__ import annotations

import pytest
from step_mutants import mutants, mutated

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.lowering_checker import check, strided_maps
from lastuse.passes.lowering_checker.codes import Codes
from lastuse.passes.lowering_checker.pieces import Array, Pieces
from lastuse.passes.plan import PlanPass

T, C = "tensor<2x16x400x400xf32>", "tensor<2x400x400x16xf32>"
"""5,120,000 elements, channels first and channels last."""
PADDED, PADDED_LAST = "tensor<2x16x402x402xf32>", "tensor<2x402x402x16xf32>"
LAST, FIRST = "{perm = array<i64: 0, 2, 3, 1>}", "{perm = array<i64: 0, 3, 1, 2>}"
PROGRAMS = {
    "there and back": f"""
func.func @main(%x: {T}) -> ({T}, {C}) {{
  %a = "dnn.transpose"(%x) {LAST} : ({T}) -> {C}
  %b = "dnn.softmax"(%a) {{axis = 3 : i64}} : ({C}) -> {C}
  %c = "dnn.transpose"(%b) {FIRST} : ({C}) -> {T}
  %d = "dnn.softmax"(%c) {{axis = 3 : i64}} : ({T}) -> {T}
  %e = "dnn.transpose"(%d) {LAST} : ({T}) -> {C}
  func.return %d, %e : {T}, {C}
}}
""",
    "joined, and in another order": f"""
func.func @main(%x: {C}, %y: {C}) -> tensor<2x400x400x32xf32> {{
  %a = "dnn.softmax"(%x) {{axis = 3 : i64}} : ({C}) -> {C}
  %b = "dnn.transpose"(%a) {FIRST} : ({C}) -> {T}
  %c = "dnn.transpose"(%y) {FIRST} : ({C}) -> {T}
  %j = "dnn.concat"(%b, %c) {{axis = 1 : i64}} : ({T}, {T}) -> tensor<2x32x400x400xf32>
  %t = "dnn.transpose"(%j) {LAST} : (tensor<2x32x400x400xf32>) -> tensor<2x400x400x32xf32>
  %s = "dnn.softmax"(%t) {{axis = 3 : i64}} : (tensor<2x400x400x32xf32>) -> tensor<2x400x400x32xf32>
  func.return %s : tensor<2x400x400x32xf32>
}}
""",
    "channels of pixels": f"""
func.func @main(%x: {T}) -> (tensor<2x400x400x4xf32>, tensor<2x400x400x20xf32>) {{
  %a = "dnn.transpose"(%x) {LAST} : ({T}) -> {C}
  %b = "dnn.softmax"(%a) {{axis = 3 : i64}} : ({C}) -> {C}
  %s = "dnn.slice"(%b) {{dim = 3 : i64, start = 4 : i64, end = 8 : i64}} : ({C}) -> tensor<2x400x400x4xf32>
  %c = "dnn.softmax"(%s) {{axis = 3 : i64}} : (tensor<2x400x400x4xf32>) -> tensor<2x400x400x4xf32>
  %j = "dnn.concat"(%c, %b) {{axis = 3 : i64}} : (tensor<2x400x400x4xf32>, {C}) -> tensor<2x400x400x20xf32>
  %d = "dnn.softmax"(%j) {{axis = 3 : i64}} : (tensor<2x400x400x20xf32>) -> tensor<2x400x400x20xf32>
  func.return %c, %d : tensor<2x400x400x4xf32>, tensor<2x400x400x20xf32>
}}
""",
    "padded": f"""
func.func @main(%x: {T}) -> {PADDED_LAST} {{
  %p = "dnn.pad"(%x) {{pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>, value = 0.5 : f32}} : ({T}) -> {PADDED}
  %a = "dnn.transpose"(%p) {LAST} : ({PADDED}) -> {PADDED_LAST}
  %b = "dnn.softmax"(%a) {{axis = 3 : i64}} : ({PADDED_LAST}) -> {PADDED_LAST}
  func.return %b : {PADDED_LAST}
}}
""",
    "in a loop": f"""
func.func @main(%x: {T}, %n: index) -> {T} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> ({T}) {{
    %a = "dnn.transpose"(%s) {LAST} : ({T}) -> {C}
    %b = "dnn.softmax"(%a) {{axis = 3 : i64}} : ({C}) -> {C}
    %c = "dnn.transpose"(%b) {FIRST} : ({C}) -> {T}
    %d = "dnn.softmax"(%c) {{axis = 3 : i64}} : ({T}) -> {T}
    scf.yield %d : {T}
  }}
  func.return %r : {T}
}}
""",
}


@pytest.mark.parametrize("planned", [True, False], ids=["planned", "naive"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_large_values_are_proved(name: str, planned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a look at single elements: at most at so many pieces as there are pixels."""
    resolve, counts = Codes.resolve, list[int]()

    def counted(codes: Codes, starts: Array, lengths: Array) -> Pieces:
        pieces = resolve(codes, starts, lengths)
        counts.append(len(pieces.starts))
        return pieces

    monkeypatch.setattr(Codes, "resolve", counted)
    ctx = context()
    module = parse(ctx, PROGRAMS[name], name)
    if planned:
        PlanPass().apply(ctx, module)
    LowerToOnednnPass(verify=False).apply(ctx, module)
    check(module)
    assert max(counts, default=0) <= 2 * 402 * 402


def test_wrong_orders_are_refused() -> None:
    """Of height and width, which have one size, and others. Of 40 x 40 pixels: a refusal looks at each element."""
    ctx = context()
    module = parse(ctx, PROGRAMS["there and back"].replace("400", "40"), "orders.mlir")
    PlanPass().apply(ctx, module)
    LowerToOnednnPass().apply(ctx, module)
    wrong = [mutated(module, mutant) for mutant in mutants(module) if mutant.kind == "axes"]
    assert wrong
    for changed in wrong:
        with pytest.raises(LastuseError):
            check(changed)


def test_memory_of_too_many_pieces_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strided_maps, "MAX_RUNS", 2 * 400 * 400 - 1)
    ctx = context()
    module = parse(ctx, PROGRAMS["channels of pixels"], "channels.mlir")
    with pytest.raises(LastuseError, match="too many pieces"):
        LowerToOnednnPass().apply(ctx, module)
        check(module)
