"""Loops that compute what they carry next beside what they carry, with the tensors for both carried.

What an iteration computes in a tensor without contents, and passes on, is copied to where the next one expects it. A
loop that carries a spare tensor as well computes into that, and passes on as the next spare one that it needs no more:
both exchange their places, and nothing is copied. No op reads the contents of a spare tensor.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import NamedTuple

from xdsl.dialects import scf, tensor
from xdsl.dialects.bufferization import AllocTensorOp
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.flow_graphs import ancestors, blocks_around, listed_ops
from lastuse.dialect.storage.contract import contract_of, is_undefined
from lastuse.dialect.storage.shape_inference import Sizes, infer_shapes
from lastuse.passes.bufferization.op_replacement import OpReplacement
from lastuse.passes.bufferization.structured_blocks import structure_function

MOST_SPARES = 16
"""Spare tensors of one function."""
FIRST_CARRIED = 3
"""The operands of an `scf.for` before what it carries: bounds and step."""
LONGEST = 64
"""Ops, one over the result of the other, that what is passed on is followed through."""


class Over(NamedTuple):
    """`op` may compute over its operand `operand`, which has no contents, or over `instead`."""

    op: Operation
    operand: int
    instead: SSAValue | None


class Chain(NamedTuple):
    """How a value is computed over tensors without contents: `ends` compute over these, one in each arm of a branch,
    and `steps` over what these compute."""

    steps: list[Over]
    ends: list[Over]


class Spare(NamedTuple):
    """A loop may carry a spare tensor.

    Attributes:
        chain: the ops that compute what is passed on.
        number: of the carried tensor that is needed no more when the iteration ends.
        left: what has the memory of that tensor then.
        there: the number of a spare tensor that the loop carries already, and may compute into.
    """

    loop: scf.ForOp | scf.WhileOp
    chain: Chain
    number: int
    left: SSAValue
    there: int | None


def has_spares(func: FuncOp) -> bool:
    """Some loop may carry a spare tensor, or that of a loop in it."""
    return any(True for _ in _spares(func)) or any(True for _ in _inner_spares(func))


def has_blocks(func: FuncOp) -> bool:
    """Some loop of blocks may: a block behind the first makes a tensor without contents, or a call does, also in a
    region."""
    later = [op for block in [*func.body.blocks][1:] for outer in block.ops for op in outer.walk()]
    return any(contract_of(op).uninitialized or isinstance(op, CallOp) for op in later)


def swap_in_blocks(func: FuncOp, copied: bool = False) -> None:
    """As `swap_spares`, with loops of blocks as loops of `scf`."""
    structure_function(func)
    swap_spares(func, copied)


def swap_spares(func: FuncOp, copied: bool = False) -> None:
    """Lets the loops of a function carry spare tensors. The function computes the same.

    Args:
        copied: a tensor that such a loop begins with, and that others may need, is copied before the loop.
    """
    spares = set[SSAValue]()
    for _ in range(MOST_SPARES):
        if (inner := next(_inner_spares(func), None)) is not None:
            spares.update(_lift(*inner))
            continue
        spare = next(_spares(func, spares), None)
        if spare is None:
            return
        if spare.there is not None:
            _compute_into(spare, spare.there)
            continue
        if copied:
            _copy_initial(spare)
        spares |= _carry(spare)


def _spares(func: FuncOp, spares: Set[SSAValue] = frozenset()) -> Iterator[Spare]:
    """The spare tensors that loops may carry; `spares` are those that blocks are given already."""
    loops = [op for op in listed_ops(func) if isinstance(op, scf.ForOp | scf.WhileOp)]
    sizes = infer_shapes(func) if loops else {}
    for loop in reversed(loops):  # those inside others first
        arguments, last = _ends_of(loop)
        if last is None:
            continue
        for number, value in enumerate(last.operands):
            assert last.parent is not None
            chain = _target(value, (last.parent,))
            made = [end.op.operands[end.operand] for end in chain.ends]
            if not made:
                continue
            ops = {end.op for end in chain.ends}
            kept = set[SSAValue]().union(*(_held(passed, last.parent, ops) for passed in last.operands))
            free = [n for n, a in enumerate(arguments) if a in sizes and a not in kept]
            fitting = [n for n in free if all(_is_alike(loop, n, v, sizes) for v in made)]
            if fitting:
                number = number if number in fitting else fitting[0]
                there = (n for n, a in enumerate(arguments) if a in spares and _is_alike(loop, n, made[0], sizes))
                yield Spare(
                    loop,
                    chain,
                    number,
                    _left(arguments[number], last, kept),
                    next((n for n in there if _may_compute_into(last.operands[n], chain, last)), None),
                )


def _ends_of(loop: scf.ForOp | scf.WhileOp) -> tuple[list[BlockArgument], Operation | None]:
    """What the body of a loop is given, and what passes on: one value for each of these."""
    if isinstance(loop, scf.ForOp):
        return [*loop.body.block.args[1:]], loop.body.block.last_op
    before, after = loop.before_region.blocks.first, loop.after_region.blocks.first
    alike = before is not None and after is not None and [a.type for a in before.args] == [a.type for a in after.args]
    return ([*after.args], after.last_op) if after is not None and alike else ([], None)


def _is_alike(loop: scf.ForOp | scf.WhileOp, number: int, made: SSAValue, sizes: Sizes) -> bool:
    """A carried tensor is always as large as `made`."""
    carried = [_ends_of(loop)[0][number], _initial(loop)[number]]
    if isinstance(loop, scf.WhileOp):
        carried.append(loop.before_region.block.args[number])
    return all(v in sizes and v.type == made.type and sizes[v].known == sizes[made].known for v in carried)


def _initial(loop: scf.ForOp | scf.WhileOp) -> list[SSAValue]:
    return list(loop.iter_args if isinstance(loop, scf.ForOp) else loop.arguments)


def _target(value: SSAValue, blocks: tuple[Block, ...]) -> Chain:
    """How `value` is computed over tensors of the blocks without contents, from the last op to the first. An op that
    may compute over what it alone reads does so. Without ends where it is not."""
    steps: list[Over] = []
    while len(steps) < LONGEST and isinstance(value, OpResult) and value.op.parent in blocks:
        if isinstance(op := value.op, scf.IfOp):
            arms = [_target(end.operands[value.index], (*blocks, end.parent)) for end in _yields(op) if end.parent]
            return Chain([*steps, *(s for arm in arms for s in arm.steps)], [e for arm in arms for e in arm.ends])
        contract = contract_of(op)
        view = contract.view_of(value.index)
        over = [view.operand] if view is not None else [o.operand for o in contract.over if o.result == value.index]
        without = next((k for k in reversed(over) if _is_without_contents(op.operands[k], blocks)), None)
        computed = (op.operands[k] for k in over if k != without and isinstance(op.operands[k], OpResult))
        alone = next((v for v in computed if without is None or _is_alone(v, op.operands[without])), None)
        if alone is None:
            return Chain(steps, [Over(op, without, None)] if without is not None else [])
        if without is not None:
            steps.append(Over(op, without, alone))
        value = alone
    return Chain([], [])


def _yields(op: scf.IfOp) -> list[Operation]:
    ends = [region.block.last_op for region in op.regions if region.blocks]
    return [end for end in ends if isinstance(end, scf.YieldOp)]


def _is_alone(value: SSAValue, instead: SSAValue) -> bool:
    return len({use.operation for use in value.uses}) == 1 and value.type == instead.type


def _is_without_contents(value: SSAValue, blocks: tuple[Block, ...]) -> bool:
    made = isinstance(value, OpResult) and value.op.parent in blocks and contract_of(value.op).uninitialized
    return made and is_undefined(value)


def _held(value: SSAValue, block: Block | None, made: Set[Operation] = frozenset()) -> set[SSAValue]:
    """The arguments of a block that `value` is, is a view of or an update of, or may be, where ops of `made` run."""
    found, waiting = set[SSAValue](), [value]
    while waiting:
        value = waiting.pop()
        if value in found:
            continue
        found.add(value)
        if not isinstance(value, OpResult) or value.op.parent is not block:
            continue
        contract = contract_of(value.op)
        view = contract.view_of(value.index)
        over = [o.operand for o in contract.over if o.result == value.index]
        waiting += [value.op.operands[k] for r, k in contract.forwards if r == value.index]
        if view is not None:
            waiting.append(value.op.operands[view.operand])
        elif len(over) == 1:
            waiting.append(value.op.operands[over[0]])
        if isinstance(value.op, scf.ForOp | scf.WhileOp):
            waiting += _initial(value.op)[value.index : value.index + 1]
        regions = [region for region in value.op.regions if len(region.blocks) == 1]
        ends = [region.block.last_op for region in regions]
        if isinstance(value.op, scf.IfOp):
            here = [e for e in ends if e and e.parent and any(e.parent in blocks_around(op) for op in made)]
            waiting += [end.operands[value.index] for end in here or ends if isinstance(end, scf.YieldOp)]
        else:
            waiting += [v for end in ends if isinstance(end, scf.YieldOp) for v in end.operands]
    return found


def _left(argument: SSAValue, last: Operation, kept: Set[SSAValue]) -> SSAValue:
    """What has the memory of an argument of a block when `last` ends it: a loop that alone reads it goes on with it."""
    value = argument
    while True:
        uses = [*value.uses]
        loop = uses[0].operation if len(uses) == 1 else None
        if not isinstance(loop, scf.ForOp | scf.WhileOp) or loop.parent is not last.parent:
            return value
        number = uses[0].index - (FIRST_CARRIED if isinstance(loop, scf.ForOp) else 0)
        result = loop.results[number] if 0 <= number < len(loop.results) else None
        if result is None or result in kept or result.type != value.type:
            return value
        value = result


def _may_compute_into(value: SSAValue, chain: Chain, last: Operation) -> bool:
    """A spare tensor is there before what is passed on is computed, in its block, and is only passed on."""
    ops = [end.op for end in chain.ends]
    alone = len([*value.uses]) == 1 and isinstance(value, OpResult) and value.op.parent is last.parent
    return alone and all(op.parent is last.parent and value.op.is_before_in_block(op) for op in ops)  # pyright: ignore


def _compute_into(spare: Spare, there: int) -> None:
    """What a loop passes on is computed into the spare tensor that it carries, and the next one is what is left."""
    last = _ends_of(spare.loop)[1]
    assert last is not None
    into = last.operands[there]
    last.operands[there] = spare.left
    _follow(spare.chain, into)


def _follow(chain: Chain, into: SSAValue) -> None:
    """The ops of a chain compute over one tensor."""
    for op, k, _ in chain.ends:
        op.operands[k] = into
    for op, k, instead in chain.steps:
        if instead is not None and k in contract_of(op).metadata_only:
            op.operands[k] = instead


def _copy_initial(spare: Spare) -> None:
    """The loop begins with a copy of the tensor in whose memory it may not compute."""
    initial, k = (
        _initial(spare.loop)[spare.number],
        spare.number + (FIRST_CARRIED if isinstance(spare.loop, scf.ForOp) else 0),
    )
    copy = AllocTensorOp.build(operands=[[], [initial], []], result_types=[initial.type])
    copy.results[0].name_hint = initial.name_hint
    spare.loop.operands[k] = OpReplacement(spare.loop).add(copy)


def _carry(spare: Spare) -> set[SSAValue]:
    """Lets a loop carry the tensor, and each loop around it, which so has it once; what blocks are given then."""
    loop, before = spare.loop, OpReplacement(spare.loop)
    end = spare.chain.ends[0]
    initial, made = _initial(loop)[spare.number], end.op.operands[end.operand]
    assert isinstance(made.type, TensorType)
    sizes = [before.size(initial, axis) for axis, n in enumerate(made.type.get_shape()) if n == DYNAMIC_INDEX]
    empty = before.add(tensor.EmptyOp([before.value(n) for n in sizes], made.type))
    empty.name_hint = made.name_hint
    inner, result = _with_slot(loop, empty, spare.left)
    _follow(spare.chain, inner)
    _pass_unused(spare, inner)
    return {inner, *(_lift(empty, result) if not sizes else ())}


def _pass_unused(spare: Spare, inner: SSAValue) -> None:
    """On paths that compute nothing into the spare tensor, which is `inner`, it is passed on as it is."""
    block = inner.owner
    assert isinstance(block, Block) and block.last_op is not None
    left, last = spare.left, block.last_op
    branch = _branch_in(block, spare.chain)
    is_there = branch is None or not isinstance(left, OpResult) or left.op.is_before_in_block(branch)
    if is_there:
        passed = _unused(block, spare.chain, inner, left)  # it may replace the branch
        last.operands = [*last.operands[:-1], passed]


def _branch_in(block: Block, chain: Chain) -> scf.IfOp | None:
    """The branch of a block in whose arms a chain ends."""
    around = (op for end in chain.ends for op in ancestors(end.op) if op.parent is block)
    return next((op for op in around if isinstance(op, scf.IfOp)), None)


def _unused(block: Block, chain: Chain, inner: SSAValue, left: SSAValue) -> SSAValue:
    """What has no contents at the end of a block: `left` where a tensor is computed into the spare one, `inner`."""
    if not any(block in blocks_around(end.op) for end in chain.ends):
        return inner
    branch = _branch_in(block, chain)
    if branch is None or any(end.op.parent is block for end in chain.ends):
        return left
    arms = [_unused(region.block, chain, inner, left) for region in branch.regions]
    if arms[0] is arms[1]:
        return arms[0]
    for region, value in zip(branch.regions, arms, strict=True):
        end = region.block.last_op
        assert end is not None
        end.operands = [*end.operands, value]
    first, second = [branch.detach_region(region) for region in [*branch.regions]]
    inherit(made := scf.IfOp(branch.cond, [*branch.result_types, inner.type], first, second), branch)
    Rewriter.replace_op(branch, made, made.results[:-1])
    return made.results[-1]


def _lift(empty: SSAValue, result: OpResult) -> Iterator[SSAValue]:
    """Lets the loops around a loop carry its spare tensor, which begins as `empty` and ends as `result`; what blocks
    are given then."""
    created = empty.owner
    assert isinstance(created, Operation)
    while (around := _loop_around(result.op)) is not None:
        (use,) = [use for use in empty.uses if use.operation is result.op]
        argument, outer = _with_slot(around, empty, result)
        use.operation.operands[use.index] = argument
        created.detach()
        assert outer.op.parent is not None
        outer.op.parent.insert_op_before(created, outer.op)
        result = outer
        yield argument


def _inner_spares(func: FuncOp) -> Iterator[tuple[SSAValue, OpResult]]:
    """Spare tensors that loops carry and loops around these do not: what each begins as, of a known size, and what it
    ends as."""
    for loop in listed_ops(func):
        around = _loop_around(loop) if isinstance(loop, scf.ForOp | scf.WhileOp) else None
        if around is None or not isinstance(loop, scf.ForOp | scf.WhileOp):
            continue
        for initial, result in zip(_initial(loop), loop.results, strict=False):
            alone = isinstance(initial, OpResult) and len([*initial.uses]) == 1 and result.first_use is None
            if alone and _is_without_contents(initial, (loop.parent,)) and not initial.op.operands:  # pyright: ignore
                yield initial, result


def _loop_around(op: Operation) -> scf.ForOp | scf.WhileOp | None:
    """The loop of whose iterations an op in its body is a part."""
    around = op.parent_op()
    if not isinstance(around, scf.ForOp | scf.WhileOp):
        return None
    last = _ends_of(around)[1]
    return around if last is not None and last.parent is op.parent else None


def _with_slot(loop: scf.ForOp | scf.WhileOp, initial: SSAValue, passed: SSAValue) -> tuple[SSAValue, OpResult]:
    """The loop with one more tensor that it carries, `initial` at first and `passed` after an iteration: what that is
    in an iteration, and after the loop."""
    last = _ends_of(loop)[1]
    assert last is not None and loop.parent is not None
    last.operands = [*last.operands, passed]
    if isinstance(loop, scf.ForOp):
        body = loop.detach_region(loop.body)
        argument = body.block.insert_arg(initial.type, len(body.block.args))
        new = scf.ForOp(loop.lb, loop.ub, loop.step, [*loop.iter_args, initial], body)
    else:
        first, second = [loop.detach_region(region) for region in (loop.before_region, loop.after_region)]
        argument = _through_condition(first, second, initial)
        types = [*loop.result_types, initial.type]
        new = scf.WhileOp([*loop.arguments, initial], types, first, second)
    argument.name_hint = initial.name_hint
    inherit(new, loop)
    loop.parent.insert_op_before(new, loop)
    for old, result in zip(loop.results, new.results, strict=False):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    loop.detach()
    loop.erase()
    return argument, new.results[-1]


def _through_condition(first: Region, second: Region, initial: SSAValue) -> SSAValue:
    argument = first.block.insert_arg(initial.type, len(first.block.args))
    argument.name_hint = initial.name_hint
    condition = first.block.last_op
    assert condition is not None
    condition.operands = [*condition.operands, argument]
    return second.block.insert_arg(initial.type, len(second.block.args))
