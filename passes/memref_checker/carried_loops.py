"""Loops: what holds at the start of every turn.

**Contents.** A tensor that a loop carries is a slot. Memory that holds, before the loop and at the end of every turn,
what goes into a slot, holds the slot.

**Sizes.** A size of what is carried is the number that it has before the loop while every turn passes on that number.
One that changes is a number that is not known. Sizes that are equal before the loop and at the end of every turn are
the same number: classes of sizes are split until each turn keeps them.

**Memory.** A carried memref is one of the pieces that it is before the loop, or memory that earlier turns took: one
piece for each carried memref, shared where two may be the same bytes. That piece is there only while the memref is it.
What a turn passes on was not given back in it, so the next turn starts with memory that is there. Memory from outside
of the loop that a turn gives back is handed to the loop: it may be used under no other name from then on. What the loop
does not give back, the carried memrefs own if what the loop starts with and what every turn passes on does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import NamedTuple

from xdsl.ir import Operation

from lastuse.passes.memref_checker.index_terms import Number, product_of, unknown
from lastuse.passes.memref_checker.joins import beside_parts, met, named
from lastuse.passes.memref_checker.memory_contents import MemoryContents, NotModelled, Refused, Seen, State
from lastuse.passes.memref_checker.piece_owners import Heirs
from lastuse.passes.memref_checker.slice_parts import Shape
from lastuse.passes.memref_checker.term_table import TermTable

ROUNDS = 12
"""A loop whose state still changes after so many rounds is refused."""
Turn = Callable[[Sequence[int], Sequence[Seen]], tuple[list[int], list[Seen]]]
"""Runs the body on slots and memrefs; gives the tensors and memrefs that it passes on."""


class TurnStart(NamedTuple):
    """What holds at the start of a turn.

    Attributes:
        first: the contents of the carried memrefs.
        held: of the pieces that were there before the loop.
        bases: the pieces from outside of the loop that each carried memref may be.
        apart: pairs of carried memrefs that are never the same bytes.
        clear: carried memrefs, and others that control flow around carries, that are never the same bytes.
        inner: of each carried memref the lowest number of those that may share memory of earlier turns with it; -1
            where it is never such memory.
        parts: memrefs, and pieces that they may be a part of; -1 is memory of earlier turns.
        alone: memrefs, and pieces from outside of the loop that they own alone.
        owners: those pieces of which owners are known, and these (`PathHeirs.of`).
    """

    first: list[int]
    held: dict[int, int]
    bases: list[frozenset[int]]
    apart: frozenset[tuple[int, int]]
    clear: frozenset[tuple[int, int]]
    inner: list[int]
    parts: frozenset[tuple[int, int]]
    alone: frozenset[tuple[int, int]]
    owners: dict[int, Heirs]


class CarriedSizes:
    """The sizes of what one loop carries, by number of what is carried and axis.

    Args:
        owner: names the loop.
        entry: the shapes before the loop: of tensors, then of memrefs.
    """

    def __init__(self, contents: TermTable, owner: object, entry: Sequence[Shape]) -> None:
        self.contents, self.owner = contents, owner
        self.entry = [tuple(map(contents.norm, shape)) for shape in entry]
        self._class: dict[tuple[int, int], object] = {
            (n, axis): number for n, shape in enumerate(self.entry) for axis, number in enumerate(shape)
        }
        self._changing: set[tuple[int, int]] = set()

    def shapes(self) -> list[Shape]:
        """The shapes at the start of a turn."""
        return [tuple(self._size(n, axis) for axis in range(len(shape))) for n, shape in enumerate(self.entry)]

    def changes(self, number: int) -> bool:
        """Some size of what is carried is not what it is before the loop."""
        return any(n == number for n, _ in self._changing)

    def _size(self, n: int, axis: int) -> Number:
        if (n, axis) not in self._changing:
            return self.entry[n][axis]
        least = min(place for place, other in self._class.items() if other == self._class[n, axis])
        atom = self.contents.term("size in a turn", self.owner, least)
        self.contents.sizes.add(atom)
        return unknown(atom)

    def meet(self, passed: Sequence[Shape]) -> bool:
        """Takes in the shapes that a turn passes on; whether the sizes are what they were assumed to be."""
        before = self.shapes()
        after = {
            (n, axis): self.contents.norm(size) for n, shape in enumerate(passed) for axis, size in enumerate(shape)
        }
        if len(after) != len(self._class):
            raise NotModelled("a loop that changes ranks is not known")
        changed = {(n, axis) for (n, axis), size in after.items() if not self.contents.same(before[n][axis], size)}
        known = len(self._changing), len(set(self._class.values()))
        self._changing |= changed
        numbers: dict[object, int] = {}
        for place, other in self._class.items():
            self._class[place] = numbers.setdefault((other, after[place]), len(numbers))
        return known == (len(self._changing), len(numbers))


class CarriedLoop:
    """One loop.

    Args:
        owner: names its slots.
        values: the tensors before it.
        memrefs: the memrefs before it.
        written: pieces of which turns of the same loop were seen to change what they hold besides slots, with these
            slots. A loop around it runs it again: what is there before it then need not be tried to stay. More are
            added.
    """

    def __init__(
        self,
        memory: MemoryContents,
        owner: Operation,
        values: Sequence[int],
        memrefs: Sequence[Seen],
        turn: Turn,
        written: set[tuple[int, frozenset[int]]],
    ) -> None:
        self.memory, self.contents, self.owner, self.turn, self.written = memory, memory.contents, owner, turn, written
        self.values, self.memrefs, self.entry = values, memrefs, memory.snapshot()
        shapes = [*(self.contents.shape[v] for v in values), *(seen.shape for seen in memrefs)]
        self.sizes = CarriedSizes(self.contents, owner, shapes)
        self.before = len(memory.pieces)
        self.given: frozenset[int] = frozenset()
        """Memory from outside that the loop gives back."""

    def run(self) -> tuple[list[Shape], list[Seen]]:
        """Runs turns until what holds at the start of every one is known; memory is then as at that start. Returns the
        shapes of the slots, and the memrefs that are carried.

        Raises:
            NotModelled: that is never known.
            Refused: memory from outside of the loop is given back in every turn.
        """
        start = self._start()
        for _ in range(ROUNDS):
            slots, carried, own = self._begin(start)
            count = len(self.memory.pieces)
            passed, seen = self.turn(slots, carried)
            shapes = [*(self.contents.shape[v] for v in passed), *(s.shape for s in seen)]
            if not self.sizes.meet(shapes) or not self._hand_over():
                start = self._start()
                continue
            taken = frozenset(p.number for p in self.memory.pieces[count:] if p.own)
            after = self._met(start, passed, seen, own | taken)
            if after == start:
                return self._end(start, carried, own)
            start = after
        raise NotModelled("a loop whose memory never settles is not known")

    def _start(self) -> TurnStart:
        """What holds before the first turn, under the sizes that all turns have."""
        contents, memory = self.contents, self.memory
        memory.restore(self.entry)
        count = len(self.values)
        slots, outer = self.sizes.shapes()[:count], self.sizes.shapes()[count:]
        still = frozenset(n for n in range(count) if not self.sizes.changes(n))
        first: list[int] = []
        for m, (seen, shape) in enumerate(zip(self.memrefs, outer, strict=True)):
            content = named(contents, self.owner, memory.read(seen), self.values, still)
            if self.sizes.changes(count + m):
                content = self._changing(memory.read(seen), slots, shape)
            first.append(content)
        held = {n: self._named(n, content, still) for n, content in self.entry.held.items()}
        bases = [frozenset(memory.bases(seen.piece)) for seen in self.memrefs]
        apart = frozenset(
            (i, j) for i in range(len(bases)) for j in range(i) if not memory.overlap(self.memrefs[i], self.memrefs[j])
        )
        given = [base & self.given for base in bases]
        inner = [min(j for j in range(m + 1) if given[j] & own) if own else -1 for m, own in enumerate(given)]
        others = memory.carriers_of(frozenset[int]().union(*bases))
        clear = frozenset(
            (m, c) for m, one in enumerate(self.memrefs) for c in others if not memory.may_be(one.piece, c)
        )
        outside, parts = [base - self.given for base in bases], self._parts(self.memrefs, self.given)
        owed = self.entry.owed.intersection(frozenset[int]().union(*outside))
        owners = self._owners(self.memrefs, owed)
        alone = self._alone(self.memrefs)
        return TurnStart(first, held, outside, apart, clear, _joined(inner, inner), parts, alone, owners)

    def _owners(self, passed: Sequence[Seen], pieces: Set[int]) -> dict[int, Heirs]:
        """Owners of pieces where memrefs are passed on; not those of which one ends with the turn."""
        heirs = self.memory.owners.heirs([seen.piece for seen in passed])
        known = ((piece, heirs.of(piece)) for piece in pieces)
        return {piece: found for piece, found in known if found and -1 - min(found) < self.before}

    def _alone(self, passed: Sequence[Seen]) -> frozenset[tuple[int, int]]:
        owed, owners = self.entry.owed - self.given, self.memory.owners
        return frozenset((m, piece) for m, seen in enumerate(passed) for piece in owners.owned_by([seen.piece]) & owed)

    def _named(self, piece: int, content: int, still: frozenset[int]) -> int:
        """What a piece holds at the start of a turn that may be the first one."""
        found = named(self.contents, self.owner, content, self.values, still)
        kind, owner, *slots = self.contents.terms[found]
        if kind == "slots" and owner == self.owner and (piece, slots[0]) in self.written:
            return self.contents.slots(self.owner, slots[0], None, self.contents.shape[found])  # pyright: ignore
        return found

    def _changing(self, content: int, slots: Sequence[Shape], shape: Shape) -> int:
        """What memory whose size changes holds at the start of each turn: the slots that are of its size."""
        contents, count = self.contents, product_of(shape)
        fit = frozenset(n for n, slot in enumerate(slots) if contents.same(product_of(slot), count))
        term = contents.terms[named(contents, self.owner, content, self.values, fit)]
        if term[0] == "slots" and term[1] == self.owner:
            return contents.slots(self.owner, term[2], None, shape)  # pyright: ignore[reportArgumentType]
        return self.memory.nothing(-1, shape)

    def _begin(self, start: TurnStart) -> tuple[list[int], list[Seen], frozenset[int]]:
        """The slots and memrefs of a turn, and the pieces that stand for memory of earlier turns."""
        memory, count = self.memory, len(self.values)
        slots, outer = self.sizes.shapes()[:count], self.sizes.shapes()[count:]
        made = [self.contents.slot(self.owner, n, shape) for n, shape in enumerate(slots)]
        memory.restore(self._outside(start))
        own = {
            m: memory.piece("memory of an earlier turn", outer[m], own=True).piece for m in set(start.inner) if m >= 0
        }
        memory.several.update(own.values())
        carried: list[Seen] = []
        for m, (shape, content, base) in enumerate(zip(outer, start.first, start.bases, strict=True)):
            may_be = base | {own[start.inner[m]]} if start.inner[m] >= 0 else base
            carried.append(memory.piece("a memref that is carried", shape, content, carried=may_be))
        for m, part in start.parts:
            whole = frozenset([own[start.inner[m]] if part < 0 else part])
            memory.parts[carried[m].piece] = memory.parts_of(carried[m]) | whole
        self._put_owners(start, [one.piece for one in carried], own)
        memory.separate |= {frozenset([carried[i].piece, carried[j].piece]) for i, j in start.apart}
        memory.separate |= {frozenset([carried[m].piece, other]) for m, other in start.clear}
        for m, piece in own.items():
            if start.inner.count(m) == 1:
                memory.only[piece] = carried[m].piece
            else:
                memory.perhaps.add(piece)
        return made, carried, frozenset(own.values())

    def _put_owners(self, start: TurnStart, carried: Sequence[int], own: Mapping[int, int]) -> None:
        """Notes which carried memrefs own which pieces in a turn."""
        owners = self.memory.owners
        for piece, heirs in start.owners.items():
            owners.put(carried, heirs, piece)
        for m, piece in start.alone:
            owners.put(carried, frozenset([m]), piece)
        sharing: dict[int, list[int]] = {}
        for m, inner in enumerate(start.inner):
            sharing.setdefault(inner, []).append(m)
        for m, piece in own.items():
            owners.put(carried, frozenset(sharing[m]), piece)

    def _hand_over(self) -> bool:
        """Hands to the loop what a turn gave back from outside of it; False where there is more of that than before."""
        gone = (self.memory.given_back & self.entry.held.keys()) - self.entry.gone - self.given
        if not gone:
            return True
        if not gone <= frozenset[int]().union(*(self.memory.bases(seen.piece) for seen in self.memrefs)):
            raise Refused("memory from outside of a loop is given back in it")
        self.given |= gone
        self.memory.perhaps |= gone
        return False

    def _met(self, start: TurnStart, passed: Sequence[int], seen: Sequence[Seen], own: frozenset[int]) -> TurnStart:
        """What holds at the start of a turn, and at the end of one that passes on `passed` and `seen`; `own` is memory
        that this or an earlier turn took."""
        memory = self.memory
        bases = [frozenset(memory.bases(one.piece)) for one in seen]
        memory.check_owed(own, seen)
        if any(memory.given_back & base for base in bases):
            raise NotModelled("a loop that passes on what it may have given back is not known")
        first = [self._still(h, memory.read(s), passed) for h, s in zip(start.first, seen, strict=True)]
        held = {n: self._still(h, memory.held[n], passed) for n, h in start.held.items()}
        self.written.update((n, slots) for n, h in held.items() if (slots := self._lost(start.held[n], h)))
        inner = [-1] * len(seen)
        for m, base in enumerate(bases):
            if base & own:
                shared = (j for j in range(m) if base & bases[j] & own and memory.overlap(seen[m], seen[j]))
                inner[m] = min(shared, default=m)
        owners = self._owners(seen, start.owners.keys())
        return TurnStart(
            first,
            held,
            [old | base - own for old, base in zip(start.bases, bases, strict=True)],
            frozenset((i, j) for i, j in start.apart if not memory.overlap(seen[i], seen[j])),
            frozenset((m, c) for m, c in start.clear if not memory.may_be(seen[m].piece, c)),
            _joined(start.inner, inner),
            start.parts | self._parts(seen, own),
            start.alone & self._alone(seen),
            {piece: start.owners[piece] | heirs for piece, heirs in owners.items()},
        )

    def _lost(self, before: int, after: int) -> frozenset[int] | None:
        """The slots that are all that is known of content of which more was known before."""
        one, other = self.contents.terms[before], self.contents.terms[after]
        is_less = one[0] == other[0] == "slots" and one[:3] == other[:3] and one[3] is not None and other[3] is None
        return one[2] if is_less and one[1] == self.owner else None  # pyright: ignore

    def _parts(self, seen: Sequence[Seen], own: frozenset[int]) -> frozenset[tuple[int, int]]:
        parts = ((m, base) for m, one in enumerate(seen) for base in self.memory.parts_of(one))
        return frozenset((m, -1 if base in own else base) for m, base in parts)

    def _still(self, held: int, after: int, passed: Sequence[int]) -> int:
        """What is held at the start of every turn; what already was nothing stays the same nothing."""
        found = met(self.contents, self.owner, held, after, passed)
        if found is None:
            found = beside_parts(self.contents, self.owner, held, after, lambda shape: self.memory.nothing(-1, shape))
        return self.memory.nothing(-1, self.contents.shape[held]) if found is None else found

    def _outside(self, start: TurnStart) -> State:
        """Memory from outside of the loop, as it is at the start of a turn: what the loop gives back is its own, if one
        of the memrefs that it is given is that memory."""
        taken = self.given & self.memory.owners.owned_by([seen.piece for seen in self.memrefs])
        return State(dict(start.held), self.entry.gone | self.given, self.entry.owed - taken)

    def _end(self, start: TurnStart, carried: list[Seen], own: frozenset[int]) -> tuple[list[Shape], list[Seen]]:
        self.memory.restore(self._outside(start))
        self.memory.owed |= own
        for one, content in zip(carried, start.first, strict=True):
            self.memory.held[one.piece] = content
        return self.sizes.shapes()[: len(self.values)], carried


def _joined(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """The groups of two partitions, each by a number of it, as those of one, by their lowest numbers; -1: no group."""
    least = list(range(len(one)))
    changed = True
    while changed:
        changed = False
        for groups in (one, other):
            for m, group in enumerate(groups):
                if group >= 0 and least[m] != least[group]:
                    least[m] = least[group] = min(least[m], least[group])
                    changed = True
    return [least[m] if max(a, b) >= 0 else -1 for m, (a, b) in enumerate(zip(one, other, strict=True))]
