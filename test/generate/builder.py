"""A program being drawn, op by op."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, Builtin, DenseIntOrFPElementsAttr, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.parser import Parser

from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.ir.tensor_types import Dim, Poly

T = TypeVar("T")
Shape = tuple[Dim, ...]
"""Sizes that are not known are polynomials over symbols (`sized.py`)."""
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
NUMBERS = (*FLOATS, "i64", "i32", "ui16")
MAX_ELEMENTS = 48
"""Values with more elements are not read."""
MAX_ARGUMENTS = 5

_CONTEXT = Context()
_CONTEXT.load_dialect(Builtin)


@lru_cache(4096)
def attributes_of(text: str) -> dict[str, Attribute]:
    """What stands between the braces of a dictionary, `axis = 0 : i64`; remembered, so copy it."""
    return dict(Parser(_CONTEXT, "{" + text + "}").parse_optional_attr_dict())


@lru_cache(1024)
def tensor(shape: Shape, dtype: str) -> TensorType:
    """A tensor type."""
    element = Parser(_CONTEXT, dtype).parse_type()
    return TensorType(element, [DYNAMIC_INDEX if isinstance(d, Poly) else d for d in shape])


def count_of(shape: Sequence[Dim]) -> int:
    """Elements of a shape, unknown sizes left out."""
    return math.prod(d for d in shape if isinstance(d, int))


@dataclass(frozen=True)
class Value:
    """A tensor of the program."""

    name: str
    shape: Shape
    dtype: str
    ssa: SSAValue | None = field(default=None, compare=False, repr=False)

    @property
    def kind(self) -> tuple[Shape, str]:
        """Equal where the types are."""
        return self.shape, self.dtype

    @property
    def type(self) -> TensorType:
        return tensor(self.shape, self.dtype)

    @property
    def count(self) -> int:
        """Elements, unknown sizes left out."""
        return count_of(self.shape)

    @property
    def is_known(self) -> bool:
        """All sizes are."""
        return all(isinstance(d, int) for d in self.shape)

    @property
    def known_axes(self) -> list[int]:
        return [axis for axis, d in enumerate(self.shape) if isinstance(d, int)]

    @property
    def value(self) -> SSAValue:
        """What ops take as an operand."""
        assert self.ssa is not None
        return self.ssa


class Builder:
    """A program being drawn: operands are picked among the values so far, or become new arguments and constants.

    Attributes:
        shapes: what fresh values are drawn from.
        most: values with more elements are not read.
        widths: channels of GRUs, from the first number to the second.
        cuts: ragged rows are cut in so many places at most.
    """

    shapes: Sequence[Shape] = SHAPES
    most = MAX_ELEMENTS
    arguments_at_most = MAX_ARGUMENTS
    widths = (1, 2)
    cuts = 1

    def __init__(self, number: Callable[[int, int], int]) -> None:
        self.number = number
        """A number between two, both included; the lower one is the simplest."""
        self.entry = Block()
        self.block = self.entry
        """Ops go to its end."""
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
        found = [v for v in reversed(self.values) if v.count <= self.most and fits(v)]
        if found and not self.chance(8):
            return found[min(self.number(0, len(found) - 1), self.number(0, len(found) - 1))]
        dtype = dtype if isinstance(dtype, str) else self.choose(dtype)
        if shape is None:
            shape = self.choose([s for s in self.shapes if fits(Value("", s, dtype))])
        return self.source(shape, dtype)

    def like(self, value: Value) -> Value:
        return self.pick(lambda v: v.kind == value.kind, value.dtype, value.shape)

    def of(self, *dtypes: str, rank: int = 0) -> Value:
        """A value of one of these element types, with `rank` axes or more and no axis without elements."""
        return self.pick(lambda v: v.dtype in dtypes and len(v.shape) >= rank and 0 not in v.shape, dtypes)

    def source(self, shape: Shape, dtype: str) -> Value:
        """An argument or a constant."""
        if self.is_argument(shape):
            argument = self.entry.insert_arg(tensor(shape, dtype), len(self.arguments))
            argument.name_hint = f"x{len(self.arguments)}"
            value = Value(argument.name_hint, shape, dtype, argument)
            self.arguments.append(value)
            self.values.append(value)
            return value
        return self.constant(shape, dtype, [self.number(-3, 3) for _ in range(count_of(shape))])

    def is_argument(self, shape: Shape) -> bool:
        """A fresh value of this shape becomes an argument, not a constant."""
        return len(self.arguments) < self.arguments_at_most and not self.chance(4)

    def rows(self) -> Dim:
        """How many rows a fresh matrix has."""
        return self.number(1, 4)

    def has_ends(self, words: Dim) -> bool:
        """Rows of that number can be cut into sequences."""
        return isinstance(words, int)

    def ends(self, words: Dim) -> Value:
        """Where ragged sequences of so many words begin and end."""
        assert isinstance(words, int)
        inner = sorted(self.number(0, words) for _ in range(self.number(0, self.cuts)))
        return self.constant((2 + len(inner),), "i64", [0, *inner, words])

    def constant(self, shape: Shape, dtype: str, numbers: Sequence[int]) -> Value:
        if not numbers:
            return self.emit("zeros", (), "", (shape, dtype))
        data: list[int] | list[float] = [n + 0.5 for n in numbers]
        if dtype[0] in "iu":
            data = [int(n > 0) if dtype == "i1" else abs(n) if dtype[0] == "u" else n for n in numbers]
        attribute = DenseIntOrFPElementsAttr.from_list(tensor(shape, dtype), data)  # pyright: ignore
        return self._made(OPERATIONS["dnn.constant"], (), {"value": attribute}, [(shape, dtype)])[0]

    def emit(self, op: str, operands: Sequence[Value], attributes: str, *results: tuple[Shape, str]) -> Value:
        """Append an op; its first result."""
        return self.append(op, operands, attributes, *results)[0]

    def append(
        self, op: str, operands: Sequence[Value], attributes: str, *results: tuple[Shape, str]
    ) -> Sequence[Value]:
        """Append an op; its results."""
        given = dict(attributes_of(attributes))
        if self.chance(10):
            given["dnn.engine"] = StringAttr("cpu")
        return self._made(OPERATIONS[f"dnn.{op}"], operands, given, results)

    def _made(
        self,
        class_: type[Operation],
        operands: Sequence[Value],
        attributes: dict[str, Attribute],
        results: Sequence[tuple[Shape, str]],
    ) -> list[Value]:
        op = class_.create(
            operands=[v.value for v in operands],
            result_types=[tensor(shape, dtype) for shape, dtype in results],
            attributes=attributes,
        )
        self.block.add_op(op)
        return self.seen(op.results, results, "v")

    def seen(self, results: Sequence[SSAValue], kinds: Sequence[tuple[Shape, str]], letter: str) -> list[Value]:
        """New values, in sight from now on."""
        made: list[Value] = []
        for result, (shape, dtype) in zip(results, kinds, strict=True):
            result.name_hint = f"{letter}{self.made}"
            self.made += 1
            made.append(Value(result.name_hint, shape, dtype, result))
        self.values += made
        return made


Maker = Callable[[Builder], None]
"""Draws one op, and what it needs before it."""
