"""Random programs with unknown sizes, and large ones; both with callees that have control flow of their own, returns
from several blocks, conditions that are read from tensors, loop counts that are sizes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from xdsl.dialects import arith, cf, func, tensor
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Attribute, Block, SSAValue

from lastuse.dialect.ir.tensor_types import Dim, Poly, symbol

from . import DRAWN, MAKERS, function
from .builder import FLOATS, NUMBERS, Builder, Maker, Shape, Value
from .flow import INDEX, Control, FlowBuilder, ssa, types

N, M, ENDS = symbol("n"), symbol("m"), symbol("e")
"""Two sizes, and how many offsets cut `N` rows into sequences."""
OPEN_SHAPES: tuple[Shape, ...] = (
    (N,),
    (N, 3),
    (N, 3),
    (N, 4),
    (3, N),
    (N, M),
    (2, N, 2),
    (1, N),
    (N, 1),
    (M, 2),
    (4,),
    (3,),
    (2, 3),
    (3, 4),
    (),
)
ROW_SHAPES: tuple[Shape, ...] = ((N, 3), (N, 3), (N, 4), (N, 2), (N, 6), (3,), (4,), (3, 4), (4, 6), ())
LARGE_SHAPES: tuple[Shape, ...] = (
    (64, 64),
    (65, 64),
    (64, 129),
    (96, 128),
    (257, 33),
    (300, 300),
    (1, 300),
    (3, 70, 65),
    (2, 64, 64),
    (300,),
    (64,),
    (129,),
    (33,),
)
TOO_SMALL = {
    "dnn.expand",
    "dnn.as_strided",
    "dnn.as_strided_scatter",
    "dnn.onnx_gru",
    "dnn.onnx_lstm",
    "dnn.onnx_rnn",
    "dnn.constant",
}
"""What is of no use among large values."""
SEQUENCE_OPS = ("gru", "fused_gru", "multi_gru", "quantized_gru", "crf_decoding")
ROW_OPS = (
    "add",
    "mul",
    "relu",
    "tanh",
    "layer_norm",
    "matmul",
    "sigmoid",
    "exp",
    "identity",
    "cast",
    "maximum",
)


def _lookup(b: Builder) -> None:
    """Rows of a table by numbers that are given."""
    given = [a for a in b.arguments if a.kind == ((N,), "i64")]
    indices = b.choose(given) if given else b.source((N,), "i64")
    if isinstance(b, OpenBuilder) and b.calls < OpenBuilder.calls:  # a caller may give other numbers than inputs are
        indices = b.emit("clip", [indices], "min = -5 : i64, max = 4 : i64", indices.kind)
    table = b.pick(lambda v: v.dtype in NUMBERS and v.is_known and v.shape[:1] == (5,), FLOATS, (5, b.number(1, 3)))
    b.emit("gather", [table, indices], "axis = 0 : i64", ((N, *table.shape[1:]), table.dtype))


def _tail_sum(b: Builder) -> None:
    """All rows but the first, added up: between the two ops is a size that no argument has."""
    x = b.pick(
        lambda v: v.dtype in FLOATS and len(v.shape) == 2 and v.shape[0] == N and 1 in v.known_axes, FLOATS, (N, 3)
    )
    visible = list(b.values)
    part = b.emit("slice", [x], "dim = 0 : i64, start = 1 : i64", ((symbol("tail"), x.shape[1]), x.dtype))
    turned = b.emit(b.choose(["neg", "tanh", "identity"]), [part], "", part.kind)
    total = b.emit("reduce_sum", [turned], "axes = array<i64: 0>", (x.shape[1:], x.dtype))
    b.values = [*visible, *(a for a in b.arguments if a not in visible), total]


def _row_values(b: Builder, columns: int | None = None) -> Value:
    """A row of floats for each word."""
    shape = (N, columns or 3)
    return b.pick(
        lambda v: v.dtype in FLOATS and len(v.shape) == 2 and v.shape[0] == N and 1 in v.known_axes, FLOATS, shape
    )


def _row_softmax(b: Builder) -> None:
    x = _row_values(b)
    b.emit(b.choose(["softmax", "log_softmax"]), [x], "axis = 1 : i64", x.kind)


def _row_concat(b: Builder) -> None:
    x = _row_values(b)
    joined = [x, *(b.like(x) for _ in range(b.number(1, 2)))]
    b.emit("concat", joined, "axis = 1 : i64", ((N, len(joined) * x.shape[1]), x.dtype))


class OpenBuilder(FlowBuilder):
    """Some sizes of arguments are unknown. Ragged rows are cut by an argument that is for nothing else."""

    shapes = OPEN_SHAPES
    arguments_at_most = 7
    drawn: Sequence[Maker] = (*DRAWN, _lookup, _lookup, _tail_sum)
    calls = 2
    """A callee is this deep at most."""

    def __init__(self, number: Callable[[int, int], int]) -> None:
        super().__init__(number)
        self.cut: Value | None = None
        self.leaving: list[tuple[Block, list[Value]]] = []
        """Blocks that return early, and what they see."""

    def is_argument(self, shape: Shape) -> bool:
        return not Value("", shape, "").is_known or super().is_argument(shape)

    def rows(self) -> Dim:
        return N

    def has_ends(self, words: Dim) -> bool:
        return words == N or super().has_ends(words)

    def ends(self, words: Dim) -> Value:
        if isinstance(words, int):
            return super().ends(words)
        if self.cut is None:
            self.cut = self.source((ENDS,), "i64")
            self.values.remove(self.cut)
        return self.cut

    def controls(self) -> list[Control]:
        return [*super().controls(), lambda b: b.call(), *[_early_return] * (not self.depth)]

    def call(self) -> None:
        if self.calls:
            _callee(self)

    def scalar(self, type_: Attribute) -> SSAValue:
        made = self._read(type_) if self.chance(2) else None
        return super().scalar(type_) if made is None else made

    def _read(self, type_: Attribute) -> SSAValue | None:
        """An element of a tensor, or a size, as a condition or a count up to 3; None where there is none to read."""
        dtype = "i1" if type_ == i1 else "i64"
        found = [v for v in self.values if v.dtype == dtype and v.is_known and 0 not in v.shape and v is not self.cut]
        if found:
            value = self.choose(found)
            at = [self.index(self.number(0, int(str(d)) - 1)) for d in value.shape]
            element = self.add(tensor.ExtractOp(value.value, at, value.type.element_type)).results[0]
            return element if type_ == i1 else self._small(self.add(arith.IndexCastOp(element, INDEX)).results[0])
        sized = [v for v in self.values if not v.is_known] if type_ == INDEX else []
        if not sized:
            return None
        value = self.choose(sized)
        axis = self.choose([a for a in range(len(value.shape)) if a not in value.known_axes])
        return self._small(self.add(tensor.DimOp(value.value, self.index(axis))).results[0])

    def _small(self, value: SSAValue) -> SSAValue:
        return self.add(arith.AndIOp(value, self.index(3))).results[0]

    def inner(self) -> OpenBuilder:
        """Draws a function that is called."""
        made = type(self)(self.number)
        made.functions, made.calls, made.cut = self.functions, self.calls - 1, None
        return made

    def finish(self, name: str, results: Sequence[Value]) -> tuple[func.FuncOp, frozenset[str]]:
        """The function that returns `results`, and other values of their types where it returns early."""
        for block, visible in self.leaving:
            with self.inside(block):
                self.values = visible
                self.add(func.ReturnOp(*ssa([self.like(v) for v in results])))
        return function(name, self, self.blocks, results)


def _callee(b: FlowBuilder) -> None:
    """A function with control flow, and its call, or two."""
    assert isinstance(b, OpenBuilder)
    inner = b.inner()
    inner.draw(2)
    if b.chance(2):
        inner.control()
    results = inner.some(1, 3) or [inner.source((2, 3), "f32")]
    made, _ = inner.finish(f"f{len(b.functions)}", results)
    b.functions.append(made)
    for _ in range(b.number(1, 2)):
        operands: list[SSAValue] = []
        for parameter, value in zip(made.args, [*inner.arguments, *[None] * len(inner.scalars)], strict=True):
            if value is None:
                operands.append(b.scalar(parameter.type))
            else:
                operands.append(b.ends(N).value if value is inner.cut else b.like(value).value)
        call = func.CallOp(made.sym_name.data, operands, types(results))
        b.define(b.add(call).results, results)


def _early_return(b: FlowBuilder) -> None:
    """A block that the function ends in, on a condition."""
    assert isinstance(b, OpenBuilder)
    leave, stay = Block(), Block()
    b.add(cf.ConditionalBranchOp(b.scalar(i1), leave, [], stay, []))
    b.leaving.append((leave, list(b.values)))
    b.blocks += [leave, stay]
    b.block = stay


class RowBuilder(OpenBuilder):
    """One ragged batch: every value has a row for each word, or is a weight. Straight on, nothing donated."""

    shapes = ROW_SHAPES
    drawn = (*(MAKERS[f"dnn.{op}"] for op in (*ROW_OPS, *SEQUENCE_OPS)), _row_softmax, _row_concat)
    widths = (1, 3)

    def __init__(self, number: Callable[[int, int], int]) -> None:
        super().__init__(number)
        self.given: Value | None = None
        self.given = self.source((N, self.number(1, 4)), "f32")
        self.choose([MAKERS[f"dnn.{op}"] for op in SEQUENCE_OPS])(self)

    def source(self, shape: Shape, dtype: str) -> Value:
        """Rows are made of the one argument that has rows: of two it is not known that they have as many."""
        x = self.given
        if x is None or len(shape) != 2 or shape[0] != N:
            return super().source(shape, dtype)
        weights = super().source((x.shape[1], shape[1]), "f32")
        made = self.emit("matmul", [x, weights], "", (shape, "f32"))
        return made if dtype == "f32" else self.emit("cast", [made], "", (shape, dtype))


class LargeBuilder(OpenBuilder):
    """Values as large as the parallel and blocked kernels of an engine want them."""

    shapes = LARGE_SHAPES
    most = 100_000
    widths = (16, 17)
    cuts = 7
    drawn = (
        *(make for name, make in MAKERS.items() if name not in TOO_SMALL),
        *[MAKERS[f"dnn.{op}"] for op in ("matmul", "gemm", "add", "softmax", "layer_norm", "relu", "concat")] * 4,
    )

    def is_argument(self, shape: Shape) -> bool:
        return prod(d for d in shape if isinstance(d, int)) > 4200 or super().is_argument(shape)

    def rows(self) -> Dim:
        return self.choose([33, 64, 100])

    def has_ends(self, words: Dim) -> bool:
        return isinstance(words, int)


class Sized(NamedTuple):
    """A program, and what its inputs must be.

    Attributes:
        module: the program; its function is `main`.
        shapes: of its tensor arguments by name, sizes over the symbols.
        ends: name of the argument that cuts rows, if there is one.
    """

    module: ModuleOp
    shapes: Mapping[str, Shape]
    ends: str | None

    def input_shapes(self, sizes: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        """Shapes of the tensor arguments where the symbols have these sizes."""
        return {name: tuple(size_at(d, sizes) for d in shape) for name, shape in self.shapes.items()}

    @property
    def symbols(self) -> set[str]:
        """Names of the unknown sizes."""
        return {s.name for shape in self.shapes.values() for d in shape if isinstance(d, Poly) for s in d.symbols}


def size_at(dim: Dim, sizes: Mapping[str, int]) -> int:
    """What a size is where the symbols are so large."""
    if isinstance(dim, Poly):
        return sum(c * prod(sizes[s.name] for s in symbols) for symbols, c in dim.terms)
    return dim


def ragged_ends(chance: np.random.Generator, rows: int, count: int) -> np.ndarray:
    """`count` offsets, 2 or more where there are rows, that cut so many rows."""
    inner = np.sort(chance.integers(0, rows + 1, max(0, count - 2)))
    return np.array([0, *inner, rows][: max(count, 1)], np.int64)


def random_sized_program(seed: int, builder: type[OpenBuilder]) -> Sized:
    """One program: one or two pieces of control flow between straight lines, or a straight line alone."""
    number = random.Random(seed).randint
    b = builder(number)
    straight = builder is RowBuilder or b.chance(5)
    for _ in range(b.number(1, 2)):
        for _ in range(b.number(1, 4)):
            b.choose(b.drawn)(b)
        if not straight:
            b.control()
    results = b.some(1, 4) if builder is not RowBuilder else _rows_of(b)
    main, _ = b.finish("main", results or [b.source((N, 3) if builder is not LargeBuilder else (64, 64), "f32")])
    if builder is RowBuilder:
        main.arg_attrs = None
    ends = None if b.cut is None else b.cut.name
    return Sized(ModuleOp([main, *b.functions]), {a.name: a.shape for a in b.arguments}, ends)


def _rows_of(b: Builder) -> list[Value]:
    rows = [v for v in b.values if v.shape[:1] == (N,) and len(v.known_axes) == len(v.shape) - 1]
    return [b.choose(rows[::-1]) for _ in range(b.number(1, 3))] if rows else []
