"""ONNX's RNN, GRU and LSTM."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.irdl import irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import INTEGER, integer
from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.recurrent.lstm_cell import lstm_cell
from lastuse.dialect.dnn.recurrent.onnx_base import (
    CellStatesBase,
    DifferentiableRecurrentBase,
    OnnxDirection,
)


@irdl_op_definition
class OnnxRnnOp(DifferentiableRecurrentBase):
    """ONNX's RNN over a batch of sequences.

    Operands: x [steps, batch, inputs]; w [directions, hidden, inputs]; r [directions, hidden, hidden]; b [directions,
    2*hidden], of w and then of r (optional); sequence_lens and initial_h as in `onnx_gru`. Results: y and y_h as in
    `onnx_gru`. `operandSegmentSizes` says which of the six operands are there. Element type f32 or f64.

        h' = f(x W + h R + Wb + Rb)

    `direction`, `layout` and `clip` as in `onnx_gru`; `activations` is f of each direction, default Tanh. Native
    kernels run it as they run `onnx_gru`.

    At run time, a length that is negative or more than the steps raises `IndicesError`.
    """

    name = "dnn.onnx_rnn"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x3x4xf32>, "
        "tensor<1x3x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>)"
    )
    GATES: ClassVar = 1
    DEFAULTS: ClassVar = ("Tanh",)
    GRADIENT: ClassVar = "onnx_rnn_grad"

    def cell(self) -> str:
        return "rnn"

    def onednn_cell(self) -> str | None:
        cells = {"tanh": "rnn_tanh", "relu": "rnn_relu", "sigmoid": "rnn_logistic"}
        return next((cell for name, cell in cells.items() if self.has_activations(name)), None)

    def step(self, x: Array, state: list[Array], own: OnnxDirection) -> list[Array]:
        (h,), (f,) = state, own.functions
        new = np.ascontiguousarray(self.limited(x + h @ own.r + own.bias_r))
        f(new)
        return [new]


class OnnxGruBase(DifferentiableRecurrentBase):
    """The formula of a GRU."""

    GATES: ClassVar = 3
    DEFAULTS: ClassVar = ("Sigmoid", "Tanh")

    linear_before_reset = opt_attr_def(INTEGER)

    def cell(self) -> str:
        return "lbr_gru" if integer(self.linear_before_reset, 0) else "gru"

    def onednn_cell(self) -> str | None:
        return self.cell() if self.has_activations("sigmoid", "tanh") else None

    def step(self, x: Array, state: list[Array], own: OnnxDirection) -> list[Array]:
        (h,), (f, g), r, bias, hidden = state, own.functions, own.r, own.bias_r, len(own.r)
        gates = self.limited(x[:, : 2 * hidden] + h @ r[:, : 2 * hidden] + bias[: 2 * hidden])
        f(gates)
        update, reset = gates[:, :hidden], gates[:, hidden:]
        if integer(self.linear_before_reset, 0):
            recurrent = reset * (h @ r[:, 2 * hidden :] + bias[2 * hidden :])
        else:
            recurrent = (reset * h) @ r[:, 2 * hidden :] + bias[2 * hidden :]
        new = self.limited(x[:, 2 * hidden :] + recurrent)
        g(new)
        return [(1 - update) * new + update * h]


@irdl_op_definition
class OnnxGruOp(OnnxGruBase):
    """ONNX's GRU over a batch of sequences.

    Operands: x [steps, batch, inputs]; w [directions, 3*hidden, inputs] and r [directions, 3*hidden, hidden], the gates
    z (update), r (reset), h (candidate) one under the other; b [directions, 6*hidden], of w and then of r (optional);
    sequence_lens i32 or i64 [batch] (optional, else all steps); initial_h [directions, batch, hidden] (optional, else
    0). Results: y [steps, directions, batch, hidden], every state, 0 after the end of a sequence; y_h [directions,
    batch, hidden], the last ones, 0 of a sequence without steps, as in onnxruntime. With `layout = 1` the batch is the
    first axis of x, initial_h, y and y_h. `operandSegmentSizes` says which of the six operands are there. Element type
    f32 or f64.

        z = f(x W_z + h R_z + Wb_z + Rb_z)
        r = f(x W_r + h R_r + Wb_r + Rb_r)
        n = g(x W_h + Wb_h + (r * h) R_h + Rb_h)           linear_before_reset = 0, the default
        n = g(x W_h + Wb_h + r * (h R_h + Rb_h))           otherwise
        h' = (1 - z) * n + z * h

    `direction` is forward, reverse or bidirectional; a reverse direction walks each sequence from its own last step.
    `activations` are f and g of each direction, default Sigmoid and Tanh: these, Relu, Identity, Affine (alpha * x +
    beta), LeakyRelu, ThresholdedRelu, ScaledTanh (alpha * tanh(beta * x)), HardSigmoid, Elu, Softsign or Softplus, in
    any case of letters. Those that take numbers take the next ones of `activation_alpha` and `activation_beta`, or the
    defaults of ONNX's ops; Affine and ScaledTanh have none. `clip` limits what goes into the activations.

    Native kernels run it in f32 over dense operands, numpy else. Weights that are constants are packed once, others in
    each run. y_h may be written over initial_h.

    At run time, a length that is negative or more than the steps raises `IndicesError`.
    """

    name = "dnn.onnx_gru"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, "
        "tensor<1x9x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>)"
    )
    GRADIENT: ClassVar = "onnx_gru_grad"
    TRAINING: ClassVar = "onnx_gru_training"


class OnnxLstmBase(DifferentiableRecurrentBase, CellStatesBase):
    """The formula of an LSTM."""

    GATES: ClassVar = 4
    DEFAULTS: ClassVar = ("Sigmoid", "Tanh", "Tanh")

    input_forget = opt_attr_def(INTEGER)

    def cell(self) -> str:
        return "lstm"

    def onednn_cell(self) -> str | None:
        standard = self.has_activations("sigmoid", "tanh", "tanh") and not self.ties_forget()
        return self.cell() if standard else None

    def ties_forget(self) -> bool:
        return bool(integer(self.input_forget, 0))

    def step(self, x: Array, state: list[Array], own: OnnxDirection) -> list[Array]:
        h, c = state
        limit = None if self.clip is None else self.limit()
        sums = x + h @ own.r + own.bias_r
        return list(lstm_cell(sums, c, own.functions, own.peephole, limit, self.ties_forget()))


@irdl_op_definition
class OnnxLstmOp(OnnxLstmBase):
    """ONNX's LSTM over a batch of sequences.

    Operands: x, w, r, b, sequence_lens, initial_h as in `onnx_gru`, with the four gates i (input), o (output),
    f (forget), c (cell), so w and r have 4*hidden rows, b 8*hidden; initial_c as initial_h (optional, else 0);
    p [directions, 3*hidden], the peepholes of i, o, f (optional). Results: y, y_h and y_c, the last cells, as y_h.
    `operandSegmentSizes` says which of the eight operands are there. Element type f32 or f64.

        i = f(x W_i + h R_i + P_i * c + Wb_i + Rb_i)
        f = f(x W_f + h R_f + P_f * c + Wb_f + Rb_f)       with input_forget it is 1 - i
        n = g(x W_c + h R_c + Wb_c + Rb_c)
        c' = f * c + i * n
        o = f(x W_o + h R_o + P_o * c' + Wb_o + Rb_o)
        h' = o * h(c')

    `direction` and `layout` as in `onnx_gru`; `activations` are f, g and h of each direction, default Sigmoid, Tanh,
    Tanh. `clip` limits what goes into f and g, as in onnxruntime, and not what goes into h. Native kernels run it
    as they run `onnx_gru`. y_h and y_c may be written over initial_h and initial_c.

    At run time, a length that is negative or more than the steps raises `IndicesError`.
    """

    name = "dnn.onnx_lstm"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x12x4xf32>, "
        "tensor<1x12x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>)"
    )
    GRADIENT: ClassVar = "onnx_lstm_grad"
    TRAINING: ClassVar = "onnx_lstm_training"
