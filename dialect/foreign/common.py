"""What the contracts of other dialects share."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.alike_ops import same_for_alike
from lastuse.dialect.ir.tensor_types import static_shape
from lastuse.dialect.storage.contract import FOREIGN, Contract, Contribution, InPlace
from lastuse.dialect.storage.layout import sliced

KERNEL = Contract(strided=True, pure=True, engines=frozenset())
"""Reads its operands and makes fresh results, nothing else; none of our engines runs it."""
CONSTANT = KERNEL._replace(constant=True)


def elementwise(op: Operation) -> Contract:
    """Element i of every result depends on element i of the operands that have the result's type, and on others that
    are broadcast or of another element type: over each of the former.

    An operand that is read at other indices than the result is written at has another type, so it is never exactly
    the same bytes, and repeating an operand is harmless. On scalars there is nothing to say: they carry no bytes.
    """
    return _elementwise(op) if any(map(is_tensor, op.results)) else FOREIGN


@same_for_alike
def _elementwise(op: Operation) -> Contract:
    over = tuple(
        InPlace(r, k, allow_same_operand=True)
        for r, result in enumerate(op.results)
        for k, operand in enumerate(op.operands)
        if operand.type == result.type
    )
    tensors = [k for k, operand in enumerate(op.operands) if is_tensor(operand)]
    same = tuple((r, tensors[0]) for r in range(len(op.results))) if len(tensors) == 1 else ()
    return KERNEL._replace(over=over, same_shape=same)


def elementwise_of_equal_sizes(op: Operation) -> Contract:
    """`elementwise`, where nothing is broadcast: every tensor has the same sizes."""
    contract = elementwise(op)
    if contract.foreign:
        return contract
    first = next(k for k, v in enumerate(op.operands) if is_tensor(v))
    return contract._replace(same_shape=tuple((r, first) for r in range(len(op.results))))


def sized(op: Operation, first: int = 0) -> tuple[tuple[int, int, int], ...]:
    """`Contract.sized_by` of an op whose operands from `first` on are the unknown sizes of its result, in order."""
    if first >= len(op.operands) or not is_tensor(op.results[0]):
        return ()
    unknown = [axis for axis, size in enumerate(static_shape(op.results[0].type)) if size is None]
    return tuple((0, axis, first + k) for k, axis in enumerate(unknown))


def is_tensor(value: SSAValue) -> bool:
    """A tensor of known rank."""
    return isinstance(value.type, TensorType)


def known_shapes(values: Sequence[SSAValue]) -> list[tuple[int, ...]] | None:
    """The shapes of tensors; None where a value is none, or a size is known at run time only."""
    shapes = [static_shape(value.type) if is_tensor(value) else (None,) for value in values]
    if any(None in shape for shape in shapes):
        return None
    return [tuple(d for d in shape if d is not None) for shape in shapes]


def concat(op: Operation, axis: int) -> Contract:
    """Operands one after the other along `axis`; each may be computed in its part of the result."""
    shapes = known_shapes([*op.operands, *op.results])
    if shapes is None:
        return KERNEL
    contributions, start = list[Contribution](), 0
    for k, shape in enumerate(shapes[:-1]):
        contributions.append(Contribution(k, sliced(axis, start, shape[axis], 1), may_be_produced_in_place=True))
        start += shape[axis]
    return KERNEL._replace(contributions=tuple(contributions))
