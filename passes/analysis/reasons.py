"""Why a result is not written over an operand, or ops are not fused: one enum for annotations, remarks and tests."""

from __future__ import annotations

import enum
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from ...dialect.decisions import shown
from ...dialect.diagnostics import location_of, op_name


class Reason(enum.Enum):
    """The first check an operand failed. Members stand in the order in which they are checked; those of fusion last."""

    KERNEL = "kernel"
    FLOAT_BITS = "float-bits"
    NOT_LISTED = "not-listed"
    ELEMENT_TYPE = "element-type"
    BROADCAST = "broadcast"
    SIZE = "size"
    LAYOUT = "layout"
    CONSTANT = "constant"
    PROGRAM_INPUT = "program-input"
    REPEATED_OPERAND = "repeated-operand"
    OVERLAPPING_VIEW = "overlapping-view"
    OPERANDS_ALIAS = "operands-alias"
    RESTRICTING_INPUT = "restricting-input"
    NEXT_OP_REUSES = "next-op-reuses"
    CONTROL_FLOW = "control-flow"
    RETURNED = "returned"
    USED_LATER = "used-later"
    TAKEN = "taken"
    DECIDED = "decided"
    NO_PRODUCT = "no-product"
    USED_ELSEWHERE = "used-elsewhere"
    WEIGHTS = "weights"
    BIAS = "bias"
    ACTIVATION = "activation"
    JOIN = "join"
    DIFFERENT_INPUTS = "different-inputs"
    DIRECTION = "direction"
    FORMULA = "formula"

    @property
    def rank(self) -> int:
        """How many checks passed before this one."""
        return list(Reason).index(self)


WORDS = {
    Reason.KERNEL: "no kernel of this op writes over that operand",
    Reason.FLOAT_BITS: "an op reads numbers as bits: it would see which of two NaNs the kernel keeps",
    Reason.NOT_LISTED: "the strategy's system does not do that",
    Reason.ELEMENT_TYPE: "the element types differ",
    Reason.BROADCAST: "the operand is broadcast: one of its elements is read for several of the result",
    Reason.SIZE: "it does not have the same sizes, or is not known to",
    Reason.LAYOUT: "the operand does not lie row-major there and a kernel needs that",
    Reason.CONSTANT: "the operand is a constant",
    Reason.PROGRAM_INPUT: "the operand is memory of the caller, neither donated nor tied",
    Reason.REPEATED_OPERAND: "the same value is another operand too",
    Reason.OVERLAPPING_VIEW: "another operand is a different view of the same bytes",
    Reason.OPERANDS_ALIAS: "another value may be the same bytes",
    Reason.RESTRICTING_INPUT: "the op before is in place and restricts this one",
    Reason.NEXT_OP_REUSES: "a later op already lives in that memory",
    Reason.CONTROL_FLOW: "it is read again on another path or iteration",
    Reason.RETURNED: "it is returned",
    Reason.USED_LATER: "it is read later",
    Reason.TAKEN: "other results stand better in that memory",
    Reason.DECIDED: "a decision that was there before gives its place",
    Reason.NO_PRODUCT: "what it reads is no product of words and weights alone",
    Reason.USED_ELSEWHERE: "a value that would be gone is read elsewhere, or returned",
    Reason.WEIGHTS: "the weights are of other sizes than the fused op takes",
    Reason.BIAS: "what is added to the product is not one row for all words",
    Reason.ACTIVATION: "the fused op is not used with that activation",
    Reason.JOIN: "the two directions are not joined side by side or added, with nothing else",
    Reason.DIFFERENT_INPUTS: "the two read different words, or cut them into different sequences",
    Reason.DIRECTION: "the two run in one direction",
    Reason.FORMULA: "the two have different formulas or activations",
}


class Refusal(NamedTuple):
    """Why result `result` does not go over operand `operand`; `other` and `by` are the value and op in the way,
    `detail` is what else there is to say."""

    reason: Reason
    result: int
    operand: int
    other: SSAValue | None = None
    by: Operation | None = None
    detail: str = ""


def sentence(op: Operation, refusal: Refusal) -> str:
    """A refusal of `op` in words."""
    operand = op.operands[refusal.operand]
    text = f"{shown(op.results[refusal.result])} is not written over {shown(operand)}: {WORDS[refusal.reason]}"
    if refusal.detail:
        text += f" ({refusal.detail})"
    if refusal.other is not None and refusal.other is not operand:
        text += f", as {shown(refusal.other)}"
    if refusal.by is not None and refusal.by is not op:
        where = location_of(refusal.by)
        text += f", by {op_name(refusal.by)}" + (f" at line {where.line}" if where is not None else "")
    return text
