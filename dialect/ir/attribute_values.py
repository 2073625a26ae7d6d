"""Python numbers, words and lists as attributes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    f32,
    i64,
)
from xdsl.ir import Attribute


@lru_cache(maxsize=1 << 10)
def numbers_of(array: DenseArrayBase[IntegerType]) -> tuple[int, ...]:
    """The numbers of an array. xDSL unpacks them from bytes whenever they are asked for."""
    return tuple([int(n) for n in array.get_values()])


def attribute_of(value: object, floats: AnyFloat = f32) -> Attribute:
    """The attribute of a Python number, string or list, as dnn ops take it; an attribute is itself.

    Args:
        floats: the type that floating-point numbers have.

    Raises:
        ValueError: there is no attribute for such a thing.
    """
    match value:
        case Attribute():
            return value
        case bool():
            return BoolAttr.from_bool(value)
        case int() | np.integer():
            return IntegerAttr(int(value), i64)
        case float() | np.floating():
            return FloatAttr(float(value), floats)
        case str():
            return StringAttr(value)
        case list() | tuple():
            if value and all(isinstance(item, str) for item in value):  # pyright: ignore
                return ArrayAttr([StringAttr(str(item)) for item in value])  # pyright: ignore
            if all(isinstance(item, int) for item in value):  # pyright: ignore
                return DenseArrayBase.from_list(i64, [int(item) for item in value])  # pyright: ignore
            return DenseArrayBase.from_list(floats, [float(item) for item in value])  # pyright: ignore
        case _:
            raise ValueError(f"an attribute of type {type(value).__name__} is not supported")
