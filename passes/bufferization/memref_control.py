"""Region ops and branches: scalars stay values, tensors move into the memory of the values that they become."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import cf, scf
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import is_control
from lastuse.dialect.ir.region_branches import branch_operands
from lastuse.passes.bufferization.boundary_moves import move_forwarded
from lastuse.passes.bufferization.function_state import FunctionState
from lastuse.passes.bufferization.owned_values import drop

Terminator = type[scf.YieldOp] | type[scf.ConditionOp]


def bufferize_control(op: Operation, to: FunctionState) -> bool:
    """Emits a region op of `scf` with all that is in it, or a branch of `cf`; False for any other op."""
    if not is_control(type(op)) and not op.successors:
        return False
    match op:
        case scf.ForOp():
            _for(op, to)
        case scf.WhileOp():
            _while(op, to)
        case scf.IfOp():
            _if(op, to)
        case cf.BranchOp():
            move_forwarded(op, op.arguments, op.successor.args, to)
            to.emit_last(op, cf.BranchOp(to.blocks[op.successor], *to.carried(op.arguments, op.successor.args)))
        case cf.ConditionalBranchOp():
            (then, otherwise), given_back = _edges(op, to)
            to.emit_last(op, cf.ConditionalBranchOp(to.scalar_of(op.cond), *then, *otherwise), given_back)
        case cf.SwitchOp():
            (default, *cases), given_back = _edges(op, to)
            blocks, scalars = [b for b, _ in cases], [v for _, v in cases]
            made = cf.SwitchOp(to.scalar_of(op.flag), *default, op.case_values, blocks, scalars)
            to.emit_last(op, made, given_back)
        case _:
            return False
    return True


def _prepare(op: Operation, to: FunctionState) -> None:
    """Memory that is needed in several regions is there before them."""
    for result in op.results:
        if not to.is_carried(result):
            to.memref(result)


def _for(op: scf.ForOp, to: FunctionState) -> None:
    _prepare(op, to)
    move_forwarded(op, op.iter_args, op.results, to)
    entering = to.carried(op.iter_args, op.results)
    body = _body(op, op.body.block, scf.YieldOp, op.results, to)
    start, bound, step = (to.scalar_of(v) for v in (op.lb, op.ub, op.step))
    _finish(to, op, scf.ForOp(start, bound, step, entering, body))


def _while(op: scf.WhileOp, to: FunctionState) -> None:
    _prepare(op, to)
    arguments = op.before_region.block.args
    for argument in arguments:
        if not to.is_carried(argument):
            to.memref(argument)
    move_forwarded(op, op.arguments, arguments, to)
    entering = to.carried(op.arguments, arguments)
    # The results are the memory of the arguments behind the condition, on both of its exits.
    before = _body(op, op.before_region.block, scf.ConditionOp, op.results, to)
    after = _body(op, op.after_region.block, scf.YieldOp, arguments, to)
    _finish(to, op, scf.WhileOp(entering, _carried_types(to, op), before, after))


def _if(op: scf.IfOp, to: FunctionState) -> None:
    _prepare(op, to)
    then, otherwise = (
        Region() if region.blocks.first is None else _body(op, region.blocks.first, scf.YieldOp, op.results, to)
        for region in op.regions
    )
    _finish(to, op, scf.IfOp(to.scalar_of(op.cond), _carried_types(to, op), then, otherwise))


def _body(op: Operation, old: Block, end: Terminator, targets: Sequence[SSAValue], to: FunctionState) -> Region:
    """A region with the ops of a block of `op`, whose terminator passes its operands on to `targets`."""
    last = old.last_op
    if not isinstance(last, end):
        raise LastuseError(f"this block has to end with {end.name}", last or op)
    carried = [a for a in old.args if to.is_carried(a)]
    new = Block(arg_types=[to.carried_type(a) for a in carried])
    to.define(carried, new.args)
    with to.inside(new):
        for inner in old.ops:
            if inner is not last:
                to.op(inner)
        to.begin(last)
        passed = last.operands[len(last.operands) - len(targets) :]  # a condition has its flag in front
        flag = [to.scalar_of(v) for v in last.operands[: len(last.operands) - len(targets)]]
        move_forwarded(last, passed, targets, to)
        carried = to.carried(passed, targets)
        drop(old.args, to)
        to.emit_last(last, end(*flag, *carried))
    to.begin(op)
    return Region(new)


def _carried_types(to: FunctionState, op: Operation) -> list[Attribute]:
    return [to.carried_type(result) for result in op.results if to.is_carried(result)]


def _finish(to: FunctionState, op: Operation, made: Operation) -> None:
    to.add(made)
    to.define(op.results, made.results)


def _edges(op: Operation, to: FunctionState) -> tuple[list[tuple[Block, list[SSAValue]]], bool]:
    """Where a branch with several successors goes to reach each of them, and what it passes: an edge of its own where
    tensors have to move, or the other successors would see them moved. Memory that ends with the branch is read on
    such an edge: it is given back on each, and whether it is, is the second result."""
    ways: list[tuple[Block, list[SSAValue], Block]] = []
    for block, values in branch_operands(op) or ():
        ways.append((block, to.carried(values, block.args), Block()))
        with to.inside(ways[-1][2]):
            move_forwarded(op, values, block.args, to)
    moves = any(not edge.is_empty for _, _, edge in ways)
    given_back, found = moves and to.ends_memory(op), list[tuple[Block, list[SSAValue]]]()
    for block, passed, edge in ways:
        if given_back:
            with to.inside(edge):
                to.give_back_last(op)
        if edge.is_empty:
            found.append((to.blocks[block], passed))
            continue
        edge.add_op(cf.BranchOp(to.blocks[block], *passed))
        to.edges.append(edge)
        found.append((edge, []))
    return found, given_back
