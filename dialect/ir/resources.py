"""
The arrays that `dense_resource<name>` constants stand for.

IR keeps a constant's name and type; its bytes stay in a table beside the module, because weights as text would be many
times their size. The table goes with the module object: `of` gives it, `share` hands it on to a copy of the module, and
`write_arrays` and `load` move it to and from the `.npz` file that the module names in `dnn.weights`.
"""

from __future__ import annotations

import re
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from weakref import WeakKeyDictionary

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseResourceAttr,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.dialect.ir.files import write_whole
from lastuse.dialect.ir.remembered import is_a
from lastuse.dialect.ir.tensor_types import dtype_name, element_type, name_of_dtype, numpy_dtype

Store = dict[str, np.ndarray]
"""Arrays by the name their `dense_resource` has."""

WEIGHTS = "dnn.weights"
"""The attribute of a module that names the file its arrays are in, relative to the module's own file."""

_stores: WeakKeyDictionary[ModuleOp, Store] = WeakKeyDictionary()


def of(module: ModuleOp) -> Store:
    """The arrays of `module`, to read and to add to; empty at first. Arrays in it are never written to."""
    return _stores.setdefault(module, {})


def share(module: ModuleOp, source: ModuleOp) -> None:
    """Gives `module`, a copy of `source`, the arrays of `source`: the same ones, not copies."""
    of(module).update(of(source))


def add_array(module: ModuleOp, name: str, array: np.ndarray) -> DenseResourceAttr:
    """
    Adds `array` to the module and returns the constant's value that stands for it.

    The resource gets `name`, spelt as an identifier and with a number added if the name is taken. The array is kept as
    it is when it is dense row-major and aligned, else copied; the module's view of it is read-only.

    Raises:
        ValueError: arrays of that dtype have no element type.
    """
    store = of(module)
    stem = handle = re.sub(r"[^\w$.]", "_", name if re.match(r"[A-Za-z_]", name) else f"_{name}", flags=re.ASCII)
    count = 0
    while handle in store:
        count += 1
        handle = f"{stem}_{count}"
    dense = np.require(array, requirements=["C", "A"]).view()
    dense.flags.writeable = False
    store[handle] = dense
    return DenseResourceAttr.from_params(handle, TensorType(element_type(name_of_dtype(dense.dtype)), dense.shape))


def array_of(value: DenseResourceAttr, module: ModuleOp, user: Operation | None = None) -> np.ndarray:
    """
    The array a constant stands for, read-only, of the shape and element type the constant states.

    `user` is the operation whose place an error names.

    Raises:
        LastuseError: the module has no such array, or one of another size or element type.
    """
    handle = value.resource_handle.data
    try:
        array = of(module)[handle]
    except KeyError:
        raise LastuseError(f"there is no array for dense_resource<{handle}>; {_hint(module)}", user) from None
    return _checked(handle, array, value.type, user)


def _hint(module: ModuleOp) -> str:
    named = module.attributes.get(WEIGHTS)
    if isinstance(named, StringAttr):
        return f"'{named.data}' ({WEIGHTS}) does not hold it"
    return f"the module names no file of weights ({WEIGHTS})"


def _checked(handle: str, array: np.ndarray, type_: Attribute, user: Operation | Location | None) -> np.ndarray:
    assert isinstance(type_, TensorType)
    shape = type_.get_shape()
    try:
        dtype = numpy_dtype(dtype_name(type_.element_type))
    except ValueError as error:
        raise LastuseError(f"dense_resource<{handle}>: {error}", user) from None
    if array.dtype.kind == "V" and array.dtype.itemsize == dtype.itemsize:
        array = array.view(dtype)  # the .npy format has no name for bfloat16
    if DYNAMIC_INDEX in shape or array.shape != tuple(shape) or array.dtype != dtype:
        have = f"{'x'.join(map(str, array.shape))}{'x' if array.ndim else ''}{array.dtype}"
        raise LastuseError(f"dense_resource<{handle}> is stated as {type_}, its array is {have}", user)
    return array


def references(module: ModuleOp) -> Iterator[tuple[Operation, DenseResourceAttr]]:
    """Every use of a resource in the module, with the operation that has it, in program order."""
    for op in module.walk():
        for attribute in (*op.attributes.values(), *op.properties.values()):
            for resource in _within(attribute):
                yield op, resource


def drop_unreferenced(module: ModuleOp) -> None:
    """Forgets the arrays that no op of the module refers to."""
    referenced = {value.resource_handle.data for _, value in references(module)}
    store = of(module)
    for handle in [handle for handle in store if handle not in referenced]:
        del store[handle]


def _within(attribute: Attribute) -> Iterator[DenseResourceAttr]:
    if is_a(attribute, DenseResourceAttr):
        yield attribute
    elif is_a(attribute, ArrayAttr):
        for item in attribute.data:
            yield from _within(item)
    elif is_a(attribute, DictionaryAttr):
        for item in attribute.data.values():
            yield from _within(item)


def name_file(module: ModuleOp, path: Path) -> Store:
    """
    Names `path` in `dnn.weights` as the file of the arrays that the module refers to, which `write_arrays` then writes.
    Returns these; a module that refers to none names no file.

    Raises:
        LastuseError: an array is missing or does not fit its constant.
    """
    arrays = {value.resource_handle.data: array_of(value, module, op) for op, value in references(module)}
    if arrays:
        module.attributes[WEIGHTS] = StringAttr(path.name)
    else:
        module.attributes.pop(WEIGHTS, None)
    return arrays


def write_arrays(arrays: Store, path: Path) -> None:
    """Writes arrays into `path`, an uncompressed `.npz`, whole or not at all. Raises `LastuseError`."""

    def write(file: IO[bytes]) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, array, allow_pickle=False)

    write_whole(path, write)


def section(module: ModuleOp) -> str:
    """The arrays that the module refers to as text to stand behind it, empty if there are none: `dialect_resources`,
    hexadecimal bytes with the alignment in front, as MLIR writes them. The module names no file of arrays any more.
    Raises LastuseError as `save` does."""
    module.attributes.pop(WEIGHTS, None)
    arrays = {value.resource_handle.data: array_of(value, module, op) for op, value in references(module)}
    if not arrays:
        return ""
    blobs = (f'      {name}: "0x40000000{array.tobytes().hex()}"' for name, array in arrays.items())
    return "\n{-#\n  dialect_resources: {\n    builtin: {\n" + ",\n".join(blobs) + "\n    }\n  }\n#-}\n"


DAMAGED = (
    *(ValueError, EOFError, KeyError, MemoryError, RuntimeError, SyntaxError),
    *(zipfile.BadZipFile, zlib.error, tokenize.TokenError),
)
"""What numpy raises where a file is no .npz file, or a damaged one: in the archive, its streams, headers of arrays."""


def damage(error: BaseException) -> str:
    """What is wrong with a file on which numpy raised one of `DAMAGED`."""
    # numpy suggests allow_pickle for unknown files; do not repeat that advice.
    return "it has arrays of objects, or is of another kind" if "pickle" in str(error) else " ".join(str(error).split())


def member(arrays: np.lib.npyio.NpzFile, name: str) -> np.ndarray:
    """An array of the file; raises ValueError where it is something else, or one of `DAMAGED`."""
    array = arrays[name]
    if not isinstance(array, np.ndarray):  # pyright: ignore[reportUnnecessaryIsInstance] - bytes of any other member
        raise ValueError(f"'{name}' is no array")
    return array


def load(module: ModuleOp, folder: Path) -> None:
    """
    Reads the file that the module names in `dnn.weights`, relative to `folder`, if it names one.

    Raises:
        LastuseError: the file cannot be read, or lacks an array the module refers to, or has another one by that name.
    """
    named = module.attributes.get(WEIGHTS)
    if named is None:
        return
    if not isinstance(named, StringAttr):
        raise LastuseError(f"{WEIGHTS} must be the name of a file", module)
    path = folder / named.data
    store = of(module)
    try:
        arrays = np.load(path, allow_pickle=False)
        if not isinstance(arrays, np.lib.npyio.NpzFile):
            raise LastuseError(f"weights '{path}' are a single array, not a .npz file", module)
        with arrays:
            for op, value in references(module):
                handle = value.resource_handle.data
                if handle not in store and handle in arrays:
                    store[handle] = _checked(handle, member(arrays, handle), value.type, op)
                    store[handle].flags.writeable = False
    except OSError as error:
        raise LastuseError(f"weights '{path}' cannot be read: {error.strerror or error}", module) from None
    except DAMAGED as error:
        raise LastuseError(f"weights '{path}' are no whole .npz file: {damage(error)}", module) from None
    for op, value in references(module):
        array_of(value, module, op)
