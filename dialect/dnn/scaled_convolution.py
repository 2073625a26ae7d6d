"""Convolutions of bytes whose sums are scaled to f32."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import AttrSizedOperandSegments, irdl_op_definition, operand_def, opt_operand_def, result_def

from lastuse.dialect.dnn.attributes import agreed, by_role
from lastuse.dialect.dnn.base import Array, TransposedForm
from lastuse.dialect.dnn.integer_convolution import ConvIntegerOp, IntegerConvolutionBase
from lastuse.dialect.dnn.integer_products import IntegerSumsBase
from lastuse.dialect.dnn.quantization import ONE
from lastuse.dialect.dnn.scaled_epilogue import ScaledSumsBase
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, static_shape

BY_CHANNEL = ("w_scale", "bias")
"""Operands that broadcast to the result along its channels."""


@irdl_op_definition
class ScaledConvIntegerOp(ScaledSumsBase, IntegerConvolutionBase):
    """conv_integer(x, w) * (x_scale * w_scale) + bias, the convolution in i32, the rest in f32, between `min` and
    `max`.

    Operands: x and w, each ui8 or i8; x_scale, one number of f32; (optional) w_scale, f32, which broadcasts to the
    result and has one number, or one for each channel, as [O, 1, 1], or [O] with `channels_last`; the zero points, as
    of `dnn.conv_integer`, whose attributes it has; bias, f32, of sizes as w_scale. The result is f32. Bounds are as of
    `dnn.clip`. It stands for ConvInteger, Cast, Mul, Add and Relu or Clip of models that are quantised while they run;
    `--post-op-fusion-pass` makes it.
    """

    name = "dnn.scaled_conv_integer"
    SUMS: ClassVar = ConvIntegerOp
    SPATIAL: ClassVar = frozenset({0, 1})
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1>, pads = array<i64: 1, 1>, min = 0.0 : f32} : "
        "(tensor<2x3x5xui8>, tensor<4x3x3xi8>, tensor<f32>, tensor<4x1xf32>, tensor<ui8>, tensor<4xi8>, "
        "tensor<1x4x1xf32>) -> tensor<2x4x5xf32>"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=False),)
    x = operand_def(TensorType)
    w = operand_def(TensorType)
    x_scale = operand_def(TensorType)
    w_scale = opt_operand_def(TensorType)
    x_zero_point = opt_operand_def(TensorType)
    w_zero_point = opt_operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    y = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        roles = by_role(self, operands)
        shape = self.shape_of_sums(roles)
        for what in ("x_scale", *BY_CHANNEL):
            if what in roles and roles[what].dtype != "f32":
                raise ValueError(f"{what} must be f32, not {roles[what].dtype}")
        if roles["x_scale"].shape not in ONE:
            raise ValueError("x_scale must be one number")
        for what in BY_CHANNEL:
            if what in roles:
                self.check_channels(shape, roles[what].shape, what)
        return (TensorInfo(shape, "f32"),)

    def check_channels(self, result: Sequence[Dim | None], shape: Sequence[Dim | None], what: str) -> None:
        """Raises ValueError unless a shape broadcasts to that of the result along the channels alone."""
        axis = len(result) - 1 if self.is_channels_last else 1
        if len(shape) > len(result):
            raise ValueError(f"{what} has {len(shape)} axes, the result {len(result)}")
        for number, size in enumerate(shape, len(result) - len(shape)):
            if size == 1:
                continue
            if number != axis:
                raise ValueError(f"{what} must be one number, or one for each channel")
            agreed(size, result[axis], f"{what} and the channels of the result")

    def takes_row(self, parameter: TensorInfo) -> bool:
        return True

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        form = super().transposed_form(perm)
        if form is None:
            return None
        named = [number for number, name in enumerate(self.given_operands()) if name in BY_CHANNEL]
        rows = [number for number in named if any(size != 1 for size in self.operand_type(number).shape)]
        return form._replace(operands=form.operands.union(rows))

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        roles, out = by_role(self, operands), self.result_rows(results[0])
        with np.errstate(all="ignore"):
            factor = roles["x_scale"].reshape(()) * roles.get("w_scale", np.ones((), np.float32))
        factors, biases = (
            None if row is None else np.broadcast_to(row.reshape(-1, 1), (out.shape[1], 1))
            for row in (np.asarray(factor), roles.get("bias"))
        )
        assert factors is not None
        for part in self.parts_of_sums(roles):
            bias = None if biases is None else biases[part.channels]
            out[part.sample, part.channels, part.places] = self.finished(part.sums, factors[part.channels], bias)

    @classmethod
    def is_row(cls, shape: Sequence[Dim | None], sums: IntegerSumsBase) -> bool:
        assert isinstance(sums, ConvIntegerOp)
        result = static_shape(sums.results[0].type)
        axis = len(result) - 1 if sums.is_channels_last else 1
        wide = (*(1 for _ in range(len(result) - len(shape))), *shape)
        fits = len(wide) == len(result) and all(size == 1 for number, size in enumerate(wide) if number != axis)
        return fits and wide[axis] in (1, result[axis]) and None not in wide
