"""LSTM, GRUs and RNN over dense batches, on our own kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects.builtin import BoolAttr, StringAttr
from xdsl.ir import Attribute
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.buffers import PackedType
from lastuse.dialect.onednn.memory import MemRefLayout, Operand
from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, is_constant
from lastuse.dialect.onednn.step import DestinationStyleBase, OverlapRules
from lastuse.dialect.storage.layout import LayoutMap, permuted, selected

GATES = {"lstm": 4, "lbr_gru": 3, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1, "rnn_logistic": 1}
"""The cells, and how many gates each has."""


class RecurrentNumbers(NamedTuple):
    """Numbers of the ins of a step: x, w and r, and those that it has besides."""

    x: int
    w: int
    r: int
    bias: int | None
    lengths: int | None
    h: int | None
    c: int | None
    peephole: int | None

    @property
    def all_parameters(self) -> tuple[int | None, ...]:
        """Those of w, r, bias and peephole."""
        return self.w, self.r, self.bias, self.peephole

    @property
    def parameters(self) -> list[int]:
        """Those that are packed."""
        return [k for k in self.all_parameters if k is not None]

    @property
    def ins(self) -> int:
        """How many ins there are."""
        return sum(k is not None for k in self)


def numbers_of(cell: str, bias: bool, lengths: bool, peephole: bool, state: bool) -> RecurrentNumbers:
    """The numbers of the ins of a step of this cell."""
    optional = {"bias": bias, "lengths": lengths, "h": state, "c": state and cell == "lstm", "peephole": peephole}
    numbers, free = dict[str, int | None](), 3
    for name, is_there in optional.items():
        numbers[name] = free if is_there else None
        free += is_there
    return RecurrentNumbers(0, 1, 2, **numbers)


def _is_set(attribute: BoolAttr | None) -> bool:
    return attribute is not None and bool(attribute.value.data)


@irdl_op_definition
class OneDnnRecurrentOp(DestinationStyleBase):
    """One direction of a recurrent layer over a batch of sequences, f32; gates are sigmoid, candidates and the output
    of an lstm tanh.

    `cell` is lstm, lbr_gru (the reset comes behind the product), gru, rnn_tanh, rnn_relu or rnn_logistic, with G gates:
    4, 3, 3 or 1. ins: x [T, N, I]; constant weights, packed: w [G*H, I] and r [G*H, H], the gates one under the other
    in ONNX's order (i, o, f, c or z, r, h); if `bias`, b [2*G*H], of w and then of r, packed; if `lengths`, how many
    steps each sequence has, i32 or i64 [N], else all of them; if `state`, the state before the first step, [1, 1, N,
    H], and of an lstm the cells; if `peephole`, of an lstm, p [3*H] of i, o, f, packed. outs: the state of every step
    [T, N, H], 0 after the end of a sequence; the last one [1, 1, N, H], and of an lstm the cells, 0 of a sequence
    without steps. `reverse` walks from the last step of each sequence to the first. Elements of a row are dense, rows
    lie at any strides. The last state may be where the first one is, and the last cells where the first ones are.

    `onednn.recurrent ins(%x, %w, %r : …) outs(%y, %h : …) {cell = "lbr_gru"}`
    """

    name = "onednn.recurrent"
    cell = attr_def(StringAttr)
    reverse = opt_attr_def(BoolAttr)
    bias = opt_attr_def(BoolAttr)
    lengths = opt_attr_def(BoolAttr)
    peephole = opt_attr_def(BoolAttr)
    state = opt_attr_def(BoolAttr)

    @property
    def is_reverse(self) -> bool:
        return _is_set(self.reverse)

    @property
    def numbers(self) -> RecurrentNumbers:
        """Which in is what."""
        flags = self.bias, self.lengths, self.peephole, self.state
        return numbers_of(self.cell.data, *map(_is_set, flags))

    @property
    def gates(self) -> int:
        return GATES[self.cell.data]

    @property
    def hidden(self) -> int:
        """The size of a state."""
        return self.in_memories[self.numbers.r].shape[1]

    def rules(self) -> OverlapRules:
        numbers = self.numbers
        over = {(1, numbers.h), (2, numbers.c)}
        return OverlapRules(over=frozenset((out, k) for out, k in over if k is not None))

    def verify_step(self) -> None:
        cell = self.cell.data
        if cell not in GATES:
            raise VerifyException(f"cell is '{cell}', it must be one of {', '.join(GATES)}")
        if _is_set(self.peephole) and cell != "lstm":
            raise VerifyException(f"a cell {cell} has no peephole")
        numbers, outs = self.numbers, 3 if cell == "lstm" else 2
        if (len(self.ins), len(self.outs)) != (numbers.ins, outs):
            raise VerifyException(
                f"{self.name} has {numbers.ins} ins and {outs} outs, {len(self.ins)} and {len(self.outs)} are given"
            )
        ins, (y, *ends) = self.in_memories, self.out_memories
        x, r = ins[numbers.x], ins[numbers.r]
        if len(x.shape) != 3 or len(r.shape) != 2:
            raise VerifyException(f"a recurrent layer reads steps and rows of weights, not {x} and {r}")
        (steps, batch, inputs), hidden = x.shape, r.shape[1]
        rows = self.gates * hidden
        state = (1, 1, batch, hidden)
        _expect(x, (steps, batch, inputs), "x")
        _expect(ins[numbers.w], (rows, inputs), "w")
        _expect(r, (rows, hidden), "r")
        shapes = {"bias": (2 * rows,), "peephole": (3 * hidden,), "h": state, "c": state}
        for name, shape in shapes.items():
            number: int | None = getattr(numbers, name)
            if number is not None:
                _expect(ins[number], shape, name)
        if numbers.lengths is not None:
            _expect(ins[numbers.lengths], (batch,), "lengths", ("i32", "i64"))
        _expect(y, (steps, batch, hidden), "y")
        for end in ends:
            _expect(end, state, "a last state")
        if not all(isinstance(self.ins[k].type, PackedType) for k in numbers.parameters):
            raise VerifyException("the weights of a recurrent layer are packed")


def _expect(memory: MemRefLayout, shape: tuple[int, ...], what: str, dtypes: tuple[str, ...] = ("f32",)) -> None:
    if memory.shape != shape or memory.dtype not in dtypes or 0 in shape:
        wanted = " or ".join(f"memref<{'x'.join(map(str, shape))}x{dtype}>" for dtype in dtypes)
        raise VerifyException(f"{what} of this layer is {wanted}, not {memory}")
    if shape[-1] > 1 and memory.element_strides[-1] != 1:
        raise VerifyException(f"the rows of {what} of this layer are dense, not {memory}")


@dataclass(frozen=True)
class RecurrentPrimitive(Primitive):
    """A recurrent layer of one or two directions, each a step of its own, with weights that are constants.

    Operands: x; w, r; b if `bias`; sequence_lens if `lengths`; initial_h, and of an lstm initial_c, if `state`; p if
    `peephole`. Results: y, y_h, and of an lstm y_c; all as `dnn.onnx_lstm` has them, with `layout = 1` if
    `batch_first`.
    """

    cell: str
    reverse: tuple[bool, ...] = (False,)
    batch_first: bool = False
    bias: bool = False
    lengths: bool = False
    state: bool = False
    peephole: bool = False

    def emit(self, steps: StepBuilder) -> bool:
        numbers = numbers_of(self.cell, self.bias, self.lengths, self.peephole, self.state)
        if not all(is_constant(steps.ins[k]) for k in numbers.parameters):
            return False
        batch_axis = 0 if self.batch_first else 1
        steps_first = permuted((1 - batch_axis, batch_axis, 2))
        stated = {"bias": self.bias, "lengths": self.lengths, "peephole": self.peephole, "state": self.state}
        attributes: dict[str, Attribute] = {"cell": StringAttr(self.cell)}
        attributes |= {name: BoolAttr.from_bool(True) for name, is_there in stated.items() if is_there}
        states = [k for k in (numbers.h, numbers.c) if k is not None]
        for direction, reverse in enumerate(self.reverse):
            of_weights, of_states = selected(0, direction), selected(1 - batch_axis, direction)
            of_outputs = selected(2 - batch_axis, direction)
            ins = [_part(v, of_weights) if k in numbers.parameters else v for k, v in enumerate(steps.ins)]
            ins[numbers.x] = _part(ins[numbers.x], steps_first)
            for k in states:
                ins[k] = _part(ins[k], of_states).padded(4)
            y, *ends = steps.outs
            outs = [_part(_part(y, of_outputs), steps_first), *(_part(end, of_states).padded(4) for end in ends)]
            own = {"reverse": BoolAttr.from_bool(True)} if reverse else {}
            steps.step(OneDnnRecurrentOp, ins, outs, attributes | own, numbers.parameters)
        return True


def _part(operand: Operand, map_: LayoutMap) -> Operand:
    layout = map_(operand.layout)
    assert layout is not None
    return operand.at(layout)
