"""Matrix products and GRUs: which in is which operand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile
from math import prod

import numpy as np

from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.gru import GruPrimitive, OneDnnGruOp
from lastuse.dialect.onednn.primitives.matmul import MatmulPrimitive, OneDnnMatmulOp
from lastuse.dialect.storage.attrs import flags
from lastuse.dialect.storage.layout import expanded, permuted
from lastuse.passes.lowering_checker.operands import (
    FIRST,
    NO_PAIRS,
    Form,
    StepOperands,
    Use,
    equal,
    other,
    padded,
    sizes_of,
)
from lastuse.passes.lowering_checker.post_op_matching import expect_post_ops, post_op_uses
from lastuse.passes.lowering_checker.signature import Mismatch
from lastuse.passes.lowering_checker.source_values import Contents, Values


def product_form(step: OneDnnMatmulOp, chosen: Primitive, operands: StepOperands) -> Form:
    """alpha * (a @ b) + beta * c, whatever axes of one element and batches are made of the sizes."""
    if not isinstance(chosen, MatmulPrimitive):
        raise other(operands)
    op, own = operands.op, expect_post_ops(step, chosen.post_ops, operands)
    added = own > 2
    alpha, beta = step.parameters
    stated = (alpha, beta if step.beta is not None else alpha)
    declared = (chosen.alpha, chosen.beta if added else chosen.alpha)
    operands.expect(all(map(equal, stated, declared)))
    operands.expect([step.has_bias, step.beta is not None].count(True) == added)
    operands.counts(len(op.operands), 1)
    src, weights, made = chosen.orders or ((), (), ())
    a = _matrix(operands.values, _in_order(operands.values, operands.operand(0), src), 0, chosen.transpose_src)
    b = _matrix(operands.values, _in_order(operands.values, operands.operand(1), weights), 1, chosen.transpose_weights)
    operands.output(0, 0)
    back = [made.index(axis) for axis in range(len(made))]
    output = _in_order(operands.values, operands.values.tensors[op.results[0]], back).row
    dst = (*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1])
    want = _normal(a.shape, b.shape, dst)
    if want != _normal(operands.ins[0].shape, operands.ins[1].shape, operands.outs[0].shape):
        raise Mismatch(f"its sizes are not those of {op.name}")
    uses = [Use(0, a.row, op.operands[0]), Use(1, b.row, op.operands[1])]
    if added:
        c = operands.operand(2)
        if step.beta is not None:
            row = c.row if c.shape == dst else operands.values.view(c, expanded(dst))
            assert row is not None
            uses.append(Use(2, row, op.operands[2]))
        elif _stripped(operands.ins[2].shape) != _stripped(c.shape) or not _spreads(
            c.shape, dst, operands.outs[0].shape
        ):
            raise Mismatch(f"in 2 has sizes {sizes_of(operands.ins[2].shape)}, operand 2 {sizes_of(c.shape)}")
        else:
            uses.append(operands.use(2, 2))
    types = {region.dtype for region in (*operands.ins, *operands.outs)} | {a.dtype, b.dtype}
    if len(types) != 1:
        raise Mismatch(f"it has elements of {', '.join(sorted(types))}")
    y = operands.values.tensors[op.results[0]].shape
    further, over = post_op_uses(
        chosen.post_ops, own, operands, lambda held: held._replace(shape=padded(held.shape, len(y))), y
    )
    return Form(uses + further, [output], over | ({(0, 2)} if step.beta is not None else NO_PAIRS))


def _in_order(values: Values, held: Contents, order: Sequence[int]) -> Contents:
    """Axis i is axis `order[i]` of what is held; without an order, all are as they are."""
    if not order:
        return held
    row = values.view(held, permuted(order))
    assert row is not None
    return Contents(row, tuple(held.shape[axis] for axis in order), held.dtype)


def _matrix(values: Values, held: Contents, side: int, turned: bool) -> Contents:
    """An operand as matrices: a vector is one row on the left, one column on the right."""
    shape = held.shape
    if len(shape) == 1:
        return held._replace(shape=(1, *shape) if side == 0 else (*shape, 1))
    rank = len(shape)
    return _in_order(values, held, [*range(rank - 2), rank - 1, rank - 2] if turned else [])


def _normal(a: tuple[int, ...], b: tuple[int, ...], dst: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Sizes of a product that compute the same, elements in the same order: batches of one weight matrix are one tall
    matrix; axes of one element in front do not count."""
    if prod(b[:-2]) == 1 and prod(a[:-2]) == prod(dst[:-2]):
        return (prod(a[:-1]), a[-1]), b[-2:], (prod(dst[:-1]), dst[-1])
    rank = len(dst)
    leading = rank - max(2, len(_stripped(dst)))
    return tuple(padded(shape, rank)[leading:] for shape in (a, b, dst))


def _spreads(c: tuple[int, ...], dst: tuple[int, ...], flat: tuple[int, ...]) -> bool:
    """What is added means the same for a product of sizes `dst` as for one of sizes `flat`."""
    return len(_stripped(c)) <= 1 or _stripped(dst) == _stripped(flat)


def gru_form(step: OneDnnGruOp, chosen: Primitive, operands: StepOperands) -> Form:
    """Layers and directions in the order in which the step has them."""
    op = operands.op
    if not isinstance(chosen, GruPrimitive):
        raise other(operands)
    count = len(chosen.reverse) * chosen.layers
    operands.counts(len(op.operands), 1)
    reverse = chosen.reverse[::-1] if chosen.last_first else chosen.reverse
    data = [(float(np.float32(a)), float(np.float32(b))) for a, b in chosen.data]
    stated = [(float(np.float32(a)), float(np.float32(b))) for a, b in step.data()]
    is_sum = step.is_sum if len(reverse) > 1 else chosen.sum
    operands.expect((flags(step.reverse), step.depth, is_sum, stated) == (reverse, chosen.layers, chosen.sum, data))
    order = -1 if chosen.last_first else 1
    directions: list[int] = np.arange(count).reshape(chosen.layers, -1)[:, ::order].ravel().tolist()
    states = 1 + count * chosen.per_direction
    numbers = [0]
    for direction in directions:
        numbers += range(1 + direction * chosen.per_direction, 1 + (direction + 1) * chosen.per_direction)
    if len(op.operands) > states + 1:
        numbers += [states + direction for direction in directions]
    numbers.append(len(op.operands) - 1)
    operands.expect(len(numbers) == len(op.operands))
    return operands.form(numbers, FIRST if len(reverse) == 1 or chosen.layers > 1 else NO_PAIRS)


def _stripped(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Without the sizes of 1 in front."""
    return tuple(dropwhile(lambda size: size == 1, shape))
