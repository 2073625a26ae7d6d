"""Determinants of square matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from lastuse.dialect.dnn.attributes import agreed, agreed_shape, need_float, need_same_dtype
from lastuse.dialect.dnn.base import Array, CpuOnlyBase, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import CPU_ONLY, Backward, Contract


def _need_matrices(x: TensorInfo) -> None:
    """Raises ValueError unless x is square matrices of floating-point numbers."""
    need_float(x)
    if len(x.shape) < 2:
        raise ValueError(f"x must have 2 axes or more, not {len(x.shape)}")
    agreed(x.shape[-2], x.shape[-1], "rows and columns of a square matrix")


@irdl_op_definition
class DetOp(OneOperandBase, CpuOnlyBase, KernelOnlyBase, DifferentiableBase):
    """The determinants of square matrices.

    x [..., n, n], y [...]: of one floating-point type. Computed in f64; of a matrix without elements it is 1. ONNX Det.
    """

    name = "dnn.det"
    EXAMPLE: ClassVar = ": (tensor<2x3x3xf32>) -> tensor<2xf32>"

    def storage(self) -> Contract:
        return Contract(strided=True, backward=Backward(operands=frozenset({0})), engines=CPU_ONLY)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        (x,) = operands
        _need_matrices(x)
        return (TensorInfo(x.shape[:-2], x.dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        with np.errstate(all="ignore"):
            for index in np.ndindex(y.shape):
                y[index] = np.linalg.det(np.ascontiguousarray(x[index], np.float64))

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit("det_grad", self.x, dy),)


@irdl_op_definition
class DetGradOp(CpuOnlyBase, KernelOnlyBase):
    """dy times the cofactors of x: the gradient of det.

    x, dx [..., n, n], dy [...]: of one floating-point type. Computed in f64 from singular values, so that a matrix
    without an inverse has a gradient too: with x = U diag(s) V, the cofactors are det(U) det(V) U diag(c) V, c_i the
    product of all s but s_i. A matrix with an element that is not finite has NaN.
    """

    name = "dnn.det_grad"
    EXAMPLE: ClassVar = ": (tensor<2x3x3xf32>, tensor<2xf32>) -> tensor<2x3x3xf32>"
    x = operand_def(TensorType)
    dy = operand_def(TensorType)
    dx = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract(strided=True, engines=CPU_ONLY)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, dy = operands
        _need_matrices(x)
        need_same_dtype(x, dy)
        agreed_shape("matrices and the gradients of their determinants", x.shape[:-2], dy.shape)
        return (x,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, dy), (dx,) = operands, results
        with np.errstate(all="ignore"):
            for index in np.ndindex(dy.shape):
                dx[index] = _cofactors(np.ascontiguousarray(x[index], np.float64)) * np.float64(dy[index])


def _cofactors(matrix: Array) -> Array:
    if not np.isfinite(matrix).all():
        return np.full(matrix.shape, np.nan)
    u, s, v = np.linalg.svd(matrix)
    others = np.array([np.prod(np.delete(s, k)) for k in range(len(s))])
    return np.linalg.det(u) * np.linalg.det(v) * ((u * others) @ v)
