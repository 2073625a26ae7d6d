"""
Paddle's ProgramDesc, read with the protobuf library: the messages, and plain dataclasses of what they say.

The message types are declared here at run time; field numbers and wire types are those of Paddle's `framework.proto`
(1.x and 2.x before PIR). Enums are declared as int32 and strings as bytes, which is the same on the wire, so that a
number or a byte this reader does not know becomes an error message of ours. Required fields are optional here for the
same reason. Fields not listed are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

from google.protobuf import descriptor_pb2, message_factory
from google.protobuf.message import DecodeError, Message

from lastuse.dialect.ir.diagnostics import LastuseError, Location

_Field = descriptor_pb2.FieldDescriptorProto

# Message: {number: (name, type)}; a type that ends in * is repeated, one that is no message is a scalar of protobuf.
_MESSAGES: dict[str, dict[int, tuple[str, str]]] = {
    "Version": {1: ("version", "int64")},
    "Attr": {
        1: ("name", "bytes"),
        2: ("type", "int32"),
        3: ("i", "int32"),
        4: ("f", "float"),
        5: ("s", "bytes"),
        6: ("ints", "int32*"),
        7: ("floats", "float*"),
        8: ("strings", "bytes*"),
        10: ("b", "bool"),
        11: ("bools", "bool*"),
        12: ("block_idx", "int32"),
        13: ("l", "int64"),
        14: ("blocks_idx", "int32*"),
        15: ("longs", "int64*"),
        16: ("float64s", "double*"),
        17: ("var_name", "bytes"),
        18: ("vars_name", "bytes*"),
        19: ("float64", "double"),
    },
    "Slot": {1: ("parameter", "bytes"), 2: ("arguments", "bytes*")},
    "OpDesc": {1: ("inputs", "Slot*"), 2: ("outputs", "Slot*"), 3: ("type", "bytes"), 4: ("attrs", "Attr*")},
    "TensorDesc": {1: ("data_type", "int32"), 2: ("dims", "int64*")},
    "LoDTensorDesc": {1: ("tensor", "TensorDesc"), 2: ("lod_level", "int32")},
    "VarType": {1: ("type", "int32"), 3: ("lod_tensor", "LoDTensorDesc")},
    "VarDesc": {1: ("name", "bytes"), 2: ("type", "VarType"), 3: ("persistable", "bool")},
    "BlockDesc": {1: ("idx", "int32"), 2: ("parent_idx", "int32"), 3: ("vars", "VarDesc*"), 4: ("ops", "OpDesc*")},
    "ProgramDesc": {1: ("blocks", "BlockDesc*"), 4: ("version", "Version")},
}

_ATTR_FIELDS = tuple(name for name, _ in _MESSAGES["Attr"].values())[2:]
"""By AttrType, the field that the value stands in. A list without items has no field at all and reads as empty."""

LOD_TENSOR = 7
"""The kind of variable that holds an array."""

MAX_PROGRAM_BYTES = 256 << 20
"""Largest program file read; weights are not in it."""

Value = bool | int | float | str | list[bool] | list[int] | list[float] | list[str]
"""What an attribute of an op can hold."""


def _declare() -> dict[str, type[Message]]:
    file = descriptor_pb2.FileDescriptorProto(name="lastuse/paddle.proto", syntax="proto2")
    for message_name, fields in _MESSAGES.items():
        message = file.message_type.add(name=message_name)
        for number, (name, type_) in fields.items():
            field = message.field.add(name=name, number=number)
            field.label = _Field.LABEL_REPEATED if type_.endswith("*") else _Field.LABEL_OPTIONAL
            kind = type_.rstrip("*")
            field.type = _Field.Type.Value("TYPE_MESSAGE" if kind in _MESSAGES else f"TYPE_{kind.upper()}")
            if kind in _MESSAGES:
                field.type_name = f".{kind}"
    return message_factory.GetMessages([file])


MESSAGES: dict[str, type[Message]] = _declare()
"""The message classes by name."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """Element type (Paddle's number) and sizes, -1 where unknown."""

    data_type: int
    dims: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Var:
    """A variable. `tensor` is None for kinds that hold no array, such as the feed list."""

    name: str
    tensor: Tensor | None
    lod_level: int
    persistable: bool


@dataclass(frozen=True, slots=True)
class PaddleOp:
    """An operation: variable names by slot, attributes by name, `index` counted from 0, block after block."""

    index: int
    type: str
    inputs: dict[str, list[str]]
    outputs: dict[str, list[str]]
    attrs: dict[str, Value]

    @property
    def first_output(self) -> str:
        """The name of the first output, or nothing."""
        return next((name for names in self.outputs.values() for name in names), "")


@dataclass(frozen=True, slots=True)
class PaddleProgram:
    """The blocks of a program, the main one first, each with its ops in the order they run; `vars` of all blocks.

    `version` is Paddle's (1006003 is 1.6.3).
    """

    file: Path
    version: int
    vars: dict[str, Var]
    blocks: list[list[PaddleOp]]

    @property
    def ops(self) -> list[PaddleOp]:
        """The ops of the main block."""
        return self.blocks[0]


def parse_tensor_desc(data: bytes) -> Tensor:
    """A TensorDesc message by itself, as parameter files have it. Raises ValueError if it is none."""
    try:
        return _tensor(MESSAGES["TensorDesc"].FromString(data))
    except DecodeError as error:
        raise ValueError(str(error)) from None


def read_program(file: Path) -> PaddleProgram:
    """
    Reads a serialized ProgramDesc.

    Raises:
        LastuseError: the file cannot be read, is cut off, or is no Paddle program.
    """
    try:
        size = file.stat().st_size
        if size > MAX_PROGRAM_BYTES:
            fail(file, f"a program of {size} bytes is more than the {MAX_PROGRAM_BYTES} this reads")
        desc: Any = MESSAGES["ProgramDesc"].FromString(file.read_bytes())
    except OSError as error:
        fail(file, f"cannot be read: {error.strerror}")
    except DecodeError:
        fail(file, "is no Paddle program, or cut off: it does not parse as a protobuf ProgramDesc")
    if not desc.blocks:
        fail(file, "is no Paddle program: it has no blocks")
    variables = [_var(file, item) for block in reversed(desc.blocks) for item in block.vars]
    numbers = count()
    blocks = [[_op(file, next(numbers), item) for item in block.ops] for block in desc.blocks]
    return PaddleProgram(file, desc.version.version, {var.name: var for var in variables}, blocks)


def fail(file: Path, message: str, line: int = 1) -> NoReturn:
    """Raises a LastuseError at a line of a file."""
    raise LastuseError(message, Location(str(file), line))


def _text(file: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        fail(file, f"the name {data[:40]!r} is not text")


def _tensor(desc: Any) -> Tensor:
    return Tensor(desc.data_type, tuple(desc.dims))


def _var(file: Path, desc: Any) -> Var:
    name = _text(file, desc.name)
    if desc.type.type != LOD_TENSOR:
        return Var(name, None, 0, desc.persistable)
    array = desc.type.lod_tensor
    return Var(name, _tensor(array.tensor), array.lod_level, desc.persistable)


def _op(file: Path, index: int, desc: Any) -> PaddleOp:
    attrs = {_text(file, attr.name): _value(attr) for attr in desc.attrs if 0 <= attr.type < len(_ATTR_FIELDS)}
    return PaddleOp(index, _text(file, desc.type), _slots(file, desc.inputs), _slots(file, desc.outputs), attrs)


def _slots(file: Path, slots: Iterable[Any]) -> dict[str, list[str]]:
    return {_text(file, s.parameter): [_text(file, name) for name in s.arguments] for s in slots if s.arguments}


def _value(attr: Any) -> Value:
    value = getattr(attr, _ATTR_FIELDS[attr.type])
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, (bool, int, float)):
        return value
    return [item.decode(errors="replace") if isinstance(item, bytes) else item for item in value]
