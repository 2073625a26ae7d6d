"""Sizes that may be unknown: every `?` of a tensor type is a symbol, and shape functions carry symbols along.

Two unknown sizes are equal only if they are one polynomial over the same symbols: nothing is ever guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute

from lastuse.dialect.ir.dtypes import dtype_name, item_bytes

_Monomial = tuple["Symbol", ...]


@dataclass(frozen=True, order=True)
class Symbol:
    """An unknown size. `name` is for people, `key` tells symbols of one name apart."""

    name: str
    key: int = 0

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Poly:
    """A polynomial with integer coefficients over symbols; never a plain number (`_normal` returns an int then)."""

    terms: tuple[tuple[_Monomial, int], ...]

    def __add__(self, other: Dim) -> Dim:
        return _normal([*self.terms, *_terms(other)])

    def __mul__(self, other: Dim) -> Dim:
        return _normal([(tuple(sorted(a + b)), x * y) for a, x in self.terms for b, y in _terms(other)])

    def __sub__(self, other: Dim) -> Dim:
        return _normal([*self.terms, *((m, -c) for m, c in _terms(other))])

    def __rsub__(self, other: int) -> Dim:
        return _normal([*_terms(other), *((m, -c) for m, c in self.terms)])

    __radd__ = __add__
    __rmul__ = __mul__

    def __str__(self) -> str:
        return "+".join("*".join([str(c)] * (c != 1 or not m) + [str(s) for s in m]) for m, c in self.terms)

    @property
    def symbols(self) -> frozenset[Symbol]:
        return frozenset(s for m, _ in self.terms for s in m)


Dim = int | Poly
Shape = tuple[Dim, ...]


def _terms(dim: Dim) -> tuple[tuple[_Monomial, int], ...]:
    return dim.terms if isinstance(dim, Poly) else (((), dim),)


def _normal(terms: Iterable[tuple[_Monomial, int]]) -> Dim:
    total: dict[_Monomial, int] = {}
    for monomial, coefficient in terms:
        total[monomial] = total.get(monomial, 0) + coefficient
    kept = tuple(sorted((m, c) for m, c in total.items() if c))
    if not kept:
        return 0
    return kept[0][1] if len(kept) == 1 and not kept[0][0] else Poly(kept)


def symbol(name: str, key: int = 0) -> Poly:
    """The size that is the symbol `name` alone."""
    return Poly((((Symbol(name, key),), 1),))


def product(dims: Iterable[Dim]) -> Dim:
    """Number of elements of a shape; 1 for no dims."""
    total: Dim = 1
    for dim in dims:
        total = total * dim
    return total


def quotient(a: Dim, b: Dim) -> Dim | None:
    """a / b where that is exact term by term, else None. b may be a number or a single monomial."""
    if b == 0:
        return None
    divisor = _terms(b)
    if len(divisor) != 1:
        return 1 if a == b else None
    (symbols, factor), out = divisor[0], []
    for monomial, coefficient in _terms(a):
        rest = list(monomial)
        for s in symbols:
            if s not in rest:
                return None
            rest.remove(s)
        if coefficient % factor:
            return None
        out.append((tuple(rest), coefficient // factor))
    return _normal(out)


def broadcast(a: Sequence[Dim], b: Sequence[Dim]) -> tuple[Dim | None, ...]:
    """The numpy broadcast of two shapes; None where a size is not known to be either.

    Raises:
        ValueError: two known sizes differ and neither is 1.
    """
    rank = max(len(a), len(b))
    pairs = zip((1,) * (rank - len(a)) + tuple(a), (1,) * (rank - len(b)) + tuple(b), strict=True)
    return tuple(_broadcast_dim(x, y) for x, y in pairs)


def _broadcast_dim(x: Dim, y: Dim) -> Dim | None:
    if x == y or y == 1:
        return x
    if x == 1:
        return y
    if isinstance(x, int) and isinstance(y, int):
        raise ValueError(f"sizes {x} and {y} do not broadcast")
    if isinstance(x, int):
        return x  # y is unknown: 1 or x
    return y if isinstance(y, int) else None


class TensorInfo(NamedTuple):
    """Shape and element type of a value. A size a shape function cannot tell is None."""

    shape: tuple[Dim | None, ...]
    dtype: str

    @property
    def known(self) -> Shape:
        """The shape; raises ValueError where a size is None."""
        for size in self.shape:
            if size is None:
                raise ValueError("a size is not known here")
        return self.shape  # pyright: ignore[reportReturnType]

    @property
    def elements(self) -> Dim:
        return product(self.known)

    @property
    def bytes(self) -> Dim:
        return self.elements * item_bytes(self.dtype)


def static_shape(type_: Attribute) -> tuple[int | None, ...]:
    """Sizes of a ranked tensor type, None for `?`."""
    assert isinstance(type_, TensorType)
    return tuple(None if d == DYNAMIC_INDEX else d for d in type_.get_shape())


def typed(type_: Attribute, symbols: Sequence[Dim | None] | None = None) -> TensorInfo:
    """`TensorInfo` of a ranked tensor type; unknown sizes taken from `symbols` by axis (None: not known)."""
    assert isinstance(type_, TensorType)
    static = static_shape(type_)
    fill = symbols if symbols is not None else (None,) * len(static)
    shape = tuple(f if s is None else s for s, f in zip(static, fill, strict=True))
    return TensorInfo(shape, dtype_name(type_.element_type))


def squeezed(shape: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
    """The shape without its sizes of 1: two dense values with equal squeezed shapes have one index map."""
    return tuple(d for d in shape if d != 1)
