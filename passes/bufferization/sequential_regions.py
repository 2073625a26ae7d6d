"""Region ops that the decisions do not know, as ops that they know.

An `scf.execute_region` is the ops in it. An `scf.parallel` is a nest of `scf.for` that carry what it reduces. An
`scf.forall` is a nest of `scf.for`: its threads run one after the other, and each inserts its parts of the shared
outputs when it ends. A thread sees the shared outputs as they were before all threads. So it reads the operands of the
`scf.forall`, or what earlier threads left, where that is the same: in the part that it inserts itself, if no other
thread inserts there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects import arith, cf, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, TensorType, UnregisteredOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import BlockInsertPoint, InsertPoint, Rewriter

from lastuse.dialect.ir.diagnostics import LastuseError, inherit, op_name
from lastuse.dialect.ir.flow_graphs import is_inside
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.index_arithmetic import Number, SliceBounds, apart_in_iterations, mixed_numbers

RANGES = ("static_offsets", "static_sizes", "static_strides")


def run_in_order(listing: OpListing) -> None:
    """Puts what each `scf.execute_region`, `scf.forall` and `scf.parallel` with tensors is in its place.

    Raises:
        LastuseError: an `scf.forall` is not well formed.
    """
    known = (scf.ExecuteRegionOp, scf.ParallelOp)
    found = listing.of(lambda c: issubclass(c, (*known, UnregisteredOp)) or c.name == "scf.forall")
    for op in reversed(found):  # those inside others first
        if isinstance(op, scf.ExecuteRegionOp) and _has_tensors(op):
            _inline(op)
            listing.changed()
        elif op_name(op) == "scf.forall" and op.regions and _has_tensors(op):
            _run_threads(op)
            listing.changed()
        elif isinstance(op, scf.ParallelOp) and _has_tensors(op):
            _run_turns(op)
            listing.changed()


def _has_tensors(op: Operation) -> bool:
    return any(isinstance(v.type, TensorType) for inner in op.walk() for v in (*inner.operands, *inner.results))


def _inline(op: scf.ExecuteRegionOp) -> None:
    """The ops of its block; of several blocks, these, if the op stands in a block of a function."""
    block = op.parent
    ends = [last for b in op.region.blocks if isinstance(last := b.last_op, scf.YieldOp)]
    if block is None or not ends or any([*e.operand_types] != [*op.result_types] for e in ends):
        return
    if len(op.region.blocks) == 1:
        (last,) = ends
        values = list(last.operands)
        last.detach()
        Rewriter.inline_block(op.region.block, InsertPoint.before(op))
        last.drop_all_references()
        _replace(op, values)
    elif isinstance(block.parent_op(), FuncOp):
        after = block.split_before(op, arg_types=list(op.result_types))
        first = op.region.blocks[0]
        Rewriter.inline_region(op.region, BlockInsertPoint.before(after))
        block.add_op(enter := cf.BranchOp(first))
        inherit(enter, op)
        for last in ends:
            inherit(leave := cf.BranchOp(after, *last.operands), last)
            Rewriter.replace_op(last, leave, [])
        _replace(op, after.args)


def _replace(op: Operation, values: Sequence[SSAValue]) -> None:
    for result, value in zip(op.results, values, strict=True):
        value.name_hint = value.name_hint or result.name_hint
    Rewriter.replace_op(op, [], values)


# scf.forall


class Insertion(NamedTuple):
    """A `tensor.parallel_insert_slice` into the part `bounds` of the shared output `into`; None where its steps are not
    known."""

    op: Operation
    into: SSAValue
    bounds: SliceBounds | None


def _run_threads(op: Operation) -> None:
    lower, upper, step, outputs = _segments(op, 4)
    body = op.regions[0].blocks.first if len(op.regions) == 1 else None
    end = body.last_op if body is not None else None
    if body is None or end is None or op_name(end) != "scf.forall.in_parallel" or len(op.results) != len(outputs):
        raise LastuseError("'scf.forall' has one block, that ends with scf.forall.in_parallel", op)
    insertions = list(_insertions(end))
    ranges = [
        _index_values(op, name, values)
        for name, values in (("staticLowerBound", lower), ("staticUpperBound", upper), ("staticStep", step))
    ]
    counters, shared = body.args[: len(ranges[0])], body.args[len(ranges[0]) :]
    types = [a.type for a in shared]
    if len({len(r) for r in ranges}) > 1 or types != [v.type for v in outputs] or types != [r.type for r in op.results]:
        raise LastuseError("the bounds, arguments and results of 'scf.forall' are not as many as they should be", op)
    if not counters or any(i.into not in shared for i in insertions):
        raise LastuseError("'scf.forall' has counters, and inserts into its shared outputs alone", op)
    own = _reads_of_own_parts(op, insertions, counters, ranges[2])
    for argument, initial in zip(shared, outputs, strict=True):
        argument.replace_uses_with_if(
            initial,
            lambda use: use.operation not in own and not (use.operation.parent_op() is end and use.index == 1),
        )
    _nest(op, body, insertions, ranges, outputs, len(counters))


def _insertions(end: Operation) -> Iterator[Insertion]:
    """What a thread inserts when it ends."""
    for op in end.regions[0].ops if end.regions and end.regions[0].blocks else ():
        if op_name(op) != "tensor.parallel_insert_slice":
            raise LastuseError(f"'{op_name(op)}' has no memref form", op)
        source, into, *given = _segments(op, 5)
        if len(source) != 1 or len(into) != 1 or not isinstance(type_ := into[0].type, TensorType):
            raise LastuseError("'tensor.parallel_insert_slice' has one source and one tensor that it goes into", op)
        lists = [_index_numbers(op, name, values) for name, values in zip(RANGES, given, strict=True)]
        if any(len(numbers) != len(type_.get_shape()) for numbers in lists):
            raise LastuseError("'tensor.parallel_insert_slice' has a range for each axis", op)
        steps = tuple(n for n in lists[2] if isinstance(n, int) and n > 0)
        known = len(steps) == len(lists[2])
        yield Insertion(op, into[0], SliceBounds(lists[0], lists[1], steps) if known else None)


def _reads_of_own_parts(
    op: Operation, insertions: Sequence[Insertion], counters: Sequence[SSAValue], steps: Sequence[SSAValue]
) -> set[Operation]:
    """Slices of shared outputs in which a thread finds what was there before all threads, though others have run: the
    part that it inserts, where no other inserts, or from which nothing is read."""
    found: set[Operation] = set()
    for insertion in insertions:
        into, bounds = insertion.into, insertion.bounds
        if bounds is None or sum(other.into is into for other in insertions) > 1:
            continue
        alone = apart_in_iterations(bounds, dict(zip(counters, steps, strict=True)), lambda v: not is_inside(v, op))
        for use in into.uses:
            slice_ = use.operation
            if not isinstance(slice_, tensor.ExtractSliceOp):
                continue
            lists = (
                (slice_.static_offsets, slice_.offsets),
                (slice_.static_sizes, slice_.sizes),
                (slice_.static_strides, slice_.strides),
            )
            same = bounds == tuple(mixed_numbers(static.get_values(), values) for static, values in lists)
            unread = all(u.index in contract_of(u.operation).metadata_only for u in slice_.result.uses)
            if same and (alone or unread):
                found.add(slice_)
    return found


def _nest(
    op: Operation,
    body: Block,
    insertions: Sequence[Insertion],
    ranges: Sequence[Sequence[SSAValue]],
    outputs: Sequence[SSAValue],
    depth: int,
) -> None:
    """Replaces the op by loops, of which the innermost has the ops of `body`."""
    outer: scf.ForOp | None = None
    last: scf.ForOp | None = None
    carried = list(outputs)
    for axis in range(depth):
        block = Block(arg_types=[IndexType(), *[v.type for v in outputs]])
        start, bound, step = (r[axis] for r in ranges)
        loop = scf.ForOp(start, bound, step, carried, block)
        inherit(loop, op)
        for new, old in zip(block.args, (body.args[axis], *body.args[depth:]), strict=True):
            new.name_hint = old.name_hint
        body.args[axis].replace_all_uses_with(block.args[0])
        if last is not None:
            last.body.block.add_op(loop)
            last.body.block.add_op(scf.YieldOp(*loop.results))
        outer, last, carried = outer or loop, loop, list(block.args[1:])
    assert outer is not None and last is not None
    for argument, value in zip(body.args[depth:], carried, strict=True):
        argument.replace_all_uses_with(value)
    order = {value: n for n, value in enumerate(carried)}
    inner = last.body.block
    end = body.last_op
    for each in list(body.ops):
        if each is not end:
            each.detach()
            inner.add_op(each)
    passed = list(carried)
    for insertion in insertions:
        number = order[insertion.op.operands[1]]
        made = tensor.InsertSliceOp.create(
            operands=[insertion.op.operands[0], passed[number], *insertion.op.operands[2:]],
            result_types=[passed[number].type],
            properties={k: v for k, v in _attributes(insertion.op).items() if k in RANGES or k == SEGMENTS},
        )
        inherit(made, insertion.op)
        inner.add_op(made)
        passed[number] = made.result
    inner.add_op(scf.YieldOp(*passed))
    assert op.parent is not None
    op.parent.insert_op_before(outer, op)
    _replace(op, outer.results)


# scf.parallel


def _run_turns(op: scf.ParallelOp) -> None:
    """A nest of loops in the place of an `scf.parallel`, that carry what it reduces."""
    body, depth = op.body.block, len(op.step)
    end = body.last_op
    if not depth or not isinstance(end, scf.ReduceOp):
        return
    outer: scf.ForOp | None = None
    inner: Block | None = None
    carried = list(op.initVals)
    for counter, first, bound, step in zip([*body.args], op.lowerBound, op.upperBound, op.step, strict=True):
        block = Block(arg_types=[IndexType(), *op.initVals.types])
        inherit(loop := scf.ForOp(first, bound, step, carried, block), op)
        block.args[0].name_hint = counter.name_hint
        counter.replace_all_uses_with(block.args[0])
        if inner is not None:
            inner.add_op(loop)
            inherit(passed := scf.YieldOp(*loop.results), op)
            inner.add_op(passed)
        outer, inner, carried = outer or loop, block, list(block.args[1:])
    assert outer is not None and inner is not None
    for each in [each for each in body.ops if each is not end]:
        each.detach()
        inner.add_op(each)
    reduced = [_combined(*parts, inner) for parts in zip(end.reductions, carried, end.args, strict=True)]
    inherit(last := scf.YieldOp(*reduced), end)
    inner.add_op(last)
    assert op.parent is not None
    op.parent.insert_op_before(outer, op)
    _replace(op, outer.results)


def _combined(region: Region, so_far: SSAValue, value: SSAValue, into: Block) -> SSAValue:
    """What a reduction makes of two values, in ops that are added to `into`."""
    block = region.block
    for argument, given in zip(block.args, (so_far, value), strict=True):
        argument.replace_all_uses_with(given)
    last = block.last_op
    assert last is not None
    (result,) = last.operands
    for each in [each for each in block.ops if each is not last]:
        each.detach()
        into.add_op(each)
    return result


SEGMENTS = "operandSegmentSizes"


def _attributes(op: Operation) -> Mapping[str, Attribute]:
    return {**op.attributes, **op.properties}


def _numbers(op: Operation, name: str) -> tuple[int, ...]:
    found = _attributes(op).get(name)
    if not isinstance(found, DenseArrayBase):
        raise LastuseError(f"'{op_name(op)}' needs the attribute {name}", op)
    return tuple(int(n) for n in found.get_values())


def _segments(op: Operation, count: int) -> list[list[SSAValue]]:
    """The operands of an op in generic form, by `operandSegmentSizes`."""
    sizes = _numbers(op, SEGMENTS)
    if len(sizes) != count or min(sizes) < 0 or sum(sizes) != len(op.operands):
        raise LastuseError(f"{SEGMENTS} of '{op_name(op)}' does not fit its operands", op)
    values = iter(op.operands)
    return [[next(values) for _ in range(n)] for n in sizes]


def _index_numbers(op: Operation, name: str, values: Sequence[SSAValue]) -> tuple[Number, ...]:
    """Numbers of which an attribute says those that are not `values`."""
    static = _numbers(op, name)
    if static.count(DYNAMIC_INDEX) != len(values):
        raise LastuseError(f"{name} of '{op_name(op)}' does not fit its operands", op)
    return mixed_numbers(static, values)


def _index_values(op: Operation, name: str, values: Sequence[SSAValue]) -> list[SSAValue]:
    """A bound of each counter, as values before `op`."""
    made: list[SSAValue] = []
    for number in _index_numbers(op, name, values):
        if not isinstance(number, int):
            made.append(number)
            continue
        constant = arith.ConstantOp.from_int_and_width(number, IndexType())
        inherit(constant, op)
        assert op.parent is not None
        op.parent.insert_op_before(constant, op)
        made.append(constant.result)
    return made
