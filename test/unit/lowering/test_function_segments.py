"""Long functions are changed in segments, each as a function of its own."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import BoolAttr, ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import listed_ops
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.call_interface import WRITABLE
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferization import trial_changes
from lastuse.passes.bufferization.function_segments import BlockOrder, BlockSegment, outlined, segments_of
from lastuse.passes.bufferization.least_copies import MOST_OPS
from lastuse.passes.bufferize import BufferizePass

BIG, TILE = "tensor<16x16xf32>", "tensor<4x4xf32>"
TILED = """
  %e{n} = tensor.empty() : {big}
  %f{n} = linalg.fill ins(%zero : f32) outs(%e{n} : {big}) -> {big}
  %v{m} = scf.for %i{n} = %c0 to %c16 step %c4 iter_args(%a{n} = %f{n}) -> ({big}) {{
    %x{n} = tensor.extract_slice %v{n}[%i{n}, 0] [4, 4] [1, 1] : {big} to {tile}
    %y{n} = tensor.extract_slice %a{n}[%i{n}, 0] [4, 4] [1, 1] : {big} to {tile}
    %r{n} = scf.for %k{n} = %c0 to %c4 step %c1 iter_args(%b{n} = %y{n}) -> ({tile}) {{
      %t{n} = linalg.add ins(%x{n}, %b{n} : {tile}, {tile}) outs(%b{n} : {tile}) -> {tile}
      scf.yield %t{n} : {tile}
    }}
    %s{n} = tensor.insert_slice %r{n} into %a{n}[%i{n}, 0] [4, 4] [1, 1] : {tile} into {big}
    scf.yield %s{n} : {big}
  }}
"""
"""A kernel over tiles: an inner loop computes each of them."""


def tiled(count: int, around: bool = False) -> FuncOp:
    """So many kernels over tiles, one behind the other; `around`: in a loop."""
    numbers = [f"%c{n} = arith.constant {n} : index" for n in (0, 1, 4, 16)]
    lines = ["%zero = arith.constant 0.0 : f32", *numbers]
    kernels = [TILED.format(n=n, m=n + 1, big=BIG, tile=TILE) for n in range(count)]
    if around:
        kernels[0] = kernels[0].replace("%v0[", "%first[")
        head = f"%all = scf.for %o = %c0 to %c4 step %c1 iter_args(%first = %v0) -> ({BIG}) {{"
        kernels = [head, *kernels, f"scf.yield %v{count} : {BIG}", "}"]
    result = "%all" if around else f"%v{count}"
    lines = [f"func.func @main(%v0: {BIG}) -> {BIG} {{", *lines, *kernels, f"func.return {result} : {BIG}", "}"]
    module = parse(context(), "\n".join(lines), "tiled.mlir")
    func = module.body.block.first_op
    assert isinstance(func, FuncOp)
    return func


def copies(func: FuncOp) -> int:
    """The copies in the memref form of a function."""
    module = func.parent_op()
    assert module is not None
    BufferizePass(unproved="error").apply(context(), module)  # pyright: ignore
    return sum(op.name == "memref.copy" for op in module.walk())


@pytest.mark.parametrize("around", [False, True])
def test_long_function_of_tiles_copies_nothing(around: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    count = MOST_OPS // 10
    assert len(listed_ops(tiled(count, around))) > MOST_OPS
    assert copies(tiled(count, around)) == 0
    monkeypatch.setattr(trial_changes, "PARTS_CHANGED", ())
    assert copies(tiled(count, around)) > 0


def test_segments_have_all_ops_and_no_more_than_are_asked_for() -> None:
    func = tiled(9)
    segments = [segment.ops for segment in segments_of(func, 50)]
    assert all(0 < sum(len(listed_ops(op)) for op in ops) <= 50 for ops in segments)
    block_ops = [op for op in func.body.block.ops if not isinstance(op, ReturnOp)]
    assert [op for ops in segments for op in ops] == block_ops
    assert 3 <= len(segments) <= 6


def test_op_with_more_is_divided_in_its_regions() -> None:
    func = tiled(9, around=True)
    loop = next(op for op in func.body.block.ops if op.name == "scf.for")
    segments = [segment.ops for segment in segments_of(func, 50)]
    inside = [op for ops in segments for op in ops if op.parent_op() is loop]
    assert inside == list(loop.regions[0].block.ops)[:-1]
    assert all(op is not loop for ops in segments for op in ops)


def test_segment_ends_where_few_tensors_go_on() -> None:
    """Not between a loop and what it reads: one tensor goes on behind each loop, three behind what it reads."""
    func = tiled(9)
    module = func.parent_op()
    assert isinstance(module, ModuleOp)
    for segment in segments_of(func, 50):
        assert segment.ops[-1].name == "scf.for"
        outlined(segment, module, False).put_back()


def test_segment_that_is_put_back_is_what_it_was() -> None:
    func = tiled(6)
    before = str(func)
    module = func.parent_op()
    assert module is not None
    for segment in segments_of(func, 40):
        outlined(segment, module, False).put_back()  # pyright: ignore
    assert str(func) == before
    func.verify()
    assert not _uses_from_elsewhere(func)


def _uses_from_elsewhere(func: FuncOp) -> list[Operation]:
    inside = set(listed_ops(func))
    results = [result for op in inside for result in op.results]
    return [use.operation for result in results for use in result.uses if use.operation not in inside]


@pytest.mark.parametrize("may_write", [False, True])
def test_segment_may_write_what_no_later_op_needs(may_write: bool) -> None:
    text = f"""
    func.func @main(%x: {BIG}, %y: {BIG} {{dnn.donated}}, %z: {BIG} {{bufferization.writable = false}})
        -> ({BIG}, {BIG}) {{
      %a = math.exp %x : {BIG}
      %b = math.exp %x : {BIG}
      %part = tensor.extract_slice %b[0, 0] [4, 4] [1, 1] : {BIG} to {TILE}
      %c = linalg.add ins(%a, %b : {BIG}, {BIG}) outs(%y : {BIG}) -> {BIG}
      %d = linalg.exp ins(%part : {TILE}) outs(%part : {TILE}) -> {TILE}
      %e = linalg.sub ins(%x, %z : {BIG}, {BIG}) outs(%c : {BIG}) -> {BIG}
      %f = tensor.insert_slice %d into %e[0, 0] [4, 4] [1, 1] : {TILE} into {BIG}
      func.return %f, %b : {BIG}, {BIG}
    }}"""
    module = parse(context(), text, "lives.mlir")
    func = module.body.block.first_op
    assert isinstance(func, FuncOp)
    ops = [op for op in func.body.block.ops if op.name.startswith("linalg.")]
    segment = outlined(BlockSegment(ops, BlockOrder(func.body.block)), module, may_write)
    writable = {
        given.name_hint: attrs.argument_attributes(argument)
        for given, argument in zip(segment.given, segment.func.args, strict=True)
    }
    kept, free = {WRITABLE: BoolAttr.from_bool(False)}, {attrs.DONATED: UnitAttr()}
    assert writable == {"a": free, "b": kept, "y": free, "part": kept, "x": free if may_write else kept, "z": kept}
    assert [value.name_hint for value in segment.needed] == ["d", "e"]
