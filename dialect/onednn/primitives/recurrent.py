"""LSTM, GRUs and RNN over dense batches, on our own kernels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseArrayBase, FloatAttr, StringAttr, f64
from xdsl.ir import Attribute
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.buffers import PackedType
from lastuse.dialect.onednn.memory import MemRefLayout, Operand
from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, f32_attribute, is_constant
from lastuse.dialect.onednn.step import DestinationStyleBase, OverlapRules
from lastuse.dialect.storage.attrs import floats
from lastuse.dialect.storage.layout import LayoutMap, permuted, selected

GATES = {"lstm": 4, "lbr_gru": 3, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1, "rnn_logistic": 1, "rnn": 1}
"""The cells, and how many gates each has."""

ACTIVATIONS = (
    *("Sigmoid", "Tanh", "Relu", "Identity", "Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh"),
    *("HardSigmoid", "Elu", "Softsign", "Softplus"),
)
"""The functions that gates are passed through."""

FUNCTIONS = {"lstm": 3, "lbr_gru": 2, "gru": 2}
"""How many functions a cell has where that is not one."""


class GateFunction(NamedTuple):
    """What sums are passed through: an ONNX activation.

    Attributes:
        name: as ONNX spells it.
        alpha, beta: its numbers; 0 of those that take none.
    """

    name: str
    alpha: float = 0.0
    beta: float = 0.0


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


class Given(NamedTuple):
    """Which operands of a layer there are that may be left out."""

    bias: bool = False
    lengths: bool = False
    peephole: bool = False
    h: bool = False
    c: bool = False


NOTHING = Given()


def numbers_of(given: Given) -> RecurrentNumbers:
    """The numbers of the ins of a step."""
    optional = {name: getattr(given, name) for name in ("bias", "lengths", "h", "c", "peephole")}
    numbers, free = dict[str, int | None](), 3
    for name, is_there in optional.items():
        numbers[name] = free if is_there else None
        free += is_there
    return RecurrentNumbers(0, 1, 2, **numbers)


def _is_set(attribute: BoolAttr | None) -> bool:
    return attribute is not None and bool(attribute.value.data)


@irdl_op_definition
class OneDnnRecurrentOp(DestinationStyleBase):
    """One direction of a recurrent layer over a batch of sequences, f32.

    `cell` is lstm, lbr_gru (the reset comes behind the product), gru, rnn_tanh, rnn_relu, rnn_logistic or rnn, with G
    gates: 4, 3, 3 or 1. ins: x [T, N, I]; w [G*H, I] and r [G*H, H], the gates one under the other in ONNX's order (i,
    o, f, c or z, r, h); if `bias`, b [2*G*H], of w and then of r; if `lengths`, how many steps each sequence has, i32
    or i64 [N], else all of them; if `state`, the state before the first step, [1, 1, N, H], and of an lstm the cells;
    with `only` = "h" or "c" one of these; if `peephole`, of an lstm, p [3*H] of i, o, f. Weights are constants, packed,
    or none of w, r, b and p is packed, and each run packs them. outs: the state of every step [T, N, H], 0 after the
    end of a sequence; the last one [1, 1, N, H], and of an lstm the cells, 0 of a sequence without steps. `reverse`
    walks from the last step of each sequence to the first. Elements of a row are dense, rows lie at any strides, those
    of weights are dense too. The last state may be where the first one is, and the last cells where the first ones are.

    `functions` are ONNX's activations, of an lstm f, g and h, of a GRU f and g, of an rnn the only one; `parameters`
    alpha and beta of each. Without them gates are sigmoid, candidates and the cells of an lstm tanh; an rnn has them.
    `clip` limits what goes into f and g. With `input_forget` the forget gate of an lstm is 1 - i.

    `onednn.recurrent ins(%x, %w, %r : …) outs(%y, %h : …) {cell = "lbr_gru"}`
    """

    name = "onednn.recurrent"
    cell = attr_def(StringAttr)
    reverse = opt_attr_def(BoolAttr)
    bias = opt_attr_def(BoolAttr)
    lengths = opt_attr_def(BoolAttr)
    peephole = opt_attr_def(BoolAttr)
    state = opt_attr_def(BoolAttr)
    only = opt_attr_def(StringAttr)
    functions = opt_attr_def(ArrayAttr[StringAttr])
    parameters = opt_attr_def(DenseArrayBase)
    clip = opt_attr_def(FloatAttr)
    input_forget = opt_attr_def(BoolAttr)

    @property
    def is_reverse(self) -> bool:
        return _is_set(self.reverse)

    @property
    def numbers(self) -> RecurrentNumbers:
        """Which in is what."""
        return numbers_of(self.given)

    @property
    def given(self) -> Given:
        """Which operands there are."""
        only = None if self.only is None else self.only.data
        h, c = (_is_set(self.state) and only in (None, name) for name in ("h", "c"))
        c = c and self.cell.data == "lstm"
        return Given(_is_set(self.bias), _is_set(self.lengths), _is_set(self.peephole), h, c)

    @property
    def stated_functions(self) -> tuple[GateFunction, ...]:
        """What `functions` and `parameters` say; none without them."""
        names = () if self.functions is None else [name.data for name in self.functions.data]
        values = floats(self.parameters)
        return tuple(GateFunction(name, values[2 * k], values[2 * k + 1]) for k, name in enumerate(names))

    @property
    def limit(self) -> float:
        """What `clip` says; infinite without it."""
        return math.inf if self.clip is None else self.clip.value.data

    @property
    def is_packed(self) -> bool:
        """Whether the weights are constants."""
        return isinstance(self.ins[self.numbers.w].type, PackedType)

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
        if _is_set(self.input_forget) and cell != "lstm":
            raise VerifyException(f"a cell {cell} has no forget gate")
        if self.only is not None and (self.only.data not in ("h", "c") or cell != "lstm"):
            raise VerifyException("only is 'h' or 'c', of an lstm")
        self._verify_functions()
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
        if len({isinstance(self.ins[k].type, PackedType) for k in numbers.parameters}) > 1:
            raise VerifyException("all weights of a recurrent layer are packed, or none")
        if not self.is_packed and not all(ins[k].layout.is_dense for k in numbers.parameters):
            raise VerifyException("weights of a recurrent layer that are not packed are dense")

    def _verify_functions(self) -> None:
        cell, names = self.cell.data, () if self.functions is None else [name.data for name in self.functions.data]
        count = FUNCTIONS.get(cell, 1)
        if len(names) != count and (names or cell == "rnn"):
            raise VerifyException(f"a cell {cell} has {count} functions, {len(names)} are stated")
        unknown = [name for name in names if name not in ACTIVATIONS]
        if unknown:
            raise VerifyException(
                f"the function '{unknown[0]}' is not known, it must be one of {', '.join(ACTIVATIONS)}"
            )
        if len(floats(self.parameters)) != 2 * len(names):
            raise VerifyException(f"parameters are {2 * len(names)} numbers, alpha and beta of each function")
        if not self.limit >= 0:
            raise VerifyException(f"clip is {self.limit}, it must be 0 or more")


def _expect(memory: MemRefLayout, shape: tuple[int, ...], what: str, dtypes: tuple[str, ...] = ("f32",)) -> None:
    if memory.shape != shape or memory.dtype not in dtypes or 0 in shape:
        wanted = " or ".join(f"memref<{'x'.join(map(str, shape))}x{dtype}>" for dtype in dtypes)
        raise VerifyException(f"{what} of this layer is {wanted}, not {memory}")
    if shape[-1] > 1 and memory.element_strides[-1] != 1:
        raise VerifyException(f"the rows of {what} of this layer are dense, not {memory}")


@dataclass(frozen=True)
class RecurrentPrimitive(Primitive):
    """A recurrent layer of one or two directions, each a step of its own.

    Operands: x; w, r; then those that are `given`: b, sequence_lens, initial_h, initial_c and p. Results: y, y_h, and
    of an lstm y_c; all as `dnn.onnx_lstm` has them, with `layout = 1` if `batch_first`.

    Attributes:
        cell: of `GATES`.
        reverse: of each direction.
        functions: of each direction, in the order of the step's; empty for those that the cell's name says.
        limit: of the sums, infinite for none.
        ties_forget: the forget gate of an lstm is 1 - i.
    """

    cell: str
    reverse: tuple[bool, ...] = (False,)
    batch_first: bool = False
    given: Given = NOTHING
    functions: tuple[tuple[GateFunction, ...], ...] = ((),)
    limit: float = math.inf
    ties_forget: bool = False

    def emit(self, steps: StepBuilder) -> bool:
        numbers = numbers_of(self.given)
        packs = [is_constant(steps.ins[k]) for k in numbers.parameters]
        packed = numbers.parameters if all(packs) else []
        if not packed and not all(_part(steps.ins[k], selected(0, 0)).layout.is_dense for k in numbers.parameters):
            return False
        batch_axis = 0 if self.batch_first else 1
        steps_first = permuted((1 - batch_axis, batch_axis, 2))
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
            attributes = self._attributes(reverse, self.functions[direction])
            steps.step(OneDnnRecurrentOp, ins, outs, attributes, packed)
        return True

    def _attributes(self, reverse: bool, functions: Sequence[GateFunction]) -> dict[str, Attribute]:
        given = self.given
        flags = {
            "bias": given.bias,
            "lengths": given.lengths,
            "peephole": given.peephole,
            "state": given.h or given.c,
            "reverse": reverse,
            "input_forget": self.ties_forget,
        }
        attributes: dict[str, Attribute] = {"cell": StringAttr(self.cell)}
        attributes |= {name: BoolAttr.from_bool(True) for name, is_there in flags.items() if is_there}
        if self.cell == "lstm" and given.h != given.c:
            attributes["only"] = StringAttr("h" if given.h else "c")
        if functions:
            attributes["functions"] = ArrayAttr([StringAttr(function.name) for function in functions])
            values = [number for function in functions for number in (function.alpha, function.beta)]
            attributes["parameters"] = DenseArrayBase.from_list(f64, values)
        if self.limit != math.inf:
            attributes["clip"] = f32_attribute(self.limit)
        return attributes


def _part(operand: Operand, map_: LayoutMap) -> Operand:
    layout = map_(operand.layout)
    assert layout is not None
    return operand.at(layout)
