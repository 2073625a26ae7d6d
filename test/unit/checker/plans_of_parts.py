"""Plans of views, parts, several results, ties and unknown sizes, right and broken in one way."""

from __future__ import annotations

from ir import Broken, part

from lastuse.passes.checker import ViolationKind

# fmt: off
PLANS = [
    Broken(
        "a view lies in what it is a view of",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %s = slice(%a) """
        + part(3, 4)
        + """} : (T) -> S
          %r = div(%a, %s) {dnn.engine = "cpu", inplace[<<-1|0>>]} : (T, S) -> T
          func.return %r : T
        }""",
        ViolationKind.OVERLAP, "r", "s", (12, 16), "r",
    ),
    Broken(
        "broadcast",
        """func.func @main(%x: T, %y: C) -> M {
          %a = exp(%x) : (T) -> T
          %e = expand(%a) <<{dnn.copy}|>> : (T) -> M
          %r = neg(%e) {inplace[0]} : (M) -> M
          func.return %r : M
        }""",
        ViolationKind.NOT_INJECTIVE, "r", "r", (0, 64), None,
    ),
    Broken(
        "repeated operand",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %r = <<add|sum>>(%a, %a) {inplace[0]} : (T, T) -> T
          func.return %r : T
        }""",
        ViolationKind.OVERLAP, "r", "a", (0, 64), "r",
    ),
    Broken(
        "shifted scatter",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %b = slice(%a) """
        + part(0, 8)
        + """} : (T) -> H
          %r = slice_scatter(%a, %b) """
        + part(4, 12)
        + """, inplace[<<-1|0>>]} : (T, H) -> T
          func.return %r : T
        }""",
        ViolationKind.COPY_OVERLAP, "r", "b", (16, 32), "r",
    ),
    Broken(
        "a scatter over what is read later",
        """func.func @main(%x: T, %y: H) -> T {
          %a = exp(%x) : (T) -> T
          %r = slice_scatter(%a, %y) """
        + part(4, 12)
        + """, inplace[<<-1|0>>]} : (T, H) -> T
          %c = add(%r, %a) : (T, T) -> T
          func.return %c : T
        }""",
        ViolationKind.OVERWRITTEN, "c", "a", (16, 48), "r",
    ),
    Broken(
        "a view read after its bytes are gone",
        """func.func @main(%x: T) -> H {
          %a = exp(%x) : (T) -> T
          %v = slice(%a) """
        + part(8, 16)
        + """<<, dnn.copy|>>} : (T) -> H
          %b = relu(%a) {inplace[0]} : (T) -> T
          %w = slice(%b) """
        + part(8, 16)
        + """} : (T) -> H
          %c = add(%v, %w) : (H, H) -> H
          func.return %c : H
        }""",
        ViolationKind.OVERWRITTEN, "c", "v", (32, 64), "b",
    ),
    Broken(
        "a part that is still read, under another view",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %v = slice(%a) """
        + part(0, 8)
        + """} : (T) -> H
          %w = slice(%a) {dim = 0 : i64, start = <<8|4>> : i64, end = <<16|12>> : i64, step = 1 : i64} : (T) -> H
          %b = relu(%v) {inplace[0]} : (H) -> H
          %c = add(%w, %w) : (H, H) -> H
          %d = concat(%b, %c) {axis = 0 : i64} : (H, H) -> T
          func.return %d : T
        }""",
        ViolationKind.OVERWRITTEN, "c", "w", (16, 32), "b",
    ),
    Broken(
        "a part overwritten before it is joined",
        """func.func @main(%x: H) -> (T, H) {
          %a = exp(%x) : (H) -> H
          %d = neg(%x) {reuse[<<1|0>>]} : (H) -> H
          %c = concat(%a, %x) {axis = 0 : i64, parts[0], reuse[0]} : (H, H) -> T
          func.return %c, %d : T, H
        }""",
        ViolationKind.OVERWRITTEN, "c", "a", (0, 32), "d",
    ),
    Broken(
        "a part where a value is in use",
        """func.func @main(%x: H) -> (T, H) {
          %d = neg(%x) {reuse[<<1|0>>]} : (H) -> H
          %a = exp(%d) : (H) -> H
          %c = concat(%a, %x) {axis = 0 : i64, parts[0], reuse[0]} : (H, H) -> T
          func.return %c, %d : T, H
        }""",
        ViolationKind.OVERWRITTEN, "func.return", "d", (0, 32), "a",
    ),
    Broken(
        "columns for an op that takes none",
        """func.func @main(%x: M) -> D {
          %a = <<relu|tanh>>(%x) : (M) -> M
          %c = concat(%a, %x) {axis = 1 : i64, parts[0], reuse[0]} : (M, M) -> D
          func.return %c : D
        }""",
        ViolationKind.STRIDED, "a", "a", (0, 64), None,
    ),
    Broken(
        "columns of one value",
        """func.func @main(%x: D) -> (M, D) {
          %a = exp(%x) : (D) -> D
          %v = slice(%a) {dim = 1 : i64, start = 0 : i64, end = 16 : i64, step = 1 : i64} : (D) -> M
          %w = slice(%a) {dim = 1 : i64, start = <<16|15>> : i64, end = <<32|31>> : i64, step = 1 : i64} : (D) -> M
          %b = relu(%v) {inplace[0]} : (M) -> M
          %c = neg(%w) {inplace[0]} : (M) -> M
          %d = concat(%b, %c) {axis = 1 : i64} : (M, M) -> D
          func.return %b, %d : M, D
        }""",
        ViolationKind.OVERWRITTEN, "c", "w", (60, 64), "b",
    ),
    Broken(
        "what a pad fills over a value in use",
        """func.func @main(%x: T, %y: tensor<32xf32>) -> (T, tensor<24xf32>) {
          %k = slice(%y) """
        + part(0, 16)
        + """, dnn.copy, reuse[<<1|0>>]} : (tensor<32xf32>) -> T
          %a = exp(%x) {reuse[2]} : (T) -> T
          %r = pad(%a) {pads = array<i64: 8, 0>, reuse[0]} : (T) -> tensor<24xf32>
          func.return %k, %r : T, tensor<24xf32>
        }""",
        ViolationKind.OVERWRITTEN, "func.return", "k", (0, 32), "r",
    ),
    Broken(
        "pieces at another pace",
        """func.func @main(%x: D) -> D {
          %a = exp(%x) : (D) -> D
          %v = slice(%a) {dim = 1 : i64, start = 0 : i64, end = 16 : i64, step = 1 : i64<<, dnn.copy|>>} : (D) -> M
          %b = relu(%a) {inplace[0]} : (D) -> D
          %c = slice_scatter(%b, %v) {dim = 1 : i64, start = 16 : i64, end = 32 : i64, step = 1 : i64} : (D, M) -> D
          func.return %c : D
        }""",
        ViolationKind.OVERWRITTEN, "c", "v", (0, 64), "b",
    ),
    Broken(
        "two results in one place, one of them dead",
        """func.func @main(%x: M, %s: T, %h: T) -> M {
          %y, %mean, %inv = layer_norm(%x, %s, %h) {axis = -1 : i64, epsilon = 1.0e-5 : f32, reuse[0, <<1, 2|1, 1>>]}
            : (M, T, T) -> (M, C, C)
          func.return %y : M
        }""",
        ViolationKind.RESULTS_OVERLAP, "y", "mean", (0, 8), "y",
    ),
    Broken(
        "a dead result over a value in use",
        """func.func @main(%x: M, %s: T, %h: T) -> (M, T) {
          %a = exp(%s) {reuse[2]} : (T) -> T
          %y, %mean, %inv = layer_norm(%x, %s, %h) {axis = -1 : i64, epsilon = 1.0e-5 : f32, reuse[0, 1, <<3|2>>]}
            : (M, T, T) -> (M, C, C)
          func.return %y, %a : M, T
        }""",
        ViolationKind.OVERWRITTEN, "func.return", "a", (0, 8), "y",
    ),
    Broken(
        "another element type",
        """func.func @main(%x: T, %p: tensor<16xi1>) -> T {
          %a = exp(%x) {reuse[0]} : (T) -> T
          %i = cast(%a) {reuse[<<1|0>>]} : (T) -> I
          %b = cast(%i) : (I) -> T
          func.return %b : T
        }""",
        ViolationKind.OVERLAP, "i", "a", (0, 64), "i",
    ),
    Broken(
        "the old state is returned too",
        """func.func @main(%s: T, %x: T) -> (T {dnn.tied = 0 : i32}, T) {
          %n = add(%s, %x) {inplace[<<-1|0>>]} : (T, T) -> T
          func.return %n, %s : T, T
        }""",
        ViolationKind.OVERWRITTEN, "func.return", "s", (0, 64), "n",
    ),
    Broken(
        "tied to an argument of another size",
        """func.func @main(%s: <<T|W>>, %x: T) -> (T {dnn.tied = 0 : i32}) {
          %n = neg(%x) : (T) -> T
          func.return %n : T
        }""",
        ViolationKind.TIED, "func.return", "n", None, None,
    ),
    Broken(
        "two results tied to one argument",
        """func.func @main(%s: T, %x: T) -> (T {dnn.tied = 0 : i32}, T {dnn.tied = <<1|0>> : i32}) {
          %n = neg(%x) : (T) -> T
          func.return %n, %s : T, T
        }""",
        ViolationKind.TIED, "func.return", "s", None, None,
    ),
    Broken(
        "stale after two equal ops became one",
        """func.func @main(%x: T) -> (T, T) {
          %a = exp(%x) : (T) -> T
          %b = relu(%a) {inplace[0]} : (T) -> T
          %c = exp(%x) : (T) -> T
          func.return %b, %<<c|a>> : T, T
        }""",
        ViolationKind.OVERWRITTEN, "func.return", "a", (0, 64), "b",
    ),
    Broken(
        "used before it is defined",
        """func.func @main(%x: T) -> T {
          <<%a = exp(%x) : (T) -> T|>>
          %b = relu(%a) : (T) -> T
          <<|%a = exp(%x) : (T) -> T>>
          func.return %b : T
        }""",
        ViolationKind.UNWRITTEN, "b", "a", (0, 64), None,
    ),
    Broken(
        "unknown sizes",
        """func.func @main(%x: U, %y: U) -> U {
          %a = exp(%x) {reuse[0]} : (U) -> U
          %b = neg(%y) {reuse[<<1|0>>]} : (U) -> U
          %c = relu(%a) {inplace[0]} : (U) -> U
          func.return %c : U
        }""",
        ViolationKind.OVERWRITTEN, "c", "a", None, "b",
    ),
    Broken(
        "places for each unit of a symbol",
        """func.func @main(%x: U {dnn.name = "words"}) -> U
            attributes {dnn.arena_bytes = 128 : i64, dnn.unit = "words"} {
          %a = exp(%x) {offset[0]} : (U) -> U
          %b = neg(%x) {offset[<<64|0>>]} : (U) -> U
          %c = add(%a, %b) : (U, U) -> U
          func.return %c : U
        }""",
        ViolationKind.OVERWRITTEN, "c", "a", None, "b",
    ),
    Broken(
        "scratch of known size, for each unit of a symbol that may be 0",
        """func.func @main(%x: U {dnn.name = "words"}) -> U
            attributes {dnn.arena_bytes = 192 : i64, dnn.unit = "words"} {
          %a = exp(%x) {offset[0]} : (U) -> U
          %b = softmax(%a) {axis = 1 : i64, offset[64], dnn.scratch_bytes = 64 : i64,
                            dnn.scratch_offset = <<-1|128>> : i64} : (U) -> U
          func.return %b : U
        }""",
        ViolationKind.OUT_OF_BOUNDS, "b", None, None, None,
    ),
    Broken(
        "past the end, for each unit of a symbol",
        """func.func @main(%x: U {dnn.name = "words"}) -> U
            attributes {dnn.arena_bytes = <<128|64>> : i64, dnn.unit = "words"} {
          %a = exp(%x) {offset[0]} : (U) -> U
          %b = neg(%a) {offset[64]} : (U) -> U
          func.return %b : U
        }""",
        ViolationKind.OUT_OF_BOUNDS, "b", "b", None, None,
    ),
    Broken(
        "a concat into memory that is kept",
        """func.func @main(%x: H, %k: T <<{dnn.donated, dnn.reuse = 0 : i32}|{dnn.reuse = 0 : i32}>>) -> T {
          %r = concat(%x, %x) {axis = 0 : i64, reuse[0]} : (H, H) -> T
          func.return %r : T
        }""",
        ViolationKind.READ_ONLY, "r", "r", (0, 32), None,
    ),
    Broken(
        "a scatter elsewhere over a value in use",
        """func.func @main(%x: T, %y: H) -> (T, T) {
          %k = exp(%x) {reuse[0]} : (T) -> T
          %a = neg(%x) : (T) -> T
          %r = slice_scatter(%a, %y) """
        + part(8, 16)
        + """, reuse[<<1|0>>]} : (T, H) -> T
          func.return %k, %r : T, T
        }""",
        ViolationKind.OVERWRITTEN, "func.return", "k", (0, 32), "r",
    ),
    Broken(
        "a counter tied to memory",
        """func.func @main(%s: T, %i: index) -> (index <<|{dnn.tied = 0 : i32}>>) {
          func.return %i : index
        }""",
        ViolationKind.TIED, "func.return", "i", None, None,
    ),
]
