"""Memref forms of functions on tensors of unknown rank give the numbers of MLIR's bufferization, run by LLVM."""

from __future__ import annotations

import itertools
import json
from functools import cache
from io import StringIO
from pathlib import Path

import memref_runs as runs
import numpy as np
import pytest
from test_memref_form import AT, names_of, needs_llvm, numbers_of_peer, upstream_programs
from unranked_helpers import call_through_unranked
from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.dialects.func import FuncOp
from xdsl.printer import Printer

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferize import BufferizePass
from support import opt_tool, swept

PROGRAMS = Path(__file__).with_name("unranked_programs.mlir")


OPTIONS = list(itertools.product(("alloc", "argument", "none"), ("strided", "identity"), ("writable", "declared")))
PEERLESS = """
func.func private @filled(%u: tensor<*xf32>, %v: f32) -> tensor<*xf32> attributes {no_inline} {
  %r = tensor.cast %u : tensor<*xf32> to tensor<?x?xf32>
  %f = linalg.fill ins(%v : f32) outs(%r : tensor<?x?xf32>) -> tensor<?x?xf32>
  %w = tensor.cast %f : tensor<?x?xf32> to tensor<*xf32>
  func.return %w : tensor<*xf32>
}
func.func @fills(%x: tensor<2x3xf32>, %y: tensor<3x1xf32>, %v: f32) -> (tensor<2x3xf32>, tensor<3x1xf32>, f32) {
  %c0 = arith.constant 0 : index
  %a = tensor.cast %x : tensor<2x3xf32> to tensor<*xf32>
  %b = tensor.cast %y : tensor<3x1xf32> to tensor<*xf32>
  %c = func.call @filled(%a, %v) : (tensor<*xf32>, f32) -> tensor<*xf32>
  %d = func.call @filled(%b, %v) : (tensor<*xf32>, f32) -> tensor<*xf32>
  %p = tensor.cast %c : tensor<*xf32> to tensor<2x3xf32>
  %q = tensor.cast %d : tensor<*xf32> to tensor<3x1xf32>
  %e = tensor.extract %y[%c0, %c0] : tensor<3x1xf32>
  func.return %p, %q, %e : tensor<2x3xf32>, tensor<3x1xf32>, f32
}
"""
"""What the peer refuses: a call that writes through a cast."""


@cache
def _sources(text: str) -> dict[str, FuncOp]:
    """The functions that are called from outside: with tensors of known rank."""
    return {name: func for name, func in runs.functions_in(text).items() if func.sym_visibility is None}


def _run(text: str, source: str) -> dict[str, list[runs.Printed]]:
    """What functions return that `source` has on tensors, and `text` on memrefs."""
    functions, sources = runs.functions_in(text), _sources(source)
    names = {name: [a.name_hint or "" for a in func.body.blocks[0].args] for name, func in sources.items()}
    called = [runs.Called(name, name, functions[name], names[name]) for name in sources]
    return runs.run(runs.body_of(text), called)


@cache
def _expected() -> dict[str, list[runs.Printed]]:
    text = PROGRAMS.read_text()
    return _run(runs.bufferized_by_peer(text), text)


def _bufferized(path: Path, arena: str, layouts: str, arguments: str) -> str:
    options = f"--bufferize-pass=arena={arena},layouts={layouts},arguments={arguments},unproved=error"
    done = opt_tool(options, "--print-op-generic", str(path))
    assert not done.status, done.err
    assert "memref<*xf32>" in done.out
    return done.out


@needs_llvm
@pytest.mark.parametrize("arena,layouts,arguments", swept(OPTIONS))
def test_form_gives_the_numbers_of_the_peer(arena: str, layouts: str, arguments: str) -> None:
    got = _run(_bufferized(PROGRAMS, arena, layouts, arguments), PROGRAMS.read_text())
    assert {name: printed for name, printed in got.items() if printed != _expected()[name]} == {}


@needs_llvm
@pytest.mark.parametrize("arena,layouts,arguments", swept(OPTIONS))
def test_call_writes_through_a_cast(arena: str, layouts: str, arguments: str, tmp_path: Path) -> None:
    (path := tmp_path / "fills.mlir").write_text(PEERLESS)
    (printed,) = _run(_bufferized(path, arena, layouts, arguments), PEERLESS).values()
    one, other, kept = (np.array(json.loads(each.data)) for each in printed)
    assert one.shape == (2, 3) and (one == 0.5).all()
    assert other.shape == (3, 1) and (other == 0.5).all()
    assert kept.item() == runs.values_for((3, 1), "f32", "fills.1")[0, 0]


MOST_OPS = 80
OUTSIDE = {"constant_written_through_slice"}
"""It reads behind a constant, at the indices that it is called with."""
UNPROVED = {"branch_carries", "nested_parts_other_size"}
"""Blocks of `cf`, and sizes of which the checker does not know that they are equal."""


@needs_llvm
@pytest.mark.parametrize("arena,layouts,arguments", swept(OPTIONS))
def test_programs_give_their_numbers_through_helpers_of_unknown_rank(arena: str, layouts: str, arguments: str) -> None:
    texts, called = list[str](), list[runs.Called]()
    for name, text in upstream_programs().items():
        try:
            module = parse(context(), text, f"{name}.mlir")
        except LastuseError:  # xDSL does not read its custom form
            continue
        if name in OUTSIDE or sum(1 for _ in module.walk()) > MOST_OPS:
            continue
        call_through_unranked(module)
        unproved = "remark" if name in UNPROVED else "error"
        BufferizePass(arena, "return", layouts, arguments, unproved).apply(context(), module)
        Printer(printed := StringIO(), print_generic_format=True).print_op(module)
        out = printed.getvalue()
        texts.append(runs.body_of(runs.renamed(out, name)))
        function, names = runs.functions_in(out)[name], names_of(text, name)
        called.append(runs.Called(f"{name}_{name}", name, function, names, (), AT.get(name, {})))
    assert len(called) >= 50
    got = runs.run("\n".join(texts), called)
    assert sorted(name for name, printed in got.items() if printed != numbers_of_peer()[name]) == []


def test_helpers_have_unknown_ranks() -> None:
    text = PROGRAMS.read_text()
    helpers = [func for name, func in runs.functions_in(text).items() if name not in _sources(text)]
    assert len(helpers) >= 5
    for func in helpers:
        assert any(
            isinstance(type_, UnrankedTensorType) for type_ in (*func.function_type.inputs, *func.function_type.outputs)
        )
