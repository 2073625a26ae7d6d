"""Tensor types: element types, sizes that may be unknown, and what no memory holds or no kernel computes.

Every `?` of a tensor type is a symbol, and shape functions carry symbols along. Two unknown sizes are equal only if
they are one polynomial over the same symbols: nothing is ever guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import NamedTuple

import ml_dtypes
import numpy as np
from xdsl.dialects import builtin
from xdsl.dialects.builtin import DYNAMIC_INDEX, NoneAttr, TensorType
from xdsl.ir import Attribute, Operation

from lastuse.dialect.ir.diagnostics import LastuseError

# Element types


def _unsigned(width: int) -> builtin.IntegerType:
    return builtin.IntegerType(width, builtin.Signedness.UNSIGNED)


_TYPES: dict[str, tuple[np.dtype, Attribute]] = {
    "f64": (np.dtype(np.float64), builtin.f64),
    "f32": (np.dtype(np.float32), builtin.f32),
    "f16": (np.dtype(np.float16), builtin.f16),
    "bf16": (np.dtype(ml_dtypes.bfloat16), builtin.bf16),
    "i64": (np.dtype(np.int64), builtin.i64),
    "i32": (np.dtype(np.int32), builtin.i32),
    "i16": (np.dtype(np.int16), builtin.i16),
    "i8": (np.dtype(np.int8), builtin.i8),
    "ui64": (np.dtype(np.uint64), _unsigned(64)),
    "ui32": (np.dtype(np.uint32), _unsigned(32)),
    "ui16": (np.dtype(np.uint16), _unsigned(16)),
    "ui8": (np.dtype(np.uint8), _unsigned(8)),
    "i1": (np.dtype(np.bool_), builtin.i1),
    "index": (np.dtype(np.int64), builtin.IndexType()),
}
"""The dtype and the type of an element, by the name that it has in IR."""
_NAMES = {dtype: name for name, (dtype, _) in _TYPES.items() if name != "index"}


def is_integer(type_: Attribute) -> bool:
    """Whether all bits of an element make a number of their own: integers, truth values, indices."""
    return isinstance(type_, builtin.IntegerType | builtin.IndexType)


@lru_cache(maxsize=256)
def dtype_name(type_: Attribute) -> str:
    """The textual name of an element type: `f32`, `i64`, …"""
    return str(type_)


def numpy_dtype(name: str) -> np.dtype:
    """The numpy dtype of an element type.

    Raises:
        ValueError: no kernel here computes with that element type.
    """
    return _supported(name)[0]


def element_type(name: str) -> Attribute:
    """The xDSL element type of a name that `numpy_dtype` knows; raises ValueError as that does."""
    return _supported(name)[1]


def _supported(name: str) -> tuple[np.dtype, Attribute]:
    try:
        return _TYPES[name]
    except KeyError:
        raise ValueError(f"element type {name} is not supported; supported are {', '.join(_TYPES)}") from None


def item_bytes(name: str) -> int:
    """Bytes of one element; i1 takes a whole byte. Types no kernel knows are counted by their width, 8 if unknown."""
    if name in _TYPES:
        return _TYPES[name][0].itemsize
    if (parts := re.fullmatch(r"complex<(.*)>", name)) is not None:
        return 2 * item_bytes(parts[1])
    if (vector := re.fullmatch(r"vector<((?:\d+x)+)([^x].*)>", name)) is not None:
        return prod(int(size) for size in vector[1].split("x")[:-1]) * item_bytes(vector[2])
    width = re.fullmatch(r"(?:[su]?i|f|tf)(\d+)(?:E\d.*)?", name)
    if width is None:
        return 8
    digits = width[1] if "E" not in name else name[1]  # f8E4M3FN has a bit of sign, 4 of exponent, 3 of mantissa
    return max(1, (int(digits) + 7) // 8)


def name_of_dtype(dtype: np.dtype) -> str:
    """The element type of a numpy dtype; raises ValueError where there is none."""
    try:
        return _NAMES[np.dtype(dtype)]
    except KeyError:
        raise ValueError(f"arrays of dtype {dtype} are not supported") from None


# Sizes

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
    return prod(dims)  # pyright: ignore


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


Content = tuple["int | float | bool | Poly", ...]
"""What a small tensor holds: its elements in row-major order, numbers or polynomials over unknown sizes."""
MAX_CONTENT = 64
"""Elements of a tensor whose content is followed."""


class TensorInfo(NamedTuple):
    """Shape and element type of a value. A size a shape function cannot tell is None.

    `content`: its elements, where they are known while compiling.
    """

    shape: tuple[Dim | None, ...]
    dtype: str
    content: Content | None = None

    @property
    def numbers(self) -> np.ndarray | None:
        """The content as an array, None where it is not known or depends on an unknown size."""
        if self.content is None or any(isinstance(e, Poly) for e in self.content):
            return None
        return np.array(self.content, numpy_dtype(self.dtype)).reshape([d for d in self.shape if isinstance(d, int)])

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
    sizes = [size.data for size in type_.shape.data]
    return tuple([None if size == DYNAMIC_INDEX else size for size in sizes] if DYNAMIC_INDEX in sizes else sizes)


_infos: dict[int, tuple[Attribute, TensorInfo]] = {}
"""By the identity of a type, which hashing would ask all of its parts for, the type and what `typed` says of it."""
_MOST_TYPES = 1 << 9
"""Types that are kept at most. Models have a few hundred; each further set of sizes has some of its own."""
NO_ENCODING = NoneAttr()
"""Of nearly all types."""


def typed(type_: Attribute, symbols: Sequence[Dim | None] | None = None) -> TensorInfo:
    """`TensorInfo` of a ranked tensor type; unknown sizes taken from `symbols` by axis (None: not known)."""
    known = _infos.get(id(type_))
    if known is None or known[0] is not type_:
        assert isinstance(type_, TensorType)
        if len(_infos) >= _MOST_TYPES:
            _infos.clear()
        known = _infos[id(type_)] = type_, TensorInfo(static_shape(type_), dtype_name(type_.element_type))
    info = known[1]
    if symbols is not None and None in info.shape:
        shape = tuple(f if s is None else s for s, f in zip(info.shape, symbols, strict=True))
        return info._replace(shape=shape)
    return info


def tensor_type(info: TensorInfo) -> TensorType[Attribute]:
    """The type of a tensor; a size that is no number is `?`."""
    return sized_type(element_type(info.dtype), tuple([d if isinstance(d, int) else DYNAMIC_INDEX for d in info.shape]))


@lru_cache(_MOST_TYPES)
def sized_type(element: Attribute, sizes: tuple[int, ...], encoding: Attribute = NO_ENCODING) -> TensorType[Attribute]:
    """The type, one object for all values that have it: making one verifies each of its sizes."""
    return TensorType(element, sizes, encoding)


def squeezed(shape: Sequence[Dim | None]) -> tuple[Dim | None, ...]:
    """The shape without its sizes of 1: two dense values with equal squeezed shapes have one index map."""
    return tuple(d for d in shape if d != 1)


# Memory of arrays

CACHE_LINE = 64
"""Bytes of a cache line."""


def aligned_bytes(count: int) -> np.ndarray:
    """So many bytes, ui8, from the start of a cache line on, where numpy's own memory starts at a multiple of 16 bytes.
    What they hold is left open."""
    memory = np.empty(count + CACHE_LINE, np.uint8)
    return memory[-memory.ctypes.data % CACHE_LINE :][:count]  # of no bytes too: a slice of none begins with its array


# Types of a whole module

ADDRESS_SPACE = 1 << 47
"""Bytes that a tensor has at most: no process has more memory than that, and sums of such numbers stay exact."""


def verify_sizes(top: Operation) -> None:
    """Raises LastuseError at the first op with a tensor of a negative size, or of more than `ADDRESS_SPACE` bytes. A
    size that is not known counts as 1."""
    for op, type_ in _tensor_types(top):
        sizes = [size for size in static_shape(type_) if size is not None]
        if any(size < 0 for size in sizes):
            raise LastuseError(f"{type_} has a negative size", op)
        nbytes = prod(sizes) * item_bytes(dtype_name(type_.element_type))
        if nbytes > ADDRESS_SPACE:
            raise LastuseError(f"{type_} has {nbytes:,} bytes; a tensor has {ADDRESS_SPACE:,} at most", op)


def verify_element_types(top: Operation) -> None:
    """Raises LastuseError at the first op with a tensor of an element type that no kernel here computes with."""
    for op, type_ in _tensor_types(top):
        try:
            numpy_dtype(dtype_name(type_.element_type))
        except ValueError as error:
            raise LastuseError(f"{type_} cannot run: {error}", op) from error


def _tensor_types(top: Operation) -> Iterator[tuple[Operation, TensorType[Attribute]]]:
    """Each tensor type of results and block arguments, with the first op that has it."""
    seen: dict[int, Attribute] = {}  # by identity: the parser makes one object for one text
    for op in top.walk():
        blocks = (block for region in op.regions for block in region.blocks)
        for value in (*op.results, *(argument for block in blocks for argument in block.args)):
            if id(value.type) not in seen:
                seen[id(value.type)] = value.type
                if isinstance(value.type, TensorType):
                    yield op, value.type
