"""Slices of fixed sizes at offsets that operands hold: StableHLO's `dynamic_slice` and `dynamic_update_slice`.

Each axis has a start, a tensor without axes. It is clamped so that the slice lies inside: start s along an axis of n
elements, for a slice of m, is max(0, min(s, n - m)).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, result_def, var_operand_def

from lastuse.dialect.dnn.attributes import INTEGERS, integers, need_same_dtype
from lastuse.dialect.dnn.base import Array, DnnOp, KernelOnlyBase
from lastuse.dialect.dnn.contents import MovesElementsBase
from lastuse.dialect.dnn.data_movement import SliceScatterOp
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.part_views import SliceOp
from lastuse.dialect.ir.diagnostics import inherit
from lastuse.dialect.ir.interfaces import HasTensorForm
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, numpy_dtype, static_shape
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import ENGINE, Backward, Contract, InPlace


def clamped(starts: Sequence[int], sizes: Sequence[int], part: Sequence[int]) -> tuple[int, ...]:
    """The first element of a slice of `part` elements along each axis of `sizes`, which lies inside."""
    return tuple(max(0, min(s, n - m)) for s, n, m in zip(starts, sizes, part, strict=True))


def decided_as(made: Operation, op: Operation, operands: Mapping[int, int]) -> Operation:
    """`made`, with the names and decisions of `op`; `operands` are the operands of `made` by those of `op`."""
    inherit(made, op)
    made.attributes.update({name: value for name, value in op.attributes.items() if "." in name and name != ENGINE})
    numbers = attrs.entries(op, attrs.INPLACE)
    attrs.set_entries(made, attrs.INPLACE, [operands.get(k, -1) for k in numbers])
    for new, old in zip(made.results, op.results, strict=True):
        new.name_hint = old.name_hint
    return made


class DynamicSliceBase(NativeBase, MovesElementsBase, KernelOnlyBase, DifferentiableBase, HasTensorForm):
    """An op on a part of its first operand, at starts that its last operands hold."""

    SOURCES: ClassVar[int]
    """How many operands are before the starts."""

    def moves(self, operand: int) -> bool:
        return operand < self.SOURCES

    def start_values(self) -> Sequence[SSAValue]:
        return self.operands[self.SOURCES :]

    def reads_starts(self) -> Backward:
        """What the gradient reads."""
        return Backward(operands=frozenset(range(self.SOURCES, len(self.operands))))

    def starts_of(self, operands: Sequence[Array]) -> list[int]:
        """The starts, not yet clamped."""
        return [int(start) for start in operands[self.SOURCES :]]

    def check_part(self, operands: Sequence[TensorInfo], part: Sequence[Dim | None], what: str) -> None:
        """Raises ValueError unless the operand has axes for the part, of as many elements or more, and a start each."""
        shape, starts = operands[0].shape, operands[self.SOURCES :]
        if len(part) != len(shape):
            raise ValueError(f"{what} has {len(part)} axes, the operand {len(shape)}")
        if len(starts) != len(shape):
            raise ValueError(f"there are {len(starts)} starts for {len(shape)} axes")
        if any(start.shape or numpy_dtype(start.dtype).kind not in "iu" for start in starts):
            raise ValueError("a start must be a tensor without axes, of integers")
        need_same_dtype(*starts)
        for axis, (size, count) in enumerate(zip(shape, part, strict=True)):
            if isinstance(count, int) and count < 0:
                raise ValueError(f"{what} has a size of {count}")
            if isinstance(size, int) and isinstance(count, int) and count > size:
                raise ValueError(f"{what} has {count} elements along axis {axis}, of size {size}")

    def fixed_box(
        self, part: Sequence[int | None], constant: Callable[[SSAValue], Array | None]
    ) -> dict[str, Attribute] | None:
        """The attributes of a slice of the sizes `part` at constant starts; None where something is not known."""
        starts = [constant(value) for value in self.operands[self.SOURCES :]]
        whole = static_shape(self.operands[0].type)
        known = [n for n in whole if n is not None], [n for n in part if n is not None]
        if any(start is None for start in starts) or len(known[0]) + len(known[1]) < 2 * len(whole):
            return None
        first = clamped([int(start) for start in starts if start is not None], *known)
        last = [at + count for at, count in zip(first, known[1], strict=True)]
        return {"starts": DenseArrayBase.from_list(i64, first), "ends": DenseArrayBase.from_list(i64, last)}


@irdl_op_definition
class DynamicSliceOp(DynamicSliceBase):
    """The elements of x in a box of `slice_sizes` at starts that are known when the op runs.

    Operands: x, and for each of its axes a start, a tensor without axes, all of one integer type. A start is clamped so
    that the box lies inside of x: max(0, min(start, size - slice_size)). `slice_sizes`: of each axis, at most its size.
    StableHLO dynamic_slice.
    """

    name = "dnn.dynamic_slice"
    EXAMPLE: ClassVar = (
        "{slice_sizes = array<i64: 2, 2>} : (tensor<4x3xf32>, tensor<i64>, tensor<i64>) -> tensor<2x2xf32>"
    )
    SOURCES: ClassVar = 1
    x = operand_def(TensorType)
    starts = var_operand_def(TensorType)
    y = result_def(TensorType)
    slice_sizes = attr_def(INTEGERS)

    def storage(self) -> Contract:
        return Contract(strided=True, backward=self.reads_starts(), engines=self.kernel_engines())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        sizes = integers(self.slice_sizes)
        self.check_part(operands, sizes, "slice_sizes")
        return (TensorInfo(sizes, operands[0].dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x, (y,) = operands[0], results
        first = clamped(self.starts_of(operands), x.shape, y.shape)
        np.copyto(y, x[tuple(slice(at, at + n) for at, n in zip(first, y.shape, strict=True))])

    def part_of_operand(self) -> SSAValue:
        return self.y

    def tensor_form(self, offsets: Sequence[SSAValue | int], sizes: Sequence[SSAValue | int]) -> Operation:
        from xdsl.dialects import tensor  # few programs have one

        made = tensor.ExtractSliceOp(self.x, offsets, sizes, [1] * len(sizes), self.y.type)
        return decided_as(made, self, {})

    def simplified(self, constant: Callable[[SSAValue], Array | None]) -> DnnOp | None:
        box = self.fixed_box(integers(self.slice_sizes), constant)
        return self.replacement(SliceOp, [self.x], box) if box is not None else None

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        dx = builder.emit("dynamic_update_slice", builder.zeros(self.x), dy, *self.starts)
        return dx, *[None] * len(self.starts)


@irdl_op_definition
class DynamicUpdateSliceOp(DynamicSliceBase):
    """x with update written over a box of it, at starts that are known when the op runs; in place over x.

    Operands: x, update of its element type and as many axes, of at most its sizes; for each axis a start, a tensor
    without axes, all of one integer type. A start is clamped so that the box lies inside of x: max(0, min(start, size -
    size of update)). In place over x, the op writes the box alone: a cache is appended to without a copy. StableHLO
    dynamic_update_slice.
    """

    name = "dnn.dynamic_update_slice"
    EXAMPLE: ClassVar = ": (tensor<4x3xf32>, tensor<1x3xf32>, tensor<i64>, tensor<i64>) -> tensor<4x3xf32>"
    SOURCES: ClassVar = 2
    x = operand_def(TensorType)
    update = operand_def(TensorType)
    starts = var_operand_def(TensorType)
    y = result_def(TensorType)

    def storage(self) -> Contract:
        engines = self.kernel_engines()
        return Contract((InPlace(0, 0),), strided=True, backward=self.reads_starts(), engines=engines)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, update = operands[:2]
        self.check_part(operands, update.shape, "update")
        need_same_dtype(x, update)
        return (x,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, update), (y,) = operands[:2], results
        first = clamped(self.starts_of(operands), x.shape, update.shape)
        np.copyto(y, x)
        y[tuple(slice(at, at + n) for at, n in zip(first, update.shape, strict=True))] = update

    def part_of_operand(self) -> SSAValue:
        return self.update

    def tensor_form(self, offsets: Sequence[SSAValue | int], sizes: Sequence[SSAValue | int]) -> Operation:
        from xdsl.dialects import tensor

        static = [[n if isinstance(n, int) else DYNAMIC_INDEX for n in numbers] for numbers in (offsets, sizes)]
        given = [[n for n in numbers if not isinstance(n, int)] for numbers in (offsets, sizes)]
        static.append([1] * len(sizes))
        made = tensor.InsertSliceOp.build(
            operands=[self.update, self.x, *given, []],
            result_types=[self.y.type],
            properties={
                name: DenseArrayBase.from_list(i64, numbers)
                for name, numbers in zip(("static_offsets", "static_sizes", "static_strides"), static, strict=True)
            },
        )
        return decided_as(made, self, {0: 1})

    def simplified(self, constant: Callable[[SSAValue], Array | None]) -> DnnOp | None:
        box = self.fixed_box(static_shape(self.update.type), constant)
        return self.replacement(SliceScatterOp, [self.x, self.update], box) if box is not None else None

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """Of x what was not written over; of update what it was written to."""
        dx = builder.emit("dynamic_update_slice", dy, builder.zeros(self.update), *self.starts)
        sizes = builder.known_shape(self.update)
        du = builder.emit("dynamic_slice", dy, *self.starts, slice_sizes=sizes)
        return dx, du, *[None] * len(self.starts)
