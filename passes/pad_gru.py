"""`--pad-gru-pass`: GRUs over sequences padded to one length, as other systems compute them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from lastuse.dialect.dnn.arithmetic import AddOp
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.constants import ConstantOp
from lastuse.dialect.dnn.data_movement import ConcatOp
from lastuse.dialect.dnn.recurrent.base import DirectionWeights
from lastuse.dialect.dnn.recurrent.gru import FusedGruOp, GruBase
from lastuse.dialect.dnn.recurrent.padded import LodToTncOp, TncToLodOp
from lastuse.dialect.dnn.views import ReshapeOp
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, inherit, remark
from lastuse.dialect.ir.tensor_types import static_shape
from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.transforms.engine import inherit_engine

PADDED = "dnn.padded"
"""On a GRU over sequences that are padded already."""
FORMULA = ("activation", "gate_activation", "origin_mode")


@dataclass(frozen=True)
class PadGruPass(ModulePass):
    """Compute GRUs over sequences padded to one length, to compare with: the ragged way does no work for
    words that are not there.

    Requires: verified IR.
    Guarantees: each direction of a `dnn.fused_gru` or `dnn.multi_gru` with a known number of sequences is a
        `dnn.lod_to_tnc`, which puts zeros behind the rows of each sequence, before them for a reverse direction; a
        `dnn.fused_gru` over `steps` rows for each sequence; and a `dnn.tnc_to_lod`, which takes the rows out.
        Directions are joined by `dnn.concat` or `dnn.add`, layers follow each other. The weights stay as they are. A
        sequence with more rows is an error of the run. The pass run again changes nothing.
    Leaves alone: other GRUs, and those with decisions about storage (`decided`).
    Example: `%h = "dnn.fused_gru"(%x, %wx, %wh, %offsets)` becomes
        `%p = "dnn.lod_to_tnc"(%x, %offsets)`, a `dnn.fused_gru` of its rows, and a `dnn.tnc_to_lod`.

    Options:
        steps: how many rows each sequence is padded to.
    """

    name: ClassVar[str] = "pad-gru-pass"

    steps: int

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise LastuseError(f"sequences are padded to at least 1 row, not {self.steps}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if not isinstance(inner, GruBase) or not inner.is_fused() or PADDED in inner.attributes:
                continue
            if attrs.gives_places(inner):
                text = "its place is decided, and the padded form has other values"
                remark(ctx, RemarkKind.REFUSAL, inner, text, reason=Reason.DECIDED)
                continue
            channels = [_size(own.weight_h, 0) for layer in inner.weights(inner.operands) for own in layer]
            ends, inputs = _size(inner.operands[-1], 0), _size(inner.operands[0], 1)
            if DYNAMIC_INDEX not in (ends, inputs, *channels):
                _Padding(inner, ends - 1, self.steps).replace(ctx)


class _Padding:
    """What stands in place of one GRU."""

    def __init__(self, op: GruBase, sequences: int, steps: int) -> None:
        self.op, self.sequences, self.steps = op, sequences, steps
        self.offsets = op.operands[-1]

    def replace(self, ctx: Context) -> None:
        op, x = self.op, self.op.operands[0]
        ends = np.arange(self.sequences + 1, dtype=np.int64) * self.steps
        type_ = TensorType(i64, [self.sequences + 1])
        value = DenseIntOrFPElementsAttr.from_list(type_, [int(end) for end in ends])
        equal = self._insert(ConstantOp.create(result_types=[type_], attributes={"value": value}))
        for layer in op.weights(op.operands):
            states = [self._direction(x, *own, equal) for own in zip(layer, op.directions(), strict=True)]
            x = self._joined(states[::-1] if op.is_reverse_first() else states)
        if attrs.NAMES in op.attributes and isinstance(x.owner, DnnOp):
            x.owner.attributes[attrs.NAMES] = op.attributes[attrs.NAMES]
        remark(ctx, RemarkKind.DECISION, op, f"its sequences are padded to {self.steps} rows")
        op.results[0].replace_all_uses_with(x)
        op.detach()
        op.erase()

    def _direction(self, x: SSAValue, weights: DirectionWeights[SSAValue], reverse: bool, equal: SSAValue) -> SSAValue:
        """The state after each row of one direction."""
        inputs, channels = _size(x, 1), _size(weights.weight_h, 0)
        marks: dict[str, Attribute] = {"layout": StringAttr("ntc"), "is_reverse": BoolAttr.from_bool(reverse)}
        padded = self._new(LodToTncOp, [x, self.offsets], [self.sequences, self.steps, inputs], **marks)
        rows = self._new(ReshapeOp, [padded], [self.sequences * self.steps, inputs])
        gru = FusedGruOp.of(rows, [[weights]], equal, _tensor(x, [self.sequences * self.steps, channels]), {})
        gru.attributes |= {PADDED: UnitAttr(), **{k: v for k, v in self.op.attributes.items() if k in FORMULA}}
        if reverse:
            gru.attributes["is_reverse"] = BoolAttr.from_bool(True)
        states = self._insert(gru)
        cut = self._new(ReshapeOp, [states], [self.sequences, self.steps, channels])
        return self._new(TncToLodOp, [cut, self.offsets, x], [_size(x, 0), channels], **marks)

    def _joined(self, states: list[SSAValue]) -> SSAValue:
        if len(states) == 1:
            return states[0]
        rows, columns = _size(states[0], 0), [_size(part, 1) for part in states]
        if self.op.is_sum():
            return self._new(AddOp, states, [rows, columns[0]])
        return self._new(ConcatOp, states, [rows, sum(columns)], axis=IntegerAttr(1, i64))

    def _new(self, kind: type[DnnOp], operands: list[SSAValue], shape: list[int], **attributes: Attribute) -> SSAValue:
        result = _tensor(operands[0], shape)
        return self._insert(kind.create(operands=operands, result_types=[result], attributes=attributes))

    def _insert(self, op: DnnOp) -> SSAValue:
        inherit(op, self.op)
        inherit_engine(op, self.op)
        Rewriter.insert_op(op, InsertPoint.before(self.op))
        return op.results[0]


def _tensor(like: SSAValue, shape: list[int]) -> TensorType:
    assert isinstance(like.type, TensorType)
    return TensorType(like.type.element_type, shape)


def _size(value: SSAValue, axis: int) -> int:
    """The size of an axis, as a type has it."""
    size = static_shape(value.type)[axis]
    return size if isinstance(size, int) else DYNAMIC_INDEX
