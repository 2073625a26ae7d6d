"""Slices of which one is chosen, as one slice at offsets and of sizes that are chosen.

An `scf.if` that passes on one of two slices, or an `arith.select` of them, has to move the slice that is chosen, where
it lies at strides or at offsets of run time. A slice whose offsets are chosen is a view. Instead of a slice it may be
all of the tensor; and the arms of an `scf.if` may compute what they pass on over what is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import is_side_effect_free

from lastuse.dialect.ir.diagnostics import inherit, op_name
from lastuse.dialect.ir.flow_graphs import is_inside, listed_ops
from lastuse.dialect.storage.contract import contract_of, is_region_op
from lastuse.dialect.storage.index_arithmetic import mixed_numbers
from lastuse.passes.bufferization.memref_types import Index
from lastuse.passes.bufferization.op_replacement import OpReplacement, insertion, shape_of

_SUMS = frozenset(
    {
        *(f"arith.{name}" for name in ("addi", "subi", "muli", "constant", "index_cast", "index_castui", "select")),
        *(f"arith.{name}" for name in ("cmpi", "andi", "ori", "xori", "minsi", "minui", "maxsi", "maxui")),
        *("affine.apply", "affine.min", "affine.max"),
    }
)
"""Ops that may run although their arm does not: they do nothing but make a number."""


_Numbers = tuple[Sequence[Index], Sequence[Index], Sequence[Index]]
"""Offsets, sizes and strides of a slice."""


class _ChosenPart(NamedTuple):
    """A slice, or all of a tensor: then each size that is not known is None, which is that of the tensor."""

    value: SSAValue
    source: SSAValue
    offsets: tuple[Index, ...]
    sizes: tuple[Index | None, ...]
    strides: tuple[Index, ...]
    static_sizes: tuple[int, ...]


class _PassedPart(NamedTuple):
    """What an arm passes on: it is in the place of `part`, if all on the way is written over its operand.

    Attributes:
        use: operand of an op of the arm that is the part; None where the part is passed on itself.
    """

    part: _ChosenPart
    use: tuple[Operation, int] | None


class ChosenSlice(NamedTuple):
    """Result `result` of `op` is `one` where `condition` holds, and else `other`."""

    op: Operation
    result: int
    condition: SSAValue
    one: _PassedPart
    other: _PassedPart


def has_choices(func: FuncOp) -> bool:
    """Whether slices are chosen in a function that may be one slice each."""
    return any(True for _ in _choices(func))


def choose_offsets(func: FuncOp) -> None:
    """Makes one slice of each two of which one is chosen."""
    while (choice := next(_choices(func), None)) is not None:
        _put(choice)


def _choices(func: FuncOp) -> Iterator[ChosenSlice]:
    for op in listed_ops(func):
        if isinstance(op, scf.IfOp) and op.results and all(region.blocks for region in op.regions):
            yields = [region.block.last_op for region in op.regions]
            pairs = zip(*(last.operands for last in yields if last is not None), strict=True)
        elif isinstance(op, arith.SelectOp) and isinstance(op.result.type, TensorType):
            pairs = iter([(op.lhs, op.rhs)])
        else:
            continue
        for number, pair in enumerate(pairs):
            if isinstance(op.results[number].type, TensorType):
                one, other = (_passed(value, op) for value in pair)
                choice = ChosenSlice(op, number, op.operands[0], one, other)
                if _fits(choice):
                    yield choice


def _passed(value: SSAValue, op: Operation) -> _PassedPart:
    use: tuple[Operation, int] | None = None
    while isinstance(value, OpResult) and not isinstance(value.op, tensor.ExtractSliceOp) and is_inside(value, op):
        over = [o.operand for o in contract_of(value.op).over if o.result == value.index]
        if not over or is_region_op(value.op) or value.op.operands[over[-1]].type != value.type:
            break
        use = value.op, over[-1]  # behind the inputs
        value = value.op.operands[over[-1]]
    return _PassedPart(_part_of(value), use)


def _part_of(value: SSAValue) -> _ChosenPart:
    op = value.owner
    if not isinstance(op, tensor.ExtractSliceOp):
        shape = shape_of(value)
        sizes = tuple(None if n == DYNAMIC_INDEX else n for n in shape)
        return _ChosenPart(value, value, (0,) * len(shape), sizes, (1,) * len(shape), tuple(shape))
    return _ChosenPart(
        value,
        op.source,
        mixed_numbers(op.static_offsets.get_values(), op.offsets),
        mixed_numbers(op.static_sizes.get_values(), op.sizes),
        mixed_numbers(op.static_strides.get_values(), op.strides),
        tuple(op.static_sizes.get_values()),
    )


def _fits(choice: ChosenSlice) -> bool:
    """Both are slices in the same steps, of tensors of one type, or one of them all of such a tensor; what says where
    they are may be there before."""
    one, other, op = choice.one.part, choice.other.part, choice.op
    if one.value is other.value or one.value is one.source and other.value is other.source:
        return False
    same = one.source.type == other.source.type and one.value.type == other.value.type
    same = same and one.strides == other.strides and one.static_sizes == other.static_sizes
    numbers = [n for part in (one, other) for n in (*part.offsets, *part.sizes) if isinstance(n, SSAValue)]
    fixed = [n for part in (one, other) for n in (part.source, *part.strides) if isinstance(n, SSAValue)]
    return same and not any(is_inside(v, op) for v in fixed) and all(_may_be_before(v, op) for v in numbers)


def _may_be_before(value: SSAValue, op: Operation) -> bool:
    """An index is there before `op`, or may be computed there."""
    if not is_inside(value, op):
        return True
    owner = value.owner
    return (
        isinstance(owner, Operation) and op_name(owner) in _SUMS and all(_may_be_before(v, op) for v in owner.operands)
    )


def _before(value: SSAValue, op: Operation, before: OpReplacement) -> SSAValue:
    if not is_inside(value, op):
        return value
    owner = value.owner
    assert isinstance(owner, Operation)
    return before.add(owner.clone({v: _before(v, op, before) for v in owner.operands}))


def _put(choice: ChosenSlice) -> None:
    op, one, other = choice.op, choice.one.part, choice.other.part
    before = OpReplacement(op)

    def chosen(first: Index, second: Index) -> Index:
        """A number, which the condition chooses."""
        if first is second or isinstance(first, int) and first == second:
            return first
        values = [before.value(n) if isinstance(n, int) else _before(n, op, before) for n in (first, second)]
        return before.add(arith.SelectOp(choice.condition, *values))

    def size(part: _ChosenPart, axis: int) -> Index:
        number = part.sizes[axis]
        return before.size(part.source, axis) if number is None else number

    offsets = [*map(chosen, one.offsets, other.offsets)]
    sizes = [chosen(size(one, axis), size(other, axis)) for axis in range(len(one.sizes))]
    source = one.source
    if other.source is not source:
        source = before.add(arith.SelectOp(choice.condition, source, other.source))
    numbers = offsets, _given(sizes, one.static_sizes, before), one.strides
    made = before.add(tensor.ExtractSliceOp(source, *numbers, one.value.type))
    slices = [s for s in (one.value.owner, other.value.owner) if isinstance(s, tensor.ExtractSliceOp)]
    inside = [s for s in slices if is_inside(s.result, op)]
    is_erased = False
    if choice.one.use is None and choice.other.use is None:
        is_erased = _replace_result(choice, made)
    else:
        _compute_over(choice, made, source, numbers)
    for gone in slices:
        if gone.result.first_use is None and not (is_erased and gone in inside):
            gone.detach()
            gone.erase()


def _given(sizes: Sequence[Index], static: Sequence[int], before: OpReplacement) -> list[Index]:
    """The sizes; as values where the type of the slice does not say them."""
    return [before.value(n) if known == DYNAMIC_INDEX else known for n, known in zip(sizes, static, strict=True)]


def _compute_over(choice: ChosenSlice, made: SSAValue, source: SSAValue, numbers: _Numbers) -> None:
    """Lets the arms compute over what is chosen, and pass on the tensor that this is a slice of, with what they
    computed in it: the result is that slice of it again."""
    op, number = choice.op, choice.result
    for region, passed in zip(op.regions, (choice.one, choice.other), strict=True):
        last = region.block.last_op
        assert last is not None
        if passed.use is None:
            last.operands[number] = source
            continue
        user, operand = passed.use
        user.operands[operand] = made
        inherit(put := insertion(last.operands[number], source, *numbers), user)
        region.block.insert_op_before(put, last)
        last.operands[number] = put.result
    types = [source.type if n == number else r.type for n, r in enumerate(op.results)]
    regions = [op.detach_region(region) for region in [*op.regions]]
    inherit(whole := scf.IfOp(op.operands[0], types, regions[0], regions[1]), op)
    inherit(part := tensor.ExtractSliceOp(whole.results[number], *numbers, op.results[number].type), op)
    results = [part.result if n == number else r for n, r in enumerate(whole.results)]
    Rewriter.replace_op(op, [whole, part], results)


def _replace_result(choice: ChosenSlice, made: SSAValue) -> bool:
    """Returns whether the op is erased: it made nothing else."""
    op, number = choice.op, choice.result
    made.name_hint = op.results[number].name_hint
    op.results[number].replace_all_uses_with(made)
    if isinstance(op, scf.IfOp) and not (len(op.results) == 1 and _does_nothing(op)):
        _without_result(op, number)
        return False
    op.detach()
    op.erase()
    return True


def _does_nothing(op: scf.IfOp) -> bool:
    return all(is_side_effect_free(inner) for region in op.regions for inner in region.block.ops if inner.next_op)


def _without_result(op: scf.IfOp, number: int) -> None:
    """The branch, passing one value less on."""
    for region in op.regions:
        last = region.block.last_op
        assert last is not None
        kept = [v for n, v in enumerate(last.operands) if n != number]
        inherit(end := scf.YieldOp(*kept), last)
        Rewriter.replace_op(last, end, [])
    types = [r.type for n, r in enumerate(op.results) if n != number]
    regions = [op.detach_region(region) for region in [*op.regions]]
    inherit(made := scf.IfOp(op.cond, types, regions[0], regions[1]), op)
    results = iter(made.results)
    Rewriter.replace_op(op, made, [None if n == number else next(results) for n in range(len(op.results))])
