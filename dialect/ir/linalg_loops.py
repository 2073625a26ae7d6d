"""The loops of a structured `linalg` op: the indexing map of each operand and the kind of each loop.

xDSL makes the maps of a named op anew whenever they are asked for. Of its own ops they follow from the class, the
properties and, unless the properties have them, the ranks of the operands, by which they are kept here: attributes
alone, no op.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import linalg
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import BroadcastOp, GenericOp
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from lastuse.dialect.ir.alike_ops import same_for_alike
from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.flow_graphs import operands_of
from lastuse.dialect.ir.remembered import remembered

MOST = 1 << 10
"""Answers that are kept; when there are more, all go."""


class LinalgLoops(NamedTuple):
    """Loops of an op.

    Attributes:
        ins: how many operands are inputs; the others are `outs`.
        maps: of each operand, from the loops to its axes.
        kinds: of each loop.
        parallel: no loop is a reduction.
        once: of each map, whether every loop is one axis and every axis one loop.
        alike: of each map, the number of the first map that equals it.
    """

    ins: int
    maps: tuple[AffineMap, ...]
    kinds: tuple[IteratorType, ...]
    parallel: bool
    once: tuple[bool, ...]
    alike: tuple[int, ...]


_OF_XDSL = frozenset(linalg.Linalg.operations)
_known: dict[tuple[object, ...], LinalgLoops] = {}


@remembered
def loops_of(op: LinalgStructuredOperation) -> LinalgLoops:
    """The loops of an op."""
    return _by_value(op) if type(op) in _OF_XDSL else _loops(op)


def _rank(type_: Attribute) -> int:
    return len(type_.get_shape()) if isinstance(type_, ShapedType) else -1


@same_for_alike
def _by_value(op: LinalgStructuredOperation) -> LinalgLoops:
    ranks = () if type(op) is GenericOp else tuple([_rank(value.type) for value in operands_of(op)])
    key = type(op), ranks, tuple(op.properties.items())
    found = _known.get(key)
    if found is None:
        if len(_known) >= MOST:
            _known.clear()
        found = _known[key] = _loops(op)
    return found


def _loops(op: LinalgStructuredOperation) -> LinalgLoops:
    maps = tuple(m.data for m in op.get_indexing_maps().data)
    kinds = tuple(k.data for k in op.get_iterator_types().data)
    parallel = all(kind is IteratorType.PARALLEL for kind in kinds)
    return LinalgLoops(
        len(op.inputs), maps, kinds, parallel, tuple(map(is_permutation, maps)), tuple(map(maps.index, maps))
    )


def maps_of(op: Operation) -> Sequence[AffineMap] | None:
    """The maps of the operands of any op of `linalg`, from its loops to their axes; None where they are not known."""
    if isinstance(op, LinalgStructuredOperation):
        return loops_of(op).maps
    dimensions = op.properties.get("dimensions")
    if isinstance(dimensions, DenseArrayBase) and op.operands:
        broadcasts = isinstance(op, BroadcastOp)
        loops = _rank(op.operands[-1 if broadcasts else 0].type)
        without = [AffineDimExpr(n) for n in range(loops) if n not in dimensions.get_values()]
        all_, some = AffineMap.identity(loops), AffineMap(loops, 0, tuple(without))
        count = len(op.operands) // 2
        return (some, all_) if broadcasts else (*[all_] * count, *[some] * count)
    if op_name(op) == "linalg.map" and op.operands:
        return [AffineMap.identity(_rank(op.operands[-1].type))] * len(op.operands)
    return carried_maps(op)


def carried_maps(op: Operation) -> list[AffineMap] | None:
    """The maps that an op in generic form says; None where it says none."""
    for name in ("indexing_maps", "linalg.memoized_indexing_maps"):
        maps = op.properties.get(name, op.attributes.get(name))
        if isinstance(maps, ArrayAttr) and len(maps.data) == len(operands_of(op)):
            found = [m.data for m in maps.data if isinstance(m, AffineMapAttr)]
            return found if len(found) == len(operands_of(op)) else None
    return None


def is_permutation(map_: AffineMap) -> bool:
    """Every loop is one axis, and every axis one loop."""
    axes = [e.position for e in map_.results if isinstance(e, AffineDimExpr)]
    return len(axes) == len(map_.results) and sorted(axes) == list(range(map_.num_dims))


def writes_each(map_: AffineMap, type_: Attribute) -> bool:
    """The loops write each element of an operand of that type once.

    An element that they leave out keeps what it had, and so does each where a loop that the map does not have runs over
    no element. An axis of size 1 needs no loop.
    """
    if is_permutation(map_):
        return True
    if not isinstance(type_, ShapedType) or len(type_.get_shape()) != len(map_.results):
        return False
    axes = list[int]()
    for expression, size in zip(map_.results, type_.get_shape(), strict=True):
        if isinstance(expression, AffineDimExpr):
            axes.append(expression.position)
        elif size != 1:
            return False
    return sorted(axes) == list(range(map_.num_dims))
