"""Comparisons, and ops that choose between elements at the same place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import OpResult, SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, result_def, traits_def

from lastuse.dialect.dnn.attributes import (
    NUMBER,
    agreed_shape,
    broadcast_all,
    is_float,
    need_same_dtype,
    number,
    scalar,
)
from lastuse.dialect.dnn.base import Array, DnnOp, OneOperandBase
from lastuse.dialect.dnn.consumer_folding import FoldProducer
from lastuse.dialect.dnn.contents import is_equal, is_less, is_not_less
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING, ElementwiseBase, UfuncBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.wider_floats import ChangesTypeAlone
from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, numpy_dtype, typed
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.binary import BinaryPrimitive
from lastuse.dialect.storage.attrs import is_decided
from lastuse.dialect.storage.contract import Backward


class ComparisonBase(UfuncBase, DifferentiableBase):
    """c = f(a, b) with numpy broadcasting: truth values (i1), or 1 and 0 in the operands' element type.

    In place over an operand only where that has the result's element type. The gradient is zero.
    """

    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>"
    EXACT: ClassVar = True
    BACKWARD: ClassVar[Backward | None] = READS_NOTHING
    ALG: ClassVar[str | None] = None
    """oneDNN's comparison of a with b."""
    MIRROR: ClassVar[str | None] = None
    """oneDNN's comparison of b with a."""

    a = operand_def(TensorType)
    b = operand_def(TensorType)
    c = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_same_dtype(*operands)
        stated = self.result_type().dtype
        return (TensorInfo(broadcast_all(operands), stated if stated == operands[0].dtype else "i1"),)

    def compute(self, *operands: Array) -> Array:
        return self.UFUNC(*operands).astype(numpy_dtype(self.result_type().dtype), copy=False)

    def primitive(self) -> Primitive | None:
        sources = all(typed(v.type).dtype == "f32" for v in self.operands)
        result = self.result_type()
        if not sources or result.dtype not in ("f32", "i1"):
            return None
        # oneDNN's first source is not broadcast (`BinaryPrimitive`).
        firsts = ((self.ALG, self.operand_type(0)), (self.MIRROR, self.operand_type(1)))
        if not any(alg is not None and operand.shape == result.shape for alg, operand in firsts):
            return None
        return BinaryPrimitive(self.ALG, mirror=self.MIRROR)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return None, None


@irdl_op_definition
class CastOp(OneOperandBase, ElementwiseBase, DifferentiableBase, ChangesTypeAlone):
    """The same numbers in the result's element type.

    Any element types. To integers, fractions are cut off; to i1, 0 is false and all else true. In place only where
    the element type stays. ONNX Cast, which leaves numbers beyond the integers open.
    """

    name = "dnn.cast"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>) -> tensor<2x3xi64>"
    BACKWARD: ClassVar[Backward | None] = Backward()
    traits = traits_def(FoldProducer())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return (TensorInfo(operands[0].shape, self.result_type().dtype),)

    def compute(self, *operands: Array) -> Array:
        return operands[0].astype(numpy_dtype(self.result_type().dtype))

    def element(self, *operands: Dim) -> Dim | None:
        return operands[0] if self.result_type().dtype in ("i64", "i32", "ui64", "ui32", "index") else None

    def fused_with_producer(self) -> DnnOp | None:
        value = self.operands[0]
        if not isinstance(value, OpResult) or not isinstance(value.op, ComparisonBase) or not value.has_one_use():
            return None
        back = self.result_type().dtype == value.op.operand_type().dtype
        # In between, the operands would have to be kept, where one truth value an element was enough.
        if not back or value.op.next_op is not self or is_decided(value.op) or is_decided(self):
            return None
        fused = type(value.op).create(
            operands=value.op.operands,
            result_types=[self.results[0].type],
            attributes={**value.op.attributes, **self.attributes},
        )
        inherit(fused, self)
        return fused

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.cast(dy, self.x) if is_float(self.operand_type().dtype) else None,)


@irdl_op_definition
class LessOp(ComparisonBase):
    """a < b: i1, or 1 and 0 in the operands' element type.

    Operands of one element type, broadcast as in numpy. ONNX Less.
    """

    name = "dnn.less"
    UFUNC: ClassVar = np.less
    ALG: ClassVar = "lt"

    def element(self, *operands: Dim) -> Dim | None:
        a, b = operands
        return is_less(a, b)


@irdl_op_definition
class LessOrEqualOp(ComparisonBase):
    """a <= b: i1, or 1 and 0 in the operands' element type.

    Operands of one element type, broadcast as in numpy. ONNX LessOrEqual.
    """

    name = "dnn.less_or_equal"
    UFUNC: ClassVar = np.less_equal
    ALG: ClassVar = "le"

    def element(self, *operands: Dim) -> Dim | None:
        a, b = operands
        return is_not_less(b, a)


@irdl_op_definition
class GreaterOp(ComparisonBase):
    """a > b: i1, or 1 and 0 in the operands' element type.

    Operands of one element type, broadcast as in numpy. ONNX Greater.
    """

    name = "dnn.greater"
    UFUNC: ClassVar = np.greater
    MIRROR: ClassVar = "lt"  # oneDNN's gt holds for NaN

    def element(self, *operands: Dim) -> Dim | None:
        a, b = operands
        return is_less(b, a)


@irdl_op_definition
class GreaterOrEqualOp(ComparisonBase):
    """a >= b: i1, or 1 and 0 in the operands' element type.

    Operands of one element type, broadcast as in numpy. ONNX GreaterOrEqual.
    """

    name = "dnn.greater_or_equal"
    UFUNC: ClassVar = np.greater_equal
    MIRROR: ClassVar = "le"  # oneDNN's ge holds for NaN

    def element(self, *operands: Dim) -> Dim | None:
        a, b = operands
        return is_not_less(a, b)


@irdl_op_definition
class EqualOp(ComparisonBase):
    """a = b: i1, or 1 and 0 in the operands' element type.

    Operands of one element type, broadcast as in numpy. ONNX Equal.
    """

    name = "dnn.equal"
    UFUNC: ClassVar = np.equal
    ALG: ClassVar = "eq"
    MIRROR: ClassVar = "eq"

    def element(self, *operands: Dim) -> Dim | None:
        a, b = operands
        return is_equal(a, b)


@irdl_op_definition
class WhereOp(ElementwiseBase, DifferentiableBase):
    """a where the condition holds, else b.

    Operands: condition (i1), a and b of one element type; all broadcast as in numpy. ONNX Where.
    """

    name = "dnn.where"
    EXAMPLE: ClassVar = ": (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>"
    BACKWARD: ClassVar = Backward(operands=frozenset({0}))

    condition = operand_def(TensorType)
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    y = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if operands[0].dtype != "i1":
            raise ValueError(f"the condition must have element type i1, not {operands[0].dtype}")
        need_same_dtype(*operands[1:])
        return (TensorInfo(broadcast_all(operands), operands[1].dtype),)

    def compute(self, *operands: Array) -> Array:
        return np.where(*operands)

    def element(self, *operands: Dim) -> Dim | None:
        condition, a, b = operands
        return a if condition else b

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        zero = builder.number(0, dy)
        a = builder.emit("where", self.condition, dy, zero)
        b = builder.emit("where", self.condition, zero, dy)
        return None, builder.summed_to(a, self.a), builder.summed_to(b, self.b)


@irdl_op_definition
class MaskedFillOp(ElementwiseBase, DifferentiableBase):
    """`value` where the mask holds, else x.

    Operands: x of any element type, mask (i1), which broadcasts to x; y is as x. PyTorch masked_fill.
    """

    name = "dnn.masked_fill"
    EXAMPLE: ClassVar = "{value = 0.0 : f32} : (tensor<2x3xf32>, tensor<3xi1>) -> tensor<2x3xf32>"
    BACKWARD: ClassVar = Backward(operands=frozenset({1}))

    x = operand_def(TensorType)
    mask = operand_def(TensorType)
    y = result_def(TensorType)
    value = attr_def(NUMBER)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, mask = operands
        if mask.dtype != "i1":
            raise ValueError(f"the mask must have element type i1, not {mask.dtype}")
        scalar(number(self.value, 0), x.dtype)
        if len(mask.shape) > len(x.shape):
            raise ValueError("the mask has more axes than x")
        return (TensorInfo(agreed_shape("x and its mask", x.shape, broadcast_all(operands)), x.dtype),)

    def compute(self, *operands: Array) -> Array:
        x, mask = operands
        return np.where(mask, x.dtype.type(number(self.value, 0)), x)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return builder.emit("masked_fill", dy, self.mask, value=0.0), None
