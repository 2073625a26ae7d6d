"""Products of small integers whose sums are scaled to f32."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import AttrSizedOperandSegments, irdl_op_definition, operand_def, opt_operand_def, result_def

from lastuse.dialect.dnn.attributes import agreed, by_role
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.integer_products import IntegerMatmulBase, IntegerSumsBase, MatmulIntegerOp
from lastuse.dialect.dnn.quantization import ONE
from lastuse.dialect.dnn.scaled_epilogue import ScaledSumsBase
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, static_shape


@irdl_op_definition
class ScaledMatmulIntegerOp(ScaledSumsBase, IntegerMatmulBase):
    """((a - a_zero_point) @ (b - b_zero_point)) * (a_scale * b_scale) + bias, the product in i32, the rest in f32,
    between `min` and `max`.

    Operands: a and b, each ui8 or i8; a_scale, one number of f32; (optional) b_scale, f32, one number or one for each
    column; the zero points, as of `dnn.matmul_integer`; bias, f32, one for each column. The result is f32. Bounds are
    as of `dnn.clip`. It stands for MatMulInteger, Cast, Mul, Add and Relu or Clip of models that are quantised while
    they run; `--post-op-fusion-pass` makes it.
    """

    name = "dnn.scaled_matmul_integer"
    SUMS: ClassVar = MatmulIntegerOp
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1>} : (tensor<2x3xui8>, tensor<3x4xi8>, tensor<f32>, "
        "tensor<4xf32>, tensor<ui8>, tensor<4xi8>, tensor<4xf32>) -> tensor<2x4xf32>"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=False),)
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    a_scale = operand_def(TensorType)
    b_scale = opt_operand_def(TensorType)
    a_zero_point = opt_operand_def(TensorType)
    b_zero_point = opt_operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    y = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        roles = by_role(self, operands)
        shape, b = self.shape_with_zero_points(roles), self.plain_weights(roles["b"])
        for what in ("a_scale", "b_scale", "bias"):
            if what in roles and roles[what].dtype != "f32":
                raise ValueError(f"{what} must be f32, not {roles[what].dtype}")
        if roles["a_scale"].shape not in ONE:
            raise ValueError("a_scale must be one number")
        for what in ("b_scale", "bias"):
            if what not in roles or roles[what].shape in ONE:
                continue
            if len(roles[what].shape) != 1 or len(b.shape) < 2:
                raise ValueError(f"{what} must have one axis, for matrices")
            agreed(b.shape[-1], roles[what].shape[0], f"{what} and the columns of b")
        return (TensorInfo(shape, "f32"),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        roles = by_role(self, operands)
        with np.errstate(all="ignore"):
            factor = roles["a_scale"] * roles["b_scale"] if "b_scale" in roles else roles["a_scale"]
        added = [np.atleast_2d(roles["bias"])] if "bias" in roles else []
        rows = (np.atleast_2d(factor), *added)
        self.multiply(roles, results[0], rows)

    def finish(self, sums: Array, parameters: Sequence[Array], out: Array) -> None:
        np.copyto(out, self.finished(sums, parameters[0], parameters[1] if len(parameters) > 1 else None))

    @classmethod
    def is_row(cls, shape: Sequence[Dim | None], sums: IntegerSumsBase) -> bool:
        b, shape = static_shape(sums.operands[1].type), tuple(shape)
        return shape in ONE or (len(b) > 1 and shape == b[-1:] and None not in shape)
