"""How a function on numpy arrays becomes a program of the `map` kernel: it is called with traced arrays, which note
what numpy is asked to compute.

So the numpy meaning of an elementwise op is all that it states. What a traced array cannot note, such as a branch on
elements, a shape, or an element type that registers do not have, raises `NotTraceable`, and the op stays with its
kernel in numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from lastuse.dialect.dnn.map_program import INSTRUCTIONS, MapProgram, Register, Step, has_type

Function = Callable[..., Any]
_ALIASES = {"conjugate": "positive"}
_SWAPPED = {"greater": "less", "greater_equal": "less_equal"}
"""Comparisons that are others of the operands in the other order."""
_HALF, _FLOAT = np.dtype(np.float16), np.dtype(np.float32)
_ON_HALVES = ("positive", "where")
"""Instructions that move elements."""


class NotTraceable(AttributeError):
    """No instructions of the kernel compute the function."""


class _Tape:
    """The instructions that were asked for, each once."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.numbers: dict[tuple[object, ...], int] = {}

    def note(self, name: str, ins: Sequence[Register], dtype: np.dtype) -> Register:
        """The result of an instruction. That of f16 is computed in f32 and rounded, as numpy computes it."""
        if ins[-1].dtype == _HALF and name not in _ON_HALVES:
            wide = _FLOAT if dtype == _HALF else dtype
            return self.cast(self.note(name, [self.cast(value, _FLOAT) for value in ins], wide), dtype)
        kinds = INSTRUCTIONS.get(name, "")
        if ins[-1].dtype.kind not in kinds or not all(has_type(d) for d in (dtype, *(v.dtype for v in ins))):
            raise NotTraceable(f"no instruction is {name} of {ins[-1].dtype}")
        return self._step(name, ins, dtype)

    def _step(self, name: str, ins: Sequence[Register], dtype: np.dtype) -> Register:
        step = Step(name, tuple(ins), dtype)
        key = (name, *(repr(value) for value in ins), dtype)  # 0 and -0 are equal, but no one number
        if key not in self.numbers:
            self.numbers[key] = len(self.steps)
            self.steps.append(step)
        return Register(dtype, instruction=self.numbers[key])

    def where(self, condition: Register, taken: Register, other: Register) -> Register:
        """`taken` where the condition is true, else `other`: a comparison of elements of their type is part of it."""
        step = None if condition.instruction is None else self.steps[condition.instruction]
        name = "" if step is None else f"where_{_SWAPPED.get(step.name, step.name)}"
        if step is None or name not in INSTRUCTIONS or step.ins[0].dtype != taken.dtype:
            return self.note("where", (condition, taken, other), taken.dtype)
        compared = step.ins[::-1] if step.name in _SWAPPED else step.ins
        return self.note(name, (*compared, taken, other), taken.dtype)

    def cast(self, value: Register, dtype: np.dtype) -> Register:
        if value.dtype == dtype:
            return value
        if value.constant is not None:
            with np.errstate(all="ignore"):
                return Register(dtype, constant=np.asarray(value.constant, value.dtype).astype(dtype).item())
        if not has_type(value.dtype) or not has_type(dtype):
            raise NotTraceable(f"no register has elements of {dtype}")
        if _HALF in (value.dtype, dtype) and _FLOAT not in (value.dtype, dtype):
            if value.dtype == np.float64:
                raise NotTraceable("f64 is rounded to f16 once")
            return self.cast(self.cast(value, _FLOAT), dtype)
        return self._step("cast", (value,), dtype)


class TracedArray(NDArrayOperatorsMixin):
    """Stands for an operand or a result inside a function that is traced. Functions that write into an array (`out=`)
    give it another value."""

    def __init__(self, tape: _Tape, value: Register) -> None:
        self.tape = tape
        self.value = value

    @property
    def dtype(self) -> np.dtype:
        return self.value.dtype

    def astype(self, dtype: Any, copy: bool = True) -> TracedArray:
        return TracedArray(self.tape, self.tape.cast(self.value, np.dtype(dtype)))

    def copy(self) -> TracedArray:
        return TracedArray(self.tape, self.value)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        outs = options.pop("out", None)
        if method != "__call__" or options:
            raise NotTraceable(f"{ufunc.__name__} is called in another way")
        if ufunc is np.divmod:
            return np.floor_divide(*inputs), np.remainder(*inputs)
        kinds = tuple(type(x) if type(x) in (int, float) else _dtype(x) for x in inputs)
        dtypes = ufunc.resolve_dtypes((*kinds, *(None,) * ufunc.nout))  # pyright: ignore
        ins = [self._value(x, dtype) for x, dtype in zip(inputs, dtypes, strict=False)]
        name = str(ufunc.__name__)
        value = self.tape.note(_ALIASES.get(name, name), ins, dtypes[-1])
        if outs is None:
            return TracedArray(self.tape, value)
        (out,) = outs
        out.value = self.tape.cast(value, out.dtype)
        return out

    def __array_function__(self, func: Function, types: Any, args: Any, kwargs: Any) -> Any:
        traced = _FUNCTIONS.get(func)
        if traced is None:
            raise NotTraceable(f"{func.__name__} has no instructions")
        return traced(self, *args, **kwargs)

    def call(self, name: str) -> TracedArray:
        """The instruction of this name, of this array."""
        return TracedArray(self.tape, self.tape.note(name, (self.value,), self.dtype))

    def _value(self, x: Any, dtype: np.dtype) -> Register:
        if isinstance(x, TracedArray):
            return self.tape.cast(x.value, dtype)
        array = np.asarray(x)
        if array.ndim:
            raise NotTraceable("an array of several elements is part of the function")
        if type(x) is int and dtype.kind in "iu" and not np.iinfo(dtype).min <= x <= np.iinfo(dtype).max:
            raise NotTraceable(f"{x} is no number of {dtype}")
        with np.errstate(all="ignore"):
            return Register(dtype, constant=array.astype(dtype).item())

    def where(self, condition: Any, a: Any, b: Any) -> TracedArray:
        dtype = np.result_type(*(x if type(x) in (int, float) else _dtype(x) for x in (a, b)))
        chosen, taken, other = (self._value(x, d) for x, d in ((condition, np.dtype(bool)), (a, dtype), (b, dtype)))
        return TracedArray(self.tape, self.tape.where(chosen, taken, other))

    def full(self, like: TracedArray, number: Any = 0, dtype: Any = None) -> TracedArray:
        return TracedArray(self.tape, self._value(number, like.dtype if dtype is None else np.dtype(dtype)))

    def empty(self, like: TracedArray, dtype: Any = None) -> TracedArray:
        return self.full(like, 0, dtype)

    def copyto(self, to: TracedArray, source: Any) -> None:
        to.value = self._value(source, to.dtype)

    def _refuse(self, *_: Any) -> Any:
        raise NotTraceable("the function asks for elements")

    __bool__ = __float__ = __int__ = __iter__ = __len__ = __getitem__ = __setitem__ = __array__ = _refuse

    def __getattr__(self, name: str) -> Any:
        raise NotTraceable(f"the function asks for {name}")


_FUNCTIONS: dict[Function, Function] = {
    np.where: TracedArray.where,
    np.full_like: TracedArray.full,
    np.zeros_like: TracedArray.empty,
    np.empty_like: TracedArray.empty,
    np.copyto: TracedArray.copyto,
}


def _dtype(x: Any) -> np.dtype:
    dtype = np.asarray(x).dtype if not isinstance(x, TracedArray) else x.dtype
    if not has_type(dtype):
        raise NotTraceable(f"no register has elements of {dtype}")
    return dtype


def instruction(name: str) -> Callable[[Function], Function]:
    """Decorates a function of one array that an instruction of the kernel computes."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def either(x: Any) -> Any:
            return x.call(name) if isinstance(x, TracedArray) else function(x)

        return either

    return decorate


def traced(function: Function, operands: Sequence[np.dtype], result: np.dtype) -> MapProgram:
    """The program of `function` on arrays of these element types, whose result is cast to `result`.

    Raises:
        NotTraceable: the kernel has no instructions for it.
    """
    if not all(has_type(dtype) for dtype in (*operands, result)):
        raise NotTraceable("registers do not have the element types")
    tape = _Tape()
    try:
        made = function(*(TracedArray(tape, Register(dtype, operand=k)) for k, dtype in enumerate(operands)))
    except (TypeError, ValueError) as error:  # numpy has no such function of these types
        raise NotTraceable(str(error)) from None
    if not isinstance(made, TracedArray):
        raise NotTraceable("the result depends on no operand")
    value = tape.cast(made.value, result)
    if value.instruction is None:
        value = tape.note("positive", (value,), result)
    return MapProgram(tuple(operands), _used(tape.steps, value))


def _used(steps: Sequence[Step], result: Register) -> tuple[Step, ...]:
    """The steps that the result needs, which come in the same order and end with the one that makes it."""
    needed, waiting = set[int](), [result]
    while waiting:
        number = waiting.pop().instruction
        if number is not None and number not in needed:
            needed.add(number)
            waiting += steps[number].ins
    numbers = {old: new for new, old in enumerate(sorted(needed))}

    def moved(value: Register) -> Register:
        return value if value.instruction is None else value._replace(instruction=numbers[value.instruction])

    # An instruction is noted behind its operands, so the result's is the last of those that it needs.
    return tuple(steps[old]._replace(ins=tuple(map(moved, steps[old].ins))) for old in numbers)
