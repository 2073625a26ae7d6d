"""What has to be done to a GRU's weights before oneDNN takes them, each step an op: it can be read, tested, folded.

oneDNN computes h' = u * h + (1 - u) * c. The other formula follows from it by exchanging u and 1 - u, and since
1 - sigmoid(z) = sigmoid(-z), by negating what makes z: the update gate's columns of both weights and of the bias.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr, TensorType, f32
from xdsl.ir import SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, operand_def, result_def

from lastuse.dialect.dnn.attributes import need_float
from lastuse.dialect.dnn.base import Array, CpuOnlyBase, DnnOp, KernelOnlyBase, OneOperandBase
from lastuse.dialect.dnn.constants import FillBase, ZerosOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.recurrent.gru_cell import gates_of
from lastuse.dialect.dnn.recurrent.ragged import expect, expect_rank, expect_shape, times
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo
from lastuse.dialect.storage.contract import CPU_ONLY, Backward, Contract, InPlace

GATES = ("update", "reset", "candidate")
"""The gates in the order in which their columns stand."""


@irdl_op_definition
class GruWeightHToGatesOp(CpuOnlyBase):
    """Recurrent weights of a GRU from Paddle's memory order to one gate beside the other.

    weight_h is typed [OC, 3*OC] and holds a row-major [OC, 2*OC] (the gates u, r) and then a row-major [OC, OC] (c).
    Result: [OC, 3, OC], where row i of gate g is row i of that gate's weights. Elements are floats and keep their bits.
    """

    name = "dnn.gru_weight_h_to_gates"
    EXAMPLE: ClassVar = ": (tensor<3x9xf32>) -> tensor<3x3x3xf32>"
    weight_h = operand_def(TensorType)
    y = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        (weight_h,) = operands
        need_float(weight_h)
        channels = weight_h.shape[0] if weight_h.shape else None
        expect_shape("weight_h", weight_h, (channels, times(3, channels)))
        return (TensorInfo((channels, 3, channels), weight_h.dtype),)

    def storage(self) -> Contract:
        return super().storage()._replace(backward=Backward())

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        (dy,) = results
        if dy is None:
            return (None,)
        size = builder.known_size(dy, 0)
        both = builder.emit("slice", dy, dim=1, start=0, end=2)
        last = builder.emit("slice", dy, dim=1, start=2, end=3)
        parts = [builder.emit("reshape", part, shape=[-1]) for part in (both, last)]
        return (builder.emit("reshape", builder.emit("concat", *parts, axis=0), shape=[size, 3 * size]),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        w_ur, w_c = gates_of(operands[0])
        return (np.stack([*np.split(w_ur, 2, axis=1), w_c], axis=1),)


@irdl_op_definition
class NegateGateOp(OneOperandBase, KernelOnlyBase):
    """Weights or bias of a GRU with one gate's columns negated.

    x: [rows, 3*C], the gates' columns one after the other, or [rows, 3, C]. `gate` is update, reset or candidate, the
    first, second or last third. Result: as x. Floats; -0 becomes 0. In place over x. Of recurrent weights in Paddle's
    memory order the columns are elsewhere: `gru_weight_h_to_gates` comes first.
    """

    name = "dnn.negate_gate"
    EXAMPLE: ClassVar = '{gate = "update"} : (tensor<4x9xf32>) -> tensor<4x9xf32>'
    gate = attr_def(StringAttr)

    def storage(self) -> Contract:
        return Contract((InPlace(0, 0),), strided=True, backward=Backward(), engines=CPU_ONLY)

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        (dy,) = results
        return (None if dy is None else builder.emit("negate_gate", dy, gate=self.gate),)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        (x,) = operands
        columns = _columns_of(x)
        if self.gate.data not in GATES:
            raise ValueError(f"gate is '{self.gate.data}', it must be one of {', '.join(GATES)}")
        _expect_three_gates("x", columns)
        return (x,)

    def _columns(self, array: Array) -> Array:
        """The gate's part of an array."""
        gate = GATES.index(self.gate.data)
        if array.ndim == 3:
            return array[:, gate]
        width = array.shape[1] // 3
        return array[:, gate * width : (gate + 1) * width]

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        np.copyto(results[0], operands[0])
        self._columns(results[0])[...] *= -1


@irdl_op_definition
class GruWeightScaleOp(CpuOnlyBase):
    """How many steps of int8 a weight of 1 has, for each column of a GRU's weights: 127 / the largest of the column.

    x: [rows, 3*OC] or [rows, 3, OC], floats. Result: f32 [1, 3*OC]; 1 where a column is all zeros, has a NaN, or what
    127 cannot be divided by.
    """

    name = "dnn.gru_weight_scale"
    EXAMPLE: ClassVar = ": (tensor<4x9xf32>) -> tensor<1x9xf32>"
    x = operand_def(TensorType)
    scale = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return (TensorInfo((1, _columns_of(operands[0])), "f32"),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        largest = np.abs(operands[0].astype(np.float64)).max(0, initial=0).reshape(-1)
        with np.errstate(all="ignore"):
            scale = (127 / largest).astype(np.float32)
        return (np.where(np.isfinite(scale) & (scale > 0), scale, np.float32(1)).reshape(1, -1),)


@irdl_op_definition
class QuantizeWeightsOp(CpuOnlyBase):
    """Weights of a GRU in int8: round(w * scale) by column, ties to even, -127 to 127; NaN is 0.

    x: [rows, 3*OC] or [rows, 3, OC], floats; scale: f32 [1, 3*OC]. Result: i8, shape as x.
    """

    name = "dnn.quantize_weights"
    EXAMPLE: ClassVar = ": (tensor<4x9xf32>, tensor<1x9xf32>) -> tensor<4x9xi8>"
    x = operand_def(TensorType)
    scale = operand_def(TensorType)
    y = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x, scale = operands
        expect_shape("scale", scale, (1, _columns_of(x)), "f32")
        return (TensorInfo(x.shape, "i8"),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x, scale = operands[0].astype(np.float64), operands[1].astype(np.float64)
        with np.errstate(all="ignore"):
            steps = np.rint(x * scale.reshape(x.shape[1:]))
        return (np.clip(np.nan_to_num(steps, nan=0.0), -127, 127).astype(np.int8),)


def _columns_of(x: TensorInfo) -> Dim | None:
    """Columns of all three gates; raises ValueError unless x is weights, [rows, 3*OC] or [rows, 3, OC]."""
    need_float(x)
    expect_rank("x", x, 2, 3)
    if len(x.shape) == 2:
        return x.shape[1]
    expect("the middle axis of x", x.shape[1], 3)
    return times(3, x.shape[2])


def _expect_three_gates(what: str, columns: Dim | None) -> None:
    if isinstance(columns, int) and columns % 3:
        raise ValueError(f"the last axis of {what} is {columns}, it must hold three gates")


@irdl_op_definition
class ZeroBiasOp(FillBase):
    """The bias of a GRU that has none: zeros [1, 3*OC], in f32 whatever the weights are in.

    oneDNN's primitive always reads a bias, and always in f32.
    """

    name = "dnn.zero_bias"
    EXAMPLE: ClassVar = ": () -> tensor<1x9xf32>"

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        (bias,) = super().infer(operands)
        expect_shape("the bias", bias, (1, None), "f32")
        _expect_three_gates("the bias", bias.shape[1])
        return (bias,)


def zero_bias(weight: SSAValue, channels: int | None) -> DnnOp:
    """A new op that makes a bias of zeros for a GRU with weights of that element type and so many channels."""
    assert isinstance(weight.type, TensorType)
    type_ = TensorType(weight.type.element_type, [1, DYNAMIC_INDEX if channels is None else 3 * channels])
    return (ZeroBiasOp if type_.element_type == f32 else ZerosOp).create(result_types=[type_])
