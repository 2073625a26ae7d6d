"""Tensors and memrefs of unknown rank: one axis, whose size is a number that says what their sizes are.

The number of elements of a value that was cast from sizes is a term of these sizes: a cast back has the same ones. Of
any other value the sizes are terms of that number and the axis, whichever op asks for them; where the program casts it
to sizes, its number of elements is the term of these.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType
from xdsl.ir import Attribute

from lastuse.passes.memref_checker.index_terms import Number, known, value_of
from lastuse.passes.memref_checker.slice_parts import Shape
from lastuse.passes.memref_checker.ssa_terms import SsaTerms

_ELEMENTS, _SIZE, _RANK = ("elements of",), ("size along",), ("rank of",)


def without_rank(shape: Shape, terms: SsaTerms) -> Shape:
    """The shape of a value of unknown rank that is all of one of `shape`."""
    return (_number(_ELEMENTS, [terms.contents.norm(size) for size in shape], terms),)


def with_rank(shape: Shape, rank: int, terms: SsaTerms) -> Shape:
    """The shape of all of a value of unknown rank, as one of a known rank."""
    sizes = _sizes(shape, terms)
    if sizes is not None and len(sizes) == rank:
        return sizes
    return tuple(size_along(shape, known(axis), terms) for axis in range(rank))


def stated(sizes: Shape, type_sizes: Sequence[int]) -> Shape:
    """The sizes, as numbers where a type says them."""
    return tuple(size if n == DYNAMIC_INDEX else known(n) for n, size in zip(type_sizes, sizes, strict=True))


def stated_by(type_: Attribute, sizes: Shape) -> Shape:
    """The sizes of a value, as numbers where its type says them."""
    return stated(sizes, type_.get_shape()) if isinstance(type_, TensorType | MemRefType) else sizes


def size_along(shape: Shape, axis: Number, terms: SsaTerms) -> Number:
    """The size along an axis of a value of unknown rank."""
    sizes, number = _sizes(shape, terms), value_of(axis)
    if sizes is not None and number is not None and 0 <= number < len(sizes):
        return sizes[number]
    return _number(_SIZE, (*shape, axis), terms)


def rank_of(shape: Shape, terms: SsaTerms) -> Number:
    """The number of axes of a value of unknown rank."""
    sizes = _sizes(shape, terms)
    return known(len(sizes)) if sizes is not None else _number(_RANK, shape, terms)


def _number(key: tuple[str], of: Sequence[Number], terms: SsaTerms) -> Number:
    contents = terms.contents
    term = contents.term("scalar", key, tuple(terms.as_term(number) for number in of))
    contents.sizes.add(term)
    return terms.number_of(term)


def _sizes(shape: Shape, terms: SsaTerms) -> Shape | None:
    """The sizes that a value of unknown rank was cast from; None where these are not known."""
    term = terms.contents.terms[terms.as_term(terms.contents.norm(shape[0]))]
    if term[:2] != ("scalar", _ELEMENTS):
        return None
    return tuple(terms.number_of(size) for size in term[2])  # pyright: ignore
