"""
How liveness scales: CPU seconds of the analysis alone, parsing and printing apart, on operations in one block, on
blocks that branch back, and on loops in each other. It should be linear.

    python bench/liveness_scaling.py
"""

from __future__ import annotations

import time

from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.liveness import liveness

TYPE = "tensor<4xf32>"


def one_block(count: int) -> str:
    """A chain of `count` operations that all read the argument."""
    lines = [f"func.func @main(%v: {TYPE}, %x: {TYPE}) -> {TYPE} {{"]
    for n in range(count):
        lines.append(f'%v{n} = "dnn.add"(%v{n - 1 if n else ""}, %x) : ({TYPE}, {TYPE}) -> {TYPE}')
    return "\n".join([*lines, f"func.return %v{count - 1} : {TYPE}", "}"])


def many_blocks(count: int) -> str:
    """`count` blocks in a row, each of which may go on or three back."""
    lines = [f"func.func @main(%x: {TYPE}, %c: i1) -> {TYPE} {{", f"cf.br ^b0(%x : {TYPE})"]
    for n in range(count):
        lines += [f"^b{n}(%a{n}: {TYPE}):", f'%v{n} = "dnn.relu"(%a{n}) : ({TYPE}) -> {TYPE}']
        on, back = f"^b{n + 1}(%v{n} : {TYPE})", f"^b{max(n - 3, 0)}(%v{n} : {TYPE})"
        lines.append(f"cf.cond_br %c, {on}, {back}" if n < count - 1 else f"func.return %v{n} : {TYPE}")
    return "\n".join([*lines, "}"])


def nested(count: int) -> str:
    """`count` loops, each in the one before, with one value that goes round in all of them."""
    lines = [f"func.func @main(%s: {TYPE}, %n: index) -> {TYPE} {{"]
    before = "%s"
    for n in range(count):
        lines.append(f'%a{n} = "dnn.relu"({before}) : ({TYPE}) -> {TYPE}')
        lines.append(f"%r{n} = scf.for %i{n} = %n to %n step %n iter_args(%s{n} = %a{n}) -> ({TYPE}) {{")
        before = f"%s{n}"
    lines.append(f'%r{count} = "dnn.relu"({before}) : ({TYPE}) -> {TYPE}')
    lines += [f"scf.yield %r{n} : {TYPE}\n}}" for n in range(count, 0, -1)]
    return "\n".join([*lines, f"func.return %r0 : {TYPE}", "}"])


def function(text: str) -> FuncOp:
    """The function of a text."""
    return main_function(parse(context(), text, "bench.mlir"))


def main() -> None:
    for what, write, counts in (
        ("operations in one block", one_block, (1_000, 10_000, 100_000)),
        ("blocks", many_blocks, (100, 1_000, 10_000)),
        ("loops in each other", nested, (15, 30, 60)),
    ):
        for count in counts:
            func = function(write(count))
            begin = time.process_time()
            liveness(func.body)
            print(f"{count:>8} {what}: {time.process_time() - begin:.3f} s CPU", flush=True)


if __name__ == "__main__":
    main()
