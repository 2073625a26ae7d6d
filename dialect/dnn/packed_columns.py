"""Weights of products of bytes in the order in which the runtime's kernel reads them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import SSAValue
from xdsl.irdl import opt_attr_def

from lastuse.dialect.dnn.attributes import INTEGERS
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.ir.tensor_types import TensorInfo, aligned_bytes

STRIP, QUAD = 16, 4
"""Columns that are packed together, and summed elements of a column that are: those of the runtime's kernel."""
SUM_BYTES = 4
PACKED = "packed"
"""The attribute of an op with packed weights."""
_FLIP = 0x80
"""What a byte without a sign is exchanged with: x becomes x - 128."""


class PacksWeights(DnnOp):
    """An op class whose kernel reads weights in an order of its own, which constant ones may have beforehand."""

    @abstractmethod
    def packable_operand(self) -> int | None:
        """The number of the weights; None where they are packed, or are not read packed."""

    @abstractmethod
    def packed_weights(self, weights: Array) -> Array:
        """The weights as the op reads them packed, of their type."""

    @abstractmethod
    def with_packed_weights(self, packed: SSAValue, shape: Sequence[int]) -> DnnOp:
        """The op, not yet in a block, that computes the same from packed weights.

        Args:
            shape: the sizes that the weights had.
        """


class StatesPackedBase(PacksWeights):
    """An op class whose ops have `packed` where their weights are packed: the sizes that they had."""

    packed = opt_attr_def(INTEGERS)

    @abstractmethod
    def weights_number(self) -> int:
        """The number of the weights, packed or not."""

    def with_packed_weights(self, packed: SSAValue, shape: Sequence[int]) -> DnnOp:
        operands = list(self.operands)
        operands[self.weights_number()] = packed
        own = {name: value for name, value in self.attributes.items() if "." not in name}
        return self.replacement(type(self), operands, {**own, PACKED: DenseArrayBase.from_list(i64, list(shape))})


def packed_bytes(groups: int, depth: int, columns: int) -> int:
    """How many bytes so many groups of columns have: whole quads in whole strips, and a sum of each column in i32."""
    strips = -(-columns // STRIP)
    return groups * strips * STRIP * (-(-depth // QUAD) * QUAD + SUM_BYTES)


def packed_columns(columns: Array) -> Array:
    """Packs [groups, depth, columns] bytes: strips of columns, in them quads of the summed axis, zeros around; behind
    them the sums of the columns. Bytes without a sign are less 128."""
    groups, depth, width = columns.shape
    signed = (columns ^ np.uint8(_FLIP)).view(np.int8) if columns.dtype == np.uint8 else columns
    padded = np.zeros((groups, -(-depth // QUAD) * QUAD, -(-width // STRIP) * STRIP), np.int8)
    padded[:, :depth, :width] = signed
    quads = padded.reshape(groups, padded.shape[1] // QUAD, QUAD, padded.shape[2] // STRIP, STRIP)
    panels = np.ascontiguousarray(quads.transpose(0, 3, 1, 4, 2)).reshape(-1)
    sums = np.ascontiguousarray(padded.sum(axis=1, dtype=np.int32)).reshape(-1)
    # A kernel reads half of the vectors of other memory from two cache lines.
    packed = aligned_bytes(panels.nbytes + sums.nbytes).view(np.int8)
    return np.concatenate([panels, sums.view(np.int8)], out=packed).view(columns.dtype)


def unpacked_columns(packed: Array, groups: int, depth: int, columns: int) -> Array:
    """The [groups, depth, columns] bytes of packed ones."""
    quads, strips = -(-depth // QUAD), -(-columns // STRIP)
    panels = packed[: groups * strips * quads * QUAD * STRIP].view(np.int8)
    turned = panels.reshape(groups, strips, quads, STRIP, QUAD).transpose(0, 2, 4, 1, 3)
    signed = turned.reshape(groups, quads * QUAD, strips * STRIP)[:, :depth, :columns]
    return signed.view(np.uint8) ^ np.uint8(_FLIP) if packed.dtype == np.uint8 else signed


def logical_weights(weights: TensorInfo, shape: Sequence[int], bytes_: int) -> TensorInfo:
    """What packed weights stand for.

    Raises:
        ValueError: they have another number of bytes.
    """
    if len(weights.shape) != 1 or weights.shape[0] not in (None, bytes_):
        raise ValueError(f"packed weights of sizes {list(shape)} have {bytes_} elements on one axis")
    return TensorInfo(tuple(shape), weights.dtype)
