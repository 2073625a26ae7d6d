"""Numbered ops: which functions are analysed, and the times of values."""

from __future__ import annotations

import pytest

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage.attrs import display_name
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.op_numbering import NumberedOps, loop_depth

BRANCHES = """
func.func @main(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %c, ^one(%a : tensor<4xf32>), ^two(%x : tensor<4xf32>)
^one(%p: tensor<4xf32>):
  %b = "dnn.neg"(%p) : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^two(%b : tensor<4xf32>)
^two(%q: tensor<4xf32>):
  %d = "dnn.neg"(%q) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %d : tensor<4xf32>
}"""

LOOPS = """
func.func @main(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %o = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%s = %o) -> (tensor<4xf32>) {
    %a = "dnn.neg"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %t = scf.for %j = %n to %n step %n iter_args(%u = %a) -> (tensor<4xf32>) {
      %b = "dnn.add"(%u, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %e = "dnn.add"(%b, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %e : tensor<4xf32>
    }
    scf.yield %t : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}"""


def seen(text: str) -> NumberedOps:
    program = NumberedOps.of(main_function(parse(context(), text, "test.mlir")))
    assert program is not None
    return program


def times(program: NumberedOps) -> dict[str, int]:
    """When each value is defined."""
    return {display_name(v)[1:]: program.time_of(v) for v in program.sizes}


def test_values_of_blocks_are_numbered_in_order() -> None:
    """Block arguments are numbered with the end of the preceding block, function arguments first."""
    assert times(seen(BRANCHES)) == {"x": -1, "a": 0, "p": 1, "b": 2, "q": 3, "d": 4}


def test_values_of_loops_are_numbered_in_order() -> None:
    """A region op is numbered before the ops inside, together with its block arguments."""
    assert times(seen(LOOPS)) == {"x": -1, "o": 0, "r": 1, "s": 1, "a": 2, "t": 3, "u": 3, "b": 4, "e": 5}


def test_last_nested_op_of_an_op() -> None:
    """For an op without regions it is the op itself."""
    program = seen(LOOPS)
    assert [program.region_end(op) for op in program.ops] == [0, 7, 2, 6, 4, 5, 6, 7, 8]


def test_only_arguments_of_the_function_are_arguments() -> None:
    """Block arguments and results are not."""
    program = seen(BRANCHES)
    assert [display_name(v) for v in program.sizes if program.is_argument(v)] == ["%x"]


def test_depth_and_enclosing_loop_of_ops() -> None:
    program = seen(LOOPS)
    value = {display_name(v)[1:]: v for v in program.sizes}
    outer, inner = value["r"].owner, value["t"].owner
    add = program.ops[4]
    assert [loop_depth(op) for op in (program.ops[0], outer, program.ops[2], inner, add)] == [0, 0, 1, 1, 2]  # pyright: ignore
    assert program.loop_around(add, value["x"]) is outer
    assert program.loop_around(add, value["s"]) is inner
    assert program.loop_around(add, value["a"]) is inner
    assert program.loop_around(add, value["u"]) is None
    assert program.loop_around(program.ops[0], value["x"]) is None


def test_tensors_of_a_loop_are_its_operands_and_captures() -> None:
    """Scalars are not listed."""
    program = seen(LOOPS)
    names = {"operands and captured": program.tensors(program.ops[1]), "captured": program.captures(program.ops[1])}
    assert {k: [display_name(v) for v in found] for k, found in names.items()} == {
        "operands and captured": ["%o", "%x"],
        "captured": ["%x"],
    }


@pytest.mark.parametrize(("number", "is_view"), [("-1", True), ("0", False), ("1", True)])
def test_view_with_another_storage_number_is_a_copy(number: str, is_view: bool) -> None:
    """Unless the operand has the same number; number 0 is a number too."""
    program = seen(f"""
func.func @main(%x: tensor<4xf32>) -> tensor<2x2xf32> {{
  %a = "dnn.exp"(%x) {{dnn.reuse = array<i32: 1>}} : (tensor<4xf32>) -> tensor<4xf32>
  %v = "dnn.reshape"(%a) {{dnn.reuse = array<i32: {number}>}} : (tensor<4xf32>) -> tensor<2x2xf32>
  func.return %v : tensor<2x2xf32>
}}""")
    assert (program.view(program.ops[1].results[0]) is not None) == is_view


def test_declaration_and_function_with_an_unreachable_block_are_not_numbered() -> None:
    module = parse(context(), "func.func private @f(tensor<4xf32>) -> tensor<4xf32>" + BRANCHES, "test.mlir")
    declared, defined = module.ops
    assert NumberedOps.of(declared) is None  # pyright: ignore
    assert NumberedOps.of(defined) is not None  # pyright: ignore
    cut = BRANCHES.replace(
        "cf.cond_br %c, ^one(%a : tensor<4xf32>), ^two(%x : tensor<4xf32>)", "func.return %a : tensor<4xf32>"
    )
    assert NumberedOps.of(main_function(parse(context(), cut, "test.mlir"))) is None


@pytest.mark.parametrize(("offset", "is_view"), [(-1, True), (0, False), (64, False)])
def test_view_with_an_offset_is_a_copy(offset: int, is_view: bool) -> None:
    """Offset 0 is an offset too."""
    program = seen(f"""
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %v = "dnn.reshape"(%x) {{dnn.offset = array<i64: {offset}>}} : (tensor<4xf32>) -> tensor<2x2xf32>
  %y = "dnn.reshape"(%v) : (tensor<2x2xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}}""")
    assert (program.view(program.ops[0].results[0]) is not None) == is_view
