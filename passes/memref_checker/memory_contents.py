"""Memory of a function on memrefs: what each piece of it holds, and which pieces may be the same bytes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from typing import NamedTuple

from xdsl.ir import Attribute

from lastuse.passes.memref_checker.arena_ranges import ArenaRanges, Room
from lastuse.passes.memref_checker.given_back import GivenBack
from lastuse.passes.memref_checker.index_terms import Number
from lastuse.passes.memref_checker.piece_owners import Owners, PieceOwners
from lastuse.passes.memref_checker.slice_parts import ZERO, Shape, SlicePart
from lastuse.passes.memref_checker.term_table import TermTable


class Refused(Exception):
    """The form does something that is wrong whatever its program is."""


class NotModelled(Exception):
    """The form has an op that the checker knows nothing of, or is not shown to do what its program does."""


class Piece(NamedTuple):
    """Memory that is one tensor: an argument, what was taken at once, a range of an arena, or a memref that control
    flow carries.

    Attributes:
        number: its own.
        name: says which it is.
        shape: of the tensor.
        arena: the arena that it is in, its first byte and the one behind its last; None for other memory.
        carried: of a carried memref, the pieces that it may be; empty for other memory.
        writable: it may be written.
        own: the function took it, and gives it back.
    """

    number: int
    name: str
    shape: Shape
    arena: Room | None = None
    carried: frozenset[int] = frozenset()
    writable: bool = True
    own: bool = False


class Seen(NamedTuple):
    """A memref: a piece, and the slices and shapes through which it is seen, the first one of the piece itself."""

    piece: int
    through: tuple[SlicePart | Shape, ...]
    shape: Shape


class State(NamedTuple):
    """What memory holds at one point, what was given back before, and what still has to be."""

    held: dict[int, int]
    gone: frozenset[int]
    owed: frozenset[int]


class MemoryContents:
    """What all pieces of memory hold at one point; terms are those of `contents`."""

    def __init__(self, contents: TermTable) -> None:
        self.contents = contents
        self.pieces: list[Piece] = []
        self._bases: list[Set[int]] = []
        self.held: dict[int, int] = {}
        self.given_back = GivenBack()
        self.owed: set[int] = set()
        """Pieces that the function took, and that no op gave back on some path."""
        self.owners = PieceOwners(self._bases)
        self.separate: set[frozenset[int]] = set()
        """Pairs of carried memrefs that are never the same bytes."""
        self.written: set[int] = set()
        """Pieces that something wrote, on any path."""
        self.perhaps: set[int] = set()
        """Pieces that are given back on a condition."""
        self.several: set[int] = set()
        """Pieces that may be other memory for each memref: that of earlier turns, and what is left."""
        self._taken_at: dict[int, int] = {}
        """By piece that was taken the point of `given_back`: it may be where what had been given back then was."""
        self.only: dict[int, int] = {}
        """By piece the carried memref without which it is not there: what is not that memref is not the piece."""
        self.parts: dict[int, Set[int]] = {}
        """By carried memref the pieces of which it may be a part."""
        self._ranges = ArenaRanges(contents.sizes)
        self._by_range: dict[tuple[object, ...], int] = {}
        self._carriers: dict[int, None] = {}
        self._keyed: dict[tuple[object, Shape, frozenset[int]], int] = {}

    def piece(
        self,
        name: str,
        shape: Shape,
        content: int | None = None,
        writable: bool = True,
        carried: frozenset[int] = frozenset(),
        own: bool = False,
        key: object = None,
        once: bool = False,
    ) -> Seen:
        """New memory; with a `key`, that which was taken under it before, if no carried memref may still be it, or if
        it is taken `once` in a run.

        Raises:
            Refused: the memory that was taken before can be given back no more.
        """
        again = self._keyed.get((key, shape, carried))
        if again is not None and (once or not any(again in self.pieces[c].carried for c in self._carriers)):
            self.check_owed([again])
            self.given_back.take_again(again)
            self._note_taken(again, own)
            self.held[again] = self.nothing(again, shape) if content is None else content
            return Seen(again, (), shape)
        number = len(self.pieces)
        if key is not None:
            self._keyed[key, shape, carried] = number
        self._add(Piece(number, name, shape, None, carried, writable, own))
        self.held[number] = self.nothing(number, shape) if content is None else content
        self._note_taken(number, own)
        if carried:
            self._carriers[number] = None
        return Seen(number, (), shape)

    def _add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self._bases.append(piece.carried or frozenset([piece.number]))

    def _note_taken(self, number: int, own: bool) -> None:
        if own:
            self.owed.add(number)
            self._taken_at[number] = self.given_back.now

    def range(self, arena: int, first: Number, end: Number, element: Attribute, shape: Shape) -> Seen:
        """A range of bytes of an arena; the same bytes, as elements of one type, are the same piece."""
        key = (arena, first, end, element)
        number = self._by_range.get(key)
        if number is None:
            number = self._by_range[key] = len(self.pieces)
            self._add(Piece(number, "the arena", shape, (arena, first, end)))
            self.held[number] = self.nothing(number, shape)
            self._ranges.add(number, (arena, first, end))
        own = self.pieces[number].shape
        return Seen(number, () if own == shape else (shape,), shape)

    def nothing(self, number: int, shape: Shape) -> int:
        return self.contents.symbol(shape, "nothing", number, len(self.contents.terms))

    # Reading and writing

    def read(self, memref: Seen) -> int:
        """What a memref holds."""
        if self.given_back:
            self._check_there(memref.piece, "read")
        content = self.held[memref.piece]
        for step in memref.through:
            content = (
                self.contents.select(content, step)
                if isinstance(step, SlicePart)
                else self.contents.reshape(content, step)
            )
        return content

    def write(self, memref: Seen, content: int) -> None:
        """Writes a memref, if it has elements: whatever may be the same bytes holds nothing of use after."""
        number = memref.piece
        if self.given_back:
            self._check_there(number, "written")
        if ZERO in memref.shape:
            return
        bases = self._bases[number]
        for base in bases:
            if not self.pieces[base].writable:
                raise Refused("memory is written that may not be")
        if not bases <= self.written:
            self.written |= bases | self._ranges.arenas_of(bases)
        through = memref.through
        self.held[number] = self._replaced(self.held[number], through, content) if through else content
        self._forget_others(number)

    def _replaced(self, old: int, through: tuple[SlicePart | Shape, ...], new: int) -> int:
        if not through:
            return new
        step = through[0]
        if isinstance(step, SlicePart):
            inner = self._replaced(self.contents.select(old, step), through[1:], new) if through[1:] else new
            return self.contents.store(old, step, inner)
        inner = self._replaced(self.contents.reshape(old, step), through[1:], new)
        return self.contents.reshape(inner, self.contents.shape[old])

    def forget(self, memref: Seen) -> None:
        """What somebody else may have written."""
        for number in self.bases(memref.piece) | {memref.piece}:
            self.held[number] = self.nothing(number, self.pieces[number].shape)
            self._forget_others(number)

    def _forget_others(self, number: int) -> None:
        for base in self._bases[number]:
            for other in self._ranges.written(base, number):
                self.held[other] = self.nothing(other, self.pieces[other].shape)
            if base != number:
                self.held[base] = self.nothing(base, self.pieces[base].shape)
        for other in self._carriers:
            if other != number and self.may_be(number, other):
                self.held[other] = self.nothing(other, self.pieces[other].shape)

    # Paths

    def snapshot(self) -> State:
        """What is held now."""
        return State(dict(self.held), self.given_back.all(), frozenset(self.owed))

    def without_inner(self, first: int) -> State:
        """What is held now, without memory that regions took since there were `first` pieces: no value outside of them
        is it.

        Raises:
            Refused: some of that memory was not given back.
        """
        kept = {*self._keyed.values(), *(b for c in self._carriers for b in self.pieces[c].carried)}
        inner = frozenset(range(first, len(self.pieces))) - kept
        arenas = frozenset(n for n in inner if self.pieces[n].arena is None)
        self.check_owed(arenas)
        held = {n: c for n, c in self.held.items() if n not in arenas}
        return State(held, self.given_back.all() - arenas, frozenset(self.owed))

    def named(self, pieces: Set[int]) -> frozenset[int]:
        """Those of several pieces that were taken under a key, and not in a region."""
        return frozenset(number for number in self._keyed.values() if number in pieces)

    def restore(self, state: State) -> None:
        """Goes on with what was held before: memory that is newer holds nothing."""
        self._ranges.start_again(state.held)
        for piece in self.pieces:
            number = piece.number
            if number in state.held:
                self.held[number] = state.held[number]
            else:
                self.held[number] = self.nothing(number, piece.shape)
        self.given_back.go_to(state.gone)
        self.owed = set(state.owed)

    def check_owed(self, ending: Collection[int], passed: Sequence[Seen] = ()) -> None:
        """Raises `Refused` where pieces that no value is from now on, but for the memrefs `passed`, were not given
        back."""
        left = self.owed.intersection(ending) - self.owners.owned_by([seen.piece for seen in passed])
        if left:
            raise Refused(f"{self.pieces[min(left)].name} is never given back")

    # Overlap

    def _check_there(self, number: int, used: str) -> None:
        bases = self._bases[number]
        gone = self.given_back & (bases | self._ranges.arenas_of(bases))
        if gone and gone <= self.perhaps:
            raise NotModelled("memory that may have been given back is not known")
        if gone:
            raise Refused(f"{self.pieces[number].name} is {used} after it was given back")

    def bases(self, number: int) -> Set[int]:
        """The pieces that a piece may be."""
        return self._bases[number]

    def may_be(self, a: int, b: int) -> bool:
        """The two pieces may have a byte in common."""
        if a == b:
            return True
        if not self._carriers:  # then each piece is itself alone
            return self._ranges.overlap(a, b)
        if self.separate and frozenset([a, b]) in self.separate:
            return False
        for one in self._bases[a]:
            for two in self._bases[b]:
                if one == two or self._ranges.overlap(one, two):
                    return True
        return False

    def overlap(self, a: Seen, b: Seen) -> bool:
        """The two memrefs may have a byte in common."""
        if ZERO in a.shape or ZERO in b.shape:
            return False
        if a.piece != b.piece:
            return self.may_be(a.piece, b.piece)
        for one, two in zip(a.through, b.through, strict=False):
            if one != two:
                slices = isinstance(one, SlicePart) and isinstance(two, SlicePart)
                return not (slices and self.contents.apart(one, two))  # pyright: ignore
        return True

    def is_apart(self, a: Seen, b: Seen) -> bool:
        """Two carried memrefs are known to be never the same bytes."""
        return frozenset([a.piece, b.piece]) in self.separate

    def carriers_of(self, pieces: Set[int]) -> list[int]:
        """The carried memrefs that may be one of several pieces."""
        return [c for c in self._carriers if pieces & self.pieces[c].carried]

    def keep_apart(self, made: int, ways: Sequence[int]) -> None:
        """Notes from which carried memrefs one is apart that is one of several pieces: those from which all are."""
        for other in [c for c in self._carriers if c != made]:
            if any(self.may_be(way, other) for way in ways):
                self.separate.discard(frozenset([made, other]))
            else:
                self.separate.add(frozenset([made, other]))

    def _check_given_back(self, memref: Seen, ended: Set[int]) -> None:
        again = self.given_back & ended
        if again and again <= self.perhaps:
            raise NotModelled("memory that may have been given back is not known")
        is_slice = any(isinstance(step, SlicePart) for step in memref.through)
        if is_slice or again or not all(self.pieces[b].own for b in ended):
            raise Refused(f"{self.pieces[memref.piece].name} is given back, which is not there to be given back")
        if self.parts_of(memref) & ended:
            raise NotModelled("memory of which a part may be given back is not known")

    def parts_of(self, memref: Seen) -> Set[int]:
        """The pieces of which a memref may be a part."""
        is_slice = any(isinstance(step, SlicePart) for step in memref.through)
        return self.bases(memref.piece) if is_slice else self.parts.get(memref.piece, frozenset[int]())

    def check_compared(self, memref: Seen, other: Seen) -> None:
        """Raises `Refused` or `NotModelled` where a memref that is given back unless its address is that of another one
        may have that address and be other memory, as it was taken after the other was given back."""
        taken, bases = self.bases(memref.piece) & self._taken_at.keys(), self.bases(other.piece)
        before = frozenset[int]().union(*(self.given_back.at(self._taken_at[b], bases) for b in taken))
        if bases <= before - self.perhaps:
            raise Refused(f"{self.pieces[memref.piece].name} may be where {self.pieces[other.piece].name} was before")
        if before:
            raise NotModelled("memory that is compared with what may have been given back before is not known")

    def give_back_unless(self, memref: Seen, others: Sequence[Seen]) -> list[Seen]:
        """Memory that may not be used from now on but by the memrefs `others`: these are never that memory, or it is
        not given back if it is theirs. Returns these as they are then.

        Raises:
            Refused: it is not this function's, or was given back before.
            NotModelled: it may have been given back before.
        """
        pieces = {other.piece for other in others}
        if not others:
            self._check_given_back(memref, self.bases(memref.piece))
            self._end(self.bases(memref.piece))
            self.owed -= self.owners.owned_by([memref.piece])
            return []
        theirs = pieces.union(*map(self._surely_is, others))
        ended = self.bases(memref.piece) - theirs - {piece for piece, only in self.only.items() if only in pieces}
        if not ended:  # the memref is always that of another
            return list(others)
        if self.given_back & ended and len(ended) < len(self.bases(memref.piece)):
            raise NotModelled("memory that may have been given back is not known")
        self._check_given_back(memref, ended)
        name, shape = f"what is left of {self.pieces[memref.piece].name}", self.pieces[memref.piece].shape
        left = self.piece(name, shape, own=True)
        self.several.add(left.piece)
        spared = [other.piece for other in others if self.may_be(memref.piece, other.piece)]
        known = self.owners.left_by(memref.piece, ended, spared)
        owners = frozenset[int]().union(*known.values())
        made = [self._without(other, ended, left.piece, owners) for other in others]
        self._end(ended)
        self.owed.difference_update(known, [] if owners else [left.piece])
        self.perhaps |= ended
        return made

    def _end(self, ended: Iterable[int]) -> None:
        """Pieces are given back: no memref reads what they hold."""
        self.given_back.add(ended)
        for piece in ended:
            self.held[piece] = self.nothing(piece, self.pieces[piece].shape)

    def _surely_is(self, memref: Seen) -> Set[int]:
        """The piece whose address a memref has on every path; none where that is not known."""
        bases = self.bases(memref.piece)
        return bases - self.several if len(bases) == 1 else frozenset()

    def _without(self, memref: Seen, ended: Set[int], left: int, owners: Owners) -> Seen:
        """A memref that is none of the pieces `ended` as they end, but what is left of them. It is the same bytes as
        before, so it is apart from what it was apart from."""
        bases = self.bases(memref.piece)
        if not ended & bases:
            return memref
        piece, carried = self.pieces[memref.piece], frozenset((bases - ended) | {left})
        new = self.piece(piece.name, piece.shape, self.held[memref.piece], carried=carried).piece
        self.owners.rename(new, memref.piece, left, owners)
        apart = [c for c in self._carriers if frozenset([memref.piece, c]) in self.separate]
        self.separate.update(frozenset([new, other]) for other in apart)
        if parts := self.parts_of(memref):
            self.parts[new] = parts | ({left} if parts & ended else frozenset[int]())
        for base in carried:
            if self.only.get(base) == memref.piece:
                self.only[base] = new
        return Seen(new, memref.through, memref.shape)
