"""The loss of a linear-chain CRF along ragged sequences, and its gradient.

Rows, offsets and transitions are those of `dnn.crf_decoding`. Both ops walk one sequence at a time, in f64 whatever the
element type is: the sums of a long sequence are as exact as those of a short one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from lastuse.dialect.dnn.attributes import agreed, need_same_dtype
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.gathers import check_indices, need_indices
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeF32Base
from lastuse.dialect.dnn.recurrent.ragged import (
    expect_dtype,
    expect_offsets,
    expect_rank,
    expect_shape,
    known_sizes,
    scratch_bytes,
    sequence_rows,
    sequences_of,
)
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.contract import Backward, Contract, InPlace


class ChainBase(NativeF32Base, KernelOnlyBase):
    """An op on the scores of a linear chain and on the tags of its rows: emission, transition, labels, offsets."""

    def offsets_operand(self) -> SSAValue:
        return self.operands[3]

    def need_chain(self, operands: Sequence[TensorInfo]) -> None:
        """Raises ValueError where the first four operands do not fit one another."""
        emission, transition, labels, offsets = operands[:4]
        expect_rank("emission", emission, 2)
        expect_dtype("emission", emission, "f32", "f64")
        expect_offsets(offsets)
        tags = emission.shape[1]
        if tags == 0:
            raise ValueError("there are no tags to choose from")
        expect_shape("transition", transition, (None if tags is None else tags + 2, tags), emission.dtype)
        need_indices(labels)
        expect_rank("labels", labels, 1, 2)
        agreed(labels.shape[0], emission.shape[0], "labels and rows")
        if len(labels.shape) == 2:
            agreed(labels.shape[1], 1, "labels of a row")

    def tags_of(self, labels: Array, tags: int) -> Array:
        """The tags of the rows, along one axis.

        Raises:
            IndicesError: one is no tag.
        """
        check_indices(self, labels, tags, from_end=False)
        return labels.reshape(-1)


def log_sum_exp(x: Array, axis: int = 0) -> Array:
    """The logarithm of the sum of exponentials along an axis; a largest number that is not finite is the result."""
    largest = x.max(axis, keepdims=True)
    finite = np.where(np.isfinite(largest), largest, 0)
    return (finite + np.log(np.exp(x - finite).sum(axis, keepdims=True))).squeeze(axis)


@irdl_op_definition
class LinearChainCrfOp(ChainBase):
    """-log of the probability that a linear-chain CRF gives to the tags of each ragged sequence.

    Operands: emission [rows, K] of f32 or f64; transition [K + 2, K] with row 0 the score of starting, row 1 of
    stopping, row 2 + i of going from tag i to each tag; labels (i32 or i64) [rows] or [rows, 1]; offsets i64
    [sequences + 1]. Result: cost [sequences, 1], of an empty sequence 0.

        score(tags) = start[tags_0] + the sum of e_t[tags_t] + the sum of A[tags_t, tags_(t+1)] + stop[the last tag]
        cost = log(the sum of exp(score) over all tags) - score(labels)

    At run time, a label that is no tag raises `IndicesError`, offsets that do not ascend from 0 to the number of rows
    `OffsetsError`. Paddle's linear_chain_crf, whose LogLikelihood this is.
    """

    name = "dnn.linear_chain_crf"
    EXAMPLE: ClassVar = ": (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5xi64>, tensor<3xi64>) -> tensor<2x1xf32>"
    emission = operand_def(TensorType)
    transition = operand_def(TensorType)
    labels = operand_def(TensorType)
    offsets = operand_def(TensorType)
    cost = result_def(TensorType)

    def storage(self) -> Contract:
        reads = Backward(operands=frozenset(range(4)))
        return Contract(strided=True, backward=reads, engines=self.kernel_engines())

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        self.need_chain(operands)
        return (TensorInfo((sequences_of(operands[3]), 1), operands[0].dtype),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (emission, transition, labels, offsets), (cost,) = operands, results
        tags = self.tags_of(labels, emission.shape[1])
        start, stop, between = _parts(transition)
        with np.errstate(all="ignore"):
            for place, span in enumerate(sequence_rows(offsets, len(emission))):
                if span.start == span.stop:
                    cost[place, 0] = 0
                    continue
                score = start + emission[span.start]
                for row in range(span.start + 1, span.stop):
                    score = log_sum_exp(score[:, None] + between) + emission[row]
                path = tags[span]
                right = start[path[0]] + stop[path[-1]] + between[path[:-1], path[1:]].sum()
                right += sum(float(emission[span.start + step, tag]) for step, tag in enumerate(path))
                cost[place, 0] = log_sum_exp(score + stop) - right

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        (dy,) = results
        if dy is None:
            return (None,) * 4
        emission, transition = builder.emit_all("linear_chain_crf_grad", *self.operands, dy, results=2)
        return emission, transition, None, None


def _parts(transition: Array) -> tuple[Array, Array, Array]:
    """The scores of starting, of stopping and between tags, in f64."""
    wide = transition.astype(np.float64)
    return wide[0], wide[1], wide[2:]


@irdl_op_definition
class LinearChainCrfGradOp(ChainBase):
    """The gradients of linear_chain_crf for emission and transition, from its operands and the gradient dy of its
    costs.

    Operands: those of linear_chain_crf, and dy [sequences, 1]. Results: in the shapes of emission and transition. The
    scores of all prefixes are made again, those of one sequence at a time. In place over emission.
    """

    name = "dnn.linear_chain_crf_grad"
    EXAMPLE: ClassVar = (
        ": (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5xi64>, tensor<3xi64>, tensor<2x1xf32>) "
        "-> (tensor<5x3xf32>, tensor<5x3xf32>)"
    )
    emission = operand_def(TensorType)
    transition = operand_def(TensorType)
    labels = operand_def(TensorType)
    offsets = operand_def(TensorType)
    dy = operand_def(TensorType)
    demission = result_def(TensorType)
    dtransition = result_def(TensorType)

    def storage(self) -> Contract:
        over = (InPlace(0, 0), InPlace(1, 1))
        return Contract(over, strided=True, scratch=self._scratch(), engines=self.kernel_engines())

    def _scratch(self) -> int:
        """Bytes of the scores of all prefixes, for sizes that are known: in f32, and an offset of each row in f64. As
        `Differentiation` in `runtime/cpp/kernels/crf_loss.cpp`."""
        sizes = known_sizes(self.operand_type().shape)
        if not sizes or not self.takes_native():
            return 0
        rows, tags = sizes
        offsets, scores = ((rows,), np.dtype(np.float64)), ((rows, tags), np.dtype(np.float32))
        return scratch_bytes({"offsets": offsets, "scores": scores})

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        self.need_chain(operands)
        need_same_dtype(operands[0], operands[4])
        expect_shape("dy", operands[4], (sequences_of(operands[3]), 1), operands[0].dtype)
        return operands[0], operands[1]

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (emission, transition, labels, offsets, dy), (demission, dtransition) = operands, results
        tags = self.tags_of(labels, emission.shape[1])
        parts = _parts(transition)
        total = np.zeros(transition.shape)
        with np.errstate(all="ignore"):
            for place, span in enumerate(sequence_rows(offsets, len(emission))):
                if span.start < span.stop:
                    steep = float(dy[place, 0])
                    _differentiate(emission[span], demission[span], parts, tags[span], steep, total)
        np.copyto(dtransition, total, casting="unsafe")


def _differentiate(
    emission: Array, demission: Array, parts: tuple[Array, Array, Array], path: Array, steep: float, total: Array
) -> None:
    """Writes the gradient of one sequence's rows, and adds that of the transitions to `total`.

    The gradient of a score is the probability of what it scores, less 1 where that is on the path.
    """
    start, stop, between = parts
    before = np.empty(emission.shape)
    before[0] = start + emission[0]
    for row in range(1, len(emission)):
        before[row] = log_sum_exp(before[row - 1][:, None] + between) + emission[row]
    whole = log_sum_exp(before[-1] + stop)
    behind = stop
    for row in range(len(emission) - 1, -1, -1):
        share = np.exp(before[row] + behind - whole)
        share[path[row]] -= 1
        if row == len(emission) - 1:
            total[1] += steep * share
        if row:
            onward = between + (emission[row] + behind)  # [from, to]
            pairs = np.exp(before[row - 1][:, None] + onward - whole)
            pairs[path[row - 1], path[row]] -= 1
            total[2:] += steep * pairs
            behind = log_sum_exp(onward, 1)
        else:
            total[0] += steep * share
        demission[row] = steep * share
