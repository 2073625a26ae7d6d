"""Memref forms with one mistake in what takes memory or gives it back, made in every place where it can be made."""

from __future__ import annotations

from collections.abc import Iterator

from form_mutants import Mutation, mutated
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, f32, i1, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from lastuse.dialect.ir.flow_graphs import function_around

EARLIER = 12
"""So many places before an op that gives memory back are tried."""
EQUAL, NOT_EQUAL = 0, 1
"""Predicates of `arith.cmpi`."""


def ownership_mutants(form: ModuleOp) -> Iterator[tuple[str, ModuleOp]]:
    """Copies of a form with one mistake each, and what it is."""
    return mutated(form, _mutations)


def _mutations(op: Operation) -> Iterator[tuple[str, Mutation]]:
    match op:
        case memref.DeallocOp():
            yield from _ends(op)
            yield "under a flag", _put_under_a_flag
            for what, place in _other_blocks(op):
                yield what, lambda o, place=place: _move_into(o, *place)
        case scf.IfOp() if not op.results and isinstance(op.regions[0].block.first_op, memref.DeallocOp):
            yield from _ends(op)
            yield "without the condition", _move_out
            yield "always", lambda o: _put_constant(o, 1)
            yield "never", lambda o: _put_constant(o, 0)
            yield "in the other arm", _exchange_arms
        case arith.CmpiOp() if all(isinstance(v.owner, memref.ExtractAlignedPointerAsIndexOp) for v in op.operands):
            yield "negated", _negate
        case arith.AndIOp() if op.result.type == i1:
            yield "the second flag left out", lambda o: o.results[0].replace_all_uses_with(o.operands[0])
            yield "the first flag left out", lambda o: o.results[0].replace_all_uses_with(o.operands[1])
        case scf.ForOp() | scf.WhileOp() | scf.IfOp():
            for n, region in enumerate(op.regions):
                if region.blocks:
                    yield f"memory taken in region {n}", lambda o, n=n: _take_memory(o.regions[n].block)
        case _:
            pass


def _ends(op: Operation) -> Iterator[tuple[str, Mutation]]:
    yield "left out", lambda o: o.detach()
    yield "twice", lambda o: _block_of(o).insert_op_after(o.clone(), o)
    used = {v for inner in op.walk() for v in inner.operands}
    earlier, by = op.prev_op, 1
    while earlier is not None and by <= EARLIER and not used.intersection(earlier.results):
        yield f"moved before {by} ops", lambda o, by=by: _move_up(o, by)
        earlier, by = earlier.prev_op, by + 1


def _other_blocks(op: memref.DeallocOp) -> Iterator[tuple[str, tuple[int, int]]]:
    """Regions of an op before that it may stand at the end of: how many ops that is before, and the region's number."""
    earlier, by = op.prev_op, 1
    while earlier is not None and earlier is not op.memref.owner:
        if isinstance(earlier, scf.ForOp | scf.WhileOp | scf.IfOp):
            for n, region in enumerate(earlier.regions):
                if region.blocks:
                    yield f"in region {n} of an op {by} before", (by, n)
        earlier, by = earlier.prev_op, by + 1


def _block_of(op: Operation) -> Block:
    assert op.parent is not None
    return op.parent


def _before(op: Operation, by: int) -> Operation:
    for _ in range(by):
        assert op.prev_op is not None
        op = op.prev_op
    return op


def _move_up(op: Operation, by: int) -> None:
    place, block = _before(op, by), _block_of(op)
    op.detach()
    block.insert_op_before(op, place)


def _move_into(op: Operation, by: int, region: int) -> None:
    block = _before(op, by).regions[region].block
    assert block.last_op is not None
    op.detach()
    block.insert_op_before(op, block.last_op)


def _put_under_a_flag(op: Operation) -> None:
    """The op is under the first flag that the function is given, or under one that is true."""
    func, block = function_around(op), _block_of(op)
    assert func is not None
    flag: SSAValue | None = next((a for a in func.body.blocks[0].args if a.type == i1), None)
    if flag is None:
        block.insert_op_before(made := arith.ConstantOp(IntegerAttr(1, i1)), op)
        flag = made.result
    inner = op.clone()
    block.insert_op_before(scf.IfOp(flag, [], Region(Block([inner, scf.YieldOp()]))), op)
    op.detach()


def _move_out(op: Operation) -> None:
    end = op.regions[0].block.first_op
    assert end is not None
    end.detach()
    _block_of(op).insert_op_before(end, op)
    op.detach()


def _put_constant(op: Operation, flag: int) -> None:
    made = arith.ConstantOp(IntegerAttr(flag, i1))
    _block_of(op).insert_op_before(made, op)
    op.operands[0] = made.result


def _exchange_arms(op: Operation) -> None:
    then, otherwise = (op.detach_region(r) for r in list(op.regions))
    op.add_region(otherwise if otherwise.blocks else Region(Block([scf.YieldOp()])))
    op.add_region(then)


def _negate(op: Operation) -> None:
    assert isinstance(op, arith.CmpiOp) and op.predicate.value.data == NOT_EQUAL
    op.properties["predicate"] = IntegerAttr(EQUAL, i64)


def _take_memory(block: Block) -> None:
    assert block.first_op is not None
    block.insert_op_before(memref.AllocOp.get(f32, 64, [4]), block.first_op)
