"""`--weight-reorder-pass`: what a GRU's weights go through before oneDNN takes them, as ops."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import BoolAttr, ModuleOp, StringAttr, TensorType
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from lastuse.dialect.dnn.attributes import flag
from lastuse.dialect.dnn.recurrent.gru import GruBase
from lastuse.dialect.dnn.recurrent.gru_weights import GruWeightHToGatesOp, NegateGateOp, zero_bias
from lastuse.dialect.ir.diagnostics import RemarkKind, inherit, remark
from lastuse.dialect.ir.tensor_types import static_shape
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.contract import Engine, engine_of
from lastuse.passes.transforms.shared_ops import SharedOps


@dataclass(frozen=True)
class WeightReorderPass(ModulePass):
    """Bring GRU weights into the form oneDNN takes, op by op.

    Requires: verified IR.
    Guarantees: a `dnn.fused_gru` or `dnn.multi_gru` that oneDNN can run has recurrent weights [OC, 3, OC], a bias, and
        `origin_mode = true`: `dnn.gru_weight_h_to_gates` before the recurrent weights, `dnn.negate_gate` before both
        weights and the bias where `origin_mode` was false, `dnn.zero_bias` where there was no bias. Of constants these
        are computed now, into new constants, once for all ops that share them; a constant with other readers stays.
        The pass run again changes nothing.
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
        weights.erase_unread(op)


def _prepare(ctx: Context, op: GruBase, weights: SharedOps) -> None:
    """Gives the op weights in oneDNN's form, if they are not yet."""
    steps, negate = dict[str, dict[str, None]](), not flag(op.origin_mode)
    names = [display_name(v) for v in op.operands]
    for cell in (cell for layer in op.weights(range(len(op.operands))) for cell in layer):
        weight_h = op.operands[cell.weight_h]
        assert isinstance(weight_h.type, TensorType)
        channels, *columns = weight_h.type.get_shape()
        if len(columns) == 1:
            steps.setdefault("re-laid with one gate beside the other", {})[names[cell.weight_h]] = None
            type_ = TensorType(weight_h.type.element_type, [channels, 3, channels])
            op.operands[cell.weight_h] = weights.get_or_create(GruWeightHToGatesOp, (weight_h,), type_, op)
        for index in (cell.weight_x, cell.weight_h, cell.bias) if negate else ():
            if index is not None:
                value = op.operands[index]
                steps.setdefault("negated in the update gate", {})[names[index]] = None
                op.operands[index] = weights.get_or_create(
                    NegateGateOp, (value,), value.type, op, {"gate": StringAttr("update")}
                )
    layers = op.weights(op.operands)
    if any(cell.bias is None for layer in layers for cell in layer):
        zeros = zero_bias(op.operands[0], static_shape(op.hidden.type)[1])
        bias = weights.insert(zeros, InsertPoint.before(op), op)
        layers = [[replace(cell, bias=bias) for cell in layer] for layer in layers]
        complete = op.of(op.operands[0], layers, op.operands[-1], op.hidden.type, op.attributes)
        inherit(complete, op)
        Rewriter.replace_op(op, complete)
        op = complete
        steps["a bias of zeros"] = {}
    if steps:
        op.attributes["origin_mode"] = BoolAttr.from_bool(True)
        text = "; ".join(f"{', '.join(of)} {what}".strip() for what, of in steps.items())
        remark(ctx, RemarkKind.REORDER, op, text)
