"""Ops that only move bytes: every byte of the result is a byte of an operand.

Where all sizes are known an op declares its contributions, and lowering copies only those that are not in place.
With an unknown size it is a kernel like any other: reads its operands, makes a fresh result. The backward op of a
data-movement op reads nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, var_operand_def

from lastuse.dialect.dnn.attributes import (
    AxisBase,
    agreed,
    agreed_shape,
    need_same_dtype,
)
from lastuse.dialect.dnn.base import Array, DnnOp, KernelOnlyBase, OneOperandBase, TransposedForm
from lastuse.dialect.dnn.contents import MovesElementsBase
from lastuse.dialect.dnn.differentiable import DifferentiableBase, part_of
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.subsets import DiagonalBase, SelectBase, SliceBase, StridedBase, SubsetBase
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, static_shape
from lastuse.dialect.storage import layout
from lastuse.dialect.storage.contract import ALL_ENGINES, Contract, Contribution, InPlace
from lastuse.dialect.storage.layout import LayoutMap

_KERNEL = Contract(strided=True, backward=READS_NOTHING, engines=ALL_ENGINES)


def _sizes_known(op: DnnOp) -> bool:
    return not any(None in static_shape(v.type) for v in (*op.operands, *op.results))


def _parts_in_place(parts: Sequence[LayoutMap]) -> tuple[Contribution, ...]:
    """Contributions of the operands, each of which may be computed in its part of the result."""
    return tuple(Contribution(k, part, may_be_produced_in_place=True) for k, part in enumerate(parts))


class ScatterBase(MovesElementsBase, SubsetBase, KernelOnlyBase, DifferentiableBase):
    """y is base, with source in the part that the attributes name; base's bytes there are not read."""

    VIEW: ClassVar[str]
    """The op whose result is such a part."""

    base = operand_def(TensorType)
    source = operand_def(TensorType)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        if not _sizes_known(self):
            return _KERNEL
        return _KERNEL._replace(
            over=(InPlace(0, 0),),
            contributions=(Contribution(0, self.part_map, complement=True), Contribution(1, self.part_map)),
        )

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        base, source = operands
        need_same_dtype(base, source)
        agreed_shape("the part and the source", self.part_shape(base.known), source.shape)
        if not self.is_injective():
            raise ValueError("elements of the part overlap")
        return (base,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (base, source), (y,) = operands, results
        np.copyto(y, base)
        self.part_of(y)[...] = source

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        part = self.attributes_of_part()
        base = builder.emit(self.name.removeprefix("dnn."), dy, builder.zeros(self.source), **part)
        return base, builder.emit(self.VIEW, dy, **part)


@irdl_op_definition
class SliceScatterOp(ScatterBase, SliceBase):
    """base with source as its slice: the inverse of `slice`, with the same attributes.

    No step may be negative. PyTorch slice_scatter.
    """

    name = "dnn.slice_scatter"
    VIEW: ClassVar = "slice"
    EXAMPLE: ClassVar = "{dim = 1 : i64, start = 1 : i64} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>"

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if self.is_reversed():
            raise ValueError("no step may be negative")
        return super().infer(operands)


@irdl_op_definition
class SelectScatterOp(ScatterBase, SelectBase):
    """base with source as one element of an axis: the inverse of `select`, with the same attributes. PyTorch
    select_scatter."""

    name = "dnn.select_scatter"
    VIEW: ClassVar = "select"
    EXAMPLE: ClassVar = "{dim = 1 : i64, index = -1 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>"


@irdl_op_definition
class DiagonalScatterOp(ScatterBase, DiagonalBase):
    """base with source as its diagonal: the inverse of `diagonal`, with the same attributes. PyTorch
    diagonal_scatter."""

    name = "dnn.diagonal_scatter"
    VIEW: ClassVar = "diagonal"
    EXAMPLE: ClassVar = "{offset = 1 : i64} : (tensor<3x3xf32>, tensor<2xf32>) -> tensor<3x3xf32>"


@irdl_op_definition
class AsStridedScatterOp(ScatterBase, StridedBase):
    """base with source as a strided part: the inverse of `as_strided`, with the same attributes.

    No element may be in the part twice. PyTorch as_strided_scatter.
    """

    name = "dnn.as_strided_scatter"
    VIEW: ClassVar = "as_strided"
    EXAMPLE: ClassVar = (
        "{size = array<i64: 2>, stride = array<i64: 3>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>"
    )

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        if results[0].flags.c_contiguous:
            super().kernel(operands, results, scratch)
        else:  # strides count in the dense value
            np.copyto(results[0], self.reference(*operands)[0])


class ConcatBase(MovesElementsBase, AxisBase, KernelOnlyBase):
    """y is made of all operands, side by side; each may be computed in its part of y beforehand."""

    inputs = var_operand_def(TensorType)
    y = result_def(TensorType)

    def _checked(self, operands: Sequence[TensorInfo]) -> int:
        """The number of axes of all; raises ValueError where they do not fit."""
        if not operands:
            raise ValueError("needs at least one operand")
        need_same_dtype(*operands)
        ranks = {len(t.shape) for t in operands}
        if len(ranks) > 1:
            raise ValueError(f"operands have different numbers of axes, {sorted(ranks)}")
        return ranks.pop()


@irdl_op_definition
class ConcatOp(ConcatBase, DifferentiableBase):
    """The operands one after the other along `axis`.

    `axis`: default 0, may be negative. One operand or more, of one element type, equal sizes on all other axes. ONNX
    Concat.
    """

    name = "dnn.concat"
    EXAMPLE: ClassVar = "{axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>"

    def is_rowwise(self) -> bool:
        return self.axis_index(len(self.result_type().shape)) > 0

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        return self.with_moved_axis(perm)

    def storage(self) -> Contract:
        if not _sizes_known(self):
            return _KERNEL
        shapes = [static_shape(v.type) for v in self.inputs]
        axis = self.axis_index(len(shapes[0]))
        sizes = [shape[axis] or 0 for shape in shapes]
        parts = [layout.sliced(axis, sum(sizes[:k]), size, 1) for k, size in enumerate(sizes)]
        return _KERNEL._replace(contributions=_parts_in_place(parts))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        rank = self._checked(operands)
        axis = self.axis_index(rank)
        total: Dim = 0
        sizes: tuple[Dim | None, ...] = operands[0].known
        for operand in operands:
            shape = operand.known
            total = total + shape[axis]
            pairs = enumerate(zip(sizes, shape, strict=True))
            sizes = tuple(a if k == axis else agreed(a, b, f"axis {k}") for k, (a, b) in pairs)
        return (TensorInfo((*sizes[:axis], total, *sizes[axis + 1 :]), operands[0].dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        np.concatenate(operands, self.axis_index(operands[0].ndim), out=results[0])

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        axis = self.axis_index(len(builder.shape(dy)))
        ends = list(accumulate(builder.known_size(operand, axis) for operand in self.inputs))
        return tuple(part_of(dy, axis, start, end, builder) for start, end in zip([0, *ends], ends, strict=False))


@irdl_op_definition
class StackOp(ConcatBase, DifferentiableBase):
    """The operands one after the other along a new axis.

    `axis`: where the new axis stands in the result, default 0, may be negative. One operand or more, of one shape and
    element type. PyTorch stack, ONNX ConcatFromSequence with new_axis.
    """

    name = "dnn.stack"
    EXAMPLE: ClassVar = "{axis = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"

    def axis_index(self, rank: int) -> int:
        return super().axis_index(rank + 1)

    def storage(self) -> Contract:
        if not _sizes_known(self):
            return _KERNEL
        axis = self.axis_index(len(static_shape(self.inputs[0].type)))
        parts = [layout.selected(axis, k) for k in range(len(self.inputs))]
        return _KERNEL._replace(contributions=_parts_in_place(parts))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        axis = self.axis_index(self._checked(operands))
        shape = agreed_shape("operands", *(operand.shape for operand in operands))
        return (TensorInfo((*shape[:axis], len(operands), *shape[axis:]), operands[0].dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        np.stack(operands, self.axis_index(operands[0].ndim), out=results[0])

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        axis = self.axis_index(len(builder.shape(self.inputs[0])))
        return tuple(builder.emit("select", dy, dim=axis, index=place) for place in range(len(self.inputs)))


@irdl_op_definition
class CopyOp(MovesElementsBase, OneOperandBase, KernelOnlyBase, DifferentiableBase):
    """x in fresh memory. PyTorch clone."""

    name = "dnn.copy"

    def storage(self) -> Contract:
        return _KERNEL._replace(contributions=(Contribution(0, layout.identical),)) if _sizes_known(self) else _KERNEL

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        np.copyto(results[0], operands[0])

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (dy,)


@irdl_op_definition
class CopyIntoOp(KernelOnlyBase, DifferentiableBase):
    """src, in the memory of dst where that may be written.

    dst gives its place alone: its bytes are not read. Both have one shape and element type. PyTorch copy_.
    """

    name = "dnn.copy_into"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"
    dst = operand_def(TensorType)
    src = operand_def(TensorType)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        over = _KERNEL._replace(over=(InPlace(0, 0),), metadata_only=frozenset({0}))
        return over._replace(contributions=(Contribution(1, layout.identical),)) if _sizes_known(self) else over

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        dst, src = operands
        need_same_dtype(dst, src)
        return (TensorInfo(agreed_shape("dst and src", dst.shape, src.shape), dst.dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        np.copyto(results[0], operands[1])

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return None, dy
