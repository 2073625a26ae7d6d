"""Memref forms of programs, run by LLVM, against the interpreter's numbers."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

import memref_runs as runs
import numpy as np
import pytest
from interpreter.buffer_walk import BufferWalk
from interpreter.buffers import OutOfBounds
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import functions_of
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferize import BufferizePass

ARENAS = ("alloc", "argument", "none")
needs_llvm = pytest.mark.skipif(
    runs.OPT is None or runs.RUNNER is None or not all(p.exists() for p in runs.RUNNER_LIBRARIES),
    reason="no mlir-opt-19, mlir-cpu-runner-19 or libraries of theirs (mlir-19-tools, libmlir-19-dev)",
)


def _arguments(func: FuncOp, seed: str) -> list[np.ndarray]:
    """What `memref_runs` calls a program with."""
    found: list[np.ndarray] = []
    for number, argument in enumerate(func.body.blocks[0].args):
        type_ = argument.type
        if isinstance(type_, TensorType):
            shape = tuple(runs.SIZES[len(type_.get_shape())] if n < 0 else n for n in type_.get_shape())
            found.append(np.asarray(runs.values_for(shape, "i64", f"{seed}.{number}")))
        elif str(type_) == "i1":
            found.append(np.array(runs.flag_for(seed)))
        else:
            name = argument.name_hint or ""
            found.append(np.array(runs.INDICES.get(name, 1) if str(type_) == "index" else 3))
    return found


def check_forms(programs: Mapping[str, str], ways: Sequence[BufferizePass]) -> int:
    """Compares the results of each program on tensors of i64 with those of its forms, made in each of several ways.
    Returns how many were compared: none of a program that leaves its bounds."""
    texts: list[str] = []
    called: list[runs.Called] = []
    wanted: dict[str, list[np.ndarray]] = {}
    for number, way in enumerate(ways):
        for name, text in programs.items():
            module, seed = parse(context(), text, "program.mlir"), f"{name}_{number}"
            func = functions_of(module)["main"]
            try:
                right = [np.asarray(a) for a in BufferWalk(module).call("main", _arguments(func, seed))]
            except OutOfBounds:
                continue
            names, outs = [a.name_hint or "" for a in func.body.blocks[0].args], way.results == "out"
            way.apply(context(), module)
            made = f"{module!s}\n"
            wanted[seed] = [a for a in right if not a.ndim] + [a for a in right if a.ndim] if outs else right
            texts.append(runs.body_of(runs.renamed(made, seed)))
            shapes = [a.shape for a in right if a.ndim] if outs else []
            called.append(runs.Called(f"{seed}_main", seed, runs.functions_in(made)["main"], names, shapes))
    got = runs.run("\n".join(texts), called)
    for seed, right in wanted.items():
        have = [np.array(ast.literal_eval(printed.data)) for printed in got[seed]]
        assert len(have) == len(right), seed
        for one, other in zip(have, right, strict=True):
            np.testing.assert_array_equal(one, other, seed)
    return len(wanted)
