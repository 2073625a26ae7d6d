"""A module as JSON: read back ten times as fast as its text.

    {"attributes": ["f32", "memref<8x4xf32>", …], "strings": …, "numbers": …, "names": ["func.func", …], "files": [...],
     "module": record}

A record is an op: the number of its name, the numbers of its operands, of the types of its results, its properties and
its attributes by name, its regions, the numbers of the blocks it branches to, the names of its results in the text, and
its place in the source. Values are numbered in the order in which they are defined, blocks within their region.
Attributes are in their textual form, each different one once; strings and integers, which differ from op to op, are
JSON, and elements of constants hexadecimal. The arrays of `dense_resource` constants are elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, TypeAttribute
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException

from lastuse.dialect.ir.diagnostics import LastuseError, Location, locations, op_name

Record = list[Any]
"""JSON of an op, a block or an attribute."""
WRONG = (LookupError, TypeError, ValueError, AttributeError, AssertionError, OverflowError, DiagnosticException)
"""What reading raises where JSON is no module."""


def encoded(module: ModuleOp, ctx: Context) -> dict[str, Any]:
    """
    The module as JSON values.

    Raises:
        LastuseError: an attribute's text does not give it back; at its op.
    """
    return _RecordWriter(ctx).module(module)


def decoded(ctx: Context, data: Any, name: str) -> ModuleOp:
    """
    The module of `encoded`, not yet verified.

    Args:
        name: what locations call the data.

    Raises:
        LastuseError: the data is no module.
    """
    try:
        return _RecordReader(ctx, data, name).module(data["module"])
    except LastuseError:
        raise
    except WRONG as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise LastuseError(f"holds no module: {reason}", Location(name)) from error


class _RecordWriter:
    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._attributes: dict[Attribute, int] = {}
        self._records: list[Any] = []
        self._texts: dict[str, tuple[int, Attribute, Operation]] = {}
        self._names: dict[str, int] = {}
        self._files: dict[str, int] = {}
        self._values: dict[SSAValue, int] = {}
        self._blocks: dict[Block, int] = {}

    def module(self, module: ModuleOp) -> dict[str, Any]:
        self._number(module)
        record = self._op(module)
        self._check()
        tables = {"texts": list(self._texts), "names": list(self._names), "files": list(self._files)}
        return {"attributes": self._records, **tables, "module": record}

    def _number(self, top: Operation) -> None:
        """Values and blocks get their numbers, in the order in which they are read."""
        for region in top.regions:
            for number, block in enumerate(region.blocks):
                self._blocks[block] = number
            for block in region.blocks:
                for argument in block.args:
                    self._values[argument] = len(self._values)
            for block in region.blocks:
                for op in block.ops:
                    self._number(op)
                    for result in op.results:
                        self._values[result] = len(self._values)

    def _op(self, op: Operation) -> Record:
        return [
            self._names.setdefault(op_name(op), len(self._names)),
            [self._values[value] for value in op.operands],
            [self._attribute(result.type, op) for result in op.results],
            self._dictionary(op.properties, op),
            self._dictionary(op.attributes, op),
            [self._region(region, op) for region in op.regions],
            [self._blocks[block] for block in op.successors],
            [result.name_hint for result in op.results],
            self._location(op),
        ]

    def _region(self, region: Region, op: Operation) -> Record:
        return [
            [
                [self._attribute(argument.type, op) for argument in block.args],
                [argument.name_hint for argument in block.args],
                [self._op(inner) for inner in block.ops],
            ]
            for block in region.blocks
        ]

    def _dictionary(self, attributes: Mapping[str, Attribute], op: Operation) -> dict[str, int]:
        return {name: self._attribute(attribute, op) for name, attribute in attributes.items()}

    def _attribute(self, attribute: Attribute, op: Operation) -> int:
        if attribute not in self._attributes:
            record: Any
            if isinstance(attribute, StringAttr):
                record = attribute.data
            elif isinstance(attribute, IntegerAttr) and attribute.type != i1:
                integer: IntegerAttr[Any] = attribute  # pyright: ignore[reportUnknownVariableType]
                record = [integer.value.data, self._attribute(integer.type, op)]
            elif isinstance(attribute, FloatAttr):
                number: FloatAttr[Any] = attribute  # pyright: ignore[reportUnknownVariableType]
                record = {"float": number.value.data.hex(), "type": self._attribute(number.type, op)}
            elif isinstance(attribute, DenseIntOrFPElementsAttr):
                # The text of elements that are equal is that of one, and 0 equals -0.
                elements: DenseIntOrFPElementsAttr[Any] = attribute  # pyright: ignore[reportUnknownVariableType]
                record = {"dense": elements.data.data.hex(), "type": self._attribute(elements.type, op)}
            elif isinstance(attribute, TensorType | MemRefType) and _is_plain(attribute):
                kind = "tensor" if isinstance(attribute, TensorType) else "memref"
                record = {kind: list(attribute.get_shape()), "type": self._attribute(attribute.element_type, op)}
            else:
                record = self._text(attribute, op)
            self._attributes[attribute] = len(self._records)
            self._records.append(record)
        return self._attributes[attribute]

    def _text(self, attribute: Attribute, op: Operation) -> int:
        stream = StringIO()
        Printer(stream, print_generic_format=True).print_attribute(attribute)
        text = stream.getvalue()
        number, _, _ = self._texts.setdefault(text, (len(self._texts), attribute, op))
        return number

    def _check(self) -> None:
        """What is read back is what was written."""
        from lastuse.frontends.text.mlir_parser import parse_attributes  # which most runs do not need

        read = parse_attributes(self._ctx, ",".join(self._texts), "attributes")
        for (text, (_, attribute, op)), other in zip(self._texts.items(), read, strict=True):
            if attribute != other:
                raise LastuseError(f"{op_name(op)}: an attribute cannot be saved: '{text}' is read as {other}", op)

    def _location(self, op: Operation) -> Record | None:
        location = locations.get(op)
        if location is None:
            return None
        file = self._files.setdefault(location.file, len(self._files))
        return [file, location.line, location.col, location.name]


class _RecordReader:
    def __init__(self, ctx: Context, data: Any, name: str) -> None:
        self._ctx = ctx
        from lastuse.frontends.text.mlir_parser import parse_attributes

        texts = parse_attributes(ctx, ",".join(data["texts"]), name)
        self._attributes: list[Attribute] = []
        for record in data["attributes"]:
            self._attributes.append(self._attribute(record, texts))
        self._classes = [self._class(name) for name in data["names"]]
        self._files: list[str] = [str(file) for file in data["files"]]
        self._values: list[SSAValue] = []
        self._missing: list[tuple[Operation, int, int]] = []
        self._depth = 0
        self._absent = Block(arg_types=[i1]).args[0]

    def module(self, record: Record) -> ModuleOp:
        module = self._op(record, [])
        if not isinstance(module, ModuleOp):
            raise TypeError(f"{op_name(module)} is no module")
        for op, index, number in self._missing:
            op.operands[index] = self._values[number]
        return module

    def _attribute(self, record: Any, texts: Sequence[Attribute]) -> Attribute:
        if isinstance(record, str):
            return StringAttr(record)
        if isinstance(record, list):
            value, type_ = record  # pyright: ignore[reportUnknownVariableType]
            return IntegerAttr(_natural(value, signed=True), self._attributes[_natural(type_)])  # pyright: ignore
        if isinstance(record, dict):
            type_ = self._attributes[_natural(record["type"])]
            if "tensor" in record or "memref" in record:
                kind, shape = next(iter(record.items()))
                sizes = [_natural(n) if n != DYNAMIC_INDEX else n for n in shape]
                return (TensorType if kind == "tensor" else MemRefType)(type_, sizes)  # pyright: ignore
            if "float" in record:
                return FloatAttr(float.fromhex(record["float"]), type_)  # pyright: ignore
            return DenseIntOrFPElementsAttr(type_, BytesAttr(bytes.fromhex(record["dense"])))  # pyright: ignore
        return texts[_natural(record)]

    def _class(self, name: str) -> type[Operation]:
        class_ = self._ctx.get_optional_op(name)
        if class_ is None:
            raise LookupError(f"there is no operation '{name}'")
        return class_

    def _op(self, record: Record, blocks: Sequence[Block]) -> Operation:
        name, operands, types, properties, attributes, regions, successors, hints, place = record
        numbers = [_natural(number) for number in operands]
        known = len(self._values)
        op = self._classes[_natural(name)].create(
            operands=[self._values[n] if n < known else self._absent for n in numbers],
            result_types=[self._type(n) for n in types],
            properties=self._dictionary(properties),
            attributes=self._dictionary(attributes),
            successors=[blocks[_natural(n)] for n in successors],
            regions=[self._region(region) for region in regions],
        )
        self._missing += [(op, index, n) for index, n in enumerate(numbers) if n >= known]
        self._name(op.results, hints)
        self._values += op.results
        if place is not None:
            file, line, col, source_name = place
            named = None if source_name is None else str(source_name)
            locations[op] = Location(self._files[_natural(file)], _natural(line), _natural(col), named)
        return op

    def _region(self, record: Record) -> Region:
        self._depth += 1
        from lastuse.frontends.text.mlir_parser import MAX_NESTING

        if self._depth > MAX_NESTING:
            raise ValueError(f"nested more than {MAX_NESTING} levels deep")
        blocks = [Block(arg_types=[self._type(n) for n in types]) for types, _, _ in record]
        for block, (_, hints, _) in zip(blocks, record, strict=True):
            self._name(block.args, hints)
            self._values += block.args
        for block, (_, _, ops) in zip(blocks, record, strict=True):
            block.add_ops([self._op(op, blocks) for op in ops])
        self._depth -= 1
        return Region(blocks)

    @staticmethod
    def _name(values: Sequence[SSAValue], hints: Sequence[Any]) -> None:
        for value, hint in zip(values, hints, strict=True):
            value.name_hint = None if hint is None else str(hint)

    def _type(self, number: Any) -> Attribute:
        type_ = self._attributes[_natural(number)]
        if not isinstance(type_, TypeAttribute):
            raise TypeError(f"{type_} is no type")
        return type_

    def _dictionary(self, record: Any) -> dict[str, Attribute]:
        return {str(name): self._attributes[_natural(number)] for name, number in record.items()}


def _is_plain(type_: TensorType[Any] | MemRefType[Any]) -> bool:
    """Sizes and an element type are all that it has."""
    same = TensorType if isinstance(type_, TensorType) else MemRefType
    return same(type_.element_type, type_.get_shape()) == type_


def _natural(number: Any, signed: bool = False) -> int:
    """A number of JSON; raises TypeError or ValueError where it is another value, or below 0 unless `signed`."""
    if type(number) is not int:
        raise TypeError(f"{number!r} is no whole number")
    if number < 0 and not signed:
        raise ValueError(f"{number} is below 0")
    return number
