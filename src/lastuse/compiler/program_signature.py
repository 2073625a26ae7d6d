"""What a program takes and returns: names, shapes and dtypes, and the sizes that its inputs bind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from lastuse.dialect.ir.diagnostics import ArrayError, LastuseError
from lastuse.dialect.ir.tensor_types import dtype_name, element_type, item_bytes, numpy_dtype, static_shape
from lastuse.dialect.storage.argument_names import argument_names, symbol_names
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.dialect.storage.specialization import unknown_sizes
from lastuse.passes.memory.frame_layout import result_names, returns_of
from lastuse.runtime.arrays import Arrays, as_array, need_names

Example = object
"""An array, or a shape: a sequence of numbers."""


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """An input or a result.

    Attributes:
        name: as in `run`.
        shape: a number for each axis, or the name of its size, which inputs bind; of a result a polynomial of those, or
            `?` where the size is known at run time only. Without axes it is one number.
        element: its element type as in IR (`f32`, `i64`).
        is_scalar: the function has it as a number, not as a tensor without axes.
    """

    name: str
    shape: tuple[int | str, ...]
    element: str
    is_scalar: bool = False

    @property
    def dtype(self) -> np.dtype:
        """The dtype of its arrays."""
        return numpy_dtype(self.element)

    @property
    def type(self) -> Attribute:
        """Its type in IR; a size that is no number is `?`."""
        if self.is_scalar:
            return element_type(self.element)
        sizes = [size if isinstance(size, int) else DYNAMIC_INDEX for size in self.shape]
        return TensorType(element_type(self.element), sizes)

    @property
    def nbytes(self) -> int | None:
        """Bytes of its arrays; None where a size is not known."""
        sizes = [size for size in self.shape if isinstance(size, int)]
        return int(np.prod(sizes, dtype=np.int64)) * item_bytes(self.element) if len(sizes) == len(self.shape) else None

    def __str__(self) -> str:
        return str(self.type)


class SizeOrigin(NamedTuple):
    """The input that an unknown size is read off, by name, its rank, and the axis."""

    argument: str
    rank: int
    axis: int


@dataclass(frozen=True)
class ProgramSignature:
    """The inputs of a program, in order, and the origin of each unknown size, by the size's name."""

    inputs: Mapping[str, TensorSpec]
    symbols: Mapping[str, SizeOrigin]

    def sizes_of(self, inputs: Arrays) -> dict[str, int]:
        """The unknown sizes that arrays bind, by name.

        Raises:
            ArrayError: an array that binds one is missing, or has another rank.
        """
        sizes: dict[str, int] = {}
        need_names(inputs, "inputs")
        for name, (argument, rank, axis) in self.symbols.items():
            if argument not in inputs:
                raise ArrayError(f"input {argument} is missing; the program has {', '.join(self.inputs)}")
            shape = as_array(inputs[argument], argument).shape
            if len(shape) != rank:
                raise ArrayError(f"input {argument} has {len(shape)} axes, the program wants {rank}")
            sizes[name] = shape[axis]
        return sizes

    def example_sizes(self, examples: Example | Sequence[Example] | Mapping[str, Example]) -> dict[str, int]:
        """The unknown sizes that examples of the inputs bind.

        Args:
            examples: arrays or shapes, by name or in the order of the inputs; of a single input also it alone. Inputs
                that bind no size may be left out.

        Raises:
            LastuseError: an input is unknown, a size is missing, or a shape does not fit.
        """
        sizes: dict[str, int] = {}
        for name, example in self._by_name(examples).items():
            spec = self.inputs.get(name)
            if spec is None:
                raise LastuseError(f"no input is called '{name}'; there are {', '.join(self.inputs) or 'none'}")
            shape = _shape_of(name, example)
            if len(shape) != len(spec.shape):
                raise LastuseError(f"input {name} has {len(spec.shape)} axes, not {len(shape)}")
            for axis, (size, expected) in enumerate(zip(shape, spec.shape, strict=True)):
                bound = sizes.setdefault(expected, size) if isinstance(expected, str) else expected
                if bound != size:
                    raise LastuseError(f"input {name} has size {bound} on axis {axis}, not {size}")
        missing = [name for name in self.symbols if name not in sizes]
        if missing:
            raise LastuseError(f"sizes are missing: {', '.join(missing)}")
        return sizes

    def example_arrays(self, examples: Example | Sequence[Example] | Mapping[str, Example]) -> Arrays:
        """The examples that are arrays and no shapes, by name."""
        named = self._by_name(examples).items()
        return {name: as_array(item, name) for name, item in named if not isinstance(item, list | tuple)}

    def _by_name(self, examples: Example | Sequence[Example] | Mapping[str, Example]) -> Mapping[str, Example]:
        if isinstance(examples, Mapping):
            return examples  # pyright: ignore[reportUnknownVariableType]
        items: Sequence[Example] = examples if isinstance(examples, list | tuple) else [examples]  # pyright: ignore
        if len(self.inputs) == 1 and (not items or all(_is_size(item) for item in items)):
            items = [items]  # the shape of the only input
        if len(items) != len(self.inputs):
            names = ", ".join(self.inputs) or "none"
            raise LastuseError(f"the program has {len(self.inputs)} inputs ({names}), {len(items)} are given")
        return dict(zip(self.inputs, items, strict=True))


def signature_of(func: FuncOp) -> ProgramSignature:
    """The signature of a function."""
    places = unknown_sizes(func)
    entry = func.body.blocks[0]
    names, sizes = argument_names(entry), symbol_names(entry)
    symbols = {
        name: SizeOrigin(names[index], len(static_shape(func.args[index].type)), axis)
        for name, (index, axis) in places.items()
    }
    inputs = [
        _spec(name, a.type, [sizes.get((a.index, axis)) for axis in range(len(_sizes(a.type)))])
        for name, a in zip(names, func.args, strict=True)
    ]
    return ProgramSignature({spec.name: spec for spec in inputs}, symbols)


def outputs_of(func: FuncOp) -> dict[str, TensorSpec]:
    """The results of a function, by name.

    Raises:
        LastuseError: sizes do not fit an op.
    """
    return {spec.name: spec for spec in _outputs(func)}


def _outputs(func: FuncOp) -> Iterator[TensorSpec]:
    types = func.function_type.outputs.data
    inferred = infer_shapes(func) if any(None in _sizes(type_) for type_ in types) else {}
    for name, type_, value in zip(result_names(func), types, returns_of(func)[0].operands, strict=True):
        info = inferred.get(value)
        yield _spec(name, type_, [] if info is None else [None if d is None else str(d) for d in info.shape])


def _spec(name: str, type_: Attribute, sizes: Sequence[str | None]) -> TensorSpec:
    """`sizes`: names of the sizes that the type does not know."""
    is_scalar = not isinstance(type_, TensorType)
    dtype = dtype_name(type_ if is_scalar else type_.element_type)  # pyright: ignore[reportUnknownMemberType]
    names = sizes or [None] * len(_sizes(type_))
    shape = [size if size is not None else other or "?" for size, other in zip(_sizes(type_), names, strict=True)]
    return TensorSpec(name, tuple(shape), dtype, is_scalar)


def _sizes(type_: Attribute) -> tuple[int | None, ...]:
    return static_shape(type_) if isinstance(type_, TensorType) else ()


def _is_size(item: object) -> bool:
    return isinstance(item, int | np.integer) and not isinstance(item, bool)


def _shape_of(name: str, example: Example) -> tuple[int, ...]:
    if isinstance(example, list | tuple):
        sizes: list[object] = list(example)  # pyright: ignore[reportUnknownArgumentType]
        if any(not _is_size(size) or int(size) < 0 for size in sizes):  # pyright: ignore[reportArgumentType]
            raise LastuseError(f"the shape of input {name} has numbers from 0 on, not {sizes}")
        return tuple(int(size) for size in sizes)  # pyright: ignore[reportArgumentType]
    return as_array(example, name).shape
