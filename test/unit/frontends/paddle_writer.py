"""Writes small Paddle models for tests: protobuf by hand, so that a mistake in the reader's field numbers shows."""

from __future__ import annotations

import struct
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

DTYPES = {
    "bool": 0,
    "int16": 1,
    "int32": 2,
    "int64": 3,
    "float16": 4,
    "float32": 5,
    "float64": 6,
    "uint8": 20,
    "int8": 21,
}
FEED, FETCH, LOD_TENSOR = 9, 10, 7


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers take ten bytes
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def integer(number: int, value: int) -> bytes:
    return varint(number << 3) + varint(value)


def message(number: int, data: bytes | str) -> bytes:
    data = data.encode() if isinstance(data, str) else data
    return varint(number << 3 | 2) + varint(len(data)) + data


def attr(name: str, value: Any) -> bytes:
    head = message(1, name)
    match value:
        case bool():
            return head + integer(2, 6) + integer(10, value)
        case int() if name == "sub_block":
            return head + integer(2, 8) + integer(12, value)
        case int() if abs(value) < 1 << 31:
            return head + integer(2, 0) + integer(3, value)
        case int():
            return head + integer(2, 9) + integer(13, value)
        case float():
            return head + integer(2, 1) + varint(4 << 3 | 5) + struct.pack("<f", value)
        case str():
            return head + integer(2, 2) + message(5, value)
        case [float(), *_]:
            return head + integer(2, 4) + b"".join(varint(7 << 3 | 5) + struct.pack("<f", v) for v in value)
        case [str(), *_]:
            return head + integer(2, 5) + b"".join(message(8, v) for v in value)
        case list():
            return head + integer(2, 3) + b"".join(integer(6, v) for v in value)
    raise TypeError(value)


def tensor_desc(dtype: int, dims: Sequence[int]) -> bytes:
    return integer(1, dtype) + b"".join(integer(2, d) for d in dims)


def record(array: np.ndarray) -> bytes:
    """One LoDTensor as parameter files have it."""
    desc = tensor_desc(DTYPES[array.dtype.name], array.shape)
    return struct.pack("<IQIi", 0, 0, 0, len(desc)) + desc + array.tobytes()


@dataclass
class Model:
    """A model being written: variables, then ops in order."""

    parameters: dict[str, np.ndarray] = field(default_factory=dict[str, np.ndarray])
    variables: list[bytes] = field(default_factory=list[bytes])
    ops: list[bytes] = field(default_factory=list[bytes])
    blocks: list[list[bytes]] = field(default_factory=list[list[bytes]])

    def variable(self, name: str, dtype: str, dims: Sequence[int], lod: int = 0, persistable: bool = False) -> None:
        lod_tensor = message(1, tensor_desc(DTYPES[dtype], dims)) + integer(2, lod)
        kind = integer(1, LOD_TENSOR) + message(3, lod_tensor)
        self.variables.append(message(1, name) + message(2, kind) + integer(3, persistable))

    def parameter(self, name: str, array: np.ndarray) -> None:
        self.parameters[name] = array
        self.variable(name, array.dtype.name, array.shape, persistable=True)

    def op(
        self, kind: str, inputs: Mapping[str, Sequence[str]], outputs: Mapping[str, Sequence[str]], **attrs: Any
    ) -> None:
        def slots(number: int, given: Mapping[str, Sequence[str]]) -> bytes:
            return b"".join(
                message(number, message(1, slot) + b"".join(message(2, name) for name in names))
                for slot, names in given.items()
            )

        written = b"".join(message(4, attr(name, value)) for name, value in attrs.items())
        self.ops.append(slots(1, inputs) + slots(2, outputs) + message(3, kind) + written)

    def feed(self, name: str, dtype: str, dims: Sequence[int], lod: int = 0, col: int = 0) -> None:
        self.variable(name, dtype, dims, lod)
        self.op("feed", {"X": ["feed"]}, {"Out": [name]}, col=col)

    def fetch(self, name: str, col: int = 0) -> None:
        self.op("fetch", {"X": [name]}, {"Out": ["fetch"]}, col=col)

    @contextmanager
    def block(self) -> Generator[None]:
        """Ops are those of one more block, which an op of the program owns; the first such block has number 1."""
        main, self.ops = self.ops, []
        yield
        self.blocks.append(self.ops)
        self.ops = main

    def program(self) -> bytes:
        holders = [
            message(1, n) + message(2, integer(1, k)) + integer(3, 1) for n, k in (("feed", FEED), ("fetch", FETCH))
        ]
        variables = b"".join(message(3, v) for v in [*holders, *self.variables])
        block = integer(1, 0) + integer(2, -1) + variables + b"".join(message(4, op) for op in self.ops)
        inner = b"".join(
            message(1, integer(1, number) + integer(2, 0) + b"".join(message(4, op) for op in ops))
            for number, ops in enumerate(self.blocks, 1)
        )
        return message(1, block) + inner + message(4, integer(1, 1_006_003))

    def write(self, folder: Path) -> Path:
        """Writes `__model__` and a file per parameter; returns the folder."""
        (folder / "__model__").write_bytes(self.program())
        for name, array in self.parameters.items():
            (folder / name).write_bytes(record(array))
        return folder

    def write_combined(self, folder: Path) -> Path:
        """Writes `inference.pdmodel` and one file with all parameters in the order of their names."""
        (folder / "inference.pdmodel").write_bytes(self.program())
        records = [record(array) for _, array in sorted(self.parameters.items())]
        (folder / "inference.pdiparams").write_bytes(b"".join(records))
        return folder
