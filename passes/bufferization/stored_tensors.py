"""Memrefs of tensors that one block stores to and reads, as tensors.

Each store makes the next tensor, and each read is one of the tensor that is there then. So the decisions say whether a
store needs a copy: it needs none where the tensor may be written and is not read later.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import bufferization, memref, tensor
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.linalg_loops import loops_of
from lastuse.passes.bufferization.op_replacement import OpReplacement


def stored_tensor(op: Operation, moved: Callable[[SSAValue, SSAValue, Operation], Operation]) -> bool:
    """Puts tensors in the place of the memref of one. False, and nothing is changed, where the memref is used in other
    blocks, by views, or by ops that are not known to store to it.

    Args:
        moved: the op that copies a tensor into a memref, in the place of an op.
    """
    source, memrefs = op.operands[0], list[SSAValue](op.results)
    users: dict[Operation, None] = {}
    for made in memrefs:
        for use in made.uses:
            users[use.operation] = None
            if isinstance(use.operation, memref.CastOp) and isinstance(use.operation.dest.type, MemRefType):
                memrefs.append(use.operation.dest)
    known = set(memrefs)
    if not all(user.parent is op.parent and _is_known(user, known) for user in users):
        return False
    assert op.parent is not None
    ordered = [user for user in op.parent.ops if user in users]
    current, casts = source, [op]
    for user in ordered:
        at = OpReplacement(user)
        match user:
            case memref.CastOp():
                casts.append(user)
                continue
            case memref.StoreOp():
                current = at.add(tensor.InsertOp(user.value, current, user.indices))
                at.replace()
            case memref.LoadOp():
                at.replace(at.add(tensor.ExtractOp(current, user.indices, user.res.type)))
            case memref.DimOp():
                at.replace(at.add(tensor.DimOp(source, user.operands[1])))
            case memref.CopyOp():
                Rewriter.replace_op(user, moved(current, user.operands[1], user), [])
            case bufferization.ToTensorOp():
                type_ = user.tensor.type
                at.replace(current if current.type == type_ else at.add(tensor.CastOp(current, type_)))  # pyright: ignore
            case _:
                current = _computed(user, current, known, at)
                at.replace()
    for cast in reversed(casts):
        cast.detach()
        cast.erase()
    return True


def _is_known(user: Operation, memrefs: set[SSAValue]) -> bool:
    """The op casts the memref, loads from it, stores to it or computes into it."""
    mine = [k for k, v in enumerate(user.operands) if v in memrefs]
    match user:
        case memref.CastOp():
            return isinstance(user.dest.type, MemRefType)
        case memref.LoadOp() | memref.DimOp() | memref.CopyOp():
            return mine == [0]
        case memref.StoreOp():
            return mine == [1]
        case bufferization.ToTensorOp():
            return isinstance(user.tensor.type, TensorType)
        case LinalgStructuredOperation():
            shaped = [k for k, v in enumerate(user.operands) if isinstance(v.type, MemRefType)]
            return mine == shaped == [len(user.operands) - 1] and not user.results and loops_of(user).ins in mine
        case _:
            return False


def _computed(op: Operation, into: SSAValue, memrefs: set[SSAValue], at: OpReplacement) -> SSAValue:
    """What an op of `linalg` on memrefs leaves in one of them, on tensors."""
    operands = [into if v in memrefs else v for v in op.operands]
    regions = [op.detach_region(region) for region in [*op.regions]]
    return at.add(
        type(op).create(
            operands=operands,
            result_types=[into.type],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            regions=regions,
        )
    )
