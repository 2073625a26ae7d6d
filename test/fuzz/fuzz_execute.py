"""Drawn programs run as a caller would run them, and held against the interpreter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple
from unittest import mock

import numpy as np
from fuzz_inputs import Arrays, same_bits
from interpreter import EndlessError, RightResults
from read_only import read_only
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import RemarkKind
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import argument_name
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.memory.frame_layout import result_names
from lastuse.passes.verify_lowering import VerifyLoweringPass
from lastuse.runtime import build
from lastuse.runtime.program import Executable

BF16 = 2.0**-7
"""What bf16 may change of a product: both factors are rounded."""


class Wrong(Exception):
    """A program that something is wrong with; `kind` stays the same while it is made smaller."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class Promise(NamedTuple):
    """What a program says of memory.

    Attributes:
        writable: inputs that it may write.
        tied: the input in whose memory a result ends, by the result's name.
        results: their names, in order.
    """

    writable: frozenset[str]
    tied: Mapping[str, str]
    results: tuple[str, ...]


def promise_of(module: ModuleOp) -> Promise:
    func = main_function(module)
    names = [argument_name(a) for a in func.args]
    results = result_names(func)
    tied = {name: attrs.tied_argument(func, r) for r, name in enumerate(results)}
    return Promise(
        frozenset(names[k] for k in attrs.writable_arguments(func)),
        {name: names[k] for name, k in tied.items() if k is not None},
        results,
    )


@contextmanager
def protected_constants() -> Generator[None, None, None]:
    """Programs built inside have their constants in pages that cannot be written: a write ends with SIGSEGV."""
    made = build.constant_array

    def protected(*given: object) -> np.ndarray:
        return read_only(made(*given))  # pyright: ignore

    with mock.patch.object(build, "constant_array", protected):
        yield


def executed(what: str, module: ModuleOp, inputs: Arrays, threads: int = 1, prove: bool = True) -> Arrays:
    """Results of a module as it is decided, which it is no more afterwards; see `twice`. Its decisions have been
    checked; what it is lowered to is proved here, unless it is to run wrong."""
    promise = promise_of(module)
    with protected_constants():
        LowerToOnednnPass(verify=False).apply(context_of_passes(), module)
        if prove:
            VerifyLoweringPass().apply(context_of_passes(), module)
        return twice(what, Executable(module, threads=threads, poison=True), inputs, promise)


_CONTEXT = context()


def context_of_passes() -> lastuse.compiler.ToolContext:
    return _CONTEXT


def compiled(what: str, module: ModuleOp, options: Mapping[str, object]) -> tuple[lastuse.Program, Promise]:
    """What the compiler makes of a module, and a place for the remarks of what it drops; call in
    `protected_constants`."""
    ctx = context()
    ctx.wants_remarks = True
    program = lastuse.compile(module, ctx=ctx, poison=True, **options)  # pyright: ignore
    dropped = [str(r) for r in ctx.remarks if r.kind is RemarkKind.REPAIR and "has no effect" not in r.message]
    if dropped:
        raise Wrong(f"{what}: a decision is dropped", dropped[0])
    return program, promise_of(module)


def twice(what: str, program: lastuse.Program | Executable, inputs: Arrays, promise: Promise) -> Arrays:
    """Results of the second of two runs on poisoned memory, each on fresh arrays, of which it may write those it says
    alone: the second one with read-only arrays at strides, and memory given for results. Raises `Wrong`."""
    found, own = list[Arrays](), list[str]()
    for turn in range(2):
        given = {name: value.copy() for name, value in inputs.items()}
        out: Arrays = {}
        if turn:
            given = {name: v if name in promise.writable else _strided(v) for name, v in given.items()}
            out = {name: _garbage(found[0][name]) for name in own[::2]}
        results = program.run(given, out)
        for name, memory in out.items():
            if results[name].size and not np.shares_memory(results[name], memory):
                raise Wrong(f"{what}: a result is not in the memory given for it", name)
        for name, source in promise.tied.items():
            if results[name].size and not np.shares_memory(results[name], given[source]):
                raise Wrong(f"{what}: a tied result is not in its argument's memory", f"{name} in {source}")
        # A result may be handed out in a donated argument's memory; a scalar has none to be given.
        lent = [given[name] for name in promise.writable]
        own = [n for n in promise.results if results[n].ndim and not any(np.shares_memory(results[n], v) for v in lent)]
        own = [n for n in own if n not in promise.tied and results[n].size]
        found.append({name: np.array(results[name]) for name in promise.results})
        for name, value in given.items():
            if name not in promise.writable and not same_bits(np.asarray(value), inputs[name]):
                raise Wrong(f"{what}: an argument is written", name)
    for name, one in found[0].items():
        if not same_bits(one, found[1][name]):
            raise Wrong(f"{what}: the second run gives other bits", f"{name}:\n{one}\n{found[1][name]}")
    return found[1]


def _strided(value: np.ndarray) -> np.ndarray:
    """The same numbers, not contiguous, in memory that numpy does not let be written."""
    wide = np.repeat(value[..., None], 2, axis=-1)[..., 0] if value.ndim else value
    wide.flags.writeable = False
    return wide


def _garbage(like: np.ndarray) -> np.ndarray:
    return np.frombuffer(bytearray(b"\xcd" * like.nbytes), like.dtype).reshape(like.shape)


def right_results(module: ModuleOp, inputs: Sequence[np.ndarray], narrow: float = 0.0) -> RightResults:
    """What the interpreter says; raises `Wrong` where the program does not end."""
    try:
        return RightResults(module, inputs, narrow)
    except EndlessError:
        raise Wrong("the program does not end", "") from None


def hold_against(what: str, want: RightResults, got: Arrays, promise: Promise, figures: Counter[str]) -> None:
    """Raise `Wrong` where a result is none that the interpreter allows."""
    for number, name in enumerate(promise.results):
        words = want.difference(number, got[name])
        if words is not None:
            raise Wrong(f"{what}: not what the interpreter says", f"{name}: {words}")
    for one in want.expected:
        exact = int((one.known & (one.far == 0)).sum())
        figures["elements, bits known"] += exact
        figures["elements, within rounding"] += int(one.known.sum()) - exact
        figures["elements, open"] += int((~one.known).sum())


def same_results(what: str, want: Arrays, got: Arrays) -> None:
    """Raise `Wrong` where bits differ."""
    for name, one in want.items():
        if not same_bits(one, got[name]):
            raise Wrong(f"{what}: other bits", f"{name} is {got[name]}, naive {one}")
