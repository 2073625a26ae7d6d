"""Gradients of normalisations of parts of each sample. Statistics are taken of x again: none are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    NUMBER,
    agreed,
    agreed_shape,
    axis_of,
    integer,
    need_float,
    need_same_dtype,
    number,
)
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.blocked_kernels import mean as mean_of
from lastuse.dialect.dnn.blocked_kernels import slabs
from lastuse.dialect.dnn.normalization import standardise
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Contract, InPlace


@irdl_op_definition
class GroupNormGradOp(KernelOnlyBase):
    """The gradient of `dnn.group_norm`: of x, of the scale and of the bias. In place over x or dy.

    Operands: x [N, C, …], scale [C], dy of x's shape. Results: dx, and dscale and dbias [C]. `num_groups`: divides C;
    as many as C are those of `dnn.instance_norm`. `epsilon`: default 1e-5. All of one floating-point type.
    """

    name = "dnn.group_norm_grad"
    EXAMPLE: ClassVar = (
        "{num_groups = 2 : i64} : (tensor<3x4x5xf32>, tensor<4xf32>, tensor<3x4x5xf32>) "
        "-> (tensor<3x4x5xf32>, tensor<4xf32>, tensor<4xf32>)"
    )
    x = operand_def(TensorType)
    scale = operand_def(TensorType)
    dy = operand_def(TensorType)
    dx = result_def(TensorType)
    dscale = result_def(TensorType)
    dbias = result_def(TensorType)
    num_groups = attr_def(INTEGER)
    epsilon = opt_attr_def(NUMBER)

    def storage(self) -> Contract:
        return Contract((InPlace(0, 2), InPlace(0, 0)))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, scale, dy = operands
        need_float(x)
        need_same_dtype(*operands)
        shape = agreed_shape("x and dy", x.shape, dy.shape)
        if len(shape) < 2 or len(scale.shape) != 1:
            raise ValueError(f"x has 2 axes or more and scale one, not {len(shape)} and {len(scale.shape)}")
        channels, groups = agreed(shape[1], scale.shape[0], "channels of x and scale"), integer(self.num_groups, 1)
        if groups < 1 or isinstance(channels, int) and channels % groups:
            raise ValueError(f"{channels} channels are not {groups} groups")
        row = TensorInfo((channels,), x.dtype)
        return TensorInfo(shape, x.dtype), row, row

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, scale, dy), (dx, dscale, dbias) = operands, results
        totals = np.zeros_like(scale), np.zeros_like(scale)
        if x.size:
            groups = integer(self.num_groups, 1)
            split = (groups, x.shape[1] // groups)
            source, given, target = (a.reshape(a.shape[0], *split, *a.shape[2:]) for a in (x, dy, dx))
            scales, *sums = (a.reshape(*split, *(1,) * (x.ndim - 2)) for a in (scale, *totals))
            axes, inner = tuple(range(2, source.ndim)), (0, *range(3, source.ndim))
            epsilon = x.dtype.type(number(self.epsilon, 1e-5))
            with np.errstate(all="ignore"):
                for slab in slabs(source.shape, axes):
                    standard = np.empty_like(source[slab])
                    _, inverse = standardise(source[slab], standard, axes, epsilon)
                    part = given[slab]
                    for total, value in zip(sums, (part * standard, part), strict=True):
                        added = np.add.reduce(value, inner, dtype=x.dtype, keepdims=True)
                        total[slab[1]] += added[0]
                    _write_gradient(part * scales[slab[1]], standard, inverse, axes, target[slab])
        np.copyto(dscale, totals[0])
        np.copyto(dbias, totals[1])


@irdl_op_definition
class RmsNormGradOp(KernelOnlyBase):
    """The gradient of `dnn.rms_norm`: of x and of the scale. In place over x or dy.

    Operands: x, the scale with the sizes of the axes from `axis` on, dy of x's shape. Results: dx, and dscale of the
    scale's shape. `axis`: default -1, `epsilon`: default 1e-5. All of one floating-point type.
    """

    name = "dnn.rms_norm_grad"
    EXAMPLE: ClassVar = ": (tensor<4x3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)"
    x = operand_def(TensorType)
    scale = operand_def(TensorType)
    dy = operand_def(TensorType)
    dx = result_def(TensorType)
    dscale = result_def(TensorType)
    axis = opt_attr_def(INTEGER)
    epsilon = opt_attr_def(NUMBER)

    def storage(self) -> Contract:
        return Contract((InPlace(0, 2), InPlace(0, 0)))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, scale, dy = operands
        need_float(x)
        need_same_dtype(*operands)
        shape = agreed_shape("x and dy", x.shape, dy.shape)
        first = axis_of(integer(self.axis, -1), len(shape))
        sizes = agreed_shape("the normalised axes and scale", shape[first:], scale.shape)
        return TensorInfo(shape, x.dtype), TensorInfo(sizes, x.dtype)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, scale, dy), (dx, dscale) = operands, results
        first = axis_of(integer(self.axis, -1), x.ndim)
        axes, rows = tuple(range(first, x.ndim)), tuple(range(first))
        epsilon, total = x.dtype.type(number(self.epsilon, 1e-5)), np.zeros_like(scale)
        with np.errstate(all="ignore"):
            for slab in slabs(x.shape, axes):
                inverse = 1 / np.sqrt(mean_of(np.square(x[slab]), axes, keepdims=True) + epsilon)
                standard, part = x[slab] * inverse, dy[slab]
                total += np.add.reduce(part * standard, rows, dtype=x.dtype)
                _write_gradient(part * scale, standard, inverse, axes, dx[slab], centred=False)
        np.copyto(dscale, total)


def _write_gradient(
    scaled: Array, standard: Array, inverse: Array, axes: tuple[int, ...], dx: Array, centred: bool = True
) -> None:
    """Writes the gradient of x where that of its standardised form is `scaled`. Overwrites both.

    Args:
        standard, inverse: the standardised form, and the inverse deviations.
        centred: the mean is taken off x.
    """
    np.multiply(standard, mean_of(scaled * standard, axes, keepdims=True), out=standard)
    if centred:
        np.add(standard, mean_of(scaled, axes, keepdims=True), out=standard)
    np.subtract(scaled, standard, out=scaled)
    np.multiply(scaled, inverse, out=dx)
