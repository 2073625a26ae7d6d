"""Layouts against the plain list of their bytes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastuse.dialect.storage.layout import Strided, may_overlap, permuted, reshape, share_byte, sliced


@st.composite
def placed(draw: st.DrawFn) -> Strided:
    """A value somewhere inside others: slices and transposes of a dense one."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    layout = Strided.dense(sizes, 4, draw(st.integers(0, 3)) * 4)
    for _ in range(draw(st.integers(0, 3))):
        axis = draw(st.integers(0, len(layout.sizes) - 1))
        start = draw(st.integers(0, layout.sizes[axis] - 1))
        step = draw(st.integers(1, 2))
        size = draw(st.integers(1, (layout.sizes[axis] - start + step - 1) // step))
        layout = sliced(axis, start, size, step)(layout)
        assert layout is not None
        if draw(st.booleans()):
            layout = permuted(draw(st.permutations(range(len(layout.sizes)))))(layout)
            assert layout is not None
    return layout


@given(placed(), st.data())
def test_slice_within_a_layout_names_its_bytes(outer: Strided, data: st.DataObject) -> None:
    inner = Strided.dense(outer.sizes, outer.item)
    axis = data.draw(st.integers(0, len(inner.sizes) - 1))
    start = data.draw(st.integers(0, inner.sizes[axis] - 1))
    inner = sliced(axis, start, data.draw(st.integers(1, inner.sizes[axis] - start)), 1)(inner)
    assert inner is not None
    found = inner.within(outer)
    assert found is not None
    assert np.array_equal(found.bytes(), outer.bytes()[inner.bytes()])


@given(placed(), st.lists(st.integers(1, 6), max_size=3), st.integers(0, 8), st.data())
def test_composed_layout_names_the_bytes_of_both(
    outer: Strided, sizes: list[int], offset: int, data: st.DataObject
) -> None:
    strides = tuple(4 * data.draw(st.integers(0, 5)) for _ in sizes)
    inner = Strided(4 * offset, tuple(sizes), strides, 4)
    if inner.span[1] > outer.nbytes:
        return
    found = inner.within(outer)
    if found is not None:
        assert np.array_equal(found.bytes(), outer.bytes()[inner.bytes()])


@given(placed(), placed())
def test_overlap_is_exact_on_small_layouts(a: Strided, b: Strided) -> None:
    assert may_overlap(a, b) == bool(np.intersect1d(a.bytes(), b.bytes()).size)


@given(placed(), placed(), st.lists(placed(), max_size=2))
def test_shared_bytes_are_those_of_both_and_of_nothing_left_out(a: Strided, b: Strided, minus: list[Strided]) -> None:
    left = set(a.bytes().tolist()) & set(b.bytes().tolist()) - {byte for m in minus for byte in m.bytes().tolist()}
    assert share_byte(a, b, tuple(minus)) == bool(left)


@given(placed(), st.data())
def test_a_reshape_keeps_bytes_and_order(layout: Strided, data: st.DataObject) -> None:
    count = layout.elements
    first = data.draw(st.sampled_from([n for n in range(1, count + 1) if count % n == 0]))
    found = reshape(layout, (first, count // first))
    if found is not None:
        assert np.array_equal(found.bytes(), layout.bytes())
    elif layout.is_dense:
        raise AssertionError("a dense layout takes every shape")


def test_large_layouts_are_composed_without_listing_bytes() -> None:
    rows = Strided(64, (5000, 128), (1024, 4), 4)
    column = Strided.dense((5000, 128), 4)
    found = column.within(rows)
    assert found is not None and found.canonical() == rows.canonical()
