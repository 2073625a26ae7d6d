"""Loop and Scan: unrolled where their iterations are known and of few nodes, else an `scf.while`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from onnx import AttributeProto, GraphProto, NodeProto
from xdsl.ir import Block, SSAValue

from lastuse.dialect.dnn.attributes import axis_of
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder
from lastuse.frontends.onnx.ops.control_flow import inline
from lastuse.frontends.onnx.ops.shapes import as_scalar
from lastuse.frontends.onnx.while_loops import LoopSource, TypesChangeError, drop_ops, while_loop

MAX_UNROLLED = 20_000
"""Nodes that the loops of a model become at most."""
FEW_NODES = 500
"""A loop of more nodes is unrolled only where it can be no `scf.while`."""
MAX_COLLECTED = 1 << 24
"""Iterations of which a loop collects values at most."""
TOO_LONG = f"loops become more than {MAX_UNROLLED:,} nodes"


def _loop(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    body: GraphProto = node.attributes["body"]
    trips, condition = node.optional(0), node.optional(1)
    states = [node.input(index) for index in range(2, len(node.inputs))]
    collected = len(body.output) - 1 - len(states)
    _check_body(node, body, 2 + len(states), 1 + len(states), len(body.output) - 1)
    names = b.names_of(node, max(len(node.outputs), len(states), 1))
    start = as_scalar(b, condition, node, "start") or b.constant(np.array(True), f"{names[0]}/true")
    most = as_scalar(b, trips, node, "trips")

    ignores_condition = condition is None and most is not None  # of a loop that trips alone end

    def run(number: SSAValue, going: SSAValue, states: Sequence[SSAValue]) -> list[SSAValue]:
        results = _iteration(b, body, [number, going, *states])
        if ignores_condition:
            return [going, *results[1:]]
        return [as_scalar(b, results[0], node, "again") or going, *results[1:]]

    initial = [start, *states]
    count = _known_trips(b, body, initial, most, ignores_condition)
    if collected and count is None:
        count = _Control.of(body).trips(b, initial, most)
    if collected and count is None:
        values = [value for value in (trips, condition) if value is not None and b.numbers(value) is None]
        b.need(values or [start], "how many results a Loop collects is not known")
    loop = LoopSource(names, run, initial, most, [0] * collected, [False] * collected)
    return while_loop(b, loop) if count is None else _of_known_length(b, loop, count, len(body.node) + 1)


def _known_trips(
    b: OnnxBuilder, body: GraphProto, initial: Sequence[SSAValue], most: SSAValue | None, ignores_condition: bool
) -> int | None:
    """How many iterations a loop has whose body never stops it, or that does not begin; None where it is not known."""
    begins, limit = b.numbers(initial[0]), None if most is None else b.numbers(most)
    never = any(number is not None and not (number > 0).all() for number in (begins, limit))
    if never:
        return 0
    if begins is None or limit is None or not (ignores_condition or _keeps_condition(body)):
        return None
    return int(limit)


def _check_body(node: GraphNode, body: GraphProto, inputs: int, states: int, outputs: int) -> None:
    """Raises ValueError unless the body takes so many values and makes as many states or more, and the node has no more
    outputs than the loop makes."""
    if len(body.input) != inputs:
        raise ValueError(f"the body takes {len(body.input)} values, and gets {inputs}")
    if len(body.output) < states:
        raise ValueError(f"the body makes {len(body.output)} values, fewer than the {states} that it hands on")
    if len(node.outputs) > outputs:
        raise ValueError(f"the node has {len(node.outputs)} outputs, and the loop makes {outputs}")


def _keeps_condition(body: GraphProto) -> bool:
    """Whether the body hands its own condition on, so that the loop never stops before its last trip."""
    source = body.output[0].name
    makers = {output: n for n in body.node for output in n.output}
    while source in makers and makers[source].op_type == "Identity":
        source = makers[source].input[0]
    return source == body.input[1].name


class _Control(NamedTuple):
    """What of the body of a Loop decides whether there is a next iteration.

    Attributes:
        nodes: those that the condition follows from, in this iteration and in those before; None where one of them has
            graphs of its own.
        states: numbers of the values that the loop carries and that these read.
    """

    body: GraphProto
    nodes: Sequence[NodeProto] | None
    states: Sequence[int]

    @classmethod
    def of(cls, body: GraphProto) -> _Control:
        makers = {output: node for node in body.node for output in node.output}
        carried = {value.name: k for k, value in enumerate(body.input[2:])}
        waiting, needed, states = [body.output[0].name], set[int](), dict[int, None]()
        while waiting:
            name = waiting.pop()
            if name in carried and carried[name] not in states:
                states[carried[name]] = None
                waiting.append(body.output[1 + carried[name]].name)
            maker = makers.get(name)
            if maker is not None and id(maker) not in needed:
                needed.add(id(maker))
                waiting += maker.input
        nodes = [node for node in body.node if id(node) in needed]
        has_graphs = any(a.type in (AttributeProto.GRAPH, AttributeProto.GRAPHS) for n in nodes for a in n.attribute)
        return cls(body, None if has_graphs else nodes, list(states))

    def trips(self, b: OnnxBuilder, initial: Sequence[SSAValue], most: SSAValue | None) -> int | None:
        """How many iterations there are where each condition follows from numbers that are known while reading; None
        where one does not. `initial`: the condition and the states before the first iteration."""
        limit = None if most is None else b.numbers(most)
        if self.nodes is None or (most is not None and limit is None):
            return None
        scratch, before = Block(), dict(b.values)
        try:
            with b.appending_to(scratch):
                return self._counted(b, initial, MAX_UNROLLED if limit is None else int(limit))
        finally:
            drop_ops(scratch)
            b.values.clear()
            b.values.update(before)

    def _counted(self, b: OnnxBuilder, initial: Sequence[SSAValue], most: int) -> int | None:
        (going, *states), count = initial, 0
        while count < most:
            known = b.numbers(going)
            if known is None:
                return None
            if not known.all():
                break
            b.values[self.body.input[0].name] = b.constant(np.array(count, np.int64), f"{self.body.name}/number")
            b.values[self.body.input[1].name] = going
            for k in self.states:
                b.values[self.body.input[2 + k].name] = states[k]
            b.convert(self.nodes or ())
            going = b.value(self.body.output[0].name)
            for k in self.states:
                states[k] = b.value(self.body.output[1 + k].name)
            count += 1
        return count


def _of_known_length(b: OnnxBuilder, loop: LoopSource, count: int, nodes: int) -> Sequence[SSAValue]:
    """A loop of so many iterations, of `nodes` nodes each."""
    if loop.axes and count > MAX_COLLECTED:
        raise ValueError(f"a loop collects values of {count:,} iterations, {MAX_COLLECTED:,} at most are supported")
    if count * nodes > FEW_NODES:
        try:
            return while_loop(b, loop, count)
        except TypesChangeError:
            pass  # each iteration has types of its own
    if b.unrolled + count * nodes > MAX_UNROLLED:
        raise ValueError(TOO_LONG)
    return _unrolled(b, loop, count)


def _unrolled(b: OnnxBuilder, loop: LoopSource, count: int) -> list[SSAValue]:
    """The iterations one after the other; contents, such as the number of the iteration, are known in each."""
    states, parts = list(loop.initial[1:]), [list[SSAValue]() for _ in loop.axes]
    for number in range(count):
        index = b.constant(np.array(number, np.int64), f"{loop.names[0]}/iteration_{number}")
        going = b.constant(np.array(True), f"{loop.names[0]}/going_{number}")
        _, *results = loop.run(index, going, states)
        states = results[: len(states)]
        for values, value in zip(parts, results[len(states) :], strict=True):
            values.append(value)
    ordered = [values[::-1] if loop.backward[k] else values for k, values in enumerate(parts)]
    return states + [_stacked(b, loop, k, values) for k, values in enumerate(ordered)]


def _iteration(b: OnnxBuilder, body: GraphProto, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """One copy of the body on these arguments; its names stand for the values of the last copy."""
    b.unrolled += len(body.node) + 1
    if b.unrolled > MAX_UNROLLED:
        raise ValueError(TOO_LONG)
    for value, argument in zip(body.input, arguments, strict=True):
        b.values[value.name] = argument
    return inline(b, body)


def _stacked(b: OnnxBuilder, loop: LoopSource, index: int, parts: Sequence[SSAValue]) -> SSAValue:
    """The results of all iterations along a new axis."""
    if not parts:
        raise ValueError("a loop without iterations has no results to collect")
    name, whole = loop.names[-1], list[SSAValue]()
    axis = axis_of(loop.axes[index], b.rank(parts[0]) + 1, "scan_output_axes:")
    for number, part in enumerate(parts):
        whole += b.ops("unsqueeze", [part], [f"{name}/{index}/{number}"], {"axes": [axis]})
    return b.ops("concat", whole, [f"{name}/{index}/all"], {"axis": axis})[0]


def _scan(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    """Each iteration reads its slice of the inputs."""
    body: GraphProto = node.attributes["body"]
    count = int(node.attributes["num_scan_inputs"])
    if not 1 <= count <= len(node.inputs):
        raise ValueError(f"num_scan_inputs is {count}, and the node has {len(node.inputs)} inputs")
    values = [node.input(index) for index in range(len(node.inputs))]
    states, scanned = values[: len(values) - count], values[len(values) - count :]
    _check_body(node, body, len(values), len(states), len(body.output))
    outputs = len(body.output) - len(states)
    axes, backward = (_entries(node, f"scan_input_{what}", count) for what in ("axes", "directions"))
    out_axes, out_backward = (_entries(node, f"scan_output_{what}", outputs) for what in ("axes", "directions"))
    axes = [axis_of(axis, b.rank(value), "scan_input_axes:") for axis, value in zip(axes, scanned, strict=True)]
    lengths = {b.shape(value)[axis] for value, axis in zip(scanned, axes, strict=True)}
    length = lengths.pop()
    if lengths and isinstance(length, int):
        raise ValueError("the axes that a Scan runs over have different sizes")
    if not isinstance(length, int):
        raise ValueError("the length that a Scan runs over is not known while reading: give the sizes (--shape)")
    names = b.names_of(node, max(len(node.outputs), len(states), 1))

    def part(k: int, number: SSAValue) -> SSAValue:
        known, name = b.numbers(number), f"{names[0]}/slice_{k}"
        if known is not None:
            at = length - 1 - int(known) if backward[k] else int(known)
            return b.ops("select", [scanned[k]], [f"{name}_{int(known)}"], {"dim": axes[k], "index": at})[0]
        if backward[k]:
            last = b.constant(np.array(length - 1, np.int64), f"{name}/last")
            (number,) = b.ops("sub", [last, number], [f"{name}/number"])
        return b.ops("gather", [scanned[k], number], [name], {"axis": axes[k]})[0]

    def run(number: SSAValue, going: SSAValue, states: Sequence[SSAValue]) -> list[SSAValue]:
        return [going, *_iteration(b, body, [*states, *(part(k, number) for k in range(count))])]

    start = b.constant(np.array(True), f"{names[0]}/true")
    most = b.constant(np.array(length, np.int64), f"{names[0]}/trips")
    loop = LoopSource(names, run, [start, *states], most, out_axes, [bool(flag) for flag in out_backward])
    return _of_known_length(b, loop, length, len(body.node) + 1)


def _entries(node: GraphNode, name: str, count: int) -> list[int]:
    """The numbers of an attribute, as many as it has to have; 0 where it is left out."""
    numbers = list(node.attributes.get(name) or [0] * count)
    if len(numbers) != count:
        raise ValueError(f"{name} has {len(numbers)} numbers, not {count}")
    return numbers


HANDLERS: dict[str, Handler] = {"Loop": _loop, "Scan": _scan}
