"""`--weight-reorder-pass`: what a GRU's weights go through before oneDNN takes them, as ops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    DenseArrayBase,
    ModuleOp,
    StringAttr,
    TensorType,
    f32,
    i32,
)
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn.attributes import flag, integer
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.recurrent.gru import FusedGruOp
from lastuse.dialect.dnn.recurrent.gru_weights import GruWeightHToGatesOp, NegateGateOp, ZeroBiasOp
from lastuse.dialect.dnn.recurrent.multi_gru import MultiGruOp
from lastuse.dialect.ir.diagnostics import RemarkKind, remark
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
        for inner in op.walk():
            if isinstance(inner, FusedGruOp | MultiGruOp) and (engine_of(inner) or inner.engine()) is not Engine.CPU:
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


def _zeros(weights: SharedOps, near: FusedGruOp) -> SSAValue:
    """A bias for a GRU that has none."""
    channels = static_shape(near.hidden.type)[1]
    width = DYNAMIC_INDEX if channels is None else 3 * channels
    made = ZeroBiasOp.create(result_types=[TensorType(f32, [1, width])])
    return weights.put(made, InsertPoint.before(near), near)


def _tensor(like: SSAValue, shape: tuple[int | None, ...]) -> TensorType:
    assert isinstance(like.type, TensorType)
    return TensorType(like.type.element_type, [DYNAMIC_INDEX if size is None else size for size in shape])


def _prepare(ctx: Context, op: FusedGruOp | MultiGruOp, weights: SharedOps) -> None:
    """Gives the op weights in oneDNN's form, if they are not yet."""
    steps, negate = dict[str, dict[str, None]](), not flag(op.origin_mode)
    names = [display_name(v) for v in op.operands]
    has_bias = not isinstance(op, FusedGruOp) or op.bias is not None
    for half in range(1 if isinstance(op, FusedGruOp) else 2 * integer(op.layers, 1)):
        weight_x, weight_h, bias = (3 * half + k for k in (1, 2, 3))
        if len(static_shape(op.operands[weight_h].type)) == 2:
            steps.setdefault("re-laid with one gate beside the other", {})[names[weight_h]] = None
            op.operands[weight_h] = _gates(weights, op.operands[weight_h], op)
        for index in (weight_x, weight_h, *[bias] * has_bias) if negate else ():
            steps.setdefault("negated in the update gate", {})[names[index]] = None
            op.operands[index] = _negated(weights, op.operands[index], op)
    if isinstance(op, FusedGruOp) and op.bias is None:
        op.operands = [*op.operands[:3], _zeros(weights, op), *op.operands[3:]]
        op.attributes["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [1, 1, 1, 1, int(op.h0 is not None), 1])
        steps["a bias of zeros"] = {}
    if steps:
        op.attributes["origin_mode"] = BoolAttr.from_bool(True)
        text = "; ".join(f"{', '.join(of)} {what}".strip() for what, of in steps.items())
        remark(ctx, RemarkKind.REORDER, op, text)
