"""The arena of a function, and what of it a function that is called has."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i8
from xdsl.ir import SSAValue

from lastuse.dialect.ir.new_ops import new_op
from lastuse.dialect.ir.tensor_types import symbol
from lastuse.dialect.storage.layout import Layout, Strided, aligned
from lastuse.passes.bufferization.memref_context import MemrefContext
from lastuse.passes.bufferization.memref_types import aligned_alloc, dense_type
from lastuse.passes.bufferization.signatures import tensor_type


def new_arena(nbytes: int, unit: str | None, to: MemrefContext) -> SSAValue:
    """Memory of `nbytes` bytes, from the alignment of storages on.

    Args:
        unit: the symbol of a size, if the arena has `nbytes` bytes for each of it.
    """
    size = None if unit is None else to.as_value(to.polynomial(nbytes * symbol(unit)))
    type_ = MemRefType(i8, [nbytes if size is None else DYNAMIC_INDEX])
    return to.emit(aligned_alloc([] if size is None else [size], type_), "arena")


def extent_of(layouts: Sequence[Layout]) -> int | None:
    """Bytes of memory that has values at these layouts; None where they are not known."""
    ends = [layout.span[1] for layout in layouts if isinstance(layout, Strided)]
    return max(ends, default=0) if len(ends) == len(layouts) else None


def room(arena: SSAValue, taken: int, nbytes: int, to: MemrefContext) -> SSAValue:
    """The arena of a function that is called: `nbytes` behind the `taken` bytes of the one that calls it."""
    return to.emit(memref.ViewOp(arena, to.index(aligned(taken) if nbytes else 0), [], MemRefType(i8, [nbytes])))


def viewed_bytes(made: SSAValue, offset: int | SSAValue, value: SSAValue, to: MemrefContext) -> SSAValue:
    """A value that lies row-major in bytes, from byte `offset` on."""
    operands = [made, to.as_value(offset), *to.dynamic_sizes(value)]
    return to.emit(new_op(memref.ViewOp, operands, [dense_type(tensor_type(value))]), value.name_hint)
