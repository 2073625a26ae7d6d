"""`--accumulate-pass`: gradients that are added to a state of an optimizer where they are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from lastuse.dialect.dnn.accumulation import (
    AccumulatesGradientBase,
    Accumulation,
    AddsToValueBase,
    added_to,
    is_there,
    why_not_added,
)
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder, OperationT
from lastuse.dialect.ir.diagnostics import RemarkKind, remark
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.transforms.engine import inherit_engine


@dataclass(frozen=True)
class AccumulatePass(ModulePass):
    """Add gradients of weights to the states of their updates.

    Requires: verified IR, before anything is decided, and behind `--backward-pass`.
    Guarantees: where an update reads a gradient only to add it to a state times a number, the op that makes the
        gradient adds it to the state: over the memory of the state there is no gradient. A product does, a sum of such
        values one after the other, and rows that are added at indices. The parameter is updated from the new state.
        Where updates wait for a number that has to be finite, so does the state. Results are the same but for rounding.
        Every refusal is a remark with a reason.
    Leaves alone: updates by `adam` and `sgd`; momentum with nesterov or weight decay; gradients with other readers,
        or that are returned; sizes that are not known; functions in which something is decided.
    Example: `"dnn.gemm"(%d, %x)` and `"dnn.momentum"(%w, %g, %v, %lr)` become `"dnn.gemm"(%d, %x, %v)` with
        `beta = 9.000000e-01` and `"dnn.sgd"(%w, %0, %lr)`.
    """

    name: ClassVar[str] = "accumulate-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in defined_functions(op):
            updates = [inner for inner in func.walk() if isinstance(inner, AccumulatesGradientBase)]
            builder = _ReplacingBuilder(updates[0], infer_shapes(func)) if updates else None
            for update in updates:
                assert builder is not None
                _accumulate(ctx, update, builder)


class _ReplacingBuilder(GradientBuilder):
    """Adds ops on the engines of the ops that they replace."""

    def __init__(self, first: Operation, sizes: Mapping[SSAValue, TensorInfo]) -> None:
        super().__init__(Builder(InsertPoint.before(first)), first, sizes)
        self.replaced: Sequence[Operation] = ()

    def insert(self, op: OperationT) -> OperationT:
        super().insert(op)
        assert isinstance(op, DnnOp)
        inherit_engine(op, *self.replaced)
        return op


def _accumulate(ctx: Context, update: AccumulatesGradientBase, builder: _ReplacingBuilder) -> None:
    """Replaces an update, and the ops that make its gradient, by ops that add to the state."""
    found = update.accumulation()
    reason = found if isinstance(found, str) else _refusal(update, found)
    if isinstance(found, str) or reason is not None:
        remark(ctx, RemarkKind.REFUSAL, update, "its gradient has memory of its own", reason=reason)
        return
    gradient, state = update.operands[found.gradient], update.operands[found.state]
    ops = _ops_of(gradient)
    builder.origin, builder.replaced = update, [update, *ops]
    with builder.inserting(InsertPoint.before(update)):
        made = added_to(gradient, _checked(update, state, builder), found.factor, builder)
        results = update.with_new_state(made, builder)
    Rewriter.replace_op(update, [], results)
    assert isinstance(made.owner, Operation)
    remark(ctx, RemarkKind.DECISION, made.owner, f"adds {display_name(gradient)} to {display_name(state)}")
    for op in ops:
        op.detach()
        op.erase()


def _refusal(update: AccumulatesGradientBase, found: Accumulation) -> str | None:
    """Why the gradient of an update keeps memory of its own; None where it needs none."""
    gradient = update.operands[found.gradient]
    reason = why_not_added(gradient)
    if reason is not None:
        return reason
    ops = (update, *_ops_of(gradient))
    if any(map(attrs.is_decided, ops)):
        return "something is decided about it"
    if any(op.parent is not update.parent for op in ops):
        return "it is made in another block"
    known = isinstance(gradient.type, TensorType) and gradient.type.has_static_shape()
    return None if known and update.operands[found.state].type == gradient.type else "its sizes are not known"


def _checked(update: AccumulatesGradientBase, state: SSAValue, builder: GradientBuilder) -> SSAValue:
    """The state, there only if the number is finite that another operand of the update waits for."""
    for operand in update.operands:
        tested = operand.owner.required_finite() if isinstance(operand.owner, DnnOp) else None
        if tested is not None:
            made, point = tested.owner, InsertPoint.before(update)
            if isinstance(made, Operation) and made.parent is update.parent and is_there(state, made):
                point = InsertPoint.after(made)
            with builder.inserting(point):
                return builder.emit("require_finite", state, tested)
    return state


def _ops_of(value: SSAValue) -> list[DnnOp]:
    """The ops that make a value and what they add up, each before those whose results it reads."""
    op = value.owner
    assert isinstance(op, AddsToValueBase)
    return [op, *(other for part in op.added_first() for other in _ops_of(part))]
