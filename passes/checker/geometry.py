"""How places compare."""

from __future__ import annotations

from lastuse.dialect.ir.tensor_types import product
from lastuse.dialect.storage.assignment import Place
from lastuse.dialect.storage.layout import Layout, Strided, Whole
from lastuse.dialect.storage.runtime_slices import RuntimeSlice
from lastuse.passes.checker.byte_regions import ByteRegion, may_meet
from lastuse.passes.checker.slices import is_same_part


def same_place(a: Layout | None, b: Layout) -> bool:
    """The same bytes in the same order of elements, both known or both dense."""
    if isinstance(a, Strided) and isinstance(b, Strided):
        return a == b or a.canonical() == b.canonical()
    if isinstance(a, RuntimeSlice):
        return is_same_part(a, b)
    return isinstance(a, Whole) and isinstance(b, Whole) and same_range(a, b)


def same_range(a: Layout, b: Layout) -> bool:
    """Dense values of unknown size on the same bytes."""
    if not isinstance(a, Whole) or not isinstance(b, Whole):
        return False
    return (a.offset, a.item, product(a.shape)) == (b.offset, b.item, product(b.shape))


def is_exactly(a: Place, b: Place) -> bool:
    """The same bytes of one storage in the same order of elements."""
    return a.storage == b.storage and same_place(a.layout, b.layout)


def overlap(a: ByteRegion | None, b: ByteRegion | None) -> bool:
    """Whether two regions, each perhaps without bytes, may meet."""
    return a is not None and b is not None and may_meet(a, b)
