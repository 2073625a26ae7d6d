"""How ops are drawn that choose elements by their places or by indices."""

from __future__ import annotations

from collections.abc import Sequence

from .builder import FLOATS, NUMBERS, Builder, Maker, Value, count_of
from .movers import any_value


def _numbers(values: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def _known_value(b: Builder, rank: int = 1) -> Value:
    """A value with axes of known sizes alone."""
    return b.pick(lambda v: v.is_known and len(v.shape) >= rank and 0 not in v.shape, NUMBERS)


def _unsqueeze(b: Builder) -> None:
    x = any_value(b)
    axis = b.number(0, len(x.shape))
    shape = (*x.shape[:axis], 1, *x.shape[axis:])
    b.emit("unsqueeze", [x], f"axes = {_numbers([axis])}", (shape, x.dtype))


def _squeeze(b: Builder) -> None:
    x = b.pick(lambda v: 1 in v.shape and 0 not in v.shape, NUMBERS, (4, 1))
    axis = b.choose([a for a, n in enumerate(x.shape) if n == 1])
    shape = x.shape[:axis] + x.shape[axis + 1 :]
    b.emit("squeeze", [x], f"axes = {_numbers([axis - b.choose([0, len(x.shape)])])}", (shape, x.dtype))


def _cut(b: Builder) -> None:
    """Several axes of a slice, some of them in reverse order: a view, or a copy."""
    x = _known_value(b)
    axes = b.order(len(x.shape))[: b.number(1, len(x.shape))]
    starts, ends, steps, shape = list[int](), list[int](), list[int](), list(x.shape)
    for axis in axes:
        size = count_of([x.shape[axis]])
        step = b.choose([1, 2, 1, -1, -2])
        start, end = b.number(-size, size), b.choose([-size - 1, size, b.number(-size, size)])
        starts, ends, steps = [*starts, start], [*ends, end], [*steps, step]
        shape[axis] = len(range(size)[start:end:step])
    lists = {"axes": axes, "starts": starts, "ends": ends, "steps": steps}
    text = ", ".join(f"{name} = {_numbers(values)}" for name, values in lists.items())
    b.emit("slice", [x], text, (tuple(shape), x.dtype))


def _pad(b: Builder) -> None:
    """Elements added in any mode, or taken off."""
    x = _known_value(b)
    mode = b.choose(["constant", "edge", "reflect", "wrap"])
    axis = b.number(0, len(x.shape) - 1)
    size = count_of([x.shape[axis]])
    before, after = b.number(-(size // 2), 2), b.number(-(size - size // 2) + 1, 2)
    shape = (*x.shape[:axis], size + before + after, *x.shape[axis + 1 :])
    text = f'axes = {_numbers([axis])}, mode = "{mode}", pads = {_numbers([before, after])}'
    b.emit("pad", [x], text, (shape, x.dtype))


def _tile(b: Builder) -> None:
    x = b.pick(lambda v: v.count <= 12 and 0 not in v.shape, NUMBERS, (2, 3))
    repeats = [b.number(1, 2) for _ in x.shape]
    shape = tuple(d * n for d, n in zip(x.shape, repeats, strict=True))
    b.emit("tile", [x], f"repeats = {_numbers(repeats)}", (shape, x.dtype))


def _trilu(b: Builder) -> None:
    x = b.pick(lambda v: len(v.shape) >= 2 and 0 not in v.shape, NUMBERS)
    text = f"k = {b.number(-2, 2)} : i64, upper = {b.choose(['true', 'false'])}"
    b.emit("trilu", [x], text, (x.shape, x.dtype))


def _gather_elements(b: Builder) -> None:
    x = _known_value(b)
    axis = b.number(0, len(x.shape) - 1)
    size = count_of([x.shape[axis]])
    shape = (*x.shape[:axis], b.number(1, 3), *x.shape[axis + 1 :])
    indices = b.constant(shape, "i64", [b.number(-size, size - 1) for _ in range(count_of(shape))])
    b.emit("gather_elements", [x, indices], f"axis = {axis} : i64", (shape, x.dtype))


def _scatter_nd(b: Builder) -> None:
    """Rows of a value written or joined, two of them at one place perhaps."""
    x = b.pick(lambda v: v.is_known and len(v.shape) >= 1 and 0 not in v.shape, FLOATS)
    rows, size = b.number(1, 2), count_of(x.shape[:1])
    indices = b.constant((rows, 1), "i64", [b.number(-size, size - 1) for _ in range(rows)])
    shape = (rows, *x.shape[1:])
    updates = b.pick(lambda v: (v.shape, v.dtype) == (shape, x.dtype), x.dtype, shape)
    reduction = b.choose(["none", "add", "max"])
    b.emit("scatter_nd", [x, indices, updates], f'reduction = "{reduction}"', (x.shape, x.dtype))


def _index_add(b: Builder) -> None:
    """Rows added to those of a value, two of them to one perhaps."""
    x = b.pick(lambda v: v.dtype in FLOATS and v.is_known and len(v.shape) >= 1 and 0 not in v.shape, FLOATS)
    axis, rows = b.number(0, len(x.shape) - 1), b.number(1, 3)
    size = count_of([x.shape[axis]])
    indices = b.constant((rows,), "i64", [b.number(-size, size - 1) for _ in range(rows)])
    shape = (*x.shape[:axis], rows, *x.shape[axis + 1 :])
    updates = b.pick(lambda v: (v.shape, v.dtype) == (shape, x.dtype), x.dtype, shape)
    b.emit("index_add", [x, indices, updates], f"axis = {axis} : i64", (x.shape, x.dtype))


def _starts(b: Builder, count: int) -> list[Value]:
    """Starts of one integer type, inside of an axis or not: values that are computed, or constants."""
    dtype = b.choose(["i64", "i32"])
    drawn = [b.pick(lambda v: v.shape == () and v.dtype == dtype, dtype, ()) for _ in range(count)]
    return [b.constant((), dtype, [b.number(-1, 4)]) if b.chance(3) else start for start in drawn]


def _dynamic_slice(b: Builder) -> None:
    x = _known_value(b)
    sizes = tuple(b.number(0 if b.chance(9) else 1, count_of([n])) for n in x.shape)
    b.emit("dynamic_slice", [x, *_starts(b, len(sizes))], f"slice_sizes = {_numbers(sizes)}", (sizes, x.dtype))


def _dynamic_update_slice(b: Builder) -> None:
    """A part of a value written, of what was computed last perhaps."""
    x = _known_value(b)
    update = b.pick(
        lambda v: (
            v.dtype == x.dtype
            and len(v.shape) == len(x.shape)
            and v.is_known
            and all(count_of([n]) <= count_of([m]) for n, m in zip(v.shape, x.shape, strict=True))
        ),
        x.dtype,
        tuple(b.number(1, count_of([n])) for n in x.shape),
    )
    b.emit("dynamic_update_slice", [x, update, *_starts(b, len(x.shape))], "", (x.shape, x.dtype))


INDEXERS: dict[str, Maker] = {
    "dnn.unsqueeze": _unsqueeze,
    "dnn.squeeze": _squeeze,
    "dnn.tile": _tile,
    "dnn.trilu": _trilu,
    "dnn.gather_elements": _gather_elements,
    "dnn.scatter_nd": _scatter_nd,
    "dnn.index_add": _index_add,
    "dnn.dynamic_slice": _dynamic_slice,
    "dnn.dynamic_update_slice": _dynamic_update_slice,
}
"""How each of them is drawn, by name."""
FORMS: tuple[Maker, ...] = (_cut, _pad)
"""Other forms of ops that are drawn elsewhere."""
