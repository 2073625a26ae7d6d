"""How ops that only name or move bytes are drawn: views, their inverses, concats and their like, copies."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from lastuse.dialect.ir.tensor_types import product

from .builder import FLOATS, NUMBERS, Builder, Maker, Shape, Value, count_of

MOST_PIECES = 48
"""A value is cut into so many pieces at most."""


def any_value(b: Builder, rank: int = 0) -> Value:
    return b.pick(lambda v: len(v.shape) >= rank and 0 not in v.shape, NUMBERS)


def cut_value(b: Builder) -> Value:
    """A value that can be cut along a known axis into not too many pieces."""
    return b.pick(lambda v: bool(v.known_axes) and 0 not in v.shape and v.count <= 4096, NUMBERS)


def _reshape(b: Builder) -> None:
    x = any_value(b)
    if not x.is_known:
        b.emit("reshape", [x], "shape = array<i64: -1>", ((product(x.shape),), x.dtype))
        return
    shapes = [
        s for n in range(4) for s in itertools.product((1, 2, 3, 4, 6, 8, 12), repeat=n) if math.prod(s) == x.count
    ]
    b.emit("reshape", [x], "", (b.choose(shapes) if shapes else (x.count,), x.dtype))


def _flatten(b: Builder) -> None:
    x = any_value(b)
    axis = b.number(0, len(x.shape))
    shape = (product(x.shape[:axis]), product(x.shape[axis:]))
    b.emit("flatten", [x], f"axis = {axis} : i64", (shape, x.dtype))


def _multiout(b: Builder) -> None:
    x = any_value(b)
    b.emit("multiout", [x], "", *[(x.shape, x.dtype)] * b.number(1, 3))


def _expand(b: Builder) -> None:
    x = b.pick(lambda v: v.count <= 6 and 0 not in v.shape, NUMBERS, (2, 1))
    shape = tuple(b.choose([1, 2, 3]) if n == 1 else n for n in x.shape)
    b.emit("expand", [x], "", ((*(b.choose([2, 1]) for _ in range(b.number(0, 1))), *shape), x.dtype))


def _transpose(b: Builder) -> None:
    x = any_value(b, 1)
    perm = b.order(len(x.shape))
    text = f"perm = array<i64: {', '.join(map(str, perm))}>"
    b.emit("transpose", [x], text, (tuple(x.shape[p] for p in perm), x.dtype))


def _slice(b: Builder, x: Value) -> tuple[str, Shape]:
    dim = b.choose(x.known_axes)
    size = count_of([x.shape[dim]])
    start = b.number(0, size - 1)
    end, step = b.number(start + 1, size), b.choose([1, 2])
    text = f"dim = {dim} : i64, start = {start} : i64, end = {end} : i64, step = {step} : i64"
    return text, (*x.shape[:dim], -(-(end - start) // step), *x.shape[dim + 1 :])


def _select(b: Builder, x: Value) -> tuple[str, Shape]:
    dim = b.choose(x.known_axes)
    size = count_of([x.shape[dim]])
    index = b.number(-size, size - 1)
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


def _has_parts(op: str, v: Value) -> bool:
    """It has the axes, and known sizes where the part is told by numbers."""
    known = len(v.known_axes)
    return known >= PARTS[op][1] and 0 not in v.shape and (op in ("slice", "select") or v.is_known)


def _part(op: str) -> Maker:
    """A view of a part, in half of the cases with an op on it: what scatters put back."""
    parts, _ = PARTS[op]

    def make(b: Builder) -> None:
        x = b.pick(lambda v: _has_parts(op, v), NUMBERS)
        text, shape = parts(b, x)
        part = b.emit(op, [x], text, (shape, x.dtype))
        b.views.append((f"{op}_scatter", text, x, part))
        if x.dtype in FLOATS and b.chance(2):
            b.emit(b.choose(["neg", "sqrt", "tanh", "relu"]), [part], "", (shape, x.dtype))

    return make


def _scatter(op: str) -> Maker:
    """The inverse of a view that is there, over its operand or another value of its type; or of a part not viewed."""
    view = op.removesuffix("_scatter")
    parts, _ = PARTS[view]

    def make(b: Builder) -> None:
        known = [v for v in b.views if v[0] == op]
        if known and not b.chance(4):
            _, text, base, part = known[-1 - b.number(0, len(known) - 1)]
            base = b.like(base) if b.chance(2) else base
            shape = part.shape
        else:
            base = b.pick(lambda v: _has_parts(view, v), NUMBERS)
            text, shape = parts(b, base)
        source = b.pick(lambda v: (v.shape, v.dtype) == (shape, base.dtype), base.dtype, shape)
        b.emit(op, [base, source], text, (base.shape, base.dtype))

    return make


def _split(b: Builder) -> None:
    x = cut_value(b)
    axis = b.choose(x.known_axes)
    whole = count_of([x.shape[axis]])
    size = b.number(-(-whole // MOST_PIECES), whole)
    sizes = [min(size, whole - start) for start in range(0, whole, size)]
    shapes = [((*x.shape[:axis], n, *x.shape[axis + 1 :]), x.dtype) for n in sizes]
    b.emit("split", [x], f"axis = {axis} : i64, split_size = {size} : i64", *shapes)


def _unbind(b: Builder) -> None:
    x = cut_value(b)
    axis = b.choose([a for a in x.known_axes if count_of([x.shape[a]]) <= MOST_PIECES] or x.known_axes[-1:])
    shape = x.shape[:axis] + x.shape[axis + 1 :]
    b.emit("unbind", [x], f"axis = {axis} : i64", *[(shape, x.dtype)] * count_of([x.shape[axis]]))


# Carriers.


def _concat(b: Builder) -> None:
    x = any_value(b, 1)
    axis = b.number(0, len(x.shape) - 1)

    def joins(v: Value) -> bool:
        return (
            v.dtype == x.dtype
            and len(v.shape) == len(x.shape)
            and all(a == axis or m == n for a, (m, n) in enumerate(zip(v.shape, x.shape, strict=True)))
        )

    operands = [x, *(b.pick(joins, x.dtype, x.shape) for _ in range(b.number(0, 2)))]
    total = sum(v.shape[axis] for v in operands)
    b.emit("concat", operands, f"axis = {axis} : i64", ((*x.shape[:axis], total, *x.shape[axis + 1 :]), x.dtype))


def _stack(b: Builder) -> None:
    x = any_value(b)
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
    x = any_value(b)
    b.emit("copy_into", [x, b.like(x)], "", (x.shape, x.dtype))


MOVERS: dict[str, Maker] = {
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
"""How each of them is drawn, by name."""
