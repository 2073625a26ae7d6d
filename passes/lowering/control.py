"""Region ops and branches: scalars stay values, tensors move into the slots of the boundary before it is crossed."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import cf, scf
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.region_branches import branch_operands
from lastuse.dialect.onednn.primitives.base import Emitter
from lastuse.passes.lowering.boundary_copies import copy_forwarded
from lastuse.passes.lowering.context import LoweringContext

Terminator = type[scf.YieldOp] | type[scf.ConditionOp]


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
            copy_forwarded(op, op.arguments, op.successor.args, to)
            to.emit.add(cf.BranchOp(to.blocks[op.successor], *to.scalars(op.arguments)))
        case cf.ConditionalBranchOp():
            then, otherwise = (_edge(op, *edge, to) for edge in branch_operands(op) or ())
            to.emit.add(cf.ConditionalBranchOp(to.scalar[op.cond], *then, *otherwise))
        case cf.SwitchOp():
            default, *cases = (_edge(op, *edge, to) for edge in branch_operands(op) or ())
            blocks, scalars = [b for b, _ in cases], [v for _, v in cases]
            to.emit.add(cf.SwitchOp(to.scalar[op.flag], *default, op.case_values, blocks, scalars))
        case _:
            return False
    return True


def _for(op: scf.ForOp, to: LoweringContext) -> None:
    copy_forwarded(op, op.iter_args, op.results, to)
    body = _body(op, op.body.block, scf.YieldOp, op.results, to)
    start, bound, step = (to.scalar[v] for v in (op.lb, op.ub, op.step))
    _finish(to, op, scf.ForOp(start, bound, step, to.scalars(op.iter_args), body))


def _while(op: scf.WhileOp, to: LoweringContext) -> None:
    arguments = op.before_region.block.args
    copy_forwarded(op, op.arguments, arguments, to)
    # The results are the slots of the arguments behind the condition, on both of its exits.
    before = _body(op, op.before_region.block, scf.ConditionOp, op.results, to)
    after = _body(op, op.after_region.block, scf.YieldOp, arguments, to)
    _finish(to, op, scf.WhileOp(to.scalars(op.arguments), _scalar_types(to, op), before, after))


def _if(op: scf.IfOp, to: LoweringContext) -> None:
    then, otherwise = (
        Region() if region.blocks.first is None else _body(op, region.blocks.first, scf.YieldOp, op.results, to)
        for region in op.regions
    )
    _finish(to, op, scf.IfOp(to.scalar[op.cond], _scalar_types(to, op), then, otherwise))


def _body(op: Operation, old: Block, end: Terminator, targets: Sequence[SSAValue], to: LoweringContext) -> Region:
    """A region with the ops of a block of `op`, whose terminator passes its operands on to `targets`."""
    last, around = old.last_op, to.emit
    if not isinstance(last, end):
        raise LastuseError(f"this block has to end with {end.name}", last or op)
    scalars = [a for a in old.args if not to.is_tensor(a)]
    new = Block(arg_types=[a.type for a in scalars])
    to.define(scalars, new.args)
    to.emit = Emitter(new, around)
    for inner in old.ops:
        if inner is not last:
            to.op(inner)
    passed = last.operands[len(last.operands) - len(targets) :]  # a condition has its flag in front
    flag = [to.scalar[v] for v in last.operands[: len(last.operands) - len(targets)]]
    copy_forwarded(last, passed, targets, to)
    to.emit.add(end(*flag, *to.scalars(passed)))
    to.emit = around
    to.begin(op)
    return Region(new)


def _scalar_types(to: LoweringContext, op: Operation) -> list[Attribute]:
    return [result.type for result in op.results if not to.is_tensor(result)]


def _finish(to: LoweringContext, op: Operation, lowered: Operation) -> None:
    to.emit.add(lowered)
    to.define(op.results, lowered.results)


def _edge(op: Operation, block: Block, values: Sequence[SSAValue], to: LoweringContext) -> tuple[Block, list[SSAValue]]:
    """Where a branch with several successors goes to reach `block`, and the scalars it passes: an edge of its own
    where tensors have to move, or the other successors would see them moved."""
    around, edge = to.emit, Block()
    to.emit = Emitter(edge, around)
    copy_forwarded(op, values, block.args, to)
    if edge.is_empty:
        to.emit = around
        return to.blocks[block], to.scalars(values)
    to.emit.add(cf.BranchOp(to.blocks[block], *to.scalars(values)))
    to.edges.append(edge)
    to.emit = around
    return edge, []
