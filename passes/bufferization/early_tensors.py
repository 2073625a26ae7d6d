"""Tensors without contents that have sizes of run time, where these sizes are known first.

What is computed before such a tensor begins can be in its part of it only if memory of that size can be taken then. The
ops that compute its sizes go with it.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.tensor import DimOp
from xdsl.ir import Operation, OpResult
from xdsl.traits import is_side_effect_free, is_speculatable

from lastuse.dialect.ir.flow_graphs import nth
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.storage.contract import holds_nothing, is_inserted_into

MOST_PASSED = 1000
"""Ops in front of which a tensor is moved at most, so that the work grows with the number of ops."""


def begin_early(listing: OpListing) -> None:
    """Moves tensors without contents, into which something is inserted, up in their blocks."""
    found = [op for op in listing.sized if _may_begin(op) and is_inserted_into(op.results[0])]
    for op in found:
        _move_up(op)
    if found:
        listing.changed()


def _may_begin(op: Operation) -> bool:
    """The one result of an op is a tensor without contents, of sizes that the op is given."""
    return len(op.results) == 1 and holds_nothing(nth(op.results, 0))


def _move_up(op: Operation) -> None:
    """Moves an op, and those of its block that compute its sizes, in front of all ops that it does not need."""
    block, place, at = op.parent, op, op.prev_op
    moved, needed = [op], _made_by(op)
    for _ in range(MOST_PASSED):
        if at is None or (at in needed and not _computes_numbers(at)):
            break
        if at in needed:
            moved.append(at)
            needed |= _made_by(at)
        else:
            place = at
        at = at.prev_op
    if place is op:
        return
    assert block is not None
    for each in reversed(moved):
        each.detach()
        block.insert_op_before(each, place)


def _made_by(op: Operation) -> set[Operation]:
    """The ops that make the operands."""
    return {value.op for value in op.operands if isinstance(value, OpResult)}


def _computes_numbers(op: Operation) -> bool:
    """It does nothing but compute numbers, and may do so wherever its operands are known."""
    if op.regions or any(isinstance(result.type, TensorType) for result in op.results):
        return False
    return isinstance(op, DimOp) or (is_side_effect_free(op) and is_speculatable(op))
