"""What analyses say of ops, computed once each while no op changes.

What an op declares follows from its class, attributes, types and regions, and from ops around it; none of these makes a
cheap key, and passes ask for one contract dozens of times. Inside `unchanged_ops` the answers of functions that are
marked `remembered` are kept by the identity of what they were asked of. The passes that open such a block write
decisions alone, which no such answer depends on. What is kept goes when the outermost block of the thread ends, unless
the block was given `Answers` to keep it in.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache, wraps
from threading import local
from typing import Any, TypeGuard, TypeVar

C = TypeVar("C")
K = TypeVar("K")
V = TypeVar("V")


is_class = cache(issubclass)
"""`issubclass`, kept by class. The classes of xDSL are abstract: `isinstance` runs Python code for each op that is none
of the class. What looks at all ops of a function asks this of their types."""


def is_a(value: object, class_: type[C]) -> TypeGuard[C]:
    """As `isinstance`, for what looks at all ops of a function (`is_class`)."""
    return is_class(type(value), class_)


class Answers(dict[object, dict[int, tuple[object, object]]]):
    """By function, by the identity of its argument, the argument and the answer. Whoever holds one between blocks
    holds the ops too, and none of them changes meanwhile."""

    def __missing__(self, compute: object) -> dict[int, tuple[object, object]]:
        mine = self[compute] = dict[int, tuple[object, object]]()
        return mine


class _Kept(local):
    """Of each thread; None outside. What is said of attributes stays until the outermost block ends: they never
    change."""

    answers: Answers | None = None
    of_attributes: dict[object, dict[tuple[object, ...], tuple[object, Any]]] | None = None


_kept = _Kept()


@contextmanager
def unchanged_ops(answers: Answers | None = None) -> Generator[None]:
    """Inside, no op that exists changes but for its decisions. A block inside another of its thread adds nothing.

    Args:
        answers: of ops that do not change between blocks either; what is kept inside stays in it.
    """
    outside = _kept.answers
    if answers is None and outside is not None:
        yield
        return
    around = _kept.of_attributes
    _kept.answers = Answers() if answers is None else answers
    _kept.of_attributes = {} if around is None else around
    try:
        yield
    finally:
        _kept.answers, _kept.of_attributes = outside, around


@contextmanager
def changing_ops(listing: bool = True) -> Generator[None]:
    """Inside, nothing is kept, and what was kept before is forgotten: ops change, if only those of a copy.

    Args:
        listing: ops are added or erased. If not, the answers of `of_listing` functions hold on.
    """
    inside = _kept.answers
    _kept.answers = None
    try:
        yield
    finally:
        _kept.answers = None if inside is None else Answers()
        if inside is not None and _kept.answers is not None and not listing:
            _kept.answers.update((compute, inside[compute]) for compute in _of_listing)


def remembered(compute: Callable[[K], V]) -> Callable[[K], V]:
    """A function of one op, value, attribute, region or block that answers the same as long as no op changes: each
    answer is kept inside `unchanged_ops`, and no caller changes it."""

    @wraps(compute)
    def answer(of: K) -> V:
        answers = _kept.answers
        if answers is None:
            return compute(of)
        found = answers[compute].get(id(of))
        if found is not None:
            return found[1]  # pyright: ignore[reportReturnType]
        made = compute(of)
        answers[compute][id(of)] = of, made
        return made

    return answer


_of_listing: list[object] = []


def of_listing(compute: Callable[[K], V]) -> Callable[[K], V]:
    """As `remembered`, of a function that looks at which ops there are, and not at their operands or at what functions
    promise."""
    _of_listing.append(compute)
    return remembered(compute)


def is_remembering() -> bool:
    """Whether answers are kept now: inside `unchanged_ops`."""
    return _kept.answers is not None


def attributes_by_identity(of: object) -> dict[tuple[object, ...], tuple[object, Any]] | None:
    """A table of what follows from attributes alone, by their identities, until the outermost `unchanged_ops` ends;
    None outside of one. `of` tells tables apart. An answer stands there beside the attributes, so that these stay."""
    tables = _kept.of_attributes
    return None if tables is None else tables.setdefault(of, {})
