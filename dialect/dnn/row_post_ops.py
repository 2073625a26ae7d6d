"""Post-ops of the runtime's own kernels (runtime/cpp/kernels/row_post_ops.hpp)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import dropwhile

from xdsl.ir import SSAValue
from xdsl.irdl import opt_attr_def

from lastuse.dialect.dnn.attributes import INTEGER, integer
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.post_ops import PostOpsBase, adds
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.post_ops import SUM, PostOp
from lastuse.dialect.storage.contract import Contract, Engine

PLAIN_FUNCTIONS = (SUM, "relu", "clip", "linear", "hardswish")
"""Those without exponentials, as oneDNN names them, in the order of the runtime's."""
ROW_FUNCTIONS = (*PLAIN_FUNCTIONS, "logistic", "swish", "tanh", "gelu_erf", "gelu_tanh")
"""All of them, in the order of the runtime's."""
MOST_ROW_POST_OPS = 16
"""Post-ops that a kernel takes, at most."""


def row_post_ops(op: PostOpsBase, skipped: int = 0, functions: Sequence[str] = ROW_FUNCTIONS) -> list[PostOp] | None:
    """The post-ops of an op but for the first `skipped` ones, where a kernel with these functions takes them: a sum is
    the first of them."""
    stages = op.stages()[skipped:]
    post_ops = _post_ops([PostOp(SUM) if stage.is_sum else stage.op.post_op() for stage in stages], functions)
    return post_ops if post_ops is not None and all(post_op.kind != SUM for post_op in post_ops[1:]) else None


def row_terms(op: PostOpsBase) -> list[PostOp] | None:
    """The post-ops of an op, where a kernel takes them that adds operands that broadcast: each is a sum, before
    functions with exponentials."""
    stages = op.stages()
    post_ops = _post_ops([PostOp(SUM) if adds(stage.op) else stage.op.post_op() for stage in stages], ROW_FUNCTIONS)
    if post_ops is None or any(stage.is_sum for stage in stages[1:]):
        return None
    behind = dropwhile(lambda post_op: _function(post_op) in PLAIN_FUNCTIONS, post_ops)
    return post_ops if all(post_op.kind != SUM for post_op in behind) else None


def _post_ops(made: Sequence[PostOp | None], functions: Sequence[str]) -> list[PostOp] | None:
    post_ops = [post_op for post_op in made if post_op is not None and _function(post_op) in functions]
    return post_ops if len(post_ops) == len(made) <= MOST_ROW_POST_OPS else None


def row_post_op_numbers(post_ops: Sequence[PostOp]) -> list[float]:
    """What a kernel is told of each: the function, alpha and beta."""
    rows = ((ROW_FUNCTIONS.index(_function(post_op)), post_op.alpha, post_op.beta) for post_op in post_ops)
    return [number for row in rows for number in row]


def _function(post_op: PostOp) -> str:
    """The name of a post-op among `ROW_FUNCTIONS`; that of a function of two operands is none of them."""
    return post_op.alg if post_op.kind == "eltwise" else post_op.kind


class RowPostOpsBase(PostOpsBase, NativeBase):
    """An op that a kernel of the runtime alone computes, with a bias behind operands 0 and 1 where `has_bias` says so,
    and these post-ops. Its channels are last."""

    has_bias = opt_attr_def(INTEGER)

    def own_storage(self) -> Contract:
        return Contract(engines=self.kernel_engines())

    @property
    def channel_axis(self) -> int:
        return len(self.result_type().shape) - 1

    def takes_native(self) -> bool:
        return row_post_ops(self) is not None

    def takes_post_ops(self, engine: Engine | None) -> bool:
        return engine is Engine.NATIVE and self.takes_native()

    def own_primitive(self, post_ops: tuple[PostOp, ...]) -> Primitive | None:
        return None

    def scaled_channels(
        self, factor: Array, shift: Array, constant: Callable[[SSAValue], Array | None]
    ) -> Mapping[int, Array] | None:
        return None

    def bias_count(self) -> int:
        """How many biases there are."""
        return int(bool(integer(self.has_bias, 0)))

    def need_operand_count(self, count: int) -> None:
        """Raises ValueError unless so many operands do not belong to post-ops."""
        if count != 2 + self.bias_count():
            raise ValueError(f"there are {count} operands besides those of post-ops, not {2 + self.bias_count()}")
