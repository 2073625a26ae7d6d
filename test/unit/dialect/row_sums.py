"""Kernels of sums that post-ops follow: how far their sums are off, and whether post-ops are functions of the sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import erf, sqrt
from typing import Any

import numpy as np
from native_kernels import computed_by, native_kernel, scratch_of
from op_cases import build

from lastuse.dialect.storage.contract import InPlace, contract_of

Array = np.ndarray[Any, np.dtype[Any]]


def sigmoid(v: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-v)))


PLAIN_POST_OPS: dict[str, Callable[[Array], Array]] = {
    '{op = "dnn.relu"}': lambda v: np.maximum(v, 0),
    '{op = "dnn.leaky_relu", alpha = 0.25 : f32}': lambda v: np.where(v > 0, v, 0.25 * v),
    '{op = "dnn.clip", min = -0.5 : f32, max = 1.5 : f32}': lambda v: np.clip(v, -0.5, 1.5),
    '{op = "dnn.scale", scale = 3.0 : f32, bias = -1.0 : f32}': lambda v: 3 * v - 1,
    '{op = "dnn.hard_swish"}': lambda v: v * np.clip(v / 6 + 0.5, 0, 1),
}
"""Functions that take no exponential, by their text."""
POST_OPS: dict[str, Callable[[Array], Array]] = {
    **PLAIN_POST_OPS,
    '{op = "dnn.sigmoid"}': sigmoid,
    '{op = "dnn.silu"}': lambda v: v * sigmoid(v),
    '{op = "dnn.tanh"}': np.tanh,
    '{op = "dnn.gelu"}': lambda v: v * (1 + np.vectorize(erf)(v / sqrt(2))) / 2,
    '{op = "dnn.gelu", approximate = "tanh"}': lambda v: v * (1 + np.tanh(sqrt(2 / np.pi) * (v + 0.044715 * v**3))) / 2,
}
LEAST = 0.125


def stages(name: str, sums: bool) -> str:
    """Post-ops as text: perhaps a residual, a function, and `LEAST` at least."""
    at_least = f'{{op = "dnn.clip", min = {LEAST} : f32, max = 9.0e9 : f32}}'
    return ", ".join(['{op = "dnn.add", sum}'] * sums + [name, at_least])


def error_of(line: str, operands: Sequence[Array], want: Array) -> float:
    """The largest difference of an op's kernel from the sums, of the largest sum, whatever the threads."""
    made = [computed_by(line, operands, want.shape, threads) for threads in (1, 3)]
    assert made[0].tobytes() == made[1].tobytes()
    return float(np.max(np.abs(made[0] - want), initial=0) / np.max(np.abs(want), initial=1))


def check_post_op(
    name: str,
    sums: bool,
    line: Callable[[str, int], str],
    operands: Sequence[Array],
    want: Array,
    tolerance: float = 1e-5,
) -> None:
    """The function `name` of the sums `want`, and of those with a residual, over which the kernel may write.

    Args:
        line: the op with these post-ops, and so many operands of them, as text.
    """
    added = np.random.default_rng(8).standard_normal(want.shape).astype(np.float32)
    want = np.maximum(POST_OPS[name](want + (added if sums else 0)), LEAST)
    text = line(stages(name, sums), int(sums))
    operands = [*operands, *([added] if sums else [])]
    np.testing.assert_allclose(computed_by(text, operands, want.shape), want, rtol=1e-5, atol=tolerance)
    if sums:
        op = build(text)
        assert InPlace(0, len(op.operands) - 1) in contract_of(op).over
        native_kernel(op, 2)(operands, [added], scratch_of(op, 2))
        np.testing.assert_allclose(added, want, rtol=1e-5, atol=tolerance)
