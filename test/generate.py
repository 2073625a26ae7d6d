"""Random straight-line programs over all ops of the dnn dialect, as text: for tests of whole pipelines.

`programs()` is a hypothesis strategy, `random_program(seed)` one program. Shapes are small; operands are mostly recent
values, so that chains, repeated operands, views of views and several readers of one value are common.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from hypothesis import strategies as st

from lastuse.dialect.dtypes import numpy_dtype

T = TypeVar("T")
Shape = tuple[int, ...]
SHAPES: tuple[Shape, ...] = ((4,), (2, 3), (3, 4), (2, 2), (3, 3), (6,), (2, 3, 2), (1, 4), (4, 1), (2, 1, 3), (), (0, 2))
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


class Builder:
    """A program being drawn: operands are picked among the values so far, or become new arguments and constants."""

    def __init__(self, number: Callable[[int, int], int]) -> None:
        self.number = number
        """A number between two, both included; the lower one is the simplest."""
        self.lines: list[str] = []
        self.values: list[Value] = []
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

    def pick(self, fits: Callable[[Value], bool], dtype: str | Sequence[str] = FLOATS, shape: Shape | None = None) -> Value:
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
        made = [Value(f"v{len(self.values) + n}", shape, dtype) for n, (shape, dtype) in enumerate(results)]
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


def _same(op: str, dtypes: Sequence[str] = FLOATS, attributes: str = "", rank: int = 0) -> Maker:
    """An op of one operand whose result has its type."""

    def make(b: Builder) -> None:
        x = b.of(*dtypes, rank=rank)
        axis = b.number(-len(x.shape), len(x.shape) - 1) if "AXIS" in attributes else 0
        b.emit(op, [x], attributes.replace("AXIS", str(axis)), (x.shape, x.dtype))

    return make


def _fits(shapes: Sequence[Shape]) -> Shape | None:
    """The numpy broadcast, None where there is none or it is too large."""
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        return None
    return shape if math.prod(shape) <= MAX_ELEMENTS else None


def _broadcasting(b: Builder, first: Value, count: int) -> list[Value]:
    """`first` and more operands of its element type that broadcast with it; most have its shape."""
    operands = [first]
    for _ in range(count - 1):
        shapes = [v.shape for v in operands]
        if b.chance(3):
            operands.append(b.pick(lambda v: v.dtype == first.dtype and _fits([*shapes, v.shape]) is not None, first.dtype, ()))
        else:
            operands.append(b.like(first))
    return operands


def _binary(op: str, dtypes: Sequence[str] = NUMBERS, result: str | None = None, count: int = 2) -> Maker:
    """An op whose operands broadcast; in half of the cases the first two are exchanged."""

    def make(b: Builder) -> None:
        operands = _broadcasting(b, b.of(*dtypes), count)
        if b.chance(2):
            operands[:2] = operands[1::-1]
        shape = _fits([v.shape for v in operands])
        assert shape is not None
        b.emit(op, operands, "", (shape, result or operands[0].dtype))

    return make


def _sum(b: Builder) -> None:
    x = b.of(*NUMBERS)
    b.emit("sum", [x, *(b.like(x) for _ in range(b.number(0, 2)))], "", (x.shape, x.dtype))


def _where(b: Builder) -> None:
    operands = _broadcasting(b, b.of(*NUMBERS, "i1"), 2)
    shape = _fits([v.shape for v in operands])
    assert shape is not None
    mask = b.pick(lambda v: v.dtype == "i1" and _fits([shape, v.shape]) == shape, "i1", shape)
    b.emit("where", [mask, *operands], "", (shape, operands[0].dtype))


def _masked_fill(b: Builder) -> None:
    x = b.of(*FLOATS)
    mask = b.pick(lambda v: v.dtype == "i1" and _fits([x.shape, v.shape]) == x.shape, "i1", x.shape)
    b.emit("masked_fill", [x, mask], "value = 7.0 : f32", (x.shape, x.dtype))


def _relu_grad(b: Builder) -> None:
    y = b.of(*FLOATS)
    b.emit("relu_grad", [y, b.like(y)], "", (y.shape, y.dtype))


def _cast(b: Builder) -> None:
    x, dtype = b.of(*NUMBERS, "i1"), b.choose([*NUMBERS, "i1"])
    if x.dtype[0] == "f" and dtype[0] == "i" and dtype != "i1":  # numbers beyond the integers are nobody's
        x = b.emit("clip", [x], "min = -9.0 : f32, max = 9.0 : f32", (x.shape, x.dtype))
    b.emit("cast", [x], "", (x.shape, dtype))


def _layer_norm(b: Builder) -> None:
    x = b.of(*FLOATS, rank=1)
    row = x.shape[-1:]
    rows = [b.pick(lambda v: (v.shape, v.dtype) == (row, x.dtype), x.dtype, row) for _ in range(b.choose([2, 1]))]
    statistics = [((*x.shape[:-1], 1), x.dtype)] * b.choose([0, 2])
    b.emit("layer_norm", [x, *rows], "axis = -1 : i64", (x.shape, x.dtype), *statistics)


def _batch_norm(b: Builder) -> None:
    x = b.of(*FLOATS, rank=2)
    row = x.shape[1:2]
    rows = [b.pick(lambda v: (v.shape, v.dtype) == (row, x.dtype), x.dtype, row) for _ in range(3)]
    variance = b.constant(row, x.dtype, range(1, row[0] + 1))
    b.emit("batch_norm", [x, *rows, variance], "", (x.shape, x.dtype))


def _matmul(b: Builder) -> None:
    x = b.pick(lambda v: v.dtype in FLOATS and len(v.shape) >= 2 and 0 not in v.shape)
    inner = x.shape[-1]
    y = b.pick(lambda v: v.dtype == x.dtype and len(v.shape) == 2 and v.shape[0] == inner, x.dtype, (inner, 2))
    b.emit("matmul", [x, y], "", ((*x.shape[:-1], y.shape[1]), x.dtype))


def _gemm(b: Builder) -> None:
    x = b.pick(lambda v: v.dtype in FLOATS and len(v.shape) == 2 and 0 not in v.shape)
    turn_x, turn_y = b.chance(2), b.chance(2)
    rows, inner = reversed(x.shape) if turn_x else x.shape
    y = b.pick(
        lambda v: v.dtype == x.dtype and len(v.shape) == 2 and v.shape[turn_y] == inner, x.dtype, (inner, inner)
    )
    shape = (rows, y.shape[1 - turn_y])
    added = [b.pick(lambda v: v.dtype == x.dtype and _fits([shape, v.shape]) == shape, x.dtype, shape)] * b.choose([1, 0])
    scale = b.choose(["", ", alpha = 0.5 : f32", ", beta = 2.0 : f32"])
    b.emit("gemm", [x, y, *added], f"transA = {turn_x:d} : i64, transB = {turn_y:d} : i64{scale}", (shape, x.dtype))


def _reduce(op: str) -> Maker:
    def make(b: Builder) -> None:
        x = b.of(*FLOATS, rank=1)
        axes = sorted({b.number(0, len(x.shape) - 1) for _ in range(b.number(1, 2))})
        kept = b.chance(2)
        shape = tuple(1 if a in axes else n for a, n in enumerate(x.shape) if kept or a not in axes)
        text = f"axes = array<i64: {', '.join(map(str, axes))}>, keepdims = {str(kept).lower()}"
        b.emit(op, [x], text, (shape, x.dtype))

    return make


def _gather(b: Builder) -> None:
    x = b.of(*NUMBERS, rank=1)
    axis = b.number(0, len(x.shape) - 1)
    count = b.number(1, 3)
    indices = b.constant((count,), "i64", [b.number(-x.shape[axis], x.shape[axis] - 1) for _ in range(count)])
    b.emit("gather", [x, indices], f"axis = {axis} : i64", ((*x.shape[:axis], count, *x.shape[axis + 1 :]), x.dtype))


def _top_k(b: Builder) -> None:
    x = b.of(*NUMBERS, rank=1)
    axis = b.number(0, len(x.shape) - 1)
    k = b.number(1, x.shape[axis])
    shape = (*x.shape[:axis], k, *x.shape[axis + 1 :])
    largest = str(b.chance(2)).lower()
    b.emit("top_k", [x], f"k = {k} : i64, axis = {axis} : i64, largest = {largest}", (shape, x.dtype), (shape, "i64"))


def _filled(op: str) -> Maker:
    def make(b: Builder) -> None:
        x = b.of(*FLOATS)
        b.emit(op, [x][: b.choose([1, 0])], "", (x.shape, x.dtype))

    return make


# Views and their inverses.


def _any(b: Builder, rank: int = 0) -> Value:
    return b.pick(lambda v: len(v.shape) >= rank and 0 not in v.shape, NUMBERS)


def _reshape(b: Builder) -> None:
    x = _any(b)
    shapes = [s for n in range(4) for s in itertools.product((1, 2, 3, 4, 6, 8, 12), repeat=n) if math.prod(s) == x.count]
    b.emit("reshape", [x], "", (b.choose(shapes) if shapes else (x.count,), x.dtype))


def _flatten(b: Builder) -> None:
    x = _any(b)
    axis = b.number(0, len(x.shape))
    shape = (math.prod(x.shape[:axis]), math.prod(x.shape[axis:]))
    b.emit("flatten", [x], f"axis = {axis} : i64", (shape, x.dtype))


def _multiout(b: Builder) -> None:
    x = _any(b)
    b.emit("multiout", [x], "", *[(x.shape, x.dtype)] * b.number(1, 3))


def _expand(b: Builder) -> None:
    x = b.pick(lambda v: v.count <= 6 and 0 not in v.shape, NUMBERS, (2, 1))
    shape = tuple(b.choose([1, 2, 3]) if n == 1 else n for n in x.shape)
    b.emit("expand", [x], "", ((*(b.choose([2, 1]) for _ in range(b.number(0, 1))), *shape), x.dtype))


def _transpose(b: Builder) -> None:
    x = _any(b, 1)
    perm = b.order(len(x.shape))
    text = f"perm = array<i64: {', '.join(map(str, perm))}>"
    b.emit("transpose", [x], text, (tuple(x.shape[p] for p in perm), x.dtype))


def _slice(b: Builder, x: Value) -> tuple[str, Shape]:
    dim = b.number(0, len(x.shape) - 1)
    start = b.number(0, x.shape[dim] - 1)
    end, step = b.number(start + 1, x.shape[dim]), b.choose([1, 2])
    text = f"dim = {dim} : i64, start = {start} : i64, end = {end} : i64, step = {step} : i64"
    return text, (*x.shape[:dim], -(-(end - start) // step), *x.shape[dim + 1 :])


def _select(b: Builder, x: Value) -> tuple[str, Shape]:
    dim = b.number(0, len(x.shape) - 1)
    index = b.number(-x.shape[dim], x.shape[dim] - 1)
    return f"dim = {dim} : i64, index = {index} : i64", x.shape[:dim] + x.shape[dim + 1 :]


def _diagonal(b: Builder, x: Value) -> tuple[str, Shape]:
    dim1, dim2 = b.order(len(x.shape))[:2]
    offset = b.number(0, x.shape[dim2] - 1)
    length = min(x.shape[dim1], x.shape[dim2] - offset)
    kept = tuple(n for a, n in enumerate(x.shape) if a not in (dim1, dim2))
    return f"offset = {offset} : i64, dim1 = {dim1} : i64, dim2 = {dim2} : i64", (*kept, length)


def _as_strided(b: Builder, x: Value) -> tuple[str, Shape]:
    step = b.number(1, 3)
    rows = b.number(1, max(1, min(3, x.count // step)))
    offset = b.number(0, x.count - 1 - (rows - 1) * step)
    text = f"size = array<i64: {rows}>, stride = array<i64: {step}>, storage_offset = {offset} : i64"
    return text, (rows,)


PARTS: dict[str, tuple[Callable[[Builder, Value], tuple[str, Shape]], int]] = {
    "slice": (_slice, 1),
    "select": (_select, 1),
    "diagonal": (_diagonal, 2),
    "as_strided": (_as_strided, 0),
}
"""How each part view is drawn, and how many axes its operand needs."""


def _part(op: str) -> Maker:
    """A view of a part, in half of the cases with an op on it: what scatters put back."""
    parts, rank = PARTS[op]

    def make(b: Builder) -> None:
        x = b.pick(lambda v: len(v.shape) >= rank and 0 not in v.shape, NUMBERS)
        text, shape = parts(b, x)
        part = b.emit(op, [x], text, (shape, x.dtype))
        b.views.append((f"{op}_scatter", text, x, part))
        if x.dtype in FLOATS and b.chance(2):
            b.emit(b.choose(["neg", "sqrt", "tanh", "relu"]), [part], "", (shape, x.dtype))

    return make


def _scatter(op: str) -> Maker:
    """The inverse of a view that is there, over its operand or another value of its type; or of a part not viewed."""
    parts, rank = PARTS[op.removesuffix("_scatter")]

    def make(b: Builder) -> None:
        known = [v for v in b.views if v[0] == op]
        if known and not b.chance(4):
            _, text, base, part = known[-1 - b.number(0, len(known) - 1)]
            base = b.like(base) if b.chance(2) else base
            shape = part.shape
        else:
            base = b.pick(lambda v: len(v.shape) >= rank and 0 not in v.shape, NUMBERS)
            text, shape = parts(b, base)
        source = b.pick(lambda v: (v.shape, v.dtype) == (shape, base.dtype), base.dtype, shape)
        b.emit(op, [base, source], text, (base.shape, base.dtype))

    return make


def _split(b: Builder) -> None:
    x = _any(b, 1)
    axis = b.number(0, len(x.shape) - 1)
    whole, size = x.shape[axis], b.number(1, x.shape[axis])
    sizes = [min(size, whole - start) for start in range(0, whole, size)]
    shapes = [((*x.shape[:axis], n, *x.shape[axis + 1 :]), x.dtype) for n in sizes]
    b.emit("split", [x], f"axis = {axis} : i64, split_size = {size} : i64", *shapes)


def _unbind(b: Builder) -> None:
    x = _any(b, 1)
    axis = b.number(0, len(x.shape) - 1)
    b.emit("unbind", [x], f"axis = {axis} : i64", *[(x.shape[:axis] + x.shape[axis + 1 :], x.dtype)] * x.shape[axis])


# Carriers.


def _concat(b: Builder) -> None:
    x = _any(b, 1)
    axis = b.number(0, len(x.shape) - 1)

    def joins(v: Value) -> bool:
        return v.dtype == x.dtype and len(v.shape) == len(x.shape) and all(
            a == axis or m == n for a, (m, n) in enumerate(zip(v.shape, x.shape, strict=True))
        )

    operands = [x, *(b.pick(joins, x.dtype, x.shape) for _ in range(b.number(0, 2)))]
    total = sum(v.shape[axis] for v in operands)
    b.emit("concat", operands, f"axis = {axis} : i64", ((*x.shape[:axis], total, *x.shape[axis + 1 :]), x.dtype))


def _stack(b: Builder) -> None:
    x = _any(b)
    operands = [x, *(b.like(x) for _ in range(b.number(0, 2)))]
    axis = b.number(0, len(x.shape))
    b.emit("stack", operands, f"axis = {axis} : i64", ((*x.shape[:axis], len(operands), *x.shape[axis:]), x.dtype))


def _pad(b: Builder) -> None:
    x = b.of(*FLOATS, rank=1)
    pads = [b.number(0, 2) for _ in range(2 * len(x.shape))]
    rank = len(x.shape)
    shape = tuple(n + pads[a] + pads[rank + a] for a, n in enumerate(x.shape))
    text = f"pads = array<i64: {', '.join(map(str, pads))}>, value = 1.5 : f32"
    b.emit("pad", [x], text, (shape, x.dtype))


def _copy_into(b: Builder) -> None:
    x = _any(b)
    b.emit("copy_into", [x, b.like(x)], "", (x.shape, x.dtype))


def _constant(b: Builder) -> None:
    shape = b.choose(SHAPES)
    b.constant(shape, b.choose(NUMBERS), [b.number(-3, 3) for _ in range(math.prod(shape))])


_INTEGERS = (*NUMBERS, "i1")
MAKERS: dict[str, Maker] = {
    **{f"dnn.{op}": _same(op) for op in ("sigmoid", "tanh", "gelu", "silu", "exp", "sqrt", "leaky_relu", "elu")},
    **{f"dnn.{op}": _same(op, NUMBERS) for op in ("relu", "abs", "neg")},
    **{f"dnn.{op}": _same(op, attributes="axis = AXIS : i64", rank=1) for op in ("softmax", "log_softmax")},
    "dnn.cumsum": _same("cumsum", NUMBERS, "axis = AXIS : i64", rank=1),
    "dnn.clip": _same("clip", attributes="min = -1.0 : f32, max = 1.0 : f32"),
    "dnn.scale": _same("scale", attributes="scale = 0.5 : f32, bias = 1.0 : f32"),
    "dnn.fill": _same("fill", attributes="value = 3.0 : f32"),
    **{f"dnn.{op}": _same(op, _INTEGERS) for op in ("identity", "copy")},
    **{f"dnn.{op}": _binary(op) for op in ("add", "sub", "mul", "maximum", "minimum")},
    **{f"dnn.{op}": _binary(op, FLOATS) for op in ("div", "pow")},
    **{
        f"dnn.{op}": _binary(op, result="i1")
        for op in ("less", "less_or_equal", "greater", "greater_or_equal", "equal")
    },
    "dnn.sum": _sum,
    "dnn.addcmul": _binary("addcmul", count=3),
    "dnn.where": _where,
    "dnn.masked_fill": _masked_fill,
    "dnn.relu_grad": _relu_grad,
    "dnn.cast": _cast,
    "dnn.layer_norm": _layer_norm,
    "dnn.batch_norm": _batch_norm,
    "dnn.matmul": _matmul,
    "dnn.gemm": _gemm,
    **{f"dnn.{op}": _reduce(op) for op in ("reduce_mean", "reduce_sum")},
    "dnn.gather": _gather,
    "dnn.top_k": _top_k,
    **{f"dnn.{op}": _filled(op) for op in ("zeros", "ones")},
    "dnn.constant": _constant,
    "dnn.reshape": _reshape,
    "dnn.flatten": _flatten,
    "dnn.multiout": _multiout,
    "dnn.expand": _expand,
    "dnn.transpose": _transpose,
    **{f"dnn.{op}": _part(op) for op in PARTS},
    **{f"dnn.{op}_scatter": _scatter(f"{op}_scatter") for op in PARTS},
    "dnn.split": _split,
    "dnn.unbind": _unbind,
    "dnn.concat": _concat,
    "dnn.stack": _stack,
    "dnn.pad": _pad,
    "dnn.copy_into": _copy_into,
}
"""How each op is drawn. Those that only arguments of their own kind suit (gru, crf_decoding) have tests of their own."""


VIEWS = ("reshape", "flatten", "expand", "transpose", "multiout", "split", "unbind", *PARTS)
CARRIERS = ("concat", "concat", "concat", "stack", "pad", *(f"{op}_scatter" for op in PARTS))
DRAWN = (*MAKERS.values(), *(MAKERS[f"dnn.{op}"] for op in (*VIEWS, *CARRIERS, *CARRIERS, "add", "mul", "relu", "neg", "exp")))
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
        {v.name: _array(chance, v) for v in b.arguments},
        frozenset(donated | {b.arguments[k].name for k in tied.values()}),
    )


def _function(arguments: Sequence[str], types: Sequence[str], lines: Sequence[str], results: Sequence[Value]) -> str:
    last = f"  func.return {', '.join('%' + v.name for v in results)} : {', '.join(v.type for v in results)}"
    head = f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{"
    return "\n".join([head, *lines, last, "}", ""])


def _array(chance: np.random.Generator, value: Value) -> np.ndarray:
    if value.dtype == "i1":
        return chance.random(value.shape) < 0.5
    if value.dtype[0] == "i":
        return np.asarray(chance.integers(-4, 5, value.shape), numpy_dtype(value.dtype))
    numbers = np.asarray(chance.integers(-16, 17, value.shape) / 8, numpy_dtype(value.dtype))
    return np.where(chance.random(value.shape) < 0.1, -np.zeros((), numbers.dtype), numbers)
