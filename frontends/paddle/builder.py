"""Builds the function of a Paddle program: values by variable name, slots, feeds, states, sequences."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError, Location, NeedsValuesError
from lastuse.dialect.ir.tensor_types import Shape, TensorInfo, element_type
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import ENGINE, Engine
from lastuse.frontends.builder import FunctionBuilder
from lastuse.frontends.paddle.op_attributes import ints_attr, output
from lastuse.frontends.paddle.params import element_type_name
from lastuse.frontends.paddle.proto import PaddleOp, PaddleProgram

Handler = Callable[["PaddleBuilder", PaddleOp, str], SSAValue]
"""Converts one Paddle op; gets the name of the op's output and gives its value. Other outputs it binds itself."""

BINDS_ITSELF = ""
"""The output slot of an op whose handler binds all outputs: a gradient may have any of several."""

_OUTPUT_SLOTS = {
    **dict.fromkeys(("batch_norm", "cross_entropy", "cross_entropy2", "layer_norm"), "Y"),
    **dict.fromkeys(("conv2d", "depthwise_conv2d"), "Output"),
    **dict.fromkeys(("sgd", "momentum", "adam"), "ParamOut"),
    "crf_decoding": "ViterbiPath",
    "gru": "Hidden",
    "softmax_with_cross_entropy": "Loss",
}
"""The slot of an op's output, by the op's type; `Out` where it is not here."""

_OWNERS = ("while", "conditional_block")
"""Ops that own a block, whose outputs are all that it writes."""
SHAPE_SLOT = "XShape"
"""The output slot of a variable that has the shape of the op's input, for the gradient, and no elements."""
GRADIENT = "@GRAD"
"""What the slots of gradients end in."""
NOT_WANTED = "@EMPTY@"
"""The name of an output that the program does not want."""


def unary(kind: str, attributes: Callable[[PaddleOp], dict[str, Attribute]] = lambda op: {}) -> Handler:
    """Converts an op with the one input X to `dnn.<kind>` with these attributes."""
    return lambda b, op, name: b.emit(kind, [b.input(op, "X")], attributes(op), name=name)


def output_slot(type_: str) -> str:
    """The slot of the output of an op of this type."""
    binds_itself = type_.endswith("_grad") or type_ in _OWNERS
    return BINDS_ITSELF if binds_itself else _OUTPUT_SLOTS.get(type_, "Out")


class PaddleBuilder(FunctionBuilder):
    """
    The function of a Paddle program, being built.

    Handlers ask it for the values of their op's inputs, `emit` dnn ops, and `bind` the outputs.

    Attributes:
        saved: values that stand for a variable in gradients, where the variable has other elements.
        shapes: what variables of `SHAPE_SLOT` stand for.
        arms: blocks that run under a condition, by the variables that have a value in them alone.
        made_of: of a value that an op made of its one input X that input, with the type of the op.
    """

    def __init__(
        self,
        program: PaddleProgram,
        parameters: Mapping[str, np.ndarray],
        handlers: Mapping[str, Handler],
        inputs: Mapping[str, Sequence[int]],
        states: Sequence[str],
        results: Sequence[str],
    ) -> None:
        """
        An empty function whose arguments are the inputs, the offsets of those that are ragged, and the states.

        Args:
            handlers: what converts the ops, by their types.
            inputs: the sizes of the variables that are fed, -1 where unknown.
            states: parameters that are arguments, which start from their arrays (`dnn.initial`).
            results: names of the program's results.

        Raises:
            LastuseError: an input is no array variable of the program, or has more than one level of sequences.
        """
        super().__init__(str(program.file))
        self.program = program
        self.parameters = parameters
        self.handlers = handlers
        self.values: dict[str, SSAValue] = {}
        self.assigned: set[str] = set()
        self.offsets: dict[SSAValue, SSAValue] = {}
        self.saved: dict[str, SSAValue] = {}
        self.shapes: dict[str, Shape] = {}
        self.arms: dict[str, Any] = {}
        self.made_of: dict[tuple[str, SSAValue], SSAValue] = {}
        self._computed: dict[Hashable, Operation] = {}
        self._trail: list[Operation] | None = None
        self._placed = any(op.attrs.get("use_mkldnn") is True for ops in program.blocks for op in ops)
        self._outputs = results
        self._add_arguments(inputs)
        self._states = {name: self._state(name) for name in states}

    def _add_arguments(self, inputs: Mapping[str, Sequence[int]]) -> None:
        ragged: list[str] = []
        for name, dims in inputs.items():
            var = self.program.vars.get(name)
            if var is None or var.tensor is None:
                self.fail(f"the input '{name}' is no array variable of the program")
            dtype = element_type_name(var.tensor.data_type, f"the input '{name}'", self.location)
            self.values[name] = self.argument(name, dims, dtype)
            if var.lod_level > 1:
                self.fail(f"the input '{name}' has {var.lod_level} levels of sequences, one is supported")
            if var.lod_level == 1:
                ragged.append(name)
        for name in ragged:
            self.offsets[self.values[name]] = self.argument(f"{name}.lod", (-1,), "i64")

    def _state(self, name: str) -> SSAValue:
        array = self.parameters[name]
        value = resources.add_array(self.module, name, array)
        info = TensorInfo(array.shape, element_type_name(self._data_type(name), f"'{name}'", self.location))
        argument = self.values[name] = self.argument(name, array.shape, info.dtype)
        self.annotate(argument, attrs.INITIAL, value)
        return argument

    def _data_type(self, name: str) -> int:
        tensor = self.program.vars[name].tensor
        assert tensor is not None
        return tensor.data_type

    def convert(self, op: PaddleOp) -> None:
        """
        Adds the dnn ops of an op.

        Raises:
            NeedsValuesError: the gradient needs sizes that are unknown.
            LastuseError: with the op's place, when the op is not what its type needs or does not fit its operands.
        """
        self.location = Location(str(self.program.file), op.index + 1, 1, op.first_output or None)
        before = self._block.last_op
        sources = [self.values[name] for name in op.inputs.get("X", ()) if name in self.values]
        try:
            slot = output_slot(op.type)
            value = self.handlers[op.type](self, op, output(op, slot) if slot else op.first_output)
            if slot:
                self.bind(op, slot, value)
                if len(sources) == 1:
                    self.made_of[op.type, value] = sources[0]
            for name in op.outputs.get(SHAPE_SLOT, ()):
                self.shapes[name] = self.shape(self.input(op, "X"))
        except ValueError as error:
            self.fail(f"{op.type} (output '{op.first_output}'): {error}")
        if self._placed and op.attrs.get("use_mkldnn") is not True:
            self._keep_from_onednn(before)

    def convert_block(self, number: int) -> None:
        """Adds the ops of a block that an op owns. Raises LastuseError as `convert` does."""
        for op in self.program.blocks[number]:
            self.convert(op)

    def _keep_from_onednn(self, before: Operation | None) -> None:
        """Where some ops of the program say that oneDNN computes them, it computes those alone."""
        added = self._block.first_op if before is None else before.next_op
        while added is not None:
            if isinstance(added, DnnOp) and added.primitive() is not None:
                added.attributes[ENGINE] = StringAttr(Engine.CPU.value)
            added = added.next_op

    def finish_at(self, fetches: Sequence[tuple[str, int]]) -> ModuleOp:
        """The module, whose function returns these variables, each named with the number of the op that fetches it, and
        the states that the program has written, in the memory of their arguments."""
        results: list[SSAValue] = []
        for name, index in fetches:
            self.location = Location(str(self.program.file), index + 1, 1, name)
            results.append(self.value(name))
        names = [name for name, _ in fetches]
        updated = [name for name in self._states if name in self.assigned and name not in names]
        names += updated
        results += [self.values[name] for name in updated]
        return self.finish(results, names, [self._states.get(name) for name in names])

    def has_value(self, name: str) -> bool:
        """Whether there is a value of a variable."""
        return name in self.values or name in self.parameters

    def value(self, name: str) -> SSAValue:
        """The value of a variable; a parameter becomes a constant at its first use."""
        if name in self.values:
            return self.values[name]
        if name not in self.parameters:
            self.fail(f"'{name}' is read, but nothing before computes it")
        with self.appending_to(self.body):  # so that all blocks may read it
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
        """The array of the variable in an input slot, if it is a parameter that no op writes."""
        names = op.inputs.get(slot, [])
        fixed = len(names) == 1 and names[0] not in self.assigned and names[0] not in self._states
        return self.parameters.get(names[0]) if fixed else None

    def offsets_of(self, value: SSAValue, op: PaddleOp, slot: str) -> SSAValue:
        """The cumulative lengths of the sequences that `value` consists of."""
        if value not in self.offsets:
            raise ValueError(f"the input {slot} ('{op.inputs[slot][0]}') is not ragged: it comes from no ragged input")
        return self.offsets[value]

    def bind(self, op: PaddleOp, slot: str, value: SSAValue) -> None:
        """Makes `value` the value of the op's variable in an output slot, if the op has one there."""
        for name in op.outputs.get(slot, ()):
            self.assign(name, value)

    def assign(self, name: str, value: SSAValue) -> None:
        """Makes `value` the value of a variable from now on."""
        if name != NOT_WANTED:
            self.values[name] = value
            self.assigned.add(name)

    def is_read(self, name: str, *but_by: str) -> bool:
        """Whether an op reads the variable that is of none of these types."""
        ops = (op for block in self.program.blocks for op in block if op.type not in but_by)
        return any(name in names for op in ops for names in op.inputs.values())

    def differentiates(self, type_: str) -> bool:
        """Whether the program has gradients of ops of this type."""
        return any(op.type == f"{type_}_grad" for op in self.program.ops)

    def shape_of(self, op: PaddleOp) -> Shape:
        """What the op's variable of `SHAPE_SLOT` stands for."""
        names = op.inputs.get(SHAPE_SLOT, [])
        if len(names) != 1 or names[0] not in self.shapes:
            raise ValueError(f"the input {SHAPE_SLOT} is missing")
        return self.shapes[names[0]]

    def zeros(self, shape: Shape, dtype: str, name: str) -> SSAValue:
        """Zeros of this shape.

        Raises:
            NeedsValuesError: a size is unknown.
        """
        sizes = [size for size in shape if isinstance(size, int)]
        if len(sizes) < len(shape):
            raise self.needs_sizes(LastuseError(f"the shape of '{name}' is not known", self.location))
        zero = FloatAttr(0.0, element_type(dtype))  # pyright: ignore
        return self.emit("constant_of_shape", [], {"shape": ints_attr(sizes), "value": zero}, name=name)

    def compared(self, kind: str, a: SSAValue, c: SSAValue, name: str) -> SSAValue:
        """Truth values, by `dnn.<kind>`, which may have numbers as its result too."""
        rank = max(len(self.shape(a)), len(self.shape(c)))
        return self.emit(kind, [a, c], name=name, stated=TensorInfo((None,) * rank, "i1"))

    def needs_sizes(self, error: LastuseError) -> LastuseError:
        """The error for sizes that the inputs do not tell; the same error where they tell all."""
        symbols = self._symbols()
        if not symbols:
            return error
        message = f"{error.message}; it needs the size{'s' * (len(symbols) > 1)} {', '.join(symbols)} (--shape)"
        return NeedsValuesError(message, self.location, symbols, [], self.signature(), self._outputs)

    def _symbols(self) -> list[str]:
        """Names of the unknown sizes of the inputs."""
        dims = [dim for argument in self.body.args for dim in self.shape(argument) if not isinstance(dim, int)]
        return list(dict.fromkeys(symbol.name for dim in dims for symbol in dim.symbols))

    def unbound(self, sizes: Mapping[str, int]) -> dict[str, int]:
        """Those of these sizes that are still unknown."""
        return {name: size for name, size in sizes.items() if name in self._symbols()}

    def add_op(self, op: Operation, names: Sequence[str], types: Sequence[TensorInfo]) -> Sequence[SSAValue]:
        key = _key(op)
        if self._trail is not None and key in self._computed:
            op.drop_all_references()
            op = self._computed[key]
            self._trail.append(op)
            return op.results
        for result in super().add_op(op, names, types):
            ragged = [v for v in op.operands if v in self.offsets and self.shape(v)[:1] == self.shape(result)[:1]]
            if ragged:  # as many rows as a ragged operand: the same sequences
                self.offsets[result] = self.offsets[ragged[0]]
        if self._trail is not None:
            self._trail.append(op)
        elif self._block is self.body:
            self._computed[key] = op
        return op.results

    def with_saved_results(self, value: SSAValue, wanted: bool) -> Sequence[SSAValue]:
        """The results of the op that has just computed `value`, with those that its gradient reads if they are
        `wanted`."""
        op = value.owner
        assert isinstance(op, DnnOp)
        form = op.training_form() if wanted else None
        if form is None:
            return op.results
        names = [attrs.source_name(result) or "" for result in op.results]
        names += [f"{names[0]}/saved{number}" for number in range(len(form.results) - len(names))]
        form.attributes[attrs.NAMES] = ArrayAttr([StringAttr(name) for name in names])
        if self._trail is not None:
            self._trail.remove(op)
        op.detach()
        results = self.add_op(form, names, form.infer([self.sizes[operand] for operand in form.operands]))
        op.erase()
        return results

    @contextmanager
    def again(self) -> Generator[list[Operation]]:
        """Ops that handlers emit are those of the main block that compute the same, where there are such. What they
        emit or find is listed, each op behind those that it reads."""
        outer, self._trail = self._trail, []
        try:
            yield self._trail
        finally:
            self._trail = outer


def _key(op: Operation) -> Hashable:
    """Ops of one key compute the same values."""
    stated = frozenset((name, value) for name, value in op.attributes.items() if name != attrs.NAMES)
    return type(op), tuple(op.operands), stated
