"""Values in the memory of results that are not written yet: results are those of a program in which nothing shares."""

from __future__ import annotations

import random

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import attrs
from lastuse.frontends.text.mlir_parser import parse

SIDE = 16


def module_of(text: str) -> ModuleOp:
    return parse(context(), text, "chain.mlir")


def chain_program(seed: int) -> str:
    """Products and elementwise ops of square matrices, a few of them returned, some of these transposed."""
    chance = random.Random(seed)
    matrix = f"tensor<{SIDE}x{SIDE}xf32>"
    values, lines = ["%x"], list[str]()
    for number in range(chance.randint(4, 14)):
        operand = chance.choice(values[-3:])
        if chance.random() < 0.6:
            lines.append(f'%v{number} = "dnn.matmul"({operand}, %w) : ({matrix}, {matrix}) -> {matrix}')
        elif chance.random() < 0.5:
            other = chance.choice(values[-3:])
            lines.append(f'%v{number} = "dnn.add"({operand}, {other}) : ({matrix}, {matrix}) -> {matrix}')
        else:
            lines.append(f'%v{number} = "dnn.tanh"({operand}) : ({matrix}) -> {matrix}')
        values.append(f"%v{number}")
    returned = list[str]()
    for number, value in enumerate(chance.sample(values[1:], chance.randint(1, 3))):
        if chance.random() < 0.5:
            turned = f'%t{number} = "dnn.transpose"({value}) {{perm = array<i64: 1, 0>}} : ({matrix}) -> {matrix}'
            lines.insert(
                chance.randint(lines.index(next(x for x in lines if x.startswith(value + " "))) + 1, len(lines)), turned
            )
            value = f"%t{number}"
        returned.append(value)
    types = ", ".join([matrix] * len(returned))
    body = "\n  ".join(lines)
    head = f"func.func @main(%x: {matrix}, %w: {matrix}) -> ({types})"
    return f"{head} {{\n  {body}\n  func.return {', '.join(returned)} : {types}\n}}\n"


@pytest.mark.parametrize("seed", range(40))
def test_results_are_those_of_a_program_that_shares_nothing(seed: int) -> None:
    """Also where they are written to memory of the caller that holds NaN before, and in a second run."""
    text = chain_program(seed)
    rng = np.random.default_rng(seed)
    inputs = {name: rng.standard_normal((SIDE, SIDE), np.float32) / SIDE for name in ("x", "w")}
    expected = lastuse.compile(module_of(text), plan=False, threads=1).run(inputs)
    program = lastuse.compile(module_of(text), threads=1, poison=True)
    out = {name: np.full_like(array, np.nan) for name, array in expected.items()}
    for _ in range(2):
        found = program.run(inputs, out=out)
        for name, array in expected.items():
            assert found[name].tobytes() == array.tobytes()


def test_some_of_these_programs_use_the_memory_of_results() -> None:
    used = sum(bool(attrs.numbers_in(main_function(_planned(seed)))) for seed in range(40))
    assert used >= 10


def _planned(seed: int) -> ModuleOp:
    program = lastuse.compile(module_of(chain_program(seed)), threads=1)
    return program.specialized({}).module


def test_arena_is_smaller_by_what_fits_the_result() -> None:
    """Of two matrices that are live at once the first lies where the result will be: one and scratch are left."""
    matrix = "tensor<64x64xf32>"
    lines = "\n".join(f'  %v{n + 1} = "dnn.matmul"(%v{n}, %w) : ({matrix}, {matrix}) -> {matrix}' for n in range(3))
    text = f"func.func @main(%v0: {matrix}, %w: {matrix}) -> {matrix} {{\n{lines}\n  func.return %v3 : {matrix}\n}}\n"
    memory = lastuse.compile(module_of(text), threads=1).memory
    assert memory.arena_bytes < 2 * 64 * 64 * 4
