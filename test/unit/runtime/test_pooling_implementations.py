"""A pool over a whole plane: oneDNN's code is as long for every width, results have the same bits in every shape."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest

from lastuse.compiler.driver import compile

POOL = """
func.func @main(%x: tensor<{x}xf32>) -> tensor<{y}xf32> {{
  %y = "dnn.global_{kind}_pool"(%x) {{channels_last = true, dnn.engine = "{engine}"}}
    : (tensor<{x}xf32>) -> tensor<{y}xf32>
  func.return %y : tensor<{y}xf32>
}}"""
RUN = """
import sys, numpy
from lastuse.compiler.driver import compile
compile(sys.argv[1].encode())(numpy.zeros([int(n) for n in sys.argv[2].split('x')], 'f'))
"""


def pool(x: tuple[int, ...], kind: str = "average", engine: str = "onednn") -> str:
    shown = ["x".join(map(str, shape)) for shape in (x, (x[0], *(1,) * (len(x) - 2), x[-1]))]
    return POOL.format(x=shown[0], y=shown[1], kind=kind, engine=engine)


@pytest.mark.parametrize(
    ("x", "row"), [((1, 6, 283, 32), 6), ((2, 5, 64, 16), 8), ((1, 1, 31, 16), 1), ((1, 7, 7, 16), 7)]
)
def test_a_window_over_a_plane_has_short_rows(x: tuple[int, ...], row: int) -> None:
    command = [sys.executable, "-c", RUN, pool(x), "x".join(map(str, x))]
    done = subprocess.run(command, env={"ONEDNN_VERBOSE": "1"}, capture_output=True, text=True, check=True)
    (line,) = (line for line in done.stdout.splitlines() if ",exec," in line and ",pooling," in line)
    found = re.search(r"_ih(\d+)oh1kh\1\D.*_iw(\d+)ow1kw\2\D", line)
    assert found is not None, line
    assert (int(found[2]), int(found[1])) == (row, x[1] * x[2] // row)


@pytest.mark.parametrize("engine", ["onednn", "native"])
@pytest.mark.parametrize("kind", ["average", "max"])
def test_a_plane_has_the_same_bits_in_every_shape(kind: str, engine: str) -> None:
    x = np.random.default_rng(0).standard_normal((2, 6, 70, 24), np.float32)
    numpys = x.max((1, 2)) if kind == "max" else x.astype(np.float64).mean((1, 2))
    results = [
        np.asarray(compile(pool(shape, kind, engine).encode())(x.reshape(shape))).reshape(2, 24)
        for shape in ((2, 6, 70, 24), (2, 70, 6, 24), (2, 1, 420, 24), (2, 420, 1, 24))
    ]
    for result in results:
        np.testing.assert_allclose(result, numpys, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(result, results[0])


def test_a_part_of_a_plane_is_no_plane() -> None:
    """Rows that do not follow each other: a slice of a wider tensor is pooled where it lies or copied, not misread."""
    text = """
func.func @main(%x: tensor<1x6x40x16xf32>) -> tensor<1x1x1x16xf32> {
  %r = "dnn.relu"(%x) : (tensor<1x6x40x16xf32>) -> tensor<1x6x40x16xf32>
  %s = "dnn.slice"(%r) {axes = array<i64: 2>, starts = array<i64: 4>, ends = array<i64: 36>}
    : (tensor<1x6x40x16xf32>) -> tensor<1x6x32x16xf32>
  %y = "dnn.global_average_pool"(%s) {channels_last = true} : (tensor<1x6x32x16xf32>) -> tensor<1x1x1x16xf32>
  func.return %y : tensor<1x1x1x16xf32>
}"""
    x = np.random.default_rng(1).standard_normal((1, 6, 40, 16), np.float32)
    want = np.maximum(x, 0)[:, :, 4:36].astype(np.float64).mean((1, 2), keepdims=True)
    np.testing.assert_allclose(np.asarray(compile(text.encode())(x)), want, rtol=1e-5)
