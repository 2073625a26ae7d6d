"""Memref forms with one mistake: another memref, another offset, an op left out or moved."""

from __future__ import annotations

import random

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue


def mutate(form: ModuleOp, rng: random.Random) -> bool:
    """Makes one mistake in @main; False where the drawn op has no such one."""
    main = next(op for op in form.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    op = rng.choice([op for op in main.walk() if op is not main])
    return rng.choice([_other_operand, _other_number, _left_out, _exchanged, _other_operand])(op, rng)


def _other_operand(op: Operation, rng: random.Random) -> bool:
    """An operand is another value of its type that is there before."""
    if not op.operands:
        return False
    k = rng.randrange(len(op.operands))
    others = [v for v in _before(op) if v.type == op.operands[k].type and v is not op.operands[k]]
    if not others:
        return False
    op.operands[k] = rng.choice(others)
    return True


def _before(op: Operation) -> list[SSAValue]:
    """The values that an op may use."""
    found: list[SSAValue] = []
    current: Operation | None = op
    while current is not None and (block := current.parent) is not None:
        found += block.args
        for earlier in block.ops:
            if earlier is current:
                break
            found += earlier.results
        current = block.parent_op()
        if isinstance(current, FuncOp):
            found += [a for a in current.body.blocks[0].args if a not in found]
            break
    return found


def _other_number(op: Operation, rng: random.Random) -> bool:
    """A constant index, or a known offset of a slice, is another one."""
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr) and isinstance(op.result.type, IndexType):
        op.properties["value"] = IntegerAttr(op.value.value.data + rng.choice([-64, -1, 1, 64]), op.value.type)
        return True
    if isinstance(op, memref.SubviewOp):
        offsets = list(op.static_offsets.get_values())
        axis = rng.randrange(len(offsets))
        if not 0 <= offsets[axis] < 64:
            return False
        offsets[axis] += rng.choice([-1, 1])
        op.properties["static_offsets"] = DenseArrayBase.from_list(i64, offsets)
        return True
    return False


def _left_out(op: Operation, _: random.Random) -> bool:
    """An op without results is left out."""
    if op.results or op.next_op is None:
        return False
    op.detach()
    return True


def _exchanged(op: Operation, _: random.Random) -> bool:
    """Two ops of which neither uses the other change places."""
    after, block = op.next_op, op.parent
    if after is None or block is None or after.next_op is None or any(v.owner is op for v in after.operands):
        return False
    after.detach()
    block.insert_op_before(after, op)
    return True
