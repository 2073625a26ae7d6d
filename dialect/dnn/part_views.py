"""Views that are a part of their operand: the inverses of the scatters of `data_movement.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition

from lastuse.dialect.dnn import unknown_shapes
from lastuse.dialect.dnn.attributes import integers, moved_axes, moved_axis
from lastuse.dialect.dnn.axis_moves import BLOCKS, MovedBlock, blocks
from lastuse.dialect.dnn.base import Array, OneOperandBase, TransposedForm
from lastuse.dialect.dnn.contents import MovesElementsBase
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.partial_attributes import PartialAttributes
from lastuse.dialect.dnn.subsets import DiagonalBase, SelectBase, SliceBase, StridedBase, SubsetBase
from lastuse.dialect.dnn.views import contract_of_views
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo, static_shape
from lastuse.dialect.storage.contract import Contract, View

_BEYOND = (1 << 62) - 1
"""Before the first element of any axis, as a negative bound."""


class SubsetViewBase(MovesElementsBase, OneOperandBase, SubsetBase, DifferentiableBase):
    """y is a part of x."""

    def storage(self) -> Contract:
        whole = self.is_whole(static_shape(self.x.type))
        return contract_of_views(View(0, 0, self.part_map, whole=whole, injective=self.is_injective()))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return (TensorInfo(self.part_shape(operands[0].known), operands[0].dtype),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        return (self.part_of(operands[0]),)

    SCATTER: ClassVar[str]
    """The op that writes such a part."""

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.emit(self.SCATTER, builder.zeros(self.x), dy, **self.attributes_of_part()),)


@irdl_op_definition
class SliceOp(NativeBase, SubsetViewBase, SliceBase):
    """Elements `start` to `end` of axis `dim`, every `step`-th.

    `dim` default 0, `start` 0, `end` the end, `step` 1. Negative bounds count from the end; bounds beyond the axis are
    brought into it. PyTorch slice. Or of several axes at once: `starts`, `ends`, `axes` (default the first ones),
    `steps` (default 1). With a negative step the elements come in reverse order, and the result is a copy. ONNX Slice.
    """

    name = "dnn.slice"
    SCATTER: ClassVar = "slice_scatter"
    EXAMPLE: ClassVar = "{dim = 1 : i64, start = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x2xf32>"

    def storage(self) -> Contract:
        if self.is_reversed():
            return Contract(strided=True, backward=READS_NOTHING, engines=self.kernel_engines())
        return super().storage()

    def takes_native(self) -> bool:
        return self.is_reversed()

    def native_name(self) -> str:
        return BLOCKS

    def native_numbers(self) -> Sequence[float]:
        sizes = [size or 0 for size in static_shape(self.x.type)]
        starts, cut = [0] * len(sizes), [MovedBlock(size, axis, 1, axis, 1) for axis, size in enumerate(sizes)]
        for of in self.cuts(len(sizes)):
            starts[of.axis], count = of.bounds(sizes[of.axis])
            cut[of.axis] = MovedBlock(count, of.axis, of.step, of.axis, 1)
        return blocks(starts, cut)

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        if self.starts is None:
            return TransposedForm({**self.attributes, "dim": moved_axis(self.dim, 0, perm)}, frozenset({0}))
        axes = range(len(integers(self.starts))) if self.axes is None else integers(self.axes)
        return TransposedForm({**self.attributes, "axes": moved_axes(axes, perm)}, frozenset({0}))

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        sizes = unknown_shapes.sliced(operands[0].shape, PartialAttributes(attributes, values))
        return (TensorInfo(sizes, operands[0].dtype),)

    @classmethod
    def dynamic_attributes(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> Mapping[str, Attribute] | None:
        known = PartialAttributes(attributes, values)
        lists = {name: known.numbers(name) for name in values if name != "ends"}
        if "ends" in values:
            lists["ends"] = unknown_shapes.slice_ends(operands[0].shape, known)
        chosen = {name: numbers for name, numbers in lists.items() if numbers is not None}
        if len(chosen) < len(lists):
            return None
        return {name: DenseArrayBase.from_list(i64, numbers) for name, numbers in chosen.items()}

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """Axes that are cut with negative steps are turned round first: a scatter has none."""
        if not self.is_reversed():
            return super().differentiate(dy, builder)
        shape = builder.known_shape(self.x)
        cuts = self.cuts(len(shape))
        turned = [cut.axis for cut in cuts if cut.step < 0]
        ends = [-_BEYOND] * len(turned)
        dy = builder.emit("slice", dy, axes=turned, starts=[-1] * len(turned), ends=ends, steps=[-1] * len(turned))
        bounds = [cut.bounds(shape[cut.axis]) for cut in cuts]
        firsts = [
            start + min(0, cut.step) * max(0, count - 1) for cut, (start, count) in zip(cuts, bounds, strict=True)
        ]
        steps = [abs(cut.step) for cut in cuts]
        counts = [count for _, count in bounds]
        ends = [first + count * step for first, count, step in zip(firsts, counts, steps, strict=True)]
        axes, zeros = [cut.axis for cut in cuts], builder.zeros(self.x)
        return (builder.emit("slice_scatter", zeros, dy, axes=axes, starts=firsts, ends=ends, steps=steps),)


@irdl_op_definition
class SelectOp(SubsetViewBase, SelectBase):
    """Element `index` of axis `dim`; the axis goes.

    `dim`: default 0. Both may be negative. PyTorch select.
    """

    name = "dnn.select"
    SCATTER: ClassVar = "select_scatter"
    EXAMPLE: ClassVar = "{dim = 1 : i64, index = -1 : i64} : (tensor<2x3xf32>) -> tensor<2xf32>"


@irdl_op_definition
class DiagonalOp(SubsetViewBase, DiagonalBase):
    """The diagonal of two axes, as a new last axis.

    Elements (…, i, …, i + offset, …) of `dim1` and `dim2`; default the first two, `offset` 0. PyTorch diagonal.
    """

    name = "dnn.diagonal"
    SCATTER: ClassVar = "diagonal_scatter"
    EXAMPLE: ClassVar = "{offset = 1 : i64} : (tensor<3x3xf32>) -> tensor<2xf32>"


@irdl_op_definition
class AsStridedOp(SubsetViewBase, StridedBase):
    """Any strided part: element (i, j, …) is element storage_offset + i * stride[0] + j * stride[1] + … of x.

    `size`, `stride` and `storage_offset` (default 0) count elements of x, dense row-major. PyTorch as_strided.
    """

    name = "dnn.as_strided"
    SCATTER: ClassVar = "as_strided_scatter"
    EXAMPLE: ClassVar = (
        "{size = array<i64: 2, 2>, storage_offset = 1 : i64, stride = array<i64: 3, 1>} "
        ": (tensor<2x3xf32>) -> tensor<2x2xf32>"
    )

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        return (self.part_of(np.ascontiguousarray(operands[0])),)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        if not self.is_injective():
            raise LastuseError(f"{self.name} with elements that are in the part twice has no gradient", self)
        return super().differentiate(dy, builder)
