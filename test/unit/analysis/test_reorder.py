"""Orders of the ops of a block."""

from __future__ import annotations

import re

import pytest
from ordered_programs import program
from unit.strategies.corpus import function

from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.scheduling.reorder import Orders, orders

TYPES = {"S": "tensor<16xf32>", "M": "tensor<40xf32>", "B": "tensor<64xf32>", "W": "tensor<80xf32>"}


def asked(body: str, refused: str = "") -> tuple[Orders, list[str], list[str]]:
    """What is found for a body, and of the first block the names in their order and of those in place. Types are
    letters, and `op` is one that may not be in place."""
    text = f"func.func @main(%x: S, %n: index, %c: i1) {{\n{body}\nfunc.return\n}}"
    text = re.sub(r"= op\(([^)]*)\)", r'= "dnn.opaque"(\1) {kind = "conv"}', text)
    text = re.sub(r"= ([a-z_]+)\(", r'= "dnn.\1"(', text)
    func = function(re.sub(r"\b([SMBW])\b", lambda m: TYPES[m[1]], text))
    looked_at = NumberedOps.of(func)
    assert looked_at is not None
    results = [r for op in func.walk() for r in op.results]
    found = orders(looked_at, 10_000, frozenset(r for r in results if r.name_hint == refused))
    for block, order, _ in found.improvements:
        assert set(order) == set(block.ops)
        assert len(order) == len(set(order))
        assert order[-1] is block.last_op
    if not found.improvements:
        return found, [], []
    first = found.improvements[0]
    made = [op.results[0].name_hint or "" for op in first.order if op.results]
    return found, made, sorted(r.name_hint or "" for r in first.inplace)


LATE = """
  %a = op(%x) : (S) -> B
  %b = op(%x) : (S) -> B
  %s = op(%a) : (B) -> S
  %t = op(%b) : (B) -> S
"""
"""Each large value is wanted once: the second may wait for that."""


def test_large_value_is_computed_late() -> None:
    found, made, _ = asked(LATE)
    assert made == ["a", "s", "b", "t"]
    assert found.proved


def test_op_without_memory_stays_before_its_successor() -> None:
    body = LATE.replace("%t =", "%k = zeros() : () -> S\n %l = zeros() : () -> S\n %t =")
    body = body.replace("%b =", "%v = reshape(%x) : (S) -> S\n %w = reshape(%x) : (S) -> S\n %b =")
    assert asked(body)[1] == ["a", "s", "v", "w", "b", "k", "l", "t"]


def test_op_without_memory_moves_behind_its_operand() -> None:
    body = LATE.replace("%s =", "%v = reshape(%b) : (B) -> B\n %w = reshape(%v) : (B) -> B\n %s =")
    assert asked(body)[1] == ["a", "s", "b", "v", "w", "t"]


READ_TWICE = """
  %a = op(%x) : (S) -> B
  %p = tanh(%a) : (B) -> B
  %s = op(%a) : (B) -> S
  %u = op(%p) : (B) -> S
  %d = op(%x) : (S) -> B
  %q = tanh(%d) : (B) -> B
  %t = op(%d) : (B) -> S
  %v = op(%q) : (B) -> S
"""
"""Two values that are read twice; the last reader may write over them."""


@pytest.mark.parametrize(("refused", "inplace"), [("", ["p", "q"]), ("p", ["q"]), ("q", ["p"])])
def test_refused_in_place_decisions_do_not_influence_the_order(refused: str, inplace: list[str]) -> None:
    _, made, found = asked(READ_TWICE, refused)
    assert found == inplace
    assert all(made.index(over) > made.index(other) for over, other in (("p", "s"), ("q", "t")) if over in inplace)


PIECES = """
  %a = op(%x) : (S) -> M
  %p = op(%x) : (S) -> B
  %q = op(%p) : (B) -> B
  %b = op(%q) : (B) -> M
  %w = concat(%a, %b) {axis = 0 : i64} : (M, M) -> W
  %y = op(%w) : (W) -> S
"""
"""The first piece can wait for the second, if both are computed in the whole."""


@pytest.mark.parametrize(("refused", "inplace"), [("", ["w"]), ("a", ["w"]), ("w", [])])
def test_parts_of_refused_concats_do_not_influence_the_order(refused: str, inplace: list[str]) -> None:
    _, made, found = asked(PIECES, refused)
    assert found == inplace
    assert made == (["p", "q", "a", "b", "w", "y"] if inplace else [])


def test_blocks_of_known_region_ops_are_reordered() -> None:
    """Blocks of an unknown op are not."""
    inner = LATE.replace("%", "%i").replace("%ix", "%x")
    body = f'"other.op"() ({{\n{LATE}"other.end"() : () -> ()\n}}) : () -> ()\nscf.if %c {{\n{inner}}}\n'
    found, made, _ = asked(body)
    assert made == ["ia", "is", "ib", "it"]
    assert len(found.improvements) == 1


def test_order_is_not_proved_when_the_search_stops_at_its_limit() -> None:
    looked_at = NumberedOps.of(function(program(0, 30)))
    assert looked_at is not None
    assert not orders(looked_at, 0).proved
