"""What a state says of regions is what a memory of single bytes holds, in whatever order elements lie there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import i8
from xdsl.ir import Block

from lastuse.dialect.storage.layout import Strided
from lastuse.passes.lowering_checker import codes as codes_file
from lastuse.passes.lowering_checker.cells import CellMemory, CellRegion, State
from lastuse.passes.lowering_checker.codes import Codes, Row
from lastuse.passes.lowering_checker.pieces import Pieces, gaps

SIZE = 72
SHAPES = [(2, 3, 2), (3, 2, 2), (6, 2), (2, 6), (12,), (3, 2), (6,), (2, 2)]


def numbers(pieces: Pieces) -> list[int]:
    """Bytes of blocks, one by one; -1 for those of nothing of use."""
    columns = zip(pieces.starts.tolist(), gaps(pieces.pos).tolist(), strict=True)
    return [a + k if a >= 0 else -1 for a, n in columns for k in range(n)]


@st.composite
def layouts(draw: st.DrawFn, shape: Sequence[int], item: int) -> Strided:
    """A place of these sizes: axes in some order, perhaps with gaps, reversed, repeated or overlapping."""
    strides = [0] * len(shape)
    step = item
    for axis in draw(st.permutations(range(len(shape)))):
        strides[axis] = step
        step *= shape[axis] + draw(st.sampled_from([0, 0, 0, 1]))
    axis = draw(st.integers(0, len(shape) - 1))
    kind = draw(st.sampled_from(["", "", "", "reversed", "repeated", "overlapping"]))
    if kind == "reversed":
        strides[axis] = -strides[axis]
    elif kind:
        strides[axis] = 0 if kind == "repeated" else item
    low, high = Strided(0, tuple(shape), tuple(strides), item).span
    if high - low > SIZE:
        return draw(layouts(shape, item))
    offset = draw(st.integers(0, (SIZE - high + low) // item)) * item - low
    return Strided(offset, tuple(shape), tuple(strides), item)


@st.composite
def copies(draw: st.DrawFn) -> tuple[Strided, Strided]:
    """Two places of the same sizes."""
    shape, item = draw(st.sampled_from(SHAPES)), draw(st.sampled_from([1, 4]))
    return draw(layouts(shape, item)), draw(layouts(shape, item))


class Memory:
    """A memory of the checker, and its bytes one by one."""

    def __init__(self, places: Sequence[tuple[int, Strided]]) -> None:
        self.codes = Codes()
        self.cells = CellMemory(self.codes)
        storages = [self.cells.storage(root, SIZE, True, "") for root in Block(arg_types=[i8] * 2).args]
        self.regions = [self.cells.region(storages[number], layout, "i8") for number, layout in places]
        self.state: State = self.cells.seal()
        self.bytes = np.full((2, SIZE), -1, np.int64)

    def bytes_of(self, region: CellRegion) -> list[int]:
        return self.bytes[region.storage.number, region.layout.bytes()].tolist()

    def write(self, region: CellRegion, row: Row) -> None:
        held = numbers(self.codes.row_pieces(row))
        self.cells.write(self.state, region, row)
        self.bytes[region.storage.number, region.layout.bytes()] = held

    def copy(self, source: CellRegion, target: CellRegion) -> None:
        held = self.bytes_of(source)
        self.cells.write(self.state, target, self.cells.read(self.state, source))
        self.bytes[target.storage.number, target.layout.bytes()] = held

    def clear(self, region: CellRegion) -> None:
        """Scratch is a run of bytes; cells of which it is a part may not be there."""
        self.cells.clear(self.state, region)
        self.bytes[region.storage.number, region.layout.bytes()] = -1

    def check(self) -> None:
        """Each region holds what its bytes are, and nothing else."""
        rows = [self.cells.read(self.state, region) for region in self.regions]
        for region, row in zip(self.regions, rows, strict=True):
            held = self.bytes_of(region)
            assert numbers(self.codes.row_pieces(row)) == held
            for other in rows:
                expected = numbers(self.codes.row_pieces(other))
                if len(expected) == len(held) and -1 not in expected:  # as values of a source are
                    mismatch = self.cells.find_mismatch(self.state, region, other)
                    assert (mismatch is None) == (held == expected)
                    if mismatch is not None:
                        self.check_mismatch(region, expected, mismatch)

    def check_mismatch(self, region: CellRegion, expected: list[int], mismatch: tuple[int, int, int]) -> None:
        """The refusal names the first byte that differs, or the region, where none of its bytes holds anything."""
        low, high, code = mismatch
        held, at = self.bytes_of(region), region.layout.bytes().tolist()
        if set(held) == {-1}:
            assert (low, high) == region.layout.span and code < 0
            return
        first = next(k for k, (a, b) in enumerate(zip(held, expected, strict=True)) if a != b or a < 0)
        assert at[first : first + high - low] == list(range(low, high)) and low < high
        assert held[first] == (code if code < 0 else numbers(self.codes.row_pieces(Row(1, code)))[0]) or code < 0


@pytest.mark.parametrize("few", [1, codes_file.FEW])
def test_regions_hold_what_bytes_do(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes_file, "FEW", few)

    @settings(max_examples=100, deadline=None)
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        pairs = data.draw(st.lists(copies(), min_size=1, max_size=4))
        places = [(data.draw(st.integers(0, 1)), layout) for pair in pairs for layout in pair]
        memory = Memory([*places, (0, Strided.dense((SIZE,), 1)), (1, Strided.dense((SIZE,), 1))])
        for number, region in enumerate(memory.regions[-2:]):
            memory.write(region, memory.codes.own(number, SIZE, "an argument"))
        for step in range(data.draw(st.integers(1, 6))):
            number = data.draw(st.integers(0, len(memory.regions) - 3))
            region, source = memory.regions[number], memory.regions[number ^ 1]
            kind = data.draw(st.sampled_from(["write", "copy", "copy", "copy", "clear", "forward"]))
            if kind == "clear":
                if region.order is None and region.starts is None:
                    memory.clear(region)
            elif not region.layout.injective:
                continue
            elif kind == "write":
                memory.write(region, memory.codes.own(("step", step), region.nbytes, "a step"))
            elif kind == "copy" and not source.overlaps(region):
                memory.copy(source, region)
            elif kind == "forward":  # what another region of this size holds
                row = memory.cells.read(memory.state, data.draw(st.sampled_from(memory.regions)))
                if row.nbytes == region.nbytes and row.first >= 0:
                    memory.write(region, row)
        memory.check()

    holds()


def test_a_whole_storage_in_another_order_is_one_cell() -> None:
    """Of a million elements, through the copies of two orders and back."""
    codes = Codes()
    memory = CellMemory(codes)
    shape, order = (100, 100, 100), (2, 0, 1)
    nbytes = 4 * 100**3
    one, two = (memory.storage(root, nbytes, True, "") for root in Block(arg_types=[i8] * 2).args)
    plain = Strided.dense(shape, 4)
    turned = Strided(0, shape, tuple(plain.strides[axis] for axis in order), 4)
    there, back = memory.region(two, turned, "f32"), memory.region(one, turned, "f32")
    first, second = memory.region(one, plain, "f32"), memory.region(two, plain, "f32")
    state = memory.seal()
    assert len(state) == 2
    x = codes.own("x", nbytes, "x")
    memory.write(state, first, x)
    memory.write(state, there, memory.read(state, first))
    assert memory.find_mismatch(state, there, x) is None
    assert memory.find_mismatch(state, second, x) is not None
    memory.write(state, first, memory.read(state, second))
    assert memory.find_mismatch(state, back, x) is None  # the order is its own inverse three times
    memory.write(state, there, memory.read(state, first))
    memory.write(state, first, memory.read(state, second))
    memory.write(state, there, memory.read(state, first))
    assert memory.find_mismatch(state, second, x) is None
