"""Ragged batches in somewhat larger ones: few sizes to compile for, whatever sizes come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from xdsl.dialects.func import FuncOp

from lastuse.dialect.storage.argument_names import argument_name
from lastuse.dialect.storage.specialization import unknown_sizes
from lastuse.passes.analysis.row_independence import ragged_rows
from lastuse.runtime.arrays import Arrays, LeadingRows, as_array
from lastuse.runtime.build import Argument

SPARE = 4
"""Sequences that are free for the rows that are added, at least: one long sequence would be slow."""


class Rounding(NamedTuple):
    """How the batches of a program are rounded.

    Attributes:
        ends: name of the input that holds the cumulative lengths.
        inputs: the input of each unknown size, by the size's name: those with the rows of all sequences, and `ends`.
    """

    ends: str
    inputs: Mapping[str, str]

    def batch_of(self, inputs: Arrays, sizes: Mapping[str, int]) -> Batch | None:
        """The batch that these inputs of these sizes are; None for one that is wrong, which runs as it is.

        Raises:
            ArrayError: the cumulative lengths are no array.
        """
        offsets = as_array(inputs[self.ends], self.ends)
        batch = self._batch(sizes)
        return batch if batch is not None and batch.fits(offsets) else None

    def sizes_for(self, sizes: Mapping[str, int]) -> Mapping[str, int]:
        """The sizes that a right batch of these sizes runs with; the same ones where there is no such batch."""
        batch = self._batch(sizes)
        # Without a sequence there is no row.
        if batch is None or not batch.offset_count or (batch.offset_count == 1 and batch.row_count):
            return sizes
        return batch.larger_sizes

    def _batch(self, sizes: Mapping[str, int]) -> Batch | None:
        """The batch of these sizes; None where inputs differ in their rows."""
        counts = {sizes[name] for name, argument in self.inputs.items() if argument != self.ends}
        end = next(sizes[name] for name, argument in self.inputs.items() if argument == self.ends)
        return Batch(self, max(counts), end) if len(counts) == 1 else None


def rounding_of(func: FuncOp) -> Rounding | None:
    """How batches of `func` are rounded; None where they may not be (`ragged_rows`)."""
    ragged = ragged_rows(func)
    if ragged is None:
        return None
    names = {name: argument_name(func.args[index]) for name, (index, _) in unknown_sizes(func).items()}
    return Rounding(argument_name(func.args[ragged.ends]), names)


class Batch(NamedTuple):
    """A ragged batch, and the larger one that it runs in: 6 % more rows at most, up to the next of few numbers.

    Attributes:
        row_count: rows of the batch.
        offset_count: of its cumulative lengths: one more than it has sequences.
    """

    rounding: Rounding
    row_count: int
    offset_count: int

    @property
    def larger_row_count(self) -> int:
        """Rows of the larger batch."""
        step = max(8, 1 << max(0, self.row_count.bit_length() - 5))
        return -(-self.row_count // step) * step

    @property
    def larger_offset_count(self) -> int:
        """Cumulative lengths of the larger batch."""
        return -(-(self.offset_count - 1 + SPARE) // 8) * 8 + 1

    @property
    def larger_sizes(self) -> dict[str, int]:
        """The unknown sizes of the larger batch, by name."""
        inputs = self.rounding.inputs.items()
        return {n: self.larger_offset_count if a == self.rounding.ends else self.larger_row_count for n, a in inputs}

    @property
    def rows(self) -> set[str]:
        """Names of the inputs with the rows of all sequences."""
        return set(self.rounding.inputs.values()) - {self.rounding.ends}

    def fits(self, offsets: np.ndarray) -> bool:
        """These are lengths that further sequences can follow: they start at 0 and end at the number of rows."""
        if not self.offset_count or offsets.shape != (self.offset_count,):
            return False
        return bool(offsets[0] == 0 and offsets[-1] == self.row_count)

    def leading_rows(self, arguments: Sequence[Argument]) -> LeadingRows:
        """The batch as a part of the larger one, in a program of these arguments. Every result has rows."""
        return LeadingRows([self._shape(a) for a in arguments], self._enlarge)

    def _shape(self, argument: Argument) -> tuple[int, ...]:
        if argument.input == self.rounding.ends:
            return (self.offset_count,)
        has_rows = argument.input is None or argument.input in self.rows
        return (self.row_count, *argument.shape[1:]) if has_rows else argument.shape

    def _enlarge(self, inputs: Arrays) -> Arrays:
        """The larger inputs, with rows of zeros in further sequences."""
        more = self.larger_offset_count - self.offset_count
        added = np.linspace(self.row_count, self.larger_row_count, more + 1).astype(np.int64)[1:]
        offsets = inputs[self.rounding.ends]
        larger = dict(inputs) | {self.rounding.ends: np.concatenate([offsets, added.astype(offsets.dtype)])}
        for name in self.rows:
            larger[name] = np.zeros((self.larger_row_count, *inputs[name].shape[1:]), inputs[name].dtype)
            larger[name][: self.row_count] = inputs[name]
        return larger
