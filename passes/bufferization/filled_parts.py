"""Of a filled tensor that is only read in parts, the parts are filled."""

from __future__ import annotations

from math import prod

from xdsl.dialects.linalg.ops import FillOp
from xdsl.dialects.tensor import EmptyOp, ExtractSliceOp
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.ir.remembered import is_a


def fill_parts(listing: OpListing) -> None:
    """Fills slices of fresh memory instead of all of a tensor, where only these slices of it are used, once each, in
    the block where it is filled, and have fewer elements together."""
    for op in listing.of(lambda op_class: issubclass(op_class, FillOp)):
        assert isinstance(op, FillOp)
        if len(op.results) == 1 and (parts := _parts(op)):
            for part in parts:
                place = EmptyOp([], part.result.type)
                made = FillOp([op.inputs[0]], [place.tensor], [part.result.type])
                inherit((place, made), part)
                made.results[0].name_hint = part.result.name_hint
                Rewriter.replace_op(part, [place, made], [made.results[0]])
            op.detach()
            op.erase()
            listing.changed()


def _parts(op: FillOp) -> list[ExtractSliceOp]:
    """The slices that are all that is used of the result; none where it is used otherwise."""
    parts: dict[ExtractSliceOp, None] = {}
    for use in op.results[0].uses:
        if not is_a(user := use.operation, ExtractSliceOp) or user.parent is not op.parent:
            return []
        parts[user] = None
    sizes = [part.result.type.get_shape() for part in parts]
    whole = op.results[0].type.get_shape()  # pyright: ignore
    if any(n < 0 for shape in (whole, *sizes) for n in shape):
        return []
    return [*parts] if sum(map(prod, sizes)) < prod(whole) else []
