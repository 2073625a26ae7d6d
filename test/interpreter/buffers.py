"""Memory as programs on memrefs see it: arrays that lie in memory which is taken, given back and perhaps read only."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute

from .ir_values import DTYPES, Array


class WrongAccess(Exception):
    """Memory is used in a way that is not allowed."""


class OutOfBounds(Exception):
    """A slice or an element is outside of its tensor or memref: what the program does is not defined."""


class Memory:
    """Memory that was taken at once.

    Attributes:
        name: says which it is.
        alive: it was not given back.
        read_only: nothing may write it.
    """

    def __init__(self, name: str, read_only: bool = False) -> None:
        self.name, self.alive, self.read_only = name, True, read_only


class Buffer(NamedTuple):
    """A memref at run time: the elements it shows, and the memory that they are in."""

    array: Array
    memory: Memory

    def read(self) -> Array:
        """The elements.

        Raises:
            WrongAccess: the memory was given back.
        """
        if not self.memory.alive:
            raise WrongAccess(f"{self.memory.name} is read after it was given back")
        return self.array

    def written(self) -> Array:
        """The elements, to be written.

        Raises:
            WrongAccess: the memory was given back, or is read only.
        """
        if not self.memory.alive:
            raise WrongAccess(f"{self.memory.name} is written after it was given back")
        if self.memory.read_only and self.array.size:
            raise WrongAccess(f"{self.memory.name} is written, and it is read only")
        return self.array

    def other(self, array: Array) -> Buffer:
        """Other elements of the same memory."""
        return Buffer(array, self.memory)


def poisoned(shape: Sequence[int], dtype: np.dtype, rng: random.Random) -> Array:
    """New memory: numbers that are nowhere else."""
    count = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    return np.frombuffer(bytearray(rng.randbytes(count)), dtype if dtype != np.bool_ else np.uint8).reshape(shape)


def element_of(type_: Attribute) -> np.dtype:
    """The numpy dtype of a memref's elements."""
    assert isinstance(type_, MemRefType)
    return DTYPES[str(type_.element_type)]


def part_of(array: Array, offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]) -> Array:
    """The slice of an array, as numpy's view of it.

    Raises:
        OutOfBounds: part of it is outside.
    """
    bounds = list(zip(offsets, sizes, strides, array.shape, strict=True))
    for offset, size, stride, room in bounds:
        if offset < 0 or size < 0 or (size and offset + (size - 1) * stride >= room) or offset > room:
            raise OutOfBounds
    return array[tuple(slice(o, o + max(n - 1, -1) * s + 1 if n else o, s) for o, n, s, _ in bounds)]


def without_ones(array: Array, wanted: Sequence[int]) -> Array:
    """The array without some of its axes of one element: one of shape `wanted`, in which unknown sizes fit any."""
    spare, shape, need = array.ndim - len(wanted), list(array.shape), list(wanted)
    dropped: list[int] = []
    for axis, size in enumerate(shape):
        at = axis - len(dropped)
        left = need[at:]
        if len(dropped) < spare and size == 1 and (not left or not _fits(shape[axis:], left, spare - len(dropped))):
            dropped.append(axis)
    kept = [n for axis, n in enumerate(shape) if axis not in dropped]
    assert len(kept) == len(wanted), (array.shape, wanted)
    return array.reshape(kept) if array.flags.c_contiguous else np.squeeze(array, tuple(dropped))


def _fits(shape: Sequence[int], wanted: Sequence[int], spare: int) -> bool:
    """The first axis of `shape` is the first of `wanted`, and so on behind them."""
    if shape[0] != wanted[0] and wanted[0] != DYNAMIC_INDEX:
        return False
    return len(shape) - 1 - spare == len(wanted) - 1
