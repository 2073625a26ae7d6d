"""Views and carriers name the bytes that numpy would: one by one, in chains, and on layouts with strides."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from op_cases import build, operands_for

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.tensor_types import numpy_dtype
from lastuse.dialect.storage.contract import contract_of
from lastuse.testing import array_at, dense_of, same_bits, spread


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
def test_chain_of_views_names_the_bytes_of_numpy(data: st.DataObject) -> None:
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
        assert same_bits(array_at(memory, place, numpy_dtype("f32")), array)


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
