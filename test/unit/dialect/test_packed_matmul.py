"""Products with packed weights: sums at every size of a block, post-ops, and instruction sets."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
from native_kernels import computed_by, on_instructions
from op_cases import build
from row_sums import POST_OPS, check_post_op, error_of

import lastuse
from lastuse.dialect.dnn.packable_products import PackableProductBase
from lastuse.dialect.dnn.packed_matmul import packed_panels, packed_size, plain_columns
from lastuse.dialect.onednn.kernel_call import KernelCallOp

Array = np.ndarray[Any, np.dtype[Any]]


class Case(NamedTuple):
    """Sizes of x but for the last one, summed elements, columns, and steps along the axes of x within."""

    rows: tuple[int, ...]
    depth: int
    columns: int
    steps: tuple[int, ...] = ()

    @property
    def y(self) -> tuple[int, ...]:
        steps = self.steps or (1,) * (len(self.rows) - 1)
        inner = (-(-size // step) for size, step in zip(self.rows[1:], steps, strict=True))
        return (self.rows[0], *inner, self.columns)

    def line(self, post_ops: str = "", operands: int = 0) -> str:
        """The op as text, with a bias, and with further operands like y."""
        shapes = [(*self.rows, self.depth), (packed_size(self.depth, self.columns),), (self.columns,)]
        ins = ", ".join("x".join(map(str, shape)) + "xf32" for shape in [*shapes, *[self.y] * operands])
        more = f", post_ops = [{post_ops}]" if post_ops else ""
        if self.steps:
            more += f", steps = array<i64: {', '.join(map(str, self.steps))}>"
        result = "x".join(map(str, self.y)) + "xf32"
        return f"packed_matmul({ins}) {{columns = {self.columns} : i64, has_bias = 1 : i64{more}}} -> {result}"

    def operands(self) -> tuple[Array, Array, Array]:
        rng = np.random.default_rng(7)
        shapes = ((*self.rows, self.depth), (self.depth, self.columns), (self.columns,))
        x, weights, bias = (rng.standard_normal(shape).astype(np.float32) for shape in shapes)
        return x, weights, bias

    def sums(self) -> Array:
        """The product in f64."""
        x, weights, bias = (operand.astype(np.float64) for operand in self.operands())
        return x[(slice(None), *(slice(None, None, step) for step in self.steps))] @ weights + bias


def cases() -> list[Case]:
    """Every height of a block, and columns at which a vector, half a panel, a panel or a wide block ends."""
    widths = (1, 4, 8, 9, 16, 17, 31, 32, 33, 48, 49, 63, 64, 65, 96, 127, 128, 129, 250)
    found = [
        Case((rows,), depth, columns)
        for rows, (columns, depth) in product(range(1, 15), zip(widths, widths[::-1], strict=True))
    ]
    found += [Case((rows,), depth, 70) for rows in (25, 61) for depth in (1, 15, 16, 17, 128, 129)]
    found += [
        Case((3, 40, 2), 5, 20),
        Case((2, 9, 7), 6, 40, (2, 3)),
        Case((3, 30), 4, 130, (2,)),
        Case((1, 1, 50), 4, 10, (5, 1)),
        Case((600,), 300, 36),  # more rows than are kept together
    ]
    pairs = list(product((1, 2, 3), repeat=2))
    found += [Case((3, *sizes), 5, 17, steps) for sizes, steps in product(pairs, pairs)]  # steps beyond the end, too
    return found


CASES = cases()


def error(case: Case) -> float:
    x, weights, bias = case.operands()
    return error_of(case.line(), [x, packed_panels(weights), bias], case.sums())


def largest_error() -> float:
    return max(map(error, CASES))


def test_the_kernel_computes_the_sums() -> None:
    assert largest_error() < 2e-6


@pytest.mark.parametrize("isa", ["SSE41", "AVX2"])
def test_kernels_for_other_processors_do_too(isa: str) -> None:
    assert on_instructions(isa, "test_packed_matmul", "t.largest_error()") < 2e-6


def test_a_row_has_the_same_bits_beside_any_others() -> None:
    case = Case((29,), 37, 100)
    x, weights, bias = case.operands()
    packed = packed_panels(weights)
    want = computed_by(case.line(), [x, packed, bias], case.y)
    for rows in range(1, 29):
        part = Case((rows,), 37, 100)
        got = computed_by(part.line(), [np.ascontiguousarray(x[-rows:]), packed, bias], part.y)
        assert got.tobytes() == want[-rows:].tobytes()


@pytest.mark.parametrize("depth, columns", [(3, 20), (4, 32), (5, 33), (2, 50), (7, 9), (3, 96), (1, 1), (0, 5)])
def test_packed_columns_are_the_plain_ones_with_zeros(depth: int, columns: int) -> None:
    weights = np.random.default_rng(3).standard_normal((depth, columns)).astype(np.float32)
    packed = packed_panels(weights)
    assert packed.size == packed_size(depth, columns) and packed.ctypes.data % 64 == 0
    np.testing.assert_array_equal(plain_columns(packed, depth, columns), weights)
    assert np.count_nonzero(packed) == np.count_nonzero(weights)


@pytest.mark.parametrize("name", POST_OPS)
@pytest.mark.parametrize("case", [Case((9,), 5, 75), Case((2, 4, 9), 3, 12, (2, 2))], ids=str)
@pytest.mark.parametrize("sums", [False, True])
def test_post_ops_are_functions_of_the_sums(name: str, case: Case, sums: bool) -> None:
    x, weights, bias = case.operands()
    check_post_op(name, sums, case.line, [x, packed_panels(weights), bias], case.sums())


def test_a_post_op_that_the_kernel_lacks_is_none_of_its() -> None:
    op = build('matmul(4x5xf32, 5x20xf32) {post_ops = [{op = "dnn.exp"}]} -> 4x20xf32')
    assert isinstance(op, PackableProductBase) and op.packable_operand() is None


def test_weights_behind_what_is_trained_stay_plain() -> None:
    """A product with packed weights has no gradient."""
    text = """
func.func @main(%x: tensor<4x6xf32>, %w: tensor<6x16xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %k = "dnn.constant"() {value = dense<0.5> : tensor<16x16xf32>} : () -> tensor<16x16xf32>
  %y = "dnn.matmul"(%x, %w) : (tensor<4x6xf32>, tensor<6x16xf32>) -> tensor<4x16xf32>
  %z = "dnn.matmul"(%y, %k) : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
  %l = "dnn.reduce_mean"(%z) {keepdims = 0 : i64} : (tensor<4x16xf32>) -> tensor<f32>
  func.return %l : tensor<f32>
}
"""
    for packed, options in ((1, {}), (0, {"optimizer": "sgd"})):
        program = lastuse.compile(text.encode(), threads=1, **options)
        program.compile_for({name: tuple(spec.shape) for name, spec in program.inputs.items()})
        calls = [op.callee.data for op in program.latest.lowered.walk() if isinstance(op, KernelCallOp)]
        assert calls.count("dnn.packed_matmul") == packed
