"""Plans with branches, loops and blocks, right and broken in one way."""

from __future__ import annotations

from ir import Broken, pair

from lastuse.passes.checker import ViolationKind

FOR = """func.func @main(%x: T <<X>>, %w: T, %n: index) -> T {
  %c0 = "arith.constant"() {value = 0 : index} : () -> index
  %c1 = "arith.constant"() {value = 1 : index} : () -> index
  %a = relu(%w) : (T) -> T
  %r = "scf.for"(%c0, %n, %c1, %x) ({
  ^bb0(%i: index, %p: T):
    BODY
  }) {SLOT} : (index, index, index, T) -> T
  %y = relu(%r) {LAST} : (T) -> T
  func.return %y : T
}"""


def loop(body: str, slot: str = "", last: str = "", argument: str = "") -> str:
    """A loop with one slot from `%x`, `%a` computed before it, `%y` after it."""
    return FOR.replace("BODY", body).replace("SLOT", slot).replace("LAST", last).replace("<<X>>", argument)


TWO = """func.func @main(%x: T, %w: T, %n: index) -> (T, T) {
  %c0 = "arith.constant"() {value = 0 : index} : () -> index
  %c1 = "arith.constant"() {value = 1 : index} : () -> index
  %a = relu(%x) {reuse[0]} : (T) -> T
  %b = relu(%w) {reuse[1]} : (T) -> T
  %r, %s = "scf.for"(%c0, %n, %c1, %a, %b) ({
  ^bb0(%i: index, %p: T, %q: T):
    "scf.yield"(%q, %p) : (T, T) -> ()
  }) {SLOT} : (index, index, index, T, T) -> (T, T)
  func.return %r, %s : T, T
}"""

IF = """func.func @main(%x: T, %c: i1) -> (T, T) {
  %a = exp(%x) {A} : (T) -> T
  %r = "scf.if"(%c) ({
    %b = sqrt(%a) {B} : (T) -> T
    "scf.yield"(%b) : (T) -> ()
  }, {
    "scf.yield"(%a) : (T) -> ()
  }) {R} : (i1) -> T
  %y = neg(%r) {inplace[0]} : (T) -> T
  func.return %y, OTHER : T, T
}"""


def arms(a: str = "", b: str = "", r: str = "", other: str = "%y") -> str:
    """An if whose arms yield sqrt(%a) and %a."""
    return IF.replace("{A}", f"{{{a}}}").replace("{B}", f"{{{b}}}").replace("{R}", f"{{{r}}}").replace("OTHER", other)


WHILE = """func.func @main(%x: T, %w: T) -> T {
  %a = relu(%x) : (T) -> T
  %r = "scf.while"(%a) ({
  ^bb0(%p: T):
    %f = "other.flag"(%p) : (T) -> i1
    %t = exp(%p) {BEFORE} : (T) -> T
    "scf.condition"(%f, %t) : (i1, T) -> ()
  }, {
  ^bb0(%q: T):
    %u = neg(%q) {AFTER} : (T) -> T
    %v = add(%u, OTHER) : (T, T) -> T
    "scf.yield"(%v) : (T) -> ()
  }) {SLOT} : (T) -> T
  func.return %r : T
}"""


def again(before: str = "", after: str = "", slot: str = "", other: str = "%w") -> str:
    """A while from `%a`, exp before, neg and add after."""
    text = WHILE.replace("BEFORE", before).replace("AFTER", after).replace("SLOT", slot)
    return text.replace("OTHER", other)


BLOCKS = """func.func @main(%x: T, %c: i1) -> T {
  %a = exp(%x) {A} : (T) -> T
  "cf.cond_br"(%c, %a)[^yes, ^no] {operandSegmentSizes = array<i32: 1, 0, 1>} : (i1, T) -> ()
^yes:
  %b = relu(%a) {B} : (T) -> T
  "cf.br"(%b)[^no] {LEFT} : (T) -> ()
^no(%p: T):
  %y = add(%p, OTHER) : (T, T) -> T
  func.return %y : T
}"""


def blocks(a: str = "", b: str = "", left: str = "", other: str = "%x") -> str:
    """A diamond without one side: `%p` is `%a`, or relu(%a)."""
    text = BLOCKS.replace("{A}", f"{{{a}}}").replace("{B}", f"{{{b}}}").replace("{LEFT}", f"{{{left}}}")
    return text.replace("OTHER", other)


def numbered(number: int, **named: str) -> str:
    """The diamond with `%p` in a storage that both branches to it name."""
    text = blocks(left=f"dnn.succ_reuse = [array<i32: {number}>]", **named)
    both_ways = f"dnn.succ_reuse = [array<i32>, array<i32: {number}>], operandSegmentSizes"
    return text.replace("operandSegmentSizes", both_ways)


# fmt: off
PLANS = [
    Broken(
        "read in every turn",
        pair(loop("""%t = exp(%a) : (T) -> T
            %q = add(%p, %t) {inplace[0]} : (T, T) -> T
            "scf.yield"(%q) : (T) -> ()""", last="inplace[0]"),
             loop("""%t = exp(%a) {inplace[0]} : (T) -> T
            %q = add(%p, %t) {inplace[0]} : (T, T) -> T
            "scf.yield"(%q) : (T) -> ()""", last="inplace[0]")),
        ViolationKind.OVERWRITTEN, "t", "a", (0, 64), "t", "in an earlier turn of scf.for",
    ),
    Broken(
        "a slot in an argument",
        pair(loop("""%q = add(%p, %a) {inplace[0]} : (T, T) -> T
            "scf.yield"(%q) : (T) -> ()""", slot="inplace[3]", argument="{dnn.donated}"),
             loop("""%q = add(%p, %a) {inplace[0]} : (T, T) -> T
            "scf.yield"(%q) : (T) -> ()""", slot="inplace[3]")),
        ViolationKind.READ_ONLY, "q", "q", (0, 64), None,
    ),
    Broken(
        "a stale name: the body yields what the slot has overwritten",
        pair(loop('"scf.yield"(%a) : (T) -> ()'),
             loop('"scf.yield"(%a) : (T) -> ()', slot="reuse[0]").replace("relu(%w)", "relu(%w) {reuse[0]}")),
        ViolationKind.OVERWRITTEN, "scf.yield", "a", (0, 64), "r", "on entry to scf.for",
    ),
    Broken(
        "the old value after the new one is in the slot",
        pair(loop("""%q = neg(%p) : (T) -> T
            %t = add(%q, %p) : (T, T) -> T
            "scf.yield"(%t) : (T) -> ()"""),
             loop("""%q = neg(%p) {inplace[0]} : (T) -> T
            %t = add(%q, %p) : (T, T) -> T
            "scf.yield"(%t) : (T) -> ()""")),
        ViolationKind.OVERWRITTEN, "t", "p", (0, 64), "q",
    ),
    Broken(
        "a slot of an outer loop used by an inner one",
        *["""func.func @main(%x: T, %n: index) -> T {
          %c0 = "arith.constant"() {value = 0 : index} : () -> index
          %c1 = "arith.constant"() {value = 1 : index} : () -> index
          %r = "scf.for"(%c0, %n, %c1, %x) ({
          ^bb0(%i: index, %p: T):
            %s = "scf.for"(%c0, %n, %c1, %p) ({
            ^bb0(%j: index, %q: T):
              %u = exp(%q) {inplace[0]} : (T) -> T
              %v = add(%u, <<%x|%p>>) : (T, T) -> T
              "scf.yield"(%v) : (T) -> ()
            }) {inplace[3]} : (index, index, index, T) -> T
            "scf.yield"(%s) : (T) -> ()
          }) : (index, index, index, T) -> T
          func.return %r : T
        }"""],
        ViolationKind.OVERWRITTEN, "v", "p", (0, 64), "u",
    ),
    Broken(
        "two slots that change places",
        pair(TWO.replace("SLOT", ""), TWO.replace("SLOT", "reuse[0, 0]")),
        ViolationKind.MOVES_OVERLAP, "r", "r", (0, 64), "r",
    ),
    Broken(
        "one arm overwrites what is read after the if",
        pair(arms(other="%a"), arms(b="inplace[0]", other="%a")),
        ViolationKind.OVERWRITTEN, "func.return", "a", (0, 64), "b", "through the then arm of scf.if",
    ),
    Broken(
        "the result of an if in the place of what it may yield",
        pair(arms("reuse[0]", r="reuse[0]"), arms("reuse[0]", r="reuse[0]", other="%a")),
        ViolationKind.OVERWRITTEN, "func.return", "a", (0, 64), "y",
    ),
    Broken(
        "a while: the slot is read after the condition has it",
        pair(again("inplace[0]", "inplace[0]", "inplace[0]"),
             again("inplace[0]", "inplace[0]", "inplace[0]", other="%a")),
        ViolationKind.OVERWRITTEN, "v", "a", (0, 64), "u",
    ),
    Broken(
        "a while: a value of the before region is gone in the after region",
        pair(again("", "", "reuse[0]"), again("reuse[0]", "", "reuse[0]").replace(
            "%v = add(%u, %w)", "%k = relu(%u) {reuse[0]} : (T) -> T\n    %v = add(%k, %q)")),
        ViolationKind.OVERWRITTEN, "v", "q", (0, 64), "k",
    ),
    Broken(
        "blocks: one path overwrites",
        pair(blocks(other="%a"), blocks(b="inplace[0]", other="%a")),
        ViolationKind.OVERWRITTEN, "y", "a", (0, 64), "b", "through block 1",
    ),
    Broken(
        "blocks: the argument's storage is that of a value in use",
        pair(numbered(0, a="reuse[0]"), numbered(0, a="reuse[0]", other="%a")),
        ViolationKind.OVERWRITTEN, "y", "a", (0, 64), "cf.br", "through block 1",
    ),
    Broken(
        "an unknown branch",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          <<"cf.br"(%a)[^next] : (T) -> ()|"other.br"(%a)[^next] : (T) -> ()>>
        ^next(%p: T):
          func.return %p : T
        }""",
        ViolationKind.UNSUPPORTED, "other.br", None, None, None,
    ),
    Broken(
        "a block of a foreign op: its argument may be any memory",
        """func.func @main(%x: T) -> T {
          %a = exp(%x) : (T) -> T
          %r = "other.each"(%a) ({
          ^bb0(%p: T):
            %t = relu(%p) {<<|inplace[0]>>} : (T) -> T
            "other.end"(%t) : (T) -> ()
          }) : (T) -> T
          func.return %r : T
        }""",
        ViolationKind.BORROWED, "t", "t", (0, 64), None,
    ),
    Broken(
        "a slot in memory that is kept, and never written",
        pair(loop('"scf.yield"(%p) : (T) -> ()', slot="inplace[3]"),
             loop('"scf.yield"(%p) : (T) -> ()', slot="inplace[3]", last="inplace[0]")),
        ViolationKind.READ_ONLY, "y", "y", (0, 64), None,
    ),
    Broken(
        "a slot in an argument, moved into",
        pair(loop('"scf.yield"(%a) : (T) -> ()', slot="inplace[3]", argument="{dnn.donated}"),
             loop('"scf.yield"(%a) : (T) -> ()', slot="inplace[3]")),
        ViolationKind.READ_ONLY, "scf.yield", "r", (0, 64), None,
    ),
    Broken(
        "a while: the after region overwrites what the before region reads again",
        pair(again(), again(after="reuse[5]").replace("relu(%x)", "relu(%x) {reuse[5]}")
             .replace("exp(%p) {} : (T)", "add(%p, %a) : (T, T)")),
        ViolationKind.OVERWRITTEN, "t", "a", (0, 64), "u", "through the after region of scf.while",
    ),
    Broken(
        "blocks: round again",
        """func.func @main(%x: T, %c: i1) -> T {
          %a = exp(%x) {reuse[0]} : (T) -> T
          "cf.br"()[^head] : () -> ()
        ^head:
          %b = neg(%a) : (T) -> T
          %d = neg(%b) {reuse[<<1|0>>]} : (T) -> T
          "cf.cond_br"(%c)[^head, ^rest] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
        ^rest:
          func.return %d : T
        }""",
        ViolationKind.OVERWRITTEN, "b", "a", (0, 64), "d", "in an earlier turn of the loop",
    ),
    Broken(
        "an arm in a loop in an arm",
        """func.func @main(%x: T, %c: i1, %n: index) -> T {
          %c1 = "arith.constant"() {value = 1 : index} : () -> index
          %a = exp(%x) : (T) -> T
          "scf.if"(%c) ({
            "scf.for"(%c1, %n, %c1) ({
            ^bb0(%i: index):
              "scf.if"(%c) ({
                %t = neg(%a) {inplace[<<-1|0>>]} : (T) -> T
                "scf.yield"() : () -> ()
              }, {
                "scf.yield"() : () -> ()
              }) : (i1) -> ()
              "scf.yield"() : () -> ()
            }) : (index, index, index) -> ()
            "scf.yield"() : () -> ()
          }, {
            "scf.yield"() : () -> ()
          }) : (i1) -> ()
          func.return %a : T
        }""",
        ViolationKind.OVERWRITTEN, "t", "a", (0, 64), "t", "in an earlier turn of scf.for",
    ),
    Broken(
        "one value into one slot twice",
        """func.func @main(%x: T, %c: i1) -> (T, T) {
          %a = exp(%x) : (T) -> T
          %b = neg(%x) : (T) -> T
          %r, %s = "scf.if"(%c) ({
            "scf.yield"(%a, %<<a|b>>) : (T, T) -> ()
          }, {
            "scf.yield"(%b, %b) : (T, T) -> ()
          }) {reuse[0, 0]} : (i1) -> (T, T)
          func.return %r, %s : T, T
        }""",
        ViolationKind.MOVES_OVERLAP, "scf.yield", "r", (0, 64), "scf.yield",
    ),
    Broken(
        "blocks: the first of two ways overwrites",
        """func.func @main(%x: T, %c: i1) -> T {
          %a = exp(%x) : (T) -> T
          "cf.cond_br"(%c)[^one, ^two] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
        ^one:
          %b = neg(%a) {<<|inplace[0]>>} : (T) -> T
          "cf.br"()[^end] : () -> ()
        ^two:
          %d = abs(%a) {} : (T) -> T
          "cf.br"()[^end] : () -> ()
        ^end:
          func.return %a : T
        }""",
        ViolationKind.OVERWRITTEN, "func.return", "a", (0, 64), "b", "through block 1",
    ),
    Broken(
        "blocks: the second of two ways overwrites",
        """func.func @main(%x: T, %c: i1) -> T {
          %a = exp(%x) : (T) -> T
          "cf.cond_br"(%c)[^one, ^two] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()
        ^one:
          %b = neg(%a) {} : (T) -> T
          "cf.br"()[^end] : () -> ()
        ^two:
          %d = abs(%a) {<<|inplace[0]>>} : (T) -> T
          "cf.br"()[^end] : () -> ()
        ^end:
          func.return %a : T
        }""",
        ViolationKind.OVERWRITTEN, "func.return", "a", (0, 64), "d", "through block 2",
    ),
    Broken(
        "a while: what it starts from is what it works on",
        """func.func @main(%x: T) -> T {
          %a = relu(%x) : (T) -> T
          %r = "scf.while"(%a) ({
          ^bb0(%p: T):
            %t = exp(%p) {inplace[0]} : (T) -> T
            %f = "other.flag"(%<<t|a>>) : (T) -> i1
            "scf.condition"(%f, %t) : (i1, T) -> ()
          }, {
          ^bb0(%q: T):
            "scf.yield"(%q) : (T) -> ()
          }) {inplace[0]} : (T) -> T
          func.return %r : T
        }""",
        ViolationKind.OVERWRITTEN, "f", "a", (0, 64), "t",
    ),
    Broken(
        "blocks: an argument in the arena that is not aligned",
        """func.func @main(%x: T) -> T attributes {dnn.arena_bytes = 256 : i64} {
          "cf.br"(%x)[^next] {dnn.succ_offset = [array<i64: <<64|96>>>]} : (T) -> ()
        ^next(%p: T):
          func.return %p : T
        }""",
        ViolationKind.MISALIGNED, "cf.br", "p", (96, 160), None,
    ),
    Broken(
        "blocks: an argument in the arena over a value in use",
        """func.func @main(%x: T) -> T attributes {dnn.arena_bytes = 256 : i64} {
          %a = exp(%x) {offset[0]} : (T) -> T
          "cf.br"(%x)[^next] {dnn.succ_offset = [array<i64: <<64|0>>>]} : (T) -> ()
        ^next(%p: T):
          %y = add(%p, %a) : (T, T) -> T
          func.return %y : T
        }""",
        ViolationKind.OVERWRITTEN, "y", "a", (0, 64), "cf.br", "through block 0",
    ),
    Broken(
        "a while: what it works on is not aligned",
        pair(*(again().replace("%w: T) -> T {", "%w: T) -> T attributes {dnn.arena_bytes = 256 : i64} {")
               .replace("}) {}", f"}}) {{dnn.succ_offset = [array<i64: {at}>]}}") for at in (64, 96))),
        ViolationKind.MISALIGNED, "r", "p", (96, 160), None,
    ),
]
# fmt: on
