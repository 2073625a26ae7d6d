"""Loops and branches of blocks whose tensors change their size, as those of `scf`.

A block has one memory for each of its arguments, which has one size, and memory that several blocks use is there from
the beginning of the function. What loops and branches of `scf` pass on may have
memory of its own each time (`owned_values.py`). A loop of blocks becomes an `scf.while` if one block decides, and one
more, at most, goes back to it; a branch becomes an `scf.if` if its arms are one block each, or nothing, and meet in a
block that nothing else leads to. Any other graph stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith, cf, scf
from xdsl.dialects.builtin import i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue, Use

from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.flow_graphs import blocks_around, functions_of, ops_within, successors
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.ir.region_branches import forwarded_operands
from lastuse.dialect.ir.tensor_types import Poly, static_shape
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.bufferization.size_symbols import sizes_of_arguments

Leading = dict[Block, list[Block]]
"""By block those that lead to it, in their order, once for each way."""


def structure_blocks(listing: OpListing) -> None:
    """Structures the functions whose blocks are passed tensors of sizes that differ."""
    for func in functions_of(listing.module).values():
        if len(func.body.blocks) > 1 and _changes_sizes(func) and structure_function(func):
            listing.changed()


def structure_function(func: FuncOp) -> bool:
    """Structures a function as far as that is possible; whether its blocks changed."""
    leading: Leading = {}
    changed = False
    while func.body.blocks.first is not func.body.blocks.last:
        leading = leading or _leading(func.body)
        if not any(_structure(block, leading) for block in func.body.blocks):
            break
        changed = True
    return changed


def _changes_sizes(func: FuncOp) -> bool:
    """A block is passed a tensor whose size is not that of its argument, or is not known on entry; or one block makes a
    tensor of a size that is not known before, and another one uses it."""
    sizes, on_entry = infer_shapes(func), sizes_of_arguments(func)
    for op in ops_within(func):
        if op is func:
            continue
        unknown = [r for r in op.results if r in sizes and None in static_shape(r.type)]
        if any(_block_of(use, func.body) is not op.parent for r in unknown for use in r.uses if op.parent_op() is func):
            return True
        if not op.successors:
            continue
        for _, sources, targets in forwarded_operands(op):
            pairs = [*zip(sources, targets, strict=False)]
            known = [(sizes[s].known, sizes[t].known) for s, t in pairs if s in sizes and t in sizes]
            if any(ours != theirs for ours, theirs in known):
                return True
            polynomials = (dim for _, theirs in known for dim in theirs if isinstance(dim, Poly))
            if any(symbol not in on_entry for dim in polynomials for symbol in dim.symbols):
                return True
    return False


def _leading(body: Region) -> Leading:
    leading: Leading = {b: [] for b in body.blocks}
    for b in body.blocks:
        for following in successors(b):
            leading[following].append(b)
    return leading


def _structure(block: Block, leading: Leading) -> bool:
    """Whether the branch or the loop that a block decides was one that could be changed, or the block and the next
    could be joined. What leads to each block is known again then, or nothing of that is."""
    last = block.last_op
    if isinstance(last, cf.BranchOp) and list(leading[after := last.successor]) == [block] and after is not block:
        given = list(last.arguments)
        _erase(last)
        _replace_all(after.args, given)
        _absorb(block, after, [], leading)
        return True
    if not isinstance(last, cf.ConditionalBranchOp) or last.then_block is last.else_block:
        return False
    if _loop(block, last, leading):
        leading.clear()
        return True
    return _branch(block, last, leading)


# Branches


def _branch(block: Block, last: cf.ConditionalBranchOp, leading: Leading) -> bool:
    edges = ((last.then_block, last.then_arguments), (last.else_block, last.else_arguments))
    ends = [_end_of_arm(arm, block, leading) for arm, _ in edges]
    after = next((end.successor for end in ends if end is not None), None)
    for (arm, _), end in zip(edges, ends, strict=True):
        if after is None or after is block or (end is None and arm is not after):
            return False
        if end is not None and end.successor is not after:
            return False
    assert after is not None
    if len(leading[after]) != 2:
        return False
    regions: list[Region] = []
    for (arm, given), end in zip(edges, ends, strict=True):
        inner = Block()
        if end is not None:
            _replace_all(arm.args, given)
        passed = list(given if end is None else end.arguments)
        if end is not None:
            _move(arm, inner)
        inherit(leave := scf.YieldOp(*passed), end or last)
        inner.add_op(leave)
        regions.append(Region(inner))
    inherit(made := scf.IfOp(last.cond, [a.type for a in after.args], regions[0], regions[1]), last)
    _erase(last)
    block.add_op(made)
    _replace_all(after.args, made.results)
    _absorb(block, after, [arm for (arm, _), end in zip(edges, ends, strict=True) if end is not None], leading)
    return True


def _end_of_arm(arm: Block, block: Block, leading: Mapping[Block, Sequence[Block]]) -> cf.BranchOp | None:
    """The last op of a block to which nothing but `block` leads, and that leads to one block."""
    last = arm.last_op
    return last if isinstance(last, cf.BranchOp) and list(leading[arm]) == [block] else None


# Loops


def _loop(head: Block, last: cf.ConditionalBranchOp, leading: Mapping[Block, Sequence[Block]]) -> bool:
    edges = [(last.then_block, last.then_arguments), (last.else_block, last.else_arguments)]
    backs = [b for b in leading[head] if b is head or _is_latch(b, head, leading)]
    enters = [b for b in leading[head] if b not in backs]
    if len(backs) != 1 or len(enters) != 1 or not isinstance(enter := enters[0].last_op, cf.BranchOp):
        return False
    latch = backs[0]
    goes_on = next(n for n, (to, _) in enumerate(edges) if to is latch)
    (_, given), (leave, leaving) = edges[goes_on], edges[1 - goes_on]
    if leave is head or leave is latch:
        return False
    apart = {head, latch}
    defined = [*head.args, *(result for op in head.ops for result in op.results)]
    passed = [v for v in defined if any(_block_of(use, head.parent) is not head for use in v.uses)]
    passed += [v for v in dict.fromkeys((*given, *leaving)) if v in defined and v not in passed]
    before, after = Block(arg_types=[a.type for a in head.args]), Block(arg_types=[v.type for v in passed])
    inside = dict(zip(passed, after.args, strict=True))
    enter_arguments, flag = list(enter.arguments), last.cond
    went = [inside.get(v, v) for v in given]
    if latch is not head:
        _replace_all(latch.args, went)
        end = latch.last_op
        assert isinstance(end, cf.BranchOp)
        for old, new in inside.items():
            old.replace_uses_with_if(new, lambda use: _block_of(use, head.parent) is latch)
        went = list(end.arguments)
        _move(latch, after)
    inherit(again := scf.YieldOp(*went), last)
    after.add_op(again)
    _move(head, before)
    if goes_on:
        inherit((one := arith.ConstantOp.from_int_and_width(1, i1), turned := arith.XOrIOp(flag, one)), last)
        before.add_ops((one, turned))
        flag = turned.result
    inherit(condition := scf.ConditionOp(flag, *passed), last)
    before.add_op(condition)
    _erase(last)
    inherit(made := scf.WhileOp(enter_arguments, [v.type for v in passed], Region(before), Region(after)), last)
    block = enters[0]
    _erase(enter)
    block.add_op(made)
    behind = dict(zip(passed, made.results, strict=True))
    for old, new in behind.items():
        old.replace_uses_with_if(new, lambda use: {before, after}.isdisjoint(blocks_around(use.operation)))
    _replace_all(head.args, before.args)
    inherit(end_ := cf.BranchOp(leave, *(behind.get(v, v) for v in leaving)), made)
    block.add_op(end_)
    for gone in apart:
        _drop(gone)
    return True


def _is_latch(block: Block, head: Block, leading: Mapping[Block, Sequence[Block]]) -> bool:
    """The block goes from `head` back to it, and nowhere else."""
    last = block.last_op
    goes_back = isinstance(last, cf.BranchOp) and last.successor is head
    return goes_back and list(leading[block]) == [head]


def _block_of(use: Use, region: Region | None) -> Block | None:
    """The block of a region whose op, or an op in it, uses a value."""
    return next((block for block in blocks_around(use.operation) if block.parent is region), None)


# Blocks


def _replace_all(arguments: Sequence[BlockArgument], values: Sequence[SSAValue]) -> None:
    for argument, value in zip([*arguments], values, strict=True):
        value.name_hint = value.name_hint or argument.name_hint
        argument.replace_all_uses_with(value)


def _move(block: Block, into: Block) -> None:
    """Moves the ops of a block but for the last one."""
    for op in [op for op in block.ops if op is not block.last_op]:
        op.detach()
        into.add_op(op)


def _erase(op: Operation) -> None:
    op.detach()
    op.drop_all_references()


def _absorb(block: Block, after: Block, gone: Sequence[Block], leading: Leading) -> None:
    """The ops of `after` go on where `block` ends; the blocks `gone` are left out."""
    for following in successors(after):
        leading[following] = [block if b is after else b for b in leading[following]]
    for op in [*after.ops]:
        op.detach()
        block.add_op(op)
    for each in (*gone, after):
        _drop(each)


def _drop(block: Block) -> None:
    if block.last_op is not None:
        _erase(block.last_op)
    region = block.parent
    assert region is not None
    region.detach_block(block)
