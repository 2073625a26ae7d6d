"""What counts more of two ways to decide: docs/storage.md, 8, rule by rule.

In every program `%a` is read to the end. It can be computed in its part of one concat, and then nothing may be written
over that part; what else could be had is said there.
"""

from __future__ import annotations

import re

import pytest
from objective import Worth, worth
from unit.strategies.corpus import function

from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.policies import STRATEGIES

TYPES = {"Q": "tensor<8xf32>", "H": "tensor<16xf32>", "W": "tensor<32xf32>", "D": "tensor<64xf32>"}


def sliced(start: int, end: int) -> str:
    return f"{{dim = 0 : i64, start = {start} : i64, end = {end} : i64, step = 1 : i64}}"


def decided(body: str) -> tuple[str, Worth]:
    """The decisions for a body, each as the result's name and operands, and what they are worth. Types are letters, and
    every op with an unread result is an `opaque` that keeps its operands alive."""
    text = f"func.func @main(%x: H, %y: H, %n: index) {{\n{body}\nfunc.return\n}}"
    text = re.sub(r"= ([a-z_]+)\(", r'= "dnn.\1"(', text)
    text = re.sub(r"\b([QHWD])\b", lambda m: TYPES[m[1]], text)
    func = function(text)
    program = NumberedOps.of(func)
    assert program is not None
    STRATEGIES["optimal"](program, True).write()
    found: list[str] = []
    for op in func.walk():
        if op is not func and op.results:
            name = op.results[0].name_hint
            found += [f"{name} over {k}" for k in attrs.inplace(op) if k >= 0]
            found += [f"{name} has {k}" for k in attrs.part_operands(op)]
    return ", ".join(found), worth(func)


COUNTED = {
    # 128 bytes are kept where %r is written over %c, and 64 where %a is computed there, which moves less.
    "bytes kept": (
        """%a = exp(%x) : (H) -> H
           %c = concat(%a, %y) {axis = 0 : i64} : (H, H) -> W
           %r = relu(%c) : (W) -> W
           %u = opaque(%r, %a) {kind = "conv"} : (W, H) -> H""",
        "r over 0",
        Worth(128, -128, 1, 0),
    ),
    # 128 bytes are kept both ways; two parts move nothing.
    "bytes moved": (
        """%a = exp(%x) : (H) -> H
           %b = exp(%y) : (H) -> H
           %c = concat(%a, %b) {axis = 0 : i64} : (H, H) -> W
           %r = relu(%c) : (W) -> W
           %u = opaque(%r, %a, %b) {kind = "conv"} : (W, H, H) -> H""",
        "c has 0, c has 1",
        Worth(128, 0, 0, 0),
    ),
    # Ten times for the loop around: 64 bytes that go into %d there are more than those that go into %c.
    "loops": (
        """%a = exp(%x) : (H) -> H
           %c = concat(%a, %y) {axis = 0 : i64} : (H, H) -> W
           %u = opaque(%c) {kind = "conv"} : (W) -> H
           scf.for %i = %n to %n step %n {
             %d = concat(%a, %y) {axis = 0 : i64} : (H, H) -> W
             %v = opaque(%d) {kind = "conv"} : (W) -> H
           }
           %w = opaque(%a) {kind = "conv"} : (H) -> H""",
        "d has 0",
        Worth(64, -64 - 64 - 640, 0, 0),
    ),
    # With %a in %d the two halves that are made of the bytes in %c are in place; else %r, which is as large as both.
    "results in place": (
        f"""%a = exp(%x) : (H) -> H
           %c = concat(%a, %y) {{axis = 0 : i64}} : (H, H) -> W
           %p = slice(%c) {sliced(0, 8)} : (W) -> Q
           %q = slice(%c) {sliced(8, 16)} : (W) -> Q
           %k = relu(%p) : (Q) -> Q
           %l = relu(%q) : (Q) -> Q
           %d = concat(%a, %y) {{axis = 0 : i64}} : (H, H) -> W
           %s = slice(%d) {sliced(0, 16)} : (W) -> H
           %r = relu(%s) : (H) -> H
           %u = opaque(%k, %l, %r, %a) {{kind = "conv"}} : (Q, Q, H, H) -> H""",
        "k over 0, l over 0, d has 0",
        Worth(128, -192, 2, 0),
    ),
    # %z is in place by exchanging operands, %r without.
    "swaps": (
        f"""%a = exp(%x) : (H) -> H
           %c = concat(%a, %y) {{axis = 0 : i64}} : (H, H) -> W
           %s = slice(%c) {sliced(0, 16)} : (W) -> H
           %r = relu(%s) : (H) -> H
           %d = concat(%a, %y) {{axis = 0 : i64}} : (H, H) -> W
           %t = slice(%d) {sliced(0, 16)} : (W) -> H
           %z = add(%x, %t) : (H, H) -> H
           %u = opaque(%z, %r, %a) {{kind = "conv"}} : (H, H, H) -> H""",
        "r over 0, d has 0",
        Worth(128, -192, 1, 0),
    ),
    "the earlier op": (
        """%a = exp(%x) : (H) -> H
           %c = concat(%a, %y) {axis = 0 : i64} : (H, H) -> W
           %d = concat(%a, %y) {axis = 0 : i64} : (H, H) -> W
           %u = opaque(%c, %d, %a) {kind = "conv"} : (W, W, H) -> H""",
        "c has 0",
        Worth(64, -192, 0, 0),
    ),
    "the lower operand": (
        """%a = exp(%x) : (H) -> H
           %c = concat(%a, %a) {axis = 0 : i64} : (H, H) -> W
           %u = opaque(%c, %a) {kind = "conv"} : (W, H) -> H""",
        "c has 0",
        Worth(64, -64, 0, 0),
    ),
}


@pytest.mark.parametrize("what", COUNTED)
def test_objective_counts_returned_copied_and_temporary_bytes(what: str) -> None:
    body, want, value = COUNTED[what]
    assert decided(body) == (want, value)
