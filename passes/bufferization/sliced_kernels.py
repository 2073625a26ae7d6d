"""Kernels of which only slices are used, as kernels of slices.

An op of `linalg`, `arith` or `math` whose result only slices use computes elements that are not used, and a slice of
its memory that is returned is copied. The op computes each slice, from slices of its operands: each element is computed
as before. This goes on with what makes the operands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from xdsl.dialects import arith, linalg, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg.ops import GenericOp, IndexOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.element_of_input import ElementOfInputOp
from lastuse.dialect.ir.flow_graphs import listed_ops, ops_within
from lastuse.dialect.ir.linalg_loops import maps_of
from lastuse.dialect.storage.index_arithmetic import constant_of
from lastuse.passes.bufferization.memref_types import Index, mixed_indices, reassociation
from lastuse.passes.bufferization.op_replacement import OpReplacement, shape_of

_ELEMENTWISE = frozenset({"arith", "math"})


class Axis(NamedTuple):
    """What a slice takes along an axis: from element `offset` on `size` elements, `stride` apart."""

    offset: Index
    size: Index
    stride: Index


class KernelSlice(NamedTuple):
    """A slice of the result of `op`, which only slices use.

    Attributes:
        axes: by loop, what the slice takes of it; other loops run as before.
        operands: of each operand, by axis, what is taken along it; other axes are taken whole.
    """

    op: Operation
    part: tensor.ExtractSliceOp
    axes: Mapping[int, Axis]
    operands: Sequence[Mapping[int, Axis]]


def has_sliced_kernels(func: FuncOp) -> bool:
    """Some op of a function computes a tensor of which only slices are used."""
    return any(True for _ in _sliced(func))


def takes_of_sliced(op: Operation) -> bool:
    """Whether an op is a slice of a tensor of which only slices are used, and which could be computed in these. In a
    part of a function there is no such slice that is none in all of it."""
    return isinstance(op, tensor.ExtractSliceOp) and _kernel_slice(op) is not None


def slice_kernels(func: FuncOp) -> None:
    """Lets ops compute the slices alone. The function computes the same."""
    while (found := next(_sliced(func), None)) is not None:
        _put(found)


# Which


def _sliced(func: FuncOp) -> Iterator[KernelSlice]:
    for part in listed_ops(func):
        if isinstance(part, tensor.ExtractSliceOp) and (found := _kernel_slice(part)) is not None:
            yield found


def _kernel_slice(part: tensor.ExtractSliceOp) -> KernelSlice | None:
    op = part.source.owner
    if not isinstance(op, Operation) or op.parent is not part.parent or len(op.results) != 1:
        return None
    maps = _maps(op) if _has_slices_alone(part.source) else None
    if maps is None:
        return None
    loops = [e.position for e in maps[-1].results if isinstance(e, AffineDimExpr)]
    if len(loops) != len(maps[-1].results) or len({*loops}) != len(loops):
        return None
    sizes = zip(loops, _axes(part), shape_of(part.source), strict=True)
    axes = {loop: axis for loop, axis, size in sizes if tuple(map(_known, axis)) != (0, size, 1)}
    trips = _trips(op, maps)
    operands = list[Mapping[int, Axis]]()
    for map_ in maps[: len(op.operands)]:
        sliced = [(n, e) for n, e in enumerate(map_.results) if not axes.keys().isdisjoint(e.used_dims())]
        taken = {n: axis for n, e in sliced if (axis := _taken(e, axes, trips)) is not None}
        if len(taken) < len(sliced):
            return None
        operands.append(taken)
    return KernelSlice(op, part, axes, operands) if axes else None


def _has_slices_alone(value: SSAValue) -> bool:
    """Only slices use a value, in its block; several have no more elements than it."""
    users = [use.operation for use in value.uses]
    parts = [user for user in users if isinstance(user, tensor.ExtractSliceOp)]
    if not isinstance(value.owner, Operation) or any(user.parent is not value.owner.parent for user in users):
        return False
    shapes = [shape_of(value), *(part.static_sizes.get_values() for part in parts)]
    few = all(n >= 0 for shape in shapes for n in shape) and sum(map(prod, shapes[1:])) <= prod(shapes[0])
    return len(parts) == len(users) and (len(parts) == 1 or few)


def _maps(op: Operation) -> Sequence[AffineMap] | None:
    """The maps of operands of an op, the result's last; None where an element depends on more than these."""
    if op_name(op).startswith(f"{linalg.Linalg.name}."):
        inner = ops_within(op)[1:]
        bound = any(isinstance(i, tensor.ExtractOp | ElementOfInputOp) for i in inner)
        bound |= not isinstance(op, GenericOp) and any(op_name(i) == IndexOp.name for i in inner)
        maps = maps_of(op) if not bound else None
        return maps if maps is not None and len(maps) == len(op.operands) else None
    if op.dialect_name() in _ELEMENTWISE and not op.regions and op.operands:
        shape = shape_of(op.results[0])
        tensors = [isinstance(v.type, TensorType) for v in op.operands]
        if any(shape_of(v) != shape for v, is_tensor in zip(op.operands, tensors, strict=True) if is_tensor):
            return None
        whole, none = AffineMap.identity(len(shape)), AffineMap(len(shape), 0, ())
        return [*(whole if is_tensor else none for is_tensor in tensors), whole]
    return None


def _trips(op: Operation, maps: Sequence[AffineMap]) -> dict[int, int]:
    """How often loops run, as far as the sizes of operands say it."""
    trips = dict[int, int]()
    for value, map_ in zip(op.operands, maps, strict=False):
        for e, size in zip(map_.results, shape_of(value) if map_.results else (), strict=True):
            if isinstance(e, AffineDimExpr) and size >= 0:
                trips[e.position] = size
    return trips


def _axes(part: tensor.ExtractSliceOp) -> list[Axis]:
    lists = (
        mixed_indices(part.static_offsets, part.offsets),
        mixed_indices(part.static_sizes, part.sizes),
        mixed_indices(part.static_strides, part.strides),
    )
    return [Axis(*numbers) for numbers in zip(*lists, strict=True)]


def _known(index: Index) -> Index:
    return index if isinstance(index, int) else constant_of(index)


def _taken(expression: AffineExpr, axes: Mapping[int, Axis], trips: Mapping[int, int]) -> Axis | None:
    """What a slice takes along an axis that a map makes of loops; None where that is not known."""
    if isinstance(expression, AffineDimExpr):
        return axes[expression.position]
    terms = _terms(expression)
    if terms is None:
        return None
    offset, size = 0, terms.pop(-1, 0) + 1
    for loop, factor in terms.items():
        axis = axes.get(loop, Axis(0, trips.get(loop, DYNAMIC_INDEX), 1))
        first, count = _known(axis.offset), _known(axis.size)
        if not isinstance(first, int) or not isinstance(count, int) or count < 1 or axis.stride != 1:
            return None
        offset, size = offset + factor * first, size + factor * (count - 1)
    return Axis(offset, size, 1)


def _terms(expression: AffineExpr) -> dict[int, int] | None:
    """The factors of loops, none below 0, and at -1 what is added; None for an expression of another kind."""
    match expression:
        case AffineDimExpr():
            return {expression.position: 1}
        case AffineConstantExpr() if expression.value >= 0:
            return {-1: expression.value}
        case AffineBinaryOpExpr(AffineBinaryOpKind.Add, one, other):
            a, b = _terms(one), _terms(other)
            return None if a is None or b is None else {k: a.get(k, 0) + b.get(k, 0) for k in (*a, *b)}
        case AffineBinaryOpExpr(AffineBinaryOpKind.Mul, one, AffineConstantExpr(factor)) if factor >= 0:
            a = _terms(one)
            return None if a is None else {k: n * factor for k, n in a.items()}
        case _:
            return None


# How


def _put(found: KernelSlice) -> None:
    op, part, axes, taken = found
    at = OpReplacement(part)
    operands = [_slice(v, axes_of, at) for v, axes_of in zip(op.operands, taken, strict=True)]
    type_ = _type_of([axis.size for axis in _axes(part)], part.source.type)
    made = type(op).create(
        operands=operands,
        result_types=[type_],
        properties=op.properties,
        attributes=op.attributes,
        regions=[region.clone() for region in op.regions],
    )
    result = at.add(made)
    _move_indices(made, axes)
    if type_ != part.result.type:
        groups = reassociation(_groups(type_.get_shape(), shape_of(part.result)))
        properties: dict[str, Attribute] = {"reassociation": groups}
        made = tensor.CollapseShapeOp.create(operands=[result], result_types=[part.result.type], properties=properties)
        result = at.add(made)
    at.replace(result)
    if op.results[0].first_use is None:
        op.detach()
        op.erase()


def _slice(value: SSAValue, taken: Mapping[int, Axis], at: OpReplacement) -> SSAValue:
    """What is taken of an operand; of a tensor without contents one that is as large."""
    if not taken:
        return value
    whole = [taken.get(n, Axis(0, size, 1)) for n, size in enumerate(shape_of(value))]
    lists = (
        [axis.offset for axis in whole],
        [axis.size if n in taken else at.size(value, n) for n, axis in enumerate(whole)],
        [axis.stride for axis in whole],
    )
    type_ = _type_of(lists[1], value.type)
    if isinstance(value.owner, tensor.EmptyOp):
        return at.empty(lists[1], type_)
    return at.add(tensor.ExtractSliceOp(value, *lists, type_))


def _move_indices(op: Operation, axes: Mapping[int, Axis]) -> None:
    """Lets the numbers of loops in a body be those of the elements that the slice takes."""
    for inner in ops_within(op)[1:]:
        axis = axes.get(inner.dim.value.data) if isinstance(inner, IndexOp) else None
        if axis is None:
            continue
        uses, after = [*inner.results[0].uses], inner.next_op
        assert after is not None
        at = OpReplacement(inner)
        at.at = after
        moved = at.add(arith.MuliOp(inner.results[0], at.value(axis.stride)))
        moved = at.add(arith.AddiOp(moved, at.value(axis.offset)))
        for use in uses:
            use.operation.operands[use.index] = moved


def _type_of(sizes: Sequence[Index], like: Attribute) -> TensorType:
    assert isinstance(like, TensorType)
    return TensorType(like.element_type, [n if isinstance(n, int) else DYNAMIC_INDEX for n in sizes])


def _groups(sizes: Sequence[int], wanted: Sequence[int]) -> list[list[int]]:
    """Groups of axes that become the axes `wanted`; an axis of size 1 that is left out goes with the next one."""
    groups, waiting = list[list[int]](), list[int]()
    for axis, size in enumerate(sizes):
        left, need = len(sizes) - axis, len(wanted) - len(groups)
        waiting.append(axis)
        if left == need or size != 1 or (need and wanted[len(groups)] == 1):
            groups.append(waiting)
            waiting = []
    if groups:
        groups[-1] += waiting
    return groups
