"""Arrays taken a block at a time, so that temporaries stay small and in cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import EllipsisType
from typing import Any, Literal

import numpy as np

from lastuse.dialect.dnn.base import Array

_Access = Literal["readonly", "writeonly"]

BLOCK = 4096
"""Elements of one block: 32 KiB of f64."""


def blockwise(compute: Callable[..., Array], operands: Sequence[Array], out: Array, contiguous: bool = False) -> None:
    """out = compute(*operands), element by element with numpy broadcasting.

    `compute` gets 1-d arrays of at most `BLOCK` elements at equal places, contiguous ones if `contiguous`. Every block
    is read whole before it is written, so `out` may lie exactly on any operand of its shape.
    """
    for *inputs, block in blockwise_all(operands, [out], contiguous):
        np.copyto(block, compute(*inputs), casting="unsafe")


def blockwise_all(
    operands: Sequence[Array], results: Sequence[Array], contiguous: bool = False
) -> Iterator[Sequence[Array]]:
    """Blocks of the operands and then of the results, at equal places: 1-d arrays of at most `BLOCK` elements.

    Each block of the results is written before the next one is asked for. A result may lie exactly on any operand of
    its shape if all of a block is read before it is written. Warnings about infinities and NaN are off.
    """
    if not results[0].size:
        return
    # numpy's stubs spell the flag "config".
    dense: list[Any] = ["contig"] if contiguous else []
    flags: list[list[_Access]] = [
        *(["readonly", *dense] for _ in operands),
        *(["writeonly", *dense] for _ in results),
    ]
    with (
        np.nditer(
            [*operands, *results], flags=["external_loop", "buffered"], op_flags=flags, buffersize=BLOCK
        ) as blocks,
        np.errstate(all="ignore"),
    ):
        yield from blocks


def slabs(shape: Sequence[int], axes: Sequence[int]) -> Iterator[tuple[slice, ...]]:
    """Index expressions that cut an array of `shape` into slabs of about `BLOCK` elements, never along `axes`.

    The cut is along the longest other axis; where `axes` are all there are, the array is one slab.
    """
    free = [a for a in range(len(shape)) if a not in axes]
    if not free:
        yield (slice(None),) * len(shape)
        return
    cut = max(free, key=lambda a: shape[a])
    rest = int(np.prod([n for a, n in enumerate(shape) if a != cut], dtype=np.int64))
    step = max(1, BLOCK // max(rest, 1))
    for start in range(0, shape[cut], step):
        yield tuple(slice(start, start + step) if a == cut else slice(None) for a in range(len(shape)))


Index = tuple[slice | EllipsisType, ...]


def blocks(shape: Sequence[int], axes: Sequence[int]) -> Iterator[tuple[Index, Index]]:
    """Cuts an array of `shape` into blocks of about `BLOCK` elements: index expressions for the block, and for what
    it becomes where `axes` are reduced to size 1.

    The order of blocks of one result is that of its elements.
    """
    if 0 in shape:
        return
    steps = list(shape)
    for axis in range(len(shape)):  # outer axes are cut first, so that blocks are long runs
        rest = int(np.prod(steps[:axis] + steps[axis + 1 :], dtype=np.int64))
        steps[axis] = min(shape[axis], max(1, BLOCK // rest))
    for corner in np.ndindex(*(-(-n // step) for n, step in zip(shape, steps, strict=True))):
        part = tuple(slice(i * step, (i + 1) * step) for i, step in zip(corner, steps, strict=True))
        kept = (slice(None) if a in axes else s for a, s in enumerate(part))
        yield (*part, ...), (*kept, ...)  # with an ellipsis the part of an array without axes is an array too


def mean(x: Array, axes: tuple[int, ...], keepdims: bool) -> Array:
    """The mean over `axes` in x's element type; NaN of no elements."""
    if all(x.shape[axis] for axis in axes):
        return np.asarray(x.mean(axes, keepdims=keepdims, dtype=x.dtype))
    return np.full_like(x.sum(axes, keepdims=keepdims), np.nan)
