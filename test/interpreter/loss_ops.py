"""Losses, their gradients, and dropout."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning, as_number, wide
from .ir_values import integer, word
from .rounding import Array, Rounding, is_float


def _distributions(op: Operation, x: Array, labels: Array) -> tuple[Array, Array, int]:
    """For each class of each row, how much it counts; which rows count, with one element for the classes; and what the
    loss is divided by."""
    axis = integer(op, "axis", -1) % x.ndim
    if is_float(labels.dtype):
        kept = np.ones(x.max(axis, keepdims=True).shape)
        weights = wide(labels)
    else:
        places = np.expand_dims(labels, axis)
        numbers = np.arange(x.shape[axis]).reshape([-1 if k == axis else 1 for k in range(x.ndim)])
        kept = np.ones(places.shape)
        if "ignore_index" in op.attributes:
            kept = (places != integer(op, "ignore_index")).astype(np.float64)
        weights = (places == numbers) * kept
    mean = word(op, "reduction", "mean") == "mean"
    return weights, kept, int(kept.sum()) if mean else 1


def _logarithms(x: Array, axis: int) -> Array:
    return wide(x) - np.logaddexp.reduce(wide(x), axis, keepdims=True)


def _loss(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """NaN and infinities in the rows: nothing is promised."""
    x, labels = operands
    axis = integer(op, "axis", -1) % x.ndim
    weights, _, count = _distributions(op, x, labels)
    entropy = op.name == "dnn.softmax_cross_entropy"
    logs = _logarithms(x, axis) if entropy else wide(x)
    size = np.abs(logs) + np.abs(wide(x)) + (np.abs(wide(x)).max(axis, keepdims=True) + 1 if entropy else 0)
    total, far = -(logs * weights).sum(), (size * np.abs(weights)).sum()
    undefined = np.asarray(not np.isfinite(wide(x)).all())
    value = np.asarray(np.divide(total, count))
    return (r.settle(value, x.dtype, np.asarray(np.divide(far, count)), x.shape[axis], undefined),)


def _loss_gradient(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, labels, dy = operands
    axis = integer(op, "axis", -1) % x.ndim
    weights, kept, count = _distributions(op, x, labels)
    share = float(dy) / max(count, 1)
    undefined = np.full(x.shape, not np.isfinite(float(dy)))
    if op.name == "dnn.nll_grad":
        return (r.settle(-weights * share, x.dtype, undefined=undefined),)
    whole = weights.sum(axis, keepdims=True)
    parts = np.exp(_logarithms(x, axis))
    far = np.abs(wide(x)) + np.abs(wide(x)).max(axis, keepdims=True) + 2
    size = abs(share) * kept * (parts * np.abs(weights).sum(axis, keepdims=True) * far + np.abs(weights))
    undefined |= ~np.isfinite(wide(x)).all(axis, keepdims=True)
    return (r.settle(share * kept * (parts * whole - weights), x.dtype, size, x.shape[axis], undefined),)


def _mse(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    a, b = (wide(x) for x in operands)
    count = a.size if word(op, "reduction", "mean") == "mean" else 1
    far = np.square(np.abs(a) + np.abs(b)).sum()
    undefined = np.asarray(not (np.isfinite(a).all() and np.isfinite(b).all()))
    value = np.asarray(np.divide(np.square(a - b).sum(), count))
    return (r.settle(value, operands[0].dtype, np.asarray(np.divide(far, count)), undefined=undefined),)


def _chain(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    """Costs, or the gradients: the probabilities of tags and of pairs of tags, from scores of all prefixes and of all
    suffixes."""
    emission, transition, labels, offsets = (wide(x) if is_float(x.dtype) else x for x in operands[:4])
    dtype, path = operands[0].dtype, labels.reshape(-1)
    start, stop, between = transition[0], transition[1], transition[2:]
    costs, rows = np.zeros((len(offsets) - 1, 1)), np.zeros(emission.shape)
    moves, far = np.zeros(transition.shape), 1.0
    for k, (first, last) in enumerate(pairwise(offsets.tolist())):
        e, tags = emission[first:last], path[first:last]
        if not len(e):
            continue
        front, back = [start + e[0]], [stop]
        for row in e[1:]:
            front.append(np.logaddexp.reduce(front[-1][:, None] + between, 0) + row)
        for row in e[:0:-1]:
            back.insert(0, np.logaddexp.reduce(between + row + back[0], 1))
        whole = np.logaddexp.reduce(front[-1] + stop)
        marks = np.eye(e.shape[1])[tags]
        pairs = marks[:-1].T @ marks[1:]
        costs[k] = whole - (e * marks).sum() - start[tags[0]] - stop[tags[-1]] - (between * pairs).sum()
        far += float(np.abs(e).sum() + np.abs(transition).sum() * len(e))
        if len(operands) > 4:
            steep = float(operands[4][k, 0])
            shares = np.exp(np.array(front) + np.array(back) - whole) - marks
            rows[first:last] = steep * shares
            moves[0] += steep * shares[0]
            moves[1] += steep * shares[-1]
            for a, row, b in zip(front[:-1], e[1:], back[1:], strict=True):
                moves[2:] += steep * np.exp(a[:, None] + between + row + b - whole)
            moves[2:] -= steep * pairs
    finite = all(bool(np.isfinite(wide(x)).all()) for x in operands)
    results = (rows, moves) if len(operands) > 4 else (costs,)
    size = far * (1 + float(np.abs(np.nan_to_num(wide(operands[-1]))).max(initial=0)))
    return [r.settle(x, dtype, np.full(x.shape, size), undefined=np.full(x.shape, not finite)) for x in results]


def _words(block: int, stream: int, counter: int, seed: int) -> list[int]:
    """Four words of Philox 4x32-10 for one block of four elements, in Python's integers."""
    word_of = 2**32
    c = [block % word_of, stream, counter % word_of, counter // word_of % word_of]
    k = [seed % word_of, seed // word_of % word_of]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [b // word_of ^ c[1] ^ k[0], b % word_of, a // word_of ^ c[3] ^ k[1], a % word_of]
        k = [(k[0] + 0x9E3779B9) % word_of, (k[1] + 0xBB67AE85) % word_of]
    return c


def _dropout(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, seed, counter = operands
    rate = as_number(op, "rate", 0, np.dtype(np.float64))
    blocks = [_words(k, integer(op, "stream"), int(counter), int(seed)) for k in range(-(-x.size // 4))]
    drawn = np.array(blocks, np.float64).reshape(-1)[: x.size].reshape(x.shape) / 2**32
    scale = 1 / (1 - rate) if rate < 1 else 0.0
    value = r.settle(wide(x) * scale, x.dtype)
    return (np.where(drawn >= rate, value, np.zeros((), x.dtype)),)


LOSSES: dict[str, Meaning] = {
    "dnn.softmax_cross_entropy": _loss,
    "dnn.nll": _loss,
    "dnn.mse": _mse,
    "dnn.softmax_cross_entropy_grad": _loss_gradient,
    "dnn.nll_grad": _loss_gradient,
    "dnn.dropout": _dropout,
    "dnn.linear_chain_crf": _chain,
    "dnn.linear_chain_crf_grad": _chain,
}
