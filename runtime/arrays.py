"""Arrays that a caller gives, and larger ones that they are a part of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from lastuse.dialect.ir.diagnostics import ArrayError
from lastuse.dialect.ir.tensor_types import aligned_bytes
from lastuse.runtime.build import Argument
from lastuse.runtime.scalar_inputs import as_scalar, contiguous

Arrays = Mapping[str, np.ndarray]
_NONE: Arrays = {}
LARGE_RESULT = 1 << 16
"""Bytes from which on a result starts at a cache line."""


class LeadingRows(NamedTuple):
    """What a caller gives where a program runs on larger arrays, of which the caller's are the first rows.

    Attributes:
        shapes: the shapes of the caller's arrays, in the order of the program's arguments.
        enlarge: the larger inputs, by name, of the caller's. They share no memory that a run writes.
    """

    shapes: Sequence[tuple[int, ...]]
    enlarge: Callable[[Arrays], Arrays]


def as_array(value: object, name: str) -> np.ndarray:
    """What the caller gives as `name` as an array, without a copy where it is one, or has memory of the CPU that it
    hands out by DLPack (tensors of other libraries).

    Raises:
        ArrayError: it is no array, and nothing that numpy makes one of.
    """
    if isinstance(value, np.ndarray):
        return value
    try:
        return np.from_dlpack(value) if hasattr(value, "__dlpack__") else np.asarray(value)  # pyright: ignore
    except (BufferError, RuntimeError) as error:
        raise ArrayError(f"'{name}' cannot be read by DLPack: {error}") from error
    except (ValueError, TypeError) as error:
        raise ArrayError(f"'{name}' is no array: {error}") from error


def need_names(arrays: object, what: str) -> None:
    """Raises ArrayError unless these are arrays by name."""
    if not isinstance(arrays, Mapping):
        raise ArrayError(f"{what}: arrays by name are wanted, not {type(arrays).__name__}")


def collect(
    arguments: Sequence[Argument], shapes: Sequence[tuple[int, ...]], inputs: Arrays, out: Arrays | None
) -> list[np.ndarray]:
    """The array of each argument: the caller's, or a new one for a result that the caller gives none for.

    Args:
        shapes: of each argument, the shape of a new array.

    Raises:
        ArrayError: arrays are missing, or unknown, or are none.
    """
    given: Arrays = _NONE if out is None else out
    need_names(inputs, "inputs")
    need_names(given, "out")
    expected = [a.input for a in arguments if a.input is not None]
    if given or len(inputs) != len(expected) or not all(name in inputs for name in expected):
        check_names(arguments, inputs, given)
    outs = {name: _memory_of(array, name) for name, array in given.items()} if given else _NONE
    return [_array(a, shape, inputs, outs) for a, shape in zip(arguments, shapes, strict=True)]


def _memory_of(array: object, name: str) -> np.ndarray:
    """The memory that a result is written to."""
    if not isinstance(array, np.ndarray) and not hasattr(array, "__dlpack__"):
        raise ArrayError(f"out: {name} is no array to write to, but {type(array).__name__}")
    return as_array(array, name)


def _array(argument: Argument, shape: tuple[int, ...], inputs: Arrays, out: Arrays) -> np.ndarray:
    if argument.input is not None:
        if argument.is_scalar:
            return as_scalar(as_array(inputs[argument.input], argument.input), argument.dtype, argument.input)
        array = as_array(inputs[argument.input], argument.input)
        return array if argument.result is not None else contiguous(array)
    assert argument.result is not None
    if argument.result in out:
        return out[argument.result]
    return empty_result(shape, argument.dtype)


def empty_result(shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """An array for a result, at the start of a cache line if it is large: oneDNN's resampling writes results that the
    caches do not hold by stores that fault elsewhere, where the runtime has to make the result aside."""
    nbytes = prod(shape) * dtype.itemsize
    if nbytes < LARGE_RESULT:
        return np.empty(shape, dtype)
    return aligned_bytes(nbytes).view(dtype).reshape(shape)


def check_names(arguments: Sequence[Argument], inputs: Arrays, out: Arrays) -> None:
    """Raises ArrayError where an input is missing, or one or a result is given that there is not."""
    expected = [a.input for a in arguments if a.input is not None]
    missing, unknown = [n for n in expected if n not in inputs], [n for n in inputs if n not in expected]
    if missing or unknown:
        kinds = {"missing": missing, "unknown": unknown}
        problem = "; ".join(f"{kind} {', '.join(map(str, names))}" for kind, names in kinds.items() if names)
        raise ArrayError(f"inputs: {problem}; the program has {', '.join(expected) or 'none'}")
    own = {a.result for a in arguments if a.result is not None and a.input is None}
    strange = [str(name) for name in out if name not in own]
    if strange:
        raise ArrayError(f"out: {', '.join(strange)} is no result with memory of its own")
