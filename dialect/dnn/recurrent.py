"""Ops along ragged sequences: the GRU in Paddle's form and the decoding of a linear-chain CRF.

Rows of all sequences stand back to back; `offsets` (i64 [sequences + 1]) are the cumulative lengths, from 0 to the
number of rows. Equal neighbours are an empty sequence. Sequences need not be sorted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import BoolAttr, StringAttr, TensorType
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_attr_def,
    opt_operand_def,
    result_def,
)

from ..base import Array, DnnOp
from ..dtypes import numpy_dtype
from ..shape import Typed
from ..storage import CPU_ONLY, Contract
from .blas import one_thread
from .ragged import (
    GROUP,
    Buffers,
    Group,
    carve,
    expect,
    expect_floats,
    expect_offsets,
    expect_rank,
    gather_rows,
    group_size,
    groups,
    index_buffers,
    scratch_bytes,
    spans,
)


def _sigmoid(x: Array) -> None:
    np.negative(x, out=x)
    np.exp(x, out=x)
    np.add(x, 1, out=x)
    np.reciprocal(x, out=x)


def _tanh(x: Array) -> None:
    np.tanh(x, out=x)


def _relu(x: Array) -> None:
    np.maximum(x, 0, out=x)


def _identity(x: Array) -> None:
    del x


ACTIVATIONS: dict[str, Callable[[Array], None]] = {
    "sigmoid": _sigmoid,
    "tanh": _tanh,
    "relu": _relu,
    "identity": _identity,
}
"""What a gate may be passed through, in place."""


class _GruArrays(NamedTuple):
    """The operands of a GRU by their role."""

    gates: Array
    weight_h: Array
    bias: Array | None
    h0: Array | None
    offsets: Array

    def weights(self) -> tuple[Array, Array]:
        """Weights of the gates u and r [OC, 2*OC] and of c [OC, OC], as they stand one after the other in memory."""
        flat, channels = self.weight_h.reshape(-1), self.weight_h.shape[0]
        split = 2 * channels * channels
        return flat[:split].reshape(channels, 2 * channels), flat[split:].reshape(channels, channels)


@irdl_op_definition
class Gru(DnnOp):
    """Gated recurrent unit over ragged sequences, its input already multiplied by the input weights (Paddle's `gru`).

    Operands: gates [words, 3*OC] with the columns u (update), r (reset), c (candidate); weight_h, typed [OC, 3*OC] but
    in Paddle's memory order: a row-major [OC, 2*OC] for u and r, then a row-major [OC, OC] for c; bias [1, 3*OC]
    (optional); h0 [sequences, OC], the state before the first step (optional, else 0); offsets i64 [sequences + 1].
    Result: the state after each word, [words, OC], in the order of the input. Element type f32 or f64 throughout.
    `operandSegmentSizes` says which of the five operands are there.

    With x = gates + bias and h the state before the word:

        u = gate_activation(x_u + h W_u)
        r = gate_activation(x_r + h W_r)
        c = activation(x_c + (r * h) W_c)           the reset comes before the product
        h' = (1 - u) * h + u * c                    origin_mode = false, the default
        h' = u * h + (1 - u) * c                    origin_mode = true

    `is_reverse` walks each sequence from its own last word to its first. `activation` (default tanh) and
    `gate_activation` (default sigmoid) are sigmoid, tanh, relu or identity.

    At run time, offsets that do not ascend from 0 to the number of words raise `OffsetsError`.
    """

    name = "dnn.gru"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} "
        ": (tensor<5x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x3xf32>"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=False),)

    gates = operand_def(TensorType)
    weight_h = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    h0 = opt_operand_def(TensorType)
    offsets = operand_def(TensorType)
    hidden = result_def(TensorType)

    origin_mode = opt_attr_def(BoolAttr)
    is_reverse = opt_attr_def(BoolAttr)
    activation = opt_attr_def(StringAttr)
    gate_activation = opt_attr_def(StringAttr)

    def storage(self) -> Contract:
        return Contract(scratch=self._scratch(), strided=True, engines=CPU_ONLY)

    def infer(self, operands: Sequence[Typed]) -> tuple[Typed, ...]:
        rest = list(operands)
        gates, weight_h = rest.pop(0), rest.pop(0)
        bias = rest.pop(0) if self.bias is not None else None
        h0 = rest.pop(0) if self.h0 is not None else None
        (offsets,) = rest
        expect_rank("gates", gates, 2)
        expect_rank("weight_h", weight_h, 2)
        expect_floats("gates", gates)
        expect_floats("weight_h", weight_h, gates.dtype)
        expect_offsets(offsets)
        channels = weight_h.shape[0]
        triple = None if channels is None else 3 * channels
        expect("the last axis of gates", gates.shape[1], triple)
        expect("the last axis of weight_h", weight_h.shape[1], triple)
        if bias is not None:
            expect_rank("bias", bias, 2)
            expect_floats("bias", bias, gates.dtype)
            expect("the first axis of bias", bias.shape[0], 1)
            expect("the last axis of bias", bias.shape[1], triple)
        if h0 is not None:
            expect_rank("h0", h0, 2)
            expect_floats("h0", h0, gates.dtype)
            expect("the last axis of h0", h0.shape[1], channels)
            ends = offsets.shape[0]
            expect("the first axis of h0", h0.shape[0], None if ends is None else ends - 1)
        self._activations()
        return (Typed((gates.shape[0], channels), gates.dtype),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        args, (gate, activate) = self._by_role(operands), self._activations()
        w_ur, w_c = args.weights()
        x = args.gates if args.bias is None else args.gates + args.bias
        channels = args.weight_h.shape[0]
        hidden = np.empty((len(x), channels), x.dtype)
        with np.errstate(all="ignore"):
            for index, span in enumerate(spans(args.offsets, len(x))):
                h = np.zeros(channels, x.dtype) if args.h0 is None else args.h0[index].copy()
                rows = range(span.start, span.stop)
                for row in reversed(rows) if self._flag(self.is_reverse) else rows:
                    ur = x[row, : 2 * channels] + h @ w_ur
                    gate(ur)
                    u, r = ur[:channels], ur[channels:]
                    c = x[row, 2 * channels :] + (r * h) @ w_c
                    activate(c)
                    h = u * h + (1 - u) * c if self._flag(self.origin_mode) else (1 - u) * h + u * c
                    hidden[row] = h
        return (hidden,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """All sequences together, step by step; the same sums as the reference, in float rounding."""
        args, hidden = self._by_role(operands), results[0]
        words, channels = hidden.shape
        sequences = max(0, args.offsets.size - 1)
        group = group_size(sequences, words)
        buffers = carve(scratch, _gru_buffers(words, sequences, channels, hidden.dtype))
        weights = args.weights()
        with np.errstate(all="ignore"), one_thread():
            for chunk in groups(args.offsets, words, group, buffers, self._flag(self.is_reverse)):
                self._walk(chunk, args, weights, hidden, buffers)

    def _walk(
        self, chunk: Group, args: _GruArrays, weights: tuple[Array, Array], hidden: Array, buffers: dict[str, Array]
    ) -> None:
        """One group of sequences from its first step to its last."""
        (w_ur, w_c), (gate, activate) = weights, self._activations()
        channels, origin_mode = hidden.shape[1], self._flag(self.origin_mode)
        state = buffers["h"][: len(chunk.ids)]
        if args.h0 is None:
            state.fill(0)
        else:
            gather_rows(args.h0, chunk.ids, state)
        for step, running in chunk.steps():
            rows = chunk.rows(step, running)
            x, ur, h = buffers["x"][:running], buffers["ur"][:running], state[:running]
            gather_rows(args.gates, rows, x, args.bias)
            np.matmul(h, w_ur, out=ur)
            np.add(ur, x[:, : 2 * channels], out=ur)
            gate(ur)
            u, r = ur[:, :channels], ur[:, channels:]
            np.multiply(r, h, out=r)
            c = x[:, :channels]  # x_u has been read: its memory holds the candidate
            np.matmul(r, w_c, out=c)
            np.add(c, x[:, 2 * channels :], out=c)
            activate(c)
            old, new = (c, h) if origin_mode else (h, c)  # h' = old + u * (new - old)
            np.subtract(new, old, out=new)
            np.multiply(new, u, out=new)
            np.add(old, new, out=h)
            hidden[rows] = h

    def _by_role(self, operands: Sequence[Array]) -> _GruArrays:
        rest = list(operands)
        gates, weight_h = rest.pop(0), rest.pop(0)
        bias = rest.pop(0) if self.bias is not None else None
        h0 = rest.pop(0) if self.h0 is not None else None
        return _GruArrays(gates, weight_h, bias, h0, rest.pop(0))

    def _activations(self) -> tuple[Callable[[Array], None], Callable[[Array], None]]:
        """The functions of the gates u, r and of the candidate."""
        chosen: list[Callable[[Array], None]] = []
        for attribute, default, field in (
            (self.gate_activation, "sigmoid", "gate_activation"),
            (self.activation, "tanh", "activation"),
        ):
            name = default if attribute is None else attribute.data
            if name not in ACTIVATIONS:
                raise ValueError(f"{field} is '{name}', it must be one of {', '.join(ACTIVATIONS)}")
            chosen.append(ACTIVATIONS[name])
        return chosen[0], chosen[1]

    @staticmethod
    def _flag(attribute: BoolAttr | None) -> bool:
        return attribute is not None and bool(attribute.value.data)

    def _scratch(self) -> int:
        """Bytes for the sizes the types state; 0 as long as one of them is unknown."""
        words, channels = self.result_type().shape
        (ends,) = self.operand_type(len(self.operands) - 1).shape
        if not (isinstance(words, int) and isinstance(channels, int) and isinstance(ends, int)):
            return 0
        return scratch_bytes(_gru_buffers(words, ends - 1, channels, numpy_dtype(self.result_type().dtype)))


def _gru_buffers(words: int, sequences: int, channels: int, dtype: np.dtype) -> Buffers:
    group = group_size(sequences, words)
    wide = {"x": 3 * channels, "ur": 2 * channels, "h": channels}
    return {**index_buffers(sequences, group), **{name: ((group, size), dtype) for name, size in wide.items()}}


@irdl_op_definition
class CrfDecoding(DnnOp):
    """The best path of tags through each ragged sequence (Viterbi), given scores of a linear-chain CRF.

    Operands: emission [words, K]; transition [K + 2, K] with row 0 the score of starting, row 1 of stopping, row 2 + i
    of going from tag i to each tag; offsets i64 [sequences + 1]. Element type f32 or f64. Result: i64 [words, 1].

        a_0 = start + e_0,  a_t[j] = max_i(a_(t-1)[i] + A[i, j]) + e_t[j],  last: argmax_j(a[j] + stop[j])

    The first index wins ties. The largest of a_t is subtracted from all of it after each step: no choice changes, but
    the sums stay small, so that rounding does not grow with the length of a sequence.

    At run time, offsets that do not ascend from 0 to the number of words raise `OffsetsError`.
    """

    name = "dnn.crf_decoding"
    EXAMPLE: ClassVar = ": (tensor<5x3xf32>, tensor<5x3xf32>, tensor<3xi64>) -> tensor<5x1xi64>"

    emission = operand_def(TensorType)
    transition = operand_def(TensorType)
    offsets = operand_def(TensorType)
    path = result_def(TensorType)

    def storage(self) -> Contract:
        return Contract(scratch=self._scratch(), strided=True, engines=CPU_ONLY)

    def infer(self, operands: Sequence[Typed]) -> tuple[Typed, ...]:
        emission, transition, offsets = operands
        expect_rank("emission", emission, 2)
        expect_rank("transition", transition, 2)
        expect_floats("emission", emission)
        expect_floats("transition", transition, emission.dtype)
        expect_offsets(offsets)
        tags = emission.shape[1]
        if tags == 0:
            raise ValueError("there are no tags to choose from")
        expect("the first axis of transition", transition.shape[0], None if tags is None else tags + 2)
        expect("the last axis of transition", transition.shape[1], tags)
        return (Typed((emission.shape[0], 1), "i64"),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        emission, transition, offsets = operands
        start, stop, between = transition[0], transition[1], transition[2:]
        path = np.empty((len(emission), 1), np.int64)
        with np.errstate(all="ignore"):
            for span in spans(offsets, len(emission)):
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
        words, tags = emission.shape
        sequences = max(0, offsets.size - 1)
        buffers = carve(scratch, _crf_buffers(words, sequences, tags, emission.dtype))
        np.copyto(buffers["into"], transition[2:].T)  # [to, from]: the argmax runs along dense rows
        with np.errstate(all="ignore"):
            for chunk in groups(offsets, words, _crf_group(words, sequences, tags, emission.dtype), buffers, False):
                _viterbi(chunk, emission, transition, buffers)
                _follow_back(chunk, results[0], buffers)

    def _scratch(self) -> int:
        """Bytes for the sizes the types state; 0 as long as one of them is unknown."""
        emission = self.operand_type()
        (words, tags), (ends,) = emission.shape, self.operand_type(2).shape
        if not (isinstance(words, int) and isinstance(tags, int) and isinstance(ends, int)):
            return 0
        return scratch_bytes(_crf_buffers(words, ends - 1, tags, numpy_dtype(emission.dtype)))


def _settle(score: Array) -> None:
    """Subtracts from each row its largest number; a row whose largest is not finite stays."""
    largest = score.max(axis=1, keepdims=True)
    np.copyto(largest, 0, where=~np.isfinite(largest))
    np.subtract(score, largest, out=score)


def _viterbi(chunk: Group, emission: Array, transition: Array, buffers: dict[str, Array]) -> None:
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


def _follow_back(chunk: Group, path: Array, buffers: dict[str, Array]) -> None:
    """Writes the path from each sequence's last tag to its first."""
    for step, running in chunk.steps_back():
        rows, tag = chunk.rows(step, running), buffers["tag"][:running]
        path[rows, 0] = tag
        if step:
            tag[...] = buffers["back"][rows, tag]


_CANDIDATE_BYTES = 512 * 1024
"""A group's candidates [sequences, K, K] should stay in the second-level cache."""


def _crf_group(words: int, sequences: int, tags: int, dtype: np.dtype) -> int:
    return group_size(sequences, words, max(1, min(GROUP, _CANDIDATE_BYTES // (tags * tags * dtype.itemsize))))


def _crf_buffers(words: int, sequences: int, tags: int, dtype: np.dtype) -> Buffers:
    group, index = _crf_group(words, sequences, tags, dtype), np.dtype(np.intp)
    return {
        **index_buffers(sequences, group),
        "into": ((tags, tags), dtype),
        "score": ((group, tags), dtype),
        "candidates": ((group, tags, tags), dtype),
        "best": ((group, tags), index),
        "tag": ((group,), index),
        "back": ((words, tags), np.min_scalar_type(tags - 1)),
    }
