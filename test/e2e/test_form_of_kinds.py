"""Memref forms of slices of results, reshapes, maps that leave out elements and ops without a class give the numbers
that MLIR's bufferization gives, run by LLVM."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import memref_runs as runs
import pytest
from test_memref_form import needs_llvm
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp

from support import opt_tool

PROGRAMS = Path(__file__).with_name("sliced_programs.mlir")


@cache
def _sources() -> dict[str, FuncOp]:
    return runs.functions_in(PROGRAMS.read_text())


@cache
def _expected() -> dict[str, list[runs.Printed]]:
    made = runs.bufferized_by_peer(PROGRAMS.read_text())
    functions = runs.functions_in(made)
    return runs.run(runs.body_of(made), [runs.Called(n, n, functions[n], _names(n)) for n in _sources()])


def _names(name: str) -> list[str]:
    """Names of arguments; of those without one, no name that says more than the type."""
    return [a.name_hint or "" for a in _sources()[name].body.blocks[0].args]


@needs_llvm
@pytest.mark.parametrize(
    "options",
    [
        "arena=alloc,results=return,arguments=writable",
        "arena=none,results=out,arguments=declared",
        "arena=argument,results=return,arguments=declared",
    ],
)
def test_form_gives_the_numbers_of_the_peer(options: str) -> None:
    done = opt_tool(f"--bufferize-pass={options},unproved=error", "--print-op-generic", str(PROGRAMS))
    assert not done.status, done.err
    functions, called = runs.functions_in(done.out), list[runs.Called]()
    wanted = dict[str, list[runs.Printed]]()
    for name, source in _sources().items():
        printed = list(zip(_expected()[name], source.function_type.outputs, strict=True))
        tensors = [p for p, type_ in printed if isinstance(type_, TensorType)]
        outs = "results=out" in options
        rest = [p for p, type_ in printed if not isinstance(type_, TensorType)]
        wanted[name] = [*rest, *tensors] if outs else [p for p, _ in printed]
        shapes = [p.sizes for p in tensors] if outs else []
        called.append(runs.Called(name, name, functions[name], _names(name), shapes))
    got = runs.run(runs.body_of(done.out), called)
    assert {n: g for n, g in got.items() if g != wanted[n]} == {}
