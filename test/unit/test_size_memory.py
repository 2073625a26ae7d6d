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
    assert median(heap) < 250 * STEPS
    assert median(python) < 150 * STEPS


def test_programs_for_further_sizes_share_what_no_size_changes() -> None:
    program = chain()
    built = [program.specialized({"rows": rows}).runner for rows in (401, 402)]
    one, other = (runner._built for runner in built)  # pyright: ignore[reportPrivateUsage]
    assert one.computed is other.computed and one.places is other.places
    assert all(a is b for a, b in zip(one.core.steps, other.core.steps, strict=True))


BLOCKS = 8


def images() -> lastuse.Program:
    """A convolution of an image whose width is open, then blocks as of a recogniser of text."""
    lines, last, shapes = list[str](), "x", dict[str, tuple[int, ...]]()

    def convolved(name: str, shape: tuple[int, ...], attributes: str = "") -> None:
        nonlocal last
        lines.append(f"{name} = Conv{attributes}({last}, w_{name}, b_{name})")
        shapes[f"w_{name}"], shapes[f"b_{name}"], last = shape, shape[:1], name

    convolved("first", (16, 3, 3, 3), "<pads=[1, 1, 1, 1], strides=[2, 2]>")
    for block in range(BLOCKS):
        convolved(f"deep{block}", (16, 1, 3, 3), "<pads=[1, 1, 1, 1], group=16>")
        lines.append(f"active{block} = HardSwish({last})")
        last = f"active{block}"
        convolved(f"wide{block}", (16, 16, 1, 1))
        lines += [f"mean{block} = GlobalAveragePool({last})", f"scaled{block} = Mul({last}, mean{block})"]
        last = f"scaled{block}"
    head = f"(float[1, 3, 32, w] x) => (float[1, 16, 16, out] {last})"
    model = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["" : 18]> images {head} {{ {" ".join(lines)} }}')
    chance = np.random.default_rng(0)
    for name, shape in shapes.items():
        array = chance.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    program = lastuse.compile(model.SerializeToString(), threads=1)
    for width in (*range(64, 96), 600):
        program.specialized({"w": width})
    return program


@pytest.mark.skipif(sys.platform != "linux", reason="glibc counts the bytes")
def test_a_further_width_of_an_image_holds_few_bytes() -> None:
    """No width has a primitive, or steps and names, of its own."""
    program, heap = images(), list[int]()
    for width in range(301, 317):
        gc.collect()
        before = heap_bytes()
        built = program.specialized({"w": width}).runner._built  # pyright: ignore[reportPrivateUsage]
        gc.collect()
        heap.append(heap_bytes() - before)
    assert not built.primitives
    assert median(heap) < 350 * len(built.core.steps)
