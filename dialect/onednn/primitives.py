"""One op for each kind of oneDNN primitive the runtime prepares.

Which operand a result may be written over is what oneDNN 3.2's developer guide documents, and only that.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, FloatAttr, IntegerAttr, StringAttr
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.memory import exact, locate
from lastuse.dialect.onednn.step import DestinationStyleBase, OverFirstBase, OverlapRules, PrimitiveBase

ELTWISE = frozenset(
    {
        "relu",
        "tanh",
        "elu",
        "square",
        "abs",
        "sqrt",
        "swish",
        "linear",
        "soft_relu",
        "hardsigmoid",
        "hardswish",
        "mish",
        "logistic",
        "exp",
        "gelu_tanh",
        "gelu_erf",
        "log",
        "clip",
        "pow",
        "round",
    }
)
"""Algorithms of `onednn.eltwise`, as oneDNN names them."""

BINARY = frozenset({"add", "sub", "mul", "div", "max", "min"})
"""Algorithms of `onednn.binary`."""


def _number(attribute: FloatAttr | None, default: float) -> float:
    return default if attribute is None else attribute.value.data


@irdl_op_definition
class OneDnnEltwiseOp(OverFirstBase):
    """dst = alg(src; alpha, beta), in place too. Both lie alike."""

    name = "onednn.eltwise"
    alg = attr_def(StringAttr)
    alpha = opt_attr_def(FloatAttr)
    beta = opt_attr_def(FloatAttr)
    assembly_format: ClassVar = "$alg " + DestinationStyleBase.FORMAT

    @property
    def parameters(self) -> tuple[float, float]:
        """alpha and beta, 0 where not given."""
        return _number(self.alpha, 0.0), _number(self.beta, 0.0)

    def verify_primitive(self) -> None:
        if self.alg.data not in ELTWISE:
            raise VerifyException(f"eltwise has no algorithm '{self.alg.data}'; it has {', '.join(sorted(ELTWISE))}")
        self.expect(1, 1)
        self.expect_alike(*self.in_memories, *self.out_memories)


@irdl_op_definition
class OneDnnBinaryOp(OverFirstBase):
    """dst = src0 alg src1. All have one rank; a size of 1 in a source is repeated. In place over src0."""

    name = "onednn.binary"
    alg = attr_def(StringAttr)
    assembly_format: ClassVar = "$alg " + DestinationStyleBase.FORMAT

    def verify_primitive(self) -> None:
        if self.alg.data not in BINARY:
            raise VerifyException(f"binary has no algorithm '{self.alg.data}'; it has {', '.join(sorted(BINARY))}")
        self.expect(2, 1)
        (dst,) = self.out_memories
        for src in self.in_memories:
            fits = len(src.shape) == len(dst.shape) and all(
                a in (1, b) for a, b in zip(src.shape, dst.shape, strict=True)
            )
            if not fits or src.dtype != dst.dtype:
                raise VerifyException(f"{src} does not broadcast to {dst}")


@irdl_op_definition
class OneDnnSumOp(OverFirstBase):
    """dst = scales[0] * src0 + scales[1] * src1 + …, in place over src0."""

    name = "onednn.sum"
    scales = attr_def(ArrayAttr[FloatAttr])
    assembly_format: ClassVar = DestinationStyleBase.FORMAT

    def verify_primitive(self) -> None:
        self.expect(None, 1)
        self.expect_same(*self.in_memories, *self.out_memories)
        if len(self.scales.data) != len(self.ins):
            raise VerifyException(f"a sum of {len(self.ins)} sources has {len(self.scales.data)} scales")


@irdl_op_definition
class OneDnnSoftmaxOp(OverFirstBase):
    """dst = softmax(src) along `axis`, or its logarithm; in place too."""

    name = "onednn.softmax"
    axis = attr_def(IntegerAttr)
    log = opt_attr_def(BoolAttr)
    assembly_format: ClassVar = DestinationStyleBase.FORMAT

    def verify_primitive(self) -> None:
        self.expect(1, 1)
        self.expect_same(*self.in_memories, *self.out_memories)
        if not 0 <= self.axis.value.data < len(self.out_memories[0].shape):
            raise VerifyException(f"axis {self.axis.value.data} is none of {self.out_memories[0]}")

    @property
    def is_log(self) -> bool:
        return self.log is not None and bool(self.log.value.data)


@irdl_op_definition
class OneDnnLayerNormOp(OverFirstBase):
    """dst = (src - mean) / sqrt(variance + epsilon) * scale + shift over the last axis.

    ins: src, scale, shift; outs: dst and, if given, mean and variance. dst over src too. All are dense: oneDNN 3.2
    takes rows with gaps and then computes with the wrong bytes.
    """

    name = "onednn.layer_norm"
    epsilon = attr_def(FloatAttr)
    assembly_format: ClassVar = DestinationStyleBase.FORMAT

    def verify_primitive(self) -> None:
        self.expect(3, 3 if len(self.outs) == 3 else 1)
        (src, scale, shift), (dst, *stats) = self.in_memories, self.out_memories
        self.expect_same(src, dst)
        if not src.layout.is_dense or not dst.layout.is_dense:
            raise VerifyException(f"layer normalization wants dense memory, not {src} and {dst}")
        if len(src.shape) < 2:
            raise VerifyException(f"layer normalization wants two dimensions at least, not {src}")
        self.expect_channel(src.shape[-1], scale, shift)
        for stat in stats:
            if stat.shape != src.shape[:-1] or stat.dtype != "f32" or not stat.layout.is_dense:
                raise VerifyException(f"mean and variance of {src} are dense f32 without its last axis, not {stat}")


@irdl_op_definition
class OneDnnBatchNormOp(OverFirstBase):
    """Inference: dst = (src - mean) / sqrt(variance + epsilon) * scale + shift, axis 1 the channel.

    ins: src, scale, shift, mean, variance. In place over src; src and dst lie alike.
    """

    name = "onednn.batch_norm"
    epsilon = attr_def(FloatAttr)
    assembly_format: ClassVar = DestinationStyleBase.FORMAT

    def verify_primitive(self) -> None:
        self.expect(5, 1)
        src, *channels = self.in_memories
        self.expect_alike(src, *self.out_memories)
        if len(src.shape) < 2:
            raise VerifyException(f"batch normalization wants two dimensions at least, not {src}")
        self.expect_channel(src.shape[1], *channels)


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
    assembly_format: ClassVar = DestinationStyleBase.FORMAT

    @property
    def has_bias(self) -> bool:
        return self.bias is not None and bool(self.bias.value.data)

    @property
    def parameters(self) -> tuple[float, float]:
        """alpha (1 where not given) and beta (0 where not given)."""
        return _number(self.alpha, 1.0), _number(self.beta, 0.0)

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
            if not exact(locate(self.ins[-1]), locate(self.outs[0])):
                raise VerifyException("beta adds what is in dst: the last in must be dst itself")


@irdl_op_definition
class OneDnnReorderOp(PrimitiveBase):
    """dst = src in another element type or layout; never in place."""

    name = "onednn.reorder"
    assembly_format: ClassVar = DestinationStyleBase.FORMAT

    def verify_primitive(self) -> None:
        self.expect(1, 1)
        self.expect_same(*self.in_memories, *self.out_memories, dtype=False)
