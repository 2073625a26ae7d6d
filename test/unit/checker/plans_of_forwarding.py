"""Plans with forwarded values, right and broken in one way."""

from __future__ import annotations

from ir import Broken

from lastuse.passes.checker import ViolationKind

SWAP = """func.func @main(%x: T {dnn.donated}, %y: T DONATED, %n: index) -> (T, T) {
  %r, %s = "scf.for"(%n, %n, %n, %x, %y) ({
  ^bb0(%i: index, %a: T, %b: T):
    %c = relu(%a) {inplace[0]} : (T) -> T
    BODY
  }) {FORWARD} : (index, index, index, T, T) -> (T, T)
  LAST
  func.return %r, %s : T, T
}"""


def swap(
    body: str = '"scf.yield"(%b, %c) : (T, T) -> ()',
    forward: str = "forward[1, 1]",
    last: str = "",
    donated: str = "{dnn.donated}",
) -> str:
    """A loop that computes over its first value, and passes two on in the other order."""
    return SWAP.replace("BODY", body).replace("FORWARD", forward).replace("LAST", last).replace("DONATED", donated)


IF = """func.func @main(%x: T {dnn.donated}, %y: T {dnn.donated}, %c: i1) -> (T, T) {
  %a = exp(%x) : (T) -> T
  %b = neg(%y) : (T) -> T
  %r = "scf.if"(%c) ({
    "scf.yield"(%a) : (T) -> ()
  }, {
    ARM
  }) {forward[1]} : (i1) -> T
  LAST
}"""


def arms(last: str, arm: str = '"scf.yield"(%b) : (T) -> ()') -> str:
    """An if that yields one of two values."""
    return IF.replace("ARM", arm).replace("LAST", last)


SELECT = """func.func @main(%x: T {dnn.donated}, %y: T {dnn.donated}, %c: i1) -> (T, T) {
  %a = exp(%x) {A} : (T) -> T
  %r = "arith.select"(%c, %a, %y) {forward[1]} : (i1, T, T) -> T
  BODY
}"""


def select(body: str, a: str = "") -> str:
    """One of `%a` and `%y`."""
    return SELECT.replace("BODY", body).replace("{A}", f"{{{a}}}")


BLOCKS = """func.func @main(%x: T {dnn.donated}, %c: i1) -> (T, T) {
  %a = exp(%x) : (T) -> T
  %b = neg(%x) : (T) -> T
  "cf.cond_br"(%c, %a)[^yes, ^no] {
    operandSegmentSizes = array<i32: 1, 0, 1>, dnn.succ_forward = [array<i32>, array<i32: 1>]} : (i1, T) -> ()
^yes:
  "cf.br"(%b)[^no] {dnn.succ_forward = [array<i32: 1>]} : (T) -> ()
^no(%p: T):
  %y = relu(%p) {inplace[0]} : (T) -> T
  func.return %y, OTHER : T, T
}"""

# fmt: off
PLANS = [
    Broken("swapped values: one is read only", swap(donated="<<{dnn.donated}|>>"), ViolationKind.READ_ONLY,
           "c", "c", (0, 64), None),
    Broken("swapped values: one is read after it was overwritten", swap(
        '%d = add(%b, <<%c|%a>>) {inplace[0]} : (T, T) -> T "scf.yield"(%d, %c) : (T, T) -> ()'),
        ViolationKind.OVERWRITTEN, "d", "a", (0, 64), "c"),
    Broken("swapped values: both go to one", swap(
        '%d = exp(%b) : (T) -> T "scf.yield"(<<%b|%c>>, %c) : (T, T) -> ()'),
        ViolationKind.OVERWRITTEN, "d", "b", (0, 64), "c"),
    Broken("a loop carries what the next turn writes", swap(
        '%d = exp(%b) {<<inplace[0]|>>} : (T) -> T "scf.yield"(%d, %c) : (T, T) -> ()'),
        ViolationKind.OVERLAP, "d", "b", (0, 64), "d"),
    Broken("an init is read after the loop", swap(
        last="%z = exp(<<%r|%x>>) : (T) -> T"), ViolationKind.OVERWRITTEN, "z", "x", (0, 64), "c",
        "through the body of scf.for"),
    Broken("one is forwarded, the other moves", swap(forward="<<forward[1, 1]|forward[1, -1]>>"),
           ViolationKind.MOVES_OVERLAP, "scf.yield", "b", (0, 64), "scf.yield"),
    Broken("an arm's value is read after the result is overwritten", arms(
        "%z = relu(%r) {inplace[0]} : (T) -> T func.return %z, <<%x|%a>> : T, T"),
        ViolationKind.OVERWRITTEN, "func.return", "a", (0, 64), "z"),
    Broken("an arm's value is overwritten before the result is read", arms(
        "%z = relu(%b) {<<|inplace[0]>>} : (T) -> T func.return %z, %r : T, T"),
        ViolationKind.OVERWRITTEN, "func.return", "r", (0, 64), "z"),
    Broken("the result of an if lies on another operand", arms(
        "%z = add(%r, <<%x|%a>>) {inplace[0]} : (T, T) -> T func.return %z, %z : T, T"),
        ViolationKind.OVERLAP, "z", "a", (0, 64), "z"),
    Broken("a value written over one of two, while the other is read", select(
        "%z = relu(%r) {inplace[0]} : (T) -> T func.return %z, <<%x|%y>> : T, T"),
        ViolationKind.OVERWRITTEN, "func.return", "y", (0, 64), "z"),
    Broken("a selected value is read after one of two is overwritten", select(
        "%z = relu(%y) {<<|inplace[0]>>} : (T) -> T func.return %z, %r : T, T"),
        ViolationKind.OVERWRITTEN, "func.return", "r", (0, 64), "z"),
    Broken("a view of a selected value", select(
        "%v = reshape(%r) : (T) -> R %z = relu(%v) {<<|inplace[0]>>} : (R) -> R func.return %y, %r : T, T"),
        ViolationKind.OVERWRITTEN, "func.return", "r", (0, 64), "z"),
    Broken("a selected value borrowed from an unknown op", select(
        '%f = "other.op"(%y) : (T) -> T '
        '%s = "arith.select"(%c, %r, %f) {<<|forward[1]>>} : (i1, T, T) -> T func.return %s, %s : T, T'),
        ViolationKind.BORROWED, "s", "f", (0, 64), None),
    Broken("an unknown op has what is selected", select(
        '%f = "other.op"(%r) : (T) -> T %z = relu(%y) {<<|inplace[0]>>} : (T) -> T func.return %f, %z : T, T'),
        ViolationKind.OVERWRITTEN, "func.return", "f", (0, 64), "z"),
    Broken("places of two strides", """func.func @main(%m: M, %c: i1) -> H {
          %h = "dnn.slice"(%m) {
            dim = 1 : i64, start = 0 : i64, end = 4 : i64, step = 1 : i64<<, dnn.copy|>>} : (M) -> tensor<2x4xf32>
          %w = "dnn.slice"(%m) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (M) -> R
          %k = "dnn.slice"(%w) {dim = 1 : i64, start = 0 : i64, end = 8 : i64, step = 1 : i64} : (R) -> tensor<1x8xf32>
          %v = reshape(%k) : (tensor<1x8xf32>) -> tensor<2x4xf32>
          %r = "arith.select"(%c, %v, %h) {forward[1]} : (i1, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
          %z = "dnn.reshape"(%r) : (tensor<2x4xf32>) -> H
          func.return %z : H
        }""", ViolationKind.FORWARDED, "r", "r", (0, 16), None),
    Broken("a block's argument is overwritten", BLOCKS.replace("OTHER", "<<%x|%a>>"), ViolationKind.OVERWRITTEN,
           "func.return", "a", (0, 64), "y"),
]
# fmt: on
