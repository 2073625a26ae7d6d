"""A program on tensors and its memref forms, run by one interpreter: results are equal, and so is what is kept."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from interpreter.buffer_walk import BufferWalk
from interpreter.buffers import Buffer, Memory, OutOfBounds, WrongAccess
from region_programs import RegionProgram
from shape_programs import ShapeProgram
from tensor_programs import TensorProgram
from xdsl.dialects.builtin import MemRefType, ModuleOp, i8
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import VerifyException

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferize import OPTIONS, BufferizePass
from lastuse.passes.inplace import InplacePass

Array = np.ndarray
CONTEXT = context()
WAYS = [
    BufferizePass(*way)
    for way in product(OPTIONS["arena"], OPTIONS["results"], OPTIONS["layouts"], OPTIONS["arguments"])
]
"""Every way to take and give memory."""
MIXED = (TensorProgram, ShapeProgram, RegionProgram)
"""What is drawn of programs on tensors, by the rest of their number."""


class Run(NamedTuple):
    """Arguments of a program, and its results."""

    arguments: list[Array]
    results: list[Array]


def drawn_arguments(rng: random.Random) -> list[Array]:
    """For a `TensorProgram`: tensors, the indices i, j, n and k, an i64 and an i1."""
    n, k = rng.choice([12, 12, 14]), rng.randint(0, 4)
    shapes = [(12,), (12,), (n,), (3, 4), (4,)]
    tensors = [np.array([rng.getrandbits(62) for _ in range(int(np.prod(s)))]).reshape(s) for s in shapes]
    scalars = [np.array(v, np.int64) for v in (rng.randint(0, 5), rng.randint(0, 4), n, k, rng.getrandbits(60))]
    return [*tensors, *scalars, np.array(rng.random() < 0.5)]


def runs_of(module: ModuleOp, rng: random.Random, count: int, most: int | None = None) -> list[Run]:
    """The first runs of a program on tensors for arguments that keep it in bounds; few where most do not.

    Args:
        count: how many arguments are drawn.
        most: how many runs are wanted, all by default. What `rng` draws does not depend on it.
    """
    drawn = [(drawn_arguments(rng), rng.getrandbits(30)) for _ in range(count)]
    found: list[Run] = []
    for arguments, seed in drawn:
        if len(found) == most:
            break
        try:
            found.append(Run(arguments, BufferWalk(module, seed).call("main", arguments)))
        except OutOfBounds:
            continue
    return found


def difference_of(form: ModuleOp, run: Run, kept: Sequence[int], seed: int) -> str | None:
    """What a memref form does that its program does not; None where nothing is.

    Args:
        kept: arguments that may not be written.
    """
    func = next(op for op in form.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    walk = BufferWalk(form, seed)
    given: list[Array | Buffer] = []
    for number, argument in enumerate(run.arguments):
        memory = Memory(f"argument {number}", read_only=number in kept)
        given.append(Buffer(np.array(argument), memory) if argument.ndim else argument)
    types = list(func.function_type.inputs)[len(given) :]
    outs: list[Buffer] = []
    wanted = iter([r for r in run.results if r.ndim])
    for type_ in types:
        assert isinstance(type_, MemRefType)
        arena = type_.element_type == i8
        shape = type_.get_shape() if arena else next(wanted).shape
        made = walk.take("the arena" if arena else "a result", shape, np.dtype(np.uint8 if arena else np.int64))
        walk.taken.clear()
        given.append(made)
        outs += [] if arena else [made]
    try:
        results = walk.call("main", given)  # pyright: ignore
    except WrongAccess as wrong:
        return str(wrong)
    except OutOfBounds:
        return "out of bounds"
    for array, buffer in zip(run.arguments, given, strict=False):
        if isinstance(buffer, Buffer) and buffer.memory.read_only and not np.array_equal(array, buffer.array):
            return f"{buffer.memory.name} is written"
    later = iter(outs)
    first = iter(results)
    for number, right in enumerate(run.results):
        got = next(later) if right.ndim and outs else next(first)
        have = got.array if isinstance(got, Buffer) else got
        if isinstance(got, Buffer) and not got.memory.alive:
            return f"result {number} is given back"
        if not np.array_equal(have, right):
            return f"result {number} is {have}, not {right}"
    held = {id(r.memory) for r in results if isinstance(r, Buffer)}
    left = [m.name for m in walk.taken if id(m) not in held]
    return f"{left[0]} is never given back" if left else None


class Verdict(NamedTuple):
    """What became of a program.

    Attributes:
        kind: `right`, `wrong`, `refused` where it has no memref form, `undefined` where no arguments keep it in bounds.
        what: was wrong, or is missing.
        text: the program.
    """

    kind: str
    what: str = ""
    text: str = ""


def verdict(number: int, kind: type[TensorProgram] = TensorProgram) -> Verdict:
    """The program of a number, run on tensors and in one of its memref forms."""
    rng = random.Random(number)
    program = (MIXED[number % 3] if kind is TensorProgram else kind)(rng)
    module = parse(CONTEXT, program.text, "tensors.mlir")
    runs = runs_of(module, rng, 6, most=2)
    if not runs:
        return Verdict("undefined")
    way = rng.choice(WAYS)
    try:
        if number % 2:  # decided before, so that nothing is left out or moved
            InplacePass(forward=True).apply(CONTEXT, module)
        way.apply(CONTEXT, module)
        module.verify()
    except LastuseError as refusal:
        return Verdict("refused", str(refusal), program.text)
    except VerifyException as wrong:
        return Verdict("wrong", f"{way}: {wrong}", program.text)
    for run in runs:
        what = difference_of(module, run, kept_arguments(way, program.writable), number)
        if what is not None:
            return Verdict("wrong", f"{way}: {what}", program.text)
    return Verdict("right")


def kept_arguments(way: BufferizePass, writable: Sequence[bool]) -> list[int]:
    """The arguments that a form may not write."""
    return [] if way.arguments == "writable" else [n for n, may in enumerate(writable) if not may]
