"""Ops whose results nothing uses: they would take memory, and be copied for."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import Operation
from xdsl.traits import is_side_effect_free

from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.storage.contract import contract_of


def erase_dead(listing: OpListing) -> None:
    """Erases ops on tensors that do nothing but make results which are not used; loops and branches of such ops too,
    but for an `scf.while`, which may never end."""
    if not listing.unused:
        return
    for op in reversed(listing.making_tensors):
        if all(result.first_use is None for result in op.results) and _does_nothing(op):
            op.detach()
            op.erase()
            listing.changed()


def _does_nothing(op: Operation) -> bool:
    if contract_of(op).pure:
        return True
    if not isinstance(op, scf.IfOp | scf.ForOp):
        return is_side_effect_free(op)
    inner = (o for region in op.regions for block in region.blocks for o in block.ops)
    return all(isinstance(o, scf.YieldOp) or _does_nothing(o) for o in inner)
