"""Slices of which one is chosen, as one slice at offsets that are chosen.

An `scf.if` that passes on one of two slices, or an `arith.select` of them, has to move the slice that is chosen, where
it lies at strides or at offsets of run time. A slice whose offsets are chosen is a view.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import is_side_effect_free

from lastuse.dialect.ir.diagnostics import inherit, op_name
from lastuse.dialect.ir.flow_graphs import is_inside, listed_ops
from lastuse.dialect.storage.index_arithmetic import mixed_numbers
from lastuse.passes.bufferization.op_replacement import OpReplacement

_SUMS = frozenset(
    {
        *(f"arith.{name}" for name in ("addi", "subi", "muli", "constant", "index_cast", "index_castui", "select")),
        *(f"arith.{name}" for name in ("cmpi", "andi", "ori", "xori", "minsi", "minui", "maxsi", "maxui")),
        *("affine.apply", "affine.min", "affine.max"),
    }
)
"""Ops that may run although their arm does not: they do nothing but make a number."""


class ChosenSlice(NamedTuple):
    """Result `result` of `op` is the slice `one` where `condition` holds, and else the slice `other`."""

    op: Operation
    result: int
    condition: SSAValue
    one: tensor.ExtractSliceOp
    other: tensor.ExtractSliceOp


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
        for number, (one, other) in enumerate(pairs):
            slices = (one.owner, other.owner)
            if all(isinstance(s, tensor.ExtractSliceOp) for s in slices) and one is not other:
                choice = ChosenSlice(op, number, op.operands[0], *slices)  # pyright: ignore
                if _fits(choice):
                    yield choice


def _fits(choice: ChosenSlice) -> bool:
    """Both are as large, in the same steps, of tensors of one type; what says where they are may be there before."""
    one, other, op = choice.one, choice.other, choice.op
    same = one.source.type == other.source.type and one.result.type == other.result.type
    bounds = [
        (mixed_numbers(s.static_sizes.get_values(), s.sizes), mixed_numbers(s.static_strides.get_values(), s.strides))
        for s in (one, other)
    ]
    needed = [v for s in (one, other) for v in s.offsets]
    fixed = [v for s in (one, other) for v in (s.source, *s.sizes, *s.strides)]
    there = not any(is_inside(v, op) for v in fixed) and all(_may_be_before(v, op) for v in needed)
    return same and bounds[0] == bounds[1] and there


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
    op, condition, one, other = choice.op, choice.condition, choice.one, choice.other
    before = OpReplacement(op)
    static, offsets = list[int](), list[SSAValue]()
    dynamic = [iter(one.offsets), iter(other.offsets)]
    for numbers in zip(one.static_offsets.get_values(), other.static_offsets.get_values(), strict=True):
        if numbers[0] == numbers[1] != DYNAMIC_INDEX:
            static.append(int(numbers[0]))
            continue
        values = [
            _before(next(given), op, before) if n == DYNAMIC_INDEX else before.number(int(n))
            for n, given in zip(numbers, dynamic, strict=True)
        ]
        static.append(DYNAMIC_INDEX)
        same = values[0] is values[1]
        offsets.append(values[0] if same else before.add(arith.SelectOp(condition, values[0], values[1])))
    source = one.source
    if other.source is not source:
        source = before.add(arith.SelectOp(condition, source, other.source))
    made = before.add(
        tensor.ExtractSliceOp.build(
            operands=[source, offsets, list(one.sizes), list(one.strides)],
            result_types=[one.result.type],
            properties={
                "static_offsets": DenseArrayBase.from_list(i64, static),
                "static_sizes": one.static_sizes,
                "static_strides": one.static_strides,
            },
        )
    )
    made.name_hint = op.results[choice.result].name_hint
    op.results[choice.result].replace_all_uses_with(made)
    if isinstance(op, scf.IfOp) and not (len(op.results) == 1 and _does_nothing(op)):
        left = _without_result(op, choice.result)
        for gone in (one, other):
            if is_inside(gone.result, left) and gone.result.first_use is None:
                gone.detach()
                gone.erase()
    else:
        op.detach()
        op.erase()


def _does_nothing(op: scf.IfOp) -> bool:
    return all(is_side_effect_free(inner) for region in op.regions for inner in region.block.ops if inner.next_op)


def _without_result(op: scf.IfOp, number: int) -> scf.IfOp:
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
    return made
