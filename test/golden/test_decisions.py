"""What every strategy decides on kept programs, and what it remarks: a change shows as a diff.

Each file of `decided/` holds a program. Below it stands a line for each strategy, some of them run after other
decisions: the decision of each op, or why it was refused. Below these stand the remarks: each text once, with the
strategies that emit it. `contracts.txt` holds the same for random programs of ops that consist of a storage contract
only. `violations.txt` holds the violations that the checker reports on random plans.
After an intended change, `LASTUSE_GOLDEN=write pytest test/golden` writes the files anew: read the diff.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import pytest
import test_flow
import test_plans
from fuzz_check import decide_at_random
from ir import both
from perturb import perturbations
from toy import generate
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.dialect.storage import attrs, verifier
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.checker import check
from lastuse.passes.checker.repair import repair
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from lastuse.passes.memory_plan import MemoryPlanPass

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "decided").glob("*.mlir"))
WRITE = os.environ.get("LASTUSE_GOLDEN") == "write"
TOYS = 30
TOLD = (142,)
"""Seeds of plans that once showed a mistake in the checker."""
CHANGED = 3
"""The number of changed decisions tried on each plan of the checker's tests."""
NOTED = (
    attrs.INPLACE,
    attrs.PARTS,
    attrs.REUSE,
    attrs.COPY,
    attrs.SUCC_REUSE,
    "dnn.refused",
    "dnn.inplace_mode",
)
RUNS = [("", strategy) for strategy in STRATEGIES]
RUNS += [("pool", "optimal"), ("pool", "transpiler"), ("random", "nntrainer"), ("random", "transpiler")]
"""What decides first, and the strategy that decides then."""


def prepare(module: ModuleOp, before: str) -> None:
    """Write the decisions that a strategy finds: none, the pool's, or random ones without those the checker rejects."""
    if before == "pool":
        MemoryPlanPass("pool").apply(context(), module)
    for func in module.walk() if before == "random" else ():
        if isinstance(func, FuncOp) and func.body.blocks:
            decide_at_random(func, random.Random(1))
            repair(func)


def decided(module: ModuleOp, strategy: str) -> tuple[str, list[str]]:
    """Decide the module by a strategy. Returns the decisions in one line, and the remarks."""
    ctx = context()
    ctx.wants_remarks = True
    InplacePass(strategy, explain=True).apply(ctx, module)
    lines: list[str] = []
    for number, op in enumerate(module.walk()):
        noted = [f"{name[4:]}={_text(op.attributes[name])}" for name in NOTED if name in op.attributes]
        if noted and not isinstance(op, FuncOp):
            lines.append(" ".join([f"{number}", *noted]))
    return "; ".join(lines), [str(remark).partition(" remark: ")[2] for remark in ctx.remarks]


def record(runs: Mapping[str, tuple[str, list[str]]]) -> list[str]:
    """The lines of one program: the decisions of each run, then each remark once, with the runs that emit it.

    The remarks stand in the order in which they are emitted, as far as the runs agree on it.
    """
    texts: list[str] = []
    for _, remarks in runs.values():
        after = 0
        for text in remarks:
            if text not in texts:
                texts.insert(after, text)
            after = texts.index(text) + 1
    lines = [f"{run}: {decisions}".rstrip() for run, (decisions, _) in runs.items()]
    for text in texts:
        counts = Counter({run: remarks.count(text) for run, (_, remarks) in runs.items()})
        emitters = [run if n == 1 else f"{run} {n} times" for run, n in counts.items() if n]
        lines.append(f"  {text} | {'all' if emitters == [*runs] else ', '.join(emitters)}")
    return lines


def _text(attribute: Attribute) -> str:
    if isinstance(attribute, DenseArrayBase):
        return ",".join(map(str, attribute.get_values()))
    if isinstance(attribute, ArrayAttr):
        return "[" + " ".join(map(_text, attribute)) + "]"
    if isinstance(attribute, StringAttr):
        return attribute.data
    return "" if isinstance(attribute, UnitAttr) else str(attribute)


def compare(path: Path, text: str) -> None:
    """Compare a file with the text that it should hold, or write it."""
    if WRITE:
        path.write_text(text)
    assert path.read_text() == text


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_strategies_decide_a_kept_program_as_before(path: Path) -> None:
    program = path.read_text().partition("\n// ")[0]
    parsed = parse(context(), program, path.name)
    verifier.verify(parsed)
    runs: dict[str, tuple[str, list[str]]] = {}
    for before, strategy in RUNS:
        module = clone(parsed)
        prepare(module, before)
        runs[f"{before} {strategy}".strip()] = decided(module, strategy)
    compare(path, "\n".join([program.rstrip(), *(f"// {line}" for line in record(runs))]) + "\n")


def decided_contract_programs() -> Iterator[str]:
    """The lines of every random program of ops that consist of a storage contract only."""
    for seed in range(TOYS):
        runs: dict[str, tuple[str, list[str]]] = {}
        for strategy in STRATEGIES:
            func = generate(seed, decided=seed % 2 > 0)
            repair(func)
            module = func.parent_op()
            assert isinstance(module, ModuleOp)
            runs[strategy] = decided(module, strategy)
        yield from (f"{seed} {line}" for line in record(runs))


def test_strategies_decide_ops_with_only_a_contract_as_before() -> None:
    compare(HERE / "contracts.txt", "".join(f"{line}\n" for line in decided_contract_programs()))


def wrong_plans() -> Iterator[tuple[str, FuncOp]]:
    """Random plans, by name, of ops with only a contract and of kept programs; and the plans of the checker's tests, as
    they are and with one decision changed."""
    for seed in (*range(4 * TOYS), *TOLD):
        yield f"{seed}", generate(seed)
    for plan in (*test_plans.PLANS, *test_flow.PLANS):
        _, broken = both(plan.text)
        yield plan.name, broken
        for number, what in enumerate(islice(perturbations(broken), 0, None, 4)):
            if number < CHANGED:
                yield f"{plan.name}, {what}", broken
    for path in PROGRAMS:
        parsed = parse(context(), path.read_text(), path.name)
        for roll in range(4):
            module = clone(parsed)
            for func in [op for op in module.walk() if isinstance(op, FuncOp) and op.body.blocks]:
                decide_at_random(func, random.Random(roll))
                yield f"{path.stem} {func.sym_name.data} {roll}", func


def test_checker_reports_the_violations_of_random_plans_as_before() -> None:
    lines: list[str] = []
    for name, func in wrong_plans():
        violations = check(func)
        lines.append(f"{name}: {len(violations)}")
        lines += [f"  {v.message} | {', '.join(map(str, v.decisions))}".rstrip(" |") for v in violations]
    compare(HERE / "violations.txt", "".join(f"{line}\n" for line in lines))
