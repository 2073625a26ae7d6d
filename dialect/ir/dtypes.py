"""Element types: their names in IR, their size in bytes, their numpy dtypes."""

from __future__ import annotations

import math
import re
from functools import lru_cache

import ml_dtypes
import numpy as np
from xdsl.dialects import builtin
from xdsl.ir import Attribute

_NUMPY: dict[str, np.dtype] = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "i64": np.dtype(np.int64),
    "i32": np.dtype(np.int32),
    "i16": np.dtype(np.int16),
    "i8": np.dtype(np.int8),
    "ui8": np.dtype(np.uint8),
    "i1": np.dtype(np.bool_),
    "index": np.dtype(np.int64),
}
_NAMES = {dtype: name for name, dtype in _NUMPY.items() if name != "index"}


def is_integer(type_: Attribute) -> bool:
    """Whether all bits of an element make a number of their own: integers, truth values, indices."""
    return isinstance(type_, builtin.IntegerType | builtin.IndexType)


@lru_cache(maxsize=256)
def dtype_name(type_: Attribute) -> str:
    """The textual name of an element type: `f32`, `i64`, …"""
    return str(type_)


def numpy_dtype(name: str) -> np.dtype:
    """The numpy dtype of an element type.

    Raises:
        ValueError: no kernel here computes with that element type.
    """
    try:
        return _NUMPY[name]
    except KeyError:
        raise ValueError(f"element type {name} is not supported; supported are {', '.join(_NUMPY)}") from None


def item_bytes(name: str) -> int:
    """Bytes of one element; i1 takes a whole byte. Types no kernel knows are counted by their width, 8 if unknown."""
    if name in _NUMPY:
        return _NUMPY[name].itemsize
    if (parts := re.fullmatch(r"complex<(.*)>", name)) is not None:
        return 2 * item_bytes(parts[1])
    if (vector := re.fullmatch(r"vector<((?:\d+x)+)([^x].*)>", name)) is not None:
        return math.prod(int(size) for size in vector[1].split("x")[:-1]) * item_bytes(vector[2])
    width = re.fullmatch(r"(?:[su]?i|f|tf)(\d+)(?:E\d.*)?", name)
    if width is None:
        return 8
    digits = width[1] if "E" not in name else name[1]  # f8E4M3FN has a bit of sign, 4 of exponent, 3 of mantissa
    return max(1, (int(digits) + 7) // 8)


def element_type(name: str) -> Attribute:
    """The xDSL element type of a name that `numpy_dtype` knows; raises ValueError as that does."""
    numpy_dtype(name)
    named: dict[str, Attribute] = {
        "f64": builtin.f64,
        "f32": builtin.f32,
        "f16": builtin.f16,
        "bf16": builtin.bf16,
        "index": builtin.IndexType(),
        "ui8": builtin.IntegerType(8, builtin.Signedness.UNSIGNED),
    }
    return named.get(name) or builtin.IntegerType(int(name[1:]))


def name_of_dtype(dtype: np.dtype) -> str:
    """The element type of a numpy dtype; raises ValueError where there is none."""
    try:
        return _NAMES[np.dtype(dtype)]
    except KeyError:
        raise ValueError(f"arrays of dtype {dtype} are not supported") from None
