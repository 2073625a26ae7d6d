"""One program through everything: a strategy, then the checker; naive and planned execution, bit for bit.

All of it depends on the module and a number alone, so that a failure can be made smaller and run again.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple
from unittest import mock

import numpy as np
from read_only import read_only
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, TensorType, UnregisteredOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult
from xdsl.passes import ModulePass

import lastuse
from lastuse import runtime
from lastuse.compiler import clone, context, main_function, prepare
from lastuse.dialect import decisions, wellformed
from lastuse.dialect.diagnostics import LastuseError, RemarkKind
from lastuse.dialect.dnn.sources import Opaque
from lastuse.dialect.dtypes import dtype_name, numpy_dtype
from lastuse.dialect.onednn.flow import functions_of
from lastuse.dialect.place import is_slot, set_number
from lastuse.dialect.sizes import argument_name
from lastuse.dialect.storage import contract_of
from lastuse.frontends.mlir import parse
from lastuse.passes import checker
from lastuse.passes.checker.repair import repair
from lastuse.passes.inplace import InplacePass
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.plan import PlanPass
from lastuse.passes.schedule import SchedulePass
from lastuse.passes.strategies import STRATEGIES
from lastuse.runtime import build

CONTEXT = context()
Arrays = dict[str, np.ndarray]
PIPELINES: list[list[ModulePass]] = [
    *([InplacePass(strategy)] for strategy in STRATEGIES),
    *([InplacePass(strategy)] for strategy in STRATEGIES if strategy != "optimal"),
    *([MemoryPlanPass("pool", level=level), InplacePass("transpiler")] for level in (0, 1)),
    *([InplacePass("reinplace"), MemoryPlanPass("pool", level=level)] for level in (0, 1)),
    [MemoryPlanPass("pool"), InplacePass()],
    [InplacePass("transpiler"), InplacePass("paddle"), InplacePass("nntrainer")],
    [InplacePass("reinplace"), MemoryPlanPass("greedy")],
    [MemoryPlanPass("pool", level=1), InplacePass("nntrainer"), MemoryPlanPass("greedy")],
    [InplacePass(parts=False), MemoryPlanPass("greedy")],
    [MemoryPlanPass("greedy")],
    [SchedulePass(), InplacePass(), MemoryPlanPass()],
    [SchedulePass(inplace=False), MemoryPlanPass()],
    [PlanPass()],
    [PlanPass("reinplace")],
]
"""What decides, in which order. The default strategy searches, so it comes less often."""


class Case(NamedTuple):
    """What is tried on a program: a pipeline by number, none for the compiler's own; with decisions made before?"""

    pipeline: int | None = None
    earlier: bool = False
    execute: bool = True


class Wrong(Exception):
    """A program that something is wrong with; `kind` stays the same while it is made smaller."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


def case_of(seed: int, execute: bool) -> Case:
    """What is tried on program `seed`: every pipeline in turn; of those that are executed, some by the compiler."""
    chance = random.Random(seed)
    if execute and chance.random() < 0.1:
        return Case(None)
    return Case(chance.randrange(len(PIPELINES)), chance.random() < 0.3, execute)


def module_of(text: str) -> ModuleOp:
    """The verified module of a text."""
    module = parse(CONTEXT, text, "fuzz.mlir")
    wellformed.verify(module)
    return module


def runs(module: ModuleOp) -> bool:
    """No op that only a compiler can deal with: foreign ones, `dnn.opaque`, functions that stand elsewhere."""
    return all(_runs(op) for op in module.walk())


def _runs(op: Operation) -> bool:
    if isinstance(op, FuncOp):
        return bool(op.body.blocks)
    scalar = not any(isinstance(v.type, TensorType) for v in (*op.operands, *op.results))
    ours = op.name.partition(".")[0] in ("dnn", "scf", "cf", "func", "builtin")
    return not isinstance(op, Opaque | UnregisteredOp) and (ours or scalar)


def decide_earlier(module: ModuleOp, seed: int) -> None:
    """Decisions that somebody made before: random ones, those that are wrong taken back."""
    for func in functions_of(module).values():
        decide_at_random(func, random.Random(seed))
        _, wrong = repair(func)
        if wrong:
            raise Wrong(f"{wrong[0].kind.name} in the program undecided", wrong[0].message)


def decide_at_random(func: FuncOp, chance: random.Random) -> None:
    """Decisions of a function drawn without a thought, right or wrong."""
    numbers = chance.choice([0, 1, 3])
    results = [r for op in func.walk() for r in op.results if numbers and _may_be_numbered(r)]
    for result in results:
        if chance.random() < 0.1:
            decisions.set_number(result, chance.randrange(numbers))
    for argument in func.args:
        if decisions.is_donated(argument) and numbers and chance.random() < 0.3:
            decisions.set_number(argument, chance.randrange(numbers))
    for op in func.walk():
        over = contract_of(op).over if op.results else ()
        allowed = [o for o in over if chance.random() < 0.5 and _dies_at(op, o.operand)]
        if allowed:
            chosen = {o.result: o.operand for o in allowed}
            decisions.set_inplace(op, [chosen.get(r, -1) for r in range(len(op.results))])
    blocks = [block for op in func.walk() for region in op.regions for block in region.blocks]
    for argument in [a for block in blocks for a in block.args if numbers and isinstance(a.type, TensorType)]:
        if is_slot(argument) and chance.random() < 0.3:
            set_number(argument, chance.randrange(numbers))


def _may_be_numbered(result: OpResult) -> bool:
    if not isinstance(result.type, TensorType):
        return False
    contract = contract_of(result.op)
    return contract.view_of(result.index) is None and not contract.constant


def _dies_at(op: Operation, operand: int) -> bool:
    """Nobody but `op` reads the operand by this name; a decision over another one is hardly ever right."""
    return all(use.operation is op for use in op.operands[operand].uses)


def decide(module: ModuleOp, case: Case) -> None:
    """Run the case's pipeline; raises `Wrong` where the checker refuses what it decides."""
    if case.pipeline is None:
        return
    names = " then ".join(map(str, PIPELINES[case.pipeline]))
    for item in PIPELINES[case.pipeline]:
        try:
            item.apply(CONTEXT, module)
        except LastuseError:
            raise
        except Exception as error:
            raise Wrong(f"{names} fails with {type(error).__name__}", str(error)) from error
    refuse(module, names)


def refuse(module: ModuleOp, what: str) -> None:
    """Raise `Wrong` where the checker does not accept every function."""
    for func in functions_of(module).values():
        wrong = checker.check(func)
        if wrong:
            raise Wrong(f"{wrong[0].kind.name} after {what}", wrong[0].message)


def array(name: str, type_: object, seed: int) -> np.ndarray:
    """An argument's values: numbers that every element type holds exactly, a few of them -0, each its own."""
    chance = np.random.default_rng(zlib.crc32(f"{name} {seed}".encode()))
    if isinstance(type_, IndexType):
        return np.array(chance.integers(0, 4), np.int64)
    if isinstance(type_, IntegerType):
        return np.array(chance.random() < 0.5) if type_.width.data == 1 else np.array(chance.integers(0, 4))
    assert isinstance(type_, TensorType)
    dtype, shape = dtype_name(type_.element_type), type_.get_shape()
    if dtype == "i1":
        return chance.random(shape) < 0.5
    if dtype[0] == "i":
        return np.asarray(chance.integers(-4, 5, shape), numpy_dtype(dtype))
    numbers = np.asarray(chance.integers(-16, 17, shape) / 8, numpy_dtype(dtype))
    return np.where(chance.random(shape) < 0.1, -np.zeros((), numbers.dtype), numbers)


def inputs_of(func: FuncOp, seed: int) -> Arrays:
    """Arrays for every argument of a function, by name."""
    return {argument_name(a): array(f"{i}", a.type, seed) for i, a in enumerate(func.args)}


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bit for bit, any NaN equal to any other."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.tobytes() == b.tobytes():
        return True
    nan = np.isnan(a) & np.isnan(b) if a.dtype.kind == "f" else np.zeros(a.shape, np.bool_)
    as_bits = np.dtype(f"u{a.itemsize}")
    bits = [np.frombuffer(x.tobytes(), as_bits).reshape(a.shape) for x in (a, b)]
    return bool(np.all(nan | (bits[0] == bits[1])))


@contextmanager
def protected_constants() -> Generator[None, None, None]:
    """Programs built inside have their constants in pages that nobody may write: who does ends with SIGSEGV."""
    made = build.constant_array

    def protected(*given: object) -> np.ndarray:
        return read_only(made(*given))  # pyright: ignore

    with mock.patch.object(build, "constant_array", protected):
        yield


def executed(what: str, module: ModuleOp, inputs: Arrays) -> Arrays:
    """Results of a module as it is decided, which it is no more afterwards; see `twice`."""
    func = main_function(module)
    writable = {argument_name(func.args[k]) for k in decisions.writable_arguments(func)}
    with protected_constants():
        LowerToOnednnPass().apply(CONTEXT, module)
        return twice(what, runtime.Program(module, threads=1, poison=True), inputs, writable)


def compiled(what: str, module: ModuleOp, inputs: Arrays) -> Arrays:
    """Results of what the compiler makes of a module; see `twice`."""
    ctx = context()
    ctx.wants_remarks = True
    func = main_function(module)
    writable = {argument_name(func.args[k]) for k in decisions.writable_arguments(func)}
    with protected_constants():
        program = lastuse.compile(module, ctx=ctx, threads=1, poison=True)
        dropped = [str(r) for r in ctx.remarks if r.kind is RemarkKind.REPAIR]
        if dropped:
            raise Wrong(f"{what}: a decision is dropped", dropped[0])
        return twice(what, program, inputs, writable)


def twice(what: str, program: lastuse.Program | runtime.Program, inputs: Arrays, writable: set[str]) -> Arrays:
    """Results of the second of two runs on poisoned memory, each on fresh arrays, of which it may write the `writable`
    ones alone; raises `Wrong`."""
    found: list[Arrays] = []
    for _ in range(2):
        given = {name: value.copy() for name, value in inputs.items()}
        found.append({name: np.array(r) for name, r in program.run(given).items()})
        for name, value in given.items():
            if name not in writable and not same_bits(value, inputs[name]):
                raise Wrong(f"{what}: an argument is written", name)
    for name, one in found[0].items():
        if not same_bits(one, found[1][name]):
            raise Wrong(f"{what}: the second run gives other bits", f"{name}:\n{one}\n{found[1][name]}")
    return found[1]


def check_case(module: ModuleOp, seed: int, case: Case) -> None:
    """One case: accepted, and, where it is executed, with the naive program's bits; raises `Wrong`."""
    decided = clone(module)
    if case.earlier:
        decide_earlier(decided, seed)
    elif case.execute:
        refuse(decided, "what was given")
    decide(decided, case)
    if not case.execute or not runs(module):
        return
    inputs = inputs_of(main_function(module), seed)
    naive = clone(module)
    if case.pipeline is None:  # who prepares weights changes the last bits of a GRU, in place or not
        prepare(context(), naive)
    want = executed("naive", naive, inputs)
    what = "compiled" if case.pipeline is None else f"pipeline {case.pipeline}, decided"
    got = (compiled if case.pipeline is None else executed)(what, decided, inputs)
    for name, one in want.items():
        if not same_bits(one, got[name]):
            raise Wrong(f"{what}: other bits", f"{name} is {got[name]}, naive {one}")
