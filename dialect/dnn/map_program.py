"""Programs of the runtime's `map` kernel: instructions that compute each element from those at the same place.

`runtime/cpp/kernels/map.hpp` has the same instructions and element types in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

_TRUTHS, _INTEGERS, _REALS = "b", "iu", "f"
_NUMBERS, _ALL = _INTEGERS + _REALS, _TRUTHS + _INTEGERS + _REALS
_FUNCTIONS = (
    *("exp", "expm1", "log", "log1p", "sin", "cos", "tan", "arcsin", "arccos", "arctan"),
    *("sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "erf"),
)
"""Instructions that take about 16 times as long as a sum."""

INSTRUCTIONS: dict[str, str] = {
    **dict.fromkeys(("add", "subtract", "multiply", "maximum", "minimum", "fmax", "fmin"), _NUMBERS),
    "divide": _REALS,
    "power": _NUMBERS,
    "remainder": _NUMBERS,
    "fmod": _NUMBERS,
    "floor_divide": _NUMBERS,
    "copysign": _REALS,
    **dict.fromkeys(("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"), _ALL),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor", "logical_not"), _TRUTHS),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor", "invert"), _TRUTHS + _INTEGERS),
    **dict.fromkeys(("left_shift", "right_shift"), _INTEGERS),
    "negative": _NUMBERS,
    "positive": _ALL,
    "absolute": _NUMBERS,
    "sign": _NUMBERS,
    "square": _NUMBERS,
    **dict.fromkeys(("reciprocal", "sqrt", "floor", "ceil", "rint", "isnan", "isinf"), _REALS),
    **dict.fromkeys(_FUNCTIONS, _REALS),
    "where": _ALL,
    **dict.fromkeys(("where_less", "where_less_equal", "where_equal"), _NUMBERS),
    "cast": _ALL,
}
"""Every instruction, by the name of the numpy function of the same meaning where there is one, and the kinds of
elements (`numpy.dtype.kind`) that it takes: `where` as its second and third operand. `where_less(a, b, x, y)` is
`where(less(a, b), x, y)` on elements of one type. Of f16 there are `positive`, `where`, and `cast` from and to f32."""

_NUMBER_OF = {name: number for number, name in enumerate(INSTRUCTIONS)}
_CODES = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "f2")
_TYPES = {np.dtype(code): number for number, code in enumerate(_CODES)}
_HALF = 1 << 32


def has_type(dtype: np.dtype) -> bool:
    """Whether registers hold elements of this type."""
    return dtype in _TYPES


class Register(NamedTuple):
    """What it holds: operand `operand`, a constant, or what instruction `instruction` computes; the others are None."""

    dtype: np.dtype
    operand: int | None = None
    constant: float | int | None = None
    instruction: int | None = None


class Step(NamedTuple):
    """An instruction on registers; `dtype` is the result's element type."""

    name: str
    ins: tuple[Register, ...]
    dtype: np.dtype


@dataclass(frozen=True)
class MapProgram:
    """What a map computes. The last step makes the result.

    Attributes:
        operands: their element types.
        steps: in the order in which they run; each result is used, but for the last.
    """

    operands: tuple[np.dtype, ...]
    steps: tuple[Step, ...]

    @property
    def has_functions(self) -> bool:
        """Whether it computes functions that are no arithmetic, such as tanh."""
        return any(step.name in _FUNCTIONS for step in self.steps)

    def numbers(self) -> list[float]:
        """The program as the kernel reads it: operands, constants, steps, each behind its number."""
        constants = list(dict.fromkeys(_key(v) for step in self.steps for v in step.ins if v.constant is not None))
        first = len(self.operands) + len(constants)

        def register(value: Register) -> int:
            if value.operand is not None:
                return value.operand
            if value.instruction is not None:
                return first + value.instruction
            return len(self.operands) + constants.index(_key(value))

        numbers: list[float] = [len(self.operands), *(_TYPES[dtype] for dtype in self.operands), len(constants)]
        for dtype, text in constants:
            numbers += [_TYPES[dtype], *_halves(dtype, text)]
        numbers.append(len(self.steps))
        for step in self.steps:
            in_type = step.ins[-1].dtype
            numbers += [_NUMBER_OF[step.name], _TYPES[in_type], _TYPES[step.dtype], len(step.ins)]
            numbers += [register(value) for value in step.ins]
        return numbers


def _key(value: Register) -> tuple[np.dtype, bytes]:
    """A constant by its bytes: 0 and -0 are two."""
    return value.dtype, np.asarray(value.constant).astype(value.dtype).tobytes()


def _halves(dtype: np.dtype, data: bytes) -> tuple[float, float]:
    """A floating-point number, or the upper and the lower 32 bits of an integer, or of the bits of f16."""
    dtype = np.dtype(np.uint16) if dtype == np.float16 else dtype
    element = np.frombuffer(data, dtype)[0].item()
    return (element, 0) if dtype.kind == "f" else divmod(int(element), _HALF)
