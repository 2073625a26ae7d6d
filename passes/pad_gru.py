"""`--pad-gru-pass`: GRUs over sentences that are all made equally long, as other systems compute them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from lastuse.dialect.dnn.arithmetic import AddOp
from lastuse.dialect.dnn.attributes import flag
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.constants import ConstantOp
from lastuse.dialect.dnn.data_movement import ConcatOp
from lastuse.dialect.dnn.recurrent.gru import FusedGruOp
from lastuse.dialect.dnn.recurrent.multi_gru import MultiGruOp
from lastuse.dialect.dnn.recurrent.padded import LodToTncOp, TncToLodOp
from lastuse.dialect.dnn.views import ReshapeOp
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, inherit, remark
from lastuse.dialect.ir.symbolic_shape import static_shape
from lastuse.dialect.storage import attrs
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.transforms.engine import inherit_engine

PADDED = "dnn.padded"
"""On a GRU over sentences that are padded already."""


@dataclass(frozen=True)
class PadGruPass(ModulePass):
    """Compute GRUs over sentences that are all made equally long, to compare with: the ragged way does no work for
    words that are not there.

    Requires: verified IR.
    Guarantees: each direction of a `dnn.fused_gru` or `dnn.multi_gru` with a known number of sentences is a
        `dnn.lod_to_tnc`, which puts zeros behind the words of each sentence, before them for a reverse direction; a
        `dnn.fused_gru` over rows of so many steps for each sentence; and a `dnn.tnc_to_lod`, which takes the words out.
        Directions are joined by `dnn.concat` or `dnn.add`, layers follow each other. The weights stay as they are. A
        sentence with more words is an error of the run. The pass run again changes nothing.
    Leaves alone: other GRUs, and those with decisions about places (`decided`).
    Example: `%h = "dnn.fused_gru"(%x, %wx, %wh, %offsets)` becomes
        `%p = "dnn.lod_to_tnc"(%x, %offsets)`, a `dnn.fused_gru` of its rows, and a `dnn.tnc_to_lod`.

    Options:
        steps: how many words each sentence is made to have.
    """

    name: ClassVar[str] = "pad-gru-pass"

    steps: int

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise LastuseError(f"sentences are padded to at least 1 word, not {self.steps}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, FusedGruOp | MultiGruOp) and PADDED not in inner.attributes:
                if attrs.gives_places(inner):
                    text = "its place is decided, and the padded form has other values"
                    remark(ctx, RemarkKind.REFUSAL, inner, text, reason=Reason.DECIDED)
                    continue
                (ends,) = static_shape(inner.operands[-1].type)
                known = [_size(inner.operands[0], 1), *(_size(weight, 0) for weight in inner.operands[2:-1:3])]
                if isinstance(ends, int) and DYNAMIC_INDEX not in known:
                    _Padding(inner, ends - 1, self.steps).replace(ctx)


class _Padding:
    """What stands in place of one GRU."""

    def __init__(self, op: FusedGruOp | MultiGruOp, sentences: int, steps: int) -> None:
        self.op, self.sentences, self.steps = op, sentences, steps
        self.offsets = op.operands[-1]

    def replace(self, ctx: Context) -> None:
        op, x = self.op, self.op.operands[0]
        ends = np.arange(self.sentences + 1, dtype=np.int64) * self.steps
        type_ = TensorType(i64, [self.sentences + 1])
        value = DenseIntOrFPElementsAttr.from_list(type_, [int(end) for end in ends])
        equal = self._add(ConstantOp.create(result_types=[type_], attributes={"value": value}))
        if isinstance(op, FusedGruOp):
            x = self._direction(x, [op.weight_x, op.weight_h, op.bias, op.h0], flag(op.is_reverse), equal)
        else:
            for forward, backward in op.layers_of(list(op.operands)):
                found = [
                    self._direction(x, [half.weight_x, half.weight_h, half.bias, half.h0], reverse, equal)
                    for half, reverse in ((forward, False), (backward, True))
                ]
                x = self._joined(found[::-1] if flag(op.reverse_first) else found, op.mode.data)
        if attrs.NAMES in op.attributes and isinstance(x.owner, DnnOp):
            x.owner.attributes[attrs.NAMES] = op.attributes[attrs.NAMES]
        remark(ctx, RemarkKind.DECISION, op, f"its sentences are padded to {self.steps} words")
        op.results[0].replace_all_uses_with(x)
        op.detach()
        op.erase()

    def _direction(self, x: SSAValue, own: list[SSAValue | None], reverse: bool, equal: SSAValue) -> SSAValue:
        """The states after each word of one direction; `own` are its weight_x, weight_h, bias, h0."""
        inputs, channels = _size(x, 1), _size(own[1], 0)
        marks: dict[str, Attribute] = {"layout": StringAttr("ntc"), "is_reverse": BoolAttr.from_bool(reverse)}
        padded = self._made(LodToTncOp, [x, self.offsets], [self.sentences, self.steps, inputs], x, marks)
        rows = self._made(ReshapeOp, [padded], [self.sentences * self.steps, inputs], x, {})
        operands = [rows, *own, equal]
        segments = DenseArrayBase.from_list(i32, [int(v is not None) for v in operands])
        given: dict[str, Attribute] = {"operandSegmentSizes": segments, PADDED: UnitAttr()}
        given |= {k: v for k, v in self.op.attributes.items() if k in ("activation", "gate_activation", "origin_mode")}
        if reverse:
            given["is_reverse"] = BoolAttr.from_bool(True)
        values = [v for v in operands if v is not None]
        states = self._made(FusedGruOp, values, [self.sentences * self.steps, channels], x, given)
        cut = self._made(ReshapeOp, [states], [self.sentences, self.steps, channels], x, {})
        return self._made(TncToLodOp, [cut, self.offsets, x], [_size(x, 0), channels], x, marks)

    def _joined(self, parts: list[SSAValue], mode: str) -> SSAValue:
        first = parts[0]
        if mode == "sum":
            return self._made(AddOp, parts, [_size(first, 0), _size(first, 1)], first, {})
        axis: dict[str, Attribute] = {"axis": IntegerAttr(1, i64)}
        return self._made(ConcatOp, parts, [_size(first, 0), sum(_size(part, 1) for part in parts)], first, axis)

    def _made(
        self,
        kind: type[DnnOp],
        operands: list[SSAValue],
        shape: list[int],
        like: SSAValue,
        attributes: dict[str, Attribute],
    ) -> SSAValue:
        assert isinstance(like.type, TensorType)
        type_ = TensorType(like.type.element_type, shape)
        return self._add(kind.create(operands=operands, result_types=[type_], attributes=attributes))

    def _add(self, made: DnnOp) -> SSAValue:
        inherit(made, self.op)
        inherit_engine(made, self.op)
        Rewriter.insert_op(made, InsertPoint.before(self.op))
        return made.results[0]


def _size(value: SSAValue | None, axis: int) -> int:
    """The size of an axis, as a type has it."""
    assert value is not None
    size = static_shape(value.type)[axis]
    return size if isinstance(size, int) else DYNAMIC_INDEX
