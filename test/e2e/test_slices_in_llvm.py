"""Slices at starts that tensors hold, run by LLVM: every way of their memref form gives the interpreter's numbers."""

from __future__ import annotations

import ast
import itertools

import memref_runs as runs
import numpy as np
import pytest
from interpreter.buffer_walk import BufferWalk
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferize import BufferizePass

T, N, P = "tensor<8x3xi64>", "tensor<?x3xi64>", "tensor<2x3xi64>"
S = "tensor<i64>"
SLICE = '"dnn.dynamic_slice"'
UPDATE = '"dnn.dynamic_update_slice"'
SIZES = "{slice_sizes = array<i64: 2, 3>}"
PROGRAMS = {
    "append": f"""func.func @main(%x: {T}, %p: {P}, %i: {S}, %z: {S}) -> ({T}, {P}) {{
  %e = arith.muli %p, %p : {P}
  %y = {UPDATE}(%x, %e, %i, %z) : ({T}, {P}, {S}, {S}) -> {T}
  %s = {SLICE}(%y, %z, %i) {SIZES} : ({T}, {S}, {S}) -> {P}
  func.return %y, %s : {T}, {P}
}}""",
    "same_part": f"""func.func @main(%x: {N}, %i: {S}) -> {N} {{
  %z = arith.constant dense<-1> : {S}
  %s = {SLICE}(%x, %i, %z) {SIZES} : ({N}, {S}, {S}) -> {P}
  %e = arith.addi %s, %s : {P}
  %y = {UPDATE}(%x, %e, %i, %z) : ({N}, {P}, {S}, {S}) -> {N}
  func.return %y : {N}
}}""",
    "behind_the_end": f"""func.func @main(%x: {T}, %p: {P}, %i: {S}) -> ({T}, {T}) {{
  %far = arith.constant dense<1000000000000> : {S}
  %j = arith.addi %i, %far : {S}
  %k = arith.subi %i, %far : {S}
  %a = {UPDATE}(%x, %p, %j, %k) : ({T}, {P}, {S}, {S}) -> {T}
  %b = {UPDATE}(%x, %p, %k, %j) : ({T}, {P}, {S}, {S}) -> {T}
  func.return %a, %b : {T}, {T}
}}""",
    "read_later": f"""func.func @main(%x: {T}, %i: {S}, %j: {S}) -> ({T}, {P}) {{
  %z = arith.constant dense<0> : {S}
  %s = {SLICE}(%x, %i, %z) {SIZES} : ({T}, {S}, {S}) -> {P}
  %t = {SLICE}(%x, %j, %z) {SIZES} : ({T}, {S}, {S}) -> {P}
  %e = arith.addi %t, %t : {P}
  %y = {UPDATE}(%x, %e, %i, %z) : ({T}, {P}, {S}, {S}) -> {T}
  %f = arith.muli %s, %e : {P}
  func.return %y, %f : {T}, {P}
}}""",
    "counted": f"""func.func @main(%x: {T}, %p: {P}, %n: index) -> {T} {{
  %z = arith.constant dense<0> : {S}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %x) -> ({T}) {{
    %v = arith.index_cast %k : index to i64
    %i = tensor.from_elements %v : {S}
    %s = {SLICE}(%t, %i, %z) {SIZES} : ({T}, {S}, {S}) -> {P}
    %e = arith.addi %s, %p : {P}
    %y = {UPDATE}(%t, %e, %i, %z) : ({T}, {P}, {S}, {S}) -> {T}
    scf.yield %y : {T}
  }}
  func.return %r : {T}
}}""",
    "generate": f"""func.func @main(%x: {T}, %p: {P}, %n: i64) -> ({T}, {P}) {{
  %z = arith.constant dense<0> : {S}
  %one = arith.constant dense<1> : {S}
  %r, %k, %q = scf.while (%t = %x, %i = %z, %a = %p) : ({T}, {S}, {P}) -> ({T}, {S}, {P}) {{
    %now = tensor.extract %i[] : {S}
    %go = arith.cmpi slt, %now, %n : i64
    scf.condition(%go) %t, %i, %a : {T}, {S}, {P}
  }} do {{
  ^bb0(%t: {T}, %i: {S}, %a: {P}):
    %e = arith.addi %a, %a : {P}
    %y = {UPDATE}(%t, %e, %i, %z) : ({T}, {P}, {S}, {S}) -> {T}
    %j = arith.addi %i, %one : {S}
    %s = {SLICE}(%y, %j, %z) {SIZES} : ({T}, {S}, {S}) -> {P}
    %b = arith.subi %s, %e : {P}
    scf.yield %y, %j, %b : {T}, {S}, {P}
  }}
  func.return %r, %q : {T}, {P}
}}""",
}


def _arguments(func: FuncOp, name: str) -> list[np.ndarray]:
    """What `memref_runs` calls a program with."""
    found: list[np.ndarray] = []
    for number, type_ in enumerate(func.function_type.inputs):
        if isinstance(type_, TensorType):
            shape = tuple(runs.SIZES[2] if n < 0 else n for n in type_.get_shape())
            found.append(np.asarray(runs.values_for(shape, "i64", f"{name}.{number}")))
        else:
            found.append(np.array(runs.INDICES["n"] if str(type_) == "index" else 3))
    return found


@pytest.mark.skipif(
    runs.OPT is None or runs.RUNNER is None or not all(p.exists() for p in runs.RUNNER_LIBRARIES),
    reason="no mlir-opt-19, mlir-cpu-runner-19 or libraries of theirs (mlir-19-tools, libmlir-19-dev)",
)
@pytest.mark.parametrize("arguments", ["declared", "writable"])
def test_memref_forms_give_the_numbers_of_the_interpreter(arguments: str) -> None:
    texts: list[str] = []
    called: list[runs.Called] = []
    wanted: dict[str, list[np.ndarray]] = {}
    for arena, (name, text) in itertools.product(("alloc", "argument", "none"), PROGRAMS.items()):
        module = parse(context(), text, "slices.mlir")
        (func,) = module.ops
        assert isinstance(func, FuncOp)
        key = f"{name}_{arena}"
        wanted[key] = [np.asarray(a) for a in BufferWalk(module).call("main", _arguments(func, key))]
        names = [a.name_hint or "" for a in func.body.block.args]
        BufferizePass(arena=arena, arguments=arguments, unproved="error").apply(context(), module)
        made = f"{module!s}\n"
        texts.append(runs.body_of(runs.renamed(made, key)))
        called.append(runs.Called(f"{key}_main", key, runs.functions_in(made)["main"], names))
    got = runs.run("\n".join(texts), called)
    for key, right in wanted.items():
        have = [np.array(ast.literal_eval(printed.data)) for printed in got[key]]
        assert len(have) == len(right), key
        for one, other in zip(have, right, strict=True):
            np.testing.assert_array_equal(one, other, key)
