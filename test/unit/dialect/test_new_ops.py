"""`new_op`, `copy_block` and `add_last` make what xDSL's own calls make."""

from __future__ import annotations

from xdsl.dialects import arith, memref, scf, test
from xdsl.dialects.builtin import MemRefType, UnitAttr, f32, i1, i8
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.flow_graphs import block_ops
from lastuse.dialect.ir.new_ops import add_last, copy_block, new_op, region_of


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
    copy = region_of(copy_block(old, old.args, {}))
    assert copy.is_structurally_equivalent(region)
    by_xdsl = Region()
    region.clone_into(by_xdsl)
    assert str(test.TestOp(regions=[copy])) == str(test.TestOp(regions=[by_xdsl]))
    copy.verify()


def test_a_copy_uses_the_copies_alone() -> None:
    old = body()
    before = [uses_of(op) for op in block_ops(old)]
    new = copy_block(old, old.args, {})
    assert [uses_of(op) for op in block_ops(old)] == before
    total, double, *_ = block_ops(new)
    assert uses_of(double) == [[(double, 1), (double, 0)]] * 2
    assert total.attributes is not block_ops(old)[0].attributes


def test_a_copy_is_linked_as_xdsl_links_it() -> None:
    old = body()
    new = copy_block(old, old.args, {})
    around = test.TestOp(regions=[region_of(new)])
    ops = [*new.ops]
    assert ops[::-1] == [*new.ops.__reversed__()] and [new.first_op, new.last_op] == [ops[0], ops[-1]]
    assert all(op.parent is new and op.parent_op() is around for op in ops)
    assert [(a.block, a.index, a.owner) for a in new.args] == [(new, n, new) for n in range(3)]
    assert [*around.regions[0].blocks] == [new] and around.regions[0].block is new
    copied = around.clone()
    assert copied.is_structurally_equivalent(around)
    inner = block_ops(new)[1]
    Rewriter.replace_op(inner, arith.AddfOp(*inner.operands))
    around.verify()
    around.erase()
    copied.verify()


def test_an_argument_that_is_there_twice_stands_for_the_first() -> None:
    old = Block(arg_types=[f32, i1])
    old.add_op(YieldOp(old.args[0]))
    new = copy_block(old, [old.args[0], old.args[0], old.args[1]], {})
    assert [a.type for a in new.args] == [f32, f32, i1]
    assert [a.uses.get_length() for a in new.args] == [1, 0, 0]


def test_what_a_body_takes_from_outside_is_what_stands_for_it() -> None:
    outside, inside = (test.TestOp(result_types=[f32]).results[0] for _ in range(2))
    block = Block([arith.NegfOp(outside), arith.NegfOp(outside)])
    new = copy_block(block, (), {id(outside): inside})
    assert [op.operands[0] for op in block_ops(new)] == [inside, inside]


def test_names_are_those_that_xdsl_would_set() -> None:
    old = Block(arg_types=[f32] * 4)
    for argument, name in zip(old.args, ("a", "a_b", "a_1_2", None), strict=True):
        argument.name_hint = name
    hints = [argument.name_hint for argument in copy_block(old, old.args, {}).args]
    assert hints == [Block.extract_valid_name(a.name_hint) for a in old.args] == ["a", "a_b", "a", None]


def test_an_op_is_added_behind_the_last_one() -> None:
    block, made = Block(), [test.TestOp() for _ in range(3)]
    for op in made:
        add_last(op, block)
    assert [*block.ops] == made and block.last_op is made[2] and made[1].prev_op is made[0]
    made[1].detach()
    assert [*block.ops] == [made[0], made[2]]


def test_a_new_op_is_what_create_makes() -> None:
    arena = test.TestOp(result_types=[MemRefType(i8, [64])]).results[0]
    at = arith.ConstantOp.from_int_and_width(0, 64).result
    type_ = MemRefType(f32, [16])
    made = new_op(memref.ViewOp, [arena, at], [type_])
    other = memref.ViewOp.create(operands=[arena, at], result_types=[type_])
    assert made.is_structurally_equivalent(other)
    assert uses_of(made) == [[(other, n), (made, n)] for n in range(2)]
    another = new_op(memref.ViewOp, [arena, at], [type_])
    assert made.properties is not another.properties
    regions = [Region(Block()), Region()]
    around = new_op(test.TestOp, [], regions=regions)
    assert [region.parent for region in regions] == [around] * 2 and [*around.regions] == regions
    made.erase()
    another.erase()
    assert uses_of(other) == [[(other, n)] for n in range(2)]
