"""A program in a file (`archive.py`): the model before its sizes are known, what was decided and lowered for each set
of sizes, weights, and weights in the layouts that oneDNN chose.

Modules are JSON (`module_records.py`), arrays are bytes that are used where the file is mapped. A module is verified
when it is read, and the core checks the bounds of every view and the layout of every operand when it is built. The
steps of a lowered module were proved before it was saved; they are proved again where `load` is asked for it, which
takes as long as all the rest for a large model.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.archive import Archive, Part, write_archive
from lastuse.compiler.compiled import Compiled
from lastuse.compiler.model_source import ModelSource, Values
from lastuse.compiler.module_records import WRONG, decoded, encoded
from lastuse.compiler.pipeline import Options
from lastuse.compiler.program_signature import ProgramSignature, SizeOrigin, TensorSpec
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.dialect.ir.tensor_types import name_of_dtype, numpy_dtype, verify_element_types
from lastuse.dialect.storage import verifier
from lastuse.passes.verify_lowering import VerifyLoweringPass
from lastuse.passes.verify_storage import VerifyStoragePass
from lastuse.runtime import _core
from lastuse.runtime.engines import onednn_version
from lastuse.runtime.recurrent_layers import RecurrentArrays
from lastuse.runtime.weights import PackedBytes, PackedLayer, PackedWeights

Record = TypeVar("Record")
SUFFIX = ".lastuse"
MODEL = "model.json"
LAYERS = "recurrent_layers"
"""Of the header: the packed weights of recurrent layers."""
UNPROTECTED = "unprotected_inputs"
"""Of the header: what has to be restored when a run ends because a number is not finite."""
ALWAYS_OFF = {"poison": False, "profile": False}
"""Options that are of a process, not of a program."""


class Machine(NamedTuple):
    """What the layouts of packed weights depend on."""

    isa: int
    onednn: str

    def __str__(self) -> str:
        return f"oneDNN {self.onednn} with instruction set {self.isa:#x}"


def this_machine() -> Machine:
    return Machine(_core.isa(), ".".join(map(str, onednn_version())))


class StoredSizes(NamedTuple):
    """A set of sizes that a file has a plan for.

    Attributes:
        number: of the set, in the names of its members.
        arena_bytes: what the file says that a run takes.
    """

    number: int
    sizes: Mapping[str, int]
    values: Values
    arena_bytes: int

    def __str__(self) -> str:
        numbers = {**self.sizes, **{name: value.tolist() for name, value in self.values.items()}}
        return ", ".join(f"{name} = {number}" for name, number in numbers.items())


def save_program(
    path: str | Path,
    ctx: Context,
    source: ModelSource,
    programs: Sequence[Compiled],
    *,
    options: Options,
    kept: int,
    outputs: Mapping[str, TensorSpec],
    weights: PackedWeights,
) -> None:
    """
    Writes a program, whole or not at all.

    Args:
        source: the model before its sizes are known.
        programs: what was compiled, each for its sizes and values.

    Raises:
        LastuseError: the file cannot be written, or an attribute of an op has no text that gives it back.
    """
    from lastuse import __version__

    arrays = _Arrays()
    parts: dict[str, Part] = {} if source.module is None else {MODEL: _part(source.module, ctx, arrays)}
    for number, program in enumerate(programs):
        parts[_name(number, "decided")] = _part(program.module, ctx, arrays)
        parts[_name(number, "lowered")] = _part(program.lowered, ctx, arrays)
    packed: list[dict[str, Any]] = []
    for array, packing in weights.packings:
        place = arrays.find(array)
        if place is not None:
            packed.append({**place, **_packing(packing, parts)})
    layers = [record for layer in weights.layers if (record := _layer(layer, arrays, parts)) is not None]
    parts |= {f"arrays/{number}": _bytes(array) for number, array in enumerate(arrays.all)}
    machine = this_machine()
    header = {
        "lastuse": __version__,
        **machine._asdict(),
        "options": {**asdict(options), **ALWAYS_OFF},
        "kept_sizes": kept,
        "inputs": [_spec(spec) for spec in source.signature.inputs.values()],
        "outputs": [_spec(spec) for spec in outputs.values()],
        "symbols": {name: list(origin) for name, origin in source.signature.symbols.items()},
        "bound_inputs": list(source.bound_inputs),
        "fixed_values": _values(source.fixed_values),
        UNPROTECTED: None if source.unprotected_inputs is None else list(source.unprotected_inputs),
        "sizes": [
            {"sizes": dict(p.sizes), "values": _values(p.values), "arena_bytes": p.memory.arena_bytes} for p in programs
        ],
        "arrays": [[name_of_dtype(array.dtype), list(array.shape)] for array in arrays.all],
        "packed": packed,
        LAYERS: layers,
    }
    write_archive(path, header, parts)


class SavedProgram:
    """A program in a file, whose modules are read when they are asked for.

    Attributes:
        signature: its inputs.
        outputs: its results, by name.
        options: what it was compiled with.
        kept: for how many sets of sizes it keeps programs.
        bound_inputs: names of the inputs whose elements decide shapes or branches.
        fixed_values: the elements that inputs have in every run, by name.
        unprotected_inputs: names of the inputs that a run may have written over when it ends because a number is not
            finite; None where no number has to be.
        says_unprotected: whether the file says these; a file of an earlier version does not.
        machine: where its weights were packed.
        sizes: those that the file has plans for.
    """

    def __init__(self, path: str | Path, proves: bool = False) -> None:
        """
        Args:
            proves: prove the steps of lowered modules.

        Raises:
            LastuseError: the file cannot be read, is damaged, or of a later version.
        """
        self._path, self._proves = str(path), proves
        self._archive = Archive(path)
        header = self._archive.header
        try:
            origins = {str(n): SizeOrigin(str(a), int(r), int(axis)) for n, (a, r, axis) in header["symbols"].items()}
            self.signature = ProgramSignature(_specs(header["inputs"]), origins)
            self.bound_inputs = tuple(str(name) for name in header["bound_inputs"])
            self.fixed_values = _arrays_of(header["fixed_values"])
            unknown = {*self.bound_inputs, *self.fixed_values} - set(self.signature.inputs)
            if unknown or not isinstance(header["bound_inputs"], list):
                raise ValueError("values are bound to inputs that it does not have")
            unprotected, self.says_unprotected = header.get(UNPROTECTED), UNPROTECTED in header
            self.unprotected_inputs = None if unprotected is None else tuple(str(name) for name in unprotected)
            if not set(self.unprotected_inputs or ()) <= set(self.signature.inputs) or isinstance(unprotected, str):
                raise ValueError("inputs are restored that it does not have")
            for name, (argument, rank, axis) in origins.items():
                shape = self.signature.inputs[argument].shape
                if len(shape) != rank or shape[axis] != name:
                    raise ValueError(f"size {name} is not that of input {argument} on axis {axis}")
            self.outputs = _specs(header["outputs"])
            self.options = _options(header["options"])
            self.kept = int(header["kept_sizes"])
            self.machine = Machine(int(header["isa"]), str(header["onednn"]))
            self.sizes = [self._stored(number, each) for number, each in enumerate(header["sizes"])]
            self._arrays = [
                self._archive.array(f"arrays/{n}", numpy_dtype(str(element)), tuple(map(int, shape)))
                for n, (element, shape) in enumerate(header["arrays"])
            ]
        except LastuseError:
            raise
        except WRONG as error:
            raise self.wrong(error) from error

    def _stored(self, number: int, record: Mapping[str, Any]) -> StoredSizes:
        sizes = {name: int(record["sizes"][name]) for name in self.signature.symbols}
        return StoredSizes(number, sizes, _arrays_of(record["values"]), int(record["arena_bytes"]))

    def find(self, sizes: Mapping[str, int], values: Values) -> StoredSizes | None:
        """What the file has for these sizes and values of the bound inputs."""
        bound = _values(values)
        return next((each for each in self.sizes if each.sizes == sizes and _values(each.values) == bound), None)

    def model(self, ctx: Context) -> ModuleOp | None:
        """The model before its sizes are known, verified; None where it could only be read for known ones."""
        if MODEL not in self._archive.header["parts"]:
            return None
        module = self._module(MODEL, ctx)
        verify_element_types(module)
        return module

    def lowered(self, stored: StoredSizes, ctx: Context) -> ModuleOp:
        """The lowered module for these sizes. Raises LastuseError where its ops or its steps are wrong."""
        module = self._module(_name(stored.number, "lowered"), ctx)
        if self._proves:
            VerifyLoweringPass().apply(ctx, module)
        return module

    def decided(self, stored: StoredSizes, ctx: Context) -> ModuleOp:
        """The decided module for these sizes, its decisions proved. Raises LastuseError where they are wrong."""
        module = self._module(_name(stored.number, "decided"), ctx)
        VerifyStoragePass().apply(ctx, module)
        return module

    def compare(self) -> None:
        """Waits until all bytes of the file are known to be those that were saved; raises LastuseError if not."""
        self._archive.compare()

    def packings(self) -> list[tuple[np.ndarray, PackedBytes]]:
        """The packed weights: the array, and the bytes of one of its layouts."""
        return self._read("packed", lambda record: (self._view(record), self._packed(record)))

    def layers(self) -> list[PackedLayer]:
        """The packed weights of recurrent layers. A file of an earlier version has them for other kernels, and none."""
        return self._read(LAYERS, self._layer) if LAYERS in self._archive.header else []

    def _read(self, records: str, read: Callable[[Mapping[str, Any]], Record]) -> list[Record]:
        """What `read` makes of each of the records that the header has."""
        try:
            return [read(record) for record in self._archive.header[records]]
        except LastuseError:
            raise
        except WRONG as error:
            raise self.wrong(error) from error

    def _layer(self, record: Mapping[str, Any]) -> PackedLayer:
        arrays = [None if place is None else self._view(place) for place in record["arrays"]]
        w, r, *optional = arrays
        if w is None or r is None:
            raise ValueError("a recurrent layer has no weights")
        return PackedLayer(str(record["cell"]), RecurrentArrays(w, r, *optional), self._packed(record["packed"]))

    def _view(self, place: Mapping[str, Any]) -> np.ndarray:
        array = self._arrays[int(place["array"])]
        dtype = numpy_dtype(str(place["element"]))
        shape, strides = tuple(map(int, place["shape"])), tuple(map(int, place["strides"]))
        flat = array.reshape(-1).view(np.uint8)
        return np.ndarray(shape, dtype, flat.data, int(place["offset"]), strides)

    def _packed(self, record: Mapping[str, Any]) -> PackedBytes:
        name = str(record["part"])
        memory = self._archive.array(name, np.dtype(np.uint8), (len(self._archive.member(name)),))
        return PackedBytes(str(record["layout"]), memory)

    def _module(self, name: str, ctx: Context) -> ModuleOp:
        data, at = self._archive.json(name), f"{self._path}/{name}"
        module = decoded(ctx, data, at)
        module.attributes.pop(resources.WEIGHTS, None)
        try:
            resources.of(module).update({str(k): self._arrays[int(n)] for k, n in data["arrays"].items()})
        except WRONG as error:
            raise self.wrong(error) from error
        for op, value in resources.references(module):
            resources.array_of(value, module, op)
        verifier.verify(module)
        return module

    def wrong(self, error: BaseException | str) -> LastuseError:
        """The error of a file that is not what it says."""
        reason = " ".join(str(error).split()) or type(error).__name__
        return LastuseError(f"is no file of a saved program: {reason}", self.location)

    @property
    def location(self) -> Location:
        """The file, for errors."""
        return Location(self._path)


class _Arrays:
    """The arrays of modules, each once."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self.all: list[np.ndarray] = []

    def add(self, array: np.ndarray) -> int:
        key = _address(array), array.shape, array.dtype
        if key not in self._numbers:
            self._numbers[key] = len(self.all)
            self.all.append(np.require(array, requirements=["C", "A"]))
        return self._numbers[key]

    def find(self, view: np.ndarray) -> dict[str, Any] | None:
        """Where a part of an array is; None where it is in none."""
        for number, array in enumerate(self.all):
            offset = _address(view) - _address(array)
            if 0 <= offset < array.nbytes:
                place = {"array": number, "offset": offset, "shape": list(view.shape), "strides": list(view.strides)}
                return {**place, "element": name_of_dtype(view.dtype)}
        return None


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def _bytes(array: np.ndarray) -> memoryview:
    return array.reshape(-1).view(np.uint8).data


def _name(number: int, form: str) -> str:
    return f"sizes/{number}/{form}.json"


def _packing(packed: PackedBytes, parts: dict[str, Part]) -> dict[str, str]:
    """The record of packed bytes, which become a part."""
    part = f"packed/{sum(name.startswith('packed/') for name in parts)}"
    parts[part] = _bytes(packed.memory)
    return {"layout": packed.text, "part": part}


def _layer(layer: PackedLayer, arrays: _Arrays, parts: dict[str, Part]) -> dict[str, Any] | None:
    """The record of a recurrent layer's packings; None where an array of it is in no module as an array."""
    places = [None if array is None else arrays.find(array) for array in layer.arrays]
    if any(place is None and array is not None for place, array in zip(places, layer.arrays, strict=True)):
        return None
    return {"cell": layer.cell, "arrays": places, "packed": _packing(layer.packed, parts)}


def _part(module: ModuleOp, ctx: Context, arrays: _Arrays) -> bytes:
    used = {v.resource_handle.data: resources.array_of(v, module, op) for op, v in resources.references(module)}
    numbers = {handle: arrays.add(array) for handle, array in used.items()}
    return json.dumps({**encoded(module, ctx), "arrays": numbers}, separators=(",", ":")).encode()


def _values(values: Values) -> dict[str, list[Any]]:
    """Small arrays as JSON values, bit for bit."""
    return {name: [name_of_dtype(v.dtype), list(v.shape), v.tobytes().hex()] for name, v in values.items()}


def _arrays_of(record: Mapping[str, Any]) -> dict[str, np.ndarray]:
    return {
        str(name): np.frombuffer(bytes.fromhex(data), numpy_dtype(element)).reshape(shape)
        for name, (element, shape, data) in record.items()
    }


def _spec(spec: TensorSpec) -> list[Any]:
    return [spec.name, list(spec.shape), spec.element, spec.is_scalar]


def _specs(records: Any) -> dict[str, TensorSpec]:
    specs: dict[str, TensorSpec] = {}
    for name, shape, element, is_scalar in records:
        sizes = tuple(size if isinstance(size, int) else str(size) for size in shape)
        specs[str(name)] = TensorSpec(str(name), sizes, str(element), bool(is_scalar))
    return specs


def _options(record: Mapping[str, Any]) -> Options:
    """The options of a header, each of the type that it has by default."""
    values: dict[str, Any] = {}
    for field in fields(Options):
        default = field.default
        value = record.get(field.name, default)
        type_: Callable[[Any], Any] = int if default is None else type(default)
        if value is not default and type(value) is not type_:
            raise TypeError(f"option {field.name} is {value!r}")
        values[field.name] = value
    return Options(**values)
