"""Views that add axes of size 1, or drop them, and ops that compute the same with such axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol, runtime_checkable

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Attribute
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import INTEGERS, axis_of, integers
from lastuse.dialect.dnn.partial_attributes import PartialAttributes
from lastuse.dialect.dnn.views import ReshapeBase
from lastuse.dialect.ir.tensor_types import TensorInfo


@runtime_checkable
class IgnoresUnitAxes(Protocol):
    """An op whose operands and results may have axes of size 1 more, with the same attributes and elements."""

    def ignores_unit_axes(self, axes: Sequence[int]) -> bool:
        """Whether that holds for axes at these places of the result; operands of fewer axes are broadcast."""
        ...


@runtime_checkable
class DropsUnitAxes(Protocol):
    """A view of operand 0 without axes of size 1."""

    def dropped_axes(self) -> tuple[int, ...]:
        """The axes of the operand that the result does not have, ascending, counted from 0."""
        ...

    def dropping(self, axes: Sequence[int]) -> Mapping[str, Attribute]:
        """The attributes of such a view that drops these axes of another operand."""
        ...


@runtime_checkable
class AddsUnitAxes(Protocol):
    """A view of operand 0 with axes of size 1 more."""

    def added_axes(self) -> tuple[int, ...]:
        """The axes of the result that the operand does not have, ascending, counted from 0."""
        ...

    def adding(self, axes: Sequence[int]) -> Mapping[str, Attribute]:
        """The attributes of such a view that adds these axes."""
        ...


def distinct_axes(axes: Sequence[int], rank: int) -> tuple[int, ...]:
    """The axes counted from 0, ascending.

    Raises:
        ValueError: one is outside the rank, or named twice.
    """
    numbers = sorted(axis_of(axis, rank) for axis in axes)
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"axes {list(axes)} name one twice")
    return tuple(numbers)


@irdl_op_definition
class SqueezeOp(ReshapeBase):
    """x without the axes `axes`, each of size 1.

    `axes`: default every axis whose size is 1; negative ones count from the end. Without it no size of x may be
    unknown, or the rank would be. ONNX Squeeze.
    """

    name = "dnn.squeeze"
    EXAMPLE: ClassVar = "{axes = array<i64: 1>} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>"
    axes = opt_attr_def(INTEGERS)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        if self.axes is None:
            if not all(isinstance(size, int) for size in x.shape):
                raise ValueError("axes must say which axes go where a size is unknown")
            return (TensorInfo(tuple(size for size in x.shape if size != 1), x.dtype),)
        return (_squeezed(x, integers(self.axes)),)

    def dropping(self, axes: Sequence[int]) -> Mapping[str, Attribute]:
        return {"axes": DenseArrayBase.from_list(i64, list(axes))}

    def dropped_axes(self) -> tuple[int, ...]:
        shape = self.operand_type().shape
        if self.axes is None:
            return tuple(axis for axis, size in enumerate(shape) if size == 1)
        return distinct_axes(integers(self.axes), len(shape))

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        x, known = operands[0], PartialAttributes(attributes, values)
        axes = known.numbers("axes")
        if axes is None:
            return (TensorInfo((None,) * (len(x.shape) - len(known.sizes("axes"))), x.dtype),)
        return (_squeezed(x, axes),)


def _squeezed(x: TensorInfo, stated: Sequence[int]) -> TensorInfo:
    axes = distinct_axes(stated, len(x.shape))
    for axis in axes:
        size = x.shape[axis]
        if isinstance(size, int) and size != 1:
            raise ValueError(f"axis {axis} has size {size}, it must be 1")
    return TensorInfo(tuple(size for axis, size in enumerate(x.shape) if axis not in axes), x.dtype)


@irdl_op_definition
class UnsqueezeOp(ReshapeBase):
    """x with axes of size 1 added: those that `axes` names among the result's.

    Negative axes count from the end of the result. ONNX Unsqueeze.
    """

    name = "dnn.unsqueeze"
    EXAMPLE: ClassVar = "{axes = array<i64: 0, -1>} : (tensor<2x3xf32>) -> tensor<1x2x3x1xf32>"
    axes = attr_def(INTEGERS)

    def adding(self, axes: Sequence[int]) -> Mapping[str, Attribute]:
        return {"axes": DenseArrayBase.from_list(i64, list(axes))}

    def added_axes(self) -> tuple[int, ...]:
        return distinct_axes(integers(self.axes), len(self.result_type().shape))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return (_unsqueezed(operands[0], integers(self.axes)),)

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        x, known = operands[0], PartialAttributes(attributes, values)
        axes = known.numbers("axes")
        if axes is None:
            return (TensorInfo((None,) * (len(x.shape) + len(known.sizes("axes"))), x.dtype),)
        return (_unsqueezed(x, axes),)


def _unsqueezed(x: TensorInfo, stated: Sequence[int]) -> TensorInfo:
    axes = distinct_axes(stated, len(x.shape) + len(stated))
    sizes = iter(x.shape)
    shape = tuple(1 if axis in axes else next(sizes) for axis in range(len(x.shape) + len(stated)))
    return TensorInfo(shape, x.dtype)
