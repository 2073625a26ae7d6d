"""Operands that control flow forwards to regions, results and successor blocks; verified to match in number and type.

xDSL's verifiers leave most of this open, and everything behind the parser relies on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.ir.flow_graphs import is_control
from lastuse.dialect.ir.tensor_types import Content, Poly


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
    if not is_control(type(op)) and not op.successors:
        return
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


def known_region(op: Operation, content: Callable[[SSAValue], Content | None]) -> int | None:
    """The number of the only region of an `scf.if` that runs, where its condition is a constant or an element of a
    tensor whose `content` is known; else None."""
    if not isinstance(op, scf.IfOp):
        return None
    condition = op.cond.owner
    match condition.name if isinstance(condition, Operation) else None:  # by name: few programs need these dialects
        case "arith.constant":
            value = {**condition.properties, **condition.attributes}.get("value")  # pyright: ignore
            return int(value.value.data == 0) if isinstance(value, IntegerAttr) else None
        case "tensor.extract":
            elements = content(condition.operands[0])  # pyright: ignore
            known = elements is not None and len(elements) == 1 and not isinstance(elements[0], Poly)
            return int(not elements[0]) if elements is not None and known else None
        case _:
            return None


def inline_region(op: Operation, number: int) -> None:
    """Replaces an op by the ops of one of its regions of one block, which has no arguments, and its results by what the
    region ends with. A region that is empty is that of an op without results."""
    block = op.regions[number].blocks.first
    assert op.parent is not None
    for inner in list(block.ops) if block is not None else ():
        inner.detach()
        if inner.has_trait(IsTerminator):
            for result, value in zip(op.results, inner.operands, strict=True):
                result.replace_all_uses_with(value)
            inner.erase()
        else:
            op.parent.insert_op_before(inner, op)
    op.detach()
    op.erase()


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
