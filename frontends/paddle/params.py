"""
Paddle's parameters: one file per variable, or one file with all of them in the order of their names.

A record is a LoDTensor, little endian: u32 version 0; u64 number of LoD levels, each u64 bytes and as many bytes; u32
tensor version 0; i32 length and a TensorDesc message; the elements, row-major, without padding.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterable, Sequence
from math import prod
from pathlib import Path
from typing import BinaryIO, NoReturn

import numpy as np

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.dialect.ir.tensor_types import numpy_dtype
from lastuse.frontends.paddle.proto import Tensor, Var, fail, parse_tensor_desc

ELEMENT_TYPES = dict(enumerate(("i1", "i16", "i32", "i64", "f16", "f32", "f64"))) | {20: "ui8", 21: "i8", 22: "bf16"}
"""Our name of an element type by Paddle's number."""

_COMBINED = ("__params__", "params")
_PICKLES = (".pdparams", ".pdopt")
_MAX_DESC_BYTES = 1 << 16


def element_type_name(data_type: int, what: str, location: Location) -> str:
    """Our name of Paddle's element type; raises LastuseError where we have none."""
    try:
        return ELEMENT_TYPES[data_type]
    except KeyError:
        raise LastuseError(f"{what} has element type number {data_type}, which is not supported", location) from None


def read_parameters(program_file: Path, variables: Sequence[Var]) -> dict[str, np.ndarray]:
    """
    The arrays of `variables` by name, from the files beside the program.

    Raises:
        LastuseError: names the file and what is wrong: missing, cut off, too long, of another size or element type.
    """
    if not variables:
        return {}
    folder = program_file.parent
    _refuse_pickles(program_file, variables)
    combined = _combined_file(program_file, variables)
    if combined is not None:
        return _read_file(combined, sorted(variables, key=lambda var: var.name))
    files = [_read_file(_own_file(folder, var.name), [var]) for var in variables]
    return {name: array for arrays in files for name, array in arrays.items()}


def _refuse_pickles(program_file: Path, variables: Sequence[Var]) -> None:
    """Raises LastuseError where the parameters are there as a pickle alone, which runs what its writer wanted."""
    pickles = [program_file.with_suffix(suffix) for suffix in _PICKLES]
    others = [_own_file(program_file.parent, variables[0].name), *_combined_files(program_file)]
    found = next((file for file in pickles if file.is_file()), None)
    if found is not None and not any(file.is_file() for file in others):
        fail(found, "parameters in a pickle are not read: save them with save_vars or save_inference_model")


def _own_file(folder: Path, name: str) -> Path:
    file = folder / name
    if "\0" in name:
        fail(folder, f"no file can have the parameter name {name!r}")
    if not name or not file.resolve().is_relative_to(folder.resolve()):
        fail(folder, f"the parameter name '{name}' leads out of the model's folder")
    return file


def _combined_file(program_file: Path, variables: Sequence[Var]) -> Path | None:
    """The file of all parameters, where there is one and the first parameter has no file of its own."""
    folder = program_file.parent
    if _own_file(folder, variables[0].name).is_file():
        return None
    return next((file for file in _combined_files(program_file) if file.is_file()), None)


def _combined_files(program_file: Path) -> list[Path]:
    """The files that may hold all parameters."""
    files = [program_file.parent / name for name in _COMBINED]
    return [program_file.with_suffix(".pdiparams"), *files] if program_file.suffix == ".pdmodel" else files


def _read_file(file: Path, variables: Iterable[Var]) -> dict[str, np.ndarray]:
    try:
        with file.open("rb") as stream:
            reader = _ParamsReader(stream, file)
            arrays = {var.name: reader.record(var) for var in variables}
            reader.end()
            return arrays
    except FileNotFoundError:
        fail(file, "the parameter file is missing")
    except OSError as error:
        fail(file, f"the parameter file cannot be read: {error.strerror}")


class _ParamsReader:
    """Reads records from a file and checks every length against what is left of it."""

    def __init__(self, stream: BinaryIO, file: Path) -> None:
        self.stream = stream
        self.location = Location(str(file))
        self.left = stream.seek(0, 2)
        stream.seek(0)

    def record(self, var: Var) -> np.ndarray:
        """The next record, which must be what the program says of `var`."""
        if (version := self._number("<I", "the version")) != 0:
            self._fail(f"LoDTensor version {version} is not known (parameter '{var.name}')")
        levels = self._number("<Q", "the number of LoD levels")
        for _ in range(levels):
            self._bytes(self._number("<Q", "the size of a LoD level"), "a LoD level")
        if (version := self._number("<I", "the tensor version")) != 0:
            self._fail(f"tensor version {version} is not known (parameter '{var.name}')")
        size = self._number("<i", "the length of the tensor description")
        if not 0 <= size <= _MAX_DESC_BYTES:
            self._fail(f"a tensor description of {size} bytes is not possible (parameter '{var.name}')")
        try:
            tensor = parse_tensor_desc(self._bytes(size, "the tensor description"))
        except ValueError:
            self._fail(f"the tensor description of parameter '{var.name}' does not parse")
        self._compare(var, tensor)
        return self._elements(var, tensor)

    def end(self) -> None:
        """Checks that nothing follows."""
        if self.left:
            self._fail(f"{self.left} bytes follow the last parameter")

    def _compare(self, var: Var, tensor: Tensor) -> None:
        if var.tensor is None:
            self._fail(f"the program does not say that '{var.name}' is an array")
        if any(dim < 0 for dim in tensor.dims):
            self._fail(f"parameter '{var.name}' has the impossible sizes {list(tensor.dims)}")
        stated = var.tensor.dims
        fits = len(stated) == len(tensor.dims)
        if not fits or any(s not in (-1, d) for s, d in zip(stated, tensor.dims, strict=True)):
            self._fail(f"parameter '{var.name}' has sizes {list(tensor.dims)}, the program says {list(stated)}")
        if tensor.data_type != var.tensor.data_type:
            have, want = (ELEMENT_TYPES.get(t, f"number {t}") for t in (tensor.data_type, var.tensor.data_type))
            self._fail(f"parameter '{var.name}' has element type {have}, the program says {want}")

    def _elements(self, var: Var, tensor: Tensor) -> np.ndarray:
        dtype = numpy_dtype(element_type_name(tensor.data_type, f"parameter '{var.name}'", self.location))
        count = prod(tensor.dims)
        if count * dtype.itemsize > self.left:
            self._fail(
                f"parameter '{var.name}' is cut off: {count * dtype.itemsize} bytes of elements are stated, "
                f"{self.left} are there"
            )
        self.left -= count * dtype.itemsize
        array = np.fromfile(self.stream, np.dtype(f"u{dtype.itemsize}"), count)  # any bits, also of bfloat16
        if array.size != count:
            self._fail(f"parameter '{var.name}' could not be read whole")
        if sys.byteorder == "big":
            array.byteswap(inplace=True)
        return array.view(dtype).reshape(tensor.dims)

    def _number(self, layout: str, what: str) -> int:
        return struct.unpack(layout, self._bytes(struct.calcsize(layout), what))[0]

    def _bytes(self, size: int, what: str) -> bytes:
        if size > self.left:
            self._fail(f"the file is cut off in {what}: {size} bytes are stated, {self.left} are left")
        self.left -= size
        data = self.stream.read(size)
        if len(data) != size:
            self._fail(f"{what} could not be read whole")
        return data

    def _fail(self, message: str) -> NoReturn:
        raise LastuseError(message, self.location)
