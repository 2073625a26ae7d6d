"""How memrefs are seen: through which slices, as all of what they are cast from, in elements of how many bytes."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr

from lastuse.passes.memref_checker.index_terms import times
from lastuse.passes.memref_checker.memory_contents import Seen
from lastuse.passes.memref_checker.slice_parts import ONE, Shape, SlicePart


def slices_of(seen: Seen) -> tuple[SlicePart | Shape, ...]:
    """How a memref is seen, without the shapes at the end."""
    through = list(seen.through)
    while through and not isinstance(through[-1], SlicePart):
        through.pop()
    return tuple(through)


def same_bytes(a: Seen, b: Seen) -> bool:
    """Two memrefs are the same elements at the same places."""
    return a.piece == b.piece and a.shape == b.shape and (a.through == b.through or slices_of(a) == slices_of(b))


def shows_all(op: memref.ReinterpretCastOp) -> bool:
    """Offset and strides are those of the memref, but for axes of one element."""
    source, offset = op.source.type, op.static_offsets.get_values()
    assert isinstance(source, MemRefType)
    strides = source.get_strides()
    if strides is None or (source.get_offset(),) != offset:
        return False
    axes = [
        [*zip(shape, steps, strict=True)]
        for shape, steps in (
            (source.get_shape(), strides),
            (op.static_sizes.get_values(), op.static_strides.get_values()),
        )
    ]
    ours, theirs = ([(n, step) for n, step in one if n != 1] for one in axes)
    return ours == theirs and not any(n == DYNAMIC_INDEX or step is None for n, step in ours)


def is_row_major(op: memref.ReinterpretCastOp, sizes: Shape, strides: Shape) -> bool:
    """Source and result have no gaps, and begin at one element."""
    source, run = op.source.type, ONE
    if not isinstance(source, MemRefType) or not isinstance(source.layout, NoneAttr):
        return False
    for size, stride in zip(reversed(sizes), reversed(strides), strict=True):
        if stride != run:
            return False
        run = times(run, size)
    return op.static_offsets.get_values() == (0,)


def item_bytes(type_: MemRefType) -> int:
    """Bytes of an element of a memref."""
    element = type_.element_type
    width: int = 64 if not hasattr(element, "bitwidth") else element.bitwidth  # pyright: ignore
    return max(1, width // 8)
