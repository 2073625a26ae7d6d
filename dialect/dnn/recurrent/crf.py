"""The decoding of a linear-chain CRF along ragged sequences.

Rows of all sequences stand back to back; `offsets` (i64 [sequences + 1]) are the cumulative lengths, from 0 to the
number of rows. Equal neighbours are an empty sequence. Sequences need not be sorted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.recurrent.ragged import (
    GROUP,
    Buffers,
    SequenceGroup,
    carve,
    expect_dtype,
    expect_offsets,
    expect_rank,
    expect_shape,
    gather_rows,
    group_size,
    groups,
    index_buffers,
    known_sizes,
    scratch_bytes,
    sequence_rows,
)
from lastuse.dialect.ir.tensor_types import TensorInfo, numpy_dtype
from lastuse.dialect.storage.contract import Contract, Engine


@irdl_op_definition
class CrfDecodingOp(DnnOp):
    """The best path of tags through each ragged sequence (Viterbi), given scores of a linear-chain CRF.

    Operands: emission [rows, K]; transition [K + 2, K] with row 0 the score of starting, row 1 of stopping, row 2 + i
    of going from tag i to each tag; offsets i64 [sequences + 1]. Element type f32 or f64. Result: i64 [rows, 1].

        a_0 = start + e_0,  a_t[j] = max_i(a_(t-1)[i] + A[i, j]) + e_t[j],  last: argmax_j(a[j] + stop[j])

    The first index wins ties. The largest of a_t is subtracted from all of it after each step: no choice changes, but
    the sums stay small, so that rounding does not grow with the length of a sequence.

    At run time, offsets that do not ascend from 0 to the number of rows raise `OffsetsError`.
    """

    name = "dnn.crf_decoding"
    EXAMPLE: ClassVar = ": (tensor<5x3xf32>, tensor<5x3xf32>, tensor<3xi64>) -> tensor<5x1xi64>"

    emission = operand_def(TensorType)
    transition = operand_def(TensorType)
    offsets = operand_def(TensorType)
    path = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract(scratch=self._scratch(), strided=True, engines=frozenset({Engine.CPU, Engine.NATIVE}))

    def engine(self) -> Engine:
        return Engine.NATIVE

    def native_kernel(self) -> str:
        return "crf_decoding"

    def is_rowwise(self) -> bool:
        return True

    def offsets_operand(self) -> SSAValue:
        return self.offsets

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        emission, transition, offsets = operands
        expect_rank("emission", emission, 2)
        expect_dtype("emission", emission, "f32", "f64")
        expect_offsets(offsets)
        tags = emission.shape[1]
        if tags == 0:
            raise ValueError("there are no tags to choose from")
        expect_shape("transition", transition, (None if tags is None else tags + 2, tags), emission.dtype)
        return (TensorInfo((emission.shape[0], 1), "i64"),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        emission, transition, offsets = operands
        start, stop, between = transition[0], transition[1], transition[2:]
        path = np.empty((len(emission), 1), np.int64)
        with np.errstate(all="ignore"):
            for span in sequence_rows(offsets, len(emission)):
                if span.start == span.stop:
                    continue
                score = start + emission[span.start]
                back: list[Array] = []
                for row in range(span.start + 1, span.stop):
                    _settle(score[None])
                    candidates = score[:, None] + between
                    back.append(candidates.argmax(axis=0))
                    score = candidates.max(axis=0) + emission[row]
                _settle(score[None])
                tag = int((score + stop).argmax())
                path[span.stop - 1, 0] = tag
                for row in range(span.stop - 2, span.start - 1, -1):
                    tag = int(back[row - span.start][tag])
                    path[row, 0] = tag
        return (path,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """All sequences together, step by step: the same numbers as the reference, bit for bit."""
        emission, transition, offsets = operands
        rows, tags = emission.shape
        sequences = max(0, offsets.size - 1)
        buffers = carve(scratch, _crf_buffers(rows, sequences, tags, emission.dtype))
        np.copyto(buffers["into"], transition[2:].T)  # [to, from]: the argmax runs along dense rows
        with np.errstate(all="ignore"):
            for chunk in groups(offsets, rows, _crf_group(rows, sequences, tags, emission.dtype), buffers, False):
                _viterbi(chunk, emission, transition, buffers)
                _follow_back(chunk, results[0], buffers)

    def _scratch(self) -> int:
        """Bytes for the sizes the types state; 0 as long as one of them is unknown."""
        emission = self.operand_type()
        sizes = known_sizes((*emission.shape, *self.operand_type(2).shape))
        if not sizes:
            return 0
        rows, tags, ends = sizes
        return scratch_bytes(_crf_buffers(rows, ends - 1, tags, numpy_dtype(emission.dtype)))


def _settle(score: Array) -> None:
    """Subtracts from each row its largest number; a row whose largest is not finite stays."""
    largest = score.max(axis=1, keepdims=True)
    np.copyto(largest, 0, where=~np.isfinite(largest))
    np.subtract(score, largest, out=score)


def _viterbi(chunk: SequenceGroup, emission: Array, transition: Array, buffers: dict[str, Array]) -> None:
    """Fills `back` (the best tag before, by row and tag) and `tag` (the last tag of each sequence of the group)."""
    scores = buffers["score"][: len(chunk.ids)]
    for step, running in chunk.steps():
        rows, score = chunk.rows(step, running), scores[:running]
        if step == 0:
            gather_rows(emission, rows, score, transition[0])
        else:
            candidates, best = buffers["candidates"][:running], buffers["best"][:running]
            np.add(score[:, None, :], buffers["into"], out=candidates)
            np.argmax(candidates, axis=2, out=best)
            buffers["back"][rows] = best
            np.max(candidates, axis=2, out=score)
            np.add(score, emission[rows], out=score)
        _settle(score)
    np.add(scores, transition[1], out=scores)
    np.argmax(scores, axis=1, out=buffers["tag"][: len(chunk.ids)])


def _follow_back(chunk: SequenceGroup, path: Array, buffers: dict[str, Array]) -> None:
    """Writes the path from each sequence's last tag to its first."""
    for step, running in reversed(list(chunk.steps())):
        rows, tag = chunk.rows(step, running), buffers["tag"][:running]
        path[rows, 0] = tag
        if step:
            tag[...] = buffers["back"][rows, tag]


_CANDIDATE_BYTES = 512 * 1024
"""A group's candidates [sequences, K, K] should stay in the second-level cache."""


def _crf_group(rows: int, sequences: int, tags: int, dtype: np.dtype) -> int:
    return group_size(sequences, rows, max(1, min(GROUP, _CANDIDATE_BYTES // (tags * tags * dtype.itemsize))))


def _crf_buffers(rows: int, sequences: int, tags: int, dtype: np.dtype) -> Buffers:
    group, index = _crf_group(rows, sequences, tags, dtype), np.dtype(np.intp)
    return {
        **index_buffers(sequences, group),
        "into": ((tags, tags), dtype),
        "score": ((group, tags), dtype),
        "candidates": ((group, tags, tags), dtype),
        "best": ((group, tags), index),
        "tag": ((group,), index),
        "back": ((rows, tags), np.min_scalar_type(tags - 1)),
    }
