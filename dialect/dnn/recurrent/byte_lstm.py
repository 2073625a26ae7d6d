"""An LSTM of bytes whose state is quantised anew in each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseArrayBase, StringAttr, TensorType
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_attr_def,
    opt_operand_def,
    result_def,
)

from lastuse.dialect.dnn.attributes import NUMBER, by_role, flag, integers, number
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.blas import one_thread
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.packed_columns import (
    STRIP,
    StatesPackedBase,
    logical_weights,
    packed_bytes,
    packed_columns,
    unpacked_columns,
)
from lastuse.dialect.dnn.quantization import ONE, dynamic_bytes, dynamic_scale
from lastuse.dialect.dnn.recurrent.gru_cell import Activation
from lastuse.dialect.dnn.recurrent.lstm_cell import lstm_cell
from lastuse.dialect.dnn.recurrent.onnx_activations import gates_of
from lastuse.dialect.dnn.recurrent.onnx_base import INDICES, lengths_of
from lastuse.dialect.dnn.recurrent.ragged import expect_dtype, expect_rank, expect_shape, times
from lastuse.dialect.dnn.widening import SMALL
from lastuse.dialect.dnn.work import UNKNOWN_SIZE, work_of_product
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.dialect.storage.attrs import floats
from lastuse.dialect.storage.contract import Contract, Engine, InPlace, engine_of

GATES = 4
ACTIVATIONS = ("Sigmoid", "Tanh", "Tanh")


@irdl_op_definition
class DynamicLstmOp(NativeBase, KernelOnlyBase, StatesPackedBase):
    """The steps of one direction of an LSTM, whose product of the state is one of bytes.

    Operands: x [steps, batch, 4*hidden], the products of the input, with all biases, the gates i (input), o (output),
    f (forget), c (cell) one behind the other; r [hidden, 4*hidden], ui8 or i8, which stands for (r - r_zero_point) *
    r_scale; r_scale, one number or one for each column; (optional) the zero point, as r_scale, of r's type; p
    [3*hidden], the peepholes of i, o, f; sequence_lens [batch], i32 or i64, else all steps; initial_h and initial_c
    [batch, hidden], else 0. Results: y [steps, batch, hidden], every state, 0 behind the end of a sequence; y_h and y_c
    [batch, hidden], the last state and cells, 0 of a sequence without steps. Numbers are f32.

        q, scale, zero = dynamic_quantize_linear(h)        of all sequences that have the step
        g = x + f32((q - zero) @ (r - r_zero_point)) * (scale * r_scale)
        i = f(g_i + p_i * c)
        f = f(g_f + p_f * c)                               with `input_forget` it is 1 - i
        c' = f * c + i * g(g_c)
        h' = f(g_o + p_o * c') * h(c')

    `is_reverse` walks each sequence from its own last step. `activations` are f, g and h, default Sigmoid, Tanh, Tanh,
    as in `onnx_lstm`, with `activation_alpha` and `activation_beta`. `clip` limits what goes into f and g. `packed`:
    the sizes that r had before it was packed (`--pack-weights-pass`). The runtime's kernel runs the default
    activations, numpy others. y_h and y_c may be written over initial_h and initial_c. A length that is negative or
    more than the steps raises `IndicesError` at run time. Of onnxruntime's DynamicQuantizeLSTM it is what follows the
    product of the input.
    """

    name = "dnn.dynamic_lstm"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 1>} : (tensor<5x2x12xf32>, tensor<3x12xi8>, "
        "tensor<f32>, tensor<i8>, tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<5x2x3xf32>, tensor<2x3xf32>, "
        "tensor<2x3xf32>)"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=False),)
    x = operand_def(TensorType)
    r = operand_def(TensorType)
    r_scale = operand_def(TensorType)
    r_zero_point = opt_operand_def(TensorType)
    p = opt_operand_def(TensorType)
    sequence_lens = opt_operand_def(TensorType)
    initial_h = opt_operand_def(TensorType)
    initial_c = opt_operand_def(TensorType)
    y = result_def(TensorType)
    y_h = result_def(TensorType)
    y_c = result_def(TensorType)
    is_reverse = opt_attr_def(BoolAttr)
    input_forget = opt_attr_def(BoolAttr)
    activations = opt_attr_def(ArrayAttr[StringAttr])
    activation_alpha = opt_attr_def(DenseArrayBase)
    activation_beta = opt_attr_def(DenseArrayBase)
    clip = opt_attr_def(NUMBER)

    def storage(self) -> Contract:
        numbers = by_role(self, range(len(self.operands)))
        over = [InPlace(k, numbers[name]) for k, name in ((1, "initial_h"), (2, "initial_c")) if name in numbers]
        is_strided = not self.takes_native() or engine_of(self) is Engine.CPU
        return Contract(tuple(over), strided=is_strided, engines=self.kernel_engines())

    def takes_native(self) -> bool:
        return [name.lower() for name in self.names()] == [name.lower() for name in ACTIVATIONS]

    def may_take_scratch(self) -> bool:
        return self.takes_native() and engine_of(self) is not Engine.CPU

    def native_numbers(self) -> Sequence[float]:
        numbers = by_role(self, range(len(self.operands)))
        optional = ("r_zero_point", "p", "sequence_lens", "initial_h", "initial_c")
        flags = self.packed is not None, flag(self.is_reverse), flag(self.input_forget)
        return [*(numbers.get(name, -1) for name in optional), *flags, number(self.clip, np.inf)]

    def work(self) -> int:
        steps = self.operand_type().shape[0]
        product = work_of_product(self.y_h, self.r, self.x) if steps else 0
        return super().work() + product * (steps if isinstance(steps, int) else UNKNOWN_SIZE)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        types = by_role(self, operands)
        x, r = types["x"], self._plain(types["r"])
        expect_shape("x", x, (None, None, None), "f32")
        expect_rank("r", r, 2)
        expect_dtype("r", r, *SMALL)
        steps, batch, _ = x.shape
        hidden = r.shape[0]
        columns, state = times(GATES, hidden), (batch, hidden)
        expect_shape("x", x, (None, None, columns))
        expect_shape("r", r, (None, columns))
        for name, dtype in (("r_scale", "f32"), ("r_zero_point", r.dtype)):
            if name in types:
                expect_dtype(name, types[name], dtype)
                if types[name].shape not in ONE:
                    expect_shape(name, types[name], (columns,))
        shapes = {"p": (times(3, hidden),), "initial_h": state, "initial_c": state}
        for name in types.keys() & shapes.keys():
            expect_shape(name, types[name], shapes[name], "f32")
        if "sequence_lens" in types:
            expect_shape("sequence_lens", types["sequence_lens"], (batch,), *INDICES)
        self._functions()
        if self.clip is not None and not number(self.clip, 0) >= 0:
            raise ValueError(f"clip is {number(self.clip, 0)}, it must be 0 or more")
        return tuple(TensorInfo(shape, "f32") for shape in ((steps, *state), state, state))

    def names(self) -> Sequence[str]:
        """Those of the activations; raises ValueError unless there are three."""
        names = ACTIVATIONS if self.activations is None else [name.data for name in self.activations]
        if len(names) != len(ACTIVATIONS):
            raise ValueError(f"there are {len(names)} activations, {len(ACTIVATIONS)} are needed")
        return names

    def _functions(self) -> list[Activation]:
        gates = gates_of(self.names(), floats(self.activation_alpha), floats(self.activation_beta))
        return [gate.function for gate in gates]

    def weights_number(self) -> int:
        return 1

    def packable_operand(self) -> int | None:
        shape = self.operand_type(self.weights_number()).shape
        there = (
            self.packed is None and self.may_take_scratch() and all(isinstance(size, int) and size for size in shape)
        )
        return self.weights_number() if there else None

    def packed_weights(self, weights: Array) -> Array:
        """Columns are ordered by vectors of the state: of all gates of 16 channels, then of the next ones."""
        hidden, signed = len(weights), weights.dtype == np.int8
        vectors = -(-hidden // STRIP)
        padded = np.full((hidden, GATES, vectors * STRIP), 0 if signed else 128, weights.dtype)
        padded[:, :, :hidden] = weights.reshape(hidden, GATES, hidden)
        turned = padded.reshape(hidden, GATES, vectors, STRIP).swapaxes(1, 2)
        return packed_columns(np.ascontiguousarray(turned).reshape(1, hidden, -1))

    def _plain(self, r: TensorInfo) -> TensorInfo:
        """What r was before it was packed; raises ValueError where it has other sizes than `packed` says."""
        if self.packed is None:
            return r
        hidden, columns = integers(self.packed)
        if columns != GATES * hidden:
            raise ValueError(f"packed weights have {GATES} columns for each row, not {hidden} rows and {columns}")
        return logical_weights(r, (hidden, columns), packed_bytes(1, hidden, GATES * -(-hidden // STRIP) * STRIP))

    def _unpacked(self, r: Array) -> Array:
        if self.packed is None:
            return r
        hidden, _ = integers(self.packed)
        vectors = -(-hidden // STRIP)
        (turned,) = unpacked_columns(r, 1, hidden, GATES * vectors * STRIP)
        gates = turned.reshape(hidden, vectors, GATES, STRIP).swapaxes(1, 2).reshape(hidden, GATES, -1)
        return gates[:, :, :hidden].reshape(hidden, -1)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        roles = by_role(self, operands)
        x, (y, y_h, y_c) = roles["x"], results
        weights = self._unpacked(roles["r"]).astype(np.float64) - roles.get("r_zero_point", np.zeros(()))
        lengths = lengths_of(roles.get("sequence_lens"), *x.shape[:2])
        initial = (roles.get(name) for name in ("initial_h", "initial_c"))
        h, c = (np.zeros(y_h.shape, np.float32) if array is None else array.copy() for array in initial)
        functions, limit = self._functions(), None if self.clip is None else float(number(self.clip, 0))
        y[...] = 0
        with np.errstate(all="ignore"), one_thread():
            for step in range(int(lengths.max(initial=0))):
                running = np.flatnonzero(lengths > step)
                at = lengths[running] - 1 - step if flag(self.is_reverse) else np.full(len(running), step)
                scale, zero = dynamic_scale(h[running])
                sums = (dynamic_bytes(h[running], scale, zero) - zero) @ weights
                product = sums.astype(np.int64).astype(np.int32).astype(np.float32) * (scale * roles["r_scale"])
                h[running], c[running] = lstm_cell(
                    x[at, running] + product, c[running], functions, roles.get("p"), limit, flag(self.input_forget)
                )
                y[at, running] = h[running]
        h[lengths == 0] = c[lengths == 0] = 0
        y_h[...], y_c[...] = h, c
