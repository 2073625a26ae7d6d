"""Memory of the caller under the shape of another value that is all of it."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, MemRefType, TensorType, i64
from xdsl.ir import Attribute, SSAValue

from lastuse.dialect.ir.unranked_tensors import is_unranked_type
from lastuse.passes.bufferization.emission import Emission
from lastuse.passes.bufferization.memref_types import (
    can_skip,
    collapsed_type,
    expanded_type,
    is_contiguous,
    kept_axes,
    reassociation,
    strided_type,
    strides_of,
    subview_type,
    type_of,
)


def in_shape(made: SSAValue, type_: TensorType, to: Emission) -> SSAValue | None:
    """The memref `made` under the shape of `type_`: with sizes that the one knows and the other does not, or of other
    axes without gaps. None where it is none of these. All of the memory is a tensor of unknown rank."""
    if is_unranked_type(type_) or not isinstance(made.type, MemRefType):
        return made if is_unranked_type(type_) else None
    have, sizes, wanted = type_of(made), type_of(made).get_shape(), type_.get_shape()
    if have.element_type != type_.element_type:
        return None
    if len(sizes) == len(wanted):
        pairs = list(zip(sizes, wanted, strict=True))
        if all(a == b or DYNAMIC_INDEX in (a, b) for a, b in pairs):
            known = [a if b == DYNAMIC_INDEX else b for a, b in pairs]
            if known == [*sizes]:
                return made
            return to.emit(memref.CastOp.get(made, MemRefType(have.element_type, known, have.layout)))
    return recut(made, wanted, to)


def with_axes(made: SSAValue, want: Sequence[int], to: Emission) -> SSAValue | None:
    """The memref `made` under other axes, at strides too. None where that is no view of the same elements in the same
    order, or sizes are not known."""
    type_ = type_of(made)
    have = type_.get_shape()
    same_rank = len(have) == len(want)
    if same_rank and all(a == b or DYNAMIC_INDEX in (a, b) for a, b in zip(have, want, strict=True)):
        return made
    if len(have) > len(want) and DYNAMIC_INDEX not in have and can_skip(have, want):
        kept = kept_axes(have, want)
        ones, zeros = [1] * len(have), [0] * len(have)
        part = subview_type(type_, zeros, list(have), ones, kept)
        return to.emit(memref.SubviewOp.get(made, zeros, list(have), ones, part))
    if (cut := recut(made, want, to)) is not None or same_rank:
        return cut or made
    known, offset = [s for s in strides_of(type_) if s is not None], type_.get_offset()
    if DYNAMIC_INDEX in (*want, *have) or len(known) < len(have) or offset is None:
        return None
    steps = [s for s, n in zip(known, have, strict=True) if n != 1]
    if len(steps) != len(want) - list(want).count(1):
        return None
    strides: list[int] = []
    run = 1  # an axis of size 1 is where it would be without gaps: upstream joins it with others only then
    for n in reversed(want):
        strides.insert(0, run if n == 1 else steps.pop())
        run = strides[0] * n
    new = strided_type(type_.element_type, want, strides, offset)
    return to.emit(memref.ReinterpretCastOp.from_dynamic(made, [offset], list(want), strides, new))


def recut(made: SSAValue, wanted: Sequence[int], to: Emission) -> SSAValue | None:
    """The memref `made` under other sizes, all known: its axes joined and cut in the fewest groups of one product each.
    None where that is no view of the same elements in the same order."""
    have = type_of(made)
    sizes = have.get_shape()
    pairs = _groups(sizes, wanted)
    if pairs is None or not all(is_contiguous(have, axes) for axes, _ in pairs):
        return None
    joined, cut = [axes for axes, _ in pairs], [axes for _, axes in pairs]
    products = [prod(sizes[a] for a in axes) for axes in joined]
    if len(joined) < len(sizes):
        type_ = collapsed_type(have, joined, products)
        properties: dict[str, Attribute] = {"reassociation": reassociation(joined)}
        made = to.emit(memref.CollapseShapeOp.build(operands=[made], result_types=[type_], properties=properties))
    if len(cut) < len(wanted):
        type_ = expanded_type(type_of(made), cut, wanted)
        shape = DenseArrayBase.from_list(i64, list(wanted))
        properties = {"reassociation": reassociation(cut), "static_output_shape": shape}
        made = to.emit(memref.ExpandShapeOp.build(operands=[made, []], result_types=[type_], properties=properties))
    return made


def _groups(have: Sequence[int], want: Sequence[int]) -> list[tuple[list[int], list[int]]] | None:
    """Neighbouring axes of two shapes with equal products, as few in a group as can be; None where the shapes have
    other numbers of elements, none, or no axis."""
    if DYNAMIC_INDEX in (*have, *want) or not have or not want or prod(have) != prod(want) or not prod(have):
        return None
    groups: list[tuple[list[int], list[int]]] = []
    left, right = 0, 0
    while left < len(have) and right < len(want):
        first, second = ([left], have[left]), ([right], want[right])
        left, right = left + 1, right + 1
        while first[1] != second[1]:
            if first[1] < second[1]:
                first, left = ([*first[0], left], first[1] * have[left]), left + 1
            else:
                second, right = ([*second[0], right], second[1] * want[right]), right + 1
        groups.append((first[0], second[0]))
    groups[-1][0].extend(range(left, len(have)))
    groups[-1][1].extend(range(right, len(want)))
    return groups
