"""What may be fused around a GRU, and why not: found here, applied by `--gru-fusion-pass`."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from lastuse.dialect.dnn.arithmetic import AddOp, SumOp
from lastuse.dialect.dnn.attributes import flag, integer, word
from lastuse.dialect.dnn.data_movement import ConcatOp
from lastuse.dialect.dnn.matmul_base import MatmulLikeBase, Product
from lastuse.dialect.dnn.recurrent.gru import FusedGruOp, GruBase, GruOp, MultiGruOp
from lastuse.dialect.ir.tensor_types import static_shape
from lastuse.dialect.storage.attrs import display_name, gives_places
from lastuse.passes.analysis.reasons import Reason

WITHOUT_BIAS = frozenset({"sigmoid", "tanh"})
WITH_BIAS = frozenset({"sigmoid", "tanh", "relu", "identity"})
"""Activations with which a GRU is fused. Only tanh with sigmoid gates runs on oneDNN. The cpu engine runs the others,
and is faster with the product apart; fusing them pays where a bias is added to all gates at once."""


class FusionRefusal(NamedTuple):
    """Why an op is not fused. `detail`: the values, types or numbers that are the cause."""

    reason: Reason
    detail: str = ""


class Projection(NamedTuple):
    """A GRU whose gates are x @ weight_x, plus the row `added` where it is not None. `product` multiplies."""

    product: MatmulLikeBase
    x: SSAValue
    weight_x: SSAValue
    added: SSAValue | None


class DirectionPair(NamedTuple):
    """Two directions over one input, joined."""

    forward: FusedGruOp
    reverse: FusedGruOp
    mode: str
    reverse_first: bool


class FusionRules:
    """What is fused: all that is sound. Subclasses refuse more."""

    def projection(self, op: GruOp) -> Projection | FusionRefusal:
        """The product that makes the gates of `op`, or why it is not fused with the GRU."""
        result = _product_of(op.gates)
        if result is None:
            return FusionRefusal(Reason.NO_PRODUCT, display_name(op.gates))
        chain, product, (x, weight_x, added) = result
        refusal = _apart(op, *chain) or _read_elsewhere(*chain) or _decided(op, *chain)
        if refusal is not None:
            return refusal
        if len(static_shape(x.type)) != 2 or len(static_shape(weight_x.type)) != 2:
            return FusionRefusal(Reason.WEIGHTS, f"{x.type} times {weight_x.type}")
        width = static_shape(op.gates.type)[1]
        if added is not None and (width is None or static_shape(added.type) not in ((width,), (1, width))):
            return FusionRefusal(Reason.BIAS, f"{display_name(added)} is {added.type}")
        allowed = WITHOUT_BIAS if added is None else WITH_BIAS
        for activation in (word(op.gate_activation, "sigmoid"), word(op.activation, "tanh")):
            if activation not in allowed:
                return FusionRefusal(Reason.ACTIVATION, activation)
        return Projection(product, x, weight_x, added)

    def direction_pair(self, op: Operation) -> DirectionPair | FusionRefusal | None:
        """The two directions that `op` joins, or why they are not fused; None where it joins no two GRUs."""
        grus = [v.owner for v in op.operands if isinstance(v.owner, FusedGruOp)]
        if not isinstance(op, ConcatOp | AddOp | SumOp) or len(grus) < 2:
            return None
        axis = integer(op.axis, 0) if isinstance(op, ConcatOp) else 1
        if len(op.operands) != 2 or axis not in (1, -1):
            count = len(op.operands)
            return FusionRefusal(Reason.JOIN, f"axis {axis}" if count == 2 else f"{count} operands")
        first, second = grus
        swapped = flag(first.is_reverse)
        if (refusal := _apart(op, first, second)) is not None:
            return refusal
        if swapped == flag(second.is_reverse):
            return FusionRefusal(Reason.DIRECTION, "reverse" if swapped else "forward")
        refusal = _decided(op, first, second) or _different(first, second) or _read_elsewhere(first, second)
        if refusal is not None:
            return refusal
        forward, reverse = (second, first) if swapped else (first, second)
        concat = isinstance(op, ConcatOp)
        return DirectionPair(forward, reverse, "concat" if concat else "sum", swapped and concat)

    def inner_layers(self, op: MultiGruOp) -> MultiGruOp | FusionRefusal | None:
        """The layers before those of `op`, or why they are not fused; None where there are none."""
        inner = op.x.owner
        if not isinstance(inner, MultiGruOp):
            return None
        if (refusal := _apart(op, inner) or _decided(op, inner)) is not None:
            return refusal
        if inner.offsets is not op.offsets:
            return _different_inputs(inner.offsets, op.offsets)
        if inner.formula() != op.formula():
            return FusionRefusal(Reason.FORMULA)
        if (inner.mode, inner.is_reverse_first()) != (op.mode, op.is_reverse_first()):
            return FusionRefusal(Reason.JOIN, f"{inner.mode.data} and {op.mode.data}")
        if _has_states(inner) != _has_states(op):
            return FusionRefusal(Reason.WEIGHTS, "one has initial states, the other has not")
        return _read_elsewhere(inner) or inner


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


def _apart(op: Operation, *others: Operation) -> FusionRefusal | None:
    """The ops are not all in one block."""
    return None if all(other.parent is op.parent for other in others) else FusionRefusal(Reason.CONTROL_FLOW)


def _decided(*ops: Operation) -> FusionRefusal | None:
    """A decision about storage names one of the ops, and would be lost."""
    result = next((op.results[0] for op in ops if gives_places(op)), None)
    return None if result is None else FusionRefusal(Reason.DECIDED, display_name(result))


def _read_elsewhere(*ops: Operation) -> FusionRefusal | None:
    """The result of one of the ops has several readers."""
    result = next((op.results[0] for op in ops if op.results[0].uses.get_length() > 1), None)
    return None if result is None else FusionRefusal(Reason.USED_ELSEWHERE, display_name(result))


def _different(first: FusedGruOp, second: FusedGruOp) -> FusionRefusal | None:
    """The two directions differ in more than their weights."""
    for one, other in ((first.x, second.x), (first.offsets, second.offsets)):
        if one is not other:
            return _different_inputs(one, other)
    if first.formula() != second.formula():
        return FusionRefusal(Reason.FORMULA)
    channels = [static_shape(gru.weight_h.type)[0] for gru in (first, second)]
    if None in channels or channels[0] != channels[1]:
        return FusionRefusal(Reason.WEIGHTS, f"{first.weight_h.type} and {second.weight_h.type}")
    return None


def _different_inputs(one: SSAValue, other: SSAValue) -> FusionRefusal:
    return FusionRefusal(Reason.DIFFERENT_INPUTS, f"{display_name(one)} and {display_name(other)}")


def _has_states(op: GruBase) -> bool:
    return op.weights(op.operands)[0][0].h0 is not None
