"""ONNX's GRU and LSTM: dense batches, several directions, sequences that may end before the last step."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

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

from lastuse.dialect.dnn.attributes import INTEGER, NUMBER, by_role, integer, number
from lastuse.dialect.dnn.base import Array, CpuOnlyBase, DnnOp, KernelOnlyBase
from lastuse.dialect.dnn.blas import one_thread
from lastuse.dialect.dnn.recurrent.gru_cell import ACTIVATIONS, Activation
from lastuse.dialect.dnn.recurrent.ragged import expect, expect_dtype, expect_rank, expect_shape, times
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo

DIRECTIONS = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
"""Which of the directions of an op run from the last step to the first."""


INDICES = ("i32", "i64")


class LengthsError(LastuseError, ValueError):
    """A sequence is shorter than nothing, or longer than there are steps."""


class OnnxDirection(NamedTuple):
    """What one direction has of its own.

    Attributes:
        w: [inputs, GATES * hidden].
        r: [hidden, GATES * hidden].
        bias_w, bias_r: [GATES * hidden].
        peephole: [3 * hidden] or None.
        functions: its activations.
    """

    w: Array
    r: Array
    bias_w: Array
    bias_r: Array
    peephole: Array | None
    functions: list[Activation]


class OnnxRnnBase(CpuOnlyBase, KernelOnlyBase):
    """What the two share: operands and results by direction, and the walk over the steps."""

    GATES: ClassVar[int]
    """How many gates the weights have, one under the other."""
    DEFAULTS: ClassVar[tuple[str, ...]]
    """The activations of one direction."""

    irdl_options = (AttrSizedOperandSegments(as_property=False),)

    x = operand_def(TensorType)
    w = operand_def(TensorType)
    r = operand_def(TensorType)
    b = opt_operand_def(TensorType)
    sequence_lens = opt_operand_def(TensorType)
    initial_h = opt_operand_def(TensorType)
    y = result_def(TensorType)
    y_h = result_def(TensorType)

    direction = opt_attr_def(StringAttr)
    layout = opt_attr_def(INTEGER)
    hidden_size = opt_attr_def(INTEGER)
    activations = opt_attr_def(ArrayAttr[StringAttr])
    clip = opt_attr_def(NUMBER)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        types = by_role(self, operands)
        x, r = types["x"], types["r"]
        expect_rank("x", x, 3)
        expect_dtype("x", x, "f32", "f64")
        expect_rank("r", r, 3)
        directions, hidden, by_steps = len(self.directions()), r.shape[2], self.batch_axis() == 1
        rows = times(self.GATES, hidden)
        steps, batch = x.shape[:2] if by_steps else (x.shape[1], x.shape[0])
        state = (directions, batch, hidden) if by_steps else (batch, directions, hidden)
        shapes = {
            "w": (directions, rows, x.shape[2]),
            "r": (directions, rows, hidden),
            "b": (directions, times(2, rows)),
            "sequence_lens": (batch,),
            "initial_h": state,
            "initial_c": state,
            "p": (directions, times(3, hidden)),
        }
        for name in list(types)[1:]:
            expect_shape(name, types[name], shapes[name], *(INDICES if name == "sequence_lens" else (x.dtype,)))
        if self.hidden_size is not None:
            expect("hidden_size", integer(self.hidden_size, 0), hidden)
        self.functions()
        y = (steps, directions, batch, hidden) if by_steps else (batch, steps, directions, hidden)
        return tuple(TensorInfo(shape, x.dtype) for shape in (y, *[state] * (len(self.results) - 1)))

    def batch_axis(self) -> int:
        """Which axis of x are the sequences: 1, or 0 with `layout = 1`; raises ValueError for another layout."""
        layout = integer(self.layout, 0)
        if layout not in (0, 1):
            raise ValueError(f"layout is {layout}, it must be 0 or 1")
        return 1 - layout

    def directions(self) -> tuple[bool, ...]:
        """For each direction whether it is reverse; raises ValueError for one there is not."""
        name = "forward" if self.direction is None else self.direction.data
        if name not in DIRECTIONS:
            raise ValueError(f"direction is '{name}', it must be one of {', '.join(DIRECTIONS)}")
        return DIRECTIONS[name]

    def functions(self) -> list[list[Activation]]:
        """The activations of each direction; raises ValueError where one is not known."""
        count, stated = len(self.directions()), self.activations
        names = [a.data for a in stated] if stated is not None else list(self.DEFAULTS) * count
        if len(names) != count * len(self.DEFAULTS):
            raise ValueError(f"there are {len(names)} activations, {count * len(self.DEFAULTS)} are needed")
        for name in names:
            if name.lower() not in ACTIVATIONS:
                known = ", ".join(known.capitalize() for known in ACTIVATIONS)
                raise ValueError(f"the activation '{name}' is not known, it must be one of {known}")
        functions = [ACTIVATIONS[name.lower()] for name in names]
        return [functions[k : k + len(self.DEFAULTS)] for k in range(0, len(functions), len(self.DEFAULTS))]

    @abstractmethod
    def step(self, x: Array, state: list[Array], own: OnnxDirection) -> list[Array]:
        """The state after a step.

        Args:
            x: [rows, GATES * hidden], the input times its weights, with its bias.
            state: h [rows, hidden], and what the op has besides.
        """

    def limited(self, x: Array) -> Array:
        """What goes into an activation, within `clip`."""
        if self.clip is None:
            return x
        limit = float(number(self.clip, 0))
        return np.clip(x, -limit, limit)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """All sequences of the batch together, step by step; those that have ended stay as they are."""
        args = by_role(self, operands)
        axis = self.batch_axis()
        x, y = np.moveaxis(args["x"], axis, 1), np.moveaxis(results[0], 2 * axis, 2)
        ends = [np.moveaxis(array, axis, 1) for array in results[1:]]
        lengths = _lengths(args.get("sequence_lens"), *x.shape[:2])
        y[...] = 0
        starts = [args.get(name) for name in ("initial_h", "initial_c")][: len(ends)]
        with np.errstate(all="ignore"), one_thread():
            for k, reverse in enumerate(self.directions()):
                state = [end[k] for end in ends]
                for array, start in zip(state, starts, strict=True):
                    array[...] = 0 if start is None else np.moveaxis(start, axis, 1)[k]
                self._walk(self._direction(args, k), reverse, x, y[:, k], state, lengths)

    def _direction(self, args: dict[str, Array], k: int) -> OnnxDirection:
        w, r = (np.ascontiguousarray(args[name][k].T) for name in ("w", "r"))
        rows = r.shape[1]
        bias = args["b"][k] if "b" in args else np.zeros(2 * rows, w.dtype)
        return OnnxDirection(w, r, bias[:rows], bias[rows:], args["p"][k] if "p" in args else None, self.functions()[k])

    def _walk(self, own: OnnxDirection, reverse: bool, x: Array, y: Array, state: list[Array], lengths: Array) -> None:
        """One direction: fills y [steps, batch, hidden] where sequences have steps, and leaves their last state."""
        for step in range(int(lengths.max(initial=0))):
            running = np.flatnonzero(lengths > step)
            at = lengths[running] - 1 - step if reverse else np.full(len(running), step)
            product = np.ascontiguousarray(x[at, running]) @ own.w + own.bias_w
            after = self.step(product, [np.ascontiguousarray(part[running]) for part in state], own)
            for part, value in zip(state, after, strict=True):
                part[running] = value
            y[at, running] = after[0]
        for part in state:
            part[lengths == 0] = 0


class CellStatesBase(DnnOp):
    """What an LSTM has besides: its cells, and peepholes to them."""

    initial_c = opt_operand_def(TensorType)
    p = opt_operand_def(TensorType)
    y_c = result_def(TensorType)


def _lengths(stated: Array | None, steps: int, batch: int) -> Array:
    """The length of every sequence.

    Raises:
        LengthsError: one is negative, or more than there are steps.
    """
    if stated is None:
        return np.full(batch, steps)
    for k, length in enumerate(stated.tolist()):
        if not 0 <= length <= steps:
            raise LengthsError(f"sequence {k} has length {length}, there are {steps} steps")
    return stated.astype(np.int64)


@irdl_op_definition
class OnnxGruOp(OnnxRnnBase):
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
    `activations` are f and g of each direction: Sigmoid, Tanh, Relu or Identity. `clip` limits what goes into them.

    At run time, a length that is negative or more than the steps raises `LengthsError`.
    """

    name = "dnn.onnx_gru"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, "
        "tensor<1x9x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>)"
    )
    GATES: ClassVar = 3
    DEFAULTS: ClassVar = ("Sigmoid", "Tanh")

    linear_before_reset = opt_attr_def(INTEGER)

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
class OnnxLstmOp(OnnxRnnBase, CellStatesBase):
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

    `direction`, `layout` and `clip` as in `onnx_gru`; `activations` are f, g and h of each direction.

    At run time, a length that is negative or more than the steps raises `LengthsError`.
    """

    name = "dnn.onnx_lstm"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x12x4xf32>, "
        "tensor<1x12x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>)"
    )
    GATES: ClassVar = 4
    DEFAULTS: ClassVar = ("Sigmoid", "Tanh", "Tanh")

    input_forget = opt_attr_def(INTEGER)

    def step(self, x: Array, state: list[Array], own: OnnxDirection) -> list[Array]:
        (h, c), (f, g, squash), hidden, peephole = state, own.functions, len(own.r), own.peephole
        gates = x + h @ own.r + own.bias_r
        i, o, forget, new = (gates[:, k * hidden : (k + 1) * hidden] for k in range(4))
        if peephole is not None:
            i = i + peephole[:hidden] * c
            forget = forget + peephole[2 * hidden :] * c
        i, forget, new = (self.limited(np.ascontiguousarray(gate)) for gate in (i, forget, new))
        f(i)
        g(new)
        if integer(self.input_forget, 0):
            forget = 1 - i
        else:
            f(forget)
        cell = forget * c + i * new
        if peephole is not None:
            o = o + peephole[hidden : 2 * hidden] * cell
        o = self.limited(np.ascontiguousarray(o))
        f(o)
        shown = self.limited(cell.copy())
        squash(shown)
        return [o * shown, cell]
