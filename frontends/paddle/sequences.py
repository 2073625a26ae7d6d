"""Paddle's ops along ragged sequences. Their scratch outputs (BatchGate, …) have no value here."""

from __future__ import annotations

from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, StringAttr, i32
from xdsl.ir import SSAValue

from lastuse.frontends.paddle.builder import Handler, PaddleBuilder
from lastuse.frontends.paddle.op_attributes import flag, text
from lastuse.frontends.paddle.proto import PaddleOp


def _gru(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    gates = b.input(op, "Input")
    bias, h0 = b.optional(op, "Bias"), b.optional(op, "H0")
    operands = [gates, b.input(op, "Weight"), bias, h0, b.offsets_of(gates, op, "Input")]
    attributes = {
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [int(operand is not None) for operand in operands]),
        "activation": StringAttr(text(op, "activation", "tanh")),
        "gate_activation": StringAttr(text(op, "gate_activation", "sigmoid")),
        "is_reverse": BoolAttr.from_bool(flag(op, "is_reverse", False)),
        "origin_mode": BoolAttr.from_bool(flag(op, "origin_mode", False)),
    }
    return b.emit("gru", [operand for operand in operands if operand is not None], attributes, name=name)


def _crf_decoding(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    b.refuse_inputs(op, "Label", "Length")
    emission = b.input(op, "Emission")
    operands = [emission, b.input(op, "Transition"), b.offsets_of(emission, op, "Emission")]
    return b.emit("crf_decoding", operands, name=name)


HANDLERS: dict[str, Handler] = {"gru": _gru, "crf_decoding": _crf_decoding}
