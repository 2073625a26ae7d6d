"""Ragged batches in somewhat larger ones: few sizes to compile for, whatever sizes come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .dialect.dnn.ragged import check_ends

Arrays = Mapping[str, np.ndarray]
SPARE = 4
"""Sequences that are free for the rows that are added, at least: one long sequence would be slow."""


class Batch(NamedTuple):
    """The inputs of a larger batch, and how many rows of its results are those of the given one."""

    inputs: dict[str, np.ndarray]
    rows: int


def rounded(inputs: Arrays, rows: Sequence[str], ends: str) -> Batch:
    """The batch with rows of zeros in further sequences: 6 % more rows at most, up to the next of few numbers.

    The inputs are all of the program's. What they hold, and nothing else, says what is made of them.

    Args:
        rows: names of the inputs that have a row for each word.
        ends: name of the cumulative lengths.

    Raises:
        OffsetsError: the lengths do not start at 0, or do not end at the number of rows.
    """
    offsets = np.asarray(inputs[ends])
    count = len(inputs[rows[0]])
    check_ends(offsets, count)
    sequences = offsets.size - 1
    step = max(8, 1 << max(0, count.bit_length() - 5))
    wanted, more = -(-count // step) * step, -(-(sequences + SPARE) // 8) * 8 - sequences
    added = np.linspace(count, wanted, more + 1).astype(offsets.dtype)[1:]
    larger = dict(inputs) | {ends: np.concatenate([offsets, added])}
    for name in rows:
        array = np.asarray(inputs[name])
        padded = np.zeros((wanted, *array.shape[1:]), array.dtype)
        padded[:count] = array
        larger[name] = padded
    return Batch(larger, count)
