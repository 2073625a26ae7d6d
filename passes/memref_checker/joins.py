"""Where paths meet: what memory holds on all of them, in terms of the slots of a loop or branch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Block, Operation

from lastuse.dialect.ir.dominator_trees import DominatorTree
from lastuse.dialect.ir.flow_graphs import ancestors
from lastuse.passes.memref_checker.index_terms import Number, product_of
from lastuse.passes.memref_checker.slice_parts import Shape
from lastuse.passes.memref_checker.term_table import TermTable


def named(contents: TermTable, owner: object, content: int, values: Sequence[int], fit: frozenset[int]) -> int:
    """What memory holds when a loop begins: also the slots that begin as that, of those in `fit`."""
    shape = contents.shape[content]
    numbers = _held(contents, content, values) & fit
    if numbers:
        return contents.slots(owner, numbers, content, shape)
    if (stores := contents.stores(content)) is not None:
        content = named(contents, owner, stores[0], values, fit)
        for part, inner in stores[1]:
            content = contents.store(content, part, named(contents, owner, inner, values, fit))
        return content
    for value in values:
        seen = contents.terms[value]
        while seen[0] == "reshape":
            seen = contents.terms[seen[1]]  # pyright: ignore
        if seen[0] == "select" and _is_held(contents, seen[1], content):  # pyright: ignore
            inner = named(contents, owner, contents.select(content, seen[2]), values, fit)  # pyright: ignore
            content = contents.store(content, seen[2], inner)  # pyright: ignore
    return content


def _is_held(contents: TermTable, value: int, content: int) -> bool:
    """Memory with a content holds all of a value, of its shape."""
    return value == content or (contents.shape[value] == contents.shape[content] and contents.holds(value, content))


def _held(contents: TermTable, content: int, values: Sequence[int]) -> frozenset[int]:
    """The numbers of the values that memory with a content holds; one without contents is held where it fits."""
    shape = contents.shape[content]
    count = product_of(shape)
    fit = ((n, v) for n, v in enumerate(values) if not contents.is_undefined(v) or _count(contents, v) == count)
    return frozenset(n for n, value in fit if contents.holds(contents.reshape(value, shape), content))


def _count(contents: TermTable, value: int) -> Number:
    return product_of(contents.shape[value])


def met(contents: TermTable, owner: object, held: int, after: int | None, values: Sequence[int]) -> int | None:
    """What is held at the start of every turn: `held` so far, `after` at the end of one that passes on `values`."""
    if after is None:
        return None
    if contents.is_nothing(held):
        return held
    term = contents.terms[held]
    if term[0] == "slots" and term[1] == owner:
        _, _, numbers, other = term
        assert isinstance(numbers, frozenset) and (other is None or isinstance(other, int))
        shape = contents.shape[after]
        left = frozenset(n for n in numbers if contents.holds(contents.reshape(values[n], shape), after))  # pyright: ignore
        kept = other if {held, other} & set(_also(contents, after)) else None
        if left:
            return contents.slots(owner, left, kept, contents.shape[held])
        return kept
    if held in _also(contents, after):
        return held
    return _in_parts(contents, held, after, lambda a, b: met(contents, owner, a, b, values))


def beside_parts(
    contents: TermTable, loop: Operation, held: int, after: int, nothing: Callable[[Shape], int]
) -> int | None:
    """What is held at the start of every turn beside the parts that turns store over it: `held` so far, `after` at the
    end of one. The parts are the same ones in each turn, and hold `nothing` that is known. None where there is no such
    part."""
    before, stores = contents.stores(held), contents.stores(after)
    if stores is None:
        return None
    below, parts = stores
    known = dict(before[1]) if before is not None and before[0] == below else {}
    if not known and held not in _also(contents, below) or not known.keys() <= {part for part, _ in parts}:
        return None
    made = held
    for part, inner in parts:
        if part in known and (known[part] == inner or contents.is_nothing(known[part])):
            continue
        if any(_is_of_turn(contents, loop, atom) for atom in part.atoms()):
            return None
        made = contents.store(made, part, nothing(part.sizes))
    return made


def _is_of_turn(contents: TermTable, loop: Operation, term: int) -> bool:
    """The term may be another number in each turn of a loop."""
    made_of = _made_of(contents, term)
    if any(map(contents.is_nothing, made_of)):
        return True
    return any(o is loop or loop in ancestors(o) for one in made_of for o in _named_in(contents.terms[one]))


def _in_parts(contents: TermTable, one: int, two: int, both: Callable[[int, int], int | None]) -> int | None:
    """What `both` says of two terms, part by part where they end with stores to the same ones."""
    paired = contents.paired_stores(one, two)
    made = both(paired[0], paired[1]) if paired is not None else None
    for part, a, b in paired[2] if paired is not None else ():
        inner = both(a, b) if made is not None else None
        if made is None or inner is None:
            return None
        made = contents.store(made, part, inner)
    return made


def _also(contents: TermTable, content: int) -> list[int]:
    """Terms that memory is too, where it, or a part of it, holds slots besides what was there before."""
    found = [content]
    while (term := contents.terms[found[-1]])[0] == "slots" and isinstance(term[3], int):
        found.append(term[3])
    if (before := contents.before_slots(found[-1])) != found[-1]:
        found.append(before)
    return found


def joined(
    contents: TermTable, owner: object, one: int, two: int, values: Sequence[int], others: Sequence[int]
) -> int | None:
    """What is held behind a branch whose arms leave `one` and `two`, and pass on `values` and `others`."""
    numbers = _held(contents, one, values) & _held(contents, two, others)
    if numbers and len(contents.shape[one]) == len(contents.shape[two]):
        shape = contents.either(owner, contents.shape[one], contents.shape[two])
        return contents.slots(owner, numbers, _in_both(contents, one, two), shape)
    if (both := _in_both(contents, one, two)) is not None:
        return both
    return _in_parts(contents, one, two, lambda a, b: joined(contents, owner, a, b, values, others))


def _in_both(contents: TermTable, one: int, two: int) -> int | None:
    """What memory is on both paths."""
    if one == two:
        return one
    others = set(_also(contents, two))
    return next((c for c in _also(contents, one) if c in others), None)


def renamed(contents: TermTable, owner: object, content: int) -> int:
    """The content with the slots of a loop as its results."""
    term = contents.terms[content]
    if term[0] == "slots" and term[1] == owner:
        return contents.slots(("after", owner), term[2], term[3], contents.shape[content])  # pyright: ignore
    if (stores := contents.stores(content)) is not None:
        content = renamed(contents, owner, stores[0])
        for part, inner in stores[1]:
            content = contents.store(content, part, renamed(contents, owner, inner))
    return content


# Blocks


class Stale:
    """Which terms are values of a block, or of those that it dominates: what these say when the block starts again is
    not known. There are none where no block starts again."""

    def __init__(self, contents: TermTable, block: Block, tree: DominatorTree) -> None:
        self.contents, self.block, self.tree = contents, block, tree
        self._known: dict[int, bool] = {}

    def names(self, term: int) -> bool:
        """The term names a value of one of the blocks."""
        if term not in self._known:
            self._known[term] = self.tree.turns and any(map(self._in_blocks, owners(self.contents, term)))
        return self._known[term]

    def _in_blocks(self, owner: Block | Operation) -> bool:
        block = owner if isinstance(owner, Block) else owner.parent
        while block is not None:
            if self.tree.dominates(self.block, block):
                return True
            above = block.parent_op()
            block = above.parent if above is not None else None
        return False


def owners(contents: TermTable, term: int) -> set[Block | Operation]:
    """The ops and blocks whose values a term is made of."""
    return {owner for one in _made_of(contents, term) for owner in _named_in(contents.terms[one])}


def _made_of(contents: TermTable, term: int) -> set[int]:
    """The terms that a term is made of, itself among them."""
    waiting, seen = [term], {term}
    while waiting:
        one = waiting.pop()
        inner = contents.made_of(one)
        shape = contents.shape.get(one, ())
        atoms = [atom for size in shape for product, _ in size for atom in product]
        for other in (*inner, *atoms):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def _named_in(key: object) -> set[Block | Operation]:
    if isinstance(key, Block | Operation):
        return {key}
    if isinstance(key, tuple | frozenset):
        return {owner for part in key for owner in _named_in(part)}  # pyright: ignore
    return set()


def entered(contents: TermTable, block: Block, content: int, values: Sequence[int], stale: Stale) -> int | None:
    """What memory holds behind a branch to a block that passes on `values`: its slots, and what is no value of an
    earlier turn."""
    shape = contents.shape[content]
    numbers = _held(contents, content, values)
    left = next((one for one in _also(contents, content) if not stale.names(one)), None)
    if numbers:
        return contents.slots(block, numbers, left, shape)
    stores = contents.stores(content) if left is None else None
    if stores is None or any(stale.names(atom) for part, _ in stores[1] for atom in part.atoms()):
        return left
    below, parts = stores
    kept = {c: entered(contents, block, c, values, stale) for c in (below, *(inner for _, inner in parts))}
    if all(one is None for one in kept.values()):
        return None
    found = {c: contents.symbol(contents.shape[c], "nothing", block, c) if k is None else k for c, k in kept.items()}
    made = found[below]
    for part, inner in parts:
        made = contents.store(made, part, found[inner])
    return made


def shared(contents: TermTable, block: Block, one: int | None, two: int | None) -> int | None:
    """What is held on two ways to a block."""
    if one is None or two is None:
        return None
    if one == two:
        return one
    term, other = contents.terms[one], contents.terms[two]
    both = _in_both(contents, one, two)
    if term[0] == other[0] == "slots" and term[1] == other[1] == block:
        numbers = term[2] & other[2]  # pyright: ignore
        if numbers:
            return contents.slots(block, numbers, both, contents.shape[one])
    if both is not None:
        return both
    return _in_parts(contents, one, two, lambda a, b: shared(contents, block, a, b))
