"""
DynamicQuantizeLSTM of onnxruntime's own domain, as `onnxruntime.quantization.quantize_dynamic` writes it for an LSTM.

It is ONNX's LSTM but for its products: weights are bytes, and what they are multiplied with becomes bytes of a scale
and zero point of its own, as DynamicQuantizeLinear chooses them, all of x at once and the state anew at each step, for
all sequences of the batch together. In each direction the product of x is one op for all steps, and the steps are one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from onnx import TensorProto
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.recurrent.byte_lstm import ACTIVATIONS, GATES
from lastuse.dialect.dnn.recurrent.onnx_activations import NamedActivation, named_activations
from lastuse.dialect.dnn.recurrent.onnx_base import DIRECTIONS, INDICES
from lastuse.dialect.dnn.recurrent.ragged import expect, expect_rank, expect_shape
from lastuse.dialect.dnn.widening import SMALL
from lastuse.frontends.onnx.builder import GraphNode, OnnxBuilder
from lastuse.frontends.onnx.byte_products import apply, apply_all, dynamic_product, stem_of

LSTM_ATTRIBUTES: Mapping[str, Any] = {
    "activation_alpha": None,
    "activation_beta": None,
    "activations": None,
    "clip": math.inf,
    "direction": "forward",
    "hidden_size": 0,
    "input_forget": 0,
}
"""The attributes of the op, and their defaults."""
_X, _W, _R, _B, _LENGTHS, _H, _C, _P, _W_SCALE, _W_ZERO, _R_SCALE, _R_ZERO = range(12)
INPUTS = 12


def dynamic_lstm(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    """y [steps, directions, batch, hidden], y_h and y_c [directions, batch, hidden]."""
    name = node.attributes["direction"]
    if name not in DIRECTIONS:
        raise ValueError(f"direction is '{name}', it must be one of {', '.join(DIRECTIONS)}")
    reverse, each = DIRECTIONS[name], len(ACTIVATIONS)
    _check(b, node, len(reverse))
    names = node.attributes.get("activations") or ACTIVATIONS * len(reverse)
    numbers = [node.attributes.get(f"activation_{which}", ()) for which in ("alpha", "beta")]
    activations = named_activations(names, *numbers)
    if len(activations) != each * len(reverse):
        raise ValueError(f"there are {len(activations)} activations, {each * len(reverse)} are needed")
    x = _steps(b, node)
    ends = [
        _direction(b, node, x, number, is_reverse, activations[each * number : each * (number + 1)])
        for number, is_reverse in enumerate(reverse)
    ]
    parts = zip(("y", "y_h", "y_c"), zip(*ends, strict=True), (1, 0, 0), strict=True)
    return [_joined(b, _part(node, name), values, axis) for name, values, axis in parts]


def _check(b: OnnxBuilder, node: GraphNode, directions: int) -> None:
    """Raises ValueError where operands do not fit each other."""
    infos = {index: b.sizes[value] for index in range(INPUTS) if (value := node.optional(index)) is not None}
    for index, name in ((_X, "X"), (_W, "W"), (_R, "R")):
        expect_rank(name, b.sizes[node.input(index)], 3)
    (_, batch, inputs), (_, hidden, _) = b.shape(node.input(_X)), b.shape(node.input(_R))
    if not isinstance(hidden, int):
        raise ValueError("the sizes of R are not known")
    columns, state = GATES * hidden, (directions, batch, hidden)
    shapes = {
        _W: ("W", (directions, inputs, columns), SMALL),
        _R: ("R", (directions, hidden, columns), SMALL),
        _B: ("B", (directions, 2 * columns), ("f32",)),
        _LENGTHS: ("sequence_lens", (batch,), INDICES),
        _H: ("initial_h", state, ("f32",)),
        _C: ("initial_c", state, ("f32",)),
        _P: ("P", (directions, 3 * hidden), ("f32",)),
    }
    for index in infos.keys() & shapes.keys():
        name, shape, dtypes = shapes[index]
        expect_shape(name, infos[index], shape, *dtypes)
    for index, name in (
        (_W_SCALE, "W_scale"),
        (_W_ZERO, "W_zero_point"),
        (_R_SCALE, "R_scale"),
        (_R_ZERO, "R_zero_point"),
    ):
        if index in infos:
            expect_rank(name, infos[index], 1, 2)
            expect_shape(name, infos[index], (directions, columns)[: len(infos[index].shape)])
    if node.attributes["hidden_size"]:
        expect("hidden_size", node.attributes["hidden_size"], hidden)


def _part(node: GraphNode, name: str) -> GraphNode:
    """The node, for ops whose results are called `name` after it."""
    return replace(node, outputs=[f"{stem_of(node)}/{name}"])


def _steps(b: OnnxBuilder, node: GraphNode) -> SSAValue:
    """x, but for steps that no sequence has: onnxruntime does not read these. They are 0, which each range has."""
    x, lengths, own = node.input(_X), node.optional(_LENGTHS), _part(node, "steps")
    if lengths is None:
        return x
    steps, one = b.shape(x)[0], np.array(1, np.int64)
    zero, unit = (b.constant(number, f"{stem_of(own)}/{name}") for number, name in ((one - 1, "zero"), (one, "one")))
    if isinstance(steps, int):
        count = b.constant(one * steps, f"{stem_of(own)}/count")
    else:
        count = apply(b, own, "Squeeze", apply(b, own, "Shape", x, start=0, end=1))
    # A batch without sequences has a longest one, too: of no step.
    wide = apply(b, own, "Cast", lengths, to=TensorProto.INT64)
    shown = b.ops("unsqueeze", [zero], [f"{stem_of(own)}/none"], {"axes": [0]})[0]
    all_lengths = apply(b, own, "Concat", wide, shown, axis=0)
    (longest,) = b.ops("reduce_max", [all_lengths], [f"{stem_of(own)}/longest"], {"axes": [0]})
    read = apply(b, own, "Less", apply(b, own, "Range", zero, count, unit), longest)
    (mask,) = b.ops("unsqueeze", [read], [f"{stem_of(own)}/mask"], {"axes": [1, 2]})
    return apply(b, own, "Where", mask, x, b.constant(np.zeros((), np.float32), f"{stem_of(own)}/nothing"))


def _direction(
    b: OnnxBuilder, node: GraphNode, x: SSAValue, number: int, is_reverse: bool, activations: Sequence[NamedActivation]
) -> Sequence[SSAValue]:
    """y [steps, batch, hidden], y_h and y_c [batch, hidden] of a direction."""
    own = _part(node, f"direction {number}")

    def part(index: int, name: str) -> SSAValue | None:
        value = node.optional(index)
        return (
            None
            if value is None
            else b.ops("select", [value], [f"{stem_of(own)}/{name}"], {"dim": 0, "index": number})[0]
        )

    w, w_scale, bias = part(_W, "w"), part(_W_SCALE, "w_scale"), part(_B, "b")
    assert w is not None and w_scale is not None
    gates = dynamic_product(b, _part(own, "x"), x, w, w_scale, part(_W_ZERO, "w_zero"))
    if bias is not None:
        halves = apply_all(b, _part(own, "biases"), "Split", 2, bias, axis=0)
        gates = apply(b, _part(own, "gates"), "Add", gates, apply(b, _part(own, "bias"), "Add", *halves))
    r = [part(index, name) for index, name in ((_R, "r"), (_R_SCALE, "r_scale"), (_R_ZERO, "r_zero"))]
    states = [part(index, name) for index, name in ((_H, "h"), (_C, "c"))]
    attributes = {
        "is_reverse": is_reverse or None,
        "input_forget": bool(node.attributes["input_forget"]) or None,
        "clip": None if math.isinf(node.attributes["clip"]) else node.attributes["clip"],
        "activations": [activation.name for activation in activations],
        "activation_alpha": [float(one.arguments[0]) for one in activations if one.arguments] or None,
        "activation_beta": [float(one.arguments[1]) for one in activations if len(one.arguments) > 1] or None,
    }
    names = [f"{stem_of(own)}/{name}" for name in ("y", "y_h", "y_c")]
    return b.ops("dynamic_lstm", [gates, *r, part(_P, "p"), node.optional(_LENGTHS), *states], names, attributes)


def _joined(b: OnnxBuilder, node: GraphNode, values: Sequence[SSAValue], axis: int) -> SSAValue:
    """The values of all directions along a new axis."""
    names = [f"{stem_of(node)}/{number}" for number in range(len(values))]
    wide = [b.ops("unsqueeze", [v], [name], {"axes": [axis]})[0] for v, name in zip(values, names, strict=True)]
    return wide[0] if len(wide) == 1 else apply(b, node, "Concat", *wide, axis=axis)
