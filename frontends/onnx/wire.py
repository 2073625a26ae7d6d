"""
Takes the elements of large tensors out of a serialized model before protobuf parses it.

Protobuf copies every `raw_data` that it parses. `take_out` gives the same message with a short token in place of each
large payload, and where that payload is in the file: the parsed message is small, and arrays are views of the file.

Only the fields on the way to a tensor are looked at; a message that is not well formed at this level is handed on as it
is, for protobuf to refuse.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

LARGE = 1 << 10
"""Bytes from which the elements of a tensor are taken out."""

_TENSOR = "TensorProto"
_ON_THE_WAY: dict[str, dict[int, str]] = {
    "ModelProto": {7: "GraphProto", 25: "FunctionProto"},
    "GraphProto": {1: "NodeProto", 5: _TENSOR},
    "FunctionProto": {7: "NodeProto"},
    "NodeProto": {5: "AttributeProto"},
    "AttributeProto": {5: _TENSOR, 6: "GraphProto", 10: _TENSOR, 11: "GraphProto"},
}
"""By message: the numbers of the fields that lead to a tensor, and the message that each of them holds."""
_FLOAT_DATA, _RAW_DATA, _DOUBLE_DATA = 4, 9, 10
_PAYLOADS = (_FLOAT_DATA, _RAW_DATA, _DOUBLE_DATA)
"""The fields of a tensor that hold elements as they lie in memory, little endian, when they are packed."""
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_MAX_DEPTH = 100
"""Nested messages that protobuf parses at most."""


@dataclass(frozen=True, slots=True)
class Payload:
    """Where the elements of a tensor are: an offset and a length in bytes, and the field that holds them."""

    offset: int
    length: int
    field: int

    @property
    def is_raw(self) -> bool:
        """Whether the field is `raw_data`, which has elements of any type."""
        return self.field == _RAW_DATA

    @property
    def field_name(self) -> str:
        return {_FLOAT_DATA: "float_data", _RAW_DATA: "raw_data", _DOUBLE_DATA: "double_data"}[self.field]


@dataclass(slots=True)
class Payloads:
    """What was taken out of a model. A token is unguessable, so that no file can hold one."""

    _key: bytes = field(default_factory=lambda: os.urandom(16))
    _all: list[Payload] = field(default_factory=list)

    def add(self, payload: Payload) -> bytes:
        """The token that stands for `payload`."""
        self._all.append(payload)
        return self._key + (len(self._all) - 1).to_bytes(8, "little")

    def get(self, raw_data: bytes) -> Payload | None:
        """The payload that `raw_data` is the token of, None where it is elements."""
        if len(raw_data) != 24 or not raw_data.startswith(self._key):
            return None
        return self._all[int.from_bytes(raw_data[16:], "little")]


def take_out(data: memoryview) -> tuple[bytes, Payloads]:
    """A serialized ModelProto without the elements of its large tensors, and where these are in `data`."""
    payloads = Payloads()
    shorter = _without(data, 0, len(data), "ModelProto", payloads, 0)
    return bytes(data) if shorter is None else shorter, payloads


def _without(data: memoryview, start: int, end: int, kind: str, payloads: Payloads, depth: int) -> bytes | None:
    """The message of `kind` in `data[start:end]` with tokens in place of payloads; None if it stays as it is."""
    if depth > _MAX_DEPTH:
        return None
    parts: list[bytes | memoryview] = []
    kept = start
    try:
        if kind == _TENSOR:
            replacements = _tensor_payloads(data, start, end, payloads)
        else:
            replacements = _shorter_fields(data, start, end, kind, payloads, depth)
        for first, number, content, last in replacements:
            parts += [data[kept:first], _varint_bytes(number << 3 | _BYTES), _varint_bytes(len(content)), content]
            kept = last
    except _IllFormed:
        return None
    return b"".join([*parts, data[kept:end]]) if parts else None


_Replacement = tuple[int, int, bytes, int]
"""Where a field begins, its new number and content, where it ends."""


def _shorter_fields(
    data: memoryview, start: int, end: int, kind: str, payloads: Payloads, depth: int
) -> Iterator[_Replacement]:
    nested = _ON_THE_WAY[kind]
    for first, number, wire_type, body, last in _fields(data, start, end):
        if last - body >= LARGE and wire_type == _BYTES and number in nested:
            content = _without(data, body, last, nested[number], payloads, depth + 1)
            if content is not None:
                yield first, number, content, last


def _tensor_payloads(data: memoryview, start: int, end: int, payloads: Payloads) -> Iterator[_Replacement]:
    """The one payload of a tensor. One with several, which protobuf would join or drop, stays for protobuf to parse."""
    elements = [item for item in _fields(data, start, end) if item[1] in _PAYLOADS]
    if len(elements) != 1:
        return
    ((first, number, wire_type, body, last),) = elements
    if wire_type == _BYTES and last - body >= LARGE:
        yield first, _RAW_DATA, payloads.add(Payload(body, last - body, number)), last


class _IllFormed(Exception):
    """The bytes are no sequence of fields."""


def _fields(data: memoryview, start: int, end: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Each field of a message: where it begins, its number, its wire type, where its content begins and ends."""
    at = start
    while at < end:
        first = at
        tag, at = _varint(data, at, end)
        wire_type = tag & 7
        if wire_type == _BYTES:
            length, at = _varint(data, at, end)
            last = at + length
        elif wire_type == _VARINT:
            _, last = _varint(data, at, end)
        elif wire_type in (_FIXED64, _FIXED32):
            last = at + (8 if wire_type == _FIXED64 else 4)
        else:
            raise _IllFormed
        if last > end:
            raise _IllFormed
        yield first, tag >> 3, wire_type, at, last
        at = last


def _varint(data: memoryview, at: int, end: int) -> tuple[int, int]:
    """The number at `at`, and where it ends."""
    value = shift = 0
    while at < end and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    raise _IllFormed


def _varint_bytes(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
