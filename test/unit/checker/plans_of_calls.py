"""Plans with calls, and with regions of undeclared ops, right and broken in one way."""

from __future__ import annotations

from ir import Broken, pair

from lastuse.passes.checker import ViolationKind

CALL = """func.func @state(%s: T, %x: T) -> (T {dnn.tied = 0 : i32}) {
  %n = add(%s, %x) {inplace[0]} : (T, T) -> T
  func.return %n : T
}
func.func @main(%x: T ARG) -> (T, T) {
  %a = exp(%x) : (T) -> T
  %n = "func.call"(%a, BETA) {callee = @state, HOW} : (T, T) -> T
  %y = add(%n, OTHER) : (T, T) -> T
  func.return %y, %y : T, T
}"""


def call(how: str = "", beta: str = "%x", other: str = "%x", argument: str = "") -> str:
    """A call of a function that updates a state."""
    text = CALL.replace("HOW", how).replace("BETA", beta).replace("OTHER", other).replace("ARG", argument)
    return text.replace("@state, }", "@state}")


# fmt: off
PLANS = [
    Broken(
        "a state given to a call and read again",
        pair(call("inplace[0]"), call("inplace[0]", other="%a")),
        ViolationKind.OVERWRITTEN, "y", "a", (0, 64), "n",
    ),
    Broken(
        "a given operand passed twice",
        pair(call("inplace[0]"), call("inplace[0]", beta="%a")),
        ViolationKind.DONATED, "n", "a", (0, 64), "n",
    ),
    Broken(
        "a call over an operand it does not own",
        pair(call(beta="%a"), call("inplace[1]", beta="%a")),
        ViolationKind.OVERLAP, "n", "a", (0, 64), "n",
    ),
    Broken(
        "an argument given away",
        pair(call("inplace[0]", argument="{dnn.donated}").replace("(%a, %x)", "(%x, %a)").replace("%n, %x)", "%n, %a)"),
             call("inplace[0]").replace("(%a, %x)", "(%x, %a)").replace("%n, %x)", "%n, %a)")),
        ViolationKind.READ_ONLY, "n", "x", (0, 64), None,
    ),
    Broken(
        "a result in what it is lent from, overwritten",
        """func.func @lend(%s: T) -> (T {dnn.lent = array<i32: 0>}) {
          func.return %s : T
        }
        func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %n = "func.call"(%a) {callee = @lend} : (T) -> T
          %b = relu(%a) {inplace[<<-1|0>>]} : (T) -> T
          %y = add(%n, %b) : (T, T) -> T
          func.return %y : T
        }""",
        ViolationKind.OVERWRITTEN, "y", "n", (0, 64), "b",
    ),
    Broken(
        "a lent result elsewhere",
        """func.func @main(%x: T, %w: T) -> (T {dnn.lent = array<i32: <<0|1>>>}) {
          func.return %x : T
        }""",
        ViolationKind.LENT, "func.return", "x", (0, 64), None,
    ),
    Broken(
        "a lent result in memory that may be written",
        """func.func @main(%x: T <<|{dnn.donated}>>) -> (T {dnn.lent = array<i32: 0>}) {
          func.return %x : T
        }""",
        ViolationKind.LENT, "func.return", "x", (0, 64), None,
    ),
    Broken(
        "an operand given to a function elsewhere and read again",
        """func.func private @other(T)
        func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          "func.call"(%a) {callee = @other, <<|donate[0], >>dnn.name = "c"} : (T) -> ()
          %y = relu(%a) : (T) -> T
          func.return %y : T
        }""",
        ViolationKind.OVERWRITTEN, "y", "a", (0, 64), "func.call",
    ),
    Broken(
        "an argument given to a function elsewhere",
        """func.func private @other(T)
        func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          "func.call"(%x) {callee = @other, <<|donate[0], >>dnn.name = "c"} : (T) -> ()
          func.return %a : T
        }""",
        ViolationKind.READ_ONLY, "func.call", "x", (0, 64), None,
    ),
    Broken(
        "recursion",
        """func.func private @other(T) -> T
        func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %n = "func.call"(%a) {callee = <<@other|@main>>} : (T) -> T
          func.return %n : T
        }""",
        ViolationKind.RECURSION, "n", None, None, None,
    ),
    Broken(
        "a region of a foreign op runs again",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %r = "other.repeat"(%x) ({
            %t = neg(%a) {inplace[<<-1|0>>]} : (T) -> T
            "other.yield"(%t) : (T) -> ()
          }) : (T) -> T
          func.return %r : T
        }""",
        ViolationKind.OVERWRITTEN, "t", "a", (0, 64), "t", "in an earlier turn of other.repeat",
    ),
    Broken(
        "a foreign op may have yielded what it captured",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %r = "other.repeat"(%x) ({
            "other.yield"(%a) : (T) -> ()
          }) : (T) -> T
          %b = relu(%a) {inplace[<<-1|0>>]} : (T) -> T
          %c = add(%b, %r) : (T, T) -> T
          func.return %c : T
        }""",
        ViolationKind.OVERWRITTEN, "c", "r", (0, 64), "b",
    ),
    Broken(
        "a foreign op may hand on what its region only reads",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %r = "other.repeat"(%x) ({
            %t = neg(%a) : (T) -> T
            "other.yield"(%t) : (T) -> ()
          }) : (T) -> T
          %b = relu(%a) {inplace[<<-1|0>>]} : (T) -> T
          %c = add(%b, %r) : (T, T) -> T
          func.return %c : T
        }""",
        ViolationKind.OVERWRITTEN, "c", "r", (0, 64), "b",
    ),
    Broken(
        "the result of a call in what was given to it",
        """func.func @give(%s: T {dnn.donated}) -> T {
          %n = neg(%s) {inplace[0]} : (T) -> T
          func.return %n : T
        }
        func.func @main(%x: T) -> T {
          %a = exp(%x) {reuse[0]} : (T) -> T
          %n = "func.call"(%a) {callee = @give, donate[0]} : (T) -> T
          %b = neg(%x) {reuse[<<1|0>>]} : (T) -> T
          %y = add(%n, %b) : (T, T) -> T
          func.return %y : T
        }""",
        ViolationKind.OVERWRITTEN, "y", "n", (0, 64), "b",
    ),
    Broken(
        "a call of an unknown function",
        """func.func private @other(T) -> T
        func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %n = "func.call"(%a) {callee = @other} : (T) -> T
          %b = neg(%a) {inplace[<<-1|0>>]} : (T) -> T
          %y = add(%n, %b) : (T, T) -> T
          func.return %y : T
        }""",
        ViolationKind.OVERWRITTEN, "y", "n", (0, 64), "b",
    ),
    Broken(
        "given away and read again",
        """func.func @read(%s: T {dnn.donated}) -> T {
          %n = neg(%s) : (T) -> T
          func.return %n : T
        }
        func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %n = "func.call"(%a) {callee = @read, donate[0]} : (T) -> T
          %y = add(%n, %<<x|a>>) : (T, T) -> T
          func.return %y : T
        }""",
        ViolationKind.OVERWRITTEN, "y", "a", (0, 64), "n",
    ),
    Broken(
        "two results of a call in one place",
        """func.func private @pair(%s: T) -> (T, T) {
          %n = neg(%s) : (T) -> T
          func.return %n, %s : T, T
        }
        func.func @main(%x: T) -> (T, T) {
          %n, %m = "func.call"(%x) {callee = @pair, reuse[0, <<1|0>>]} : (T) -> (T, T)
          func.return %n, %m : T, T
        }""",
        ViolationKind.RESULTS_OVERLAP, "n", "n", (0, 64), "n",
    ),
    Broken(
        "a call's result where an operand is",
        """func.func private @same(%s: T) -> T {
          func.return %s : T
        }
        func.func @main(%x: T) -> T {
          %a = exp(%x) {reuse[0]} : (T) -> T
          %n = "func.call"(%a) {callee = @same, reuse[<<1|0>>]} : (T) -> T
          func.return %n : T
        }""",
        ViolationKind.OVERLAP, "n", "a", (0, 64), "n",
    ),
    Broken(
        "what a foreign region is handed may be an operand",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %r = "other.each"(%a) ({
          ^bb0(%p: T):
            %t = neg(%a) {inplace[<<-1|0>>]} : (T) -> T
            %u = add(%p, %t) : (T, T) -> T
            "other.yield"(%u) : (T) -> ()
          }) : (T) -> T
          func.return %r : T
        }""",
        ViolationKind.OVERWRITTEN, "u", "p", (0, 64), "t",
    ),
    Broken(
        "what a foreign region yields may be the result",
        """func.func @main(%x: T) -> T {
          %r = "other.repeat"(%x) ({
            %t = neg(%x) {reuse[0]} : (T) -> T
            "other.yield"(%t) : (T) -> ()
          }) : (T) -> T
          %b = exp(%x) {reuse[<<1|0>>]} : (T) -> T
          %c = add(%b, %r) : (T, T) -> T
          func.return %c : T
        }""",
        ViolationKind.OVERWRITTEN, "c", "r", (0, 64), "b",
    ),
    Broken(
        "a call's result where a borrowed operand may be",
        """func.func private @same(%s: T) -> T {
          func.return %s : T
        }
        func.func @main(%x: T) -> T {
          %a = exp(%x) {reuse[0]} : (T) -> T
          %f = "other.op"(%a) : (T) -> T
          %n = "func.call"(%f) {callee = @same, reuse[<<1|0>>]} : (T) -> T
          func.return %n : T
        }""",
        ViolationKind.OVERLAP, "n", "f", (0, 64), "n",
    ),
    Broken(
        "recursion through another",
        """func.func @other(%x: T) -> T {
          %n = "func.call"(%x) {callee = <<@third|@main>>} : (T) -> T
          func.return %n : T
        }
        func.func private @third(T) -> T
        func.func @main(%x: T) -> T {
          %n = "func.call"(%x) {callee = @other} : (T) -> T
          func.return %n : T
        }""",
        ViolationKind.RECURSION, "n", None, None, None,
    ),
    Broken(
        "what is in place over a call's result is where that is",
        """func.func @give(%s: T {dnn.donated}) -> T {
          %n = neg(%s) {inplace[0]} : (T) -> T
          func.return %n : T
        }
        func.func @main(%x: T) -> (T, T) {
          %a = exp(%x) {reuse[0]} : (T) -> T
          %n = "func.call"(%a) {callee = @give, donate[0]} : (T) -> T
          %c = relu(%n) {inplace[0]} : (T) -> T
          %b = neg(%x) {reuse[<<1|0>>]} : (T) -> T
          func.return %b, %c : T, T
        }""",
        ViolationKind.OVERWRITTEN, "func.return", "c", (0, 64), "b",
    ),
    Broken(
        "a call's result is written without being read",
        """func.func @give(%s: T {dnn.donated}) -> T {
          %n = neg(%s) {inplace[0]} : (T) -> T
          func.return %n : T
        }
        func.func @main(%x: T) -> (T, T) {
          %a = exp(%x) {reuse[0]} : (T) -> T
          %n = "func.call"(%a) {callee = @give, donate[0]} : (T) -> T
          %b = neg(%x) {reuse[<<1|0>>]} : (T) -> T
          %c = fill(%n) {value = 1.0 : f32, inplace[0]} : (T) -> T
          func.return %b, %c : T, T
        }""",
        ViolationKind.OVERWRITTEN, "c", "n", (0, 64), "b",
    ),
    Broken(
        "a slot that is a call's result",
        """func.func @give(%s: T {dnn.donated}) -> T {
          %n = neg(%s) {inplace[0]} : (T) -> T
          func.return %n : T
        }
        func.func @main(%x: T) -> (T, T) {
          %a = exp(%x) {reuse[0]} : (T) -> T
          %n = "func.call"(%a) {callee = @give, donate[0]} : (T) -> T
          %i = "arith.constant"() {value = 1 : index} : () -> index
          %c = "scf.for"(%i, %i, %i, %n) ({
          ^bb0(%k: index, %p: T):
            "scf.yield"(%p) : (T) -> ()
          }) {inplace[3]} : (index, index, index, T) -> T
          %b = neg(%x) {reuse[<<1|0>>]} : (T) -> T
          func.return %b, %c : T, T
        }""",
        ViolationKind.OVERWRITTEN, "func.return", "c", (0, 64), "b",
    ),
]
# fmt: on
