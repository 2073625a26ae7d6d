"""Programs with control flow, what they compute in numpy, and inputs to try."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

Array = np.ndarray
T, F = "tensor<4xf32>", np.float32


def binary(name: str, a: str, b: str) -> str:
    return f'"dnn.{name}"(%{a}, %{b}) : ({T}, {T}) -> {T}'


def unary(name: str, a: str) -> str:
    return f'"dnn.{name}"(%{a}) : ({T}) -> {T}'


@dataclass
class Case:
    """A module, what it computes in numpy, and inputs to try (`x` and `u` are given unless they are here)."""

    text: str
    meaning: Callable[..., dict[str, object]]
    tries: list[dict[str, object]] = field(default_factory=lambda: [{"n": n} for n in (0, 1, 2, 5)])


CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index"""


def decode(x: Array, u: Array, n: int) -> dict[str, object]:
    state, count = u.copy(), 0
    for _ in range(n):
        state = np.tanh(state + np.exp(x))
        count += 1
    return {"y": state, "count": count}


DECODE = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: index) -> ({T} {{dnn.name = "y"}}, index {{dnn.name = "count"}}) {{{CONSTANTS}
  %e = {unary("exp", "x")}
  %r, %k = scf.for %i = %c0 to %n step %c1 iter_args(%s = %u, %m = %c0) -> ({T}, index) {{
    %t = {binary("add", "s", "e")}
    %h = {unary("tanh", "t")}
    %m1 = arith.addi %m, %c1 : index
    scf.yield %h, %m1 : {T}, index
  }}
  func.return %r, %k : {T}, index
}}""",
    decode,
)


def rnn(x: Array, u: Array, n: int) -> dict[str, object]:
    weights, state = np.full((4, 4), 0.125, F), u
    for _ in range(n):
        state = np.tanh(state @ weights + x)
    return {"h": state}


# Two products an iteration need room; the state is updated in place.
RNN = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: index) -> ({T} {{dnn.name = "h"}}) {{{CONSTANTS}
  %w = "dnn.constant"() {{value = dense<0.125> : tensor<4x4xf32>}} : () -> tensor<4x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %u) -> ({T}) {{
    %p = "dnn.matmul"(%h, %w) : ({T}, tensor<4x4xf32>) -> {T}
    %s = {binary("add", "p", "x")}
    %t = {unary("tanh", "s")}
    scf.yield %t : {T}
  }}
  func.return %r : {T}
}}""",
    rnn,
)


def doubling(x: Array, u: Array, limit: float) -> dict[str, object]:
    value, count = np.abs(x), 0
    while value.sum() < limit:
        value, count = value + value, count + 1
    return {"y": value, "count": count}


# The condition depends on what the loop computed.
WHILE = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %limit: f32) -> ({T} {{dnn.name = "y"}}, index {{dnn.name = "count"}}) {{{CONSTANTS}
  %a = {unary("abs", "x")}
  %r, %k = "scf.while"(%a, %c0) ({{
  ^bb0(%p: {T}, %i: index):
    %s = "dnn.reduce_sum"(%p) {{axes = array<i64: 0>, keepdims = 0 : i64}} : ({T}) -> tensor<f32>
    %v = tensor.extract %s[] : tensor<f32>
    %c = arith.cmpf olt, %v, %limit : f32
    "scf.condition"(%c, %p, %i) : (i1, {T}, index) -> ()
  }}, {{
  ^bb0(%p: {T}, %i: index):
    %q = {binary("add", "p", "p")}
    %j = arith.addi %i, %c1 : index
    "scf.yield"(%q, %j) : ({T}, index) -> ()
  }}) : ({T}, index) -> ({T}, index)
  func.return %r, %k : {T}, index
}}""",
    doubling,
    [{"limit": limit} for limit in (0.0, 20.0, 500.0)],
)


def fibonacci(x: Array, u: Array, n: int) -> dict[str, object]:
    a, b = x, u
    for _ in range(n):
        a, b = b, a + b
    return {"a": a, "b": b}


# A while whose results come in another order than its arguments, and whose slots meet at every boundary.
CROSSED = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: i32) -> ({T} {{dnn.name = "a"}}, {T} {{dnn.name = "b"}}) {{
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:3 = "scf.while"(%z, %x, %u) ({{
  ^bb0(%i: i32, %p: {T}, %q: {T}):
    %c = arith.cmpi slt, %i, %n : i32
    "scf.condition"(%c, %q, %i, %p) : (i1, {T}, i32, {T}) -> ()
  }}, {{
  ^bb0(%q: {T}, %i: i32, %p: {T}):
    %s = {binary("add", "p", "q")}
    %j = arith.addi %i, %one : i32
    "scf.yield"(%j, %q, %s) : (i32, {T}, {T}) -> ()
  }}) : (i32, {T}, {T}) -> ({T}, i32, {T})
  func.return %r#2, %r#0 : {T}, {T}
}}""",
    fibonacci,
)


def swapped(x: Array, u: Array, n: int) -> dict[str, object]:
    a, b = np.maximum(x, 0), np.exp(u)
    return {"a": b if n % 2 else a, "b": a if n % 2 else b}


SWAP = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: index) -> ({T} {{dnn.name = "a"}}, {T} {{dnn.name = "b"}}) {{{CONSTANTS}
  %a = {unary("relu", "x")}
  %b = {unary("exp", "u")}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> ({T}, {T}) {{
    scf.yield %q, %p : {T}, {T}
  }}
  func.return %r#0, %r#1 : {T}, {T}
}}""",
    swapped,
)


def nested(x: Array, u: Array, n: int, m: int) -> dict[str, object]:
    outer = x
    for _ in range(n):
        inner = np.tanh(outer)
        for _ in range(m):
            inner = inner + outer
        outer = np.maximum(inner, u)
    return {"y": outer}


NESTED = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: index, %m: index) -> ({T} {{dnn.name = "y"}}) {{{CONSTANTS}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> ({T}) {{
    %e = {unary("tanh", "p")}
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%q = %e) -> ({T}) {{
      %t = {binary("add", "q", "p")}
      scf.yield %t : {T}
    }}
    %w = {binary("maximum", "s", "u")}
    scf.yield %w : {T}
  }}
  func.return %r : {T}
}}""",
    nested,
    [{"n": n, "m": m} for n in (0, 1, 3) for m in (0, 2)],
)


def branches(x: Array, u: Array, c: bool) -> dict[str, object]:
    a, b = np.exp(x), -x
    return {"y": np.sqrt(a + np.abs(b) if c else np.maximum(b, 0))}


# The two edges of one branch move different values into slots.
DIAMOND = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %c: i1) -> ({T} {{dnn.name = "y"}}) {{
  %a = {unary("exp", "x")}
  %b = {unary("neg", "x")}
  cf.cond_br %c, ^one(%a, %b : {T}, {T}), ^two(%b : {T})
^one(%p: {T}, %q: {T}):
  %m = {unary("abs", "q")}
  %s = {binary("add", "p", "m")}
  cf.br ^join(%s : {T})
^two(%t: {T}):
  %v = {unary("relu", "t")}
  cf.br ^join(%v : {T})
^join(%r: {T}):
  %y = {unary("sqrt", "r")}
  func.return %y : {T}
}}""",
    branches,
    [{"c": c} for c in (True, False)],
)

BLOCKS = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: i32) -> ({T} {{dnn.name = "a"}}, {T} {{dnn.name = "b"}}) {{
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%x, %u, %z : {T}, {T}, i32)
^head(%p: {T}, %q: {T}, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %s = {binary("add", "p", "q")}
  %j = arith.addi %i, %one : i32
  cf.br ^head(%q, %s, %j : {T}, {T}, i32)
^exit:
  func.return %p, %q : {T}, {T}
}}""",
    fibonacci,
)


def chosen(x: Array, u: Array, n: int) -> dict[str, object]:
    return {"y": {0: np.exp(x), 7: x + u}.get(n, -x)}


SWITCH = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %n: i32) -> ({T} {{dnn.name = "y"}}) {{
  cf.switch %n : i32, [
    default: ^other(%x : {T}),
    0: ^zero,
    7: ^both(%x, %u : {T}, {T})
  ]
^other(%p: {T}):
  %a = {unary("neg", "p")}
  func.return %a : {T}
^zero:
  %b = {unary("exp", "x")}
  func.return %b : {T}
^both(%q: {T}, %r: {T}):
  %c = {binary("add", "q", "r")}
  func.return %c : {T}
}}""",
    chosen,
    [{"n": n} for n in (0, 7, -3)],
)


def either(x: Array, u: Array, c: bool) -> dict[str, object]:
    a, b = np.exp(x), -x
    return {"first": a if c else b, "second": b if c else a}


# Two returns with the same values the other way round: one of them has to swap what lies in the results' memory.
RETURNS = Case(
    f"""
func.func @main(%x: {T}, %u: {T}, %c: i1) -> ({T} {{dnn.name = "first"}}, {T} {{dnn.name = "second"}}) {{
  %a = {unary("exp", "x")}
  %b = {unary("neg", "x")}
  cf.cond_br %c, ^one, ^two
^one:
  func.return %a, %b : {T}, {T}
^two:
  func.return %b, %a : {T}, {T}
}}""",
    either,
    [{"c": c} for c in (True, False)],
)

STEP = f"""
func.func @step(%h: {T}, %x: {T}, %k: index) -> ({T} {{dnn.tied = 0 : i32}}, index) {{
  %one = arith.constant 1 : index
  %e = {unary("exp", "x")}
  %s = {binary("add", "h", "e")}
  %t = {unary("tanh", "s")}
  %j = arith.addi %k, %one : index
  func.return %t, %j : {T}, index
}}
func.func @twice(%x: {T} {{dnn.donated}}) -> {T} {{
  %s = {binary("add", "x", "x")}
  func.return %s : {T}
}}"""


def calling(x: Array, u: Array, n: int) -> dict[str, object]:
    state = u
    for _ in range(n):
        after = np.tanh(state + np.exp(x))
        state = after + after
    return {"y": (state + state) + state, "k": n}


def calls(attributes: str = "", donate: str = "") -> str:
    return f"""{STEP}
func.func @main(%x: {T}, %u: {T}, %n: index) -> ({T} {{dnn.name = "y"}}, index {{dnn.name = "k"}}) {{{CONSTANTS}
  %r, %k = scf.for %i = %c0 to %n step %c1 iter_args(%h = %u, %m = %c0) -> ({T}, index) {{
    %a, %m1 = func.call @step(%h, %x, %m) {attributes} : ({T}, {T}, index) -> ({T}, index)
    %b = func.call @twice(%a) {donate} : ({T}) -> {T}
    scf.yield %b, %m1 : {T}, index
  }}
  %z = func.call @twice(%r) : ({T}) -> {T}
  %y = {binary("add", "z", "r")}
  func.return %y, %k : {T}, index
}}"""


CASES = {
    "decode": DECODE,
    "rnn": RNN,
    "while": WHILE,
    "crossed": CROSSED,
    "swap": SWAP,
    "nested": NESTED,
    "diamond": DIAMOND,
    "blocks": BLOCKS,
    "switch": SWITCH,
    "returns": RETURNS,
    "calls": Case(calls(), calling),
    "calls-given": Case(calls("{dnn.inplace = array<i32: 0, -1>}", "{dnn.donate = array<i32: 0>}"), calling),
}
"""The last one gives the loop's state to the callee, which updates it where it lies."""
