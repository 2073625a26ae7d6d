"""Shapes that small tensors hold, where some sizes are not known: of reshape, expand and slice with operands."""

from __future__ import annotations

from collections.abc import Sequence

from lastuse.dialect.dnn.attributes import axis_of
from lastuse.dialect.dnn.partial_attributes import PartialAttributes
from lastuse.dialect.dnn.subsets import Cut
from lastuse.dialect.ir.tensor_types import Dim, Poly, broadcast, product, quotient

Sizes = tuple[Dim | None, ...]
_BEYOND = (1 << 31) - 1


def reshaped(shape: Sizes, stated: Sizes, allowzero: bool) -> Sizes:
    """The shape of a reshape to `stated`: 0 is the operand's size unless `allowzero`, -1 what is left."""
    sizes: list[Dim | None] = []
    for axis, size in enumerate(stated):
        copied = size == 0 and not allowzero
        if copied and axis >= len(shape):
            raise ValueError("a 0 in shape stands where x has no axis")
        sizes.append(shape[axis] if copied else size)
    if -1 not in sizes:
        return tuple(sizes)
    hole = sizes.index(-1)
    others = [size for axis, size in enumerate(sizes) if axis != hole]
    left: Dim | None = None
    if None not in others and None not in shape:
        left = quotient(product(_known(shape)), product(_known(others)))
    return tuple(left if axis == hole else size for axis, size in enumerate(sizes))


def reshape_attribute(shape: Sizes, stated: Sizes, allowzero: bool) -> tuple[int, ...] | None:
    """`stated` with 0 for sizes of the operand and -1 for one other that is not known, where that is proved to be what
    is left; None where there is no such spelling."""
    numbers: list[int] = []
    for axis, size in enumerate(stated):
        if isinstance(size, int):
            numbers.append(size)
        elif size is not None and not allowzero and axis < len(shape) and shape[axis] == size:
            numbers.append(0)
        elif size is not None and -1 not in (*stated, *numbers):
            numbers.append(-1)
        else:
            return None
    if allowzero and 0 in numbers and -1 in numbers:
        return None
    spelled = reshaped(shape, tuple(numbers), allowzero)
    if None in spelled:
        return None
    same = all(have == want or want in (0, -1) for have, want in zip(spelled, stated, strict=True))
    return tuple(numbers) if same else None


def expanded(shape: Sizes, stated: Sizes) -> Sizes:
    """The broadcast of both; None where a size is not known to be one of them."""
    rank = max(len(shape), len(stated))
    pairs = zip((1,) * (rank - len(shape)) + shape, (1,) * (rank - len(stated)) + stated, strict=True)
    return tuple(_broadcast(have, want) for have, want in pairs)


def _broadcast(have: Dim | None, want: Dim | None) -> Dim | None:
    if have is None or want is None:
        known = want if have is None else have
        return known if isinstance(known, int) and known != 1 else None
    return broadcast((have,), (want,))[0]


def expand_attribute(shape: Sizes, stated: Sizes) -> tuple[int, ...] | None:
    """`stated` with 1 for sizes of the operand; None where there are others that are not known."""
    numbers: list[int] = []
    for axis, size in enumerate(stated, start=len(shape) - len(stated)):
        if isinstance(size, int):
            numbers.append(size)
        elif size is not None and axis >= 0 and shape[axis] == size:
            numbers.append(1)
        else:
            return None
    return tuple(numbers)


def sliced(shape: Sizes, known: PartialAttributes) -> Sizes:
    """The shape of a slice: sizes of axes that are cut at unknown places are not known, but for the whole axis."""
    starts, ends = known.sizes("starts"), known.sizes("ends")
    axes = known.numbers("axes") if "axes" in known else tuple(range(len(starts)))
    steps = known.sizes("steps") if "steps" in known else (1,) * len(starts)
    if axes is None:
        return (None,) * len(shape)
    sizes = list(shape)
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        number = axis_of(axis, len(shape))
        sizes[number] = _cut(number, shape[number], start, end, step)
    return tuple(sizes)


def _cut(axis: int, size: Dim | None, start: Dim | None, end: Dim | None, step: Dim | None) -> Dim | None:
    if isinstance(end, Poly) and end == size:
        end = _BEYOND
    if size is None or not isinstance(start, int) or not isinstance(end, int) or not isinstance(step, int) or not step:
        return None
    return Cut(axis, start, end, step).size(size)


def slice_ends(shape: Sizes, known: PartialAttributes) -> tuple[int, ...] | None:
    """The ends of a slice, where each is a number or the size of its axis; None where they cannot be told."""
    ends, axes = known.sizes("ends"), known.numbers("axes") if "axes" in known else None
    axes = tuple(range(len(ends))) if axes is None and "axes" not in known else axes
    if axes is None or len(axes) != len(ends):
        return None
    numbers: list[int] = []
    for axis, end in zip(axes, ends, strict=True):
        if isinstance(end, Poly) and end == shape[axis_of(axis, len(shape))]:
            end = (1 << 63) - 1
        if not isinstance(end, int):
            return None
        numbers.append(end)
    return tuple(numbers)


def _known(sizes: Sequence[Dim | None]) -> list[Dim]:
    return [size for size in sizes if size is not None]
