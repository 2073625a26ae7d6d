"""Builds the function of a Paddle program: values by variable name, sizes, sequences, locations."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError, Location, locations
from lastuse.dialect.ir.dtypes import element_type
from lastuse.dialect.ir.symbolic_shape import Dim, Shape, TensorInfo, symbol, typed
from lastuse.dialect.storage import attrs
from lastuse.frontends.paddle.params import element_type_name
from lastuse.frontends.paddle.proto import PaddleOp, PaddleProgram

Handler = Callable[["Builder", PaddleOp], None]
"""Converts one Paddle op."""


class Builder:
    """
    The function being built.

    Handlers ask it for the values of their op's inputs, `emit` dnn ops, and `bind` the outputs.
    """

    def __init__(self, program: PaddleProgram, parameters: Mapping[str, np.ndarray], inputs: Sequence[str]) -> None:
        """
        An empty function whose arguments are the variables `inputs` and the offsets of those that are ragged.

        Raises:
            LastuseError: an input is no array variable of the program, or has more than one level of sequences.
        """
        self.program = program
        self.parameters = parameters
        self.module = ModuleOp([])
        self.block = Block()
        self.values: dict[str, SSAValue] = {}
        self.assigned: set[str] = set()
        self.sizes: dict[SSAValue, TensorInfo] = {}
        self.offsets: dict[SSAValue, SSAValue] = {}
        self.location = Location(str(program.file))
        self.argument_names: list[str] = []
        self._add_arguments(inputs)

    def _add_arguments(self, inputs: Sequence[str]) -> None:
        ragged: list[str] = []
        for name in inputs:
            var = self.program.vars.get(name)
            if var is None or var.tensor is None:
                self.fail(f"the input '{name}' is no array variable of the program")
            dtype = element_type_name(var.tensor.data_type, f"the input '{name}'", self.location)
            self.values[name] = self._argument(name, var.tensor.dims, dtype)
            if var.lod_level > 1:
                self.fail(f"the input '{name}' has {var.lod_level} levels of sequences, one is supported")
            if var.lod_level == 1:
                ragged.append(name)
        for name in ragged:
            self.offsets[self.values[name]] = self._argument(f"{name}.lod", (-1,), "i64")

    def _argument(self, name: str, dims: Sequence[int], dtype: str) -> SSAValue:
        shape = [DYNAMIC_INDEX if dim < 0 else dim for dim in dims]
        value = self.block.insert_arg(TensorType(element_type(dtype), shape), len(self.block.args))
        value.name_hint = _hint(name)
        several = sum(dim < 0 for dim in dims) > 1
        symbols = [symbol(f"{name}.{axis}" if several else name) for axis in range(len(dims))]
        self.sizes[value] = typed(value.type, symbols)
        self.argument_names.append(name)
        return value

    def convert(self, op: PaddleOp, handler: Handler) -> None:
        """
        Runs the handler of `op`.

        Raises:
            LastuseError: with the op's place, when the op is not what its type needs or does not fit its operands.
        """
        self.location = Location(str(self.program.file), op.index + 1, 1, op.first_output or None)
        try:
            handler(self, op)
        except ValueError as error:
            self.fail(f"{op.type} (output '{op.first_output}'): {error}")

    def fail(self, message: str) -> NoReturn:
        """Raises a LastuseError at the op being converted."""
        raise LastuseError(message, self.location)

    def finish(self, fetches: Sequence[PaddleOp]) -> ModuleOp:
        """The module, whose function returns the variables that the `fetch` ops name."""
        names = [op.inputs["X"][0] for op in fetches]
        results: list[SSAValue] = []
        for op, name in zip(fetches, names, strict=True):
            self.location = Location(str(self.program.file), op.index + 1, 1, name)
            results.append(self.value(name))
        self._add(ReturnOp(*results))
        arguments, types = self.block.arg_types, [result.type for result in results]
        func = FuncOp(
            "main",
            FunctionType.from_lists(list(arguments), types),
            Region(self.block),
            arg_attrs=_named(self.argument_names),
            res_attrs=_named(names),
        )
        locations[func] = locations[self.module] = Location(str(self.program.file))
        self.module.body.block.add_op(func)
        return self.module

    # What an op says.

    def value(self, name: str) -> SSAValue:
        """The value of a variable; a parameter becomes a constant at its first use."""
        if name in self.values:
            return self.values[name]
        if name not in self.parameters:
            self.fail(f"'{name}' is read, but nothing before computes it")
        value = resources.put(self.module, name, self.parameters[name])
        self.values[name] = self._constant(value, name)
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

    def shape(self, value: SSAValue) -> Shape:
        """Sizes, unknown ones as polynomials over symbols."""
        return self.sizes[value].known

    def offsets_of(self, value: SSAValue, op: PaddleOp, slot: str) -> SSAValue:
        """The cumulative lengths of the sequences that `value` consists of."""
        if value not in self.offsets:
            raise ValueError(f"the input {slot} ('{op.inputs[slot][0]}') is not ragged: it comes from no ragged input")
        return self.offsets[value]

    # Building.

    def emit(
        self,
        kind: str,
        operands: Sequence[SSAValue],
        attributes: Mapping[str, Attribute] | None = None,
        *,
        name: str,
        stated: TensorInfo | None = None,
    ) -> SSAValue:
        """
        Adds `dnn.<kind>`, which has one result, and returns it.

        `name` is what the source calls the result. `stated` is its type where the op does not follow it from its
        operands; elsewhere the op's own shape function says it.

        Raises:
            ValueError: the operands do not fit the op.
        """
        return self.emit_all(kind, operands, attributes, names=[name], stated=stated)[0]

    def emit_all(
        self,
        kind: str,
        operands: Sequence[SSAValue],
        attributes: Mapping[str, Attribute] | None = None,
        *,
        names: Sequence[str],
        stated: TensorInfo | None = None,
    ) -> Sequence[SSAValue]:
        """
        As `emit`, for an op with a result for each of `names`; `stated` is the type of the first.

        Raises:
            ValueError: the operands do not fit the op.
        """
        cls = OPERATIONS[f"dnn.{kind}"]
        given = dict(attributes or {})
        placeholder = TensorType(element_type("f32"), ()) if stated is None else _type(stated)
        probe = cls.create(operands=operands, result_types=[placeholder] * len(names), attributes=given)
        try:
            inferred = probe.infer([self.sizes[operand] for operand in operands])
        finally:
            probe.drop_all_references()
        if stated is not None:
            inferred = (_join(inferred[0], stated), *inferred[1:])
        given[attrs.NAMES] = ArrayAttr([StringAttr(n) for n in names])
        op = cls.create(operands=operands, result_types=[_type(t) for t in inferred], attributes=given)
        return self._add_dnn(op, names, inferred)

    def _add_dnn(self, op: DnnOp, names: Sequence[str], types: Sequence[TensorInfo]) -> Sequence[SSAValue]:
        self._add(op)
        for result, name, type_ in zip(op.results, names, types, strict=True):
            result.name_hint = _hint(name)
            # A size the op cannot tell is a symbol of its own.
            shape = [symbol(f"{name}.{a}", len(self.sizes)) if d is None else d for a, d in enumerate(type_.shape)]
            self.sizes[result] = TensorInfo(tuple(shape), type_.dtype)
            rows = [v for v in op.operands if v in self.offsets and self.shape(v)[:1] == tuple(shape[:1])]
            if rows:  # as many rows as a ragged operand: the same sequences
                self.offsets[result] = self.offsets[rows[0]]
        return op.results

    def _add(self, op: Operation) -> None:
        locations[op] = self.location
        self.block.add_op(op)

    def bind(self, op: PaddleOp, slot: str, value: SSAValue) -> None:
        """Makes `value` the value of the op's variable in an output slot, if the op has one there."""
        for name in op.outputs.get(slot, ()):
            self.values[name] = value
            self.assigned.add(name)

    def constant(self, array: np.ndarray, name: str) -> SSAValue:
        """A constant that the source does not have as a variable."""
        return self._constant(resources.put(self.module, name, array), name)

    def splat(self, value: float, type_: TensorInfo, name: str) -> SSAValue:
        """A constant of one number repeated; every size of the type is a number."""
        tensor: Any = _type(type_)
        number = float(value) if type_.dtype.startswith(("f", "bf")) else int(value)
        return self._constant(DenseIntOrFPElementsAttr.from_list(tensor, [number]), name)

    def _constant(self, value: Attribute, name: str) -> SSAValue:
        type_ = getattr(value, "type", None)
        assert isinstance(type_, TensorType)
        attributes = {"value": value, attrs.NAMES: ArrayAttr([StringAttr(name)])}
        op = OPERATIONS["dnn.constant"].create(result_types=[type_], attributes=attributes)
        return self._add_dnn(op, [name], [typed(type_)])[0]

    def reshape(self, value: SSAValue, shape: Sequence[Dim], name: str) -> SSAValue:
        """`value` under another shape of as many elements.

        Raises:
            ValueError: the types alone could not say which unknown size of the result is which.
        """
        unknown = [axis for axis, size in enumerate(shape) if not isinstance(size, int)]
        attributes: dict[str, Attribute] = {}
        if len(unknown) > 1:
            have = self.shape(value)
            said = [
                size if isinstance(size, int) else 0 if have[a : a + 1] == (size,) else -1
                for a, size in enumerate(shape)
            ]
            if said.count(-1) > 1 or 0 in shape:
                raise ValueError("a shape with several unknown sizes that are not the input's is not supported")
            attributes["shape"] = DenseArrayBase.from_list(i64, said)
        stated = TensorInfo(tuple(shape), self.sizes[value].dtype)
        return self.emit("reshape", [value], attributes, name=name, stated=stated)


def _type(value: TensorInfo) -> TensorType[Attribute]:
    return TensorType(element_type(value.dtype), [d if isinstance(d, int) else DYNAMIC_INDEX for d in value.shape])


def _join(inferred: TensorInfo, stated: TensorInfo) -> TensorInfo:
    """What the op knows of its result, and what the importer knows where the op does not."""
    shape = tuple(s if d is None else d for d, s in zip(inferred.shape, stated.shape, strict=True))
    return TensorInfo(shape, inferred.dtype)


def _named(names: Sequence[str]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr([DictionaryAttr({attrs.NAME: StringAttr(name)}) for name in names])


def _hint(name: str) -> str | None:
    """The name as an SSA name, if it can be one."""
    hint = re.sub(r"[^A-Za-z0-9_.$-]", "_", name)
    return hint if SSAValue.is_valid_name(hint) else f"v_{hint}" if SSAValue.is_valid_name(f"v_{hint}") else None
