"""The GRU in Paddle's form, on ragged sequences: with its input multiplied already (`gru`), or not (`fused_gru`), and
layers of it in both directions (`multi_gru`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

import numpy as np
from xdsl.dialects.builtin import BoolAttr, StringAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    attr_def,
    irdl_op_definition,
    operand_def,
    opt_attr_def,
    opt_operand_def,
    var_operand_def,
)

from lastuse.dialect.dnn.attributes import INTEGER, agreed, by_role, flag, word
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.blas import one_thread
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.recurrent import gru_cell
from lastuse.dialect.dnn.recurrent.base import DirectionWeights, RecurrentBase
from lastuse.dialect.dnn.recurrent.gru_cell import ACTIVATIONS, Direction, Formula
from lastuse.dialect.dnn.recurrent.gru_differentiation import GruDifferentiation
from lastuse.dialect.dnn.recurrent.ragged import Buffers, carve, known_sizes, scratch_bytes
from lastuse.dialect.ir.tensor_types import TensorInfo, numpy_dtype, static_shape
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.gru import GruPrimitive
from lastuse.dialect.storage.contract import Backward, Contract, Engine, engine_of

T = TypeVar("T")

GRU = "dnn.gru"
"""On a GRU that both oneDNN's and native kernels can compute: the engine whose kernels compute all of it."""
KERNELS = (Engine.ONEDNN, Engine.NATIVE)


def kernels_of(op: Operation) -> Engine | None:
    """The engine whose kernels compute all of a GRU; None where each run of steps is computed by the kernels that are
    faster on the machine.

    Raises:
        ValueError: `dnn.gru` names neither oneDNN nor the native ones.
    """
    chosen = op.attributes.get(GRU)
    names = [engine.value for engine in KERNELS]
    if chosen is not None and not (isinstance(chosen, StringAttr) and chosen.data in names):
        raise ValueError(f"{GRU} is {chosen}, it must be {' or '.join(names)}")
    if isinstance(chosen, StringAttr):
        return Engine(chosen.data)
    return Engine.NATIVE if engine_of(op) is Engine.NATIVE else None


class GruBase(RecurrentBase):
    """A GRU in f32 or f64: `gru`, `fused_gru` and `multi_gru` have one kernel, and one way to oneDNN."""

    origin_mode = opt_attr_def(BoolAttr)
    activation = opt_attr_def(StringAttr)
    gate_activation = opt_attr_def(StringAttr)

    def is_fused(self) -> bool:
        """Whether the op multiplies its input itself."""
        return True

    def formula(self) -> Formula:
        gate, activation = word(self.gate_activation, "sigmoid"), word(self.activation, "tanh")
        for field, name in (("gate_activation", gate), ("activation", activation)):
            if name not in ACTIVATIONS:
                raise ValueError(f"{field} is '{name}', it must be one of {', '.join(ACTIVATIONS)}")
        return Formula(ACTIVATIONS[gate], ACTIVATIONS[activation], flag(self.origin_mode))

    def engine(self) -> Engine:
        """oneDNN for the standard formula in f32, as soon as the weights are prepared (`--weight-reorder-pass`); the
        cpu engine for any."""
        standard = word(self.activation, "tanh") == "tanh" and word(self.gate_activation, "sigmoid") == "sigmoid"
        floats = all(self.operand_type(k).dtype == "f32" for k in range(len(self.operands) - 1))
        if not self.is_fused() or not standard or not floats:
            return Engine.CPU
        return kernels_of(self) or Engine.ONEDNN

    def storage(self) -> Contract:
        engines = frozenset({Engine.CPU, *(KERNELS if self.engine() is not Engine.CPU else ())})
        # oneDNN's scratch is measured (`dnn.scratch_bytes`), and so is that of the kernel where oneDNN has no such GRU.
        measured = self.primitive() is not None and engine_of(self) is not Engine.CPU
        scratch = 0 if measured else self._scratch()
        reads = Backward(frozenset(range(len(self.operands))), frozenset({0}))
        return Contract(scratch=scratch, strided=True, backward=reads, engines=engines)

    def primitive(self) -> Primitive | None:
        if not flag(self.origin_mode) or self.engine() is Engine.CPU:
            return None
        cells = [cell for layer in self.weights(self.operands) for cell in layer]
        if any(cell.bias is None or len(static_shape(cell.weight_h.type)) != 3 for cell in cells):
            return None
        kernels, last_first = kernels_of(self), self.is_reverse_first()
        return GruPrimitive(self.directions(), self.is_sum(), self.layers(), last_first, kernels=kernels)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        kernels_of(self)
        return super().infer(operands)

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        (gradient,) = results
        if gradient is None:
            return [None] * len(self.operands)
        return GruDifferentiation(self, builder).gradients(gradient)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """Layer by layer, direction by direction, all sequences together, step by step; the same sums as the reference,
        in float rounding."""
        x, offsets, layers = operands[0], operands[-1], self.weights(operands)
        channels = [layer[0].weight_h.shape[0] for layer in layers]
        sequences = max(0, offsets.size - 1)
        buffers = carve(scratch, self._buffers(len(x), sequences, x.shape[1], channels, x.dtype))
        with np.errstate(all="ignore"), one_thread():
            for number, (layer, width) in enumerate(zip(layers, channels, strict=True)):
                columns = self.states_side_by_side() * width
                y = results[0] if number == len(layers) - 1 else _rows(buffers, f"y{number % 2}", columns)
                self._layer(x, layer, offsets, y, buffers)
                x = y

    def _layer(
        self, x: Array, layer: list[DirectionWeights[Array]], offsets: Array, y: Array, buffers: dict[str, Array]
    ) -> None:
        """Fills y with the states of all directions of one layer."""
        channels = layer[0].weight_h.shape[0]
        if self.is_sum():
            parts = [y, _rows(buffers, "reverse", channels)]
        else:
            parts = [y[:, k * channels : (k + 1) * channels] for k in range(len(layer))]
            parts = parts[::-1] if self.is_reverse_first() else parts
        widths = gru_cell.walk_columns(channels, x.shape[1] if self.is_fused() else None)
        fit = {**buffers, **{name: _rows(buffers, name, width) for name, width in widths.items()}}
        for cell, part, reverse in zip(layer, parts, self.directions(), strict=True):
            inputs = gru_cell.inputs_of(x, cell.weight_x, cell.bias, fit)
            gru_cell.walk(Direction(cell.weight_h, cell.h0, reverse, self.formula()), inputs, offsets, part, fit)
        if self.is_sum():
            np.add(*parts, out=y)

    def _buffers(self, rows: int, sequences: int, inputs: int, channels: list[int], dtype: np.dtype) -> Buffers:
        """What the kernel needs: the walk of the widest layer, and the states between layers."""
        joined = [self.states_side_by_side() * width for width in channels]
        widest = max(inputs, *joined[:-1]) if joined[:-1] else inputs
        between = {"reverse": max(channels)} if self.is_sum() else {}
        for number, width in enumerate(joined[:-1]):
            between[f"y{number % 2}"] = max(width, between.get(f"y{number % 2}", 0))
        walk = gru_cell.walk_buffers(rows, sequences, max(channels), dtype, widest if self.is_fused() else None)
        return {**walk, **{name: ((rows, width), dtype) for name, width in between.items()}}

    def _scratch(self) -> int:
        """Bytes for the sizes the types state; 0 as long as one of them is unknown."""
        types = [self.operand_type(k) for k in range(len(self.operands))]
        channels = [layer[0].weight_h.shape[0] for layer in self.weights(types)]
        rows = agreed(types[0].shape[0], self.result_type().shape[0], "rows")
        sizes = known_sizes([rows, types[-1].shape[0], types[0].shape[1], *channels])
        if not sizes:
            return 0
        rows, ends, inputs, *channels = sizes
        return scratch_bytes(self._buffers(rows, ends - 1, inputs, channels, numpy_dtype(types[0].dtype)))


def _rows(buffers: dict[str, Array], name: str, width: int) -> Array:
    """The start of a buffer as rows of `width` columns: it was made for the widest layer."""
    flat = buffers[name].reshape(-1)
    return flat[: len(buffers[name]) * width].reshape(len(buffers[name]), width)


class OneDirectionBase(GruBase):
    """One direction of one layer, whose operands may be left out."""

    irdl_options = (AttrSizedOperandSegments(as_property=False),)

    weight_h = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    h0 = opt_operand_def(TensorType)
    offsets = operand_def(TensorType)

    is_reverse = opt_attr_def(BoolAttr)

    def directions(self) -> tuple[bool, ...]:
        return (flag(self.is_reverse),)

    def weights(self, values: Sequence[T]) -> list[list[DirectionWeights[T]]]:
        role = by_role(self, values)
        return [[DirectionWeights(role.get("weight_x"), role["weight_h"], role.get("bias"), role.get("h0"))]]


@irdl_op_definition
class GruOp(OneDirectionBase):
    """Gated recurrent unit over ragged sequences, its input already multiplied by the input weights (Paddle's `gru`).

    Operands: gates [rows, 3*OC] with the columns u (update), r (reset), c (candidate); weight_h, typed [OC, 3*OC] but
    in Paddle's memory order: a row-major [OC, 2*OC] for u and r, then a row-major [OC, OC] for c; bias [1, 3*OC]
    (optional); h0 [sequences, OC], the state before the first step (optional, else 0); offsets i64 [sequences + 1].
    Result: the state after each row, [rows, OC], in the order of the input. Element type f32 or f64 throughout.
    `operandSegmentSizes` says which of the five operands are there.

    With x = gates + bias and h the state before the row:

        u = gate_activation(x_u + h W_u)
        r = gate_activation(x_r + h W_r)
        c = activation(x_c + (r * h) W_c)           the reset comes before the product
        h' = (1 - u) * h + u * c                    origin_mode = false, the default
        h' = u * h + (1 - u) * c                    origin_mode = true

    `is_reverse` walks each sequence from its own last row to its first. `activation` (default tanh) and
    `gate_activation` (default sigmoid) are sigmoid, tanh, relu or identity.

    At run time, offsets that do not ascend from 0 to the number of rows raise `OffsetsError`.
    """

    name = "dnn.gru"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} "
        ": (tensor<5x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x3xf32>"
    )

    WEIGHT_H_RANKS: ClassVar = (2,)

    gates = operand_def(TensorType)

    def is_fused(self) -> bool:
        return False


@irdl_op_definition
class FusedGruOp(OneDirectionBase):
    """A GRU over ragged sequences and the product of its input with the input weights (Paddle's `fusion_gru`).

    Operands: x [rows, IC]; weight_x [IC, 3*OC], the columns of u, r, c; weight_h, either [OC, 3*OC] in the memory
    order of `gru`, or [OC, 3, OC], the gates side by side (`gru_weight_h_to_gates`): the number of axes says which;
    bias [1, 3*OC] (optional); h0 [sequences, OC] (optional); offsets i64 [sequences + 1]. Result: [rows, OC]. Element
    type f32 or f64 throughout. `operandSegmentSizes` says which of the six operands are there.

    It is `gru` of gates = x @ weight_x, with the same attributes. oneDNN runs it in f32 with `origin_mode`, tanh,
    sigmoid, a bias and weight_h [OC, 3, OC].
    """

    name = "dnn.fused_gru"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x4xf32>, tensor<4x9xf32>, "
        "tensor<3x9xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x3xf32>"
    )

    x = operand_def(TensorType)
    weight_x = operand_def(TensorType)


@irdl_op_definition
class MultiGruOp(GruBase):
    """Layers of a GRU over ragged sequences, each in both directions, joined by concat or sum (Paddle's `multi_gru`).

    Operands: x [rows, IC]; then for each layer weight_x, weight_h, bias of the forward direction and weight_x,
    weight_h, bias of the reverse one, each as `fused_gru` has them; then, if there are states before the first step,
    h0 [sequences, OC] of each direction in the same order; then offsets i64 [sequences + 1]. The directions of a layer
    have one OC. Element type f32 or f64 throughout. `layers` is how many there are, default 1.

    A layer's two hidden states lie side by side, [rows, 2*OC] (`mode = "concat"`), forward first, or, with
    `reverse_first`, last; or they are added, [rows, OC] (`mode = "sum"`). That is the next layer's x, and the last
    one's is the result. `origin_mode`, `activation` and `gate_activation` hold for all, as in `gru`. oneDNN runs it
    where it would run each direction as a `fused_gru`.

    At run time, offsets that do not ascend from 0 to the number of rows raise `OffsetsError`.
    """

    name = "dnn.multi_gru"
    EXAMPLE: ClassVar = (
        '{mode = "concat"} : (tensor<5x4xf32>, tensor<4x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>, '
        "tensor<4x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x6xf32>"
    )

    x = operand_def(TensorType)
    parameters = var_operand_def(TensorType)
    offsets = operand_def(TensorType)

    mode = attr_def(StringAttr)
    layer_count = opt_attr_def(INTEGER, attr_name="layers")
    reverse_first = opt_attr_def(BoolAttr)

    def directions(self) -> tuple[bool, ...]:
        return (False, True)

    def is_reverse_first(self) -> bool:
        return flag(self.reverse_first)
