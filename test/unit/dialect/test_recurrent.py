"""GRU and CRF decoding: contract and types, kernel against reference, ragged batches of every shape, wrong offsets."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import test
from xdsl.dialects.builtin import DYNAMIC_INDEX, BoolAttr, DenseArrayBase, StringAttr, TensorType, i32
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.dnn import blas
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.recurrent.crf import CrfDecodingOp
from lastuse.dialect.dnn.recurrent.gru import GruOp
from lastuse.dialect.dnn.recurrent.gru_cell import ACTIVATIONS
from lastuse.dialect.dnn.recurrent.ragged import OffsetsError
from lastuse.dialect.ir.tensor_types import element_type, name_of_dtype
from lastuse.dialect.storage.contract import Engine, contract_of

Arrays = list[np.ndarray]


def build(cls: type[DnnOp], types: list[TensorType], result: TensorType, attributes: dict[str, Attribute]) -> DnnOp:
    source = test.TestOp(result_types=types)
    op = cls.create(operands=source.results, result_types=[result], attributes=attributes)
    SOURCES.append(source)
    return op


SOURCES: list[test.TestOp] = []
"""The ops that define operands, which nothing else holds."""


def tensor(shape: tuple[int, ...], dtype: str) -> TensorType:
    return TensorType(element_type(dtype), shape)


def types_of(arrays: Arrays) -> list[TensorType]:
    return [tensor(a.shape, name_of_dtype(a.dtype)) for a in arrays]


def offsets_of(lengths: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def gru(arrays: dict[str, np.ndarray], **attrs: bool | str) -> tuple[DnnOp, Arrays]:
    roles = ("gates", "weight_h", "bias", "h0", "offsets")
    attributes: dict[str, Attribute] = {
        key: BoolAttr.from_bool(value) if isinstance(value, bool) else StringAttr(value) for key, value in attrs.items()
    }
    attributes["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [int(role in arrays) for role in roles])
    given = [arrays[role] for role in roles if role in arrays]
    result = tensor((len(arrays["gates"]), len(arrays["weight_h"])), name_of_dtype(given[0].dtype))
    op = build(GruOp, types_of(given), result, attributes)
    op.verify()
    return op, given


def gru_arrays(lengths: list[int], channels: int, dtype: Any = np.float32, *optional: str) -> dict[str, np.ndarray]:
    rng, words = np.random.default_rng(len(lengths)), sum(lengths)
    arrays = {
        "gates": rng.normal(size=(words, 3 * channels)),
        "weight_h": rng.normal(size=(channels, 3 * channels)) / np.sqrt(channels),
        "bias": rng.normal(size=(1, 3 * channels)),
        "h0": rng.normal(size=(len(lengths), channels)),
    }
    kept = {name: a.astype(dtype) for name, a in arrays.items() if name in ("gates", "weight_h", *optional)}
    return {**kept, "offsets": offsets_of(lengths)}


def run(op: DnnOp, arrays: Arrays, out: np.ndarray) -> np.ndarray:
    """The op's kernel, with scratch full of NaN."""
    scratch = np.full(contract_of(op).scratch, 255, np.uint8)
    op.kernel(arrays, [out], scratch)
    return out


def run_gru(op: DnnOp, arrays: Arrays) -> np.ndarray:
    return run(op, arrays, np.full((len(arrays[0]), len(arrays[1])), np.nan, arrays[0].dtype))


SHAPES = {
    "one sequence": [9],
    "one word": [1],
    "single words": [1] * 20,
    "equal": [4, 4, 4],
    "empty first": [0, 3, 2],
    "empty in the middle": [3, 0, 0, 2],
    "empty last": [3, 2, 0],
    "all empty": [0, 0],
    "no sequences": [],
    "one long, many short": [50, *[1] * 300],
    "more than a group": [2] * 700,
}
MODES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "plain": ((), {}),
    "bias": (("bias",), {}),
    "reverse, h0": (("h0",), {"is_reverse": True}),
    "origin, all": (("bias", "h0"), {"origin_mode": True}),
    "origin, reverse": (("bias",), {"origin_mode": True, "is_reverse": True}),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", SHAPES)
def test_gru_kernel_equals_the_reference(shape: str, mode: str, dtype: Any) -> None:
    optional, attrs = MODES[mode]
    op, arrays = gru(gru_arrays(SHAPES[shape], 5, dtype, *optional), **attrs)
    (want,) = op.reference(*arrays)
    got = run_gru(op, arrays)
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-5 if dtype is np.float32 else 1e-13)


@pytest.mark.parametrize("gate", ACTIVATIONS)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_gru_applies_its_activations(activation: str, gate: str) -> None:
    arrays = gru_arrays([3, 1], 4, np.float64, "bias")
    op, given = gru(arrays, activation=activation, gate_activation=gate)
    functions = {
        "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
        "tanh": np.tanh,
        "relu": lambda x: np.maximum(x, 0),
        "identity": lambda x: x,
    }
    f, g = functions[activation], functions[gate]
    flat = arrays["weight_h"].reshape(-1)
    w_u, w_r = np.hsplit(flat[:32].reshape(4, 8), 2)
    w_c, want = flat[32:].reshape(4, 4), np.zeros((4, 4))
    for start, end in ((0, 3), (3, 4)):
        h = np.zeros(4)
        for row in range(start, end):
            x_u, x_r, x_c = np.split(arrays["gates"][row] + arrays["bias"][0], 3)
            u, r = g(x_u + h @ w_u), g(x_r + h @ w_r)
            h = (1 - u) * h + u * f(x_c + (r * h) @ w_c)
            want[row] = h
    np.testing.assert_allclose(op.reference(*given)[0], want, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(run_gru(op, given), want, rtol=1e-12, atol=1e-13)


@settings(max_examples=60, deadline=None)
@given(lengths=st.lists(st.integers(0, 6), max_size=12), reverse=st.booleans(), origin=st.booleans())
def test_gru_sequences_are_independent(lengths: list[int], reverse: bool, origin: bool) -> None:
    arrays = gru_arrays(lengths, 3, np.float64, "bias", "h0")
    op, given = gru(arrays, is_reverse=reverse, origin_mode=origin)
    got, ends = run_gru(op, given), arrays["offsets"]
    for i, length in enumerate(lengths):
        alone = {**arrays, "gates": arrays["gates"][ends[i] : ends[i + 1]], "h0": arrays["h0"][i : i + 1]}
        one, one_given = gru({**alone, "offsets": offsets_of([length])}, is_reverse=reverse, origin_mode=origin)
        np.testing.assert_allclose(got[ends[i] : ends[i + 1]], run_gru(one, one_given), rtol=0, atol=1e-13)


def test_gru_at_strides_gives_the_same_bits() -> None:
    """Gates, state and result are columns of wider arrays, whose other columns stay untouched."""
    op, arrays = gru(gru_arrays([4, 0, 7, 1], 6, np.float32, "bias", "h0"))
    dense = run_gru(op, arrays)
    gates, h0 = (np.hstack([a, a])[:, : a.shape[1]] for a in (arrays[0], arrays[3]))
    wide = np.full((12, 20), 7, np.float32)
    run(op, [gates, arrays[1], arrays[2], h0, arrays[4]], wide[:, 5:11])
    np.testing.assert_array_equal(wide[:, 5:11], dense)
    assert (wide[:, :5] == 7).all()
    assert (wide[:, 11:] == 7).all()


def test_gru_on_extreme_values_gives_no_warning() -> None:
    arrays = gru_arrays([2, 3], 4, np.float32)
    arrays["gates"][0] = 1e30
    arrays["gates"][1] = -1e30
    op, given = gru(arrays)
    with np.errstate(all="raise"):
        got = run_gru(op, given)
    assert np.isfinite(got).all()


def test_kernels_allocate_only_a_block_of_rows() -> None:
    """Beside scratch and results, for any batch."""
    op, arrays = gru(gru_arrays([30] * 500, 64, np.float32, "bias", "h0"))
    crf, crf_arrays = crf_op([30] * 500, 20)
    for each, given_arrays, out in (
        (op, arrays, np.empty((15000, 64), np.float32)),
        (crf, crf_arrays, np.empty((15000, 1), np.int64)),
    ):
        scratch = np.zeros(contract_of(each).scratch, np.uint8)
        each.kernel(given_arrays, [out], scratch)
        tracemalloc.start()
        each.kernel(given_arrays, [out], scratch)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 400_000


def crf_op(lengths: list[int], tags: int, dtype: Any = np.float32, rough: bool = False) -> tuple[DnnOp, Arrays]:
    rng, words = np.random.default_rng(tags), sum(lengths)
    emission, transition = rng.normal(size=(words, tags)), rng.normal(size=(tags + 2, tags))
    if rough:  # many ties
        emission, transition = emission.round(), transition.round()
    arrays = [emission.astype(dtype), transition.astype(dtype), offsets_of(lengths)]
    op = build(CrfDecodingOp, types_of(arrays), tensor((words, 1), "i64"), {})
    op.verify()
    return op, arrays


def best_path(emission: np.ndarray, transition: np.ndarray) -> list[int]:
    """The best path by trying them all; of equal ones that whose last tag is first, then the one before it, …"""
    length, tags = emission.shape
    paths = np.indices((tags,) * length).reshape(length, -1)[::-1]  # the last tag varies slowest
    scores = transition[0, paths[0]] + transition[1, paths[-1]] + emission[np.arange(length)[:, None], paths].sum(0)
    for step in range(1, length):
        scores = scores + transition[2 + paths[step - 1], paths[step]]
    return paths[:, int(scores.argmax())].tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("rough", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_crf_kernel_equals_the_reference(shape: str, rough: bool, dtype: Any) -> None:
    for tags in (1, 4, 49):
        op, arrays = crf_op(SHAPES[shape], tags, dtype, rough)
        out = np.full((len(arrays[0]), 1), -1, np.int64)
        np.testing.assert_array_equal(run(op, arrays, out), op.reference(*arrays)[0])


@pytest.mark.parametrize("rough", [False, True])
def test_crf_is_the_best_path(rough: bool) -> None:
    lengths = [1, 5, 0, 3, 6]
    op, arrays = crf_op(lengths, 3, np.float64, rough)
    got, ends = op.reference(*arrays)[0], arrays[2]
    for start, end in pairwise(ends):
        if start < end:
            assert got[start:end, 0].tolist() == best_path(arrays[0][start:end], arrays[1])


def test_crf_of_more_than_256_tags() -> None:
    op, arrays = crf_op([3, 2], 300)
    np.testing.assert_array_equal(run(op, arrays, np.zeros((5, 1), np.int64)), op.reference(*arrays)[0])


def test_crf_does_not_lose_precision_with_length() -> None:
    """A long sequence has the same tags in f32 as in f64."""
    op, arrays = crf_op([4000], 6)
    arrays[0] += 20  # the plain sum would reach 80,000, where f32 has steps of 1/128
    exact, wide = crf_op([4000], 6, np.float64)
    wide[0][...] = arrays[0]
    wide[1][...] = arrays[1]
    np.testing.assert_array_equal(run(op, arrays, np.zeros((4000, 1), np.int64)), exact.reference(*wide)[0])


def test_crf_avoids_forbidden_transitions() -> None:
    op, arrays = crf_op([6, 2], 4)
    arrays[1][2:, 2] = -np.inf  # nothing leads to tag 2
    arrays[1][0, 2] = -np.inf
    got = run(op, arrays, np.zeros((8, 1), np.int64))
    assert 2 not in got
    np.testing.assert_array_equal(got, op.reference(*arrays)[0])


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([0, 5, 4, 7], "offset 2 is 4, less than the 5 before it"),
        ([0, 9, 7, 7], "less than the 9"),
        ([1, 2, 3, 7], "the first offset is 1"),
        ([0, 2, 3, 8], "the last offset is 8, but there are 7 rows"),
        ([0, 2, 3, 6], "the last offset is 6, but there are 7 rows"),
        ([-1, 2, 3, 7], "the first offset is -1"),
    ],
)
def test_wrong_offsets_are_an_error(offsets: list[int], message: str) -> None:
    op, arrays = gru(gru_arrays([2, 3, 2], 3))
    crf, crf_arrays = crf_op([2, 3, 2], 4)
    for each, given_arrays, out in (
        (op, arrays, np.zeros((7, 3), np.float32)),
        (crf, crf_arrays, np.zeros((7, 1), np.int64)),
    ):
        given_arrays[-1] = np.array(offsets, np.int64)
        with pytest.raises(OffsetsError, match=message):
            each.reference(*given_arrays)
        with pytest.raises(OffsetsError, match=message):
            run(each, given_arrays, out)


def test_too_small_scratch_is_an_error() -> None:
    op, arrays = gru(gru_arrays([2], 3))
    with pytest.raises(ValueError, match="scratch of 8 bytes"):
        op.kernel(arrays, [np.zeros((2, 3), np.float32)], np.zeros(8, np.uint8))


def test_gru_runs_on_the_cpu_with_scratch_and_never_in_place() -> None:
    op, _ = gru(gru_arrays([2, 1], 3))
    contract = contract_of(op)
    assert contract.engines == {Engine.CPU}
    assert contract.strided
    assert not contract.over
    assert contract.scratch % 64 == 0
    some = DYNAMIC_INDEX
    unknown = build(
        GruOp,
        [tensor((some, 9), "f32"), tensor((3, 9), "f32"), tensor((some,), "i64")],
        tensor((some, 3), "f32"),
        {"operandSegmentSizes": DenseArrayBase.from_list(i32, [1, 1, 0, 0, 1])},
    )
    unknown.verify()
    assert contract_of(unknown).scratch == 0, "not told before the sizes are"


def wrong_gru(**changes: tuple[tuple[int, ...], str]) -> None:
    types = {
        "gates": ((7, 9), "f32"),
        "weight_h": ((3, 9), "f32"),
        "bias": ((1, 9), "f32"),
        "h0": ((2, 3), "f32"),
        "offsets": ((3,), "i64"),
        "result": ((7, 3), "f32"),
    } | changes
    result = types.pop("result")
    attributes: dict[str, Attribute] = {"operandSegmentSizes": DenseArrayBase.from_list(i32, [1] * 5)}
    build(GruOp, [tensor(*t) for t in types.values()], tensor(*result), attributes).verify()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, None),
        ({"gates": ((7, 8), "f32")}, "last axis of gates is 8, it must be 9"),
        ({"gates": ((7, 9, 1), "f32")}, "gates has 3 axes"),
        ({"gates": ((7, 9), "i32")}, "gates has element type i32"),
        ({"weight_h": ((3, 9), "f64")}, "weight_h has element type f64, it must be f32"),
        ({"weight_h": ((3, 8), "f32")}, "last axis of weight_h is 8"),
        ({"bias": ((2, 9), "f32")}, "first axis of bias is 2"),
        ({"bias": ((1, 6), "f32")}, "last axis of bias is 6"),
        ({"h0": ((5, 3), "f32")}, "first axis of h0 is 5, it must be 2"),
        ({"h0": ((2, 4), "f32")}, "last axis of h0 is 4"),
        ({"offsets": ((3,), "i32")}, "offsets has element type i32"),
        ({"offsets": ((3, 1), "i64")}, "offsets has 2 axes"),
        ({"offsets": ((0,), "i64")}, "there are no offsets"),
        ({"result": ((7, 4), "f32")}, "its operands make it"),
    ],
)
def test_wrong_types_of_gru_are_rejected(changes: dict[str, Any], message: str | None) -> None:
    if message is None:
        wrong_gru(**changes)
        return
    with pytest.raises(VerifyException, match=message):
        wrong_gru(**changes)


def test_unknown_activation_of_gru_is_rejected() -> None:
    arrays = gru_arrays([2], 3)
    with pytest.raises(VerifyException, match="activation is 'softplus', it must be one of sigmoid, tanh"):
        gru(arrays, activation="softplus")


@pytest.mark.parametrize(
    ("emission", "transition", "message"),
    [
        ((7, 4), (5, 4), "first axis of transition is 5, it must be 6"),
        ((7, 4), (6, 3), "last axis of transition is 3"),
        ((7, 0), (2, 0), "no tags"),
        ((7,), (6, 4), "emission has 1 axes"),
    ],
)
def test_wrong_types_of_crf_are_rejected(emission: tuple[int, ...], transition: tuple[int, ...], message: str) -> None:
    types = [tensor(emission, "f32"), tensor(transition, "f32"), tensor((3,), "i64")]
    with pytest.raises(VerifyException, match=message):
        build(CrfDecodingOp, types, tensor((7, 1), "i64"), {}).verify()


def test_kernels_restore_the_threads_of_blas() -> None:
    """Also if kernels overlap, and if one fails."""
    pool = blas._pool()
    if pool is None:
        pytest.skip("numpy has no OpenBLAS of its own here")
    before = pool.get()
    with blas.one_thread():
        assert pool.get() == 1
        with blas.one_thread():
            assert pool.get() == 1
        assert pool.get() == 1
    assert pool.get() == before
    with pytest.raises(KeyError), blas.one_thread():
        raise KeyError
    assert pool.get() == before
