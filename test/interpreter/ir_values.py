"""What ops say of themselves in their attributes and types, read without the op classes."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation

from lastuse.dialect.ir import resources

Array = np.ndarray

DTYPES = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "i64": np.dtype(np.int64),
    "i32": np.dtype(np.int32),
    "i16": np.dtype(np.int16),
    "i8": np.dtype(np.int8),
    "ui64": np.dtype(np.uint64),
    "ui32": np.dtype(np.uint32),
    "ui16": np.dtype(np.uint16),
    "ui8": np.dtype(np.uint8),
    "i1": np.dtype(np.bool_),
    "index": np.dtype(np.int64),
}


def dtype_of(type_: Attribute) -> np.dtype:
    """The numpy dtype of a scalar type, or of a tensor's elements."""
    return DTYPES[str(type_.element_type if isinstance(type_, TensorType) else type_)]


def sizes_of(type_: Attribute) -> list[int | None]:
    """Sizes of a tensor type, None for `?`."""
    assert isinstance(type_, TensorType)
    return [None if d == DYNAMIC_INDEX else d for d in type_.get_shape()]


def result_shape(op: Operation, like: Array | None = None, result: int = 0) -> tuple[int, ...]:
    """The shape that a result's type states; a `?` is the size of the same axis of `like`."""
    stated = sizes_of(op.results[result].type)
    return tuple(like.shape[axis] if d is None and like is not None else int(d or 0) for axis, d in enumerate(stated))


def number(op: Operation, name: str, default: float) -> float | int:
    """A number attribute; a truth value is 1 or 0."""
    attribute = op.attributes.get(name)
    if isinstance(attribute, FloatAttr):
        return attribute.value.data
    if not isinstance(attribute, IntegerAttr):
        return default
    return abs(attribute.value.data) if str(attribute.type) == "i1" else attribute.value.data


def integer(op: Operation, name: str, default: int = 0) -> int:
    """An attribute that is a whole number, or a truth value."""
    return int(number(op, name, default))


def word(op: Operation, name: str, default: str) -> str:
    """An attribute that is a string."""
    attribute = op.attributes.get(name)
    return attribute.data if isinstance(attribute, StringAttr) else default


def numbers(op: Operation, name: str) -> list[float] | None:
    """An attribute that is a list of numbers or of truth values; None where it is absent."""
    attribute = op.attributes.get(name)
    if isinstance(attribute, DenseArrayBase):
        return list(attribute.get_values())
    if isinstance(attribute, ArrayAttr):
        return [abs(one.value.data) for one in attribute.data if isinstance(one, IntegerAttr)]
    return None


def integers(op: Operation, name: str) -> list[int] | None:
    """An attribute that is a list of whole numbers; None where it is absent."""
    given = numbers(op, name)
    return None if given is None else [int(n) for n in given]


def given(op: Operation, names: str, operands: list[Array]) -> dict[str, Array]:
    """Operands by name where `operandSegmentSizes` says which of them are there."""
    there = integers(op, "operandSegmentSizes")
    assert there is not None
    return dict(zip((name for name, n in zip(names.split(), there, strict=True) if n), operands, strict=True))


def constant(op: Operation) -> Array:
    """The elements of a constant."""
    value, type_ = op.attributes["value"], op.results[0].type
    if isinstance(value, DenseResourceAttr):
        module = op.get_toplevel_object()
        assert isinstance(module, ModuleOp)
        return np.array(resources.array_of(value, module, op))
    assert isinstance(value, DenseIntOrFPElementsAttr)
    dtype, shape = dtype_of(type_), [int(d or 0) for d in sizes_of(type_)]
    if len(value) == 1 or math.prod(shape) <= 4096:
        flat = np.array(value.get_values(), np.float64 if is_narrow(dtype) else dtype).astype(dtype)
        return np.array(np.broadcast_to(flat.reshape(()), shape) if flat.size == 1 else flat.reshape(shape))
    raw = np.frombuffer(value.data.data, np.uint8 if dtype == np.bool_ else dtype)
    return (raw != 0 if dtype == np.bool_ else raw).reshape(shape).copy()


def is_narrow(dtype: np.dtype) -> bool:
    """A floating-point type that numpy makes from lists of floats only by way of float64."""
    return dtype == DTYPES["bf16"]
