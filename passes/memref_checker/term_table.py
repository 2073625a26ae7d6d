"""What memory holds and what values are, as terms: two equal terms are one number.

A tensor is a symbol (an argument, the result of a kernel, a slot of a loop), a part of another, another with a part
replaced, or another under a new shape. Parts are slices at numbers that may be known at run time only, or elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from lastuse.passes.memref_checker.boxes import Box, without
from lastuse.passes.memref_checker.index_terms import Number, plus, unknown
from lastuse.passes.memref_checker.number_facts import NumberFacts
from lastuse.passes.memref_checker.part_trees import PartTrees, Stored, Tree
from lastuse.passes.memref_checker.slice_parts import ONE, ZERO, Shape, SlicePart, composed, part_of

MOST_MEETING = 16
"""Parts that meet another one, at most, beside which others are not part of what is there."""


class TermTable(NumberFacts):
    """All terms of one function, and what is known of numbers.

    Attributes:
        shape: of each term that is a tensor.
    """

    def __init__(self) -> None:
        super().__init__()
        self._ids: dict[tuple[object, ...], int] = {}
        self.terms: list[tuple[object, ...]] = []
        self.shape: dict[int, Shape] = {}
        self._before_slots: dict[int, int] = {}
        self._held: dict[tuple[int, int], bool] = {}
        self._trees = PartTrees(self.term, self)

    def equalities_change(self) -> None:
        self._held.clear()

    def term(self, *key: object) -> int:
        """The number of a term."""
        made = len(self.terms)
        found = self._ids.setdefault(key, made)  # once: keys have ops, which are hashed in Python
        if found == made:
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
            case ("select", _, SlicePart() as part) | ("parts", SlicePart() as part, *_):
                found |= part.atoms()
            case ("number", number):
                numbers = [number]  # pyright: ignore
            case ("size of either", flag, one, two):
                numbers = [one, two]  # pyright: ignore
                found |= {flag} if isinstance(flag, int) else set()
            case _:
                pass
        return found | {atom for number in numbers for product, _ in number for atom in product}

    def either(self, owner: object, one: Shape, two: Shape) -> Shape:
        """The sizes of one of two tensors, of `one` or of `two` as `owner` says: new numbers where they differ."""
        if len(one) != len(two):
            raise ValueError(f"{len(one)} and {len(two)} axes")
        return tuple(a if self.same(a, b) else self._either(owner, a, b) for a, b in zip(one, two, strict=True))

    def _either(self, owner: object, one: Number, two: Number) -> Number:
        made = self.term("size of either", owner, self.norm(one), self.norm(two))
        self.sizes.add(made)
        return unknown(made)

    def is_nothing(self, tensor: int) -> bool:
        """Nothing is known of the tensor."""
        return self.terms[tensor][:2] == ("symbol", "nothing")

    def is_undefined(self, tensor: int) -> bool:
        return self.terms[tensor][0] == "undefined"

    # Parts

    def select(self, tensor: int, part: SlicePart) -> int:
        """A part of a tensor. Stores may be as many as ops, one over the other, so this does not recurse."""
        while part != self._whole(tensor):
            kind = self.terms[tensor][0]
            if kind == "undefined":
                return self.undefined(part.sizes)
            if kind == "store":
                base, tree = self._store(tensor)
                if (inner := self._trees.find(tree, part)) is not None:
                    return inner
                meeting = list(islice(self._trees.meeting(tree, part), MOST_MEETING + 1))
                if not meeting:
                    tensor = base
                    continue
                if (around := next((s for s in meeting if self.covers(s[0], part)), None)) is not None:
                    other, tensor = around
                    offsets = tuple(plus(a, b, -1) for a, b in zip(part.offsets, other.offsets, strict=True))
                    part = SlicePart(offsets, part.sizes, part.strides)
                    continue
                if len(meeting) <= MOST_MEETING:
                    tensor = self._stored(base, self._tree_of(meeting))
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
        """A tensor of which a part is another one. Parts that are apart are one set. One that meets others is in a set
        above theirs, the lowest one that may be: in whatever order parts were stored that are apart, the term is one.
        """
        if part == self._whole(tensor):
            return inner
        if ZERO in part.sizes or inner == self.select(tensor, part):
            return tensor
        above: list[Tree] = []
        is_over = False
        while self.terms[tensor][0] == "store":
            base, tree = self._store(tensor)
            left = self._not_covered(tree, part)
            if left is None:
                break
            is_over |= left[0] != tree
            above.append(left[0])
            tensor = base
        if not is_over or inner != self.select(tensor, part):
            lowest = above.pop() if above else None
            tensor = self._stored(tensor, self._trees.added(lowest, part, inner))
        for tree in reversed(above):
            tensor = self._stored(tensor, tree)
        return tensor

    def _not_covered(self, tree: Tree, part: SlicePart) -> tuple[Tree] | None:
        """The parts of a set that are apart from a part, if it covers all others."""
        if self._trees.find(tree, part) is not None:
            return (self._trees.without(tree, part),)
        covered: list[SlicePart] = []
        for other, _ in self._trees.meeting(tree, part):
            if not self.covers(part, other):
                return None
            covered.append(other)
        for other in covered:
            tree = self._trees.without(tree, other)
        return (tree,)

    def _store(self, term: int) -> tuple[int, int]:
        """The tensor of which parts are others, and the tree of these."""
        _, base, tree = self.terms[term]
        assert isinstance(base, int) and isinstance(tree, int)
        return base, tree

    def _stored(self, tensor: int, tree: Tree) -> int:
        """A tensor of which some parts are others."""
        if tree is None:
            return tensor
        made = self.term("store", tensor, tree)
        self.shape[made] = self.shape[tensor]
        return made

    def _tree_of(self, stored: Sequence[Stored]) -> Tree:
        tree: Tree = None
        for part, inner in stored:
            tree = self._trees.added(tree, part, inner)
        return tree

    def stores(self, term: int) -> tuple[int, list[Stored]] | None:
        """The tensor below the last stores of a term that are apart, and these in order; None if it ends with none."""
        if self.terms[term][0] != "store":
            return None
        base, tree = self._store(term)
        return base, list(self._trees.stored(tree))

    def paired_stores(self, one: int, two: int) -> tuple[int, int, list[tuple[SlicePart, int, int]]] | None:
        """Where two terms end with stores to the same parts: the tensors below, the parts, and what is in them."""
        if self.terms[one][0] != "store" or self.terms[two][0] != "store":
            return None
        (first, a), (second, b) = self._store(one), self._store(two)
        pairs = self._trees.pairs(a, b)
        return (first, second, pairs) if pairs is not None else None

    def reshape(self, tensor: int, shape: Shape) -> int:
        """The elements of a tensor, in their order, under another shape."""
        if self.terms[tensor][0] == "reshape":
            return self.reshape(self.terms[tensor][1], shape)  # pyright: ignore
        have = self.shape[tensor]
        if self.same_shape(have, shape):
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

    # What is held

    def slots(self, owner: object, numbers: frozenset[int], other: int | None, shape: Shape) -> int:
        """Content that is that of each of some slots of `owner`, and `other` too where it is given."""
        return self._shaped(shape, "slots", owner, numbers, other)

    def before_slots(self, content: int) -> int:
        """What memory is too, whose parts hold slots besides what was there before: that, in each part."""
        if content not in self._before_slots:
            term, made = self.terms[content], content
            if term[0] == "slots" and isinstance(term[3], int):
                made = self.before_slots(term[3])
            elif (stores := self.stores(content)) is not None:
                inner = [(part, one, self.before_slots(one)) for part, one in stores[1]]
                below = self.before_slots(stores[0])
                if below != stores[0] or any(one != other for _, one, other in inner):
                    made = below
                    for part, _, other in inner:
                        made = self.store(made, part, other)
            self._before_slots[content] = made
        return self._before_slots[content]

    def slot(self, owner: object, number: int, shape: Shape) -> int:
        """A slot of a loop or of a branch, as a value of the program."""
        return self._shaped(shape, "slot", owner, number)

    def holds(self, value: int, memory: int) -> bool:
        """Memory with the content `memory`, of the same sizes, holds the `value` of the program: any does where the
        value has no elements."""
        if value == memory or self.is_undefined(value) or ZERO in self.shape.get(value, ()):
            return True
        key = (value, memory)
        if key not in self._held:
            self._held[key] = False
            self._held[key] = self._holds(value, memory)
        return self._held[key]

    def _holds(self, value: int, memory: int) -> bool:
        one, two = self.terms[value], self.terms[memory]
        if two[0] == "slots" and self._is_among_slots(value, memory):
            return True
        ranks = [len(self.shape.get(term, ())) for term in (value, memory)]  # parts of both are of one rank
        paired = self.paired_stores(value, memory)
        if paired is not None and self.holds(paired[0], paired[1]) and all(self.holds(a, b) for _, a, b in paired[2]):
            return True
        if ranks[0] == ranks[1] and (stores := self.stores(value)) is not None:
            base, parts = stores
            if not all(self.holds(inner, self.select(memory, part)) for part, inner in parts):
                return False
            for part, _ in parts:
                memory = self.store(memory, part, self.select(base, part))
            return self.holds(base, memory)
        if ranks[0] == ranks[1] and two[0] == "store":
            return self._holds_in_parts(value, memory)
        if _same_but_for_terms(one, two) and all(map(self.holds, _inner(one), _inner(two))):
            return True
        return two[0] == "reshape" and self.holds(self.reshape(value, self.shape[two[1]]), two[1])  # pyright: ignore

    def _is_among_slots(self, value: int, memory: int) -> bool:
        """The value is a slot that memory holds, or the memory holds it besides. Slots of as many loops as a function
        has may be held, so this does not recurse."""
        term = self.terms[value]
        slot = self.terms[term[1]] if term[0] == "reshape" else term  # pyright: ignore
        while (held := self.terms[memory])[0] == "slots":
            _, owner, numbers, other = held
            if slot[0] == "slot" and slot[1] == owner and slot[2] in numbers:  # pyright: ignore
                return True
            if not isinstance(other, int):
                return False
            memory = other
        return self.holds(value, memory)

    def _holds_in_parts(self, value: int, memory: int) -> bool:
        """Each part that was stored holds that part of the value, as far as nothing was stored over it, and so does
        what is left beside all parts."""
        left: list[Box] = [[(ZERO, size) for size in self.shape[memory]]]
        holes: list[Box] = []
        while (stores := self.stores(memory)) is not None:
            memory, parts = stores
            boxes: list[Box] = []
            for part, inner in parts:
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
                    boxes.append(box)
            holes += boxes
        return not left or self.holds(value, memory)


def _inner(term: tuple[object, ...]) -> Sequence[int]:
    """The terms that a term is made of."""
    match term[0]:
        case "select" | "reshape" | "element" | "single":
            return (term[1],)  # pyright: ignore
        case "store":
            return (term[1], term[2])  # pyright: ignore
        case "parts":
            return tuple(t for t in term[2:] if t is not None)  # pyright: ignore
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
