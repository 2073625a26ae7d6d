"""The gradients of ONNX's RNN, GRU and LSTM."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, StringAttr, TensorType
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_attr_def,
    opt_operand_def,
    result_def,
)

from lastuse.dialect.dnn.attributes import INTEGER, integer
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.recurrent.gru_cell import ACTIVATIONS
from lastuse.dialect.dnn.recurrent.gru_gradient_base import SLOPES
from lastuse.dialect.dnn.recurrent.onnx_gradient_base import Cell, OnnxGradBase, StepGradient


def _activated(name: str, x: Array) -> Array:
    y = np.ascontiguousarray(x)
    ACTIVATIONS[name](y)
    return y


class HiddenGradBase(OnnxGradBase):
    """The gradients of a layer whose only state is what it gives out."""

    STATES: ClassVar = ("initial_h",)
    irdl_options = (AttrSizedOperandSegments(as_property=False),)

    x = operand_def(TensorType)
    w = operand_def(TensorType)
    r = operand_def(TensorType)
    b = opt_operand_def(TensorType)
    sequence_lens = opt_operand_def(TensorType)
    initial_h = opt_operand_def(TensorType)
    y = operand_def(TensorType)
    y_gradient = opt_operand_def(TensorType)
    y_h_gradient = opt_operand_def(TensorType)
    x_gradient = result_def(TensorType)
    w_gradient = result_def(TensorType)
    r_gradient = result_def(TensorType)
    b_gradient = result_def(TensorType)
    initial_h_gradient = result_def(TensorType)

    direction = opt_attr_def(StringAttr)
    layout = opt_attr_def(INTEGER)
    activations = opt_attr_def(ArrayAttr[StringAttr])


@irdl_op_definition
class OnnxRnnGradOp(HiddenGradBase):
    """The gradients of `onnx_rnn`, from its states.

    Operands: those of `onnx_rnn`; y, its first result; then how the loss changes with y and with y_h, each optional.
    Results: how it changes with x, w, r, b and initial_h, in their types; where an operand is left out, that of zeros.
    `direction` and `layout` are those of `onnx_rnn`, which has no `clip`. `activations` are sigmoid, tanh, relu or
    identity, in lower case. Element type f32 or f64. `operandSegmentSizes` says which of the nine operands are there.

    At run time, a length that is negative or more than the steps raises `LengthsError`.
    """

    name = "dnn.onnx_rnn_grad"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1, 0>} : (tensor<5x2x4xf32>, tensor<1x3x4xf32>, "
        "tensor<1x3x3xf32>, tensor<5x1x2x3xf32>, tensor<5x1x2x3xf32>) -> (tensor<5x2x4xf32>, tensor<1x3x4xf32>, "
        "tensor<1x3x3xf32>, tensor<1x6xf32>, tensor<1x2x3xf32>)"
    )
    GATES: ClassVar = 1
    DEFAULTS: ClassVar = ("tanh",)

    def cells_of(self, product: Array, h: Array, c: Array, own: Cell) -> Array:
        return c

    def step_gradient(self, product: Array, state: list[Array], gradients: list[Array], own: Cell) -> StepGradient:
        (h,), (d,), (f,) = state, gradients, own.names
        of_sum = d * SLOPES[f](_activated(f, product + h @ own.r.T + own.bias_r))
        return StepGradient(of_sum, of_sum, None, [np.zeros_like(h)])


class OnnxGruStepBase(OnnxGradBase):
    """The gradient of one step of a GRU."""

    GATES: ClassVar = 3
    DEFAULTS: ClassVar = ("sigmoid", "tanh")
    STATES: ClassVar = ("initial_h",)
    linear_before_reset = opt_attr_def(INTEGER)

    def cells_of(self, product: Array, h: Array, c: Array, own: Cell) -> Array:
        return c

    def step_gradient(self, product: Array, state: list[Array], gradients: list[Array], own: Cell) -> StepGradient:
        (h,), (d,), (f, g) = state, gradients, own.names
        size = h.shape[1]
        split = 2 * size
        gates = _activated(f, product[:, :split] + h @ own.r[:split].T + own.bias_r[:split])
        update, reset = gates[:, :size], gates[:, size:]
        linear = bool(integer(self.linear_before_reset, 0))
        factor = h if linear else reset * h
        recurrent = factor @ own.r[split:].T + own.bias_r[split:]
        new = _activated(g, product[:, split:] + (reset * recurrent if linear else recurrent))
        of_new = d * (1 - update) * SLOPES[g](new)
        through = of_new * reset if linear else of_new
        of_factor = through @ own.r[split:]
        of_reset = of_new * recurrent if linear else of_factor * h
        of_gates = np.concatenate([d * (h - new), of_reset], axis=1) * SLOPES[f](gates)
        of_state = d * update + (of_factor if linear else of_factor * reset)
        product_gradient = np.concatenate([of_gates, of_new], axis=1)
        return StepGradient(product_gradient, np.concatenate([of_gates, through], axis=1), factor, [of_state])


@irdl_op_definition
class OnnxGruGradOp(OnnxGruStepBase, HiddenGradBase):
    """The gradients of `onnx_gru`, from its states.

    Operands: those of `onnx_gru`; y, its first result; then how the loss changes with y and with y_h, each optional.
    Results: how it changes with x, w, r, b and initial_h, in their types; where an operand is left out, that of zeros.
    `direction`, `layout` and `linear_before_reset` are those of `onnx_gru`, which has no `clip`. `activations` are
    sigmoid, tanh, relu or identity, in lower case. Element type f32 or f64. `operandSegmentSizes` says which of the
    nine operands are there.

    At run time, a length that is negative or more than the steps raises `LengthsError`.
    """

    name = "dnn.onnx_gru_grad"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, "
        "tensor<1x9x3xf32>, tensor<5x1x2x3xf32>, tensor<5x1x2x3xf32>) -> (tensor<5x2x4xf32>, tensor<1x9x4xf32>, "
        "tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1x2x3xf32>)"
    )


class OnnxLstmStepBase(OnnxGradBase):
    """The gradient of one step of an LSTM."""

    GATES: ClassVar = 4
    DEFAULTS: ClassVar = ("sigmoid", "tanh", "tanh")
    STATES: ClassVar = ("initial_h", "initial_c")

    def _gates(self, product: Array, h: Array, c: Array, own: Cell) -> tuple[Array, ...]:
        """i, f, the candidate, the cells after the step, and o."""
        (gate, squash, _), size = own.names, h.shape[1]
        sums = product + h @ own.r.T + own.bias_r
        i, o, forget, new = (sums[:, k * size : (k + 1) * size] for k in range(4))
        of_i, of_o, of_forget = (own.peephole[k * size : (k + 1) * size] for k in range(3))
        i, forget, new = (
            _activated(gate, i + of_i * c),
            _activated(gate, forget + of_forget * c),
            _activated(squash, new),
        )
        cells = forget * c + i * new
        return i, forget, new, cells, _activated(gate, o + of_o * cells)

    def cells_of(self, product: Array, h: Array, c: Array, own: Cell) -> Array:
        return self._gates(product, h, c, own)[3]

    def step_gradient(self, product: Array, state: list[Array], gradients: list[Array], own: Cell) -> StepGradient:
        (h, c), (d, of_cells), (gate, squash, last) = state, gradients, own.names
        i, forget, new, cells, o = self._gates(product, h, c, own)
        size, slope = h.shape[1], SLOPES[gate]
        shown = _activated(last, cells.copy())
        to_i, to_o, to_forget = (own.peephole[k * size : (k + 1) * size] for k in range(3))
        of_o = d * shown * slope(o)
        of_cells = of_cells + d * o * SLOPES[last](shown) + of_o * to_o
        of_i, of_forget = of_cells * new * slope(i), of_cells * c * slope(forget)
        sums = np.concatenate([of_i, of_o, of_forget, of_cells * i * SLOPES[squash](new)], axis=1)
        before = of_cells * forget + of_i * to_i + of_forget * to_forget
        peephole = np.concatenate([(of_i * c).sum(0), (of_o * cells).sum(0), (of_forget * c).sum(0)])
        return StepGradient(sums, sums, None, [np.zeros_like(h), before], peephole)


@irdl_op_definition
class OnnxLstmGradOp(OnnxLstmStepBase):
    """The gradients of `onnx_lstm`, from its states.

    Operands: those of `onnx_lstm`; y, its first result; then how the loss changes with y, y_h and y_c, each optional.
    Results: how it changes with x, w, r, b, initial_h, initial_c and p, in their types; where an operand is left out,
    that of zeros. `direction` and `layout` are those of `onnx_lstm`, which has no `clip` and no `input_forget`.
    `activations` are sigmoid, tanh, relu or identity, in lower case. Element type f32 or f64. `operandSegmentSizes`
    says which of the twelve operands are there. The cells of all steps are computed again, into scratch.

    At run time, a length that is negative or more than the steps raises `LengthsError`.
    """

    name = "dnn.onnx_lstm_grad"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0>} : (tensor<5x2x4xf32>, "
        "tensor<1x12x4xf32>, tensor<1x12x3xf32>, tensor<5x1x2x3xf32>, tensor<5x1x2x3xf32>) -> (tensor<5x2x4xf32>, "
        "tensor<1x12x4xf32>, tensor<1x12x3xf32>, tensor<1x24xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>, "
        "tensor<1x9xf32>)"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=False),)

    x = operand_def(TensorType)
    w = operand_def(TensorType)
    r = operand_def(TensorType)
    b = opt_operand_def(TensorType)
    sequence_lens = opt_operand_def(TensorType)
    initial_h = opt_operand_def(TensorType)
    initial_c = opt_operand_def(TensorType)
    p = opt_operand_def(TensorType)
    y = operand_def(TensorType)
    y_gradient = opt_operand_def(TensorType)
    y_h_gradient = opt_operand_def(TensorType)
    y_c_gradient = opt_operand_def(TensorType)
    x_gradient = result_def(TensorType)
    w_gradient = result_def(TensorType)
    r_gradient = result_def(TensorType)
    b_gradient = result_def(TensorType)
    initial_h_gradient = result_def(TensorType)
    initial_c_gradient = result_def(TensorType)
    p_gradient = result_def(TensorType)

    direction = opt_attr_def(StringAttr)
    layout = opt_attr_def(INTEGER)
    activations = opt_attr_def(ArrayAttr[StringAttr])
