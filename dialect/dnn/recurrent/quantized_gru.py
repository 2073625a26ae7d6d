"""The GRU with weights of fewer bits, bf16 or int8; what is computed besides products is f32."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, StringAttr, TensorType
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, opt_attr_def, var_operand_def

from lastuse.dialect.dnn.attributes import INTEGER, INTEGERS
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.recurrent.base import DirectionWeights, RecurrentBase
from lastuse.dialect.dnn.recurrent.gru_cell import Formula
from lastuse.dialect.ir.tensor_types import TensorInfo, numpy_dtype
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.gru import GruPrimitive
from lastuse.dialect.storage.attrs import flags, floats
from lastuse.dialect.storage.contract import Contract, Engine

KINDS = ("bf16", "i8")
"""What the weights may be."""


@irdl_op_definition
class QuantizedGruOp(RecurrentBase):
    """Layers of a GRU over ragged sequences, each in one direction or both, with weights in bf16 or int8.

    Operands: x [rows, IC]; then for each layer and each of its directions weight_x [IC, 3*OC], weight_h [OC, 3, OC],
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

    At run time, offsets that do not ascend from 0 to the number of rows raise `OffsetsError`.
    """

    name = "dnn.quantized_gru"
    EXAMPLE: ClassVar = (
        "{data_scale = array<f32: 31.875, 127.5>, data_shift = array<f32: 128.0, 128.0>, reverse = [false]} "
        ": (tensor<5x4xf32>, tensor<4x9xi8>, tensor<3x3x3xi8>, tensor<1x9xf32>, tensor<1x9xf32>, tensor<1x9xf32>, "
        "tensor<3xi64>) -> tensor<5x3xf32>"
    )

    FLOATS: ClassVar = ("f32",)
    WEIGHT_H_RANKS: ClassVar = (3,)

    x = operand_def(TensorType)
    parameters = var_operand_def(TensorType)
    offsets = operand_def(TensorType)

    reverse = attr_def(ArrayAttr[BoolAttr])
    mode = opt_attr_def(StringAttr)
    layer_count = opt_attr_def(INTEGER, attr_name="layers")
    data_scale = opt_attr_def(INTEGERS)
    data_shift = opt_attr_def(INTEGERS)

    def engine(self) -> Engine:
        return Engine.NATIVE

    def storage(self) -> Contract:
        # The scratch of a run is measured (`dnn.scratch_bytes`).
        return Contract(strided=True, engines=frozenset({Engine.CPU, Engine.NATIVE}))

    def primitive(self) -> Primitive | None:
        data = tuple(zip(floats(self.data_scale), floats(self.data_shift), strict=True))
        per_direction = 3 + self.scales_per_direction()
        return GruPrimitive(self.directions(), self.is_sum(), self.layers(), data=data, per_direction=per_direction)

    def directions(self) -> tuple[bool, ...]:
        return flags(self.reverse)

    def formula(self) -> Formula:
        return Formula(origin_mode=True)

    def scales_per_direction(self) -> int:
        return 0 if self.weight_dtype("f32") == "bf16" else 2

    def weight_dtype(self, dtype: str) -> str:
        return self.operand_type(1).dtype

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if len(operands) < 5 or operands[1].dtype not in KINDS:
            raise ValueError(f"weights must be {' or '.join(KINDS)}")
        results = super().infer(operands)
        count = self.layers() * self.scales_per_direction()
        if len(floats(self.data_scale)) != count or len(floats(self.data_shift)) != count:
            raise ValueError(f"data_scale and data_shift must have {count} numbers, two a layer of i8")
        if not all(np.isfinite(v) and v > 0 for v in floats(self.data_scale)):
            raise ValueError("data_scale must be above 0")
        return results

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        layers = [[_exact(cell) for cell in layer] for layer in self.weights(operands)]
        return (self.states(operands[0].astype(np.float64), layers, operands[-1]).astype(np.float32),)

    def reading(self, number: int) -> Callable[[Array], Array]:
        if not self.scales_per_direction():
            return lambda v: v.astype(np.float32).astype(numpy_dtype("bf16")).astype(np.float64)
        scale, shift = floats(self.data_scale)[number], floats(self.data_shift)[number]

        def read(values: Array) -> Array:
            steps = np.clip(np.nan_to_num(np.rint(values * scale + shift), nan=0.0), 0, 255)
            return (steps - shift) / scale

        return read


def _exact(cell: DirectionWeights[Array]) -> DirectionWeights[Array]:
    """All of a direction in float64; weights of i8 are divided by their scales."""
    assert cell.weight_x is not None and cell.bias is not None
    weights = [cell.weight_x.astype(np.float64), cell.weight_h.astype(np.float64)]
    for k, scale in enumerate(cell.scales):
        weights[k] = weights[k] / scale.astype(np.float64).reshape(weights[k].shape[1:])
    h0 = None if cell.h0 is None else cell.h0.astype(np.float64)
    return DirectionWeights(weights[0], weights[1], cell.bias.astype(np.float64), h0)
