"""What an op shares with the ops around it: the memory of its values, of its gradients, or both.

Two facts of each op, as nntrainer has them for a layer in place:

* it shares *values* where each result has the bytes of an operand: it is written over it, or is a view;
* it shares *gradients* where its gradient needs no memory of its own: for each result, the gradient of an operand is
  that of the result, a view of it, or may be written over it. What `DnnOp.gradient` builds tells: relu's is written
  over the gradient of the result, and addition's is that gradient, for both operands. The several results of a fan-out
  have gradients of their own, which are all there at once before they are added: one of them has other bytes.

An op of another dialect, whose gradient is not built here, shares gradients where it shares values and its contract has
a backward op, unless it fans out: nntrainer's rule.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn.attributes import is_float
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo, dtype_name
from lastuse.dialect.storage.contract import contract_of, is_scatter


class Shares(enum.Enum):
    """What an op shares."""

    VALUES = "values"
    GRADIENTS = "gradients"
    BOTH = "both"


def shares(op: Operation, shares_values: bool, sizes: Mapping[SSAValue, TensorInfo]) -> Shares | None:
    """
    What `op` shares; None for nothing.

    Args:
        shares_values: each of its results has the bytes of an operand.
        sizes: of the values of its function.
    """
    contract = contract_of(op)
    if isinstance(op, DnnOp):
        shares_gradients = _shares_gradients(op, sizes)
    else:
        shares_gradients = shares_values and contract.backward is not None and not contract.fans_out
    if shares_values:
        return Shares.BOTH if shares_gradients else Shares.VALUES
    return Shares.GRADIENTS if shares_gradients else None


def _shares_gradients(op: DnnOp, sizes: Mapping[SSAValue, TensorInfo]) -> bool:
    """Whether no gradient of a result stays beside those of the operands. The gradient is built apart."""
    block = Block(arg_types=[operand.type for operand in op.operands])
    apart = op.clone(dict(zip(op.operands, block.args, strict=True)))
    apart = apart.training_form() or apart
    block.add_op(apart)
    known: dict[SSAValue, TensorInfo] = {
        argument: sizes[v] for argument, v in zip(block.args, op.operands, strict=True) if v in sizes
    }
    builder = GradientBuilder(Builder(InsertPoint.at_end(block)), apart, known)
    given: list[SSAValue | None] = []
    for result, original in zip(apart.results[: len(op.results)], op.results, strict=True):
        given.append(block.insert_arg(result.type, len(block.args)) if _has_gradient(result) else None)
        if given[-1] is not None and original in sizes:
            builder.sizes[given[-1]] = sizes[original]
    given += [None] * (len(apart.results) - len(op.results))
    there = {gradient for gradient in given if gradient is not None}
    made = _built(apart, given, builder) if there else ()
    return bool(there) and there <= {home for value in made if value is not None for home in _homes(value, there)}


def _built(op: DnnOp, given: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
    try:
        return op.gradient(given, builder)
    except LastuseError:
        return ()  # it has none, or none that is known before all sizes are


def _has_gradient(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and is_float(dtype_name(value.type.element_type))


def _homes(value: SSAValue, gradients: set[SSAValue], is_written: bool = False) -> set[SSAValue]:
    """Those of `gradients` in whose bytes the value may be: it is one, a view of one, or made over it or of its parts.

    Args:
        is_written: the value is written over, so that each of its elements has to have bytes of its own.
    """
    if value in gradients:
        return {value}
    if not isinstance(value, OpResult):
        return set()
    contract, operands = contract_of(value.op), value.op.operands
    view = contract.view_of(value.index)
    if view is not None:
        return _homes(operands[view.operand], gradients, is_written) if view.injective or not is_written else set()
    parts = [c.operand for c in contract.contributions if c.may_be_produced_in_place]
    if parts and not is_scatter(contract):
        return {home for k in parts for home in _homes(operands[k], gradients)}
    over = [o.operand for o in contract.over if o.result == value.index]
    found = [_homes(operands[k], gradients, True) for k in over if operands[k].type == value.type]
    return max(found, key=len, default=set[SSAValue]())
