"""Memory of the caller under the shape of another value that is all of it."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, MemRefType, TensorType, i64
from xdsl.ir import Attribute, SSAValue

from lastuse.passes.bufferization.emission import Emission
from lastuse.passes.bufferization.memref_types import (
    collapsed_type,
    expanded_type,
    is_contiguous,
    reassociation,
    type_of,
)


def in_shape(made: SSAValue, type_: TensorType, to: Emission) -> SSAValue | None:
    """The memref `made` under the shape of `type_`: with sizes that the one knows and the other does not, or of other
    axes without gaps. None where it is none of these."""
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
