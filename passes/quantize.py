"""`--quantize-pass`: GRUs with weights of fewer bits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseArrayBase, ModuleOp, TensorType, bf16, f32, i8
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.comparison import CastOp
from lastuse.dialect.dnn.recurrent.base import DirectionWeights
from lastuse.dialect.dnn.recurrent.gru import GruBase
from lastuse.dialect.dnn.recurrent.gru_weights import GruWeightScaleOp, QuantizeWeightsOp
from lastuse.dialect.dnn.recurrent.quantized_gru import QuantizedGruOp
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, inherit, remark
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.attrs import DATA_SCALE, DATA_SHIFT, display_name
from lastuse.dialect.storage.contract import ENGINE, Engine, engine_of
from lastuse.passes.transforms.engine import copy_engine
from lastuse.passes.transforms.shared_ops import SharedOps

TYPES = ("bf16", "int8")


@dataclass(frozen=True)
class QuantizePass(ModulePass):
    """Give GRUs weights in bf16 or int8.

    Requires: verified IR.
    Guarantees: a `dnn.fused_gru` or `dnn.multi_gru` whose weights are prepared (`--weight-reorder-pass`) is a
        `dnn.quantized_gru`. bf16: `dnn.cast` before its weights. int8: `dnn.gru_weight_scale` and
        `dnn.quantize_weights` before them; scale and shift of the data are those that calibration (`run-tool
        --calibrate`) wrote as `dnn.data_scale` and `dnn.data_shift`, of each layer one for its input and one for its
        states; a GRU without them is an error. Constants are computed now, once for all GRUs that share them, and
        those without readers are erased. The pass run again changes nothing.
    Leaves alone: GRUs that are not prepared, or run on the cpu engine; biases, which are f32 always.
    Example: with `type=bf16`, `%h = "dnn.fused_gru"(%x, %wx, %wh, %b, %o)` becomes
        `%h = "dnn.quantized_gru"(%x, %0, %1, %b, %o) {reverse = [false]}` with `%0 = "dnn.cast"(%wx)`.

    Options:
        type: of the weights, bf16 or int8.
        fold: compute now what is made of constants alone.
    """

    name: ClassVar[str] = "quantize-pass"

    type: str = "int8"
    fold: bool = True

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise LastuseError(f"no type '{self.type}' of weights; there are {', '.join(TYPES)}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        weights = SharedOps(self.fold)
        for inner in list(op.walk()):
            if isinstance(inner, GruBase) and engine_of(inner) is not Engine.CPU and inner.primitive():
                _replace(ctx, inner, self.type, weights)
        weights.erase_unread(op)


def _reduced(weights: SharedOps, cell: DirectionWeights[SSAValue], near: DnnOp) -> DirectionWeights[SSAValue]:
    """A direction with weights in bf16."""
    x, h = (weights.get_or_create(CastOp, (w,), _tensor(w, bf16), near) for w in _factors(cell))
    return replace(cell, weight_x=x, weight_h=h)


def _quantized(weights: SharedOps, cell: DirectionWeights[SSAValue], near: DnnOp) -> DirectionWeights[SSAValue]:
    """A direction with weights in int8, and their scales."""
    reduced, scales = list[SSAValue](), list[SSAValue]()
    for weight in _factors(cell):
        columns = _tensor(_factors(cell)[0], f32).get_shape()[1]
        scales.append(weights.get_or_create(GruWeightScaleOp, (weight,), TensorType(f32, [1, columns]), near))
        reduced.append(weights.get_or_create(QuantizeWeightsOp, (weight, scales[-1]), _tensor(weight, i8), near))
    return replace(cell, weight_x=reduced[0], weight_h=reduced[1], scales=tuple(scales))


def _factors(cell: DirectionWeights[SSAValue]) -> tuple[SSAValue, SSAValue]:
    """The weights that are given another type."""
    assert cell.weight_x is not None
    return cell.weight_x, cell.weight_h


def _tensor(like: SSAValue, element: Attribute) -> TensorType:
    assert isinstance(like.type, TensorType)
    return TensorType(element, like.type.get_shape())


def _replace(ctx: Context, op: GruBase, kind: str, weights: SharedOps) -> None:
    """Replaces a prepared op by one with weights of that type."""
    # The directions of `dnn.quantized_gru` have the order of their columns.
    order = slice(None, None, -1 if op.is_reverse_first() else 1)
    layers = [layer[order] for layer in op.weights(op.operands)]
    attributes = {k: v for k, v in op.attributes.items() if "." in k and k not in (ENGINE, DATA_SCALE, DATA_SHIFT)}
    attributes["reverse"] = ArrayAttr([BoolAttr.from_bool(reverse) for reverse in op.directions()[order]])
    if kind == "int8":
        attributes |= _calibration(op, op.layers())
    attributes |= {k: v for k, v in op.attributes.items() if k == "mode"}
    convert = _quantized if kind == "int8" else _reduced
    converted = [[convert(weights, cell, op) for cell in layer] for layer in layers]
    quantized = QuantizedGruOp.of(op.operands[0], converted, op.operands[-1], op.hidden.type, attributes)
    names = dict.fromkeys(display_name(v) for layer in layers for cell in layer for v in _factors(cell))
    inherit(quantized, op)
    copy_engine(quantized, op)
    Rewriter.replace_op(op, quantized)
    remark(ctx, RemarkKind.REORDER, quantized, f"{', '.join(names)} in {kind}")


def _calibration(op: DnnOp, layers: int) -> dict[str, Attribute]:
    """`data_scale` and `data_shift` of a GRU; raises LastuseError where it has none of each layer."""
    values = [attrs.floats(op.attributes.get(name)) for name in (DATA_SCALE, DATA_SHIFT)]
    if any(len(numbers) != 2 * layers for numbers in values):
        raise LastuseError(
            f"int8 needs {DATA_SCALE} and {DATA_SHIFT}, two numbers for each of {layers} layers: calibrate "
            "it first (run-tool --calibrate)",
            op,
        )
    names = ("data_scale", "data_shift")
    return {name: DenseArrayBase.from_list(f32, list(numbers)) for name, numbers in zip(names, values, strict=True)}
