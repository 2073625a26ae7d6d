"""Decisions on every op of other dialects are printed, whatever its custom form leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from foreign_ops import CLASSES, program
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, ModuleOp, StringAttr, UnitAttr, i32, i64
from xdsl.ir import Attribute, Operation

from lastuse.dialect.storage import attrs
from lastuse.frontends.text import mlir_parser
from lastuse.tools.opt_tool import OptTool
from lastuse.tools.printer import MemoPrinter
from support import opt_tool

CTX = OptTool([]).ctx

LIST = DenseArrayBase.from_list(i32, [0])
VALUES: dict[str, Attribute] = {
    **dict.fromkeys((attrs.INPLACE, attrs.PARTS, attrs.REUSE, attrs.DONATE), LIST),
    attrs.OFFSET: DenseArrayBase.from_list(i64, [64]),
    attrs.SUCC_REUSE: ArrayAttr([LIST]),
    attrs.SUCC_OFFSET: ArrayAttr([DenseArrayBase.from_list(i64, [64])]),
    **dict.fromkeys((attrs.SCRATCH_OFFSET, attrs.SCRATCH_BYTES, attrs.ARENA_BYTES), IntegerAttr(64, i64)),
    **dict.fromkeys((attrs.UNIT, attrs.INPLACE_MODE), StringAttr("words")),
    **dict.fromkeys((attrs.NAMES, attrs.REFUSED), ArrayAttr([StringAttr("used-later")])),
    attrs.COPY: UnitAttr(),
    "other.note": StringAttr("kept"),
}


def parsed(text: str) -> ModuleOp:
    return mlir_parser.parse(CTX, text, "<test>")


def printed(module: ModuleOp) -> str:
    stream = StringIO()
    MemoPrinter(stream, CTX).print_op(module)
    return stream.getvalue()


def decorated(ops: Iterator[Operation], values: dict[str, Attribute]) -> None:
    for op in ops:
        op.attributes.update(values)


def test_program_contains_every_foreign_op() -> None:
    have = {type(op) for op in parsed(program()).walk()}
    assert not [c.name for c in CLASSES if c not in have]


@pytest.mark.parametrize("values", [VALUES, {attrs.SUCC_REUSE: LIST}], ids=len)
def test_every_decision_on_every_op_is_printed(values: dict[str, Attribute]) -> None:
    module = parsed(program())
    decorated(module.walk(), values)
    again = list(parsed(printed(module)).walk())
    for have, want in zip(again, module.walk(), strict=True):
        assert type(have) is type(want)
        assert have.attributes == want.attributes, want.name


def test_a_decision_on_one_op_leaves_others_in_custom_form() -> None:
    module = parsed(program())
    plain = printed(module)
    (empty, *_) = [op for op in module.walk() if op.name == "tensor.empty"]
    empty.attributes.update(VALUES)
    changed = [(a, b) for a, b in zip(plain.splitlines(), printed(module).splitlines(), strict=True) if a != b]
    assert len(changed) == 1 and "tensor.empty() : tensor" in changed[0][0] and '"tensor.empty"() {' in changed[0][1]


NESTED = """
func.func @main(%c: i1, %x: tensor<4x8xf32>, %e: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %y = scf.if %c -> (tensor<8x4xf32>) {
    %t = "linalg.transpose"(%x, %e) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    }) {other.note} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    scf.yield %t : tensor<8x4xf32>
  } else {
    scf.yield %e : tensor<8x4xf32>
  }
  func.return %y : tensor<8x4xf32>
}
"""


@pytest.mark.parametrize(
    "flags", [(), ("-t", "mlir{print_debuginfo=false}"), ("--print-between-passes", "--cse", "--canonicalize")]
)
def test_opt_tool_prints_foreign_ops_unchanged(tmp_path: Path, flags: tuple[str, ...]) -> None:
    first = opt_tool(*flags, stdin=NESTED)
    modules = first.out.split("builtin.module")[1:]
    assert not first.status and len(modules) == 1 + ("--cse" in flags)
    assert all("other.note" in text for text in modules)
    output = tmp_path / "out.mlir"
    assert not opt_tool("-o", str(output), stdin=NESTED).status
    assert "other.note" in output.read_text() and "other.note" in opt_tool(str(output)).out


DECLARED = """
func.func private @declared(%x: tensor<8xf32> {bufferization.access = "read"}, %y: f32) -> (f32 {other.note = "kept"})
func.func private @plain(%x: tensor<8xf32>) -> f32
"""


def test_attributes_of_arguments_and_results_of_a_function_without_a_body_are_printed() -> None:
    once = opt_tool("-", stdin=DECLARED).out
    assert "func.func private @plain(tensor<8xf32>) -> f32" in once
    assert opt_tool("-", stdin=once).out == once
    for word in ('arg_attrs = [{bufferization.access = "read"}, {}]', 'res_attrs = [{other.note = "kept"}]'):
        assert word in once


UNREAD = """
func.func @main(%x: tensor<8xf32>, %e: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = "arith.cmpf"(%x, %e) <{predicate = 2 : i64}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  %s = "arith.select"(%c, %x, %e) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %a, %b = "linalg.generic"(%s, %x, %e) <{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
      affine_map<(i) -> (i)>], iterator_types = [#linalg.iterator_type<parallel>],
      operandSegmentSizes = array<i32: 1, 2>}> ({
  ^bb0(%p: f32, %q: f32, %r: f32):
    "linalg.yield"(%p, %q) : (f32, f32) -> ()
  }) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  func.return %a, %b : tensor<8xf32>, tensor<8xf32>
}
"""


def test_ops_whose_custom_form_is_not_read_are_printed_in_generic_form() -> None:
    once = opt_tool("-", stdin=UNREAD)
    again = opt_tool("-", stdin=once.out)
    assert (again.status, again.out) == (0, once.out), again.err
