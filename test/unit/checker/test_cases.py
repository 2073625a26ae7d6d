"""The programs of ../shared/nasty, and plans of known compiler bugs."""

from __future__ import annotations

import pytest
from ir import main, parse

from lastuse.passes.checker import ViolationKind, check
from support import shared

# File, edits that make one decision each, and the first violation; None: the plan is right.
NASTY: list[tuple[str, list[tuple[str, str]], ViolationKind | None]] = [
    ("G1", [("(%a, %s)", "(%a, %s) {inplace[0]}")], ViolationKind.OVERLAP),
    ("G2", [("i64} : (tensor<6xf32>, t", "i64, inplace[0]} : (tensor<6xf32>, t")], ViolationKind.COPY_OVERLAP),
    ("G3", [("exp\"(%a)", "exp\"(%a) {inplace[0]}")], ViolationKind.OVERWRITTEN),
    ("G3", [("}) : (index", "}) {inplace[3]} : (index")], ViolationKind.READ_ONLY),
    ("G3", [("(%p, %t)", "(%p, %t) {inplace[0]}"), ("relu\"(%r)", "relu\"(%r) {inplace[0]}")], None),
    ("G4", [("(%s, %x)", "(%s, %x) {inplace[0]}")], ViolationKind.OVERWRITTEN),
    ("G4", [], None),
    ("G5", [("sqrt\"(%a)", "sqrt\"(%a) {inplace[0]}")], ViolationKind.OVERWRITTEN),
    ("G5", [("exp\"(%x)", "exp\"(%x) {reuse[0]}"), ("}) : (i1)", "}) {reuse[0]} : (i1)"),
            ("neg\"(%r)", "neg\"(%r) {inplace[0]}")], ViolationKind.OVERWRITTEN),
    ("G5", [("sqrt\"(%a)", "sqrt\"(%a) {reuse[0]}"), ("}) : (i1)", "}) {reuse[0]} : (i1)"),
            ("neg\"(%r)", "neg\"(%r) {inplace[0]}"), ("end = 2 : i64, ", "end = 2 : i64, inplace[0], ")], None),
    ("G6", [("relu\"(%a)", "relu\"(%a) {inplace[0]}")], ViolationKind.OVERWRITTEN),
    ("G6", [("(%g, %h)", "(%g, %h) {inplace[0]}")], ViolationKind.BORROWED),
    ("G6", [("(%g, %h)", "(%g, %h) {inplace[1]}")], None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "edits", "kind"), NASTY)
def test_edited_nasty_program_is_rejected_with_its_kind(
    name: str, edits: list[tuple[str, str]], kind: ViolationKind | None
) -> None:
    text = (shared() / "nasty" / f"{name}.mlir").read_text()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    found = check(main(parse(text)))
    assert (found[0].kind if found else None) == kind


# Bugs of the field as plans: the identifier in ../shared/bugs, the wrong plan, what is wrong with it.
BUGS: list[tuple[str, str, ViolationKind]] = [
    ("repeated-operand-05", """func.func @main(%x: M) -> (M, M) {
        %a = relu(%x) : (M) -> M
        %b = add(%a, %a) {inplace[0]} : (M, M) -> M
        %p, %q = opaque(%b, %b) {kind = "softmax_xent", inplace[0, -1]} : (M, M) -> (M, M)
        func.return %p, %q : M, M }""", ViolationKind.OVERLAP),
    ("repeated-operand-06", """func.func @main(%x: tensor<4xi8>) -> tensor<4xi1> {
        %a = relu(%x) : (tensor<4xi8>) -> tensor<4xi8>
        %b = less_or_equal(%a, %a) {inplace[0]} : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi1>
        func.return %b : tensor<4xi1> }""", ViolationKind.OVERLAP),
    ("multi-use-08", """func.func @main(%a: T, %c: T, %x: T) -> (T, T) {
        %b = exp(%x) : (T) -> T
        %e = add(%b, %c) {inplace[0]} : (T, T) -> T
        %d = add(%a, %b) : (T, T) -> T
        func.return %d, %e : T, T }""", ViolationKind.OVERWRITTEN),
    ("view-overlap-06", """func.func @main(%u: T, %d: T) -> (T, T) {
        %s = identity(%u) : (T) -> T
        %t = add(%s, %d) {inplace[0]} : (T, T) -> T
        func.return %t, %u : T, T }""", ViolationKind.READ_ONLY),
    ("view-overlap-05", """func.func @main(%x: T) -> T {
        %a = exp(%x) {reuse[0]} : (T) -> T
        %v = identity(%a) : (T) -> T
        %t = neg(%x) {reuse[0]} : (T) -> T
        %o = add(%v, %t) : (T, T) -> T
        func.return %o : T }""", ViolationKind.OVERWRITTEN),
    ("view-overlap-01", """func.func @main(%p: C, %q: C) -> (C, tensor<2x2xf32>) {
        %a = relu(%p) : (C) -> C
        %b = relu(%q) : (C) -> C
        %cat = concat(%a, %b) {axis = 1 : i64, parts[0, 1], reuse[0]} : (C, C) -> tensor<2x2xf32>
        %m = mul(%p, %p) {inplace[0]} : (C, C) -> C
        %s = add(%a, %m) : (C, C) -> C
        func.return %s, %cat : C, tensor<2x2xf32> }""", ViolationKind.READ_ONLY),
    ("partial-overlap-05", """func.func @main(%x: I) -> I {
        %base = add(%x, %x) : (I, I) -> I
        %u = slice(%base) {dim = 0 : i64, start = 0 : i64, end = 15 : i64, step = 1 : i64} : (I) -> tensor<15xi32>
        %y = slice_scatter(%base, %u) {dim = 0 : i64, start = 1 : i64, end = 16 : i64, step = 1 : i64, inplace[0]}
          : (I, tensor<15xi32>) -> I
        func.return %y : I }""", ViolationKind.COPY_OVERLAP),
    ("partial-overlap-13", """func.func @main(%b: D {dnn.donated, dnn.reuse = 0 : i32}, %n: tensor<1x32xf32>) -> D {
        %v = slice(%b) {dim = 0 : i64, start = 1 : i64, end = 2 : i64, step = 1 : i64} : (D) -> tensor<1x32xf32>
        %t = concat(%v, %n) {axis = 0 : i64, reuse[0]} : (tensor<1x32xf32>, tensor<1x32xf32>) -> D
        func.return %t : D }""", ViolationKind.COPY_OVERLAP),
    ("dtype-or-layout-change-05", """func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
        %a = relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
        %f = reshape(%a) : (tensor<2x3xf32>) -> tensor<3x2xf32>
        %t = transpose(%a) {perm = array<i64: 1, 0>, dnn.copy, reuse[0]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
        %u = transpose(%t) {perm = array<i64: 1, 0>, dnn.copy, reuse[0]} : (tensor<3x2xf32>) -> tensor<2x3xf32>
        %o = reshape(%u) : (tensor<2x3xf32>) -> tensor<3x2xf32>
        func.return %o : tensor<3x2xf32> }""", ViolationKind.COPY_OVERLAP),
    ("constant-overwritten-03", """func.func @main(%c: i1, %x: T) -> T {
        %w = constant() {value = dense<1.0> : T} : () -> T
        %o = relu(%w) {inplace[0]} : (T) -> T
        func.return %o : T }""", ViolationKind.READ_ONLY),
    ("control-flow-01", """func.func @main(%x: T, %c: i1) -> (T, T) {
        %a = exp(%x) {reuse[0]} : (T) -> T
        %b = add(%x, %x) : (T, T) -> T
        %t = neg(%x) {reuse[0]} : (T) -> T
        %r = "scf.if"(%c) ({
          %m = mul(%a, %a) : (T, T) -> T
          "scf.yield"(%m) : (T) -> ()
        }, {
          "scf.yield"(%b) : (T) -> ()
        }) : (i1) -> T
        func.return %r, %t : T, T }""", ViolationKind.OVERWRITTEN),
    ("fetched-or-graph-output", """func.func @main(%x: T) -> (T, T) {
        %a = exp(%x) {reuse[0]} : (T) -> T
        %b = neg(%a) {reuse[0]} : (T) -> T
        func.return %a, %b : T, T }""", ViolationKind.OVERWRITTEN),
    ("scheduling-after-planning-03", """func.func @main(%x: R) -> T {
        %a = exp(%x) {reuse[0]} : (R) -> R
        %s = reshape(%a) : (R) -> T
        %t = neg(%x) {reuse[0]} : (R) -> R
        %u = reshape(%t) : (R) -> T
        %o = add(%s, %u) : (T, T) -> T
        func.return %o : T }""", ViolationKind.OVERWRITTEN),
    ("donation-07", """func.func @main(%x: T) -> T {
        %a = add(%x, %x) : (T, T) -> T
        %y = mul(%a, %x) {inplace[1]} : (T, T) -> T
        func.return %y : T }""", ViolationKind.READ_ONLY),
    ("size-mismatch-04", """func.func @main(%x: tensor<80xi8>) -> (tensor<80xi8>, tensor<1xf32>)
          attributes {dnn.arena_bytes = 128 : i64} {
        %a = neg(%x) {offset[0]} : (tensor<80xi8>) -> tensor<80xi8>
        %b = zeros() {offset[64]} : () -> tensor<1xf32>
        func.return %a, %b : tensor<80xi8>, tensor<1xf32> }""", ViolationKind.OVERWRITTEN),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "kind"), BUGS, ids=[b[0] for b in BUGS])
def test_plans_of_known_compiler_bugs_are_rejected(name: str, text: str, kind: ViolationKind) -> None:
    found = check(main(parse(text)))
    assert found, name
    assert found[0].kind is kind


@pytest.mark.parametrize("text", [b[1] for b in BUGS], ids=[b[0] for b in BUGS])
def test_programs_without_decisions_are_accepted(text: str) -> None:
    module = parse(text)
    for op in module.walk():
        for name in [n for n in op.attributes if n.startswith("dnn.")]:
            del op.attributes[name]
    assert check(main(module)) == []
