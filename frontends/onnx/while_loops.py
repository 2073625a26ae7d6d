"""Loops of `scf` for the loops of ONNX.

A loop carries the number of the iteration, the condition, the states, and a tensor for each value of which it collects
one in each iteration: an iteration writes its part of it, in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue

from lastuse.dialect.dnn.attributes import axis_of
from lastuse.dialect.ir.tensor_types import TensorInfo, numpy_dtype, typed
from lastuse.frontends.onnx.builder import OnnxBuilder
from lastuse.frontends.onnx.ops.control_flow import reshaped_one
from lastuse.frontends.onnx.ops.shapes import number_attribute

Run = Callable[[SSAValue, SSAValue, Sequence[SSAValue]], list[SSAValue]]
"""Adds an iteration: of its number, the condition and the states, to the next condition, the next states, and what is
collected."""


class TypesChangeError(ValueError):
    """What a loop carries has not one type for all iterations."""


class LoopSource(NamedTuple):
    """A loop as a node states it.

    Attributes:
        names: of the results, of the states at least; there is one.
        run: an iteration.
        initial: the condition, without axes, and the states before the first iteration.
        most: iterations at most, without axes; None where the condition alone ends the loop.
        axes: of each result that collects values, along which they are.
        backward: for each whether the first iteration is the last element.
    """

    names: Sequence[str]
    run: Run
    initial: Sequence[SSAValue]
    most: SSAValue | None
    axes: Sequence[int]
    backward: Sequence[bool]


class _Body(NamedTuple):
    """The block of an iteration, without its terminator.

    Attributes:
        block: its arguments are the number of the iteration, the condition and the states.
        following: what becomes of these.
        collected: the values of which the loop collects one in each iteration.
    """

    block: Block
    following: Sequence[SSAValue]
    collected: Sequence[SSAValue]


def while_loop(b: OnnxBuilder, loop: LoopSource, count: int | None = None) -> list[SSAValue]:
    """
    Adds an `scf.while`. Where a value has another type after an iteration than before the first one, and there surely
    is a first one, this is added in front of the loop.

    Args:
        count: how many iterations there are; needed where values are collected.

    Raises:
        TypesChangeError: a value has another type in each iteration, or there may be no first one.
    """
    name, states = loop.names[0], len(loop.initial)
    initial = [b.constant(np.array(0, np.int64), f"{name}/first"), *loop.initial]
    body, first = _body_of(b, loop, initial), list[SSAValue]()
    if _changes_types(body) and _runs_once(b, loop):
        drop_ops(body.block)
        results = loop.run(initial[0], initial[1], initial[2:])
        first = results[states:]
        initial = [b.constant(np.array(1, np.int64), f"{name}/second"), *results[:states]]
        body = _body_of(b, loop, initial)
    if _changes_types(body):
        changes = ((before.type, after.type) for before, after in zip(initial, body.following, strict=True))
        before, after = next((old, new) for old, new in changes if old != new)
        drop_ops(body.block)
        raise TypesChangeError(f"the loop carries {before} and, from one iteration to the next, {after}")
    buffers = [_buffer(b, loop, k, value, count) for k, value in enumerate(body.collected)]
    for k, value in enumerate(first):
        buffers[k] = _put(b, loop, k, buffers[k], value, b.constant(np.array(0, np.int64), f"{name}/at_first"), count)
    return list(_added(b, loop, [*initial, *buffers], body, count)[2:])


def _body_of(b: OnnxBuilder, loop: LoopSource, initial: Sequence[SSAValue]) -> _Body:
    name, block = loop.names[0], Block(arg_types=[value.type for value in initial])
    for argument in block.args:
        b.describe(argument, f"{name}/carried", typed(argument.type))
    with b.appending_to(block):
        results = loop.run(block.args[0], block.args[1], block.args[2:])
        one = b.constant(np.array(1, np.int64), f"{name}/step")
        (number,) = b.ops("add", [block.args[0], one], [f"{name}/next"])
        handed = [
            reshaped_one(b, value, [1] * b.rank(first), f"{name}/handed on")
            if all(size == 1 for size in b.shape(first))
            else value
            for value, first in zip(results, initial[1:], strict=False)
        ]
    return _Body(block, [number, *handed], results[len(handed) :])


def _changes_types(body: _Body) -> bool:
    return any(argument.type != value.type for argument, value in zip(body.block.args, body.following, strict=True))


def _runs_once(b: OnnxBuilder, loop: LoopSource) -> bool:
    """Whether there is a first iteration, whatever the inputs are."""
    known = [b.numbers(value) for value in (loop.initial[0], loop.most) if value is not None]
    return all(number is not None and (number > 0).all() for number in known)


def _added(
    b: OnnxBuilder, loop: LoopSource, initial: Sequence[SSAValue], body: _Body, count: int | None
) -> Sequence[SSAValue]:
    """The loop, whose body is complete but for what it collects: its last values."""
    name, types = loop.names[0], [value.type for value in initial]
    before, after = Block(arg_types=types), body.block
    for type_ in types[len(after.args) :]:
        b.describe(after.insert_arg(type_, len(after.args)), f"{name}/collected", typed(type_))
    for argument in before.args:
        b.describe(argument, f"{name}/carried", typed(argument.type))
    with b.appending_to(before):
        going = before.args[1]
        if loop.most is not None:
            (inside,) = b.ops("less", [before.args[0], loop.most], [f"{name}/inside"])
            (going,) = b.ops("and", [going, inside], [f"{name}/going"])
        before.add_op(scf.ConditionOp(b.scalar(going), *before.args))
    with b.appending_to(after):
        buffers = after.args[len(body.following) :]
        written = [
            _put(b, loop, k, buffer, value, after.args[0], count)
            for k, (buffer, value) in enumerate(zip(buffers, body.collected, strict=True))
        ]
        after.add_op(scf.YieldOp(*body.following, *written))
    infos = [
        TensorInfo(tuple(None if not isinstance(d, int) else d for d in b.sizes[v].shape), b.dtype(v)) for v in initial
    ]
    names = [f"{name}/count", f"{name}/stopped", *loop.names]
    names += [f"{name}/collected_{k}" for k in range(len(names), len(initial))]
    made = scf.WhileOp(initial, types, Region(before), Region(after))
    return b.add_op(made, names[: len(initial)], infos)


def _buffer(b: OnnxBuilder, loop: LoopSource, index: int, value: SSAValue, count: int | None) -> SSAValue:
    """The memory of what a loop collects, of such values."""
    assert count is not None
    sizes = b.shape(value)
    if not all(isinstance(size, int) for size in sizes):
        (shape,) = b.ops("shape", [value], [f"{loop.names[-1]}/{index}/sizes"])
        b.need([shape], "the sizes of what a loop collects are not known")
    shape = [*sizes]
    shape.insert(axis_of(loop.axes[index], len(sizes) + 1, "scan_output_axes:"), count)
    zero = number_attribute(np.zeros((), numpy_dtype(b.dtype(value))))
    return b.ops("constant_of_shape", [], [f"{loop.names[-1]}/{index}/empty"], {"value": zero, "shape": shape})[0]


def _put(
    b: OnnxBuilder, loop: LoopSource, index: int, buffer: SSAValue, value: SSAValue, number: SSAValue, count: int | None
) -> SSAValue:
    """The buffer with the value of an iteration in its place."""
    assert count is not None
    name = f"{loop.names[-1]}/{index}"
    axis = axis_of(loop.axes[index], b.rank(value) + 1, "scan_output_axes:")
    if loop.backward[index]:
        last = b.constant(np.array(count - 1, np.int64), f"{name}/last")
        (number,) = b.ops("sub", [last, number], [f"{name}/place"])
    zero = b.constant(np.array(0, np.int64), f"{name}/begin")
    (part,) = b.ops("unsqueeze", [value], [f"{name}/part"], {"axes": [axis]})
    starts = [number if k == axis else zero for k in range(b.rank(buffer))]
    return b.ops("dynamic_update_slice", [buffer, part, *starts], [f"{name}/written"])[0]


def drop_ops(block: Block) -> None:
    """Erases the ops of a block that is not used."""
    for op in reversed(list(block.ops)):
        op.detach()
        op.erase(safe_erase=False)
