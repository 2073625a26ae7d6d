"""Live intervals of storages, with holes and as hulls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage.assignment import Storage
from lastuse.dialect.storage.attrs import display_name
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.live_intervals import IntervalHull, LiveIntervals
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.allocation_problem import MemoryModel
from lastuse.passes.planning.planner import Span

T = TypeVar("T")


def asked(query: Callable[[LiveIntervals[Storage]], Mapping[Storage, T]], text: str) -> dict[str, T]:
    """The answer for each value's storage."""
    func = main_function(parse(context(), text, "test.mlir"))
    program = NumberedOps.of(func)
    assert program is not None
    model = MemoryModel(program)
    answers = query(model.live)
    return {display_name(value)[1:]: answers[place.storage] for value, place in model.frame.places.items()}


def intervals(live: LiveIntervals[Storage]) -> Mapping[Storage, tuple[Span, ...]]:
    return live.intervals


def hulls(live: LiveIntervals[Storage]) -> Mapping[Storage, IntervalHull]:
    return live.hulls


LENT = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %f = "other.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %g = "other.op"(%f) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.add"(%g, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}"""


def test_storage_is_live_as_long_as_values_that_may_alias_it() -> None:
    """Through a chain of ops of another dialect."""
    assert asked(intervals, LENT) == {
        "x": ((-1, 4),),
        "a": ((0, 5),),
        "f": ((1, 5),),
        "g": ((2, 5),),
        "b": ((3, 5),),
        "c": ((4, 6),),
    }
    assert asked(hulls, LENT) == {"x": (-1, 3), "a": (0, 4), "f": (1, 4), "g": (2, 4), "b": (3, 4), "c": (4, 5)}


CALL = """
func.func private @f(%y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  func.return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %k = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %f = func.call @f(%a, %k) {dnn.donate = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.exp"(%f) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}"""


def test_donated_operand_is_live_as_long_as_the_call_result() -> None:
    """The result may be in its memory; an operand that is only read is not kept."""
    found = asked(intervals, CALL)
    assert found["a"] == ((0, 4),) and found["k"] == ((1, 3),) and found["f"] == ((2, 4),)


BRANCH = """
func.func @main(%x: tensor<4xf32>, %u: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %b = "dnn.neg"(%r) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}"""


def test_result_of_a_branch_is_live_from_the_end_of_each_arm() -> None:
    """As a hull it is live from the branch on."""
    assert asked(intervals, BRANCH)["r"] == ((2, 5),)
    assert asked(hulls, BRANCH)["r"] == (0, 4)


def test_unread_argument_is_live_at_the_entry() -> None:
    assert asked(intervals, BRANCH)["u"] == ((-1, 0),)
