"""Arrays that drawn programs run on."""

from __future__ import annotations

import zlib

import numpy as np
from xdsl.dialects.builtin import IndexType, IntegerType, TensorType
from xdsl.dialects.func import FuncOp

from lastuse.dialect.ir.tensor_types import dtype_name, numpy_dtype
from lastuse.dialect.storage.argument_names import argument_name

Arrays = dict[str, np.ndarray]
EXTREME = (np.nan, np.inf, -np.inf, -0.0, 1e-40, -1e-45, 1.2e-38, 3e38, -3e38, 1e20, 5e-324, 1e-310, 1.7e308)
"""NaN, infinities, denormals of f32 and of f64, numbers near the ends."""


def array(
    name: str, type_: object, seed: int, extreme: bool = False, shape: tuple[int, ...] | None = None
) -> np.ndarray:
    """An argument's values: numbers that every element type holds exactly, a few of them -0, each its own.

    Args:
        extreme: some are NaN, infinite, denormal or nearly too large.
        shape: of a tensor of unknown sizes.
    """
    chance = np.random.default_rng(zlib.crc32(f"{name} {seed}".encode()))
    if isinstance(type_, IndexType):
        return np.array(chance.integers(0, 4), np.int64)
    if isinstance(type_, IntegerType):
        return np.array(chance.random() < 0.5) if type_.width.data == 1 else np.array(chance.integers(0, 4))
    assert isinstance(type_, TensorType)
    dtype, shape = dtype_name(type_.element_type), shape if shape is not None else type_.get_shape()
    if dtype == "i1":
        return np.asarray(chance.random(shape) < 0.5)
    if dtype[0] in "iu":
        return np.asarray(chance.integers(-4 if dtype[0] == "i" else 0, 5, shape), numpy_dtype(dtype))
    numbers = np.asarray(chance.integers(-16, 17, shape) / 8, numpy_dtype(dtype))
    numbers = np.where(chance.random(shape) < 0.1, -np.zeros((), numbers.dtype), numbers)
    if extreme and chance.random() < 0.7:
        with np.errstate(all="ignore"):
            drawn = chance.choice(np.array(EXTREME), shape).astype(numbers.dtype)
        numbers = np.where(chance.random(shape) < 0.15, drawn, numbers)
    return numbers


def inputs_of(func: FuncOp, seed: int, extreme: bool = False) -> Arrays:
    """Arrays for every argument of a function, by name. Where an optimizer counts, and keeps squares, no number is
    negative."""
    found = {argument_name(a): array(f"{i}", a.type, seed, extreme) for i, a in enumerate(func.args)}
    return {name: np.asarray(np.abs(v)) if name == "step" or name.endswith(".v") else v for name, v in found.items()}


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bit for bit, any NaN equal to any other."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.tobytes() == b.tobytes():
        return True
    nan = np.isnan(a) & np.isnan(b) if a.dtype.kind == "f" else np.zeros(a.shape, np.bool_)
    as_bits = np.dtype(f"u{a.itemsize}")
    bits = [np.frombuffer(x.tobytes(), as_bits).reshape(a.shape) for x in (a, b)]
    return bool(np.all(nan | (bits[0] == bits[1])))
