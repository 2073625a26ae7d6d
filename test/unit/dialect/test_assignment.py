"""Decisions that no pass makes but a file may contain: every value still has a place of its size."""

from __future__ import annotations

import pytest
from ir import main, parse

from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import Place, PlaceKind, assign_places
from lastuse.dialect.storage.layout import Strided, same_bytes

WHILE = """func.func @main(%x: M, %n: index) -> T {
  %k = "arith.constant"() {value = 0 : index} : () -> index
  %i, %r = "scf.while"(%k, %x) ({
  ^bb0(%j: index, %p: M):
    %f = "other.flag"(%p) : (M) -> i1
    %t = "other.op"(%p) : (M) -> T
    "scf.condition"(%f, %j, %t) : (i1, index, T) -> ()
  }, {
  ^bb0(%j: index, %q: T):
    %u = expand(%q) : (T) -> M
    "scf.yield"(%j, %u) : (index, M) -> ()
  }) {inplace[WHERE]} : (index, M) -> (index, T)
  func.return %r : T
}"""


def found(text: str) -> dict[str, Place]:
    """Places by name; every one holds as many bytes as its value has."""
    placed = assign_places(main(parse(text)))
    for value, place in placed.of.items():
        assert isinstance(place.layout, Strided)
        assert place.layout.sizes == placed.sizes[value].known
    return {attrs.display_name(value): place for value, place in placed.of.items()}


@pytest.mark.parametrize("where", ["1, -1", "-1, 1", "1, 1", "0, 0"])
def test_loop_argument_is_its_own_storage_if_the_slot_does_not_fit(where: str) -> None:
    """The init of the while is larger than the carried value, and the counter has no bytes."""
    of = found(WHILE.replace("WHERE", where))
    assert of["%p"].storage.kind is PlaceKind.OWN
    assert of["%p"].storage != of["%r"].storage


def test_a_counter_has_no_storage_to_number() -> None:
    of = found("""func.func @main(%i: index {dnn.reuse = 0 : i32}, %x: T) -> T {
      %a = exp(%x) {reuse[0]} : (T) -> T
      func.return %a : T
    }""")
    assert of["%a"].storage.kind is PlaceKind.NUMBERED


def test_storage_number_wins_over_contradictory_decisions() -> None:
    text = """func.func @main(%x: C) -> C {
      %a = exp(%x) : (C) -> C
      %b = stack(%a) {axis = 2 : i64, reuse[0], inplace[0], parts[0]} : (C) -> tensor<2x1x1xf32>
      %c = reshape(%b) : (tensor<2x1x1xf32>) -> C
      func.return %c : C
    }"""
    of = found(text)
    assert of["%a"].storage == of["%b"].storage
    assert of["%b"].storage.kind is PlaceKind.NUMBERED


def test_a_result_over_a_whole_view_of_unknown_sizes_takes_effect() -> None:
    """The sizes of a reshape to two unknown sizes do not say that it is all of its operand; what is written over the
    reshape is there too, and the decision is not void."""
    placed = assign_places(
        main(
            parse("""func.func @main(%x: tensor<?x8xf32>) -> tensor<?x?xf32> {
      %a = exp(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
      %v = reshape(%a) : (tensor<?x8xf32>) -> tensor<?x?xf32>
      %b = exp(%v) {inplace[0]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
      func.return %b : tensor<?x?xf32>
    }""")
        )
    )
    of = {attrs.display_name(value): place for value, place in placed.of.items()}
    for value in ("%v", "%b"):
        assert of[value].storage == of["%a"].storage
        assert same_bytes(of[value].layout, of["%a"].layout)
    assert placed.void == ()


def test_places_follow_decisions_that_change_while_ops_do_not() -> None:
    """What is remembered of a function is of the decisions that it had."""
    func = main(
        parse("""func.func @main(%x: T) -> T {
      %a = exp(%x) : (T) -> T
      %b = exp(%a) : (T) -> T
      func.return %b : T
    }""")
    )
    a, b = (op for op in func.body.block.ops if op.results)
    with unchanged_ops():
        apart, again = assign_places(func), assign_places(func)
        assert again is apart
        assert apart.of[b.results[0]].storage != apart.of[a.results[0]].storage
        attrs.set_entries(b, attrs.INPLACE, [0])
        over = assign_places(func)
        assert over.of[b.results[0]] == over.of[a.results[0]] == apart.of[a.results[0]]
        attrs.set_entries(b, attrs.INPLACE, [-1])
        assert assign_places(func).of == apart.of
