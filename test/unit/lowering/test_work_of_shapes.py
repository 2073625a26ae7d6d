"""The work of `--bufferize-pass` grows with the number of ops in functions of many shapes, and no depth is too much."""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType

import pytest
from counted_calls import calls
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferization import function_segments
from lastuse.passes.bufferization.least_copies import MOST_OPS
from lastuse.passes.bufferize import BufferizePass

T, FLAT = "tensor<8x4xf32>", "tensor<32xf32>"
FEW = 3 * MOST_OPS // 2
"""Ops of a function that is too large for trials of other forms."""


def exp(name: str, value: str, type_: str = T) -> list[str]:
    """A kernel with memory of its own."""
    made = f"%{name} = linalg.exp ins({value} : {type_}) outs(%{name}_e : {type_}) -> {type_}"
    return [f"%{name}_e = tensor.empty() : {type_}", made]


def function(lines: list[str], result: str, arguments: str = f"%v0: {T}") -> list[str]:
    """The function `main` with a result of the type `T`."""
    return [f"func.func @main({arguments}) -> {T} {{", *lines, f"func.return {result} : {T}", "}"]


def chain(count: int) -> list[str]:
    """Kernels, each of the one before."""
    return function([line for k in range(count // 2) for line in exp(f"v{k + 1}", f"%v{k}")], f"%v{count // 2}")


def reshapes(count: int) -> list[str]:
    """Kernels of one axis between values of two."""
    lines: list[str] = []
    for k in range(count // 4):
        lines += [
            f"%c{k} = tensor.collapse_shape %v{k} [[0, 1]] : {T} into {FLAT}",
            *exp(f"w{k}", f"%c{k}", FLAT),
            f"%v{k + 1} = tensor.expand_shape %w{k} [[0, 1]] output_shape [8, 4] : {FLAT} into {T}",
        ]
    return function(lines, f"%v{count // 4}")


def loops(count: int) -> list[str]:
    """Loops, one behind the other."""
    lines = [f"%{name} = arith.constant {n} : index" for name, n in (("low", 0), ("high", 4), ("step", 1))]
    for k in range(count // 4):
        head = f"%v{k + 1} = scf.for %i{k} = %low to %high step %step iter_args(%a{k} = %v{k}) -> ({T}) {{"
        lines += [head, *exp(f"w{k}", f"%a{k}"), f"scf.yield %w{k} : {T}", "}"]
    return function(lines, f"%v{count // 4}")


def branches(count: int) -> list[str]:
    """Ops of which one arm computes something."""
    lines: list[str] = []
    for k in range(count // 4):
        lines += [f"%v{k + 1} = scf.if %c -> ({T}) {{", *exp(f"w{k}", f"%v{k}"), f"scf.yield %w{k} : {T}"]
        lines += ["} else {", f"scf.yield %v{k} : {T}", "}"]
    return function(lines, f"%v{count // 4}", f"%v0: {T}, %c: i1")


def functions(count: int) -> list[str]:
    """Private functions, each of which is called once."""
    lines: list[str] = []
    for n in range(count // 8):
        body = [line for k in range(3) for line in exp(f"v{k + 1}", f"%v{k}")]
        lines += [f"func.func private @f{n}(%v0: {T}) -> {T} {{", *body, f"func.return %v3 : {T}", "}"]
    called = [f"%v{n + 1} = func.call @f{n}(%v{n}) : ({T}) -> {T}" for n in range(count // 8)]
    return [*lines, *function(called, f"%v{count // 8}")]


def unread(count: int) -> list[str]:
    """Kernels that are each computed over the one before and read none of it: the last alone is left."""
    lines = [f"%v{k + 1} = linalg.exp ins(%x : {T}) outs(%v{k} : {T}) -> {T}" for k in range(count)]
    return function(lines, f"%v{count}", f"%v0: {T}, %x: {T}")


def arguments(count: int) -> list[str]:
    """Kernels that each read another argument."""
    reads = [f"ins(%x{k}, %v{k} : {T}, {T}) outs(%e{k} : {T})" for k in range(count // 2)]
    lines = [[f"%e{k} = tensor.empty() : {T}", f"%v{k + 1} = linalg.add {r} -> {T}"] for k, r in enumerate(reads)]
    return function(
        [line for pair in lines for line in pair],
        f"%v{count // 2}",
        ", ".join([f"%v0: {T}", *(f"%x{k}: {T}" for k in range(count // 2))]),
    )


def repeated_calls(count: int) -> list[str]:
    """Calls of one function, each given what the one before returned."""
    callee = ["func.func private @f(%v0: " + T + f") -> {T} {{", *exp("v1", "%v0"), f"func.return %v1 : {T}", "}"]
    return [
        *callee,
        *function([f"%v{n + 1} = func.call @f(%v{n}) : ({T}) -> {T}" for n in range(count)], f"%v{count}"),
    ]


def slices(count: int) -> list[str]:
    """Kernels of half of what the one before made, put back: a long function of them is divided in segments."""
    half = "tensor<4x4xf32>"
    lines: list[str] = []
    for k in range(count // 4):
        lines += [
            f"%p{k} = tensor.extract_slice %v{k}[0, 0] [4, 4] [1, 1] : {T} to {half}",
            *exp(f"w{k}", f"%p{k}", half),
            f"%v{k + 1} = tensor.insert_slice %w{k} into %v{k}[4, 0] [4, 4] [1, 1] : {half} into {T}",
        ]
    return function(lines, f"%v{count // 4}")


def copying_loops(count: int) -> list[str]:
    """Loops that each copy what the one before made, row by row, so that each memory holds the values of all."""
    some, row = "tensor<?x4xf32>", "tensor<1x4xf32>"
    lines = ["%low = arith.constant 0 : index", "%step = arith.constant 1 : index"]
    for k in range(count // 6):
        lines += [
            f"%d{k} = tensor.dim %v{k}, %low : {some}",
            f"%e{k} = tensor.empty(%d{k}) : {some}",
            f"%v{k + 1} = scf.for %i{k} = %low to %d{k} step %step iter_args(%a{k} = %e{k}) -> ({some}) {{",
            f"%s{k} = tensor.extract_slice %v{k}[%i{k}, 0] [1, 4] [1, 1] : {some} to {row}",
            f"%n{k} = tensor.insert_slice %s{k} into %a{k}[%i{k}, 0] [1, 4] [1, 1] : {row} into {some}",
            f"scf.yield %n{k} : {some}",
            "}",
        ]
    return [f"func.func @main(%v0: {some}) -> {some} {{", *lines, f"func.return %v{count // 6} : {some}", "}"]


def nested(depth: int) -> list[str]:
    """So many loops, one in the other, around a kernel."""
    lines = [f"%{name} = arith.constant {n} : index" for name, n in (("low", 0), ("high", 4), ("step", 1))]
    for k in range(depth):
        head = f"%r{k} = scf.for %i{k} = %low to %high step %step iter_args(%v{k + 1} = %v{k}) -> ({T}) {{"
        lines.append(head)
    lines += exp("w", f"%v{depth}")
    passed = ["%w", *(f"%r{k}" for k in reversed(range(1, depth)))]
    lines += [line for value in passed for line in (f"scf.yield {value} : {T}", "}")]
    return function(lines, "%r0")


def module(shape: Callable[[int], list[str]], count: int) -> ModuleOp:
    """A module of about `count` ops."""
    return parse(context(), "\n".join(shape(count)), f"{shape.__name__}.mlir")


SHAPES = [chain, reshapes, loops, branches, functions, unread, arguments, repeated_calls]
OUT = BufferizePass(layouts="identity", arguments="writable", results="out")


@pytest.mark.parametrize("shape", SHAPES)
def test_work_grows_with_the_number_of_ops(shape: Callable[[int], list[str]]) -> None:
    few, many = (calls(module(shape, n), lambda _: True).total() for n in (FEW, 3 * FEW))
    assert many < 3.4 * few


@pytest.mark.parametrize("shape", [arguments, repeated_calls])
def test_work_grows_with_the_number_of_ops_where_arguments_may_be_written(shape: Callable[[int], list[str]]) -> None:
    few, many = (calls(module(shape, n), lambda _: True, OUT).total() for n in (FEW, 3 * FEW))
    assert many < 3.4 * few


def test_work_of_segments_grows_with_the_number_of_ops() -> None:
    """Of dividing a function, and of making functions of its segments."""

    def is_of_segments(frame: FrameType) -> bool | None:
        around = frame.f_back
        return True if around is not None and around.f_code.co_filename == function_segments.__file__ else None

    few, many = (calls(module(slices, n), is_of_segments).total() for n in (FEW, 3 * FEW))
    assert 0 < many < 3.4 * few


def test_work_grows_with_the_depth_of_loops() -> None:
    """Each loop is proved, and its paths are walked, by few turns, however many loops are around it."""
    few, many = (calls(module(nested, depth), lambda _: True).total() for depth in (6, 12))
    assert many < 4 * few


@pytest.mark.parametrize(("shape", "count"), [(reshapes, 4_400), (copying_loops, 3_200)])
def test_chain_is_proved_however_long(shape: Callable[[int], list[str]], count: int) -> None:
    BufferizePass(unproved="error").apply(context(), module(shape, count))
