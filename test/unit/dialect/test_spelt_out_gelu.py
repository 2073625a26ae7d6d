"""Both forms of gelu, spelt out with their factors in any order, are one op that computes what the formula says."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import lastuse
from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse

TYPE = "tensor<2x64xf32>"
NUMBERS = {
    "root": math.sqrt(2),
    "part": math.sqrt(0.5),
    "one": 1.0,
    "half": 0.5,
    "two": 2.0,
    "three": 3.0,
    "cube": 0.044715,
    "inner": math.sqrt(2 / math.pi),
}
ERF = ["s = div x root", "e = erf s", "g = add e one"]
TANH = ["b = mul cube a", "c = add x b", "s = mul c inner", "e = tanh s", "g = add one e"]
GATES = {
    "erf of a quotient": ERF,
    "erf of a product": ["s = mul part x", *ERF[1:]],
    "tanh of a power": ["a = pow x three", *TANH],
    "tanh of products": ["q = mul x x", "a = mul q x", *TANH],
}
PRODUCTS = (
    ["p = mul x g", "y = mul p half"],
    ["p = mul x half", "y = mul p g"],
    ["p = mul g half", "y = mul x p"],
    ["p = div g two", "y = mul p x"],
)


def program(lines: list[str]) -> lastuse.Program:
    text = [
        f'%{n} = "dnn.constant"() {{value = dense<{v}> : tensor<f32>}} : () -> tensor<f32>' for n, v in NUMBERS.items()
    ]
    for line in lines:
        result, call = line.split(" = ")
        name, *operands = call.split()
        types = ", ".join("tensor<f32>" if operand in NUMBERS else TYPE for operand in operands)
        values = ", ".join(f"%{operand}" for operand in operands)
        text.append(f'%{result} = "dnn.{name}"({values}) : ({types}) -> {TYPE}')
    body = "\n  ".join([*text, f"func.return %y : {TYPE}"])
    return lastuse.compile(parse(context(), f"func.func @main(%x: {TYPE}) -> {TYPE} {{\n  {body}\n}}\n", "gelu.mlir"))


def by_erf(x: float) -> float:
    return x / 2 * (1 + math.erf(x / math.sqrt(2)))


def by_tanh(x: float) -> float:
    return x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


@pytest.mark.parametrize("product", PRODUCTS, ids="; ".join)
@pytest.mark.parametrize("gate", GATES)
def test_gelu_is_one_op(gate: str, product: list[str]) -> None:
    compiled = program(GATES[gate] + product)
    kinds = [
        op.name for op in compiled.latest.module.walk() if op.name.startswith("dnn.") and op.name != "dnn.constant"
    ]
    assert kinds == ["dnn.gelu"]
    formula: Callable[[float], float] = by_erf if gate.startswith("erf") else by_tanh
    x = np.linspace(-4, 4, 128, dtype=np.float32).reshape(2, 64)
    wanted = np.array([formula(float(number)) for number in x.ravel()]).reshape(x.shape)
    np.testing.assert_allclose(compiled(x), wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    "lines",
    [
        ["s = div x two", *ERF[1:], *PRODUCTS[0]],
        [*ERF[:2], "g = add e half", *PRODUCTS[0]],
        [*ERF, "p = mul x g", "y = mul p one"],
        ["a = mul x x", *TANH, *PRODUCTS[0]],
    ],
    ids=["another width", "another shift", "another factor", "a square for the cube"],
)
def test_other_numbers_are_no_gelu(lines: list[str]) -> None:
    assert all(op.name != "dnn.gelu" for op in program(lines).latest.module.walk())
