"""Which of oneDNN's implementations a convolution has, and what they leave in the process."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from lastuse.compiler.driver import compile, context
from lastuse.dialect.onednn.primitives.convolution import OneDnnConvolutionOp
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.runtime.primitive_preparation import primitive_of

WIDTHS = 60


def conv(x: str, w: str, y: str, attributes: str) -> str:
    types = f"(tensor<{x}xf32>, tensor<{w}xf32>) -> tensor<{y}xf32>"
    return (
        f"func.func @main(%x: tensor<{x}xf32>, %w: tensor<{w}xf32>) -> tensor<{y}xf32> {{\n"
        f'  %y = "dnn.conv"(%x, %w) {{{attributes}}} : {types}\n  func.return %y : tensor<{y}xf32>\n}}\n'
    )


def implementation(text: str) -> str:
    ctx = context()
    module = parse(ctx, text, "conv.mlir")
    LowerToOnednnPass().apply(ctx, module)
    (step,) = (op for op in module.walk() if isinstance(op, OneDnnConvolutionOp))
    return primitive_of(step, 1).implementation


LAST = "channels_last = true"
PADS = "pads = array<i64: 1, 1, 1, 1>"
ROW = "pads = array<i64: 0, 1, 0, 1>"
SHAPES = {
    "pointwise": ("1x6x50x64", "96x64x1x1", "1x6x50x96", LAST),
    "a row": ("1x1x50x64", "96x64x1x3", "1x1x50x96", f"{LAST}, {ROW}"),
    "several rows": ("1x6x50x64", "96x64x3x3", "1x6x50x96", f"{LAST}, {PADS}"),
    "many places": ("1x160x160x64", "96x64x1x1", "1x160x160x96", LAST),
}
NAMES = {"pointwise": "jit_1x1", "a row": "jit:"}


@pytest.mark.parametrize("shape", SHAPES)
def test_any_size_chooses_code_that_goes_with_the_primitive(shape: str) -> None:
    x, w, y, attributes = SHAPES[shape]
    first, chosen = (implementation(conv(x, w, y, f"{attributes}{also}")) for also in ("", ", any_size"))
    if shape in NAMES:
        assert chosen.startswith(NAMES[shape])
    else:
        assert chosen == first


@pytest.mark.parametrize("also", ["", ", any_size"])
def test_channels_by_themselves_have_the_faster_implementation(also: str) -> None:
    text = conv("1x6x50x64", "64x1x3x3", "1x6x50x64", f"{LAST}, {PADS}, group = 64 : i64{also}")
    assert implementation(text).startswith("jit_dw")


@pytest.mark.parametrize("shape", ["pointwise", "a row"])
def test_results_are_the_same_but_for_rounding(shape: str) -> None:
    x, w, y, attributes = SHAPES[shape]
    chance = np.random.default_rng(0)
    arrays = [chance.standard_normal([int(n) for n in sizes.split("x")], np.float32) for sizes in (x, w)]
    first, chosen = (compile(conv(x, w, y, f"{attributes}{also}").encode())(*arrays) for also in ("", ", any_size"))
    np.testing.assert_allclose(chosen, first, rtol=1e-4, atol=1e-4)  # pyright: ignore


GROWTH = f"""
import ctypes
import numpy as np
from lastuse.runtime import _core

class Counts(ctypes.Structure):
    _fields_ = [(str(n), ctypes.c_size_t) for n in range(10)]

libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Counts

def used():
    counts = libc.mallinfo2()
    return getattr(counts, "4") + getattr(counts, "7")

F32, WINDOW = np.dtype(np.float32), _core.Window((1,), (1,), (1,), (1,))

def make(width, any_size):
    src, dst = (_core.Desc(F32, (1, c, width), (c * width, 1, c), True) for c in (480, 60))
    _core.convolution(src, _core.Desc.any_layout(F32, (60, 480, 3)), None, dst, WINDOW, (), any_size, 1)

for any_size in (True, False):
    make(199, any_size)
    before = used()
    for width in range(20, 20 + {WIDTHS}):
        make(width, any_size)
    print(used() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc counts the bytes")
def test_primitives_for_any_size_leave_no_code_behind() -> None:
    made = subprocess.run([sys.executable, "-c", GROWTH], capture_output=True, text=True, check=True)
    left, by_width = map(int, made.stdout.split())
    assert left < 1024 * WIDTHS
    assert by_width > 8 * left
