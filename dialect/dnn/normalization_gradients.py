"""Gradients of normalisations: of x, of the scale and of the bias, from x and the statistics that were taken of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import BoolAttr, TensorType
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    NUMBER,
    agreed,
    agreed_shape,
    all_f32,
    axis_of,
    engines,
    flag,
    integer,
    need_float,
    need_same_dtype,
    number,
)
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, TransposedForm
from lastuse.dialect.dnn.blocked_kernels import blocks, slabs
from lastuse.dialect.dnn.blocked_kernels import mean as mean_of
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.batch_norm_training import BatchNormBackwardPrimitive
from lastuse.dialect.onednn.primitives.layer_norm_backward import LayerNormBackwardPrimitive
from lastuse.dialect.storage.contract import ANY_ENGINE, CPU_ONLY, Contract, Engine, InPlace, engine_of

OWN = frozenset({Engine.CPU, Engine.NATIVE})
"""Kernels of our own."""


class NormGradBase(KernelOnlyBase):
    """dx, dscale and dbias from x, the scale, the statistics and dy.

    In place over dy, where oneDNN documents it; on the cpu engine over x as well.
    """

    x = operand_def(TensorType)
    scale = operand_def(TensorType)
    mean = operand_def(TensorType)
    variance = operand_def(TensorType)
    dy = operand_def(TensorType)
    dx = result_def(TensorType)
    dscale = result_def(TensorType)
    dbias = result_def(TensorType)
    epsilon = opt_attr_def(NUMBER)

    def storage(self) -> Contract:
        return Contract((InPlace(0, 4), InPlace(0, 0, engines=CPU_ONLY)), engines=engines(self))

    def epsilon_of(self) -> float:
        """What the variance is made larger by."""
        return float(number(self.epsilon, 1e-5))


@irdl_op_definition
class BatchNormGradOp(NormGradBase):
    """The gradient of `dnn.batch_norm`: of x, of the scale and of the bias.

    Operands: x [N, C, …], or with `channels_last` [N, …, C]; then scale, mean and variance, each [C], and dy of x's
    shape. Results: dx, and dscale and dbias [C]. The mean and the variance are those of x, unless `fixed`: then they
    are numbers that do not depend on x. `epsilon`: default 1e-5. All of one floating-point type.
    """

    name = "dnn.batch_norm_grad"
    EXAMPLE: ClassVar = (
        ": (tensor<4x3x5xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3x5xf32>) "
        "-> (tensor<4x3x5xf32>, tensor<3xf32>, tensor<3xf32>)"
    )
    channels_last = opt_attr_def(BoolAttr)
    fixed = opt_attr_def(BoolAttr)

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        """As of `dnn.batch_norm`."""
        if len(perm) < 3 or flag(self.channels_last) or (perm[0], perm[-1]) != (0, 1):
            return None
        return TransposedForm({**self.attributes, "channels_last": BoolAttr.from_bool(True)}, frozenset({0, 4}))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, *rows, dy = operands
        need_float(x)
        need_same_dtype(*operands)
        shape = agreed_shape("x and dy", x.shape, dy.shape)
        if len(shape) < 2:
            raise ValueError(f"x must have 2 axes or more, not {len(shape)}")
        channels = shape[-1 if flag(self.channels_last) else 1]
        for row, what in zip(rows, ("scale", "mean", "variance"), strict=True):
            if len(row.shape) != 1:
                raise ValueError(f"{what} must have one axis, not {len(row.shape)}")
            channels = agreed(channels, row.shape[0], f"channels of x and {what}")
        row = TensorInfo((channels,), x.dtype)
        return TensorInfo(shape, x.dtype), row, row

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        last = flag(self.channels_last)
        x, dy, dx = (np.moveaxis(a, -1, 1) if last else a for a in (operands[0], operands[4], results[0]))
        column = (None, slice(None), *(None for _ in range(x.ndim - 2)))
        scale, mean, variance = (operand[column] for operand in operands[1:4])
        axes = tuple(axis for axis in range(x.ndim) if axis != 1)
        with np.errstate(all="ignore"):
            inverse = 1 / np.sqrt(variance + x.dtype.type(self.epsilon_of()))
            dscale, dbias = np.zeros_like(mean), np.zeros_like(mean)
            for part, target in blocks(x.shape, axes):
                standard = (x[part] - mean[target]) * inverse[target]
                dbias[target] += np.add.reduce(dy[part], axes, dtype=x.dtype, keepdims=True)
                dscale[target] += np.add.reduce(dy[part] * standard, axes, dtype=x.dtype, keepdims=True)
            count = x.dtype.type(x.size // max(x.shape[1], 1))
            for part, target in blocks(x.shape, axes):
                value = dy[part]
                if not flag(self.fixed):
                    standard = (x[part] - mean[target]) * inverse[target]
                    value = value - (dbias[target] + standard * dscale[target]) / count
                np.multiply(value, (scale * inverse)[target], out=dx[part])
        for out, value in zip(results[1:], (dscale, dbias), strict=True):
            np.copyto(out, value.reshape(-1))

    def storage(self) -> Contract:
        if not all_f32(self):
            return super().storage()
        return Contract((InPlace(0, 4), InPlace(0, 0, engines=OWN)), engines=ANY_ENGINE)

    def engine(self) -> Engine | None:
        """Our own kernel, which sums a channel in f64: oneDNN does so in f32, and is slower."""
        return Engine.NATIVE if all_f32(self) else super().engine()

    def native_kernel(self) -> str | None:
        return "batch_norm_grad" if all_f32(self) else None

    def native_numbers(self) -> Sequence[float]:
        return [self.epsilon_of(), flag(self.fixed), flag(self.channels_last)]

    def primitive(self) -> Primitive | None:
        if not all_f32(self) or engine_of(self) is not Engine.ONEDNN:
            return None
        return BatchNormBackwardPrimitive(self.epsilon_of(), flag(self.fixed), flag(self.channels_last))


@irdl_op_definition
class LayerNormGradOp(NormGradBase):
    """The gradient of `dnn.layer_norm`: of x, of the scale and of the bias.

    Operands: x; the scale with the sizes of the axes from `axis` on; the means and the variances of x, with size 1 on
    those axes; dy of x's shape. Results: dx, and dscale and dbias of the scale's shape. `axis`: default -1, `epsilon`:
    default 1e-5. All of one floating-point type.
    """

    name = "dnn.layer_norm_grad"
    EXAMPLE: ClassVar = (
        ": (tensor<4x3xf32>, tensor<3xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x3xf32>) "
        "-> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)"
    )
    axis = opt_attr_def(INTEGER)

    def normalised_axes(self, rank: int) -> tuple[int, ...]:
        """The axes that are normalised."""
        return tuple(range(axis_of(integer(self.axis, -1), rank), rank))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, scale, mean, variance, dy = operands
        need_float(x)
        need_same_dtype(*operands)
        shape = agreed_shape("x and dy", x.shape, dy.shape)
        axes = self.normalised_axes(len(shape))
        sizes = agreed_shape("the normalised axes and scale", tuple(shape[axis] for axis in axes), scale.shape)
        row: tuple[Dim | None, ...] = tuple(1 if a in axes else d for a, d in enumerate(shape))
        for statistic, what in ((mean, "the means"), (variance, "the variances")):
            agreed_shape(f"the rows of x and {what}", row, statistic.shape)
        of_scale = TensorInfo(sizes, x.dtype)
        return TensorInfo(shape, x.dtype), of_scale, of_scale

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x, scale, mean, variance, dy = operands
        dx, dscale, dbias = results
        axes = self.normalised_axes(x.ndim)
        rows = tuple(range(axes[0]))
        scales, totals = scale.copy(), (np.zeros_like(scale), np.zeros_like(scale))
        with np.errstate(all="ignore"):
            for slab in slabs(x.shape, axes):
                inverse = 1 / np.sqrt(variance[slab] + x.dtype.type(self.epsilon_of()))
                standard = (x[slab] - mean[slab]) * inverse
                part = dy[slab]
                for total, value in zip(totals, (part * standard, part), strict=True):
                    total += np.add.reduce(value, rows, dtype=x.dtype)
                scaled = part * scales
                both = mean_of(scaled, axes, keepdims=True) + standard * mean_of(scaled * standard, axes, keepdims=True)
                np.multiply(scaled - both, inverse, out=dx[slab])
        np.copyto(dscale, totals[0])
        np.copyto(dbias, totals[1])

    def primitive(self) -> Primitive | None:
        rank = len(self.operand_type().shape)
        last = self.normalised_axes(rank) == (rank - 1,)
        return LayerNormBackwardPrimitive(self.epsilon_of()) if last and all_f32(self) else None
