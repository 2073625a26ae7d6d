"""Losses: one number of all elements. Gradients make anew what they need of them; no intermediate is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import base, irdl_op_definition, operand_def, opt_attr_def, result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    AxisBase,
    agreed_shape,
    integer,
    is_float,
    need_float,
    need_same_dtype,
    word,
)
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.blocked_kernels import slabs
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.gathers import check_indices, need_indices
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeF32Base
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Backward, Contract


class LossBase(NativeF32Base, KernelOnlyBase):
    """`reduction`: `mean` (default) or `sum` of what each row, or each element, contributes. Sums are in f64."""

    reduction = opt_attr_def(base(StringAttr))

    def takes_mean(self) -> bool:
        """Whether the sum is divided; raises ValueError where the attribute says neither."""
        reduction = word(self.reduction, "mean")
        if reduction not in ("mean", "sum"):
            raise ValueError(f"reduction is '{reduction}', it must be mean or sum")
        return reduction == "mean"

    def native_numbers(self) -> Sequence[float]:
        return [self.takes_mean()]

    def divided(self, total: float, count: int) -> float:
        """The loss, of a sum over `count` contributions; NaN is the mean of none."""
        if not self.takes_mean():
            return total
        return total / count if count else np.nan


class ClassLossBase(LossBase, AxisBase):
    """Rows of one element for each class, along `axis`, and the labels of the rows: numbers of classes, in the shape of
    the others axes, or distributions, in the shape and type of the rows. Rows with the label `ignore_index` do not
    count."""

    DEFAULT_AXIS: ClassVar[int] = -1
    ignore_index = opt_attr_def(INTEGER)

    def need_labels(self, x: TensorInfo, labels: TensorInfo) -> None:
        """Raises ValueError where the labels do not fit the rows."""
        need_float(x)
        axis = self.axis_index(len(x.shape))
        self.takes_mean()
        if abs(integer(self.ignore_index, 0)) > 1 << 53:
            raise ValueError("ignore_index must be from -2^53 to 2^53")
        if is_float(labels.dtype):
            need_same_dtype(x, labels)
            agreed_shape("rows and their distributions", x.shape, labels.shape)
            if self.ignore_index is not None:
                raise ValueError("distributions have no ignore_index")
        else:
            need_indices(labels)
            agreed_shape("labels and the rows", labels.shape, (*x.shape[:axis], *x.shape[axis + 1 :]))

    def native_numbers(self) -> Sequence[float]:
        axis, ignored = self.axis_index(len(self.operand_type().shape)), integer(self.ignore_index, 0)
        return [axis, *super().native_numbers(), self.ignore_index is not None, ignored]

    def gradient_of_rows(self, kind: str, dy: SSAValue, builder: GradientBuilder) -> SSAValue:
        """That of the first operand, by the op `dnn.<kind>`, which has the attributes of this one."""
        x, labels = self.operands[:2]
        axis, reduction = self.axis, self.reduction
        return builder.emit(kind, x, labels, dy, axis=axis, reduction=reduction, ignore_index=self.ignore_index)

    def has_distributions(self) -> bool:
        """Whether the labels are distributions."""
        return is_float(self.operand_type(1).dtype)

    def kept(self, labels: Array) -> Array:
        """Which rows count, of labels that are numbers."""
        ignored = integer(self.ignore_index, 0)
        return np.full(labels.shape, True) if self.ignore_index is None else labels != ignored

    def at_labels(self, rows: Array, labels: Array) -> tuple[Array, Array]:
        """Which rows count, and the element of each row at its label; the classes are the last axis, which stays."""
        kept = self.kept(labels)
        return kept[..., None], np.take_along_axis(rows, np.where(kept, labels, 0)[..., None], -1)

    def count(self, x: Array, labels: Array) -> int:
        """How many rows count.

        Raises:
            IndicesError: the label of one is no class.
        """
        classes = x.shape[self.axis_index(x.ndim)]
        if self.has_distributions():
            return x.size // classes if classes else 0
        kept = self.kept(labels)
        check_indices(self, labels[kept], classes, from_end=False)
        return int(np.count_nonzero(kept))

    def row_blocks(self, x: Array, labels: Array, *others: Array) -> Iterator[tuple[Array, ...]]:
        """Blocks of whole rows, the classes along the last axis, in f32 or f64; their labels, as these are; and blocks
        of other arrays of x's shape."""
        axis = self.axis_index(x.ndim)
        rows, *targets = (np.moveaxis(a, axis, -1) for a in (x, *others))
        marks = np.moveaxis(labels, axis, -1) if self.has_distributions() else labels
        if not x.size:
            return
        with np.errstate(all="ignore"):
            for slab in slabs(rows.shape, (x.ndim - 1,)):
                block = rows[slab].astype(np.promote_types(x.dtype, np.float32), copy=False)
                yield block, marks[slab if self.has_distributions() else slab[:-1]], *(t[slab] for t in targets)


def log_sum_exp(x: Array) -> Array:
    """The logarithm of the sum of exponentials along the last axis, which stays."""
    largest = x.max(-1, keepdims=True)
    return largest + np.log(np.exp(x - largest).sum(-1, keepdims=True))


@irdl_op_definition
class SoftmaxCrossEntropyOp(ClassLossBase, DifferentiableBase):
    """The mean of -log softmax(x) at the labels: of each row the element of its class, or of all classes as its
    distribution weighs them.

    Operands: logits, floating-point; labels, i32 or i64 in the shape of the logits without `axis`, or distributions in
    their shape and type. `axis`: that of the classes, default -1. `reduction`: `mean` (default) over the rows that
    count, or `sum`. `ignore_index`: rows with this label do not count. A label that is no class raises `IndicesError`
    at run time. PyTorch cross_entropy.
    """

    name = "dnn.softmax_cross_entropy"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<2xi64>) -> tensor<f32>"
    logits = operand_def(TensorType)
    labels = operand_def(TensorType)
    loss = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract(backward=Backward(operands=frozenset({0, 1})), engines=self.kernel_engines())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        self.need_labels(*operands)
        return (TensorInfo((), operands[0].dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x, labels = operands
        count, total = self.count(x, labels), 0.0
        for rows, marks in self.row_blocks(x, labels):
            if self.has_distributions():
                terms = (log_sum_exp(rows) - rows) * marks
            else:
                kept, labelled = self.at_labels(rows, marks)
                terms = np.where(kept, log_sum_exp(rows) - labelled, 0)
            total += float(terms.sum(dtype=np.float64))
        results[0][...] = self.divided(total, count)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        dx = self.gradient_of_rows("softmax_cross_entropy_grad", dy, builder)
        if not self.has_distributions():
            return dx, None
        rows = 1
        if self.takes_mean():
            shape = builder.known_shape(self.logits)
            rows = prod(shape) // max(shape[self.axis_index(len(shape))], 1)
        logs = builder.emit("log_softmax", self.logits, axis=self.axis)
        return dx, builder.emit("mul", logs, builder.scaled(dy, -1 / max(rows, 1)))


@irdl_op_definition
class NllOp(ClassLossBase, DifferentiableBase):
    """The mean of -x at the labels, of rows x of logarithms of probabilities.

    Operands: x, floating-point; labels, i32 or i64 in the shape of x without `axis`. `axis`: that of the classes,
    default -1. `reduction`: `mean` (default) over the rows that count, or `sum`. `ignore_index`: rows with this label
    do not count. A label that is no class raises `IndicesError` at run time. PyTorch nll_loss.
    """

    name = "dnn.nll"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<2xi64>) -> tensor<f32>"
    x = operand_def(TensorType)
    labels = operand_def(TensorType)
    loss = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract(backward=Backward(operands=frozenset({1})), engines=self.kernel_engines())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_indices(operands[1])
        self.need_labels(*operands)
        return (TensorInfo((), operands[0].dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x, labels = operands
        count, total = self.count(x, labels), 0.0
        for rows, marks in self.row_blocks(x, labels):
            total -= float(np.where(*self.at_labels(rows, marks), 0).sum(dtype=np.float64))
        results[0][...] = self.divided(total, count)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        return self.gradient_of_rows("nll_grad", dy, builder), None


@irdl_op_definition
class MseOp(LossBase, DifferentiableBase):
    """The mean of (a - b)^2.

    Operands of one shape and floating-point type. `reduction`: `mean` (default) or `sum`. PyTorch mse_loss.
    """

    name = "dnn.mse"
    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<f32>"
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    loss = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract(backward=Backward(operands=frozenset({0, 1})), engines=self.kernel_engines())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_same_dtype(*operands)
        need_float(operands[0])
        self.takes_mean()
        agreed_shape("a and b", operands[0].shape, operands[1].shape)
        return (TensorInfo((), operands[0].dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        a, b = operands
        total, wide = 0.0, np.promote_types(a.dtype, np.float32)
        with np.errstate(all="ignore"):
            for slab in slabs(a.shape, ()):
                total += float(np.square(a[slab].astype(wide) - b[slab].astype(wide)).sum(dtype=np.float64))
        results[0][...] = self.divided(total, a.size)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        count = max(prod(builder.known_shape(self.a)), 1) if self.takes_mean() else 1
        da = builder.emit("mul", builder.emit("sub", self.a, self.b), builder.scaled(dy, 2 / count))
        return da, builder.emit("neg", da)
