"""Slices of all of a tensor, which are that tensor.

A slice of unknown size is all of its source where it begins at the source's first element and has its sizes. Nothing
else in a function says so: the slice and the source are other parts of what the source is a part of.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.dialects.tensor import CastOp, ExtractSliceOp
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.flow_graphs import function_around
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.storage.index_arithmetic import mixed_numbers
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.bufferization.op_replacement import shape_of
from lastuse.passes.bufferization.sizes_over_time import changing_symbols, have_same_sizes


def drop_whole_slices(listing: OpListing) -> None:
    """Puts the source in the place of each slice that is all of it.

    Raises:
        LastuseError: at an op with an unknown size that the sizes of its operands do not fit.
    """
    by_function: dict[FuncOp, list[ExtractSliceOp]] = {}
    for op in listing.of(lambda op_class: issubclass(op_class, ExtractSliceOp)):
        if isinstance(op, ExtractSliceOp) and _begins_there(op) and (func := function_around(op)) is not None:
            by_function.setdefault(func, []).append(op)
    for func, slices in by_function.items():
        with unchanged_ops():
            sizes = infer_shapes(func)
            changing = changing_symbols(func, sizes)
        for op in [op for op in slices if have_same_sizes((op.source, op.result), sizes, changing)]:
            if op.source.type == op.result.type:
                Rewriter.replace_op(op, [], [op.source])
            else:
                inherit(cast := CastOp(op.source, op.result.type), op)
                Rewriter.replace_op(op, [cast], [cast.dest])
            listing.changed()


def _begins_there(op: ExtractSliceOp) -> bool:
    """A slice from the first element on, without gaps, of some unknown size and as many axes as its source."""
    source, result = shape_of(op.source), shape_of(op.result)
    if len(source) != len(result) or DYNAMIC_INDEX not in (*source, *result):
        return False
    offsets = mixed_numbers(op.static_offsets.get_values(), op.offsets)
    strides = mixed_numbers(op.static_strides.get_values(), op.strides)
    return all(n == 0 for n in offsets) and all(n == 1 for n in strides)
