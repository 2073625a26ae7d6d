"""How ops that compute are drawn: their operands among the values so far, their attributes, their results."""

from __future__ import annotations

from collections.abc import Sequence

from .builder import FLOATS, NUMBERS, Builder, Maker, Shape, Value, count_of


def _same(op: str, dtypes: Sequence[str] = FLOATS, attributes: str = "", rank: int = 0) -> Maker:
    """An op of one operand whose result has its type."""

    def make(b: Builder) -> None:
        x = b.of(*dtypes, rank=rank)
        axis = b.number(-len(x.shape), len(x.shape) - 1) if "AXIS" in attributes else 0
        b.emit(op, [x], attributes.replace("AXIS", str(axis)), (x.shape, x.dtype))

    return make


def broadcast(b: Builder, shapes: Sequence[Shape]) -> Shape | None:
    """The numpy broadcast, None where there is none for all sizes or it is too large."""
    rank = max(len(s) for s in shapes)
    axes = zip(*((1,) * (rank - len(s)) + tuple(s) for s in shapes), strict=True)
    found = [list(dict.fromkeys(d for d in axis if d != 1)) for axis in axes]
    if any(len(sizes) > 1 for sizes in found):
        return None
    shape = tuple(sizes[0] if sizes else 1 for sizes in found)
    return shape if Value("", shape, "f32").count <= b.most else None


def broadcasting(b: Builder, first: Value, count: int) -> list[Value]:
    """`first` and more operands of its element type that broadcast with it; most have its shape."""
    operands = [first]

    def joins(v: Value) -> bool:
        return v.dtype == first.dtype and broadcast(b, [*(o.shape for o in operands), v.shape]) is not None

    for _ in range(count - 1):
        operands.append(b.pick(joins, first.dtype, ()) if b.chance(3) else b.like(first))
    return operands


def _binary(op: str, dtypes: Sequence[str] = NUMBERS, result: str | None = None, count: int = 2) -> Maker:
    """An op whose operands broadcast; in half of the cases the first two are exchanged."""

    def make(b: Builder) -> None:
        operands = broadcasting(b, b.of(*dtypes), count)
        if b.chance(2):
            operands[:2] = operands[1::-1]
        shape = broadcast(b, [v.shape for v in operands])
        assert shape is not None
        b.emit(op, operands, "", (shape, result or operands[0].dtype))

    return make


def _sum(b: Builder) -> None:
    x = b.of(*NUMBERS)
    b.emit("sum", [x, *(b.like(x) for _ in range(b.number(0, 2)))], "", (x.shape, x.dtype))


def _where(b: Builder) -> None:
    operands = broadcasting(b, b.of(*NUMBERS, "i1"), 2)
    shape = broadcast(b, [v.shape for v in operands])
    assert shape is not None
    mask = b.pick(lambda v: v.dtype == "i1" and broadcast(b, [shape, v.shape]) == shape, "i1", shape)
    b.emit("where", [mask, *operands], "", (shape, operands[0].dtype))


def _masked_fill(b: Builder) -> None:
    x = b.of(*FLOATS)
    mask = b.pick(lambda v: v.dtype == "i1" and broadcast(b, [x.shape, v.shape]) == x.shape, "i1", x.shape)
    b.emit("masked_fill", [x, mask], "value = 7.0 : f32", (x.shape, x.dtype))


def _require_finite(b: Builder) -> None:
    x, dtype = b.of(*_INTEGERS), b.choose(FLOATS)
    b.emit("require_finite", [x, b.constant((2,), dtype, [b.number(0, 9), 1])], "", (x.shape, x.dtype))


def _relu_grad(b: Builder) -> None:
    y = b.of(*FLOATS)
    b.emit("relu_grad", [y, b.like(y)], "", (y.shape, y.dtype))


def _cast(b: Builder) -> None:
    x, dtype = b.of(*NUMBERS, "i1"), b.choose([*NUMBERS, "i1"])
    if x.dtype[0] == "f" and dtype[0] in "iu" and dtype != "i1":  # casts of floats beyond the integers are undefined
        low = "0.0" if dtype[0] == "u" else "-9.0"
        x = b.emit("clip", [x], f"min = {low} : f32, max = 9.0 : f32", (x.shape, x.dtype))
    b.emit("cast", [x], "", (x.shape, dtype))


def _layer_norm(b: Builder) -> None:
    x = b.of(*FLOATS, rank=1)
    row = x.shape[-1:]
    rows = [b.pick(lambda v: (v.shape, v.dtype) == (row, x.dtype), x.dtype, row) for _ in range(b.choose([2, 1]))]
    statistics = [((*x.shape[:-1], 1), x.dtype)] * b.choose([0, 2])
    b.emit("layer_norm", [x, *rows], "axis = -1 : i64", (x.shape, x.dtype), *statistics)


def _batch_norm(b: Builder) -> None:
    x = b.pick(lambda v: v.dtype in FLOATS and len(v.shape) >= 2 and 0 not in v.shape and 1 in v.known_axes)
    row = x.shape[1:2]
    rows = [b.pick(lambda v: (v.shape, v.dtype) == (row, x.dtype), x.dtype, row) for _ in range(3)]
    variance = b.constant(row, x.dtype, range(1, count_of(row) + 1))
    b.emit("batch_norm", [x, *rows, variance], "", (x.shape, x.dtype))


def _matmul(b: Builder) -> None:
    x = b.pick(lambda v: v.dtype in FLOATS and len(v.shape) >= 2 and 0 not in v.shape)
    inner = x.shape[-1]
    y = b.pick(lambda v: v.dtype == x.dtype and len(v.shape) == 2 and v.shape[0] == inner, x.dtype, (inner, 2))
    made = (*x.shape[:-1], y.shape[1])
    if b.chance(2):
        b.emit("matmul", [x, y], "", (made, x.dtype))
        return
    read, order = b.order(len(x.shape) - 1), b.order(len(made))
    made = (*(x.shape[axis] for axis in read), made[-1])
    stated = ", ".join(
        f"{name} = array<i64: {', '.join(map(str, axes))}>"
        for name, axes in (("permA", [*read, len(read)]), ("perm", order))
    )
    b.emit("matmul", [x, y], stated, (tuple(made[axis] for axis in order), x.dtype))


def _gemm(b: Builder) -> None:
    x = b.pick(lambda v: v.dtype in FLOATS and len(v.shape) == 2 and 0 not in v.shape)
    turn_x, turn_y = b.chance(2), b.chance(2)
    rows, inner = reversed(x.shape) if turn_x else x.shape
    y = b.pick(lambda v: v.dtype == x.dtype and len(v.shape) == 2 and v.shape[turn_y] == inner, x.dtype, (inner, inner))
    shape = (rows, y.shape[1 - turn_y])
    added = [
        b.pick(lambda v: v.dtype == x.dtype and broadcast(b, [shape, v.shape]) == shape, x.dtype, shape)
    ] * b.choose([1, 0])
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
    x = b.pick(lambda v: v.dtype in NUMBERS and bool(v.known_axes) and 0 not in v.shape, NUMBERS)
    axis = b.choose(x.known_axes)
    size, count = count_of([x.shape[axis]]), b.number(1, 3)
    indices = b.constant((count,), "i64", [b.number(-size, size - 1) for _ in range(count)])
    b.emit("gather", [x, indices], f"axis = {axis} : i64", ((*x.shape[:axis], count, *x.shape[axis + 1 :]), x.dtype))


def _top_k(b: Builder) -> None:
    x = b.pick(lambda v: v.dtype in NUMBERS and bool(v.known_axes) and 0 not in v.shape, NUMBERS)
    axis = b.choose(x.known_axes)
    k = b.number(1, count_of([x.shape[axis]]))
    shape = (*x.shape[:axis], k, *x.shape[axis + 1 :])
    largest = str(b.chance(2)).lower()
    b.emit("top_k", [x], f"k = {k} : i64, axis = {axis} : i64, largest = {largest}", (shape, x.dtype), (shape, "i64"))


def _filled(op: str) -> Maker:
    def make(b: Builder) -> None:
        x = b.pick(lambda v: v.dtype in FLOATS and v.is_known and 0 not in v.shape)
        b.emit(op, [x][: b.choose([1, 0])], "", (x.shape, x.dtype))

    return make


def _constant(b: Builder) -> None:
    shape = b.choose([s for s in b.shapes if Value("", s, "").is_known and count_of(s) <= 4096])
    b.constant(shape, b.choose(NUMBERS), [b.number(-3, 3) for _ in range(count_of(shape))])


_INTEGERS = (*NUMBERS, "i1")
REDUCTIONS = ("mean", "sum", "prod", "max", "min", "l1", "l2", "log_sum", "log_sum_exp", "sum_square")
KERNELS: dict[str, Maker] = {
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
    "dnn.require_finite": _require_finite,
    "dnn.cast": _cast,
    "dnn.layer_norm": _layer_norm,
    "dnn.batch_norm": _batch_norm,
    "dnn.matmul": _matmul,
    "dnn.gemm": _gemm,
    **{f"dnn.reduce_{op}": _reduce(f"reduce_{op}") for op in REDUCTIONS},
    "dnn.gather": _gather,
    "dnn.top_k": _top_k,
    **{f"dnn.{op}": _filled(op) for op in ("zeros", "ones")},
    "dnn.constant": _constant,
}
"""How each op that computes is drawn, by name."""
