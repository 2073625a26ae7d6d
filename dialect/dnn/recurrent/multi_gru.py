"""Layers of a GRU in both directions over ragged sequences, as one op."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

import numpy as np
from xdsl.dialects.builtin import BoolAttr, StringAttr, TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, opt_attr_def, result_def, var_operand_def

from lastuse.dialect.dnn.attributes import INTEGER, flag, integer
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.blas import one_thread
from lastuse.dialect.dnn.recurrent import gru_cell
from lastuse.dialect.dnn.recurrent.gru import (
    compiled_by,
    engine_for,
    expect_bias,
    expect_h0,
    expect_weight_h,
    expect_weight_x,
    formula_of,
    kernels_of,
    multiplied,
)
from lastuse.dialect.dnn.recurrent.gru_cell import Direction, Formula
from lastuse.dialect.dnn.recurrent.ragged import (
    Buffers,
    carve,
    expect_floats,
    expect_offsets,
    expect_rank,
    scratch_bytes,
)
from lastuse.dialect.ir.dtypes import numpy_dtype
from lastuse.dialect.ir.symbolic_shape import Dim, TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.gru import GruPrimitive
from lastuse.dialect.storage.contract import Contract, Engine, engine_of

T = TypeVar("T")

MODES = ("concat", "sum")


@dataclass(frozen=True)
class Half(Generic[T]):
    """What one direction of one layer has of its own: values, types or arrays. `scales`: of int8, of both weights."""

    weight_x: T
    weight_h: T
    bias: T
    scales: tuple[T, ...]
    h0: T | None


Layer = tuple[Half[T], Half[T]]
"""The forward direction, the reverse one."""


def halves_of(weights: Sequence[T], each: int, count: int) -> list[Half[T]]:
    """What `count` directions have: `each` weights of the first, of the next, …, then h0 of each, if there are any."""
    states: Sequence[T | None] = weights[each * count :] or [None] * count
    found: list[Half[T]] = []
    for k in range(count):
        weight_x, weight_h, bias, *scales = weights[each * k : each * (k + 1)]
        found.append(Half(weight_x, weight_h, bias, tuple(scales), states[k]))
    return found


@irdl_op_definition
class MultiGruOp(DnnOp):
    """Layers of a GRU over ragged sequences, each in both directions, joined by concat or sum (Paddle's `multi_gru`).

    Operands: x [words, IC]; then for each layer weight_x, weight_h, bias of the forward direction and weight_x,
    weight_h, bias of the reverse one, each as `fused_gru` has them; then, if there are states before the first step,
    h0 [sequences, OC] of each direction in the same order; then offsets i64 [sequences + 1]. The directions of a layer
    have one OC. Element type f32 or f64 throughout. `layers` is how many there are, default 1.

    A layer's two hidden states lie side by side, [words, 2*OC] (`mode = "concat"`), forward first, or, with
    `reverse_first`, last; or they are added, [words, OC] (`mode = "sum"`). That is the next layer's x, and the last
    one's is the result. `origin_mode`, `activation` and `gate_activation` hold for all, as in `gru`. oneDNN runs it
    where it would run each direction as a `fused_gru`.

    At run time, offsets that do not ascend from 0 to the number of words raise `OffsetsError`.
    """

    name = "dnn.multi_gru"
    EXAMPLE: ClassVar = (
        '{mode = "concat"} : (tensor<5x4xf32>, tensor<4x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>, '
        "tensor<4x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x6xf32>"
    )

    x = operand_def(TensorType)
    weights = var_operand_def(TensorType)
    offsets = operand_def(TensorType)
    hidden = result_def(TensorType)

    mode = attr_def(StringAttr)
    layers = opt_attr_def(INTEGER)
    reverse_first = opt_attr_def(BoolAttr)
    origin_mode = opt_attr_def(BoolAttr)
    activation = opt_attr_def(StringAttr)
    gate_activation = opt_attr_def(StringAttr)

    def engine(self) -> Engine:
        return engine_for(self, self.activation, self.gate_activation)

    def storage(self) -> Contract:
        if self.primitive() is None or engine_of(self) is Engine.CPU:
            scratch = self._scratch()
        else:
            # oneDNN's is measured (`dnn.scratch_bytes`), that of the kernel too where it has to step in.
            scratch = 0
        return Contract(scratch=scratch, strided=True, engines=compiled_by(self))

    def primitive(self) -> Primitive | None:
        weights = [self.operand_type(2 + 3 * k) for k in range(2 * integer(self.layers, 1))]
        if self.engine() is Engine.CPU or not flag(self.origin_mode) or any(len(w.shape) != 3 for w in weights):
            return None
        reverse, adds = (False, True), self.mode.data == "sum"
        last_first = flag(self.reverse_first)
        return GruPrimitive(reverse, adds, len(weights) // 2, last_first, kernels=kernels_of(self))

    def is_rowwise(self) -> bool:
        return True

    def offsets_operand(self) -> SSAValue:
        return self.offsets

    def layers_of(self, given: Sequence[T]) -> list[Layer[T]]:
        """What is given for the operands, by layer.

        Raises:
            ValueError: there are not as many operands as the layers need.
        """
        layers, weights = integer(self.layers, 1), given[1:-1]
        if layers < 1 or len(weights) not in (6 * layers, 8 * layers):
            raise ValueError(
                f"{layers} layers take {6 * layers} weights, or with initial states {8 * layers}, not {len(weights)}"
            )
        halves = halves_of(weights, 3, 2 * layers)
        return list(zip(halves[::2], halves[1::2], strict=True))

    def has_states(self) -> bool:
        """Whether there are states before the first step."""
        return len(self.weights) == 8 * integer(self.layers, 1)

    def formula(self) -> Formula:
        """How a state is made of the one before; raises ValueError for an activation there is not."""
        return formula_of(self.activation, self.gate_activation)._replace(origin_mode=flag(self.origin_mode))

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        kernels_of(self)
        x, offsets = operands[0], operands[-1]
        expect_rank("x", x, 2)
        expect_floats("x", x)
        expect_offsets(offsets)
        if self.mode.data not in MODES:
            raise ValueError(f"mode is '{self.mode.data}', it must be one of {', '.join(MODES)}")
        self.formula()
        for number, layer in enumerate(self.layers_of(operands)):
            ways = zip((f"layer {number} forward", f"layer {number} reverse"), layer, strict=True)
            sizes = [_channels(what, half, x, offsets) for what, half in ways]
            known = [size for size in sizes if isinstance(size, int)]
            if len(set(known)) > 1:
                raise ValueError(f"the directions of layer {number} have {known[0]} and {known[1]} channels")
            x = TensorInfo((x.shape[0], self._joined(known[0] if known else sizes[0])), x.dtype)
        return (x,)

    def _joined(self, channels: Dim | None) -> Dim | None:
        """Columns of both directions together."""
        return channels if channels is None or self.mode.data == "sum" else 2 * channels

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x, offsets, formula = operands[0], operands[-1], self.formula()
        for layer in self.layers_of(operands):
            hidden = list[Array]()
            for half, reverse in zip(layer, (False, True), strict=True):
                with np.errstate(all="ignore"):
                    gates = x @ half.weight_x + half.bias
                direction = Direction(half.weight_h, half.h0, reverse, formula)
                hidden.append(gru_cell.reference(direction, gates, offsets))
            if self.mode.data == "sum":
                x = hidden[0] + hidden[1]
            else:
                x = np.hstack(hidden[::-1] if flag(self.reverse_first) else hidden)
        return (x,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """Layer by layer, direction by direction; the same sums as the reference, in float rounding."""
        x, offsets, layers = operands[0], operands[-1], self.layers_of(operands)
        words, sequences = len(x), max(0, offsets.size - 1)
        channels = [layer[0].weight_h.shape[0] for layer in layers]
        made = self._buffers(words, sequences, x.shape[1], channels, x.dtype)
        buffers = carve(scratch, made)
        with np.errstate(all="ignore"), one_thread():
            for number, (layer, width) in enumerate(zip(layers, channels, strict=True)):
                y = (
                    results[0]
                    if number == len(layers) - 1
                    else _columns(buffers, f"y{number % 2}", self._joined(width))
                )
                self._layer(x, layer, offsets, y, buffers)
                x = y

    def _layer(self, x: Array, layer: Layer[Array], offsets: Array, y: Array, buffers: dict[str, Array]) -> None:
        """Fills y with both directions of one layer."""
        channels = layer[0].weight_h.shape[0]
        concat = self.mode.data == "concat"
        places = (y[:, :channels], y[:, channels:]) if concat else (y, _columns(buffers, "reverse", channels))
        if concat and flag(self.reverse_first):
            places = places[::-1]
        fit = {name: _columns(buffers, name, width) for name, width in _widths(x.shape[1], channels).items()}
        for half, place, reverse in zip(layer, places, (False, True), strict=True):
            inputs = multiplied(x, half.weight_x, half.bias, fit["input"])
            direction = Direction(half.weight_h, half.h0, reverse, self.formula())
            gru_cell.walk(direction, inputs, offsets, place, {**buffers, **fit})
        if not concat:
            np.add(y, places[1], out=y)

    def _buffers(self, words: int, sequences: int, inputs: int, channels: list[int], dtype: np.dtype) -> Buffers:
        """What the kernel needs: the walk of the widest layer, and the hidden states between layers."""
        joined = [width if self.mode.data == "sum" else 2 * width for width in channels]
        columns = [inputs, *joined[:-1]]
        walk = gru_cell.walk_buffers(words, sequences, max(channels), dtype, input=max(columns))
        between = {"reverse": max(channels)} if self.mode.data == "sum" else {}
        for number, width in enumerate(joined[:-1]):
            between[f"y{number % 2}"] = max(width, between.get(f"y{number % 2}", 0))
        return {**walk, **{name: ((words, width), dtype) for name, width in between.items()}}

    def _scratch(self) -> int:
        """Bytes for the sizes the types state; 0 as long as one of them is unknown."""
        types = [self.operand_type(k) for k in range(len(self.operands))]
        (words, inputs), (ends,), dtype = types[0].shape, types[-1].shape, types[0].dtype
        channels = [layer[0].weight_h.shape[0] for layer in self.layers_of(types)]
        known = [width for width in channels if isinstance(width, int)]
        if not (isinstance(words, int) and isinstance(inputs, int) and isinstance(ends, int)):
            return 0
        if len(known) < len(channels):
            return 0
        return scratch_bytes(self._buffers(words, ends - 1, inputs, known, numpy_dtype(dtype)))


def _channels(what: str, half: Half[TensorInfo], x: TensorInfo, offsets: TensorInfo) -> Dim | None:
    """OC of one direction; raises ValueError where what it has does not fit."""
    channels = expect_weight_h(f"weight_h of {what}", half.weight_h)
    expect_floats(f"weight_h of {what}", half.weight_h, x.dtype)
    triple = None if channels is None else 3 * channels
    expect_weight_x(f"weight_x of {what}", half.weight_x, x, triple)
    expect_bias(f"bias of {what}", half.bias, x.dtype, triple)
    if half.h0 is not None:
        expect_h0(f"h0 of {what}", half.h0, x.dtype, offsets, channels)
    return channels


def _widths(inputs: int, channels: int) -> dict[str, int]:
    """Columns of the buffers that `walk` reads, for one layer."""
    return {"x": 3 * channels, "ur": 2 * channels, "h": channels, "input": inputs}


def _columns(buffers: dict[str, Array], name: str, width: Dim | None) -> Array:
    """The start of a buffer as rows of `width` columns: it was made for the widest layer."""
    assert isinstance(width, int)
    flat = buffers[name].reshape(-1)
    return flat[: len(buffers[name]) * width].reshape(len(buffers[name]), width)
