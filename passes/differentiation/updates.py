"""How an optimizer updates parameters: its states as arguments, one op for each parameter, results in their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    StringAttr,
    TensorType,
    f32,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue

from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import argument_name

RATE, STEP = "lr", "step"
"""Names of the arguments that all updates share: the learning rate, and the number of steps so far."""


@dataclass(frozen=True)
class Optimizer:
    """An update rule: the op `dnn.<kind>`.

    Attributes:
        states: suffixes of the names of its states.
        counts: whether it reads the number of the step.
        options: names of the op's attributes.
    """

    kind: str
    states: Sequence[str] = ()
    counts: bool = False
    options: Sequence[str] = ("weight_decay",)


OPTIMIZERS: Mapping[str, Optimizer] = {
    optimizer.kind: optimizer
    for optimizer in (
        Optimizer("sgd"),
        Optimizer("momentum", ["velocity"], options=["weight_decay", "momentum", "nesterov"]),
        Optimizer("adam", ["m", "v"], counts=True, options=["weight_decay", "beta1", "beta2", "epsilon"]),
    )
}


@dataclass
class StepSignature:
    """Arguments and results that are added to a function; `apply` writes them into its type."""

    func: FuncOp
    results: list[tuple[SSAValue, dict[str, Attribute]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._arguments = [attrs.argument_attributes(argument) for argument in self.func.body.block.args]

    def argument(self, name: str, type_: Attribute) -> BlockArgument:
        """One more argument."""
        block = self.func.body.block
        argument = block.insert_arg(type_, len(block.args))
        argument.name_hint = name.replace(".", "_")
        self._arguments.append({attrs.NAME: StringAttr(name)})
        return argument

    def annotate(self, argument: SSAValue, name: str, value: Attribute) -> None:
        """Gives an argument one more attribute."""
        assert isinstance(argument, BlockArgument)
        self._arguments[argument.index] |= {name: value}

    def result(self, value: SSAValue, name: str, tied: BlockArgument | None = None) -> None:
        """One more result, in the memory of the argument `tied` if there is one."""
        named: dict[str, Attribute] = {attrs.NAME: StringAttr(name)}
        if tied is not None:
            named[attrs.TIED] = IntegerAttr(tied.index, i32)
        self.results.append((value, named))

    def apply(self) -> None:
        """Writes the type and the attributes of the function, and returns the results."""
        func, last = self.func, self.func.body.block.last_op
        assert last is not None
        func.function_type = FunctionType.from_lists(
            list(func.body.block.arg_types), list(func.function_type.outputs.data)
        )
        func.arg_attrs = ArrayAttr([DictionaryAttr(attributes) for attributes in self._arguments])
        attrs.add_results(func, [last], self.results)


class Updates:
    """The updates of one step by an optimizer.

    Args:
        optimizer: the rule.
        options: attributes of its op; None where the op's default holds.
        required: a value without which, if it is not finite, no update runs; None where all do.
    """

    def __init__(
        self,
        signature: StepSignature,
        builder: GradientBuilder,
        optimizer: Optimizer,
        options: Mapping[str, Any],
        required: SSAValue | None = None,
    ) -> None:
        self._signature, self._builder, self._optimizer, self._options = signature, builder, optimizer, options
        self._required = required
        self._shared: dict[str, SSAValue] = {}

    def update(self, parameter: BlockArgument, gradient: SSAValue) -> None:
        """Adds the update of a parameter by its gradient. Its states are arguments, from zeros on; each of these and
        the parameter is written over by its successor."""
        optimizer, name = self._optimizer, argument_name(parameter)
        names = [name, *(f"{name}.{state}" for state in optimizer.states)]
        states = [self._signature.argument(state, parameter.type) for state in names[1:]]
        for state in states:
            self._builder.sizes[state] = self._builder.info(parameter)
        scalars = [self._step()] if optimizer.counts else []
        operands = (parameter, gradient, *states, *scalars, self._rate())
        updated = self._builder.emit_all(optimizer.kind, *operands, results=1 + len(states), **self._options)
        for name, old, new in zip(names, (parameter, *states), updated, strict=True):
            self._signature.result(new, name, old)

    def _rate(self) -> SSAValue:
        if RATE not in self._shared:
            self._shared[RATE] = self._checked(self._signature.argument(RATE, TensorType(f32, ())))
        return self._shared[RATE]

    def _step(self) -> SSAValue:
        if STEP not in self._shared:
            before = self._signature.argument(STEP, TensorType(i64, ()))
            one = self._builder.emit("ones", like=before)
            self._shared[STEP] = self._builder.emit("add", self._checked(before), one)
            self._signature.result(self._shared[STEP], STEP, before)
        return self._shared[STEP]

    def _checked(self, value: SSAValue) -> SSAValue:
        """A value that every update reads: it is there if what is required is finite."""
        if self._required is None:
            return value
        if isinstance(self._required, OpResult):
            self._builder.origin = self._required.op
        return self._builder.emit("require_finite", value, self._required)
