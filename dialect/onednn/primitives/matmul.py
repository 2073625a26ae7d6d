"""oneDNN's matmul, with a bias or a sum post-op."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import BoolAttr, FloatAttr
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.memory import Operand, locate
from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, f32_attribute, is_constant, number_of
from lastuse.dialect.onednn.primitives.post_ops import (
    SUM,
    PostOp,
    PostOpStepBase,
    copy_summed,
    operands_of,
    post_ops_attribute,
)
from lastuse.dialect.onednn.step import OverlapRules
from lastuse.dialect.storage.layout import expanded, permuted

MAX_SIZE = (1 << 31) - 1
"""The most rows, columns, summed elements or matrices of a product. oneDNN 3.2 keeps these in 32 bits when it looks for
an implementation, and divides by zero where they overflow."""


@irdl_op_definition
class OneDnnMatmulOp(PostOpStepBase):
    """dst = alpha * (src @ weights + bias) + beta * dst, then the post-ops.

    ins: src […, M, K]; weights [K, N] or […, K, N], plain or packed; if `bias`, what broadcasts to dst; if `beta` is
    given, dst itself, and then in place over it (oneDNN's sum post-op); operands of post-ops. Nothing else may overlap
    dst.
    """

    name = "onednn.matmul"
    alpha = opt_attr_def(FloatAttr)
    beta = opt_attr_def(FloatAttr)
    bias = opt_attr_def(BoolAttr)

    @property
    def has_bias(self) -> bool:
        return self.bias is not None and bool(self.bias.value.data)

    @property
    def parameters(self) -> tuple[float, float]:
        """alpha (1 where not given) and beta (0 where not given)."""
        return number_of(self.alpha, 1.0), number_of(self.beta, 0.0)

    def multiplications(self) -> int:
        return prod(self.out_memories[0].shape) * self.in_memories[0].shape[-1]

    def rules(self) -> OverlapRules:
        added = set() if self.beta is None else {(0, self.own_count - 1)}
        return OverlapRules(over=super().rules().over | added)

    def passed(self) -> list[int]:
        return [k for k in super().passed() if self.beta is None or k != self.own_count - 1]

    def verify_primitive(self) -> None:
        (dst,) = self.out_memories
        self.verify_post_ops(dst)
        self.expect(2 + self.has_bias + (self.beta is not None) + len(self.ins) - self.own_count, 1)
        if self.beta is not None and any(post_op.kind == SUM for post_op in self.stated_post_ops):
            raise VerifyException("beta and a sum both add what is in dst")
        src, weights, *rest = self.in_memories[: self.own_count]
        rank = len(dst.shape)
        fits = (
            rank >= 2
            and len(src.shape) == len(weights.shape) == rank
            and src.shape[-2:] == (dst.shape[-2], weights.shape[-2])
            and weights.shape[-1] == dst.shape[-1]
            and all(
                s in (1, d) and w in (1, d)
                for s, w, d in zip(src.shape[:-2], weights.shape[:-2], dst.shape[:-2], strict=True)
            )
        )
        if not fits or not src.dtype == weights.dtype == dst.dtype:
            raise VerifyException(f"no matmul makes {dst} of {src} and {weights}")
        if self.has_bias:
            shape = rest[0].shape
            if len(shape) != rank or any(b not in (1, d) for b, d in zip(shape, dst.shape, strict=True)):
                raise VerifyException(f"the bias {rest[0]} does not broadcast to {dst}")
        if self.beta is not None:
            self.expect_same(rest[-1], dst)
            if not locate(self.ins[self.own_count - 1]).is_at(locate(self.outs[0])):
                raise VerifyException("beta adds what is in dst: the last in must be dst itself")


@dataclass(frozen=True)
class MatmulPrimitive(Primitive):
    """dst = src @ weights with leading batch axes; a third operand, if any, is added (bias, broadcast).

    `transpose_src`, `transpose_weights`: the last two axes of that operand are exchanged. `alpha`, `beta`: ONNX Gemm's.
    `post_ops`: what is then done to each element, in this order; their operands are the last ones. `orders`: axis i of
    src, of weights, as they are read before that, is axis `orders[k][i]` of the operand; axis i of the result is axis
    `orders[2][i]` of the product, which then has no post-ops. Empty: all are as they are.
    """

    transpose_src: bool = False
    transpose_weights: bool = False
    alpha: float = 1.0
    beta: float = 1.0
    post_ops: tuple[PostOp, ...] = ()
    orders: tuple[tuple[int, ...], ...] = ()

    def emit(self, steps: StepBuilder) -> bool:
        own = len(steps.ins) - operands_of(self.post_ops)
        a, b, *added = steps.ins[:own]
        (dst,) = steps.outs
        if self.orders:
            src, weights, made = self.orders
            a, b = _in_order(a, src), _in_order(b, weights)
            dst = _in_order(dst, [made.index(axis) for axis in range(len(made))])
        if self.post_ops and (len(a.shape) < 2 or len(b.shape) < 2):
            return False
        # A vector is a matrix of one row (left) or one column (right), which the result then lacks.
        if len(b.shape) == 1:
            b, dst = _with_axis(b, 1), _with_axis(dst, len(dst.shape))
        if len(a.shape) == 1:
            a, dst = _with_axis(a, 0), _with_axis(dst, len(dst.shape) - 1)
        a = _transposed(a) if self.transpose_src else a
        b = _transposed(b) if self.transpose_weights else b
        taking = [post_op.kind for post_op in self.post_ops if post_op.takes_operand]
        further = [dst if kind == SUM else v for kind, v in zip(taking, steps.ins[own:], strict=True)]
        rank = max(len(v.shape) for v in (a, b, dst, *added))
        a, b, dst, *rest = (v.padded(rank) for v in (a, b, dst, *added, *further))
        rows = rest[: len(added)]
        if rank > 2 and all(d == 1 for v in (b, *rows) for d in (v.shape[:-2] if v is b else v.shape[:-1])):
            a, b, dst, *rest = _flattened(a, b, dst, rest)
        added, further = rest[: len(added)], rest[len(added) :]
        if any(size > MAX_SIZE for v in (a, b, dst) for size in v.shape):
            return False
        attributes: dict[str, Attribute] = {}
        ins = [a, b]
        if added:
            (c,) = added
            if c.shape != dst.shape and self.alpha == self.beta:
                ins.append(c)  # never in place, so free to go another way
                attributes["bias"] = BoolAttr.from_bool(True)
            else:
                layout = expanded(dst.shape)(c.layout)
                assert layout is not None
                steps.copy(own - 1, c.at(layout), dst)
                ins.append(dst)
                attributes["beta"] = f32_attribute(self.beta)
        if self.alpha != 1.0:
            attributes["alpha"] = f32_attribute(self.alpha)
        attributes |= post_ops_attribute(self.post_ops)
        copy_summed(steps, self.post_ops)
        ins += further
        steps.step(OneDnnMatmulOp, ins, [dst], attributes, {1} if is_constant(b) and len(b.shape) == 2 else ())
        return True


def _in_order(operand: Operand, order: Sequence[int]) -> Operand:
    """Axis i is axis `order[i]` of the operand."""
    layout = permuted(order)(operand.layout)
    assert layout is not None
    return operand.at(layout)


def _flattened(a: Operand, b: Operand, dst: Operand, added: Sequence[Operand]) -> list[Operand]:
    """Batches of one weight matrix as one tall matrix, where the layouts allow it; else the operands as they are."""
    operands = [a, b, dst, *added]
    tall = [_tall(v) for v in (a, dst)]
    # A row for all batches stays one; what has the sizes of dst becomes tall with it.
    rest = [_tall(v) if v.shape == dst.shape else v.reshaped(v.shape[-2:]) for v in added if _flattens(v, dst)]
    flat = [v for v in (tall[0], b.reshaped(b.shape[-2:]), tall[1], *rest) if v is not None]
    return flat if len(flat) == len(operands) else operands


def _tall(operand: Operand) -> Operand | None:
    """All rows of all batches below each other."""
    return operand.reshaped((operand.layout.elements // operand.shape[-1], operand.shape[-1]))


def _flattens(operand: Operand, dst: Operand) -> bool:
    return operand.shape == dst.shape or all(size == 1 for size in operand.shape[:-1])


def _with_axis(operand: Operand, axis: int) -> Operand:
    """With an axis of one element before `axis`."""
    layout = operand.layout
    sizes = (*layout.sizes[:axis], 1, *layout.sizes[axis:])
    strides = (*layout.strides[:axis], layout.item, *layout.strides[axis:])
    return operand.at(layout._replace(sizes=sizes, strides=strides))


def _transposed(operand: Operand) -> Operand:
    """With the last two axes exchanged."""
    (*sizes, rows, columns), (*strides, down, along) = operand.layout.sizes, operand.layout.strides
    layout = operand.layout._replace(sizes=(*sizes, columns, rows), strides=(*strides, along, down))
    return operand.at(layout)
