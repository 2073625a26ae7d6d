"""A linalg program through xDSL, `lastuse.stage.bufferize` and LLVM: its memory is planned, and LLVM runs it.

python examples/bufferize/run_with_llvm.py
Debian's mlir-19-tools and libmlir-19-dev have the tools; without them the program on memrefs is printed alone.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.stage import bufferize

PROGRAM = """
func.func private @printMemrefF32(tensor<*xf32>)
func.func @net(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %p = linalg.matmul ins(%x, %w : tensor<2x3xf32>, tensor<3x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  %g = tensor.empty() : tensor<2x2xf32>
  %y = linalg.mul ins(%p, %p : tensor<2x2xf32>, tensor<2x2xf32>) outs(%g : tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}
"""
MAIN = """
func.func @main() {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %x = memref.alloc() : memref<2x3xf32>
  %w = memref.alloc() : memref<3x2xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<2x3xf32>)
  linalg.fill ins(%half : f32) outs(%w : memref<3x2xf32>)
  %y = func.call @net(%x, %w) : (memref<2x3xf32>, memref<3x2xf32>) -> memref<2x2xf32>
  %u = memref.cast %y : memref<2x2xf32> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  func.return
}
"""
LOWERING = (
    *("--convert-linalg-to-loops", "--expand-strided-metadata", "--lower-affine", "--convert-scf-to-cf"),
    *("--memref-expand", "--finalize-memref-to-llvm", "--convert-arith-to-llvm", "--convert-func-to-llvm"),
    *("--convert-cf-to-llvm", "--reconcile-unrealized-casts"),
)
LIBRARIES = [f"/usr/lib/llvm-19/lib/libmlir_{name}.so" for name in ("runner_utils", "c_runner_utils")]


def planned() -> ModuleOp:
    """The program on memrefs."""
    module = parse(context(), PROGRAM, "net.mlir")
    bufferize(module, layouts="identity")
    return module


def run(module: ModuleOp) -> str:
    """What the program prints when LLVM runs it."""
    text = str(module).rstrip().removesuffix("}") + MAIN + "}"
    llvm = _piped(["mlir-opt-19", *LOWERING], text)
    libraries = f"-shared-libs={','.join(LIBRARIES)}"
    return _piped(["mlir-cpu-runner-19", "-e", "main", "-entry-point-result=void", libraries], llvm)


def _piped(command: list[str], text: str) -> str:
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    form = planned()
    print(form)
    if shutil.which("mlir-opt-19") and all(Path(library).exists() for library in LIBRARIES):
        print(run(form))
