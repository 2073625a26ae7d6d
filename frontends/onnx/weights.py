"""
Tensors of an ONNX model as arrays.

An array is a read-only view of the mapped file that holds its elements, the model or a file of external data; only
elements that are not aligned in the file, or that the file has as numbers of another width, are copied. Every size and
offset in a model is untrusted: it is compared with the bytes that are there before an array is made.
"""

from __future__ import annotations

import mmap
import os
import stat
import sys
from math import prod
from pathlib import Path
from typing import NoReturn

import ml_dtypes
import numpy as np
from onnx import SparseTensorProto, TensorProto

from lastuse.dialect.ir.diagnostics import LastuseError, Location, UnsupportedError
from lastuse.dialect.ir.tensor_types import ADDRESS_SPACE, name_of_dtype
from lastuse.frontends.onnx.scopes import is_text
from lastuse.frontends.onnx.wire import Payloads

MAX_DENSE_BYTES = 64 << 20
"""Bytes that the sparse tensors of a model have in all when they are written out."""

_TYPES: dict[int, tuple[np.dtype, str]] = {
    TensorProto.FLOAT: (np.dtype(np.float32), "float_data"),
    TensorProto.DOUBLE: (np.dtype(np.float64), "double_data"),
    TensorProto.FLOAT16: (np.dtype(np.float16), "int32_data"),
    TensorProto.BFLOAT16: (np.dtype(ml_dtypes.bfloat16), "int32_data"),
    TensorProto.INT8: (np.dtype(np.int8), "int32_data"),
    TensorProto.INT16: (np.dtype(np.int16), "int32_data"),
    TensorProto.INT32: (np.dtype(np.int32), "int32_data"),
    TensorProto.INT64: (np.dtype(np.int64), "int64_data"),
    TensorProto.UINT8: (np.dtype(np.uint8), "int32_data"),
    TensorProto.UINT16: (np.dtype(np.uint16), "int32_data"),
    TensorProto.UINT32: (np.dtype(np.uint32), "uint64_data"),
    TensorProto.UINT64: (np.dtype(np.uint64), "uint64_data"),
    TensorProto.BOOL: (np.dtype(np.bool_), "int32_data"),
}
"""The dtype of an element type, and the field that holds its elements where they are not in `raw_data`."""
_FIELDS = ("float_data", "double_data", "int32_data", "int64_data", "uint64_data", "string_data")


def type_name(data_type: int) -> str:
    """ONNX's name of an element type: `FLOAT8E4M3FN`; `number 99` where it has none."""
    names = TensorProto.DataType.DESCRIPTOR.values_by_number
    return names[data_type].name if data_type in names else f"number {data_type}"


def dtype_of(data_type: int) -> np.dtype:
    """The numpy dtype of ONNX's element type; raises ValueError where the program has no such element type."""
    dtype, _ = _TYPES.get(data_type, (None, ""))
    if dtype is None:
        raise ValueError(f"element type {type_name(data_type)} is not supported")
    name_of_dtype(dtype)
    return dtype


class TensorReader:
    """
    Makes arrays of a model's tensors.

    Args:
        file: what errors name.
        data: the model as it is in the file.
        payloads: where the elements of large tensors are in `data`.
        folder: where external data are; None where the model is no file, and may have none.
    """

    def __init__(self, file: str, data: memoryview, payloads: Payloads, folder: Path | None) -> None:
        self._file = file
        self._data = data
        self._payloads = payloads
        self._folder = folder
        self._maps: dict[str, memoryview] = {}
        self._external: dict[tuple[str, int, int, np.dtype], np.ndarray] = {}
        self._external_bytes = 0
        self._dense_bytes = 0

    def array(self, tensor: TensorProto, what: str, line: int = 1) -> np.ndarray:
        """
        The elements of `tensor`, read-only. Errors call it `what` and are at `line`.

        Raises:
            LastuseError: its type is not supported, or its elements are not those that its sizes need.
        """
        located = _Fault(what, Location(self._file, line))
        try:
            dtype = dtype_of(tensor.data_type)
        except ValueError as error:
            raise UnsupportedError(f"{what}: {error}", located.location) from None
        shape = _checked_shape(tensor.dims, dtype, located)
        if tensor.HasField("segment"):
            located.fail("a tensor in segments is not supported")
        present = [name for name in _FIELDS if len(getattr(tensor, name))]
        external = tensor.data_location == TensorProto.EXTERNAL
        sources = len(present) + bool(tensor.raw_data) + external
        if sources > 1:
            located.fail("has its elements in more than one place")
        if sources == 0:
            if prod(shape):
                located.fail(f"has {prod(shape):,} elements and no data")
            elements = np.empty(0, dtype)
        elif external:
            elements = self._external_elements(tensor, dtype, prod(shape), located)
        elif tensor.raw_data:
            elements = self._raw_elements(tensor.raw_data, dtype, prod(shape), located)
        else:
            elements = _typed_elements(tensor, present[0], dtype, prod(shape), located)
        if dtype == np.bool_ and elements.size and elements.view(np.uint8).max() > 1:
            elements = elements.view(np.uint8) != 0
        result = elements.reshape(shape)
        result.flags.writeable = False
        return result

    def dense_array(self, sparse: SparseTensorProto, what: str, line: int = 1) -> np.ndarray:
        """
        The dense array of a sparse tensor, read-only.

        Raises:
            LastuseError: as `array` does; its indices are wrong; or the model has too much of them.
        """
        located = _Fault(what, Location(self._file, line))
        values = self.array(sparse.values, f"the values of {what}", line)
        indices = self.array(sparse.indices, f"the indices of {what}", line)
        shape = _checked_shape(sparse.dims, values.dtype, located)
        self._dense_bytes += prod(shape) * values.dtype.itemsize
        if self._dense_bytes > MAX_DENSE_BYTES:
            located.fail(f"the sparse tensors of the model would be more than {MAX_DENSE_BYTES:,} bytes when dense")
        if indices.dtype != np.int64 or indices.shape not in ((values.size,), (values.size, len(shape))):
            located.fail("its indices do not fit its values")
        if indices.ndim == 2:
            if ((indices < 0) | (indices >= np.array(shape, np.int64))).any():
                located.fail("has an index outside its sizes")
            linear = np.asarray(np.ravel_multi_index(tuple(indices.T), shape)) if indices.size else indices[:, 0]
        else:
            linear = indices
        if linear.size and (linear[0] < 0 or linear[-1] >= prod(shape) or (np.diff(linear) <= 0).any()):
            located.fail("its indices are not in ascending order, or outside its sizes")
        dense = np.zeros(prod(shape), values.dtype)
        dense[linear] = values.reshape(-1)
        dense.flags.writeable = False
        return dense.reshape(shape)

    @property
    def size(self) -> int:
        """Bytes of the model's file."""
        return len(self._data)

    def restore(self, tensor: TensorProto) -> int:
        """Puts the elements that were taken out of `tensor` back into it; returns how many bytes these are."""
        payload = self._payloads.get(tensor.raw_data)
        if payload is not None:
            elements = self._data[payload.offset : payload.offset + payload.length]
            if payload.is_raw:
                tensor.raw_data = bytes(elements)
            else:
                tensor.ClearField("raw_data")
                getattr(tensor, payload.field_name).extend(np.frombuffer(elements, _FLOATS[payload.field_name]))
        return 0 if payload is None else payload.length

    def _raw_elements(self, raw: bytes, dtype: np.dtype, count: int, located: _Fault) -> np.ndarray:
        payload = self._payloads.get(raw)
        if payload is None:
            located.compare(len(raw), count * dtype.itemsize)
            return _mapped(memoryview(raw), 0, count, dtype)
        if not payload.is_raw:
            _check_field(payload.field_name, dtype, located)
        located.compare(payload.length, count * dtype.itemsize)
        return _mapped(self._data, payload.offset, count, dtype)

    def _external_elements(self, tensor: TensorProto, dtype: np.dtype, count: int, located: _Fault) -> np.ndarray:
        entries: dict[str, str] = {}
        for entry in tensor.external_data:
            if not is_text(entry.key) or not is_text(entry.value) or entry.key in entries:
                located.fail("its external data have a key twice, or one that is not text")
            entries[entry.key] = entry.value
        path = self._external_path(entries.get("location", ""), located)
        data = self._map(path, located)
        offset = _number(entries.get("offset", "0"), "offset", located)
        needed = count * dtype.itemsize
        if "length" in entries:
            located.compare(_number(entries["length"], "length", located), needed)
        if offset + needed > len(data):
            located.fail(f"{needed:,} bytes at {offset:,} are past the end of '{path.name}' ({len(data):,} bytes)")
        key = (str(path), offset, needed, dtype)
        if key not in self._external:
            self._external_bytes += needed
            if self._external_bytes > sum(map(len, self._maps.values())):
                located.fail("the model's external data overlap each other")
            self._external[key] = _mapped(data, offset, count, dtype)
        return self._external[key]

    def _external_path(self, location: str, located: _Fault) -> Path:
        """The file of external data, which is in the model's folder also after links are followed."""
        if self._folder is None:
            located.fail("has external data, but the model is no file")
        relative = Path(location)
        if not location or "\0" in location or relative.is_absolute() or ".." in relative.parts:
            located.fail(f"its external data are at {location!r}, which is no path below the model's folder")
        try:
            path = (self._folder / relative).resolve()
        except (OSError, RuntimeError):  # a circle of links
            located.fail(f"its external data '{location}' cannot be read")
        if not path.is_relative_to(self._folder.resolve()):
            located.fail(f"its external data '{location}' are outside the model's folder")
        return path

    def _map(self, path: Path, located: _Fault) -> memoryview:
        name = str(path)
        if name not in self._maps:
            try:
                self._maps[name] = map_file(path)
            except OSError as error:
                located.fail(f"its external data '{path.name}' cannot be read: {error.strerror or error}")
        return self._maps[name]


_FLOATS = {"float_data": np.dtype("<f4"), "double_data": np.dtype("<f8")}


def map_file(path: Path) -> memoryview:
    """
    The bytes of a file, mapped read-only.

    Raises:
        OSError: it cannot be read, or is no regular file.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "it is no regular file")
        if not status.st_size:
            return memoryview(b"")
        return memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
    finally:
        os.close(descriptor)


class _Fault:
    """What is being read, for errors."""

    def __init__(self, what: str, location: Location) -> None:
        self.what = what
        self.location = location

    def fail(self, message: str) -> NoReturn:
        raise LastuseError(f"{self.what}: {message}", self.location)

    def compare(self, have: int, need: int) -> None:
        if have != need:
            self.fail(f"its sizes and type need {need:,} bytes, {have:,} are there")


def _checked_shape(dims: object, dtype: np.dtype, located: _Fault) -> tuple[int, ...]:
    """The sizes of a tensor, none negative and together no more than the memory that a process can have."""
    shape = tuple(dims)  # pyright: ignore
    if any(size < 0 for size in shape):
        located.fail(f"has the impossible sizes {list(shape)}")
    if len(shape) > 32:
        located.fail(f"has {len(shape)} axes; 32 are supported")
    if prod(size for size in shape if size) * dtype.itemsize > ADDRESS_SPACE:
        located.fail(f"has the sizes {list(shape)}; a tensor has {ADDRESS_SPACE:,} bytes at most")
    return shape


def _number(text: str, what: str, located: _Fault) -> int:
    if not text.isdecimal() or not text.isascii() or len(text) > 18:
        located.fail(f"the {what} of its external data is {text[:40]!r}")
    return int(text)


def _check_field(name: str, dtype: np.dtype, located: _Fault) -> None:
    if not any(name == field and dtype == other for other, field in _TYPES.values()):
        located.fail(f"has its elements in {name}, which does not hold elements of type {name_of_dtype(dtype)}")


def _mapped(data: memoryview, offset: int, count: int, dtype: np.dtype) -> np.ndarray:
    """`count` elements at `offset` of `data`: a view of it where they are aligned, else a copy."""
    words = np.frombuffer(data, np.uint8, count * dtype.itemsize, offset)  # any bits, also of bfloat16
    address = words.ctypes.data
    if dtype.itemsize > 1 and sys.byteorder == "big":
        return words.view(f"u{dtype.itemsize}").byteswap().view(dtype)
    return (words.copy() if address % dtype.itemsize else words).view(dtype)


def _typed_elements(tensor: TensorProto, field: str, dtype: np.dtype, count: int, located: _Fault) -> np.ndarray:
    """The elements of a field of numbers; 16-bit floats are there as their bits."""
    _check_field(field, dtype, located)
    values = getattr(tensor, field)
    if len(values) != count:
        located.fail(f"its sizes need {count:,} elements, {len(values):,} are there")
    if field in _FLOATS:
        return np.fromiter(values, dtype, count)
    wide = np.fromiter(values, np.uint64 if field == "uint64_data" else np.int64, count)
    bits = dtype if dtype.kind in "iub" else np.dtype(np.uint16)
    low, high = (0, 1) if dtype == np.bool_ else (np.iinfo(bits).min, np.iinfo(bits).max)
    if count and (int(wide.min()) < low or int(wide.max()) > high):
        located.fail(f"an element does not fit type {name_of_dtype(dtype)}")
    return wide.astype(bits).view(dtype)
