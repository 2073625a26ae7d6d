"""Operands that control flow forwards must fit their targets; xDSL's verifiers do not check this."""

from __future__ import annotations

import pytest

from support import opt_tool

T, S = "tensor<4xf32>", "tensor<2xf32>"


def function(body: str, result: str = "%r") -> str:
    arguments = f"%x: {T}, %u: {S}, %c: i1, %n: index"
    end = "" if "func.return" in body else f"\n  func.return {result} : {T}"
    return f"func.func @main({arguments}) -> {T} {{\n  {body}{end}\n}}\n"


def loop(arguments: str, condition: str, last: str) -> str:
    return (
        f'%r = "scf.while"(%x) ({{ ^before({arguments}): {condition} }}, {{ ^after(%q: {T}): {last} }}) : ({T}) -> {T}'
    )


FINE = f'"scf.condition"(%c, %p) : (i1, {T}) -> ()'
YIELD = f'"scf.yield"(%q) : ({T}) -> ()'
WRONG = {
    "while: nothing to the results": (
        loop(f"%p: {T}", '"scf.condition"(%c) : (i1) -> ()', YIELD),
        "'scf.condition' passes 0 values on, where 1 are wanted",
    ),
    "while: another type": (
        loop(f"%p: {T}", f'"scf.condition"(%c, %u) : (i1, {S}) -> ()', YIELD),
        f"'scf.condition' passes {S} on as value 0, where {T} is wanted",
    ),
    "while: back": (
        loop(f"%p: {T}", FINE, '"scf.yield"() : () -> ()'),
        "'scf.yield' passes 0 values on, where 1 are wanted",
    ),
    "while: in": (
        loop(f"%p: {T}, %o: {T}", FINE, f'"scf.yield"(%q, %q) : ({T}, {T}) -> ()'),
        "'scf.while' passes 1 values on, where 2 are wanted",
    ),
    "if: one arm": (
        f'%r = "scf.if"(%c) ({{ "scf.yield"(%x) : ({T}) -> () }}, {{ }}) : (i1) -> {T}',
        "a region of 'scf.if' does not end with 'scf.yield'",
    ),
    "if: a type": (
        f'%r = "scf.if"(%c) ({{ "scf.yield"(%x) : ({T}) -> () }}, {{ "scf.yield"(%u) : ({S}) -> () }}) : (i1) -> {T}',
        f"'scf.yield' passes {S} on as value 0, where {T} is wanted",
    ),
    "br": (
        f'"cf.br"(%u) [^b] : ({S}) -> ()\n^b(%p: {T}):\n  func.return %p : {T}',
        f"'cf.br' passes {S} on as value 0, where {T} is wanted",
    ),
    "cond_br": (
        '"cf.cond_br"(%c, %x) [^b, ^b] {operandSegmentSizes = array<i32: 1, 1, 0>} : (i1, tensor<4xf32>) -> ()\n'
        f"^b(%p: {T}):\n  func.return %p : {T}",
        "'cf.cond_br' passes 0 values on, where 1 are wanted",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_forwarded_operand_that_does_not_fit_is_an_error_with_location(name: str) -> None:
    body, message = WRONG[name]
    done = opt_tool("-", stdin=function(body))
    assert done.status == 1
    first = done.err.splitlines()[0]
    assert first.startswith("<stdin>:2:") and first.endswith(f"error: {message}"), first


def test_fitting_forwarded_operands_are_accepted() -> None:
    assert opt_tool("-", stdin=function(loop(f"%p: {T}", FINE, YIELD))).status == 0
