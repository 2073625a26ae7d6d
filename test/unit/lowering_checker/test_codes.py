"""Ranges of codes, whatever they are made of, are the bytes that numpy makes of the same arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastuse.dialect.storage.layout import LayoutMap, Strided, permuted, reshaped, sliced
from lastuse.passes.lowering_checker import codes as codes_file
from lastuse.passes.lowering_checker.codes import UNKNOWN, Codes, Row
from lastuse.passes.lowering_checker.pieces import gaps
from lastuse.passes.lowering_checker.signature import Mismatch
from lastuse.passes.lowering_checker.strided_maps import compose, line_of

Value = tuple[Row, np.ndarray]
"""What a value holds, and its elements: bytes of blocks, [sizes…, item]."""


def expanded(codes: Codes, row: Row) -> list[int]:
    """Bytes of blocks, one by one."""
    pieces = codes.row_pieces(row)
    return [a + k for a, n in zip(pieces.starts.tolist(), gaps(pieces.pos).tolist(), strict=True) for k in range(n)]


def block(codes: Codes, key: object, shape: Sequence[int], item: int) -> Value:
    """A value of its own bytes."""
    size = int(np.prod(shape, dtype=int)) * item
    row = codes.own(key, size, "a value")
    return row, (row.first + np.arange(size)).reshape(*shape, item)


def dense(value: Value) -> Strided:
    row, array = value
    return Strided.dense(array.shape[:-1], array.shape[-1], row.first)


def through(map_: LayoutMap, layout: Strided) -> Strided:
    """A map that views declare, at one place."""
    place = map_(layout)
    assert place is not None
    return place


def moved(codes: Codes, value: Value, map_: LayoutMap, array: np.ndarray) -> Value:
    """A view of a value, which numpy says is `array`."""
    return Row(array.size, codes.strided(through(map_, dense(value)))), np.ascontiguousarray(array)


def shapes(size: int) -> list[tuple[int, ...]]:
    """Sizes of so many elements, of up to three axes."""
    pairs = [(a, size // a) for a in range(1, size + 1) if size % a == 0]
    return [(size,), *pairs, *((a, b, c // b) for a, c in pairs for b in range(1, c + 1) if c % b == 0)]


def draw_view(data: st.DataObject, codes: Codes, value: Value) -> Value:
    _, array = value
    sizes = array.shape[:-1]
    kind = data.draw(st.sampled_from(["permute", "reshape", "slice", "reverse", "repeat"]))
    if kind == "permute":
        order = data.draw(st.permutations(range(len(sizes))))
        return moved(codes, value, permuted(order), array.transpose(*order, len(sizes)))
    if kind == "reshape":
        shape = data.draw(st.sampled_from(shapes(int(np.prod(sizes, dtype=int)))))
        return moved(codes, value, reshaped(shape), array.reshape(*shape, array.shape[-1]))
    if kind == "repeat":
        many = data.draw(st.integers(2, 3))

        def repeated(m: Strided) -> Strided:
            return Strided(m.offset, (many, *m.sizes), (0, *m.strides), m.item)

        return moved(codes, value, repeated, np.stack([array] * many))
    axis = data.draw(st.integers(0, len(sizes) - 1))
    if kind == "reverse":

        def reverse(m: Strided) -> Strided:
            strides = tuple(-s if k == axis else s for k, s in enumerate(m.strides))
            return Strided(m.offset + (sizes[axis] - 1) * m.strides[axis], m.sizes, strides, m.item)

        return moved(codes, value, reverse, np.flip(array, axis))
    start = data.draw(st.integers(0, sizes[axis] - 1))
    step = data.draw(st.integers(1, 2))
    size = data.draw(st.integers(1, (sizes[axis] - start + step - 1) // step))
    part = np.take(array, range(start, start + size * step, step), axis)
    return moved(codes, value, sliced(axis, start, size, step), part)


def draw_join(data: st.DataObject, codes: Codes, values: Sequence[Value]) -> Value:
    """Parts of values one after the other, of bytes or of whole elements."""
    starts, lengths, parts = list[int](), list[int](), list[np.ndarray]()
    item = data.draw(st.sampled_from([1, 4]))
    values = [value for value in values if value[0].nbytes % item == 0]
    for _ in range(data.draw(st.integers(1, 5))):
        row, array = data.draw(st.sampled_from(values))
        low = data.draw(st.integers(0, row.nbytes // item - 1)) * item
        size = data.draw(st.integers(1, (row.nbytes - low) // item)) * item
        starts.append(row.first + low)
        lengths.append(size)
        parts.append(array.reshape(-1)[low : low + size])
    array = np.concatenate(parts)
    row = Row(array.size, codes.joined(np.array(starts, np.int64), np.array(lengths, np.int64)))
    return row, array.reshape(-1, item)


@pytest.mark.parametrize("few", [1, 4, codes_file.FEW])
def test_ranges_are_what_numpy_makes(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where ranges of many pieces are not looked at piece by piece."""
    monkeypatch.setattr(codes_file, "FEW", few)

    @settings(max_examples=150, deadline=None)
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        codes = Codes()
        values = [block(codes, k, data.draw(st.sampled_from(shapes(12))), 4) for k in range(2)]
        for _ in range(data.draw(st.integers(1, 7))):
            if data.draw(st.booleans()):
                values.append(
                    draw_view(data, codes, data.draw(st.sampled_from([v for v in values if v[1].size < 999])))
                )
            else:
                values.append(draw_join(data, codes, values))
        for row, array in values:
            assert expanded(codes, row) == array.reshape(-1).tolist()
            normal = Row(row.nbytes, codes.normal(row.first, row.nbytes))
            assert expanded(codes, normal) == array.reshape(-1).tolist()
        for row, array in values:
            for other, second in values:
                if row.same(other):
                    assert array.reshape(-1).tolist() == second.reshape(-1).tolist()

    holds()


def channels(sizes: tuple[int, ...]) -> tuple[Codes, Value]:
    codes = Codes()
    return codes, block(codes, "x", sizes, 4)


def test_orders_of_axes_that_undo_each_other_are_no_order() -> None:
    codes, x = channels((2, 3, 4, 5))
    last = Row(480, codes.strided(through(permuted((0, 2, 3, 1)), dense(x))))
    back = through(permuted((0, 3, 1, 2)), Strided.dense((2, 4, 5, 3), 4, last.first))
    again = through(permuted((0, 2, 3, 1)), Strided.dense((2, 4, 5, 3), 4, last.first))
    assert codes.strided(back) == x[0].first != last.first
    assert codes.strided(again) not in (x[0].first, last.first)


def test_two_ways_to_one_order_are_one_range() -> None:
    """Over other sizes between: [2, 3, 20] and [2, 3, 4, 5]."""
    codes, x = channels((2, 3, 4, 5))
    one = codes.strided(through(permuted((0, 2, 3, 1)), dense(x)))
    other = codes.strided(through(permuted((0, 2, 1)), Strided.dense((2, 3, 20), 4, x[0].first)))
    assert one == other
    first = codes.strided(through(permuted((1, 0, 2, 3)), dense(x)))
    other = codes.strided(through(permuted((1, 2, 3, 0)), Strided.dense((3, 2, 4, 5), 4, first)))
    assert one == other


def test_part_of_an_order_is_the_order_of_a_part() -> None:
    """Row 1 of the channels of a permuted value, and a channel of it, which runs on in the value itself."""
    codes, x = channels((2, 3, 4, 5))
    last = codes.strided(through(permuted((0, 2, 3, 1)), dense(x)))
    image = codes.strided(through(permuted((1, 2, 0)), Strided.dense((3, 4, 5), 4, x[0].first + 240)))
    assert codes.normal(last + 240, 240) == image
    channel = through(sliced(3, 1, 1, 1), Strided.dense((2, 4, 5, 3), 4, last))
    only = codes.strided(Strided(channel.offset, channel.sizes[1:], channel.strides[1:], 4))
    assert only == x[0].first + 80


def test_part_of_joined_values_is_a_part_of_one() -> None:
    """Channels of a concat in front of channels-last pixels, in runs of one pixel."""
    codes = Codes()
    values = [block(codes, k, (40, 50, 3), 4)[0] for k in "ab"]
    starts = np.stack([v.first + np.arange(2000) * 12 for v in values], axis=1).reshape(-1)
    whole = codes.joined(starts, np.full(4000, 12))
    part = through(sliced(1, 3, 3, 1), Strided.dense((2000, 6), 4, whole))
    assert codes.strided(part) == values[1].first


def test_what_holds_nothing_stays_so() -> None:
    codes, (row, _) = channels((2, 3))
    assert codes.strided(Strided.dense((3, 2), 4, UNKNOWN + 8)) == UNKNOWN
    assert codes.joined(np.array([UNKNOWN, UNKNOWN + 4]), np.array([4, 9])) == UNKNOWN
    half = codes.joined(np.array([row.first, UNKNOWN]), np.array([12, 12]))
    turned = codes.strided(Strided(half, (3, 2), (4, 12), 4))
    assert [c if c >= 0 else -1 for c in expanded(codes, Row(24, turned))] == [
        *(c for k in range(3) for c in (*range(row.first + 4 * k, row.first + 4 * k + 4), *[-1] * 4)),
    ]
    assert codes.strided(Strided(half, (3,), (4,), 4)) == row.first
    assert codes.strided(Strided(half + 12, (3,), (4,), 4)) == UNKNOWN


def test_view_beyond_its_value_is_refused() -> None:
    codes, (row, _) = channels((2, 3))
    with pytest.raises(Mismatch, match="beyond"):
        codes.strided(Strided(row.first, (4, 2), (4, 12), 4))
    with pytest.raises(Mismatch, match="beyond"):
        codes.strided(Strided(row.first + 4, (6,), (4,), 4))


@st.composite
def layouts(draw: st.DrawFn) -> Strided:
    """A map of any sizes and strides, from byte 0 or behind it on."""
    axes = draw(st.lists(st.tuples(st.integers(1, 4), st.integers(-24, 24)), max_size=3))
    low = sum((size - 1) * stride for size, stride in axes if stride < 0)
    sizes, strides = tuple(size for size, _ in axes), tuple(stride for _, stride in axes)
    return Strided(draw(st.integers(0, 8)) - low, sizes, strides, draw(st.sampled_from([1, 2, 4])))


@settings(max_examples=500, deadline=None)
@given(layouts())
def test_line_has_the_bytes_of_the_map(layout: Strided) -> None:
    line = line_of(layout)
    if line is None:
        assert not layout.injective
        return
    at = np.concatenate([np.arange(start, start + line.run) for start in line.starts])
    assert at.tolist() == sorted(set(layout.bytes().tolist()))
    order = np.arange(len(at)) if line.order is None else line.order.bytes()
    assert at[order].tolist() == layout.bytes().tolist()
    if layout.injective and line.order is not None:
        assert line.inverse is not None
    if line.inverse is not None:
        assert order[line.inverse.bytes()].tolist() == list(range(len(at)))


@settings(max_examples=500, deadline=None)
@given(layouts(), layouts())
def test_map_through_a_map_is_where_its_bytes_are(inner: Strided, outer: Strided) -> None:
    if inner.span[0] < 0 or inner.span[1] > outer.nbytes:
        return
    both = compose(inner, outer)
    if both is not None:
        assert both.bytes().tolist() == outer.bytes()[inner.bytes()].tolist()
