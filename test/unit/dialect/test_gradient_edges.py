"""Gradients where elements are equal or zero, which the points of `test_gradients.py` avoid."""

from __future__ import annotations

import numpy as np
from test_gradients import gradients, line_in_f64, numeric

FACTORS = 'scatter_elements(4xf32, 7xi64, 7xf32) {reduction = "mul"} -> 4xf32'
LARGEST = 'scatter_elements(4xf32, 7xi64, 7xf32) {reduction = "max"} -> 4xf32'


def test_products_with_no_zero_one_and_two() -> None:
    op = line_in_f64(FACTORS)
    data, indices = np.array([2.0, 3.0, 0.0, 5.0]), np.array([0, 0, 1, 1, 1, 2, 2])
    updates = np.array([0.0, 7.0, 0.0, 0.0, 2.0, 3.0, 4.0])
    dy = np.array([1.5, -2.0, 3.0, 0.5])
    found = gradients(op, [data, indices, updates], [dy])
    for number in (0, 2):
        np.testing.assert_allclose(found[number], numeric(op, [data, indices, updates], [dy], number), atol=1e-6)  # pyright: ignore


def test_equal_largest_elements_share_a_gradient() -> None:
    op = line_in_f64(LARGEST)
    data, indices = np.array([2.0, 3.0, 1.0, 5.0]), np.array([0, 0, 1, 1, 2, 2, 2])
    updates = np.array([2.0, 2.0, 1.0, 1.0, 4.0, 4.0, 0.0])
    found = gradients(op, [data, indices, updates], [np.array([3.0, 1.0, 2.0, 7.0])])
    np.testing.assert_array_equal(found[0], [1, 1, 0, 7])  # pyright: ignore
    np.testing.assert_array_equal(found[2], [1, 1, 0, 0, 1, 1, 0])  # pyright: ignore


def test_running_products_with_zeros() -> None:
    for more in ("", "{exclusive = true}", "{reverse = true}"):
        op = line_in_f64(f"cumprod(5xf32) {more} -> 5xf32")
        x, dy = np.array([2.0, 0.0, 3.0, 0.0, 5.0]), np.array([1.0, -2.0, 3.0, 4.0, -5.0])
        (dx,) = gradients(op, [x], [dy])
        np.testing.assert_allclose(dx, numeric(op, [x], [dy], 0), atol=1e-6)  # pyright: ignore


def test_unpooled_elements_that_are_written_over() -> None:
    op = line_in_f64("max_unpool(1x1x4xf32, 1x1x4xi64) {kernel_shape = array<i64: 2>} -> 1x1x5xf32")
    x, indices, dy = np.arange(4.0).reshape(1, 1, 4), np.array([[[3, 1, 3, 0]]]), np.arange(1.0, 6.0).reshape(1, 1, 5)
    dx, none = gradients(op, [x, indices], [dy])
    assert none is None
    np.testing.assert_array_equal(dx, [[[0, 2, 4, 1]]])  # pyright: ignore


def test_norms_of_zeros_have_no_gradient() -> None:
    for line in (
        "lp_normalization(2x3xf32) {p = 2 : i64} -> 2x3xf32",
        "lp_pool(1x1x3xf32) {kernel_shape = array<i64: 2>} -> 1x1x2xf32",
        "global_lp_pool(1x2x3xf32) {p = 3 : i64} -> 1x2x1xf32",
    ):
        op = line_in_f64(line)
        x, dy = (np.zeros([int(d) for d in info.known]) for info in (op.operand_type(), op.result_type()))
        (dx,) = gradients(op, [x], [dy + 1])
        np.testing.assert_array_equal(dx, x)  # pyright: ignore
