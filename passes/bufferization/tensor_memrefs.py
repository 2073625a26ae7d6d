"""Ops between tensors and memrefs or tensors of unknown rank, as ops that have a memref form.

Of the memref of a tensor (`bufferization.to_buffer`, `to_memref`) that is only loaded from or copied, the tensor is
read. One that its block alone stores to is a tensor for each store (`stored_tensors.py`). Any other one is memory of
its own, into which the tensor is copied: what is written there is not the tensor's. It ends with the block, unless it
is returned. What is asked of a tensor of unknown rank is asked of the one of known rank that it was cast from.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, bufferization, linalg, memref, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, TensorType, UnitAttr, UnrankedTensorType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator

from lastuse.dialect.ir.diagnostics import LastuseError, inherit, op_name
from lastuse.dialect.ir.flow_graphs import blocks_around, is_inside
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.ir.unranked_tensors import TensorRankOp, is_unranked
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.index_arithmetic import constant_of
from lastuse.passes.bufferization.memref_types import dense_type
from lastuse.passes.bufferization.op_replacement import OpReplacement, shape_of
from lastuse.passes.bufferization.stored_tensors import stored_tensor

_VIEWS = (memref.SubviewOp, memref.CastOp, memref.CollapseShapeOp, memref.ExpandShapeOp, memref.ReinterpretCastOp)


# Memrefs of tensors


def memref_of_tensor(op: Operation) -> None:
    """Puts loads of the tensor, or a copy of it, in the place of its memref.

    Raises:
        LastuseError: the memref is used where no memory of the block is.
    """
    source, result = op.operands[0], op.results[0]
    uses = [*result.uses]
    if not isinstance(source.type, TensorType) or not isinstance(result.type, MemRefType):
        return
    if all(isinstance(use.operation, memref.LoadOp | memref.DimOp | memref.CopyOp) and not use.index for use in uses):
        for use in uses:
            _read(use.operation, source)
        op.detach()
        op.erase()
        return
    if stored_tensor(op, _moved):
        return
    block, before = op.parent, OpReplacement(op)
    assert block is not None and block.last_op is not None
    users = [*_users(result)]
    for user in users:
        is_end = user.has_trait(IsTerminator) and not isinstance(user, ReturnOp)
        if is_end or not any(around is block for around in blocks_around(user)):
            raise LastuseError("the memref of a tensor is used behind the block that makes it: no memref form", op)
    sizes = [before.value(before.size(source, axis)) for axis, n in enumerate(shape_of(source)) if n < 0]
    made = before.add(memref.AllocOp(sizes, [], dense_type(source.type)))
    block.insert_op_before(_moved(source, made, op), op)
    if not any(isinstance(user, ReturnOp) for user in users):  # else it is the caller's
        inherit(end := memref.DeallocOp.get(made), op)
        block.insert_op_before(end, block.last_op)
        for user in users:
            if isinstance(user, bufferization.ToTensorOp) and _leaves(user):
                _copy_tensor(user)
    before.replace(made if made.type == result.type else before.add(memref.CastOp.get(made, result.type)))


def _read(op: Operation, source: SSAValue) -> None:
    """What an op reads of a memref, it reads of a tensor."""
    at = OpReplacement(op)
    match op:
        case memref.LoadOp():
            at.replace(at.add(tensor.ExtractOp(source, op.indices, op.res.type)))
        case memref.DimOp():
            at.replace(at.add(tensor.DimOp(source, op.operands[1])))
        case _:
            Rewriter.replace_op(op, _moved(source, op.operands[1], op), [])


def _moved(source: SSAValue, into: SSAValue, op: Operation) -> Operation:
    flags = {"restrict": UnitAttr(), "writable": UnitAttr()}
    made = bufferization.MaterializeInDestinationOp.create(operands=[source, into], properties=flags)
    inherit(made, op)
    return made


def _leaves(op: bufferization.ToTensorOp) -> bool:
    """A block passes on the tensor, or what is made of it."""
    reached = list[SSAValue](op.results) if isinstance(op.tensor.type, TensorType) else []
    for value in reached:
        for use in value.uses:
            if use.operation.has_trait(IsTerminator):
                return True
            reached += [v for v in use.operation.results if isinstance(v.type, TensorType) and v not in reached]
    return False


def _copy_tensor(op: bufferization.ToTensorOp) -> None:
    """The tensor of memory that ends with its block is a copy of it."""
    uses, after = [*op.tensor.uses], op.next_op
    assert op.parent is not None and after is not None
    at = OpReplacement(op)
    at.at = after
    made = at.add(bufferization.AllocTensorOp.build(operands=[[], op.tensor, []], result_types=[op.tensor.type]))
    for use in uses:
        use.operation.operands[use.index] = made


def _users(value: SSAValue) -> Iterator[Operation]:
    """The ops that use a memref or a view of it."""
    for use in value.uses:
        yield use.operation
        if isinstance(use.operation, _VIEWS):
            yield from _users(use.operation.results[0])


# Tensors of unknown rank


def rank_tensors(listing: OpListing) -> None:
    """Asks the tensors that are cast to unknown rank, in the place of the results, for sizes and elements."""
    for op in listing.of(lambda op_class: issubclass(op_class, tensor.CastOp)):
        assert isinstance(op, tensor.CastOp)
        if not isinstance(op.dest.type, UnrankedTensorType):
            continue
        listing.changed()
        for use in [*op.dest.uses]:
            user = use.operation
            if isinstance(user, tensor.CastOp) and isinstance(user.dest.type, TensorType):
                _cast_directly(user, op.source)
            elif use.index in contract_of(user).metadata_only:
                user.operands[use.index] = op.source
        if op.dest.first_use is None:
            op.detach()
            op.erase()


def _cast_directly(op: tensor.CastOp, source: SSAValue) -> None:
    if source.type == op.dest.type:
        Rewriter.replace_op(op, [], [source])
    elif isinstance(source.type, TensorType) and len(shape_of(source)) == len(shape_of(op.dest)):
        op.operands[0] = source


def copy_before_joins(listing: OpListing) -> None:
    """Copies what is cast from unknown rank where an op views several of its axes as one: it may be at any strides."""
    for op in listing.ops:
        source = op.operands[0] if any(len(group) > 1 for group in contract_of(op).joined_axes) else None
        if source is not None and _is_of_unknown_rank(source):
            before = OpReplacement(op)
            made = bufferization.AllocTensorOp.build(operands=[[], source, []], result_types=[source.type])
            op.operands[0] = before.add(made)
            listing.changed()


def _is_of_unknown_rank(value: SSAValue) -> bool:
    """The tensor is a view of one of unknown rank."""
    while isinstance(value, OpResult) and not is_unranked(value):
        view = contract_of(value.op).view_of(value.index)
        if view is None:
            return False
        value = value.op.operands[view.operand]
    return is_unranked(value)


# Sizes


def size_of_tensor(op: Operation) -> None:
    """A size along an axis that is known at run time only is one of all sizes. A size that the body of an op of
    `linalg` asks for is there before the op."""
    assert isinstance(op, tensor.DimOp)
    if not isinstance(op.source.type, TensorType):
        _size_of_unranked(op)
        return
    axis, before = constant_of(op.index), OpReplacement(op)
    around = op.parent_op()
    kernel = around if around is not None and op_name(around).startswith(f"{linalg.Linalg.name}.") else None
    if kernel is not None and not is_inside(op.source, kernel):
        before.at = kernel
    elif isinstance(axis, int):
        return
    rank = len(shape_of(op.source))
    if isinstance(axis, int):
        before.replace(before.add(tensor.DimOp(op.source, before.number(axis))))
        return
    if not rank:
        return
    sizes = [before.value(before.size(op.source, n)) for n in range(rank)]
    numbers = [before.number(n) for n in range(rank)]
    before.at, chosen = op, sizes[-1]
    for number, size in zip(numbers[:-1], sizes[:-1], strict=True):
        flag = before.add(arith.CmpiOp(op.index, number, "eq"))
        chosen = before.add(arith.SelectOp(flag, size, chosen))
    before.replace(chosen)


def _size_of_unranked(op: tensor.DimOp) -> None:
    """A size of a tensor of unknown rank that a body of element computations asks for: all sizes are listed before, in
    a tensor, and the body reads one of them."""
    around = op.parent_op()
    dialects = (linalg.Linalg.name, tensor.Tensor.name)
    if around is None or op_name(around).partition(".")[0] not in dialects or is_inside(op.source, around):
        return
    before = OpReplacement(op)
    before.at = around
    rank = before.add(TensorRankOp.create(operands=[op.source], result_types=[IndexType()]))
    type_ = TensorType(IndexType(), [DYNAMIC_INDEX])
    body = Block(arg_types=[IndexType(), type_])
    number, sizes = body.args
    size = tensor.DimOp(op.source, number)
    inserted = tensor.InsertOp(size.result, sizes, [number])
    body.add_ops(made := (size, inserted, scf.YieldOp(inserted.result)))
    inherit(made, op)
    empty = before.empty([rank], type_)
    loop = scf.ForOp(before.number(0), rank, before.number(1), [empty], body)
    listed = before.add(loop)
    before.at = op
    before.replace(before.add(tensor.ExtractOp(listed, [op.index], IndexType())))
