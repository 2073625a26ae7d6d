"""Which values of a function need a gradient: those that a trainable argument changes and that change the loss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from xdsl.dialects.builtin import AnyFloat, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from lastuse.dialect.dnn.attributes import is_float
from lastuse.dialect.ir.region_branches import forwarded_operands
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

    Branches and loops are followed: a value that one passes on depends on what it gets, and no more. All that an op of
    another dialect with regions makes depends on all that these read.
    """
    trainable = tuple(trainable)
    edges = _dependences(func)
    readers: dict[SSAValue, list[SSAValue]] = {}
    for value, sources in edges.items():
        for source in sources:
            readers.setdefault(source, []).append(value)
    changed = _reachable(trainable, lambda value: readers.get(value, ()))
    reached = _reachable([loss] if loss in changed else [], lambda value: changed & edges.get(value, {}).keys())
    return GradientNeeds(frozenset(reached), tuple(argument for argument in trainable if argument in reached))


def _reachable(values: Iterable[SSAValue], following: Callable[[SSAValue], Iterable[SSAValue]]) -> set[SSAValue]:
    reached, open_values = set[SSAValue](), list(values)
    while open_values:
        value = open_values.pop()
        if value not in reached:
            reached.add(value)
            open_values += following(value)
    return reached


def _dependences(func: FuncOp) -> dict[SSAValue, dict[SSAValue, None]]:
    """The values that each value that may have a gradient is computed from."""
    edges: dict[SSAValue, dict[SSAValue, None]] = {}

    def add(targets: Iterable[SSAValue], sources: Iterable[SSAValue]) -> None:
        read = dict.fromkeys(sources)
        for target in targets:
            if _has_gradient(target):
                edges.setdefault(target, {}).update(read)

    for op in func.body.walk():
        passed = list(forwarded_operands(op))
        for _, sources, targets in passed:
            for source, target in zip(sources, targets, strict=True):
                add([target], [source])
        if not passed:
            inside = (argument for region in op.regions for block in region.blocks for argument in block.args)
            add([*op.results, *inside], _operands_read(op))
    return edges


def _operands_read(op: Operation) -> Iterator[SSAValue]:
    """Operands whose elements the op, or an op inside it, reads."""
    for inner in op.walk():
        metadata = contract_of(inner).metadata_only
        yield from (operand for k, operand in enumerate(inner.operands) if k not in metadata)


def _has_gradient(value: SSAValue) -> bool:
    """Whether a value holds floating-point numbers. Numbers outside of tensors count, although no op has a gradient for
    them: the op that computes one is an error then, where the loss depends on it."""
    element_type = value.type.element_type if isinstance(value.type, TensorType) else value.type
    return isinstance(element_type, AnyFloat) and is_float(dtype_name(element_type))
