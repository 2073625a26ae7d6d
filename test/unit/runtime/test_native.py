"""Kernels in C++ against the op's own: the same numbers, whatever the numbers are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_kernels import native_kernel, scratch_of
from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, TensorType, f32, f64, i32, i64
from xdsl.utils.test_value import create_ssa_value

from lastuse.dialect.dnn.recurrent.crf import CrfDecodingOp
from lastuse.dialect.dnn.recurrent.gru_gradient import FusedGruGradOp, GruGradOp
from lastuse.dialect.dnn.recurrent.gru_gradient_base import GruGradBase
from lastuse.dialect.ir.tensor_types import typed
from lastuse.dialect.storage.contract import contract_of
from lastuse.runtime import _core

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
    with pytest.raises(_core.OffsetsError, match="the last offset is 5, but there are 4 rows"):
        kernel([emission, transition, np.array([0, 5])], [path], scratch)
    good = np.array([0, 4])
    for arguments, message in (
        ((emission, transition[1:], good, path, scratch), "decoding takes scores"),
        ((emission, transition, good[None], path, scratch), "decoding takes scores"),
        ((emission, transition, good, path[:3], scratch), "decoding takes scores"),
        ((emission, transition.astype(np.float64), good, path, scratch), "scores are f32 or f64"),
        ((emission, transition, good.astype(np.int32), path, scratch), "offsets and path are i64"),
        ((emission, transition, good, path, scratch[:11]), "12 bytes of scratch"),
    ):
        *operands, result, memory = arguments
        with pytest.raises(_core.Error, match=message):
            kernel(operands, [result], memory)


FLAGS = ("side_by_side", "reverse", "origin", "strided")


def gru_gradient(
    rows: int, sequences: int, channels: int, inputs: int, there: tuple[bool, bool], flags: dict[str, bool]
) -> GruGradBase:
    """A gradient of a GRU; `inputs`: columns of x, 0 where the gates are given; `there`: bias and initial states."""
    triple, states = 3 * channels, [[sequences, channels]] * there[1]
    weight_h = [channels, 3, channels] if flags["side_by_side"] else [channels, triple]
    own = [[rows, inputs], [inputs, triple]] if inputs else [[rows, triple]]
    types = [TensorType(f32, size) for size in [*own, weight_h, *[[1, triple]] * there[0], *states]]
    types += [TensorType(i64, [sequences + 1]), *[TensorType(f32, [rows, channels])] * 2]
    op = (FusedGruGradOp if inputs else GruGradOp).create(
        operands=[create_ssa_value(type_) for type_ in types],
        result_types=[TensorType(f32, size) for size in [*own, weight_h, [1, triple], *states]],
        attributes={
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [1] * len(own) + [1, *map(int, there), 1, 1, 1]),
            "is_reverse": BoolAttr.from_bool(flags["reverse"]),
            "origin_mode": BoolAttr.from_bool(flags["origin"]),
        },
    )
    op.verify()
    return op


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.one_of(st.integers(0, 9), st.integers(0, 60)), max_size=12),
    st.integers(1, 70),
    st.integers(1, 3),
    st.one_of(st.just(0), st.integers(1, 70), st.just(-1)),
    st.tuples(st.booleans(), st.booleans()),
    st.fixed_dictionaries({name: st.booleans() for name in FLAGS}),
    st.integers(0, 2**32),
)
def test_native_gradients_of_a_gru_are_near_those_of_the_kernel(
    lengths: list[int],
    channels: int,
    threads: int,
    inputs: int,
    there: tuple[bool, bool],
    flags: dict[str, bool],
    seed: int,
) -> None:
    """The sums of the kernel in f64, of which those of f32 are a few roundings away; and the same bits in place, at
    strides and on any number of threads as elsewhere. `inputs`: -1 for as many as channels."""
    rng = np.random.default_rng(seed)
    offsets = np.cumsum([0, *lengths], dtype=np.int64)
    rows, sequences = int(offsets[-1]), len(lengths)
    op = gru_gradient(rows, sequences, channels, channels if inputs < 0 else inputs, there, flags)
    shapes = [typed(operand.type).shape for operand in op.operands]
    scale = 0.5 / np.sqrt(max(channels, inputs))
    operands = [(scale * rng.normal(size=shape)).astype(np.float32) for shape in shapes]  # pyright: ignore
    operands[-3] = offsets
    want = op.reference(*(array.astype(np.float64) if array.dtype == np.float32 else array for array in operands))
    over = contract_of(op).over
    fitting = [p.operand for p in over if p.result == 0 and operands[p.operand].shape == want[0].shape]
    assert len(over) == (3 if inputs else 1) and len(fitting) == (3 if inputs in (-1, channels) else 1)

    def computed(strided: bool, over: int | None, threads: int) -> list[Array]:
        own = [_at_strides(array) if strided and array.ndim > 1 else array.copy() for array in operands]
        results = [np.full(array.shape, np.nan, np.float32) for array in want]
        results = [_at_strides(array) for array in results] if strided else results
        if over is not None:
            results[0] = own[over]
        native_kernel(op, threads)(own, results, scratch_of(op, threads))
        return results

    got = computed(False, None, 1)
    for one, other in zip(got, want, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5 * max(1, np.abs(other).max(initial=0)))
    for operand in (None, *fitting):
        for one, other in zip(got, computed(flags["strided"], operand, threads), strict=True):
            assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("inputs", [0, 40])
def test_no_number_of_threads_changes_a_bit_of_a_gradient(inputs: int) -> None:
    """Threads compute parts of the sequences, with scratch of their own, and sums of parts are added in one order: with
    more parts than threads too."""
    rng, flags = np.random.default_rng(5), {"side_by_side": True, "reverse": True, "origin": True}
    lengths = rng.integers(1, 40, 50)
    op = gru_gradient(int(lengths.sum()), 50, 64, inputs, (True, True), flags)
    shapes = [typed(operand.type).shape for operand in op.operands]
    operands = [(0.1 * rng.normal(size=shape)).astype(np.float32) for shape in shapes]  # pyright: ignore
    operands[-3] = np.cumsum([0, *lengths])

    def computed(threads: int) -> list[Array]:
        results = [np.full(typed(result.type).shape, np.nan, np.float32) for result in op.results]  # pyright: ignore
        native_kernel(op, threads)(operands, results, scratch_of(op, threads))
        return results

    assert len(scratch_of(op, 1)) < len(scratch_of(op, 2)) < len(scratch_of(op, 4))
    alone = computed(1)
    wide = [array.astype(np.float64) if array.dtype == np.float32 else array for array in operands]
    for one, other in zip(alone, op.reference(*wide), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)
    for threads in (1, 2, 3, 4, 5, 6, 9):
        assert [a.tobytes() for a in computed(threads)] == [a.tobytes() for a in alone]


def _at_strides(array: Array) -> Array:
    """The same elements in every second place of a larger array, the last axis first."""
    shape = (*(2 * size for size in array.shape),)
    larger = np.zeros(shape[::-1], array.dtype).T
    part = larger[(slice(None, None, 2),) * array.ndim]
    part[...] = array
    return part


@pytest.mark.parametrize("inputs", [0, 2])
def test_native_gradients_of_a_gru_reject_wrong_arrays(inputs: int) -> None:
    flags = {"side_by_side": False, "reverse": False, "origin": False}
    op = gru_gradient(4, 1, 3, inputs, (False, False), flags)
    shapes = [typed(operand.type).shape for operand in op.operands]
    operands = [np.zeros(shape, np.float32) for shape in shapes]  # pyright: ignore
    operands[-3] = np.array([0, 4])
    results = [np.zeros(typed(result.type).shape, np.float32) for result in op.results]  # pyright: ignore
    kernel, scratch = native_kernel(op, 1), scratch_of(op, 1)
    kernel(operands, results, scratch)
    with pytest.raises(_core.OffsetsError, match="the last offset is 5, but there are 4 rows"):
        kernel([*operands[:-3], np.array([0, 5]), *operands[-2:]], results, scratch)
    with pytest.raises(_core.Error, match="of the sizes that the op says"):
        kernel([*operands[:-1], operands[-1][:3]], results, scratch)
    with pytest.raises(_core.Error, match="bytes of scratch"):
        kernel(operands, results, scratch[:64])
