"""What a compiled model holds for each further set of sizes."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from statistics import median

import numpy as np
import onnx.numpy_helper
import onnx.parser
import pytest

import lastuse
from support import heap_bytes

LAYERS, STEPS = 24, 48


def chain() -> lastuse.Program:
    """Layers of a product and a sine, which kernels of the runtime compute: no primitive is a size's own."""
    last, lines = "x", list[str]()
    for layer in range(LAYERS):
        lines += [f"a{layer} = MatMul({last}, w{layer})", f"b{layer} = Sin(a{layer})"]
        last = f"b{layer}"
    text = f"chain (float[rows, 32] x) => (float[rows, 32] {last}) {{ {' '.join(lines)} }}"
    model = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["" : 18]> {text}')
    chance = np.random.default_rng(0)
    for layer in range(LAYERS):
        array = chance.standard_normal((32, 32)).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, f"w{layer}"))
    program = lastuse.compile(model.SerializeToString(), threads=1)
    for rows in (*range(20, 44), 900):
        program.specialized({"rows": rows})
    return program


@pytest.mark.skipif(sys.platform != "linux", reason="glibc counts the bytes")
def test_a_further_size_holds_few_bytes() -> None:
    """A step has views, addresses and what its kernel computes beforehand; names and layouts of weights are shared."""
    program, heap, python = chain(), list[int](), list[int]()
    for rows in range(401, 409):
        gc.collect()
        before = heap_bytes()
        assert len(program.specialized({"rows": rows}).runner.steps) == STEPS
        gc.collect()
        heap.append(heap_bytes() - before)
    tracemalloc.start()
    for rows in range(451, 459):
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        program.specialized({"rows": rows})
        gc.collect()
        python.append(tracemalloc.get_traced_memory()[0] - before)
    tracemalloc.stop()
    assert median(heap) < 1024 * STEPS
    assert median(python) < 150 * STEPS


def test_programs_for_further_sizes_share_what_no_size_changes() -> None:
    program = chain()
    built = [program.specialized({"rows": rows}).runner for rows in (401, 402)]
    one, other = (runner._built for runner in built)  # pyright: ignore[reportPrivateUsage]
    assert one.computed is other.computed and one.places is other.places
    assert all(a is b for a, b in zip(one.core.steps, other.core.steps, strict=True))
