"""`new_op` and `copy_ops` make what xDSL's own calls make."""

from __future__ import annotations

from xdsl.dialects import arith, memref, scf, test
from xdsl.dialects.builtin import MemRefType, UnitAttr, f32, i1, i8
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Block, Operation, Region

from lastuse.dialect.ir.flow_graphs import block_ops
from lastuse.dialect.ir.new_ops import block_like, copy_ops, new_op


def body() -> Block:
    """A kernel with names, a branch and two uses of one value."""
    block = Block(arg_types=[f32, i1, f32])
    first, flag, second = block.args
    first.name_hint, flag.name_hint = "a", "f"
    total = arith.AddfOp(first, second)
    total.result.name_hint = "total"
    total.attributes["mark"] = UnitAttr()
    double = arith.MulfOp(total.result, total.result)
    then, otherwise = (arith.NegfOp(v) for v in (double.result, first))
    chosen = scf.IfOp(flag, [f32], [then, scf.YieldOp(then.result)], [otherwise, scf.YieldOp(otherwise.result)])
    chosen.results[0].name_hint = "chosen"
    block.add_ops([total, double, chosen, YieldOp(chosen.results[0])])
    return block


def uses_of(op: Operation) -> list[list[tuple[Operation, int]]]:
    return [[(use.operation, use.index) for use in value.uses] for value in op.operands]


def test_a_copied_block_is_what_xdsl_copies() -> None:
    old = body()
    region = Region(old)
    new = block_like(old.args)
    copy_ops(block_ops(old), new, dict(zip(map(id, old.args), new.args, strict=True)))
    copy = Region(new)
    assert copy.is_structurally_equivalent(region)
    by_xdsl = Region()
    region.clone_into(by_xdsl)
    assert str(test.TestOp(regions=[copy])) == str(test.TestOp(regions=[by_xdsl]))
    copy.verify()


def test_a_copy_uses_the_copies_alone() -> None:
    old = body()
    before = [uses_of(op) for op in block_ops(old)]
    new = block_like(old.args)
    copy_ops(block_ops(old), new, dict(zip(map(id, old.args), new.args, strict=True)))
    assert [uses_of(op) for op in block_ops(old)] == before
    total, double, *_ = block_ops(new)
    assert uses_of(double) == [[(double, 1), (double, 0)]] * 2
    assert total.attributes is not block_ops(old)[0].attributes


def test_what_a_body_takes_from_outside_is_what_stands_for_it() -> None:
    outside, inside = (test.TestOp(result_types=[f32]).results[0] for _ in range(2))
    block = Block([arith.NegfOp(outside), arith.NegfOp(outside)])
    new = Block()
    copy_ops(block_ops(block), new, {id(outside): inside})
    assert [op.operands[0] for op in block_ops(new)] == [inside, inside]


def test_a_new_op_is_what_create_makes() -> None:
    arena = test.TestOp(result_types=[MemRefType(i8, [64])]).results[0]
    at = arith.ConstantOp.from_int_and_width(0, 64).result
    type_ = MemRefType(f32, [16])
    made = new_op(memref.ViewOp, [arena, at], [type_])
    other = memref.ViewOp.create(operands=[arena, at], result_types=[type_])
    assert made.is_structurally_equivalent(other)
    assert uses_of(made) == [[(other, n), (made, n)] for n in range(2)]
    assert made.properties is not new_op(memref.ViewOp, [arena, at], [type_]).properties
    region = Region(Block())
    around = new_op(test.TestOp, [], regions=[region])
    assert region.parent is around
