"""A module of an ONNX model is refined when it is compiled, whether it was read now or printed and parsed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx.parser
import pytest
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.frontends.onnx import read_bytes
from lastuse.passes.inplace import InplacePass
from lastuse.passes.plan import PlanPass
from support import opt_tool

MARK = "dnn.unrefined"
HEAD = '<ir_version: 9, opset_import: ["" : 18]>\n'
HALVES = """halves (float[3, 4] x) => (float[3, 8] y)
<float[2, 8] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
 float[2, 8] v = {8, 7, 6, 5, 4, 3, 2, 1, 16, 15, 14, 13, 12, 11, 10, 9}> {
  both = Concat<axis = 0>(v, w)
  signed = Sin(both)
  y = MatMul(x, signed)
}"""
JOINED_BYTES = 128
ROOTS = """roots (float[batch, words] x) => (float[batch, words] y)
<int64 axis = {1}> {
  sizes = Shape(x)
  n = Gather(sizes, axis)
  number = Cast<to = 1>(n)
  root = Sqrt(number)
  y = Div(x, root)
}"""


def model(text: str) -> bytes:
    return onnx.parser.parse_model(HEAD + text).SerializeToString()


def read(text: str) -> ModuleOp:
    return read_bytes(context(), model(text), "model.onnx")


def steps(program: lastuse.Program) -> int:
    return sum(program.latest.engines.values())


def test_weights_joined_in_the_graph_are_constants() -> None:
    """Without the mark they are joined in each run."""
    marked = read(HALVES)
    plain = clone(marked)
    del plain.attributes[MARK]
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    programs = [lastuse.compile(source) for source in (model(HALVES), marked, plain)]
    results = [program(x) for program in programs]
    arenas = [program.memory.arena_bytes for program in programs]
    assert arenas[0] == arenas[1] == arenas[2] - JOINED_BYTES
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_allclose(results[0], results[2], rtol=1e-6)


@pytest.mark.parametrize("decide", [InplacePass(), PlanPass()], ids=["inplace", "plan"])
def test_module_with_decisions_is_not_refined(decide: InplacePass | PlanPass) -> None:
    """Sin is in place over the concatenation, which would be a constant."""
    module = read(HALVES)
    decide.apply(context(), module)
    assert MARK in module.attributes
    program = lastuse.compile(module)
    x = np.ones((3, 4), np.float32)
    np.testing.assert_allclose(program(x), lastuse.compile(model(HALVES))(x), rtol=1e-6)
    assert program.memory.inplace_ops == 1


def test_elements_that_depend_on_a_size_are_computed_once_it_is_known() -> None:
    program = lastuse.compile(model(ROOTS))
    for words in (2, 5):
        x = np.ones((3, words), np.float32)
        np.testing.assert_array_equal(program(x), x / np.sqrt(np.float32(words)))
        assert steps(program) == 1, "the division"


@pytest.mark.parametrize("options", [[], ["--shape", "x=3x7"]], ids=["symbols", "numbers"])
def test_printed_module_gives_the_same_bits(tmp_path: Path, options: list[str]) -> None:
    path, text = tmp_path / "model.onnx", tmp_path / "model.mlir"
    path.write_bytes(model(ROOTS))
    assert opt_tool(*options, "-o", str(text), str(path)).status == 0
    x = np.random.default_rng(0).standard_normal((3, 7)).astype(np.float32)
    read_now, parsed = lastuse.compile(path), lastuse.compile(text)
    assert read_now.run({"x": x})["y"].tobytes() == parsed.run({"x": x})["y"].tobytes()
    assert steps(read_now) == steps(parsed) == 1
