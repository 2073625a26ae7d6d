"""Ops that read no bytes of an operand, and `opaque`, of which nothing is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DenseResourceAttr, ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyOf,
    attr_def,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
    var_operand_def,
    var_result_def,
)

from lastuse.dialect.dnn.accumulation import AddsToValueBase
from lastuse.dialect.dnn.attributes import NUMBER, number, scalar
from lastuse.dialect.dnn.base import Array, DnnOp, KernelOnlyBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeBase, element_words
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import MAX_CONTENT, Content, TensorInfo, numpy_dtype
from lastuse.dialect.storage.contract import ALL_ENGINES, Contract, InPlace


class FillBase(NativeBase, KernelOnlyBase):
    """A result with one value everywhere. An operand gives a place only: its bytes are never read, and the result may
    lie over it where both have one element type."""

    FILLING: ClassVar[int] = 0

    y = result_def(TensorType)

    def filling(self) -> float | int:
        """The value."""
        return self.FILLING

    def storage(self) -> Contract:
        same = bool(self.operands) and self.operand_type().dtype == self.result_type().dtype
        operands = frozenset(range(len(self.operands)))
        over = (InPlace(0, 0),) if same else ()
        return Contract(over, metadata_only=operands, strided=True, engines=self.kernel_engines())

    def native_name(self) -> str:
        return "fill"

    def native_numbers(self) -> Sequence[float]:
        return element_words(self.filling(), self.result_type().dtype)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        result = self.result_type()
        scalar(self.filling(), result.dtype)
        return (result,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        results[0].fill(self.filling())


@irdl_op_definition
class FillOp(FillBase, AddsToValueBase):
    """`value` everywhere, in the shape of x.

    x is not read; y has its shape and element type. PyTorch fill.
    """

    name = "dnn.fill"
    EXAMPLE: ClassVar = "{value = 1.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
    x = operand_def(TensorType)
    value = attr_def(NUMBER)

    def filling(self) -> float | int:
        return number(self.value, 0)

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        return (operands[0],)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        scalar(self.filling(), operands[0].dtype)
        return (operands[0],)

    def adds_to_value(self) -> str | None:
        return None if self.filling() == 0 else "it is not 0"

    def added_to(self, value: SSAValue, factor: float, builder: GradientBuilder) -> SSAValue:
        return builder.scaled(value, factor)


@irdl_op_definition
class ZerosOp(FillBase):
    """0 everywhere, in the result's type.

    An operand, if there is one, is not read: a value whose memory may be used (PyTorch zeros and new_zeros).
    """

    name = "dnn.zeros"
    EXAMPLE: ClassVar = ": () -> tensor<2x3xf32>"
    x = opt_operand_def(TensorType)


@irdl_op_definition
class OnesOp(FillBase):
    """1 everywhere, in the result's type.

    An operand, if there is one, is not read: a value whose memory may be used (PyTorch ones and new_ones).
    """

    name = "dnn.ones"
    EXAMPLE: ClassVar = ": (tensor<6xf32>) -> tensor<2x3xf32>"
    FILLING: ClassVar = 1
    x = opt_operand_def(TensorType)


@irdl_op_definition
class ConstantOp(DnnOp):
    """A constant of the model, in read-only memory.

    `value`: `dense<…>` or `dense_resource<name>` of the result's type. It has no backward op. ONNX Constant.
    """

    name = "dnn.constant"
    EXAMPLE: ClassVar = "{value = dense<1.0> : tensor<2x3xf32>} : () -> tensor<2x3xf32>"
    value = attr_def(AnyOf((base(DenseIntOrFPElementsAttr), base(DenseResourceAttr))))
    y = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract(constant=True, strided=True, engines=ALL_ENGINES)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if self.value.type != self.y.type:
            raise ValueError(f"the value has type {self.value.type}, the result {self.y.type}")
        result = self.result_type()
        if None in result.shape:
            raise ValueError("every size of a constant must be known")
        return (result,)

    def contents(self, operands: Sequence[TensorInfo]) -> Sequence[Content | None]:
        elements = self.result_type().elements
        if not isinstance(elements, int) or elements > MAX_CONTENT:
            return (None,)
        try:
            return (tuple(self.array().reshape(-1).tolist()),)
        except LastuseError:
            return (None,)  # the array is not at hand

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        return (self.array(),)

    def array(self) -> Array:
        """The constant, read-only; one element stands for all where the value is a splat.

        Raises:
            LastuseError: the module has no array of that resource's name, or a wrong one.
        """
        value = self.value
        if isinstance(value, DenseResourceAttr):
            top = self.get_toplevel_object()
            return resources.array_of(value, top if isinstance(top, ModuleOp) else ModuleOp([]), self)
        assert isinstance(value, DenseIntOrFPElementsAttr)
        result = self.result_type()
        dtype = numpy_dtype(result.dtype)
        shape = tuple(d for d in result.shape if isinstance(d, int))
        # xDSL keeps i1 as bytes 0 and 255.
        raw = np.frombuffer(value.data.data, np.uint8 if result.dtype == "i1" else dtype)
        data = raw != 0 if result.dtype == "i1" else raw
        if data.size == 1:
            return np.broadcast_to(data.reshape(()), shape)
        array = data.reshape(shape)
        array.flags.writeable = False
        return array


@irdl_op_definition
class OpaqueOp(DnnOp):
    """An op of which only the name is known: it reads its operands and makes fresh results.

    `kind`: what it is elsewhere. Any operands and results, of any types, none at all too. It verifies and can be
    planned around; to run it is an error.
    """

    name = "dnn.opaque"
    COMPUTES: ClassVar = False
    EXAMPLE: ClassVar = '{kind = "conv"} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>'
    inputs = var_operand_def(TensorType)
    outputs = var_result_def(TensorType)
    kind = attr_def(StringAttr)

    def storage(self) -> Contract:
        return Contract(engines=ALL_ENGINES)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return tuple(self.result_type(k) for k in range(len(self.results)))

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        raise LastuseError(f"opaque has no meaning: nothing here can compute '{self.kind.data}'", self)
