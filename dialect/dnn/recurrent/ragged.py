"""
Ragged rows: sequences of different lengths laid back to back, told apart by their cumulative lengths (the offsets).

The recurrent kernels walk all sequences of a batch together, longest first, so that the sequences still running at a
step are always the first ones, and one matrix product serves them all without any padding. Everything the walk needs is
carved out of the op's declared scratch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.ir.diagnostics import ArrayError
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.storage.layout import aligned

GROUP = 256
"""At most this many sequences are walked together: enough to fill a matrix product, few enough to stay in the cache."""
BLOCK_BYTES = 128 * 1024
"""Rows are gathered in blocks of at most this size, the only memory outside the scratch that a walk uses."""

Buffers = Mapping[str, tuple[tuple[int, ...], np.dtype]]
"""What a kernel needs besides operands and results: shape and dtype by name."""


class OffsetsError(ArrayError, ValueError):
    """The offsets do not cut the rows into sequences: they must ascend from 0 to the number of rows."""


def scratch_bytes(buffers: Buffers) -> int:
    """Bytes that `carve` takes for these buffers."""
    return sum(aligned(math.prod(shape) * dtype.itemsize) for shape, dtype in buffers.values())


def carve(scratch: Array, buffers: Buffers) -> dict[str, Array]:
    """The buffers as arrays in `scratch` (uint8), each at a multiple of 64 bytes from its start.

    Raises:
        ValueError: the scratch is smaller than `scratch_bytes(buffers)`.
    """
    if scratch.nbytes < scratch_bytes(buffers):
        raise ValueError(f"scratch of {scratch.nbytes} bytes is given, {scratch_bytes(buffers)} are needed")
    arrays: dict[str, Array] = {}
    start = 0
    for name, (shape, dtype) in buffers.items():
        size = math.prod(shape) * dtype.itemsize
        arrays[name] = scratch[start : start + size].view(dtype).reshape(shape)
        start += aligned(size)
    return arrays


def index_buffers(sequences: int, group: int) -> Buffers:
    """The buffers that `groups` needs for that many sequences."""
    sizes: dict[str, int] = {"keys": sequences, "ids": sequences, "lengths": sequences, "starts": group, "rows": group}
    return {name: ((size,), np.dtype(np.int64)) for name, size in sizes.items()}


def group_size(sequences: int, rows: int, limit: int = GROUP) -> int:
    """How many sequences are walked together; those with rows are as many as rows at most."""
    return max(1, min(sequences, rows, limit))


class SequenceGroup(NamedTuple):
    """Sequences walked together, longest first.

    Attributes:
        ids: int64 [sequences], which ones.
        lengths: their lengths, descending, none of them 0.
        starts: int64 [sequences], the row of each one's first step.
        direction: 1, or -1 where sequences are walked from their last row to their first.
        buffer: int64 [sequences], memory for `rows`.
    """

    ids: Array
    lengths: list[int]
    starts: Array
    direction: int
    buffer: Array

    def rows(self, step: int, running: int) -> Array:
        """The row at `step` of each of the first `running` sequences; valid until the next call."""
        return np.add(self.starts[:running], self.direction * step, out=self.buffer[:running])

    def steps(self) -> Iterator[tuple[int, int]]:
        """(step, how many sequences have that step), first step first."""
        running = len(self.lengths)
        for step in range(self.lengths[0]):
            while self.lengths[running - 1] <= step:
                running -= 1
            yield step, running


def groups(
    offsets: Array, rows: int, group: int, buffers: Mapping[str, Array], reverse: bool
) -> Iterator[SequenceGroup]:
    """All sequences that have rows, longest first (ties by position), at most `group` at a time.

    Args:
        offsets: int64 [sequences + 1], cumulative lengths.
        rows: how many rows there are.
        group: the largest group, as `buffers` was made for.
        buffers: the arrays of `index_buffers`.
        reverse: walk each sequence from its own last row to its first.

    Raises:
        OffsetsError: the offsets do not ascend from 0 to `rows`.
    """
    keys, ids, lengths = buffers["keys"], buffers["ids"], buffers["lengths"]
    check_ends(offsets, rows)
    count = offsets.size - 1
    if not count:
        return
    np.subtract(offsets[1:], offsets[:-1], out=lengths)
    if (worst := int(lengths.argmin())) >= 0 and lengths[worst] < 0:
        raise OffsetsError(f"offset {worst + 1} is {offsets[worst + 1]}, less than the {offsets[worst]} before it")
    longest = int(lengths.max())
    # One key holds both length and position, because argsort would make memory of its own and sort() does not.
    ids.fill(1)
    np.cumsum(ids, out=ids)
    np.subtract(longest, lengths, out=keys)
    np.multiply(keys, count, out=keys)
    np.add(keys, ids, out=keys)
    np.subtract(keys, 1, out=keys)
    keys.sort()
    np.remainder(keys, count, out=ids)
    np.floor_divide(keys, count, out=keys)
    np.subtract(longest, keys, out=lengths)
    filled = int(np.count_nonzero(lengths))
    for first in range(0, filled, group):
        chosen = ids[first : min(first + group, filled)]
        starts = buffers["starts"][: chosen.size]
        np.take(offsets, chosen, out=starts, mode="clip")
        own = lengths[first : first + chosen.size]
        if reverse:
            np.add(starts, own, out=starts)
            np.subtract(starts, 1, out=starts)
        yield SequenceGroup(chosen, own.tolist(), starts, -1 if reverse else 1, buffers["rows"])


def check_ends(offsets: Array, rows: int) -> None:
    """Raises OffsetsError unless the offsets start at 0 and end at `rows`."""
    if not offsets.size:
        raise OffsetsError("there are no offsets; even no sequence at all has the one offset 0")
    if offsets[0] != 0:
        raise OffsetsError(f"the first offset is {offsets[0]}, not 0")
    if offsets[-1] != rows:
        raise OffsetsError(f"the last offset is {offsets[-1]}, but there are {rows} rows")


def sequence_rows(offsets: Array, rows: int) -> list[slice]:
    """The rows of each sequence, in order.

    Raises:
        OffsetsError: the offsets do not ascend from 0 to `rows`.
    """
    check_ends(offsets, rows)
    ends = offsets.tolist()
    for index, (start, stop) in enumerate(pairwise(ends)):
        if stop < start:
            raise OffsetsError(f"offset {index + 1} is {stop}, less than the {start} before it")
    return [slice(start, stop) for start, stop in pairwise(ends)]


def gather_rows(source: Array, rows: Array, out: Array, addend: Array | None = None) -> None:
    """out[i] = source[rows[i]] (+ addend), for a source at any strides.

    In blocks, because `np.take(out=)` would first copy all of a source that is not dense.
    """
    step = max(1, BLOCK_BYTES // max(1, out[:1].nbytes))
    for first in range(0, len(rows), step):
        block = slice(first, first + step)
        if addend is None:
            out[block] = source[rows[block]]
        else:
            np.add(source[rows[block]], addend, out=out[block])


def times(count: int, size: Dim | None) -> Dim | None:
    """`count` times a size that may be unknown."""
    return None if size is None else count * size


def sequences_of(offsets: TensorInfo) -> Dim | None:
    """How many sequences there are."""
    ends = offsets.shape[0]
    return None if ends is None else ends - 1


def known_sizes(sizes: Sequence[Dim | None]) -> list[int]:
    """The sizes, if all of them are numbers; else none."""
    known = [size for size in sizes if isinstance(size, int)]
    return known if len(known) == len(sizes) else []


def expect(what: str, have: Dim | None, want: Dim | None) -> None:
    """Raises ValueError where both sizes are numbers and differ; an unknown size may still turn out right."""
    if isinstance(have, int) and isinstance(want, int) and have != want:
        raise ValueError(f"{what} is {have}, it must be {want}")


def expect_rank(what: str, value: TensorInfo, *ranks: int) -> None:
    """Raises ValueError unless `value` has one of these numbers of axes."""
    if len(value.shape) not in ranks:
        raise ValueError(f"{what} has {len(value.shape)} axes, it must have {' or '.join(map(str, ranks))}")


def expect_dtype(what: str, value: TensorInfo, *dtypes: str) -> None:
    """Raises ValueError unless the elements are of one of these types."""
    if value.dtype not in dtypes:
        raise ValueError(f"{what} has element type {value.dtype}, it must be {' or '.join(dtypes)}")


def expect_shape(what: str, value: TensorInfo, shape: Sequence[Dim | None], *dtypes: str) -> None:
    """Raises ValueError unless `value` has this shape (None: any size) and, if any are given, one of these types."""
    expect_rank(what, value, len(shape))
    if dtypes:
        expect_dtype(what, value, *dtypes)
    for axis, (have, want) in enumerate(zip(value.shape, shape, strict=True)):
        place = "first" if axis == 0 else "last" if axis == len(shape) - 1 else "middle"
        expect(f"the {place} axis of {what}", have, want)


def expect_offsets(value: TensorInfo) -> None:
    """Raises ValueError unless `value` can be offsets: i64 [sequences + 1]."""
    expect_shape("offsets", value, (None,), "i64")
    if value.shape[0] == 0:
        raise ValueError("there are no offsets; even no sequence at all has the one offset 0")
