"""Plans of kernels, storages and the arena, right and broken in one way."""

from __future__ import annotations

from ir import Broken, part

from lastuse.passes.checker import ViolationKind

# fmt: off
PLANS = [
    Broken(
        "used later",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %b = relu(%a) {<<|inplace[0]>>} : (T) -> T
          %c = add(%a, %b) {inplace[1]} : (T, T) -> T
          func.return %c : T
        }""",
        ViolationKind.OVERWRITTEN, "c", "a", (0, 64), "b",
    ),
    Broken(
        "operand number",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %b = neg(%x) : (T) -> T
          %c = sub(%a, %b) {dnn.engine = "cpu", inplace[<<0|1>>]} : (T, T) -> T
          %d = add(%c, %b) : (T, T) -> T
          func.return %d : T
        }""",
        ViolationKind.OVERWRITTEN, "d", "b", (0, 64), "c",
    ),
    Broken(
        "no permission",
        """func.func @main(%x: R, %w: tensor<16x16xf32>) -> R {
          %a = exp(%x) : (R) -> R
          %b = matmul(%a, %w) {<<|inplace[0]>>} : (R, tensor<16x16xf32>) -> R
          func.return %b : R
        }""",
        ViolationKind.OVERLAP, "b", "a", (0, 64), "b",
    ),
    Broken(
        "engine without permission",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %b = neg(%x) : (T) -> T
          %c = sub(%a, %b) {dnn.engine = "<<cpu|onednn>>", inplace[1]} : (T, T) -> T
          func.return %c : T
        }""",
        ViolationKind.OVERLAP, "c", "b", (0, 64), "c",
    ),
    Broken(
        "argument",
        """func.func @main(%x: T <<{dnn.donated}|>>) -> T {
          %a = exp(%x) {inplace[0]} : (T) -> T
          func.return %a : T
        }""",
        ViolationKind.READ_ONLY, "a", "a", (0, 64), None,
    ),
    Broken(
        "argument through a view",
        """func.func @main(%x: T) -> R {
          %v = reshape(%x) <<{dnn.copy}|>> : (T) -> R
          %a = exp(%v) {inplace[0]} : (R) -> R
          func.return %a : R
        }""",
        ViolationKind.READ_ONLY, "a", "a", (0, 64), None,
    ),
    Broken(
        "constant",
        """func.func @main(%x: T) -> T {
          %k = constant() {value = dense<1.0> : T} : () -> T
          %a = add(%x, %k) {inplace[<<-1|1>>]} : (T, T) -> T
          func.return %a : T
        }""",
        ViolationKind.READ_ONLY, "a", "a", (0, 64), None,
    ),
    Broken(
        "returned",
        """func.func @main(%x: T) -> (T, T) {
          %a = exp(%x) : (T) -> T
          %b = relu(%a) {inplace[<<-1|0>>]} : (T) -> T
          func.return %a, %b : T, T
        }""",
        ViolationKind.OVERWRITTEN, "func.return", "a", (0, 64), "b",
    ),
    Broken(
        "borrowed",
        """func.func @main(%x: T) -> T {
          %f = "other.op"(%x) : (T) -> T
          %b = relu(%f) {inplace[<<-1|0>>]} : (T) -> T
          func.return %b : T
        }""",
        ViolationKind.BORROWED, "b", "b", (0, 64), None,
    ),
    Broken(
        "borrowed memory shared by what has nothing to copy",
        """func.func @main(%x: T) -> T {
          %f = "other.op"(%x) : (T) -> T
          %v = slice(%f) """ + part(0, 8) + """} : (T) -> H
          %r = slice_scatter(%f, %v) """ + part(0, 8) + """, inplace[<<-1|0>>]} : (T, H) -> T
          func.return %r : T
        }""",
        ViolationKind.BORROWED, "r", "r", (32, 64), None,
    ),
    Broken(
        "a borrowed value may be an operand",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %f = "other.op"(%a) : (T) -> T
          %b = relu(%a) {inplace[<<-1|0>>]} : (T) -> T
          %c = add(%f, %b) : (T, T) -> T
          func.return %c : T
        }""",
        ViolationKind.OVERWRITTEN, "c", "f", (0, 64), "b",
    ),
    Broken(
        "a borrowed value may be an argument that was given away",
        """func.func @main(%x: T {dnn.donated}) -> T {
          %f = "other.op"(%x) : (T) -> T
          %b = relu(%x) {inplace[<<-1|0>>]} : (T) -> T
          %c = add(%f, %b) : (T, T) -> T
          func.return %c : T
        }""",
        ViolationKind.OVERWRITTEN, "c", "f", (0, 64), "b",
    ),
    Broken(
        "a view with a place of its own, over a value in use",
        """func.func @main(%x: T) -> (T, T) {
          %k = exp(%x) {reuse[1]} : (T) -> T
          %a = neg(%x) {reuse[0]} : (T) -> T
          %v = reshape(%a) {reuse[<<2|1>>]} : (T) -> R
          %w = exp(%v) : (R) -> R
          %o = reshape(%w) : (R) -> T
          func.return %k, %o : T, T
        }""",
        ViolationKind.OVERWRITTEN, "func.return", "k", (0, 64), "v",
    ),
    Broken(
        "borrowed of borrowed",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %f = "other.op"(%a) : (T) -> T
          %g = "other.op"(%f) : (T) -> T
          %h = reshape(%g) : (T) -> R
          %b = relu(%a) {inplace[<<-1|0>>]} : (T) -> T
          %i = exp(%h) : (R) -> R
          func.return %b : T
        }""",
        ViolationKind.OVERWRITTEN, "i", "h", (0, 64), "b",
    ),
    Broken(
        "a foreign op is told a place",
        """func.func @main(%x: T) -> T {
          %f = "other.op"(%x) {<<|reuse[0]>>} : (T) -> T
          func.return %f : T
        }""",
        ViolationKind.FOREIGN_PLACED, "f", "f", (0, 64), None,
    ),
    Broken(
        "a foreign op is told to write over its operand",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %f = "other.op"(%a) {<<|inplace[0]>>} : (T) -> T
          func.return %f : T
        }""",
        ViolationKind.FOREIGN_PLACED, "f", "f", (0, 64), None,
    ),
    Broken(
        "one number for two values in use",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) {reuse[0]} : (T) -> T
          %b = neg(%x) {reuse[<<1|0>>]} : (T) -> T
          %c = add(%a, %b) : (T, T) -> T
          func.return %c : T
        }""",
        ViolationKind.OVERWRITTEN, "c", "a", (0, 64), "b",
    ),
    Broken(
        "swapped numbers",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) {reuse[0]} : (T) -> T
          %b = neg(%a) {reuse[1]} : (T) -> T
          %c = exp(%b) {reuse[<<0|1>>]} : (T) -> T
          %d = add(%c, %b) {reuse[<<2|0>>]} : (T, T) -> T
          func.return %d : T
        }""",
        ViolationKind.OVERWRITTEN, "d", "b", (0, 64), "c",
    ),
    Broken(
        "two arguments with one number",
        """func.func @main(%w: T, %x: T {dnn.reuse = 0 : i32}, %y: T {dnn.reuse = <<1|0>> : i32}) -> T {
          %a = add(%x, %y) : (T, T) -> T
          func.return %a : T
        }""",
        ViolationKind.SHARED_NUMBER, "func.func", "y", (0, 64), None,
    ),
    Broken(
        "an argument's number is the argument's memory",
        """func.func @main(%x: T {dnn.donated, dnn.reuse = 0 : i32}) -> T {
          %a = exp(%x) {reuse[<<1|0>>]} : (T) -> T
          %b = add(%x, %a) : (T, T) -> T
          func.return %b : T
        }""",
        ViolationKind.OVERWRITTEN, "b", "x", (0, 64), "a",
    ),
    Broken(
        "more than the argument's memory",
        """func.func @main(%x: T {dnn.donated, dnn.reuse = 0 : i32}) -> W {
          %a = exp(%x) : (T) -> T
          %b = concat(%a, %a) {axis = 0 : i64, reuse[<<1|0>>]} : (T, T) -> W
          func.return %b : W
        }""",
        ViolationKind.OUT_OF_BOUNDS, "b", "b", (64, 128), None,
    ),
    Broken(
        "offset by 64",
        """func.func @main(%x: W) -> W attributes {dnn.arena_bytes = 384 : i64} {
          %a = exp(%x) {offset[0]} : (W) -> W
          %b = neg(%x) {offset[<<128|64>>]} : (W) -> W
          %c = add(%a, %b) {offset[256]} : (W, W) -> W
          func.return %c : W
        }""",
        ViolationKind.OVERWRITTEN, "c", "a", (64, 128), "b",
    ),
    Broken(
        "result half over its operand",
        """func.func @main(%x: W) -> W attributes {dnn.arena_bytes = 384 : i64} {
          %a = exp(%x) {offset[0]} : (W) -> W
          %b = neg(%a) {offset[<<0|64>>]} : (W) -> W
          func.return %b : W
        }""",
        ViolationKind.OVERLAP, "b", "a", (64, 128), "b",
    ),
    Broken(
        "alignment",
        """func.func @main(%x: H) -> H attributes {dnn.arena_bytes = 128 : i64} {
          %a = exp(%x) {offset[<<64|32>>]} : (H) -> H
          func.return %a : H
        }""",
        ViolationKind.MISALIGNED, "a", "a", (32, 64), None,
    ),
    Broken(
        "alignment, by one byte",
        """func.func @main(%x: H) -> H attributes {dnn.arena_bytes = 128 : i64} {
          %a = exp(%x) {offset[<<64|1>>]} : (H) -> H
          func.return %a : H
        }""",
        ViolationKind.MISALIGNED, "a", "a", (1, 33), None,
    ),
    Broken(
        "end of the arena",
        """func.func @main(%x: T) -> T attributes {dnn.arena_bytes = <<128|96>> : i64} {
          %a = exp(%x) {offset[64]} : (T) -> T
          func.return %a : T
        }""",
        ViolationKind.OUT_OF_BOUNDS, "a", "a", (64, 128), None,
    ),
    Broken(
        "no arena",
        """func.func @main(%x: T) -> T <<attributes {dnn.arena_bytes = 64 : i64}|>> {
          %a = exp(%x) {offset[0]} : (T) -> T
          func.return %a : T
        }""",
        ViolationKind.OUT_OF_BOUNDS, "a", "a", (0, 64), None,
    ),
    Broken(
        "scratch over an operand",
        """func.func @main(%x: T) -> T attributes {dnn.arena_bytes = 256 : i64} {
          %a = exp(%x) {offset[0]} : (T) -> T
          %b = softmax(%a) {axis = 0 : i64, offset[64], dnn.scratch_bytes = 64 : i64,
                            dnn.scratch_offset = <<128|0>> : i64} : (T) -> T
          func.return %b : T
        }""",
        ViolationKind.SCRATCH_OVERLAP, "b", "a", (0, 64), "b",
    ),
    Broken(
        "scratch over a value in use",
        """func.func @main(%x: T) -> T attributes {dnn.arena_bytes = 256 : i64} {
          %a = exp(%x) {offset[0]} : (T) -> T
          %b = softmax(%x) {axis = 0 : i64, offset[64], dnn.scratch_bytes = 64 : i64,
                            dnn.scratch_offset = <<128|0>> : i64} : (T) -> T
          %c = add(%a, %b) : (T, T) -> T
          func.return %c : T
        }""",
        ViolationKind.OVERWRITTEN, "c", "a", (0, 64), "b",
    ),
    Broken(
        "scratch past the end",
        """func.func @main(%x: T) -> T attributes {dnn.arena_bytes = 128 : i64} {
          %b = softmax(%x) {axis = 0 : i64, offset[0], dnn.scratch_bytes = 64 : i64,
                            dnn.scratch_offset = <<64|128>> : i64} : (T) -> T
          func.return %b : T
        }""",
        ViolationKind.OUT_OF_BOUNDS, "b", None, (128, 192), None,
    ),
    Broken(
        "scratch that is not aligned",
        """func.func @main(%x: T) -> T attributes {dnn.arena_bytes = 256 : i64} {
          %b = softmax(%x) {axis = 0 : i64, offset[0], dnn.scratch_bytes = 64 : i64,
                            dnn.scratch_offset = <<128|96>> : i64} : (T) -> T
          func.return %b : T
        }""",
        ViolationKind.MISALIGNED, "b", None, (96, 160), None,
    ),
]
