"""Ops that name several pieces of their operand at once: each result is bytes of it, as of any view."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, var_result_def

from lastuse.dialect.dnn.attributes import INTEGER, INTEGERS, AxisBase, axis_of, integer, integers
from lastuse.dialect.dnn.base import Array, TransposedForm
from lastuse.dialect.dnn.contents import MovesElementsBase
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.partial_attributes import PartialAttributes
from lastuse.dialect.dnn.views import contract_of_views
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, quotient
from lastuse.dialect.storage import layout
from lastuse.dialect.storage.contract import Contract, View
from lastuse.dialect.storage.layout import LayoutMap, Strided


class SplitBase(MovesElementsBase, AxisBase):
    """The results are pieces of x, one after the other along an axis."""

    x = operand_def(TensorType)
    ys = var_result_def(TensorType)

    JOIN: ClassVar[str]
    """The op that puts such pieces together."""

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        pairs = zip(results, self.ys, strict=True)
        pieces = [builder.zeros(y) if dy is None else dy for dy, y in pairs]
        return (builder.emit(self.JOIN, *pieces, axis=self.axis_index(len(builder.shape(self.x)))),)

    @abstractmethod
    def piece(self, result: int) -> LayoutMap:
        """From x's place to a result's."""

    def storage(self) -> Contract:
        return contract_of_views(*(View(r, 0, self.piece(r)) for r in range(len(self.ys))))


@irdl_op_definition
class SplitOp(SplitBase):
    """x cut into pieces along `axis`.

    Either `split_size`, the size of every piece but the last (PyTorch split), or `split`, the size of each, or
    `num_outputs`, their number (ONNX Split). `axis`: default 0.
    """

    name = "dnn.split"
    JOIN: ClassVar = "concat"
    EXAMPLE: ClassVar = (
        "{axis = 1 : i64, split_size = 2 : i64} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x1xf32>)"
    )
    split_size = opt_attr_def(INTEGER)
    split = opt_attr_def(INTEGERS)
    num_outputs = opt_attr_def(INTEGER)

    def piece_sizes(self, whole: Dim) -> tuple[Dim | None, ...]:
        """Sizes of the pieces of an axis of size `whole`."""
        stated = [a for a in (self.split_size, self.split, self.num_outputs) if a is not None]
        if len(stated) != 1:
            raise ValueError("needs one of split_size, split and num_outputs")
        count = len(self.ys)
        if self.split is not None:
            pieces = integers(self.split)
            if len(pieces) != count or min(pieces, default=0) < 0:
                raise ValueError(f"split {list(pieces)} does not fit {count} results")
            if isinstance(whole, int) and sum(pieces) != whole:
                raise ValueError(f"split {list(pieces)} does not fill an axis of size {whole}")
            return pieces
        if self.num_outputs is not None:
            outputs = integer(self.num_outputs, 1)
            if outputs != count or count < 1:
                raise ValueError(f"num_outputs is {outputs}, there are {count} results")
            if not isinstance(whole, int):
                return (quotient(whole, count),) * count
            size = -(-whole // outputs)
        else:
            size = integer(self.split_size, 1)
            if size < 1:
                raise ValueError(f"split_size must be 1 or more, not {size}")
        if not isinstance(whole, int):
            return (*(size for _ in range(count - 1)), whole - size * (count - 1))
        pieces = tuple(max(0, min(size, whole - start)) for start in (size * r for r in range(count)))
        if sum(pieces) != whole or (self.split_size is not None and count != max(1, -(-whole // size))):
            raise ValueError(f"an axis of size {whole} in pieces of {size} does not make {count} results")
        return pieces

    def piece(self, result: int) -> LayoutMap:
        def map_(m: Strided) -> Strided | None:
            axis = self.axis_index(len(m.sizes))
            sizes = [d for d in self.piece_sizes(m.sizes[axis]) if isinstance(d, int)]
            return layout.sliced(axis, sum(sizes[:result]), sizes[result], 1)(m)

        return map_

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        return self.with_moved_axis(perm)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        shape, axis = x.known, self.axis_index(len(x.shape))
        return tuple(TensorInfo((*shape[:axis], d, *shape[axis + 1 :]), x.dtype) for d in self.piece_sizes(shape[axis]))

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        x, sizes = operands[0], PartialAttributes(attributes, values).sizes("split")
        axis = axis_of(integer(attributes.get("axis"), 0), len(x.shape))
        return tuple(TensorInfo((*x.shape[:axis], size, *x.shape[axis + 1 :]), x.dtype) for size in sizes)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x = operands[0]
        axis = self.axis_index(x.ndim)
        sizes = [d for d in self.piece_sizes(x.shape[axis]) if isinstance(d, int)]
        starts = [sum(sizes[:r]) for r in range(len(sizes))]
        before = (slice(None),) * axis
        return tuple(x[(*before, slice(a, a + n))] for a, n in zip(starts, sizes, strict=True))


@irdl_op_definition
class UnbindOp(SplitBase):
    """The elements of x along `axis`, one result each; the axis goes.

    `axis`: default 0. As many results as the axis is long. PyTorch unbind.
    """

    name = "dnn.unbind"
    JOIN: ClassVar = "stack"
    EXAMPLE: ClassVar = "{axis = 0 : i64} : (tensor<2x3xf32>) -> (tensor<3xf32>, tensor<3xf32>)"

    def piece(self, result: int) -> LayoutMap:
        return lambda m: layout.selected(self.axis_index(len(m.sizes)), result)(m)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        shape = operands[0].known
        axis = self.axis_index(len(shape))
        if isinstance(shape[axis], int) and shape[axis] != len(self.ys):
            raise ValueError(f"an axis of size {shape[axis]} does not make {len(self.ys)} results")
        return (TensorInfo(shape[:axis] + shape[axis + 1 :], operands[0].dtype),) * len(self.ys)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        pieces = np.moveaxis(operands[0], self.axis_index(operands[0].ndim), 0)
        return tuple(pieces[r, ...] for r in range(len(self.ys)))
