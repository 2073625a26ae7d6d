"""One program through everything: a strategy, then the checker; then it runs, is held against the interpreter, and has
the bits of the program without decisions.

All of it depends on the module and a number alone, so that a failure can be made smaller and run again.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from fuzz_execute import (
    Wrong,
    compiled,
    executed,
    hold_against,
    promise_of,
    protected_constants,
    right_results,
    same_results,
    twice,
)
from fuzz_inputs import inputs_of
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType, UnregisteredOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult
from xdsl.passes import ModulePass

from lastuse.compiler.driver import context, prepare
from lastuse.compiler.module_utils import clone
from lastuse.compiler.pipeline import Pipeline
from lastuse.dialect.dnn.constants import OpaqueOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import functions_of, main_function
from lastuse.dialect.storage import attrs, verifier
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.decisions import is_slot, set_number
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes import checker
from lastuse.passes.call_interface import CallInterfacePass
from lastuse.passes.checker.repair import repair
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.plan import PlanPass
from lastuse.passes.schedule import SchedulePass

CONTEXT = context()


@dataclass(frozen=True)
class HideCalleesPass(ModulePass):
    """Makes every function but the one that runs private, so that only calls lead to it."""

    name: ClassVar[str] = "hide-callees-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in functions_of(op).values():
            if func is not main_function(op):
                func.sym_visibility = StringAttr("private")


PROMISES: list[ModulePass] = [HideCalleesPass(), CallInterfacePass()]
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
    *([*PROMISES, InplacePass(strategy)] for strategy in STRATEGIES),
    [*PROMISES, MemoryPlanPass("pool"), InplacePass()],
    [*PROMISES, InplacePass("transpiler"), InplacePass("paddle"), InplacePass("nntrainer"), MemoryPlanPass()],
    [*PROMISES, InplacePass("reinplace"), MemoryPlanPass("pool", level=1)],
    [*PROMISES, PlanPass()],
]
"""What decides, in which order. The default strategy searches, so it comes less often."""
THREADS = (1, 2, 5)


class Case(NamedTuple):
    """What is tried on a program.

    Attributes:
        pipeline: by number; None for the compiler's own.
        earlier: with decisions made before.
        execute: it is run, with so many `threads`.
        extreme: some inputs are NaN, infinite, denormal or nearly too large.
        naive: its bits are compared with those of the program without decisions.
    """

    pipeline: int | None = None
    earlier: bool = False
    execute: bool = True
    threads: int = 1
    extreme: bool = False
    naive: bool = True


def case_of(seed: int, execute: bool) -> Case:
    """What is tried on program `seed`: every pipeline in turn; of those that are executed, some by the compiler."""
    chance = random.Random(seed)
    more = random.Random(f"{seed} run")
    run = (execute, more.choice(THREADS), more.random() < 0.25, more.random() < 0.3)
    if execute and chance.random() < 0.1:
        return Case(None, False, *run)
    return Case(chance.randrange(len(PIPELINES)), chance.random() < 0.3, *run)


def module_of(text: str) -> ModuleOp:
    """The verified module of a text."""
    module = parse(CONTEXT, text, "fuzz.mlir")
    verifier.verify(module)
    return module


def runs(module: ModuleOp) -> bool:
    """No op that only a compiler can deal with: foreign ones, `dnn.opaque`, functions that stand elsewhere."""
    return all(_runs(op) for op in module.walk())


def _runs(op: Operation) -> bool:
    if isinstance(op, FuncOp):
        return bool(op.body.blocks)
    scalar = not any(isinstance(v.type, TensorType) for v in (*op.operands, *op.results))
    ours = op.name.partition(".")[0] in ("dnn", "scf", "cf", "func", "builtin")
    ours |= op.name in ("tensor.extract", "tensor.dim")
    return not isinstance(op, OpaqueOp | UnregisteredOp) and (ours or scalar)


def decide_earlier(module: ModuleOp, seed: int) -> None:
    """Earlier decisions: random ones, without those that the checker rejects."""
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
            attrs.set_number(result, chance.randrange(numbers))
    for argument in func.args:
        if attrs.is_donated(argument) and numbers and chance.random() < 0.3:
            attrs.set_number(argument, chance.randrange(numbers))
    for op in func.walk():
        over = contract_of(op).over if op.results else ()
        allowed = [o for o in over if chance.random() < 0.5 and _dies_at(op, o.operand)]
        if allowed:
            chosen = {o.result: o.operand for o in allowed}
            attrs.set_entries(op, attrs.INPLACE, [chosen.get(r, -1) for r in range(len(op.results))])
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
    """Only `op` reads the operand by this name; a decision over another one is hardly ever right."""
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


def check_case(module: ModuleOp, seed: int, case: Case, figures: Counter[str] | None = None) -> None:
    """One case: accepted, and, where it is executed, with the interpreter's results and the naive program's bits.
    Raises `Wrong`."""
    figures = Counter() if figures is None else figures
    decided = clone(module)
    if case.earlier:
        decide_earlier(decided, seed)
    elif case.execute:
        refuse(decided, "what was given")
    decide(decided, case)
    if not case.execute or not runs(module):
        return
    func, promise = main_function(module), promise_of(module)
    inputs = inputs_of(func, seed, case.extreme)
    want = right_results(module, list(inputs.values()))
    if case.pipeline is None:
        what = "compiled"
        with protected_constants():
            program, _ = compiled(what, decided, {"threads": case.threads})
            got = twice(what, program, inputs, promise)
    else:
        what = f"pipeline {case.pipeline}, decided"
        got = executed(what, decided, inputs, case.threads)
    hold_against(what, want, got, promise, figures)
    figures["results held against the interpreter"] += len(want.expected)
    if case.naive:
        naive = clone(module)
        if case.pipeline is None:  # preparing weights changes the last bits of a GRU, in place or not
            prepare(Pipeline(context()), naive)
        same_results(what, executed("naive", naive, inputs, case.threads), got)
        figures["bits compared with the naive program"] += 1
