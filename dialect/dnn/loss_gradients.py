"""The gradients of losses, from their operands alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from lastuse.dialect.dnn.attributes import agreed_shape, need_same_dtype
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.gathers import need_indices
from lastuse.dialect.dnn.losses import ClassLossBase, log_sum_exp
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Contract, InPlace


class ClassLossGradBase(ClassLossBase):
    """dx, in the shape of the loss's first operand x, from x, the labels and the gradient dy of the loss, which is one
    element. 0 in rows that do not count."""

    EXAMPLE: ClassVar = ": (tensor<2x3xf32>, tensor<2xi64>, tensor<f32>) -> tensor<2x3xf32>"

    x = operand_def(TensorType)
    labels = operand_def(TensorType)
    dy = operand_def(TensorType)
    dx = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, labels, dy = operands
        self.need_labels(x, labels)
        need_same_dtype(x, dy)
        agreed_shape("dy and one element", dy.shape, ())
        return (x,)

    def share(self, x: Array, labels: Array, dy: Array) -> float:
        """What one row contributes to the loss, times dy."""
        count = self.count(x, labels)
        return float(dy) / (max(count, 1) if self.takes_mean() else 1)


@irdl_op_definition
class SoftmaxCrossEntropyGradOp(ClassLossGradBase):
    """dy * (softmax(x) - 1 at the label) over the number of rows: the gradient of softmax_cross_entropy for its logits.

    Operands: x, the logits; labels; dy, one element. Attributes as of softmax_cross_entropy. In place over the logits,
    and over labels that are distributions.
    """

    name = "dnn.softmax_cross_entropy_grad"

    def storage(self) -> Contract:
        over = (InPlace(0, 0), InPlace(0, 1)) if self.has_distributions() else (InPlace(0, 0),)
        return Contract(over, engines=self.kernel_engines())

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        x, labels, dy = operands
        share = self.share(x, labels, dy)
        for rows, marks, target in self.row_blocks(x, labels, results[0]):
            parts = np.exp(rows - log_sum_exp(rows))
            if self.has_distributions():
                target[...] = (parts * marks.sum(-1, keepdims=True, dtype=rows.dtype) - marks) * rows.dtype.type(share)
                continue
            kept = self.kept(marks)[..., None]
            classes = np.where(kept, marks[..., None], 0)
            hits = np.take_along_axis(parts, classes, -1) - rows.dtype.type(1)
            np.put_along_axis(parts, classes, hits, -1)
            target[...] = np.where(kept, parts * rows.dtype.type(share), rows.dtype.type(0))


@irdl_op_definition
class NllGradOp(ClassLossGradBase):
    """-dy over the number of rows at the labels, else 0: the gradient of nll.

    Operands: x, which gives its place alone; labels; dy, one element. Attributes as of nll. In place over x.
    """

    name = "dnn.nll_grad"

    def storage(self) -> Contract:
        return Contract((InPlace(0, 0),), metadata_only=frozenset({0}), engines=self.kernel_engines())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        need_indices(operands[1])
        return super().infer(operands)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (x, labels, dy), (dx,) = operands, results
        share = self.share(x, labels, dy)
        dx.fill(0)
        kept = self.kept(labels)
        rows = np.moveaxis(dx, self.axis_index(dx.ndim), -1)
        for at in zip(*np.nonzero(kept), strict=True) if kept.ndim else [()] * bool(kept):
            rows[(*at, int(labels[at]))] = -share
