"""What the gradients of ONNX's recurrent ops share: from the last step to the first, all sequences of a batch together.

Nothing but the states y is kept of the forward op. The gates of a step are computed again from the state before it. The
cells of an LSTM, which no result holds, are computed again beforehand.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, StringAttr

from lastuse.dialect.dnn.attributes import by_role, integer, number
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.blas import one_thread
from lastuse.dialect.dnn.recurrent.onnx_activations import Gate, gates_of
from lastuse.dialect.dnn.recurrent.onnx_base import DIRECTIONS, INDICES, lengths_of
from lastuse.dialect.dnn.recurrent.ragged import (
    carve,
    expect_dtype,
    expect_rank,
    expect_shape,
    known_sizes,
    scratch_bytes,
    times,
)
from lastuse.dialect.ir.tensor_types import TensorInfo, numpy_dtype
from lastuse.dialect.storage.attrs import floats
from lastuse.dialect.storage.contract import CPU_ONLY, Contract


class Cell(NamedTuple):
    """One direction.

    Attributes:
        w: [GATES * hidden, inputs].
        r: [GATES * hidden, hidden].
        bias_w, bias_r: [GATES * hidden].
        peephole: [3 * hidden]; zeros where there is none.
        gates: its activations.
    """

    w: Array
    r: Array
    bias_w: Array
    bias_r: Array
    peephole: Array
    gates: Sequence[Gate]


class StepGradient(NamedTuple):
    """How the loss changes with what a step reads.

    Attributes:
        product: with x W + Wb, [rows, GATES * hidden].
        recurrent: with h R + Rb, alike.
        factor: what R was multiplied with, where it was not h for all gates: of the last gate, [rows, hidden].
        state: with the states before the step, but for what comes through R.
        peephole: [3 * hidden] or None.
    """

    product: Array
    recurrent: Array
    factor: Array | None
    state: list[Array]
    peephole: Array | None = None


class OnnxGradBase(DnnOp):
    """Operands and results by role, and the walk from the last step to the first."""

    GATES: ClassVar[int]
    DEFAULTS: ClassVar[tuple[str, ...]]
    STATES: ClassVar[tuple[str, ...]]
    """The operands that hold the states before the first step."""

    def storage(self) -> Contract:
        return Contract(scratch=self._scratch(), strided=True, engines=CPU_ONLY)

    def directions(self) -> tuple[bool, ...]:
        """For each direction whether it is reverse; raises ValueError for one there is not."""
        stated = self.attributes.get("direction")
        name = stated.data if isinstance(stated, StringAttr) else "forward"
        if name not in DIRECTIONS:
            raise ValueError(f"direction is '{name}', it must be one of {', '.join(DIRECTIONS)}")
        return DIRECTIONS[name]

    def batch_axis(self) -> int:
        """Which axis of x are the sequences; raises ValueError for another layout than 0 or 1."""
        layout = integer(self.attributes.get("layout"), 0)
        if layout not in (0, 1):
            raise ValueError(f"layout is {layout}, it must be 0 or 1")
        return 1 - layout

    def gates(self) -> list[list[Gate]]:
        """The activations of each direction; raises ValueError where one is not known, or has not its numbers."""
        stated, count, each = self.attributes.get("activations"), len(self.directions()), len(self.DEFAULTS)
        names = list(self.DEFAULTS) * count
        if isinstance(stated, ArrayAttr):
            names = [name.data for name in stated if isinstance(name, StringAttr)]
        if len(names) != count * each:
            raise ValueError(f"there are {len(names)} activations, {count * each} are needed")
        limit = number(self.attributes.get("clip"), math.inf)
        if not limit >= 0:
            raise ValueError(f"clip is {limit}, it must be 0 or more")
        alphas, betas = (floats(self.attributes.get(f"activation_{name}")) for name in ("alpha", "beta"))
        gates = gates_of(names, alphas, betas, limit)
        return [gates[k : k + each] for k in range(0, len(gates), each)]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return self.gradient_types(by_role(self, operands))

    def gradient_types(self, types: Mapping[str, TensorInfo]) -> tuple[TensorInfo, ...]:
        """Types of the gradients of x, w, r, b, the states and p; raises ValueError where an operand does not fit."""
        x, r = types["x"], types["r"]
        expect_rank("x", x, 3)
        expect_dtype("x", x, "f32", "f64")
        expect_rank("r", r, 3)
        self.gates()
        directions, hidden, by_steps = len(self.directions()), r.shape[2], self.batch_axis() == 1
        rows = times(self.GATES, hidden)
        steps, batch = x.shape[:2] if by_steps else (x.shape[1], x.shape[0])
        state = (directions, batch, hidden) if by_steps else (batch, directions, hidden)
        y = (steps, directions, batch, hidden) if by_steps else (batch, steps, directions, hidden)
        shapes = {
            "w": (directions, rows, x.shape[2]),
            "r": (directions, rows, hidden),
            "b": (directions, times(2, rows)),
            "sequence_lens": (batch,),
            "p": (directions, times(3, hidden)),
            "y": y,
            "y_gradient": y,
        }
        for name in list(types)[1:]:
            dtypes = INDICES if name == "sequence_lens" else (x.dtype,)
            expect_shape(name, types[name], shapes.get(name, state), *dtypes)
        own = [x.shape, *(shapes[name] for name in ("w", "r", "b")), *[state] * len(self.STATES)]
        own += [shapes["p"]] * (len(self.STATES) - 1)
        return tuple(TensorInfo(tuple(shape), x.dtype) for shape in own)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        shapes = [self.result_shape(operands, k) for k in range(len(self.results))]
        results = tuple(np.empty(s, numpy_dtype(self.result_type(k).dtype)) for k, s in enumerate(shapes))
        self.kernel(operands, results, np.empty(self._cell_bytes(operands[0], operands[2]), np.uint8))
        return results

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """Weight gradients are added up step by step, so that nothing is held of other steps but the cells."""
        args, axis = by_role(self, operands), self.batch_axis()
        x, dx = (np.moveaxis(array, axis, 1) for array in (args["x"], results[0]))
        lengths = lengths_of(args.get("sequence_lens"), *x.shape[:2])
        for result in results:
            result[...] = 0
        with np.errstate(all="ignore"), one_thread():
            for k, reverse in enumerate(self.directions()):
                _Walk(self, args, results, scratch, k, reverse, lengths).back(x, dx)

    def cell(self, args: Mapping[str, Array], k: int) -> Cell:
        """Direction number k."""
        w, r = (np.ascontiguousarray(args[name][k]) for name in ("w", "r"))
        rows, hidden = r.shape
        bias = args["b"][k] if "b" in args else np.zeros(2 * rows, w.dtype)
        peephole = args["p"][k] if "p" in args else np.zeros(3 * hidden, w.dtype)
        return Cell(w, r, bias[:rows], bias[rows:], peephole, self.gates()[k])

    @abstractmethod
    def cells_of(self, product: Array, h: Array, c: Array, own: Cell) -> Array:
        """The cells after a step; of an op that has none, what it is given."""

    @abstractmethod
    def step_gradient(self, product: Array, state: list[Array], gradients: list[Array], own: Cell) -> StepGradient:
        """One step.

        Args:
            product: x W + Wb.
            state: h and, of an LSTM, c before the step.
            gradients: how the loss changes with both after it.
        """

    def _cell_bytes(self, x: Array, r: Array) -> int:
        steps, batch = x.shape[1 - self.batch_axis()], x.shape[self.batch_axis()]
        return scratch_bytes({"cells": ((steps if len(self.STATES) > 1 else 0, batch, r.shape[2]), x.dtype)})

    def _scratch(self) -> int:
        """Bytes for the sizes the types state; 0 as long as one of them is unknown."""
        x, r = self.operand_type(0), self.operand_type(2)
        sizes = known_sizes((*x.shape, *r.shape))
        if not sizes:
            return 0
        dtype = numpy_dtype(x.dtype)
        return self._cell_bytes(*(np.broadcast_to(np.zeros((), dtype), part) for part in (sizes[:3], sizes[3:])))


class _Walk:
    """One direction of the gradient, from its last step to its first."""

    def __init__(
        self,
        op: OnnxGradBase,
        args: dict[str, Array],
        results: Sequence[Array],
        scratch: Array,
        number: int,
        reverse: bool,
        lengths: Array,
    ) -> None:
        axis = op.batch_axis()
        self.op, self.own, self.reverse, self.lengths = op, op.cell(args, number), reverse, lengths
        self.sums = [result[number] for result in (*results[1:4], *results[4 + len(op.STATES) :])]
        self.starts = [np.moveaxis(args[n], axis, 1)[number] if n in args else None for n in op.STATES]
        self.into = [np.moveaxis(r, axis, 1)[number] for r in results[4 : 4 + len(op.STATES)]]
        self.y = np.moveaxis(args["y"], 2 * axis, 2)[:, number]
        dy = args.get("y_gradient")
        self.dy = None if dy is None else np.moveaxis(dy, 2 * axis, 2)[:, number]
        names = ("y_h_gradient", "y_c_gradient")[: len(op.STATES)]
        self.ends = [np.moveaxis(args[n], axis, 1)[number] if n in args else None for n in names]
        shape = (len(self.y) if len(op.STATES) > 1 else 0, *self.y.shape[1:])
        self.cells = carve(scratch, {"cells": (shape, self.y.dtype)})["cells"]

    def _rows(self, step: int) -> tuple[Array, Array]:
        """The steps of x at which the sequences are that have this step, and these sequences."""
        running = np.flatnonzero(self.lengths > step)
        return (self.lengths[running] - 1 - step if self.reverse else np.full(len(running), step)), running

    def _before(self, step: int, running: Array) -> list[Array]:
        """The states before a step."""
        shape = (len(running), self.y.shape[2])
        if step == 0:
            return [
                np.zeros(shape, self.y.dtype) if s is None else np.ascontiguousarray(s[running]) for s in self.starts
            ]
        at = self.lengths[running] - step if self.reverse else step - 1
        states = [np.ascontiguousarray(self.y[at, running])]
        return states if len(self.op.STATES) == 1 else [*states, self.cells[step - 1, running]]

    def _product(self, x: Array, at: Array, running: Array) -> tuple[Array, Array]:
        own = np.ascontiguousarray(x[at, running])
        return own, own @ self.own.w.T + self.own.bias_w

    def back(self, x: Array, dx: Array) -> None:
        """Adds to dx, and fills the results of the direction."""
        own, into, last = self.own, self.into, int(self.lengths.max(initial=0))
        for step in range(last if len(self.op.STATES) > 1 else 0):
            at, running = self._rows(step)
            _, product = self._product(x, at, running)
            h, c = self._before(step, running)
            self.cells[step, running] = self.op.cells_of(product, h, c, own)
        for end, part in zip(self.ends, into, strict=True):
            if end is not None:
                part[self.lengths > 0] = end[self.lengths > 0]
        weights, recurrent, bias, *peephole = self.sums
        rows = len(own.w)
        for step in reversed(range(last)):
            at, running = self._rows(step)
            inputs, product = self._product(x, at, running)
            state = self._before(step, running)
            gradients = [np.ascontiguousarray(part[running]) for part in into]
            if self.dy is not None:
                gradients[0] += self.dy[at, running]
            parts = self.op.step_gradient(product, state, gradients, own)
            dx[at, running] += parts.product @ own.w
            weights += parts.product.T @ inputs
            bias[:rows] += parts.product.sum(0)
            bias[rows:] += parts.recurrent.sum(0)
            split = rows if parts.factor is None else rows - state[0].shape[1]
            recurrent[:split] += parts.recurrent[:, :split].T @ state[0]
            if parts.factor is not None:
                recurrent[split:] += parts.recurrent[:, split:].T @ parts.factor
            if peephole and parts.peephole is not None:
                peephole[0] += parts.peephole
            parts.state[0] += parts.recurrent[:, :split] @ own.r[:split]
            for part, value in zip(into, parts.state, strict=True):
                part[running] = value
