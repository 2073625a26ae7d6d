"""`--weight-reorder-pass`: what a GRU's weights go through before oneDNN takes them, as ops."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    f32,
)
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from lastuse.dialect.dnn.attributes import flag
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.recurrent.gru import GruBase
from lastuse.dialect.dnn.recurrent.gru_weights import GruWeightHToGatesOp, NegateGateOp, ZeroBiasOp
from lastuse.dialect.ir.diagnostics import RemarkKind, inherit, remark
from lastuse.dialect.ir.symbolic_shape import static_shape
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.contract import Engine, engine_of
from lastuse.passes.transforms.shared_ops import SharedOps


@dataclass(frozen=True)
class WeightReorderPass(ModulePass):
    """Bring the weights of GRUs into the form oneDNN computes with, one visible op a step.

    Requires: verified IR.
    Guarantees: a `dnn.fused_gru` or `dnn.multi_gru` that oneDNN can run has recurrent weights [OC, 3, OC], a bias, and
        `origin_mode = true`: `dnn.gru_weight_h_to_gates` before the recurrent weights, `dnn.negate_gate` before both
        weights and the bias where `origin_mode` was false, `dnn.zero_bias` where there was no bias. Of constants these
        are computed now, into new constants, once for all ops that share them; a constant somebody else reads stays as
        it was. The pass run again changes nothing.
    Leaves alone: GRUs that run on the cpu engine: other activations than tanh and sigmoid, other element types than
        f32, `dnn.engine = "cpu"`.
    Example: of a `dnn.fused_gru` without bias and with `origin_mode = false`, the weights are
        `"dnn.negate_gate"(%wx) {gate = "update"}`, `"dnn.gru_weight_h_to_gates"(%wh)` and
        `"dnn.zero_bias"()`.

    Options:
        fold: compute now what is made of constants alone.
    """

    name: ClassVar[str] = "weight-reorder-pass"

    fold: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        weights = SharedOps(self.fold)
        for inner in list(op.walk()):
            if isinstance(inner, GruBase) and (engine_of(inner) or inner.engine()) is not Engine.CPU:
                _prepare(ctx, inner, weights)
        weights.erase_unread()


def _gates(weights: SharedOps, value: SSAValue, near: DnnOp) -> SSAValue:
    """Recurrent weights with one gate beside the other."""
    shape = static_shape(value.type)
    if len(shape) == 3:
        return value
    return weights.made(GruWeightHToGatesOp, (value,), _tensor(value, (shape[0], 3, shape[0])), near)


def _negated(weights: SharedOps, value: SSAValue, near: DnnOp) -> SSAValue:
    """Weights or a bias with the update gate's columns negated."""
    return weights.made(NegateGateOp, (value,), value.type, near, {"gate": StringAttr("update")})


def _zeros(weights: SharedOps, near: GruBase) -> SSAValue:
    """A bias for a GRU that has none."""
    channels = static_shape(near.hidden.type)[1]
    width = DYNAMIC_INDEX if channels is None else 3 * channels
    made = ZeroBiasOp.create(result_types=[TensorType(f32, [1, width])])
    return weights.put(made, InsertPoint.before(near), near)


def _tensor(like: SSAValue, shape: tuple[int | None, ...]) -> TensorType:
    assert isinstance(like.type, TensorType)
    return TensorType(like.type.element_type, [DYNAMIC_INDEX if size is None else size for size in shape])


def _prepare(ctx: Context, op: GruBase, weights: SharedOps) -> None:
    """Gives the op weights in oneDNN's form, if they are not yet."""
    steps, negate = dict[str, dict[str, None]](), not flag(op.origin_mode)
    names = [display_name(v) for v in op.operands]
    for cell in (cell for layer in op.weights(range(len(op.operands))) for cell in layer):
        if len(static_shape(op.operands[cell.weight_h].type)) == 2:
            steps.setdefault("re-laid with one gate beside the other", {})[names[cell.weight_h]] = None
            op.operands[cell.weight_h] = _gates(weights, op.operands[cell.weight_h], op)
        for index in (cell.weight_x, cell.weight_h, cell.bias) if negate else ():
            if index is not None:
                steps.setdefault("negated in the update gate", {})[names[index]] = None
                op.operands[index] = _negated(weights, op.operands[index], op)
    layers = op.weights(op.operands)
    if any(cell.bias is None for layer in layers for cell in layer):
        layers = [[replace(cell, bias=cell.bias or _zeros(weights, op)) for cell in layer] for layer in layers]
        full = op.of(op.operands[0], layers, op.operands[-1], op.hidden.type, op.attributes)
        inherit(full, op)
        Rewriter.replace_op(op, full)
        op = full
        steps["a bias of zeros"] = {}
    if steps:
        op.attributes["origin_mode"] = BoolAttr.from_bool(True)
        text = "; ".join(f"{', '.join(of)} {what}".strip() for what, of in steps.items())
        remark(ctx, RemarkKind.REORDER, op, text)
