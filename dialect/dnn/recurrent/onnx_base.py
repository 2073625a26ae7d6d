"""What ONNX's recurrent ops share: dense batches, several directions, sequences that may end before the last step."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr, TensorType, i32
from xdsl.ir import SSAValue
from xdsl.irdl import AttrSizedOperandSegments, operand_def, opt_attr_def, opt_operand_def, result_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    NUMBER,
    by_role,
    engines,
    integer,
    number,
    on_cpu_alone,
    word,
)
from lastuse.dialect.dnn.base import Array, DnnOp, KernelOnlyBase
from lastuse.dialect.dnn.blas import one_thread
from lastuse.dialect.dnn.gathers import IndicesError
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.recurrent.gru_cell import Activation
from lastuse.dialect.dnn.recurrent.onnx_activations import gates_of, named_activations
from lastuse.dialect.dnn.recurrent.onnx_workspace import workspace_type
from lastuse.dialect.dnn.recurrent.ragged import expect, expect_dtype, expect_rank, expect_shape, times
from lastuse.dialect.ir.tensor_types import TensorInfo, tensor_type
from lastuse.dialect.onednn.kernel_call import CALLEES
from lastuse.dialect.onednn.primitives.base import Primitive, f32_attribute
from lastuse.dialect.onednn.primitives.recurrent import GateFunction, Given, RecurrentPrimitive
from lastuse.dialect.storage.attrs import floats
from lastuse.dialect.storage.contract import Backward, Contract, Engine, InPlace, engine_of

DIRECTIONS = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
"""Which of the directions of an op run from the last step to the first."""


INDICES = ("i32", "i64")


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


class OnnxRecurrentBase(KernelOnlyBase):
    """Operands and results by direction, and the walk over the steps."""

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
    activation_alpha = opt_attr_def(DenseArrayBase)
    activation_beta = opt_attr_def(DenseArrayBase)
    clip = opt_attr_def(NUMBER)

    def storage(self) -> Contract:
        # The native kernel is given dense operands alone.
        numbers = by_role(self, range(len(self.operands)))
        states = [name for name in ("initial_h", "initial_c") if name in numbers]
        result = {"initial_h": 1, "initial_c": 2}
        over = tuple(InPlace(result[name], numbers[name]) for name in states)
        return Contract(over, strided=on_cpu_alone(self), engines=engines(self))

    def primitive(self) -> Primitive | None:
        if self.operand_type().dtype != "f32":
            return None
        roles, own = by_role(self, self.operands), self.onednn_cell()
        return RecurrentPrimitive(
            own or self.cell(),
            self.directions(),
            self.batch_axis() == 0,
            Given(*(name in roles for name in ("b", "sequence_lens", "p", "initial_h", "initial_c"))),
            self._gate_functions() if own is None else ((),) * len(self.directions()),
            f32_attribute(self.limit()).value.data,
            self.ties_forget(),
        )

    def _gate_functions(self) -> tuple[tuple[GateFunction, ...], ...]:
        """Those of each direction."""
        alphas, betas = floats(self.activation_alpha), floats(self.activation_beta)
        named = named_activations(self.activation_names(), alphas, betas)
        functions, each = [GateFunction(name, *arguments) for name, arguments in named], len(self.DEFAULTS)
        return tuple(tuple(functions[k : k + each]) for k in range(0, len(functions), each))

    @abstractmethod
    def cell(self) -> str:
        """The cell of the op's formula with any functions."""

    @abstractmethod
    def onednn_cell(self) -> str | None:
        """The cell whose name says the op's functions, with a forget gate of its own; None where there is none."""

    def ties_forget(self) -> bool:
        """Whether the forget gate is 1 - i."""
        return False

    def limit(self) -> float:
        """What goes into the gates is within it; infinite where there is no `clip`."""
        return math.inf if self.clip is None else float(number(self.clip, 0))

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
        if not self.limit() >= 0:
            raise ValueError(f"clip is {self.limit()}, it must be 0 or more")
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
        name = word(self.direction, "forward")
        if name not in DIRECTIONS:
            raise ValueError(f"direction is '{name}', it must be one of {', '.join(DIRECTIONS)}")
        return DIRECTIONS[name]

    def functions(self) -> list[list[Activation]]:
        """The activations of each direction; raises ValueError where one is not known, or has not its numbers."""
        names, each = self.activation_names(), len(self.DEFAULTS)
        gates = gates_of(names, floats(self.activation_alpha), floats(self.activation_beta))
        functions = [gate.function for gate in gates]
        return [functions[k : k + each] for k in range(0, len(functions), each)]

    def activation_names(self) -> list[str]:
        """The names of the activations of all directions; raises ValueError where there are too few or too many."""
        count, stated = len(self.directions()), self.activations
        names = [a.data for a in stated] if stated is not None else list(self.DEFAULTS) * count
        if len(names) != count * len(self.DEFAULTS):
            raise ValueError(f"there are {len(names)} activations, {count * len(self.DEFAULTS)} are needed")
        return names

    def has_activations(self, *names: str) -> bool:
        """Whether each direction has these activations."""
        return [name.lower() for name in self.activation_names()] == list(names) * len(self.directions())

    @abstractmethod
    def step(self, x: Array, state: list[Array], own: OnnxDirection) -> list[Array]:
        """The state after a step.

        Args:
            x: [rows, GATES * hidden], the input times its weights, with its bias.
            state: h [rows, hidden], and what the op has besides.
        """

    def limited(self, x: Array) -> Array:
        """What goes into an activation, within `clip`."""
        return x if self.clip is None else np.clip(x, -self.limit(), self.limit())

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """All sequences of the batch together, step by step; those that have ended stay as they are."""
        args = by_role(self, operands)
        axis = self.batch_axis()
        x, y = np.moveaxis(args["x"], axis, 1), np.moveaxis(results[0], 2 * axis, 2)
        ends = [np.moveaxis(array, axis, 1) for array in results[1:]]
        lengths = lengths_of(args.get("sequence_lens"), *x.shape[:2])
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


class DifferentiableRecurrentBase(OnnxRecurrentBase):
    """One that has gradients: all of its operands are read for these, and the states y."""

    GRADIENT: ClassVar[str]
    """The op that computes them."""
    TRAINING: ClassVar[str | None] = None
    """The op that leaves a workspace for its gradient, if there is one."""

    def storage(self) -> Contract:
        reads = Backward(frozenset(range(len(self.operands))), frozenset({0}))
        return super().storage()._replace(backward=reads)

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        roles = by_role(self, self.operands)
        declared = [name for name, _ in self.get_irdl_definition().operands]
        values = [*(roles.get(name) for name in declared), self.y, *results]
        gradients = builder.emit_all(
            self.GRADIENT,
            *(value for value in values if value is not None),
            results=len(declared) - 1,
            operandSegmentSizes=DenseArrayBase.from_list(i32, [int(value is not None) for value in values]),
            direction=self.direction,
            layout=self.layout,
            activations=self.activations,
            activation_alpha=self.activation_alpha,
            activation_beta=self.activation_beta,
            clip=self.clip,
            linear_before_reset=self.attributes.get("linear_before_reset"),
            input_forget=self.attributes.get("input_forget"),
        )
        by_name = dict(zip((name for name in declared if name != "sequence_lens"), gradients, strict=True))
        return [by_name.get(name) for name in roles]

    def training_form(self) -> DnnOp | None:
        cell = self.onednn_cell()
        if self.TRAINING is None or cell is None or self.training_refusal() is not None:
            return None
        workspace = workspace_type(cell, self.operand_type(), self.operand_type(2), self.batch_axis())
        types = [*(result.type for result in self.results), tensor_type(workspace)]
        attributes = {name: value for name, value in self.attributes.items() if "." not in name}
        cls = CALLEES[f"dnn.{self.TRAINING}"]
        form = cls.create(operands=self.operands, result_types=types, attributes=attributes)
        assert isinstance(form, DnnOp)
        return form

    def training_refusal(self) -> str | None:
        if self.TRAINING is None:
            return None
        if engine_of(self) is Engine.CPU:
            return "dnn.engine is cpu"
        return self.untrainable()

    def untrainable(self) -> str | None:
        """Why the layer has no gradient from a workspace; None where it has one."""
        roles, sizes = by_role(self, self.operands), (self.operand_type().shape[2], self.operand_type(2).shape[2])
        states = [name for name in ("initial_h", "initial_c") if name in roles]
        reasons = {
            "elements are not f32": self.operand_type().dtype != "f32",
            "there are other activations, or input_forget": self.onednn_cell() is None,
            "there is a clip": self.clip is not None,
            "there are sequence_lens": "sequence_lens" in roles,
            "there are peepholes": "p" in roles,
            "there is one initial state of two": len(states) == 1 and isinstance(self, CellStatesBase),
            "the numbers of inputs and channels are not known, or one is 0": None in sizes or 0 in sizes,
        }
        return next((reason for reason, holds in reasons.items() if holds), None)


class CellStatesBase(DnnOp):
    """What an LSTM has besides: its cells, and peepholes to them."""

    initial_c = opt_operand_def(TensorType)
    p = opt_operand_def(TensorType)
    y_c = result_def(TensorType)


def lengths_of(stated: Array | None, steps: int, batch: int) -> Array:
    """The length of every sequence.

    Raises:
        IndicesError: one is negative, or more than there are steps.
    """
    if stated is None:
        return np.full(batch, steps)
    for k, length in enumerate(stated.tolist()):
        if not 0 <= length <= steps:
            raise IndicesError(f"sequence {k} has length {length}, there are {steps} steps")
    return stated.astype(np.int64)
