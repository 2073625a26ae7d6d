"""The memory of results that a run allocates."""

from __future__ import annotations

import numpy as np
import pytest

import lastuse
from lastuse.dialect.ir.tensor_types import CACHE_LINE
from lastuse.runtime.arrays import LARGE_RESULT, empty_result


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "uint8", "float16"])
@pytest.mark.parametrize("elements", [0, 1, LARGE_RESULT, LARGE_RESULT + 3])
def test_large_results_start_at_cache_lines(elements: int, dtype: str) -> None:
    made = [empty_result((1, elements), np.dtype(dtype)) for _ in range(3)]
    for array in made:
        assert (array.shape, array.dtype) == ((1, elements), np.dtype(dtype))
        assert array.flags.c_contiguous and array.flags.writeable
        assert array.nbytes < LARGE_RESULT or array.ctypes.data % CACHE_LINE == 0


def test_a_result_of_resampling_may_be_larger_than_the_caches(tmp_path: object) -> None:
    """oneDNN's stores for such results fault where they start within a cache line, as those of numpy do."""
    path = f"{tmp_path}/resize.mlir"
    with open(path, "w", encoding="utf-8") as file:
        file.write("""func.func @main(%x: tensor<1x3x1080x1920xf32>) -> tensor<1x3x2160x3840xf32> {
  %y = "dnn.resize"(%x) {scales = array<f32: 1.0, 1.0, 2.0, 2.0>, mode = "linear"}
    : (tensor<1x3x1080x1920xf32>) -> tensor<1x3x2160x3840xf32>
  func.return %y : tensor<1x3x2160x3840xf32>
}""")
    x = np.arange(1920, dtype=np.float32) * np.ones((1, 3, 1080, 1), np.float32)
    (y,) = lastuse.compile(path, threads=1).run({"x": x}).values()
    assert y.ctypes.data % CACHE_LINE == 0  # also where stores of this processor would not fault
    want = np.clip((np.arange(3840, dtype=np.float32) + 0.5) / 2 - 0.5, 0, 1919)
    np.testing.assert_allclose(y[0, 2, 1000], want, atol=1e-3)


@pytest.mark.parametrize("threads", [1, 2])
def test_large_results_of_resampling_may_start_anywhere(threads: int) -> None:
    """In an array of the caller, and as a part of another value, whose offset is no multiple of a cache line."""
    small, large = "tensor<1x3x800x800xf32>", "tensor<1x3x1600x1600xf32>"
    text = f"""func.func @main(%x: {small} {{dnn.name = "x"}}, %z: tensor<1x3xf32> {{dnn.name = "z"}})
    -> ({large} {{dnn.name = "y"}}, tensor<1x7680003xf32> {{dnn.name = "joined"}}) {{
  %y = "dnn.resize"(%x) {{scales = array<f32: 1.0, 1.0, 2.0, 2.0>, mode = "linear"}} : ({small}) -> {large}
  %n = "dnn.neg"(%x) : ({small}) -> {small}
  %r = "dnn.resize"(%n) {{scales = array<f32: 1.0, 1.0, 2.0, 2.0>, mode = "linear"}} : ({small}) -> {large}
  %f = "dnn.reshape"(%r) {{shape = array<i64: 1, 7680000>}} : ({large}) -> tensor<1x7680000xf32>
  %e = "dnn.exp"(%z) : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %joined = "dnn.concat"(%e, %f) {{axis = 1 : i64}}
    : (tensor<1x3xf32>, tensor<1x7680000xf32>) -> tensor<1x7680003xf32>
  func.return %y, %joined : {large}, tensor<1x7680003xf32>
}}"""
    program = lastuse.compile(text.encode(), threads=threads)
    x = np.random.default_rng(0).normal(size=(1, 3, 800, 800)).astype(np.float32)
    given = {"x": x, "z": np.zeros((1, 3), np.float32)}
    aligned = {name: array.copy() for name, array in program.run(given).items()}
    memory = np.zeros(4 * 7680000 + 128, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE + 4
    y = memory[start : start + 4 * 7680000].view(np.float32).reshape(1, 3, 1600, 1600)
    results = program.run(given, {"y": y})
    assert results["y"].ctypes.data % CACHE_LINE == 4
    for name, array in aligned.items():
        np.testing.assert_array_equal(results[name], array)
    np.testing.assert_array_equal(aligned["joined"][0, 3:], -aligned["y"].reshape(-1))
    assert not memory[:start].any() and not memory[start + 4 * 7680000 :].any()
