"""The gradients of ONNX's RNN, GRU and LSTM."""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr, TensorType
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_attr_def,
    opt_operand_def,
    result_def,
)

from lastuse.dialect.dnn.attributes import INTEGER, NUMBER, integer
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.recurrent.onnx_gradient_base import Cell, OnnxGradBase, StepGradient


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
    activation_alpha = opt_attr_def(DenseArrayBase)
    activation_beta = opt_attr_def(DenseArrayBase)
    clip = opt_attr_def(NUMBER)


@irdl_op_definition
class OnnxRnnGradOp(HiddenGradBase):
    """The gradients of `onnx_rnn`, from its states.

    Operands: those of `onnx_rnn`; y, its first result; then how the loss changes with y and with y_h, each optional.
    Results: how it changes with x, w, r, b and initial_h, in their types; where an operand is left out, that of zeros.
    `direction`, `layout`, `activations` with their numbers, and `clip` are those of `onnx_rnn`. Element type f32 or
    f64. `operandSegmentSizes` says which of the nine operands are there.

    At run time, a length that is negative or more than the steps raises `IndicesError`.
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
        (h,), (d,), (f,) = state, gradients, own.gates
        of_sum = d * f.of(product + h @ own.r.T + own.bias_r)[1]
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
        (h,), (d,), (f, g) = state, gradients, own.gates
        size = h.shape[1]
        split = 2 * size
        gates, gate_slope = f.of(product[:, :split] + h @ own.r[:split].T + own.bias_r[:split])
        update, reset = gates[:, :size], gates[:, size:]
        linear = bool(integer(self.linear_before_reset, 0))
        factor = h if linear else reset * h
        recurrent = factor @ own.r[split:].T + own.bias_r[split:]
        new, slope = g.of(product[:, split:] + (reset * recurrent if linear else recurrent))
        of_new = d * (1 - update) * slope
        through = of_new * reset if linear else of_new
        of_factor = through @ own.r[split:]
        of_reset = of_new * recurrent if linear else of_factor * h
        of_gates = np.concatenate([d * (h - new), of_reset], axis=1) * gate_slope
        of_state = d * update + (of_factor if linear else of_factor * reset)
        product_gradient = np.concatenate([of_gates, of_new], axis=1)
        return StepGradient(product_gradient, np.concatenate([of_gates, through], axis=1), factor, [of_state])


@irdl_op_definition
class OnnxGruGradOp(OnnxGruStepBase, HiddenGradBase):
    """The gradients of `onnx_gru`, from its states.

    Operands: those of `onnx_gru`; y, its first result; then how the loss changes with y and with y_h, each optional.
    Results: how it changes with x, w, r, b and initial_h, in their types; where an operand is left out, that of zeros.
    `direction`, `layout`, `linear_before_reset`, `activations` with their numbers, and `clip` are those of `onnx_gru`.
    What `clip` cuts off has no gradient. Element type f32 or f64. `operandSegmentSizes` says which of the nine operands
    are there.

    At run time, a length that is negative or more than the steps raises `IndicesError`.
    """

    name = "dnn.onnx_gru_grad"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, "
        "tensor<1x9x3xf32>, tensor<5x1x2x3xf32>, tensor<5x1x2x3xf32>) -> (tensor<5x2x4xf32>, tensor<1x9x4xf32>, "
        "tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1x2x3xf32>)"
    )


Activated = tuple[Array, Array]
"""The result of an activation, and its derivative."""


class LstmStep(NamedTuple):
    """What a step computes: `shown` of the cells. Where the forget gate is 1 - i, its derivative is that of i's sum."""

    i: Activated
    o: Activated
    forget: Activated
    new: Activated
    cells: Array
    shown: Activated


class OnnxLstmStepBase(OnnxGradBase):
    """The gradient of one step of an LSTM."""

    GATES: ClassVar = 4
    DEFAULTS: ClassVar = ("sigmoid", "tanh", "tanh")
    STATES: ClassVar = ("initial_h", "initial_c")

    def _gates(self, product: Array, h: Array, c: Array, own: Cell) -> LstmStep:
        (gate, squash, last), size = own.gates, h.shape[1]
        sums = product + h @ own.r.T + own.bias_r
        i, o, forget, new = (sums[:, k * size : (k + 1) * size] for k in range(4))
        of_i, of_o, of_forget = (own.peephole[k * size : (k + 1) * size] for k in range(3))
        i, new = gate.of(i + of_i * c), squash.of(new)
        if integer(self.attributes.get("input_forget"), 0):
            forget = 1 - i[0], -i[1]
        else:
            forget = gate.of(forget + of_forget * c)
        cells = forget[0] * c + i[0] * new[0]
        return LstmStep(i, gate.of(o + of_o * cells), forget, new, cells, last._replace(limit=math.inf).of(cells))

    def cells_of(self, product: Array, h: Array, c: Array, own: Cell) -> Array:
        return self._gates(product, h, c, own).cells

    def step_gradient(self, product: Array, state: list[Array], gradients: list[Array], own: Cell) -> StepGradient:
        (h, c), (d, of_cells) = state, gradients
        i, o, forget, new, cells, shown = self._gates(product, h, c, own)
        size = h.shape[1]
        to_i, to_o, to_forget = (own.peephole[k * size : (k + 1) * size] for k in range(3))
        of_o = d * shown[0] * o[1]
        of_cells = of_cells + d * o[0] * shown[1] + of_o * to_o
        of_i, of_forget = of_cells * new[0] * i[1], of_cells * c * forget[1]
        if integer(self.attributes.get("input_forget"), 0):
            of_i, of_forget = of_i + of_forget, np.zeros_like(of_forget)
        sums = np.concatenate([of_i, of_o, of_forget, of_cells * i[0] * new[1]], axis=1)
        before = of_cells * forget[0] + of_i * to_i + of_forget * to_forget
        peephole = np.concatenate([(of_i * c).sum(0), (of_o * cells).sum(0), (of_forget * c).sum(0)])
        return StepGradient(sums, sums, None, [np.zeros_like(h), before], peephole)


@irdl_op_definition
class OnnxLstmGradOp(OnnxLstmStepBase):
    """The gradients of `onnx_lstm`, from its states.

    Operands: those of `onnx_lstm`; y, its first result; then how the loss changes with y, y_h and y_c, each optional.
    Results: how it changes with x, w, r, b, initial_h, initial_c and p, in their types; where an operand is left out,
    that of zeros. `direction`, `layout`, `activations` with their numbers, `clip` and `input_forget` are those of
    `onnx_lstm`. Element type f32 or f64. `operandSegmentSizes` says which of the twelve operands are there. The cells
    of all steps are computed again, into scratch.

    At run time, a length that is negative or more than the steps raises `IndicesError`.
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
    activation_alpha = opt_attr_def(DenseArrayBase)
    activation_beta = opt_attr_def(DenseArrayBase)
    clip = opt_attr_def(NUMBER)
    input_forget = opt_attr_def(INTEGER)
