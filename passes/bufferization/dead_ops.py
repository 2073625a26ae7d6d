"""Ops whose results nothing uses, or needs the contents of: they would take memory, and be copied for."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import Operation, Use
from xdsl.rewriter import Rewriter
from xdsl.traits import is_side_effect_free

from lastuse.dialect.ir.flow_graphs import nth, operands_of
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.storage.contract import contract_of


def erase_dead(listing: OpListing) -> None:
    """Erases ops on tensors that do nothing but make results which are not used; loops and branches of such ops too,
    but for an `scf.while`, which may never end. A result that ops compute over, and do not read, is replaced by what it
    is computed over itself."""
    for op, destination in _unread(listing):
        op.results[0].replace_all_uses_with(operands_of(op)[destination])
        Rewriter.erase_op(op)
        listing.changed()
    if not listing.unused:
        return
    for op in reversed(listing.making_tensors):
        if all(result.first_use is None for result in op.results) and _does_nothing(op):
            Rewriter.erase_op(op)
            listing.changed()


def _unread(listing: OpListing) -> list[tuple[Operation, int]]:
    """The ops of one result whose contents no op reads, though some op is given them; the last one first. With each the
    operand that it is computed over."""
    found: list[tuple[Operation, int]] = []
    with listing.unchanged():
        for op in reversed(listing.making_tensors):
            use = nth(op.results, 0).first_use
            if use is None or use.index not in contract_of(use.operation).metadata_only or len(op.results) > 1:
                continue  # as nearly all are read by the first op that uses them
            destination = _destination(op)
            if destination >= 0 and all(map(_is_destination, op.results[0].uses)) and _does_nothing(op):
                found.append((op, destination))
    return found


def _is_destination(use: Use) -> bool:
    """An op computes a result over an operand, of which it reads nothing."""
    contract = contract_of(use.operation)
    return use.index in contract.metadata_only and any(over.operand == use.index for over in contract.over)


def _destination(op: Operation) -> int:
    """The operand of the type of the one result that an op computes it over, and that has its sizes; -1 for none."""
    contract = contract_of(op)
    over = {o.operand for o in contract.over if operands_of(op)[o.operand].type == op.results[0].type}
    return next((k for result, k in contract.same_shape if result == 0 and k in over), -1)


def _does_nothing(op: Operation) -> bool:
    if contract_of(op).pure:
        return True
    if not isinstance(op, scf.IfOp | scf.ForOp):
        return is_side_effect_free(op)
    inner = (o for region in op.regions for block in region.blocks for o in block.ops)
    return all(isinstance(o, scf.YieldOp) or _does_nothing(o) for o in inner)
