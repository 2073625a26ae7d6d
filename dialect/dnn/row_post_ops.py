"""Post-ops of the runtime's own kernels (runtime/cpp/kernels/row_post_ops.hpp)."""

from __future__ import annotations

from collections.abc import Sequence

from lastuse.dialect.dnn.post_ops import PostOpsBase
from lastuse.dialect.onednn.primitives.post_ops import SUM, PostOp

PLAIN_FUNCTIONS = (SUM, "relu", "clip", "linear", "hardswish")
"""Those without exponentials, as oneDNN names them, in the order of the runtime's."""
ROW_FUNCTIONS = (*PLAIN_FUNCTIONS, "logistic", "swish", "tanh", "gelu_erf", "gelu_tanh")
"""All of them, in the order of the runtime's."""
MOST_ROW_POST_OPS = 16
"""Post-ops that a kernel takes, at most."""


def row_post_ops(op: PostOpsBase, skipped: int = 0, functions: Sequence[str] = ROW_FUNCTIONS) -> list[PostOp] | None:
    """The post-ops of an op but for the first `skipped` ones, where a kernel with these functions takes them: a sum is
    the first of them."""
    made = [PostOp(SUM) if stage.is_sum else stage.op.post_op() for stage in op.stages()[skipped:]]
    post_ops = [post_op for post_op in made if post_op is not None and _function(post_op) in functions]
    fits = len(post_ops) == len(made) <= MOST_ROW_POST_OPS
    return post_ops if fits and all(post_op.kind != SUM for post_op in post_ops[1:]) else None


def row_post_op_numbers(post_ops: Sequence[PostOp]) -> list[float]:
    """What a kernel is told of each: the function, alpha and beta."""
    rows = ((ROW_FUNCTIONS.index(_function(post_op)), post_op.alpha, post_op.beta) for post_op in post_ops)
    return [number for row in rows for number in row]


def _function(post_op: PostOp) -> str:
    """The name of a post-op among `ROW_FUNCTIONS`; that of a function of two operands is none of them."""
    return post_op.alg if post_op.kind == "eltwise" else post_op.kind
