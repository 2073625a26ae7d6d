"""
DynamicQuantizeLSTM of onnxruntime's own domain, as `onnxruntime.quantization.quantize_dynamic` writes it for an LSTM.

It is ONNX's LSTM but for its products: weights are bytes, and what they are multiplied with becomes bytes of a scale
and zero point of its own, as DynamicQuantizeLinear chooses them, all of x at once and the state anew at each step, for
all sequences of the batch together. The product of x is one op for all steps. The steps are the iterations of one loop,
whose results are written into y in place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue

from lastuse.dialect.dnn.recurrent.onnx_activations import NamedActivation, named_activations
from lastuse.dialect.dnn.recurrent.onnx_base import DIRECTIONS
from lastuse.dialect.dnn.widening import SMALL
from lastuse.dialect.ir.tensor_types import Dim
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
_ACTIVATIONS = ("Sigmoid", "Tanh", "Tanh")
_GATES = 4
_X, _W, _R, _B, _LENGTHS, _H, _C, _P, _W_SCALE, _W_ZERO, _R_SCALE, _R_ZERO = range(12)
INPUTS = 12


class _Direction(NamedTuple):
    """What one direction reads.

    Attributes:
        gates: [steps, batch, 4 * hidden], the products of x, with both biases: i, o, f, c.
        r: [hidden, 4 * hidden], bytes.
        scale, zero: of r.
        peepholes: of i, o and f, [hidden] each, or none.
        is_reverse: the first step is the last one of x.
        activations: of gates, of candidates, and of cells.
    """

    gates: SSAValue
    r: SSAValue
    scale: SSAValue
    zero: SSAValue | None
    peepholes: Sequence[SSAValue]
    is_reverse: bool
    activations: Sequence[NamedActivation]


def dynamic_lstm(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    """y [steps, directions, batch, hidden], y_h and y_c [directions, batch, hidden]."""
    reverse = _reverse(node)
    hidden = _check(b, node, len(reverse))
    each = len(_ACTIVATIONS)
    names = node.attributes.get("activations") or _ACTIVATIONS * len(reverse)
    numbers = [node.attributes.get(f"activation_{which}", ()) for which in ("alpha", "beta")]
    activations = named_activations(names, *numbers)
    if len(activations) != each * len(reverse):
        raise ValueError(f"there are {len(activations)} activations, {each * len(reverse)} are needed")
    ends: list[Sequence[SSAValue]] = []
    for number, is_reverse in enumerate(reverse):
        own = _part(node, f"direction {number}")
        direction = _direction(b, own, node, number, is_reverse, activations[each * number : each * (number + 1)])
        states = [_initial(b, own, node, index, number, direction.gates, hidden) for index in (_H, _C)]
        ends.append(_Steps(b, _part(own, "steps"), direction, node.attributes, hidden).run(states))
    parts = zip(("y", "y_h", "y_c"), zip(*ends, strict=True), (1, 0, 0), strict=True)
    return [_joined(b, _part(node, name), values, axis) for name, values, axis in parts]


def _reverse(node: GraphNode) -> Sequence[bool]:
    """Of each direction whether it is reverse."""
    name = node.attributes["direction"]
    if name not in DIRECTIONS:
        raise ValueError(f"direction is '{name}', it must be one of {', '.join(DIRECTIONS)}")
    return DIRECTIONS[name]


def _check(b: OnnxBuilder, node: GraphNode, directions: int) -> int:
    """The number of channels of a state.

    Raises:
        ValueError: operands do not fit each other, or sequences have lengths of their own.
    """
    if node.optional(_LENGTHS) is not None:
        raise ValueError("sequence_lens is not supported")
    for index, what in ((_X, "X"), (_W, "W"), (_R, "R")):
        if b.rank(node.input(index)) != 3:
            raise ValueError(f"{what} has {b.rank(node.input(index))} axes, not 3")
    (_, batch, inputs), (_, hidden, _) = b.shape(node.input(_X)), b.shape(node.input(_R))
    if not isinstance(hidden, int):
        raise ValueError("the sizes of R are not known")
    columns, state = _GATES * hidden, [(directions, batch, hidden)]
    each = [(directions,), (directions, columns)]
    shapes = {
        _W: ("W", [(directions, inputs, columns)]),
        _R: ("R", [(directions, hidden, columns)]),
        _B: ("B", [(directions, 2 * columns)]),
        _H: ("initial_h", state),
        _C: ("initial_c", state),
        _P: ("P", [(directions, 3 * hidden)]),
        _W_SCALE: ("W_scale", each),
        _W_ZERO: ("W_zero_point", each),
        _R_SCALE: ("R_scale", each),
        _R_ZERO: ("R_zero_point", each),
    }
    for index, (what, allowed) in shapes.items():
        value = node.optional(index)
        if value is not None and not any(_fits(b.shape(value), shape) for shape in allowed):
            sizes = " or ".join(map(_shown, allowed))
            raise ValueError(f"{what} has sizes {_shown(b.shape(value))}, not {sizes}")
    for index, what in ((_W, "W"), (_R, "R")):
        if b.dtype(node.input(index)) not in SMALL:
            raise ValueError(f"{what} has element type {b.dtype(node.input(index))}, not {' or '.join(SMALL)}")
    if node.attributes["hidden_size"] not in (0, hidden):
        raise ValueError(f"hidden_size is {node.attributes['hidden_size']}, and R has {hidden} rows")
    return hidden


def _fits(shape: Sequence[Dim], wanted: Sequence[Dim]) -> bool:
    """Whether the shapes may be the same: sizes that are not known may."""
    if len(shape) != len(wanted):
        return False
    known = ((a, b) for a, b in zip(shape, wanted, strict=True) if isinstance(a, int) and isinstance(b, int))
    return all(a == b for a, b in known)


def _shown(shape: Sequence[Any]) -> str:
    return "x".join(map(str, shape))


def _part(node: GraphNode, name: str) -> GraphNode:
    """The node, for ops whose results are called `name` after it."""
    return replace(node, outputs=[f"{stem_of(node)}/{name}"])


def _selected(b: OnnxBuilder, node: GraphNode, value: SSAValue, number: int) -> SSAValue:
    """What a direction has of a value, whose first axis are directions."""
    return b.ops("select", [value], [f"{stem_of(node)}/of direction"], {"dim": 0, "index": number})[0]


def _direction(
    b: OnnxBuilder,
    own: GraphNode,
    node: GraphNode,
    number: int,
    is_reverse: bool,
    activations: Sequence[NamedActivation],
) -> _Direction:
    """What a direction reads; results are called after `own`."""

    def part(index: int, name: str) -> SSAValue | None:
        value = node.optional(index)
        return None if value is None else _selected(b, _part(own, name), value, number)

    w, r = part(_W, "w"), part(_R, "r")
    w_scale, r_scale = part(_W_SCALE, "w_scale"), part(_R_SCALE, "r_scale")
    assert w is not None and r is not None and w_scale is not None and r_scale is not None
    gates = dynamic_product(b, _part(own, "x"), node.input(_X), w, w_scale, part(_W_ZERO, "w_zero"))
    bias, peepholes = part(_B, "b"), part(_P, "p")
    if bias is not None:
        halves = apply_all(b, _part(own, "biases"), "Split", 2, bias, axis=0)
        gates = apply(b, _part(own, "gates"), "Add", gates, apply(b, _part(own, "bias"), "Add", *halves))
    each = () if peepholes is None else apply_all(b, _part(own, "peepholes"), "Split", 3, peepholes, axis=0)
    return _Direction(gates, r, r_scale, part(_R_ZERO, "r_zero"), each, is_reverse, activations)


def _initial(
    b: OnnxBuilder, own: GraphNode, node: GraphNode, index: int, number: int, gates: SSAValue, hidden: int
) -> SSAValue:
    """A state before the first step [batch, hidden]: zeros where none is given."""
    given, name = node.optional(index), _part(own, "h" if index == _H else "c")
    if given is not None:
        return _selected(b, name, given, number)
    return _zeros(b, name, gates, slice(1, 2), [hidden])


def _zeros(b: OnnxBuilder, node: GraphNode, like: SSAValue, axes: slice, sizes: Sequence[int]) -> SSAValue:
    """Zeros with the sizes of some axes of a value, and then others."""
    shape = apply(b, node, "Shape", like, start=axes.start, end=axes.stop)
    rest = b.constant(np.array(sizes, np.int64), f"{stem_of(node)}/sizes")
    whole = apply(b, node, "Concat", shape, rest, axis=0)
    return apply(b, node, "ConstantOfShape", whole, value=np.zeros(1, np.float32))


def _joined(b: OnnxBuilder, node: GraphNode, values: Sequence[SSAValue], axis: int) -> SSAValue:
    """The values of all directions along a new axis."""
    names = [f"{stem_of(node)}/{number}" for number in range(len(values))]
    wide = [b.ops("unsqueeze", [v], [name], {"axes": [axis]})[0] for v, name in zip(values, names, strict=True)]
    return wide[0] if len(wide) == 1 else apply(b, node, "Concat", *wide, axis=axis)


class _Steps:
    """The steps of one direction."""

    def __init__(
        self, b: OnnxBuilder, node: GraphNode, direction: _Direction, attributes: Mapping[str, Any], hidden: int
    ) -> None:
        self._b, self._node, self._of, self._hidden = b, node, direction, hidden
        self._clip, self._ties_forget = float(attributes["clip"]), bool(attributes["input_forget"])

    def run(self, states: Sequence[SSAValue]) -> list[SSAValue]:
        """y [steps, batch, hidden], and the last h and c [batch, hidden]."""
        b, steps = self._b, self._b.shape(self._of.gates)[0]
        if steps == 1:
            (gates,) = b.ops("select", [self._of.gates], [self._name("gates")], {"dim": 0, "index": 0})
            h, c = self._step(gates, *states)
            return [self._row(h), h, c]
        zero, one = (b.constant(np.array(n, np.int64), self._name(name)) for n, name in ((0, "first"), (1, "one")))
        count = self._count(steps)
        y = _zeros(b, _part(self._node, "y"), self._of.gates, slice(0, 2), [self._hidden])
        initial = [zero, y, *states]
        infos = [b.sizes[value] for value in initial]
        before, after = (Block(arg_types=[value.type for value in initial]) for _ in range(2))
        for block in (before, after):
            for argument, info in zip(block.args, infos, strict=True):
                b.describe(argument, self._name("carried"), info._replace(content=None))
        with b.appending_to(before):
            (going,) = b.ops("less", [before.args[0], count], [self._name("going")])
            before.add_op(scf.ConditionOp(b.scalar(going), *before.args))
        with b.appending_to(after):
            number, y, *earlier = after.args
            at = self._place(number, count, one)
            h, c = self._step(apply(b, self._node, "Gather", self._of.gates, at, axis=0), *earlier)
            (y,) = b.ops("dynamic_update_slice", [y, self._row(h), at, zero, zero], [self._name("y")])
            (following,) = b.ops("add", [number, one], [self._name("next")])
            after.add_op(scf.YieldOp(following, y, h, c))
        loop = scf.WhileOp(initial, [value.type for value in initial], Region(before), Region(after))
        names = [self._name(name) for name in ("count", "all", "h", "c")]
        return list(b.add_op(loop, names, [info._replace(content=None) for info in infos])[1:])

    def _name(self, name: str) -> str:
        return f"{stem_of(self._node)}/{name}"

    def _count(self, steps: object) -> SSAValue:
        """The number of steps."""
        b = self._b
        if isinstance(steps, int):
            return b.constant(np.array(steps, np.int64), self._name("count"))
        (sizes,) = b.ops("shape", [self._of.gates], [self._name("sizes")])
        return b.ops("select", [sizes], [self._name("count")], {"dim": 0, "index": 0})[0]

    def _place(self, number: SSAValue, count: SSAValue, one: SSAValue) -> SSAValue:
        """Where a step is among those of x."""
        if not self._of.is_reverse:
            return number
        (left,) = self._b.ops("sub", [count, number], [self._name("left")])
        return self._b.ops("sub", [left, one], [self._name("place")])[0]

    def _row(self, h: SSAValue) -> SSAValue:
        return self._b.ops("unsqueeze", [h], [self._name("row")], {"axes": [0]})[0]

    def _step(self, gates: SSAValue, h: SSAValue, c: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The states after a step, whose products of x are `gates` [batch, 4 * hidden]."""
        f, g, shown = self._of.activations
        product = dynamic_product(self._b, _part(self._node, "h"), h, self._of.r, self._of.scale, self._of.zero)
        sums = self._apply("Add", gates, product)
        i, o, forget, new = apply_all(self._b, self._node, "Split", _GATES, sums, axis=1, num_outputs=_GATES)
        i, new = self._activated(f, self._seen(i, 0, c)), self._activated(g, new)
        if self._ties_forget:
            one = self._b.constant(np.ones((), np.float32), self._name("one"))
            forget = self._apply("Sub", one, i)
        else:
            forget = self._activated(f, self._seen(forget, 2, c))
        cell = self._apply("Add", self._apply("Mul", forget, c), self._apply("Mul", i, new))
        o = self._activated(f, self._seen(o, 1, cell))
        return self._apply("Mul", o, self._function(shown, cell)), cell

    def _apply(self, op_type: str, *inputs: SSAValue, **attributes: Any) -> SSAValue:
        return apply(self._b, self._node, op_type, *inputs, **attributes)

    def _seen(self, gate: SSAValue, number: int, cell: SSAValue) -> SSAValue:
        """A gate that sees the cell through its peephole, if there is one."""
        if not self._of.peepholes:
            return gate
        return self._apply("Add", gate, self._apply("Mul", self._of.peepholes[number], cell))

    def _activated(self, activation: NamedActivation, x: SSAValue) -> SSAValue:
        if math.isfinite(self._clip):
            low, high = (self._number(limit, name) for limit, name in ((-self._clip, "low"), (self._clip, "high")))
            x = self._apply("Clip", x, low, high)
        return self._function(activation, x)

    def _number(self, value: float, name: str) -> SSAValue:
        return self._b.constant(np.array(value, np.float32), self._name(name))

    def _function(self, activation: NamedActivation, x: SSAValue) -> SSAValue:
        """An activation as ops of ONNX."""
        name, numbers = activation
        if name == "Affine":
            alpha, beta = (self._number(value, which) for value, which in zip(numbers, _NUMBERS, strict=True))
            return self._apply("Add", self._apply("Mul", alpha, x), beta)
        if name == "ScaledTanh":
            alpha, beta = (self._number(value, which) for value, which in zip(numbers, _NUMBERS, strict=True))
            return self._apply("Mul", alpha, self._apply("Tanh", self._apply("Mul", beta, x)))
        return self._apply(name, x, **dict(zip(_NUMBERS, numbers, strict=False)))


_NUMBERS = ("alpha", "beta")
