"""If, Loop and Scan: the arm that runs where the condition is known, else branches and loops of `scf`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from onnx import GraphProto
from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue

from lastuse.dialect.dnn.attributes import axis_of
from lastuse.dialect.ir.diagnostics import LastuseError, NeedsValuesError
from lastuse.dialect.ir.tensor_types import TensorInfo, typed
from lastuse.frontends.builder import one_of_two
from lastuse.frontends.onnx.builder import GraphNode, Handler, OnnxBuilder

MAX_UNROLLED = 20_000
"""Nodes that the loops of a model become at most."""
TOO_LONG = f"loops become more than {MAX_UNROLLED:,} nodes"


def _if(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    condition = node.input(0)
    counts = [len(node.attributes[name].output) for name in ("then_branch", "else_branch")]
    if counts != [len(node.outputs)] * 2:
        raise ValueError(f"the arms make {counts[0]} and {counts[1]} values, the node has {len(node.outputs)} outputs")
    known = b.numbers(condition)
    if known is not None:
        return _inline(b, node.attributes["then_branch" if known.all() else "else_branch"])
    arms: list[tuple[Block, Sequence[SSAValue]]] = []
    for name in ("then_branch", "else_branch"):
        block = Block()
        try:
            with b.appending_to(block):
                values = _as_stated(b, node.attributes[name])
        except NeedsValuesError:
            raise
        except LastuseError as error:
            # An arm that does not fit may be one that never runs.
            b.need([condition], f"the {name} cannot be read ({error.message}), and the condition is not known")
        arms.append((block, values))
    for ours, theirs in zip(arms[0][1], arms[1][1], strict=True):
        if ours.type != theirs.type:
            b.need([condition], f"an If makes {ours.type} in one arm and {theirs.type} in the other")
    for block, values in arms:
        block.add_op(scf.YieldOp(*values))
    types = [value.type for value in arms[0][1]]
    choice = scf.IfOp(b.scalar(condition), types, Region(arms[0][0]), Region(arms[1][0]))
    pairs = zip(arms[0][1], arms[1][1], strict=True)
    infos = [one_of_two(b.sizes[ours], b.sizes[theirs]) for ours, theirs in pairs]
    return b.add_op(choice, b.names_of(node, len(types)), infos)


def _inline(b: OnnxBuilder, graph: GraphProto) -> list[SSAValue]:
    """Adds the nodes of a graph without inputs; its results."""
    b.convert(graph.node)
    return [b.value(output.name) for output in graph.output]


def _as_stated(b: OnnxBuilder, graph: GraphProto) -> list[SSAValue]:
    """`_inline`, where results of one element have as many axes as the graph states: exporters that take a number for a
    tensor of one element, and the other way round, state one type for what arms compute with several."""
    results = _inline(b, graph)
    for number, (value, output) in enumerate(zip(results, graph.output, strict=True)):
        if output.type.tensor_type.HasField("shape"):
            sizes = [d.dim_value for d in output.type.tensor_type.shape.dim]
            results[number] = _reshaped_one(b, value, sizes, f"{output.name}/as stated")
    return results


def _reshaped_one(b: OnnxBuilder, value: SSAValue, sizes: Sequence[int], name: str) -> SSAValue:
    """A value of one element under other axes, if these have one element too; else the value."""
    own = b.shape(value)
    if len(own) == len(sizes) or any(size != 1 for size in (*own, *sizes)):
        return value
    return b.reshape(value, tuple(sizes), name)


def _loop(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    """A loop whose trips are known and whose body never stops it is unrolled while it is short, else an `scf.for`; any
    other is an `scf.while`."""
    body: GraphProto = node.attributes["body"]
    trips, condition = node.optional(0), node.optional(1)
    carried = [node.input(index) for index in range(2, len(node.inputs))]
    scanned = len(body.output) - 1 - len(carried)
    _check_body(node, body, 2 + len(carried), 1 + len(carried), len(body.output) - 1)
    most = None if trips is None else b.numbers(trips)
    start = np.array(True) if condition is None else b.numbers(condition)
    if most is not None and start is not None and (_keeps_condition(body) or condition is None):
        count = max(int(most.reshape(-1)[0]), 0) if start.all() else 0
        if b.unrolled + count * (len(body.node) + 1) <= MAX_UNROLLED:
            return _counted(b, node, body, count, carried, scanned)
        if scanned:
            raise ValueError(TOO_LONG)
    if scanned:
        values = [value for value in (trips, condition) if value is not None and b.numbers(value) is None]
        b.need(values, "how many results a Loop collects is not known")
    if any(number is not None and not (number > 0).all() for number in (most, start)):
        return carried  # there is no iteration
    return _while(b, node, body, carried)


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


def _counted(
    b: OnnxBuilder, node: GraphNode, body: GraphProto, count: int, carried: Sequence[SSAValue], scanned: int
) -> list[SSAValue]:
    """The iterations one after the other; contents, such as the number of the iteration, are known in each."""
    values, collected = list(carried), [list[SSAValue]() for _ in range(scanned)]
    for number in range(count):
        index = b.constant(np.array(number, np.int64), f"{b.names_of(node, 1)[0]}/iteration_{number}")
        going = b.constant(np.array(True), f"{b.names_of(node, 1)[0]}/going_{number}")
        results = _iteration(b, body, [index, going, *values])
        values = results[1 : len(values) + 1]
        for parts, value in zip(collected, results[len(values) + 1 :], strict=True):
            parts.append(value)
    return values + [_stacked(b, node, k, parts) for k, parts in enumerate(collected)]


def _iteration(b: OnnxBuilder, body: GraphProto, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """One copy of the body on these arguments; its names stand for the values of the last copy."""
    b.unrolled += len(body.node) + 1
    if b.unrolled > MAX_UNROLLED:
        raise ValueError(TOO_LONG)
    for value, argument in zip(body.input, arguments, strict=True):
        b.values[value.name] = argument
    return _inline(b, body)


def _stacked(b: OnnxBuilder, node: GraphNode, index: int, parts: Sequence[SSAValue], axis: int = 0) -> SSAValue:
    """The results of all iterations along a new axis."""
    if not parts:
        raise ValueError("a loop without iterations has no results to collect")
    name = b.names_of(node, len(node.outputs))[len(node.outputs) - 1]
    whole = []
    for number, part in enumerate(parts):
        rank = b.rank(part) + 1
        at = axis_of(axis, rank, "scan_output_axes:")
        whole += b.ops("unsqueeze", [part], [f"{name}/{index}/{number}"], {"axes": [at]})
    return b.ops("concat", whole, [f"{name}/{index}/all"], {"axis": axis if axis >= 0 else axis + b.rank(whole[0])})[0]


def _while(b: OnnxBuilder, node: GraphNode, body: GraphProto, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """A loop of unknown length. Where a value has another type after an iteration than before the first one, and there
    surely is a first one, this is added in front of the loop."""
    name = b.names_of(node, 1)[0]
    zero = b.constant(np.array(0, np.int64), f"{name}/first")
    start = _as_scalar(b, node.optional(1), f"{name}/start") or b.constant(np.array(True), f"{name}/true")
    most = _as_scalar(b, node.optional(0), f"{name}/trips")
    initial = [zero, start, *carried]
    loop = _body_of_while(b, name, body, initial, most)
    if _changes_types(loop) and _runs_once(b, start, most):
        _drop(loop)
        results = _iteration(b, body, initial)
        one = b.constant(np.array(1, np.int64), f"{name}/second")
        initial = [one, _as_scalar(b, results[0], f"{name}/again") or start, *results[1:]]
        loop = _body_of_while(b, name, body, initial, most)
    for before, after in zip(initial, loop.following, strict=True):
        if before.type != after.type:
            raise ValueError(f"the loop carries {before.type} and, from one iteration to the next, {after.type}")
    types = [value.type for value in initial]
    loop.after.add_op(scf.YieldOp(*loop.following))
    made = scf.WhileOp(initial, types, Region(loop.before), Region(loop.after))
    infos = [
        TensorInfo(tuple(None if not isinstance(d, int) else d for d in b.sizes[v].shape), b.dtype(v)) for v in initial
    ]
    names = b.names_of(node, max(len(node.outputs), 1))
    return b.add_op(made, [f"{name}/count", f"{name}/stopped", *names[: len(carried)]], infos)[2:]


class _While(NamedTuple):
    """The blocks of an `scf.while`, and what an iteration hands on to the next: its number, the condition, values."""

    before: Block
    after: Block
    following: Sequence[SSAValue]


def _body_of_while(
    b: OnnxBuilder, name: str, body: GraphProto, initial: Sequence[SSAValue], most: SSAValue | None
) -> _While:
    types = [value.type for value in initial]
    before, after = Block(arg_types=types), Block(arg_types=types)
    for block in (before, after):
        for argument in block.args:
            b.describe(argument, f"{name}/carried", typed(argument.type))
    with b.appending_to(before):
        going = before.args[1]
        if most is not None:
            (inside,) = b.ops("less", [before.args[0], most], [f"{name}/inside"])
            (going,) = b.ops("and", [going, inside], [f"{name}/going"])
        before.add_op(scf.ConditionOp(b.scalar(going), *before.args))
    with b.appending_to(after):
        results = _iteration(b, body, list(after.args))
        one = b.constant(np.array(1, np.int64), f"{name}/step")
        (number,) = b.ops("add", [after.args[0], one], [f"{name}/next"])
        again = _as_scalar(b, results[0], f"{name}/again") or after.args[1]
        handed = [
            _reshaped_one(b, value, [1] * b.rank(first), f"{name}/handed on")
            if all(size == 1 for size in b.shape(first))
            else value
            for value, first in zip(results[1:], initial[2:], strict=True)
        ]
    return _While(before, after, [number, again, *handed])


def _changes_types(loop: _While) -> bool:
    return any(argument.type != value.type for argument, value in zip(loop.after.args, loop.following, strict=True))


def _runs_once(b: OnnxBuilder, start: SSAValue, most: SSAValue | None) -> bool:
    """Whether there is a first iteration, whatever the inputs are."""
    known = [b.numbers(value) for value in (start, most) if value is not None]
    return all(number is not None and (number > 0).all() for number in known)


def _drop(loop: _While) -> None:
    """Erases the ops of a loop that is not added."""
    for block in (loop.before, loop.after):
        for op in reversed(list(block.ops)):
            op.detach()
            op.erase(safe_erase=False)


def _as_scalar(b: OnnxBuilder, value: SSAValue | None, name: str) -> SSAValue | None:
    """The value with rank 0, as conditions and counts of rank 1 and one element are."""
    if value is None or b.rank(value) == 0:
        return value
    return b.reshape(value, (), name)


def _scan(b: OnnxBuilder, node: GraphNode) -> Sequence[SSAValue]:
    """A Scan is unrolled: each iteration reads its slice of the inputs."""
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
    stem, collected = b.names_of(node, 1)[0], [list[SSAValue]() for _ in range(outputs)]
    for number in range(length):
        slices: list[SSAValue] = []
        for k, (value, axis) in enumerate(zip(scanned, axes, strict=True)):
            at = length - 1 - number if backward[k] else number
            slices += b.ops("select", [value], [f"{stem}/slice_{k}_{number}"], {"dim": axis, "index": at})
        results = _iteration(b, body, [*states, *slices])
        states = results[: len(states)]
        for parts, value in zip(collected, results[len(states) :], strict=True):
            parts.append(value)
    stacked = [
        _stacked(b, node, k, parts[::-1] if out_backward[k] else parts, out_axes[k])
        for k, parts in enumerate(collected)
    ]
    return [*states, *stacked]


def _entries(node: GraphNode, name: str, count: int) -> list[int]:
    """The numbers of an attribute, as many as it has to have; 0 where it is left out."""
    numbers = list(node.attributes.get(name) or [0] * count)
    if len(numbers) != count:
        raise ValueError(f"{name} has {len(numbers)} numbers, not {count}")
    return numbers


HANDLERS: dict[str, Handler] = {"If": _if, "Loop": _loop, "Scan": _scan}
