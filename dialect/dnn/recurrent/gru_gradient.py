"""The gradient of a GRU in Paddle's form, on ragged sequences: of gates (`gru_grad`), or of x (`fused_gru_grad`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.recurrent.gru_gradient_base import GruGradBase
from lastuse.dialect.dnn.recurrent.ragged import gather_rows
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo


@irdl_op_definition
class GruGradOp(GruGradBase):
    """The gradients of a GRU over ragged sequences, from its states.

    Operands: gates [rows, 3*OC], weight_h [OC, 3*OC] or [OC, 3, OC], bias [1, 3*OC] (optional), h0 [sequences, OC]
    (optional), offsets i64 [sequences + 1], as `gru` has them, but that weight_h may have its gates side by side, as of
    `fused_gru`; hidden [rows, OC], the result of that; hidden_gradient [rows, OC], how the loss changes with it.
    Results: how the loss changes with the gates, with weight_h, with the bias, [1, 3*OC], and, if there is h0, with the
    states before the first step; 0 of an empty sequence. The first result may be left out. Element type f32 or f64
    throughout. `operandSegmentSizes` says which of the seven operands are there; the other attributes are those of
    `gru`.

    With h the state before a row, u, r and c as in `gru`, f' and g' the derivatives of gate_activation and activation,
    and d the gradient of the state after the row (hidden_gradient, and what comes of the next row):

        dc = d * u * g'                 dr = (dc W_c^T) * h * f'           du = d * (c - h) * f'
        dW_c += (r * h)^T dc            dW_ur += h^T [du, dr]              gates_gradient = [du, dr, dc]
        dh = d * (1 - u) + (dc W_c^T) * r + [du, dr] W_ur^T                dbias += [du, dr, dc]

    and, with origin_mode = true, 1 - u for u, u for 1 - u, and h - c for c - h. The gates are computed again from
    hidden. The result for the gates may be written over the gates.

    At run time, offsets that do not ascend from 0 to the number of rows raise `OffsetsError`.
    """

    name = "dnn.gru_grad"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1>} : (tensor<5x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>, "
        "tensor<3xi64>, tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>)"
    )

    gates = operand_def(TensorType)

    def own_shapes(self, types: Mapping[str, TensorInfo], triple: Dim | None) -> dict[str, tuple[Dim | None, ...]]:
        return {"gates": (None, triple)}

    def own_columns(self, inputs: int) -> dict[str, int]:
        return {}

    def overwritten(self) -> Sequence[int]:
        return (0,)

    def all_gates(self, args: Mapping[str, Array]) -> Array:
        return args["gates"]

    def own_gradients(self, args: Mapping[str, Array], gradient: Array) -> tuple[Array, ...]:
        return (gradient,)

    def gather_gates(self, args: Mapping[str, Array], rows: Array, gates: Array, buffers: Mapping[str, Array]) -> None:
        gather_rows(args["gates"], rows, gates, args.get("bias"))

    def put_gradients(
        self,
        args: Mapping[str, Array],
        rows: Array,
        gradient: Array,
        results: Mapping[str, Array],
        buffers: Mapping[str, Array],
    ) -> None:
        if "gates_gradient" in results:
            results["gates_gradient"][rows] = gradient


@irdl_op_definition
class FusedGruGradOp(GruGradBase):
    """The gradients of a GRU over ragged sequences that multiplies its input itself, from its states.

    Operands: x [rows, IC], weight_x [IC, 3*OC], weight_h, bias (optional), h0 (optional) and offsets as `fused_gru` has
    them; hidden [rows, OC], the result of that; hidden_gradient [rows, OC], how the loss changes with it. Results: how
    the loss changes with x, weight_x, weight_h, with the bias, [1, 3*OC], and, if there is h0, with the states before
    the first step; 0 of an empty sequence. The first result may be left out: it is not computed then. Element type f32
    or f64 throughout. `operandSegmentSizes` says which of the eight operands are there; the other attributes are those
    of `fused_gru`.

    It is `gru_grad` of gates = x @ weight_x, with

        dx = gates_gradient weight_x^T             dweight_x = x^T gates_gradient

    Gates and their gradients are there for a block of rows at a time, in the scratch of the op. The result for x may be
    written over x, hidden or hidden_gradient where that has as many columns: hidden of a row is read with the row after
    it, which comes before.

    At run time, offsets that do not ascend from 0 to the number of rows raise `OffsetsError`.
    """

    name = "dnn.fused_gru_grad"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 1, 1>} : (tensor<5x4xf32>, tensor<4x9xf32>, "
        "tensor<3x9xf32>, tensor<1x9xf32>, tensor<3xi64>, tensor<5x3xf32>, tensor<5x3xf32>) -> (tensor<5x4xf32>, "
        "tensor<4x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>)"
    )

    x = operand_def(TensorType)
    weight_x = operand_def(TensorType)

    def own_shapes(self, types: Mapping[str, TensorInfo], triple: Dim | None) -> dict[str, tuple[Dim | None, ...]]:
        return {"x": (None, None), "weight_x": (types["x"].shape[1], triple)}

    def own_columns(self, inputs: int) -> dict[str, int]:
        return {"inputs": inputs}

    def overwritten(self) -> Sequence[int]:
        return (0, len(self.operands) - 2, len(self.operands) - 1)

    def all_gates(self, args: Mapping[str, Array]) -> Array:
        return args["x"] @ args["weight_x"]

    def own_gradients(self, args: Mapping[str, Array], gradient: Array) -> tuple[Array, ...]:
        return gradient @ args["weight_x"].T, args["x"].T @ gradient

    def gather_gates(self, args: Mapping[str, Array], rows: Array, gates: Array, buffers: Mapping[str, Array]) -> None:
        inputs = buffers["inputs"][: len(rows)]
        gather_rows(args["x"], rows, inputs)
        np.matmul(inputs, args["weight_x"], out=gates)
        if "bias" in args:
            gates += args["bias"]

    def put_gradients(
        self,
        args: Mapping[str, Array],
        rows: Array,
        gradient: Array,
        results: Mapping[str, Array],
        buffers: Mapping[str, Array],
    ) -> None:
        inputs = buffers["inputs"][: len(rows)]
        results["weight_x_gradient"][...] += inputs.T @ gradient
        if "x_gradient" in results:
            np.matmul(gradient, args["weight_x"].T, out=inputs)
            results["x_gradient"][rows] = inputs
