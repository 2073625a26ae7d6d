"""oneDNN's matmul, with a bias or a sum post-op."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import BoolAttr, FloatAttr
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.memory import Operand, locate
from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, f32_attribute, is_constant, number_of
from lastuse.dialect.onednn.step import OverlapRules, PrimitiveBase
from lastuse.dialect.storage.layout import expanded

MAX_SIZE = (1 << 31) - 1
"""The most rows, columns, summed elements or matrices of a product. oneDNN 3.2 keeps these in 32 bits when it looks for
an implementation, and divides by zero where they overflow."""


@irdl_op_definition
class OneDnnMatmulOp(PrimitiveBase):
    """dst = alpha * (src @ weights + bias) + beta * dst.

    ins: src […, M, K]; weights [K, N] or […, K, N], plain or packed; if `bias`, what broadcasts to dst; if `beta` is
    given, dst itself, and then in place over it (oneDNN's sum post-op). Nothing else may overlap dst.
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

    def rules(self) -> OverlapRules:
        return OverlapRules() if self.beta is None else OverlapRules(over=frozenset({(0, len(self.ins) - 1)}))

    def verify_primitive(self) -> None:
        self.expect(2 + self.has_bias + (self.beta is not None), 1)
        src, weights, *rest = self.in_memories
        (dst,) = self.out_memories
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
            if not locate(self.ins[-1]).is_at(locate(self.outs[0])):
                raise VerifyException("beta adds what is in dst: the last in must be dst itself")


@dataclass(frozen=True)
class MatmulPrimitive(Primitive):
    """dst = src @ weights with leading batch axes; a third operand, if any, is added (bias, broadcast).

    `transpose_src`, `transpose_weights`: the last two axes of that operand are exchanged. `alpha`, `beta`: ONNX Gemm's.
    """

    transpose_src: bool = False
    transpose_weights: bool = False
    alpha: float = 1.0
    beta: float = 1.0

    def emit(self, steps: StepBuilder) -> bool:
        a, b, *added = steps.ins
        (dst,) = steps.outs
        # A vector is a matrix of one row (left) or one column (right), which the result then lacks.
        if len(b.shape) == 1:
            b, dst = _with_axis(b, 1), _with_axis(dst, len(dst.shape))
        if len(a.shape) == 1:
            a, dst = _with_axis(a, 0), _with_axis(dst, len(dst.shape) - 1)
        a = _transposed(a) if self.transpose_src else a
        b = _transposed(b) if self.transpose_weights else b
        rank = max(len(v.shape) for v in (a, b, dst, *added))
        a, b, dst, *added = (v.padded(rank) for v in (a, b, dst, *added))
        if rank > 2 and all(d == 1 for v in (b, *added) for d in (v.shape[:-2] if v is b else v.shape[:-1])):
            a, b, dst, *added = _flattened(a, b, dst, added)
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
                steps.copy(len(steps.ins) - 1, c.at(layout), dst)
                ins.append(dst)
                attributes["beta"] = f32_attribute(self.beta)
        if self.alpha != 1.0:
            attributes["alpha"] = f32_attribute(self.alpha)
        steps.step(OneDnnMatmulOp, ins, [dst], attributes, {1} if is_constant(b) and len(b.shape) == 2 else ())
        return True


def _flattened(a: Operand, b: Operand, dst: Operand, added: Sequence[Operand]) -> list[Operand]:
    """Batches of one weight matrix as one tall matrix, where the layouts allow it; else the operands as they are."""
    operands = [a, b, dst, *added]
    tall = [v.reshaped((v.layout.elements // v.shape[-1], v.shape[-1])) for v in (a, dst)]
    one = [v.reshaped(v.shape[-2:]) for v in (b, *added)]
    flat = [v for v in (tall[0], one[0], tall[1], *one[1:]) if v is not None]
    return flat if len(flat) == len(operands) else operands


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
