"""Ops whose results are bytes of their operand under another shape: they run nothing, unless they must be copies.

The backward op of every view reads nothing: gradients are viewed, or scattered, the same way. That holds for `identity`
too, so a view is never a reason to keep what was before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, var_result_def

from lastuse.dialect.dnn import unknown_shapes
from lastuse.dialect.dnn.attributes import INTEGER, INTEGERS, axis_of, integer, integers
from lastuse.dialect.dnn.axis_orders import order_of
from lastuse.dialect.dnn.base import Array, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.contents import MovesElementsBase
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.partial_attributes import PartialAttributes
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, broadcast, product, quotient, static_shape
from lastuse.dialect.storage import layout
from lastuse.dialect.storage.contract import ALL_ENGINES, Contract, View
from lastuse.dialect.storage.layout import Strided


def contract_of_views(*views: View) -> Contract:
    """Of an op that is nothing but views, on any engine."""
    return Contract(views=views, strided=True, backward=READS_NOTHING, engines=ALL_ENGINES)


class ReshapeBase(MovesElementsBase, OneOperandBase, KernelOnlyBase, DifferentiableBase):
    """y is x, element by element in the same order, under another shape."""

    def storage(self) -> Contract:
        return contract_of_views(View(0, 0, self._map, whole=True))

    def is_rowwise(self) -> bool:
        return True

    def _map(self, m: Strided) -> Strided | None:
        stated = self.result_type().shape
        (inferred,) = self.infer([TensorInfo(m.sizes, self.operand_type().dtype)])
        sizes = [d if s is None else s for s, d in zip(stated, inferred.shape, strict=True)]
        numbers = [d for d in sizes if isinstance(d, int)]
        return layout.reshape(m, numbers) if len(numbers) == len(sizes) else None

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x,), (y,) = operands, results
        if y.flags.c_contiguous:
            np.copyto(y.reshape(x.shape), x)
        else:
            np.copyto(y, x.reshape(y.shape))

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.reshaped(dy, self.x),)


@irdl_op_definition
class ReshapeOp(ReshapeBase):
    """The same elements in the same order under the result's shape.

    `shape`, if given, says the sizes as ONNX does: 0 is x's size of that axis, or 0 with `allowzero`; -1 (once) what
    is left. Without it the result type says them; a single `?` there is what is left. ONNX Reshape.
    """

    name = "dnn.reshape"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>) -> tensor<6xf32>"
    shape = opt_attr_def(INTEGERS)
    allowzero = opt_attr_def(INTEGER)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        stated: Sequence[Dim | None] = self.result_type().shape
        if self.shape is not None:
            stated = self._stated(integers(self.shape), x)
        open_axes = [axis for axis, d in enumerate(stated) if d is None]
        fixed = product(d for d in stated if d is not None)
        left = quotient(x.elements, fixed) if len(open_axes) == 1 else None
        if isinstance(x.elements, int) and isinstance(fixed, int):
            if not open_axes and x.elements != fixed:
                raise ValueError(f"{x.elements} elements do not fill a shape of {fixed}")
            if len(open_axes) == 1 and left is None:
                if fixed:
                    raise ValueError(f"{x.elements} elements cannot be cut into pieces of {fixed}")
                left = 0
        return (TensorInfo(tuple(left if d is None else d for d in stated), x.dtype),)

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        stated = PartialAttributes(attributes, values).sizes("shape")
        literal = bool(integer(attributes.get("allowzero"), 0))
        return (TensorInfo(unknown_shapes.reshaped(operands[0].shape, stated, literal), operands[0].dtype),)

    @classmethod
    def dynamic_attributes(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> Mapping[str, Attribute] | None:
        stated = PartialAttributes(attributes, values).sizes("shape")
        literal = bool(integer(attributes.get("allowzero"), 0)) and 0 in stated
        numbers = unknown_shapes.reshape_attribute(operands[0].shape, stated, literal)
        if numbers is None:
            return None
        shape = {"shape": DenseArrayBase.from_list(i64, numbers)}
        return {**shape, "allowzero": BoolAttr.from_bool(literal)} if "allowzero" in attributes else shape

    def _stated(self, numbers: Sequence[int], x: TensorInfo) -> list[Dim | None]:
        if numbers.count(-1) > 1 or any(n < -1 for n in numbers):
            raise ValueError("shape holds sizes, 0 for x's, and -1 at most once")
        if integer(self.allowzero, 0):
            if 0 in numbers and -1 in numbers:
                raise ValueError("shape holds 0 and -1: with allowzero nothing says what is left")
            return [None if n < 0 else n for n in numbers]
        if any(n == 0 and axis >= len(x.shape) for axis, n in enumerate(numbers)):
            raise ValueError("a 0 in shape stands where x has no axis")
        return [x.shape[axis] if n == 0 else None if n < 0 else n for axis, n in enumerate(numbers)]


@irdl_op_definition
class FlattenOp(ReshapeBase):
    """The axes before `axis` as one, the others as a second.

    `axis`: default 1, negative from the end. ONNX Flatten.
    """

    name = "dnn.flatten"
    EXAMPLE: ClassVar = "{axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x12xf32>"
    axis = opt_attr_def(INTEGER)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        shape = operands[0].known
        axis = integer(self.axis, 1)
        cut = axis if axis == len(shape) else axis_of(axis, len(shape))
        return (TensorInfo((product(shape[:cut]), product(shape[cut:])), operands[0].dtype),)


@irdl_op_definition
class IdentityOp(ReshapeBase):
    """x. Its backward op reads nothing: the gradient is passed on. ONNX Identity."""

    name = "dnn.identity"


@irdl_op_definition
class MultioutOp(MovesElementsBase):
    """x several times: one result for each reader.

    One result or more, all of x's type. nntrainer's multiout.
    """

    name = "dnn.multiout"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)"
    x = operand_def(TensorType)
    ys = var_result_def(TensorType)

    def storage(self) -> Contract:
        return contract_of_views(*(View(r, 0, layout.identical, whole=True) for r in range(len(self.ys))))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if not self.ys:
            raise ValueError("needs at least one result")
        return (operands[0],) * len(self.ys)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        return (operands[0],) * len(self.ys)

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        known = [dy for dy in results if dy is not None]
        return (builder.emit("sum", *known) if len(known) > 1 else known[0],)


@irdl_op_definition
class ExpandOp(MovesElementsBase, OneOperandBase, DifferentiableBase):
    """x broadcast to the result's shape, as in numpy.

    Sizes of 1 are repeated, and axes added in front; a `?` of the result stands for x's size of that axis. `shape`, if
    given, says the shape that x is broadcast with: a 1 there leaves x's size. The result is never written through where
    an element is repeated. ONNX Expand, PyTorch expand.
    """

    name = "dnn.expand"
    EXAMPLE: ClassVar = ": (tensor<3x1xf32>) -> tensor<2x3x4xf32>"
    shape = opt_attr_def(INTEGERS)

    def storage(self) -> Contract:
        have, want = static_shape(self.x.type), static_shape(self.y.type)
        padded = (1,) * (len(want) - len(have)) + have
        once = all(a == b or b == 1 for a, b in zip(padded, want, strict=True))
        return contract_of_views(View(0, 0, self._map, whole=once, injective=once))

    def _map(self, m: Strided) -> Strided | None:
        (inferred,) = self.infer([TensorInfo(m.sizes, self.operand_type().dtype)])
        numbers = [d for d in inferred.shape if isinstance(d, int)]
        return layout.expanded(numbers)(m) if len(numbers) == len(inferred.shape) else None

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        if self.shape is not None:
            return (TensorInfo(_broadcast_with(x.shape, integers(self.shape)), x.dtype),)
        stated = self.result_type().shape
        added = len(stated) - len(x.shape)
        if added < 0:
            raise ValueError(f"{len(x.shape)} axes do not expand to {len(stated)}")
        sizes: list[Dim | None] = list(stated[:added])
        for have, want in zip(x.shape, stated[added:], strict=True):
            if isinstance(have, int) and isinstance(want, int) and have not in (want, 1):
                raise ValueError(f"size {have} does not expand to {want}")
            sizes.append(have if want is None else want)
        return (TensorInfo(tuple(sizes), x.dtype),)

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        stated = PartialAttributes(attributes, values).sizes("shape")
        return (TensorInfo(unknown_shapes.expanded(operands[0].shape, stated), operands[0].dtype),)

    @classmethod
    def dynamic_attributes(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> Mapping[str, Attribute] | None:
        stated = PartialAttributes(attributes, values).sizes("shape")
        numbers = unknown_shapes.expand_attribute(operands[0].shape, stated)
        return None if numbers is None else {"shape": DenseArrayBase.from_list(i64, numbers)}

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        return (np.broadcast_to(operands[0], self.result_shape(operands)),)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return (builder.summed_to(dy, self.x),)


def _broadcast_with(sizes: Sequence[Dim | None], shape: Sequence[int]) -> tuple[Dim | None, ...]:
    """The numpy broadcast of a shape with one of numbers."""
    if min(shape, default=0) < 0:
        raise ValueError(f"shape {list(shape)} has a negative size")
    rank = max(len(sizes), len(shape))
    pairs = zip((1,) * (rank - len(sizes)) + tuple(sizes), (1,) * (rank - len(shape)) + tuple(shape), strict=True)
    return tuple(
        have if have is None and want == 1 else want if have is None else broadcast((have,), (want,))[0]
        for have, want in pairs
    )


@irdl_op_definition
class TransposeOp(MovesElementsBase, OneOperandBase, DifferentiableBase):
    """x with its axes in another order: axis i of the result is axis perm[i] of x.

    `perm`: default all axes turned round. ONNX Transpose.
    """

    name = "dnn.transpose"
    EXAMPLE: ClassVar = "{perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>"
    perm = opt_attr_def(INTEGERS)

    def order(self, rank: int) -> tuple[int, ...]:
        """The axes of x, in the order of the result's; raises ValueError where that is no order of them."""
        return tuple(reversed(range(rank))) if self.perm is None else order_of(self.perm, rank)

    def permutation(self) -> Sequence[int] | None:
        return self.order(len(self.operand_type().shape))

    def storage(self) -> Contract:
        shape = static_shape(self.x.type)
        order = self.order(len(shape))
        moved = [axis for axis in order if shape[axis] != 1]
        return contract_of_views(View(0, 0, layout.permuted(order), whole=moved == sorted(moved)))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        return (TensorInfo(tuple(x.shape[p] for p in self.order(len(x.shape))), x.dtype),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        return (operands[0].transpose(self.order(operands[0].ndim)),)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        order = self.order(len(builder.shape(self.x)))
        return (builder.emit("transpose", dy, perm=[order.index(axis) for axis in range(len(order))]),)
