"""A program being drawn, line by line."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
Shape = tuple[int, ...]
SHAPES: tuple[Shape, ...] = (
    (4,),
    (2, 3),
    (3, 4),
    (2, 2),
    (3, 3),
    (6,),
    (2, 3, 2),
    (1, 4),
    (4, 1),
    (2, 1, 3),
    (),
    (0, 2),
)
FLOATS = ("f32", "f32", "f32", "f64")
NUMBERS = (*FLOATS, "i64", "i32")
MAX_ELEMENTS = 48
"""Values with more elements are not read."""
MAX_ARGUMENTS = 5


@dataclass(frozen=True)
class Value:
    """A tensor of the program: `%name : tensor<shape x dtype>`."""

    name: str
    shape: Shape
    dtype: str

    @property
    def type(self) -> str:
        return tensor(self.shape, self.dtype)

    @property
    def count(self) -> int:
        return math.prod(self.shape)


def tensor(shape: Shape, dtype: str) -> str:
    """A tensor type as text."""
    return f"tensor<{'x'.join([*map(str, shape), dtype])}>"


class Builder:
    """A program being drawn: operands are picked among the values so far, or become new arguments and constants."""

    def __init__(self, number: Callable[[int, int], int]) -> None:
        self.number = number
        """A number between two, both included; the lower one is the simplest."""
        self.lines: list[str] = []
        self.values: list[Value] = []
        self.made = 0
        """Results so far, those out of sight too: no name is given twice."""
        self.arguments: list[Value] = []
        self.views: list[tuple[str, str, Value, Value]] = []
        """(inverse op, attributes, base, part) of every view that has an inverse."""

    def chance(self, of: int) -> bool:
        """True once in `of` times; shrinks to False."""
        return self.number(0, of - 1) == of - 1

    def choose(self, options: Sequence[T]) -> T:
        return options[self.number(0, len(options) - 1)]

    def order(self, count: int) -> list[int]:
        """The numbers below `count` in some order."""
        left = list(range(count))
        return [left.pop(self.number(0, len(left) - 1)) for _ in range(count)]

    def pick(
        self, fits: Callable[[Value], bool], dtype: str | Sequence[str] = FLOATS, shape: Shape | None = None
    ) -> Value:
        """A value for which `fits` holds, recent ones first; a fresh one of `dtype` and `shape` where there is none."""
        found = [v for v in reversed(self.values) if v.count <= MAX_ELEMENTS and fits(v)]
        if found and not self.chance(8):
            return found[min(self.number(0, len(found) - 1), self.number(0, len(found) - 1))]
        dtype = dtype if isinstance(dtype, str) else self.choose(dtype)
        if shape is None:
            shape = self.choose([s for s in SHAPES if fits(Value("", s, dtype))])
        return self.source(shape, dtype)

    def like(self, value: Value) -> Value:
        return self.pick(lambda v: v.type == value.type, value.dtype, value.shape)

    def of(self, *dtypes: str, rank: int = 0) -> Value:
        """A value of one of these element types, with `rank` axes or more and no axis without elements."""
        return self.pick(lambda v: v.dtype in dtypes and len(v.shape) >= rank and 0 not in v.shape, dtypes)

    def source(self, shape: Shape, dtype: str) -> Value:
        """An argument or a constant."""
        if len(self.arguments) < MAX_ARGUMENTS and not self.chance(4):
            value = Value(f"x{len(self.arguments)}", shape, dtype)
            self.arguments.append(value)
            self.values.append(value)
            return value
        return self.constant(shape, dtype, [self.number(-3, 3) for _ in range(math.prod(shape))])

    def constant(self, shape: Shape, dtype: str, numbers: Sequence[int]) -> Value:
        if not numbers:
            return self.emit("zeros", (), "", (shape, dtype))
        texts = [f"{n}.5" if dtype[0] == "f" else "true" if n > 0 else "false" for n in numbers]
        texts = [str(n) for n in numbers] if dtype[0] == "i" and dtype != "i1" else texts
        body = ", ".join(texts)
        for size in reversed(shape[1:]):
            rows = body.split(", ") if "[" not in body else body.split("; ")
            body = "; ".join(f"[{', '.join(rows[i : i + size])}]" for i in range(0, len(rows), size))
        body = body.replace("; ", ", ")
        text = f"[{body}]" if shape else body
        return self.emit("constant", (), f"value = dense<{text}> : {tensor(shape, dtype)}", (shape, dtype))

    def emit(self, op: str, operands: Sequence[Value], attributes: str, *results: tuple[Shape, str]) -> Value:
        """Append an op; its first result."""
        made = [Value(f"v{self.made + n}", shape, dtype) for n, (shape, dtype) in enumerate(results)]
        self.made += len(made)
        if self.chance(10) and op not in ("constant",):
            attributes += ", " * bool(attributes) + 'dnn.engine = "cpu"'
        left = ", ".join("%" + v.name for v in made)
        right = ", ".join("%" + v.name for v in operands)
        types = ", ".join(v.type for v in operands)
        out = made[0].type if len(made) == 1 else f"({', '.join(v.type for v in made)})"
        self.lines.append(f'  {left} = "dnn.{op}"({right}) {{{attributes}}} : ({types}) -> {out}')
        self.values += made
        return made[0]


Maker = Callable[[Builder], None]
"""Draws one op, and what it needs before it."""
