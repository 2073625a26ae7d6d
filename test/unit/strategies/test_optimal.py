"""Programs for which `optimal` needs no search because no two decisions conflict."""

from __future__ import annotations

import pytest
import toy
from ir import main, parse, part

from lastuse.dialect.storage.contract import Contract, InPlace
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.inplace_analysis.policies.optimal import is_separable

PLAIN = """func.func @main(%x: T) -> T {
  %a = exp(%x) : (T) -> T
  %v = reshape(%a) : (T) -> R
  %b = relu(%v) : (R) -> R
  %w = reshape(%b) : (R) -> T
  %c = add(%a, %w) : (T, T) -> T
  func.return %c : T
}"""

CHANGED = {
    "a number of a value": ("exp(%x)", "exp(%x) {reuse[0]}"),
    "a number of an argument": ("%x: T", "%x: T {dnn.reuse = 0 : i32}"),
    "a result in place": ("relu(%v)", "relu(%v) {inplace[0]}"),
    "an offset": ("exp(%x)", "exp(%x) {offset[0]}"),
    "a view that is a copy": ("reshape(%a)", "reshape(%a) {dnn.copy}"),
    "a result that is tied": ("-> T {", "-> (T {dnn.tied = 0 : i32}) {"),
    "a view of a part": ("%w = reshape", f"%s = slice(%a) {part(0, 8)}}} : (T) -> H\n  %w = reshape"),
    "what carries": ("%w = reshape", "%d = concat(%a, %x) {axis = 0 : i64} : (T, T) -> W\n  %w = reshape"),
    "what is only written over": ("%w = reshape", "%d = fill(%a) {value = 1.0 : f32} : (T) -> T\n  %w = reshape"),
    "several results, of which one may be in place": (
        "%w = reshape",
        "%z = zeros() : () -> M\n  %l, %m, %o = layer_norm(%z, %x, %x) {axis = -1 : i64, epsilon = 1.0e-5 : f32}"
        " : (M, T, T) -> (M, C, C)\n  %w = reshape",
    ),
    "a loop": ("%w = reshape", "scf.for %i = %n to %n step %n {\n  }\n  %w = reshape"),
    "blocks": ("%w = reshape", "cf.br ^next\n^next:\n  %w = reshape"),
}


def separable(text: str) -> bool:
    program = NumberedOps.of(main(parse(text.replace("(%x: T", "(%n: index, %x: T"))))
    assert program is not None
    return is_separable(program)


def test_program_of_kernels_and_whole_views_is_separable() -> None:
    assert separable(PLAIN)


@pytest.mark.parametrize("what", CHANGED)
def test_changed_program_is_not_separable(what: str) -> None:
    old, new = CHANGED[what]
    assert PLAIN.count(old) == 1
    assert not separable(PLAIN.replace(old, new))


def test_one_tied_result_makes_a_program_not_separable() -> None:
    two = PLAIN.replace("-> T {", "-> (T, T) {").replace("func.return %c : T", "func.return %x, %c : T, T")
    assert separable(two)
    assert not separable(two.replace("(T, T) {", "(T, T {dnn.tied = 0 : i32}) {"))


def test_op_with_two_results_over_operands_is_not_separable() -> None:
    toys = toy.Program(toy.tensor(4), toy.tensor(4))
    made = toys.op(Contract(over=(InPlace(0, 0), InPlace(1, 1))), toys.arguments, toy.tensor(4), toy.tensor(4))
    program = NumberedOps.of(toys.done(*made))
    assert program is not None
    assert not is_separable(program)
