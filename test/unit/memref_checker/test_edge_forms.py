"""Forms with blocks on edges of their programs are proved; with a mistake that changes a result they are not.

`LASTUSE_EFFORT=20` makes mistakes in the forms of more generated programs.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import product

import pytest
from edge_mutants import PROGRAMS, edge_mutants, is_on_edge
from edge_programs import EdgeProgram
from memref_fuzz import CONTEXT, kept_arguments, runs_of
from test_form_mutants import WAYS, accepted, formed, is_wrong
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import functions_of
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.verifier import verify
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferize import BufferizePass
from lastuse.passes.memref_checker import Unproved, check
from support import swept

EFFORT = int(os.environ.get("LASTUSE_EFFORT", "1"))
RUNS, MOST_OPS = 6, 3_000


def edges_of(form: ModuleOp) -> int:
    """How many blocks stand on edges in a form."""
    return sum(map(is_on_edge, functions_of(form)["main"].body.blocks))


def is_valid(mutant: ModuleOp) -> bool:
    try:
        mutant.verify()
        verify(mutant, decisions=False)
    except (VerifyException, LastuseError):
        return False
    return True


def tried(source: ModuleOp, form: ModuleOp, kept: list[int], number: int) -> Counter[str]:
    """What becomes of the mutants of a form: `wrong` ones are not proved, `right` ones may be."""
    runs, seen = runs_of(source, random.Random(number), 40, RUNS), Counter[str]()
    assert not is_wrong(form, kept, runs)
    for what, mutant in edge_mutants(form):
        if is_valid(mutant):
            wrong = is_wrong(mutant, kept, runs)
            assert not wrong or not accepted(source, mutant), f"{what}\n{source}\n{mutant}"
            seen["wrong" if wrong else "right"] += 1
    return seen


@pytest.mark.parametrize("name", PROGRAMS)
def test_forms_with_blocks_on_edges_are_proved_and_wrong_ones_are_not(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.walk.MOST_OPS", MOST_OPS)
    edges, seen = 0, Counter[str]()
    for number, way in enumerate(WAYS):
        made = formed(PROGRAMS[name], way)
        assert made is not None
        source, form = made
        assert accepted(source, form), way
        edges += edges_of(form)
        writable = attrs.writable_arguments(functions_of(source)["main"])
        seen += tried(source, form, [n for n in range(5) if n not in writable], number)
    assert edges >= len(WAYS)
    assert seen["wrong"] >= 2 * len(WAYS), seen


@pytest.mark.parametrize("part", swept(range(2 * EFFORT)))
def test_wrong_forms_of_generated_programs_are_not_proved(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.walk.MOST_OPS", MOST_OPS)
    seen = Counter[str]()
    for number in range(10 * part, 10 * part + 10):
        rng = random.Random(number)
        program, way = EdgeProgram(rng), rng.choice(WAYS)
        made = formed(program.text, way)
        if made is not None and edges_of(made[1]) and accepted(*made):
            seen += tried(*made, kept_arguments(BufferizePass(*way), program.writable), number)
    assert seen.total() >= 3, seen


SAME_BLOCK = """
func.func @main(%x: {T}, %y: {T}, %m: {T}, %i: index, %c: i1) -> f32 {{
  cf.cond_br %c, ^p, ^q
^p:
  cf.br ^f1
^q:
  cf.br ^f2
^f1:
  cf.br ^g
^f2:
  cf.br ^g
^g:
  %v = tensor.extract %{of}[%i] : {T}
  func.return %v : f32
}}"""
"""A program with two blocks for which a form may have one."""


@pytest.mark.parametrize("of", ["x", "y"])
def test_block_of_a_form_stands_for_one_block(of: str) -> None:
    """The block that loads an element would stand for two, and what it loads would be that of the last one."""
    source = parse(CONTEXT, SAME_BLOCK.format(T="tensor<8xf32>", of=of).replace("%m: tensor<8xf32>", M), "source.mlir")
    form = parse(
        CONTEXT,
        """
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %m: memref<8xf32>, %i: index, %c: i1) -> f32 {
  cf.cond_br %c, ^p, ^q
^p:
  "memref.copy"(%x, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.br ^f
^q:
  "memref.copy"(%y, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.br ^f
^f:
  %v = memref.load %m[%i] : memref<8xf32>
  cf.br ^g
^g:
  func.return %v : f32
}""",
        "form.mlir",
    )
    assert reasons(source, form)


M = "%m: tensor<8xf32> {dnn.donated}"


def reasons(source: ModuleOp, form: ModuleOp) -> list[Unproved]:
    return check([*functions_of(source).values()], form)


def sizes_on_paths(made: str, type_: str, order: str, of: str) -> str:
    """A function of which one path alone says that two arguments are of one size; the other one returns memory or a
    tensor of the size of `of`."""
    call = "linalg.add ins(%x, %y : {t}, {t}) outs({e} : {t})"
    fill = "linalg.fill ins(%f : f32) outs({e} : {t})"
    one, two = (text.format(t=type_, e=e) for text, e in ((call, "%e"), (fill, "%g")))
    if type_.startswith("tensor"):
        one, two = f"%r = {one} -> {type_}", f"%s = {two} -> {type_}"
    results = ("%r", "%s") if type_.startswith("tensor") else ("%e", "%g")
    dim = f"{type_.partition('<')[0]}.dim"
    return f"""
func.func @main(%x: {type_}, %y: {type_}, %f: f32, %c: i1) -> {type_} {{
  %c0 = arith.constant 0 : index
  cf.cond_br %c, {order}
^a:
  %d = {dim} %x, %c0 : {type_}
  %e = {made}(%d) : {type_}
  {one}
  func.return {results[0]} : {type_}
^b:
  %h = {dim} %{of}, %c0 : {type_}
  %g = {made}(%h) : {type_}
  {two}
  func.return {results[1]} : {type_}
}}"""


@pytest.mark.parametrize("order, of", [*product(["^a, ^b", "^b, ^a"], ["x", "y"])])
def test_what_one_path_says_of_sizes_is_not_known_on_another(order: str, of: str) -> None:
    source = parse(CONTEXT, sizes_on_paths("tensor.empty", "tensor<?xf32>", order, "x"), "source.mlir")
    form = parse(CONTEXT, sizes_on_paths("memref.alloc", "memref<?xf32>", order, of), "form.mlir")
    assert bool(reasons(source, form)) == (of == "y")
