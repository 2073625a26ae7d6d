"""
Is a module well formed: every operation's own verifier, block structure, and definitions before uses.

The tools call `verify` after reading and before writing. It differs from xDSL's `op.verify()` in five ways: errors are
`LastuseError`s that know the operation they are about, a value used where its definition does not dominate it is an
error (xDSL accepts it), and so are values that do not fit where control flow passes them on; ops that upstream verifies
(`upstream_forms.py`) are well formed; and nothing is printed into the exception, so an error in a large module costs
nothing.
"""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.traits import IsTerminator, NoTerminator
from xdsl.utils.exceptions import DiagnosticException

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.ir.dominator_trees import DominatorTree
from lastuse.dialect.ir.interfaces import InfersShapes
from lastuse.dialect.ir.region_branches import verify_forwarded_operands
from lastuse.dialect.ir.remembered import is_class, unchanged_ops
from lastuse.dialect.ir.tensor_types import verify_sizes
from lastuse.dialect.storage.attrs_verifier import verify_decisions


@unchanged_ops()
def verify(top: Operation, decisions: bool = True) -> None:
    """
    Checks `top` and everything in it.

    Args:
        decisions: the decisions that operations carry have to be well-formed too.

    Raises:
        LastuseError: at the first operation, in program order, that is not well formed.
    """
    _verify_op(top, {}, decisions)
    verify_sizes(top)
    visible: set[SSAValue] = set()
    for region in top.regions:
        _check_dominance(region, visible)


_Known = dict[tuple[Hashable, ...], tuple[object, ...]]
"""What was found right, as `_signature` gives it, with the types in it, which live as long as their ids are keys."""


def _signature(op: Operation) -> tuple[Hashable, ...]:
    """
    All that the verifier of an op with shape inference looks at: a program has thousands of ops, and few that
    look different. Types go by identity, which is cheap, and nearly always enough: the parser makes one object for one
    text.
    """
    operands = op.operands
    first = {value: index for index, value in reversed(list(enumerate(operands)))}
    return (
        type(op),
        tuple((id(value.type), first[value]) for value in operands),
        tuple(id(result.type) for result in op.results),
        tuple(op.attributes.items()),
        tuple(op.properties.items()),
    )


def _verify_op(op: Operation, known: _Known, strict: bool) -> None:
    looks = None
    if is_class(type(op), InfersShapes) and not op.regions and not op.successors:
        looks = _signature(op)
        if looks in known:
            return
    try:
        op.verify_()
    except LastuseError:
        raise
    except DiagnosticException as error:
        from lastuse.dialect.ir.upstream_forms import is_verified_upstream  # dialects that few programs have

        if not is_verified_upstream(op):
            raise LastuseError(_own_words(op, str(error)), op) from error
    except RecursionError:
        raise
    except Exception as error:
        # xDSL's generated verifiers can fail on attributes of an unexpected kind; for the user it is the same mistake.
        raise LastuseError(f"'{op_name(op)}' does not verify: {error or type(error).__name__}", op) from error
    if op.regions or op.successors:
        verify_forwarded_operands(op)
    if strict:
        verify_decisions(op)
    if looks is not None:
        known[looks] = (*(value.type for value in op.operands), *(result.type for result in op.results))
    for region in op.regions:
        for block in region.blocks:
            _verify_block(block, op, len(region.blocks) == 1, known, strict)


def _own_words(op: Operation, message: str) -> str:
    """The verifier's message in one line, without the prefix that xDSL gives all of them and with the operation it is
    about."""
    message = message.removeprefix("Operation does not verify: ").strip().replace("\n", " ")
    if op_name(op) in message:
        return message
    return f"'{op_name(op)}' op {message[:1].lower()}{message[1:]}"


def _verify_block(block: Block, parent: Operation, alone: bool, known: _Known, strict: bool) -> None:
    last = block.last_op
    needs_terminator = not alone or not parent.has_trait(NoTerminator)
    if last is None:
        if needs_terminator:
            raise LastuseError(f"'{op_name(parent)}' has an empty block, which needs a terminator", parent)
        return
    if needs_terminator and not last.has_trait(IsTerminator):
        raise LastuseError(f"'{op_name(last)}' ends its block but is not a terminator", last)
    for op in block.ops:
        if op.successors:
            if op is not last:
                raise LastuseError(f"'{op_name(op)}' branches but is not the last operation of its block", op)
            if any(target.parent is not block.parent for target in op.successors):
                raise LastuseError(f"'{op_name(op)}' branches to a block of another region", op)
        _verify_op(op, known, strict)


def _check_dominance(region: Region, visible: set[SSAValue]) -> None:
    """
    Checks that each operand in `region` is defined before its use. `visible` are the values defined around the region;
    it is extended while the region is walked and is the same set again at the end.
    """
    blocks = list(region.blocks)
    if not blocks:
        return
    if len(blocks) == 1:
        added = _check_block(blocks[0], visible)
        visible.difference_update(added)
        return
    children = DominatorTree(region).children
    # An explicit stack, because the dominator tree of a long chain of blocks is as deep as the chain.
    added_by: dict[Block, list[SSAValue]] = {}
    stack: list[tuple[Block, bool]] = [(blocks[0], True)]
    while stack:
        block, entering = stack.pop()
        if not entering:
            visible.difference_update(added_by.pop(block))
            continue
        added_by[block] = _check_block(block, visible)
        stack.append((block, False))
        stack.extend((child, True) for child in reversed(children.get(block, ())))


def _check_block(block: Block, visible: set[SSAValue]) -> list[SSAValue]:
    """Checks one block, and returns the values it added to `visible`."""
    added: list[SSAValue] = list(block.args)
    visible.update(added)
    for op in block.ops:
        for index, operand in enumerate(op.operands):
            if operand not in visible:
                raise _use_error(op, index, operand)
        # The regions of an unregistered operation may be graph regions, where order means nothing.
        if op.regions and not isinstance(op, UnregisteredOp):
            for region in op.regions:
                _check_dominance(region, visible)
        added.extend(op.results)
        visible.update(op.results)
    return added


def _use_error(op: Operation, index: int, operand: SSAValue) -> LastuseError:
    name = f" (%{operand.name_hint})" if operand.name_hint else ""
    notes = [(operand.op, "defined here")] if isinstance(operand, OpResult) else []
    return LastuseError(f"operand {index} of '{op_name(op)}'{name} is used before its definition", op, notes)
