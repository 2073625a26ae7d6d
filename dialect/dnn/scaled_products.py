"""Products of small integers whose sums are scaled to f32."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, TensorType, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, irdl_op_definition, operand_def, opt_operand_def, result_def

from lastuse.dialect.dnn.attributes import agreed, by_role
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.integer_products import IntegerMatmulBase, MatmulIntegerOp
from lastuse.dialect.dnn.quantization import ONE
from lastuse.dialect.dnn.spelt_out import Constant, Spelling, SpeltOutBase, values_between
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, static_shape


@irdl_op_definition
class ScaledMatmulIntegerOp(IntegerMatmulBase, SpeltOutBase):
    """((a - a_zero_point) @ (b - b_zero_point)) * (a_scale * b_scale) + bias, the product in i32, the rest in f32.

    Operands: a and b, each ui8 or i8; a_scale, one number of f32; (optional) b_scale, f32, one number or one for each
    column; the zero points, as of `dnn.matmul_integer`; bias, f32, one for each column. The result is f32. It stands
    for MatMulInteger, Cast, Mul and Add of models that are quantised while they run; `--post-op-fusion-pass` makes it.
    """

    name = "dnn.scaled_matmul_integer"
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
        with np.errstate(all="ignore"):
            np.multiply(sums.astype(np.float32), parameters[0], out=out)
            for bias in parameters[1:]:
                np.add(out, bias, out=out)

    @classmethod
    def spelt_by(cls, value: SSAValue, constant: Constant) -> Spelling | None:
        """f32(matmul_integer) * scale, or that plus a row."""
        op = value.owner
        if isinstance(op, Operation) and op.name == "dnn.add":
            for core, other in (op.operands, op.operands[::-1]):
                columns = static_shape(core.type)[-1:]
                if len(static_shape(other.type)) == 1 and static_shape(other.type) == columns and None not in columns:
                    found = _scaled_product(core)
                    if found is not None:
                        return found.spelling(value, other, constant)
            return None
        found = _scaled_product(value)
        return None if found is None else found.spelling(value, None, constant)


class _ScaledProduct(NamedTuple):
    """A product of integers and the scales that it is multiplied with."""

    product: MatmulIntegerOp
    scales: Sequence[SSAValue]

    def spelling(self, value: SSAValue, bias: SSAValue | None, constant: Constant) -> Spelling:
        zeros = (self.product.a_zero_point, self.product.b_zero_point)
        given = [self.product.a, self.product.b, *self.scales[:1]]
        optional = [self.scales[1] if len(self.scales) > 1 else None, *zeros, bias]
        operands = [*given, *(operand for operand in optional if operand is not None)]
        sizes = [1, 1, 1, *(int(operand is not None) for operand in optional)]
        attributes = {"operandSegmentSizes": DenseArrayBase.from_list(i32, sizes)}
        return Spelling(operands, attributes, values_between(value, operands, constant))


def _scaled_product(value: SSAValue) -> _ScaledProduct | None:
    """The product whose sums, in f32, times scales are a value: one scale, or one for all and one for each column."""
    op = value.owner
    if not isinstance(op, Operation) or op.name != "dnn.mul":
        return None
    for wide, scale in (op.operands, op.operands[::-1]):
        cast = wide.owner
        product = cast.operands[0].owner if isinstance(cast, Operation) and cast.name == "dnn.cast" else None
        if not isinstance(product, MatmulIntegerOp) or wide.type != value.type or not product.takes_native():
            continue
        pair = _both(scale)
        columns = static_shape(product.b.type)[-1:] if len(static_shape(product.b.type)) > 1 else ()
        if product.packed is None and pair[0] is not None and _is_row(pair[1], columns):
            return _ScaledProduct(product, [scale for scale in pair if scale is not None])
    return None


def _both(scale: SSAValue) -> tuple[SSAValue | None, SSAValue | None]:
    """A scale as one number, and what it is multiplied with: two factors, or the scale alone."""
    op = scale.owner
    factors = op.operands if isinstance(op, Operation) and op.name == "dnn.mul" else ()
    for one, other in (factors, factors[::-1]) if len(factors) == 2 else ():
        if static_shape(one.type) in ONE:
            return one, other
    return (scale, None) if static_shape(scale.type) in ONE else (None, None)


def _is_row(value: SSAValue | None, columns: Sequence[Dim | None]) -> bool:
    shape = () if value is None else static_shape(value.type)
    return shape in ONE or (len(shape) == 1 and tuple(shape) == tuple(columns) and None not in shape)
