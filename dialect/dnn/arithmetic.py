"""Arithmetic: ops that compute each element from the elements at the same place of several operands."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, result_def, var_operand_def

from lastuse.dialect.dnn.accumulation import AddsOperandsBase
from lastuse.dialect.dnn.affine import BinaryAffineBase
from lastuse.dialect.dnn.attributes import (
    INTEGER,
    agreed_shape,
    all_f32,
    broadcast_all,
    engines,
    integer,
    is_float,
    need_number,
    need_same_dtype,
    on_cpu_alone,
)
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.blocked_kernels import blockwise
from lastuse.dialect.dnn.contents import larger, smaller
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING, ElementwiseBase, UfuncBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.integer_forms import Requantization, TakesQuantized, parameters_of
from lastuse.dialect.dnn.widening import Widening, WidensIntegers, scaled_integers
from lastuse.dialect.ir.tensor_types import Dim, Poly, TensorInfo, numpy_dtype, quotient
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.binary import BinaryPrimitive
from lastuse.dialect.onednn.primitives.eltwise import EltwisePrimitive
from lastuse.dialect.onednn.primitives.post_ops import PostOp
from lastuse.dialect.onednn.primitives.sum import SumPrimitive
from lastuse.dialect.storage.contract import Backward, Contract, Engine, InPlace, engine_of

READS_BOTH = Backward(operands=frozenset({0, 1}))
READS_DIVISOR = Backward(operands=frozenset({1}), results=frozenset({0}))


def _is_row(a: Sequence[Dim | None], b: Sequence[Dim | None]) -> bool:
    """Whether `a` has several elements along the last axis of `b`, one along those between, and is repeated."""
    row = (*(1,) * (len(b) - len(a)), *a)
    fits = 0 < len(a) <= len(b) and row != tuple(b) and row[-1] == b[-1] and row[0] in (1, b[0])
    return fits and isinstance(row[-1], int) and row[-1] > 1 and all(n == 1 for n in row[1:-1])


class BinaryBase(UfuncBase):
    """c = f(a, b) with numpy broadcasting. In place over an operand of the result's shape; the other one may be exactly
    the same bytes where the kernel allows it. oneDNN documents operand 0 alone; operand 1 is reached by exchanging
    both where the op commutes."""

    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"

    ALG: ClassVar[str | None] = None
    REPEATED: ClassVar[EltwisePrimitive | None] = None
    BACKWARD: ClassVar[Backward | None] = READS_BOTH

    a = operand_def(TensorType)
    b = operand_def(TensorType)
    c = result_def(TensorType)

    def engine(self) -> Engine | None:
        """With an operand of one row the runtime's kernel takes 0.2 to 0.9 of oneDNN's time, else up to twice that."""
        is_native = self._reads_row() and self.primitive() is not None and self.native_kernel() is not None
        return Engine.NATIVE if is_native else super().engine()

    def _reads_row(self) -> bool:
        """Whether an operand is a row for all places of the other one, or of each sample."""
        a, b = self.operand_type(0).shape, self.operand_type(1).shape
        return _is_row(a, b) or _is_row(b, a)

    def storage(self) -> Contract:
        if on_cpu_alone(self) or engine_of(self) is Engine.NATIVE:
            return super().storage()
        # oneDNN's binary takes one memory as both sources and destination only where an eltwise stands in for it.
        repeats = self.REPEATED is not None
        over = (InPlace(0, 0, repeats), InPlace(0, 1, repeats, by_swapping=True))[: 1 + self.COMMUTES]
        return Contract(over, strided=True, backward=self.BACKWARD, engines=engines(self))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_same_dtype(*operands)
        need_number(operands[0])
        return (TensorInfo(broadcast_all(operands), operands[0].dtype),)

    def primitive(self) -> Primitive | None:
        if self.ALG is None or not all_f32(self):
            return None
        return BinaryPrimitive(self.ALG, self.REPEATED, self.ALG if self.COMMUTES else None)

    def post_op(self) -> PostOp | None:
        return PostOp("binary", self.ALG) if self.ALG is not None and all_f32(self) else None


class SmoothBinaryBase(BinaryBase, DifferentiableBase):
    """A binary op that has a gradient: summed along the axes along which an operand is broadcast."""

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return tuple(
            None if gradient is None else builder.summed_to(gradient, operand)
            for gradient, operand in zip(self.factors(dy, builder), (self.a, self.b), strict=True)
        )

    @abstractmethod
    def factors(self, dc: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """The gradient of each operand as if it had the shape of the result, whose gradient is `dc`."""


@irdl_op_definition
class AddOp(SmoothBinaryBase, BinaryAffineBase, AddsOperandsBase, TakesQuantized):
    """a + b. Operands of one element type, floating-point or integers, broadcast as in numpy. ONNX Add."""

    name = "dnn.add"
    UFUNC: ClassVar = np.add
    ALG: ClassVar = "add"
    COMMUTES: ClassVar = True
    REPEATED: ClassVar = EltwisePrimitive("linear", 2.0, 0.0)
    BACKWARD: ClassVar = READS_NOTHING

    def line(self, operand: int, number: Array) -> tuple[Array | float, Array | float] | None:
        return 1, number

    def on_quantized(
        self, operands: Sequence[Widening], result: Requantization, builder: GradientBuilder
    ) -> SSAValue | None:
        parameters = [value for of in operands for value in parameters_of(of, builder)]
        return builder.emit("qlinear_add", *parameters, *result)

    def factors(self, dc: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return dc, dc

    def element(self, *operands: Dim) -> Dim | None:
        a, b = operands
        return a + b


@irdl_op_definition
class SubOp(SmoothBinaryBase, BinaryAffineBase):
    """a - b. Operands of one element type, floating-point or integers, broadcast as in numpy. ONNX Sub."""

    name = "dnn.sub"
    UFUNC: ClassVar = np.subtract
    ALG: ClassVar = "sub"
    BACKWARD: ClassVar = READS_NOTHING

    def line(self, operand: int, number: Array) -> tuple[Array | float, Array | float] | None:
        return (1, -number) if operand == 0 else (-1, number)

    def factors(self, dc: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return dc, builder.emit("neg", dc)

    def element(self, *operands: Dim) -> Dim | None:
        a, b = operands
        return a - b


@irdl_op_definition
class MulOp(SmoothBinaryBase, BinaryAffineBase, WidensIntegers):
    """a * b. Operands of one element type, floating-point or integers, broadcast as in numpy. ONNX Mul."""

    name = "dnn.mul"
    UFUNC: ClassVar = np.multiply
    ALG: ClassVar = "mul"
    COMMUTES: ClassVar = True
    REPEATED: ClassVar = EltwisePrimitive("square")

    def line(self, operand: int, number: Array) -> tuple[Array | float, Array | float] | None:
        return number, 0

    def factors(self, dc: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        of_a = builder.emit("mul", dc, self.b)
        return of_a, of_a if self.a is self.b else builder.emit("mul", dc, self.a)

    def element(self, *operands: Dim) -> Dim | None:
        a, b = operands
        return a * b

    def widening(self) -> Widening | None:
        return scaled_integers(self.a, self.b, self.c) or scaled_integers(self.b, self.a, self.c)


@irdl_op_definition
class DivOp(SmoothBinaryBase, BinaryAffineBase):
    """a / b. Operands of one element type, broadcast as in numpy.

    Integers with an integer result are divided towards 0 and give 0 for b = 0 (ONNX Div); with a floating-point result
    they are divided as floating-point numbers (PyTorch's div).
    """

    name = "dnn.div"
    BACKWARD: ClassVar = READS_DIVISOR
    UFUNC: ClassVar = np.divide
    ALG: ClassVar = "div"

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        (result,) = super().infer(operands)
        stated = self.result_type().dtype
        return (TensorInfo(result.shape, stated if is_float(stated) and not is_float(result.dtype) else result.dtype),)

    def compute(self, *operands: Array) -> Array:
        a, b = operands
        if a.dtype.kind not in "iu":
            return np.divide(a, b)
        stated = self.result_type().dtype
        if is_float(stated):
            return np.divide(a, b).astype(numpy_dtype(stated))
        floor, rest = np.divmod(a, b)
        return floor + ((rest != 0) & ((a < 0) != (b < 0))).astype(a.dtype)

    def element(self, *operands: Dim) -> Dim | None:
        a, b = operands
        if is_float(self.result_type().dtype):
            return None
        if isinstance(a, Poly) or isinstance(b, Poly):
            return quotient(a, b)
        return 0 if b == 0 else abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)

    def line(self, operand: int, number: Array) -> tuple[Array | float, Array | float] | None:
        return (1 / number, 0) if operand == 0 and number.all() else None

    def factors(self, dc: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        if not is_float(self.operand_type().dtype):
            return None, None
        quotient = builder.emit("div", dc, self.b)
        return quotient, builder.emit("neg", builder.emit("mul", quotient, self.c))


def _may_be_a_fraction(a: Array, b: Array) -> bool:
    """Whether b may be negative where both are integers, which `numpy.power` refuses."""
    return a.dtype.kind in "iu" and b.dtype.kind == "i"


@irdl_op_definition
class PowOp(SmoothBinaryBase):
    """a to the power b.

    b may have another element type than a; the result has a's. Broadcast as in numpy. An integer to the power of a
    negative integer is cut towards zero: 0, but for the powers of 1 and -1; 0 to such a power is 0. ONNX Pow.
    """

    name = "dnn.pow"
    UFUNC: ClassVar = np.power

    def storage(self) -> Contract:
        # numpy squares where one exponent serves all: a broadcast exponent and a copied one differ in the last bit.
        return super().storage()._replace(strided=False)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        for operand in operands:
            need_number(operand)
        return (TensorInfo(broadcast_all(operands), operands[0].dtype),)

    def compute(self, *operands: Array) -> Array:
        a, b = operands
        if not _may_be_a_fraction(a, b):
            return np.power(a, b).astype(a.dtype, copy=False)
        # A power of 1 or -1 has the exponent's parity; a negative one of any other number is cut to 0.
        units = np.where(np.abs(a) == 1, np.power(a, b & 1), 0)
        return np.where(b < 0, units, np.power(a, np.maximum(b, 0))).astype(a.dtype, copy=False)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        if not _may_be_a_fraction(*operands):
            return super().kernel(operands, results, scratch)
        blockwise(self.compute, operands, results[0])

    def factors(self, dc: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """0 where the number is constant: for the exponent 0 that of a, for a = 0 that of b."""
        exponent = self.b
        if self.operand_type(1).dtype != self.operand_type().dtype:
            exponent = builder.cast(self.b, self.a)
        zero = builder.number(0, exponent)
        power = builder.emit("pow", self.a, builder.emit("scale", exponent, bias=-1.0))
        da = builder.emit("mul", dc, builder.emit("mul", power, exponent))
        da = builder.emit("where", builder.emit("equal", exponent, zero, dtype="i1"), zero, da)
        if not is_float(self.operand_type(1).dtype):
            return da, None
        factor = builder.emit("mul", builder.emit("log", self.a), builder.emit("pow", self.a, exponent))
        db = builder.emit("mul", dc, factor)
        db = builder.emit("where", builder.emit("equal", self.a, zero, dtype="i1"), zero, db)
        return da, builder.cast(db, self.b)


@irdl_op_definition
class ModOp(SmoothBinaryBase):
    """The remainder of a / b, with the sign of b, or with the sign of a where `fmod` is true.

    `fmod`: default false. Operands of one element type, floating-point or integers, broadcast as in numpy. For b = 0
    integers give 0, and floating-point numbers NaN. ONNX Mod.
    """

    name = "dnn.mod"
    BACKWARD: ClassVar = Backward(operands=frozenset({0, 1}), results=frozenset({0}))
    EXAMPLE: ClassVar = "{fmod = true} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"
    fmod = opt_attr_def(INTEGER)

    @property
    def UFUNC(self) -> np.ufunc:  # pyright: ignore[reportIncompatibleVariableOverride]
        return np.fmod if integer(self.fmod, 0) else np.remainder

    def factors(self, dc: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        whole = builder.emit("round", builder.emit("div", builder.emit("sub", self.a, self.c), self.b))
        return dc, builder.emit("neg", builder.emit("mul", dc, whole))


@irdl_op_definition
class MaximumOp(SmoothBinaryBase):
    """The larger of a and b; NaN where either is. Operands of one element type, broadcast as in numpy. ONNX Max.

    oneDNN's max loses NaN, so this op runs on the cpu engine alone.
    """

    name = "dnn.maximum"
    UFUNC: ClassVar = np.maximum

    def element(self, *operands: Dim) -> Dim | None:
        a, b = operands
        return larger(a, b)

    def factors(self, dc: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return builder.emit("larger_grad", self.a, self.b, dc), builder.emit("larger_grad", self.b, self.a, dc)


@irdl_op_definition
class MinimumOp(SmoothBinaryBase):
    """The smaller of a and b; NaN where either is. Operands of one element type, broadcast as in numpy. ONNX Min.

    oneDNN's min loses NaN, so this op runs on the cpu engine alone.
    """

    name = "dnn.minimum"
    UFUNC: ClassVar = np.minimum

    def element(self, *operands: Dim) -> Dim | None:
        a, b = operands
        return smaller(a, b)

    def factors(self, dc: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return builder.emit("larger_grad", self.b, self.a, dc), builder.emit("larger_grad", self.a, self.b, dc)


@irdl_op_definition
class SumOp(ElementwiseBase, DifferentiableBase, AddsOperandsBase):
    """The sum of all operands, in their order.

    One operand or more, all of one shape and element type, floating-point or integers. In place over operand 0, or 1 by
    exchanging the two; never over a later one, since the sum is built from the left. ONNX Sum without broadcasting.
    """

    name = "dnn.sum"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"
    COMMUTES: ClassVar = True
    BACKWARD: ClassVar = READS_NOTHING

    inputs = var_operand_def(TensorType)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        over = (InPlace(0, 0), InPlace(0, 1, by_swapping=True))[: len(self.inputs)]
        return Contract(over, strided=True, backward=self.BACKWARD, engines=engines(self))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if not operands:
            raise ValueError("needs at least one operand")
        need_same_dtype(*operands)
        need_number(operands[0])
        shape = agreed_shape("operands", *(operand.shape for operand in operands))
        return (TensorInfo(shape, operands[0].dtype),)

    def compute(self, *operands: Array) -> Array:
        total = operands[0].copy()
        for operand in operands[1:]:
            total += operand
        return total

    def primitive(self) -> Primitive | None:
        return SumPrimitive() if all_f32(self) else None

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (dy,) * len(self.operands)
