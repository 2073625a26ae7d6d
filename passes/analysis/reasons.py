"""Why a result is not written over an operand, or ops are not fused: one enum for annotations, remarks and tests."""

from __future__ import annotations

import enum
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.diagnostics import location_of, op_name
from lastuse.dialect.storage.attrs import display_name


class Reason(enum.Enum):
    """The first check an operand failed. Members stand in the order in which they are checked; those of copies behind
    them, those of fusion last.

    Attributes:
        words: the reason as a sentence.
        help: what would help.
    """

    words: str
    help: str

    def __new__(cls, value: str, words: str, help: str) -> Reason:
        reason = object.__new__(cls)
        reason._value_, reason.words, reason.help = value, words, help
        return reason

    KERNEL = (
        "kernel",
        "no kernel of this op writes over that operand",
        "declare an `InPlace` in the op's contract, if its kernel allows it",
    )
    FLOAT_BITS = (
        "float-bits",
        "an op reads numbers as bits: it would see which of two NaNs the kernel keeps",
        "keep `arith.bitcast` and its like out of the module",
    )
    NOT_LISTED = "not-listed", "the strategy's system does not do that", "`strategy=optimal` goes by contracts alone"
    ENGINE = "engine", "the op is not to run on oneDNN, which the strategy asks for", "run `--placement-pass` before"
    ELEMENT_TYPE = "element-type", "the element types differ", "cast before, where the operand is made"
    BROADCAST = (
        "broadcast",
        "the operand is broadcast: one of its elements is read for several of the result",
        "write over the operand that has the result's sizes",
    )
    SIZE = (
        "size",
        "it does not have the same sizes, or is not known to",
        "bind unknown sizes with `--specialize-pass`",
    )
    OFFSET = (
        "unknown-offset",
        "which part of it is written is known at run time only",
        "give offsets, sizes and strides as constants",
    )
    LAYOUT = (
        "layout",
        "the operand does not lie row-major there and a kernel needs that",
        "use an op whose contract is `strided`",
    )
    CONSTANT = (
        "constant",
        "the operand is a constant",
        "make it an argument with `dnn.donated`, or put an op before that makes a new value",
    )
    PROGRAM_INPUT = (
        "program-input",
        "the operand is memory of the caller, neither donated nor tied",
        "mark the argument `dnn.donated`, or tie a result to it with `dnn.tied`",
    )
    REPEATED_OPERAND = (
        "repeated-operand",
        "the same value is another operand too",
        "`allow_same_operand` in the op's contract, if its kernel allows it",
    )
    OVERLAPPING_VIEW = (
        "overlapping-view",
        "another operand is a different view of the same bytes",
        "read the view before, or from a value of its own",
    )
    OPERANDS_ALIAS = (
        "operands-alias",
        "another value may be the same bytes",
        "register a contract of the op of another dialect that it comes from",
    )
    RESTRICTING_INPUT = (
        "restricting-input",
        "the op before is in place and restricts this one",
        "`strategy=optimal` has no modes",
    )
    BACKWARD_NEEDS = (
        "backward-needs",
        "a gradient reads the operand, which the strategy's system takes for free",
        "`strategy=optimal` goes by what is read; do not train what needs that gradient",
    )
    NEXT_OP_REUSES = (
        "next-op-reuses",
        "a later op already lives in that memory",
        "drop the decision made before, or decide in place before storages get numbers",
    )
    CONTROL_FLOW = (
        "control-flow",
        "it is read again on another path or iteration",
        "compute it on the path or in the iteration that reads it",
    )
    RETURNED = "returned", "it is returned", "return it once, from the op that makes it, or tie it to an argument"
    USED_LATER = (
        "used-later",
        "it is read later",
        "move the op that reads it later before this one; `--plan-pass` tries that",
    )
    CYCLE = "cycle", "values exchange their places, so one is copied to a temporary", "carry them in the same order"
    CALLEE_WRITES = (
        "callee-writes",
        "the call may write the parameter, and the operand is not given to it",
        "let the call be the last use: then `dnn.donate` gives the operand",
    )
    TAKEN = (
        "taken",
        "the memory is used for another result",
        "`--plan-pass` weighs the bytes of both; `parts=false` leaves parts out",
    )
    DECIDED = "decided", "a decision that was there before gives its place", "drop the decision that was made before"
    NO_PRODUCT = (
        "no-product",
        "its gates are not a product of rows and weights alone",
        "multiply the rows by the weights just before the GRU",
    )
    USED_ELSEWHERE = (
        "used-elsewhere",
        "a value that would be gone is read elsewhere, or returned",
        "read the fused op's result instead",
    )
    WEIGHTS = (
        "weights",
        "the weights are of other sizes than the fused op takes",
        "give both directions weights of the same sizes",
    )
    BIAS = (
        "bias",
        "what is added to the product is not one row",
        "add one row of as many elements as the product has columns",
    )
    ACTIVATION = (
        "activation",
        "the fused op is not used with that activation",
        "use an activation that `dnn.fused_gru` has",
    )
    JOIN = (
        "join",
        "the two directions are not joined side by side or added, with nothing else",
        "join them with one concat along the last axis, or one add",
    )
    DIFFERENT_INPUTS = (
        "different-inputs",
        "the two directions read different rows, or cut them into different sequences",
        "feed both directions the same rows and offsets",
    )
    NO_POST_OP = (
        "no-post-op",
        "oneDNN has no fast post-op for that op there",
        "use an op that has one: a function of each element, or one with a row of channels",
    )
    SIZES = (
        "sizes",
        "the op's operands and result are not known to have sizes that a post-op takes",
        "give unknown sizes one name (`dnn.sizes`), or bind them (`--specialize-pass`)",
    )
    CARRIED = (
        "carried",
        "the result may take the place of a carried or donated value, which the fused op would read while it writes",
        "let an elementwise op that is not fused make the carried value",
    )
    NO_PRIMITIVE = (
        "no-primitive",
        "one of the two ops is not oneDNN's",
        "use f32, and leave both ops to oneDNN",
    )
    ASKED_ENGINE = (
        "asked-engine",
        "an engine is asked for",
        "run `--map-fusion-pass` before `--placement-pass`, and leave out `dnn.engine`",
    )
    KNOWN = "known", "what it makes is known while compiling", "`--refine-pass` makes it a constant"
    FASTER_ALONE = (
        "faster-alone",
        "oneDNN computes the op faster alone",
        "nothing: a map of it would take longer",
    )
    LARGEST_MAP = "largest-map", "the map has as many ops as it may have", "nothing: the rest is the next map"
    KEPT_LONGER = (
        "kept-longer",
        "its operands would be live longer, and take more bytes than its result",
        "compute it just before the op that reads it",
    )
    DIRECTION = "direction", "the two run in one direction", "reverse one of them"
    FORMULA = "formula", "the two have different formulas or activations", "give both the same attributes"

    @property
    def rank(self) -> int:
        """How many checks passed before this one."""
        return list(Reason).index(self)


class Refusal(NamedTuple):
    """Why result `result` does not go over operand `operand`; `other` and `by` are the value and op in the way,
    `detail` is what else there is to say."""

    reason: Reason
    result: int
    operand: int
    other: SSAValue | None = None
    by: Operation | None = None
    detail: str = ""


class Copied(NamedTuple):
    """A copy that an op makes, in words, why it has to, and the op that is the cause."""

    text: str
    reason: Reason
    by: Operation | None = None


def copied_into(source: SSAValue, target: SSAValue) -> str:
    """What a copy does, in words."""
    return f"{display_name(source)} is copied into {display_name(target)}"


def caused(by: Operation | None, op: Operation) -> str:
    """The op that is the cause of what is said of `op`, in words; nothing where it is `op` itself or none."""
    if by is None or by is op:
        return ""
    where = location_of(by)
    return f", by {op_name(by)}" + (f" at line {where.line}" if where is not None else "")


def sentence(op: Operation, refusal: Refusal) -> str:
    """A refusal of `op` in words."""
    operand = op.operands[refusal.operand]
    result = display_name(op.results[refusal.result])
    text = f"{result} is not written over {display_name(operand)}: {refusal.reason.words}"
    if refusal.detail:
        text += f" ({refusal.detail})"
    if refusal.other is not None and refusal.other is not operand:
        text += f", as {display_name(refusal.other)}"
    return text + caused(refusal.by, op)
