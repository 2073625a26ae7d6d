"""`linalg` as loops over elements, in any order of the parallel ones: what it writes may be what it reads."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Block

from .buffers import OutOfBounds
from .ir_values import Array

Body = Callable[[Block, Sequence[Array], Sequence[int]], Sequence[Array]]
"""What the terminator of a block is given, for the values of its arguments and the number of each loop."""


def run_loops(
    op: LinalgStructuredOperation, ins: Sequence[Array], outs: Sequence[Array], body: Body, rng: random.Random
) -> None:
    """Computes `op` on arrays, or on scalars among `ins`, and writes `outs`, element after element.

    Raises:
        OutOfBounds: sizes of operands differ.
    """
    maps = [entry.data for entry in op.get_indexing_maps().data]
    kinds = [entry.data for entry in op.get_iterator_types().data]
    sizes: list[int | None] = [None] * len(kinds)
    arrays = [*ins, *outs]
    for map_, array in zip(maps, arrays, strict=True):
        for result, size in zip(map_.results, array.shape, strict=bool(map_.results)):
            axis = next(iter(result.used_dims()))
            if sizes[axis] not in (None, size):
                raise OutOfBounds
            sizes[axis] = size
    parallel = [a for a, kind in enumerate(kinds) if kind is IteratorType.PARALLEL]
    others = [a for a in range(len(kinds)) if a not in parallel]
    points = list(product(*(range(sizes[a] or 0) for a in parallel)))
    rng.shuffle(points)
    for point in points:
        for rest in product(*(range(sizes[a] or 0) for a in others)):
            at = [0] * len(kinds)
            for axis, n in zip([*parallel, *others], [*point, *rest], strict=True):
                at[axis] = n
            where = [tuple(map_.eval(at, [])) if array.ndim else () for map_, array in zip(maps, arrays, strict=True)]
            given = [np.asarray(array[w]) for array, w in zip(arrays, where, strict=True)]
            made = body(op.body.block, given, at)
            for array, w, value in zip(outs, where[len(ins) :], made, strict=True):
                array[w] = value
