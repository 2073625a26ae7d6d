"""Copies that exchange the axis whose elements are contiguous: tiles, their edges, narrow matrices; against numpy."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from lastuse.runtime import _core

Array = np.ndarray
GUARD = 3
"""Elements around the destination, and behind each of its rows, which stay as they are."""


def steps_of(array: Array) -> list[int]:
    return [step // array.itemsize for step in array.strides]


def copied(x: Array, perm: tuple[int, ...], padding: int) -> tuple[Array, Array]:
    """x with its axes in this order, written to rows that are so many elements apart: all memory, and the part."""
    sizes = [x.shape[axis] for axis in perm]
    room = np.full([*sizes[:-1], sizes[-1] + padding], 7).astype(x.dtype)
    memory = np.concatenate([np.full(GUARD, 7).astype(x.dtype), room.reshape(-1), np.full(GUARD, 7).astype(x.dtype)])
    part = memory[GUARD:-GUARD].reshape(room.shape)[..., : sizes[-1]]
    program = _core.StepProgram(0)
    source, target = x.transpose(perm), program.add_argument("t", x.dtype, memory.shape, True)
    read = program.add_view(program.add_argument("s", x.dtype, [x.size], False), 0, x.dtype, sizes, steps_of(source))
    written = program.add_view(target, GUARD * x.itemsize, x.dtype, sizes, steps_of(part))
    program.add_copy("transpose", read, written)
    _core.Context(program).run([memory, x.reshape(-1)])
    return memory, part


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64", "complex128"])
@pytest.mark.parametrize(
    "shape", [(8, 8), (16, 9), (23, 40), (40, 150), (2, 33), (33, 3), (4, 17), (1, 8), (5, 13, 19), (3, 8, 2, 16)]
)
def test_transposed_copy_equals_that_of_numpy(dtype: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(shape))
    x = rng.integers(0, 256, (*shape, np.dtype(dtype).itemsize), np.uint8).view(dtype)[..., 0]  # NaNs are among them
    for perm in permutations(range(len(shape))):
        for padding in (0, GUARD):
            memory, part = copied(x, perm, padding)
            want = np.full_like(memory, 7)
            want[GUARD:-GUARD].reshape(*part.shape[:-1], -1)[..., : part.shape[-1]] = x.transpose(perm)
            assert memory.tobytes() == want.tobytes()
