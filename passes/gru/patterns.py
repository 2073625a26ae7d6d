"""What may be fused around a GRU, and why not: found here, applied by `--gru-fusion-pass`."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from lastuse.dialect.dnn.arithmetic import Add, SumOp
from lastuse.dialect.dnn.attributes import flag, integer, word
from lastuse.dialect.dnn.data_movement import Concat
from lastuse.dialect.dnn.matmul import Product, ProductOp
from lastuse.dialect.dnn.recurrent.gru import FusedGru, Gru
from lastuse.dialect.dnn.recurrent.multi_gru import MultiGru
from lastuse.dialect.ir.symbolic_shape import static_shape
from lastuse.dialect.storage.attrs import gives_places, shown
from lastuse.passes.analysis.reasons import Reason

Recurrent = Gru | FusedGru | MultiGru

WITHOUT_BIAS = frozenset({"sigmoid", "tanh"})
WITH_BIAS = frozenset({"sigmoid", "tanh", "relu", "identity"})
"""Activations with which a GRU is fused. Only tanh with sigmoid gates runs on oneDNN, the rest on the cpu engine, where
the product by itself is the faster: what is gained there is the sum of all gates and the bias, where there is one."""


class Refusal(NamedTuple):
    """Why an op is not fused; `detail` is what else there is to say."""

    reason: Reason
    detail: str = ""


class Projected(NamedTuple):
    """A GRU whose gates are x @ weight_x, plus `added` where it is not None, a value of a row for all words.

    `product` is the op that multiplies.
    """

    product: ProductOp
    x: SSAValue
    weight_x: SSAValue
    added: SSAValue | None


def projected(op: Gru) -> Projected | Refusal:
    """What makes the gates of `op`, or why the two are not fused."""
    found = _product_of(op.gates)
    if found is None:
        return Refusal(Reason.NO_PRODUCT, shown(op.gates))
    chain, product, (x, weight_x, added) = found
    if any(step.parent is not op.parent for step in chain):
        return Refusal(Reason.CONTROL_FLOW)
    for step in chain:
        if step.results[0].uses.get_length() > 1:
            return Refusal(Reason.USED_ELSEWHERE, shown(step.results[0]))
    if (decided := _decided(op, *chain)) is not None:
        return decided
    if len(static_shape(x.type)) != 2 or len(static_shape(weight_x.type)) != 2:
        return Refusal(Reason.WEIGHTS, f"{x.type} times {weight_x.type}")
    if added is not None and not _is_row(added, static_shape(op.gates.type)[1]):
        return Refusal(Reason.BIAS, f"{shown(added)} is {added.type}")
    allowed = WITHOUT_BIAS if added is None else WITH_BIAS
    for activation in (word(op.gate_activation, "sigmoid"), word(op.activation, "tanh")):
        if activation not in allowed:
            return Refusal(Reason.ACTIVATION, activation)
    return Projected(product, x, weight_x, added)


def _product_of(value: SSAValue) -> tuple[list[Operation], ProductOp, Product] | None:
    """The ops that make `value`, if they are a product, or a product and a sum, and the product with what is added."""
    op = value.owner
    if isinstance(op, ProductOp):
        product = op.product()
        return None if product is None else ([op], op, product)
    if not isinstance(op, Add):
        return None
    for one, other in ((op.operands[0], op.operands[1]), (op.operands[1], op.operands[0])):
        first = one.owner
        product = first.product() if isinstance(first, ProductOp) else None
        if isinstance(first, ProductOp) and product is not None and product.added is None:
            return [op, first], first, product._replace(added=other)
    return None


def _decided(*ops: Operation) -> Refusal | None:
    """A decision about places was made for an op by itself: fused, it would be gone."""
    found = next((op for op in ops if gives_places(op)), None)
    return None if found is None else Refusal(Reason.DECIDED, shown(found.results[0]))


def _is_row(value: SSAValue, width: int | None) -> bool:
    """Whether a value is [width] or [1, width]."""
    shape = static_shape(value.type)
    return width is not None and shape in ((width,), (1, width))


class Joined(NamedTuple):
    """Two directions over one input, joined."""

    forward: FusedGru
    reverse: FusedGru
    mode: str
    reverse_first: bool


def joined(op: Operation) -> Joined | Refusal | None:
    """The two directions that `op` joins, or why they are not fused; None where it joins no two GRUs."""
    halves = [v.owner for v in op.operands]
    grus = [half for half in halves if isinstance(half, FusedGru)]
    if not isinstance(op, Concat | Add | SumOp) or len(grus) < 2:
        return None
    axis = integer(op.axis, 0) if isinstance(op, Concat) else 1
    if len(halves) != 2 or axis not in (1, -1):
        return Refusal(Reason.JOIN, f"axis {axis}" if len(halves) == 2 else f"{len(halves)} operands")
    first, second = grus
    if any(half.parent is not op.parent for half in grus):
        return Refusal(Reason.CONTROL_FLOW)
    if flag(first.is_reverse) == flag(second.is_reverse):
        return Refusal(Reason.DIRECTION, "reverse" if flag(first.is_reverse) else "forward")
    refusal = _decided(op, first, second) or _why_not_together(first, second)
    if refusal is not None:
        return refusal
    for half in (first, second):
        if half.hidden.uses.get_length() > 1:
            return Refusal(Reason.USED_ELSEWHERE, shown(half.hidden))
    swapped = flag(first.is_reverse)
    forward, reverse = (second, first) if swapped else (first, second)
    return Joined(forward, reverse, "concat" if isinstance(op, Concat) else "sum", swapped and isinstance(op, Concat))


def _why_not_together(first: FusedGru, second: FusedGru) -> Refusal | None:
    if first.x is not second.x or first.offsets is not second.offsets:
        one, other = (first.x, second.x) if first.x is not second.x else (first.offsets, second.offsets)
        return Refusal(Reason.DIFFERENT_INPUTS, f"{shown(one)} and {shown(other)}")
    if formula_of(first) != formula_of(second):
        return Refusal(Reason.FORMULA)
    channels = [static_shape(half.weight_h.type)[0] for half in (first, second)]
    if None in channels or channels[0] != channels[1]:
        return Refusal(Reason.WEIGHTS, f"{first.weight_h.type} and {second.weight_h.type}")
    return None


def formula_of(op: Recurrent) -> tuple[bool, str, str]:
    """origin_mode, activation, gate activation."""
    return flag(op.origin_mode), word(op.activation, "tanh"), word(op.gate_activation, "sigmoid")


def stacked(op: MultiGru) -> MultiGru | Refusal | None:
    """The layers before those of `op`, or why they are not fused; None where there are none."""
    inner = op.x.owner
    if not isinstance(inner, MultiGru):
        return None
    if inner.parent is not op.parent:
        return Refusal(Reason.CONTROL_FLOW)
    if (decided := _decided(op, inner)) is not None:
        return decided
    if inner.offsets is not op.offsets:
        return Refusal(Reason.DIFFERENT_INPUTS, f"{shown(inner.offsets)} and {shown(op.offsets)}")
    if formula_of(inner) != formula_of(op):
        return Refusal(Reason.FORMULA)
    if (inner.mode, flag(inner.reverse_first)) != (op.mode, flag(op.reverse_first)):
        return Refusal(Reason.JOIN, f"{inner.mode.data} and {op.mode.data}")
    if inner.has_states() != op.has_states():
        return Refusal(Reason.WEIGHTS, "one has initial states, the other has not")
    if inner.hidden.uses.get_length() > 1:
        return Refusal(Reason.USED_ELSEWHERE, shown(inner.hidden))
    return inner


class Rules:
    """What is fused: everything that is right."""

    def projected(self, op: Gru) -> Projected | Refusal:
        """As the function."""
        return projected(op)

    def joined(self, op: Operation) -> Joined | Refusal | None:
        """As the function."""
        return joined(op)

    def stacked(self, op: MultiGru) -> MultiGru | Refusal | None:
        """As the function."""
        return stacked(op)
