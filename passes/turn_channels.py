"""`--turn-channels-pass`: convolutions and what is around them with their channels last in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.diagnostics import RemarkKind, remark
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.passes.analysis.turned_ops import (
    TurnedOps,
    moves_elements,
    order,
    rank_of,
    reads_turned,
    shape_of,
    turned_ops,
    turned_results,
)


@dataclass(frozen=True)
class TurnChannelsPass(ModulePass):
    """Compute convolutions with their channels last.

    Requires: verified IR, before anything is decided, and before `--backward-pass`: gradients then have their channels
        last too.
    Guarantees: values that other ops read, arguments and results of functions are as they were. Results are the same
        but for rounding. What enters and leaves is transposed, once for each value; nothing is done where transposes
        take longer than the convolutions gain.
    Leaves alone: functions whose convolutions have unknown sizes; ops that oneDNN does not compute faster so; ops that
        have no form with channels last.
    Example: `"dnn.conv"(%x, %w)` becomes `"dnn.conv"(%0, %w) {channels_last = true}` of
        `"dnn.transpose"(%x) {perm = array<i64: 0, 2, 3, 1>}`.
    """

    name: ClassVar[str] = "turn-channels-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in defined_functions(op):
            plan = turned_ops(func)
            if plan.gain > 0:
                for turned in plan.forms:
                    remark(ctx, RemarkKind.DECISION, turned, "computed with its channels last in memory")
                _Turning(plan).apply()


class _Turning:
    """Rewrites a function by a plan."""

    def __init__(self, plan: TurnedOps) -> None:
        self._plan = plan
        self._last: dict[SSAValue, SSAValue] = {}

    def apply(self) -> None:
        for op in self._plan.forms:
            self._turn(op)
        for op in reversed(list(self._plan.forms)):
            op.detach()
            op.erase()

    def _turn(self, op: DnnOp) -> None:
        form, rank = self._plan.forms[op], rank_of(op)
        emit = GradientBuilder(Builder(InsertPoint.before(op)), op)
        operands = [
            self._operand(value, rank, emit) if k in form.operands else value for k, value in enumerate(op.operands)
        ]
        turned = set(turned_results(op, form))
        types = [_permuted(result, order(rank)) if result in turned else result.type for result in op.results]
        new = emit.insert(op.replacement(type(op), operands, form.attributes, types))
        for old, result in zip(op.results, new.results, strict=True):
            if old not in turned:
                old.replace_all_uses_with(result)
                continue
            self._last[old] = result
            if old in self._plan.leaving:
                back = _transposed(result, [0, rank - 1, *range(1, rank - 1)], emit)
                back.name_hint, result.name_hint = old.name_hint, None
                old.replace_uses_with_if(back, lambda use: not reads_turned(self._plan.forms, use))

    def _operand(self, value: SSAValue, rank: int, emit: GradientBuilder) -> SSAValue:
        if value in self._plan.turned:
            if value not in self._last:
                self._last[value] = _transposed(value, order(rank), emit)
            return self._last[value]
        shape = shape_of(value) or ()
        if all(size == 1 for size in shape):
            return value
        # The elements are those of the channels.
        return emit.emit("reshape", value, shape=[1] * (rank - 1) + [max(shape)])


def _transposed(value: SSAValue, perm: list[int], emit: GradientBuilder) -> SSAValue:
    """The value with its axes in this order; the same bytes under other sizes where that moves no element."""
    if moves_elements(value, perm):
        return emit.emit("transpose", value, perm=perm)
    return emit.emit("reshape", value, shape=[(shape_of(value) or ())[axis] for axis in perm])


def _permuted(value: SSAValue, perm: list[int]) -> TensorType[Attribute]:
    shape = shape_of(value) or ()
    assert isinstance(value.type, TensorType)
    return TensorType(value.type.element_type, [shape[axis] for axis in perm])
