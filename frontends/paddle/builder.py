"""Builds the function of a Paddle program: values by variable name, slots, feeds, sequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from lastuse.dialect.ir.diagnostics import Location
from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.frontends.builder import FunctionBuilder
from lastuse.frontends.paddle.op_attributes import output
from lastuse.frontends.paddle.params import element_type_name
from lastuse.frontends.paddle.proto import PaddleOp, PaddleProgram

Handler = Callable[["PaddleBuilder", PaddleOp, str], SSAValue]
"""Converts one Paddle op; gets the name of the op's output and gives its value. Other outputs it binds itself."""

_OUTPUT_SLOTS = {"batch_norm": "Y", "crf_decoding": "ViterbiPath", "gru": "Hidden", "layer_norm": "Y"}
"""The slot of an op's output, by the op's type; `Out` where it is not here."""


def unary(kind: str, attributes: Callable[[PaddleOp], dict[str, Attribute]] = lambda op: {}) -> Handler:
    """Converts an op with the one input X to `dnn.<kind>` with these attributes."""
    return lambda b, op, name: b.emit(kind, [b.input(op, "X")], attributes(op), name=name)


class PaddleBuilder(FunctionBuilder):
    """
    The function of a Paddle program, being built.

    Handlers ask it for the values of their op's inputs, `emit` dnn ops, and `bind` the outputs.
    """

    def __init__(self, program: PaddleProgram, parameters: Mapping[str, np.ndarray], inputs: Sequence[str]) -> None:
        """
        An empty function whose arguments are the variables `inputs` and the offsets of those that are ragged.

        Raises:
            LastuseError: an input is no array variable of the program, or has more than one level of sequences.
        """
        super().__init__(str(program.file))
        self.program = program
        self.parameters = parameters
        self.values: dict[str, SSAValue] = {}
        self.assigned: set[str] = set()
        self.offsets: dict[SSAValue, SSAValue] = {}
        self._add_arguments(inputs)

    def _add_arguments(self, inputs: Sequence[str]) -> None:
        ragged: list[str] = []
        for name in inputs:
            var = self.program.vars.get(name)
            if var is None or var.tensor is None:
                self.fail(f"the input '{name}' is no array variable of the program")
            dtype = element_type_name(var.tensor.data_type, f"the input '{name}'", self.location)
            self.values[name] = self.argument(name, var.tensor.dims, dtype)
            if var.lod_level > 1:
                self.fail(f"the input '{name}' has {var.lod_level} levels of sequences, one is supported")
            if var.lod_level == 1:
                ragged.append(name)
        for name in ragged:
            self.offsets[self.values[name]] = self.argument(f"{name}.lod", (-1,), "i64")

    def convert(self, op: PaddleOp, handler: Handler) -> None:
        """
        Runs the handler of `op`.

        Raises:
            LastuseError: with the op's place, when the op is not what its type needs or does not fit its operands.
        """
        self.location = Location(str(self.program.file), op.index + 1, 1, op.first_output or None)
        try:
            slot = _OUTPUT_SLOTS.get(op.type, "Out")
            self.bind(op, slot, handler(self, op, output(op, slot)))
        except ValueError as error:
            self.fail(f"{op.type} (output '{op.first_output}'): {error}")

    def finish_at(self, fetches: Sequence[PaddleOp]) -> ModuleOp:
        """The module, whose function returns the variables that the `fetch` ops name."""
        names = [op.inputs["X"][0] for op in fetches]
        results: list[SSAValue] = []
        for op, name in zip(fetches, names, strict=True):
            self.location = Location(str(self.program.file), op.index + 1, 1, name)
            results.append(self.value(name))
        return self.finish(results, names)

    def value(self, name: str) -> SSAValue:
        """The value of a variable; a parameter becomes a constant at its first use."""
        if name in self.values:
            return self.values[name]
        if name not in self.parameters:
            self.fail(f"'{name}' is read, but nothing before computes it")
        self.values[name] = self.constant(self.parameters[name], name)
        return self.values[name]

    def input(self, op: PaddleOp, slot: str) -> SSAValue:
        """The value of the op's only variable in an input slot."""
        value = self.optional(op, slot)
        if value is None:
            raise ValueError(f"the input {slot} is missing")
        return value

    def optional(self, op: PaddleOp, slot: str) -> SSAValue | None:
        """As `input`, None where the slot is not used."""
        names = op.inputs.get(slot, [])
        if len(names) > 1:
            raise ValueError(f"the input {slot} has {len(names)} variables, one is supported")
        return self.value(names[0]) if names else None

    def refuse_inputs(self, op: PaddleOp, *slots: str) -> None:
        """Raises ValueError if the op uses one of these slots, whose meaning has no counterpart here."""
        for slot in slots:
            if op.inputs.get(slot):
                raise ValueError(f"the input {slot} is not supported")

    def parameter(self, op: PaddleOp, slot: str) -> np.ndarray | None:
        """The array of the variable in an input slot, if it is a parameter that no op has written."""
        names = op.inputs.get(slot, [])
        return self.parameters.get(names[0]) if len(names) == 1 and names[0] not in self.assigned else None

    def offsets_of(self, value: SSAValue, op: PaddleOp, slot: str) -> SSAValue:
        """The cumulative lengths of the sequences that `value` consists of."""
        if value not in self.offsets:
            raise ValueError(f"the input {slot} ('{op.inputs[slot][0]}') is not ragged: it comes from no ragged input")
        return self.offsets[value]

    def bind(self, op: PaddleOp, slot: str, value: SSAValue) -> None:
        """Makes `value` the value of the op's variable in an output slot, if the op has one there."""
        for name in op.outputs.get(slot, ()):
            self.values[name] = value
            self.assigned.add(name)

    def add_op(self, op: Operation, names: Sequence[str], types: Sequence[TensorInfo]) -> Sequence[SSAValue]:
        for result in super().add_op(op, names, types):
            ragged = [v for v in op.operands if v in self.offsets and self.shape(v)[:1] == self.shape(result)[:1]]
            if ragged:  # as many rows as a ragged operand: the same sequences
                self.offsets[result] = self.offsets[ragged[0]]
        return op.results
