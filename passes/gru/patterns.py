"""What may be fused around a GRU, and why not: found here, applied by `--gru-fusion-pass`."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from lastuse.dialect.dnn.arithmetic import AddOp, SumOp
from lastuse.dialect.dnn.attributes import flag, integer, word
from lastuse.dialect.dnn.data_movement import ConcatOp
from lastuse.dialect.dnn.matmul import MatmulLikeBase, Product
from lastuse.dialect.dnn.recurrent.gru import FusedGruOp, GruOp, MultiGruOp
from lastuse.dialect.ir.symbolic_shape import static_shape
from lastuse.dialect.storage.attrs import display_name, gives_places
from lastuse.passes.analysis.reasons import Reason

WITHOUT_BIAS = frozenset({"sigmoid", "tanh"})
WITH_BIAS = frozenset({"sigmoid", "tanh", "relu", "identity"})
"""Activations with which a GRU is fused. Only tanh with sigmoid gates runs on oneDNN, the rest on the cpu engine, where
the product by itself is the faster: what is gained there is the sum of all gates and the bias, where there is one."""


class FusionRefusal(NamedTuple):
    """Why an op is not fused; `detail` is what else there is to say."""

    reason: Reason
    detail: str = ""


class Projected(NamedTuple):
    """A GRU whose gates are x @ weight_x, plus `added` where it is not None, a value of a row for all words.

    `product` is the op that multiplies.
    """

    product: MatmulLikeBase
    x: SSAValue
    weight_x: SSAValue
    added: SSAValue | None


def projected(op: GruOp) -> Projected | FusionRefusal:
    """What makes the gates of `op`, or why the two are not fused."""
    found = _product_of(op.gates)
    if found is None:
        return FusionRefusal(Reason.NO_PRODUCT, display_name(op.gates))
    chain, product, (x, weight_x, added) = found
    if any(step.parent is not op.parent for step in chain):
        return FusionRefusal(Reason.CONTROL_FLOW)
    for step in chain:
        if step.results[0].uses.get_length() > 1:
            return FusionRefusal(Reason.USED_ELSEWHERE, display_name(step.results[0]))
    if (decided := _decided(op, *chain)) is not None:
        return decided
    if len(static_shape(x.type)) != 2 or len(static_shape(weight_x.type)) != 2:
        return FusionRefusal(Reason.WEIGHTS, f"{x.type} times {weight_x.type}")
    if added is not None and not _is_row(added, static_shape(op.gates.type)[1]):
        return FusionRefusal(Reason.BIAS, f"{display_name(added)} is {added.type}")
    allowed = WITHOUT_BIAS if added is None else WITH_BIAS
    for activation in (word(op.gate_activation, "sigmoid"), word(op.activation, "tanh")):
        if activation not in allowed:
            return FusionRefusal(Reason.ACTIVATION, activation)
    return Projected(product, x, weight_x, added)


def _product_of(value: SSAValue) -> tuple[list[Operation], MatmulLikeBase, Product] | None:
    """The ops that make `value`, if they are a product, or a product and a sum, and the product with what is added."""
    op = value.owner
    if isinstance(op, MatmulLikeBase):
        product = op.product()
        return None if product is None else ([op], op, product)
    if not isinstance(op, AddOp):
        return None
    for one, other in ((op.operands[0], op.operands[1]), (op.operands[1], op.operands[0])):
        first = one.owner
        product = first.product() if isinstance(first, MatmulLikeBase) else None
        if isinstance(first, MatmulLikeBase) and product is not None and product.added is None:
            return [op, first], first, product._replace(added=other)
    return None


def _decided(*ops: Operation) -> FusionRefusal | None:
    """A decision about places was made for an op by itself: fused, it would be gone."""
    found = next((op for op in ops if gives_places(op)), None)
    return None if found is None else FusionRefusal(Reason.DECIDED, display_name(found.results[0]))


def _is_row(value: SSAValue, width: int | None) -> bool:
    """Whether a value is [width] or [1, width]."""
    shape = static_shape(value.type)
    return width is not None and shape in ((width,), (1, width))


class JoinedDirections(NamedTuple):
    """Two directions over one input, joined."""

    forward: FusedGruOp
    reverse: FusedGruOp
    mode: str
    reverse_first: bool


def joined(op: Operation) -> JoinedDirections | FusionRefusal | None:
    """The two directions that `op` joins, or why they are not fused; None where it joins no two GRUs."""
    halves = [v.owner for v in op.operands]
    grus = [half for half in halves if isinstance(half, FusedGruOp)]
    if not isinstance(op, ConcatOp | AddOp | SumOp) or len(grus) < 2:
        return None
    axis = integer(op.axis, 0) if isinstance(op, ConcatOp) else 1
    if len(halves) != 2 or axis not in (1, -1):
        return FusionRefusal(Reason.JOIN, f"axis {axis}" if len(halves) == 2 else f"{len(halves)} operands")
    first, second = grus
    if any(half.parent is not op.parent for half in grus):
        return FusionRefusal(Reason.CONTROL_FLOW)
    if flag(first.is_reverse) == flag(second.is_reverse):
        return FusionRefusal(Reason.DIRECTION, "reverse" if flag(first.is_reverse) else "forward")
    refusal = _decided(op, first, second) or _why_not_together(first, second)
    if refusal is not None:
        return refusal
    for half in (first, second):
        if half.hidden.uses.get_length() > 1:
            return FusionRefusal(Reason.USED_ELSEWHERE, display_name(half.hidden))
    swapped = flag(first.is_reverse)
    forward, reverse = (second, first) if swapped else (first, second)
    return JoinedDirections(
        forward, reverse, "concat" if isinstance(op, ConcatOp) else "sum", swapped and isinstance(op, ConcatOp)
    )


def _why_not_together(first: FusedGruOp, second: FusedGruOp) -> FusionRefusal | None:
    if first.x is not second.x or first.offsets is not second.offsets:
        one, other = (first.x, second.x) if first.x is not second.x else (first.offsets, second.offsets)
        return FusionRefusal(Reason.DIFFERENT_INPUTS, f"{display_name(one)} and {display_name(other)}")
    if first.formula() != second.formula():
        return FusionRefusal(Reason.FORMULA)
    channels = [static_shape(half.weight_h.type)[0] for half in (first, second)]
    if None in channels or channels[0] != channels[1]:
        return FusionRefusal(Reason.WEIGHTS, f"{first.weight_h.type} and {second.weight_h.type}")
    return None


def stacked(op: MultiGruOp) -> MultiGruOp | FusionRefusal | None:
    """The layers before those of `op`, or why they are not fused; None where there are none."""
    inner = op.x.owner
    if not isinstance(inner, MultiGruOp):
        return None
    if inner.parent is not op.parent:
        return FusionRefusal(Reason.CONTROL_FLOW)
    if (decided := _decided(op, inner)) is not None:
        return decided
    if inner.offsets is not op.offsets:
        return FusionRefusal(Reason.DIFFERENT_INPUTS, f"{display_name(inner.offsets)} and {display_name(op.offsets)}")
    if inner.formula() != op.formula():
        return FusionRefusal(Reason.FORMULA)
    if (inner.mode, inner.is_reverse_first()) != (op.mode, op.is_reverse_first()):
        return FusionRefusal(Reason.JOIN, f"{inner.mode.data} and {op.mode.data}")
    if _has_states(inner) != _has_states(op):
        return FusionRefusal(Reason.WEIGHTS, "one has initial states, the other has not")
    if inner.hidden.uses.get_length() > 1:
        return FusionRefusal(Reason.USED_ELSEWHERE, display_name(inner.hidden))
    return inner


def _has_states(op: MultiGruOp) -> bool:
    return op.weights(op.operands)[0][0].h0 is not None


class FusionRules:
    """What is fused: everything that is right."""

    def projected(self, op: GruOp) -> Projected | FusionRefusal:
        """As the function."""
        return projected(op)

    def joined(self, op: Operation) -> JoinedDirections | FusionRefusal | None:
        """As the function."""
        return joined(op)

    def stacked(self, op: MultiGruOp) -> MultiGruOp | FusionRefusal | None:
        """As the function."""
        return stacked(op)
