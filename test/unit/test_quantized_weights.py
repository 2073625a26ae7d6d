"""Weights that stay integers: what `--quantized-weights-pass` makes of products and gathers, run."""

from __future__ import annotations

import numpy as np
import pytest

import lastuse

Q = np.array([[1, -2, 3, 127], [4, 5, -128, 7], [0, 100, -100, 9]], np.int8)
X = np.array([[0.5, -1.25, 2.0], [3.0, 0.125, -0.75]], np.float32)
SCALES = {
    "tensor<f32>": np.float32(0.37),
    "tensor<1xf32>": np.array([0.37], np.float32),
    "tensor<4xf32>": np.array([0.5, 0.37, 2.0, 0.01], np.float32),
    "tensor<1x4xf32>": np.array([[0.5, 0.37, 2.0, 0.01]], np.float32),
    "tensor<3x1xf32>": np.array([[0.5], [0.37], [0.01]], np.float32),
}


def widened(scale: str, consumer: str) -> str:
    """The function of one reader of the integers times a scale of this type."""
    return f"""
    func.func @main({consumer.partition(";")[0]} {{
      %q = "dnn.constant"() {{value = dense<{Q.tolist()}> : tensor<3x4xi8>}} : () -> tensor<3x4xi8>
      %s = "dnn.constant"() {{value = dense<{np.asarray(SCALES[scale]).tolist()}> : {scale}}} : () -> {scale}
      %f = "dnn.cast"(%q) : (tensor<3x4xi8>) -> tensor<3x4xf32>
      %w = "dnn.mul"(%f, %s) : (tensor<3x4xf32>, {scale}) -> tensor<3x4xf32>
      {consumer.partition(";")[2]}
    }}"""


@pytest.mark.parametrize("scale", SCALES)
def test_products(scale: str) -> None:
    text = widened(
        scale,
        """%x: tensor<?x3xf32>) -> tensor<?x4xf32>;
        %y = "dnn.matmul"(%x, %w) : (tensor<?x3xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
        func.return %y : tensor<?x4xf32>""",
    )
    program = lastuse.compile(text.encode())
    result = program(X)
    np.testing.assert_allclose(result, X.astype(np.float64) @ (Q * SCALES[scale].astype(np.float64)), rtol=1e-5)
    constants = program.memory.weight_bytes
    # A scale of each summed row cannot leave the sum: there the weights are f32.
    assert (constants < 4 * Q.size) == (scale != "tensor<3x1xf32>")


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("indices", [np.array(1), np.array([2, -1, 0]), np.array([[0, 2], [1, 1]])], ids=str)
def test_gathers(scale: str, axis: int, indices: np.ndarray) -> None:
    wide = Q * SCALES[scale]
    want = np.take(wide, indices, axis)

    def type_of(shape: tuple[int, ...], dtype: str) -> str:
        return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype}>"

    i, y = type_of(indices.shape, "i64"), type_of(want.shape, "f32")
    text = widened(
        scale,
        f"""%i: {i}) -> {y};
        %y = "dnn.gather"(%w, %i) {{axis = {axis} : i64}} : (tensor<3x4xf32>, {i}) -> {y}
        func.return %y : {y}""",
    )
    np.testing.assert_array_equal(lastuse.compile(text.encode())(indices), want)


@pytest.mark.parametrize("dtype", ["i8", "ui8"])
def test_sums_do_not_depend_on_other_rows(dtype: str) -> None:
    """Heights of every block of the kernel, with columns and summed rows that are no whole strips."""
    depth, columns = 203, 141
    rng = np.random.default_rng(0)
    limits = np.iinfo(dtype.replace("i", "int"))
    numbers, zeros = (
        rng.integers(limits.min, limits.max + 1, shape, limits.dtype) for shape in ((depth, columns), (columns,))
    )
    scales = rng.random(columns, np.float32)
    program = lastuse.compile(
        f"""func.func @main(%a: tensor<?x{depth}xf32>, %b: tensor<{depth}x{columns}x{dtype}>,
                            %s: tensor<{columns}xf32>, %z: tensor<{columns}x{dtype}>) -> tensor<?x{columns}xf32> {{
          %y = "dnn.dequantized_matmul"(%a, %b, %s, %z) : (tensor<?x{depth}xf32>, tensor<{depth}x{columns}x{dtype}>,
            tensor<{columns}xf32>, tensor<{columns}x{dtype}>) -> tensor<?x{columns}xf32>
          func.return %y : tensor<?x{columns}xf32>
        }}""".encode()
    )
    rows = rng.standard_normal((60, depth), np.float32)
    alone = np.concatenate([program(row[None], numbers, scales, zeros) for row in rows])
    factors = (numbers.astype(np.float64) - zeros) * scales
    np.testing.assert_allclose(
        alone, rows @ factors, atol=1e-6 * float(np.abs(rows).max() * np.abs(factors).sum(0).max())
    )
    for height in [*range(2, 20), 40, 41, 60]:
        np.testing.assert_array_equal(program(rows[:height], numbers, scales, zeros), alone[:height])


@pytest.mark.parametrize("dtype", ["i8", "ui8"])
def test_packed_weights_are_the_same_to_the_bit(dtype: str) -> None:
    """Heights of the kernel's ways, and more summed rows than it widens at once."""
    depth, columns = 203, 192
    rng = np.random.default_rng(1)
    limits = np.iinfo(dtype.replace("i", "int"))
    numbers = rng.integers(limits.min, limits.max + 1, (depth, columns), limits.dtype)
    types = f"tensor<?x{depth}xf32>, tensor<{depth}x{columns}x{dtype}>, tensor<{columns}xf32>"
    head = f"func.func @main(%a: tensor<?x{depth}xf32>, %s: tensor<{columns}xf32>"
    value = f"value = dense<{numbers.tolist()}> : tensor<{depth}x{columns}x{dtype}>"
    constant = f'%b = "dnn.constant"() {{{value}}} : () -> tensor<{depth}x{columns}x{dtype}>'
    body = f"""-> tensor<?x{columns}xf32> {{
          %y = "dnn.dequantized_matmul"(%a, %b, %s) : ({types}) -> tensor<?x{columns}xf32>
          func.return %y : tensor<?x{columns}xf32>
        }}"""
    packed = lastuse.compile(f"{head}) {body.replace('{', '{ ' + constant, 1)}".encode())
    plain = lastuse.compile(f"{head}, %b: tensor<{depth}x{columns}x{dtype}>) {body}".encode())
    scales = rng.random(columns, np.float32)
    for height in (1, 14, 15, 40, 41, 60):
        rows = rng.standard_normal((height, depth), np.float32)
        np.testing.assert_array_equal(packed(rows, scales), plain(rows, scales, numbers))
