"""Which values of a function need a gradient: those that a trainable argument changes and that change the loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from lastuse.dialect.dnn.attributes import is_float
from lastuse.dialect.ir.tensor_types import dtype_name
from lastuse.dialect.storage.contract import contract_of


class GradientNeeds(NamedTuple):
    """What a backward part has to compute.

    Attributes:
        values: the values that need a gradient.
        trainable: the trainable arguments among them.
    """

    values: frozenset[SSAValue]
    trainable: tuple[BlockArgument, ...]

    def needs_calc_gradient(self, op: Operation) -> bool:
        """Whether the gradient of a parameter of the op is computed (nntrainer's name)."""
        return any(operand in self.trainable for operand in op.operands)

    def needs_calc_derivative(self, op: Operation) -> bool:
        """Whether the gradient of an operand that is no parameter is computed, for ops before this one (nntrainer's
        name)."""
        return any(operand in self.values and operand not in self.trainable for operand in op.operands)


def gradient_needs(func: FuncOp, loss: SSAValue, trainable: Iterable[BlockArgument]) -> GradientNeeds:
    """The values that need a gradient, where `loss` is to be less and the arguments `trainable` may change.

    Regions are followed: a value inside depends on all that the op around it is given.
    """
    trainable = tuple(trainable)
    changed = set[SSAValue](trainable)
    for op in func.body.walk():
        if any(operand in changed for operand in _operands_read(op)):
            changed |= {result for result in op.results if _has_gradient(result)}
            changed |= {a for region in op.regions for block in region.blocks for a in block.args if _has_gradient(a)}
    reached, open_values = set[SSAValue](), [loss]
    while open_values:
        value = open_values.pop()
        if value not in reached and value in changed:
            reached.add(value)
            if isinstance(value.owner, Operation):
                open_values += _operands_read(value.owner)
    return GradientNeeds(frozenset(reached), tuple(argument for argument in trainable if argument in reached))


def _operands_read(op: Operation) -> Iterator[SSAValue]:
    """Operands whose elements the op, or an op inside it, reads."""
    for inner in op.walk():
        metadata = contract_of(inner).metadata_only
        yield from (operand for k, operand in enumerate(inner.operands) if k not in metadata)


def _has_gradient(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and is_float(dtype_name(value.type.element_type))
