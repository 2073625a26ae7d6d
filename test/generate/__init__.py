"""Random straight-line programs over all ops of the dnn dialect, as text: for tests of whole pipelines.

`programs()` is a hypothesis strategy, `random_program(seed)` one program. Shapes are small; operands are mostly recent
values, so that chains, repeated operands, views of views and several readers of one value are common.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from lastuse.dialect.dtypes import numpy_dtype

from .builder import Builder, Value
from .kernels import KERNELS
from .movers import MOVERS, PARTS

__all__ = ["MAKERS", "Generated", "programs", "random_program"]

MAKERS = {**KERNELS, **MOVERS}
"""How each op is drawn. Those that only operands of their own kind suit (gru, crf_decoding) have tests of their own."""


@dataclass(frozen=True)
class Generated:
    """A program: its text, the same with every value returned, and arrays to run it on.

    Attributes:
        text: the module.
        open_text: the same function, nothing donated nor tied, all its values returned in order of definition.
        inputs: arrays by argument name.
        written: names of the arguments whose memory the program may write.
    """

    text: str
    open_text: str
    inputs: dict[str, np.ndarray] = field(compare=False)
    written: frozenset[str]

    def __repr__(self) -> str:
        return self.text


VIEWS = ("reshape", "flatten", "expand", "transpose", "multiout", "split", "unbind", *PARTS)
CARRIERS = ("concat", "concat", "concat", "stack", "pad", *(f"{op}_scatter" for op in PARTS))
DRAWN = (
    *MAKERS.values(),
    *(MAKERS[f"dnn.{op}"] for op in (*VIEWS, *CARRIERS, *CARRIERS, "add", "mul", "relu", "neg", "exp")),
)
"""What is drawn from: what decisions are hard about comes more often."""


@st.composite
def programs(draw: Callable[[st.SearchStrategy[int]], int]) -> Generated:
    """Programs of `build`."""
    return build(lambda low, high: draw(st.integers(low, high)))


def random_program(seed: int) -> Generated:
    """One program of `build`."""
    return build(random.Random(seed).randint)


def build(number: Callable[[int, int], int]) -> Generated:
    """A program of 1 to 12 drawn ops, one to three results; some arguments are donated, some results tied."""
    b = Builder(number)
    for _ in range(13 - b.number(1, 12)):
        b.choose(DRAWN)(b)
    last = [v for v in b.values if v.name[0] == "v"] or b.values
    results = [last[-1], *(b.choose(b.values[::-1]) for _ in range(b.number(0, 2)))]
    donated = {v.name for v in b.arguments if b.chance(3)}
    tied: dict[int, int] = {}
    for r, value in enumerate(results):
        free = [k for k, a in enumerate(b.arguments) if a.type == value.type and k not in tied.values()]
        if free and b.chance(4):
            tied[r] = b.choose(free)
    arguments = [f"%{v.name}: {v.type}" + " {dnn.donated}" * (v.name in donated) for v in b.arguments]
    types = [v.type + (f" {{dnn.tied = {tied[r]} : i32}}" if r in tied else "") for r, v in enumerate(results)]
    chance = np.random.default_rng(b.number(0, 9))
    return Generated(
        _function(arguments, types, b.lines, results),
        _function([f"%{v.name}: {v.type}" for v in b.arguments], [v.type for v in b.values], b.lines, b.values),
        {v.name: array_of(chance, v) for v in b.arguments},
        frozenset(donated | {b.arguments[k].name for k in tied.values()}),
    )


def _function(arguments: Sequence[str], types: Sequence[str], lines: Sequence[str], results: Sequence[Value]) -> str:
    last = f"  func.return {', '.join('%' + v.name for v in results)} : {', '.join(v.type for v in results)}"
    head = f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{"
    return "\n".join([head, *lines, last, "}", ""])


def array_of(chance: np.random.Generator, value: Value) -> np.ndarray:
    """Numbers that are exact in every element type, a few of them -0."""
    if value.dtype == "i1":
        return chance.random(value.shape) < 0.5
    if value.dtype[0] == "i":
        return np.asarray(chance.integers(-4, 5, value.shape), numpy_dtype(value.dtype))
    numbers = np.asarray(chance.integers(-16, 17, value.shape) / 8, numpy_dtype(value.dtype))
    return np.where(chance.random(value.shape) < 0.1, -np.zeros((), numbers.dtype), numbers)
