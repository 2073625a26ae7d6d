"""Region ops and branches: scalars stay values, tensors move into the slots of the boundary before it is crossed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects import cf, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.passes.lowering.context import LoweringContext
from lastuse.passes.lowering.emit import Emitter

T = TypeVar("T", bound=Operation)


def lower_control(op: Operation, to: LoweringContext) -> bool:
    """Emits a region op of `scf` with all that is in it, or a branch of `cf`; False for any other op."""
    match op:
        case scf.ForOp():
            _for(op, to)
        case scf.WhileOp():
            _while(op, to)
        case scf.IfOp():
            _if(op, to)
        case cf.BranchOp():
            to.cross(op, op.arguments, op.successor.args)
            to.emit.add(cf.BranchOp(to.blocks[op.successor], *to.scalars(op.arguments)))
        case cf.ConditionalBranchOp():
            then = _edge(op, op.then_block, op.then_arguments, to)
            otherwise = _edge(op, op.else_block, op.else_arguments, to)
            to.emit.add(cf.ConditionalBranchOp(to.scalar(op.cond), *then, *otherwise))
        case cf.SwitchOp():
            default = _edge(op, op.default_block, op.default_operands, to)
            cases = [_edge(op, b, v, to) for b, v in zip(op.case_blocks, op.case_operand, strict=True)]
            blocks, scalars = [b for b, _ in cases], [v for _, v in cases]
            to.emit.add(cf.SwitchOp(to.scalar(op.flag), *default, op.case_values, blocks, scalars))
        case _:
            return False
    return True


def _for(op: scf.ForOp, to: LoweringContext) -> None:
    block = op.body.block
    last = _end(block, scf.YieldOp)
    to.cross(op, op.iter_args, op.results)
    body = _inside(to, op, block)
    to.cross(last, last.operands, op.results)
    to.emit.add(scf.YieldOp(*to.scalars(last.operands)))
    _outside(to, op, body)
    start, bound, step = (to.scalar(v) for v in (op.lb, op.ub, op.step))
    lowered = scf.ForOp(start, bound, step, to.scalars(op.iter_args), Region(body.block))
    to.emit.add(lowered)
    to.define(op.results, lowered.results)


def _while(op: scf.WhileOp, to: LoweringContext) -> None:
    old_before, old_after = op.before_region.block, op.after_region.block
    condition, last = _end(old_before, scf.ConditionOp), _end(old_after, scf.YieldOp)
    to.cross(op, op.arguments, old_before.args)
    before = _inside(to, op, old_before)
    # The results are the slots of the arguments behind the condition, on both of its exits.
    flag, *passed = condition.operands
    to.cross(condition, passed, op.results)
    to.emit.add(scf.ConditionOp(to.scalar(flag), *to.scalars(passed)))
    _outside(to, op, before)
    after = _inside(to, op, old_after)
    to.cross(last, last.operands, old_before.args)
    to.emit.add(scf.YieldOp(*to.scalars(last.operands)))
    _outside(to, op, after)
    types = [r.type for r in op.results if not to.is_tensor(r)]
    lowered = scf.WhileOp(to.scalars(op.arguments), types, Region(before.block), Region(after.block))
    to.emit.add(lowered)
    to.define(op.results, lowered.results)


def _if(op: scf.IfOp, to: LoweringContext) -> None:
    arms: list[Region] = []
    for region in op.regions:
        block = region.blocks.first
        if block is None:
            arms.append(Region())
            continue
        last = _end(block, scf.YieldOp)
        arm = _inside(to, op, block)
        to.cross(last, last.operands, op.results)
        to.emit.add(scf.YieldOp(*to.scalars(last.operands)))
        _outside(to, op, arm)
        arms.append(Region(arm.block))
    types = [r.type for r in op.results if not to.is_tensor(r)]
    then, otherwise = arms
    lowered = scf.IfOp(to.scalar(op.cond), types, then, otherwise)
    to.emit.add(lowered)
    to.define(op.results, lowered.results)


class _Inner:
    """A block inside a region op that is being lowered, and the ops that write around it."""

    def __init__(self, block: Block, around: Emitter) -> None:
        self.block, self.around = block, around


def _inside(to: LoweringContext, op: Operation, old: Block) -> _Inner:
    """Emits the ops of a block of `op` but for its terminator; what is emitted next goes behind them."""
    scalars = [a for a in old.args if not to.is_tensor(a)]
    new = Block(arg_types=[a.type for a in scalars])
    to.define(scalars, new.args)
    inner = _Inner(new, to.emit)
    to.emit = Emitter(new, inner.around)
    for inside in old.ops:
        if inside is not old.last_op:
            to.op(inside)
    assert old.last_op is not None
    to.begin(old.last_op)
    return inner


def _outside(to: LoweringContext, op: Operation, inner: _Inner) -> None:
    """Goes on behind `op`."""
    to.emit = inner.around
    to.begin(op)


def _end(block: Block, terminator: type[T]) -> T:
    last = block.last_op
    if not isinstance(last, terminator):
        raise LastuseError(f"this block has to end with {terminator.name}", last or block.parent_op())
    return last


def _edge(op: Operation, block: Block, values: Sequence[SSAValue], to: LoweringContext) -> tuple[Block, list[SSAValue]]:
    """Where a branch with several successors goes to reach `block`, and the scalars it passes: an edge of its own
    where tensors have to move, or the other successors would see them moved."""
    around, edge = to.emit, Block()
    to.emit = Emitter(edge, around)
    to.cross(op, values, block.args)
    if edge.is_empty:
        to.emit = around
        return to.blocks[block], to.scalars(values)
    to.emit.add(cf.BranchOp(to.blocks[block], *to.scalars(values)))
    to.edges.append(edge)
    to.emit = around
    return edge, []
