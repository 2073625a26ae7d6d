"""Operands that control flow forwards to regions, results and successor blocks; verified to match in number and type.

xDSL's verifiers leave most of this open, and everything behind the parser relies on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import cf, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, op_name


class ForwardedOperands(NamedTuple):
    """`terminator` passes `sources` on; `targets` are what they become."""

    terminator: Operation
    sources: Sequence[SSAValue]
    targets: Sequence[SSAValue]


def verify_forwarded_operands(op: Operation) -> None:
    """
    Checks the boundaries of a region op of `scf`, or of a branch of `cf`; other ops have none that is known here.

    Raises:
        LastuseError: at the op that passes values on, if their number or a type is not what is wanted there.
    """
    for mover, sources, targets in forwarded_operands(op):
        if len(sources) != len(targets):
            raise LastuseError(
                f"'{op_name(mover)}' passes {len(sources)} values on, where {len(targets)} are wanted", mover
            )
        for number, (source, target) in enumerate(zip(sources, targets, strict=True)):
            if source.type != target.type:
                passed = f"'{op_name(mover)}' passes {source.type} on as value {number}"
                raise LastuseError(f"{passed}, where {target.type} is wanted", mover)


def forwarded_operands(op: Operation) -> Iterator[ForwardedOperands]:
    """
    The boundaries of a region op of `scf`, or of a branch of `cf`: what is passed on, in the order of the op's regions.

    Raises:
        LastuseError: a region does not end as its op wants it to.
    """
    match op:
        case scf.ForOp():
            last = _end(op, op.body)
            yield ForwardedOperands(op, op.iter_args, op.body.block.args[1:])
            yield ForwardedOperands(op, op.iter_args, op.results)
            yield ForwardedOperands(last, last.operands, op.body.block.args[1:])
            yield ForwardedOperands(last, last.operands, op.results)
        case scf.WhileOp():
            before, after = op.before_region.block, op.after_region.block
            condition, last = _end(op, op.before_region), _end(op, op.after_region)
            yield ForwardedOperands(op, op.arguments, before.args)
            yield ForwardedOperands(condition, condition.operands[1:], after.args)
            yield ForwardedOperands(condition, condition.operands[1:], op.results)
            yield ForwardedOperands(last, last.operands, before.args)
        case scf.IfOp():
            for region in op.regions:
                if region.blocks.first is not None or op.results:
                    last = _end(op, region)
                    yield ForwardedOperands(last, last.operands, op.results)
        case _:
            yield from (ForwardedOperands(op, operands, block.args) for block, operands in branch_operands(op) or ())


def branch_operands(op: Operation) -> list[tuple[Block, Sequence[SSAValue]]] | None:
    """The successors of a branch of `cf`, each with the operands that become its arguments; None for any other op."""
    match op:
        case cf.BranchOp():
            return [(op.successor, op.arguments)]
        case cf.ConditionalBranchOp():
            return [(op.then_block, op.then_arguments), (op.else_block, op.else_arguments)]
        case cf.SwitchOp():
            return [(op.default_block, op.default_operands), *zip(op.case_blocks, op.case_operand, strict=False)]
        case _:
            return None


def _end(op: Operation, region: Region) -> Operation:
    """The terminator of the one block of a region of `op`."""
    block: Block | None = region.blocks.first
    kind = scf.ConditionOp if isinstance(op, scf.WhileOp) and region is op.before_region else scf.YieldOp
    if block is None or not isinstance(block.last_op, kind):
        raise LastuseError(f"a region of '{op_name(op)}' does not end with '{kind.name}'", op)
    return block.last_op
