"""A network, its programs and their files, for the tests of saved programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import lastuse
from lastuse.compiler.archive import Archive, write_archive
from lastuse.compiler.driver import context
from lastuse.compiler.program import Program
from lastuse.dialect.ir import resources
from lastuse.frontends.text import mlir_parser

NET = """
func.func @main(%x: tensor<?x64xf32> {dnn.name = "x"}, %s: tensor<1xf32> {dnn.donated, dnn.name = "s"})
    -> (tensor<?x48xf32> {dnn.name = "y"}, tensor<1xf32> {dnn.name = "next", dnn.tied = 1 : i32}) {
  %w = "dnn.constant"() {value = dense_resource<w> : tensor<64x48xf32>} : () -> tensor<64x48xf32>
  %b = "dnn.constant"() {value = dense<0.25> : tensor<48xf32>} : () -> tensor<48xf32>
  %m = "dnn.matmul"(%x, %w) {dnn.engine = "onednn"} : (tensor<?x64xf32>, tensor<64x48xf32>) -> tensor<?x48xf32>
  %a = "dnn.add"(%m, %b) : (tensor<?x48xf32>, tensor<48xf32>) -> tensor<?x48xf32>
  %r = "dnn.relu"(%a) : (tensor<?x48xf32>) -> tensor<?x48xf32>
  %y = "dnn.softmax"(%r) {axis = -1 : i64} : (tensor<?x48xf32>) -> tensor<?x48xf32>
  %n = "dnn.exp"(%s) : (tensor<1xf32>) -> tensor<1xf32>
  func.return %y, %n : tensor<?x48xf32>, tensor<1xf32>
}
"""


def net(**options: Any) -> Program:
    module = mlir_parser.parse(context(), NET, "net.mlir")
    rng = np.random.default_rng(7)
    resources.of(module)["w"] = rng.standard_normal((64, 48)).astype(np.float32)
    return lastuse.compile(module, threads=1, **options)


def batch(rows: int) -> dict[str, np.ndarray]:
    return {"x": np.random.default_rng(rows).standard_normal((rows, 64)).astype(np.float32), "s": np.zeros(1, "f")}


def assert_same(program: Program, other: Program, rows: int) -> None:
    got, want = (p.run(batch(rows)) for p in (program, other))
    assert list(got) == list(want) == ["y", "next"]
    for name in want:
        np.testing.assert_array_equal(got[name], want[name])


def save_net(folder: Path) -> Path:
    """The file of a program of two sets of sizes."""
    path, program = folder / "net.lastuse", net()
    for rows in (3, 33):
        program.run(batch(rows))
    program.save(path)
    return path


def rewritten(path: Path, folder: Path, edit: Callable[[dict[str, Any], dict[str, bytes]], object]) -> Path:
    """The file with an edit, and hashes that are right again: what damages on purpose can do."""
    opened = Archive(path)
    header = {k: v for k, v in opened.header.items() if k != "parts"}
    parts = {name: bytes(opened.member(name)) for name in opened.header["parts"]}
    header = json.loads(json.dumps(header))
    edit(header, parts)
    write_archive(folder / "edited.lastuse", header, parts)
    return folder / "edited.lastuse"
