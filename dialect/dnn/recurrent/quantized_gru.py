"""The GRU with weights of fewer bits, bf16 or int8; what is computed besides products is f32."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, StringAttr, TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, opt_attr_def, result_def, var_operand_def

from lastuse.dialect.dnn.attributes import INTEGER, INTEGERS, integer, word
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.recurrent import gru_cell
from lastuse.dialect.dnn.recurrent.gru import expect_bias, expect_h0, expect_weight_h
from lastuse.dialect.dnn.recurrent.gru_cell import Direction, Formula
from lastuse.dialect.dnn.recurrent.multi_gru import MODES, Half, halves_of
from lastuse.dialect.dnn.recurrent.ragged import expect, expect_floats, expect_offsets, expect_rank
from lastuse.dialect.ir.dtypes import numpy_dtype
from lastuse.dialect.ir.symbolic_shape import Dim, TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.gru import GruPrimitive
from lastuse.dialect.storage.attrs import flags, floats
from lastuse.dialect.storage.contract import Contract, Engine

T = TypeVar("T")

KINDS = ("bf16", "i8")
"""What the weights may be."""


@irdl_op_definition
class QuantizedGruOp(DnnOp):
    """Layers of a GRU over ragged sequences, each in one direction or both, with weights in bf16 or int8.

    Operands: x [words, IC]; then for each layer and each of its directions weight_x [IC, 3*OC], weight_h [OC, 3, OC],
    both bf16 or both i8, bias [1, 3*OC] and, of i8, scale_x and scale_h [1, 3*OC]; then, if there are states before the
    first step, h0 [sequences, OC] of each direction in the same order; then offsets i64 [sequences + 1]. All but
    weights and offsets are f32. `reverse` says of each direction of a layer whether it walks backwards; two of them
    stand side by side (`mode = "concat"`) in this order, or are added (`"sum"`). `layers` is how many there are,
    default 1.

    It is `fused_gru` with `origin_mode`, tanh and sigmoid, but for what is multiplied. bf16: weights are of that type,
    x, h and r * h are rounded to it as they are read. i8: w stands for w / scale of its column; x, h and r * h are read
    as (q - data_shift) / data_scale with q = round(v * data_scale + data_shift) in 0 to 255, where `data_scale` and
    `data_shift` have two numbers for each layer, one for x and one for h and r * h. Products are added up without
    another rounding than f32's. The result is the same on every machine, but for the last bits of f32, which may decide
    a rounding.

    At run time, offsets that do not ascend from 0 to the number of words raise `OffsetsError`.
    """

    name = "dnn.quantized_gru"
    EXAMPLE: ClassVar = (
        "{data_scale = array<f32: 31.875, 127.5>, data_shift = array<f32: 128.0, 128.0>, reverse = [false]} "
        ": (tensor<5x4xf32>, tensor<4x9xi8>, tensor<3x3x3xi8>, tensor<1x9xf32>, tensor<1x9xf32>, tensor<1x9xf32>, "
        "tensor<3xi64>) -> tensor<5x3xf32>"
    )

    x = operand_def(TensorType)
    weights = var_operand_def(TensorType)
    offsets = operand_def(TensorType)
    hidden = result_def(TensorType)

    reverse = attr_def(ArrayAttr[BoolAttr])
    mode = opt_attr_def(StringAttr)
    layers = opt_attr_def(INTEGER)
    data_scale = opt_attr_def(INTEGERS)
    data_shift = opt_attr_def(INTEGERS)

    def engine(self) -> Engine:
        return Engine.NATIVE

    def storage(self) -> Contract:
        # The scratch of a run is measured (`dnn.scratch_bytes`).
        return Contract(strided=True, engines=frozenset({Engine.CPU, Engine.NATIVE}))

    def primitive(self) -> Primitive | None:
        data = tuple(zip(floats(self.data_scale), floats(self.data_shift), strict=True))
        return GruPrimitive(self.directions, self._adds(), integer(self.layers, 1), data=data, each=self._each())

    def is_rowwise(self) -> bool:
        return True

    def offsets_operand(self) -> SSAValue:
        return self.offsets

    @property
    def directions(self) -> tuple[bool, ...]:
        """Of a layer: whether each one is the reverse one."""
        return flags(self.reverse)

    def _adds(self) -> bool:
        return word(self.mode, "concat") == "sum"

    def _each(self) -> int:
        """How many weights a direction has."""
        return 3 if self.operand_type(1).dtype == "bf16" else 5

    def layers_of(self, given: Sequence[T]) -> list[tuple[Half[T], ...]]:
        """What is given for the operands, by layer.

        Raises:
            ValueError: there are not as many operands as the layers need.
        """
        each, layers, directions = self._each(), integer(self.layers, 1), len(self.reverse.data)
        count, weights = layers * directions, given[1:-1]
        if layers < 1 or not 1 <= directions <= 2 or len(weights) not in (each * count, (each + 1) * count):
            raise ValueError(
                f"{layers} layers of {directions} directions take {each * count} weights, or with initial states "
                f"{(each + 1) * count}, not {len(weights)}"
            )
        halves = halves_of(weights, each, count)
        return [tuple(halves[k : k + directions]) for k in range(0, count, directions)]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, offsets = operands[0], operands[-1]
        expect_rank("x", x, 2)
        expect_floats("x", x, "f32")
        expect_offsets(offsets)
        if len(operands) < 5 or operands[1].dtype not in KINDS:
            raise ValueError(f"weights must be {' or '.join(KINDS)}")
        if word(self.mode, "concat") not in MODES:
            raise ValueError(f"mode is '{word(self.mode, 'concat')}', it must be one of {', '.join(MODES)}")
        layers = self.layers_of(operands)
        wanted = 2 * len(layers) if operands[1].dtype == "i8" else 0
        if len(floats(self.data_scale)) != wanted or len(floats(self.data_shift)) != wanted:
            raise ValueError(f"data_scale and data_shift must have {wanted} numbers, two a layer of i8")
        if not all(np.isfinite(v) and v > 0 for v in floats(self.data_scale)):
            raise ValueError("data_scale must be above 0")
        for number, layer in enumerate(layers):
            sizes = [_channels(f"layer {number}", half, x, offsets, operands[1].dtype) for half in layer]
            known = [size for size in sizes if isinstance(size, int)]
            if len(set(known)) > 1:
                raise ValueError(f"the directions of layer {number} have {known[0]} and {known[1]} channels")
            size = known[0] if known else sizes[0]
            x = TensorInfo((x.shape[0], size if size is None or self._adds() else len(layer) * size), x.dtype)
        return (x,)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x, offsets = operands[0].astype(np.float64), operands[-1]
        for number, layer in enumerate(self.layers_of(operands)):
            read_x, read, hidden = self._reading(2 * number), self._reading(2 * number + 1), list[Array]()
            for half, reverse in zip(layer, self.directions, strict=True):
                weight_x, weight_h = _plain(half.weight_x, half.scales[:1]), _plain(half.weight_h, half.scales[1:])
                h0 = None if half.h0 is None else half.h0.astype(np.float64)
                with np.errstate(all="ignore"):
                    gates = read_x(x) @ weight_x + half.bias.astype(np.float64)
                direction = Direction(weight_h, h0, reverse, Formula(origin_mode=True), read)
                hidden.append(gru_cell.reference(direction, gates, offsets))
            x = sum(hidden[1:], hidden[0]) if self._adds() else np.hstack(hidden)
        return (x.astype(np.float32),)

    def _reading(self, number: int) -> Callable[[Array], Array]:
        """How x (0, 2, … by layer) or states (1, 3, …) are read: float64 to float64."""
        if self._each() == 3:
            return lambda v: v.astype(np.float32).astype(numpy_dtype("bf16")).astype(np.float64)
        scale, shift = floats(self.data_scale)[number], floats(self.data_shift)[number]

        def read(values: Array) -> Array:
            steps = np.clip(np.nan_to_num(np.rint(values * scale + shift), nan=0.0), 0, 255)
            return (steps - shift) / scale

        return read


def _plain(weight: Array, scales: tuple[Array, ...]) -> Array:
    """What weights stand for, in float64: of i8 they have one scale, else none."""
    real = weight.astype(np.float64)
    for scale in scales:
        real = real / scale.astype(np.float64).reshape(weight.shape[1:])
    return real


def _channels(what: str, half: Half[TensorInfo], x: TensorInfo, offsets: TensorInfo, dtype: str) -> Dim | None:
    """OC of one direction; raises ValueError where what it has does not fit."""
    expect_rank(f"weight_h of {what}", half.weight_h, 3)
    channels = expect_weight_h(f"weight_h of {what}", half.weight_h)
    triple = None if channels is None else 3 * channels
    for weight in (half.weight_x, half.weight_h):
        if weight.dtype != dtype:
            raise ValueError(f"a weight of {what} has element type {weight.dtype}, it must be {dtype}")
    expect_rank(f"weight_x of {what}", half.weight_x, 2)
    expect(f"the first axis of weight_x of {what}", half.weight_x.shape[0], x.shape[1])
    expect(f"the last axis of weight_x of {what}", half.weight_x.shape[1], triple)
    expect_bias(f"bias of {what}", half.bias, "f32", triple)
    for scale in half.scales:
        expect_bias(f"a scale of {what}", scale, "f32", triple)
    if half.h0 is not None:
        expect_h0(f"h0 of {what}", half.h0, "f32", offsets, channels)
    return channels
