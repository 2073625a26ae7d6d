"""Kernels in C++ against the op's own: the same numbers, whatever the numbers are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import TensorType, f32, f64, i64
from xdsl.utils.test_value import create_ssa_value

from lastuse.dialect.dnn.recurrent.crf import CrfDecodingOp
from lastuse.dialect.dnn.recurrent.ragged import OffsetsError
from lastuse.dialect.storage.contract import contract_of
from lastuse.runtime import _core
from lastuse.runtime.cpu_kernels import native_kernel

Array = np.ndarray


def decoding(words: int, tags: int, sequences: int, wide: bool = False) -> CrfDecodingOp:
    element = f64 if wide else f32
    types = [
        TensorType(element, [words, tags]),
        TensorType(element, [tags + 2, tags]),
        TensorType(i64, [sequences + 1]),
    ]
    operands = [create_ssa_value(type_) for type_ in types]
    op = CrfDecodingOp.create(operands=operands, result_types=[TensorType(i64, [words, 1])])
    op.verify()
    return op


def both(emission: Array, transition: Array, offsets: Array, threads: int) -> tuple[Array, Array]:
    """The path by the C++ kernel and by the op's, each in scratch of the size the op declares."""
    op = decoding(*emission.shape, len(offsets) - 1, wide=emission.dtype == np.float64)
    found: list[Array] = []
    for kernel in (native_kernel(op, threads), op.kernel):
        path = np.full((len(emission), 1), -1, np.int64)
        kernel([emission, transition, offsets], [path], np.full(contract_of(op).scratch, 255, np.uint8))
        found.append(path)
    return found[0], found[1]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.integers(0, 9), max_size=12),
    st.integers(1, 60),
    st.integers(1, 3),
    st.sampled_from(["rounded", "any", "odd"]),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_native_decoding_equals_the_kernel(
    lengths: list[int], tags: int, threads: int, kind: str, wide: bool, seed: int
) -> None:
    rng, dtype = np.random.default_rng(seed), np.float64 if wide else np.float32
    offsets = np.cumsum([0, *lengths], dtype=np.int64)

    def scores(*shape: int) -> Array:
        array = rng.normal(size=shape)
        if kind == "rounded":  # many ties
            array = np.round(array)
        if kind == "odd":
            array[rng.random(shape) < 0.1] = rng.choice([np.inf, -np.inf, np.nan, 0.0, -0.0])
        return array.astype(dtype)

    native, own = both(scores(int(offsets[-1]), tags), scores(tags + 2, tags), offsets, threads)
    np.testing.assert_array_equal(native, own)


@pytest.mark.parametrize("tags", [256, 257, 300])
def test_native_decoding_of_many_tags_equals_the_kernel(tags: int) -> None:
    rng, offsets = np.random.default_rng(1), np.array([0, 5, 12], np.int64)
    emission, transition = (rng.normal(size=shape).astype(np.float32) for shape in ((12, tags), (tags + 2, tags)))
    np.testing.assert_array_equal(*both(emission, transition, offsets, 2))


def test_native_decoding_at_strides_equals_the_kernel() -> None:
    rng, offsets = np.random.default_rng(2), np.array([0, 4, 4, 11], np.int64)
    emission = rng.normal(size=(7, 22)).astype(np.float32).T[::2]
    transition = rng.normal(size=(7, 9)).astype(np.float32).T
    np.testing.assert_array_equal(*both(emission, transition, offsets, 1))


def test_native_decoding_rejects_wrong_arrays() -> None:
    emission, transition = np.zeros((4, 3), np.float32), np.zeros((5, 3), np.float32)
    kernel = native_kernel(decoding(4, 3, 1), 1)
    path, scratch = np.zeros((4, 1), np.int64), np.zeros(4096, np.uint8)
    with pytest.raises(OffsetsError, match="the last offset is 5, but there are 4 rows"):
        kernel([emission, transition, np.array([0, 5])], [path], scratch)
    good = np.array([0, 4])
    for arguments, message in (
        ((emission, transition[1:], good, path, scratch), "decoding takes scores"),
        ((emission, transition, good[None], path, scratch), "decoding takes scores"),
        ((emission, transition, good, path[:3], scratch), "decoding takes scores"),
        ((emission, transition.astype(np.float64), good, path, scratch), "scores are f32 or f64"),
        ((emission, transition, good.astype(np.int32), path, scratch), "offsets and path i64"),
        ((emission, transition, good, path, scratch[:11]), "12 bytes of scratch"),
    ):
        with pytest.raises(_core.Error, match=message):
            _core.crf_decoding(*arguments, 1)
