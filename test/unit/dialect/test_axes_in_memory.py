"""Strides of reshaped values, against numpy's views: also where sizes are not known."""

from __future__ import annotations

from math import prod

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lastuse.dialect.ir.tensor_types import Dim, symbol
from lastuse.dialect.storage.runtime_slices import MemoryAxis, strides_in

Sizes = list[int]


@st.composite
def reshapes(draw: st.DrawFn) -> tuple[np.ndarray, Sizes]:
    """A part of an array at strides, and a shape of as many elements."""
    sizes = draw(st.lists(st.sampled_from([1, 2, 3, 4, 6]), min_size=1, max_size=3))
    rooms = [size + draw(st.sampled_from([0, 0, 1])) for size in sizes]
    steps = [draw(st.sampled_from([1, 1, 2])) for _ in sizes]
    whole = np.zeros([room * step for room, step in zip(rooms, steps, strict=True)], np.int8)
    part = whole[tuple(slice(0, size * step, step) for size, step in zip(sizes, steps, strict=True))]
    left, shape = prod(sizes), list[int]()
    while left > 1 and len(shape) < 3:
        shape.append(draw(st.sampled_from([n for n in range(1, left + 1) if left % n == 0])))
        left //= shape[-1]
    return part, [*shape, left]


def as_view(part: np.ndarray, shape: Sizes) -> np.ndarray | None:
    view = part.reshape(shape)
    return view if np.shares_memory(view, part) else None


@given(reshapes(), st.data())
@settings(max_examples=600, deadline=None)
def test_strides_are_those_of_numpy(case: tuple[np.ndarray, Sizes], data: st.DataObject) -> None:
    """A symbol stands for a size that is not known: there are strides only where these are the ones whatever it is."""
    part, shape = case
    hidden = data.draw(st.booleans())
    hide = st.booleans() if hidden else st.just(False)
    sizes: list[Dim] = [symbol("a", k) if data.draw(hide) else size for k, size in enumerate(part.shape)]
    axes = [MemoryAxis(size, stride) for size, stride in zip(sizes, part.strides, strict=True)]
    asked: list[Dim] = []
    for k, size in enumerate(shape):
        same: list[Dim] = [known for known, n in zip(sizes, part.shape, strict=True) if n == size]
        asked.append(data.draw(st.sampled_from([symbol("b", k), *same])) if data.draw(hide) else size)
    found, view = strides_in(axes, tuple(asked)), as_view(part, shape)
    if not hidden and (view is not None or all(size == 1 for size in shape)):
        assert found is not None
    if found is None:
        return
    assert view is not None
    for stride, want, size in zip(found, view.strides, shape, strict=True):
        assert stride is None or size == 1 or stride == want
