"""What memory holds and what values are, as terms: two equal terms are one number.

A tensor is a symbol (an argument, the result of a kernel, a slot of a loop), a part of another, another with a part
replaced, or another under a new shape. Parts are slices at numbers that may be known at run time only, or elements.
"""

from __future__ import annotations

from collections.abc import Sequence

from lastuse.passes.memref_checker.boxes import Box, without
from lastuse.passes.memref_checker.index_terms import (
    Number,
    NumberBounds,
    at_most,
    bounds_of,
    interleaved,
    plus,
    replaced,
    times,
    unknown,
    value_of,
)
from lastuse.passes.memref_checker.slice_parts import ONE, ZERO, Shape, SlicePart, composed, part_of

Facts = tuple[dict[int, Number], dict[Number, None]]
MOST_BOUNDS = 64  # numbers known not to be negative, the last ones, that order is concluded from


class TermTable:
    """All terms of one function.

    Attributes:
        shape: of each term that is a tensor.
        sizes: ids of numbers that are not negative.
        ranges: the least and the greatest number of ids of which both are known.
    """

    def __init__(self) -> None:
        self._ids: dict[tuple[object, ...], int] = {}
        self.terms: list[tuple[object, ...]] = []
        self.shape: dict[int, Shape] = {}
        self.sizes: set[int] = set()
        self.ranges: dict[int, tuple[int, int]] = {}
        self._held: dict[tuple[int, int], bool] = {}
        self.equal: dict[int, Number] = {}
        """What numbers are equal to, where the program has no meaning otherwise."""
        self.always: dict[int, Number] = {}
        """Those of them that are on all paths."""
        self.inside: dict[Number, None] = {}
        """Numbers that are not negative, where the program has no meaning otherwise: slices are in bounds."""
        self._bounds: NumberBounds | None = None

    def term(self, *key: object) -> int:
        """The number of a term."""
        found = self._ids.get(key)
        if found is None:
            found = self._ids[key] = len(self.terms)
            self.terms.append(key)
        return found

    def _shaped(self, shape: Shape, *key: object) -> int:
        """A tensor whose shape its key does not say: it may be another one in another round of a loop."""
        made = self.term(*key)
        if self.shape.get(made, shape) != shape:
            self._held.clear()
        self.shape[made] = shape
        return made

    def symbol(self, shape: Shape, *key: object) -> int:
        """A tensor of which nothing but its shape is known."""
        return self._shaped(shape, "symbol", *key)

    def undefined(self, shape: Shape) -> int:
        """A tensor of the program that nothing wrote: any content is as right as any other."""
        made = self.term("undefined", shape)
        self.shape[made] = shape
        return made

    def made_of(self, term: int) -> set[int]:
        """The terms that a term is made of, also those in the numbers of its parts."""
        found = set(_inner(self.terms[term]))
        numbers: list[Number] = []
        match self.terms[term]:
            case ("select", _, SlicePart() as part) | ("store", _, SlicePart() as part, _):
                numbers = [size for sizes in part for size in sizes]
            case ("number", number):
                numbers = [number]  # pyright: ignore
            case ("size of either", flag, one, two):
                numbers = [one, two]  # pyright: ignore
                found |= {flag} if isinstance(flag, int) else set()
            case _:
                pass
        return found | {atom for number in numbers for product, _ in number for atom in product}

    # Equal numbers

    def norm(self, number: Number) -> Number:
        """The number by those that the program says to be equal to others."""
        while self.equal and (after := replaced(number, self.equal)) != number:
            number = after
        return number

    def same(self, a: Number, b: Number) -> bool:
        """The two numbers are equal."""
        return a == b or self.norm(a) == self.norm(b)

    def learn(self, a: Number, b: Number) -> None:
        """The program has no meaning where the two numbers differ."""
        a, b = self.norm(a), self.norm(b)
        for one, two in ((a, b), (b, a)):
            atom = one[0][0][0] if len(one) == 1 and one[0][1] == 1 and len(one[0][0]) == 1 else None
            if atom is not None and not any(atom in product for product, _ in two):
                self.equal[atom], self._bounds = two, None
                self._held.clear()
                return

    def either(self, owner: object, one: Shape, two: Shape) -> Shape:
        """The sizes of one of two tensors, of `one` or of `two` as `owner` says: new numbers where they differ."""
        if len(one) != len(two):
            raise ValueError(f"{len(one)} and {len(two)} axes")
        return tuple(a if self.same(a, b) else self._either(owner, a, b) for a, b in zip(one, two, strict=True))

    def _either(self, owner: object, one: Number, two: Number) -> Number:
        made = self.term("size of either", owner, self.norm(one), self.norm(two))
        self.sizes.add(made)
        return unknown(made)

    def learn_inside(self, part: SlicePart, shape: Shape) -> None:
        """The program has no meaning where a part is not in bounds of a tensor of such a shape."""
        for offset, size, stride, room in zip(*part, shape, strict=True):
            ends = (offset, size, plus(room, plus(offset, size), -1)) if stride == ONE else (offset, size)
            for number in ends:
                if value_of(number) is None and number not in self.inside:
                    self.inside[number] = self._bounds = None

    def is_inside(self, part: SlicePart, shape: Shape) -> bool:
        """A part is known to be in bounds of a tensor of such a shape, by others that are."""
        if not self.inside or set(part.strides) != {ONE}:
            return False
        ends = [(a, b, plus(c, plus(a, b), -1)) for a, b, c in zip(part.offsets, part.sizes, shape, strict=True)]
        return all(self.at_most(ZERO, number) for numbers in ends for number in numbers)

    def facts(self) -> Facts:
        """What is known of numbers at one point."""
        return dict(self.equal), dict(self.inside)

    def forget_facts(self, before: Facts) -> None:
        """Only what was known before is known, as on a path that other paths meet, and what is always."""
        equal, inside = before
        if self.equal != equal or len(self.inside) != len(inside):
            self.equal, self.inside, self._bounds = {**equal, **self.always}, inside, None
            self._held.clear()

    def is_undefined(self, tensor: int) -> bool:
        return self.terms[tensor][0] == "undefined"

    # Parts

    def select(self, tensor: int, part: SlicePart) -> int:
        """A part of a tensor. Chains of stores are as long as programs, so this does not recurse."""
        while part != self._whole(tensor):
            kind = self.terms[tensor][0]
            if kind == "undefined":
                return self.undefined(part.sizes)
            if kind == "store":
                _, base, other, inner = self.terms[tensor]
                assert isinstance(base, int) and isinstance(other, SlicePart) and isinstance(inner, int)
                if other == part:
                    return inner
                if self.apart(other, part):
                    tensor = base
                    continue
                if self._covers(other, part):
                    offsets = tuple(plus(a, b, -1) for a, b in zip(part.offsets, other.offsets, strict=True))
                    tensor, part = inner, SlicePart(offsets, part.sizes, part.strides)
                    continue
            if kind == "select":
                _, base, outer = self.terms[tensor]
                assert isinstance(base, int) and isinstance(outer, SlicePart)
                tensor, part = base, composed(outer, part)
                continue
            made = self.term("select", tensor, part)
            self.shape[made] = part.sizes
            return made
        return tensor

    def store(self, tensor: int, part: SlicePart, inner: int) -> int:
        """A tensor of which a part is another one."""
        if part == self._whole(tensor):
            return inner
        if inner == self.select(tensor, part):
            return tensor
        above: list[tuple[SlicePart, int]] = []  # stores that come behind this one, and are apart from it
        while self.terms[tensor][0] == "store":
            _, base, other, old = self.terms[tensor]
            assert isinstance(base, int) and isinstance(other, SlicePart) and isinstance(old, int)
            if other == part or self._covers(part, other):
                if inner == self.select(base, part):
                    return self._stored(base, above)
            elif part < other and self.apart(part, other):
                above.append((other, old))
            else:
                break
            tensor = base
        return self._stored(tensor, [*above, (part, inner)])

    def _stored(self, tensor: int, stores: Sequence[tuple[SlicePart, int]]) -> int:
        """A tensor behind stores, the first of which is the last one, that are in the order of their parts."""
        for part, inner in reversed(stores):
            made = self.term("store", tensor, part, inner)
            self.shape[made] = self.shape[tensor]
            tensor = made
        return tensor

    def reshape(self, tensor: int, shape: Shape) -> int:
        """The elements of a tensor, in their order, under another shape."""
        if self.terms[tensor][0] == "reshape":
            return self.reshape(self.terms[tensor][1], shape)  # pyright: ignore
        have = self.shape[tensor]
        if have == shape or (len(have) == len(shape) and all(map(self.same, have, shape))):
            return tensor
        if self.is_undefined(tensor):
            return self.undefined(shape)
        made = self.term("reshape", tensor, shape)
        self.shape[made] = shape
        return made

    def element(self, tensor: int, at: Shape) -> int:
        """One element: a scalar."""
        part = SlicePart(at, (ONE,) * len(at), (ONE,) * len(at))
        values = self._as_values(self.select(tensor, part))
        named = (v for v in values if self.terms[v][0] == "single" or ("element", v) in self._ids)
        one = next(named, values[0])
        kind = self.terms[one]
        return kind[1] if kind[0] == "single" else self.term("element", one)  # pyright: ignore

    def _as_values(self, content: int) -> list[int]:
        """What memory holds, as values of the program that it is: all slots that it holds are one content there, so an
        index that is loaded from memory is the one that the program reads off its value."""
        term = self.terms[content]
        if term[0] == "slots":
            shape = self.shape[content]
            slots = (self.term("slot", term[1], n) for n in sorted(term[2]))  # pyright: ignore
            others = self._as_values(term[3]) if isinstance(term[3], int) else []
            return [*(self.reshape(slot, shape) for slot in slots), *others] or [content]
        if term[0] == "reshape":
            return [self.reshape(v, term[2]) for v in self._as_values(term[1])]  # pyright: ignore
        if term[0] == "select":
            return [self.select(v, term[2]) for v in self._as_values(term[1])]  # pyright: ignore
        return [content]

    def with_element(self, tensor: int, at: Shape, scalar: int) -> int:
        """A tensor of which one element is another scalar."""
        ones = (ONE,) * len(at)
        single = self.term("single", scalar, len(at))
        self.shape[single] = ones
        return self.store(tensor, SlicePart(at, ones, ones), single)

    def _whole(self, tensor: int) -> SlicePart:
        shape = self.shape[tensor]
        return SlicePart((ZERO,) * len(shape), shape, (ONE,) * len(shape))

    def apart(self, a: SlicePart, b: SlicePart) -> bool:
        """The two parts of one tensor have no element in common."""
        for axis in range(len(a.offsets) if len(a.offsets) == len(b.offsets) else 0):
            for one, two in ((a, b), (b, a)):
                last = times(plus(one.sizes[axis], ONE, -1), one.strides[axis])
                end = plus(plus(one.offsets[axis], last), ONE)
                if self.at_most(end, two.offsets[axis]):
                    return True
            if interleaved(*((p.offsets[axis], p.sizes[axis], p.strides[axis]) for p in (a, b))):
                return True
        return False

    def _covers(self, outer: SlicePart, inner: SlicePart) -> bool:
        """`outer` has each element of `inner`, and all between its first and last."""
        for a, b in zip(zip(*outer, strict=True), zip(*inner, strict=True), strict=True):
            end = plus(b[0], times(plus(b[1], ONE, -1), b[2]))
            last = plus(a[0], plus(a[1], ONE, -1))
            if a[2] != ONE or not self.at_most(a[0], b[0]) or not self.at_most(end, last):
                return False
        return True

    # What is held

    def slots(self, owner: object, numbers: frozenset[int], other: int | None, shape: Shape) -> int:
        """Content that is that of each of some slots of `owner`, and `other` too where it is given."""
        return self._shaped(shape, "slots", owner, numbers, other)

    def slot(self, owner: object, number: int, shape: Shape) -> int:
        """A slot of a loop or of a branch, as a value of the program."""
        return self._shaped(shape, "slot", owner, number)

    def holds(self, value: int, memory: int) -> bool:
        """Memory with the content `memory` holds the `value` of the program."""
        if value == memory or self.is_undefined(value):
            return True
        key = (value, memory)
        if key not in self._held:
            self._held[key] = False
            self._held[key] = self._holds(value, memory)
        return self._held[key]

    def _holds(self, value: int, memory: int) -> bool:
        one, two = self.terms[value], self.terms[memory]
        if two[0] == "slots":
            _, owner, numbers, other = two
            slot = self.terms[one[1]] if one[0] == "reshape" else one  # pyright: ignore
            named = slot[0] == "slot" and slot[1] == owner and slot[2] in numbers  # pyright: ignore
            if named or (isinstance(other, int) and self.holds(value, other)):
                return True
        same_part = one[0] == two[0] == "store" and one[2] == two[2]
        if same_part and self.holds(one[3], two[3]) and self.holds(one[1], two[1]):  # pyright: ignore
            return True
        if one[0] == "store":
            _, base, part, inner = one
            assert isinstance(base, int) and isinstance(part, SlicePart) and isinstance(inner, int)
            if not self.holds(inner, self.select(memory, part)):
                return False
            return self.holds(base, self.store(memory, part, self.select(base, part)))
        if two[0] == "store":
            return self._holds_in_parts(value, memory)
        if _same_but_for_terms(one, two) and all(map(self.holds, _inner(one), _inner(two))):
            return True
        return two[0] == "reshape" and self.holds(self.reshape(value, self.shape[two[1]]), two[1])  # pyright: ignore

    def _holds_in_parts(self, value: int, memory: int) -> bool:
        """Each part that was stored holds that part of the value, as far as nothing was stored over it, and so does
        what is left beside all parts."""
        left: list[Box] = [[(ZERO, size) for size in self.shape[memory]]]
        holes: list[Box] = []
        while self.terms[memory][0] == "store":
            _, base, part, inner = self.terms[memory]
            assert isinstance(base, int) and isinstance(part, SlicePart) and isinstance(inner, int)
            plain = set(part.strides) <= {ONE}
            box = [(at, plus(at, size)) for at, size in zip(part.offsets, part.sizes, strict=True)]
            seen: list[Box] = [box]
            for hole in holes:
                seen = without(seen, hole, self.at_most)
            if plain and seen != [box]:
                pairs = [(part_of(rest), part_of(rest, part.offsets)) for rest in seen]
                if not all(self.holds(self.select(value, a), self.select(inner, b)) for a, b in pairs):
                    return False
            elif not self.holds(self.select(value, part), inner):
                return False
            if plain:
                left = without(left, box, self.at_most)
                holes.append(box)
            memory = base
        return not left or self.holds(value, memory)

    def at_most(self, a: Number, b: Number) -> bool:
        """`a` is never larger than `b`, as far as is known."""
        one, two = self.norm(a), self.norm(b)
        if at_most(one, two, self.sizes):
            return True
        if self._bounds is None:
            self._bounds = bounds_of([self.norm(n) for n in list(self.inside)[-MOST_BOUNDS:]])
        return self._bounds.holds(plus(two, one, -1), self.sizes)


def _inner(term: tuple[object, ...]) -> Sequence[int]:
    """The terms that a term is made of."""
    match term[0]:
        case "select" | "reshape" | "element" | "single":
            return (term[1],)  # pyright: ignore
        case "store":
            return (term[1], term[3])  # pyright: ignore
        case "slots":
            return () if term[3] is None else (term[3],)  # pyright: ignore
        case "chosen":
            return term[1:]  # pyright: ignore
        case "scalar":
            return term[2]  # pyright: ignore
        case _:
            return ()


def _same_but_for_terms(one: tuple[object, ...], two: tuple[object, ...]) -> bool:
    if one[0] != two[0] or len(one) != len(two):
        return False
    if one[0] in ("select", "reshape", "element", "single"):
        return one[2:] == two[2:]
    if one[0] == "chosen":
        return True
    return one[0] == "scalar" and one[1] == two[1] and len(one[2]) == len(two[2])  # pyright: ignore
