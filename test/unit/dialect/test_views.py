"""Views and carriers name the bytes that numpy would: one by one, in chains, and on layouts with strides."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from good_ops import LINES
from hypothesis import given, settings
from hypothesis import strategies as st
from op_cases import build, named, operands_for, same_bits

from lastuse.dialect.base import Array, DnnOp
from lastuse.dialect.dtypes import numpy_dtype
from lastuse.dialect.layout import Strided
from lastuse.dialect.storage import contract_of

CONTRACTS = {name: contract_of(build(line)) for name, line in {named(line): line for line in LINES}.items()}
VIEWS = [line for line in LINES if CONTRACTS[named(line)].views]
CARRIERS = [line for line in LINES if CONTRACTS[named(line)].contributions]


def read(memory: Array, place: Strided, dtype: np.dtype) -> Array:
    """The value that lies at `place` of uint8 memory."""
    return memory[place.bytes()].view(dtype).reshape(place.sizes)


def dense_of(array: Array) -> Strided:
    return Strided.dense(array.shape, array.itemsize)


def spread(array: Array, gaps: Sequence[int]) -> tuple[Array, Strided]:
    """The array in memory with gaps between the elements of each axis, and where it lies there."""
    steps = [g + 1 for g in gaps]
    large = np.full([n * s for n, s in zip(array.shape, steps, strict=True)], 99).astype(array.dtype)
    large[(*(slice(None, None, s) for s in steps), ...)] = array
    outer = Strided.dense(large.shape, array.itemsize)
    strides = tuple(stride * step for stride, step in zip(outer.strides, steps, strict=True))
    return large.reshape(-1).view(np.uint8), Strided(0, array.shape, strides, array.itemsize)


@pytest.mark.parametrize("line", VIEWS)
def test_view_reads_the_bytes_of_the_reference(line: str) -> None:
    op = build(line)
    (x,) = operands_for(op)
    for memory, place in ((x.reshape(-1).view(np.uint8), dense_of(x)), spread(x, [1] * x.ndim)):
        for view, want in zip(contract_of(op).views, op.reference(x), strict=True):
            seen = view.map(place)
            if seen is None:
                assert place != dense_of(x), "a dense operand can always be viewed"
                continue
            assert seen.sizes == want.shape
            assert same_bits(read(memory, seen, x.dtype), want)
            assert seen.injective or not view.injective
            if view.whole:
                assert seen.canonical() == place.canonical()


@pytest.mark.parametrize("line", CARRIERS)
def test_contributions_make_up_the_result(line: str) -> None:
    op = build(line)
    operands = operands_for(op)
    (want,) = op.reference(*operands)
    contract, place = contract_of(op), dense_of(want)
    out, filled = np.full(want.nbytes, 0xEE, np.uint8), np.zeros(want.nbytes, int)
    for carry in contract.contributions:
        part = carry.into(place)
        assert part is not None
        source = np.ascontiguousarray(operands[carry.operand]).reshape(-1).view(np.uint8)
        at = part.bytes()
        if carry.complement:
            at = np.setdiff1d(np.arange(want.nbytes), at)
            out[at] = source[at]
        else:
            assert part.sizes == operands[carry.operand].shape
            out[at] = source
        filled[at] += 1
    assert filled.max(initial=0) <= 1, "no byte comes from two operands"
    if contract.fill:
        out[filled == 0] = want.reshape(-1).view(np.uint8)[filled == 0]
    else:
        assert filled.min(initial=1) == 1, "every byte comes from an operand"
    assert same_bits(out.view(want.dtype).reshape(want.shape), want)


def test_unread_operands_are_not_read() -> None:
    for line in (
        "fill(3x4xf32) {value = 1 : i64} -> 3x4xf32",
        "copy_into(2x3xf32, 2x3xf32) -> 2x3xf32",
        "ones(4xf32) -> 4xf32",
    ):
        op = build(line)
        (unread,) = contract_of(op).metadata_only
        arrays = operands_for(op)
        want = op.reference(*arrays)[0]
        arrays[unread] = np.full_like(arrays[unread], np.nan)
        assert same_bits(op.reference(*arrays)[0], want)


# Chains: any view of any view, followed through the maps and through numpy.


def _numbers(values: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


@st.composite
def view_lines(draw: st.DrawFn, shape: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    """A view of a value of `shape`, as `name {attributes}`, and the shape of its first result."""
    rank, count = len(shape), math.prod(shape)
    kinds = ["reshape", "expand", "as_strided"] + ["transpose", "slice", "select", "split", "unbind"] * (rank > 0)
    kind = draw(st.sampled_from(kinds + ["diagonal"] * (rank > 1)))
    axis = draw(st.integers(-rank, rank - 1)) if rank else 0
    at, size = axis % rank if rank else 0, shape[axis] if rank else 1
    rest = (shape[:at], shape[at + 1 :])
    if kind == "reshape":
        divisors = [d for d in range(1, count + 1) if count % d == 0] if count else [1]
        cut = draw(st.sampled_from(divisors))
        return kind, draw(st.sampled_from([(cut, count // cut), (count,), (1, count, 1)]))
    if kind == "expand":
        return kind, (draw(st.integers(1, 3)), *(draw(st.integers(1, 3)) if d == 1 else d for d in shape))
    if kind == "as_strided" and count:
        offset, stride = draw(st.integers(0, count - 1)), draw(st.integers(0, 4))
        length = draw(st.integers(0, 1 + ((count - 1 - offset) // stride if stride else 3)))
        text = f"{{size = {_numbers([length])}, storage_offset = {offset} : i64, stride = {_numbers([stride])}}}"
        return f"{kind} {text}", (length,)
    if kind == "transpose":
        perm = draw(st.permutations(range(rank)))
        return f"{kind} {{perm = {_numbers(perm)}}}", tuple(shape[p] for p in perm)
    if kind == "slice":
        start, end = draw(st.integers(-9, 9)), draw(st.integers(-9, 9))
        step = draw(st.integers(1, 3))
        text = f"{{dim = {axis} : i64, end = {end} : i64, start = {start} : i64, step = {step} : i64}}"
        # Python's slices clamp as PyTorch's do, but for ends before starts, which are empty in both.
        return f"{kind} {text}", (*rest[0], len(range(size)[start:end:step]), *rest[1])
    if kind == "select" and size:
        return f"{kind} {{dim = {axis} : i64, index = {draw(st.integers(-size, size - 1))} : i64}}", rest[0] + rest[1]
    if kind == "diagonal":
        dims = draw(st.permutations(range(rank)))[:2]
        offset = draw(st.integers(-3, 3))
        made = np.diagonal(np.empty(shape), offset, *dims).shape
        return f"{kind} {{dim1 = {dims[0]} : i64, dim2 = {dims[1]} : i64, offset = {offset} : i64}}", made
    if kind == "split" and size:
        return f"{kind} {{axis = {axis} : i64, num_outputs = 1 : i64}}", shape
    return "identity", shape


def view_op(line: str, shape: Sequence[int], made: Sequence[int]) -> DnnOp:
    name, _, attributes = line.partition(" ")
    given, result = ("".join(f"{d}x" for d in s) + "f32" for s in (shape, made))
    return build(f"{name}({given}) {attributes} -> {result}")


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_chains_of_views(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(0, 4), min_size=0, max_size=3)))
    array = np.arange(math.prod(shape), dtype=np.float32).reshape(shape)
    memory, place = spread(array, data.draw(st.lists(st.integers(0, 1), min_size=len(shape), max_size=len(shape))))
    for _ in range(data.draw(st.integers(1, 5))):
        line, made = data.draw(view_lines(array.shape))
        op = view_op(line, array.shape, made)
        seen = contract_of(op).views[0].map(place)
        array = op.reference(array)[0]
        assert array.shape == tuple(made)
        if seen is None:  # a copy, which is dense
            memory, place = np.ascontiguousarray(array).reshape(-1).view(np.uint8), dense_of(array)
        else:
            place = seen
        assert same_bits(read(memory, place, numpy_dtype("f32")), array)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_random_scatters_are_inverses_of_their_views(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    line, made = data.draw(view_lines(shape).filter(lambda v: v[0].split()[0] in ("slice", "select", "diagonal")))
    name, _, attributes = line.partition(" ")
    base, part = ("".join(f"{d}x" for d in s) + "i32" for s in (shape, made))
    scatter = build(f"{name}_scatter({base}, {part}) {attributes} -> {base}")
    view = build(f"{name}({base}) {attributes} -> {part}")
    x, source = operands_for(scatter)
    (out,) = scatter.reference(x, source)
    assert same_bits(view.reference(out)[0], source)
    assert same_bits(scatter.reference(x, view.reference(x)[0])[0], x)
