"""Convolutions of few outputs by a kernel of the runtime (runtime/cpp/kernels/conv_rows.hpp)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from lastuse.dialect.dnn.attributes import all_f32
from lastuse.dialect.dnn.row_post_ops import PLAIN_FUNCTIONS, row_post_op_numbers, row_post_ops
from lastuse.dialect.dnn.spatial.convolution_base import ConvolutionBase
from lastuse.dialect.dnn.spatial.windowed import AnySizeBase, known
from lastuse.dialect.dnn.work import UNKNOWN_SIZE
from lastuse.dialect.onednn.primitives.post_ops import PostOp
from lastuse.dialect.onednn.primitives.window import WindowRule, numbers
from lastuse.dialect.storage.contract import OWN_ENGINES, Contract, Engine, engine_of
from lastuse.dialect.storage.layout import aligned

MOST_MOVED_OUTPUTS = 8
"""Channels of the result of a group, at most, for which the runtime's kernel is preferred because oneDNN's need x with
its channels last: twice as many of x, or more, would have to be moved."""
LEAST_ROW = 16
"""Elements of a row, at least, for which it is preferred."""
MOST_ROW_OUTPUTS = 12
"""Channels of the result, at most, for which it is preferred because oneDNN's have them in vectors that they do not
fill: of more the two take as long on processors with vectors of eight elements."""
VECTOR = 16
"""Elements of a vector of either kernel."""
MOST_ROW_WEIGHTS = 1 << 16
"""Weights, at most, for which it is preferred to oneDNN's that have the channels second as well, and take up to twice
as long: it packs them in each run."""
FEW_CHANNELS = 3
"""Channels of x, at most, for which oneDNN has a fast one of those."""
ADVANTAGE = 1.1
"""How many times the vectors of the runtime's kernel oneDNN's must have."""
MOVED_VECTORS = 1.5
"""Products of vectors that take as long as to transpose one element."""
LEAST_BLOCK_ROWS = 8
"""Rows of the result, at least, that are transposed at once, where there are so many."""
MOST_BLOCK_FLOATS = 1 << 16
"""Elements that are transposed at once, at most."""


class RowBlock(NamedTuple):
    """Of a convolution whose channels are last: rows of the result that a lane computes by way of scratch, and the
    elements of x and of the result that are there then."""

    rows: int
    floats: int


class RowConvolutionBase(ConvolutionBase, AnySizeBase):
    """A convolution that the runtime's kernel computes where that is faster than oneDNN's primitive."""

    def storage(self) -> Contract:
        contract = super().storage()
        if not self._is_native():
            return contract
        weights = 4 * prod(numbers(self.operand_type(1).shape) or (0,))  # packed, in bytes
        return contract._replace(engines=contract.engines | OWN_ENGINES, scratch=aligned(weights))

    def engine(self) -> Engine | None:
        return Engine.NATIVE if self._prefers_native() else super().engine()

    def prefers_channels_last(self) -> bool:
        """Not where the runtime's kernel is faster than oneDNN's with the channels last."""
        is_asked = engine_of(self) is Engine.NATIVE and self.native_kernel() is not None
        return super().prefers_channels_last() and not is_asked and not self._prefers_second()

    def prefers_channels_second(self) -> bool:
        is_open = engine_of(self) in (None, Engine.NATIVE) and not self.is_channels_last
        return is_open and self.native_kernel() is not None and self._is_fuller()

    def may_take_scratch(self) -> bool:
        return super().may_take_scratch() or (self.is_channels_last and self._is_native())

    def leaves_code(self) -> bool:
        return super().leaves_code() and not self._is_native()

    def takes_post_ops(self, engine: Engine | None) -> bool:
        return self._prefers_native() if engine is Engine.NATIVE else super().takes_post_ops(engine)

    def native_kernel(self) -> str | None:
        """The kernel of few outputs, of stride 1 along the last axis."""
        sizes = numbers(self.operand_type(1).shape)
        if sizes is None or not 3 <= len(sizes) <= 4 or 0 in sizes or self.groups < 1 or not all_f32(self):
            return None
        kernel = self.kernel_of(sizes)
        if kernel is None or self.rule(kernel).strides[-1] != 1 or (self.is_channels_last and self._block() is None):
            return None
        return "conv" if self._row_post_ops() is not None else None

    def native_numbers(self) -> Sequence[float]:
        block = (self._block() if self.is_channels_last else None) or RowBlock(0, 0)
        return [*self.window_numbers(self.rule), *block, *row_post_op_numbers(self._row_post_ops() or ())]

    @property
    def _outputs(self) -> int:
        """Channels of the result of a group; those of the weights are known."""
        outputs = self.operand_type(1).shape[0]
        assert isinstance(outputs, int)
        return outputs // self.groups

    def _row_post_ops(self) -> Sequence[PostOp] | None:
        """The post-ops, where the kernel has them all."""
        return row_post_ops(self, functions=PLAIN_FUNCTIONS)

    def _is_native(self) -> bool:
        given = engine_of(self)
        return self._prefers_native() if given is None else given is Engine.NATIVE and self.native_kernel() is not None

    def _prefers_native(self) -> bool:
        if self.native_kernel() is None:
            return False
        return self._is_fuller_in_blocks() if self.is_channels_last else self._beats_stated_order()

    def _prefers_second(self) -> bool:
        is_there = not self.is_channels_last and self.native_kernel() is not None
        return is_there and (self._saves_moves() or self._is_fuller())

    def _beats_stated_order(self) -> bool:
        """Whether oneDNN's, on channels that are second as they are, takes longer."""
        if self._prefers_second():
            return True
        sizes = numbers(self.operand_type(1).shape)
        assert sizes is not None
        fits = sizes[1] > FEW_CHANNELS and prod(sizes) <= MOST_ROW_WEIGHTS
        return self.groups == 1 and fits and prod(sizes[2:]) > 1 and self._row() >= LEAST_ROW

    def _saves_moves(self) -> bool:
        """Whether oneDNN needs a copy of x with its channels last that is twice as large as the result, or more."""
        channels, row = self.operand_type(1).shape[1], self.operand_type().shape[-1]
        is_wide = isinstance(row, int) and row >= LEAST_ROW
        return is_wide and isinstance(channels, int) and self._outputs <= min(MOST_MOVED_OUTPUTS, channels // 2)

    def _is_fuller(self) -> bool:
        """Whether the vectors of the kernel, which hold a row, are fewer than oneDNN's, which hold outputs."""
        if self.groups != 1 or self._outputs > MOST_ROW_OUTPUTS:
            return False
        row = self._row()
        own = self._outputs * -(-row // VECTOR)
        return row >= LEAST_ROW and ADVANTAGE * own <= row * -(-self._outputs // VECTOR)

    def _is_fuller_in_blocks(self) -> bool:
        """The same where the channels are last: what is transposed counts too."""
        block, sizes = self._block(), numbers(self.operand_type(1).shape)
        if block is None or sizes is None or self._outputs > MOST_ROW_OUTPUTS or block.floats > MOST_BLOCK_FLOATS:
            return False
        row, products = self._row(block.rows), prod(sizes[1:])
        vectors = self._outputs * products * -(-row // VECTOR) / max(row, 1)
        moved = MOVED_VECTORS * block.floats / max(block.rows * self._places()[-1], 1)
        return row >= LEAST_ROW and ADVANTAGE * (vectors + moved) <= products * -(-self._outputs // VECTOR)

    def _block(self) -> RowBlock | None:
        """The blocks of a convolution without groups whose channels are last, along two axes of known sizes."""
        weights, sizes = numbers(self.operand_type(1).shape), known(self.parted(self.operand_type().shape)[2])
        if weights is None or sizes is None or len(sizes) != 2 or self.groups != 1:
            return None
        rule, places = self.rule(weights[2:]), self._places()
        reach = 1 + (weights[2] - 1) * rule.dilations[0]
        rows = max(1, min(max(LEAST_BLOCK_ROWS, reach), places[0]))
        read = min(sizes[0], (rows - 1) * rule.strides[0] + reach)
        return RowBlock(rows, weights[1] * read * sizes[1] + weights[0] * rows * places[1])

    def _row(self, rows: int | None = None) -> int:
        """Elements of a row of the result, as the kernel has them: of all rows, or so many, where the window has one
        column and moves over all."""
        kernel = self.kernel_of(self.operand_type(1).shape)
        assert kernel is not None
        *others, row = self._places()
        joins = kernel[-1] == 1 and self._keeps_columns(self.rule(kernel))
        return row * (prod(others) if rows is None else rows) if joins else row

    def _places(self) -> tuple[int, ...]:
        """The spatial sizes of the result; one that is not known counts as `UNKNOWN_SIZE`."""
        return tuple(n if isinstance(n, int) else UNKNOWN_SIZE for n in self.parted(self.result_type().shape)[2])

    @staticmethod
    def _keeps_columns(rule: WindowRule) -> bool:
        rank = len(rule.kernel)
        return rule.strides == (1,) * rank and not any(rule.pads[axis] for axis in (rank - 1, 2 * rank - 1))
