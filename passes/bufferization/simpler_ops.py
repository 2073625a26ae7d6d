"""Ops that have no memref form of their own, as others that have one.

A `tensor.pad` is a tensor that is filled, into which the source is inserted: so the source may be computed in its part.
A `tensor.generate` is a `linalg.generic` without inputs, and so is what a `tensor.pad` puts around its source where
that depends on where it stands. A `tensor.reshape` joins all axes, and cuts what it has. An `scf.index_switch` is a
chain of `scf.if`. A transfer in a `vector.mask` has that mask itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    TensorType,
    UnrankedTensorType,
    UnregisteredOp,
    i32,
    i64,
)
from xdsl.dialects.func import CallOp
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import FillOp, GenericOp, IndexOp, YieldOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator

from lastuse.dialect.ir.diagnostics import LastuseError, inherit, op_name
from lastuse.dialect.ir.flow_graphs import is_inside, operands_of
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.ir.remembered import is_a
from lastuse.dialect.ir.unranked_layout import lay_out_unranked
from lastuse.dialect.ir.unranked_tensors import is_unranked
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.bufferization.forms import form_of
from lastuse.passes.bufferization.memref_types import Index, all_axes, mixed_indices
from lastuse.passes.bufferization.op_replacement import OpReplacement, insertion, shape_of
from lastuse.passes.bufferization.tensor_memrefs import (
    copy_before_joins,
    memref_of_tensor,
    rank_tensors,
    size_of_tensor,
)


def simplify_ops(listing: OpListing) -> None:
    """Puts other ops in the place of those that have no memref form of their own.

    Raises:
        LastuseError: an op has tensors of unknown rank, and its form is that of some rank.
    """
    rank_tensors(listing)
    for op in reversed(listing.of(lambda op_class: op_class.name in _SIMPLER or issubclass(op_class, UnregisteredOp))):
        simplify = _SIMPLER.get(op_name(op))
        if simplify is not None:
            simplify(op)
            listing.changed()
    if not lay_out_unranked(listing):
        return
    for op in reversed(listing.ops):  # those inside others first
        if any(map(is_unranked, (*operands_of(op), *op.results))) and not _takes_any_rank(op):
            raise LastuseError(f"'{op_name(op)}' of a tensor of unknown rank has no memref form", op)
    copy_before_joins(listing)


def _takes_any_rank(op: Operation) -> bool:
    """The op asks a tensor for its sizes, views all of it, or passes it on."""
    form = form_of(op)
    if form is None:
        return bool(op.regions) or is_a(op, CallOp) or op.has_trait(IsTerminator, value_if_unregistered=False)
    return form.any_rank or bool(contract_of(op).forwards)


def _known_size(of: SSAValue, axis: int) -> tuple[Index, int | None]:
    """A size of a tensor, as a number or index; or an earlier tensor that has it, and the axis along which."""
    while isinstance(of, OpResult) and shape_of(of)[axis] == DYNAMIC_INDEX:
        contract, number = contract_of(of.op), of.index
        sized = [k for result, along, k in contract.sized_by if (result, along) == (number, axis)]
        if sized:
            return of.op.operands[sized[0]], None
        same = dict(contract.same_shape)
        if number not in same:
            break
        of = of.op.operands[same[number]]
    n = shape_of(of)[axis]
    return (n, None) if n != DYNAMIC_INDEX else (of, axis)


def _computed(body: Region, into: SSAValue, before: OpReplacement) -> SSAValue:
    """A tensor each element of which a body computes of its indices, in the place `into`. What the body does not
    compute of them is one element, or one size, for all."""
    old, type_ = body.block, into.type
    assert isinstance(type_, TensorType)
    for op in [*old.ops]:
        if isinstance(op, arith.ConstantOp | tensor.DimOp) and not any(is_inside(v, before.op) for v in op.operands):
            op.detach()
            before.add(op)
    last = old.last_op
    assert last is not None
    (element,) = last.operands
    if not is_inside(element, before.op):
        last.detach()
        last.erase()
        return before.add(FillOp([element], [into], [type_]))
    indices = [IndexOp(axis) for axis in range(len(old.args))]
    inherit(indices, before.op)
    for argument, index in zip([*old.args], indices, strict=True):
        argument.replace_all_uses_with(index.results[0])
        old.erase_arg(argument)
    if (first := old.first_op) is not None:
        old.insert_ops_before(indices, first)
    old.insert_arg(type_.element_type, 0)
    inherit(end := YieldOp(last.operands[0]), last)  # which is another value where the body yields an index
    Rewriter.replace_op(last, end, [])
    rank = len(type_.get_shape())
    maps = ArrayAttr([AffineMapAttr(AffineMap.identity(rank))])
    kinds = ArrayAttr([IteratorTypeAttr.parallel()] * rank)
    return before.add(GenericOp([], [into], before.op.detach_region(body), maps, kinds, [type_]))


def _take_cast(op: tensor.PadOp) -> None:
    """A result that is only cast to known sizes has these, where the cast runs whenever the op does."""
    uses = [use.operation for use in op.result.uses]
    cast = uses[0] if len(uses) == 1 else None
    if cast is None or cast.parent is not op.parent:
        return
    if isinstance(cast, tensor.CastOp) and isinstance(type_ := cast.dest.type, TensorType):
        pairs = [*zip(op.result.type.get_shape(), type_.get_shape(), strict=True)]
        if all(have in (DYNAMIC_INDEX, want) for have, want in pairs):
            Rewriter.replace_op(cast, [], [Rewriter.replace_value_with_new_type(op.result, type_)])


def _pad(op: Operation) -> None:
    assert isinstance(op, tensor.PadOp)
    _take_cast(op)
    before, type_ = OpReplacement(op), op.result.type
    if op.region.blocks.first is None:
        return
    low, high = mixed_indices(op.static_low, op.low), mixed_indices(op.static_high, op.high)
    known = [_known_size(op.source, axis) for axis in range(len(low))]
    used = [v for around in op.region.walk() for v in around.operands]
    before.before_source(op.source, [*op.low, *op.high, *used, *(n for n, _ in known if isinstance(n, SSAValue))])
    inner = [n if axis is None or isinstance(n, int) else before.size(n, axis) for n, axis in known]
    sizes = [before.plus(before.plus(a, n), b) for a, n, b in zip(low, inner, high, strict=True)]
    whole = _computed(op.region, before.empty(sizes, type_), before)
    before.at = op
    before.replace(before.add(insertion(op.source, whole, low, inner, [1] * len(low))))


def _generate(op: Operation) -> None:
    type_ = op.results[0].type
    if not isinstance(type_, TensorType) or len(op.regions) != 1 or op.regions[0].blocks.first is None:
        return
    sizes = iter(op.operands)
    before = OpReplacement(op)
    into = before.empty([next(sizes) if n == DYNAMIC_INDEX else n for n in type_.get_shape()], type_)
    before.replace(_computed(op.regions[0], into, before))


def _rank(op: Operation) -> None:
    if isinstance(type_ := op.operands[0].type, TensorType):
        before = OpReplacement(op)
        before.replace(before.number(len(type_.get_shape())))


def _reshape(op: Operation) -> None:
    """By one axis; the sizes are the elements that the shape is made of, or those that it has."""
    assert isinstance(op, tensor.ReshapeOp)
    old, new = op.source.type, op.result.type
    if not isinstance(old, TensorType) or not old.get_shape() or not new.get_shape():
        return
    before, flat, element = OpReplacement(op), op.source, new.element_type
    if len(old.get_shape()) > 1:
        total = _elements(old)
        flat = before.add(_joined(flat, TensorType(element, [total])))
    total = _elements(new)
    if shape_of(flat) != (total,):
        flat = before.add(tensor.CastOp(flat, TensorType(element, [total])))
    if len(new.get_shape()) == 1:
        before.replace(flat)
        return
    unknown = [_stated_size(op.shape, axis, before) for axis, n in enumerate(new.get_shape()) if n == DYNAMIC_INDEX]
    before.replace(before.add(_split(flat, unknown, new)))


def _stated_size(shape: SSAValue, axis: int, before: OpReplacement) -> SSAValue:
    """Size `axis` that a tensor of sizes says, as an index."""
    if isinstance(shape.owner, tensor.FromElementsOp):
        size = shape.owner.operands[axis]
    else:
        size = before.add(tensor.ExtractOp(shape, [before.number(axis)], shape.type.element_type))  # pyright: ignore
    return size if isinstance(size.type, IndexType) else before.add(arith.IndexCastOp(size, IndexType()))


def _elements(type_: TensorType) -> int:
    total = 1
    for n in type_.get_shape():
        total = DYNAMIC_INDEX if DYNAMIC_INDEX in (n, total) else total * n
    return total


def _joined(value: SSAValue, type_: TensorType) -> Operation:
    reassociation = all_axes(len(shape_of(value)))
    return tensor.CollapseShapeOp.build(
        operands=[value], result_types=[type_], properties={"reassociation": reassociation}
    )


def _split(value: SSAValue, unknown: Sequence[SSAValue], type_: TensorType) -> Operation:
    shape = type_.get_shape()
    return tensor.ExpandShapeOp.build(
        operands=[value, list(unknown)],
        result_types=[type_],
        properties={
            "reassociation": all_axes(len(shape)),
            "static_output_shape": DenseArrayBase.from_list(i64, list(shape)),
        },
    )


def _index_switch(op: Operation) -> None:
    assert isinstance(op, scf.IndexSwitchOp)
    before, types = OpReplacement(op), [r.type for r in op.results]
    if not any(isinstance(t, TensorType | UnrankedTensorType) for t in types) and not any(
        isinstance(v.type, TensorType | UnrankedTensorType) for inner in op.walk() for v in inner.operands
    ):
        return
    cases = [int(n) for n in op.cases.get_values()]
    regions = [op.detach_region(region) for region in [*op.case_regions]]
    otherwise = op.detach_region(op.default_region)
    while cases:
        inner = Block()
        number = arith.ConstantOp(IntegerAttr.from_index_int_value(cases.pop()))
        flag = arith.CmpiOp(op.arg, number.result, "eq")
        made = scf.IfOp(flag.result, types, regions.pop(), otherwise)
        inherit((number, flag, made), op)
        inner.add_ops((number, flag, made))
        if not cases:
            for one in [*inner.ops]:
                one.detach()
                _add(one, before)
            before.replace(*made.results)
            return
        inherit(end := scf.YieldOp(*made.results), op)
        inner.add_op(end)
        otherwise = Region(inner)
    _inline(otherwise, before)


def _add(op: Operation, before: OpReplacement) -> None:
    assert before.op.parent is not None
    before.op.parent.insert_op_before(op, before.op)


def _inline(region: Region, before: OpReplacement) -> None:
    """The ops of a region that always runs."""
    last = region.block.last_op
    assert last is not None
    values = list(last.operands)
    last.detach()
    for op in [*region.block.ops]:
        op.detach()
        _add(op, before)
    last.drop_all_references()
    before.replace(*values)


_TRANSFERS = ("vector.transfer_read", "vector.transfer_write")


def _masked(op: Operation) -> None:
    """A transfer in a `vector.mask` is one with that mask."""
    last = op.regions[0].block.last_op if len(op.regions) == 1 and len(op.regions[0].blocks) == 1 else None
    inner = last.prev_op if last is not None else None
    segments = inner.properties.get("operandSegmentSizes") if inner is not None else None
    passed = last is not None and inner is not None and [*last.operands] == [*inner.results]
    if inner is None or not isinstance(segments, DenseArrayBase) or len(op.operands) != 1 or not passed:
        return
    counts = [int(n) for n in segments.get_values()]
    if op_name(inner) not in _TRANSFERS or inner.prev_op is not None or counts[-1]:
        return
    made = type(inner).create(
        operands=[*inner.operands, op.operands[0]],
        result_types=[r.type for r in inner.results],
        properties={**inner.properties, "operandSegmentSizes": DenseArrayBase.from_list(i32, [*counts[:-1], 1])},
        attributes=dict(inner.attributes),
    )
    before = OpReplacement(op)
    inherit(made, inner)
    _add(made, before)
    before.replace(*made.results)


def _given_back(op: Operation) -> None:
    """Memory is given back where the decisions say."""
    op.detach()
    op.erase()


_SIMPLER = {
    "bufferization.to_buffer": memref_of_tensor,
    "bufferization.to_memref": memref_of_tensor,
    "tensor.dim": size_of_tensor,
    "tensor.pad": _pad,
    "tensor.generate": _generate,
    "tensor.rank": _rank,
    "tensor.reshape": _reshape,
    "scf.index_switch": _index_switch,
    "vector.mask": _masked,
    "bufferization.dealloc_tensor": _given_back,
}
