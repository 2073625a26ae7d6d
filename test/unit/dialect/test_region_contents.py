"""`contents_of` says what stands in the regions of an op."""

from __future__ import annotations

import pytest
from xdsl.dialects import arith, scf, tensor, test
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType, f32, i1, i64
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue

from lastuse.dialect.ir.element_of_input import ElementOfInputOp
from lastuse.dialect.ir.region_contents import contents_of


def value(type_: object) -> SSAValue:
    return test.TestOp(result_types=[type_]).results[0]  # pyright: ignore[reportArgumentType]


def element(number: int, at: SSAValue) -> ElementOfInputOp:
    return ElementOfInputOp(operands=[[at]], properties={"input": IntegerAttr(number, i64)}, result_types=[f32])


def around(*ops: Operation) -> Operation:
    return test.TestOp(regions=[Region(Block(ops))])


def test_what_is_read_from_outside_is_said_once_and_in_order() -> None:
    first, second = value(f32), value(f32)
    total = arith.AddfOp(second, first)
    op = around(total, arith.MulfOp(total.result, second))
    assert contents_of(op) == ((second, first), False, False, frozenset())


def test_a_block_without_values_from_outside_captures_none() -> None:
    block = Block(arg_types=[f32])
    block.add_op(YieldOp(block.args[0]))
    assert contents_of(test.TestOp(regions=[Region(block)])).captured == ()


@pytest.mark.parametrize("is_inside", [False, True])
def test_elements_of_inputs_are_found_at_any_depth(is_inside: bool) -> None:
    at, flag = value(IndexType()), value(i1)
    reads: list[Operation] = [element(2, at), element(0, at), element(2, at)]
    ops = [scf.IfOp(flag, [], [*reads, scf.YieldOp()])] if is_inside else reads
    found = contents_of(around(*ops))
    assert found.tables == {0, 2}
    assert found.captured == ((flag, at) if is_inside else (at,))
    assert not found.has_tensors


def test_a_tensor_that_an_op_inside_reads_or_makes_is_seen() -> None:
    type_ = TensorType(f32, [4])
    whole, at = value(type_), value(IndexType())
    assert contents_of(around(tensor.ExtractOp(whole, [at], f32)))[1:3] == (True, True)
    assert contents_of(around(around(tensor.ExtractOp(whole, [at], f32))))[1:3] == (True, True)
    assert contents_of(around(tensor.EmptyOp([], type_)))[1:3] == (False, True)
