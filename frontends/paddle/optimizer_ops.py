"""Paddle's updates of parameters. Defaults of attributes are Paddle's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Attribute, SSAValue

from lastuse.frontends.paddle.builder import Handler, PaddleBuilder
from lastuse.frontends.paddle.op_attributes import flag, float_attr, number, text
from lastuse.frontends.paddle.proto import PaddleOp


def _sgd(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    return _updated(b, op, "sgd", [], [], {}, name)


def _momentum(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    attributes = {
        "momentum": float_attr(number(op, "mu", 0.0)),
        "nesterov": BoolAttr.from_bool(flag(op, "use_nesterov", False)),
    }
    method = text(op, "regularization_method", "")
    if method not in ("", "l2_decay"):
        raise ValueError(f"the attribute regularization_method is '{method}', l2_decay is expected")
    if method:
        attributes["weight_decay"] = float_attr(number(op, "regularization_coeff", 0.0))
    return _updated(b, op, "momentum", ["Velocity"], [], attributes, name)


def _adam(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """The powers of beta are variables, which the op updates."""
    b.refuse_inputs(op, "Beta1Tensor", "Beta2Tensor", "EpsilonTensor", "SkipUpdate")
    if flag(op, "lazy_mode", False):
        raise ValueError("lazy_mode is not supported")
    beta = {slot: number(op, slot.lower(), default) for slot, default in (("Beta1", 0.9), ("Beta2", 0.999))}
    powers = [f"{slot}Pow" for slot in beta]
    attributes = {
        **{slot.lower(): float_attr(value) for slot, value in beta.items()},
        "epsilon": float_attr(number(op, "epsilon", 1e-8)),
    }
    updated = _updated(b, op, "adam_with_powers", ["Moment1", "Moment2"], powers, attributes, name)
    if not flag(op, "use_global_beta_pow", False):
        for slot, power in zip(beta.values(), powers, strict=True):
            next_power = b.emit("scale", [b.input(op, power)], {"scale": float_attr(slot)}, name=f"{name}/{power}")
            b.bind(op, f"{power}Out", next_power)
    return updated


def _updated(
    b: PaddleBuilder,
    op: PaddleOp,
    kind: str,
    states: Sequence[str],
    scalars: Sequence[str],
    attributes: Mapping[str, Attribute],
    name: str,
) -> SSAValue:
    """The parameter that `dnn.<kind>` updates; its states, in slots of the op, are bound."""
    b.refuse_inputs(op, "MasterParam")
    gradient = b.input(op, "Grad")
    factor = number(op, "rescale_grad", 1.0)
    if factor != 1.0:
        gradient = b.emit("scale", [gradient], {"scale": float_attr(factor)}, name=f"{name}/rescaled")
    operands = [b.input(op, "Param"), gradient, *(b.input(op, slot) for slot in states)]
    operands += [_scalar(b, op, slot, name) for slot in (*scalars, "LearningRate")]
    names = [name, *(f"{name}/{slot}" for slot in states)]
    updated, *others = b.emit_all(kind, operands, attributes, names=names)
    for slot, value in zip(states, others, strict=True):
        b.bind(op, f"{slot}Out", value)
    return updated


def _scalar(b: PaddleBuilder, op: PaddleOp, slot: str, name: str) -> SSAValue:
    value = b.input(op, slot)
    return b.reshape(value, (), f"{name}/{slot}") if b.shape(value) else value


HANDLERS: dict[str, Handler] = {"sgd": _sgd, "momentum": _momentum, "adam": _adam}
