"""Builds a function of dnn ops for a front end: arguments, ops whose result types are inferred, constants, names.

What a format adds, such as the values of its variables by name, is kept by the front end in a subclass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.dynamic import DynamicOp, static_attributes
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError, Location, locations
from lastuse.dialect.ir.tensor_types import (
    MAX_CONTENT,
    Dim,
    Shape,
    TensorInfo,
    element_type,
    symbol,
    tensor_type,
    typed,
)
from lastuse.dialect.storage import attrs

SHARED_BYTES = 8192
"""The largest constant of integers that is compared with those before it."""


class FunctionBuilder:
    """
    The function `@main` of a module, being built.

    Attributes:
        module: what is being built; arrays of constants stand beside it (`lastuse.dialect.ir.resources`).
        body: the block of the function.
        location: where the ops that are added next come from; errors name it.
        sizes: the type of each value so far, unknown sizes as polynomials over symbols.
    """

    def __init__(self, file: str) -> None:
        """An empty function from the model in `file`."""
        self.module = ModuleOp([])
        self.location = Location(file)
        self.sizes: dict[SSAValue, TensorInfo] = {}
        self._file = Location(file)
        self._arrays: dict[SSAValue, np.ndarray] = {}
        self._block = self.body = Block()
        self._arguments: list[dict[str, Attribute]] = []
        self._shared: dict[tuple[Hashable, ...], SSAValue] = {}

    def fail(self, message: str) -> NoReturn:
        """Raises a LastuseError at the present location."""
        raise LastuseError(message, self.location)

    def argument(self, name: str, dims: Sequence[int | str], dtype: str) -> SSAValue:
        """Adds an argument. A negative size is unknown: a symbol with the argument's name and, of several, the axis. A
        size that is a string is unknown too, and equal to all others of that name."""
        shape = [dim if isinstance(dim, int) and dim >= 0 else DYNAMIC_INDEX for dim in dims]
        value = self.body.insert_arg(TensorType(element_type(dtype), shape), len(self.body.args))
        value.name_hint = _hint(name)
        several = sum(dim == DYNAMIC_INDEX for dim in shape) > 1
        symbols = [
            symbol(dim if isinstance(dim, str) else f"{name}.{axis}" if several else name)
            for axis, dim in enumerate(dims)
        ]
        self.sizes[value] = typed(value.type, symbols)
        attributes: dict[str, Attribute] = {attrs.NAME: StringAttr(name)}
        if any(isinstance(dim, str) for dim in dims):
            attributes[attrs.SIZES] = ArrayAttr([StringAttr(dim if isinstance(dim, str) else "") for dim in dims])
        self._arguments.append(attributes)
        return value

    def copy_arguments(self, other: FunctionBuilder) -> None:
        """Adds the arguments of another function, with their attributes."""
        for argument, attributes in zip(other.body.args, other._arguments, strict=True):
            copy = self.body.insert_arg(argument.type, len(self.body.args))
            copy.name_hint, self.sizes[copy] = argument.name_hint, other.sizes[argument]
            self._arguments.append(dict(attributes))

    def argument_name(self, argument: SSAValue) -> str:
        """What the source calls an argument."""
        assert isinstance(argument, BlockArgument)
        name = self._arguments[argument.index][attrs.NAME]
        assert isinstance(name, StringAttr)
        return name.data

    def annotate(self, argument: SSAValue, name: str, value: Attribute) -> None:
        """Gives an argument one more attribute."""
        assert isinstance(argument, BlockArgument)
        self._arguments[argument.index][name] = value

    @contextmanager
    def appending_to(self, block: Block) -> Generator[None]:
        """Ops are added to this block, of a region of an op, for as long as the context lasts."""
        outer, self._block = self._block, block
        try:
            yield
        finally:
            self._block = outer

    def scalar(self, value: SSAValue) -> SSAValue:
        """The only element of a tensor, as a scalar that conditions and bounds of `scf` take."""
        from xdsl.dialects import arith, tensor  # few models take elements of tensors

        indices: list[SSAValue] = []
        if len(self.shape(value)):
            zero = arith.ConstantOp.from_int_and_width(0, IndexType())
            self.append(zero)
            indices = [zero.result] * len(self.shape(value))
        extract = tensor.ExtractOp(value, indices, element_type(self.sizes[value].dtype))
        self.append(extract)
        return extract.result

    def signature(self) -> ModuleOp:
        """A module with the arguments of this one, whose function computes nothing."""
        other = FunctionBuilder(self.location.file)
        other.copy_arguments(self)
        resources.share(other.module, self.module)
        return other.finish([], [])

    def finish(
        self, results: Sequence[SSAValue], names: Sequence[str], tied: Sequence[SSAValue | None] = ()
    ) -> ModuleOp:
        """The module, not verified; its function returns `results`, called `names`. `tied`: of each result the argument
        whose memory it ends in."""
        self.append(ReturnOp(*results))
        func = FuncOp(
            "main",
            FunctionType.from_lists(list(self.body.arg_types), [result.type for result in results]),
            Region(self.body),
            arg_attrs=ArrayAttr([DictionaryAttr(attributes) for attributes in self._arguments]),
            res_attrs=_named(names, tied),
        )
        locations[func] = locations[self.module] = self._file
        self.module.body.block.add_op(func)
        return self.module

    def shape(self, value: SSAValue) -> Shape:
        """Sizes, unknown ones as polynomials over symbols."""
        return self.sizes[value].known

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

        `name` is what the source calls the result. `stated` is its type where the op does not infer it from its
        operands; elsewhere the op's shape function says it.

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
        named = {**(attributes or {}), attrs.NAMES: ArrayAttr([StringAttr(n) for n in names])}
        placeholder = TensorType(element_type("f32"), ()) if stated is None else tensor_type(stated)
        infos = [self.sizes[operand] for operand in operands]
        probe = cls.create(operands=operands, result_types=[placeholder] * len(names), attributes=named)
        try:
            inferred = probe.infer([info._replace(content=None) for info in infos])
        finally:
            probe.drop_all_references()
        if stated is not None:
            shape = tuple(s if d is None else d for d, s in zip(inferred[0].shape, stated.shape, strict=True))
            inferred = (inferred[0]._replace(shape=shape), *inferred[1:])
        op = cls.create(operands=operands, result_types=[tensor_type(t) for t in inferred], attributes=named)
        types = [t._replace(content=c) for t, c in zip(inferred, op.contents(infos), strict=True)]
        return self.add_op(op, names, types)

    def emit_dynamic(
        self,
        kind: str,
        operands: Sequence[SSAValue],
        values: Mapping[str, SSAValue],
        attributes: Mapping[str, Attribute] | None = None,
        *,
        names: Sequence[str],
    ) -> Sequence[SSAValue]:
        """
        As `emit_all`, for an op some of whose attributes are the numbers that `values` hold, by name: the op itself
        where these are known, else its form with operands, `dnn.dynamic`.

        Raises:
            UnknownShapeError: the numbers are not known, and decide the rank of a result.
            ValueError: the operands do not fit the op.
        """
        cls, own = OPERATIONS[f"dnn.{kind}"], dict(attributes or {})
        infos = [self.sizes[operand] for operand in operands]
        sources = {name: self.sizes[value] for name, value in values.items()}
        known = static_attributes(cls, own, infos, sources)
        if known is not None:
            return self.emit_all(kind, operands, {**own, **known}, names=names)
        types = cls.infer_dynamic(own, [info._replace(content=None) for info in infos], sources)
        op = DynamicOp.create(
            operands=[*operands, *values.values()],
            result_types=[tensor_type(t) for t in types],
            attributes={
                "op": StringAttr(kind),
                "names": ArrayAttr([StringAttr(name) for name in values]),
                **({"attrs": DictionaryAttr(own)} if own else {}),
                attrs.NAMES: ArrayAttr([StringAttr(n) for n in names]),
            },
        )
        return self.add_op(op, names, types)

    def add_op(self, op: Operation, names: Sequence[str], types: Sequence[TensorInfo]) -> Sequence[SSAValue]:
        """Adds an op whose results have these names and types, and returns them."""
        self.append(op)
        for result, name, type_ in zip(op.results, names, types, strict=True):
            self.describe(result, name, type_)
        return op.results

    def describe(self, value: SSAValue, name: str, type_: TensorInfo) -> None:
        """Gives a value its name, and its type as `sizes` has it: a size that is not known is a symbol of its own."""
        value.name_hint = _hint(name)
        shape = [symbol(f"{name}.{a}", len(self.sizes) + 1) if d is None else d for a, d in enumerate(type_.shape)]
        self.sizes[value] = type_._replace(shape=tuple(shape))

    def append(self, op: Operation) -> None:
        """Adds an op, whose results have no sizes that are known here."""
        locations[op] = self.location
        self._block.add_op(op)

    def constant(self, array: np.ndarray, name: str) -> SSAValue:
        """A constant that the source does not have as a variable. A few integers that the same block has already as a
        constant are that one: zero points, indices and shapes are often equal."""
        if array.dtype.kind in "iub" and array.nbytes <= SHARED_BYTES:
            key = ("constant", array.dtype.str, array.shape, array.tobytes())
            return self.once(key, lambda: self._added(array, name))
        return self._added(array, name)

    def once(self, key: Sequence[Hashable], make: Callable[[], SSAValue]) -> SSAValue:
        """What `make` adds, or has added to the same block for an equal key: a value that several ops read."""
        place = (self._block, *key)
        if place not in self._shared:
            self._shared[place] = make()
        return self._shared[place]

    def _added(self, array: np.ndarray, name: str) -> SSAValue:
        value = self._constant(resources.add_array(self.module, name, array), name)
        self._arrays[value] = array
        return value

    def splat(self, value: float, type_: TensorInfo, name: str) -> SSAValue:
        """A constant of one number repeated; every size of the type is a number."""
        tensor: Any = tensor_type(type_)
        number = float(value) if type_.dtype.startswith(("f", "bf")) else int(value)
        return self._constant(DenseIntOrFPElementsAttr.from_list(tensor, [number]), name)

    def _constant(self, value: DenseIntOrFPElementsAttr | DenseResourceAttr, name: str) -> SSAValue:
        attributes = {"value": value, attrs.NAMES: ArrayAttr([StringAttr(name)])}
        op = OPERATIONS["dnn.constant"].create(result_types=[value.type], attributes=attributes)
        info = typed(value.type)
        if isinstance(value, DenseResourceAttr):
            array = resources.array_of(value, self.module)
            content = tuple(array.reshape(-1).tolist()) if array.size <= MAX_CONTENT else None
        else:
            (content,) = op.contents(())
        return self.add_op(op, [name], [info._replace(content=content)])[0]

    def reshape(self, value: SSAValue, shape: Sequence[Dim], name: str) -> SSAValue:
        """`value` under another shape of as many elements.

        Raises:
            ValueError: the types alone could not say which unknown size of the result is which.
        """
        unknown = [axis for axis, size in enumerate(shape) if not isinstance(size, int)]
        attributes: dict[str, Attribute] = {}
        if len(unknown) > 1:
            have = self.shape(value)
            sizes = [
                size if isinstance(size, int) else 0 if have[a : a + 1] == (size,) else -1
                for a, size in enumerate(shape)
            ]
            if sizes.count(-1) > 1 or 0 in shape:
                raise ValueError("a shape with several unknown sizes that are not the input's is not supported")
            attributes["shape"] = DenseArrayBase.from_list(i64, sizes)
        stated = TensorInfo(tuple(shape), self.sizes[value].dtype)
        return self.emit("reshape", [value], attributes, name=name, stated=stated)


def one_of_two(first: TensorInfo, second: TensorInfo) -> TensorInfo:
    """What is known of a value that is one of two."""
    dims = tuple(a if a == b else None for a, b in zip(first.shape, second.shape, strict=True))
    return TensorInfo(dims, first.dtype)


def _named(names: Sequence[str], tied: Sequence[SSAValue | None]) -> ArrayAttr[DictionaryAttr]:
    rows: list[dict[str, Attribute]] = [{attrs.NAME: StringAttr(name)} for name in names]
    for row, argument in zip(rows, tied, strict=False):
        if isinstance(argument, BlockArgument):
            row[attrs.TIED] = IntegerAttr(argument.index, i32)
    return ArrayAttr([DictionaryAttr(row) for row in rows])


def _hint(name: str) -> str | None:
    """The name as an SSA name, if it can be one."""
    hint = re.sub(r"[^A-Za-z0-9_.$-]", "_", name)
    return hint if SSAValue.is_valid_name(hint) else f"v_{hint}" if SSAValue.is_valid_name(f"v_{hint}") else None
