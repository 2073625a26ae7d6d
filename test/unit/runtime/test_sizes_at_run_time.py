"""Sizes 0 and 1 at run time where the program has `?`."""

from __future__ import annotations

import numpy as np

import lastuse
from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse


def program(text: str) -> lastuse.Program:
    return lastuse.compile(parse(context(), text, "test.mlir"), threads=1, poison=True)


def test_slices_of_an_empty_value_are_read() -> None:
    """The second column of an empty value would start at byte 4 of an empty buffer."""
    split = program("""func.func @main(%x: tensor<?x3xf32>) -> tensor<1xf32> {
      %a, %b = "dnn.split"(%x) {axis = 1 : i64, split_size = 2 : i64}
        : (tensor<?x3xf32>) -> (tensor<?x2xf32>, tensor<?x1xf32>)
      %s = "dnn.reduce_sum"(%b) {axes = array<i64: 0>} : (tensor<?x1xf32>) -> tensor<1xf32>
      func.return %s : tensor<1xf32>
    }""")
    for rows in (0, 2, 0):
        x = np.arange(3 * rows, dtype="f").reshape(rows, 3)
        np.testing.assert_array_equal(split(x), x[:, 2:].sum(0))


def test_unknown_size_of_expand_is_that_of_its_operand() -> None:
    expand = program("""func.func @main(%x: tensor<3x?xf32>) -> tensor<2x3x?xf32> {
      %y = "dnn.expand"(%x) : (tensor<3x?xf32>) -> tensor<2x3x?xf32>
      func.return %y : tensor<2x3x?xf32>
    }""")
    for columns in (1, 4, 0):
        x = np.arange(3 * columns, dtype="f").reshape(3, columns)
        np.testing.assert_array_equal(expand(x), [x, x])
