"""Paddle's ops that own a block: `while` is an `scf.while`, `conditional_block` an `scf.if`."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue

from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.frontends.builder import one_of_two
from lastuse.frontends.paddle.builder import Handler, PaddleBuilder
from lastuse.frontends.paddle.op_attributes import flag, integer
from lastuse.frontends.paddle.proto import PaddleOp


class Arm(NamedTuple):
    """A block that runs if a condition holds, and whose values `select_input` chooses.

    Attributes:
        op: the `conditional_block`.
        condition: its condition.
        values: the values of the program's variables at the op.
        chosen: results of the branch that the block has become an arm of, by the names in the two arms.
    """

    op: PaddleOp
    condition: SSAValue
    values: dict[str, SSAValue]
    chosen: dict[tuple[str, str], SSAValue]


def _while(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """A loop that carries what its block writes of the variables outside, among them its condition."""
    condition = _only_name(op, "Condition")
    block = _block_of(b, op)
    carried = [n for n in dict.fromkeys((condition, *_written(b, block))) if b.has_value(n)]
    initial = [b.value(n) for n in carried]
    types = [value.type for value in initial]
    before, after = Block(arg_types=types), Block(arg_types=types)
    infos = [_some_sizes(b.sizes[value]) for value in initial]
    for body in (before, after):
        for argument, variable, info in zip(body.args, carried, infos, strict=True):
            b.describe(argument, f"{variable}/carried", info)
    with b.appending_to(before):
        before.add_op(scf.ConditionOp(b.scalar(before.args[carried.index(condition)]), *before.args))
    with _inside(b, after):
        for variable, argument in zip(carried, after.args, strict=True):
            b.assign(variable, argument)
        b.convert_block(block)
        after.add_op(scf.YieldOp(*_yielded(b, carried, types)))
    loop = scf.WhileOp(initial, types, Region(before), Region(after))
    for variable, value in zip(carried, b.add_op(loop, carried, infos), strict=True):
        b.assign(variable, value)
    return b.value(condition)


def _conditional_block(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """A branch that leaves what its block writes as it was where the condition does not hold. Where that has no value
    yet, a `select_input` chooses between it and another block's."""
    if not flag(op, "is_scalar_condition", False):
        raise ValueError("a condition for each row is not supported")
    condition, outputs = b.input(op, "Cond"), op.outputs.get("Out", [])
    written = [n for n in outputs if b.has_value(n)]
    if not written:
        arm = Arm(op, condition, dict(b.values), {})
        b.arms |= dict.fromkeys(outputs, arm)
        return condition
    if len(written) < len(outputs):
        raise ValueError("some of what it writes has a value before, and some has none")
    values = _branch(b, condition, written, op, None)
    for variable, value in zip(written, values, strict=True):
        b.assign(variable, value)
    return condition


def _select_input(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """Input 1 where the mask is 1, else input 0: two blocks, of which the mask's condition makes one run."""
    mask, inputs = b.input(op, "Mask"), op.inputs.get("X", [])
    condition = b.made_of.get(("cast", mask), mask)
    arms = [b.arms.get(variable) for variable in inputs]
    if len(arms) != 2 or arms[0] is None or arms[1] is None:
        raise ValueError("it does not choose between the values of two blocks")
    no, yes = arms[0], arms[1]
    if yes.condition is not condition or b.made_of.get(("logical_not", no.condition)) is not condition:
        raise ValueError("its mask is not the condition of the second of its two blocks, and the inverse of the first")
    if (inputs[0], inputs[1]) not in yes.chosen:
        pairs = _chosen(b, no, yes)
        outer = b.values
        b.values = dict(yes.values)
        results = _branch(b, condition, [p[1] for p in pairs], yes.op, ([p[0] for p in pairs], no.op))
        b.values = {**_constants(b), **outer}
        yes.chosen.update(zip(pairs, results, strict=True))
    return yes.chosen[inputs[0], inputs[1]]


def _chosen(b: PaddleBuilder, no: Arm, yes: Arm) -> list[tuple[str, str]]:
    """The pairs of variables of two blocks between which the program chooses."""
    choices = [op.inputs.get("X", []) for block in b.program.blocks for op in block if op.type == "select_input"]
    pairs = [(names[0], names[1]) for names in choices if len(names) == 2]
    outputs = no.op.outputs["Out"], yes.op.outputs["Out"]
    return [pair for pair in dict.fromkeys(pairs) if pair[0] in outputs[0] and pair[1] in outputs[1]]


def _branch(
    b: PaddleBuilder,
    condition: SSAValue,
    names: Sequence[str],
    op: PaddleOp,
    other: tuple[Sequence[str], PaddleOp] | None,
) -> Sequence[SSAValue]:
    """The values of these variables after the block of an op, which runs if the condition holds, else those of others
    after the block of another op."""
    then, otherwise = Block(), Block()
    with _inside(b, then):
        b.convert_block(_block_of(b, op))
        values = [b.value(name) for name in names]
        infos = [b.sizes[value] for value in values]
        types = [value.type for value in values]
        then.add_op(scf.YieldOp(*values))
    with _inside(b, otherwise):
        others = names if other is None else other[0]
        if other is not None:
            b.convert_block(_block_of(b, other[1]))
        yielded = _yielded(b, others, types)
        infos = [one_of_two(info, b.sizes[value]) for info, value in zip(infos, yielded, strict=True)]
        otherwise.add_op(scf.YieldOp(*yielded))
    choice = scf.IfOp(b.scalar(condition), types, Region(then), Region(otherwise))
    return b.add_op(choice, names, infos)


def _yielded(b: PaddleBuilder, names: Sequence[str], types: Sequence[object]) -> list[SSAValue]:
    """The values of variables at the end of a block."""
    values = [b.value(name) for name in names]
    for name, value, type_ in zip(names, values, types, strict=True):
        if value.type != type_:
            raise ValueError(f"'{name}' is {value.type} at the end of a block, and {type_} without it")
    return values


@contextmanager
def _inside(b: PaddleBuilder, block: Block) -> Generator[None]:
    """Ops are added to the block. What variables stand for in it is forgotten, but for constants, which stand before
    it."""
    outer, assigned, location = dict(b.values), set(b.assigned), b.location
    with b.appending_to(block):
        yield
    b.values, b.assigned, b.location = {**_constants(b), **outer}, assigned, location


def _constants(b: PaddleBuilder) -> dict[str, SSAValue]:
    """The parameters that have become constants."""
    return {n: value for n, value in b.values.items() if n in b.parameters and n not in b.assigned}


def _block_of(b: PaddleBuilder, op: PaddleOp) -> int:
    """The number of the block that the op owns; an inner block has a larger number than the one it stands in."""
    number = integer(op, "sub_block", 0)
    if not 0 < number < len(b.program.blocks) or any(inner.index <= op.index for inner in b.program.blocks[number]):
        raise ValueError(f"the attribute sub_block is {number}, the number of a block inside is expected")
    return number


def _written(b: PaddleBuilder, block: int) -> list[str]:
    """The variables that the ops of a block write. A `while` and a `conditional_block` name what they write."""
    return [name for op in b.program.blocks[block] for names in op.outputs.values() for name in names]


def _only_name(op: PaddleOp, slot: str) -> str:
    names = op.inputs.get(slot, [])
    if len(names) != 1:
        raise ValueError(f"the input {slot} must be one variable, it has {len(names)}")
    return names[0]


def _some_sizes(info: TensorInfo) -> TensorInfo:
    """What is known of a value that each iteration may give other sizes."""
    return TensorInfo(tuple(size if isinstance(size, int) else None for size in info.shape), info.dtype)


HANDLERS: dict[str, Handler] = {
    "while": _while,
    "conditional_block": _conditional_block,
    "select_input": _select_input,
}
