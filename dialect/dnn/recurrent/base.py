"""`RecurrentBase`: layers of a GRU over ragged sequences, each layer in one direction or two.

The rows of all sequences stand back to back; the last operand holds their cumulative lengths (`offsets`). Passes ask an
op of any such class for `layers()`, `directions()` and `weights()`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

import numpy as np
from typing_extensions import Self
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, TensorType, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import result_def

from lastuse.dialect.dnn.attributes import integer
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.recurrent import gru_cell
from lastuse.dialect.dnn.recurrent.gru_cell import Direction, Formula
from lastuse.dialect.dnn.recurrent.ragged import (
    expect_dtype,
    expect_offsets,
    expect_rank,
    expect_shape,
    sequences_of,
    times,
)
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo

T = TypeVar("T")

MODES = ("concat", "sum")
MODE, LAYERS = "mode", "layers"


@dataclass(frozen=True)
class DirectionWeights(Generic[T]):
    """What one direction of one layer has of its own: values, types, arrays, or numbers of operands.

    Attributes:
        weight_x: [IC, 3*OC]; None where the op's first operand is multiplied already.
        weight_h: [OC, 3*OC] or [OC, 3, OC].
        bias: [1, 3*OC], or None.
        h0: [sequences, OC], or None.
        scales: of int8, [1, 3*OC] of weight_x and of weight_h; else nothing.
    """

    weight_x: T | None
    weight_h: T
    bias: T | None
    h0: T | None
    scales: tuple[T, ...] = ()


class RecurrentBase(DnnOp):
    """Layers of a GRU over ragged sequences: their types, and their meaning in numpy."""

    FLOATS: ClassVar[tuple[str, ...]] = ("f32", "f64")
    """The element types that the first operand may have."""
    WEIGHT_H_RANKS: ClassVar[tuple[int, ...]] = (2, 3)

    hidden = result_def(TensorType)

    @abstractmethod
    def directions(self) -> tuple[bool, ...]:
        """Of each direction of a layer, in the order of the operands: whether it is the reverse one."""

    @abstractmethod
    def formula(self) -> Formula:
        """How a state is made of the one before; raises ValueError for an activation there is not."""

    def layers(self) -> int:
        """How many layers there are."""
        return integer(self.attributes.get(LAYERS), 1)

    def is_sum(self) -> bool:
        """Whether the states of a layer's directions are added; else they stand side by side."""
        return self.attributes.get(MODE) == StringAttr("sum")

    def is_reverse_first(self) -> bool:
        """Whether the states of a layer's second direction stand before those of the first."""
        return False

    def scales_per_direction(self) -> int:
        """How many scales each direction has."""
        return 0

    def weights(self, values: Sequence[T]) -> list[list[DirectionWeights[T]]]:
        """The weights by layer, then by direction, of what there is for each operand: values, types, arrays, numbers.

        Raises:
            ValueError: there are not as many operands as the layers and directions take.
        """
        layers, directions, per_cell = self.layers(), len(self.directions()), 3 + self.scales_per_direction()
        count, own = layers * directions, values[1:-1]
        if layers < 1 or not 1 <= directions <= 2 or len(own) not in (per_cell * count, (per_cell + 1) * count):
            raise ValueError(
                f"{layers} layers of {directions} directions take {per_cell * count} weights, or with initial states "
                f"{(per_cell + 1) * count}, not {len(own)}"
            )
        states: Sequence[T | None] = own[per_cell * count :] or [None] * count
        cells = list[DirectionWeights[T]]()
        for k, h0 in enumerate(states):
            weight_x, weight_h, bias, *scales = own[per_cell * k : per_cell * (k + 1)]
            cells.append(DirectionWeights(weight_x, weight_h, bias, h0, tuple(scales)))
        return [cells[k : k + directions] for k in range(0, count, directions)]

    @classmethod
    def of(
        cls,
        x: SSAValue,
        layers: Sequence[Sequence[DirectionWeights[SSAValue]]],
        offsets: SSAValue,
        result: Attribute,
        attributes: Mapping[str, Attribute],
    ) -> Self:
        """A new op with these operands. `layers`: the weights by layer, then by direction."""
        cells = [cell for layer in layers for cell in layer]
        own = [v for cell in cells for v in (cell.weight_x, cell.weight_h, cell.bias, *cell.scales)]
        values = (x, *own, *(cell.h0 for cell in cells), offsets)
        more: dict[str, Attribute] = {LAYERS: IntegerAttr(len(layers), i64)} if len(layers) > 1 else {}
        if cls.get_irdl_definition().options:
            more["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [int(v is not None) for v in values])
        operands = [v for v in values if v is not None]
        return cls.create(operands=operands, result_types=[result], attributes={**attributes, **more})

    def is_rowwise(self) -> bool:
        return True

    def offsets_operand(self) -> SSAValue:
        return self.operands[-1]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, offsets, name = operands[0], operands[-1], self.get_irdl_definition().operands[0][0]
        expect_rank(name, x, 2)
        expect_dtype(name, x, *self.FLOATS)
        expect_offsets(offsets)
        mode = self.attributes.get(MODE)
        if isinstance(mode, StringAttr) and mode.data not in MODES:
            raise ValueError(f"mode is '{mode.data}', it must be one of {', '.join(MODES)}")
        self.formula()
        several = self.layers() * len(self.directions()) > 1
        for number, layer in enumerate(self.weights(operands)):
            channels: Dim | None = None
            for cell, reverse in zip(layer, self.directions(), strict=True):
                where = f" of layer {number} {'reverse' if reverse else 'forward'}" if several else ""
                own = self._channels(cell, x, offsets, where)
                if isinstance(channels, int) and isinstance(own, int) and channels != own:
                    raise ValueError(f"the directions of layer {number} have {channels} and {own} channels")
                channels = own if isinstance(own, int) or channels is None else channels
            x = TensorInfo((x.shape[0], times(self.states_side_by_side(), channels)), x.dtype)
        return (x,)

    def _channels(
        self, cell: DirectionWeights[TensorInfo], x: TensorInfo, offsets: TensorInfo, where: str
    ) -> Dim | None:
        """OC of one direction; raises ValueError where a type does not fit. `where` tells the direction in messages."""
        dtype = self.weight_dtype(x.dtype)
        expect_rank(f"weight_h{where}", cell.weight_h, *self.WEIGHT_H_RANKS)
        channels = cell.weight_h.shape[0]
        triple = times(3, channels)
        columns = (triple,) if len(cell.weight_h.shape) == 2 else (3, channels)
        expect_shape(f"weight_h{where}", cell.weight_h, (channels, *columns), dtype)
        if cell.weight_x is None:
            expect_shape("gates", x, (None, triple))
        else:
            expect_shape(f"weight_x{where}", cell.weight_x, (x.shape[1], triple), dtype)
        for name, row in (("bias", cell.bias), *(("a scale", scale) for scale in cell.scales)):
            if row is not None:
                expect_shape(f"{name}{where}", row, (1, triple), x.dtype)
        if cell.h0 is not None:
            expect_shape(f"h0{where}", cell.h0, (sequences_of(offsets), channels), x.dtype)
        return channels

    def weight_dtype(self, dtype: str) -> str:
        """The element type of the weights where x has `dtype`."""
        return dtype

    def states_side_by_side(self) -> int:
        """How many states of directions stand side by side in a row of a layer."""
        return 1 if self.is_sum() else len(self.directions())

    def reading(self, number: int) -> Callable[[Array], Array]:
        """How what is multiplied is rounded before: x of layer k (number 2k), its states (number 2k + 1)."""
        return lambda values: values

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        return (self.states(operands[0], self.weights(operands), operands[-1]),)

    def states(self, x: Array, layers: Sequence[Sequence[DirectionWeights[Array]]], offsets: Array) -> Array:
        """The state after each row, [rows, columns of the result], row by row as the formula says."""
        for number, layer in enumerate(layers):
            read_x, read_h, hidden = self.reading(2 * number), self.reading(2 * number + 1), list[Array]()
            for cell, reverse in zip(layer, self.directions(), strict=True):
                with np.errstate(all="ignore"):
                    gates = x if cell.weight_x is None else read_x(x) @ cell.weight_x
                    gates = gates if cell.bias is None else gates + cell.bias
                direction = Direction(cell.weight_h, cell.h0, reverse, self.formula(), read_h)
                hidden.append(gru_cell.reference(direction, gates, offsets))
            if self.is_sum():
                x = sum(hidden[1:], hidden[0])
            else:
                x = np.hstack(hidden[::-1] if self.is_reverse_first() else hidden)
        return x
