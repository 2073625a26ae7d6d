"""ONNX's GRU and LSTM: dense batches, several directions, sequences that may end before the last step."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
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

from lastuse.dialect.dnn.attributes import INTEGER, NUMBER, by_role, integer, number, result_shape
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.blas import one_thread
from lastuse.dialect.dnn.recurrent.gru_cell import ACTIVATIONS, Activation
from lastuse.dialect.dnn.recurrent.ragged import expect, expect_floats, expect_rank
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.symbolic_shape import Dim, TensorInfo
from lastuse.dialect.storage.contract import CPU_ONLY, Contract

DIRECTIONS = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
"""Which of the directions of an op run from the last step to the first."""


class LengthsError(LastuseError, ValueError):
    """A sequence is shorter than nothing, or longer than there are steps."""


class OnnxRnnBase(DnnOp):
    """What the two share: operands and results by direction, and the walk over the steps."""

    GATES: ClassVar[int]
    """How many gates the weights have, one under the other."""
    DEFAULTS: ClassVar[tuple[str, ...]]
    """The activations of one direction."""

    irdl_options = (AttrSizedOperandSegments(as_property=False),)

    direction = opt_attr_def(StringAttr)
    layout = opt_attr_def(INTEGER)
    hidden_size = opt_attr_def(INTEGER)
    activations = opt_attr_def(ArrayAttr[StringAttr])
    clip = opt_attr_def(NUMBER)

    def storage(self) -> Contract:
        return Contract(strided=True, engines=CPU_ONLY)

    # Types.

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        types = by_role(self, operands)
        x, r = types["x"], types["r"]
        for name, rank in (("x", 3), ("w", 3), ("r", 3)):
            expect_rank(name, types[name], rank)
            expect_floats(name, types[name], None if name == "x" else x.dtype)
        directions, hidden = len(self.directions()), r.shape[2]
        rows = None if hidden is None else self.GATES * hidden
        steps, batch = x.shape[:2] if self.batch_axis() else (x.shape[1], x.shape[0])
        for name, shape in self._shapes(directions, hidden, rows, x.shape[2], batch).items():
            if name in types:
                given = types[name]
                expect_rank(name, given, len(shape))
                for axis, (have, want) in enumerate(zip(given.shape, shape, strict=True)):
                    expect(f"axis {axis} of {name}", have, want)
                if name == "sequence_lens":
                    if given.dtype not in ("i32", "i64"):
                        raise ValueError(f"sequence_lens has element type {given.dtype}, it must be i32 or i64")
                else:
                    expect_floats(name, given, x.dtype)
        if self.hidden_size is not None:
            expect("hidden_size", integer(self.hidden_size, 0), hidden)
        self.functions()
        state = TensorInfo(self._state_shape(directions, batch, hidden), x.dtype)
        first = (steps, directions, batch, hidden) if self.batch_axis() else (batch, steps, directions, hidden)
        return (TensorInfo(first, x.dtype), *[state] * (len(self.results) - 1))

    def _shapes(
        self, directions: int, hidden: Dim | None, rows: Dim | None, inputs: Dim | None, batch: Dim | None
    ) -> dict[str, tuple[Dim | None, ...]]:
        """The shape that each operand but x must have."""
        return {
            "w": (directions, rows, inputs),
            "r": (directions, rows, hidden),
            "b": (directions, None if rows is None else 2 * rows),
            "sequence_lens": (batch,),
            "initial_h": self._state_shape(directions, batch, hidden),
        }

    def _state_shape(self, directions: int, batch: Dim | None, hidden: Dim | None) -> tuple[Dim | None, ...]:
        return (directions, batch, hidden) if self.batch_axis() else (batch, directions, hidden)

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
        count, given = len(self.directions()), self.activations
        names = [a.data for a in given] if given is not None else list(self.DEFAULTS) * count
        if len(names) != count * len(self.DEFAULTS):
            raise ValueError(f"there are {len(names)} activations, {count * len(self.DEFAULTS)} are needed")
        for name in names:
            if name.lower() not in ACTIVATIONS:
                known = ", ".join(known.capitalize() for known in ACTIVATIONS)
                raise ValueError(f"the activation '{name}' is not known, it must be one of {known}")
        found = [ACTIVATIONS[name.lower()] for name in names]
        return [found[k : k + len(self.DEFAULTS)] for k in range(0, len(found), len(self.DEFAULTS))]

    # Numbers.

    @abstractmethod
    def step(
        self, x: Array, state: list[Array], r: Array, bias: Array, peephole: Array | None, functions: list[Activation]
    ) -> list[Array]:
        """The state after a step.

        Args:
            x: [rows, GATES * hidden], the input times its weights, with its bias.
            state: h [rows, hidden], and what the op has besides.
            r: [hidden, GATES * hidden].
            bias: [GATES * hidden], of the recurrence.
            peephole: [3 * hidden] or None.
        """

    def limited(self, x: Array) -> Array:
        """What goes into an activation, within `clip`."""
        if self.clip is None:
            return x
        limit = float(number(self.clip, 0))
        return np.clip(x, -limit, limit)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        results = tuple(np.empty(result_shape(self, operands, k), operands[0].dtype) for k in range(len(self.results)))
        self.kernel(operands, results, results[0])
        return results

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """All sequences of the batch together, step by step; those that have ended stay as they are."""
        args = by_role(self, operands)
        by_steps = self.batch_axis() == 1
        x = args["x"] if by_steps else args["x"].transpose(1, 0, 2)
        y = results[0] if by_steps else results[0].transpose(1, 2, 0, 3)
        ends = [array if by_steps else array.transpose(1, 0, 2) for array in results[1:]]
        lengths = _lengths(args.get("sequence_lens"), *x.shape[:2])
        y[...] = 0
        with np.errstate(all="ignore"), one_thread():
            for number_, (reverse, functions) in enumerate(zip(self.directions(), self.functions(), strict=True)):
                state = [end[number_] for end in ends]
                for name, array in zip(("initial_h", "initial_c"), state, strict=False):
                    start = args.get(name)
                    array[...] = 0 if start is None else (start if by_steps else start.transpose(1, 0, 2))[number_]
                self._walk(args, number_, reverse, functions, x, y[:, number_], state, lengths)

    def _walk(
        self,
        args: dict[str, Array],
        direction: int,
        reverse: bool,
        functions: list[Activation],
        x: Array,
        y: Array,
        state: list[Array],
        lengths: Array,
    ) -> None:
        """One direction: fills y [steps, batch, hidden] where sequences have steps, and leaves their last state."""
        w, r = (np.ascontiguousarray(args[name][direction].T) for name in ("w", "r"))
        rows = r.shape[1]
        bias = args["b"][direction] if "b" in args else np.zeros(2 * rows, x.dtype)
        peephole = args["p"][direction] if "p" in args else None
        for step in range(int(lengths.max(initial=0))):
            running = np.flatnonzero(lengths > step)
            at = lengths[running] - 1 - step if reverse else np.full(len(running), step)
            product = np.ascontiguousarray(x[at, running]) @ w + bias[:rows]
            before = [np.ascontiguousarray(part[running]) for part in state]
            after = self.step(product, before, r, bias[rows:], peephole, functions)
            for part, value in zip(state, after, strict=True):
                part[running] = value
            y[at, running] = after[0]
        for part in state:
            part[lengths == 0] = 0


def _lengths(given: Array | None, steps: int, batch: int) -> Array:
    """The length of every sequence.

    Raises:
        LengthsError: one is negative, or more than there are steps.
    """
    if given is None:
        return np.full(batch, steps)
    for number_, length in enumerate(given.tolist()):
        if not 0 <= length <= steps:
            raise LengthsError(f"sequence {number_} has length {length}, there are {steps} steps")
    return given.astype(np.int64)


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

    x = operand_def(TensorType)
    w = operand_def(TensorType)
    r = operand_def(TensorType)
    b = opt_operand_def(TensorType)
    sequence_lens = opt_operand_def(TensorType)
    initial_h = opt_operand_def(TensorType)
    y = result_def(TensorType)
    y_h = result_def(TensorType)

    linear_before_reset = opt_attr_def(INTEGER)

    def step(
        self, x: Array, state: list[Array], r: Array, bias: Array, peephole: Array | None, functions: list[Activation]
    ) -> list[Array]:
        (h,), (f, g), hidden = state, functions, len(r)
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
class OnnxLstmOp(OnnxRnnBase):
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

    x = operand_def(TensorType)
    w = operand_def(TensorType)
    r = operand_def(TensorType)
    b = opt_operand_def(TensorType)
    sequence_lens = opt_operand_def(TensorType)
    initial_h = opt_operand_def(TensorType)
    initial_c = opt_operand_def(TensorType)
    p = opt_operand_def(TensorType)
    y = result_def(TensorType)
    y_h = result_def(TensorType)
    y_c = result_def(TensorType)

    input_forget = opt_attr_def(INTEGER)

    def _shapes(
        self, directions: int, hidden: Dim | None, rows: Dim | None, inputs: Dim | None, batch: Dim | None
    ) -> dict[str, tuple[Dim | None, ...]]:
        shapes = super()._shapes(directions, hidden, rows, inputs, batch)
        peepholes = None if hidden is None else 3 * hidden
        return {**shapes, "initial_c": shapes["initial_h"], "p": (directions, peepholes)}

    def step(
        self, x: Array, state: list[Array], r: Array, bias: Array, peephole: Array | None, functions: list[Activation]
    ) -> list[Array]:
        (h, c), (f, g, squash), hidden = state, functions, len(r)
        gates = x + h @ r + bias
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
