"""Types of memrefs and of views of them; a size or stride that is not known is `?`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
    i32,
    i64,
)
from xdsl.dialects.memref import AllocOp, SubviewOp
from xdsl.ir import Attribute, SSAValue

from lastuse.dialect.ir.attribute_values import numbers_of
from lastuse.dialect.ir.new_ops import new_op
from lastuse.dialect.ir.tensor_types import Dim
from lastuse.dialect.ir.unranked_tensors import is_unranked_type
from lastuse.dialect.storage.layout import ALIGNMENT, Layout, Strided, Whole

Memref = MemRefType[Attribute]
Index = int | SSAValue
"""A number, or a value of type `index` that is known at run time only."""


def type_of(memref: SSAValue) -> Memref:
    """The type of a value that is a memref of known rank."""
    assert isinstance(memref.type, MemRefType)
    return memref.type


@lru_cache(maxsize=1 << 10)
def dense_type(type_: TensorType[Attribute]) -> Memref:
    """Row-major memory of a tensor: the identity layout."""
    return MemRefType(type_.element_type, type_.get_shape())


def any_strides(type_: TensorType[Attribute]) -> Memref:
    """Memory of a tensor at any strides, from any offset on."""
    rank = len(type_.get_shape())
    return MemRefType(type_.element_type, type_.get_shape(), StridedLayoutAttr([None] * rank, None))


def boundary_type(type_: Attribute, strided: bool) -> Attribute:
    """What a tensor is where it crosses the boundary of a function; other types stay."""
    return memory_type(type_, strided) if isinstance(type_, TensorType) else type_


def memory_type(type_: TensorType[Attribute], strided: bool) -> Memref | UnrankedMemRefType:
    """Memory of a tensor, row-major unless `strided`. That of a tensor of unknown rank may be at any strides."""
    if is_unranked_type(type_):
        return UnrankedMemRefType.from_type(type_.element_type)
    return any_strides(type_) if strided else dense_type(type_)


def strides_of(type_: Memref) -> list[int | None]:
    """The stride of each axis in elements; None where it is not known."""
    strides = type_.get_strides()
    assert strides is not None
    return list(strides)


def is_contiguous(type_: Memref, axes: Sequence[int]) -> bool:
    """The type says that the axes run on into one another: they may be one axis."""
    strides, sizes = strides_of(type_), type_.get_shape()
    if isinstance(type_.layout, NoneAttr):
        return True
    wide = [a for a in axes if sizes[a] != 1]
    for outer, inner in pairwise(wide):
        step, size, stride = strides[outer], sizes[inner], strides[inner]
        if step is None or stride is None or size == DYNAMIC_INDEX or step != size * stride:
            return False
    return True


def strided_type(element: Attribute, sizes: Sequence[int], strides: Sequence[int | None], offset: int | None) -> Memref:
    """The type of a view; always with a strided layout."""
    return MemRefType(element, sizes, StridedLayoutAttr(strides, offset))


def static(index: Index) -> int:
    """The number, `?` for a value of run time."""
    return index if isinstance(index, int) else DYNAMIC_INDEX


def statics(indices: Sequence[Index]) -> tuple[int, ...]:
    """The numbers, `?` for values of run time."""
    return tuple([n if isinstance(n, int) else DYNAMIC_INDEX for n in indices])


def mixed_indices(static: DenseArrayBase[IntegerType], dynamic: Sequence[SSAValue]) -> list[Index]:
    """Numbers of which those that are not static are given as values."""
    values = iter(dynamic)
    return [next(values) if n == DYNAMIC_INDEX else n for n in numbers_of(static)]


def subview_type(
    source: Memref, offsets: Sequence[Index], sizes: Sequence[Index], strides: Sequence[Index], kept: Sequence[int]
) -> Memref:
    """The type of a subview of which the axes `kept` are left."""
    return _subview_type(source, *map(statics, (offsets, sizes, strides)), tuple(kept))


@lru_cache(maxsize=1 << 10)
def _subview_type(
    source: Memref, offsets: tuple[int, ...], sizes: tuple[int, ...], strides: tuple[int, ...], kept: tuple[int, ...]
) -> Memref:
    steps = strides_of(source)
    at = source.get_offset()
    for offset, step in zip(offsets, steps, strict=True):
        if offset == 0:
            continue
        at = None if at is None or step is None or offset == DYNAMIC_INDEX else at + offset * step
    scaled = [
        None if step is None or stride == DYNAMIC_INDEX else step * stride
        for step, stride in zip(steps, strides, strict=True)
    ]
    return strided_type(source.element_type, [sizes[a] for a in kept], [scaled[a] for a in kept], at)


def subview_of(
    source: SSAValue, offsets: Sequence[Index], sizes: Sequence[Index], strides: Sequence[Index], kept: Sequence[int]
) -> SubviewOp:
    """A subview, of which the axes `kept` are left. xDSL's own constructor makes all attributes anew."""
    numbers = [statics(offsets), statics(sizes), statics(strides)]
    dynamic = [[n for n in each if not isinstance(n, int)] for each in (offsets, sizes, strides)]
    type_ = _subview_type(type_of(source), *numbers, tuple(kept))
    properties = _subview_properties(*numbers, *map(len, dynamic))
    return new_op(SubviewOp, [source, *dynamic[0], *dynamic[1], *dynamic[2]], [type_], properties)


@lru_cache(maxsize=1 << 10)
def _subview_properties(
    offsets: tuple[int, ...], sizes: tuple[int, ...], strides: tuple[int, ...], *dynamic: int
) -> Mapping[str, Attribute]:
    return {
        "static_offsets": DenseArrayBase.from_list(i64, offsets),
        "static_sizes": DenseArrayBase.from_list(i64, sizes),
        "static_strides": DenseArrayBase.from_list(i64, strides),
        "operandSegmentSizes": segments(1, *dynamic),
    }


@cache
def segments(*counts: int) -> DenseArrayBase:
    """How many operands each group of them has."""
    return DenseArrayBase.from_list(i32, counts)


def kept_axes(sizes: Sequence[Index], wanted: Sequence[int]) -> list[int]:
    """The axes of a slice of `sizes` that are left in a value of shape `wanted`: sizes of 1 are dropped, from the
    first on, as upstream drops them."""
    if len(sizes) == len(wanted):
        return list(range(len(sizes)))
    kept: list[int] = []
    for axis, size in enumerate(sizes):
        left, need = len(sizes) - axis, len(wanted) - len(kept)
        fits = need > 0 and static(size) == wanted[len(kept)]
        if fits and not (size == 1 and left > need and can_skip(sizes[axis + 1 :], wanted[len(kept) :])):
            kept.append(axis)
    return kept


def can_skip(sizes: Sequence[Index], wanted: Sequence[int]) -> bool:
    """The shape `wanted` is left of `sizes` without some sizes of 1."""
    position = 0
    for size in sizes:
        if position < len(wanted) and static(size) == wanted[position]:
            position += 1
        elif size != 1:
            return False
    return position == len(wanted)


def _has_no_layout(type_: Memref) -> bool:
    """Upstream takes the layout for none: there is none, or it says of one axis what none says."""
    return isinstance(type_.layout, NoneAttr) or (list(strides_of(type_)) == [1] and type_.get_offset() == 0)


def expanded_type(source: Memref, groups: Sequence[Sequence[int]], sizes: Sequence[int]) -> Memref:
    """The type of `source` with each axis split into the axes of its group, as upstream infers it."""
    if _has_no_layout(source):
        return MemRefType(source.element_type, sizes)
    strides: list[int | None] = [1] * len(sizes)  # of axes of size 1 that come from none
    for step, group in zip(strides_of(source), groups, strict=True):
        for axis in reversed(group):
            strides[axis] = step
            step = None if step is None or sizes[axis] == DYNAMIC_INDEX else step * sizes[axis]
    return strided_type(source.element_type, sizes, strides, source.get_offset())


def collapsed_type(source: Memref, groups: Sequence[Sequence[int]], sizes: Sequence[int]) -> Memref:
    """The type of `source` with the axes of each group merged into one, as upstream infers it: an axis of unknown size
    behind others may have one element, so that its stride says nothing."""
    if _has_no_layout(source):
        return MemRefType(source.element_type, sizes)
    steps, shape = strides_of(source), source.get_shape()
    strides: list[int | None] = []
    for group in groups:
        axes = list(group)
        while len(axes) > 1 and shape[axes[-1]] == 1:
            axes.pop()
        strides.append(None if shape[axes[-1]] == DYNAMIC_INDEX and len(axes) > 1 else steps[axes[-1]])
    return strided_type(source.element_type, sizes, strides, source.get_offset())


def all_axes(rank: int) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    """The reassociation of all axes with one."""
    return reassociation([range(rank)])


def reassociation(groups: Sequence[Sequence[int]]) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    """The attribute of groups of axes, each of which is one axis."""
    return ArrayAttr([ArrayAttr([IntegerAttr(axis, i64) for axis in group]) for group in groups])


def with_sizes(type_: Memref, sizes: Sequence[int]) -> Memref:
    """The type of the same memory with other sizes, as far as these are known."""
    return MemRefType(type_.element_type, sizes, type_.layout)


def start_of(layout: Layout) -> Dim:
    """Byte of the storage that element 0 starts at; of bytes known at run time only, that of all they are part of."""
    return layout.offset if isinstance(layout, Strided | Whole) else layout.hull.offset


def aligned_alloc(sizes: Sequence[SSAValue], type_: Memref) -> AllocOp:
    """New memory that begins at a multiple of the alignment of storages."""
    return AllocOp(sizes, [], type_, IntegerAttr(ALIGNMENT, i64))
