"""Ops that count what they find, element by element and box by box."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import isnan

import numpy as np
from xdsl.ir import Operation

from .elementwise_ops import Meaning
from .ir_values import integer, result_shape
from .rounding import Array, Rounding


def _leading_rows(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    x, count = operands
    return (x[: int(count)],)


def _filled(op: Operation, rows: Sequence[Sequence[int]]) -> Sequence[Array]:
    """The rows, with zeros behind them, and their number."""
    places = np.zeros(result_shape(op), np.int64)
    for k, row in enumerate(rows):
        places[k] = row
    return places, np.array(len(rows), np.int64)


def _non_zero(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    (x,) = operands
    return _filled(op, [at for at in np.ndindex(*x.shape) if x[at] != 0])


def _edges(box: Array, has_center: bool) -> tuple[tuple[np.float32, np.float32], ...]:
    """Of each axis the lower and the higher edge."""
    a, b, c, d = box
    if has_center:
        half = np.float32(0.5)
        return ((a - c * half, a + c * half), (b - d * half, b + d * half))
    pairs = (a, c), (b, d)
    return tuple((v, u) if u >= v else (u, v) for u, v in pairs)


def _common_part(one: Array, other: Array, has_center: bool) -> np.float32:
    """The area that two boxes have in common, divided by that of both; 0 where a box has none."""
    both, first, second = np.float32(1), np.float32(1), np.float32(1)
    for (low, high), (start, end) in zip(_edges(one, has_center), _edges(other, has_center), strict=True):
        side = min(high, end) - max(low, start)
        if not side > 0:
            return np.float32(0)
        both, first, second = both * side, first * (high - low), second * (end - start)
    either = first + second - both
    return both / either if min(both, first, second, either) > 0 else np.float32(0)


def _non_max_suppression(op: Operation, operands: Sequence[Array], r: Rounding) -> Sequence[Array]:
    boxes, scores, most, overlap, *threshold = operands
    room = min(integer(op, "most", boxes.shape[1]), boxes.shape[1], max(0, int(most.reshape(()))))
    has_center, rows = integer(op, "center_point_box", 0) == 1, list[tuple[int, int, int]]()
    for image, class_ in product(range(scores.shape[0]), range(scores.shape[1])):
        left = [
            (isnan(score), -score, k)
            for k, score in enumerate(scores[image, class_].tolist())
            if not threshold or score > float(threshold[0].reshape(()))
        ]
        kept: list[int] = []
        for *_, k in sorted(left):
            others = [_common_part(boxes[image, k], boxes[image, j], has_center) for j in kept]
            if len(kept) < room and not any(part > overlap.reshape(()) for part in others if part > 0):
                kept.append(k)
        rows += [(image, class_, k) for k in kept]
    return _filled(op, rows)


COUNTING: dict[str, Meaning] = {
    "dnn.leading_rows": _leading_rows,
    "dnn.non_max_suppression": _non_max_suppression,
    "dnn.non_zero": _non_zero,
}
