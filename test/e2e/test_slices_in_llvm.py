"""Slices at starts that tensors hold, run by LLVM: every way of their memref form gives the interpreter's numbers."""

from __future__ import annotations

import pytest
from interpreted_forms import ARENAS, check_forms, needs_llvm

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


@needs_llvm
@pytest.mark.parametrize("arguments", ["declared", "writable"])
def test_memref_forms_give_the_numbers_of_the_interpreter(arguments: str) -> None:
    ways = [BufferizePass(arena=arena, arguments=arguments, unproved="error") for arena in ARENAS]
    check_forms(PROGRAMS, ways)
