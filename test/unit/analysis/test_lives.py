"""When storages are in use: in pieces, and from the first to the last."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import main_function
from lastuse.dialect.ir.call_graph import functions_of_module
from lastuse.dialect.storage.assignment import Storage
from lastuse.dialect.storage.attrs import display_name
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.memory.frame_layout import FrameLayout, frame_of
from lastuse.passes.memory.live_intervals import live_hulls, live_intervals

T = TypeVar("T")


def asked(
    find: Callable[[NumberedOps, FrameLayout, Mapping[str, FuncOp]], dict[Storage, T]], text: str
) -> dict[str, T]:
    """What is found of each value's storage."""
    func = main_function(parse(context(), text, "test.mlir"))
    program = NumberedOps.of(func)
    assert program is not None
    frame = frame_of(func, False, planned=False, sizes=program.sizes)
    found = find(program, frame, functions_of_module(func))
    return {display_name(value)[1:]: found[place.storage] for value, place in frame.places.items()}


LENT = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %f = "other.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %g = "other.op"(%f) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.add"(%g, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}"""


def test_what_lends_its_memory_lives_as_long_as_what_may_lie_there() -> None:
    """Through one op of another dialect after the other."""
    assert asked(live_intervals, LENT) == {
        "x": ((-1, 4),),
        "a": ((0, 5),),
        "f": ((1, 5),),
        "g": ((2, 5),),
        "b": ((3, 5),),
        "c": ((4, 6),),
    }
    assert asked(live_hulls, LENT) == {"x": (-1, 3), "a": (0, 4), "f": (1, 4), "g": (2, 4), "b": (3, 4), "c": (4, 5)}


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


def test_what_is_given_away_lives_as_long_as_the_result() -> None:
    """It may be the result; what the call only reads is not."""
    found = asked(live_intervals, CALL)
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


def test_a_result_of_a_branch() -> None:
    """In pieces it is there where an arm ends; as one life from the branch on."""
    assert asked(live_intervals, BRANCH)["r"] == ((2, 5),)
    assert asked(live_hulls, BRANCH)["r"] == (0, 4)


def test_an_argument_that_nobody_reads() -> None:
    """It is there when the function begins."""
    assert asked(live_intervals, BRANCH)["u"] == ((-1, 0),)
