"""The runtime's kernel of products of two tensors: sizes, axes in any order, strides, post-ops, instruction sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from native_kernels import native_kernel, on_instructions, scratch_of
from op_cases import build

from lastuse.dialect.dnn.matmul import MatmulOp
from lastuse.dialect.storage.contract import Engine, InPlace, contract_of

Array = np.ndarray[Any, np.dtype[Any]]
SIZES = (1, 2, 3, 5, 8, 12, 15, 16, 17, 31, 33, 40, 64, 70, 130)
DEPTHS = (0, 1, 2, 7, 8, 15, 16, 17, 40, 64, 255, 256, 257, 300, 600)
ROWS = (1, 2, 3, 5, 6, 7, 11, 12, 13, 25, 40, 100, 260, 300)
FUNCTIONS = {
    "": lambda v: v,
    '{op = "dnn.scale", scale = 0.25 : f32, bias = -1.0 : f32}': lambda v: 0.25 * v - 1,
    '{op = "dnn.relu"}': lambda v: np.maximum(v, 0),
}
BEHIND = {**FUNCTIONS, '{op = "dnn.sigmoid"}': lambda v: 1 / (1 + np.exp(-v)), '{op = "dnn.tanh"}': np.tanh}


class Case(NamedTuple):
    """Sizes of the operands as factors of the product, the orders of axes in which the op states them and its result,
    and post-ops: what is added first, a function, operands that are added to it, a function."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    orders: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    has_sum: bool
    before: str
    terms: tuple[tuple[int, ...], ...]
    behind: str

    @property
    def made(self) -> tuple[int, ...]:
        """The sizes of the product."""
        return np.matmul(np.zeros(self.a, np.int8), np.zeros(self.b, np.int8)).shape

    @property
    def y(self) -> tuple[int, ...]:
        return tuple(self.made[axis] for axis in self.orders[2])

    def stated(self, operand: int) -> tuple[int, ...]:
        """The sizes of an operand as the op reads it."""
        order, sizes = self.orders[operand], (self.a, self.b)[operand]
        return tuple(sizes[order.index(axis)] for axis in range(len(order)))

    def line(self) -> str:
        shapes = [self.stated(0), self.stated(1), *[self.y] * self.has_sum, *self.terms]
        ins = ", ".join("".join(f"{size}x" for size in shape) + "f32" for shape in shapes)
        entries = ['{op = "dnn.add", sum}'] * self.has_sum + [self.before] * bool(self.before)
        entries += ['{op = "dnn.add"}'] * len(self.terms) + [self.behind] * bool(self.behind)
        names = ("permA", "permB", "perm")
        stated = [
            f"{name} = array<i64: {', '.join(map(str, o))}>" for name, o in zip(names, self.orders, strict=True) if o
        ]
        if entries:
            stated.append(f"post_ops = [{', '.join(entries)}]")
        result = "".join(f"{size}x" for size in self.y) + "f32"
        return f"matmul({ins}) {{{', '.join(stated)}}} -> {result}"

    def operands(self) -> list[Array]:
        rng = np.random.default_rng(7)
        shapes = (self.stated(0), self.stated(1), *[self.y] * self.has_sum, *self.terms)
        return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]

    def want(self) -> Array:
        """The result in f64."""
        a, b, *terms = (operand.astype(np.float64) for operand in self.operands())
        y = np.asarray(np.matmul(a.transpose(self.orders[0]), b.transpose(self.orders[1]))).transpose(self.orders[2])
        y = FUNCTIONS[self.before](y + terms.pop(0) if self.has_sum else y)
        for term in terms:
            y = y + term
        return np.asarray(BEHIND[self.behind](y))


def cases(count: int, seed: int = 0) -> Iterator[Case]:
    """Products of random sizes; those of few multiplications alone."""
    rng = np.random.default_rng(seed)

    def pick(choices: Sequence[Any]) -> Any:
        return choices[int(rng.integers(len(choices)))]

    def order(rank: int) -> tuple[int, ...]:
        return tuple(map(int, rng.permutation(rank))) if rng.random() < 0.5 else tuple(range(rank))

    while count:
        batch = [pick((1, 2, 3, 0) if rng.random() < 0.05 else (1, 2, 3)) for _ in range(pick((0, 1, 1, 2, 2, 3)))]
        sides = [[1 if rng.random() < 0.2 else size for size in batch] for _ in range(2)]
        sides = [side[pick((0, 0, 0, 1)) :] for side in sides]
        rows, depth, columns = pick(ROWS), pick(DEPTHS), pick(SIZES)
        if rng.random() < 0.03:
            rows, columns = pick(((0, columns), (rows, 0)))
        a, b = (*sides[0], rows, depth), (*sides[1], depth, columns)
        a, b = pick(((a, b), (a, b), (a, b), (a, b), (a[-1:], b), (a, b[-2:-1])))
        if math.prod(np.broadcast_shapes(a[:-2], b[:-2])) * rows * depth * columns > 3e6:
            continue
        made = np.matmul(np.zeros(a, np.int8), np.zeros(b, np.int8)).shape
        orders = (order(len(a)), order(len(b)), order(len(made)))
        y = tuple(made[axis] for axis in orders[2])
        terms = [tuple(1 if rng.random() < 0.4 else n for n in y)[pick((0, 0, 1)) :] for _ in range(pick((0, 0, 1, 2)))]
        count -= 1
        yield Case(a, b, orders, rng.random() < 0.3, pick(tuple(FUNCTIONS)), tuple(terms), pick(tuple(BEHIND)))


def spread(array: Array, rng: np.random.Generator) -> Array:
    """The elements at strides: each axis has one element in so many, and axes lie in another order."""
    order = rng.permutation(array.ndim)
    steps = rng.integers(1, 3, array.ndim)
    memory = np.full(
        [int(n * step + 1) for n, step in zip(np.take(array.shape, order), steps, strict=True)], 7, np.float32
    )
    inside = tuple(
        slice(0, int(n * step), int(step)) for n, step in zip(np.take(array.shape, order), steps, strict=True)
    )
    view = memory[(*inside, ...)].transpose(np.argsort(order))
    np.copyto(view, array)
    return view


def computed(case: Case, operands: Sequence[Array], y: Array, threads: int = 1) -> Array:
    op = build(case.line())
    native_kernel(op, threads)(operands, [y], scratch_of(op, threads))
    return y


def error(case: Case, seed: int) -> float:
    """The largest difference from f64, relative to the largest sum of products without signs. All strides and threads
    make the same bits."""
    operands, want, rng = case.operands(), case.want(), np.random.default_rng(seed)
    made = [computed(case, operands, np.full(case.y, np.nan, np.float32), threads) for threads in (1, 3)]
    apart = spread(np.full(case.y, np.nan, np.float32), rng)
    made.append(computed(case, [spread(operand, rng) for operand in operands], apart))
    bits = {np.ascontiguousarray(each).tobytes() for each in made}
    assert len(bits) == 1, case
    memory = apart.base
    assert isinstance(memory, np.ndarray) and np.count_nonzero(memory != 7) <= apart.size, case  # nothing beside it
    a, b = (np.abs(operand.transpose(order)) for operand, order in zip(operands[:2], case.orders[:2], strict=True))
    scale = max(1.0, float(np.max(np.matmul(a, b), initial=0)))
    return float(np.max(np.abs(made[0] - want), initial=0)) / scale


def largest_error(count: int) -> float:
    return max(error(case, seed) for seed, case in enumerate(cases(count)))


def test_the_kernel_computes_products_in_any_order_at_any_strides() -> None:
    assert largest_error(400) < 1e-6


@pytest.mark.parametrize("isa", ["SSE41", "AVX2"])
def test_kernels_for_other_processors_do_too(isa: str) -> None:
    assert on_instructions(isa, "test_native_matmul", "t.largest_error(150)") < 1e-6


@pytest.mark.parametrize("depth", [3, 300, 600])
@pytest.mark.parametrize("behind", ["", '{op = "dnn.relu"}'])
def test_a_result_over_what_is_added_has_the_same_bits(depth: int, behind: str) -> None:
    case = Case((2, 300, depth), (2, depth, 70), ((0, 1, 2), (0, 1, 2), (0, 1, 2)), True, "", ((70,),), behind)
    assert InPlace(0, 2) in contract_of(build(case.line())).over
    operands = case.operands()
    want = computed(case, operands, np.empty(case.y, np.float32))
    assert computed(case, operands, operands[2], 3).tobytes() == want.tobytes()


def test_an_operand_that_is_no_sum_is_not_written_over() -> None:
    case = Case((2, 3, 4), (2, 4, 5), ((0, 1, 2), (0, 1, 2), (0, 1, 2)), False, "", ((2, 3, 5),), "")
    assert not contract_of(build(case.line())).over


def _engine(line: str) -> Engine | None:
    op = build(line)
    assert isinstance(op, MatmulOp)
    return op.engine()


def test_batches_of_matrices_are_native() -> None:
    assert _engine("matmul(2x3x4xf32, 2x4x5xf32) -> 2x3x5xf32") is Engine.NATIVE
    assert _engine("matmul(?x3x4xf32, ?x4x?xf32) -> ?x3x?xf32") is Engine.NATIVE
    assert _engine("matmul(2x3x4xf32, 4x5xf32) -> 2x3x5xf32") is Engine.ONEDNN
    assert _engine("matmul(2x3x4xf64, 2x4x5xf64) -> 2x3x5xf64") is Engine.CPU


def test_what_the_kernel_lacks_is_not_native() -> None:
    shapes = "matmul(2x3x4xf32, 2x4x5xf32, 2x3x5xf32{}) {{post_ops = [{}]}} -> 2x3x5xf32"
    assert _engine(shapes.format("", '{op = "dnn.sub"}')) is Engine.ONEDNN
    assert _engine(shapes.format("", '{op = "dnn.tanh"}, {op = "dnn.add"}')) is Engine.ONEDNN
    assert _engine(shapes.format("", '{op = "dnn.add"}, {op = "dnn.tanh"}')) is Engine.NATIVE
    more = ', {op = "dnn.add"}' * 4
    assert _engine(shapes.format(", 1xf32" * 4, '{op = "dnn.add"}' + more)) is Engine.ONEDNN
    nine = "1x1x1x1x1x1x1x3x4xf32, 1x1x1x1x1x1x1x4x5xf32"
    assert _engine(f"matmul({nine}) -> 1x1x1x1x1x1x1x3x5xf32") is not Engine.NATIVE
