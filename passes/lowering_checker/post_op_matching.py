"""Post-ops: in the order in which the op has them, each with its own operand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lastuse.dialect.onednn.primitives.post_ops import PostOp, PostOpStepBase
from lastuse.passes.lowering_checker.operands import Pairs, StepOperands, Use, equal, padded, sizes_of
from lastuse.passes.lowering_checker.signature import Mismatch
from lastuse.passes.lowering_checker.source_values import Contents


def expect_post_ops(step: PostOpStepBase, declared: Sequence[PostOp], operands: StepOperands) -> int:
    """How many operands of the op belong to no post-op.

    Raises:
        Mismatch: the step has other post-ops than the op declares, or has them in another order.
    """
    stated = step.stated_post_ops
    same = len(stated) == len(declared) and all(
        a[:2] == b[:2] and equal(a.alpha, b.alpha) and equal(a.beta, b.beta)
        for a, b in zip(stated, declared, strict=True)
    )
    if not same:
        raise Mismatch(f"its post-ops, or their order, are not those of {operands.op.name}")
    return len(operands.op.operands) - sum(post_op.kind in ("binary", "sum") for post_op in declared)


def post_op_uses(
    declared: Sequence[PostOp],
    own: int,
    operands: StepOperands,
    shaped: Callable[[Contents], Contents],
    result: tuple[int, ...],
) -> tuple[list[Use], Pairs]:
    """What the post-ops read of the ins behind the first `own`, and which of them may be the result's own memory.

    Args:
        shaped: an operand of the op, which broadcasts to the result, with its axes in the order of the step's.
        result: the sizes of the op's result in that order, of which the step's may have fewer or more axes of one
            element, and batches as rows of one matrix.

    Raises:
        Mismatch: an in has other sizes than its operand.
    """
    uses, over = list[Use](), set[tuple[int, int]]()
    (dst,) = operands.outs
    number = own
    for kind in (post_op.kind for post_op in declared if post_op.kind in ("binary", "sum")):
        held, region = shaped(operands.operand(number)), operands.ins[number]
        alike = _spread(region.shape, dst.shape) == _spread(held.shape, result)
        if region.dtype != held.dtype or region.nbytes != held.row.nbytes or not alike:
            raise Mismatch(f"in {number} has sizes {sizes_of(region.shape)}, operand {number} {sizes_of(held.shape)}")
        if kind == "sum":
            if region.shape != dst.shape:
                raise Mismatch(f"in {number} of a sum is not like the result")
            over.add((0, number))
        uses.append(Use(number, held.row, operands.op.operands[number]))
        number += 1
    return uses, frozenset(over)


def _spread(shape: tuple[int, ...], result: tuple[int, ...]) -> object:
    """How an operand is repeated in a result: not at all; along all axes but the last; or else along which of those
    with more than one element."""
    if shape == result:
        return "whole"
    if len(shape) == len(result) and all(size == 1 for size in shape[:-1]):
        return "row", shape[-1]
    return [size for size, whole in zip(padded(shape, len(result)), result, strict=True) if whole != 1]
