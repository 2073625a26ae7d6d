"""`--quantize-pass`: GRUs with weights of fewer bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    bf16,
    f32,
    i8,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from lastuse.dialect.dnn.attributes import flag, integer
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.comparison import CastOp
from lastuse.dialect.dnn.recurrent.gru import FusedGruOp
from lastuse.dialect.dnn.recurrent.gru_weights import GruWeightScaleOp, QuantizeWeightsOp
from lastuse.dialect.dnn.recurrent.multi_gru import MultiGruOp
from lastuse.dialect.dnn.recurrent.quantized_gru import QuantizedGruOp
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, inherit, remark
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.attrs import DATA_SCALE, DATA_SHIFT, display_name
from lastuse.dialect.storage.contract import ENGINE, Engine, engine_of
from lastuse.passes.transforms.engine import copy_engine
from lastuse.passes.transforms.shared_ops import SharedOps

TYPES = ("bf16", "int8")
T = TypeVar("T")


@dataclass(frozen=True)
class QuantizePass(ModulePass):
    """Give GRUs weights in bf16 or int8.

    Requires: verified IR.
    Guarantees: a `dnn.fused_gru` or `dnn.multi_gru` whose weights are prepared (`--weight-reorder-pass`) is a
        `dnn.quantized_gru`. bf16: `dnn.cast` before its weights. int8: `dnn.gru_weight_scale` and
        `dnn.quantize_weights` before them; scale and shift of what is multiplied are those that calibration (`run-tool
        --calibrate`) wrote as `dnn.data_scale` and `dnn.data_shift`, of each layer one for what it reads and one for
        its states; a GRU without them is an error. Constants are computed now, once for all GRUs that share them, and
        those that nobody reads any more are gone. The pass run again changes nothing.
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
            if isinstance(inner, FusedGruOp | MultiGruOp) and engine_of(inner) is not Engine.CPU and inner.primitive():
                _replace(ctx, inner, self.type, weights)
        weights.erase_unread()


def _reduced(weights: SharedOps, weight: SSAValue, near: DnnOp) -> SSAValue:
    """The weights in bf16."""
    return weights.made(CastOp, (weight,), _tensor(weight, bf16), near)


def _quantized(weights: SharedOps, weight: SSAValue, columns: int, near: DnnOp) -> tuple[SSAValue, SSAValue]:
    """The weights in int8, and their scale."""
    scale = weights.made(GruWeightScaleOp, (weight,), TensorType(f32, [1, columns]), near)
    return weights.made(QuantizeWeightsOp, (weight, scale), _tensor(weight, i8), near), scale


def _tensor(like: SSAValue, element: Attribute) -> TensorType:
    assert isinstance(like.type, TensorType)
    return TensorType(element, like.type.get_shape())


def _replace(ctx: Context, op: FusedGruOp | MultiGruOp, kind: str, weights: SharedOps) -> None:
    """Puts the op with weights of that type in the place of a prepared one."""
    layers = 1 if isinstance(op, FusedGruOp) else integer(op.layers, 1)
    directions = [flag(op.is_reverse)] if isinstance(op, FusedGruOp) else [False, True]
    count = layers * len(directions)
    halves = [list(op.operands[1 + 3 * k : 4 + 3 * k]) for k in range(count)]
    states = list(op.operands[1 + 3 * count : -1])
    if isinstance(op, MultiGruOp) and flag(op.reverse_first):
        directions = directions[::-1]
        halves, states = _exchanged(halves), _exchanged(states)
    given = list[SSAValue]()
    for weight_x, weight_h, bias in halves:
        if kind == "bf16":
            given += [_reduced(weights, weight_x, op), _reduced(weights, weight_h, op), bias]
        else:
            columns = _tensor(weight_x, f32).get_shape()[1]
            (one, scale), (other, another) = (_quantized(weights, w, columns, op) for w in (weight_x, weight_h))
            given += [one, other, bias, scale, another]
    attributes = {k: v for k, v in op.attributes.items() if "." in k and k not in (ENGINE, DATA_SCALE, DATA_SHIFT)}
    attributes["reverse"] = ArrayAttr([BoolAttr.from_bool(reverse) for reverse in directions])
    if kind == "int8":
        attributes |= _calibration(op, layers)
    if isinstance(op, MultiGruOp):
        attributes["mode"] = StringAttr(op.mode.data)
    if layers > 1:
        attributes["layers"] = IntegerAttr(layers, i64)
    names = dict.fromkeys(display_name(half[k]) for half in halves for k in (0, 1))
    made = QuantizedGruOp.create(
        operands=[op.operands[0], *given, *states, op.operands[-1]],
        result_types=[op.results[0].type],
        attributes=attributes,
    )
    inherit(made, op)
    copy_engine(made, op)
    Rewriter.replace_op(op, made)
    remark(ctx, RemarkKind.REORDER, made, f"{', '.join(names)} in {kind}")


def _exchanged(values: list[T]) -> list[T]:
    """What there is of each direction, with the second one of every layer first."""
    return [value for k in range(0, len(values), 2) for value in (values[k + 1], values[k])]


def _calibration(op: DnnOp, layers: int) -> dict[str, Attribute]:
    """`data_scale` and `data_shift` of a GRU; raises LastuseError where it has none of each layer."""
    found = [attrs.floats(op.attributes.get(name)) for name in (DATA_SCALE, DATA_SHIFT)]
    if any(len(numbers) != 2 * layers for numbers in found):
        raise LastuseError(
            f"int8 needs {DATA_SCALE} and {DATA_SHIFT}, two numbers for each of {layers} layers: calibrate "
            "it first (run-tool --calibrate)",
            op,
        )
    names = ("data_scale", "data_shift")
    return {name: DenseArrayBase.from_list(f32, list(numbers)) for name, numbers in zip(names, found, strict=True)}
