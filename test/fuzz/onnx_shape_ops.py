"""A draw of each op that moves elements."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from onnx_draw import BOOL, F32, F64, I32, I64, U8, Graph, Refused

SHAPE_DRAWS: dict[str, Callable[[Graph], None]] = {}
ANY = (F32, F32, F64, I32, I64, U8, BOOL)


def _drawn(draw: Callable[[Graph], None]) -> Callable[[Graph], None]:
    SHAPE_DRAWS[draw.__name__.strip("_")] = draw
    return draw


def _shape(g: Graph, name: str) -> tuple[int, ...]:
    return g.arrays[name].shape


@_drawn
def _reshape(g: Graph) -> None:
    x = g.operand(dtypes=ANY)
    size = g.arrays[x].size
    sizes: list[int] = []
    while size > 1 and len(sizes) < 4:
        part = g.pick(*(n for n in range(1, size + 1) if size % n == 0))
        sizes.append(part)
        size //= part
    sizes.append(size)
    g.random.shuffle(sizes)
    if g.pick(0, 1) and g.arrays[x].size:
        sizes[g.random.randrange(len(sizes))] = -1
    elif g.pick(0, 1) and g.arrays[x].ndim:
        sizes = [0, -1] if _shape(g, x)[0] else sizes
    g.add("Reshape", [x, g.parameter(sizes)])


@_drawn
def _transpose(g: Graph) -> None:
    x = g.operand(0, 5, ANY)
    perm = list(range(g.arrays[x].ndim))
    g.random.shuffle(perm)
    g.add("Transpose", [x], perm=g.maybe(perm, 0.8))


@_drawn
def _squeeze(g: Graph) -> None:
    x = g.operand(dtypes=ANY)
    ones = [k for k, n in enumerate(_shape(g, x)) if n == 1]
    chosen = g.random.sample(ones, g.random.randint(0, len(ones)))
    rank = g.arrays[x].ndim
    axes = [g.parameter([k - g.pick(0, rank) for k in chosen])] if chosen or g.pick(0, 1) else []
    g.add("Squeeze", [x, *axes])


@_drawn
def _unsqueeze(g: Graph) -> None:
    x = g.operand(dtypes=ANY)
    rank = g.arrays[x].ndim
    count = g.pick(1, 1, 2)
    axes = g.random.sample(range(rank + count), count)
    g.add("Unsqueeze", [x, g.parameter([k - g.pick(0, rank + count) for k in axes])])


@_drawn
def _expand(g: Graph) -> None:
    x = g.operand(dtypes=ANY)
    sizes = [g.pick(1, n) if n != 1 else g.pick(1, 2, 3) for n in _shape(g, x)]
    sizes = sizes[g.pick(0, 0, len(sizes)) :]
    g.add("Expand", [x, g.parameter([*g.pick([], [], [2]), *sizes])])


@_drawn
def _tile(g: Graph) -> None:
    x = g.operand(dtypes=ANY)
    g.add("Tile", [x, g.parameter([g.pick(0, 1, 1, 2, 3) for _ in _shape(g, x)])])


@_drawn
def _concat(g: Graph) -> None:
    x = g.operand(1, 4, ANY)
    axis = g.axis(g.arrays[x].ndim)
    own = g.arrays[x]

    def fits(a: np.ndarray) -> bool:
        shapes = [list(s) for s in (a.shape, own.shape)]
        return (
            a.dtype == own.dtype
            and a.ndim == own.ndim
            and all(p == q for k, (p, q) in enumerate(zip(*shapes, strict=True)) if k != axis % own.ndim)
        )

    parts = [x, *g.random.sample(names := g.candidates(fits), min(len(names), g.pick(0, 1, 2)))]
    if g.pick(0, 1):
        shape = list(own.shape)
        shape[axis] = g.pick(1, 2, 3)
        parts.append(g.fresh(g.array(shape, own.dtype.type)))
    g.random.shuffle(parts)
    g.add("Concat", parts, axis=axis)


@_drawn
def _split(g: Graph) -> None:
    x = g.operand(1, 4, ANY)
    axis = g.axis(g.arrays[x].ndim)
    size, count = _shape(g, x)[axis], g.pick(1, 2, 3)
    bounds = sorted(g.random.randint(0, size) for _ in range(count - 1))
    parts = [b - a for a, b in zip([0, *bounds], [*bounds, size], strict=True)]
    if g.opset >= 18 and g.pick(0, 1):
        g.add("Split", [x], count, axis=axis, num_outputs=count)
    else:
        g.add("Split", [x, g.parameter(parts)], count, axis=g.maybe(axis, 0.8))


@_drawn
def _slice(g: Graph) -> None:
    x = g.operand(1, 4, ANY)
    rank = g.arrays[x].ndim
    axes = g.axes(rank, 1)
    steps = [g.pick(1, 1, 1, 2, -1, -2, 3) for _ in axes]
    bounds = [[g.pick(0, 1, 2, -1, -2, 5, -9, 99, 2**62, -(2**62)) for _ in axes] for _ in range(2)]
    if g.pick(0, 0, 1):
        axes = list(range(len(axes)))
        g.add("Slice", [x, g.parameter(bounds[0]), g.parameter(bounds[1])])
    else:
        operands = [x, g.parameter(bounds[0]), g.parameter(bounds[1]), g.parameter(axes)]
        g.add("Slice", [*operands, g.parameter(steps)] if g.pick(0, 1) else operands)


@_drawn
def _pad(g: Graph) -> None:
    x = g.operand(1, 4, (F32, F32, F64, I32))
    rank = g.arrays[x].ndim
    mode = g.pick("constant", "constant", "reflect", "edge", *(["wrap"] if g.opset >= 19 else []))
    low = -1 if mode == "constant" else 0
    axes = g.axes(rank, 1) if g.opset >= 18 and g.pick(0, 1) else None
    pads = [g.random.randint(low, 2) for _ in range(2 * (rank if axes is None else len(axes)))]
    if mode in ("reflect", "wrap", "edge") and any(n < 3 for n in _shape(g, x)):
        raise Refused
    operands = [x, g.parameter(pads)]
    if mode == "constant" and g.pick(0, 1):
        operands.append(g.fresh(np.asarray(g.pick(0, 1, 7), g.arrays[x].dtype), 0.8))
    if axes is not None:
        operands += [""] * (3 - len(operands)) + [g.parameter(axes)]
    g.add("Pad", operands, mode=g.maybe(mode, 0.5) if mode == "constant" else mode)


def _indices(g: Graph, shape: tuple[int, ...], size: int, constant: float = 0.4) -> str:
    if not size:
        raise Refused
    low = -size if g.pick(0, 0, 1) else 0
    return g.fresh(np.asarray(g.numbers.integers(low, size, shape), g.pick(I64, I64, I32)), constant)


@_drawn
def _gather(g: Graph) -> None:
    x = g.operand(1, 4, ANY)
    axis = g.axis(g.arrays[x].ndim)
    g.add("Gather", [x, _indices(g, g.shape(0, 2), _shape(g, x)[axis])], axis=g.maybe(axis, 0.9))


@_drawn
def _gather_elements(g: Graph) -> None:
    x = g.operand(1, 4, ANY)
    axis = g.axis(g.arrays[x].ndim)
    shape = list(_shape(g, x))
    shape[axis] = g.pick(1, 2, 5)
    g.add("GatherElements", [x, _indices(g, tuple(shape), _shape(g, x)[axis])], axis=axis)


@_drawn
def _gather_nd(g: Graph) -> None:
    x = g.operand(1, 4, ANY)
    shape = _shape(g, x)
    batch = g.random.randint(0, len(shape) - 1) if g.pick(0, 0, 1) else 0
    length = g.random.randint(1, len(shape) - batch)
    if 0 in shape:
        raise Refused
    rows = (*shape[:batch], *g.shape(0, 2))
    index = np.stack([g.numbers.integers(0, n, rows) for n in shape[batch : batch + length]], -1)
    g.add("GatherND", [x, g.fresh(index.astype(I64), 0.4)], batch_dims=batch)


@_drawn
def _scatter_elements(g: Graph) -> None:
    x = g.operand(1, 3, (F32, F64, I32))
    own = g.arrays[x]
    axis = g.axis(own.ndim)
    count = g.random.randint(1, max(own.shape[axis], 1))
    shape = list(own.shape)
    shape[axis] = count
    if 0 in own.shape:
        raise Refused
    order = np.argsort(g.numbers.random(own.shape), axis)
    index = np.take(order, range(count), axis).astype(I64)
    reduction = g.pick("none", "add", "mul", *(["max", "min"] if g.opset >= 18 else []))
    if g.opset < 16:
        reduction = None
    updates = g.fresh(g.array(shape, own.dtype.type))
    g.add("ScatterElements", [x, g.fresh(index), updates], axis=axis, reduction=reduction)


@_drawn
def _scatter_nd(g: Graph) -> None:
    x = g.operand(1, 3, (F32, F64, I32))
    own = g.arrays[x]
    length = g.random.randint(1, own.ndim)
    rows = int(np.prod(own.shape[:length]))
    if 0 in own.shape:
        raise Refused
    chosen = g.numbers.permutation(rows)[: g.random.randint(1, rows)]
    index = np.stack(np.unravel_index(chosen, own.shape[:length]), -1).astype(I64)
    updates = g.fresh(g.array((len(chosen), *own.shape[length:]), own.dtype.type))
    reduction = g.maybe(g.pick("none", "add", "mul")) if g.opset >= 16 else None
    g.add("ScatterND", [x, g.fresh(index), updates], reduction=reduction)


@_drawn
def _blocks(g: Graph) -> None:
    n, c, h, w = (g.pick(1, 2, 3) for _ in range(4))
    size = g.pick(1, 2, 3)
    if g.pick(0, 1):
        x = g.fresh(g.array((n, c * size * size, h, w)))
        g.add("DepthToSpace", [x], blocksize=size, mode=g.maybe(g.pick("DCR", "CRD")))
    else:
        g.add("SpaceToDepth", [g.fresh(g.array((n, c, h * size, w * size)))], blocksize=size)


@_drawn
def _reverse_sequence(g: Graph) -> None:
    x = g.operand(2, 4, (F32, I64))
    time = g.pick(0, 1)
    lengths = g.numbers.integers(0, _shape(g, x)[time] + 1, _shape(g, x)[1 - time]).astype(I64)
    g.add("ReverseSequence", [x, g.fresh(lengths)], time_axis=time, batch_axis=1 - time)


@_drawn
def _resize(g: Graph) -> None:
    x = g.operand(3, 4, (F32,))
    shape = _shape(g, x)
    if 0 in shape:
        raise Refused
    mode = g.pick("nearest", "nearest", "linear", "cubic")
    transform = g.pick("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")
    nearest = g.pick("floor", "ceil", "round_prefer_floor", "round_prefer_ceil") if mode == "nearest" else None
    if g.pick(0, 1):
        scales = np.asarray([1, 1, *(g.pick(0.5, 1.0, 1.5, 2.0, 3.0) for _ in shape[2:])], F32)
        operands = [x, "", g.parameter(scales, F32)]
    else:
        operands = [x, "", "", g.parameter([*shape[:2], *(g.pick(1, 2, 3, 5, 8) for _ in shape[2:])])]
    g.add("Resize", operands, mode=mode, coordinate_transformation_mode=transform, nearest_mode=nearest)
