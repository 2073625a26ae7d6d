"""`lastuse.stage`: a module on tensors becomes one on memrefs in place; LLVM runs it."""

from __future__ import annotations

import runpy
import shutil

import pytest

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.text.mlir_parser import parse
from lastuse.stage import bufferize
from support import ROOT

INSERT = """
func.func @put(%x: tensor<8xf32>, %v: f32, %i: index) -> tensor<8xf32> {
  %y = tensor.insert %v into %x[%i] : tensor<8xf32>
  func.return %y : tensor<8xf32>
}
"""


def test_arguments_are_read_only_unless_all_may_be_written() -> None:
    kept, given = parse(context(), INSERT, "put.mlir"), parse(context(), INSERT, "put.mlir")
    bufferize(kept)
    bufferize(given, arguments="writable")
    kept.verify()
    assert str(kept).count("memref.copy") == 1
    assert "memref.copy" not in str(given) and "tensor<" not in str(given)


def test_an_option_that_is_none_is_an_error() -> None:
    with pytest.raises(LastuseError, match="arena is alloc, argument, none, not 'heap'"):
        bufferize(parse(context(), INSERT, "put.mlir"), arena="heap")


def test_example_gives_its_result() -> None:
    example = runpy.run_path(str(ROOT / "examples" / "bufferize" / "run_with_llvm.py"))
    module = example["planned"]()
    assert str(module).count("memref.alloc") == 1
    if shutil.which("mlir-opt-19") is None or shutil.which("mlir-cpu-runner-19") is None:
        pytest.skip("no mlir-opt-19 or mlir-cpu-runner-19 (mlir-19-tools, libmlir-19-dev)")
    assert example["run"](module).count("2.25") == 4
