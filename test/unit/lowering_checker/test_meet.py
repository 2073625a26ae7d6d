"""Where paths meet, each code stands on every path for what that path has there, and no equality is lost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import TensorType, i8
from xdsl.ir import Block, SSAValue

from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.layout import Strided
from lastuse.passes.lowering_checker.cells import ByteStorage, CellMemory, CellRegion, State
from lastuse.passes.lowering_checker.codes import UNKNOWN, Row
from lastuse.passes.lowering_checker.meet import Arrival, meet
from lastuse.passes.lowering_checker.pieces import gaps
from lastuse.passes.lowering_checker.source_values import Values

SHAPE = (2, 3, 2)
SIZE = 12
ORDERS = [(6, 2, 1), (1, 2, 6), (2, 4, 1), (6, 1, 3)]


class Paths:
    """A memory of three storages of 12 bytes, a few places in each, and two slots of 12 bytes."""

    def __init__(self) -> None:
        self.values = Values()
        self.memory = CellMemory(self.values.codes)
        roots = Block(arg_types=[i8] * 3).args
        storages = [self.memory.storage(root, SIZE, True, "") for root in roots]
        self.whole = [[self.place(s, Strided(0, SHAPE, order, 1)) for order in ORDERS] for s in storages]
        halves = [Strided(at, (6,), (1,), 1) for at in (0, 6)]
        self.halves = [self.place(storage, half) for storage in storages for half in halves]
        self.empty = self.memory.seal()
        self.cells = self.memory.cell_lengths()
        self.slots: Sequence[SSAValue] = Block(arg_types=[TensorType(i8, [SIZE])] * 2).args
        self.names = {attrs.display_name(slot) for slot in self.slots}

    def place(self, storage: ByteStorage, layout: Strided) -> CellRegion:
        return self.memory.region(storage, layout, "i8")

    def numbers(self, row: Row) -> list[int]:
        """Bytes of blocks; -1 for those of nothing of use."""
        return self.bytes_of([row.first], [row.nbytes])

    def bytes_of(self, starts: Sequence[int], lengths: Sequence[int]) -> list[int]:
        pieces = self.values.codes.resolve(np.array(starts, np.int64), np.array(lengths, np.int64))
        columns = zip(pieces.starts.tolist(), gaps(pieces.pos).tolist(), strict=True)
        return [a + k if a >= 0 else -1 for a, n in columns for k in range(n)]

    def bytes_of_state(self, state: State) -> list[int]:
        return self.bytes_of(state.tolist(), self.cells.tolist())

    def draw_path(self, data: st.DataObject, before: Arrival | None) -> Arrival:
        """A few copies, from arguments or from what the last meeting has left."""
        state = self.empty.copy() if before is None else before.state.copy()
        rows = [self.values.codes.own(k, SIZE, "a value") for k in range(3)]
        if before is not None:
            rows += [row for row in before.slots if isinstance(row, Row)]
        for number in range(3):
            if data.draw(st.booleans()):
                row = data.draw(st.sampled_from(rows))
                self.memory.write(state, data.draw(st.sampled_from(self.whole[number])), row)
        for _ in range(data.draw(st.integers(0, 3))):
            places = self.halves if data.draw(st.booleans()) else [p for whole in self.whole for p in whole]
            source, target = data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))
            if not source.overlaps(target):
                self.memory.write(state, target, self.memory.read(state, source))
        held = [self.memory.read(state, place) for whole in self.whole for place in whole]
        held = [row for row in held if -1 not in self.numbers(row)]
        return Arrival(state, tuple(data.draw(st.sampled_from([*rows, *held])) for _ in self.slots), ())

    def check(self, paths: Sequence[Arrival], after: Arrival) -> None:
        """By single bytes: of each path, what it has in slots and in memory, and what is left."""
        slots = [[self.numbers(r) for r in path.slots if isinstance(r, Row)] for path in (*paths, after)]
        states = [self.bytes_of_state(path.state) for path in (*paths, after)]
        columns = [[*chain(*path)] for path in slots]
        meaning: dict[int, tuple[int, ...]] = {}
        for *come, code in zip(*columns, strict=True):
            assert code >= 0
            if self.is_slot(code):
                assert meaning.setdefault(code, tuple(come)) == tuple(come)
            else:
                assert set(come) == {code}
        tuples = set(zip(*columns[:-1], strict=True))
        for *come, code in zip(*states, strict=True):
            if code < 0:  # nothing that could be known is lost
                assert -1 in come or (len(set(come)) > 1 and tuple(come) not in tuples)
            elif len(set(come)) == 1:
                assert code == come[0]
            else:
                assert meaning[code] == tuple(come)

    def is_slot(self, code: int) -> bool:
        return self.values.codes.name(code) in self.names


@settings(max_examples=120, deadline=None, phases=[Phase.generate])
@given(st.data())
def test_codes_mean_on_each_path_what_it_has(data: st.DataObject) -> None:
    """Of two arms or three, and of two rounds of a loop behind them. Failures are not shrunk: that takes minutes."""
    paths = Paths()
    entry = paths.draw_path(data, None)
    arms = [entry, *(paths.draw_path(data, None) for _ in range(data.draw(st.integers(1, 2))))]
    after = meet(arms, paths.slots, paths.cells, paths.values)
    paths.check(arms, after)
    for _ in range(2):
        back = [entry, paths.draw_path(data, after)]
        after = meet(back, paths.slots, paths.cells, paths.values)
        paths.check(back, after)


def test_a_slot_in_another_order_is_known_after_the_meeting() -> None:
    """On both paths the memory holds the slot's value with its axes exchanged."""
    paths = Paths()
    rows = [paths.values.codes.own(k, SIZE, "a value") for k in range(2)]
    arms: list[Arrival] = []
    for row in rows:
        state = paths.empty.copy()
        paths.memory.write(state, paths.whole[0][1], row)
        arms.append(Arrival(state, (row, rows[0]), ()))
    after = meet(arms, paths.slots, paths.cells, paths.values)
    slot = after.slots[0]
    assert isinstance(slot, Row) and slot.first not in (rows[0].first, rows[1].first)
    assert paths.memory.find_mismatch(after.state, paths.whole[0][1], slot) is None
    assert paths.memory.find_mismatch(after.state, paths.whole[0][0], slot) is not None
    assert after.slots[1] == rows[0]
    assert (after.state[paths.whole[1][0].cells] == UNKNOWN).all()
